//! The pieces that forms of dates and times are made of.

use super::error::TimeError;
use super::names::Width;
use super::unit::Field;
use super::weeks::WeekPart;
use super::zone::ALLOCATED;

/// Which signs a number is printed with, and may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A minus where it is negative.
    Normal,
    /// None; the number cannot be negative.
    None,
    /// A plus besides where it has more digits than asked for.
    ExceedsPad,
}

/// A number that is printed: a field, or one of weeks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Of a date or a time.
    Field(Field),
    /// Of weeks that begin on Sunday.
    Week(WeekPart),
}

/// Whose names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Of months.
    Months,
    /// Of days.
    Days,
    /// `AM`, `PM`
    AmPm,
    /// `AD`, `BC`
    Era,
    /// `Q1`
    Quarter,
}

/// A piece of a form.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Value {
        number: Number,
        min: u8,
        max: u8,
        sign: Sign,
        next: i8,
    },
    /// The last two digits of a year, from 2000 on.
    Reduced {
        number: Number,
        next: i8,
    },
    /// Digits of the nanosecond.
    Fraction {
        min: u8,
        max: u8,
        point: bool,
        next: i8,
    },
    Literal(Box<str>),
    Text {
        names: Names,
        width: Width,
    },
    /// The offset: the number of Java's pattern for it, what is written for none, and whether parts may be missing.
    Offset {
        form: u8,
        zero: &'static str,
        lenient: bool,
    },
    /// `GMT+2`
    Greenwich {
        full: bool,
    },
    /// The name of a zone; of regions alone.
    Zone {
        region: bool,
    },
    /// Its short name, `CEST`.
    ZoneName,
    Padded {
        width: u8,
        part: Box<Part>,
    },
    Optional(Vec<Part>),
    /// As `Instant` is printed.
    Instant,
}

/// Bytes of the pieces of a form.
pub fn heap(parts: &[Part]) -> usize {
    let inside = |p: &Part| match p {
        Part::Literal(text) => text.len() + ALLOCATED,
        Part::Padded { part, .. } => heap(std::slice::from_ref(part)),
        Part::Optional(parts) => heap(parts),
        _ => 0,
    };
    ALLOCATED + size_of_val(parts) + parts.iter().map(inside).sum::<usize>()
}

/// How often a form reads the name of a zone, which is looked for at each length.
pub fn zones(parts: &[Part]) -> u64 {
    let inside = |p: &Part| match p {
        Part::Zone { .. } => 1,
        Part::Padded { part, .. } => zones(std::slice::from_ref(part)),
        Part::Optional(parts) => zones(parts),
        _ => 0,
    };
    parts.iter().map(inside).sum()
}

/// What Java says of a field that a number is of.
pub fn name_of(n: Number) -> &'static str {
    match n {
        Number::Field(f) => f.text(),
        Number::Week(w) => w.text(),
    }
}

/// A pattern that is none.
#[cold]
pub fn bad(message: impl Into<String>) -> TimeError {
    TimeError::argument(message)
}
