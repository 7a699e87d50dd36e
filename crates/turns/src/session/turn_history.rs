//! Earlier turns as data, for `(turn/list)`, `(turn/get n)` and `(turn/output n)`: programs can read what a prompt
//! omits. All of it comes from the trace, so it is the same before and after a restart.

use crate::trace::json::Json;
use crate::trace::record::{Call, Defined, ErrorRecord, Kind, MissedKey, Note, Status, TurnRecord};
use ptc_lisp::error::Error;
use ptc_lisp::interface::TurnHistory;
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::{Exception, Value};
use std::sync::Arc;

/// The turns of a session, oldest first.
pub(crate) struct EarlierTurns<'a> {
    /// Their records.
    pub turns: &'a [Arc<TurnRecord>],
    /// The limits that values are read within.
    pub limits: &'a Limits,
}

impl EarlierTurns<'_> {
    /// The record of this number: turns are numbered by their places.
    fn record(&self, turn: u64) -> Option<&TurnRecord> {
        let at = usize::try_from(turn.checked_sub(1)?).ok()?;
        self.turns.get(at).map(|t| &**t)
    }
}

impl TurnHistory for EarlierTurns<'_> {
    fn list(&self) -> Vec<Value> {
        self.turns.iter().map(|t| turn(t, self.limits)).collect()
    }

    fn get(&self, number: u64) -> Option<Value> {
        self.record(number).map(|t| turn(t, self.limits))
    }

    fn printed(&self, number: u64) -> Option<&[String]> {
        self.record(number).map(|t| t.printed.as_slice())
    }
}

fn turn(t: &TurnRecord, limits: &Limits) -> Value {
    let mut entries = vec![
        ("turn", Value::int(i64::try_from(t.turn).unwrap_or(i64::MAX))),
        ("program", Value::str(&t.program)),
        ("status", Value::plain_keyword(t.status.as_str())),
        ("value", value(t, limits)),
        ("output", Value::str(t.printed.concat())),
        ("definitions", Value::vector(t.definitions.iter().map(definition).collect())),
        ("notes", Value::vector(t.notes.iter().map(note).collect())),
        ("tool-calls", Value::vector(t.tool_calls.iter().map(|c| call(c, limits)).collect())),
        ("error", t.error.as_ref().map_or(Value::Nil, fault)),
    ];
    if !t.missed_keys.is_empty() {
        entries.push(("missed-keys", Value::vector(t.missed_keys.iter().map(missed_key).collect())));
    }
    Value::map(entries.into_iter().map(|(k, v)| (Value::plain_keyword(k), v)))
}

fn missed_key(m: &MissedKey) -> Value {
    map([("key", Value::str(&m.key)), ("near", Value::str(&m.near))])
}

/// The value as JSON has it; what cannot be said in JSON is its text.
fn value(t: &TurnRecord, limits: &Limits) -> Value {
    match (&t.value_json, &t.value) {
        (Some(j), _) => of_json(j, limits),
        (None, Some(text)) if text != "nil" && t.status != Status::Error => Value::str(text),
        _ => Value::Nil,
    }
}

fn definition(d: &Defined) -> Value {
    let text = |t: &Option<String>| t.as_ref().map_or(Value::Nil, Value::str);
    let kind = match d.kind {
        Kind::Function => "function",
        Kind::Data => "data",
    };
    let mut entries = vec![("name", Value::str(&d.name)), ("kind", Value::plain_keyword(kind)), ("doc", text(&d.doc))];
    if d.kind == Kind::Function || d.params.is_some() {
        entries.push(("params", text(&d.params)));
    }
    if d.kind == Kind::Data || d.type_word.is_some() {
        entries.push(("type", text(&d.type_word)));
    }
    Value::map(entries.into_iter().map(|(k, v)| (Value::plain_keyword(k), v)))
}

fn note(n: &Note) -> Value {
    let text = |t: &Option<String>| t.as_ref().map_or(Value::Nil, Value::str);
    map([("name", text(&n.name)), ("text", text(&n.text))])
}

fn call(c: &Call, limits: &Limits) -> Value {
    let answer = match (&c.result, &c.error) {
        (_, Some(e)) => ("error", Value::str(e)),
        (Some(r), None) => ("result", of_json(r, limits)),
        (None, None) => ("result", Value::Nil),
    };
    map([("name", Value::str(&c.name)), ("args", of_json(&c.args, limits)), answer])
}

fn fault(e: &ErrorRecord) -> Value {
    let hint = e.hint.as_ref().map_or(Value::Nil, Value::str);
    map([("kind", Value::str(e.kind.as_str())), ("message", Value::str(&e.message)), ("hint", hint)])
}

/// `*e`: the last error as an exception, with its kind and turn as data.
pub fn exception(t: &TurnRecord) -> Value {
    let Some(e) = &t.error else { return Value::Nil };
    let turn = i64::try_from(t.turn).unwrap_or(i64::MAX);
    let mut error = Error::new(e.kind, &e.message);
    error.hint.clone_from(&e.hint);
    let data = map([("kind", Value::str(e.kind.as_str())), ("turn", Value::int(turn))]);
    Value::Exception(Exception::new("ExceptionInfo", Some(e.message.clone()), data, Value::Nil, Some(Box::new(error))))
}

/// JSON of a record as a value. What is deeper than this session allows is its text.
fn of_json(j: &Json, limits: &Limits) -> Value {
    json::parse_text(j.text(), limits).unwrap_or_else(|_| Value::str(j.text()))
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::map(entries.map(|(k, v)| (Value::plain_keyword(k), v)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_lisp::interface::{RunInput, RunResult};
    use ptc_lisp::memory::Memory;
    use std::cell::Cell;

    /// Counts what is asked for.
    #[derive(Default)]
    struct Asked {
        lists: Cell<u32>,
        turns: Cell<u32>,
    }

    impl TurnHistory for Asked {
        fn list(&self) -> Vec<Value> {
            self.lists.set(self.lists.get() + 1);
            vec![Value::Nil; 3]
        }

        fn get(&self, n: u64) -> Option<Value> {
            self.turns.set(self.turns.get() + 1);
            (n < 4).then(|| map([("turn", Value::int(n as i64))]))
        }

        fn printed(&self, n: u64) -> Option<&[String]> {
            (n < 4).then_some(&[])
        }
    }

    #[test]
    fn one_turn_of_many_is_made_alone_and_once() {
        let (limits, asked) = (Limits::default(), Asked::default());
        let mut memory = Memory::new();
        let mut run = |program: &str| {
            let mut none = ();
            let turn = RunInput { past: &asked, ..RunInput::new(&limits, &[], &mut none) };
            ptc_lisp::run(program, &mut memory, turn).ending
        };
        let RunResult::Value(v) = run("(dotimes [i 50] (turn/get 2)) [(turn/get 2) (turn/get 9) (turn/output 2)]")
        else {
            panic!("it runs");
        };
        assert_eq!(ptc_lisp::print::readable(&v, 100), "[{:turn 2} nil \"\"]");
        assert_eq!((asked.lists.get(), asked.turns.get()), (0, 2));
    }
}
