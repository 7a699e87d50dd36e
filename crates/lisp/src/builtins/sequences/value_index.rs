//! Finds the place of a key among many: what `group-by`, `frequencies` and `distinct` count with. Order never
//! depends on the hash, whose key is random (SECURITY R10, SECURITY attack 22): only places of first sight are given out.

use crate::cost;
use crate::host::{Host, Result};
use crate::value::map::Key;
use crate::value::node::Bytes;
use crate::value::{Item, Value};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

/// Up to this many keys a look at each is quicker than a hash.
const FEW: usize = 8;
/// Texts whose places are remembered by their addresses, at first and when there are more.
const GUESSES: usize = 512;
const MORE_GUESSES: usize = 8 * GUESSES;

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

/// A key that has a hash.
#[derive(Clone)]
struct Hashed {
    key: Value,
    /// Its place among all keys.
    place: usize,
    /// An earlier one with the same hash.
    before: u32,
}

/// Keys in the order of first sight.
pub struct Index {
    few: Vec<Value>,
    hashed: Vec<Hashed>,
    /// Where texts of `hashed` are, by their addresses: a guess, which is checked.
    guesses: Vec<u32>,
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
            hashed: self.hashed.clone(),
            guesses: self.guesses.clone(),
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
            hashed: Vec::new(),
            guesses: Vec::new(),
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
            self.guesses = vec![LAST; GUESSES];
            let few = std::mem::take(&mut self.few);
            self.len = 0;
            for k in few {
                self.look(h, &k)?;
            }
        }
        self.look(h, key)
    }

    /// Where it is remembered which of `hashed` a text is.
    #[inline]
    fn guess(&self, key: &Value) -> Option<usize> {
        // The number of places is a power of two.
        if let Value::Str(s) = key { Some((s.address() >> 4) & self.guesses.len().wrapping_sub(1)) } else { None }
    }

    #[cold]
    fn guess_more(&mut self) {
        self.guesses = vec![LAST; MORE_GUESSES];
        for (k, at) in self.hashed.iter().zip(0u32..) {
            if let Some(guess) = self.guess(&k.key).and_then(|g| self.guesses.get_mut(g)) {
                *guess = at;
            }
        }
    }

    fn look(&mut self, h: &mut dyn Host, key: &Value) -> Result<(usize, bool)> {
        let next = self.len;
        // A text that is held here is itself wherever it comes again, as texts of JSON do.
        let guess = self.guess(key);
        if let Some(guess) = guess
            && let Some(at) = self.guesses.get(guess)
            && let Some(Hashed { key: Value::Str(held), place, .. }) = self.hashed.get(*at as usize)
            && let Value::Str(s) = key
            && held.ptr_eq(s)
        {
            return Ok((*place, false));
        }
        let found = if let Some(hash) = key.key_hash().map(|h| u64::from(h) << 32 | u64::from(h)) {
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
                let at = u32::try_from(self.hashed.len()).unwrap_or(LAST);
                self.last.insert(hash, at);
                self.hashed.push(Hashed { key: key.clone(), place: next, before: last });
                if self.hashed.len() == GUESSES {
                    self.guess_more();
                } else if let Some(guess) = guess.and_then(|g| self.guesses.get_mut(g)) {
                    *guess = at;
                }
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
