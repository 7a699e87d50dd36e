//! Java's `Matcher`: what finds one match of a regex after the other. It is in memory like what an atom holds, so a turn
//! that fails undoes it, and forks of a session have each their own.

use super::regex_args::regex;
use super::replacement::{all, replaced};
use crate::builtins::args::{get, int, out_of_bounds, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::regex::finder::{Finder, Spans, after, found, looking_at, whole};
use crate::seq::{Generator, Step};
use crate::value::boxed::{CellId, CellSort};
use crate::value::regex::Regex;
use crate::value::{Builtin, Str, Value, Vector};
use std::sync::Arc;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
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
    Builtin::new(
        ".matcher",
        "re s",
        "A matcher of a regex, which finds one match after the other.",
        &[("(.find (.matcher #\"b\" \"abc\"))", "true")],
        &Body(re_matcher),
    ),
    Builtin::new(
        ".find",
        "m | m start",
        "Whether a matcher finds a further match; with start the first one from that character on.",
        &[("(let [m (re-matcher #\"\\d\" \"a1\")] [(.find m) (.find m)])", "[true false]")],
        &Body(find),
    ),
    Builtin::new(
        ".lookingAt",
        "m",
        "Whether the text of a matcher begins with a match.",
        &[("(.lookingAt (re-matcher #\"a\" \"ab\"))", "true")],
        &Body(|h, a| at_start(h, a, false)),
    ),
    Builtin::new(
        ".group",
        "m | m group",
        "The text of the last match of a matcher, or of a group of it by number or name.",
        &[
            (
                "(let [m (re-matcher #\"(?<d>\\d)x\" \"a1x\")] (.find m) [(.group m) (.group m 1) (.group m \"d\")])",
                "[\"1x\" \"1\" \"1\"]",
            ),
            ("(.group (re-matcher #\"a\" \"a\"))", "!No match found"),
        ],
        &Body(group_text),
    ),
    Builtin::new(
        ".groupCount",
        "m",
        "How many groups the regex of a matcher has.",
        &[("(.groupCount (re-matcher #\"(a)(b)\" \"\"))", "2")],
        &of_32_bits!(|h, a| {
            h.charge(10)?;
            Ok(Value::int(open(h, a)?.regex.groups().saturating_sub(1) as i64))
        }),
    ),
    Builtin::new(
        ".start",
        "m | m group",
        "At which character the last match of a matcher begins, or a group of it; -1 if the group took no part.",
        &[("(let [m (re-matcher #\"b\" \"ab\")] (.find m) (.start m))", "1")],
        &of_32_bits!(|h, a| edge(h, a, false)),
    ),
    Builtin::new(
        ".end",
        "m | m group",
        "At which character the last match of a matcher ends, or a group of it; -1 if the group took no part.",
        &[("(let [m (re-matcher #\"b\" \"ab\")] (.find m) (.end m))", "2")],
        &of_32_bits!(|h, a| edge(h, a, true)),
    ),
    Builtin::new(
        ".reset",
        "m | m s | digest",
        "Sets a matcher back to the start, of another text if there is one, and gives it; empties a MessageDigest.",
        &[("(let [m (re-matcher #\"b\" \"ab\")] (.find m) (.reset m) (.find m))", "true")],
        &Body(reset),
    ),
    Builtin::new(
        ".appendReplacement",
        "m builder replacement",
        "Adds the text between the match before and the last one, and what replaces that one, to a StringBuilder.",
        &[(
            "(let [m (re-matcher #\"b\" \"abc\") s (StringBuilder.)] (.find m) (.appendReplacement m s \"<$0>\") (.appendTail m s) (str s))",
            "\"a<b>c\"",
        )],
        &Body(append_replacement),
    ),
    Builtin::new(
        ".appendTail",
        "m builder",
        "Adds the text after the last match that was replaced to a StringBuilder, and gives that.",
        &[("(str (.appendTail (re-matcher #\"b\" \"abc\") (StringBuilder.)))", "\"abc\"")],
        &Body(append_tail),
    ),
];

/// What a matcher holds.
struct Matcher {
    id: CellId,
    regex: Arc<Regex>,
    text: Str,
    /// A lazy sequence of the matches still to come.
    rest: Value,
    /// The places of the last match and its groups, two numbers each, or nil.
    last: Value,
    /// Up to where `.appendReplacement` has added the text.
    added: i64,
}

impl Matcher {
    fn held(self) -> (CellId, Value) {
        let added = Value::int(self.added);
        (self.id, Value::vector(vec![Value::Regex(self.regex), Value::Str(self.text), self.rest, self.last, added]))
    }

    fn keep(self, h: &mut dyn Host) {
        let (id, held) = self.held();
        h.cell_set(id, held);
    }

    fn spans(&self) -> Result<Spans> {
        let Value::Vector(places) = &self.last else {
            return Err(Interrupt::throw("IllegalStateException", ErrorKind::Value, "No match found")
                .hint("(.find m) or (re-find m) takes the next match; look whether there was one"));
        };
        Ok(spans(places))
    }

