//! Regexes: compiling them within bounds, and the functions that find things with them (traps 35-37).

use crate::builtins::args::{get, take};
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::limits::Limits;
use crate::regex::compile::{CACHE, automaton};
use crate::regex::meter::{Meter, can_look_ahead};
use crate::regex::syntax::translate;
use crate::seq::{Generator, Step};
use crate::value::boxed::{Automaton, Regex};
use crate::value::{Builtin, Item, Str, Value};
use regex_automata::Input;
use smallvec::SmallVec;
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

/// Units of work that compiling costs: some tens of microseconds.
const COMPILE: u64 = 3000;
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

/// Room for the first search of a regex in a turn; what it makes can be freed when memory gets short.
fn prepare(h: &mut dyn Host, regex: &Arc<Regex>, automaton: &Automaton) -> Result<()> {
    if automaton.is_fresh() {
        h.reserve(automaton.room())?;
        h.searched(regex);
    }
    Ok(())
}

/// The first match in `text` from byte `at` on.
fn search(automaton: &Automaton, text: &str, at: usize) -> Option<Spans> {
    let input = Input::new(text).range(at..);
    automaton.search(|engine, cache| {
        if engine.captures_len() == 1 {
            let m = engine.search_with(cache, &input)?;
            return Some(SmallVec::from_slice(&[Some((m.start(), m.end()))]));
        }
        let mut groups = engine.create_captures();
        engine.search_captures_with(cache, &input, &mut groups);
        groups.is_match().then(|| groups.iter().map(|g| g.map(|g| (g.start, g.end))).collect())
    })
}

/// Matches of one search that are charged by the text that is left.
const UNMETERED: u32 = 32;

/// Byte places of a match and its groups.
pub type Spans = SmallVec<[Option<(usize, usize)>; 4]>;

/// Finds one match after the other, as Java's `Matcher.find` does.
#[derive(Clone)]
pub struct Finder {
    regex: Arc<Regex>,
    text: Str,
    at: usize,
    done: bool,
    /// Length without a line end at the very end, before which `$` holds too, if that can matter.
    short: Option<usize>,
    searches: u32,
    meter: Option<Meter>,
}

impl Finder {
    /// As [`Generator::weight`].
    fn weight(&self) -> u64 {
        self.meter.as_ref().map_or(0, Meter::weight)
    }

    /// From the start of `text`; charges one pass over it.
    pub fn new(h: &mut dyn Host, regex: Arc<Regex>, text: Str) -> Result<Self> {
        // Where groups begin and end is followed a character at a time.
        let bytes = if regex.automaton.groups() > 1 { 4 } else { 14 };
        h.charge(2 + text.as_str().len() as u64 / bytes)?;
        let t = text.as_str();
        let cut = t.strip_suffix("\r\n").or_else(|| t.strip_suffix(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']));
        let short = cut.map(str::len).filter(|_| regex.source.contains('$') || regex.source.contains("\\Z"));
        prepare(h, &regex, &regex.automaton)?;
        Ok(Finder { regex, text, at: 0, done: false, short, searches: 0, meter: None })
    }

    /// The text that is searched.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The part of the text at these places.
    pub fn part(&self, span: Option<(usize, usize)>) -> Option<&str> {
        span.and_then(|(from, to)| self.text().get(from..to))
    }

    fn search(&self, text: &str) -> Option<Spans> {
        if self.at > text.len() {
            return None;
        }
        search(&self.regex.automaton, text, self.at)
    }

    /// The next match.
    pub fn next(&mut self, h: &mut dyn Host) -> Result<Option<Spans>> {
        if self.done {
            return Ok(None);
        }
        h.charge(if self.regex.automaton.groups() > 1 { 12 } else { 6 })?;
        self.searches = self.searches.saturating_add(1);
        let mut found = self.search(self.text.as_str());
        if let Some(short) = self.short.and_then(|n| self.text.as_str().get(..n)) {
            let start =
                |s: &Option<Spans>| s.as_ref().and_then(|s| s.first().copied().flatten()).map_or(usize::MAX, |m| m.0);
            let other = self.search(short);
            if start(&other) < start(&found) {
                found = other;
            }
        }
        let Some(spans) = found else {
            self.done = true;
            return Ok(None);
        };
        if let Some(Some((from, to))) = spans.first().copied() {
            self.pay_ahead(h, from, to)?;
            // After an empty match the search continues one character further.
            self.at = if from < to {
                to
            } else {
                to + self.text().get(to..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8)
            };
        }
        Ok(Some(spans))
    }

    /// One pass over the text was charged at the start. A search can look far beyond its match, and again for the next
    /// one: the first few are charged all the text that is left, later ones what they looked at.
    fn pay_ahead(&mut self, h: &mut dyn Host, from: usize, to: usize) -> Result<()> {
        let left = self.text.as_str().len().saturating_sub(to) as u64;
        if left < 256 || !can_look_ahead(&self.regex.source) {
            return Ok(());
        }
        if self.searches <= UNMETERED {
            return h.charge(left / 64);
        }
        if self.meter.is_none() {
            h.charge(COMPILE)?;
            h.reserve(CACHE as u64)?;
            self.meter = Meter::new(&self.regex.source, CACHE);
        }
        match &mut self.meter {
            Some(meter) => meter.charge(h, self.text.as_str(), from, to),
            None => h.charge(left / 8),
        }
    }

    /// What `re-find` gives for a match: a string, with groups a vector (trap 37).
    pub fn value(&self, h: &mut dyn Host, spans: &Spans) -> Result {
        let group = |span: &Option<(usize, usize)>| self.part(*span).map_or(Value::Nil, Value::str);
        let bytes: usize = spans.iter().flatten().map(|(from, to)| to - from).sum();
        h.reserve(bytes as u64)?;
        Ok(match spans.as_slice() {
            [whole] => group(whole),
            all => Value::vector(all.iter().map(group).collect()),
        })
    }

    /// The group of a name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.regex.automaton.names().position(|n| n == Some(name))
    }
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
    whole(h, &re, text)
}

/// The match of the whole text. The engine prefers the leftmost alternative, which may end early: then the pattern is
/// asked again between anchors.
pub fn whole(h: &mut dyn Host, re: &Arc<Regex>, text: Str) -> Result {
    let len = text.as_str().len();
    let mut f = Finder::new(h, re.clone(), text)?;
    f.short = None;
    let Some(spans) = f.next(h)? else { return Ok(Value::Nil) };
    match spans.first().copied().flatten() {
        Some((0, to)) if to == len => return f.value(h, &spans),
        Some((0, _)) => {}
        // What starts later had no match at the start at all.
        _ => return Ok(Value::Nil),
    }
    h.charge(2 + len as u64 / 8)?;
    if re.whole.get().is_none() {
        let limits = h.limits().clone();
        h.reserve(limits.regex_bytes.saturating_mul(3))?;
        let translated = translate(&re.source).unwrap_or_default();
        // The anchors are no part of what the limit is about.
        let roomy = Limits { regex_bytes: limits.regex_bytes.saturating_add(1024), ..limits };
        let _ = re.whole.set(automaton(&re.source, &format!("\\A(?:{translated})\\z"), &roomy)?);
    }
    let Some(anchored) = re.whole.get() else { return Ok(Value::Nil) };
    prepare(h, re, anchored)?;
    match search(anchored, f.text(), 0) {
        Some(spans) => f.value(h, &spans),
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
