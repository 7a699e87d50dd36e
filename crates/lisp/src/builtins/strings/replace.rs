//! `clojure.string/split`, `replace` and what else takes strings apart or changes them by a pattern (traps 35, 36).

use super::basic::{loose, text, without_trailing};
use super::regex_args::{compile, regex};
use super::replacement::{all, bad_replacement};
use crate::builtins::args::{get, int, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::regex::finder::{Finder, whole};
use crate::value::recent_texts::RecentTexts;
use crate::value::{Builtin, Str, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.string/split",
        "s re | s re limit",
        "The parts of a string between matches of a regex. Empty parts at the end are dropped unless limit is negative; limit is the most parts.",
        &[
            ("(str/split \"a,b,,\" #\",\")", "[\"a\" \"b\"]"),
            ("(str/split \"a,b,,\" #\",\" -1)", "[\"a\" \"b\" \"\" \"\"]"),
            ("(str/split \"a b\" \" \")", "!a regex"),
        ],
        &Body(split),
    ),
    Builtin::new(
        "clojure.string/replace",
        "s match replacement",
        "The string with every match replaced: string by string, character by character, or regex by a string ($1 is a group), a function or a map of the match.",
        &[
            ("(str/replace \"a.b\" \".\" \"-\")", "\"a-b\""),
            ("(str/replace \"2024-01\" #\"(\\d+)-(\\d+)\" \"$2/$1\")", "\"01/2024\""),
            ("(str/replace \"a1\" #\"\\d\" #(str \"<\" % \">\"))", "\"a<1>\""),
        ],
        &Body(|h, a| replace(h, a, false)),
    ),
    Builtin::new(
        "clojure.string/replace-first",
        "s match replacement",
        "The string with its first match replaced.",
        &[("(str/replace-first \"aaa\" \"a\" \"b\")", "\"baa\"")],
        &Body(|h, a| replace(h, a, true)),
    ),
    Builtin::new(
        "clojure.string/re-quote-replacement",
        "replacement",
        "The text escaped so that a regex's replacement takes it as it is.",
        &[("(str/replace \"x\" #\"x\" (str/re-quote-replacement \"$1\"))", "\"$1\"")],
        &Body(quote),
    ),
    Builtin::new(
        "Matcher/quoteReplacement",
        "replacement",
        "The text escaped so that a regex's replacement takes it as it is.",
        &[("(str/replace \"x\" #\"x\" (Matcher/quoteReplacement \"$1\"))", "\"$1\"")],
        &Body(quote),
    ),
    Builtin::new(
        ".split",
        "s regex | s regex limit",
        "The parts of a string between matches of a regex, given as a string; or of a regex and then the string.",
        &[("(vec (.split \"a,b\" \",\"))", "[\"a\" \"b\"]"), ("(vec (.split #\",\" \"a,b\"))", "[\"a\" \"b\"]")],
        &Body(split_method),
    ),
    Builtin::new(
        ".replaceAll",
        "s regex replacement | m replacement",
        "The string with every match of a regex, given as a string, replaced; or the text of a matcher.",
        &[("(.replaceAll \"a1b2\" \"\\\\d\" \"\")", "\"ab\"")],
        &Body(|h, a| replace_method(h, a, false)),
    ),
    Builtin::new(
        ".replaceFirst",
        "s regex replacement | m replacement",
        "The string with the first match of a regex, given as a string, replaced; or the text of a matcher.",
        &[("(.replaceFirst \"a1b2\" \"\\\\d\" \"\")", "\"ab2\"")],
        &Body(|h, a| replace_method(h, a, true)),
    ),
    Builtin::new(
        ".matches",
        "s regex | m",
        "Whether the whole string matches a regex, given as a string; or the text of a matcher.",
        &[("(.matches \"12\" \"\\\\d+\")", "true")],
        &Body(matches),
    ),
];

fn split(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::builtins::java::builder_text::read_all(h, a)?;
    let s = text(h, a, 0)?.clone();
    let re = regex(a, 1)?;
    let limit = if a.len() > 2 { int(a, 2)? } else { 0 };
    if let Some(word) = re.literal() {
        return Ok(Value::vector(literal_parts(h, &s, word, limit)?));
    }
    let finder = Finder::new(h, re, s)?;
    Ok(Value::vector(parts(h, finder, limit)?))
}

/// The parts of a text: words that come again are one string.
struct Words {
    recent: RecentTexts,
    patience: i16,
}

impl Words {
    fn of(text: &str) -> Self {
        // A place for every few words, up to a table that a processor has at hand.
        let bits = (text.len() / 16).max(1).ilog2().clamp(6, 11);
        Words { recent: RecentTexts::new(bits), patience: 1 << bits }
    }

    #[inline]
    fn word(&mut self, text: &str) -> Value {
        Value::Str(self.recent.text(text, &mut self.patience))
    }
}

/// As [`parts`], and charged as it is, where what is looked for stands for itself.
fn literal_parts(h: &mut dyn Host, s: &Str, word: &str, limit: i64) -> Result<Vec<Value>> {
    let text = s.as_str();
    h.charge(2 + text.len() as u64 / 14)?;
    let most = usize::try_from(limit).ok().filter(|n| *n > 0).unwrap_or(usize::MAX);
    let (mut out, mut from, mut words) = (Vec::new(), 0, Words::of(text));
    for (start, _) in text.match_indices(word).take(most - 1) {
        h.charge(6)?;
        if out.len() == out.capacity() {
            h.reserve(out.len() as u64 * 80 + 64)?;
        }
        out.push(text.get(from..start).map_or(Value::Nil, |part| words.word(part)));
        from = start + word.len();
    }
    last_part(h, out, text.get(from..).unwrap_or_default(), limit)
}

