//! What operations do off the fast path: numbers that are not plain, comparisons, literals of maps and sets.

use super::dispatch::corrupt_state;
use super::state::Vm;
use crate::bytecode::{Cast, Cmp, Div};
use crate::cost;
use crate::error::ErrorKind;
use crate::fuel::Cost;
use crate::host::{Interrupt, Result};
use crate::number;
use crate::value::{Map, Set, Value};

impl Vm<'_, '_> {
    /// Adds `n` pairs lying from `a` on to the map in register `d`.
    pub fn assoc_pairs(&mut self, d: usize, a: usize, n: usize, unique: bool) -> Result {
        self.charge_cost(Cost(1 + n as u64))?;
        let Value::Map(mut m) = std::mem::take(&mut self.stack[d]) else { return Err(corrupt_state()) };
        for i in 0..n {
            let k = std::mem::take(&mut self.stack[a + 2 * i]);
            let v = std::mem::take(&mut self.stack[a + 2 * i + 1]);
            self.literal_key(m.is_empty(), &k)?;
            if unique && m.get(&k).is_some() {
                return Err(Interrupt::error(ErrorKind::Value, format!("Duplicate key: {}", crate::print::brief(&k))));
            }
            m.insert(k, v);
        }
        self.checked(Value::Map(m))
    }

    /// The value at a constant key that is not in the map as it is written: by the equal name, or nil.
    #[cold]
    #[inline(never)]
    pub fn lookup_by_name(&mut self, m: &Map, key: &Value) -> Result {
        self.charge_cost(Cost(2 + m.len().min(32) as u64 / 3))?;
        let found = crate::value::lookup::in_map(m, key).cloned();
        crate::builtins::collections::lookup::note(self, m, key, found.is_some())?;
        Ok(found.unwrap_or_default())
    }

    /// Makes a key of a literal ready: the first one is compared with nothing.
    fn literal_key(&mut self, first: bool, key: &Value) -> Result<()> {
        if !first {
            return cost::wide_key(self, key);
        }
        crate::seq::realise(self, key)
    }

    /// Adds `n` values lying from `at` on to a set literal.
    pub fn include(&mut self, s: &mut Set, at: usize, n: usize) -> Result<()> {
        for i in at..at + n {
            let v = std::mem::take(&mut self.stack[i]);
            self.literal_key(s.is_empty(), &v)?;
            if !s.insert(v.clone()) {
                return Err(Interrupt::error(ErrorKind::Value, format!("Duplicate key: {}", crate::print::brief(&v))));
            }
        }
        Ok(())
    }

    /// `x + k` where that is no plain sum; `names` of a step down and of one up.
    #[cold]
    #[inline(never)]
    pub fn stepped(&mut self, x: Value, k: i32, names: [&'static str; 2]) -> Result {
        let [down, up] = names;
        let k = i64::from(k);
        if k < 0 {
            self.arithmetic(down, number::sub, &x, &Value::int(-k))
        } else {
            self.arithmetic(up, number::add, &x, &Value::int(k))
        }
    }

    /// What a hint makes of a value that is no plain number.
    #[cold]
    #[inline(never)]
    pub fn cast(&mut self, kind: Cast, x: Value) -> Result {
        match crate::builtins::find(kind.name()) {
            Some(b) => self.call_builtin(b, &mut [x]),
            None => Err(corrupt_state()),
        }
    }

    /// An operation on numbers that are not both plain; `name` is in its errors.
    #[cold]
    #[inline(never)]
    pub fn arithmetic(
        &mut self,
        name: &'static str,
        f: fn(&mut dyn crate::host::Host, &Value, &Value) -> Result,
        x: &Value,
        y: &Value,
    ) -> Result {
        self.charge_cost(Cost(1))?;
        let r = f(self, x, y);
        self.named(name, r)
    }

    /// Whole division of numbers that are not both plain.
    #[cold]
    #[inline(never)]
    pub fn divide(&mut self, kind: Div, x: &Value, y: &Value) -> Result {
        self.charge_cost(Cost(1))?;
        match kind {
            Div::Quot => {
                let r = number::quot(self, x, y);
                self.named("quot", r)
            }
            Div::Rem => {
                let r = number::rem(self, x, y);
                self.named("rem", r)
            }
            Div::Mod => {
                let r = number::modulo(self, x, y);
                self.named("mod", r)
            }
        }
    }

    /// A comparison of values that are not both plain numbers.
    #[inline(never)]
    pub fn compare(&mut self, kind: Cmp, x: &Value, y: &Value) -> Result<bool> {
        if let Cmp::Eq | Cmp::Ne = kind {
            return Ok(crate::builtins::equality::equal(self, x, y)? == (kind == Cmp::Eq));
        }
        let name = match kind {
            Cmp::Lt => "<",
            Cmp::Le => "<=",
            Cmp::Gt => ">",
            _ => ">=",
        };
        let r = number::num_compare(self, x, y);
        let order = self.named(name, r)?;
        Ok(order.is_some_and(|o| match kind {
            Cmp::Lt => o.is_lt(),
            Cmp::Le => o.is_le(),
            Cmp::Gt => o.is_gt(),
            _ => o.is_ge(),
        }))
    }
}
