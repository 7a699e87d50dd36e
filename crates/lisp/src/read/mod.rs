//! The reader: program text in, forms with their places out, or one error that says which bracket or token is wrong.

mod char_class;
mod conditional;
mod delimiter_errors;
mod delimiters;
mod duplicate_keys;
mod error;
mod frame;
mod highlight;
mod lexer;
mod literals;
mod mode;
pub(crate) mod names;
pub(crate) mod number;
pub(crate) mod own_names;
mod reader;
pub(crate) mod string_literals;

use crate::error::{Error, ErrorKind};
use crate::form::{Form, Overview};
use crate::limits::Limits;
use std::cell::Cell;

pub(crate) use mode::{Conditionals, ReadMode};
pub(crate) use own_names::ReadNames;

pub use highlight::{Highlight, HighlightKind, highlight};

/// All top-level forms of a program; none for a text of blanks and comments.
pub fn read(source: &str, limits: &Limits) -> Result<Vec<Form>, Error> {
    check_length(source, limits)?;
    reader::Reader::new(source, limits, ReadMode::program()).all()
}

/// The same of the text of a session, and what was seen of it.
pub(crate) fn read_in(source: &str, limits: &Limits, names: &ReadNames<'_>) -> Result<(Vec<Form>, Overview), Error> {
    check_length(source, limits)?;
    let mut reader = reader::Reader::new(source, limits, ReadMode::program());
    reader.give(ROOM.try_with(Cell::take).unwrap_or_default());
    reader.named(names);
    let forms = reader.all()?;
    Ok((forms, reader.overview()))
}

/// Most forms of a program that there is room kept for.
const KEPT: usize = 64;

thread_local! {
    /// Room for the forms of the next program of this thread.
    static ROOM: Cell<Vec<Form>> = const { Cell::new(Vec::new()) };
}

/// Lets go of the forms of a program.
pub(crate) fn done_with(mut forms: Vec<Form>) {
    if forms.capacity() <= KEPT {
        forms.clear();
        // A thread that is ending keeps none.
        let _ = ROOM.try_with(|room| room.set(forms));
    }
}

/// The first form of a text, if it has one. What follows it is not looked at, as in Clojure's `read-string`.
pub fn read_one(source: &str, limits: &Limits) -> Result<Option<Form>, Error> {
    check_length(source, limits)?;
    reader::Reader::new(source, limits, ReadMode::default()).first()
}

/// The first form of a text where a program is in a namespace of its own, in this mode.
pub(crate) fn read_first_in(
    source: &str,
    limits: &Limits,
    names: &ReadNames<'_>,
    mode: ReadMode,
) -> Result<Option<Form>, Error> {
    check_length(source, limits)?;
    let mut reader = reader::Reader::new(source, limits, mode);
    reader.named(names);
    reader.first()
}

/// Before anything else, so that every later cost is bounded by the limit.
fn check_length(source: &str, limits: &Limits) -> Result<(), Error> {
    let length = source.len() as u64;
    if length <= limits.source_bytes {
        return Ok(());
    }
    let message = format!("the program is {length} bytes long; the limit source_bytes is {}", limits.source_bytes);
    Err(Error::new(ErrorKind::Source, message)
        .hint("send it in several turns: what one turn defines with def or defn, the next ones see"))
}
