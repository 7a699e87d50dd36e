//! Amounts of time: durations of seconds, and periods of years, months and days.

use super::civil::{DAY_SECONDS, Date, SECOND};
use super::error::{Res, TimeError};
use super::unit::Unit;

/// Java's `Duration`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    /// Whole seconds, rounded down.
    pub second: i64,
    /// Nanoseconds more.
    pub nano: u32,
}

/// Java's `Period`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    /// Years.
    pub years: i32,
    /// Months, not carried into years.
    pub months: i32,
    /// Days.
    pub days: i32,
}

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration { second: 0, nano: 0 };

    /// So many nanoseconds.
    pub fn of_nanos(nanos: i128) -> Res<Duration> {
        let second = i64::try_from(nanos.div_euclid(i128::from(SECOND))).map_err(|_| TimeError::overflow())?;
        Ok(Duration { second, nano: nanos.rem_euclid(i128::from(SECOND)) as u32 })
    }

    /// So many of a unit that has one length.
    pub fn of_unit(n: i64, unit: Unit) -> Res<Duration> {
        match unit.nanos() {
            Some(nanos) if unit <= Unit::Days => Duration::of_nanos(i128::from(n) * i128::from(nanos)),
            _ => Err(TimeError::new("UnsupportedTemporalTypeException", "Unit must not have an estimated duration")),
        }
    }

    /// All of it in nanoseconds.
    pub fn nanos(self) -> i128 {
        i128::from(self.second) * i128::from(SECOND) + i128::from(self.nano)
    }

    /// In a unit of so many nanoseconds, cut towards zero.
    pub fn whole(self, nanos: i64) -> Res<i64> {
        i64::try_from(self.nanos() / i128::from(nanos)).map_err(|_| TimeError::overflow())
    }

    /// Java's text: `PT1H30M`.
    pub fn text(self) -> String {
        if self == Self::ZERO {
            return "PT0S".to_owned();
        }
        let effective = if self.second < 0 && self.nano > 0 { self.second + 1 } else { self.second };
        let (h, m, s) = (effective / 3600, effective % 3600 / 60, effective % 60);
        let mut out = String::from("PT");
        if h != 0 {
            out.push_str(&format!("{h}H"));
        }
        if m != 0 {
            out.push_str(&format!("{m}M"));
        }
        if s == 0 && self.nano == 0 && out.len() > 2 {
            return out;
        }
        let negative = self.second < 0 && self.nano > 0;
        out.push_str(&if negative && s == 0 { "-0".to_owned() } else { s.to_string() });
        if self.nano > 0 {
            let n = if negative { SECOND - i64::from(self.nano) } else { i64::from(self.nano) };
            out.push('.');
            out.push_str(format!("{n:09}").trim_end_matches('0'));
        }
        out.push('S');
        out
    }

    /// What Java reads: `P2DT3H4M5.6S`, in any case, signs everywhere.
    pub fn parse(text: &str) -> Option<Res<Duration>> {
        let mut rest = Cursor { rest: text.as_bytes() };
        let negated = rest.sign()?;
        rest.letter(b'P')?;
        let mut total = 0i128;
        let mut any = false;
        if let Some((n, _)) = rest.peek_number(b'D', false) {
            total += i128::from(n?) * i128::from(DAY_SECONDS) * i128::from(SECOND);
            any = true;
        }
        if !rest.rest.is_empty() {
            rest.letter(b'T')?;
            let mut timed = false;
            for (unit, seconds) in [(b'H', 3600), (b'M', 60), (b'S', 1)] {
                if let Some((n, fraction)) = rest.peek_number(unit, unit == b'S') {
                    total += i128::from(n?) * i128::from(seconds * SECOND) + i128::from(fraction);
                    timed = true;
                }
            }
            if !timed || !rest.rest.is_empty() {
                return None;
            }
            any = true;
        }
        any.then(|| Duration::of_nanos(if negated { -total } else { total }))
    }
}