    /// The span of the group that argument 1 asks for, without it that of the match.
    fn span(&self, a: &[Value]) -> Result<Option<(usize, usize)>> {
        let spans = self.spans()?;
        let at = match a.get(1) {
            None => 0,
            Some(Value::Str(name)) => match self.regex.named(name.as_str()) {
                Some(at) => at,
                None => {
                    let name = crate::error::cut(name.as_str().to_string(), 60);
                    let words = format!("No group with name <{name}>");
                    return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
                }
            },
            Some(_) => usize::try_from(int(a, 1)?).unwrap_or(usize::MAX),
        };
        match spans.get(at) {
            Some(span) => Ok(*span),
            None => {
                let words = format!("No group {}", int(a, 1)?);
                Err(Interrupt::throw("IndexOutOfBoundsException", ErrorKind::Index, words))
            }
        }
    }
}

fn spans(places: &Vector) -> Spans {
    let at = |i: usize| match places.get(i) {
        Some(Value::Int(n)) => usize::try_from(n.get()).ok(),
        _ => None,
    };
    (0..places.len() / 2).map(|i| Some((at(2 * i)?, at(2 * i + 1)?))).collect()
}

fn places(h: &mut dyn Host, spans: &Spans) -> Result {
    h.charge(spans.len() as u64 / 4)?;
    h.reserve(spans.len() as u64 * 32)?;
    let number = |n: usize| Value::int(i64::try_from(n).unwrap_or(i64::MAX));
    let both = |s: &Option<(usize, usize)>| {
        s.map_or([Value::int(-1), Value::int(-1)], |(from, to)| [number(from), number(to)])
    };
    Ok(Value::vector(spans.iter().flat_map(both).collect()))
}

/// The matcher that is the first argument.
fn open(h: &mut dyn Host, a: &[Value]) -> Result<Matcher> {
    if let Value::Volatile(id) = get(a, 0)
        && id.sort() == CellSort::Matcher
        && let Value::Vector(held) = h.cell_get(*id)
        && let (Some(Value::Regex(regex)), Some(Value::Str(text))) = (held.get(0), held.get(1))
        && let (Some(rest), Some(last), Some(Value::Int(added))) = (held.get(2), held.get(3), held.get(4))
    {
        return Ok(Matcher {
            id: *id,
            regex: regex.clone(),
            text: text.clone(),
            rest: rest.clone(),
            last: last.clone(),
            added: added.get(),
        });
    }
    Err(Interrupt::argument(0, "a matcher", get(a, 0)).hint("(re-matcher re s) makes one"))
}

/// The regex of a matcher.
pub fn regex_of(h: &mut dyn Host, a: &[Value]) -> Result {
    Ok(Value::Regex(open(h, a)?.regex))
}

/// The matches of a finder, as places.
#[derive(Clone)]
struct Matches(Finder);

impl Generator for Matches {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        match self.0.next(h)? {
            Some(spans) => Ok(Step::Item(places(h, &spans)?)),
            None => Ok(Step::End),
        }
    }
    fn weight(&self) -> u64 {
        self.0.weight()
    }
    fn depth(&self) -> u32 {
        2
    }
    fn finite(&self) -> bool {
        true
    }
}

fn rest(h: &mut dyn Host, regex: &Arc<Regex>, text: &Str, from: usize) -> Result {
    Ok(crate::seq::lazy(Matches(Finder::from(h, regex.clone(), text.clone(), from)?)))
}

fn re_matcher(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::builtins::java::builder_text::read_all(h, a)?;
    let re = regex(a, 0)?;
    let text = crate::builtins::args::str(a, 1)?.clone();
    let rest = rest(h, &re, &text, 0)?;
    let new = Matcher { id: CellId(0), regex: re, text, rest, last: Value::Nil, added: 0 };
    Ok(Value::Volatile(h.cell_of(CellSort::Matcher, false, new.held().1)?))
}

/// Takes the next match: whether there is one.
fn advance(h: &mut dyn Host, mut m: Matcher) -> Result<bool> {
    (m.last, m.rest) = match crate::seq::seq_of(h, m.rest)? {
        Value::Cons(c) => (c.first().clone(), c.rest().clone()),
        _ => (Value::Nil, Value::Nil),
    };
    let matched = !m.last.is_nil();
    m.keep(h);
    Ok(matched)
}

/// The next match of a matcher, as `re-find` gives it.
pub fn next(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let m = open(h, a)?;
    if advance(h, m)? { re_groups(h, a) } else { Ok(Value::Nil) }
}

fn find(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut m = open(h, a)?;
    if a.len() > 1 {
        let at = int(a, 1)?;
        let from = usize::try_from(at).ok().and_then(|n| m.text.slice(0, n)).map(str::len);
        let Some(from) = from else { return Err(out_of_bounds(1, at, m.text.chars())) };
        m.rest = rest(h, &m.regex, &m.text, from)?;
        m.added = 0;
    }
    Ok(Value::Bool(advance(h, m)?))
}

