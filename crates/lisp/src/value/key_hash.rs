//! Hashes of keys for large maps and sets, keyed at random for each process, and what puts keys in order quickly.
//!
//! No order, text, fuel or memory depends on a hash, and programs have no clock, so nothing tells them which keys
//! collide. The hash is multilinear over words (strongly universal): whatever keys were chosen without knowing the
//! random key, two of them collide by chance only.

use super::Value;
use num_traits::ToPrimitive;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// Words of the longest text that is hashed by words.
const WORDS: usize = 8;
/// Longest sequence that is hashed, so that a key costs no more than its price.
const LONG: usize = 8;

struct Secret {
    /// A factor for each word, as wide as twice a word.
    factors: [u128; WORDS],
    length: u128,
    start: u128,
    long: RandomState,
}

fn secret() -> &'static Secret {
    static SECRET: OnceLock<Secret> = OnceLock::new();
    SECRET.get_or_init(|| {
        let long = RandomState::new();
        let random = |n: u8| u128::from(long.hash_one((n, 0u8))) << 64 | u128::from(long.hash_one((n, 1u8)));
        let mut n = 0;
        let factors = [0; WORDS].map(|_: u128| {
            n += 1;
            random(n)
        });
        Secret { factors, length: random(n + 1), start: random(n + 2), long }
    })
}

#[inline]
fn times(factor: u128, word: u64) -> u128 {
    factor.wrapping_mul(u128::from(word))
}

/// The upper half, its bits mixed so that a table may take any of them.
#[inline]
fn finish(sum: u128) -> u64 {
    let h = (sum >> 64) as u64;
    let h = (h ^ (h >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h ^ (h >> 32)
}

#[inline]
fn word(s: &Secret, word: u64) -> u64 {
    let [factor, ..] = s.factors;
    finish(s.start.wrapping_add(times(factor, word)))
}

fn sequence(s: &Secret, items: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let (mut sum, mut len) = (s.start, 0u64);
    let mut factors = s.factors.iter();
    for item in items {
        // Longer ones than there are factors have no hash.
        sum = sum.wrapping_add(times(*factors.next()?, item?));
        len += 1;
    }
    // Not the sum that a text of these words would have.
    Some(finish(sum.wrapping_sub(times(s.length, len + 1))))
}

#[inline]
fn text(s: &Secret, text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    if words.len() >= WORDS {
        return s.long.hash_one(text);
    }
    let mut sum = s.start.wrapping_add(times(s.length, text.len() as u64));
    let mut factors = s.factors.iter();
    for (w, f) in words.iter().zip(factors.by_ref()) {
        sum = sum.wrapping_add(times(*f, u64::from_le_bytes(*w)));
    }
    if let Some(f) = factors.next() {
        let last = rest.iter().rev().fold(0u64, |w, b| w << 8 | u64::from(*b));
        sum = sum.wrapping_add(times(*f, last));
    }
    finish(sum)
}

#[inline]
fn scalar(s: &Secret, v: &Value) -> Option<u64> {
    Some(match v {
        Value::Int(i) => word(s, i.get() as u64),
        // A keyword and a string of one text have one hash, since a lookup takes either for the other.
        Value::Str(t) => text(s, t.as_str()),
        Value::Keyword(k) => text(s, k.text()),
        Value::Symbol(n) => text(s, n.text()).rotate_left(1),
        Value::Object(_) => text(s, v.class_text()?).rotate_left(2),
        Value::Char(c) => word(s, u64::from(u32::from(*c))).rotate_left(1),
        Value::Bool(b) => word(s, u64::from(*b)).rotate_left(2),
        Value::Nil => word(s, 2).rotate_left(2),
        // `1N` and 1 are one key (trap 1).
        Value::Big(b) => word(s, b.to_i64()? as u64),
        // 0.0 and -0.0 are one key, and so are all NaN.
        Value::Float(f) if *f == 0.0 => word(s, 0).rotate_left(3),
        Value::Float(f) if f.get().is_nan() => word(s, 1).rotate_left(3),
        Value::Float(f) => word(s, f.get().to_bits()).rotate_left(3),
        _ => return None,
    })
}

/// A number that is the same for the same key ([`super::Item::same_key`]); `None` for keys without a cheap one, which
/// are never the same as one that has it. Of sequences that are no arrays [`items_hash`] says it.
#[inline]
pub fn key_hash(v: &Value) -> Option<u32> {
    let s = secret();
    let hash = match v {
        Value::Int(i) => Some(word(s, i.get() as u64)),
        Value::Vector(x) if x.len() <= LONG => sequence(s, x.iter().map(|v| scalar(s, v))),
        Value::Slice(x) if x.len() <= LONG => sequence(s, x.iter().map(|v| scalar(s, v))),
        v => scalar(s, v),
    };
    hash.map(|h| h as u32)
}

/// As [`key_hash`], of a sequence of these items.
pub fn items_hash(items: impl Iterator<Item = Value>) -> Option<u32> {
    let s = secret();
    sequence(s, items.map(|v| scalar(s, &v))).map(|h| h as u32)
}

/// Bits by which keys compare in [`super::Item::key_order`] as long as the bits differ; `None` for keys that have to be
/// compared themselves.
pub fn order_bits(v: &Value) -> Option<(u8, u64)> {
    let start = |text: &str| {
        let bytes = text.as_bytes().iter().copied().chain(std::iter::repeat(0)).take(8);
        bytes.fold(0u64, |bits, b| bits << 8 | u64::from(b))
    };
    Some(match v {
        Value::Nil => (0, 0),
        Value::Bool(b) => (1, u64::from(*b)),
        // Numbers of other kinds are among the integers.
        Value::Int(i) => (2, (i.get() as u64) ^ (1 << 63)),
        Value::Char(c) => (3, u64::from(u32::from(*c))),
        Value::Str(s) => (4, start(s.as_str())),
        Value::Keyword(k) if k.ns().is_none() => (5, start(k.name())),
        _ => return None,
    })
}
