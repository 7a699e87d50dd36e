//! What Java's `BigInteger` does beyond sums, products and quotients: powers and inverses by a modulus, primes, roots.
//! Each step is paid for by its size before it is done.

use super::cost;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

#[cold]
fn wrong(words: &str) -> Interrupt {
    Interrupt::error(ErrorKind::Arithmetic, words)
}

fn positive(modulus: &BigInt) -> Result<()> {
    if modulus.is_positive() { Ok(()) } else { Err(wrong("BigInteger: modulus not positive")) }
}

/// The remainder that is not below zero.
///
/// # Errors
/// Of a modulus that is not positive.
pub(crate) fn modulo(h: &mut dyn Host, n: &BigInt, modulus: &BigInt) -> Result<BigInt> {
    positive(modulus)?;
    cost::division(h, n.bits(), modulus.bits())?;
    Ok(n.mod_floor(modulus))
}

/// The greatest common divisor.
///
/// # Errors
/// When fuel or memory ends.
pub(crate) fn gcd(h: &mut dyn Host, a: &BigInt, b: &BigInt) -> Result<BigInt> {
    super::ratio::divisor(h, a, b)
}

/// `n` to a power, by a modulus.
///
/// # Errors
/// Of a modulus that is not positive, and of a negative power of what has no inverse.
pub(crate) fn mod_pow(h: &mut dyn Host, n: &BigInt, power: &BigInt, modulus: &BigInt) -> Result<BigInt> {
    positive(modulus)?;
    let n = if power.is_negative() { mod_inverse(h, n, modulus)? } else { modulo(h, n, modulus)? };
    let words = modulus.bits() / 64 + 1;
    // A product and a division for each bit of the power.
    h.charge((power.bits() + 8).saturating_mul(words.saturating_mul(words) / 8 + 4))?;
    h.reserve(words.saturating_mul(8 * 20))?;
    Ok(n.modpow(&power.abs(), modulus))
}

/// What times `n` leaves 1 by a modulus.
///
/// # Errors
/// Of a modulus that is not positive, and where there is none.
pub(crate) fn mod_inverse(h: &mut dyn Host, n: &BigInt, modulus: &BigInt) -> Result<BigInt> {
    positive(modulus)?;
    if modulus.is_one() {
        return Ok(BigInt::zero());
    }
    let n = modulo(h, n, modulus)?;
    // Euclid's rows: what is left, and how often `n` is in it.
    let (mut left, mut next) = (modulus.clone(), n);
    let (mut times, mut more) = (BigInt::zero(), BigInt::one());
    while !next.is_zero() {
        cost::division(h, left.bits(), next.bits())?;
        cost::product(h, left.bits().saturating_sub(next.bits()) + 64, modulus.bits())?;
        let (q, rest) = left.div_rem(&next);
        let after = &times - &q * &more;
        (left, next) = (next, rest);
        (times, more) = (more, after);
    }
    if !left.is_one() {
        return Err(wrong("BigInteger not invertible."));
    }
    Ok(times.mod_floor(modulus))
}

/// The root without its fraction.
///
/// # Errors
/// Of what is below zero.
pub(crate) fn root(h: &mut dyn Host, n: &BigInt) -> Result<BigInt> {
    if n.is_negative() {
        return Err(wrong("Negative BigInteger"));
    }
    // Each step of Newton's way is a division; they double the digits that are right.
    let steps = u64::from(u64::BITS - (n.bits() / 64 + 1).leading_zeros()) + 4;
    for _ in 0..steps {
        cost::division(h, n.bits(), n.bits() / 2)?;
    }
    Ok(n.sqrt())
}

/// The primes that are tried first, and as bases.
const SMALL: [u32; 54] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
    113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
    241, 251,
];

