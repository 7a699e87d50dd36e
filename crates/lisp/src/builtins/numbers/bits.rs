//! Operations on the bits of 64-bit integers. Shifts and places count modulo 64, as in Java.

use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Value};

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "bit-and",
        "x y | x y & more",
        "The bits that are set in all.",
        &[("(bit-and 12 10)", "8")],
        &Body(|h, a| fold(h, a, |x, y| x & y)),
    ),
    Builtin::new(
        "bit-or",
        "x y | x y & more",
        "The bits that are set in any.",
        &[("(bit-or 12 10)", "14")],
        &Body(|h, a| fold(h, a, |x, y| x | y)),
    ),
    Builtin::new(
        "bit-xor",
        "x y | x y & more",
        "The bits that are set in an odd number of them.",
        &[("(bit-xor 12 10)", "6")],
        &Body(|h, a| fold(h, a, |x, y| x ^ y)),
    ),
    Builtin::new(
        "bit-and-not",
        "x y | x y & more",
        "The bits of x that are set in none of the others.",
        &[("(bit-and-not 15 5)", "10")],
        &Body(|h, a| fold(h, a, |x, y| x & !y)),
    ),
    Builtin::new(
        "bit-not",
        "x",
        "Every bit turned over.",
        &[("(bit-not 5)", "-6")],
        &Body(|_, a| Ok(Value::int(!int(a, 0)?))),
    ),
    Builtin::new(
        "bit-shift-left",
        "x n",
        "The bits moved n places up.",
        &[("(bit-shift-left 1 10)", "1024")],
        &Body(|_, a| at(a, i64::wrapping_shl)),
    ),
    Builtin::new(
        "bit-shift-right",
        "x n",
        "The bits moved n places down, the sign kept.",
        &[("(bit-shift-right -8 1)", "-4")],
        &Body(|_, a| at(a, i64::wrapping_shr)),
    ),
    Builtin::new(
        "unsigned-bit-shift-right",
        "x n",
        "The bits moved n places down, zeros from above.",
        &[("(unsigned-bit-shift-right -1 1)", "9223372036854775807")],
        &Body(|_, a| at(a, |x, n| (x as u64).wrapping_shr(n) as i64)),
    ),
    Builtin::new(
        "bit-test",
        "x n",
        "Whether bit n is set.",
        &[("(bit-test 5 0)", "true")],
        &Body(|_, a| Ok(Value::Bool((int(a, 0)? >> (int(a, 1)? & 63)) & 1 == 1))),
    ),
    Builtin::new(
        "bit-set",
        "x n",
        "The integer with bit n set.",
        &[("(bit-set 0 3)", "8")],
        &Body(|_, a| at(a, |x, n| x | 1i64.wrapping_shl(n))),
    ),
    Builtin::new(
        "bit-clear",
        "x n",
        "The integer without bit n.",
        &[("(bit-clear 15 0)", "14")],
        &Body(|_, a| at(a, |x, n| x & !1i64.wrapping_shl(n))),
    ),
    Builtin::new(
        "bit-flip",
        "x n",
        "The integer with bit n turned over.",
        &[("(bit-flip 0 1)", "2")],
        &Body(|_, a| at(a, |x, n| x ^ 1i64.wrapping_shl(n))),
    ),
];

fn int(a: &[Value], i: usize) -> Result<i64> {
    match args::get(a, i) {
        Value::Int(n) => Ok(n.get()),
        x => Err(Interrupt::argument(i, "a 64-bit integer", x)),
    }
}

fn fold(h: &mut dyn Host, a: &[Value], op: fn(i64, i64) -> i64) -> Result {
    h.charge(a.len() as u64 / 2)?;
    let first = int(a, 0)?;
    let bits = (1..a.len()).try_fold(first, |x, i| int(a, i).map(|y| op(x, y)))?;
    Ok(Value::int(bits))
}

fn at(a: &[Value], op: fn(i64, u32) -> i64) -> Result {
    let (x, n) = (int(a, 0)?, int(a, 1)?);
    // Java counts places modulo 64.
    Ok(Value::int(op(x, (n & 63) as u32)))
}
