//! Texts read by a form, with Java's places for what is wrong.

use super::civil::{Clock, Date, DateTime};
use super::error::{Res, TimeError};
use super::formatter::Formatter;
use super::iso::instant_parts;
use super::moment::OffsetTime;
use super::names::{DAYS, MONTHS, Width, named};
use super::parsed::Parsed;
use super::part::{Names, Number, Part, Sign};
use super::unit::Field;
use super::zone::{Zone, offset_seconds};

/// Where it ended, or the place that Java names for what is wrong.
type Place = Result<usize, Wrong>;

/// What is wrong at a place.
pub(super) enum Wrong {
    At(usize),
    Value(TimeError),
}

struct Reader<'a> {
    text: &'a [u8],
    any_case: bool,
    parsed: Parsed,
}

/// A text as messages show it.
fn shown(text: &str) -> String {
    match text.char_indices().nth(64) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Java's exception for a text that cannot be read, with what more there is to say.
#[cold]
pub(super) fn unreadable(text: &str, why: &str) -> TimeError {
    TimeError::new("DateTimeParseException", format!("Text '{}' could not be parsed{why}", shown(text)))
}

impl Formatter {
    /// What a text says, as `query` takes it out.
    pub fn parse<T>(&self, text: &str, query: impl FnOnce(&Parsed) -> Res<T>) -> Res<T> {
        let mut reader = Reader { text: text.as_bytes(), any_case: self.any_case, parsed: Parsed::default() };
        let because = |e: TimeError| match e.class {
            "UnsupportedOperationException" => e,
            _ => unreadable(text, &format!(": {}", e.message)),
        };
        let index = |at: usize| text.get(..at).map_or(at, |head| head.encode_utf16().count());
        let end = reader.all(&self.parts, 0).map_err(|w| match w {
            Wrong::At(at) => unreadable(text, &format!(" at index {}", index(at))),
            Wrong::Value(e) => because(e),
        })?;
        if end < text.len() {
            return Err(unreadable(text, &format!(", unparsed text found at index {}", index(end))));
        }
        let mut parsed = reader.parsed;
        if parsed.zone.is_none() {
            parsed.zone.clone_from(&self.zone);
        }
        parsed.resolve(self.strict).and_then(|()| query(&parsed)).map_err(because)
    }
}

impl Reader<'_> {
    fn all(&mut self, parts: &[Part], mut at: usize) -> Place {
        for p in parts {
            at = self.part(p, at)?;
        }
        Ok(at)
    }

    /// Keeps what was read; a field that was read before must be the same.
    fn set(&mut self, n: Number, value: i64, start: usize, end: usize) -> Place {
        match self.parsed.get(n) {
            Some(old) if old != value => Err(Wrong::At(start)),
            Some(_) => Ok(end),
            None => {
                self.parsed.fields.push((n, value));
                Ok(end)
            }
        }
    }

    fn starts(&self, at: usize, with: &str) -> bool {
        let there = self.text.get(at..at.saturating_add(with.len())).unwrap_or_default();
        if self.any_case { there.eq_ignore_ascii_case(with.as_bytes()) } else { there == with.as_bytes() }
    }

    fn digit(&self, at: usize) -> Option<i64> {
        self.text.get(at).filter(|b| b.is_ascii_digit()).map(|b| i64::from(b - b'0'))
    }

    fn part(&mut self, part: &Part, at: usize) -> Place {
        match part {
            Part::Literal(text) if self.starts(at, text) => Ok(at + text.len()),
            Part::Literal(_) => Err(Wrong::At(at)),
            Part::Value { number, min, max, sign, next } => self.number(*number, *min, *max, *sign, *next, at),
            Part::Reduced { number, next } => {
                let end = self.number(*number, 2, 2, Sign::None, *next, at)?;
                // Two digits stand for a year from 2000 on.
                if let Some(found) = self.parsed.fields.iter_mut().find(|f| f.0 == *number)
                    && (0..100).contains(&found.1)
                {
                    found.1 += 2000;
                }
                Ok(end)
            }
            Part::Fraction { min, max, point, next } => self.fraction(*min, *max, *point && *next == 0, at),
            Part::Text { names, width } => self.name(*names, *width, at),
            Part::Offset { form, zero, lenient } => self.offset(*form, zero, *lenient, at),
            Part::Greenwich { .. } => self.greenwich(at),
            Part::Zone { .. } => self.zone(at),
            Part::ZoneName => Err(Wrong::Value(TimeError::refused(
                "short names of zones are printed, not parsed: write VV or XXX in the pattern",
            ))),
            Part::Padded { width, part } => {
                let width = usize::from(*width);
                let end = at.saturating_add(width);
                if end > self.text.len() {
                    return Err(Wrong::At(at));
                }
                let blanks = self.text.iter().skip(at).take(width).take_while(|b| **b == b' ').count();
                match self.part(part, at + blanks)? {
                    reached if reached == end => Ok(end),
                    _ => Err(Wrong::At(at + blanks)),
                }
            }
            Part::Optional(parts) => {
                let before = self.parsed.clone();
                match self.all(parts, at) {
                    Err(Wrong::At(_)) => {
                        self.parsed = before;
                        Ok(at)
                    }
                    done => done,
                }
            }
            Part::Instant => self.instant(at),
        }
    }

    fn number(&mut self, of: Number, min: u8, max: u8, sign: Sign, next: i8, at: usize) -> Place {
        let fail = Err(Wrong::At(at));
        let (mut start, mut positive, mut negative) = (at, false, false);
        match self.text.get(at) {
            None => return fail,
            Some(b'+') if sign == Sign::ExceedsPad => positive = true,
            Some(b'-') if sign != Sign::None => negative = true,
            Some(b'+' | b'-') => return fail,
            Some(_) => {}
        }
        if positive || negative {
            start += 1;
        }
        let least = start + usize::from(min);
        if least > self.text.len() {
            return Err(Wrong::At(start));
        }
        let count = |most: usize| (0..most).take_while(|i| self.digit(start + i).is_some()).count();
        let more = usize::try_from(next.max(0)).unwrap_or(0);
        let mut digits = count(usize::from(max) + more);
        if digits < usize::from(min) {
            return Err(Wrong::At(start));
        }
        if more > 0 {
            digits = count(digits.saturating_sub(more).max(usize::from(min)));
        }
        let value = (0..digits).try_fold(0i64, |n, i| n.checked_mul(10)?.checked_add(self.digit(start + i)?));
        let Some(mut value) = value else { return fail };
        if negative {
            if value == 0 {
                return fail;
            }
            value = -value;
        } else if sign == Sign::ExceedsPad {
            let exceeds = digits > usize::from(min);
            if positive != exceeds {
                return fail;
            }
        }
        self.set(of, value, at, start + digits)
    }

    fn fraction(&mut self, min: u8, max: u8, point: bool, at: usize) -> Place {
        let (min, max) = (usize::from(min), usize::from(max));
        let nothing = if min > 0 { Err(Wrong::At(at)) } else { Ok(at) };
        let start = match self.text.get(at) {
            None => return nothing,
            Some(b'.') if point => at + 1,
            Some(_) if point => return nothing,
            Some(_) => at,
        };
        let digits = (0..max).take_while(|i| self.digit(start + i).is_some()).count();
        if digits < min {
            return Err(Wrong::At(start));
        }
        let nanos = (0..9).fold(0i64, |n, i| n * 10 + if i < digits { self.digit(start + i).unwrap_or(0) } else { 0 });
        self.set(Number::Field(Field::NanoOfSecond), nanos, start, start + digits)
    }

    fn name(&mut self, names: Names, width: Width, at: usize) -> Place {
        if width == Width::Narrow {
            return Err(Wrong::Value(TimeError::refused("names of one letter are printed, not parsed")));
        }
        let (field, first, texts): (Field, i64, Vec<&str>) = match names {
            Names::Months => (Field::MonthOfYear, 1, (1..=12).map(|n| named(&MONTHS, n, width)).collect()),
            Names::Days => (Field::DayOfWeek, 1, (1..=7).map(|n| named(&DAYS, n, width)).collect()),
            Names::AmPm => (Field::AmPmOfDay, 0, vec!["AM", "PM"]),
            Names::Era if width == Width::Full => (Field::Era, 0, vec!["Before Christ", "Anno Domini"]),
            Names::Era => (Field::Era, 0, vec!["BC", "AD"]),
            Names::Quarter if width == Width::Full => {
                (Field::QuarterOfYear, 1, vec!["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"])
            }
            Names::Quarter => (Field::QuarterOfYear, 1, vec!["Q1", "Q2", "Q3", "Q4"]),
        };
        match texts.iter().enumerate().find(|(_, text)| self.starts(at, text)) {
            Some((i, text)) => {
                let end = at + text.len();
                self.set(Number::Field(field), first + i as i64, at, end)
            }
            None => Err(Wrong::At(at)),
        }
    }

    /// Two digits behind a colon, where one is wanted.
    fn pair(&self, at: usize, colon: bool) -> Option<(i64, usize)> {
        let at = match (colon, self.text.get(at)) {
            (true, Some(b':')) => at + 1,
            (true, _) => return None,
            (false, _) => at,
        };
        Some((self.digit(at)? * 10 + self.digit(at + 1)?, at + 2)).filter(|p| p.0 <= 59)
    }

    fn offset(&mut self, form: u8, zero: &str, lenient: bool, at: usize) -> Place {
        let number = Number::Field(Field::OffsetSeconds);
        if at == self.text.len() {
            return Err(Wrong::At(at));
        }
        if self.starts(at, zero) {
            return self.set(number, 0, at, at + zero.len());
        }
        let sign = match self.text.get(at) {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Err(Wrong::At(at)),
        };
        let (Some(tens), Some(ones)) = (self.digit(at + 1), self.digit(at + 2)) else { return Err(Wrong::At(at)) };
        let (hours, mut end) = (tens * 10 + ones, at + 3);
        let colon = form > 0 && form.is_multiple_of(2);
        let (mut minutes, mut seconds) = (0, 0);
        let minutes_needed = form >= 3 && !lenient;
        match self.pair(end, colon).filter(|_| form > 0 || lenient) {
            Some((m, behind)) => {
                (minutes, end) = (m, behind);
                if form >= 5
                    && let Some((s, behind)) = self.pair(end, colon)
                {
                    (seconds, end) = (s, behind);
                }
            }
            None if minutes_needed => return Err(Wrong::At(at)),
            None => {}
        }
        if hours > 23 {
            let words = "Value out of range: Hour[0-23], Minute[0-59], Second[0-59]";
            return Err(Wrong::Value(TimeError::date_time(words)));
        }
        self.set(number, sign * (hours * 3600 + minutes * 60 + seconds), at, end)
    }

    fn greenwich(&mut self, at: usize) -> Place {
        if !self.starts(at, "GMT") {
            return Err(Wrong::At(at));
        }
        let number = Number::Field(Field::OffsetSeconds);
        let start = at + 3;
        let sign = match self.text.get(start) {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return self.set(number, 0, at, start),
        };
        let Some(first) = self.digit(start + 1) else { return Err(Wrong::At(at)) };
        let (hours, mut end) = match self.digit(start + 2) {
            Some(second) => (first * 10 + second, start + 3),
            None => (first, start + 2),
        };
        let mut minutes = 0;
        if let Some((m, behind)) = self.pair(end, true) {
            (minutes, end) = (m, behind);
        }
        self.set(number, sign * (hours * 3600 + minutes * 60), at, end)
    }

    /// The longest name of a zone.
    fn zone(&mut self, at: usize) -> Place {
        match Zone::at_start(self.text.get(at..).unwrap_or_default()) {
            Some((zone, length)) => {
                self.parsed.zone = Some(zone);
                Ok(at + length)
            }
            None => Err(Wrong::At(at)),
        }
    }

    /// As `Instant` is read: an ISO date and time with seconds and an offset.
    fn instant(&mut self, at: usize) -> Place {
        let before = std::mem::take(&mut self.parsed);
        let end = self.all(&instant_parts(), at)?;
        let read = std::mem::replace(&mut self.parsed, before);
        let of = |f| read.field(f).unwrap_or(0);
        let (hour, minute, second) = (of(Field::HourOfDay), of(Field::MinuteOfHour), of(Field::SecondOfMinute));
        let nano = of(Field::NanoOfSecond);
        // The end of a day is the beginning of the next, and a leap second the one before it.
        let (hour, days) = match (hour, minute, second, nano) {
            (24, 0, 0, 0) => (0, 1),
            _ => (hour, 0),
        };
        let second = if (hour, minute, second) == (23, 59, 60) { 59 } else { second };
        let instant = || {
            let date = Date::of(of(Field::Year), of(Field::MonthOfYear), of(Field::DayOfMonth))?;
            let local = DateTime { date: date.plus_days(days)?, time: Clock::of(hour, minute, second, 0)? };
            Ok(OffsetTime { local, offset: offset_seconds(of(Field::OffsetSeconds))? }.second())
        };
        let all = instant().map_err(Wrong::Value)?;
        self.set(Number::Field(Field::InstantSeconds), all, at, end)?;
        self.set(Number::Field(Field::NanoOfSecond), nano, at, end)
    }
}
