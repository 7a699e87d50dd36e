//! Refs and transactions. One program runs at a time, so a transaction never waits and never runs twice; one that throws
//! leaves every ref as it was.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::state::places::{self, Options, within_depth};
use crate::builtins::state::transaction::log;
use crate::builtins::state::{agents, atoms};
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, InterruptKind, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::{Builtin, Map, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "ref",
        "x | x & options",
        "A place that transactions change: (dosync (alter r f)). Options as those of atom.",
        &[("@(ref 1)", "1")],
        &Body(|h, a| {
            let (value, options) = places::given(a, "ref")?;
            places::new(h, CellSort::Ref, value, options)
        }),
    ),
    Builtin::new(
        "alter",
        "ref f & args",
        "Puts (f old & args) into a ref, inside dosync, and gives it.",
        &[("(let [r (ref 1)] (dosync (alter r + 10)))", "11"), ("(alter (ref 1) inc)", "!No transaction running")],
        &Body(alter),
    ),
    Builtin::new(
        "commute",
        "ref f & args",
        "As alter.",
        &[("(let [r (ref 1)] (dosync (commute r inc)) @r)", "2")],
        &Body(alter),
    ),
    Builtin::new(
        "ref-set",
        "ref val",
        "Puts a value into a ref, inside dosync.",
        &[("(let [r (ref 1)] (dosync (ref-set r 5)) @r)", "5")],
        &Body(|h, a| {
            let id = changed(h, a)?;
            h.cell_set(id, get(a, 1).clone());
            Ok(take(a, 1))
        }),
    ),
    Builtin::new(
        "ensure",
        "ref",
        "What a ref holds, inside dosync.",
        &[("(dosync (ensure (ref 1)))", "1")],
        &Body(|h, a| {
            let id = running(h, a)?;
            Ok(h.cell_get(id))
        }),
    ),
    Builtin::new("dosync*", "f", "What `dosync` is rewritten to.", &[("(dosync 1)", "1")], &Body(dosync)),
];

/// The ref of the first argument, in a transaction.
fn running(h: &mut dyn Host, a: &[Value]) -> Result<CellId> {
    let id = match get(a, 0) {
        Value::Atom(id) if id.sort() == CellSort::Ref => *id,
        other => return Err(Interrupt::argument(0, "a ref", other)),
    };
    if h.cell_get(CellId::TRANSACTION).is_nil() {
        let stop = Interrupt::throw("IllegalStateException", ErrorKind::Value, "No transaction running");
        return Err(stop.hint("write (dosync ...) around it"));
    }
    Ok(id)
}

/// The same, with what it holds kept for the case that the transaction fails.
fn changed(h: &mut dyn Host, a: &[Value]) -> Result<CellId> {
    let id = running(h, a)?;
    h.charge(8)?;
    h.reserve(256)?;
    let old = h.cell_get(id);
    let (mut before, sends) = log(h.cell_set(CellId::TRANSACTION, Value::Nil));
    let place = Value::Atom(id);
    if before.get(&place).is_none() {
        before.insert(place, old);
    }
    h.cell_set(CellId::TRANSACTION, Value::vector(vec![Value::Map(before), Value::Vector(sends)]));
    Ok(id)
}

fn alter(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = changed(h, a)?;
    let old = h.cell_get(id);
    let f = take(a, 1);
    let new = atoms::call(h, &f, old, a)?;
    within_depth(h, &new)?;
    h.cell_set(id, new.clone());
    Ok(new)
}

fn dosync(h: &mut dyn Host, a: &mut [Value]) -> Result {
    // A transaction inside another is a part of it.
    if !h.cell_get(CellId::TRANSACTION).is_nil() {
        return h.call(get(a, 0), &mut []);
    }
    h.charge(8)?;
    h.cell_set(CellId::TRANSACTION, Value::vector(Vec::new()));
    let ended = h.call(get(a, 0), &mut []);
    let (before, sends) = log(h.cell_set(CellId::TRANSACTION, Value::Nil));
    let ended = match ended {
        Ok(v) => approved(h, &before).map(|()| v),
        Err(stop) => Err(stop),
    };
    if let Err(stop) = &ended
        && !matches!(stop.kind(), InterruptKind::Return(_))
    {
        for (place, old) in before.iter() {
            if let Value::Atom(id) = place {
                h.cell_set(*id, old.clone());
            }
        }
        return ended;
    }
    for (place, old) in before.iter() {
        h.charge(1)?;
        if let Value::Atom(id) = place {
            let (new, watches) = (h.cell_get(*id), Options::of(h, *id).watches);
            places::notify(h, *id, &watches, old, &new)?;
        }
    }
    for sent in sends.iter() {
        h.charge(1)?;
        if let Value::Vector(v) = sent {
            agents::act(h, &mut v.iter().cloned().collect::<Vec<_>>())?;
        }
    }
    ended
}

/// Asks the validators of what a transaction changed.
fn approved(h: &mut dyn Host, before: &Map) -> Result<()> {
    for (place, _) in before.iter() {
        h.charge(1)?;
        if let Value::Atom(id) = place {
            let (new, validator) = (h.cell_get(*id), Options::of(h, *id).validator);
            places::approve(h, &validator, &new)?;
        }
    }
    Ok(())
}
