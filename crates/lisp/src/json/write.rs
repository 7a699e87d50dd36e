//! Values to JSON text, and to the values that their JSON text would read as.

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::value::compare::RealizedIter;
use crate::value::node::on_deep_stack;
use crate::value::text::is_plain_name;
use crate::value::{Map, Set, Value, Width};
use num_traits::ToPrimitive;
use std::borrow::Cow;
use std::fmt::Write as _;

type Res<T> = Result<T, Error>;

/// Bytes of JSON text that are made for a host that names no limit.
const DEFAULT_MAX_BYTES: usize = 64 << 20;

#[cold]
fn refuse(what: String) -> Error {
    Error::new(ErrorKind::Value, what)
}

/// The JSON text of a value: keywords and symbols by their names, ratios as doubles, sets as arrays. What is lazy must
/// have been realised.
///
/// # Errors
/// Functions and the like, NaN and infinities, keys that become equal, texts over 64 MB.
pub fn to_text(v: &Value) -> Res<String> {
    write(v, false, DEFAULT_MAX_BYTES)
}

/// The same over several lines.
///
/// # Errors
/// As [`to_text`].
pub fn to_text_pretty(v: &Value) -> Res<String> {
    write(v, true, DEFAULT_MAX_BYTES)
}

/// The same in at most `limit` bytes; `None` when the text is longer.
///
/// # Errors
/// As [`to_text`].
pub fn to_text_within(v: &Value, pretty: bool, limit: usize) -> Res<Option<String>> {
    Ok(attempt(v, pretty, limit)?.0)
}

/// The same, and how many keys had to be made texts and compared for it, whether it was in vain or not.
pub(crate) fn attempt(v: &Value, pretty: bool, limit: usize) -> Res<(Option<String>, u64)> {
    let mut w = Writer { out: String::new(), pretty, indent: 0, limit, full: false, keys: 0 };
    w.value(v)?;
    Ok((if w.full { None } else { Some(w.out) }, w.keys))
}

fn write(v: &Value, pretty: bool, limit: usize) -> Res<String> {
    to_text_within(v, pretty, limit)?
        .ok_or_else(|| Error::new(ErrorKind::Memory, format!("the JSON text of a value is longer than {limit} bytes")))
}

struct Writer {
    out: String,
    pretty: bool,
    indent: usize,
    limit: usize,
    full: bool,
    /// Keys that are no plain names.
    keys: u64,
}

impl Writer {
    fn value(&mut self, v: &Value) -> Res<()> {
        self.full |= self.out.len() > self.limit;
        if self.full {
            return Ok(());
        }
        match v {
            Value::Nil => self.out.push_str("null"),
            Value::Bool(b) => self.out.push_str(if *b { "true" } else { "false" }),
            Value::Int(i) => {
                let _ = write!(self.out, "{i}");
            }
            Value::Float(f) if f.width() == Width::W32 && f.get().is_finite() => {
                let _ = write!(self.out, "{:?}", f.get() as f32);
            }
            Value::Float(f) => self.float(f.get())?,
            Value::Big(b) => {
                let text = crate::value::number_format::big_text(b, self.limit);
                self.out.push_str(&text);
            }
            Value::Ratio(r) => self.float(r.to_f64().unwrap_or(f64::NAN))?,
            Value::Decimal(d) => self.out.push_str(&d.text()),
            Value::Str(s) => self.string(s.as_str()),
            Value::Vector(x) => self.array(x.iter())?,
            Value::Slice(x) => self.array(x.iter())?,
            Value::Set(x) => self.array(x.iter())?,
            Value::Cons(_) | Value::Lazy(_) => {
                let mut items = RealizedIter::new(v);
                let all: Vec<Value> = items.by_ref().collect();
                if items.unrealised() {
                    return Err(refuse("a lazy sequence must be realised before it becomes JSON".into()));
                }
                self.array(all.iter())?;
            }
            Value::Map(m) => self.object(m)?,
            other => match scalar_text(other) {
                Some(text) => self.string(&text),
                None => return Err(refuse(format!("{} cannot be JSON: {}", other.kind(), crate::print::brief(other)))),
            },
        }
        Ok(())
    }

    fn float(&mut self, f: f64) -> Res<()> {
        if !f.is_finite() {
            return Err(refuse(format!("{} cannot be JSON", if f.is_nan() { "NaN" } else { "an infinity" })));
        }
        let _ = write!(self.out, "{f:?}");
        Ok(())
    }

