//! Places that hold a value: atoms, volatiles, delays.

use crate::builtins::args::{get, take};
use crate::builtins::equality::equal;
use crate::builtins::row::BuiltinRow;
use crate::builtins::state::delays::{force_delay, held_state};
use crate::builtins::state::places::{self, put, within_depth};
use crate::builtins::state::promises;
use crate::builtins::types::own_method;
use crate::cost;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::compare::identical;
use crate::value::{Builtin, Item, SeqKind, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "atom",
        "x | x & options",
        "A place that holds x and can be changed. Options: :meta a map, :validator a test that every value must pass.",
        &[
            ("(deref (atom 1))", "1"),
            ("(meta (atom 1 :meta {:a 1}))", "{:a 1}"),
            ("(reset! (atom 1 :validator pos?) -1)", "!Invalid reference state"),
        ],
        &Body(atom),
    ),
    Builtin::new(
        "deref",
        "ref | ref timeout-ms timeout-val",
        "What an atom, volatile, delay, promise or var holds; also written @ref. A promise that nobody has delivered gives timeout-val.",
        &[("@(atom 1)", "1"), ("((deref (var inc)) 1)", "2"), ("(deref 5)", "!deref")],
        &Body(deref),
    ),
    Builtin::new(
        "swap!",
        "atom f | atom f & args",
        "Puts (f old & args) into the atom and gives it.",
        &[("(swap! (atom 1) + 10)", "11"), ("(swap! 5 inc)", "!swap!")],
        &Body(|h, a| Ok(swap(h, a, false)?.1)),
    ),
    Builtin::new(
        "reset!",
        "atom newval",
        "Puts a value into the atom and gives it.",
        &[("(let [a (atom 1)] (reset! a 2) @a)", "2")],
        &Body(reset),
    ),
    Builtin::new(
        "swap-vals!",
        "atom f | atom f & args",
        "As swap!, and gives the old and the new value.",
        &[("(swap-vals! (atom 1) inc)", "[1 2]")],
        &Body(swap_vals),
    ),
    Builtin::new(
        "reset-vals!",
        "atom newval",
        "As reset!, and gives the old and the new value.",
        &[("(reset-vals! (atom 1) 5)", "[1 5]")],
        &Body(reset_vals),
    ),
    Builtin::new(
        "compare-and-set!",
        "atom oldval newval",
        "Puts newval into the atom if it holds oldval, of collections this very one; whether it did.",
        &[("(compare-and-set! (atom 1) 1 2)", "true"), ("(compare-and-set! (atom 1) 5 2)", "false")],
        &Body(compare_and_set),
    ),
    Builtin::new(
        "volatile!",
        "val",
        "A place that holds val, for functions that keep state.",
        &[("@(volatile! 1)", "1")],
        &Body(volatile),
    ),
    Builtin::new(
        "vswap!",
        "vol f | vol f & args",
        "Puts (f old & args) into the volatile and gives it.",
        &[("(vswap! (volatile! 1) + 5)", "6")],
        &Body(|h, a| Ok(swap(h, a, true)?.1)),
    ),
    Builtin::new(
        "vreset!",
        "vol newval",
        "Puts a value into the volatile and gives it.",
        &[("(vreset! (volatile! 1) 2)", "2")],
        &Body(vreset),
    ),
    Builtin::new(
        "volatile?",
        "x",
        "Whether x is a volatile.",
        &[("(volatile? (volatile! 1))", "true")],
        &Body(|_, a| Ok(Value::Bool(matches!(get(a, 0), Value::Volatile(id) if id.sort() == CellSort::Plain)))),
    ),
    Builtin::new(
        "delay?",
        "x",
        "Whether x is a delay.",
        &[("(delay? (delay 1))", "true")],
        &Body(|_, a| Ok(Value::Bool(matches!(get(a, 0), Value::Delay(id) if id.sort() == CellSort::Plain)))),
    ),
    Builtin::new(
        "force",
        "x",
        "The value of a delay, made now if it has not been; anything else as it is.",
        &[("(force (delay 3))", "3"), ("(force 5)", "5")],
        &Body(force),
    ),
    Builtin::new(
        "realized?",
        "x",
        "Whether a delay or lazy sequence has been made, or a promise delivered.",
        &[("(realized? (delay 1))", "false")],
        &Body(realized),
    ),
];

fn atom(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (value, options) = places::given(a, "atom")?;
    if options.is_empty() {
        return Ok(Value::Atom(h.cell(value)?));
    }
    places::new(h, CellSort::Plain, value, options)
}

fn volatile(h: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(Value::Volatile(h.cell(take(a, 0))?))
}

