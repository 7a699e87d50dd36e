//! Regexes: compiling them within bounds, and the functions that find things with them (traps 35-37).

use crate::builtins::args::{get, take};
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::regex::finder::{COMPILE, Finder, found, whole};
use crate::seq::{Generator, Step};
use crate::value::regex::Regex;
use crate::value::{Builtin, Item, Str, Value};
use std::sync::Arc;

/// The rows of this file.
pub static ROWS: &[Builtin] = &[
    Builtin::new(
        "re-pattern",
        "s",
        "A regex made from a string.",
        &[("(re-find (re-pattern \"\\\\d+\") \"a12\")", "\"12\""), ("(re-pattern \"[\")", "!regex")],
        &Body(re_pattern),
    ),
    Builtin::new(
        "re-find",
        "re s | m",
        "The first match: a string, or a vector of the match and its groups; nil if there is none. Of a matcher, the next match.",
        &[
            ("(re-find #\"\\d+\" \"abc123\")", "\"123\""),
            ("(re-find #\"(\\w)(\\d)\" \"a1\")", "[\"a1\" \"a\" \"1\"]"),
            ("(re-find #\"x\" \"abc\")", "nil"),
        ],
        &Body(re_find),
    ),
    Builtin::new(
        "re-matches",
        "re s",
        "As re-find, if the whole string matches.",
        &[("(re-matches #\"\\d+\" \"123\")", "\"123\""), ("(re-matches #\"\\d+\" \"123a\")", "nil")],
        &Body(re_matches),
    ),
    Builtin::new(
        "re-seq",
        "re s",
        "All matches in order, nil if there are none.",
        &[("(re-seq #\"\\d+\" \"1 22\")", "(\"1\" \"22\")"), ("(re-seq #\"x\" \"abc\")", "nil")],
        &Body(re_seq),
    ),
    Builtin::new(
        "re-matcher",
        "re s",
        "A matcher, from which re-find takes one match after the other.",
        &[("(let [m (re-matcher #\"\\d\" \"a12\")] [(re-find m) (re-find m) (re-find m)])", "[\"1\" \"2\" nil]")],
        &Body(re_matcher),
    ),
    Builtin::new(
        "re-groups",
        "m",
        "The match that re-find last took from a matcher.",
        &[("(let [m (re-matcher #\"(\\d)\" \"a1\")] (re-find m) (re-groups m))", "[\"1\" \"1\"]")],
        &Body(re_groups),
    ),
];

/// Compiles a pattern for `#"..."` and `re-pattern`.
pub fn compile(h: &mut dyn Host, pattern: &str) -> Result {
    // Classes of Unicode are large tables.
    let classes = pattern.matches("\\p").count().min(8) as u64;
    h.charge(COMPILE * (1 + 2 * classes) + pattern.len() as u64 * 40)?;
    let limits = h.limits().clone();
    // What the pattern is read into, and three forms of it.
    h.reserve((pattern.len() as u64).saturating_mul(256).saturating_add(limits.regex_bytes.saturating_mul(3)))?;
    Ok(crate::regex::compile::compile(pattern, &limits)?)
}

/// The regex of argument `i`.
pub fn regex(a: &[Value], i: usize) -> Result<Arc<Regex>> {
    match get(a, i) {
        Value::Regex(r) => Ok(r.clone()),
        v @ Value::Str(_) => Err(Interrupt::argument(i, "a regex", v).hint("write it as #\"...\", or use re-pattern")),
        v => Err(Interrupt::argument(i, "a regex", v)),
    }
}

fn finder(h: &mut dyn Host, a: &[Value]) -> Result<Finder> {
    let re = regex(a, 0)?;
    let text = crate::builtins::args::str(a, 1)?.clone();
    Finder::new(h, re, text)
}

fn re_pattern(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Regex(_) => Ok(take(a, 0)),
        Value::Str(s) => {
            let s = s.clone();
            compile(h, s.as_str())
        }
        other => Err(Interrupt::argument(0, "a string", other)),
    }
}

fn re_find(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 1 {
        return next_of_matcher(h, a);
    }
    let mut f = finder(h, a)?;
    match f.next(h)? {
        Some(spans) => f.value(h, &spans),
        None => Ok(Value::Nil),
    }
}

