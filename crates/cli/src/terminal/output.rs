//! The one way to a terminal: what is written moves no cursor and hides nothing, whatever data is in it.

use super::style::mark;
use ptc_lisp::escape;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write};

/// Writes text with its controls, invisible characters and bytes that are no text as escapes (SECURITY §5 b); line ends, tabs
/// and our own styles stay. A pipe or a file gets the exact bytes of a result.
pub struct Output<W: Write> {
    to: W,
    escapes: bool,
    styles: bool,
    /// The begin of a character whose other bytes are not written yet.
    rest: Vec<u8>,
}

impl<W: Write> Output<W> {
    /// A stream that somebody reads on a terminal; without `styles` they are left out.
    pub fn escaped(to: W, styles: bool) -> Self {
        Output { to, escapes: true, styles, rest: Vec::new() }
    }

    /// A stream that another program reads.
    pub fn exact(to: W) -> Self {
        Output { to, escapes: false, styles: true, rest: Vec::new() }
    }

    /// What is between our own styles.
    fn data(&mut self, bytes: &[u8], end: bool) -> io::Result<()> {
        if !self.escapes {
            return self.to.write_all(bytes);
        }
        let whole = match self.rest.is_empty() {
            true => Cow::Borrowed(bytes),
            false => Cow::Owned([&std::mem::take(&mut self.rest), bytes].concat()),
        };
        let mut out = String::with_capacity(whole.len());
        let mut chunks = whole.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for c in chunk.valid().chars() {
                if matches!(c, '\n' | '\t') { out.push(c) } else { escape::push(&mut out, c) }
            }
            let waits = std::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
            if waits && !end && chunks.peek().is_none() {
                self.rest = chunk.invalid().to_vec();
            } else {
                chunk.invalid().iter().for_each(|byte| _ = write!(out, "\\x{byte:02x}"));
            }
        }
        self.to.write_all(out.as_bytes())
    }
}

/// Where the first of our own styles is: what is before it, its codes, and what is behind it.
fn own_style(bytes: &[u8]) -> Option<(&[u8], &str, &[u8])> {
    let mark = mark().as_bytes();
    let mut from = 0_usize;
    while let Some(at) = bytes.get(from..)?.iter().position(|b| *b == 0x1b) {
        let at = from.saturating_add(at);
        let (before, found) = bytes.split_at(at);
        if let Some(rest) = found.strip_prefix(mark) {
            let end = rest.iter().position(|b| *b == b'm')?;
            let (codes, behind) = rest.split_at(end);
            return Some((before, std::str::from_utf8(codes).ok()?, behind.get(1..)?));
        }
        from = at.saturating_add(1);
    }
    None
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut left = bytes;
        while let Some((before, codes, behind)) = own_style(left) {
            self.data(before, true)?;
            if self.styles {
                // Several styles at once have a mark each.
                write!(self.to, "\u{1b}[{codes}m")?;
            }
            left = behind;
        }
        self.data(left, false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl<W: Write> Drop for Output<W> {
    fn drop(&mut self) {
        if !self.rest.is_empty() {
            let _ = self.data(&[], true).and_then(|()| self.to.flush());
        }
    }
}

/// Standard output of this process, for `run_in` to wrap.
pub fn stdout() -> impl Write {
    io::stdout()
}

/// Standard error of this process, for `run_in` to wrap.
pub fn stderr() -> impl Write {
    anstream::AutoStream::always(io::stderr())
}

/// Another handle of standard output, for a thread: who waits in that of the standard library for somebody who does not read
/// would hold its lock.
///
/// # Errors
/// When the system gives none.
pub fn own_output() -> io::Result<Output<File>> {
    #[cfg(unix)]
    let file: File = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?.into();
    #[cfg(windows)]
    let file: File = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?.into();
    Ok(if file.is_terminal() { Output::escaped(file, false) } else { Output::exact(file) })
}

/// Standard error for the line that says what is waited for, which is drawn over and over.
pub fn status_line() -> Box<dyn Write + Send> {
    Box::new(io::stderr())
}

/// Has a terminal that was read key by key take whole lines again: nothing around what is pasted, and a new line.
pub fn leave_key_mode() -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(b"\x1b[?2004l\r\n").and_then(|()| out.flush())
}

/// Has panics reported as everything else is: their words can hold data.
pub fn escape_panics() {
    std::panic::set_hook(Box::new(|info| {
        let mut out = Output::escaped(io::stderr(), false);
        let thread = std::thread::current();
        let _ = writeln!(out, "thread {:?} {info}", thread.name().unwrap_or_default());
        let trace = std::backtrace::Backtrace::capture();
        if trace.status() == std::backtrace::BacktraceStatus::Captured {
            let _ = writeln!(out, "{trace}");
        }
    }));
}

/// Whether standard error is a terminal.
pub fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Columns of the terminal that is standard output; where it is none, `None`.
pub fn stdout_columns() -> Option<usize> {
    io::stdout().is_terminal().then(|| columns(terminal_size::terminal_size_of(io::stdout())))
}

/// Columns of the terminal that is standard error.
pub fn stderr_columns() -> usize {
    columns(terminal_size::terminal_size_of(io::stderr()))
}

/// A terminal that does not know its size counts as one of 80 columns.
fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    size.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0).unwrap_or(80)
}

