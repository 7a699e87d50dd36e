//! Reads files and streams: with a limit, and only what is a file.

use super::memory::{MAX_MEMORY, MemoryEstimate};
use crate::error::{Error, ErrorKind};
use crate::error_text;
use std::fmt::Write as _;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{BufRead, Read};
use std::path::Path;

/// Most bytes of a file that is read whole: traces, recordings, conversations, standard input.
pub const MAX_BYTES: u64 = 256 << 20;
/// Most bytes of a file that people write by hand: tasks, limits, policies, schemas. 512 KiB: what a parser makes of some of
/// them takes a hundred times as much.
pub const MAX_HAND_WRITTEN_BYTES: u64 = 512 << 10;

/// Whether a text may be read, as far as memory goes: `estimate` says what becomes of it, `name` in errors whose it is.
///
/// # Errors
/// When it takes more than [`MAX_MEMORY`].
pub fn check_memory(text: &[u8], estimate: MemoryEstimate, name: &str) -> Result<(), Error> {
    if estimate.memory(text) <= MAX_MEMORY {
        return Ok(());
    }
    let words = error_text!("what it holds takes more than {MAX_MEMORY} bytes of memory, the most for a file"; "give less of it");
    Err(Error::new(ErrorKind::Limit, words).at(name))
}

/// A file of more than `most` bytes.
fn too_long_file(path: &Path, most: u64) -> Error {
    let words = error_text!("it has more than {most} bytes, the most that is read"; "give a shorter file");
    Error::new(ErrorKind::Limit, words).at(&path.display().to_string())
}

/// Whether this names a file: a regular one, or one that this process was started with (`/dev/stdin`, and `/dev/fd/N`
/// as a shell's `<(COMMAND)` gives it), which may be a pipe. Nothing is opened.
///
/// # Errors
/// When there is none, it is a folder, or it is a pipe, a device or a socket.
pub fn check_file(path: &Path) -> Result<(), Error> {
    check(path, &std::fs::metadata(path).map_err(|e| Error::io(path, "read", &e))?)
}

/// Whether what is there can be written as a file that is read again: a regular file, or nothing yet.
///
/// # Errors
/// When it is a folder, a pipe, a device or a socket.
pub fn check_writable(path: &Path) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_file() => Ok(()),
        Ok(there) => Err(no_file(path, &there, "name a file")),
        Err(_) => Ok(()),
    }
}

fn check(path: &Path, there: &Metadata) -> Result<(), Error> {
    let pipe = "write what comes through it into a file, or give it as <(COMMAND) or /dev/stdin";
    match there.is_file() || (!there.is_dir() && is_descriptor(path)) {
        true => Ok(()),
        false => Err(no_file(path, there, if kind(there) == "a pipe" { pipe } else { "name a file" })),
    }
}

/// Whether a path names what this process was started with.
fn is_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

fn no_file(path: &Path, there: &Metadata, hint: &str) -> Error {
    match kind(there) {
        "a folder" => Error::file(path, "that is a folder; name a file in it"),
        kind => Error::file(path, error_text!("that is {kind} and no file"; "{hint}")),
    }
}

#[cfg(unix)]
fn kind(there: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = there.file_type();
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn kind(there: &Metadata) -> &'static str {
    if there.is_dir() { "a folder" } else { "a device" }
}

/// Opens a file for reading, and what is no file not at all: opening a pipe would wait, reading a device never end.
fn open(path: &Path) -> Result<File, Error> {
    check_file(path)?;
    let mut options = OpenOptions::new();
    options.read(true);
    // Should a pipe have taken the file's place since.
    #[cfg(unix)]
    if !is_descriptor(path) {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default());
    }
    options.open(path).map_err(|e| Error::io(path, "read", &e))
}

/// The bytes of a file, [`MAX_BYTES`] at most, and no more than it may take in memory.
///
/// # Errors
/// When it cannot be read, is longer, takes more than [`MAX_MEMORY`], or is no file (see [`check_file`]).
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    read_estimated(path, MemoryEstimate::DATA)
}

