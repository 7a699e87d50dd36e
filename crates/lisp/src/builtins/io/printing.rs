//! Values as text for programs: `str`, `pr-str`, and the functions that print.

use super::bound_print::{self, Bound};
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::state::exception_classes::full_name;
use crate::builtins::types::own_methods::own_text;
use crate::cost;
use crate::host::{Body, Host, Result};
use crate::print::{Style, print};
use crate::seq::{Iter, realise};
use crate::value::object::ObjectKind;
use crate::value::{Builtin, Item, Value};
use compact_str::ToCompactString as _;
use std::cell::RefCell;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "str",
        "& xs",
        "The texts of the arguments as one string; of nil it is empty, inside collections it is readable.",
        &[("(str \"a\" 1 :k nil 2.5)", "\"a1:k2.5\""), ("(str [nil \"a\" \\c])", "\"[nil \\\"a\\\" \\\\c]\"")],
        &Body(str),
    ),
    Builtin::new(
        "println",
        "& more",
        "Prints the arguments with a space between, strings without quotes, and a line end.",
        &[("(with-out-str (println [nil \"a\"] 1))", "\"[nil a] 1\\n\"")],
        &Body(|h, a| out(h, a, false, true)),
    ),
    Builtin::new(
        "print",
        "& more",
        "Prints the arguments with a space between, strings without quotes.",
        &[("(with-out-str (print \"a\" nil))", "\"a nil\"")],
        &Body(|h, a| out(h, a, false, false)),
    ),
    Builtin::new(
        "pr",
        "& xs",
        "Prints the arguments with a space between, readable.",
        &[("(with-out-str (pr \"a\" \\b))", "\"\\\"a\\\" \\\\b\"")],
        &Body(|h, a| out(h, a, true, false)),
    ),
    Builtin::new(
        "prn",
        "& more",
        "Prints the arguments with a space between, readable, and a line end.",
        &[("(with-out-str (prn \"a\"))", "\"\\\"a\\\"\\n\"")],
        &Body(|h, a| out(h, a, true, true)),
    ),
    Builtin::new(
        "newline",
        "",
        "Prints a line end.",
        &[("(with-out-str (newline))", "\"\\n\"")],
        &Body(|h, a| out(h, a, false, true)),
    ),
    Builtin::new(
        "flush",
        "",
        "Does nothing: printed text is captured as it comes.",
        &[("(flush)", "nil")],
        &Body(|_, _| Ok(Value::Nil)),
    ),
    Builtin::new(
        "pr-str",
        "& xs",
        "What pr would print, as a string.",
        &[("(pr-str {:a \"x\"} 1)", "\"{:a \\\"x\\\"} 1\""), ("(pr-str)", "\"\"")],
        &Body(|h, a| text(h, a, true, false)),
    ),
    Builtin::new(
        "prn-str",
        "& xs",
        "What prn would print, as a string.",
        &[("(prn-str 1)", "\"1\\n\"")],
        &Body(|h, a| text(h, a, true, true)),
    ),
    Builtin::new(
        "print-str",
        "& xs",
        "What print would print, as a string.",
        &[("(print-str \"a\" [\\b])", "\"a [b]\"")],
        &Body(|h, a| text(h, a, false, false)),
    ),
    Builtin::new(
        "println-str",
        "& xs",
        "What println would print, as a string.",
        &[("(println-str \"a\" \"b\")", "\"a b\\n\"")],
        &Body(|h, a| text(h, a, false, true)),
    ),
];

/// What the text of a date or time costs.
const TIME: u64 = 24;

/// Bytes tried first; most texts are shorter.
const FIRST_TRY: usize = 8 << 10;

/// The text of a value, realised and charged. What does not fit is tried again with more room, asked for before it is
/// used: a shared value can be small and its text endless (SECURITY attack 4). Past `most` bytes the text is cut there.
pub fn text_of(h: &mut dyn Host, v: &Value, readable: bool, most: usize) -> Result<String> {
    if let Some(bound) = bound_print::bound(h) {
        return bound_text(h, v, readable, most, bound);
    }
    plain_text(h, v, readable, most)
}

/// The text of a value with these settings.
pub fn bound_text(h: &mut dyn Host, v: &Value, readable: bool, most: usize, bound: Bound) -> Result<String> {
    let readable = readable && bound.readably;
    let plain = |h: &mut dyn Host, v: &Value| plain_text(h, v, readable, most);
    bound_print::text(h, v, readable, most, bound, &mut { plain })
}

