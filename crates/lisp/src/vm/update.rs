//! `(update m k f)` and `(update m k f x)` of a function that is known beforehand and only computes: the number is changed
//! where it is. What is not as plain is called as ever, at the same price.

use super::calls::name_argument;
use super::fast_path::is_plain;
use super::state::Vm;
use crate::builtins::collections::lookup;
use crate::bytecode::{InPlace, Update};
use crate::cost;
use crate::fuel::Cost;
use crate::host::{Host, Result};
use crate::value::Value;

/// What adding an entry with a plain key costs.
const ADDED: Cost = Cost::of_items(3);

fn call(of: &Update, h: &mut dyn Host, old: Value, x: &Value) -> Result {
    if of.has_argument() { h.call2(&of.function, old, x.clone()) } else { h.call1(&of.function, old) }
}

impl Vm<'_, '_> {
    /// `update` of the map in register `at` at the integer in the next one, with what follows: where it lies.
    pub(super) fn update_in_place(&mut self, of: &Update, at: usize) -> Result<InPlace> {
        match self.stack.get(at..) {
            Some([Value::Map(m), Value::Int(_), rest @ ..])
                if m.is_open() && (!of.has_argument() || rest.first().is_some_and(is_plain)) => {}
            _ => return Ok(InPlace::Other),
        }
        self.charge_cost(Cost(3 + Cost::of_items(1).0))?;
        let Some([Value::Map(m), key, rest @ ..]) = self.stack.get_mut(at..) else { return Ok(InPlace::Charged) };
        // Where no argument is it is not looked at.
        let x = rest.first().unwrap_or(&Value::Nil);
        let Some(added) = m.adjust(key, true, |old| of.apply(old, x)) else { return Ok(InPlace::Charged) };
        let more = if added { ADDED.0 } else { 0 };
        self.charge_cost(Cost(of.cost.0 + more))?;
        Ok(InPlace::Done)
    }

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
                let more = if added { ADDED.0 } else { 0 };
                self.charge_cost(Cost(of.cost.0 + more))?;
                return Ok(coll);
            }
            charged = true;
        }
        self.update_by_call(of, coll, key, x, charged)
    }

    /// As [`Vm::update`], by calling the function; `charged` where what comes first is.
    pub(super) fn update_by_call(&mut self, of: &Update, coll: Value, key: Value, x: &Value, charged: bool) -> Result {
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
