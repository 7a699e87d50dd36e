//! `[libraries]`: functions and data that are there before the first turn of a task, `stats = "lib/stats.lisp"`.

use super::folder::Folder;
use super::source;
use super::spec::Task;
use crate::clock::sha256;
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::files::read_hand_written;
use crate::toml_section::Section;
use ptc_lisp::{escape, library};
use ptc_turns::{Header, Libraries, LibraryWords};

/// Reads the section: names and files, in their order. The files are not read.
pub(super) fn parse(root: &Section<'_>, folder: &Folder) -> Result<Vec<(String, String)>, Error> {
    let Some(all) = root.section("libraries")? else { return Ok(Vec::new()) };
    let one = |name: &str| {
        if let Some(why) = library::reserved(name) {
            let (words, hint) = why.split_once("; ").unwrap_or((why, "take another name"));
            return Err(all.problem_at(name, error_text!("{} {words}", escape::quoted(name); "{hint}")));
        }
        source::within(&all, name, folder)?;
        Ok((name.to_owned(), all.needed_name(name, "\"lib/NAME.lisp\"")?.to_owned()))
    };
    let read = all.keys().into_iter().filter_map(|name| all.noted(one(name)).transpose());
    read.collect()
}

impl Task {
    /// Its libraries, read and loaded.
    ///
    /// # Errors
    /// When a file cannot be read; what is wrong with its text, with file and line.
    pub fn libraries(&self) -> Result<Libraries, Error> {
        let mut all = Libraries::default();
        for (name, file) in &self.libraries {
            self.add_library(&mut all, self.library(name, file)?)?;
        }
        Ok(all)
    }

    /// What is wrong with its libraries, each with its name, and whether it is wrong with its text.
    pub(super) fn library_faults(&self) -> Vec<(String, bool, Error)> {
        let (mut all, mut faults) = (Libraries::default(), Vec::<(String, bool, Error)>::new());
        for (name, file) in &self.libraries {
            let one = match self.library(name, file) {
                Ok(one) => one,
                Err(p) => {
                    faults.push((name.clone(), false, p));
                    continue;
                }
            };
            // One that uses another which is wrong cannot be told to be wrong itself.
            if faults.iter().any(|(other, ..)| one.text.contains(&format!("{other}/"))) {
                continue;
            }
            if let Err(p) = self.add_library(&mut all, one) {
                faults.push((name.clone(), true, p));
            }
        }
        faults
    }

    /// The text of a library.
    fn library(&self, name: &str, file: &str) -> Result<LibraryWords, Error> {
        let text = read_hand_written(&self.place().file(file)?)?;
        Ok(LibraryWords { name: name.to_owned(), file: file.to_owned(), sha256: sha256(text.as_bytes()), text })
    }

    fn add_library(&self, all: &mut Libraries, one: LibraryWords) -> Result<(), Error> {
        let path = self.folder.join(&one.file);
        all.add(one, &self.limits).map_err(|e| {
            let place = e.line.map_or(path.display().to_string(), |n| format!("{}:{n}", path.display()));
            let error = *e.error;
            let text = match error.hint {
                Some(hint) => ErrorText::new(error.message, hint),
                None => ErrorText::from(error.message),
            };
            Error::new(ErrorKind::Task, text).at(&place)
        })
    }

    /// Whether a session may go on with the libraries that its trace has: their files may be gone, and may not be others.
    pub(super) fn check_libraries(&self, header: &Header) -> Result<(), Error> {
        for (name, file) in &self.libraries {
            let Some(then) = header.libraries.iter().find(|l| l.name == *name) else {
                let words = error_text!("the library {name} was added since the session began"; "take it out, or start a new trace");
                return Err(Error::new(ErrorKind::Task, words));
            };
            if !self.place().file(file)?.exists() {
                continue;
            }
            if self.library(name, file)?.sha256 != then.sha256 {
                let words = error_text!("the library {name} has changed since the session began"; "put the old file back, or start a new trace");
                return Err(Error::new(ErrorKind::Task, words));
            }
        }
        Ok(())
    }
}

/// Whether the libraries of a trace are what was loaded then.
pub(super) fn check_digests(header: &Header) -> Result<(), Error> {
    match header.libraries.iter().find(|l| sha256(l.text.as_bytes()) != l.sha256) {
        None => Ok(()),
        Some(l) => {
            let words = error_text!("the text of the library {} in the trace is not the one that its sha256 is of", escape::line(&l.name); "take the trace as it was written");
            Err(Error::new(ErrorKind::Task, words))
        }
    }
}
