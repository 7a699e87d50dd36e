//! `(update m k f)` and `(update m k f x)` of a function that is known beforehand and only computes: the number is changed
//! where it is. What is not as plain is called as ever, at the same price.

use super::calls::name_argument;
use super::state::Vm;
use crate::builtins::collections::lookup;
use crate::bytecode::Update;
use crate::cost;
use crate::fuel::Cost;
use crate::host::{Host, Result};
use crate::value::Value;

fn call(of: &Update, h: &mut dyn Host, old: Value, x: &Value) -> Result {
    if of.has_argument() { h.call2(&of.function, old, x.clone()) } else { h.call1(&of.function, old) }
}

impl Vm<'_, '_> {
    /// `update` of `coll` at `key`; `x` is nil where [`Update::has_argument`] is not.
    pub(super) fn update(&mut self, of: &Update, mut coll: Value, key: Value, x: &Value) -> Result {
        self.charge_cost(Cost(3))?;
        let mut charged = false;
        if let Value::Map(m) = &mut coll
            && m.is_open()
        {
            // Adding other keys asks more: an equal name may be there.
            let adds = matches!(key, Value::Int(_));
            if adds {
                self.charge_cost(Cost::of_items(1))?
            } else {
                cost::key(self, &key)?
            }
            if let Some(added) = m.adjust(&key, adds, |old| of.apply(old, x)) {
                // What adding an entry with such a key costs.
                let more = if added { Cost::of_items(3).0 } else { 0 };
                self.charge_cost(Cost(of.cost.0 + more))?;
                return Ok(coll);
            }
            charged = true;
        }
        let mut f = |h: &mut dyn Host, old| call(of, h, old, x);
        let done = match coll {
            Value::Map(m) if charged => lookup::update_ready(self, m, key, &mut f),
            coll => lookup::update_with(self, coll, key, &mut f),
        };
        match done {
            Ok(v) => self.checked(v),
            Err(stop) => Err(name_argument(stop, of.builtin, if of.has_argument() { 4 } else { 3 })),
        }
    }
}
