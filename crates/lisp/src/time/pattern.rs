//! Patterns of letters, as `DateTimeFormatter/ofPattern` reads them.

use super::error::{Res, TimeError};
use super::names::Width;
use super::part::{Names, Number, Part, Sign, bad};
use super::unit::Field;
use super::weeks::WeekPart;

/// Longest pattern, in bytes.
pub const MAX_PATTERN: usize = 1024;
/// Deepest nesting of optional parts.
const MAX_DEPTH: usize = 32;

/// What is being put together: the pieces of each open bracket, and where numbers follow one another.
pub(super) struct Builder {
    open: Vec<Vec<Part>>,
    /// The piece that later numbers of fixed width take their digits from, in the innermost bracket.
    first: Option<usize>,
    pad: Option<u8>,
}

impl Builder {
    pub(super) fn new() -> Self {
        Builder { open: vec![Vec::new()], first: None, pad: None }
    }

    pub(super) fn add(&mut self, part: Part) {
        self.first = None;
        self.put(part);
    }

    fn put(&mut self, part: Part) {
        let part = match self.pad.take() {
            Some(width) => Part::Padded { width, part: Box::new(part) },
            None => part,
        };
        if let Some(last) = self.open.last_mut() {
            last.push(part);
        }
    }

    /// A number: one of fixed width behind another number takes its digits first.
    pub(super) fn number(&mut self, mut part: Part) {
        let fixed = match &part {
            Part::Value { min, max, sign: Sign::None, .. } | Part::Fraction { min, max, .. } => {
                (min == max).then_some(*max)
            }
            Part::Reduced { .. } => Some(2),
            _ => None,
        };
        let before = self.first.and_then(|at| self.open.last_mut().and_then(|l| l.get_mut(at)));
        match (before, fixed) {
            (Some(before), Some(width)) => {
                add_next(before, width);
                set_fixed(&mut part);
                let first = self.first;
                self.put(part);
                self.first = first;
            }
            (before, _) => {
                if let Some(before) = before {
                    set_fixed(before);
                }
                let at = self.open.last().map_or(0, Vec::len);
                let padded = self.pad.is_some();
                self.put(part);
                self.first = (!padded).then_some(at);
            }
        }
    }

    fn start(&mut self) -> Res<()> {
        if self.open.len() > MAX_DEPTH {
            return Err(TimeError::refused(format!("a pattern nests optional parts at most {MAX_DEPTH} deep")));
        }
        self.first = None;
        self.open.push(Vec::new());
        Ok(())
    }

    /// Closes a bracket; false where none is open.
    fn end(&mut self) -> bool {
        if self.open.len() < 2 {
            return false;
        }
        let parts = self.open.pop().unwrap_or_default();
        self.first = None;
        if !parts.is_empty() {
            self.put(Part::Optional(parts));
        }
        true
    }

    pub(super) fn finish(mut self) -> Vec<Part> {
        while self.end() {}
        self.open.pop().unwrap_or_default()
    }
}

fn next_of(part: &mut Part) -> Option<&mut i8> {
    match part {
        Part::Value { next, .. } | Part::Fraction { next, .. } | Part::Reduced { next, .. } => Some(next),
        _ => None,
    }
}

fn add_next(part: &mut Part, width: u8) {
    if let Some(next) = next_of(part) {
        *next = next.max(&mut 0).saturating_add_unsigned(width);
    }
}

fn set_fixed(part: &mut Part) {
    if let Some(next) = next_of(part)
        && *next <= 0
    {
        *next = -1;
    }
}

/// A number of any width.
pub(super) fn plain(f: Field) -> Part {
    Part::Value { number: Number::Field(f), min: 1, max: 19, sign: Sign::Normal, next: 0 }
}

/// A number of so many digits.
pub(super) fn fixed(f: Field, width: u8) -> Part {
    Part::Value { number: Number::Field(f), min: width, max: width, sign: Sign::None, next: 0 }
}

/// A year of so many digits and more.
pub(super) fn year(number: Number, width: u8) -> Part {
    let sign = if width < 4 { Sign::Normal } else { Sign::ExceedsPad };
    Part::Value { number, min: width, max: 19, sign, next: 0 }
}

