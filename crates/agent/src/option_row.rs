//! Options of a table in a TOML file, a row each: reading them, refusing other keys and the tables of the documentation
//! all come from these rows.

use crate::error::Error;
use crate::toml_section::Section;

/// An option of a table that is read into a `T`.
pub(crate) struct OptionRow<T> {
    /// Its key.
    pub name: &'static str,
    /// What it does, in Markdown on one line.
    pub doc: &'static str,
    /// Its default, as the documentation shows it.
    pub default: fn(&T) -> String,
    /// Reads and checks the value under the key, which is there.
    pub read: fn(&mut T, &Section<'_>, &'static str) -> Result<(), Error>,
}

/// The keys of some rows.
pub(crate) fn keys<T>(rows: &[OptionRow<T>]) -> Vec<&'static str> {
    rows.iter().map(|r| r.name).collect()
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
        s.noted((row.read)(&mut out, s, row.name))?;
    }
    Ok(out)
}

/// The rows as a table in Markdown.
pub(crate) fn markdown<T: Default>(rows: &[OptionRow<T>]) -> String {
    let defaults = T::default();
    let mut out = String::from("| key | default | what |\n|---|---|---|\n");
    for row in rows {
        out.push_str(&format!("| `{}` | {} | {} |\n", row.name, (row.default)(&defaults), row.doc));
    }
    out
}

/// The text of a default that is absent unless a task says otherwise.
pub(crate) fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}
