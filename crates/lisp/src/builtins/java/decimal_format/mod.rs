//! `java.text.DecimalFormat`: numbers as a pattern says, with the signs of English.

mod digits;
mod form;
mod pattern;
pub mod rows;
mod scan;
