//! The session's past: earlier turns as maps, and what they printed.

use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "turn/list",
        "",
        "All earlier turns of the session, oldest first: maps with :turn :program :status :value :output :definitions :notes :tool-calls :error, and :missed-keys where there are some.",
        &[("(turn/list)", "[]")],
        &Body(list),
    ),
    Builtin::new(
        "turn/get",
        "n",
        "Turn n of the session as a map, nil if there is none.",
        &[("(turn/get 1)", "nil"), ("(turn/get 0)", "!turn/get: n must be the number of a turn")],
        &Body(turn),
    ),
    Builtin::new(
        "turn/output",
        "n",
        "What turn n printed, as one string, nil if there is no such turn: (println (turn/output 2)) shows it again.",
        &[("(turn/output 1)", "nil"), ("(turn/output \"1\")", "!turn/output: n must be the number of a turn")],
        &Body(output),
    ),
];

fn list(h: &mut dyn Host, _: &mut [Value]) -> Result {
    let n = h.past().len() as u64;
    h.charge(n)?;
    Ok(Value::vector(h.past().to_vec()))
}

fn turn(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = number(a)?;
    h.charge(1)?;
    Ok(h.past_turn(n).unwrap_or_default())
}

fn output(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = number(a)?;
    let Some(printed) = h.past_printed(n) else { return Ok(Value::Nil) };
    let (entries, bytes) = (printed.len() as u64, printed.iter().map(String::len).sum::<usize>() as u64);
    h.charge(1 + entries + bytes / 64)?;
    h.reserve(bytes)?;
    Ok(h.past_printed(n).map_or(Value::Nil, |p| Value::from(p.concat())))
}

fn number(a: &[Value]) -> Result<u64> {
    match get(a, 0) {
        Value::Int(n) if n.get() > 0 => Ok(n.get().unsigned_abs()),
        v => {
            let hint = "turns are numbered from 1: (turn/output 2); (count (turn/list)) is how many there are";
            Err(Interrupt::argument(0, "the number of a turn", v).hint(hint))
        }
    }
}
