//! From fields that were read to a date, a time of day and a point in time.

use super::civil::{Clock, Date, DateTime, is_leap, year};
use super::error::{Res, TimeError};
use super::fields;
use super::kind::Time;
use super::moment::{Instant, OffsetTime, Zoned};
use super::parsed::Parsed;
use super::part::Number;
use super::unit::Field;
use super::weeks::WeekPart;
use super::zone::{Zone, offset_seconds};

/// What Java's `from` says of a text that has not what is asked for.
#[cold]
fn unable(what: &str, parsed: &Parsed) -> TimeError {
    let words = "of type java.time.format.Parsed";
    TimeError::date_time(format!("Unable to obtain {what} from TemporalAccessor: {} {words}", parsed.shown()))
}

impl Parsed {
    /// Makes date and time of what was read.
    pub(super) fn resolve(&mut self, strict: bool) -> Res<()> {
        if let Some(second) = self.take(Field::InstantSeconds) {
            let nano = self.field(Field::NanoOfSecond).unwrap_or(0);
            let at = Instant::of(second, nano)?;
            self.second = Some(second);
            self.nano = nano;
            if let Some(zone) = &self.zone {
                let local = Zoned::of_instant(at, zone.clone())?.local;
                (self.date, self.time) = (Some(local.date), Some(local.time));
                self.take(Field::NanoOfSecond);
            }
            return Ok(());
        }
        let all = [WeekPart::WeekBasedYear, WeekPart::WeekOfWeekBasedYear].map(|w| self.get(Number::Week(w)));
        if let [Some(_), Some(_)] = all {
            return Err(TimeError::refused(
                "Y and w in a pattern are printed, not parsed: use DateTimeFormatter/ISO_WEEK_DATE",
            ));
        }
        self.resolve_date(strict)?;
        let more = self.resolve_time(strict)?;
        if let (Some(d), Some(_)) = (self.date, self.time)
            && more
        {
            self.date = Some(d.plus_days(1)?);
        }
        self.check()?;
        if let (Some(date), Some(time)) = (self.date, self.time) {
            let local = DateTime { date, time };
            if let Some(offset) = self.field(Field::OffsetSeconds) {
                let offset = offset_seconds(offset)?;
                self.second = Some(OffsetTime { local, offset }.second());
            } else if let Some(zone) = &self.zone {
                self.second = Some(Zoned::of_local(local, zone.clone(), None)?.instant().second);
            }
        }
        Ok(())
    }

    fn resolve_date(&mut self, strict: bool) -> Res<()> {
        if let Some(n) = self.take(Field::EpochDay) {
            self.date = Some(Date::of_epoch_day(n)?);
            return Ok(());
        }
        if let Some(n) = self.field(Field::YearOfEra) {
            Field::YearOfEra.check(n)?;
            let found = match self.field(Field::Era) {
                Some(era) => Some(if era == 1 { n } else { 1 - n }),
                // A strict form wants to be told the era.
                None if strict => self.field(Field::Year).map(|y| if y > 0 { n } else { 1 - n }),
                None => Some(match self.field(Field::Year) {
                    Some(y) if y <= 0 => 1 - n,
                    _ => n,
                }),
            };
            if let Some(y) = found {
                self.take(Field::YearOfEra);
                self.take(Field::Era);
                self.add(Field::Year, y)?;
            }
        }
        if let Some(n) = self.take(Field::WeekBasedYear) {
            let (week, day) = (self.take(Field::WeekOfWeekBasedYear), self.take(Field::DayOfWeek));
            if let (Some(week), Some(day)) = (week, day) {
                return self.resolve_week(n, week, day);
            }
            return Err(TimeError::refused("a week date is read whole: year, week and day"));
        }
        let Some(y) = self.field(Field::Year) else { return Ok(()) };
        if let (Some(m), Some(d)) = (self.field(Field::MonthOfYear), self.field(Field::DayOfMonth)) {
            let y = i64::from(year(y)?);
            Field::MonthOfYear.check(m)?;
            Field::DayOfMonth.check(d)?;
            let d = match m {
                _ if strict => d,
                4 | 6 | 9 | 11 => d.min(30),
                2 => d.min(if is_leap(y) { 29 } else { 28 }),
                _ => d,
            };
            self.date = Some(Date::of(y, m, d)?);
            for f in [Field::Year, Field::MonthOfYear, Field::DayOfMonth] {
                self.take(f);
            }
        } else if let Some(n) = self.field(Field::DayOfYear) {
            self.date = Some(Date::of_year_day(y, n)?);
            for f in [Field::Year, Field::DayOfYear] {
                self.take(f);
            }
        } else if let (Some(m), Some(w), Some(d)) =
            (self.field(Field::MonthOfYear), self.field(Field::AlignedWeekOfMonth), self.field(Field::DayOfWeek))
        {
            let words = format!("year {y}, month {m}, week {w} and day {d} of a week make no date here");
            return Err(TimeError::refused(words));
        }
        Ok(())
    }

    fn resolve_week(&mut self, y: i64, week: i64, day: i64) -> Res<()> {
        let y = i64::from(year(y)?);
        Field::WeekOfWeekBasedYear.check(week)?;
        Field::DayOfWeek.check(day)?;
        if week > super::civil::iso_weeks(y) {
            let words = "Invalid value for WeekOfWeekBasedYear (valid values 1 - 52)";
            return Err(TimeError::date_time(format!("{words}: {week}")));
        }
        let start = Date::of(y, 1, 4)?;
        self.date = Some(start.plus_days((week - 1) * 7 + day - i64::from(start.weekday()))?);
        Ok(())
    }

