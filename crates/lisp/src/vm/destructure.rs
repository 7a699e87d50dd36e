//! Taking values apart for destructuring, with Clojure's leniency: what is missing is nil (trap 27).

use super::state::Vm;
use crate::bytecode::OF_SEQ;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::seq::{Iter, seq_of};
use crate::value::{Map, SeqKind, Slice, Value};

impl Vm<'_, '_> {
    /// Item `i`, nil when there is none; with `OF_SEQ` item `i` of the value's sequence.
    pub fn nth(&mut self, v: Value, i: u32) -> Result {
        let (of_seq, i) = (i & OF_SEQ != 0, i & !OF_SEQ);
        match v {
            Value::Nil => Ok(Value::Nil),
            Value::Slice(s) => Ok(s.get(i as usize).cloned().unwrap_or_default()),
            Value::Str(s) => Ok(s.as_str().chars().nth(i as usize).map(Value::Char).unwrap_or_default()),
            Value::Cons(_) | Value::Lazy(_) => {
                self.charge(u64::from(i))?;
                let mut it = Iter::new(v)?;
                for _ in 0..i {
                    if it.next(self)?.is_none() {
                        return Ok(Value::Nil);
                    }
                }
                Ok(it.next(self)?.unwrap_or_default())
            }
            other => match crate::builtins::collections::transient_held::held(self, &other)? {
                Some(Value::Vector(v)) => Ok(v.get(i as usize).cloned().unwrap_or_default()),
                _ if of_seq => {
                    let all = seq_of(self, other)?;
                    self.nth(all, i)
                }
                _ => Err(not_sequential(&other)),
            },
        }
    }

    /// What follows the first `i` items; nil when there is nothing.
    pub fn rest_from(&mut self, v: Value, i: u32) -> Result {
        let n = i as usize;
        match v {
            Value::Nil => Ok(Value::Nil),
            Value::Vector(v) => Ok(rest(Slice::new(v, n, SeqKind::Seq))),
            Value::Slice(s) => Ok(rest(s.skip(n))),
            Value::Str(s) => {
                self.charge(s.as_str().len() as u64 / 4)?;
                self.reserve(s.chars() as u64 * 16)?;
                let items: Vec<Value> = s.as_str().chars().skip(n).map(Value::Char).collect();
                Ok(rest(Slice::seq(items)))
            }
            Value::Cons(_) | Value::Lazy(_) => {
                let mut at = seq_of(self, v)?;
                for _ in 0..n {
                    self.charge(1)?;
                    at = match at {
                        Value::Cons(c) => {
                            let r = c.rest().clone();
                            seq_of(self, r)?
                        }
                        Value::Slice(s) => rest(s.skip(1)),
                        other => return Ok(other),
                    };
                }
                Ok(at)
            }
            // Of a map or set too there is a sequence where the pattern has `&`.
            other => {
                let all = seq_of(self, other)?;
                if n == 0 { Ok(all) } else { self.rest_from(all, i) }
            }
        }
    }

    /// The map that a map pattern takes apart: a sequence of keys and values becomes one.
    pub fn keyed(&mut self, v: Value) -> Result {
        match v {
            Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
                let mut items = Iter::new(v)?.collect(self)?;
                let trailing = if items.len() % 2 == 1 { items.pop() } else { None };
                let mut m = Map::new();
                let mut it = items.into_iter();
                while let (Some(k), Some(v)) = (it.next(), it.next()) {
                    self.charge(2)?;
                    cost::key(self, &k)?;
                    m.insert(k, v);
                }
                match trailing {
                    // Since Clojure 1.11 a last map adds to the pairs.
                    Some(Value::Map(more)) => {
                        self.charge(more.len() as u64 * 4)?;
                        self.reserve(more.len() as u64 * 48)?;
                        for (k, v) in more.iter() {
                            cost::wide_key(self, k)?;
                            m.insert(k.clone(), v.clone());
                        }
                    }
                    // What stands alone is what is taken apart.
                    Some(only) if m.is_empty() => return Ok(only),
                    Some(k) => {
                        let k = crate::print::brief(&k);
                        return Err(Interrupt::error(ErrorKind::Value, format!("No value supplied for key: {k}")));
                    }
                    None => {}
                }
                Ok(Value::Map(m))
            }
            other => Ok(other),
        }
    }
}

fn rest(s: Slice) -> Value {
    if s.is_empty() { Value::Nil } else { Value::Slice(s) }
}

#[cold]
fn not_sequential(v: &Value) -> Interrupt {
    Interrupt::error(
        ErrorKind::Type,
        format!("{} cannot be taken apart by position: {}", v.kind(), crate::print::brief(v)),
    )
    .hint("a map is taken apart with {:keys [a b]}")
}