fn deref(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Atom(id) => Ok(h.cell_get(*id)),
        Value::Volatile(id) if id.sort() == CellSort::Plain => Ok(h.cell_get(*id)),
        Value::Delay(id) => promises::settled(h, *id, a),
        Value::Reduced(v) => Ok(Value::clone(v)),
        Value::Var(name) => h.var_value(name),
        other => {
            let own = other.clone();
            match own_method(h, &own, "deref")? {
                Some(f) => h.call1(&f, own),
                None => Err(Interrupt::argument(0, "an atom, a volatile, a delay, a promise or a var", get(a, 0))),
            }
        }
    }
}

/// The cell of the first argument.
fn cell(a: &[Value], volatile: bool) -> Result<CellId> {
    match get(a, 0) {
        Value::Atom(id) if !volatile && id.sort() == CellSort::Plain => Ok(*id),
        Value::Volatile(id) if volatile && id.sort() == CellSort::Plain => Ok(*id),
        other => Err(Interrupt::argument(0, if volatile { "a volatile" } else { "an atom" }, other)),
    }
}

/// Whether this call cannot run code of the program and cannot fail, so that nobody can look into the cell meanwhile:
/// then the value may leave it and be changed in place.
fn alone(f: &Value, held: &Value, args: &[Value]) -> bool {
    let Value::Builtin(b) = f else { return false };
    match b.name() {
        "assoc" => matches!(held, Value::Map(_)) && matches!(args, [_, _]) && !args.iter().any(Item::lazy),
        "conj" => matches!(held, Value::Vector(_) | Value::Set(_)) && !args.iter().any(Item::lazy),
        _ => false,
    }
}

/// Old and new value of an update; the old one is nil when it was changed in place.
fn swap(h: &mut dyn Host, a: &mut [Value], volatile: bool) -> Result<(Value, Value)> {
    let id = cell(a, volatile)?;
    let f = take(a, 1);
    let old = h.cell_get(id);
    if !h.may_have_options(id) && alone(&f, &old, a.get(2..).unwrap_or_default()) {
        drop(old);
        let old = h.cell_take(id);
        let new = call(h, &f, old, a)?;
        h.cell_set(id, new.clone());
        return Ok((Value::Nil, new));
    }
    // The function may look into the atom, and may fail: what is there stays there until it has succeeded.
    let new = call(h, &f, old.clone(), a)?;
    within_depth(h, &new)?;
    put(h, id, new.clone())?;
    Ok((old, new))
}

/// Calls an update function with what a place held and the arguments from the third on.
pub fn call(h: &mut dyn Host, f: &Value, old: Value, a: &mut [Value]) -> Result {
    match a.get_mut(2..).unwrap_or_default() {
        [] => h.call1(f, old),
        [x] => h.call2(f, old, std::mem::take(x)),
        more => {
            let mut args = Vec::with_capacity(more.len() + 1);
            args.push(old);
            args.extend(more.iter_mut().map(std::mem::take));
            h.call(f, &mut args)
        }
    }
}

fn reset(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = cell(a, false)?;
    put(h, id, get(a, 1).clone())?;
    Ok(take(a, 1))
}

fn vreset(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = cell(a, true)?;
    h.cell_set(id, get(a, 1).clone());
    Ok(take(a, 1))
}

fn swap_vals(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = cell(a, false)?;
    let old = h.cell_get(id);
    let (_, new) = swap(h, a, false)?;
    Ok(Value::Vector(Vector::pair(old, new)))
}

fn reset_vals(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = cell(a, false)?;
    let new = take(a, 1);
    let old = put(h, id, new.clone())?;
    Ok(Value::Vector(Vector::pair(old, new)))
}

fn compare_and_set(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = cell(a, false)?;
    let held = h.cell_get(id);
    // Collections are the same object or another one; numbers and texts have no identity here.
    let old = get(a, 1);
    let same = match &held {
        v if v.is_sequential() || matches!(v, Value::Map(_) | Value::Set(_)) => identical(v, old),
        Value::Float(x) if x.get().is_nan() => matches!(old, Value::Float(y) if y.get().is_nan()),
        v => equal(h, v, old)?,
    };
    if same {
        put(h, id, take(a, 2))?;
    }
    Ok(Value::Bool(same))
}

fn force(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Delay(id) => force_delay(h, *id),
        _ => Ok(take(a, 0)),
    }
}

fn realized(h: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(Value::Bool(match get(a, 0) {
        Value::Delay(id) => {
            let held = h.cell_get(*id);
            held_state(&held).is_some_and(|(name, _)| name == "value" || name == "thrown")
        }
        Value::Lazy(l) => l.made().is_some(),
        // What is realised at once counts as a lazy sequence that has been made (difference 1).
        Value::Slice(s) if s.kind == SeqKind::Seq => true,
        Value::Cons(c) if c.kind() == SeqKind::Seq => true,
        other => {
            cost::text(h, 0)?;
            return Err(Interrupt::argument(0, "a delay or a lazy sequence", other));
        }
    }))
}