/// The same of a file of which no more becomes than `estimate` says.
///
/// # Errors
/// As [`read_bytes`].
pub fn read_estimated(path: &Path, estimate: MemoryEstimate) -> Result<Vec<u8>, Error> {
    let bytes = read_bytes_within(path, MAX_BYTES, || too_long_file(path, MAX_BYTES))?;
    check_memory(&bytes, estimate, &path.display().to_string())?;
    Ok(bytes)
}

/// The bytes of a file, so many at most; of a longer one the problem is `too_long`.
///
/// # Errors
/// As [`read_bytes`].
pub fn read_bytes_within(path: &Path, most: u64, too_long: impl Fn() -> Error) -> Result<Vec<u8>, Error> {
    from_open(path, &mut open(path)?, most, too_long)
}

fn from_open(path: &Path, file: &mut File, most: u64, too_long: impl Fn() -> Error) -> Result<Vec<u8>, Error> {
    let io = |e: std::io::Error| Error::io(path, "read", &e);
    let there = file.metadata().map_err(io)?;
    check(path, &there)?;
    if there.is_file() && there.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(there.len().min(most)).unwrap_or_default());
    read_to_end_within(file, &mut bytes, most).map_err(io)?.then_some(bytes).ok_or_else(too_long)
}

/// Reads to the end; `false` when more than `most` bytes came, of which no more are read.
///
/// # Errors
/// When reading fails.
pub fn read_to_end_within(from: &mut dyn Read, to: &mut Vec<u8>, most: u64) -> std::io::Result<bool> {
    let before = to.len() as u64;
    from.take(most.saturating_add(1)).read_to_end(to)?;
    Ok((to.len() as u64).saturating_sub(before) <= most)
}

/// Reads a line with its end into `line`, which is emptied first: how many bytes, 0 at the end. `name` says in errors
/// whose line it is.
///
/// # Errors
/// When reading fails, or the line has more than [`MAX_BYTES`] bytes or takes more than [`MAX_MEMORY`].
pub fn read_line(from: &mut dyn BufRead, line: &mut Vec<u8>, name: &str) -> Result<usize, Error> {
    line.clear();
    let read = from.take(MAX_BYTES + 1).read_until(b'\n', line);
    let read = read.map_err(|e| Error::new(ErrorKind::File, format!("cannot read {name}: {e}")).with_source(e))?;
    if line.len() as u64 > MAX_BYTES {
        let words = error_text!("a line of more than {MAX_BYTES} bytes"; "give shorter lines");
        return Err(Error::new(ErrorKind::Limit, words).at(name));
    }
    check_memory(line, MemoryEstimate::DATA, name)?;
    Ok(read)
}

/// All that comes from standard input, [`MAX_BYTES`] bytes at most.
///
/// # Errors
/// When it cannot be read, is longer, or takes more than [`MAX_MEMORY`].
pub fn read_stdin(from: &mut dyn Read) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    match read_to_end_within(from, &mut bytes, MAX_BYTES) {
        Ok(true) => check_memory(&bytes, MemoryEstimate::DATA, "standard input").map(|()| bytes),
        Ok(false) => Err(Error::new(
            ErrorKind::Limit,
            error_text!("standard input has more than {MAX_BYTES} bytes, the most that is read"; "give a shorter one"),
        )),
        Err(e) => Err(Error::new(ErrorKind::File, format!("cannot read standard input: {e}")).with_source(e)),
    }
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// As [`read_bytes`], or when it is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Error> {
    utf8(read_bytes(path)?, &path.display().to_string())
}

/// The text of a file that people write, [`MAX_HAND_WRITTEN_BYTES`] bytes at most.
///
/// # Errors
/// As [`read_text`].
pub fn read_hand_written(path: &Path) -> Result<String, Error> {
    let bytes = read_bytes_within(path, MAX_HAND_WRITTEN_BYTES, || too_long_file(path, MAX_HAND_WRITTEN_BYTES))?;
    utf8(bytes, &path.display().to_string())
}