/// Whether a number is prime: by 13 bases, which is certain to 81 bits, and beyond them by Lucas's way too, which no
/// composite number is known to pass.
///
/// # Errors
/// When fuel or memory ends.
pub(crate) fn is_prime(h: &mut dyn Host, n: &BigInt) -> Result<bool> {
    if *n < BigInt::from(2u8) {
        return Ok(false);
    }
    cost::division(h, n.bits().saturating_mul(4), 64)?;
    for p in SMALL {
        if (n % p).is_zero() {
            return Ok(n.to_u32() == Some(p));
        }
    }
    if n.bits() <= 15 {
        return Ok(true);
    }
    let less: BigInt = n - 1u8;
    let twos = less.trailing_zeros().unwrap_or(0);
    let odd = &less >> twos;
    for base in SMALL.into_iter().take(13) {
        let mut x = mod_pow(h, &BigInt::from(base), &odd, n)?;
        let mut passes = x.is_one() || x == less;
        let mut left = twos;
        while !passes && left > 1 {
            cost::product(h, n.bits(), n.bits())?;
            cost::division(h, n.bits().saturating_mul(2), n.bits())?;
            x = &x * &x % n;
            passes = x == less;
            left -= 1;
        }
        if !passes {
            return Ok(false);
        }
    }
    if n.bits() <= 81 { Ok(true) } else { lucas(h, n) }
}

/// Whether `n`, odd and without small divisors, is what Lucas's sequence of Selfridge's parameters lets pass.
fn lucas(h: &mut dyn Host, n: &BigInt) -> Result<bool> {
    let root = root(h, n)?;
    if &root * &root == *n {
        return Ok(false);
    }
    let mut d = 5i64;
    while jacobi(h, d, n)? != -1 {
        d = if d > 0 { -d - 2 } else { -d + 2 };
    }
    let q = BigInt::from((1 - d) / 4);
    let d = BigInt::from(d);
    let step = |h: &mut dyn Host| {
        let (one, two) = (n.bits(), n.bits().saturating_mul(2));
        (0..6).try_for_each(|_| cost::product(h, one, one).and_then(|()| cost::division(h, two, one)))
    };
    let half = |x: BigInt| (if x.is_odd() { x + n } else { x }) >> 1u8;
    // The terms of n + 1, by doubling; p is 1.
    let count: BigInt = n + 1u8;
    let (mut u, mut v, mut power) = (BigInt::one(), BigInt::one(), q.clone());
    for bit in (0..count.bits() - 1).rev() {
        step(h)?;
        u = &u * &v % n;
        v = (&v * &v - (&power << 1u8)) % n;
        power = &power * &power % n;
        if count.bit(bit) {
            let next = half(&u + &v) % n;
            v = half(&d * &u + &v) % n;
            u = next;
            power = &power * &q % n;
        }
    }
    Ok((u % n).is_zero())
}

/// Jacobi's symbol of `a` over `n`, which is odd and positive.
fn jacobi(h: &mut dyn Host, a: i64, n: &BigInt) -> Result<i32> {
    cost::division(h, n.bits(), 64)?;
    let mut sign = 1;
    let last = |n: &BigInt| (n % 8u8).to_u8().unwrap_or(0);
    if a < 0 && last(n) % 4 == 3 {
        sign = -sign;
    }
    // One step on the long number, the others are on short ones.
    let mut a = a.unsigned_abs();
    let (mut n, mut eighth) = (n.clone(), last(n));
    loop {
        if a == 0 {
            return Ok(if n.is_one() { sign } else { 0 });
        }
        while a.is_multiple_of(2) {
            a /= 2;
            if eighth == 3 || eighth == 5 {
                sign = -sign;
            }
        }
        if a % 4 == 3 && eighth % 4 == 3 {
            sign = -sign;
        }
        let rest = (&n % a).to_u64().unwrap_or(0);
        (n, a) = (BigInt::from(a), rest);
        eighth = last(&n);
    }
}

/// The next prime above.
///
/// # Errors
/// Of what is below zero, and when fuel or memory ends.
pub(crate) fn next_prime(h: &mut dyn Host, n: &BigInt) -> Result<BigInt> {
    if n.is_negative() {
        return Err(wrong(&format!("start < 0: {}", super::big_text(n, 100))));
    }
    if n.is_zero() || n.is_one() {
        return Ok(BigInt::from(2u8));
    }
    let mut next: BigInt = n + 1u8;
    if next.is_even() {
        next += 1u8;
    }
    while !is_prime(h, &next)? {
        next += 2u8;
        cost::pass(h, next.bits())?;
    }
    cost::integer_bits(h, next.bits())?;
    Ok(next)
}
