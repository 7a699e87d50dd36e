//! How sequence functions call what they are given: on item after item, or on a block of them.

use crate::host::{Host, Result};
use crate::value::Value;
use crate::value::map::LastPlace;
use std::borrow::Cow;
use std::cell::Cell;

/// Calls a function on item after item: keywords look into maps by themselves, which is what most key functions do.
pub struct Caller<'a> {
    f: &'a Value,
    kind: Cell<CallerKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CallerKind {
    Function,
    /// A constant keyword that no map has had yet.
    NewKey,
    Key,
}

impl<'a> Caller<'a> {
    /// For calls of `f`.
    pub fn new(f: &'a Value) -> Self {
        let kind = match f {
            Value::Keyword(k) if k.constant_mark() != 0 => CallerKind::NewKey,
            Value::Keyword(_) => CallerKind::Key,
            _ => CallerKind::Function,
        };
        Caller { f, kind: Cell::new(kind) }
    }

    /// Whether it only looks into what it gets, so that nothing is won by giving it away.
    pub fn lends(&self) -> bool {
        self.kind.get() != CallerKind::Function
    }

    /// Whether it is best called with what stays where it is, when others hold that too.
    pub fn borrows(&self, h: &dyn Host) -> bool {
        self.lends() || h.borrows(self.f)
    }

    /// `(f x)` with `x` lent.
    #[inline]
    pub fn on(&self, h: &mut dyn Host, x: &Value) -> Result {
        if self.kind.get() == CallerKind::Key
            && let Value::Map(m) = x
            && let Some(v) = m.get(self.f)
        {
            return Ok(v.clone());
        }
        self.call(h, x)
    }

    /// As [`Caller::on`]: what a keyword finds is not taken out.
    #[inline]
    pub fn found<'v>(&self, h: &mut dyn Host, x: &'v Value) -> Result<Cow<'v, Value>> {
        if self.kind.get() == CallerKind::Key
            && let Value::Map(m) = x
            && let Some(v) = m.get(self.f)
        {
            return Ok(Cow::Borrowed(v));
        }
        self.call(h, x).map(Cow::Owned)
    }

    /// As [`Caller::found`], of each of a block.
    #[inline]
    pub fn each_found(
        &self,
        h: &mut dyn Host,
        block: &[Value],
        mut take: impl FnMut(&mut dyn Host, Cow<'_, Value>) -> Result<()>,
    ) -> Result<()> {
        let mut last = LastPlace::default();
        for x in block {
            let found = match x {
                Value::Map(m) if self.kind.get() == CallerKind::Key => m.field_again(self.f, &mut last),
                _ => None,
            };
            let key = match found {
                Some((v, _)) => Cow::Borrowed(v),
                None => self.found(h, x)?,
            };
            take(h, key)?;
        }
        Ok(())
    }

    /// Adds `(f x)` of each of a block to `out`.
    #[inline]
    pub fn on_each(&self, h: &mut dyn Host, block: &[Value], out: &mut Vec<Value>) -> Result<()> {
        let done = if self.lends() { 0 } else { h.compute_each(self.f, block, out)? };
        self.each_found(h, block.get(done..).unwrap_or_default(), |_, v| {
            out.push(v.into_owned());
            Ok(())
        })
    }

    /// Adds `(f x)` of as many of a block to `out` as need no call that could do more than compute: how many they were.
    #[inline]
    pub fn computed_each(&self, h: &mut dyn Host, block: &[Value], out: &mut Vec<Value>) -> Result<usize> {
        if self.lends() { Ok(0) } else { h.compute_each(self.f, block, out) }
    }

    /// Whether `(f x)` is true of each of a block: a bit for each, the first in the lowest.
    #[inline]
    pub fn test_each(&self, h: &mut dyn Host, block: &[Value]) -> Result<u64> {
        let (done, mut answers) = if self.lends() { (0, 0) } else { h.test_each(self.f, block)? };
        let mut i = done;
        self.each_found(h, block.get(done..).unwrap_or_default(), |_, v| {
            answers |= u64::from(v.truthy()) << i;
            i += 1;
            Ok(())
        })?;
        Ok(answers)
    }

    #[inline(never)]
    fn call(&self, h: &mut dyn Host, x: &Value) -> Result {
        if self.kind.get() == CallerKind::NewKey
            && let Value::Map(m) = x
            && let Some(v) = m.get(self.f)
        {
            self.kind.set(CallerKind::Key);
            h.key_found(self.f.constant_mark());
            return Ok(v.clone());
        }
        h.lend1(self.f, x)
    }

    /// `(f x)` with `x` given away, so that `f` can change it in place.
    #[inline]
    pub fn give(&self, h: &mut dyn Host, x: Value) -> Result {
        if self.lends() { self.on(h, &x) } else { h.call1(self.f, x) }
    }
}