    fn string(&mut self, s: &str) {
        self.full |= self.out.len().saturating_add(s.len()) > self.limit.saturating_add(2);
        if self.full {
            return;
        }
        self.out.push('"');
        let mut rest = s;
        while let Some(n) = rest.bytes().position(|b| b == b'"' || b == b'\\' || b < 0x20) {
            let (head, tail) = rest.split_at(n);
            self.out.push_str(head);
            let mut chars = tail.chars();
            match chars.next() {
                Some('"') => self.out.push_str("\\\""),
                Some('\\') => self.out.push_str("\\\\"),
                Some('\n') => self.out.push_str("\\n"),
                Some('\r') => self.out.push_str("\\r"),
                Some('\t') => self.out.push_str("\\t"),
                Some('\u{8}') => self.out.push_str("\\b"),
                Some('\u{c}') => self.out.push_str("\\f"),
                Some(c) => {
                    let _ = write!(self.out, "\\u{:04x}", u32::from(c));
                }
                None => {}
            }
            rest = chars.as_str();
        }
        self.out.push_str(rest);
        self.out.push('"');
    }

    fn line(&mut self) {
        if self.pretty {
            self.out.push('\n');
            // Deep values are not worth wide margins.
            for _ in 0..self.indent.min(100) {
                self.out.push_str("  ");
            }
        }
    }

    fn array<'v>(&mut self, items: impl Iterator<Item = &'v Value>) -> Res<()> {
        self.out.push('[');
        self.indent += 1;
        let mut any = false;
        on_deep_stack(|| {
            for v in items {
                if any {
                    self.out.push(',');
                }
                any = true;
                self.line();
                self.value(v)?;
                if self.full {
                    break;
                }
            }
            Ok(())
        })?;
        self.end(any, ']');
        Ok(())
    }

    fn object(&mut self, m: &Map) -> Res<()> {
        // An entry takes four bytes at least: keys are not looked at for a text that cannot fit.
        if m.len() > self.limit.saturating_sub(self.out.len()) / 4 + 1 {
            self.full = true;
            return Ok(());
        }
        if !plain_keys(m) {
            self.keys += m.len() as u64;
            check_keys(m)?;
        }
        self.out.push('{');
        self.indent += 1;
        on_deep_stack(|| {
            for (i, (k, v)) in m.iter().enumerate() {
                if i > 0 {
                    self.out.push(',');
                }
                self.line();
                let key = key_text(k)?;
                self.string(&key);
                self.out.push_str(if self.pretty { ": " } else { ":" });
                self.value(v)?;
                if self.full {
                    break;
                }
            }
            Ok(())
        })?;
        self.end(!m.is_empty(), '}');
        Ok(())
    }

    fn end(&mut self, any: bool, bracket: char) {
        self.indent -= 1;
        if any {
            self.line();
        }
        self.out.push(bracket);
    }
}

/// The text of a value that is a string in JSON and none here.
fn scalar_text(v: &Value) -> Option<Cow<'_, str>> {
    Some(match v {
        Value::Str(s) => Cow::Borrowed(s.as_str()),
        Value::Keyword(k) => Cow::Borrowed(k.text()),
        Value::Symbol(s) | Value::Var(s) => Cow::Borrowed(s.text()),
        Value::Char(c) => Cow::Owned(c.to_string()),
        Value::Uuid(u) => Cow::Owned(crate::print::uuid_text(***u)),
        Value::Time(t) => Cow::Owned(t.data_text()),
        Value::Regex(r) => Cow::Borrowed(&r.source),
        Value::Object(_) => Cow::Borrowed(v.class_text()?),
        _ => return None,
    })
}

/// The text of a key: names and strings as they are, other data as it prints.
fn key_text(k: &Value) -> Res<Cow<'_, str>> {
    if let Some(text) = scalar_text(k) {
        return Ok(text);
    }
    match k {
        Value::Nil => Ok(Cow::Borrowed("null")),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Big(_)
        | Value::Ratio(_)
        | Value::Decimal(_)
        | Value::Vector(_)
        | Value::Slice(_)
        | Value::Map(_)
        | Value::Set(_) => {
            let (text, whole) = crate::print::print(k, &crate::print::Style::readable(4096));
            if !whole {
                return Err(refuse(format!("a key is too long for JSON: {}", crate::print::brief(k))));
            }
            Ok(Cow::Owned(text.strip_suffix(['N', 'M']).map_or_else(|| text.clone(), str::to_string)))
        }
        other => {
            Err(refuse(format!("{} cannot be a key of a JSON object: {}", other.kind(), crate::print::brief(other))))
        }
    }
}

/// Whether a key is as JSON text would be read ([`Value::data_key`]).
fn is_data_key(k: &Value) -> bool {
    match k {
        Value::Keyword(k) => k.ns().is_none() && is_plain_name(k.name()),
        Value::Str(s) => !is_plain_name(s.as_str()),
        _ => false,
    }
}

