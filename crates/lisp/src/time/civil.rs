//! Dates and times of day without a zone, as Java's `LocalDate`, `LocalTime` and `LocalDateTime` count them.

use super::error::{Res, TimeError, checked};
use super::names::MONTHS;

/// The last year there is; the first is as far on the other side of zero.
pub const MAX_YEAR: i32 = 999_999_999;
/// Nanoseconds of a second.
pub const SECOND: i64 = 1_000_000_000;
/// Nanoseconds of a day.
pub const DAY: i64 = 86_400 * SECOND;
/// Seconds of a day.
pub const DAY_SECONDS: i64 = 86_400;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year, zero and below among them.
    pub year: i32,
    /// From 1 to 12.
    pub month: u8,
    /// From 1 on.
    pub day: u8,
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock {
    /// Nanoseconds since midnight, fewer than a day has.
    pub nanos: i64,
}

/// A day and a time of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    /// The day.
    pub date: Date,
    /// The time of day.
    pub time: Clock,
}

/// Whether a year has 366 days.
pub fn is_leap(year: i64) -> bool {
    year & 3 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// How many days a month has.
pub fn month_days(year: i64, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A year that there is.
pub fn year(n: i64) -> Res<i32> {
    let max = i64::from(MAX_YEAR);
    checked("Year", -max, max, n).map(|n| n as i32)
}

impl Date {
    /// The day of these numbers.
    pub fn of(y: i64, month: i64, day: i64) -> Res<Date> {
        let y = year(y)?;
        let month = checked("MonthOfYear", 1, 12, month)? as u8;
        if !(1..=31).contains(&day) {
            return Err(TimeError::date_time(format!("Invalid value for DayOfMonth (valid values 1 - 28/31): {day}")));
        }
        if day > i64::from(month_days(i64::from(y), month)) {
            return Err(TimeError::date_time(if day == 29 {
                format!("Invalid date 'February 29' as '{y}' is not a leap year")
            } else {
                let name = MONTHS.get(usize::from(month).saturating_sub(1)).copied().unwrap_or_default();
                format!("Invalid date '{} {day}'", name.to_uppercase())
            }));
        }
        Ok(Date { year: y, month, day: day as u8 })
    }

    /// The day of this number in a year.
    pub fn of_year_day(y: i64, n: i64) -> Res<Date> {
        let y = year(y)?;
        if !(1..=366).contains(&n) {
            return Err(TimeError::date_time(format!("Invalid value for DayOfYear (valid values 1 - 365/366): {n}")));
        }
        if n == 366 && !is_leap(i64::from(y)) {
            return Err(TimeError::date_time(format!("Invalid date 'DayOfYear 366' as '{y}' is not a leap year")));
        }
        let first = Date { year: y, month: 1, day: 1 };
        Date::of_epoch_day(first.epoch_day() + n - 1)
    }

    /// The day so many days after 1970-01-01.
    pub fn of_epoch_day(n: i64) -> Res<Date> {
        Ok(Date::split(checked("EpochDay", -365_243_219_162, 365_241_780_471, n)?))
    }

    /// The same of any day that an instant has, a year further at both ends.
    pub fn split(n: i64) -> Date {
        // Years begin in March here, so that leap days end them.
        let z = n + 719_468;
        let era = z.div_euclid(146_097);
        let day = z.rem_euclid(146_097);
        let of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
        let m = (5 * of_year + 2) / 153;
        let day = of_year - (153 * m + 2) / 5 + 1;
        let month = if m < 10 { m + 3 } else { m - 9 };
        let y = of_era + era * 400 + i64::from(month <= 2);
        Date { year: y as i32, month: month as u8, day: day as u8 }
    }

    /// Days since 1970-01-01.
    pub fn epoch_day(self) -> i64 {
        let (y, m, d) = (i64::from(self.year), i64::from(self.month), i64::from(self.day));
        let y = if m <= 2 { y - 1 } else { y };
        let era = y.div_euclid(400);
        let of_era = y.rem_euclid(400);
        let of_year = (153 * (if m > 2 { m - 3 } else { m + 9 }) + 2) / 5 + d - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// 1 for Monday to 7 for Sunday.
    pub fn weekday(self) -> u8 {
        ((self.epoch_day() + 3).rem_euclid(7) + 1) as u8
    }

    /// The day's number in its year, from 1 on.
    pub fn year_day(self) -> i64 {
        let first = Date { month: 1, day: 1, ..self };
        self.epoch_day() - first.epoch_day() + 1
    }

    /// How many days its month has.
    pub fn month_days(self) -> u8 {
        month_days(i64::from(self.year), self.month)
    }

    /// Whether its year has 366 days.
    pub fn is_leap(self) -> bool {
        is_leap(i64::from(self.year))
    }

    /// Months since the year 0.
    pub fn months(self) -> i64 {
        i64::from(self.year) * 12 + i64::from(self.month) - 1
    }

    /// So many days later.
    pub fn plus_days(self, n: i64) -> Res<Date> {
        if n == 0 {
            return Ok(self);
        }
        Date::of_epoch_day(self.epoch_day().checked_add(n).ok_or_else(TimeError::overflow)?)
    }

    /// So many months later; the last day of the month where it has no such day.
    pub fn plus_months(self, n: i64) -> Res<Date> {
        if n == 0 {
            return Ok(self);
        }
        // As in Java, where the sum wraps around and is no year then.
        let months = self.months().wrapping_add(n);
        let y = year(months.div_euclid(12))?;
        Ok(Date { year: y, month: (months.rem_euclid(12) + 1) as u8, day: self.day }.fitted())
    }

    /// So many years later; 28 February where there is no 29th.
    pub fn plus_years(self, n: i64) -> Res<Date> {
        if n == 0 {
            return Ok(self);
        }
        Ok(Date { year: year(i64::from(self.year).wrapping_add(n))?, ..self }.fitted())
    }

    /// With the last day of the month in place of one that it does not have.
    pub fn fitted(self) -> Date {
        Date { day: self.day.min(self.month_days()), ..self }
    }

    /// Midnight of the day.
    pub fn start(self) -> DateTime {
        DateTime { date: self, time: Clock { nanos: 0 } }
    }

    /// The year and the number of the week in it, where weeks begin on Monday and the first has four days or more.
    pub fn iso_week(self) -> (i64, i64) {
        // The year of the Thursday in its week.
        let thursday = self.epoch_day() + 4 - i64::from(self.weekday());
        let (y, day) = match Date::of_epoch_day(thursday) {
            Ok(d) => (i64::from(d.year), d.year_day()),
            Err(_) => (i64::from(self.year), self.year_day()),
        };
        (y, (day - 1) / 7 + 1)
    }
}

/// How many weeks a week-based year has.
pub fn iso_weeks(y: i64) -> i64 {
    // 28 December is always in the last week.
    Date::of(y, 12, 28).map_or(52, |d| d.iso_week().1)
}

impl Clock {
    /// The time of these numbers.
    pub fn of(hour: i64, minute: i64, second: i64, nano: i64) -> Res<Clock> {
        let hour = checked("HourOfDay", 0, 23, hour)?;
        let minute = checked("MinuteOfHour", 0, 59, minute)?;
        let second = checked("SecondOfMinute", 0, 59, second)?;
        let nano = checked("NanoOfSecond", 0, SECOND - 1, nano)?;
        Ok(Clock { nanos: ((hour * 60 + minute) * 60 + second) * SECOND + nano })
    }

    /// The hour, from 0 to 23.
    pub fn hour(self) -> i64 {
        self.nanos / (3600 * SECOND)
    }

    /// The minute of the hour.
    pub fn minute(self) -> i64 {
        self.nanos / (60 * SECOND) % 60
    }

    /// The second of the minute.
    pub fn second(self) -> i64 {
        self.nanos / SECOND % 60
    }

    /// The nanosecond of the second.
    pub fn nano(self) -> i64 {
        self.nanos % SECOND
    }

    /// So many nanoseconds later, past midnight too.
    pub fn plus(self, nanos: i128) -> Clock {
        Clock { nanos: (i128::from(self.nanos) + nanos).rem_euclid(i128::from(DAY)) as i64 }
    }
}

impl DateTime {
    /// So many nanoseconds later.
    pub fn plus(self, nanos: i128) -> Res<DateTime> {
        if nanos == 0 {
            return Ok(self);
        }
        let all = i128::from(self.time.nanos) + nanos;
        let days = i64::try_from(all.div_euclid(i128::from(DAY))).map_err(|_| TimeError::overflow())?;
        let time = Clock { nanos: all.rem_euclid(i128::from(DAY)) as i64 };
        Ok(DateTime { date: self.date.plus_days(days)?, time })
    }

    /// Seconds since 1970-01-01T00:00 of the same clock.
    pub fn epoch_second(self) -> i64 {
        self.date.epoch_day() * DAY_SECONDS + self.time.nanos / SECOND
    }

    /// The day and time so many seconds after 1970-01-01T00:00.
    pub fn of_epoch_second(second: i64, nano: i64) -> Res<DateTime> {
        let date = Date::of_epoch_day(second.div_euclid(DAY_SECONDS))?;
        Ok(DateTime { date, time: Clock { nanos: second.rem_euclid(DAY_SECONDS) * SECOND + nano } })
    }

    /// Nanoseconds since 1970-01-01T00:00 of the same clock.
    pub fn epoch_nanos(self) -> i128 {
        i128::from(self.date.epoch_day()) * i128::from(DAY) + i128::from(self.time.nanos)
    }
}
