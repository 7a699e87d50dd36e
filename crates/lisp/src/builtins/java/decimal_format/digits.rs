//! The digits of a number, rounded and written as a [`Form`] says.

use super::form::Form;
use crate::value::decimal::Rounding;
use crate::value::number_format::shortest;

/// A number without its sign: `0.` and its digits, times ten to `at`.
pub struct Digits {
    all: Vec<u8>,
    at: i64,
    /// Whether it is negative.
    pub negative: bool,
    /// Whether it is an integer of Java, which has nothing behind the point.
    integer: bool,
    /// Where the digits are those of a double and not exact: whether they are more than it.
    more: Option<bool>,
}

impl Digits {
    /// Of a text of digits, with a sign and a point or without.
    pub fn of_text(text: &str, integer: bool) -> Digits {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let all: Vec<u8> = whole.bytes().chain(part.bytes()).collect();
        let mut d = Digits { all, at: whole.len() as i64, negative, integer, more: None };
        let zeros = d.all.iter().take_while(|c| **c == b'0').count();
        d.all.drain(..zeros);
        d.at -= zeros as i64;
        d.trim();
        d
    }

    /// Of a double that is finite.
    pub fn of_double(f: f64) -> Digits {
        let (negative, digits, exponent) = shortest(f.into());
        let mut all = digits.into_bytes();
        if f == 0.0 {
            all.clear();
        }
        let at = i64::from(exponent) + 1;
        // The shortest digits may be less or more than the double is.
        let exact = format!("{:.1100e}", f.abs());
        let exact: Vec<u8> = exact.bytes().take_while(|c| *c != b'e').filter(u8::is_ascii_digit).collect();
        let padded = all.iter().copied().chain(std::iter::repeat(b'0'));
        let more = padded.zip(&exact).find(|(a, b)| a != *b).map(|(a, b)| a > *b);
        let mut d = Digits { all, at, negative, integer: false, more };
        d.trim();
        d
    }

    /// The same times a power of ten.
    #[must_use]
    pub fn shifted(mut self, places: i64) -> Digits {
        if !self.all.is_empty() {
            self.at += places;
        }
        self
    }

    /// How many digits there are before and behind the point.
    pub fn len(&self) -> u64 {
        (self.all.len() as u64).saturating_add(self.at.unsigned_abs())
    }

    fn trim(&mut self) {
        while self.all.last() == Some(&b'0') {
            self.all.pop();
        }
        if self.all.is_empty() {
            self.at = 0;
        }
    }

    fn digit(&self, i: usize) -> u8 {
        self.all.get(i).copied().unwrap_or(b'0')
    }

    /// Whether the digits before `i` grow by one when the others go; `None` where nothing may be rounded.
    fn grows(&self, i: usize, rounding: Rounding) -> Option<bool> {
        let rest = self.all.get(i..).unwrap_or_default();
        let any = rest.iter().any(|c| *c != b'0');
        Some(match rounding {
            Rounding::Up => any,
            Rounding::Down => false,
            Rounding::Ceiling => any && !self.negative,
            Rounding::Floor => any && self.negative,
            Rounding::Unnecessary if any => return None,
            Rounding::Unnecessary => false,
            half => match rest {
                [] | [b'0'..=b'4', ..] => false,
                // Half as it is written: the double itself may be more or less.
                [b'5'] => match (self.more, half) {
                    (Some(more), _) => !more,
                    (None, Rounding::HalfUp) => true,
                    (None, Rounding::HalfDown) => false,
                    (None, _) => i > 0 && self.digit(i - 1) % 2 == 1,
                },
                _ => true,
            },
        })
    }

    /// Leaves so many digits.
    fn cut(&mut self, keep: usize, rounding: Rounding) -> Option<()> {
        if keep >= self.all.len() {
            return Some(());
        }
        let grows = self.grows(keep, rounding)?;
        self.all.truncate(keep);
        if grows {
            loop {
                match self.all.pop() {
                    None => {
                        self.all.push(b'1');
                        self.at += 1;
                        break;
                    }
                    Some(b'9') => {}
                    Some(c) => {
                        self.all.push(c + 1);
                        break;
                    }
                }
            }
        }
        self.trim();
        Some(())
    }

    /// Leaves so many digits behind the point.
    fn round(&mut self, places: i64, rounding: Rounding) -> Option<()> {
        if self.all.is_empty() {
            return Some(());
        }
        match places + self.at {
            n if n < 0 => {
                self.all.clear();
                self.trim();
                Some(())
            }
            n => self.cut(usize::try_from(n).unwrap_or(usize::MAX), rounding),
        }
    }

    /// The text of the number; `None` where it would have to be rounded and may not be.
    pub fn written(mut self, form: &Form) -> Option<String> {
        let affixes = if self.negative { &form.negative } else { &form.positive };
        let mut out = affixes.0.clone();
        if form.exponent > 0 {
            let keep = form.integer.1.saturating_add(form.fraction.1);
            if !(self.integer && keep == 0) {
                self.cut(usize::try_from(keep).unwrap_or(usize::MAX), form.rounding)?;
            }
            self.scientific(form, &mut out);
        } else {
            if !self.integer {
                self.round(form.fraction.1, form.rounding)?;
            }
            self.fixed(form, &mut out);
        }
        out.push_str(&affixes.1);
        Some(out)
    }

    fn fixed(&self, form: &Form, out: &mut String) {
        let mut next = 0usize;
        let mut count = form.integer.0.max(self.at).max(0);
        if count > form.integer.1 {
            count = form.integer.1;
            next = usize::try_from(self.at - count).unwrap_or(0);
        }
        let start = out.len();
        for i in (0..count).rev() {
            if i < self.at && next < self.all.len() {
                out.push(char::from(self.digit(next)));
                next += 1;
            } else {
                out.push('0');
            }
            if form.group.1 && i > 0 && form.group.0 > 0 && i % form.group.0 == 0 {
                out.push(',');
            }
        }
        let fraction = form.fraction.0 > 0 || !self.integer && next < self.all.len();
        if !fraction && out.len() == start {
            out.push('0');
        }
        if form.point || fraction {
            out.push('.');
        }
        for i in 0..form.fraction.1 {
            if i >= form.fraction.0 && (self.integer || next >= self.all.len()) {
                break;
            }
            if -1 - i > self.at - 1 {
                out.push('0');
            } else if !self.integer && next < self.all.len() {
                out.push(char::from(self.digit(next)));
                next += 1;
            } else {
                out.push('0');
            }
        }
    }

    fn scientific(&self, form: &Form, out: &mut String) {
        let (mut exponent, mut least) = (self.at, form.integer.0);
        let repeat = form.integer.1;
        if repeat > 1 && repeat > form.integer.0 {
            let from = if exponent >= 1 { exponent - 1 } else { exponent - repeat };
            exponent = from / repeat * repeat;
            least = 1;
        } else {
            exponent -= least;
        }
        let zero = self.all.is_empty();
        let integers = if zero { least } else { self.at - exponent };
        let digits = form.integer.0.saturating_add(form.fraction.0).max(integers).max(self.all.len() as i64);
        for i in 0..digits {
            if i == integers {
                out.push('.');
            }
            out.push(usize::try_from(i).map_or('0', |i| char::from(self.digit(i))));
        }
        if form.point && digits == integers {
            out.push('.');
        }
        out.push('E');
        if zero {
            exponent = 0;
        }
        if exponent < 0 {
            out.push('-');
        }
        let text = exponent.unsigned_abs().to_string();
        (text.len() as i64..form.exponent).for_each(|_| out.push('0'));
        out.push_str(&text);
    }
}
