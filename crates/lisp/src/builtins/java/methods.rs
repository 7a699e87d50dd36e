//! Java's methods that models write by habit: a closed list, with the target as the first argument.

use super::string_builder;
use crate::builtins::args::{get, int, take};
use crate::builtins::collections::lookup;
use crate::builtins::equality::equal;
use crate::builtins::row::BuiltinRow;
use crate::builtins::strings::basic::{cased, cut, index_of, is_blank, last_index_of, needle, part, test, text};
use crate::builtins::time::getters;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::seq::Iter;
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        ".toUpperCase",
        "s",
        "The string in capital letters.",
        &[("(.toUpperCase \"ab\")", "\"AB\"")],
        &Body(|h, a| strict(h, a, str::to_uppercase)),
    ),
    Builtin::new(
        ".toLowerCase",
        "s",
        "The string in small letters.",
        &[("(.toLowerCase \"AB\")", "\"ab\"")],
        &Body(|h, a| strict(h, a, str::to_lowercase)),
    ),
    Builtin::new(
        ".trim",
        "s",
        "The string without blanks at both ends.",
        &[("(.trim \" a \")", "\"a\"")],
        &Body(|h, a| part(h, a, |s| s.trim_matches(|c| c <= ' '))),
    ),
    Builtin::new(
        ".strip",
        "s",
        "The string without white space at both ends.",
        &[("(.strip \" a \")", "\"a\"")],
        &Body(|h, a| part(h, a, |s| s.trim_matches(is_blank))),
    ),
    Builtin::new(
        ".length",
        "s | year",
        "How many characters; how many days of a Year.",
        &[("(.length \"abc\")", "3"), ("(.length (Year/of 2024))", "366")],
        &of_32_bits!(|h, a| {
            if let Value::Time(t) = get(a, 0)
                && let Some(days) = getters::days_of_year(t)
            {
                return Ok(Value::int(days));
            }
            if let Value::Vector(v) = get(a, 0) {
                return Ok(Value::int(v.len() as i64));
            }
            string_builder::read(h, a)?;
            Ok(Value::int(text(h, a, 0)?.chars() as i64))
        }),
    ),
    Builtin::new(
        ".substring",
        "s start | s start end",
        "The part of a string from character start up to, without, end.",
        &[("(.substring \"hello\" 1 3)", "\"el\"")],
        &Body(substring),
    ),
    Builtin::new(
        ".indexOf",
        "coll value | coll value from",
        "Where value first is in a string, vector or list; -1 if nowhere.",
        &[("(.indexOf \"hello\" \"l\")", "2"), ("(.indexOf [1 2] 5)", "-1")],
        &of_32_bits!(|h, a| place(h, a, true)),
    ),
    Builtin::new(
        ".lastIndexOf",
        "coll value | coll value from",
        "Where value last is in a string, vector or list; -1 if nowhere.",
        &[("(.lastIndexOf \"hello\" \"l\")", "3")],
        &of_32_bits!(|h, a| place(h, a, false)),
    ),
    Builtin::new(
        ".contains",
        "coll value",
        "Whether value is in a string, vector, list or set.",
        &[("(.contains \"hello\" \"ell\")", "true"), ("(.contains [1 2] 2)", "true")],
        &Body(contains),
    ),
    Builtin::new(
        ".startsWith",
        "s prefix",
        "Whether s starts with prefix.",
        &[("(.startsWith \"hello\" \"he\")", "true")],
        &Body(|h, a| two(h, a, |s, t| s.starts_with(t))),
    ),
    Builtin::new(
        ".endsWith",
        "s suffix",
        "Whether s ends with suffix.",
        &[("(.endsWith \"hello\" \"lo\")", "true")],
        &Body(|h, a| two(h, a, |s, t| s.ends_with(t))),
    ),
    Builtin::new(
        ".equalsIgnoreCase",
        "s other",
        "Whether both are the same but for the case of letters.",
        &[("(.equalsIgnoreCase \"Ab\" \"aB\")", "true")],
        &Body(|h, a| {
            let bytes = |v: &Value| v.as_str().map_or(0, str::len);
            h.charge(bytes(get(a, 0)).min(bytes(get(a, 1))) as u64 / 2)?;
            two(h, a, |s, t| s.chars().map(caseless).eq(t.chars().map(caseless)))
        }),
    ),
    Builtin::new(
        ".replace",
        "s target replacement | builder start end text | map key val | map key old new",
        "The string with every target replaced; of a StringBuilder the builder with a text in the place of the characters from start up to, without, end; of a map of Java val for a key that is there.",
        &[("(.replace \"a.b\" \".\" \"-\")", "\"a-b\"")],
        &Body(replace),
    ),
    Builtin::new(".concat", "s other", "Both strings as one.", &[("(.concat \"a\" \"b\")", "\"ab\"")], &Body(concat)),
    Builtin::new(".repeat", "s n", "The string n times.", &[("(.repeat \"ab\" 2)", "\"abab\"")], &Body(repeat)),
    Builtin::new(
        ".charAt",
        "s index",
        "The character at index.",
        &[("(.charAt \"abc\" 1)", "\\b"), ("(.charAt \"abc\" 9)", "!out of bounds")],
        &Body(char_at),
    ),
    Builtin::new(
        ".isEmpty",
        "coll",
        "Whether a string or collection has nothing in it.",
        &[("(.isEmpty \"\")", "true")],
        &Body(is_empty),
    ),
    Builtin::new(
        ".isBlank",
        "s",
        "Whether a string is empty or only white space.",
        &[("(.isBlank \" \")", "true")],
        &Body(|h, a| Ok(Value::Bool(text(h, a, 0)?.as_str().chars().all(is_blank)))),
    ),
    Builtin::new(
        ".equals",
        "x y",
        "Whether both are equal.",
        &[("(.equals \"a\" \"a\")", "true")],
        &Body(super::equals::equals),
    ),
    Builtin::new(
        "case=*",
        "x constant",
        "Whether a constant of `case` is met: it is equal, and as decimal has as many digits.",
        &[("(case 1.50M 1.5M :a :b)", ":b")],
        &Body(|h, a| {
            let whole = |v: &Value| matches!(v, Value::Int(_) | Value::Big(_));
            let (x, y) = (get(a, 0), get(a, 1));
            let met = if whole(x) && whole(y) { equal(h, x, y)? } else { super::equals::same(h, x, y)? };
            Ok(Value::Bool(met))
        }),
    ),
    Builtin::new(
        ".compareTo",
        "x y",
        "Negative, 0 or positive as x sorts before, with or after y.",
        &[("(.compareTo \"a\" \"b\")", "-1")],
        &of_32_bits!(compare_to),
    ),
    Builtin::new(".toString", "x", "The text of x, as str gives it.", &[("(.toString 5)", "\"5\"")], &Body(to_string)),
    Builtin::new(".size", "coll", "How many items.", &[("(.size [1 2])", "2")], &of_32_bits!(size)),
    Builtin::new(".count", "coll", "How many items.", &[("(.count [1 2])", "2")], &of_32_bits!(size)),
    Builtin::new(
        ".get",
        "coll key",
        "The value at a key or index; of a date or time the value of a field, as ChronoField/DAY_OF_WEEK.",
        &[("(.get {:a 1} :a)", "1")],
        &Body(at),
    ),
    Builtin::new(
        ".getKey",
        "entry",
        "The key of an entry of a map.",
        &[("(.getKey (first {:a 1}))", ":a")],
        &Body(|_, a| crate::builtins::collections::maps::half(a, 0)),
    ),
    Builtin::new(
        ".getValue",
        "entry",
        "The value of an entry of a map; the number of a Month, DayOfWeek or Year.",
        &[("(.getValue (first {:a 1}))", "1")],
        &Body(|_, a| match get(a, 0) {
            Value::Time(t) => getters::value(t)
                .ok_or_else(|| Interrupt::argument(0, "an entry of a map, a Month, a DayOfWeek or a Year", get(a, 0))),
            _ => crate::builtins::collections::maps::half(a, 1),
        }),
    ),
];

