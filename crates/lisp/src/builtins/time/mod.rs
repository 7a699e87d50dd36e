//! Dates and times: `java.time` as programs use it, and `#inst`.

pub mod amounts;
pub mod arguments;
pub mod arithmetic;
pub mod constants;
pub mod conversions;
pub mod dates;
pub mod formatters;
pub mod getters;
pub mod insts;
pub mod makers;
pub mod moments;

use crate::builtins::row::BuiltinRow;

/// All rows on dates and times, a table a file.
pub const TABLES: &[&[BuiltinRow]] = &[
    dates::ROWS,
    moments::ROWS,
    makers::ROWS,
    amounts::ROWS,
    getters::ROWS,
    arithmetic::ROWS,
    conversions::ROWS,
    formatters::ROWS,
    insts::ROWS,
];
