//! Sums and differences of dates and times, and what one of them makes of another.

use super::amount::{Duration, Period};
use super::civil::{Clock, DAY, Date, DateTime, year};
use super::error::{Res, TimeError};
use super::fields;
use super::kind::Time;
use super::moment::{Instant, OffsetTime, Zoned};
use super::unit::{Field, Unit};
use super::zone::Zone;

fn date_plus(d: Date, n: i64, unit: Unit) -> Res<Date> {
    if let Some(months) = unit.months() {
        return match unit {
            Unit::Months => d.plus_months(n),
            Unit::QuarterYears => d.plus_years(n / 256)?.plus_months(n % 256 * 3),
            _ => d.plus_years(n.checked_mul(months / 12).ok_or_else(TimeError::overflow)?),
        };
    }
    match unit {
        Unit::Days => d.plus_days(n),
        Unit::Weeks => d.plus_days(n.checked_mul(7).ok_or_else(TimeError::overflow)?),
        Unit::Eras => {
            let era = i64::from(d.year >= 1).checked_add(n).ok_or_else(TimeError::overflow)?;
            in_date(d, Field::Era, era)
        }
        Unit::WeekBasedYears => {
            let y = d.iso_week().0.checked_add(n).ok_or_else(TimeError::overflow)?;
            in_date(d, Field::WeekBasedYear, y)
        }
        _ => Err(TimeError::unit(unit.text())),
    }
}

fn in_date(d: Date, f: Field, n: i64) -> Res<Date> {
    match fields::with(&Time::Date(d), f, n)? {
        Time::Date(d) => Ok(d),
        _ => Ok(d),
    }
}

fn local_plus(l: DateTime, n: i64, unit: Unit) -> Res<DateTime> {
    match time_nanos(n, unit) {
        Some(nanos) => l.plus(nanos),
        None => Ok(DateTime { date: date_plus(l.date, n, unit)?, ..l }),
    }
}

/// Nanoseconds of so many units below a day. Half days are counted as Java does, which takes 256 of them for a day.
fn time_nanos(n: i64, unit: Unit) -> Option<i128> {
    let size = i128::from(unit.nanos().filter(|_| unit.is_of_time())?);
    let n = i128::from(n);
    Some(if unit == Unit::HalfDays { n / 256 * i128::from(DAY) + n % 256 * size } else { n * size })
}

/// The value so many units later.
pub fn plus(t: &Time, n: i64, unit: Unit) -> Res<Time> {
    let nanos = unit.nanos().filter(|_| unit.is_of_time()).map(|nanos| i128::from(n) * i128::from(nanos));
    let unknown = || TimeError::unit(unit.text());
    Ok(match t {
        Time::Date(d) => Time::Date(date_plus(*d, n, unit)?),
        Time::Clock(c) => Time::Clock(c.plus(nanos.ok_or_else(unknown)?)),
        Time::DateTime(l) => Time::DateTime(local_plus(*l, n, unit)?),
        Time::Offset(o) => Time::Offset(OffsetTime { local: local_plus(o.local, n, unit)?, ..*o }),
        Time::Zoned(z) => Time::Zoned(match time_nanos(n, unit) {
            Some(nanos) => z.plus(nanos)?,
            None => z.with_local(local_plus(z.local, n, unit)?)?,
        }),
        Time::Instant(i) if unit == Unit::Days => Time::Instant(i.plus(i128::from(n) * i128::from(DAY))?),
        Time::Instant(i) => Time::Instant(i.plus(nanos.ok_or_else(unknown)?)?),
        Time::Duration(d) => {
            let more = Duration::of_unit(n, unit)?;
            Time::Duration(Duration::of_nanos(d.nanos() + more.nanos())?)
        }
        Time::Year(_) | Time::YearMonth(..) if unit == Unit::Eras => {
            let era = fields::get(t, Field::Era)?.checked_add(n).ok_or_else(TimeError::overflow)?;
            fields::with(t, Field::Era, era)?
        }
        Time::Year(y) => {
            let years = unit.months().filter(|m| m % 12 == 0).ok_or_else(unknown)? / 12;
            let more = n.checked_mul(years).ok_or_else(TimeError::overflow)?;
            Time::Year(year(i64::from(*y).wrapping_add(more))?)
        }
        Time::YearMonth(y, m) => {
            if unit.months().is_none() {
                return Err(unknown());
            }
            let d = date_plus(Date { year: *y, month: *m, day: 1 }, n, unit)?;
            Time::YearMonth(d.year, d.month)
        }
        _ => return Err(unknown()),
    })
}