fn field(letter: char) -> Option<Field> {
    Some(match letter {
        'G' => Field::Era,
        'y' => Field::YearOfEra,
        'u' => Field::Year,
        'Q' | 'q' => Field::QuarterOfYear,
        'M' | 'L' => Field::MonthOfYear,
        'D' => Field::DayOfYear,
        'd' => Field::DayOfMonth,
        'F' => Field::AlignedWeekOfMonth,
        'E' | 'c' | 'e' => Field::DayOfWeek,
        'a' => Field::AmPmOfDay,
        'H' => Field::HourOfDay,
        'k' => Field::ClockHourOfDay,
        'K' => Field::HourOfAmPm,
        'h' => Field::ClockHourOfAmPm,
        'm' => Field::MinuteOfHour,
        's' => Field::SecondOfMinute,
        'S' | 'n' => Field::NanoOfSecond,
        'A' => Field::MilliOfDay,
        'N' => Field::NanoOfDay,
        _ => return None,
    })
}

/// The pieces of a pattern.
pub(super) fn parts(source: &str) -> Res<Vec<Part>> {
    if source.len() > MAX_PATTERN {
        return Err(TimeError::refused(format!(
            "a pattern has at most {MAX_PATTERN} bytes, this one {}",
            source.len()
        )));
    }
    if source.contains('\n') {
        return Err(TimeError::refused("a pattern is one line"));
    }
    let mut out = Builder::new();
    let mut chars = source.chars().peekable();
    let run = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>, letter: char| {
        let mut count = 1usize;
        while chars.next_if_eq(&letter).is_some() {
            count += 1;
        }
        count
    };
    while let Some(c) = chars.next() {
        match c {
            'p' => {
                let width = run(&mut chars, 'p');
                let Some(letter) = chars.next_if(char::is_ascii_alphabetic) else {
                    return Err(bad(format!("Pad letter 'p' must be followed by valid pad pattern: {source}")));
                };
                out.pad = Some(u8::try_from(width).unwrap_or(u8::MAX));
                let count = run(&mut chars, letter);
                letters(&mut out, letter, count)?;
            }
            c if c.is_ascii_alphabetic() => {
                let count = run(&mut chars, c);
                letters(&mut out, c, count)?;
            }
            '\'' => {
                let mut text = String::new();
                loop {
                    match chars.next() {
                        Some('\'') if chars.next_if_eq(&'\'').is_some() => text.push('\''),
                        Some('\'') => break,
                        Some(c) => text.push(c),
                        None => {
                            let words = "Pattern ends with an incomplete string literal";
                            return Err(bad(format!("{words}: {source}")));
                        }
                    }
                }
                let text = if text.is_empty() { "'".to_owned() } else { text };
                out.add(Part::Literal(text.into()));
            }
            '[' => out.start()?,
            ']' => {
                if !out.end() {
                    return Err(bad("Pattern invalid as it contains ] without previous ["));
                }
            }
            '{' | '}' | '#' => return Err(bad(format!("Pattern includes reserved character: '{c}'"))),
            c => out.add(Part::Literal(c.to_string().into())),
        }
    }
    Ok(out.finish())
}

