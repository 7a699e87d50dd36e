//! The streams of a command, and why it stops early.

pub use super::style::{BOLD, DIM, GREEN, RED, YELLOW};
use ptc_agent::Error;
use ptc_lisp::escape;
use std::io::{BufRead, ErrorKind, Write};

/// Standard input, output and error.
pub struct Io<'a> {
    /// Where replies and programs may come from.
    pub stdin: &'a mut dyn BufRead,
    /// Results only.
    pub out: &'a mut dyn Write,
    /// Everything else.
    pub err: &'a mut dyn Write,
    /// What stands around the command.
    pub context: crate::context::CliContext,
}

/// Why a command stops early.
pub enum CliError {
    /// Something outside has to be corrected.
    Error(Error),
    /// Nobody reads on: `ptc trace t.jsonl | head`.
    Pipe,
    /// The result cannot be written.
    Write(std::io::Error),
}

impl From<Error> for CliError {
    fn from(p: Error) -> Self {
        CliError::Error(p)
    }
}

impl From<std::io::Error> for CliError {
    fn from(e: std::io::Error) -> Self {
        if e.kind() == ErrorKind::BrokenPipe { CliError::Pipe } else { CliError::Write(e) }
    }
}

impl Io<'_> {
    /// Columns of the terminal that standard error is, now.
    pub fn columns(&self) -> usize {
        self.context.columns.unwrap_or_else(super::output::stderr_columns)
    }

    /// One line on stderr. Nobody reading it is no reason to stop.
    pub fn info(&mut self, line: &str) {
        let _ = writeln!(self.err, "{line}");
    }

    /// Text as it comes, without a line end of its own.
    pub fn write(&mut self, text: &str) {
        let _ = self.err.write_all(text.as_bytes()).and_then(|()| self.err.flush());
    }

    /// One line of error.
    pub fn error(&mut self, words: &str) {
        self.info(&format!("{RED}error:{RED:#} {}", escape::line(words)));
    }

    /// One line of warning.
    pub fn warn(&mut self, words: &str) {
        self.info(&format!("{YELLOW}warning:{YELLOW:#} {}", escape::line(words)));
    }

    /// All of standard input as text.
    ///
    /// # Errors
    /// When it is not UTF-8, or longer than what is read.
    pub fn read_stdin(&mut self) -> Result<String, Error> {
        let bytes = ptc_agent::files::read_stdin(&mut *self.stdin)?;
        ptc_agent::files::utf8(bytes, "standard input")
    }
}

/// A path as one word of a shell.
pub fn word(path: &std::path::Path) -> String {
    ptc_agent::files::shell_word(&path.display().to_string())
}

/// Text of many lines, each indented, nothing in it that a terminal would obey.
pub fn indented(text: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(16));
    for line in text.lines() {
        out.push_str(by);
        for c in line.chars() {
            if c == '\t' { out.push(c) } else { escape::push(&mut out, c) }
        }
        out.push('\n');
    }
    out
}