/// What is left of a text that is being read.
struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    /// A sign in front: whether it is a minus.
    fn sign(&mut self) -> Option<bool> {
        match self.rest.split_first() {
            Some((b'-', rest)) => {
                self.rest = rest;
                Some(true)
            }
            Some((b'+', rest)) => {
                self.rest = rest;
                Some(false)
            }
            _ => Some(false),
        }
    }

    fn letter(&mut self, letter: u8) -> Option<()> {
        match self.rest.split_first() {
            Some((c, rest)) if c.eq_ignore_ascii_case(&letter) => {
                self.rest = rest;
                Some(())
            }
            _ => None,
        }
    }

    /// A number in front of this letter, if one is next: itself (none if it leaves 64 bits), and nanoseconds of a fraction.
    fn peek_number(&mut self, letter: u8, fraction: bool) -> Option<(Option<i64>, i64)> {
        let mut ahead = Cursor { rest: self.rest };
        let negative = ahead.sign()?;
        let digits = ahead.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, mut rest) = ahead.rest.split_at_checked(digits)?;
        if number.is_empty() {
            return None;
        }
        let mut nanos = 0;
        if fraction && let Some((b'.' | b',', more)) = rest.split_first() {
            let places = more.iter().take_while(|b| b.is_ascii_digit()).count();
            let (part, behind) = more.split_at_checked(places)?;
            if places > 9 {
                return None;
            }
            let padded = part.iter().copied().chain(std::iter::repeat(b'0')).take(9);
            nanos = padded.fold(0, |n, d| n * 10 + i64::from(d - b'0'));
            rest = behind;
        }
        ahead.rest = rest;
        ahead.letter(letter)?;
        self.rest = ahead.rest;
        let n = number.iter().try_fold(0i64, |n, d| n.checked_mul(10)?.checked_add(i64::from(d - b'0')));
        let sign = if negative { -1 } else { 1 };
        Some((n.map(|n| n * sign), nanos * sign))
    }
}

impl Period {
    /// Of these numbers, each in 32 bits.
    pub fn of(years: i64, months: i64, days: i64) -> Res<Period> {
        let int = |n: i64| i32::try_from(n).map_err(|_| TimeError::int_overflow());
        Ok(Period { years: int(years)?, months: int(months)?, days: int(days)? })
    }

    /// All months of years and months.
    pub fn total_months(self) -> i64 {
        i64::from(self.years) * 12 + i64::from(self.months)
    }

    /// Whole years, months and days from one day to another.
    pub fn between(a: Date, b: Date) -> Res<Period> {
        let mut months = b.months() - a.months();
        let mut days = i64::from(b.day) - i64::from(a.day);
        if months > 0 && days < 0 {
            months -= 1;
            days = b.epoch_day() - a.plus_months(months)?.epoch_day();
        } else if months < 0 && days > 0 {
            months += 1;
            days -= i64::from(b.month_days());
        }
        Period::of(months / 12, months % 12, days)
    }

    /// Java's text: `P1Y2M3D`.
    pub fn text(self) -> String {
        let parts = [(self.years, 'Y'), (self.months, 'M'), (self.days, 'D')];
        let out: String = parts.iter().filter(|p| p.0 != 0).map(|p| format!("{}{}", p.0, p.1)).collect();
        if out.is_empty() { "P0D".to_owned() } else { format!("P{out}") }
    }

    /// What Java reads: `P1Y2M3W4D`, in any case, signs everywhere.
    pub fn parse(text: &str) -> Option<Period> {
        let mut rest = Cursor { rest: text.as_bytes() };
        let sign = if rest.sign()? { -1 } else { 1 };
        rest.letter(b'P')?;
        let mut all = [0i64; 4];
        let mut any = false;
        for (slot, unit) in all.iter_mut().zip(*b"YMWD") {
            if let Some((n, _)) = rest.peek_number(unit, false) {
                *slot = i64::from(i32::try_from(n?).ok()?) * sign;
                any = true;
            }
        }
        let [years, months, weeks, days] = all;
        let whole = any && rest.rest.is_empty();
        whole.then(|| Period::of(years, months, weeks * 7 + days).ok()).flatten()
    }
}
