//! Compiling patterns within bounds, without a host.

use super::assemble::assemble;
use super::linear::{ends, spelled};
use super::syntax::{Problem, parse};
use super::tree::{Tree, tree};
use crate::error::{Error, ErrorKind, cut};
use crate::limits::Limits;
use crate::value::Value;
use crate::value::program::Program;
use crate::value::regex::{Automaton, Engine, Flags, Regex};
use regex_automata::meta;
use regex_automata::util::syntax;

/// Bytes that the engine's caches may take per regex.
pub const CACHE: usize = 1 << 20;

/// The regex of a pattern, for `#"..."` and what is read as data.
pub fn compile(pattern: &str, flags: Flags, limits: &Limits) -> Result<Value, Error> {
    let tokens = parse(pattern, flags).map_err(|p| invalid(pattern, p))?;
    let (linear, ends) = (spelled(&tokens), ends(&tokens));
    let tree = tree(tokens).map_err(|p| invalid(pattern, p))?;
    let engine = match linear.filter(|_| !tree.java_differs) {
        Some(linear) => Engine::Linear(automaton(pattern, &linear, limits)?),
        None => Engine::Backtracking(program(pattern, tree, limits)?),
    };
    Ok(Value::Regex(Regex::new(pattern.to_string(), flags, engine, ends)))
}

/// The program of a pattern that the linear engine can match, for texts of which only that says what Java does.
pub fn exact(pattern: &str, flags: Flags, limits: &Limits) -> Result<Program, Error> {
    let tree = parse(pattern, flags).and_then(tree).map_err(|p| invalid(pattern, p))?;
    program(pattern, tree, limits)
}

fn invalid(pattern: &str, problem: Problem) -> Error {
    let e = Error::new(
        ErrorKind::Value,
        format!("invalid regex #\"{}\": {}", cut(pattern.to_string(), 200), problem.message),
    );
    match problem.hint {
        Some(hint) => e.hint(hint),
        None => e,
    }
}

fn size(limits: &Limits) -> usize {
    usize::try_from(limits.regex_bytes).unwrap_or(usize::MAX)
}

fn too_large(size: usize) -> Error {
    let words = format!("the regex is larger than regex_bytes = {size} when compiled");
    Error::new(ErrorKind::Memory, words).hint("smaller repetition counts make it smaller, and fewer classes of Unicode such as \\p{L}, which are large tables: \\w is a small one")
}

fn program(pattern: &str, tree: Tree, limits: &Limits) -> Result<Program, Error> {
    let size = size(limits);
    assemble(tree, size).map_err(|p| invalid(pattern, p))?.map_err(|_| too_large(size))
}

/// Compiles a pattern that is spelled as the linear engine wants it.
pub fn automaton(pattern: &str, spelled: &str, limits: &Limits) -> Result<Automaton, Error> {
    let size = size(limits);
    let config = meta::Config::new()
        .nfa_size_limit(Some(size))
        .onepass_size_limit(Some(size.saturating_mul(4)))
        .hybrid_cache_capacity(CACHE);
    let built = meta::Builder::new().configure(config).syntax(syntax::Config::new().nest_limit(100)).build(spelled);
    built.map(Automaton::new).map_err(|e| {
        if e.size_limit().is_some() {
            return too_large(size);
        }
        // The engine's words end in the reason; the picture before it shows the translated pattern.
        let text = e.syntax_error().map_or_else(|| e.to_string(), ToString::to_string);
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_string();
        invalid(pattern, Problem { message: reason, hint: None })
    })
}
