//! Delays: a function that is called once, when somebody asks for its value.

use crate::builtins::state::places::within_depth;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, InterruptKind, Result};
use crate::value::boxed::CellId;
use crate::value::{Map, Value};

/// What the cell of a delay, promise or future holds: a map from its state to what belongs to it.
pub fn state(name: &str, v: Value) -> Value {
    Value::Map(Map::from_entries([(Value::keyword(name), v)]))
}

/// A delay that will call `thunk`, a function without parameters.
pub fn new_delay(h: &mut dyn Host, thunk: Value) -> Result {
    Ok(Value::Delay(h.cell(state("thunk", thunk))?))
}

/// The value of a delay: its function is called once, and what it threw is thrown again.
pub fn force_delay(h: &mut dyn Host, id: CellId) -> Result {
    let held = h.cell_get(id);
    let Some((name, v)) = held_state(&held) else { return Ok(held) };
    match name.as_str() {
        "value" => Ok(v),
        "thrown" => Err(Interrupt::new(InterruptKind::Throw(v))),
        "thunk" => {
            h.cell_set(id, state("running", Value::Nil));
            match h.call(&v, &mut []) {
                Ok(value) => {
                    within_depth(h, &value)?;
                    h.cell_set(id, state("value", value.clone()));
                    Ok(value)
                }
                Err(stop) => {
                    let kept = match stop.kind() {
                        InterruptKind::Throw(e) => state("thrown", e.clone()),
                        // An error in words comes again when it is asked for again.
                        _ => state("thunk", v),
                    };
                    h.cell_set(id, kept);
                    Err(stop)
                }
            }
        }
        _ => Err(Interrupt::error(ErrorKind::Value, "a delay asks for itself while it is being made")),
    }
}

/// The state of a delay, promise or future, and what belongs to it.
pub fn held_state(held: &Value) -> Option<(String, Value)> {
    let Value::Map(m) = held else { return None };
    let (Value::Keyword(k), v) = m.iter().next()? else { return None };
    Some((k.name().to_string(), v.clone()))
}
