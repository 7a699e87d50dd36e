//! What `with-local-vars` gives names to: places of a body's own, here as volatiles.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "var-get",
        "x",
        "The value of a var or of a place of with-local-vars.",
        &[("(var-get #'inc)", "#<function inc>"), ("(with-local-vars [x 1] (var-get x))", "1")],
        &Body(|h, a| match get(a, 0) {
            Value::Volatile(id) => Ok(h.cell_get(*id)),
            Value::Var(name) => {
                let name = name.clone();
                h.var_value(&name)
            }
            other => Err(Interrupt::argument(0, "a var", other)),
        }),
    ),
    Builtin::new(
        "var-set",
        "x val",
        "Puts val into a place of with-local-vars, or a dynamic var inside binding, and gives val.",
        &[("(with-local-vars [x 1] (var-set x 5) (var-get x))", "5")],
        &Body(set),
    ),
];

fn set(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let v = take(a, 1);
    crate::builtins::state::places::within_depth(h, &v)?;
    match get(a, 0) {
        Value::Volatile(id) => {
            h.cell_set(*id, v.clone());
        }
        Value::Var(name) => {
            let name = name.clone();
            h.set_bound(&name, v.clone())?;
        }
        other => return Err(Interrupt::argument(0, "a place of with-local-vars", other)),
    }
    Ok(v)
}
