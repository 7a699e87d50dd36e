//! Text to data: `read-string` of both kinds. Nothing that is read is ever run.

use super::data_readers::{Readers, resolved};
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::{Error, ErrorKind};
use crate::host::{Body, Host, Interrupt, Result};
use crate::read::{Conditionals, ReadMode, ReadNames};
use crate::value::{Builtin, Map, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "read-string",
        "s | opts s",
        "The first form of a text, as data; of the options {:read-cond :allow} takes a branch of #?(...), {:eof v} is for an empty text.",
        &[
            ("(read-string \"(+ 1 2) 3\")", "(+ 1 2)"),
            ("(read-string \"\")", "!EOF"),
            ("(read-string {:read-cond :allow} \"#?(:clj 1 :cljs 2)\")", "1"),
        ],
        &Body(read_string),
    ),
    Builtin::new(
        "clojure.edn/read-string",
        "s | opts s",
        "The first value of a text in Clojure's data notation; nil for an empty one, with options what :eof says. :readers are functions of what is behind a tag, :default is one of tag and value.",
        &[
            ("(edn/read-string \"{:a [1 true]}\")", "{:a [1 true]}"),
            ("(edn/read-string \"\")", "nil"),
            ("(edn/read-string {:readers {'my/tag inc}} \"#my/tag 1\")", "2"),
            ("(edn/read-string {:default vector} \"#my/tag 1\")", "[my/tag 1]"),
        ],
        &Body(edn),
    ),
];

/// The first form of a text as a value, as a program reads it.
pub fn read(h: &mut dyn Host, text: &str) -> Result<Option<Value>> {
    read_as(h, text, ReadMode::default(), &Readers::default())
}

/// The first form of a text as a value.
fn read_as(h: &mut dyn Host, text: &str, mode: ReadMode, readers: &Readers) -> Result<Option<Value>> {
    h.charge(text.len() as u64 * 2 + 8)?;
    h.reserve(text.len() as u64 * 16)?;
    let limits = h.limits().clone();
    // A place in that text would be taken for one in the program.
    let plain = |e: Error| Interrupt::from(Error { span: None, ..e });
    let space = h.space();
    let edn = mode.edn;
    let read = {
        let host: &dyn Host = h;
        let alias = |space: &str, alias: &str| host.alias_in(space, alias);
        crate::read::read_first_in(text, &limits, &ReadNames { space: &space, fixed: true, alias: &alias }, mode)
    };
    let Some(form) = read.map_err(plain)? else { return Ok(None) };
    if readers.any() {
        h.charge(text.len() as u64 * 2 + 40)?;
    }
    let v = if edn || !text.contains('`') {
        crate::quote::value(&form, &limits)
    } else {
        // Each part of a template is looked up and written anew.
        h.charge(text.len() as u64 * 16 + 200)?;
        crate::quote::value_with(&form, &limits, &mut |template| h.template(template))
    };
    let v = v.map_err(plain)?;
    Ok(Some(if text.contains('#') { resolved(h, readers, v)? } else { v }))
}

/// All forms of a text as values.
///
/// # Errors
/// Those of reading it.
pub fn read_all(h: &mut dyn Host, text: &str) -> Result<Vec<Value>> {
    h.charge(text.len() as u64 * 2 + 8)?;
    h.reserve(text.len() as u64 * 16)?;
    let limits = h.limits().clone();
    let plain = |e: Error| Interrupt::from(Error { span: None, ..e });
    let forms = crate::read::read(text, &limits).map_err(plain)?;
    forms.iter().map(|form| crate::quote::value(form, &limits).map_err(plain)).collect()
}

/// An option that `read-string` was called with.
pub fn option(a: &[Value], name: &str) -> Option<Value> {
    match get(a, 0) {
        Value::Map(m) if a.len() > 1 => m.get(&Value::keyword(name)).cloned(),
        _ => None,
    }
}

fn read_string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = crate::builtins::args::str(a, a.len().saturating_sub(1))?.clone();
    cost::text(h, s.as_str().len())?;
    match read_as(h, s.as_str(), program_mode(a), &Readers::default())? {
        Some(v) => Ok(v),
        None => match option(a, "eof").filter(|v| v.name_text() != Some("eofthrow")) {
            Some(v) => Ok(v),
            None => {
                Err(Interrupt::throw("RuntimeException", ErrorKind::Value, "EOF while reading: the text has no form"))
            }
        },
    }
}

/// How forms of programs are read with these options.
fn program_mode(a: &[Value]) -> ReadMode {
    let conditionals = match option(a, "read-cond") {
        Some(Value::Keyword(k)) if k.text() == "allow" => Conditionals::Taken(features(option(a, "features"))),
        _ => Conditionals::Refused,
    };
    ReadMode { conditionals, ..ReadMode::default() }
}

fn features(v: Option<Value>) -> Vec<String> {
    match v {
        Some(Value::Set(s)) => s.iter().filter_map(|f| f.name_text().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

fn edn(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    if get(a, last).is_nil() {
        return Ok(Value::Nil);
    }
    let s = crate::builtins::args::str(a, last)?.clone();
    cost::text(h, s.as_str().len())?;
    let (mode, readers) = edn_mode(a);
    match read_as(h, s.as_str(), mode, &readers)? {
        Some(v) => Ok(v),
        None if last == 0 => Ok(Value::Nil),
        None => option(a, "eof").ok_or_else(|| {
            Interrupt::error(ErrorKind::Value, "EOF while reading").hint("say what an empty text gives: {:eof nil}")
        }),
    }
}

/// How data is read with these options, and who reads tags.
fn edn_mode(a: &[Value]) -> (ReadMode, Readers) {
    let map = |v: Option<Value>| if let Some(Value::Map(m)) = v { m } else { Map::new() };
    let readers = Readers { readers: map(option(a, "readers")), default: option(a, "default").unwrap_or_default() };
    let (own_tags, class_tags) = (readers.tags(), readers.default.truthy());
    (ReadMode { edn: true, tags: readers.any(), class_tags, own_tags, ..ReadMode::default() }, readers)
}