/// What a letter that stands so often in a row means.
fn letters(out: &mut Builder, letter: char, count: usize) -> Res<()> {
    let too_many = || bad(format!("Too many pattern letters: {letter}"));
    let width = u8::try_from(count).ok().filter(|n| *n <= 19).ok_or_else(too_many)?;
    let week = |part| Part::Value { number: Number::Week(part), min: width, max: width, sign: Sign::None, next: 0 };
    let offset = |form, zero| Part::Offset { form, zero, lenient: false };
    let name = |names, widths: [Option<Width>; 5]| {
        let found = widths.get(count.saturating_sub(1)).copied().flatten().ok_or_else(too_many)?;
        Ok(Part::Text { names, width: found })
    };
    let (full, short, narrow) = (Some(Width::Full), Some(Width::Short), Some(Width::Narrow));
    match (letter, width) {
        ('u' | 'y', 2) => out.number(Part::Reduced { number: Number::Field(of(letter)?), next: 0 }),
        ('u' | 'y', _) => out.number(year(Number::Field(of(letter)?), width)),
        ('Y', 2) => out.number(Part::Reduced { number: Number::Week(WeekPart::WeekBasedYear), next: 0 }),
        ('Y', _) => out.number(year(Number::Week(WeekPart::WeekBasedYear), width)),
        ('w', 1 | 2) => {
            let number = Number::Week(WeekPart::WeekOfWeekBasedYear);
            out.number(Part::Value { number, min: width, max: 2, sign: Sign::None, next: 0 });
        }
        ('W', 1) => out.number(week(WeekPart::WeekOfMonth)),
        ('e', 1 | 2) | ('c', 1) => out.number(week(WeekPart::DayOfWeek)),
        ('c', 2) => return Err(bad("Invalid pattern \"cc\"")),
        ('M' | 'L' | 'Q' | 'q', 1) => out.number(plain(of(letter)?)),
        ('M' | 'L' | 'Q' | 'q', 2) => out.number(fixed(of(letter)?, 2)),
        ('M' | 'L', _) => out.add(name(Names::Months, [None, None, short, full, narrow])?),
        ('Q' | 'q', _) => out.add(name(Names::Quarter, [None, None, short, full, narrow])?),
        ('E', _) => out.add(name(Names::Days, [short, short, short, full, narrow])?),
        ('e' | 'c', _) => out.add(name(Names::Days, [None, None, short, full, narrow])?),
        ('a', 1) => out.add(Part::Text { names: Names::AmPm, width: Width::Short }),
        ('G', _) => out.add(name(Names::Era, [short, short, short, full, narrow])?),
        ('S', 1..=9) => out.number(Part::Fraction { min: width, max: width, point: false, next: 0 }),
        ('d' | 'h' | 'H' | 'k' | 'K' | 'm' | 's' | 'D' | 'F', 1) => out.number(plain(of(letter)?)),
        ('d' | 'h' | 'H' | 'k' | 'K' | 'm' | 's', 2) => out.number(fixed(of(letter)?, 2)),
        ('D', 2 | 3) => {
            let number = Number::Field(Field::DayOfYear);
            out.number(Part::Value { number, min: width, max: 3, sign: Sign::None, next: 0 });
        }
        ('A' | 'n' | 'N', _) => {
            let number = Number::Field(of(letter)?);
            out.number(Part::Value { number, min: width, max: 19, sign: Sign::None, next: 0 });
        }
        ('V', 2) => out.add(Part::Zone { region: false }),
        ('V', _) => return Err(bad("Pattern letter count must be 2: V")),
        ('z', 1..=3) => out.add(Part::ZoneName),
        ('z', 4) => {
            return Err(TimeError::refused("long names of zones, zzzz in a pattern, are not there: write z or VV"));
        }
        ('Z', 1..=3) => out.add(offset(3, "+0000")),
        ('Z', 4) => out.add(Part::Greenwich { full: true }),
        ('Z', 5) => out.add(offset(6, "Z")),
        ('O', 1) => out.add(Part::Greenwich { full: false }),
        ('O', 4) => out.add(Part::Greenwich { full: true }),
        ('O', _) => return Err(bad("Pattern letter count must be 1 or 4: O")),
        ('X', 1..=5) => out.add(offset(if width == 1 { 1 } else { width + 1 }, "Z")),
        ('x', 1) => out.add(offset(1, "+00")),
        ('x', 2 | 4) => out.add(offset(width + 1, "+0000")),
        ('x', 3 | 5) => out.add(offset(width + 1, "+00:00")),
        ('B' | 'v' | 'g', _) => {
            return Err(TimeError::refused(format!("{letter} in a pattern is not there")));
        }
        _ if field(letter).is_some() || matches!(letter, 'w' | 'W' | 'z' | 'Z' | 'X' | 'x') => return Err(too_many()),
        _ => return Err(bad(format!("Unknown pattern letter: {letter}"))),
    }
    Ok(())
}

fn of(letter: char) -> Res<Field> {
    field(letter).ok_or_else(|| bad(format!("Unknown pattern letter: {letter}")))
}
