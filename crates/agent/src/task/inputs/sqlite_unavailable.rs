//! Tables of SQLite databases in a build without the feature `sqlite`: none is read.

use super::read_limits::ReadLimits;
use super::rows::{Rows, Table};
use crate::error::{Error, ErrorKind};
use std::path::Path;

/// Refuses to read a table.
///
/// # Errors
/// Always: this build has no SQLite.
pub(crate) fn read(path: &Path, table: &Table, _: &ReadLimits) -> Result<Rows, Error> {
    let what = format!("the table {} cannot be read", ptc_lisp::escape::line(&table.name));
    Err(Error::without_feature(ErrorKind::Input, &what, "sqlite").at(&path.display().to_string()))
}