/// Whether the environment and the kind of stream want styles on standard output, and on standard error.
pub fn wanted_styles() -> (bool, bool) {
    let wanted = |choice| choice != anstream::ColorChoice::Never;
    (wanted(anstream::AutoStream::choice(&io::stdout())), wanted(anstream::AutoStream::choice(&io::stderr())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::style::{BOLD, RED};

    /// What comes out when `bytes` are written in pieces of this size.
    fn shown(bytes: &[u8], size: usize) -> String {
        let mut out = Vec::new();
        let mut output = Output::escaped(&mut out, true);
        for piece in bytes.chunks(size) {
            output.write_all(piece).unwrap();
            output.flush().unwrap();
        }
        drop(output);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn data_moves_no_cursor_and_has_no_styles_however_it_is_written() {
        let cases: [(&[u8], &str); 9] = [
            ("a\tb\n日本 é".as_bytes(), "a\tb\n日本 é"),
            (b"\x1b]0;PWNED\x07", "\\u{1b}]0;PWNED\\u{7}"),
            (b"\x1b[2J\x1b[1;1Hx\r", "\\u{1b}[2J\\u{1b}[1;1Hx\\u{d}"),
            (b"\x1b[31;1merror:\x1b[0m", "\\u{1b}[31;1merror:\\u{1b}[0m"),
            (b"\x1b[12345678901234567890;31mx", "\\u{1b}[12345678901234567890;31mx"),
            ("\u{202e}\u{9b}2J\u{7f}".as_bytes(), "\\u{202e}\\u{9b}2J\\u{7f}"),
            (b"\x1b[3\xff after", "\\u{1b}[3\\xff after"),
            (b"a\xffb\xe6\x97", "a\\xffb\\xe6\\x97"),
            (b"\x1b", "\\u{1b}"),
        ];
        for (bytes, expected) in cases {
            for size in [1, 2, 3, 5, 100] {
                assert_eq!(shown(bytes, size), expected, "in pieces of {size}");
            }
        }
    }

    #[test]
    fn own_styles_stay_without_their_mark_or_are_left_out() {
        let line = format!("{RED}error:{RED:#} \u{1b}[31m{BOLD}x{BOLD:#}\u{e9}");
        let write = |output: &mut dyn Write| {
            output.write_all(line.as_bytes()).unwrap();
            // Written piece by piece, as a format with arguments is.
            write!(output, "{RED}x{RED:#}").unwrap();
        };
        let (mut styled, mut plain, mut exact) = (Vec::new(), Vec::new(), Vec::new());
        write(&mut Output::escaped(&mut styled, true));
        write(&mut Output::escaped(&mut plain, false));
        write(&mut Output::exact(&mut exact));
        let (red, red_end, bold) = ("\u{1b}[1m\u{1b}[31m", "\u{1b}[0m", "\u{1b}[1m");
        let text = |data: &str| format!("{red}error:{red_end} {data}{bold}x{red_end}é{red}x{red_end}");
        assert_eq!(String::from_utf8(styled).unwrap(), text("\\u{1b}[31m"));
        assert_eq!(String::from_utf8(plain).unwrap(), "error: \\u{1b}[31mxéx");
        assert_eq!(String::from_utf8(exact).unwrap(), text("\u{1b}[31m"));
    }

    /// What waits is a part of one character, and what a wrong byte has ended does not wait.
    #[test]
    fn what_waits_is_bounded() {
        let mut output = Output::escaped(Vec::new(), true);
        for byte in [0xf0, 0x9f, 0x98, 0xff, 0xe6] {
            output.write_all(&[byte]).unwrap();
            assert!(output.rest.len() <= 3);
        }
        assert_eq!((output.to.as_slice(), output.rest.as_slice()), (&b"\\xf0\\x9f\\x98\\xff"[..], &b"\xe6"[..]));
    }
}
