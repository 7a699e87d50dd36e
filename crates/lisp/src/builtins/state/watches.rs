//! Watches and validators of atoms.

use crate::builtins::args::{get, take};
use crate::builtins::collections::var_meta;
use crate::builtins::row::BuiltinRow;
use crate::builtins::state::places::{self, Options};
use crate::cost;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::CellId;
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "add-watch",
        "ref key fn",
        "Has (fn key ref old new) called whenever the value of an atom is set.",
        &[(
            "(let [a (atom 1)] (with-out-str (add-watch a :log (fn [k r o n] (println k o n))) (reset! a 2)))",
            "\":log 1 2\\n\"",
        )],
        &Body(add_watch),
    ),
    Builtin::new(
        "remove-watch",
        "ref key",
        "Takes a watch away.",
        &[("@(remove-watch (atom 1) :log)", "1")],
        &Body(remove_watch),
    ),
    Builtin::new(
        "set-validator!",
        "ref f",
        "Has every later value of an atom pass this test; nil takes the test away.",
        &[("(let [a (atom 1)] (set-validator! a pos?) (reset! a -1))", "!Invalid reference state")],
        &Body(set_validator),
    ),
    Builtin::new(
        "get-validator",
        "ref",
        "The test that values of an atom must pass, or nil.",
        &[("(get-validator (atom 1))", "nil")],
        &Body(|h, a| {
            let id = place(a)?;
            Ok(Options::of(h, id).validator)
        }),
    ),
    Builtin::new(
        "alter-meta!",
        "ref f & args",
        "Makes (f metadata & args) the metadata of an atom or var.",
        &[("(alter-meta! (atom 1 :meta {:a 1}) assoc :b 2)", "{:a 1, :b 2}")],
        &Body(alter_meta),
    ),
    Builtin::new(
        "reset-meta!",
        "ref m",
        "Makes a map the metadata of an atom or var.",
        &[("(reset-meta! (atom 1) {:a 1})", "{:a 1}")],
        &Body(reset_meta),
    ),
];

/// The place that the first argument is.
fn place(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Atom(id) => Ok(*id),
        other => Err(Interrupt::argument(0, "an atom", other)),
    }
}

fn add_watch(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = place(a)?;
    cost::key(h, get(a, 1))?;
    let mut options = Options::of(h, id);
    options.watches = places::watching(options.watches, take(a, 1), take(a, 2));
    options.give(h, id)?;
    Ok(take(a, 0))
}

fn remove_watch(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = place(a)?;
    cost::key(h, get(a, 1))?;
    let mut options = Options::of(h, id);
    if let Value::Map(watches) = &mut options.watches {
        watches.remove(get(a, 1));
        options.give(h, id)?;
    }
    Ok(take(a, 0))
}

fn set_validator(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = place(a)?;
    let held = h.cell_get(id);
    places::approve(h, get(a, 1), &held)?;
    let options = Options { validator: take(a, 1), ..Options::of(h, id) };
    options.give(h, id)?;
    Ok(Value::Nil)
}

fn alter_meta(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let Value::Var(var) = get(a, 0) {
        let (var, f) = (var.clone(), take(a, 1));
        let old = var_meta::of_var(h, &var)?;
        let new = super::atoms::call(h, &f, old, a)?;
        var_meta::replace(h, &var, &new)?;
        return Ok(new);
    }
    let id = place(a)?;
    let f = take(a, 1);
    let old = places::meta(h, id);
    let new = super::atoms::call(h, &f, old, a)?;
    set_meta(h, id, new)
}

fn reset_meta(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let Value::Var(var) = get(a, 0) {
        let (var, new) = (var.clone(), take(a, 1));
        var_meta::replace(h, &var, &new)?;
        return Ok(new);
    }
    let id = place(a)?;
    set_meta(h, id, take(a, 1))
}

fn set_meta(h: &mut dyn Host, id: CellId, meta: Value) -> Result {
    if !matches!(meta, Value::Nil | Value::Map(_)) {
        return Err(Interrupt::argument(1, "a map", &meta));
    }
    places::within_depth(h, &meta)?;
    let options = Options { meta: meta.clone(), ..Options::of(h, id) };
    options.give(h, id)?;
    Ok(meta)
}
