//! Java's `StringBuilder`: a text that grows in place. It is in memory like what an atom holds, so a turn that fails
//! undoes it.

use super::builder_text::{UPKEEP, put, text};
use crate::builtins::args::{get, int, take};
use crate::builtins::io::printing::str_of;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::CellId;
use crate::value::{Builtin, Str, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "StringBuilder.",
        "| text",
        "A text that grows in place; a number instead of a text, Java's capacity, means nothing.",
        &[("(str (StringBuilder. \"ab\"))", "\"ab\"")],
        &Body(make),
    ),
    Builtin::new(
        "StringBuffer.",
        "| text",
        "Java's older name of StringBuilder: the same here.",
        &[("(str (StringBuffer. \"ab\"))", "\"ab\"")],
        &Body(make),
    ),
    Builtin::new(
        ".append",
        "builder x | builder x start end",
        "Adds the text of x at the end of a StringBuilder, or the part from start up to, without, end, and gives the builder; of an array of characters the last number is how many.",
        &[("(str (.append (StringBuilder.) \"abc\" 0 2))", "\"ab\""), ("(.append \"a\" \"b\")", "!a StringBuilder")],
        &Body(append),
    ),
    Builtin::new(
        ".insert",
        "builder index x",
        "Puts the text of x into a StringBuilder in front of the character at index and gives the builder.",
        &[("(str (.insert (StringBuilder. \"bc\") 0 \"a\"))", "\"abc\"")],
        &Body(insert),
    ),
    Builtin::new(
        ".reverse",
        "builder",
        "Turns the text of a StringBuilder round and gives the builder.",
        &[("(str (.reverse (StringBuilder. \"abc\")))", "\"cba\"")],
        &Body(reverse),
    ),
    Builtin::new(
        ".setLength",
        "builder length",
        "Cuts the text of a StringBuilder to so many characters; nil.",
        &[("(let [b (StringBuilder. \"abc\")] (.setLength b 1) (str b))", "\"a\"")],
        &Body(set_length),
    ),
    Builtin::new(
        ".deleteCharAt",
        "builder index",
        "Takes the character at index out of a StringBuilder and gives the builder.",
        &[("(str (.deleteCharAt (StringBuilder. \"abc\") 1))", "\"ac\"")],
        &Body(delete_char_at),
    ),
    Builtin::new(
        ".setCharAt",
        "builder index c",
        "Puts the character c at index into a StringBuilder; nil.",
        &[("(let [b (StringBuilder. \"abc\")] (.setCharAt b 1 \\x) (str b))", "\"axc\"")],
        &Body(set_char_at),
    ),
    Builtin::new(
        ".delete",
        "builder start end",
        "Takes the characters from start up to, without, end out of a StringBuilder and gives the builder.",
        &[("(str (.delete (StringBuilder. \"abcd\") 1 3))", "\"ad\"")],
        &Body(|h, a| exchange(h, a, "")),
    ),
];

/// Parts shorter than this are written together, so that a text made of characters is not charged for each.
const PART: usize = 128;

fn make(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let held = match a.first() {
        None => Vector::new(),
        Some(Value::Int(n)) if n.get() >= 0 => Vector::new(),
        Some(Value::Str(_)) => Vector::from_vec(vec![take(a, 0)]),
        Some(other) => return Err(Interrupt::argument(0, "a string", other)),
    };
    Ok(Value::Builder(h.cell(Value::Vector(held))?))
}

/// The builder that is the first argument.
pub fn builder(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Builder(id) => Ok(*id),
        other => Err(Interrupt::argument(0, "a StringBuilder", other)),
    }
}

/// The text of `x` as Java's `append` writes it.
pub fn written(h: &mut dyn Host, x: &Value) -> Result<String> {
    if x.is_nil() { Ok("null".to_owned()) } else { str_of(h, x) }
}

/// Adds the text of the second argument to the first, a StringBuilder.
pub fn append(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = builder(a)?;
    if a.len() == 3 {
        return Err(Interrupt::from(crate::arity::arity_error(".append", 2, None, 3)));
    }
    let mut more = written(h, get(a, 1))?;
    if a.len() > 3 {
        let all = Str::new(more);
        let (start, last) = (int(a, 2)?, int(a, 3)?);
        let part = usize::try_from(start).ok().zip(usize::try_from(last).ok()).and_then(|(s, e)| all.slice(s, e));
        more = match part {
            Some(part) => part.to_owned(),
            None => return Err(outside(3, last, &all)),
        };
    }
    add(h, id, more)?;
    Ok(take(a, 0))
}

