//! The kinds of dates and times, and what can be said of each without computing.

use super::adjust::Adjuster;
use super::amount::{Duration, Period};
use super::civil::{Clock, Date, DateTime};
use super::formatter::Formatter;
use super::moment::{Instant, OffsetTime, Zoned};
use super::names::Width;
use super::unit::{Field, Unit};
use super::weeks::{WeekPart, WeekRule};
use super::zone::Zone;
use std::sync::Arc;

/// A value of `java.time`, or a `java.util.Date`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Time {
    /// `java.util.Date`: milliseconds since 1970.
    Inst(i64),
    /// `Instant`
    Instant(Instant),
    /// `LocalDate`
    Date(Date),
    /// `LocalTime`
    Clock(Clock),
    /// `LocalDateTime`
    DateTime(DateTime),
    /// `OffsetDateTime`
    Offset(OffsetTime),
    /// `ZonedDateTime`
    Zoned(Zoned),
    /// `Duration`
    Duration(Duration),
    /// `Period`
    Period(Period),
    /// `DayOfWeek`, 1 for Monday.
    Weekday(u8),
    /// `Month`, from 1 on.
    Month(u8),
    /// `Year`
    Year(i32),
    /// `YearMonth`
    YearMonth(i32, u8),
    /// `MonthDay`
    MonthDay(u8, u8),
    /// `ZoneId` and `ZoneOffset`
    Zone(Zone),
    /// `ChronoUnit`, and a unit of `IsoFields`.
    Unit(Unit),
    /// `ChronoField`, and a field of `IsoFields`.
    Field(Field),
    /// What `TemporalAdjusters` make.
    Adjuster(Adjuster),
    /// `DateTimeFormatter`
    Formatter(Arc<Formatter>),
    /// `TextStyle`; whether it is one of a name that stands alone.
    TextStyle(Width, bool),
    /// A `Locale` with English names: whether it is that of the United States.
    Locale(bool),
    /// `WeekFields`
    Weeks(WeekRule),
    /// A field of theirs.
    WeekField(WeekRule, WeekPart),
    /// `ResolverStyle`: whether it is the strict one.
    Resolver(bool),
}

/// The styles that names have.
pub const STYLES: [(&str, Width, bool); 6] = [
    ("FULL", Width::Full, false),
    ("FULL_STANDALONE", Width::Full, true),
    ("SHORT", Width::Short, false),
    ("SHORT_STANDALONE", Width::Short, true),
    ("NARROW", Width::Narrow, false),
    ("NARROW_STANDALONE", Width::Narrow, true),
];

