//! What fields of dates and times hold, and the same with another value in a field.

use super::civil::{Clock, Date, DateTime, SECOND, iso_weeks, month_days, year};
use super::error::{Res, TimeError, checked};
use super::kind::Time;
use super::moment::{Instant, OffsetTime, Zoned};
use super::names::MONTHS;
use super::unit::Field;
use super::zone::{Local, offset_seconds};

/// First day of each quarter in its year, less one, of common years.
const QUARTERS: [i64; 4] = [0, 90, 181, 273];

fn quarter(month: u8) -> i64 {
    (i64::from(month) + 2) / 3
}

/// Days of the year before a date's quarter.
fn before_quarter(d: Date) -> i64 {
    let at = usize::try_from(quarter(d.month) - 1).unwrap_or(0);
    let days = QUARTERS.get(at).copied().unwrap_or(0);
    if at > 0 && d.is_leap() { days + 1 } else { days }
}

fn of_era(year: i64) -> i64 {
    if year >= 1 { year } else { 1 - year }
}

fn of_date(d: Date, f: Field) -> Option<i64> {
    let day = i64::from(d.day);
    Some(match f {
        Field::DayOfWeek => i64::from(d.weekday()),
        Field::AlignedDayOfWeekInMonth => (day - 1) % 7 + 1,
        Field::AlignedDayOfWeekInYear => (d.year_day() - 1) % 7 + 1,
        Field::DayOfMonth => day,
        Field::DayOfYear => d.year_day(),
        Field::EpochDay => d.epoch_day(),
        Field::AlignedWeekOfMonth => (day - 1) / 7 + 1,
        Field::AlignedWeekOfYear => (d.year_day() - 1) / 7 + 1,
        Field::MonthOfYear => i64::from(d.month),
        Field::ProlepticMonth => d.months(),
        Field::YearOfEra => of_era(i64::from(d.year)),
        Field::Year => i64::from(d.year),
        Field::Era => i64::from(d.year >= 1),
        Field::DayOfQuarter => d.year_day() - before_quarter(d),
        Field::QuarterOfYear => quarter(d.month),
        Field::WeekOfWeekBasedYear => d.iso_week().1,
        Field::WeekBasedYear => d.iso_week().0,
        _ => return None,
    })
}

fn of_clock(c: Clock, f: Field) -> Option<i64> {
    let (hour, n) = (c.hour(), c.nanos);
    Some(match f {
        Field::NanoOfSecond => n % SECOND,
        Field::NanoOfDay => n,
        Field::MicroOfSecond => n % SECOND / 1000,
        Field::MicroOfDay => n / 1000,
        Field::MilliOfSecond => n % SECOND / 1_000_000,
        Field::MilliOfDay => n / 1_000_000,
        Field::SecondOfMinute => c.second(),
        Field::SecondOfDay => n / SECOND,
        Field::MinuteOfHour => c.minute(),
        Field::MinuteOfDay => n / (60 * SECOND),
        Field::HourOfAmPm => hour % 12,
        Field::ClockHourOfAmPm => {
            if hour % 12 == 0 {
                12
            } else {
                hour % 12
            }
        }
        Field::HourOfDay => hour,
        Field::ClockHourOfDay => {
            if hour == 0 {
                24
            } else {
                hour
            }
        }
        Field::AmPmOfDay => hour / 12,
        _ => return None,
    })
}

/// What a field of a value holds; `None` where it has no such field.
pub fn value(t: &Time, f: Field) -> Option<i64> {
    if let Some(d) = t.date()
        && let Some(n) = of_date(d, f)
    {
        return Some(n);
    }
    if let Some(c) = t.clock()
        && let Some(n) = of_clock(c, f)
    {
        return Some(n);
    }
    match (t, f) {
        (_, Field::OffsetSeconds) => t.offset().map(i64::from),
        (Time::Offset(_) | Time::Zoned(_) | Time::Instant(_), Field::InstantSeconds) => t.instant().map(|i| i.second),
        (Time::Instant(i), Field::NanoOfSecond | Field::MicroOfSecond | Field::MilliOfSecond) => {
            of_clock(Clock { nanos: i64::from(i.nano) }, f)
        }
        (Time::Weekday(n), Field::DayOfWeek) | (Time::Month(n), Field::MonthOfYear) => Some(i64::from(*n)),
        (Time::Month(n), Field::QuarterOfYear) => Some(quarter(*n)),
        (Time::Year(y) | Time::YearMonth(y, _), Field::Year) => Some(i64::from(*y)),
        (Time::Year(y) | Time::YearMonth(y, _), Field::YearOfEra) => Some(of_era(i64::from(*y))),
        (Time::Year(y) | Time::YearMonth(y, _), Field::Era) => Some(i64::from(*y >= 1)),
        (Time::YearMonth(_, m) | Time::MonthDay(m, _), Field::MonthOfYear) => Some(i64::from(*m)),
        (Time::YearMonth(_, m) | Time::MonthDay(m, _), Field::QuarterOfYear) => Some(quarter(*m)),
        (Time::YearMonth(y, m), Field::ProlepticMonth) => Some(i64::from(*y) * 12 + i64::from(*m) - 1),
        (Time::MonthDay(_, d), Field::DayOfMonth) => Some(i64::from(*d)),
        _ => None,
    }
}