/// Adds a text at the end of what a builder holds; a writer of the turn prints it.
pub fn add(h: &mut dyn Host, id: CellId, more: String) -> Result<()> {
    if more.is_empty() {
        return Ok(());
    }
    if id.is_of_turn() {
        return h.print_by_turn(more);
    }
    cost::text(h, more.len() + PART)?;
    h.reserve(more.len() as u64 + UPKEEP + PART as u64)?;
    // Taken out, so that nobody else holds it and it grows in place.
    let Value::Vector(mut parts) = h.cell_set(id, Value::Nil) else { return Ok(()) };
    cost::change(h, &mut parts)?;
    match parts.pop() {
        Some(Value::Str(last)) if last.as_str().len() + more.len() <= PART => {
            parts.push(Value::from(format!("{}{more}", last.as_str())));
        }
        last => {
            last.into_iter().for_each(|last| parts.push(last));
            parts.push(Value::from(more));
        }
    }
    h.cell_set(id, Value::Vector(parts));
    Ok(())
}

/// A builder as first argument becomes its text, for what reads strings.
pub fn read(h: &mut dyn Host, a: &mut [Value]) -> Result<()> {
    if let Some(slot @ Value::Builder(_)) = a.first_mut()
        && let Value::Builder(id) = *slot
    {
        *slot = Value::Str(text(h, id)?);
    }
    Ok(())
}

/// Puts what `change` makes of the text in its place; `more` bytes are added at most.
fn rewrite(h: &mut dyn Host, a: &mut [Value], more: usize, change: impl FnOnce(&Str) -> Option<String>) -> Result {
    let id = builder(a)?;
    let old = text(h, id)?;
    let bytes = old.as_str().len().saturating_add(more);
    cost::text(h, bytes)?;
    h.reserve((bytes as u64).saturating_mul(2).saturating_add(UPKEEP))?;
    match change(&old) {
        Some(new) => {
            put(h, id, Str::new(new));
            Ok(take(a, 0))
        }
        None => Err(outside(1, int(a, 1)?, &old)),
    }
}

#[cold]
fn outside(i: usize, at: i64, text: &Str) -> Interrupt {
    let words = format!("is out of bounds: {at}, of a string of {}", text.chars());
    Interrupt::bad(i, ErrorKind::Index, words)
}

fn insert(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let at = usize::try_from(int(a, 1)?).unwrap_or(usize::MAX);
    let more = written(h, get(a, 2))?;
    rewrite(h, a, more.len(), |old| {
        let (head, tail) = (old.slice(0, at)?, old.slice(at, old.chars())?);
        Some(format!("{head}{more}{tail}"))
    })
}

/// Puts a text in the place of the characters from one index up to, without, another, or the end.
fn exchange(h: &mut dyn Host, a: &mut [Value], new: &str) -> Result {
    let (start, end) = (usize::try_from(int(a, 1)?), usize::try_from(int(a, 2)?));
    rewrite(h, a, new.len(), |old| {
        let (start, end) = (start.ok()?, end.ok()?.min(old.chars()));
        let (head, tail) = (old.slice(0, start)?, old.slice(end, old.chars())?);
        (start <= end).then(|| format!("{head}{new}{tail}"))
    })
}

/// `(.replace builder start end text)`
pub fn replace(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let new = crate::builtins::args::str(a, 3)?.clone();
    exchange(h, a, new.as_str())
}

fn set_char_at(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Value::Char(c) = get(a, 2) else { return Err(Interrupt::argument(2, "a character", get(a, 2))) };
    let (c, at) = (*c, usize::try_from(int(a, 1)?).unwrap_or(usize::MAX));
    rewrite(h, a, c.len_utf8(), |old| {
        let after = at.checked_add(1)?;
        let (head, tail) = (old.slice(0, at)?, old.slice(after, old.chars())?);
        old.slice(at, after)?;
        Some(format!("{head}{c}{tail}"))
    })?;
    Ok(Value::Nil)
}

fn reverse(h: &mut dyn Host, a: &mut [Value]) -> Result {
    rewrite(h, a, 0, |old| Some(old.as_str().chars().rev().collect()))
}

fn set_length(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = int(a, 1)?;
    let Ok(n) = usize::try_from(n) else {
        return Err(Interrupt::bad(1, ErrorKind::Value, format!("must not be negative, got {n}")));
    };
    // Java fills a text that becomes longer with the character 0.
    rewrite(h, a, n, |old| match old.slice(0, n) {
        Some(part) => Some(part.to_owned()),
        None => {
            let missing = n.saturating_sub(old.chars());
            Some(old.as_str().chars().chain(std::iter::repeat_n('\0', missing)).collect())
        }
    })?;
    Ok(Value::Nil)
}

fn delete_char_at(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let at = usize::try_from(int(a, 1)?).unwrap_or(usize::MAX);
    rewrite(h, a, 0, |old| {
        let after = at.checked_add(1)?;
        let (head, tail) = (old.slice(0, at)?, old.slice(after, old.chars())?);
        Some(format!("{head}{tail}"))
    })
}