/// As [`cased`], of strings only.
fn strict(h: &mut dyn Host, a: &mut [Value], f: fn(&str) -> String) -> Result {
    crate::builtins::args::str(a, 0)?;
    cased(h, a, f)
}

/// A character without its case, as Java compares: in capitals, then small; one that becomes several stays.
fn caseless(c: char) -> char {
    let one = |c: char, all: &mut dyn Iterator<Item = char>| match (all.next(), all.next()) {
        (Some(other), None) => other,
        _ => c,
    };
    let large = one(c, &mut c.to_uppercase());
    one(large, &mut large.to_lowercase())
}

/// As [`test()`], of strings only.
fn two(h: &mut dyn Host, a: &mut [Value], f: fn(&str, &str) -> bool) -> Result {
    crate::builtins::args::str(a, 0)?;
    test(h, a, f)
}

fn substring(h: &mut dyn Host, a: &mut [Value]) -> Result {
    string_builder::read(h, a)?;
    let s = text(h, a, 0)?.clone();
    let start = int(a, 1)?;
    let end = if a.len() > 2 { Some(int(a, 2)?) } else { None };
    cut(h, &s, start, end)
}

fn place(h: &mut dyn Host, a: &mut [Value], first: bool) -> Result {
    string_builder::read(h, a)?;
    let found = match get(a, 0) {
        Value::Str(_) => {
            // A code stands for its character, as in Java.
            if let Value::Int(n) = get(a, 1)
                && let Some(c) = u32::try_from(n.get()).ok().and_then(char::from_u32)
                && let Some(slot) = a.get_mut(1)
            {
                *slot = Value::Char(c);
            }
            if first { index_of(h, a)? } else { last_index_of(h, a)? }
        }
        v if v.is_sequential() => {
            let x = take(a, 1);
            let mut items = Iter::arg(a, 0)?;
            let (mut i, mut found) = (0, None);
            while let Some(v) = items.next(h)? {
                h.charge(1)?;
                if equal(h, &v, &x)? {
                    found = Some(i);
                    if first {
                        break;
                    }
                }
                i += 1;
            }
            found
        }
        v => return Err(Interrupt::argument(0, "a string, vector or list", v)),
    };
    Ok(Value::int(found.map_or(-1, |i| i as i64)))
}