/// What a field of a value holds.
pub fn get(t: &Time, f: Field) -> Res<i64> {
    value(t, f).ok_or_else(|| TimeError::field(f.text()))
}

/// A date with another year; 28 February where it has no 29th.
pub fn with_year(d: Date, y: i64) -> Res<Date> {
    Ok(Date { year: year(y)?, ..d }.fitted())
}

fn date_with(d: Date, f: Field, n: i64) -> Res<Option<Date>> {
    let now = of_date(d, f).unwrap_or(0);
    // In range by now, so differences are small.
    let more = n.saturating_sub(now);
    let y = i64::from(d.year);
    Ok(Some(match f {
        Field::DayOfWeek | Field::AlignedDayOfWeekInMonth | Field::AlignedDayOfWeekInYear => d.plus_days(more)?,
        Field::DayOfMonth => Date::of(y, i64::from(d.month), n)?,
        Field::DayOfYear => Date::of_year_day(y, n)?,
        Field::EpochDay => Date::of_epoch_day(n)?,
        Field::AlignedWeekOfMonth | Field::AlignedWeekOfYear | Field::WeekOfWeekBasedYear => {
            d.plus_days(more.saturating_mul(7))?
        }
        Field::MonthOfYear => Date { month: n as u8, ..d }.fitted(),
        Field::ProlepticMonth => d.plus_months(more)?,
        Field::YearOfEra => with_year(d, if y >= 1 { n } else { 1 - n })?,
        Field::Year => with_year(d, n)?,
        Field::Era if now == n => d,
        Field::Era => with_year(d, 1 - y)?,
        Field::DayOfQuarter => Date::of_year_day(y, d.year_day().saturating_add(more))?,
        Field::QuarterOfYear => {
            let month = i64::from(d.month) + more * 3;
            Date { month: month as u8, ..d }.fitted()
        }
        Field::WeekBasedYear => {
            let week = d.iso_week().1.min(iso_weeks(n));
            let start = Date::of(n, 1, 4)?;
            start.plus_days(i64::from(d.weekday()) - i64::from(start.weekday()) + (week - 1) * 7)?
        }
        _ => return Ok(None),
    }))
}

fn clock_with(c: Clock, f: Field, n: i64) -> Option<Clock> {
    let rest = |unit: i64, per: i64| {
        let old = c.nanos / unit % per;
        Clock { nanos: c.nanos + (n - old) * unit }
    };
    let hours = |hours: i64| Clock { nanos: c.nanos + hours * 3600 * SECOND };
    let hour = c.hour();
    Some(match f {
        Field::NanoOfSecond => rest(1, SECOND),
        Field::NanoOfDay => Clock { nanos: n },
        Field::MicroOfSecond => Clock { nanos: c.nanos - c.nano() + n * 1000 },
        Field::MicroOfDay => Clock { nanos: n * 1000 },
        Field::MilliOfSecond => Clock { nanos: c.nanos - c.nano() + n * 1_000_000 },
        Field::MilliOfDay => Clock { nanos: n * 1_000_000 },
        Field::SecondOfMinute => rest(SECOND, 60),
        Field::SecondOfDay => Clock { nanos: n * SECOND + c.nano() },
        Field::MinuteOfHour => rest(60 * SECOND, 60),
        Field::MinuteOfDay => Clock { nanos: c.nanos % (60 * SECOND) + n * 60 * SECOND },
        Field::HourOfAmPm => hours(n - hour % 12),
        Field::ClockHourOfAmPm => hours(n % 12 - hour % 12),
        Field::HourOfDay => hours(n - hour),
        Field::ClockHourOfDay => hours(n % 24 - hour),
        Field::AmPmOfDay => hours((n - hour / 12) * 12),
        _ => return None,
    })
}

