//! What keeps the host from doing its part, in words that say what to do next.

use std::path::Path;

/// Something about files, tasks or settings that has to be mended outside. One line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Problem(pub String);

impl Problem {
    /// A problem in these words.
    pub fn new(words: impl Into<String>) -> Self {
        Problem(words.into())
    }

    /// What belongs to a later version; never silently nothing.
    pub fn not_yet(what: &str, instead: &str) -> Self {
        Problem(format!("not there yet: {what}; {instead}"))
    }

    /// The same, said of a place: `task.toml:12: ...`.
    #[must_use]
    pub fn at(self, place: &str) -> Self {
        Problem(format!("{place}: {}", self.0))
    }

    /// A file that could not be read, or written.
    pub fn io(path: &Path, doing: &str, e: &std::io::Error) -> Self {
        use std::io::ErrorKind as K;
        let path = path.display();
        Problem(match e.kind() {
            K::NotFound => format!("{path}: there is no such file; check the name"),
            K::PermissionDenied => format!("{path}: cannot {doing} it, permission denied; check who may"),
            K::IsADirectory => format!("{path}: that is a folder; name a file in it"),
            _ => format!("{path}: cannot {doing} it: {e}"),
        })
    }
}

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    if path.is_dir() {
        return Err(Problem(format!("{}: that is a folder; name a file in it", path.display())));
    }
    std::fs::read(path).map_err(|e| Problem::io(path, "read", &e))
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// When it cannot be read, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Problem> {
    utf8(read_bytes(path)?, &path.display().to_string())
}

/// Bytes as text, without a byte order mark; `name` says in errors whose they are.
///
/// # Errors
/// When they are not UTF-8.
pub fn utf8(bytes: Vec<u8>, name: &str) -> Result<String, Problem> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let line = e.as_bytes().iter().take(at).filter(|b| **b == b'\n').count().saturating_add(1);
            Err(Problem(format!(
                "{name}: not UTF-8 text (line {line}, byte {}); save it as UTF-8",
                at.saturating_add(1)
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_named() {
        assert_eq!(
            utf8(b"a\nb\xff".to_vec(), "x.lisp").unwrap_err().0,
            "x.lisp: not UTF-8 text (line 2, byte 4); save it as UTF-8"
        );
        assert_eq!(utf8("\u{feff}(a)".into(), "x").unwrap(), "(a)");
        let gone = read_text(Path::new("/no/such.file")).unwrap_err();
        assert_eq!(gone.0, "/no/such.file: there is no such file; check the name");
        assert!(read_text(Path::new("/")).unwrap_err().0.contains("that is a folder"));
    }
}
