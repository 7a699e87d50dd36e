//! Options of a table in a TOML file by their rows: reading them, and refusing other keys with their lines.

use crate::error::Error;
use crate::toml_section::Section;
use ptc_text::option_row;

/// Reads and checks the value under a key, which is there.
pub(crate) type Read<T> = fn(&mut T, &Section<'_>, &'static str) -> Result<(), Error>;

/// An option of a table that is read into a `T`.
pub(crate) type OptionRow<T> = option_row::OptionRow<T, Read<T>>;

/// The keys of some rows.
pub(crate) fn keys<T>(rows: &[OptionRow<T>]) -> Vec<&'static str> {
    option_row::keys(rows)
}

/// Reads a table that has these keys and no others.
///
/// # Errors
/// With the line of the key that is wrong, or of one that is not known.
pub(crate) fn read<T: Default>(s: &Section<'_>, rows: &[OptionRow<T>]) -> Result<T, Error> {
    s.only(&keys(rows), &[])?;
    read_beside(s, rows)
}

/// Reads these keys of a table that may have others.
///
/// # Errors
/// With the line of the key that is wrong.
pub(crate) fn read_beside<T: Default>(s: &Section<'_>, rows: &[OptionRow<T>]) -> Result<T, Error> {
    let mut out = T::default();
    for row in rows.iter().filter(|r| s.has(r.name)) {
        s.noted((row.access)(&mut out, s, row.name))?;
    }
    Ok(out)
}

/// The rows as a table in Markdown.
pub(crate) fn markdown<T: Default>(rows: &[OptionRow<T>]) -> String {
    option_row::markdown(rows, &T::default())
}

/// The text of a default that is absent unless a task says otherwise.
pub(crate) fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}