fn split_method(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let [re @ Value::Regex(_), s, ..] = &mut *a {
        std::mem::swap(re, s);
        return split(h, a);
    }
    compile_arg(h, a)?;
    split(h, a)
}

/// Java's methods take the regex as a string.
fn compile_arg(h: &mut dyn Host, a: &mut [Value]) -> Result<()> {
    let pattern = crate::builtins::args::str(a, 1)?.clone();
    let re = compile(h, pattern.as_str())?;
    if let Some(slot) = a.get_mut(1) {
        *slot = re;
    }
    Ok(())
}

/// As Java's `split`: an empty match at the start makes no part; 0 drops empty parts at the end.
fn parts(h: &mut dyn Host, mut finder: Finder, limit: i64) -> Result<Vec<Value>> {
    let most = usize::try_from(limit).ok().filter(|n| *n > 0).unwrap_or(usize::MAX);
    let (mut out, mut from, mut words) = (Vec::new(), 0, Words::of(finder.text()));
    while out.len() + 1 < most {
        let Some(spans) = finder.next(h)? else { break };
        let Some((start, end)) = spans.first().copied().flatten() else { break };
        if end == 0 {
            continue;
        }
        if out.len() == out.capacity() {
            h.reserve(out.len() as u64 * 80 + 64)?;
        }
        out.push(finder.part(Some((from, start))).map_or(Value::Nil, |part| words.word(part)));
        from = end;
    }
    last_part(h, out, finder.text().get(from..).unwrap_or_default(), limit)
}

fn last_part(h: &mut dyn Host, mut out: Vec<Value>, rest: &str, limit: i64) -> Result<Vec<Value>> {
    h.reserve(rest.len() as u64)?;
    let whole = out.is_empty();
    out.push(Value::str(rest));
    // A string without a match is the one part, even an empty one.
    Ok(if limit == 0 && !whole { without_trailing(out) } else { out })
}

fn replace(h: &mut dyn Host, a: &mut [Value], once: bool) -> Result {
    crate::builtins::java::builder_text::read_all(h, a)?;
    let s = loose(h, a, 0)?;
    match (get(a, 1), get(a, 2)) {
        (Value::Char(c), Value::Char(d)) => literal(h, &s, &c.to_string(), &d.to_string(), once),
        (Value::Str(from), Value::Str(to)) => {
            let (from, to) = (from.clone(), to.clone());
            literal(h, &s, from.as_str(), to.as_str(), once)
        }
        (Value::Char(_), v) => Err(Interrupt::argument(2, "a character, as match is one", v)),
        (Value::Str(_), v) => Err(bad_replacement(v).hint("a function or map as replacement needs a regex to match")),
        (Value::Regex(_), _) => by_regex(h, a, s, once),
        (v, _) => Err(Interrupt::argument(1, "a string, a character or a regex", v)),
    }
}

/// Java's `String.replace`: string by string or character by character.
pub fn literal_of(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 1) {
        Value::Regex(_) => {
            Err(Interrupt::argument(1, "a string", get(a, 1)).hint("(str/replace s re replacement) takes a regex"))
        }
        _ => replace(h, a, false),
    }
}

fn literal(h: &mut dyn Host, s: &Str, from: &str, to: &str, once: bool) -> Result {
    let text = s.as_str();
    h.charge(text.len() as u64 / 16 + from.len() as u64 / 5)?;
    let found = if once { usize::from(text.contains(from)) } else { text.matches(from).count() };
    if found == 0 {
        return Ok(Value::Str(s.clone()));
    }
    let bytes = (text.len() as u64).saturating_add((found as u64).saturating_mul(to.len() as u64));
    h.charge(found as u64 + bytes / 64)?;
    h.reserve(bytes)?;
    Ok(Value::from(if once { text.replacen(from, to, 1) } else { text.replace(from, to) }))
}

fn by_regex(h: &mut dyn Host, a: &mut [Value], s: Str, once: bool) -> Result {
    let re = regex(a, 1)?;
    all(h, re, s, take(a, 2), once)
}

fn replace_method(h: &mut dyn Host, a: &mut [Value], once: bool) -> Result {
    if a.len() == 2 {
        return super::matcher::replace(h, a, once);
    }
    compile_arg(h, a)?;
    let s = text(h, a, 0)?.clone();
    crate::builtins::args::str(a, 2)?;
    by_regex(h, a, s, once)
}

fn quote(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = loose(h, a, 0)?;
    h.reserve(s.as_str().len() as u64 * 2)?;
    Ok(Value::from(s.as_str().replace('\\', "\\\\").replace('$', "\\$")))
}

fn matches(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 1 {
        return super::matcher::matches(h, a);
    }
    compile_arg(h, a)?;
    let (s, re) = (text(h, a, 0)?.clone(), regex(a, 1)?);
    Ok(Value::Bool(whole(h, &re, s)?.is_some()))
}
