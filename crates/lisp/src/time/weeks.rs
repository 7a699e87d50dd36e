//! Weeks as `WeekFields` counts them: which day begins one, and how many days the first of a year has at least.

use super::civil::{Date, is_leap};

/// How weeks are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WeekRule {
    /// The first day of a week, 1 for Monday.
    pub first: u8,
    /// How many days of a year or month make the first week of it.
    pub least: u8,
}

/// What can be asked of a date by a [`WeekRule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WeekPart {
    /// From 1 for the first day of the week.
    DayOfWeek,
    /// The week of the month; 0 before the first.
    WeekOfMonth,
    /// The week of the year; 0 before the first.
    WeekOfYear,
    /// The week of the year that the week belongs to.
    WeekOfWeekBasedYear,
    /// The year that the week belongs to.
    WeekBasedYear,
}

/// From Monday on, and four days: as ISO 8601 has it.
pub const ISO: WeekRule = WeekRule { first: 1, least: 4 };
/// From Sunday on, and one day: as the United States count, and English without a country.
pub const SUNDAY: WeekRule = WeekRule { first: 7, least: 1 };

/// Methods of `WeekFields`, with what they ask for and Java's name of that.
pub const PARTS: [(&str, WeekPart, &str); 5] = [
    ("dayOfWeek", WeekPart::DayOfWeek, "DayOfWeek"),
    ("weekOfMonth", WeekPart::WeekOfMonth, "WeekOfMonth"),
    ("weekOfYear", WeekPart::WeekOfYear, "WeekOfYear"),
    ("weekOfWeekBasedYear", WeekPart::WeekOfWeekBasedYear, "WeekOfWeekBasedYear"),
    ("weekBasedYear", WeekPart::WeekBasedYear, "WeekBasedYear"),
];

impl WeekRule {
    fn weekday(self, d: Date) -> i64 {
        (i64::from(d.weekday()) - i64::from(self.first)).rem_euclid(7) + 1
    }

    fn start(self, day: i64, weekday: i64) -> i64 {
        let start = (day - weekday).rem_euclid(7);
        if start + 1 > i64::from(self.least) { 7 - start } else { -start }
    }

    /// What a date has of this.
    pub fn get(self, d: Date, part: WeekPart) -> i64 {
        let weekday = self.weekday(d);
        let of = |day: i64| (7 + self.start(day, weekday) + day - 1) / 7;
        let day = d.year_day();
        let length = if d.is_leap() { 366 } else { 365 };
        let next = (7 + self.start(day, weekday) + length + i64::from(self.least) - 1) / 7;
        match part {
            WeekPart::DayOfWeek => weekday,
            WeekPart::WeekOfMonth => of(i64::from(d.day)),
            WeekPart::WeekOfYear => of(day),
            WeekPart::WeekOfWeekBasedYear => match of(day) {
                0 => {
                    let year = i64::from(d.year) - 1;
                    let day = if is_leap(year) { 366 } else { 365 };
                    // The last day of the year before is as many days before this one as this one is in its year.
                    let last = (weekday - 1 - d.year_day()).rem_euclid(7) + 1;
                    (7 + self.start(day, last) + day - 1) / 7
                }
                week if week >= next => week - next + 1,
                week => week,
            },
            WeekPart::WeekBasedYear => match of(day) {
                0 => i64::from(d.year) - 1,
                week if week >= next => i64::from(d.year) + 1,
                _ => i64::from(d.year),
            },
        }
    }
}

impl WeekPart {
    fn row(self) -> (&'static str, WeekPart, &'static str) {
        PARTS.into_iter().find(|p| p.1 == self).unwrap_or(("", self, ""))
    }

    /// The name of the method that gives it.
    pub fn method(self) -> &'static str {
        self.row().0
    }

    /// Java's name of the field.
    pub fn text(self) -> &'static str {
        self.row().2
    }
}