fn re_matches(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let re = regex(a, 0)?;
    let text = crate::builtins::args::str(a, 1)?.clone();
    whole_value(h, &re, text)
}

/// What `re-matches` gives.
fn whole_value(h: &mut dyn Host, re: &Arc<Regex>, text: Str) -> Result {
    match whole(h, re, text.clone())? {
        Some(spans) => found(h, text.as_str(), &spans),
        None => Ok(Value::Nil),
    }
}

#[derive(Clone)]
struct Matches {
    finder: Finder,
    first: Option<Value>,
}

impl Generator for Matches {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        if let Some(v) = self.first.take() {
            return Ok(Step::Item(v));
        }
        match self.finder.next(h)? {
            Some(spans) => Ok(Step::Item(self.finder.value(h, &spans)?)),
            None => Ok(Step::End),
        }
    }
    fn weight(&self) -> u64 {
        self.finder.weight()
    }
    fn depth(&self) -> u32 {
        self.first.as_ref().map_or(1, Item::depth)
    }
}

fn re_seq(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut f = finder(h, a)?;
    let mut out = Vec::new();
    while let Some(spans) = f.next(h)? {
        if out.len() == out.capacity() {
            h.reserve(out.len() as u64 * 80 + 64)?;
        }
        out.push(f.value(h, &spans)?);
    }
    Ok(if out.is_empty() { Value::Nil } else { Value::seq(out) })
}

/// A matcher is a volatile that holds what is still to come: it has a state and an identity, and nothing else.
fn re_matcher(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut finder = finder(h, a)?;
    let matches = match finder.next(h)? {
        Some(spans) => {
            let first = Some(finder.value(h, &spans)?);
            crate::seq::lazy(Matches { finder, first })
        }
        None => Value::Nil,
    };
    Ok(Value::Volatile(h.cell(Value::vector(vec![Value::Bool(false), matches]))?))
}

fn matcher(h: &mut dyn Host, a: &[Value]) -> Result<(crate::value::boxed::CellId, Value, Value)> {
    if let Value::Volatile(id) = get(a, 0)
        && let Value::Vector(v) = h.cell_get(*id)
        && let (2, Some(last), Some(rest)) = (v.len(), v.get(0), v.get(1))
    {
        return Ok((*id, last.clone(), rest.clone()));
    }
    Err(Interrupt::argument(0, "a matcher", get(a, 0)).hint("(re-find re s) needs no matcher"))
}

fn next_of_matcher(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (id, _, rest) = matcher(h, a)?;
    let (found, rest) = match crate::seq::seq_of(h, rest)? {
        Value::Cons(c) => (c.first().clone(), c.rest().clone()),
        _ => (Value::Nil, Value::Nil),
    };
    h.cell_set(id, Value::vector(vec![found.clone(), rest]));
    Ok(found)
}

/// Group `at` of the match that a matcher has found, as `nth` gives it; with a third argument that where there is none,
/// and, as in Clojure, where the regex has no groups.
pub fn group(h: &mut dyn Host, a: &mut [Value], at: i64) -> Result {
    let (_, last, _) = matcher(h, a)?;
    let groups = match &last {
        Value::Str(_) => vec![last],
        Value::Vector(v) => v.iter().cloned().collect(),
        _ => Vec::new(),
    };
    let i = usize::try_from(at).ok();
    if a.len() > 2 {
        let known = i.filter(|_| groups.len() > 1).and_then(|i| groups.get(i).cloned());
        return Ok(known.unwrap_or_else(|| take(a, 2)));
    }
    if groups.is_empty() {
        return Err(Interrupt::throw("IllegalStateException", ErrorKind::Value, "No match found")
            .hint("(re-find m) takes the next match, (nth m 0) is then all of it"));
    }
    let found = i.and_then(|i| groups.get(i).cloned());
    found.ok_or_else(|| Interrupt::bad(1, ErrorKind::Index, format!("is out of bounds: there is no group {at}")))
}

fn re_groups(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match matcher(h, a)? {
        (_, last @ (Value::Str(_) | Value::Vector(_)), _) => Ok(last),
        _ => Err(Interrupt::error(ErrorKind::Value, "No match found")),
    }
}
