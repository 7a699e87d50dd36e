//! Functions on numbers: arithmetic, bits, mathematics, and numbers out of text.

pub mod arithmetic;
pub mod bits;
pub mod decimals;
pub mod java_numbers;
pub mod math;
pub mod parse;
pub mod predicates;