/// Folds item after item: sums of numbers need no call.
pub struct Reducer<'a> {
    f: &'a Value,
    plus: bool,
}

impl<'a> Reducer<'a> {
    /// For calls of `f`.
    pub fn new(f: &'a Value) -> Self {
        Reducer { f, plus: matches!(f, Value::Builtin(b) if b.name() == "+") }
    }

    /// The sum in place, if it is one of plain numbers.
    #[inline]
    fn added(&self, acc: &mut Value, x: &Value) -> bool {
        if !self.plus {
            return false;
        }
        match (acc, x) {
            (Value::Float(a), Value::Float(b)) => *a = (a.get() + b.get()).into(),
            (Value::Int(a), Value::Int(b)) => match a.get().checked_add(b.get()) {
                Some(sum) => *a = sum.into(),
                None => return false,
            },
            (Value::Float(a), Value::Int(b)) => *a = (a.get() + b.get() as f64).into(),
            (acc @ Value::Int(_), Value::Float(b)) => {
                if let Value::Int(a) = acc {
                    *acc = Value::float(a.get() as f64 + b.get());
                }
            }
            _ => return false,
        }
        true
    }

    /// The sum of `acc` and as many of a block as are plain numbers: how many they were.
    fn added_each(&self, acc: &mut Value, block: &[Value]) -> usize {
        let mut done = 0;
        while let Some(rest) = block.get(done..).filter(|r| !r.is_empty()) {
            let before = done;
            if let Value::Float(sum) = acc {
                let mut all = sum.get();
                for x in rest {
                    match x {
                        Value::Float(x) => all += x.get(),
                        Value::Int(x) => all += x.get() as f64,
                        _ => break,
                    }
                    done += 1;
                }
                *sum = all.into();
            } else if let Value::Int(sum) = acc {
                let mut all = sum.get();
                for x in rest {
                    let Value::Int(x) = x else { break };
                    let Some(next) = all.checked_add(x.get()) else { break };
                    all = next;
                    done += 1;
                }
                *sum = all.into();
                // A double among them, which makes the sum one.
                if done == before && rest.first().is_some_and(|x| self.added(acc, x)) {
                    done += 1;
                }
            }
            if done == before {
                break;
            }
        }
        done
    }

    /// Folds as many of a block as need no call that could do more than compute, or up to a reduced value: how many they
    /// were.
    #[inline]
    pub fn fold_each(&self, h: &mut dyn Host, acc: &mut Value, block: &[Value]) -> Result<usize> {
        if self.plus { Ok(self.added_each(acc, block)) } else { h.fold_each(self.f, acc, block) }
    }

    /// `(f acc x)`
    #[inline]
    pub fn step(&self, h: &mut dyn Host, mut acc: Value, x: Value) -> Result {
        if self.added(&mut acc, &x) { Ok(acc) } else { h.call2(self.f, acc, x) }
    }

    /// `(f acc x)` with `x` lent, in place of `acc`; whether what came is a reduced value.
    #[inline]
    pub fn lent(&self, h: &mut dyn Host, acc: &mut Value, x: &Value) -> Result<bool> {
        if self.added(acc, x) {
            return Ok(false);
        }
        *acc = h.lend2(self.f, std::mem::take(acc), x)?;
        Ok(matches!(acc, Value::Reduced(_)))
    }
}
