//! Answers as lines of JSON.

use crate::terminal::io::{CliError, Io};
use serde::Serialize;

/// One line of JSON.
pub fn line(of: &impl Serialize, io: &mut Io<'_>) -> Result<(), CliError> {
    serde_json::to_writer(&mut *io.out, of).map_err(std::io::Error::from)?;
    writeln!(io.out)?;
    Ok(())
}