/// The value so many units earlier.
pub fn minus(t: &Time, n: i64, unit: Unit) -> Res<Time> {
    match n.checked_neg() {
        Some(n) => plus(t, n, unit),
        None => plus(&plus(t, i64::MAX, unit)?, 1, unit),
    }
}

/// So many units later, or earlier.
pub fn moved(t: &Time, n: i64, unit: Unit, later: bool) -> Res<Time> {
    if later { plus(t, n, unit) } else { minus(t, n, unit) }
}

/// The value with an amount added, or taken away; `None` where that is no amount.
pub fn with_amount(t: &Time, amount: &Time, later: bool) -> Option<Res<Time>> {
    match (t, amount) {
        (Time::Duration(a), Time::Duration(b)) => {
            let sum = if later { a.nanos() + b.nanos() } else { a.nanos() - b.nanos() };
            Some(Duration::of_nanos(sum).map(Time::Duration))
        }
        (Time::Period(a), Time::Period(b)) => {
            let sign = if later { 1 } else { -1 };
            let part = |x: i32, y: i32| i64::from(x) + i64::from(y) * sign;
            let sum = Period::of(part(a.years, b.years), part(a.months, b.months), part(a.days, b.days));
            Some(sum.map(Time::Period))
        }
        (_, Time::Duration(d)) => Some(with_duration(t, *d, later)),
        (_, Time::Period(p)) => Some(with_period(t, *p, later)),
        _ => None,
    }
}

fn with_duration(t: &Time, d: Duration, later: bool) -> Res<Time> {
    let mut out = t.clone();
    if d.second != 0 {
        out = moved(&out, d.second, Unit::Seconds, later)?;
    }
    if d.nano != 0 {
        out = moved(&out, i64::from(d.nano), Unit::Nanos, later)?;
    }
    Ok(out)
}

fn with_period(t: &Time, p: Period, later: bool) -> Res<Time> {
    let mut out = t.clone();
    let local = matches!(t, Time::Date(_) | Time::DateTime(_) | Time::Offset(_));
    if let Time::Zoned(z) = t {
        let moved = with_period(&Time::DateTime(z.local), p, later)?;
        return match moved {
            Time::DateTime(l) => Ok(Time::Zoned(z.with_local(l)?)),
            other => Ok(other),
        };
    }
    if p.months == 0 && p.years != 0 && !local {
        out = moved(&out, i64::from(p.years), Unit::Years, later)?;
    } else if p.total_months() != 0 {
        out = moved(&out, p.total_months(), Unit::Months, later)?;
    }
    if p.days != 0 {
        out = moved(&out, i64::from(p.days), Unit::Days, later)?;
    }
    Ok(out)
}

/// Java's words for a value that has not what is asked of it.
#[cold]
fn unable(what: &str, t: &Time) -> TimeError {
    let words = format!("Unable to obtain {what} from TemporalAccessor: {} of type {}", t.text(), t.class());
    TimeError::date_time(words)
}

/// The `LocalDate` in a value.
pub fn date_of(t: &Time) -> Res<Date> {
    t.date().ok_or_else(|| unable("LocalDate", t))
}

/// The `LocalTime` in a value.
pub fn clock_of(t: &Time) -> Res<Clock> {
    t.clock().ok_or_else(|| unable("LocalTime", t))
}

/// The `LocalDateTime` in a value.
pub fn local_of(t: &Time) -> Res<DateTime> {
    t.local().ok_or_else(|| unable("LocalDateTime", t))
}

/// The `Instant` in a value.
pub fn instant_of(t: &Time) -> Res<Instant> {
    match t {
        Time::Inst(_) => Err(unable("Instant", t)),
        _ => t.instant().ok_or_else(|| unable("Instant", t)),
    }
}

