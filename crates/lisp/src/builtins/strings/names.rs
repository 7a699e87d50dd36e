//! Keywords and symbols: their names, and making them from text.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Keyword, Symbol, Value};
use num_traits::ToPrimitive;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "name",
        "x",
        "The name of a keyword, symbol or string, without its namespace.",
        &[("(name :a/b)", "\"b\""), ("(name \"x/y\")", "\"x/y\""), ("(name nil)", "!name")],
        &Body(name),
    ),
    Builtin::new(
        "namespace",
        "x",
        "The namespace of a keyword or symbol, or nil.",
        &[("(namespace :a/b)", "\"a\""), ("(namespace :a)", "nil")],
        &Body(namespace),
    ),
    Builtin::new(
        "keyword",
        "name | ns name",
        "A keyword with this name; nil if name is no string, symbol or keyword.",
        &[
            ("(keyword \"a\")", ":a"),
            ("(keyword \"a b\")", "#keyword \"a b\""),
            ("(keyword \"n\" \"a\")", ":n/a"),
            ("(keyword nil)", "nil"),
        ],
        &Body(keyword),
    ),
    Builtin::new(
        "symbol",
        "name | ns name",
        "A symbol with this name.",
        &[("(symbol \"n\" \"x\")", "n/x"), ("(symbol :a)", "a"), ("(symbol 5)", "!symbol")],
        &Body(symbol),
    ),
    Builtin::new(
        "char",
        "x",
        "The character of a code; a character as it is.",
        &[("(char 97)", "\\a"), ("(char -1)", "!out of range")],
        &Body(char),
    ),
    Builtin::new(
        "gensym",
        "| prefix-string",
        "A symbol that is nowhere else.",
        &[("(symbol? (gensym))", "true")],
        &Body(gensym),
    ),
];

fn name(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(match get(a, 0) {
        Value::Str(_) => take(a, 0),
        Value::Keyword(k) => Value::str(k.name()),
        Value::Symbol(s) => Value::str(s.name()),
        other => return Err(Interrupt::argument(0, "a keyword, symbol or string", other)),
    })
}

fn namespace(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let ns = match get(a, 0) {
        Value::Keyword(k) => k.ns(),
        Value::Symbol(s) => s.ns(),
        other => return Err(Interrupt::argument(0, "a keyword or symbol", other)),
    };
    Ok(ns.map_or(Value::Nil, Value::str))
}

/// Namespace and name of the two-argument forms; the namespace may be nil.
fn parts(a: &[Value]) -> Result<(Option<&str>, &str)> {
    let ns = match get(a, 0) {
        Value::Nil => None,
        Value::Str(s) => Some(s.as_str()),
        other => return Err(Interrupt::argument(0, "a string", other)),
    };
    match get(a, 1) {
        Value::Str(s) => Ok((ns, s.as_str())),
        other => Err(Interrupt::argument(1, "a string", other)),
    }
}

fn keyword(_: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() > 1 {
        let (ns, name) = parts(a)?;
        return Ok(Value::Keyword(Keyword::new(ns, name)));
    }
    Ok(match get(a, 0) {
        Value::Keyword(_) => take(a, 0),
        Value::Symbol(s) => Value::Keyword(Keyword::new(s.ns(), s.name())),
        Value::Str(s) => Value::keyword(s.as_str()),
        _ => Value::Nil,
    })
}

fn symbol(_: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() > 1 {
        let (ns, name) = parts(a)?;
        return Ok(Value::Symbol(Symbol::new(ns, name)));
    }
    Ok(match get(a, 0) {
        Value::Symbol(_) => take(a, 0),
        Value::Str(s) => Value::Symbol(Symbol::parse(s.as_str())),
        Value::Keyword(k) => Value::Symbol(Symbol::new(k.ns(), k.name())),
        Value::Var(s) => Value::Symbol(s.clone()),
        other => return Err(Interrupt::argument(0, "a string, symbol or keyword", other)),
    })
}

fn char(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let code = match get(a, 0) {
        Value::Char(_) => return Ok(take(a, 0)),
        Value::Int(n) => u32::try_from(n.get()).ok(),
        Value::Float(f) if f.get() >= 0.0 => Some(f.get() as u32),
        Value::Big(b) => b.to_u32(),
        Value::Ratio(r) => r.to_integer().to_u32(),
        Value::Decimal(d) => u32::try_from(d.cut()).ok(),
        other => return Err(Interrupt::argument(0, "a number or a character", other)),
    };
    let c = code.and_then(char::from_u32).map(Value::Char);
    c.ok_or_else(|| {
        let words = match code {
            Some(0xd800..0xe000) => "is half of a character, and there are none here",
            _ => "is out of range for a character",
        };
        Interrupt::bad(0, ErrorKind::Value, format!("{words}: {}", crate::print::brief(get(a, 0))))
    })
}

fn gensym(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let prefix = match get(a, 0) {
        Value::Nil => "G__",
        Value::Str(s) if s.as_str().len() <= 1000 => s.as_str(),
        Value::Str(_) => return Err(Interrupt::bad(0, ErrorKind::Value, "must be at most 1000 bytes long")),
        other => return Err(Interrupt::argument(0, "a string", other)),
    };
    // From the turn's own randomness, so that a replay gives the same.
    let text = format!("{prefix}{}", h.random() >> 20);
    Ok(Value::Symbol(Symbol::new(None, &text)))
}
