//! `java.util.StringTokenizer`: the words of a text one by one. Where it is in the text is in memory like what an atom holds.

use crate::builtins::args::{get, str, take};
use crate::builtins::arrays::items::place_of;
use crate::builtins::java_collections::held::nothing_there;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::basic::cons_onto;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Step};
use crate::value::boxed::{CellId, Place};
use crate::value::{Builtin, Str, Value};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("StringTokenizer.", "s | s delimiters | s delimiters return-delimiters", "What gives the words of a text one by one: what stands between white space or characters of delimiters, and those too if asked for.",
        &[("(.countTokens (java.util.StringTokenizer. \"a b  c\"))", "3")], &of_32_bits!(make)),
    Builtin::new(".hasMoreTokens", "tokenizer", "Whether a StringTokenizer has another word.",
        &[("(.hasMoreTokens (java.util.StringTokenizer. \" \"))", "false")], &Body(more)),
    Builtin::new(".hasMoreElements", "tokenizer", "Whether a StringTokenizer has another word.",
        &[("(.hasMoreElements (java.util.StringTokenizer. \"a\"))", "true")], &Body(more)),
    Builtin::new(".nextToken", "tokenizer | tokenizer delimiters", "The next word of a StringTokenizer, from here on with other delimiters if they are given.",
        &[("(let [t (java.util.StringTokenizer. \"a,b\" \",\")] [(.nextToken t) (.nextToken t)])", "[\"a\" \"b\"]"),
          ("(.nextToken (java.util.StringTokenizer. \"\"))", "!no such element")], &Body(next)),
    Builtin::new(".nextElement", "tokenizer", "The next word of a StringTokenizer.", &[("(.nextElement (java.util.StringTokenizer. \"a\"))", "\"a\"")], &Body(next)),
    Builtin::new(".countTokens", "tokenizer", "How many words a StringTokenizer still has.", &[("(.countTokens (java.util.StringTokenizer. \"a,b\" \",\"))", "2")], &of_32_bits!(|h, a| {
        let (_, mut state) = read(h, a)?;
        let mut n = 0;
        while let Some((_, end)) = token(h, &state)? {
            state.at = end;
            n += 1;
        }
        Ok(Value::int(n))
    })),
    Builtin::new("enumeration-seq", "e", "The words that a StringTokenizer has yet to give, as a sequence.",
        &[("(enumeration-seq (java.util.StringTokenizer. \"a b\"))", "(\"a\" \"b\")"), ("(enumeration-seq (java.util.StringTokenizer. \"\"))", "nil")], &Body(|h, a| {
            let (id, state) = read(h, a)?;
            if token(h, &state)?.is_none() {
                return Ok(Value::Nil);
            }
            let first = next(h, a)?;
            cons_onto(h, first, lazy(Words(id)))
        })),
];

/// The words that a tokenizer has yet to give.
#[derive(Clone)]
struct Words(CellId);

impl Generator for Words {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        let mut only = [Value::Place(self.0)];
        let (_, state) = read(h, &only)?;
        match token(h, &state)? {
            Some(_) => next(h, &mut only).map(Step::Item),
            None => Ok(Step::End),
        }
    }
    fn depth(&self) -> u32 {
        1
    }
    fn weight(&self) -> u64 {
        1
    }
}

/// Where a tokenizer is.
struct State {
    text: Str,
    delimiters: Str,
    /// Whether delimiters are words too.
    all: bool,
    /// The byte that is next.
    at: usize,
}

fn make(h: &mut dyn Host, a: &mut [Value]) -> Result {
    str(a, 0)?;
    let delimiters = if a.len() > 1 { Value::Str(str(a, 1)?.clone()) } else { Value::str(" \t\n\r\u{c}") };
    let all = Value::Bool(get(a, 2).truthy());
    h.reserve(256)?;
    place_of(h, Place::Tokenizer, Value::vector(vec![take(a, 0), delimiters, all, Value::int(0)]))
}

fn read(h: &mut dyn Host, a: &[Value]) -> Result<(CellId, State)> {
    if let Value::Place(id) = get(a, 0)
        && id.place() == Place::Tokenizer
        && let Value::Vector(v) = h.cell_get(*id)
        && let (Some(Value::Str(text)), Some(Value::Str(delimiters)), Some(all), Some(Value::Int(at))) =
            (v.get(0), v.get(1), v.get(2), v.get(3))
    {
        let at = usize::try_from(at.get()).unwrap_or_default();
        return Ok((*id, State { text: text.clone(), delimiters: delimiters.clone(), all: all.truthy(), at }));
    }
    Err(Interrupt::argument(0, "a StringTokenizer", get(a, 0))
        .hint("(java.util.StringTokenizer. s) makes one; (str/split s #\"\\\\s+\") gives all words"))
}

/// From and up to which byte the next word goes.
fn token(h: &mut dyn Host, state: &State) -> Result<Option<(usize, usize)>> {
    let rest = state.text.as_str().get(state.at..).unwrap_or_default();
    let delimiters = state.delimiters.as_str();
    let is = |c: char| delimiters.contains(c);
    // Each character is looked for among the delimiters.
    let weight = delimiters.len() as u64 / 8 + 1;
    let start = if state.all { Some(0) } else { rest.find(|c| !is(c)) };
    let skipped = start.unwrap_or(rest.len());
    h.charge((skipped as u64 / 2 + 1).saturating_mul(weight))?;
    let Some(word) = rest.get(skipped..).filter(|word| !word.is_empty()) else { return Ok(None) };
    let mut end = word.find(is).unwrap_or(word.len());
    if end == 0 {
        end = word.chars().next().map_or(0, char::len_utf8);
    }
    h.charge((end as u64 / 2 + 1).saturating_mul(weight))?;
    let from = state.at + skipped;
    Ok(Some((from, from + end)))
}

fn more(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (_, state) = read(h, a)?;
    Ok(Value::Bool(token(h, &state)?.is_some()))
}

fn next(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (id, mut state) = read(h, a)?;
    if a.len() > 1 {
        state.delimiters = str(a, 1)?.clone();
    }
    let found = token(h, &state)?;
    let (from, to) = found.ok_or_else(nothing_there)?;
    let word = state.text.as_str().get(from..to).unwrap_or_default();
    h.reserve(word.len() as u64 + 256)?;
    let word = Value::str(word);
    let at = Value::int(i64::try_from(to).unwrap_or(i64::MAX));
    let held = vec![Value::Str(state.text), Value::Str(state.delimiters), Value::Bool(state.all), at];
    h.cell_set(id, Value::vector(held));
    Ok(word)
}