impl Time {
    /// The name of its class, with the package.
    pub fn class(&self) -> &'static str {
        match self {
            Time::Inst(_) => "java.util.Date",
            Time::Instant(_) => "java.time.Instant",
            Time::Date(_) => "java.time.LocalDate",
            Time::Clock(_) => "java.time.LocalTime",
            Time::DateTime(_) => "java.time.LocalDateTime",
            Time::Offset(_) => "java.time.OffsetDateTime",
            Time::Zoned(_) => "java.time.ZonedDateTime",
            Time::Duration(_) => "java.time.Duration",
            Time::Period(_) => "java.time.Period",
            Time::Weekday(_) => "java.time.DayOfWeek",
            Time::Month(_) => "java.time.Month",
            Time::Year(_) => "java.time.Year",
            Time::YearMonth(..) => "java.time.YearMonth",
            Time::MonthDay(..) => "java.time.MonthDay",
            Time::Zone(Zone::Offset(_)) => "java.time.ZoneOffset",
            Time::Zone(Zone::Region(_)) => "java.time.ZoneRegion",
            Time::Unit(u) if u.is_iso() => "java.time.temporal.IsoFields$Unit",
            Time::Unit(_) => "java.time.temporal.ChronoUnit",
            Time::Field(f) if f.is_iso() => "java.time.temporal.IsoFields$Field",
            Time::Field(_) => "java.time.temporal.ChronoField",
            Time::Adjuster(_) => "java.time.temporal.TemporalAdjuster",
            Time::Formatter(_) => "java.time.format.DateTimeFormatter",
            Time::TextStyle(..) => "java.time.format.TextStyle",
            Time::Locale(_) => "java.util.Locale",
            Time::Weeks(_) => "java.time.temporal.WeekFields",
            Time::WeekField(..) => "java.time.temporal.WeekFields$ComputedDayOfField",
            Time::Resolver(_) => "java.time.format.ResolverStyle",
        }
    }

    /// What it is, for error messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Time::Inst(_) => "an inst",
            Time::Instant(_) => "an Instant",
            Time::Date(_) => "a LocalDate",
            Time::Clock(_) => "a LocalTime",
            Time::DateTime(_) => "a LocalDateTime",
            Time::Offset(_) => "an OffsetDateTime",
            Time::Zoned(_) => "a ZonedDateTime",
            Time::Duration(_) => "a Duration",
            Time::Period(_) => "a Period",
            Time::Weekday(_) => "a DayOfWeek",
            Time::Month(_) => "a Month",
            Time::Year(_) => "a Year",
            Time::YearMonth(..) => "a YearMonth",
            Time::MonthDay(..) => "a MonthDay",
            Time::Zone(Zone::Offset(_)) => "a ZoneOffset",
            Time::Zone(Zone::Region(_)) => "a ZoneId",
            Time::Unit(_) => "a unit of time",
            Time::Field(_) => "a field of time",
            Time::Adjuster(_) => "a TemporalAdjuster",
            Time::Formatter(_) => "a DateTimeFormatter",
            Time::TextStyle(..) => "a TextStyle",
            Time::Locale(_) => "a Locale",
            Time::Weeks(_) => "WeekFields",
            Time::WeekField(..) => "a field of time",
            Time::Resolver(_) => "a ResolverStyle",
        }
    }

    /// Whether there is one of each: Java has these as constants.
    pub fn is_constant(&self) -> bool {
        matches!(
            self,
            Time::Weekday(_)
                | Time::Month(_)
                | Time::Unit(_)
                | Time::Field(_)
                | Time::TextStyle(..)
                | Time::Resolver(_)
        )
    }

    /// Bytes that it has besides its own.
    pub fn heap(&self) -> usize {
        match self {
            Time::Formatter(f) => f.bytes(),
            Time::Zone(z) => z.heap(),
            Time::Zoned(z) => z.zone.heap(),
            _ => 0,
        }
    }

    /// The date in it, if there is one.
    pub fn date(&self) -> Option<Date> {
        self.local().map(|l| l.date).or(match self {
            Time::Date(d) => Some(*d),
            _ => None,
        })
    }

    /// The time of day in it, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        self.local().map(|l| l.time).or(match self {
            Time::Clock(c) => Some(*c),
            _ => None,
        })
    }

    /// Date and time of day, if it has both.
    pub fn local(&self) -> Option<DateTime> {
        match self {
            Time::DateTime(l) => Some(*l),
            Time::Offset(o) => Some(o.local),
            Time::Zoned(z) => Some(z.local),
            _ => None,
        }
    }

    /// Its offset in seconds, if it has one.
    pub fn offset(&self) -> Option<i32> {
        match self {
            Time::Offset(o) => Some(o.offset),
            Time::Zoned(z) => Some(z.offset),
            Time::Zone(Zone::Offset(seconds)) => Some(*seconds),
            _ => None,
        }
    }

    /// The point in time that it is, if it is one.
    pub fn instant(&self) -> Option<Instant> {
        match self {
            Time::Inst(ms) => Some(Instant::of_millis(*ms)),
            Time::Instant(i) => Some(*i),
            Time::Offset(o) => Some(o.instant()),
            Time::Zoned(z) => Some(z.instant()),
            _ => None,
        }
    }
}