/// As [`text_of`], whatever is bound.
fn plain_text(h: &mut dyn Host, v: &Value, readable: bool, most: usize) -> Result<String> {
    match v {
        Value::Str(s) if !readable => {
            cost::text(h, s.as_str().len())?;
            h.reserve(s.as_str().len() as u64)?;
            return Ok(s.as_str().to_string());
        }
        Value::Int(i) => return Ok(i.get().to_compact_string().into()),
        // The shortest digits that read back are searched for.
        Value::Float(_) => h.charge(18)?,
        Value::Ratio(_) | Value::Decimal(_) => crate::number::pay_for_digits(h, v)?,
        Value::Big(n) => h.charge(crate::number::digits_price(n.bits()))?,
        Value::Time(_) => h.charge(TIME)?,
        _ => {
            h.charge(14)?;
            realise(h, v)?;
        }
    }
    let mut limit = FIRST_TRY.min(most);
    loop {
        h.reserve(limit as u64)?;
        cost::levels(h, v, 5)?;
        let (text, whole) = print_once(h, v, readable, limit);
        h.charge(text.len() as u64 / 13)?;
        if whole || limit >= most {
            return Ok(text);
        }
        // Long digits cost more than their bytes.
        crate::number::pay_for_digits(h, v)?;
        limit = limit.saturating_mul(8).min(most);
        h.charge(limit as u64 / 64)?;
    }
}

fn print_once(h: &mut dyn Host, v: &Value, readable: bool, limit: usize) -> (String, bool) {
    let host = RefCell::new(h);
    let cells = |id| host.try_borrow_mut().ok().map(|mut h| h.cell_get(id));
    print(v, &Style { readable, limit, cells: Some(&cells), plain_records: false, classes: Some(full_name) })
}

/// Makes room for `more` bytes, asked for before the text grows.
fn grow(h: &mut dyn Host, out: &mut String, more: usize) -> Result<()> {
    let need = out.len().saturating_add(more);
    if need > out.capacity() {
        // Small texts grow by themselves, which is counted when they become a value.
        if need >= 256 {
            h.reserve(need as u64 * 2)?;
            out.reserve(need);
        } else {
            out.reserve(more);
        }
    }
    Ok(())
}

/// Adds the text that `str` gives a value.
pub fn push_str(h: &mut dyn Host, out: &mut String, v: &Value) -> Result<()> {
    match v {
        Value::Nil => {}
        Value::Str(s) => {
            let s = s.as_str();
            cost::text(h, s.len())?;
            grow(h, out, s.len())?;
            out.push_str(s);
        }
        Value::Int(i) => out.push_str(&i.get().to_compact_string()),
        Value::Char(c) => out.push(*c),
        Value::Keyword(k) => {
            cost::text(h, k.text().len())?;
            grow(h, out, k.text().len() + 1)?;
            out.push(':');
            out.push_str(k.text());
        }
        Value::Symbol(s) => {
            cost::text(h, s.text().len())?;
            grow(h, out, s.text().len())?;
            out.push_str(s.text());
        }
        Value::Float(f) if f.get().is_nan() => out.push_str("NaN"),
        Value::Float(f) if f.get().is_infinite() => out.push_str(if f.get() > 0.0 { "Infinity" } else { "-Infinity" }),
        // Trap 3: `(str 5N)` is "5".
        Value::Big(_) => {
            let text = whole_text(h, v, true)?;
            out.push_str(text.strip_suffix('N').unwrap_or(&text));
        }
        Value::Decimal(_) => {
            let text = whole_text(h, v, true)?;
            out.push_str(text.strip_suffix('M').unwrap_or(&text));
        }
        Value::Regex(r) => {
            grow(h, out, r.source.len())?;
            out.push_str(&r.source);
        }
        Value::Builder(id) => {
            let text = crate::builtins::java::builder_text::text(h, *id)?;
            grow(h, out, text.as_str().len())?;
            out.push_str(text.as_str());
        }
        Value::Uuid(u) => out.push_str(&crate::print::uuid_text(***u)),
        Value::Time(t) => {
            h.charge(TIME)?;
            out.push_str(&t.text());
        }
        Value::Map(_) | Value::Object(_) if v.is_of_own_type() => match own_text(h, v)? {
            Some(text) => push_str(h, out, &text)?,
            None => out.push_str(&whole_text(h, v, true)?),
        },
        Value::Object(o) if o.kind == ObjectKind::Class => {
            grow(h, out, 10)?;
            out.push_str(crate::builtins::java::class_tree::word(v));
            push_str(h, out, &Value::str(v.class_text().unwrap_or_default()))?;
        }
        Value::Object(o) if o.kind == ObjectKind::Namespace => {
            push_str(h, out, o.at(0).unwrap_or(&Value::Nil))?;
        }
        Value::Exception(e) => {
            out.push_str(crate::builtins::state::exception_classes::full_name(e.class));
            if let Some(m) = &e.message {
                cost::text(h, m.len())?;
                grow(h, out, m.len() + 2)?;
                out.push_str(": ");
                out.push_str(m);
            }
            if !e.data.is_nil() {
                out.push(' ');
                out.push_str(&whole_text(h, &e.data, true)?);
            }
        }
        _ => {
            let text = whole_text(h, v, true)?;
            h.reserve((out.len() + text.len()) as u64)?;
            out.push_str(&text);
        }
    }
    Ok(())
}

/// The whole text: memory ends before this limit does.
fn whole_text(h: &mut dyn Host, v: &Value, readable: bool) -> Result<String> {
    let most = usize::try_from(h.limits().memory_bytes).unwrap_or(usize::MAX).max(FIRST_TRY);
    let text = text_of(h, v, readable, most)?;
    h.reserve(text.len() as u64)?;
    Ok(text)
}

