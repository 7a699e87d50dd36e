//! Libraries: functions and data that are there before a session's first program, in a namespace of their own.

use crate::analyze::is_namespace;
use crate::error::{Error, ErrorKind};
use crate::escape;
use crate::form::{Form, Kind};
use crate::interface::{Definition, RunInput, RunResult};
use crate::interpreter;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::read::read;
use std::sync::Arc;

/// What loading a library gave.
#[derive(Debug)]
pub struct LoadedLibrary {
    /// What programs may use of it, `stats/mean`, in the order of their definitions; not what `defn-` defines.
    pub definitions: Vec<Definition>,
    /// Units of fuel that loading took.
    pub fuel: u64,
}

/// Forms that may stand at the top of a library.
const FORMS: [&str; 11] =
    ["def", "defn", "defn-", "defmacro", "defonce", "declare", "ns", "require", "use", "import", "comment"];

/// Why a library cannot have this name, if it cannot: namespaces of the language stay what they are.
pub fn reserved(name: &str) -> Option<&'static str> {
    let odd = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')) || escape::hidden(c);
    if name.contains(odd) || !name.starts_with(char::is_alphabetic) {
        return Some("is no name of a namespace; begin with a letter, and use letters, digits, - _ and .");
    }
    let class = name.starts_with(char::is_uppercase) || name.starts_with("java.");
    let own = crate::builtins::all().any(|b| b.name().strip_prefix(name).is_some_and(|rest| rest.starts_with('/')));
    let known = class || own || is_namespace(name) || name == "user" || name.starts_with("clojure.");
    known.then_some("is a namespace of the language; take another name")
}

/// Loads a library: what its text defines is bound in `memory` as `NAME/...`, for all programs that run against it. It may
/// use the language and the libraries that were loaded before, and sees neither tools nor inputs, so that it means the
/// same in every task: what a function of it needs, it is given. Nothing of it is redefined later.
///
/// Of `limits` those of clocks do not count: what is loaded is the same on every machine.
///
/// ```
/// use ptc_lisp::{interface::{RunInput, RunResult}, library, limits::Limits, memory::Memory, run};
///
/// let (limits, mut memory) = (Limits::default(), Memory::new());
/// let text = "(defn mean \"Arithmetic mean.\" [xs] (/ (sum xs) (count xs)))";
/// let loaded = library::load("stats", text, &mut memory, &limits)?;
/// assert_eq!((loaded.definitions[0].name.as_str(), loaded.definitions[0].params.as_deref()), ("stats/mean", Some("[xs]")));
/// let outcome = run("(stats/mean [1 2 3])", &mut memory, RunInput::new(&limits, &[], &mut ()));
/// let RunResult::Value(mean) = outcome.ending else { panic!("it has a value") };
/// assert_eq!(ptc_lisp::print::readable(&mean, 10), "2");
/// # Ok::<(), ptc_lisp::error::Error>(())
/// ```
///
/// # Errors
/// Those of its text, with the place in it; when it prints, ends by `return`, or has other forms at its top than
/// definitions. `memory` then has nothing of it.
pub fn load(name: &str, text: &str, memory: &mut Memory, limits: &Limits) -> Result<LoadedLibrary, Error> {
    let taken = memory.libraries.iter().any(|l| **l == *name).then_some("is loaded already");
    if let Some(why) = reserved(name).or(taken) {
        return Err(Error::new(ErrorKind::Name, format!("{} {why}", escape::quoted(name))));
    }
    let limits = Limits { cpu_ms: 0, wall_ms: 0, tool_calls: 0, ..limits.clone() };
    if let Some(other) = read(text, &limits)?.iter().find(|f| !defines(f)) {
        return Err(Error::new(ErrorKind::Denied, "a library has definitions at its top, and nothing else")
            .at(other.span)
            .hint("put it into a function: (defn name \"What it does.\" [] ...)"));
    }
    let before = memory.clone();
    memory.libraries.push(Arc::from(name));
    // What the library calls other namespaces is its own matter.
    let aliases = memory.set_aliases(Default::default());
    let space = memory.space_kept();
    memory.set_space(Some(Arc::from(name)));
    let mut nobody = ();
    let outcome = interpreter::run_library(text, name, memory, RunInput::new(&limits, &[], &mut nobody));
    memory.set_aliases(aliases);
    memory.set_space(space);
    let loud = !outcome.printed.is_empty() || !outcome.notes.is_empty();
    let refused = |words: &str| Error::new(ErrorKind::Denied, words).hint("do that in a function, which programs call");
    let failed = match outcome.ending {
        RunResult::Value(_) if loud => Some(refused("a library prints nothing and makes no notes while it is loaded")),
        RunResult::Value(_) => None,
        RunResult::Error(e) | RunResult::Failed(_, e) => Some(e),
        RunResult::Returned(_) => Some(refused("a library does not (return ...) while it is loaded")),
    };
    if let Some(e) = failed {
        *memory = before;
        return Err(e);
    }
    let mut definitions = outcome.definitions;
    definitions.retain(|d| !memory.is_private(&d.name));
    Ok(LoadedLibrary { definitions, fuel: outcome.usage.fuel })
}

/// What `(doc stats/mean)` prints of a definition.
pub fn doc_text(d: &Definition) -> String {
    crate::builtins::collections::meta::doc_text(&d.name, &d.value, d.doc.as_deref())
}

/// Whether a form may stand at the top of a library.
fn defines(form: &Form) -> bool {
    match &form.kind {
        Kind::List(items) => items.first().and_then(Form::as_plain).is_some_and(|word| FORMS.contains(&word)),
        _ => false,
    }
}
