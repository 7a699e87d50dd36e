//! Type words and samples of values (docs/turns.md, "Summaries"; P-11, P-14, P-15).

use ptc_lisp::escape;
use ptc_lisp::print;
use ptc_lisp::value::compare::RealizedIter;
use ptc_lisp::value::object::ObjectKind;
use ptc_lisp::value::text::{is_plain_char, is_plain_name};
use ptc_lisp::value::{Keyword, Map, Set, Value};

/// Longest sample, in characters.
pub const SAMPLE: usize = 80;
/// Longest text that is shown of a string, longest run of digits.
const TEXT: usize = 32;
/// The same where characters are escaped, so that a sample stays within [`SAMPLE`].
const TEXT_WIDTH: usize = 64;
/// Longest nested collection that is shown whole.
const NESTED: usize = 20;

/// Whether a binding of this value is a `; Function:` line.
pub fn is_function(v: &Value) -> bool {
    matches!(v, Value::Function(_) | Value::Builtin(_) | Value::Tool(_))
}

/// The type word of a value: `list[3]`, `string`, `value`.
pub fn type_word(v: &Value) -> String {
    let word = match v {
        Value::Nil => "nil",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::Big(_) => "integer",
        Value::Float(_) => "float",
        Value::Ratio(_) => "ratio",
        Value::Decimal(_) => "decimal",
        Value::Char(_) => "character",
        Value::Str(_) => "string",
        Value::Keyword(_) => "keyword",
        Value::Symbol(_) => "symbol",
        Value::Regex(_) => "regex",
        Value::Atom(_) | Value::Delay(_) | Value::Volatile(_) | Value::Builder(_) => last_word(v.kind()),
        Value::Time(_) | Value::Uuid(_) | Value::Exception(_) | Value::Place(_) => last_word(v.kind()),
        Value::Object(o) => match o.kind {
            ObjectKind::TaggedLiteral => "tagged-literal",
            ObjectKind::Instance => return instance(&o.class.name),
            ObjectKind::Class => "class",
            ObjectKind::Reified => "object",
            ObjectKind::Protocol | ObjectKind::Namespace => last_word(v.kind()),
        },
        Value::Var(_) => "var",
        Value::Map(m) => return format!("map[{}]", m.len()),
        Value::Set(s) => return format!("set[{}]", s.len()),
        Value::Vector(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
            return count(v).map_or_else(|| "list[?]".to_owned(), |n| format!("list[{n}]"));
        }
        Value::Reduced(_) => "value",
        Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => "value",
    };
    word.to_owned()
}

