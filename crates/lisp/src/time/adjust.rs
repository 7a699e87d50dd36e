//! `TemporalAdjusters`: the first or last day of a month or year, and days of the week before and after a date.

use super::civil::Date;
use super::error::{Res, TimeError};
use super::names::{DAYS, Width, named};

/// What an adjuster moves a date to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Adjuster {
    /// The first day of its month.
    FirstDayOfMonth,
    /// The last day of its month.
    LastDayOfMonth,
    /// The first day of the next month.
    FirstDayOfNextMonth,
    /// The first day of its year.
    FirstDayOfYear,
    /// The last day of its year.
    LastDayOfYear,
    /// The first day of the next year.
    FirstDayOfNextYear,
    /// The next such day of the week.
    Next(u8),
    /// The same, if it is not one itself.
    NextOrSame(u8),
    /// The one before.
    Previous(u8),
    /// The same, if it is not one itself.
    PreviousOrSame(u8),
    /// The first such day of the week in its month.
    FirstInMonth(u8),
    /// The last one.
    LastInMonth(u8),
    /// The one of this number; negative ones count from the end.
    DayOfWeekInMonth(i32, u8),
}

/// Adjusters without parameters, by their names.
pub const PLAIN: &[(&str, Adjuster)] = &[
    ("firstDayOfMonth", Adjuster::FirstDayOfMonth),
    ("lastDayOfMonth", Adjuster::LastDayOfMonth),
    ("firstDayOfNextMonth", Adjuster::FirstDayOfNextMonth),
    ("firstDayOfYear", Adjuster::FirstDayOfYear),
    ("lastDayOfYear", Adjuster::LastDayOfYear),
    ("firstDayOfNextYear", Adjuster::FirstDayOfNextYear),
];

/// Makes an adjuster of a day of the week.
type OfDay = fn(u8) -> Adjuster;

/// Adjusters that take a day of the week, by their names.
pub const OF_DAY: &[(&str, OfDay)] = &[
    ("next", Adjuster::Next),
    ("nextOrSame", Adjuster::NextOrSame),
    ("previous", Adjuster::Previous),
    ("previousOrSame", Adjuster::PreviousOrSame),
    ("firstInMonth", Adjuster::FirstInMonth),
    ("lastInMonth", Adjuster::LastInMonth),
];

/// Days and weeks, of which Java counts with 32 bits.
fn whole_weeks(days: i64, weeks: i64) -> i64 {
    i64::from((days as i32).wrapping_add((weeks * 7) as i32))
}

impl Adjuster {
    /// The date that it makes of one.
    pub fn of(self, d: Date) -> Res<Date> {
        let today = i64::from(d.weekday());
        let after = |day: u8| (i64::from(day) - today).rem_euclid(7);
        let before = |day: u8| (today - i64::from(day)).rem_euclid(7);
        let week = |n: i64| if n == 0 { 7 } else { n };
        let first = Date { day: 1, ..d };
        let first_of_year = Date { month: 1, day: 1, ..d };
        match self {
            Adjuster::FirstDayOfMonth => Ok(first),
            Adjuster::LastDayOfMonth => Ok(Date { day: d.month_days(), ..d }),
            Adjuster::FirstDayOfNextMonth => first.plus_months(1),
            Adjuster::FirstDayOfYear => Ok(first_of_year),
            Adjuster::LastDayOfYear => Ok(Date { month: 12, day: 31, ..d }),
            Adjuster::FirstDayOfNextYear => first_of_year.plus_years(1),
            Adjuster::Next(day) => d.plus_days(week(after(day))),
            Adjuster::NextOrSame(day) => d.plus_days(after(day)),
            Adjuster::Previous(day) => d.plus_days(-week(before(day))),
            Adjuster::PreviousOrSame(day) => d.plus_days(-before(day)),
            Adjuster::FirstInMonth(day) => Adjuster::DayOfWeekInMonth(1, day).of(d),
            Adjuster::LastInMonth(day) => Adjuster::DayOfWeekInMonth(-1, day).of(d),
            Adjuster::DayOfWeekInMonth(n, day) if n >= 0 => {
                let days = (i64::from(day) - i64::from(first.weekday())).rem_euclid(7);
                first.plus_days(whole_weeks(days, i64::from(n) - 1))
            }
            Adjuster::DayOfWeekInMonth(n, day) => {
                let last = Date { day: d.month_days(), ..d };
                let days = (i64::from(last.weekday()) - i64::from(day)).rem_euclid(7);
                last.plus_days(whole_weeks(-days, i64::from(n) + 1))
            }
        }
    }

    /// Its name and parameters: `nextOrSame FRIDAY`.
    pub fn text(self) -> String {
        let day = |n: u8| named(&DAYS, i64::from(n), Width::Full).to_uppercase();
        if let Some(row) = PLAIN.iter().find(|row| row.1 == self) {
            return row.0.to_owned();
        }
        match self {
            Adjuster::DayOfWeekInMonth(n, d) => format!("dayOfWeekInMonth {n} {}", day(d)),
            other => {
                let of = |make: OfDay| (1..=7).find(|d| make(*d) == other);
                let found = OF_DAY.iter().find_map(|(name, make)| Some((name, of(*make)?)));
                found.map_or_else(String::new, |(name, d)| format!("{name} {}", day(d)))
            }
        }
    }

    /// The adjuster that such a text says.
    pub fn named(text: &str) -> Res<Adjuster> {
        let day = |name: &str| DAYS.iter().position(|d| d.to_uppercase() == name).map(|at| at as u8 + 1);
        let words: Vec<&str> = text.split(' ').collect();
        let found = match words.as_slice() {
            [name] => PLAIN.iter().find(|row| row.0 == *name).map(|row| row.1),
            [name, of] => OF_DAY.iter().find(|row| row.0 == *name).and_then(|row| day(of).map(|d| (row.1)(d))),
            ["dayOfWeekInMonth", n, of] => n.parse().ok().zip(day(of)).map(|(n, d)| Adjuster::DayOfWeekInMonth(n, d)),
            _ => None,
        };
        found.ok_or_else(|| TimeError::argument("no such adjuster"))
    }
}