    /// Adds a field; one that was read must say the same.
    fn add(&mut self, f: Field, n: i64) -> Res<()> {
        match self.field(f) {
            Some(old) if old != n => {
                let name = f.text();
                Err(TimeError::date_time(format!("Conflict found: {name} {old} differs from {name} {n}")))
            }
            Some(_) => Ok(()),
            None => {
                self.fields.push((Number::Field(f), n));
                Ok(())
            }
        }
    }

    fn resolve_time(&mut self, strict: bool) -> Res<bool> {
        if let Some(n) = self.take(Field::ClockHourOfDay) {
            if strict || n != 0 {
                Field::ClockHourOfDay.check(n)?;
            }
            self.add(Field::HourOfDay, if n == 24 { 0 } else { n })?;
        }
        if let Some(n) = self.take(Field::ClockHourOfAmPm) {
            if strict || n != 0 {
                Field::ClockHourOfAmPm.check(n)?;
            }
            self.add(Field::HourOfAmPm, if n == 12 { 0 } else { n })?;
        }
        if let (Some(half), Some(hour)) = (self.field(Field::AmPmOfDay), self.field(Field::HourOfAmPm)) {
            self.take(Field::AmPmOfDay);
            self.take(Field::HourOfAmPm);
            Field::AmPmOfDay.check(half)?;
            Field::HourOfAmPm.check(hour)?;
            self.add(Field::HourOfDay, half * 12 + hour)?;
        }
        if let Some(n) = self.take(Field::NanoOfDay) {
            self.time = Some(Clock { nanos: Field::NanoOfDay.check(n)? });
        }
        if let Some(n) = self.take(Field::MilliOfDay) {
            self.time = Some(Clock { nanos: Field::MilliOfDay.check(n)? * 1_000_000 });
        }
        let part = |f| self.field(f);
        let (hour, minute) = (part(Field::HourOfDay), part(Field::MinuteOfHour));
        let (second, nano) = (part(Field::SecondOfMinute), part(Field::NanoOfSecond));
        let Some(hour) = hour else { return Ok(false) };
        let gap = minute.is_none() && (second.is_some() || nano.is_some())
            || minute.is_some() && second.is_none() && nano.is_some();
        if gap {
            return Ok(false);
        }
        let [m, s, n] = [minute, second, nano].map(Option::unwrap_or_default);
        let midnight = !strict && hour == 24 && (m, s, n) == (0, 0, 0);
        let hour = if midnight { 0 } else { hour };
        self.time = Some(Clock::of(hour, m, s, n)?);
        for f in [Field::HourOfDay, Field::MinuteOfHour, Field::SecondOfMinute, Field::NanoOfSecond] {
            self.take(f);
        }
        Ok(midnight)
    }

    /// What was read besides must agree with date and time.
    fn check(&mut self) -> Res<()> {
        let date = self.date.map(Time::Date);
        let time = self.time.map(Time::Clock);
        for (n, v) in &self.fields {
            let Number::Field(f) = *n else { continue };
            for whole in [&date, &time].into_iter().flatten() {
                if let Some(is) = fields::value(whole, f)
                    && is != *v
                {
                    let name = f.text();
                    let words = format!("Conflict found: Field {name} {is} differs from {name} {v} derived from");
                    return Err(TimeError::date_time(format!("{words} {}", whole.text())));
                }
            }
        }
        let known = |f: Field| [&date, &time].into_iter().flatten().any(|w| fields::value(w, f).is_some());
        self.fields.retain(|(n, _)| !matches!(n, Number::Field(f) if known(*f)));
        Ok(())
    }

    /// The `LocalDate` that was read.
    pub fn local_date(&self) -> Res<Date> {
        self.date.ok_or_else(|| unable("LocalDate", self))
    }

    /// The `LocalTime`.
    pub fn local_time(&self) -> Res<Clock> {
        self.time.ok_or_else(|| unable("LocalTime", self))
    }

    /// The `LocalDateTime`.
    pub fn local_date_time(&self) -> Res<DateTime> {
        match (self.date, self.time) {
            (Some(date), Some(time)) => Ok(DateTime { date, time }),
            _ => Err(unable("LocalDateTime", self)),
        }
    }

    /// The `Instant`.
    pub fn instant(&self) -> Res<Instant> {
        let second = self.second.ok_or_else(|| unable("Instant", self))?;
        Instant::of(second, self.time.map_or(self.nano, Clock::nano))
    }

    /// The `OffsetDateTime`.
    pub fn offset_date_time(&self) -> Res<OffsetTime> {
        let offset = self.offset().ok_or_else(|| unable("OffsetDateTime", self))?;
        match (self.date, self.time) {
            (Some(date), Some(time)) => Ok(OffsetTime { local: DateTime { date, time }, offset }),
            _ => Err(unable("OffsetDateTime", self)),
        }
    }

    /// The `ZonedDateTime`.
    pub fn zoned(&self) -> Res<Zoned> {
        let zone = self.zone.clone().or_else(|| self.offset().map(Zone::Offset));
        let (Some(zone), Some(_)) = (zone, self.second) else { return Err(unable("ZonedDateTime", self)) };
        Zoned::of_instant(self.instant()?, zone)
    }

    /// A field of what was read, or of the date that it made.
    pub fn number(&self, f: Field, what: &str) -> Res<i64> {
        let of_date = || self.date.and_then(|d| fields::value(&Time::Date(d), f));
        self.field(f).or_else(of_date).ok_or_else(|| unable(what, self))
    }
}
