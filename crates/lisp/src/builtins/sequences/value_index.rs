//! Finds the place of a key among many: what `group-by`, `frequencies` and `distinct` count with. Order never
//! depends on the hash, whose key is random (SECURITY R10, SECURITY attack 22): only places of first sight are given out.

use crate::cost;
use crate::host::{Host, Result};
use crate::value::map::Key;
use crate::value::node::Bytes;
use crate::value::{Item, Value};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};

/// Up to this many keys a look at each is quicker than a hash.
const FEW: usize = 8;
/// Longest sequence that is hashed.
const LONG: usize = 8;

/// A key of which [`hashable`] holds.
#[derive(Clone)]
struct Hashed(Value);

impl PartialEq for Hashed {
    fn eq(&self, other: &Self) -> bool {
        self.0.same_key(&other.0)
    }
}
impl Eq for Hashed {}

impl Hash for Hashed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(items) = short(&self.0) {
            state.write_u8(9);
            for v in &items {
                scalar(v, state);
            }
        } else {
            scalar(&self.0, state);
        }
    }
}

/// Writes a plain value to the hash; equal keys write the same. `false` for what is not plain.
fn scalar<H: Hasher>(v: &Value, state: &mut H) -> bool {
    match v {
        Value::Nil => state.write_u8(0),
        Value::Bool(b) => state.write_u8(1 + u8::from(*b)),
        Value::Int(i) => {
            state.write_u8(3);
            state.write_i64(*i);
        }
        // `1N` and 1 are one key (trap 1).
        Value::Big(b) => match b.to_i64() {
            Some(i) => return scalar(&Value::Int(i), state),
            None => b.hash(state),
        },
        Value::Float(f) => {
            state.write_u8(4);
            // 0.0 and -0.0 are one key, and so are all NaN.
            let bits = if *f == 0.0 {
                0
            } else if f.is_nan() {
                u64::MAX
            } else {
                f.to_bits()
            };
            state.write_u64(bits);
        }
        Value::Char(c) => {
            state.write_u8(5);
            state.write_u32(u32::from(*c));
        }
        Value::Str(s) => {
            state.write_u8(6);
            s.as_str().hash(state);
        }
        Value::Keyword(k) => {
            state.write_u8(7);
            k.text().hash(state);
        }
        Value::Symbol(s) => {
            state.write_u8(8);
            s.text().hash(state);
        }
        _ => return false,
    }
    true
}

fn plain(v: &Value) -> bool {
    matches!(
        v,
        Value::Nil
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Float(_)
            | Value::Char(_)
            | Value::Str(_)
            | Value::Keyword(_)
            | Value::Symbol(_)
    )
}

/// The items of a short sequence of plain values: vectors of keys, which `juxt` makes, are common.
fn short(v: &Value) -> Option<smallvec::SmallVec<[Value; LONG]>> {
    if !v.is_sequential() {
        return None;
    }
    let items: smallvec::SmallVec<[Value; LONG]> = crate::value::compare::RealizedIter::new(v).take(LONG + 1).collect();
    (items.len() <= LONG && items.iter().all(plain)).then_some(items)
}

fn hashable(v: &Value) -> bool {
    plain(v) || short(v).is_some()
}

/// Keys in the order of first sight.
pub struct Index {
    few: Vec<Value>,
    hash: HashMap<Hashed, usize>,
    tree: BTreeMap<Key<Value>, usize>,
    len: usize,
    bytes: Bytes,
}

impl Clone for Index {
    fn clone(&self) -> Self {
        let Index { few, hash, tree, len, bytes } = self;
        let (few, hash, tree, bytes) = (few.clone(), hash.clone(), tree.clone(), Bytes::new(bytes.get()));
        Index { few, hash, tree, len: *len, bytes }
    }
}

impl Default for Index {
    fn default() -> Self {
        Index { few: Vec::new(), hash: HashMap::new(), tree: BTreeMap::new(), len: 0, bytes: Bytes::new(0) }
    }
}

impl Index {
    /// How many values a copy of it copies.
    pub fn weight(&self) -> u64 {
        self.len as u64 * 4
    }

    /// The place of `key`, and whether it is new.
    #[inline]
    pub fn place(&mut self, h: &mut dyn Host, key: &Value) -> Result<(usize, bool)> {
        cost::key(h, key)?;
        if self.len <= FEW {
            if let Some(i) = self.few.iter().position(|k| k.same_key(key)) {
                return Ok((i, false));
            }
            if self.len < FEW {
                self.few.push(key.clone());
                self.len += 1;
                return Ok((self.len - 1, true));
            }
            let few = std::mem::take(&mut self.few);
            self.len = 0;
            for k in few {
                self.look(h, k)?;
            }
        }
        self.look(h, key.clone())
    }

    fn look(&mut self, h: &mut dyn Host, key: Value) -> Result<(usize, bool)> {
        let next = self.len;
        let found = if hashable(&key) {
            let key = Hashed(key);
            match self.hash.get(&key) {
                Some(i) => Some(*i),
                None => {
                    self.hash.insert(key, next);
                    None
                }
            }
        } else {
            h.charge(8)?;
            let key = Key(key);
            match self.tree.get(&key) {
                Some(i) => Some(*i),
                None => {
                    self.tree.insert(key, next);
                    None
                }
            }
        };
        if let Some(i) = found {
            return Ok((i, false));
        }
        self.len += 1;
        self.grown(h)?;
        Ok((next, true))
    }

    fn grown(&mut self, h: &mut dyn Host) -> Result<()> {
        // Now and then is enough: a table doubles.
        if self.len.is_power_of_two() {
            h.reserve(self.len as u64 * 96)?;
            self.bytes.set(self.len * 96);
        }
        Ok(())
    }
}