/// `atom` of `an atom`.
fn last_word(kind: &'static str) -> &'static str {
    kind.split(' ').next_back().unwrap_or(kind)
}

/// The name of a type without its namespace, where it can stand for itself.
fn instance(class: &Value) -> String {
    let Value::Symbol(class) = class else { return "object".to_owned() };
    let name = class.text().rsplit('.').next().unwrap_or_default();
    let shown = plain(name) && name.chars().count() <= TEXT;
    (if shown { name } else { "object" }).to_owned()
}

/// How many items a sequential value has, if all of them are there.
fn count(v: &Value) -> Option<usize> {
    match v {
        Value::Vector(v) => Some(v.len()),
        Value::Slice(s) => Some(s.len()),
        _ => {
            if let Value::Cons(c) = v
                && let Some(n) = c.len()
            {
                return Some(n);
            }
            let mut items = RealizedIter::new(v);
            let n = items.by_ref().count();
            (!items.unrealised()).then_some(n)
        }
    }
}

/// A sample in Elixir's syntax; `None` for nil, empty collections, and values without a text of their own.
pub fn sample(v: &Value) -> Option<String> {
    match v {
        Value::Nil | Value::Atom(_) | Value::Volatile(_) | Value::Builder(_) | Value::Delay(_) | Value::Place(..) => {
            None
        }
        Value::Map(m) => (!m.is_empty()).then(|| map(m)),
        Value::Set(s) => (!s.is_empty()).then(|| set(s)),
        Value::Vector(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
            Some(match RealizedIter::new(v).next()? {
                Value::Map(m) if !m.is_empty() => map(&m),
                first => nested(&first),
            })
        }
        _ => scalar(v),
    }
}

/// Whether the sample of a text shows all of it.
pub(crate) fn is_whole(v: &Value) -> bool {
    let Value::Str(s) = v else { return false };
    s.as_str().chars().count() <= TEXT && sample(v).is_some_and(|s| !s.ends_with("...\""))
}

/// A value that is no collection.
fn scalar(v: &Value) -> Option<String> {
    Some(match v {
        Value::Str(s) => text(s.as_str()),
        Value::Keyword(k) => keyword(k),
        Value::Symbol(s) => name(s.text()),
        Value::Int(_) | Value::Big(_) | Value::Decimal(_) => number(&print::readable(v, 2 * TEXT)),
        Value::Ratio(_) => {
            let all = print::readable(v, 1 << 17);
            let parts: Vec<String> = all.split('/').map(number).collect();
            parts.join("/")
        }
        Value::Nil | Value::Bool(_) | Value::Float(_) | Value::Var(_) => escape::line(&print::readable(v, TEXT_WIDTH)),
        Value::Char(_) => escape::line(&print::readable(v, TEXT_WIDTH)),
        Value::Regex(r) => format!("#{}", cut(&r.source, escape::push)),
        Value::Uuid(_) | Value::Time(_) => escape::line(&print::readable(v, TEXT_WIDTH)),
        v => name(v.class_text()?),
    })
}

/// A value inside another.
fn nested(v: &Value) -> String {
    match v {
        Value::Set(s) if !s.is_empty() => set(s),
        Value::Map(_) | Value::Set(_) | Value::Vector(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
            let mut out = String::new();
            if whole(v, &mut out) { out } else { type_word(v) }
        }
        _ => scalar(v).unwrap_or_else(|| type_word(v)),
    }
}

/// Writes all of a value, if it fits into [`NESTED`] characters.
fn whole(v: &Value, out: &mut String) -> bool {
    match v {
        Value::Map(m) => {
            out.push_str("%{");
            for (i, (k, v)) in m.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(&key(k));
                if !fits(out) || !whole(v, out) {
                    return false;
                }
            }
            out.push('}');
        }
        Value::Set(s) => {
            out.push_str("#{");
            if !items(s.iter().cloned(), out) {
                return false;
            }
            out.push('}');
        }
        Value::Vector(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
            out.push('[');
            let mut list = RealizedIter::new(v);
            if !items(list.by_ref(), out) || list.unrealised() {
                return false;
            }
            out.push(']');
        }
        Value::Str(s) if s.as_str().len() > 4 * NESTED => return false,
        _ => out.push_str(&scalar(v).unwrap_or_else(|| type_word(v))),
    }
    fits(out)
}

fn items(list: impl Iterator<Item = Value>, out: &mut String) -> bool {
    for (i, v) in list.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        if !fits(out) || !whole(&v, out) {
            return false;
        }
    }
    true
}

fn fits(out: &str) -> bool {
    out.chars().count() <= NESTED
}

/// Entries in the map's own order while they fit, then `...`; an entry is never cut inside.
fn map(m: &Map) -> String {
    const MORE: &str = ", ...}";
    let mut out = "%{".to_owned();
    let mut width = 2_usize;
    // Where the text can end with `, ...}` if what follows does not fit.
    let mut end = None;
    for (i, (k, v)) in m.iter().enumerate() {
        let entry = format!("{}{}{}", if i > 0 { ", " } else { "" }, key(k), nested(v));
        width = width.saturating_add(entry.chars().count());
        if width.saturating_add(1) > SAMPLE {
            return match end {
                Some(end) => {
                    out.truncate(end);
                    out + MORE
                }
                None => "%{...}".to_owned(),
            };
        }
        out.push_str(&entry);
        if width.saturating_add(MORE.len()) <= SAMPLE {
            end = Some(out.len());
        }
    }
    out.push('}');
    out
}

/// A key and what stands between it and its value.
fn key(k: &Value) -> String {
    match k {
        Value::Keyword(k) if k.ns().is_none() && plain(k.name()) => format!("{}: ", k.name()),
        // A key from JSON with any other character is its text.
        Value::Keyword(k) if k.ns().is_none() => format!("{} => ", text(k.name())),
        Value::Keyword(_) | Value::Str(_) => format!("{} => ", nested(k)),
        Value::Set(_) => format!("{} => ", type_word(k)),
        _ => format!("{} => ", nested(k)),
    }
}