fn contains(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Str(_) => {
            let t = needle(h, a, 1)?;
            let s = text(h, a, 0)?;
            crate::builtins::strings::basic::seek(h, s)?;
            Ok(Value::Bool(s.as_str().contains(&*t)))
        }
        Value::Set(s) => {
            let s = s.clone();
            cost::key(h, get(a, 1))?;
            Ok(Value::Bool(s.contains(get(a, 1))))
        }
        Value::Place(_) => {
            let held = crate::builtins::collections::transient_held::held(h, get(a, 0))?;
            let Some(held @ Value::Set(_)) = held else {
                return Err(Interrupt::argument(0, "a string, vector, list or set", get(a, 0)));
            };
            contains(h, &mut [held, take(a, 1)])
        }
        _ => Ok(Value::Bool(!matches!(place(h, a, true)?, Value::Int(n) if n == -1))),
    }
}

fn replace(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() > 3 {
        return string_builder::replace(h, a);
    }
    crate::builtins::args::str(a, 0)?;
    crate::builtins::strings::replace::literal_of(h, a)
}

fn concat(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (s, t) = (text(h, a, 0)?.clone(), text(h, a, 1)?.clone());
    h.reserve((s.as_str().len() + t.as_str().len()) as u64)?;
    Ok(Value::from(format!("{}{}", s.as_str(), t.as_str())))
}

fn repeat(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = text(h, a, 0)?.clone();
    let n = int(a, 1)?;
    let Ok(n) = usize::try_from(n) else {
        return Err(Interrupt::bad(1, ErrorKind::Value, format!("must not be negative, got {n}")));
    };
    let bytes = (s.as_str().len() as u64).saturating_mul(n as u64);
    h.reserve(bytes)?;
    h.charge(bytes / 64)?;
    Ok(Value::from(s.as_str().repeat(if s.as_str().is_empty() { 0 } else { n })))
}

/// `.charAt`
pub fn char_at(h: &mut dyn Host, a: &mut [Value]) -> Result {
    string_builder::read(h, a)?;
    let s = text(h, a, 0)?;
    let i = int(a, 1)?;
    let c = usize::try_from(i).ok().and_then(|i| s.slice(i, i.checked_add(1)?)).and_then(|t| t.chars().next());
    c.map(Value::Char).ok_or_else(|| {
        let words = format!("is out of bounds: {i}, of a string of {}", s.chars());
        Interrupt::bad(1, crate::error::ErrorKind::Index, words)
    })
}

fn is_empty(h: &mut dyn Host, a: &mut [Value]) -> Result {
    string_builder::read(h, a)?;
    match get(a, 0) {
        Value::Nil => Err(Interrupt::argument(0, "a string or a collection", &Value::Nil)),
        v => match crate::builtins::collections::common::has_none(h, v)? {
            Some(b) => Ok(Value::Bool(b)),
            None => Err(Interrupt::argument(0, "a string or a collection", v)),
        },
    }
}

fn compare_to(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if get(a, 0).is_nil() || get(a, 1).is_nil() {
        return Err(Interrupt::argument(usize::from(!get(a, 0).is_nil()), "a value that compares", &Value::Nil));
    }
    crate::builtins::equality::compare(h, a)
}

fn to_string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Nil => Err(Interrupt::argument(0, "a value", &Value::Nil)),
        Value::Str(_) => Ok(take(a, 0)),
        v => Ok(Value::from(crate::builtins::io::printing::str_of(h, v)?)),
    }
}

fn size(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Nil => Err(Interrupt::argument(0, "a collection", &Value::Nil)),
        _ => crate::builtins::collections::common::count(h, a),
    }
}

fn at(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let Value::Time(t) = get(a, 0) {
        return getters::small(h, t, get(a, 1));
    }
    let found = lookup::find(h, get(a, 0), get(a, 1))?;
    match (found, get(a, 0)) {
        (Some(v), _) => Ok(v),
        (None, Value::Map(_)) => Ok(take(a, 2)),
        (None, Value::Vector(v)) => Err(crate::builtins::args::out_of_bounds(1, int(a, 1)?, v.len())),
        (None, v) => Err(Interrupt::argument(0, "a map or a vector", v)),
    }
}