/// The text that `str` gives a value.
pub fn str_of(h: &mut dyn Host, v: &Value) -> Result<String> {
    let mut out = String::new();
    push_str(h, &mut out, v)?;
    Ok(out)
}

fn str(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let [Value::Str(_)] = a {
        return Ok(take(a, 0));
    }
    h.charge(a.len() as u64)?;
    let mut out = ShortText { bytes: [0; SHORT], len: 0 };
    for (i, v) in a.iter().enumerate() {
        let fits = match v {
            Value::Nil => true,
            Value::Str(s) => out.push(s.as_str().as_bytes()),
            Value::Int(n) => out.push_number(n.get()),
            _ => false,
        };
        if !fits {
            return long_str(h, out.text().into(), a.get(i..).unwrap_or_default());
        }
    }
    Ok(Value::str(out.text()))
}

/// Up to this many bytes need not be asked for before they are put together.
const SHORT: usize = 60;
/// Digits of a number of 64 bits, and a sign.
const DIGITS: usize = 20;

/// The beginning of a text.
struct ShortText {
    bytes: [u8; SHORT],
    len: usize,
}

impl ShortText {
    /// Adds whole characters; whether there was room.
    #[inline]
    fn push(&mut self, more: &[u8]) -> bool {
        let end = self.len + more.len();
        let Some(room) = self.bytes.get_mut(self.len..end) else { return false };
        room.copy_from_slice(more);
        self.len = end;
        true
    }

    fn push_number(&mut self, n: i64) -> bool {
        let mut digits = [b'0'; DIGITS];
        let (mut left, mut from) = (n.unsigned_abs(), DIGITS);
        for (at, digit) in digits.iter_mut().enumerate().rev() {
            *digit = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                from = at;
                break;
            }
        }
        if n < 0 {
            from = from.saturating_sub(1);
            if let Some(sign) = digits.get_mut(from) {
                *sign = b'-';
            }
        }
        self.push(digits.get(from..).unwrap_or_default())
    }

    fn text(&self) -> &str {
        // Whole characters were added.
        self.bytes.get(..self.len).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default()
    }
}

/// What follows the beginning of a text.
fn long_str(h: &mut dyn Host, mut out: String, a: &[Value]) -> Result {
    for v in a {
        push_str(h, &mut out, v)?;
    }
    Ok(Value::from(out))
}

/// The arguments as the printing functions write them (trap 33).
fn line(h: &mut dyn Host, a: &mut [Value], readable: bool, end: bool, most: usize) -> Result<String> {
    // No more than the least that an allocation takes.
    let mut out = String::with_capacity(24);
    let usual = !h.has_settings();
    for (i, v) in a.iter().enumerate() {
        h.charge(1)?;
        if i > 0 {
            out.push(' ');
        }
        let left = most.saturating_sub(out.len());
        match v {
            Value::Str(s) if usual && !readable && s.as_str().len() <= left => {
                cost::text(h, s.as_str().len())?;
                h.reserve((out.len() + s.as_str().len()) as u64)?;
                out.push_str(s.as_str());
            }
            Value::Int(i) if usual => out.push_str(&i.get().to_compact_string()),
            v => {
                let text = text_of(h, v, readable, left)?;
                out.push_str(&text);
            }
        }
    }
    if end {
        out.push('\n');
    }
    Ok(out)
}

fn out(h: &mut dyn Host, a: &mut [Value], readable: bool, end: bool) -> Result {
    // A text that was cut is longer than the limit by its mark, so printing it is the error it has to be.
    let most = usize::try_from(h.limits().output_bytes).unwrap_or(usize::MAX);
    let text = line(h, a, readable, end, most)?;
    h.print(text)?;
    Ok(Value::Nil)
}

fn text(h: &mut dyn Host, a: &mut [Value], readable: bool, end: bool) -> Result {
    let most = usize::try_from(h.limits().memory_bytes).unwrap_or(usize::MAX);
    let text = line(h, a, readable, end, most)?;
    h.reserve(text.len() as u64)?;
    Ok(Value::from(text))
}

/// The texts of all items with `sep` between, as `clojure.string/join` and `apply str` give them.
pub fn join(h: &mut dyn Host, items: Value, sep: &str) -> Result<String> {
    let mut out = String::new();
    let mut first = true;
    let mut add = |h: &mut dyn Host, v: &Value| {
        h.charge(2)?;
        if !first && !sep.is_empty() {
            cost::text(h, sep.len())?;
            grow(h, &mut out, sep.len())?;
            out.push_str(sep);
        }
        first = false;
        // Numbers are short: room for one is there before it is written.
        grow(h, &mut out, 64)?;
        push_str(h, &mut out, v)
    };
    match Iter::new(items)? {
        Iter::Array(s) => s.iter().try_for_each(|v| add(h, v))?,
        mut items => {
            while let Some(v) = items.next(h)? {
                add(h, &v)?;
            }
        }
    }
    Ok(out)
}

/// Whether anything unrealised is left inside; for those who print without a host.
pub fn is_whole(a: &[Value], i: usize) -> bool {
    !get(a, i).lazy()
}
