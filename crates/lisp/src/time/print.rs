//! Dates and times as a form prints them.

use super::error::{Res, TimeError};
use super::formatter::Formatter;
use super::kind::Time;
use super::moment::Zoned;
use super::names::{DAYS, MONTHS, Width, named};
use super::part::{Names, Number, Part, Sign, name_of};
use super::unit::Field;
use super::zone::Zone;
use super::{fields, iso_text, weeks};
use std::fmt::Write as _;

/// What is printed, and where it ends.
struct Printer<'a> {
    out: String,
    time: &'a Time,
}

/// Why nothing was printed: the value has no such part, or it is wrong.
enum Stop {
    Missing(TimeError),
    Wrong(TimeError),
}

type Done = Result<(), Stop>;

impl Formatter {
    /// The text of a value.
    pub fn format(&self, t: &Time) -> Res<String> {
        let moved = match (&self.zone, t.instant()) {
            (Some(zone), Some(at)) => Some(Time::Zoned(Zoned::of_instant(at, zone.clone())?)),
            _ => None,
        };
        let mut printer = Printer { out: String::new(), time: moved.as_ref().unwrap_or(t) };
        match printer.all(&self.parts) {
            Ok(()) => Ok(printer.out),
            Err(Stop::Missing(e) | Stop::Wrong(e)) => Err(e),
        }
    }
}