/// The `ZonedDateTime` in a value.
pub fn zoned_of(t: &Time) -> Res<Zoned> {
    match t {
        Time::Zoned(z) => Ok(z.clone()),
        Time::Offset(o) => Ok(Zoned { local: o.local, offset: o.offset, zone: Zone::Offset(o.offset) }),
        _ => Err(unable("ZonedDateTime", t)),
    }
}

/// The `OffsetDateTime` in a value.
pub fn offset_of(t: &Time) -> Res<OffsetTime> {
    match t {
        Time::Zoned(z) => Ok(z.offset_time()),
        Time::Offset(o) => Ok(*o),
        _ => Err(unable("OffsetDateTime", t)),
    }
}

/// The `Year` in a value.
pub fn year_of(t: &Time) -> Res<i32> {
    let y = fields::value(t, Field::Year).ok_or_else(|| unable("Year", t))?;
    year(y)
}

/// The `YearMonth` in a value.
pub fn year_month_of(t: &Time) -> Res<(i32, u8)> {
    match t {
        Time::YearMonth(y, m) => Ok((*y, *m)),
        _ => t.date().map(|d| (d.year, d.month)).ok_or_else(|| unable("YearMonth", t)),
    }
}

/// The `Month` in a value.
pub fn month_of(t: &Time) -> Res<u8> {
    let m = fields::value(t, Field::MonthOfYear).ok_or_else(|| unable("Month", t))?;
    Ok(m as u8)
}

/// The `DayOfWeek` in a value.
pub fn weekday_of(t: &Time) -> Res<u8> {
    let d = fields::value(t, Field::DayOfWeek).ok_or_else(|| unable("DayOfWeek", t))?;
    Ok(d as u8)
}

/// The `MonthDay` in a value.
pub fn month_day_of(t: &Time) -> Res<Time> {
    let part = |f| fields::value(t, f).ok_or_else(|| unable("MonthDay", t));
    fields::month_day(part(Field::MonthOfYear)?, part(Field::DayOfMonth)?)
}

fn months_between(a: Date, b: Date) -> i64 {
    let packed = |d: Date| d.months() * 32 + i64::from(d.day);
    (packed(b) - packed(a)) / 32
}

fn dates_between(a: Date, b: Date, unit: Unit) -> Res<i64> {
    if let Some(months) = unit.months() {
        return Ok(months_between(a, b) / months);
    }
    let days = b.epoch_day() - a.epoch_day();
    match unit {
        Unit::Days => Ok(days),
        Unit::Weeks => Ok(days / 7),
        Unit::Eras => Ok(i64::from(b.year >= 1) - i64::from(a.year >= 1)),
        Unit::WeekBasedYears => Ok(b.iso_week().0 - a.iso_week().0),
        _ => Err(TimeError::unit(unit.text())),
    }
}

fn cut(nanos: i128, unit: i64) -> Res<i64> {
    i64::try_from(nanos / i128::from(unit)).map_err(|_| TimeError::overflow())
}

fn locals_between(a: DateTime, b: DateTime, unit: Unit) -> Res<i64> {
    if let Some(nanos) = unit.nanos().filter(|_| unit.is_of_time()) {
        return cut(b.epoch_nanos() - a.epoch_nanos(), nanos);
    }
    if unit == Unit::WeekBasedYears {
        return dates_between(a.date, b.date, unit);
    }
    let end = match b.date.cmp(&a.date) {
        std::cmp::Ordering::Greater if b.time < a.time => b.date.plus_days(-1)?,
        std::cmp::Ordering::Less if b.time > a.time => b.date.plus_days(1)?,
        _ => b.date,
    };
    dates_between(a.date, end, unit)
}

