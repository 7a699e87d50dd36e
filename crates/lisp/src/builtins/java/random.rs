//! Java's `Random`: numbers that a seed decides, the same as in Java. Its state is in memory like what an atom holds, so a
//! turn that fails undoes what it has given.
//!
//! `java.util.Random` of Java 17, whose sequence its documentation specifies.

use crate::builtins::args::{get, int};
use crate::builtins::arrays;
use crate::builtins::arrays::items::place_of;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number;
use crate::value::boxed::{CellId, Place};
use crate::value::{Builtin, Value, Width};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("Random.", "| seed", "A sequence of numbers that a seed decides, the one that Java gives; without a seed the turn's decides.",
        &[("(.nextInt (java.util.Random. 42) 100)", "30"), ("(let [r (java.util.Random. 42)] [(.nextInt r) (.nextLong r)])", "[-1170105035 1008396158678580193]")], &of_32_bits!(make)),
    Builtin::new(".setSeed", "random seed", "Begins the sequence of a Random again, with a seed; nil.",
        &[("(let [r (java.util.Random. 1)] (.setSeed r 42) (.nextInt r 100))", "30")], &of_32_bits!(|h, a| {
            let (id, seed) = (random(a)?, int(a, 1)?);
            put(h, id, scrambled(seed), None);
            Ok(Value::Nil)
        })),
    Builtin::new(".nextInt", "random | random bound | random origin bound", "The next 32-bit integer of a Random: any, from 0 up to, without, a bound, or from an origin on.",
        &[("(.nextInt (java.util.Random. 42) 10)", "0"), ("(.nextInt (java.util.Random. 1) 0)", "!bound must be positive")], &of_32_bits!(next_int)),
    Builtin::new(".nextLong", "random | random bound | random origin bound", "The next 64-bit integer of a Random.",
        &[("(.nextLong (java.util.Random. 42))", "-5025562857975149833")], &Body(next_long)),
    Builtin::new(".nextDouble", "random | random bound | random origin bound", "The next double of a Random, from 0 up to, without, 1 or a bound, or from an origin on.",
        &[("(.nextDouble (java.util.Random. 42))", "0.7275636800328681")], &Body(next_double)),
    Builtin::new(".nextFloat", "random", "The next float of a Random, from 0 up to, without, 1.",
        &[("(.nextFloat (java.util.Random. 42))", "0.7275637")], &Body(|h, a| with(h, a, |state| {
            let f = state.next(24) as f32 / (1u32 << 24) as f32;
            Value::float32(f)
        }))),
    Builtin::new(".nextBoolean", "random", "The next boolean of a Random.", &[("(.nextBoolean (java.util.Random. 42))", "true")],
        &Body(|h, a| with(h, a, |state| Value::Bool(state.next(1) != 0)))),
    Builtin::new(".nextGaussian", "random", "The next double of a Random as they are spread around 0, with a standard deviation of 1.",
        &[("(.nextGaussian (java.util.Random. 42))", "1.1419053154730547")], &Body(next_gaussian)),
    Builtin::new(".nextBytes", "random bytes", "Fills an array of bytes from a Random; nil.",
        &[("(let [b (byte-array 3)] (.nextBytes (java.util.Random. 42) b) (vec b))", "[53 -99 65]")], &Body(next_bytes)),
];

/// The state of a sequence, and the second of two numbers that came together.
struct State {
    seed: u64,
    gaussian: Option<f64>,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

fn scrambled(seed: i64) -> u64 {
    (seed.cast_unsigned() ^ MULTIPLIER) & MASK
}

impl State {
    /// So many bits, as a 32-bit integer.
    fn next(&mut self, bits: u32) -> i32 {
        self.seed = self.seed.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        (self.seed >> (48 - bits)) as i32
    }

    fn long(&mut self) -> i64 {
        let high = i64::from(self.next(32)) << 32;
        high.wrapping_add(self.next(32).into())
    }

    fn double(&mut self) -> f64 {
        let high = i64::from(self.next(26)) << 27;
        (high + i64::from(self.next(27))) as f64 / (1u64 << 53) as f64
    }

    /// From 0 up to, without, a bound above 0.
    fn below(&mut self, bound: i32) -> i32 {
        let mut r = self.next(31);
        let last = bound - 1;
        if bound & last == 0 {
            return ((i64::from(bound) * i64::from(r)) >> 31) as i32;
        }
        let mut all = r;
        loop {
            r = all.wrapping_rem(bound);
            if all.wrapping_sub(r).wrapping_add(last) >= 0 {
                return r;
            }
            all = self.next(31);
        }
    }

    fn long_below(&mut self, bound: i64) -> i64 {
        let last = bound.wrapping_sub(1);
        let r = self.long();
        if bound & last == 0 {
            return r & last;
        }
        let half = |r: i64| (r.cast_unsigned() >> 1).cast_signed();
        let mut all = half(r);
        loop {
            let r = all.wrapping_rem(bound);
            if all.wrapping_add(last).wrapping_sub(r) >= 0 {
                return r;
            }
            all = half(self.long());
        }
    }

