//! How a `DecimalFormat` writes: what its pattern says and what was set since.

use crate::value::Value;
use crate::value::decimal::Rounding;

/// What stands for no limit of digits.
pub const MANY: i64 = i32::MAX as i64;

/// How numbers are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Before and behind positive numbers.
    pub positive: (String, String),
    /// Before and behind negative ones.
    pub negative: (String, String),
    /// Fewest and most digits before the point.
    pub integer: (i64, i64),
    /// Fewest and most digits behind the point.
    pub fraction: (i64, i64),
    /// How many digits there are between separators, and whether those are written.
    pub group: (i64, bool),
    /// What numbers are multiplied by: 1, 100 or 1000.
    pub factor: i64,
    /// Fewest digits of an exponent; 0 for numbers without.
    pub exponent: i64,
    /// Whether the point is always written.
    pub point: bool,
    /// How what has more digits is rounded.
    pub rounding: Rounding,
    /// Whether only integers are read.
    pub integers: bool,
}

impl Form {
    /// As a value, for the cell of a `DecimalFormat`.
    pub fn to_value(&self) -> Value {
        let rounding =
            Rounding::ALL.into_iter().find(|(_, mode)| *mode == self.rounding).map_or("HALF_EVEN", |(n, _)| n);
        let texts = [&self.positive.0, &self.positive.1, &self.negative.0, &self.negative.1];
        let mut all: Vec<Value> = texts.into_iter().map(|t| Value::str(t.as_str())).collect();
        let (integer, fraction) = (self.integer, self.fraction);
        let numbers = [integer.0, integer.1, fraction.0, fraction.1, self.group.0, self.factor, self.exponent];
        all.extend(numbers.map(Value::int));
        all.extend([self.group.1, self.point, self.integers].map(Value::Bool));
        all.push(Value::str(rounding));
        Value::vector(all)
    }

    /// What a cell holds; `None` where it is no such value.
    pub fn of_value(v: &Value) -> Option<Form> {
        let Value::Vector(all) = v else { return None };
        let text = |i: usize| all.get(i).and_then(Value::as_str).map(str::to_owned);
        let number = |i: usize| if let Some(Value::Int(n)) = all.get(i) { Some(n.get()) } else { None };
        let flag = |i: usize| all.get(i).map(Value::truthy);
        Some(Form {
            positive: (text(0)?, text(1)?),
            negative: (text(2)?, text(3)?),
            integer: (number(4)?, number(5)?),
            fraction: (number(6)?, number(7)?),
            group: (number(8)?, flag(11)?),
            factor: number(9)?,
            exponent: number(10)?,
            point: flag(12)?,
            integers: flag(13)?,
            rounding: Rounding::named(all.get(14)?.as_str()?)?,
        })
    }

    /// Sets the fewest digits of a part; the most are no fewer.
    pub fn at_least(part: &mut (i64, i64), n: i64) {
        part.0 = n.max(0);
        part.1 = part.1.max(part.0);
    }

    /// Sets the most digits of a part; the fewest are no more.
    pub fn at_most(part: &mut (i64, i64), n: i64) {
        part.1 = n.max(0);
        part.0 = part.0.min(part.1);
    }
}
