//! Where a report is written: never over a file that is something else.

use ptc_agent::Error;
use ptc_agent::error_text;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

/// A kind of page: what every one has at its beginning and nothing else, and how files for it are named.
pub struct Page {
    mark: &'static str,
    /// What it is called.
    what: &'static str,
    option: &'static str,
}

/// The page of a session.
pub const SESSION: Page =
    Page { mark: "<!doctype html>\n<!-- a session, by ptc -->", what: "report", option: "--report" };
/// The page of `ptc compare`.
pub const COMPARISON: Page =
    Page { mark: "<!doctype html>\n<!-- a comparison, by ptc -->", what: "comparison", option: "--html" };

/// Whether a page can be written there, before a run that nobody wants to pay for twice.
///
/// # Errors
/// When the folder is not there, or a file that is no such page is.
pub fn check(path: &Path, page: &Page) -> Result<(), Error> {
    let (shown, Page { mark, what, option }) = (path.display(), page);
    // Reading a pipe or a terminal would wait for ever.
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        return Err(Error::new(
            ptc_agent::ErrorKind::Usage,
            error_text!("{shown} is no file"; "name one for {option}"),
        ));
    }
    match std::fs::File::open(path) {
        Ok(mut file) => {
            let mut begin = vec![0; mark.len()];
            if path.is_dir() || (file.read_exact(&mut begin).is_err() || begin != mark.as_bytes()) && !is_empty(path) {
                return Err(Error::new(
                    ptc_agent::ErrorKind::Usage,
                    error_text!("{shown} is there and is no {what}"; "name another file for {option}"),
                ));
            }
            std::fs::OpenOptions::new().append(true).open(path).map_err(|e| Error::io(path, "write", &e))?;
            Ok(())
        }
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if folder.is_dir() {
                std::fs::File::create_new(path).map_err(|e| Error::io(path, "write", &e))?;
                std::fs::remove_file(path).map_err(|e| Error::io(path, "write", &e))
            } else {
                Err(Error::new(
                    ptc_agent::ErrorKind::Usage,
                    error_text!("there is no folder {}", folder.display(); "make it first"),
                )
                .at(&shown.to_string()))
            }
        }
        Err(e) => Err(Error::io(path, "read", &e)),
    }
}

fn is_empty(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| m.len() == 0)
}

/// Writes a page.
///
/// # Errors
/// As [`check`], or when it cannot be written.
pub fn write(path: &Path, page: &Page, text: &str) -> Result<(), Error> {
    check(path, page)?;
    std::fs::write(path, text).map_err(|e| Error::io(path, "write", &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_left_alone() {
        let dir = std::env::temp_dir().join(format!("ptc-report-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (own, other) = (dir.join("own.html"), dir.join("t.jsonl"));
        write(&own, &SESSION, super::super::page::PAGE).unwrap();
        write(&own, &SESSION, super::super::page::PAGE).unwrap();
        std::fs::write(&other, "{}").unwrap();
        let words = write(&other, &SESSION, super::super::page::PAGE).unwrap_err().to_string();
        assert!(words.contains("is no report; name another file"), "{words}");
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "{}");
        assert!(check(&dir, &SESSION).is_err());
        assert!(check(&dir.join("no/x.html"), &SESSION).unwrap_err().to_string().contains("make it first"));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
