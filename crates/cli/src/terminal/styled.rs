//! A stream that leaves styles out where none are wanted.

use anstream::adapter::StripBytes;
use std::io::{Result, Write};

/// Hands on what is written, with or without its styles.
pub struct Styled<'a> {
    to: &'a mut dyn Write,
    strip: Option<StripBytes>,
}

impl<'a> Styled<'a> {
    /// A stream to this one.
    pub fn new(to: &'a mut dyn Write, plain: bool) -> Self {
        Styled { to, strip: plain.then(StripBytes::new) }
    }
}

impl Write for Styled<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let Some(strip) = &mut self.strip else { return self.to.write(bytes) };
        for piece in strip.strip_next(bytes) {
            self.to.write_all(piece)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.to.flush()
    }
}