/// Bytes as text, without a byte order mark; `name` says in errors whose they are.
///
/// # Errors
/// When they are not UTF-8.
pub fn utf8(bytes: Vec<u8>, name: &str) -> Result<String, Error> {
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let line = e.as_bytes().iter().take(at).filter(|b| **b == b'\n').count().saturating_add(1);
            let words = error_text!("not UTF-8 text (line {line}, byte {})", at.saturating_add(1); "save it as UTF-8");
            Err(Error::new(ErrorKind::File, words).at(name).with_source(e.utf8_error()))
        }
    }
}

/// A text as one word of a shell. With hidden characters, such as line ends, it is a `$'...'` of bash, zsh and ksh, so that
/// what is pasted is the same text.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    if !text.chars().any(ptc_lisp::escape::hidden) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let mut out = String::from("$'");
    for c in text.chars() {
        match c {
            '\\' | '\'' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if ptc_lisp::escape::hidden(c) => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell_are_the_text() {
        for (text, word) in [
            ("a/b-1.csv", "a/b-1.csv"),
            ("", "''"),
            ("it's", "'it'\\''s'"),
            ("two\nlines, it's \\ \u{200d}\u{1b}", "$'two\\nlines, it\\'s \\\\ \\U0000200d\\U0000001b'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_named() {
        assert_eq!(
            utf8(b"a\nb\xff".to_vec(), "x.lisp").unwrap_err().to_string(),
            "x.lisp: not UTF-8 text (line 2, byte 4); save it as UTF-8"
        );
        assert_eq!(utf8("\u{feff}(a)".into(), "x").unwrap(), "(a)");
        let gone = read_text(Path::new("/no/such.file")).unwrap_err();
        assert_eq!(gone.to_string(), "/no/such.file: there is no such file; check the name");
        assert!(read_text(Path::new("/")).unwrap_err().to_string().contains("that is a folder"));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = std::env::temp_dir().join(format!("ptc-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (fifo, socket, long) = (folder.join("fifo"), folder.join("socket"), folder.join("long"));
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let pipe = "write what comes through it into a file, or give it as <(COMMAND) or /dev/stdin";
        // Nobody writes into the pipe: opening it would wait for ever.
        for (path, words) in [
            (fifo.as_path(), format!("that is a pipe and no file; {pipe}")),
            (&socket, "that is a socket and no file; name a file".to_owned()),
            (Path::new("/dev/zero"), "that is a device and no file; name a file".to_owned()),
            (Path::new("/dev/full"), "that is a device and no file; name a file".to_owned()),
        ] {
            assert_eq!(read_bytes(path).unwrap_err().to_string(), format!("{}: {words}", path.display()));
            let written = check_writable(path).unwrap_err().to_string();
            assert!(written.ends_with("and no file; name a file"), "{written}");
        }
        // Sparse: it takes no room on the disk, and none in memory either.
        File::create(&long).unwrap().set_len(MAX_BYTES + 1).unwrap();
        let words = format!("it has more than {MAX_BYTES} bytes, the most that is read; give a shorter file");
        assert_eq!(read_bytes(&long).unwrap_err().to_string(), format!("{}: {words}", long.display()));
        File::create(&long).unwrap().set_len(5).unwrap();
        assert_eq!(read_bytes(&long).unwrap(), [0; 5]);
        assert!(check_writable(&long).is_ok() && check_writable(&folder.join("new")).is_ok());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_has_no_end_is_read_as_far_as_the_limit() {
        let mut some = Vec::new();
        assert!(!read_to_end_within(&mut std::io::repeat(7), &mut some, 10).unwrap());
        assert_eq!(some.len(), 11);
        some.clear();
        assert!(read_to_end_within(&mut &[1, 2][..], &mut some, 2).unwrap());
        let mut line = Vec::new();
        assert_eq!(read_line(&mut &b"a\nb"[..], &mut line, "the batch"), Ok(2));
        let mut endless = std::io::BufReader::new(std::io::repeat(b'x'));
        let words = format!("the batch: a line of more than {MAX_BYTES} bytes; give shorter lines");
        assert_eq!(read_line(&mut endless, &mut line, "the batch").unwrap_err().to_string(), words);
        let words =
            format!("standard input has more than {MAX_BYTES} bytes, the most that is read; give a shorter one");
        assert_eq!(read_stdin(&mut endless).unwrap_err().to_string(), words);
    }
}
