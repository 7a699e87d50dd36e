//! The classes of dates and times, and which values are of them.

use crate::time::Time;
use crate::time::zone::Zone;

/// A class: its full name and what is of it.
pub type TimeClass = (&'static str, fn(&Time) -> bool);

/// Classes by full name.
pub const CLASSES: &[TimeClass] = &[
    ("java.util.Date", |t| matches!(t, Time::Inst(_))),
    ("java.time.Instant", |t| matches!(t, Time::Instant(_))),
    ("java.time.LocalDate", |t| matches!(t, Time::Date(_))),
    ("java.time.LocalTime", |t| matches!(t, Time::Clock(_))),
    ("java.time.LocalDateTime", |t| matches!(t, Time::DateTime(_))),
    ("java.time.OffsetDateTime", |t| matches!(t, Time::Offset(_))),
    ("java.time.ZonedDateTime", |t| matches!(t, Time::Zoned(_))),
    ("java.time.Duration", |t| matches!(t, Time::Duration(_))),
    ("java.time.Period", |t| matches!(t, Time::Period(_))),
    ("java.time.DayOfWeek", |t| matches!(t, Time::Weekday(_))),
    ("java.time.Month", |t| matches!(t, Time::Month(_))),
    ("java.time.Year", |t| matches!(t, Time::Year(_))),
    ("java.time.YearMonth", |t| matches!(t, Time::YearMonth(..))),
    ("java.time.MonthDay", |t| matches!(t, Time::MonthDay(..))),
    ("java.time.ZoneId", |t| matches!(t, Time::Zone(_))),
    ("java.time.ZoneRegion", |t| matches!(t, Time::Zone(Zone::Region(_)))),
    ("java.time.ZoneOffset", |t| matches!(t, Time::Zone(Zone::Offset(_)))),
    ("java.time.temporal.ChronoUnit", |t| matches!(t, Time::Unit(u) if !u.is_iso())),
    ("java.time.temporal.ChronoField", |t| matches!(t, Time::Field(f) if !f.is_iso())),
    ("java.time.temporal.WeekFields", |t| matches!(t, Time::Weeks(_))),
    ("java.time.format.DateTimeFormatter", |t| matches!(t, Time::Formatter(_))),
    ("java.time.format.TextStyle", |t| matches!(t, Time::TextStyle(..))),
    ("java.time.format.ResolverStyle", |t| matches!(t, Time::Resolver(_))),
    ("java.util.Locale", |t| matches!(t, Time::Locale(_))),
    ("java.time.temporal.TemporalUnit", |t| matches!(t, Time::Unit(_))),
    ("java.time.temporal.TemporalField", |t| matches!(t, Time::Field(_) | Time::WeekField(..))),
    ("java.time.temporal.TemporalAmount", |t| matches!(t, Time::Duration(_) | Time::Period(_))),
    ("java.time.temporal.TemporalAdjuster", |t| {
        matches!(t, Time::Adjuster(_)) || is_accessor(t) && !matches!(t, Time::Zoned(_))
    }),
    ("java.time.temporal.Temporal", is_temporal),
    ("java.time.temporal.TemporalAccessor", is_accessor),
    ("java.lang.Enum", Time::is_constant),
];

/// What can be moved in time.
fn is_temporal(t: &Time) -> bool {
    matches!(
        t,
        Time::Date(_)
            | Time::Clock(_)
            | Time::DateTime(_)
            | Time::Offset(_)
            | Time::Zoned(_)
            | Time::Instant(_)
            | Time::Year(_)
            | Time::YearMonth(..)
    )
}

/// What fields can be read of.
fn is_accessor(t: &Time) -> bool {
    is_temporal(t) || matches!(t, Time::MonthDay(..) | Time::Weekday(_) | Time::Month(_) | Time::Zone(Zone::Offset(_)))
}

/// Whether Java can compare it.
pub fn is_comparable(t: &Time) -> bool {
    crate::time::order::compare(t, t).is_some()
}

/// The row of a class, with its package or without.
pub fn row(class: &str) -> Option<&'static TimeClass> {
    CLASSES.iter().find(|c| c.0 == class || c.0.rsplit('.').next() == Some(class))
}