/// Whether the text begins with a match, or is one.
fn at_start(h: &mut dyn Host, a: &mut [Value], all: bool) -> Result {
    let mut m = open(h, a)?;
    let matched = if all { whole(h, &m.regex, m.text.clone()) } else { looking_at(h, &m.regex, m.text.clone()) }?;
    m.last = match &matched {
        Some(spans) => {
            let (from, to) = spans.first().copied().flatten().unwrap_or_default();
            let end = after(m.text.as_str(), from, to);
            m.rest = if end > m.text.as_str().len() { Value::Nil } else { rest(h, &m.regex, &m.text, end)? };
            places(h, spans)?
        }
        None => Value::Nil,
    };
    m.keep(h);
    Ok(Value::Bool(matched.is_some()))
}

/// Java's `Matcher.matches`.
pub fn matches(h: &mut dyn Host, a: &mut [Value]) -> Result {
    at_start(h, a, true)
}

fn group_text(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let m = open(h, a)?;
    let Some((from, to)) = m.span(a)? else { return Ok(Value::Nil) };
    h.reserve((to - from) as u64)?;
    Ok(m.text.as_str().get(from..to).map_or(Value::Nil, Value::str))
}

fn edge(h: &mut dyn Host, a: &mut [Value], end: bool) -> Result {
    let m = open(h, a)?;
    let Some((from, to)) = m.span(a)? else { return Ok(Value::int(-1)) };
    let at = if end { to } else { from };
    if m.text.is_ascii() {
        return Ok(Value::int(at as i64));
    }
    h.charge(at as u64 / 64)?;
    let before = m.text.as_str().get(..at).unwrap_or_default();
    Ok(Value::int(before.chars().count() as i64))
}

fn reset(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut m = open(h, a)?;
    if a.len() > 1 {
        m.text = crate::builtins::args::str(a, 1)?.clone();
    }
    (m.rest, m.last, m.added) = (rest(h, &m.regex, &m.text, 0)?, Value::Nil, 0);
    m.keep(h);
    Ok(take(a, 0))
}

fn re_groups(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let m = open(h, a)?;
    found(h, m.text.as_str(), &m.spans()?)
}

/// Group `at` of the match that a matcher has found, as `nth` gives it; with a third argument that where there is none,
/// and, as in Clojure, where the regex has no groups.
pub fn group(h: &mut dyn Host, a: &mut [Value], at: i64) -> Result {
    let m = open(h, a)?;
    let at = usize::try_from(at).ok();
    if a.len() > 2 {
        let groups = m.regex.groups();
        let none = m.last.is_nil() || groups < 2 || at.is_none_or(|at| at >= groups);
        if none {
            return Ok(take(a, 2));
        }
    }
    let spans = m.spans()?;
    match at.and_then(|at| spans.get(at)) {
        Some(Some((from, to))) => {
            h.reserve((to - from) as u64)?;
            Ok(m.text.as_str().get(*from..*to).map_or(Value::Nil, Value::str))
        }
        Some(None) => Ok(Value::Nil),
        None => Err(Interrupt::bad(1, ErrorKind::Index, "is out of bounds: there is no such group")),
    }
}

/// Java's `Matcher.replaceAll` and `replaceFirst`: from the start, whatever was found before.
pub fn replace(h: &mut dyn Host, a: &mut [Value], once: bool) -> Result {
    let mut m = open(h, a)?;
    let (regex, text) = (m.regex.clone(), m.text.clone());
    (m.rest, m.last, m.added) = (Value::Nil, Value::Nil, 0);
    if once {
        // It has found the first match then.
        m.rest = rest(h, &regex, &text, 0)?;
        advance(h, m)?;
    } else {
        m.keep(h);
    }
    let with = crate::builtins::args::str(a, 1)?.clone();
    all(h, regex, text, Value::Str(with), once)
}

fn append(h: &mut dyn Host, builder: &Value, text: &str) -> Result<()> {
    h.reserve(text.len() as u64)?;
    crate::builtins::java::string_builder::append(h, &mut [builder.clone(), Value::str(text)])?;
    Ok(())
}

fn append_replacement(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut m = open(h, a)?;
    let spans = m.spans()?;
    let Some(Some((from, to))) = spans.first().copied() else { return Ok(take(a, 0)) };
    let with = crate::builtins::args::str(a, 2)?.clone();
    let new = replaced(h, &m.regex, m.text.as_str(), &spans, with.as_str())?;
    let before = usize::try_from(m.added).ok().and_then(|added| m.text.as_str().get(added..from)).unwrap_or_default();
    append(h, get(a, 1), before)?;
    append(h, get(a, 1), &new)?;
    m.added = i64::try_from(to).unwrap_or(i64::MAX);
    m.keep(h);
    Ok(take(a, 0))
}

fn append_tail(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let m = open(h, a)?;
    let tail = usize::try_from(m.added).ok().and_then(|added| m.text.as_str().get(added..)).unwrap_or_default();
    append(h, get(a, 1), tail)?;
    Ok(take(a, 1))
}