/// Whether keys are names of one kind, or such as data has ([`Value::data_key`]): they are as different as their texts.
fn plain_keys(m: &Map) -> bool {
    m.keys().all(|k| matches!(k, Value::Keyword(k) if k.ns().is_none()))
        || m.keys().all(|k| matches!(k, Value::Str(_)))
        || m.keys().all(is_data_key)
}

/// Refuses keys of one text: one of them would be lost.
fn check_keys(m: &Map) -> Res<()> {
    let mut seen = std::collections::HashSet::new();
    for k in m.keys() {
        let text = key_text(k)?;
        if let Some(twice) = seen.replace(text.clone()).filter(|old| *old == text) {
            return Err(refuse(format!(
                "two keys of a map are both {:?} as JSON",
                crate::error::cut(twice.into_owned(), 100)
            )));
        }
    }
    Ok(())
}

/// Whether a value is what its own JSON text would read as: nothing in it needs converting.
pub fn is_json(v: &Value) -> bool {
    match v {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Str(_) => true,
        Value::Float(f) => f.get().is_finite(),
        // An integer that fits reads back as a plain one.
        Value::Big(b) => b.to_i64().is_none(),
        Value::Vector(x) => !x.is_entry() && on_deep_stack(|| x.iter().all(is_json)),
        Value::Map(m) => on_deep_stack(|| m.iter().all(|(k, v)| is_data_key(k) && is_json(v))),
        _ => false,
    }
}

/// The value as it would come back from its JSON text, shared where nothing changes: what goes to tools and comes from
/// them.
///
/// # Errors
/// As [`to_text`]; and `data_depth`.
pub fn normalise(v: &Value, limits: &Limits) -> Res<Value> {
    let mut left = limits.memory_bytes / 16;
    normal(v, &mut left)
}

fn normal(v: &Value, left: &mut u64) -> Res<Value> {
    if is_scalar(v) || is_json_shallow(v) {
        return Ok(v.clone());
    }
    *left = left.checked_sub(1).ok_or_else(|| Error::new(ErrorKind::Memory, "a value is too large to become JSON"))?;
    let array = |items: &mut dyn Iterator<Item = &Value>, left: &mut u64| -> Res<Value> {
        on_deep_stack(|| Ok(Value::vector(items.map(|v| normal(v, left)).collect::<Res<Vec<_>>>()?)))
    };
    match v {
        Value::Float(f) if !f.get().is_finite() => {
            Err(refuse(format!("{} cannot be JSON", if f.get().is_nan() { "NaN" } else { "an infinity" })))
        }
        Value::Big(b) => Ok(b.to_i64().map_or_else(|| v.clone(), Value::int)),
        Value::Ratio(r) => Ok(Value::float(r.to_f64().unwrap_or(f64::NAN))),
        Value::Decimal(d) if d.scale == 0 => {
            Ok(d.unscaled.to_i64().map_or_else(|| Value::big(d.unscaled.clone()), Value::int))
        }
        Value::Decimal(d) => Ok(Value::float(crate::number::decimal::nearest(d))),
        Value::Vector(x) => array(&mut x.iter(), left),
        Value::Slice(x) => array(&mut x.iter(), left),
        Value::Set(x) => array(&mut Set::iter(x), left),
        Value::Cons(_) | Value::Lazy(_) => {
            let mut items = RealizedIter::new(v);
            let all: Vec<Value> = items.by_ref().collect();
            if items.unrealised() {
                return Err(refuse("a lazy sequence must be realised before it becomes JSON".into()));
            }
            array(&mut all.iter(), left)
        }
        Value::Map(m) => {
            check_keys(m)?;
            let entries = on_deep_stack(|| {
                m.iter()
                    .map(|(k, v)| {
                        let key = match k {
                            Value::Keyword(k) if k.ns().is_none() && is_plain_name(k.name()) => {
                                Value::Keyword(k.clone())
                            }
                            other => Value::data_key(&key_text(other)?),
                        };
                        Ok((key, normal(v, left)?))
                    })
                    .collect::<Res<Vec<_>>>()
            })?;
            Ok(Value::map(entries))
        }
        other => match scalar_text(other) {
            Some(text) => Ok(Value::str(&*text)),
            None => Err(refuse(format!("{} cannot be JSON: {}", other.kind(), crate::print::brief(other)))),
        },
    }
}

fn is_scalar(v: &Value) -> bool {
    match v {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Str(_) => true,
        Value::Float(f) => f.get().is_finite(),
        _ => false,
    }
}

/// A record or list of plain values needs no copy.
fn is_json_shallow(v: &Value) -> bool {
    match v {
        Value::Vector(x) => !x.is_entry() && x.iter().all(is_scalar),
        Value::Map(m) => m.iter().all(|(k, v)| is_data_key(k) && is_scalar(v)),
        _ => false,
    }
}
