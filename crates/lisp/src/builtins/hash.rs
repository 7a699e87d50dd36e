//! `hash` with Clojure's numbers: Murmur3 over integers, texts and collections, Java's codes for the rest.

use super::args::get;
use super::types::own_methods::own_hash;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::host::{Host, Result, of_32_bits};
use crate::value::compare::RealizedIter;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Value, Width};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[Builtin::new(
    "hash",
    "x",
    "A number that is the same for equal values.",
    &[("(hash [1 2])", "156247261"), ("(= (hash [1 2]) (hash '(1 2)))", "true")],
    &of_32_bits!(|h, a| {
        if let Some(own) = own_hash(h, get(a, 0))? {
            return Ok(own);
        }
        cost::key(h, get(a, 0))?;
        text(h, get(a, 0))?;
        Ok(number(hash_of(get(a, 0))))
    }),
)];

/// Charges what hashing a text costs beyond comparing it: it goes by UTF-16 units.
fn text(h: &mut dyn Host, v: &Value) -> Result<()> {
    if let Value::Str(s) = v { h.charge(s.as_str().len() as u64 / 32) } else { Ok(()) }
}

fn number(code: i32) -> Value {
    Value::int(i64::from(code))
}

// Murmur3 for 32 bits, with seed 0.

fn mix_key(k: i32) -> i32 {
    k.wrapping_mul(0xcc9e_2d51_u32 as i32).rotate_left(15).wrapping_mul(0x1b87_3593)
}

fn mix_hash(h: i32, k: i32) -> i32 {
    (h ^ k).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64_u32 as i32)
}

fn finish(h: i32, len: i32) -> i32 {
    let mut h = (h ^ len) as u32;
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    (h ^ (h >> 16)) as i32
}

fn of_int(n: i32) -> i32 {
    if n == 0 { 0 } else { finish(mix_hash(0, mix_key(n)), 4) }
}

fn of_long(n: i64) -> i32 {
    if n == 0 {
        return 0;
    }
    let (low, high) = (n as i32, (n >> 32) as i32);
    finish(mix_hash(mix_hash(0, mix_key(low)), mix_key(high)), 8)
}

/// Of a text's UTF-16 units, as names are hashed.
fn of_units(text: &str) -> i32 {
    let (mut h, mut len, mut first) = (0, 0i32, None);
    for unit in text.encode_utf16() {
        len = len.wrapping_add(1);
        first = match first {
            None => Some(i32::from(unit)),
            Some(low) => {
                h = mix_hash(h, mix_key(low | i32::from(unit) << 16));
                None
            }
        };
    }
    if let Some(low) = first {
        h ^= mix_key(low);
    }
    finish(h, len.wrapping_mul(2))
}

fn mixed(basis: i32, count: i32) -> i32 {
    finish(mix_hash(0, mix_key(basis)), count)
}

fn ordered<'a>(items: impl Iterator<Item = &'a Value>) -> i32 {
    let (code, n) =
        items.fold((1i32, 0i32), |(code, n), v| (code.wrapping_mul(31).wrapping_add(hash_of(v)), n.wrapping_add(1)));
    mixed(code, n)
}

fn unordered(codes: impl Iterator<Item = i32>) -> i32 {
    let (sum, n) = codes.fold((0i32, 0i32), |(sum, n), code| (sum.wrapping_add(code), n.wrapping_add(1)));
    mixed(sum, n)
}

/// Java's code of a string.
pub(super) fn java_text(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |code, unit| code.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// Java's code of a big integer.
pub(super) fn java_big(n: &BigInt) -> i32 {
    let words = n.magnitude().to_u32_digits();
    let code = words.iter().rev().fold(0i32, |code, w| code.wrapping_mul(31).wrapping_add(*w as i32));
    if n.sign() == Sign::Minus { code.wrapping_neg() } else { code }
}

fn of_name(ns: Option<&str>, name: &str) -> i32 {
    let (seed, ns) = (of_units(name), ns.map_or(0, java_text));
    let more = ns.wrapping_add(0x9e37_79b9_u32 as i32).wrapping_add(seed << 6).wrapping_add(seed >> 2);
    seed ^ more
}

/// The halves of 64 bits, folded onto each other.
pub(super) fn folded(bits: u64) -> i32 {
    (bits ^ (bits >> 32)) as i32
}

/// Equal values give equal codes, integers of both sizes among them. Everything inside is realised.
pub(super) fn hash_of(v: &Value) -> i32 {
    match v {
        Value::Bool(true) => 1231,
        Value::Bool(false) => 1237,
        Value::Int(i) => of_long(i.get()),
        Value::Big(b) => b.to_i64().map_or_else(|| java_big(b), of_long),
        Value::Ratio(r) => java_big(r.numer()) ^ java_big(r.denom()),
        Value::Decimal(d) => {
            let d = d.stripped();
            java_big(&d.unscaled).wrapping_mul(31).wrapping_add(d.scale)
        }
        // Both zeros are equal.
        Value::Float(f) if *f == 0.0 => 0,
        Value::Float(f) if f.width() == Width::W32 => (f.get() as f32).to_bits().cast_signed(),
        Value::Float(f) => folded(f.get().to_bits()),
        Value::Char(c) => u32::from(*c) as i32,
        Value::Str(s) => of_int(java_text(s.as_str())),
        Value::Symbol(s) => of_name(s.ns(), s.name()),
        Value::Keyword(k) => of_name(k.ns(), k.name()).wrapping_add(0x9e37_79b9_u32 as i32),
        Value::Uuid(u) => folded((***u >> 64) as u64 ^ ***u as u64),
        Value::Time(t) => crate::time::order::hash(t),
        Value::Map(m) => {
            let entries = on_deep_stack(|| unordered(m.iter_unordered().map(|(k, v)| ordered([k, v].into_iter()))));
            m.record_type().map_or(0, |r| hash_of(&r.name)) ^ entries
        }
        Value::Set(s) => on_deep_stack(|| unordered(s.iter_unordered().map(hash_of))),
        Value::Vector(x) => on_deep_stack(|| ordered(x.iter())),
        Value::Slice(x) => on_deep_stack(|| ordered(x.iter())),
        Value::Cons(_) | Value::Lazy(_) => on_deep_stack(|| {
            let items = RealizedIter::new(v);
            let (code, n) = items.fold((1i32, 0i32), |(code, n), v| {
                (code.wrapping_mul(31).wrapping_add(hash_of(&v)), n.wrapping_add(1))
            });
            mixed(code, n)
        }),
        // What is only itself: any number will do.
        Value::Atom(c) | Value::Volatile(c) | Value::Builder(c) | Value::Delay(c) | Value::Place(c) => {
            of_long(c.0 as i64)
        }
        Value::Builtin(b) => of_int(java_text(b.name())),
        Value::Object(_) => v.class_text().map_or(0, |name| of_int(java_text(name))),
        Value::Tool(name) => of_int(java_text(name.as_str())),
        _ => 0,
    }
}