    /// From an origin up to, without, a bound above it.
    fn between(&mut self, origin: i32, bound: i32) -> i32 {
        let n = bound.wrapping_sub(origin);
        let last = n.wrapping_sub(1);
        let mut r = self.next(32);
        let half = |r: i32| (r.cast_unsigned() >> 1).cast_signed();
        if n & last == 0 {
            return (r & last).wrapping_add(origin);
        }
        if n > 0 {
            let mut all = half(r);
            loop {
                r = all.wrapping_rem(n);
                if all.wrapping_add(last).wrapping_sub(r) >= 0 {
                    return r.wrapping_add(origin);
                }
                all = half(self.next(32));
            }
        }
        while !(origin..bound).contains(&r) {
            r = self.next(32);
        }
        r
    }

    fn long_between(&mut self, origin: i64, bound: i64) -> i64 {
        let n = bound.wrapping_sub(origin);
        if n > 0 {
            return self.long_below(n).wrapping_add(origin);
        }
        if n == i64::MIN {
            return (self.long() & i64::MAX).wrapping_add(origin);
        }
        loop {
            let r = self.long();
            if (origin..bound).contains(&r) {
                return r;
            }
        }
    }

    fn gaussian(&mut self) -> f64 {
        if let Some(second) = self.gaussian.take() {
            return second;
        }
        loop {
            let (x, y) = (2.0 * self.double() - 1.0, 2.0 * self.double() - 1.0);
            let s = x * x + y * y;
            if s < 1.0 && s != 0.0 {
                let factor = (-2.0 * log(s) / s).sqrt();
                self.gaussian = Some(y * factor);
                return x * factor;
            }
        }
    }
}

/// The natural logarithm of a number between 0 and 1, to the last digit as Java's `StrictMath` computes it: fdlibm's way.
fn log(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const L: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    let [l1, l2, l3, l4, l5, l6, l7] = L;
    // The numbers here are squares of doubles with 53 bits behind the point: never so small that they have no exponent.
    let bits = x.to_bits();
    let high = (bits >> 32) as i32;
    let part = high & 0x000f_ffff;
    let carry = (part.wrapping_add(0x9_5f64)) & 0x10_0000;
    let k = f64::from((high >> 20) - 1023 + (carry >> 20));
    let scaled = u64::from((part | (carry ^ 0x3ff0_0000)).cast_unsigned()) << 32 | (bits & 0xffff_ffff);
    let f = f64::from_bits(scaled) - 1.0;
    if 0x000f_ffff & (2 + part) < 3 {
        if f == 0.0 {
            return k * LN2_HIGH + k * LN2_LOW;
        }
        let r = f * f * (0.5 - 0.333_333_333_333_333_3 * f);
        return if k == 0.0 { f - r } else { k * LN2_HIGH - ((r - k * LN2_LOW) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (l2 + w * (l4 + w * l6));
    let odd = z * (l1 + w * (l3 + w * (l5 + w * l7)));
    let r = odd + even;
    if (part.wrapping_sub(0x6_147a) | 0x6_b851i32.wrapping_sub(part)) > 0 {
        let half = 0.5 * f * f;
        if k == 0.0 {
            f - (half - s * (half + r))
        } else {
            k * LN2_HIGH - ((half - (s * (half + r) + k * LN2_LOW)) - f)
        }
    } else if k == 0.0 {
        f - s * (f - r)
    } else {
        k * LN2_HIGH - ((s * (f - r) - k * LN2_LOW) - f)
    }
}

fn make(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(4)?;
    let seed = if a.is_empty() { h.random().cast_signed() } else { int(a, 0)? };
    place_of(h, Place::Random, held(scrambled(seed), None))
}

fn held(seed: u64, gaussian: Option<f64>) -> Value {
    let seed = Value::int(seed.cast_signed());
    match gaussian {
        None => seed,
        Some(second) => Value::vector(vec![seed, Value::float(second)]),
    }
}

fn put(h: &mut dyn Host, id: CellId, seed: u64, gaussian: Option<f64>) {
    h.cell_set(id, held(seed, gaussian));
}

fn random(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Place(id) if id.place() == Place::Random => Ok(*id),
        other => Err(Interrupt::argument(0, "a Random", other).hint("(java.util.Random. 42) makes one")),
    }
}

fn with<T>(h: &mut dyn Host, a: &[Value], f: impl FnOnce(&mut State) -> T) -> Result<T> {
    let id = random(a)?;
    h.charge(6)?;
    let (seed, gaussian) = match h.cell_get(id) {
        Value::Int(seed) => (seed.get(), None),
        Value::Vector(both) => match (both.get(0), both.get(1)) {
            (Some(Value::Int(seed)), Some(Value::Float(second))) => (seed.get(), Some(second.get())),
            _ => (0, None),
        },
        _ => (0, None),
    };
    let mut state = State { seed: seed.cast_unsigned(), gaussian };
    let found = f(&mut state);
    put(h, id, state.seed, state.gaussian);
    Ok(found)
}

/// The next index of a Random up to, without, `n`.
///
/// # Errors
/// When the argument is no Random.
pub fn index(h: &mut dyn Host, random: &Value, n: usize) -> Result<usize> {
    let bound = i32::try_from(n).unwrap_or(i32::MAX).max(1);
    let found = with(h, std::slice::from_ref(random), |state| state.below(bound))?;
    Ok(usize::try_from(found).unwrap_or_default())
}

#[cold]
fn wrong(words: &str) -> Interrupt {
    Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words)
}

const NO_BOUND: &str = "bound must be positive";
const NO_RANGE: &str = "bound must be greater than origin";

fn small(a: &[Value], i: usize) -> Result<i32> {
    let n = int(a, i)?;
    i32::try_from(n).map_err(|_| {
        Interrupt::error(ErrorKind::Value, format!("Value out of range for int: {n}"))
            .hint(".nextLong takes larger ones")
    })
}

fn next_int(h: &mut dyn Host, a: &mut [Value]) -> Result {
    random(a)?;
    let found = match a.len() {
        0 | 1 => with(h, a, |state| state.next(32))?,
        2 => {
            let bound = small(a, 1)?;
            if bound <= 0 {
                return Err(wrong(NO_BOUND));
            }
            with(h, a, |state| state.below(bound))?
        }
        _ => {
            let (origin, bound) = (small(a, 1)?, small(a, 2)?);
            if origin >= bound {
                return Err(wrong(NO_RANGE));
            }
            with(h, a, |state| state.between(origin, bound))?
        }
    };
    Ok(Value::int(found.into()))
}

fn next_long(h: &mut dyn Host, a: &mut [Value]) -> Result {
    random(a)?;
    let found = match a.len() {
        0 | 1 => with(h, a, State::long)?,
        2 => {
            let bound = int(a, 1)?;
            if bound <= 0 {
                return Err(wrong(NO_BOUND));
            }
            with(h, a, |state| state.long_below(bound))?
        }
        _ => {
            let (origin, bound) = (int(a, 1)?, int(a, 2)?);
            if origin >= bound {
                return Err(wrong(NO_RANGE));
            }
            with(h, a, |state| state.long_between(origin, bound))?
        }
    };
    Ok(Value::int(found))
}

fn next_double(h: &mut dyn Host, a: &mut [Value]) -> Result {
    random(a)?;
    let mut end = [0.0, 1.0];
    if a.len() == 2 {
        end = [0.0, number::to_f64(h, get(a, 1))?];
        if !(end[1] > 0.0 && end[1].is_finite()) {
            return Err(wrong("bound must be finite and positive"));
        }
    } else if a.len() > 2 {
        end = [number::to_f64(h, get(a, 1))?, number::to_f64(h, get(a, 2))?];
        if !(end[0] < end[1] && (end[1] - end[0]).is_finite()) {
            return Err(wrong(NO_RANGE));
        }
    }
    let [origin, bound] = end;
    let r = with(h, a, State::double)?;
    Ok(Value::float(match a.len() {
        0 | 1 => r,
        n => {
            let r = if n == 2 { r * bound } else { r * (bound - origin) + origin };
            if r >= bound { bound.next_down() } else { r }
        }
    }))
}

fn next_gaussian(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() > 1 {
        return Err(Interrupt::from(crate::arity::arity_error(".nextGaussian", 1, Some(1), a.len()))
            .hint("write (+ mean (* stddev (.nextGaussian random)))"));
    }
    h.charge(16)?;
    with(h, a, State::gaussian).map(Value::float)
}

fn next_bytes(h: &mut dyn Host, a: &mut [Value]) -> Result {
    random(a)?;
    let Value::Place(id) = get(a, 1) else { return Err(Interrupt::argument(1, "an array of bytes", get(a, 1))) };
    let id = *id;
    if id.place() != Place::Bytes {
        return Err(Interrupt::argument(1, "an array of bytes", get(a, 1)));
    }
    let n = arrays::items::items(h, get(a, 1), 1)?.len();
    h.charge(n as u64 / 2)?;
    h.reserve(n as u64 * 32)?;
    let all: Vec<Value> = with(h, a, |state| {
        let fours = (0..n.div_ceil(4)).flat_map(|_| state.next(32).to_le_bytes());
        fours.take(n).map(|b| Value::int(b.cast_signed().into()).of_width(Width::W8)).collect()
    })?;
    h.cell_set(id, Value::vector(all));
    Ok(Value::Nil)
}
