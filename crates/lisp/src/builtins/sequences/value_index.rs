//! Finds the place of a key among many: what `group-by`, `frequencies` and `distinct` count with. Order never
//! depends on the hash, whose key is random (SECURITY R10, SECURITY attack 22): only places of first sight are given out.

use crate::cost;
use crate::host::{Host, Result};
use crate::value::map::Key;
use crate::value::node::Bytes;
use crate::value::{Item, Value};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, BuildHasherDefault, Hash as _, Hasher, RandomState};

/// Up to this many keys a look at each is quicker than a hash.
const FEW: usize = 8;
/// Longest sequence that is hashed.
const LONG: usize = 8;

/// Hashes are not hashed again: their key is random.
#[derive(Clone, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |n, b| n << 8 | u64::from(*b));
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}

/// No key before this one has its hash.
const LAST: u32 = u32::MAX;

/// A key of which [`hashable`] holds.
#[derive(Clone)]
struct Hashed {
    key: Value,
    /// Its place among all keys.
    place: usize,
    /// An earlier one with the same hash.
    before: u32,
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

/// The hash of a plain value or a short sequence of such; `None` of all else.
fn hash_of(v: &Value, key: &RandomState) -> Option<u64> {
    let mut state = key.build_hasher();
    if scalar(v, &mut state) {
        return Some(state.finish());
    }
    let items = short(v)?;
    state.write_u8(9);
    for v in &items {
        scalar(v, &mut state);
    }
    Some(state.finish())
}

/// Keys in the order of first sight.
pub struct Index {
    few: Vec<Value>,
    random: RandomState,
    hashed: Vec<Hashed>,
    /// The last of those with a hash.
    last: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
    tree: BTreeMap<Key<Value>, usize>,
    len: usize,
    bytes: Bytes,
}

impl Clone for Index {
    fn clone(&self) -> Self {
        Index {
            few: self.few.clone(),
            random: self.random.clone(),
            hashed: self.hashed.clone(),
            last: self.last.clone(),
            tree: self.tree.clone(),
            len: self.len,
            bytes: Bytes::new(self.bytes.get()),
        }
    }
}

impl Default for Index {
    fn default() -> Self {
        Index {
            few: Vec::new(),
            random: RandomState::new(),
            hashed: Vec::new(),
            last: HashMap::default(),
            tree: BTreeMap::new(),
            len: 0,
            bytes: Bytes::new(0),
        }
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
                self.look(h, &k)?;
            }
        }
        self.look(h, key)
    }

    fn look(&mut self, h: &mut dyn Host, key: &Value) -> Result<(usize, bool)> {
        let next = self.len;
        let found = if let Some(hash) = hash_of(key, &self.random) {
            let last = self.last.get(&hash).copied().unwrap_or(LAST);
            let mut at = last;
            let found = loop {
                match self.hashed.get(at as usize) {
                    Some(k) if k.key.same_key(key) => break Some(k.place),
                    Some(k) => at = k.before,
                    None => break None,
                }
            };
            if found.is_none() {
                self.last.insert(hash, u32::try_from(self.hashed.len()).unwrap_or(LAST));
                self.hashed.push(Hashed { key: key.clone(), place: next, before: last });
            }
            found
        } else {
            h.charge(8)?;
            let key = Key(key.clone());
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
