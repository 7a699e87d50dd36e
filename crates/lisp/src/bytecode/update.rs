//! Functions that calls of `update` are known to make: those that turn a number into another.

use crate::builtins::functions::combinators::Native;
use crate::fuel::Cost;
use crate::value::{Builtin, Value, Width};

/// What a call of `+` and the like with two arguments costs.
pub const COMPUTED: Cost = Cost(3 + Cost::of_items(2).0);

/// What two plain numbers of one kind give without a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `max`
    Max,
    /// `min`
    Min,
}

impl Arithmetic {
    /// That of a builtin.
    #[inline]
    pub fn of(f: &Builtin) -> Option<Self> {
        Some(match f.name() {
            "+" => Arithmetic::Add,
            "-" => Arithmetic::Sub,
            "*" => Arithmetic::Mul,
            "max" => Arithmetic::Max,
            "min" => Arithmetic::Min,
            _ => return None,
        })
    }

    /// What it gives, if it is plain.
    #[inline]
    pub fn plain(self, a: &Value, b: &Value) -> Option<Value> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => match self {
                Arithmetic::Add => a.get().checked_add(b.get()),
                Arithmetic::Sub => a.get().checked_sub(b.get()),
                Arithmetic::Mul => a.get().checked_mul(b.get()),
                // One of them is given back as it is.
                Arithmetic::Max | Arithmetic::Min if a.width() != Width::W64 || b.width() != Width::W64 => None,
                Arithmetic::Max => Some(a.get().max(b.get())),
                Arithmetic::Min => Some(a.get().min(b.get())),
            }
            .map(Value::int),
            (Value::Float(a), Value::Float(b)) => match self {
                Arithmetic::Add => Some(a.get() + b.get()),
                Arithmetic::Sub => Some(a.get() - b.get()),
                Arithmetic::Mul => Some(a.get() * b.get()),
                Arithmetic::Max | Arithmetic::Min => None,
            }
            .map(Value::float),
            _ => None,
        }
    }
}

/// What is done with a number that is changed.
#[derive(Clone, Copy)]
enum Change {
    /// `inc`, `dec`
    Step(i64),
    /// With the argument behind the function.
    Of(Arithmetic),
}

/// What became of an `update` in registers.
pub enum InPlace {
    /// The map has the number.
    Done,
    /// Nothing, and what comes first is charged.
    Charged,
    /// Nothing.
    Other,
}

/// A call of `update` with a constant function.
pub struct Update {
    /// The row of `update`, for words in errors.
    pub builtin: &'static Builtin,
    /// The function.
    pub function: Value,
    change: Change,
    /// What `fnil` puts in the place of nil.
    default: Option<Value>,
    /// What a plain call of the function costs.
    pub cost: Cost,
}

impl Update {
    /// With `function` and so many arguments behind it; `None` where it is no known one.
    pub fn of(builtin: &'static Builtin, function: &Value, more: usize) -> Option<Self> {
        let (inner, default) = match function {
            Value::Builtin(b) => (*b, None),
            Value::Function(f) => match f.downcast::<Native>().filter(|n| n.name == "fnil")?.held.as_slice() {
                [Value::Builtin(b), default] => (*b, Some(default.clone())),
                _ => return None,
            },
            _ => return None,
        };
        let (change, cost) = match (inner.name(), more) {
            ("inc", 0) => (Change::Step(1), 3),
            ("dec", 0) => (Change::Step(-1), 3),
            (_, 1) => (Change::Of(Arithmetic::of(inner)?), COMPUTED.0),
            _ => return None,
        };
        let cost = Cost(cost + if default.is_some() { 4 } else { 0 });
        Some(Update { builtin, function: function.clone(), change, default, cost })
    }

    /// Whether an argument is behind the function.
    pub fn has_argument(&self) -> bool {
        matches!(self.change, Change::Of(_))
    }

    /// Changes what is at a key, nil where nothing is, if it is plain.
    #[inline]
    pub fn apply(&self, old: &mut Value, x: &Value) -> bool {
        let from = match &self.default {
            Some(default) if old.is_nil() => default,
            _ => &*old,
        };
        let new = match (self.change, from) {
            (Change::Of(with), from) => with.plain(from, x),
            (Change::Step(k), Value::Int(a)) => a.get().checked_add(k).map(Value::int),
            (Change::Step(k), Value::Float(a)) => Some(Value::float(a.get() + k as f64)),
            (Change::Step(_), _) => None,
        };
        match new {
            Some(new) => {
                // It was nil or a number: nothing to let go of.
                std::mem::forget(std::mem::replace(old, new));
                true
            }
            None => false,
        }
    }
}