/// A local time with another value in a field.
fn local_with(l: DateTime, f: Field, n: i64) -> Res<Option<DateTime>> {
    if let Some(time) = clock_with(l.time, f, n) {
        return Ok(Some(DateTime { time, ..l }));
    }
    Ok(date_with(l.date, f, n)?.map(|date| DateTime { date, ..l }))
}

/// The value with this in a field.
pub fn with(t: &Time, f: Field, n: i64) -> Res<Time> {
    let n = f.check(n)?;
    if value(t, f).is_none() || matches!(t, Time::Weekday(_) | Time::Month(_) | Time::Zone(_)) {
        return Err(TimeError::field(f.text()));
    }
    let unknown = || TimeError::field(f.text());
    Ok(match t {
        Time::Date(d) => Time::Date(date_with(*d, f, n)?.ok_or_else(unknown)?),
        Time::Clock(c) => Time::Clock(clock_with(*c, f, n).ok_or_else(unknown)?),
        Time::DateTime(l) => Time::DateTime(local_with(*l, f, n)?.ok_or_else(unknown)?),
        Time::Offset(o) => Time::Offset(match f {
            Field::InstantSeconds => {
                let at = Instant::of(n, o.local.time.nano())?;
                OffsetTime { local: at.local(o.offset)?, offset: o.offset }
            }
            Field::OffsetSeconds => OffsetTime { offset: offset_seconds(n)?, ..*o },
            _ => OffsetTime { local: local_with(o.local, f, n)?.ok_or_else(unknown)?, ..*o },
        }),
        Time::Zoned(z) => Time::Zoned(match f {
            Field::InstantSeconds => Zoned::of_instant(Instant::of(n, z.local.time.nano())?, z.zone.clone())?,
            Field::OffsetSeconds => {
                let wanted = offset_seconds(n)?;
                match z.zone.local(z.local)? {
                    Local::Twice(a, b) if wanted == a || wanted == b => Zoned { offset: wanted, ..z.clone() },
                    _ => z.clone(),
                }
            }
            _ => z.with_local(local_with(z.local, f, n)?.ok_or_else(unknown)?)?,
        }),
        Time::Instant(i) => Time::Instant(match f {
            Field::InstantSeconds => Instant::of(n, i64::from(i.nano))?,
            Field::NanoOfSecond => Instant { nano: n as u32, ..*i },
            Field::MicroOfSecond => Instant { nano: (n * 1000) as u32, ..*i },
            _ => Instant { nano: (n * 1_000_000) as u32, ..*i },
        }),
        Time::Year(y) => match f {
            Field::YearOfEra => Time::Year(year(if *y >= 1 { n } else { 1 - n })?),
            Field::Year => Time::Year(year(n)?),
            _ if i64::from(*y >= 1) == n => t.clone(),
            _ => Time::Year(year(1 - i64::from(*y))?),
        },
        Time::YearMonth(y, m) => {
            let first = Date { year: *y, month: *m, day: 1 };
            let d = date_with(first, f, n)?.ok_or_else(unknown)?;
            Time::YearMonth(d.year, d.month)
        }
        Time::MonthDay(m, d) => match f {
            Field::MonthOfYear => {
                let month = n as u8;
                Time::MonthDay(month, (*d).min(month_days(2000, month)))
            }
            _ => month_day(i64::from(*m), n)?,
        },
        _ => return Err(unknown()),
    })
}

/// The `MonthDay` of these numbers.
pub fn month_day(month: i64, day: i64) -> Res<Time> {
    let wrong = || TimeError::date_time(format!("Invalid value for MonthOfYear: {month}"));
    let month = checked("MonthOfYear", 1, 12, month).map_err(|_| wrong())? as u8;
    Field::DayOfMonth.check(day)?;
    if day > i64::from(month_days(2000, month)) {
        let name = MONTHS.get(usize::from(month).saturating_sub(1)).copied().unwrap_or_default().to_uppercase();
        return Err(TimeError::date_time(format!(
            "Illegal value for DayOfMonth field, value {day} is not valid for month {name}"
        )));
    }
    Ok(Time::MonthDay(month, day as u8))
}