impl Printer<'_> {
    fn all(&mut self, parts: &[Part]) -> Done {
        parts.iter().try_for_each(|p| self.part(p))
    }

    fn value(&self, n: Number) -> Result<i64, Stop> {
        let found = match n {
            Number::Field(f) => fields::value(self.time, f),
            Number::Week(part) => self.time.date().map(|d| weeks::SUNDAY.get(d, part)),
        };
        found.ok_or_else(|| Stop::Missing(TimeError::field(name_of(n))))
    }

    fn part(&mut self, part: &Part) -> Done {
        match part {
            Part::Literal(text) => self.out.push_str(text),
            Part::Value { number, min, max, sign, .. } => {
                let n = self.value(*number)?;
                self.number(*number, n, *min, *max, *sign)?;
            }
            Part::Reduced { number, .. } => {
                let n = self.value(*number)?;
                let _ = write!(self.out, "{:02}", n.unsigned_abs() % 100);
            }
            Part::Fraction { min, max, point, .. } => {
                let n = self.value(Number::Field(Field::NanoOfSecond))?;
                let digits = format!("{n:09}");
                let (min, max) = (usize::from(*min), usize::from(*max));
                let kept = digits.get(..max).unwrap_or(&digits);
                let short = kept.trim_end_matches('0').len().max(min);
                if short > 0 {
                    if *point {
                        self.out.push('.');
                    }
                    self.out.push_str(kept.get(..short).unwrap_or(kept));
                }
            }
            Part::Text { names, width } => self.name(*names, *width)?,
            Part::Offset { form, zero, .. } => {
                let seconds = self.value(Number::Field(Field::OffsetSeconds))?;
                self.offset(seconds, *form, zero);
            }
            Part::Greenwich { full } => {
                let seconds = self.value(Number::Field(Field::OffsetSeconds))?;
                self.out.push_str("GMT");
                if seconds != 0 {
                    self.out.push(if seconds < 0 { '-' } else { '+' });
                    let all = seconds.unsigned_abs();
                    let (h, m, s) = (all / 3600, all / 60 % 60, all % 60);
                    let _ = if *full { write!(self.out, "{h:02}:{m:02}") } else { write!(self.out, "{h}") };
                    if !full && (m > 0 || s > 0) {
                        let _ = write!(self.out, ":{m:02}");
                    }
                    if s > 0 {
                        let _ = write!(self.out, ":{s:02}");
                    }
                }
            }
            Part::Zone { region } => match self.zone() {
                Some(zone @ Zone::Region(_)) => self.out.push_str(&zone.id()),
                Some(zone) if !region => self.out.push_str(&zone.id()),
                _ => return Err(self.no_zone()),
            },
            Part::ZoneName => {
                let Time::Zoned(z) = self.time else { return Err(self.no_zone()) };
                match z.zone.abbreviation(z.offset_time().second()).map_err(Stop::Wrong)? {
                    Some(name) => self.out.push_str(&name),
                    None => {
                        let words = format!("the zone {} has no short name here: write VV in the pattern", z.zone.id());
                        return Err(Stop::Wrong(TimeError::refused(words)));
                    }
                }
            }
            Part::Padded { width, part } => {
                let start = self.out.len();
                self.part(part)?;
                let written = self.out.get(start..).unwrap_or_default().chars().count();
                let width = usize::from(*width);
                if written > width {
                    let words = format!("Cannot print as output of {written} characters exceeds pad width of {width}");
                    return Err(Stop::Wrong(TimeError::date_time(words)));
                }
                self.out.insert_str(start, &" ".repeat(width - written));
            }
            Part::Optional(parts) => {
                let start = self.out.len();
                match self.all(parts) {
                    Err(Stop::Missing(_)) => self.out.truncate(start),
                    done => return done,
                }
            }
            Part::Instant => match self.time.instant() {
                Some(at) => self.out.push_str(&iso_text::instant(at)),
                None => return Err(Stop::Missing(TimeError::field("InstantSeconds"))),
            },
        }
        Ok(())
    }

    fn zone(&self) -> Option<&Zone> {
        match self.time {
            Time::Zoned(z) => Some(&z.zone),
            _ => None,
        }
    }

    #[cold]
    fn no_zone(&self) -> Stop {
        Stop::Missing(TimeError::date_time(format!("Unable to extract ZoneId from temporal {}", self.time.text())))
    }

    fn number(&mut self, of: Number, n: i64, min: u8, max: u8, sign: Sign) -> Done {
        let digits = n.unsigned_abs().to_string();
        let wrong = |words: String| {
            let words = format!("Field {} cannot be printed as the value {n} {words}", name_of(of));
            Err(Stop::Wrong(TimeError::date_time(words)))
        };
        if digits.len() > usize::from(max) {
            return wrong(format!("exceeds the maximum print width of {max}"));
        }
        match sign {
            Sign::None if n < 0 => return wrong("cannot be negative according to the SignStyle".to_owned()),
            _ if n < 0 => self.out.push('-'),
            Sign::ExceedsPad if min < 19 && digits.len() > usize::from(min) => self.out.push('+'),
            _ => {}
        }
        let _ = write!(self.out, "{digits:0>width$}", width = usize::from(min));
        Ok(())
    }

    fn name(&mut self, names: Names, width: Width) -> Done {
        let of = |f| self.value(Number::Field(f));
        let text = match names {
            Names::Months => named(&MONTHS, of(Field::MonthOfYear)?, width).to_owned(),
            Names::Days => named(&DAYS, of(Field::DayOfWeek)?, width).to_owned(),
            Names::AmPm => if of(Field::AmPmOfDay)? == 0 { "AM" } else { "PM" }.to_owned(),
            Names::Era => match (of(Field::Era)?, width) {
                (0, Width::Full) => "Before Christ",
                (_, Width::Full) => "Anno Domini",
                (0, Width::Short) => "BC",
                (_, Width::Short) => "AD",
                (0, Width::Narrow) => "B",
                (_, Width::Narrow) => "A",
            }
            .to_owned(),
            Names::Quarter => {
                let n = of(Field::QuarterOfYear)?;
                match width {
                    Width::Full => {
                        format!("{n}{} quarter", ["st", "nd", "rd", "th"].get(n as usize - 1).unwrap_or(&"th"))
                    }
                    Width::Short => format!("Q{n}"),
                    Width::Narrow => n.to_string(),
                }
            }
        };
        self.out.push_str(&text);
        Ok(())
    }

    /// The offset by the number of Java's pattern: `+HH`, `+HHmm`, `+HH:mm`, `+HHMM`, `+HH:MM`, `+HHMMss`, `+HH:MM:ss`.
    fn offset(&mut self, seconds: i64, form: u8, zero: &str) {
        let all = seconds.unsigned_abs();
        let (h, m, s) = (all / 3600, all / 60 % 60, all % 60);
        let minutes = form >= 3 || form >= 1 && m > 0;
        let behind = minutes && form >= 5 && s > 0;
        if h == 0 && (!minutes || m == 0) && !behind {
            return self.out.push_str(zero);
        }
        let colon = if form > 0 && form.is_multiple_of(2) { ":" } else { "" };
        let _ = write!(self.out, "{}{h:02}", if seconds < 0 { '-' } else { '+' });
        if minutes {
            let _ = write!(self.out, "{colon}{m:02}");
        }
        if behind {
            let _ = write!(self.out, "{colon}{s:02}");
        }
    }
}