/// How many whole units are from one value to another, which is taken as what the first is.
pub fn between(unit: Unit, a: &Time, b: &Time) -> Res<i64> {
    let unknown = || TimeError::unit(unit.text());
    match a {
        Time::Date(x) => dates_between(*x, date_of(b)?, unit),
        Time::Clock(x) => {
            let nanos = unit.nanos().filter(|_| unit.is_of_time());
            let end = clock_of(b)?;
            cut(i128::from(end.nanos - x.nanos), nanos.ok_or_else(unknown)?)
        }
        Time::DateTime(x) => locals_between(*x, local_of(b)?, unit),
        Time::Offset(x) => locals_between(x.local, offset_of(b)?.at_offset(x.offset)?.local, unit),
        Time::Zoned(x) => {
            let end = Zoned::of_instant(zoned_of(b)?.instant(), x.zone.clone())?;
            if unit.is_of_time() {
                let end = end.offset_time().at_offset(x.offset)?;
                return locals_between(x.local, end.local, unit);
            }
            locals_between(x.local, end.local, unit)
        }
        Time::Instant(x) => {
            let end = instant_of(b)?;
            match unit {
                Unit::Millis => end.millis()?.checked_sub(x.millis()?).ok_or_else(TimeError::overflow),
                _ if unit <= Unit::Days => cut(end.nanos() - x.nanos(), unit.nanos().ok_or_else(unknown)?),
                _ => Err(unknown()),
            }
        }
        Time::Year(x) if unit == Unit::Eras => Ok(i64::from(year_of(b)? >= 1) - i64::from(*x >= 1)),
        Time::YearMonth(x, _) if unit == Unit::Eras => Ok(i64::from(year_month_of(b)?.0 >= 1) - i64::from(*x >= 1)),
        Time::Year(x) => {
            let months = unit.months().filter(|m| m % 12 == 0).ok_or_else(unknown)?;
            Ok((i64::from(year_of(b)?) - i64::from(*x)) / (months / 12))
        }
        Time::YearMonth(y, m) => {
            let months = unit.months().ok_or_else(unknown)?;
            let (end, last) = year_month_of(b)?;
            let all = |y: i32, m: u8| i64::from(y) * 12 + i64::from(m);
            Ok((all(end, last) - all(*y, *m)) / months)
        }
        _ => Err(unknown()),
    }
}

/// The `Duration` from one value to another.
pub fn duration_between(a: &Time, b: &Time) -> Res<Duration> {
    Duration::of_nanos(match a {
        Time::Clock(x) => i128::from(clock_of(b)?.nanos) - i128::from(x.nanos),
        Time::DateTime(x) => local_of(b)?.epoch_nanos() - x.epoch_nanos(),
        Time::Offset(x) => offset_of(b)?.instant().nanos() - x.instant().nanos(),
        Time::Zoned(x) => zoned_of(b)?.instant().nanos() - x.instant().nanos(),
        Time::Instant(x) => instant_of(b)?.nanos() - x.nanos(),
        _ => return Err(TimeError::unit(Unit::Seconds.text())),
    })
}

/// The value without what is below a unit; `None` where it has no such method.
pub fn truncated(t: &Time, unit: Unit) -> Option<Res<Time>> {
    let too_large =
        || TimeError::new("UnsupportedTemporalTypeException", "Unit is too large to be used for truncation");
    let size = unit.nanos().filter(|_| unit <= Unit::Days).ok_or_else(too_large);
    let clock = |c: Clock| size.clone().map(|size| Clock { nanos: c.nanos / size * size });
    let local = |l: DateTime| clock(l.time).map(|time| DateTime { time, ..l });
    Some(match t {
        Time::Clock(c) => clock(*c).map(Time::Clock),
        Time::DateTime(l) => local(*l).map(Time::DateTime),
        Time::Offset(o) => local(o.local).map(|local| Time::Offset(OffsetTime { local, ..*o })),
        Time::Zoned(z) => local(z.local).and_then(|l| z.with_local(l)).map(Time::Zoned),
        Time::Instant(i) => size.and_then(|size| {
            let size = i128::from(size);
            let nanos = i.nanos();
            i.plus(nanos.div_euclid(size) * size - nanos).map(Time::Instant)
        }),
        Time::Duration(d) => size.and_then(|size| {
            let size = i128::from(size);
            Duration::of_nanos(d.nanos() / size * size).map(Time::Duration)
        }),
        _ => return None,
    })
}
