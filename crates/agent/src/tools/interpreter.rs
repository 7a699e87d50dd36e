//! What keeps a script from being started: the interpreter that its first line names.

use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use std::io::Read as _;
use std::path::Path;

/// Most bytes of a first line that a system reads.
const FIRST_LINE_BYTES: u64 = 256;

/// Whether a script names an interpreter that is there. What is no script is fine, and what cannot be read is not judged.
///
/// # Errors
/// What is wrong with its first line, and what to write there.
#[cfg(unix)]
pub(crate) fn check(program: &Path, folder: &Path) -> Result<(), Error> {
    let Some(head) = head(program) else { return Ok(()) };
    let shown = ptc_lisp::escape::line(&program.display().to_string()).to_string();
    let wrong = |words: ErrorText| Err(Error::new(ErrorKind::Tool, words));
    let Some(rest) = head.strip_prefix(b"#!") else {
        // Programs of machines have bytes in their head that no text has.
        let text = !head.is_empty() && head.iter().all(|b| matches!(b, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..));
        if !text {
            return Ok(());
        }
        return wrong(
            error_text!("{shown} is a text without an interpreter"; "begin it with #!/usr/bin/env python3 or #!/bin/sh, or name its interpreter first"),
        );
    };
    let line = rest.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let windows = line.ends_with('\r');
    let named = line.split_whitespace().next().unwrap_or_default();
    if named.is_empty() {
        return wrong(
            error_text!("{shown}: its first line names no interpreter"; "write #!/usr/bin/env python3 or #!/bin/sh"),
        );
    }
    let alone = line.trim() == named;
    if windows && (alone || named.ends_with("/env")) {
        return wrong(
            error_text!("{shown}: its first line ends as in Windows, so that no interpreter is found"; "save the file with the line ends of Unix (sed -i 's/\\r$//' FILE)"),
        );
    }
    if !folder.join(named).is_file() {
        let named = ptc_lisp::escape::line(named);
        return wrong(
            error_text!("{shown}: its first line names {named}, and there is no such file"; "write the interpreter that there is, as #!/usr/bin/env python3"),
        );
    }
    Ok(())
}

/// Elsewhere the end of a file's name says what runs it.
#[cfg(not(unix))]
pub(crate) fn check(_: &Path, _: &Path) -> Result<(), Error> {
    Ok(())
}

/// The beginning of a file.
#[cfg(unix)]
fn head(file: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    std::fs::File::open(file).ok()?.take(FIRST_LINE_BYTES).read_to_end(&mut head).ok()?;
    Some(head)
}

/// The words for a program that could not be started.
pub(crate) fn not_started(program: &Path, folder: &Path, error: &std::io::Error) -> String {
    match check(program, folder) {
        Err(wrong) => wrong.text(),
        Ok(()) => format!("{} cannot be started: {error}", program.display()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_that_runs_nothing_is_told() {
        let folder = std::env::temp_dir().join(format!("ptc-interpreter-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("tool");
        for (text, words) in [
            (&b"#!/bin/sh\necho 1\n"[..], None),
            (b"#! /bin/sh -e\necho 1\n", None),
            (b"#!/usr/bin/env python3\n", None),
            (b"\x7fELF\x02\x01\x01\x00", None),
            (b"", None),
            (b"#!/bin/sh\r\necho 1\r\n", Some("its first line ends as in Windows")),
            (b"#!/usr/bin/env python3\r\n", Some("its first line ends as in Windows")),
            (b"#!/no/such/python\nprint(1)\n", Some("its first line names /no/such/python, and there is no such file")),
            (b"#!\n", Some("its first line names no interpreter")),
            (b"print(1)\n", Some("is a text without an interpreter; begin it with #!/usr/bin/env python3")),
        ] {
            std::fs::write(&file, text).unwrap();
            let found = check(&file, &folder).err().map(|e| e.text());
            match words {
                None => assert_eq!(found, None, "{}", text.escape_ascii()),
                Some(words) => assert!(found.unwrap().contains(words), "{}", text.escape_ascii()),
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
