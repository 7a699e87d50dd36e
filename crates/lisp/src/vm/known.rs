//! Functions of the language of one argument that are called on item after item more than others (`inc`, `even?`, `nil?`):
//! what they give for plain values, without a call. All else is left to the call, as are errors.

use super::found::Found;
use crate::fuel::Cost;
use crate::value::Value;

/// What a call of one of them costs.
pub(super) const CALLED: Cost = Cost(3);

/// One of them.
#[derive(Clone, Copy)]
pub(super) enum Known {
    Inc,
    Dec,
    Even,
    Odd,
    Zero,
    Pos,
    Neg,
    Nil,
    Some,
    Not,
    Identity,
}

impl Known {
    /// The one that `f` is.
    #[inline]
    pub fn of(f: &Value) -> Option<Self> {
        let Value::Builtin(b) = f else { return None };
        Some(match b.name() {
            "inc" => Known::Inc,
            "dec" => Known::Dec,
            "even?" => Known::Even,
            "odd?" => Known::Odd,
            "zero?" => Known::Zero,
            "pos?" => Known::Pos,
            "neg?" => Known::Neg,
            "nil?" => Known::Nil,
            "some?" => Known::Some,
            "not" => Known::Not,
            "identity" => Known::Identity,
            _ => return None,
        })
    }

    /// What it gives, if that is seen at once.
    #[inline(always)]
    pub fn plain(self, x: Found<'_>) -> Option<Found<'_>> {
        Some(match (self, x) {
            (Known::Inc, Found::Int(x)) => Found::int(x.get().checked_add(1)?),
            (Known::Dec, Found::Int(x)) => Found::int(x.get().checked_sub(1)?),
            (Known::Inc, Found::Float(x)) => Found::float(x.get() + 1.0),
            (Known::Dec, Found::Float(x)) => Found::float(x.get() - 1.0),
            (Known::Even, Found::Int(x)) => Found::Bool(x.get() & 1 == 0),
            (Known::Odd, Found::Int(x)) => Found::Bool(x.get() & 1 != 0),
            (Known::Zero, Found::Int(x)) => Found::Bool(x.get() == 0),
            (Known::Pos, Found::Int(x)) => Found::Bool(x.get() > 0),
            (Known::Neg, Found::Int(x)) => Found::Bool(x.get() < 0),
            (Known::Zero, Found::Float(x)) => Found::Bool(x.get() == 0.0),
            (Known::Pos, Found::Float(x)) => Found::Bool(x.get() > 0.0),
            (Known::Neg, Found::Float(x)) => Found::Bool(x.get() < 0.0),
            (Known::Nil, x) => Found::Bool(x.is_nil()),
            (Known::Some, x) => Found::Bool(!x.is_nil()),
            (Known::Not, x) => Found::Bool(!x.truthy()),
            (Known::Identity, x) => x,
            _ => return None,
        })
    }
}