fn set(s: &Set) -> String {
    let Some(first) = s.iter().next() else { return "#{}".to_owned() };
    let first = if matches!(first, Value::Set(_)) { type_word(first) } else { nested(first) };
    if s.len() == 1 { format!("#{{{first}}}") } else { format!("#{{{first}, ...}}") }
}

/// A string up to its first line break or 32 characters, `...` inside the quotes.
fn text(s: &str) -> String {
    text_within(s, TEXT)
}

/// A string up to its first line break or so many characters, `...` inside the quotes.
pub(crate) fn text_within(s: &str, most: usize) -> String {
    cut_at(s, most, escape::push_quoted)
}

/// A value that is neither string, list nor map, inside another, in Clojure's syntax.
pub(crate) fn inner(v: &Value) -> String {
    to_clojure(&nested(v))
}

fn cut(s: &str, push: impl Fn(&mut String, char)) -> String {
    cut_at(s, TEXT, push)
}

fn cut_at(s: &str, most: usize, push: impl Fn(&mut String, char)) -> String {
    let mut out = "\"".to_owned();
    for (i, c) in s.chars().enumerate() {
        let before = out.len();
        push(&mut out, c);
        if i >= most || crate::text::printed_text::is_break(c) || out.chars().count() > TEXT_WIDTH {
            out.truncate(before);
            out.push_str("...");
            break;
        }
    }
    out.push('"');
    out
}

/// Digits, an `N` behind them, at most 32 of them.
fn number(digits: &str) -> String {
    let many = digits.chars().filter(char::is_ascii_digit).count() > TEXT;
    if !many {
        return digits.to_owned();
    }
    let sign = digits.chars().take_while(|c| !c.is_ascii_digit()).count();
    let mut out: String = digits.chars().take(sign.saturating_add(TEXT)).collect();
    out.push_str("...");
    out
}

fn keyword(k: &Keyword) -> String {
    format!(":{}", name(k.text()))
}

/// A name as it stands, or in quotes when it would not read back as one.
fn name(n: &str) -> String {
    let ordinary = n.split('/').all(plain) && n.chars().count() <= TEXT;
    if ordinary { n.to_owned() } else { text(n) }
}

/// Whether a name can stand for itself in front of a colon.
pub(crate) fn plain(n: &str) -> bool {
    is_plain_name(n)
}

/// Converts a sample from Elixir's syntax to Clojure's: `%{name: 1, "a b" => 2}` becomes `{:name 1, "a b" 2}`. Both
/// show the same entries, since a trace holds one sample.
pub fn to_clojure(sample: &str) -> String {
    let mut out = String::with_capacity(sample.len());
    let mut rest = sample;
    // For each open bracket whether it is a map's; then whether a key comes next, or its arrow.
    let mut maps: Vec<bool> = Vec::new();
    let (mut at_key, mut arrow) = (false, None);
    while let Some(c) = rest.chars().next() {
        if std::mem::take(&mut at_key) {
            let run = rest.find(|c| !is_plain_char(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(run);
            if !word.is_empty()
                && let Some(after) = after.strip_prefix(": ")
            {
                out.push(':');
                out.push_str(word);
                out.push(' ');
                rest = after;
                continue;
            }
            arrow = Some(maps.len());
        }
        if arrow == Some(maps.len())
            && let Some(after) = rest.strip_prefix(" => ")
        {
            arrow = None;
            out.push(' ');
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix("%{") {
            maps.push(true);
            out.push('{');
            rest = after;
            at_key = !rest.starts_with('}');
            continue;
        }
        let length = match c {
            '"' => quoted_length(rest),
            '\\' => rest.chars().nth(1).map_or(0, char::len_utf8).saturating_add(1),
            '[' => {
                maps.push(false);
                1
            }
            '#' if rest.starts_with("#{") => {
                maps.push(false);
                2
            }
            ']' | '}' => {
                maps.pop();
                1
            }
            ',' => {
                at_key = maps.last() == Some(&true) && arrow.is_none();
                if at_key { 2 } else { 1 }
            }
            c => c.len_utf8(),
        };
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(piece);
        rest = after;
    }
    out
}

/// How long the string is that `text` starts with, quotes included.
fn quoted_length(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i.saturating_add(1),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
