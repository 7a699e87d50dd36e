//! Compiling patterns within bounds, without a host.

use super::syntax::translate;
use crate::error::{Error, ErrorKind, cut};
use crate::limits::Limits;
use crate::value::Value;
use crate::value::boxed::{Automaton, Regex};
use regex_automata::meta;
use regex_automata::util::syntax;

/// Bytes that the engine's caches may take per regex.
pub const CACHE: usize = 1 << 20;

/// The regex of a pattern, for `#"..."` and what is read as data.
pub fn compile(pattern: &str, limits: &Limits) -> Result<Value, Error> {
    let translated = translate(pattern).map_err(|p| {
        let e = Error::new(
            ErrorKind::Value,
            format!("invalid regex #\"{}\": {}", cut(pattern.to_string(), 200), p.message),
        );
        match p.hint {
            Some(hint) => e.hint(hint),
            None => e,
        }
    })?;
    Ok(Value::Regex(Regex::new(pattern.to_string(), automaton(pattern, &translated, limits)?)))
}

/// Compiles what `pattern` was translated to.
pub fn automaton(pattern: &str, translated: &str, limits: &Limits) -> Result<Automaton, Error> {
    let size = usize::try_from(limits.regex_bytes).unwrap_or(usize::MAX);
    let config = meta::Config::new()
        .nfa_size_limit(Some(size))
        .onepass_size_limit(Some(size.saturating_mul(4)))
        .hybrid_cache_capacity(CACHE);
    let built = meta::Builder::new().configure(config).syntax(syntax::Config::new().nest_limit(100)).build(translated);
    built.map(Automaton::new).map_err(|e| {
        if e.size_limit().is_some() {
            let words = format!("the regex is larger than regex_bytes = {size} when compiled");
            return Error::new(ErrorKind::Memory, words).hint("smaller repetition counts make it smaller");
        }
        // The engine's words end in the reason; the picture before it shows the translated pattern.
        let text = e.syntax_error().map_or_else(|| e.to_string(), ToString::to_string);
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_string();
        let pattern = cut(pattern.to_string(), 200);
        Error::new(ErrorKind::Value, format!("invalid regex #\"{pattern}\": {reason}"))
    })
}
