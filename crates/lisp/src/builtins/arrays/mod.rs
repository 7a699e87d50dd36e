//! Java's arrays, and the static functions of `java.util.Arrays` that programs use by habit.

pub mod constructors;
pub mod items;
pub mod kinds;
pub mod statics;
pub mod typed;
