//! Libraries of a session: functions and data that are there before its first turn. Their text is in the trace's header.

use crate::text::sample;
use crate::trace::record::LibraryWords;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::escape;
use ptc_lisp::interface::Definition;
use ptc_lisp::library;
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::tool_doc::first_words;
use std::fmt::Write as _;

/// Units of fuel that loading all libraries of a session takes at most.
pub const LIBRARY_FUEL: u64 = 10_000_000;
/// Most libraries of a session.
pub const MAX_LIBRARIES: usize = 64;
/// Most bytes of the lines that the system message has of them.
const LISTED: usize = 8 << 10;

/// Why a library cannot be loaded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {}{}", place(file, *line), error.message, hint(error))]
pub struct LibraryError {
    /// The file it was read from.
    pub file: String,
    /// The line in it, from 1, where that is known.
    pub line: Option<u64>,
    /// What is wrong with it.
    pub error: Box<Error>,
}

fn place(file: &str, line: Option<u64>) -> String {
    line.map_or_else(|| file.to_owned(), |n| format!("{file}:{n}"))
}

fn hint(error: &Error) -> String {
    error.hint.as_ref().map_or_else(String::new, |h| format!("; {h}"))
}

/// Libraries, loaded.
///
/// ```
/// use ptc_turns::{Config, Libraries, LibraryWords, Session, TurnContext};
///
/// let text = "(defn mean \"Arithmetic mean.\" [xs] (/ (sum xs) (count xs)))";
/// let stats = LibraryWords { name: "stats".into(), file: "stats.lisp".into(), sha256: String::new(), text: text.into() };
/// let libraries = Libraries::load(vec![stats], &Default::default())?;
/// let mut session = Session::new(Config { libraries, ..Config::programs() });
/// assert_eq!(session.run("(stats/mean [1 2 3])", TurnContext::without_host())?.value.as_deref(), Some("2"));
/// // The trace has its text, so that the session can be made again from it.
/// let mut again = Session::from_trace(session.trace().clone(), Vec::new())?;
/// assert_eq!(again.run("(stats/mean [4])", TurnContext::without_host())?.value.as_deref(), Some("4"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Libraries {
    list: Vec<LibraryWords>,
    definitions: Vec<Definition>,
    memory: Memory,
    fuel: u64,
}

impl Libraries {
    /// Loads these, in their order: each may use those before it.
    ///
    /// # Errors
    /// What is wrong with the first that cannot be loaded.
    pub fn load(list: Vec<LibraryWords>, limits: &Limits) -> Result<Self, LibraryError> {
        let mut all = Libraries::default();
        list.into_iter().try_for_each(|one| all.add(one, limits))?;
        Ok(all)
    }

    /// Loads one more.
    ///
    /// # Errors
    /// What is wrong with it; the others stay as they are.
    pub fn add(&mut self, one: LibraryWords, limits: &Limits) -> Result<(), LibraryError> {
        let wrong = |error: Error| {
            let line = error.span.map(|s| s.line_column(&one.text).0 as u64);
            LibraryError { file: one.file.clone(), line, error: Box::new(error) }
        };
        if self.list.len() >= MAX_LIBRARIES {
            let error = Error::new(ErrorKind::Memory, format!("a session has {MAX_LIBRARIES} libraries at most"));
            return Err(wrong(error.hint("put several into one")));
        }
        let own = Limits { fuel: LIBRARY_FUEL.saturating_sub(self.fuel), ..limits.clone() };
        let loaded = library::load(&one.name, &one.text, &mut self.memory, &own).map_err(|e| match e.kind {
            ErrorKind::Fuel => {
                let words = format!("loading the libraries takes more than {LIBRARY_FUEL} units of fuel");
                let fuel = Error { span: e.span, ..Error::new(ErrorKind::Fuel, words) };
                wrong(fuel.hint("compute in a function, which programs call, and not while it is loaded"))
            }
            _ => wrong(e),
        })?;
        self.fuel = self.fuel.saturating_add(loaded.fuel);
        self.definitions.extend(loaded.definitions);
        self.list.push(one);
        Ok(())
    }

    /// Their texts, as a header has them.
    pub fn words(&self) -> &[LibraryWords] {
        &self.list
    }

    /// What programs may use of them, `stats/mean`, in the order of their definitions.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// Memory with them, and nothing else.
    pub(crate) fn memory(&self) -> Memory {
        self.memory.clone()
    }

    /// What the system message says of them; nothing where there are none.
    pub(crate) fn section(&self) -> String {
        if self.definitions.is_empty() {
            return String::new();
        }
        let mut out =
            String::from("\n# Libraries\n\nThese are defined already, `(doc NAME)` prints all about one:\n\n");
        let (mut bytes, mut hidden) = (0_usize, 0_usize);
        for d in &self.definitions {
            let line = line(d);
            bytes = bytes.saturating_add(line.len());
            if hidden > 0 || bytes > LISTED {
                hidden = hidden.saturating_add(1);
            } else {
                out.push_str(&line);
            }
        }
        if hidden > 0 {
            let names: Vec<String> = self.list.iter().map(|l| format!("`(apropos \"{}/\")`", l.name)).collect();
            let _ = writeln!(out, "- and {hidden} more: {}", names.join(" "));
        }
        out
    }
}

/// `` - `(stats/mean xs)`: Arithmetic mean ``
fn line(d: &Definition) -> String {
    let name = escape::line(&d.name);
    let head = match &d.params {
        Some(params) if sample::is_function(&d.value) => {
            let one = params.strip_prefix('[').and_then(|p| p.strip_suffix(']'));
            let many = params.strip_prefix('(').and_then(|p| p.strip_suffix(')'));
            let params = escape::line(&ptc_lisp::error::cut(one.or(many).unwrap_or(params).to_owned(), 120));
            let space = if params.is_empty() { "" } else { " " };
            format!("`({name}{space}{params})`")
        }
        _ => format!("`{name}` = {}", d.type_word.map_or_else(|| sample::type_word(&d.value), str::to_owned)),
    };
    let doc =
        d.doc.as_deref().map(first_words).map(|doc| doc.trim_end_matches('.').to_owned()).filter(|doc| !doc.is_empty());
    format!("- {head}{}\n", doc.map_or_else(String::new, |doc| format!(": {doc}")))
}
