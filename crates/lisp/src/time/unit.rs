//! Units and fields of time, by the names that Java has for them.

use super::civil::{DAY, SECOND};

macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $id:ident $constant:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$each])* $id,)* }

        impl $name {
            /// All of them, with the name of the constant in Java.
            pub const ALL: &'static [($name, &'static str)] = &[$(($name::$id, $constant)),*];

            /// The name of the constant in Java.
            pub fn constant(self) -> &'static str {
                match self { $($name::$id => $constant),* }
            }

            /// Java's text of it, as messages have it.
            pub fn text(self) -> &'static str {
                match self { $($name::$id => $text),* }
            }

            /// The one with this name of a constant.
            pub fn named(name: &str) -> Option<$name> {
                Self::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
            }
        }
    };
}

table! {
    /// Java's `ChronoUnit`, and the two of `IsoFields` behind it.
    Unit {
        /// A nanosecond.
        Nanos "NANOS" "Nanos",
        /// A thousand of them.
        Micros "MICROS" "Micros",
        /// A million of them.
        Millis "MILLIS" "Millis",
        /// A second.
        Seconds "SECONDS" "Seconds",
        /// A minute.
        Minutes "MINUTES" "Minutes",
        /// An hour.
        Hours "HOURS" "Hours",
        /// Twelve hours.
        HalfDays "HALF_DAYS" "HalfDays",
        /// A day.
        Days "DAYS" "Days",
        /// A week.
        Weeks "WEEKS" "Weeks",
        /// A month.
        Months "MONTHS" "Months",
        /// A year.
        Years "YEARS" "Years",
        /// Ten years.
        Decades "DECADES" "Decades",
        /// A hundred years.
        Centuries "CENTURIES" "Centuries",
        /// A thousand years.
        Millennia "MILLENNIA" "Millennia",
        /// Before or after year 0.
        Eras "ERAS" "Eras",
        /// Longer than all there is.
        Forever "FOREVER" "Forever",
        /// Three months.
        QuarterYears "QUARTER_YEARS" "QuarterYears",
        /// A year of whole weeks.
        WeekBasedYears "WEEK_BASED_YEARS" "WeekBasedYears",
    }
}

table! {
    /// Java's `ChronoField`, and those of `IsoFields` behind it.
    Field {
        /// From 0.
        NanoOfSecond "NANO_OF_SECOND" "NanoOfSecond",
        /// From 0.
        NanoOfDay "NANO_OF_DAY" "NanoOfDay",
        /// From 0.
        MicroOfSecond "MICRO_OF_SECOND" "MicroOfSecond",
        /// From 0.
        MicroOfDay "MICRO_OF_DAY" "MicroOfDay",
        /// From 0.
        MilliOfSecond "MILLI_OF_SECOND" "MilliOfSecond",
        /// From 0.
        MilliOfDay "MILLI_OF_DAY" "MilliOfDay",
        /// From 0.
        SecondOfMinute "SECOND_OF_MINUTE" "SecondOfMinute",
        /// From 0.
        SecondOfDay "SECOND_OF_DAY" "SecondOfDay",
        /// From 0.
        MinuteOfHour "MINUTE_OF_HOUR" "MinuteOfHour",
        /// From 0.
        MinuteOfDay "MINUTE_OF_DAY" "MinuteOfDay",
        /// 0 to 11.
        HourOfAmPm "HOUR_OF_AMPM" "HourOfAmPm",
        /// 1 to 12.
        ClockHourOfAmPm "CLOCK_HOUR_OF_AMPM" "ClockHourOfAmPm",
        /// 0 to 23.
        HourOfDay "HOUR_OF_DAY" "HourOfDay",
        /// 1 to 24.
        ClockHourOfDay "CLOCK_HOUR_OF_DAY" "ClockHourOfDay",
        /// 0 and 1.
        AmPmOfDay "AMPM_OF_DAY" "AmPmOfDay",
        /// 1 for Monday.
        DayOfWeek "DAY_OF_WEEK" "DayOfWeek",
        /// Where weeks begin with the month.
        AlignedDayOfWeekInMonth "ALIGNED_DAY_OF_WEEK_IN_MONTH" "AlignedDayOfWeekInMonth",
        /// Where weeks begin with the year.
        AlignedDayOfWeekInYear "ALIGNED_DAY_OF_WEEK_IN_YEAR" "AlignedDayOfWeekInYear",
        /// From 1.
        DayOfMonth "DAY_OF_MONTH" "DayOfMonth",
        /// From 1.
        DayOfYear "DAY_OF_YEAR" "DayOfYear",
        /// Days since 1970-01-01.
        EpochDay "EPOCH_DAY" "EpochDay",
        /// Where weeks begin with the month.
        AlignedWeekOfMonth "ALIGNED_WEEK_OF_MONTH" "AlignedWeekOfMonth",
        /// Where weeks begin with the year.
        AlignedWeekOfYear "ALIGNED_WEEK_OF_YEAR" "AlignedWeekOfYear",
        /// From 1.
        MonthOfYear "MONTH_OF_YEAR" "MonthOfYear",
        /// Months since year 0.
        ProlepticMonth "PROLEPTIC_MONTH" "ProlepticMonth",
        /// From 1, in its era.
        YearOfEra "YEAR_OF_ERA" "YearOfEra",
        /// The year.
        Year "YEAR" "Year",
        /// 0 before year 1, 1 from it on.
        Era "ERA" "Era",
        /// Seconds since 1970.
        InstantSeconds "INSTANT_SECONDS" "InstantSeconds",
        /// Seconds that a clock is ahead.
        OffsetSeconds "OFFSET_SECONDS" "OffsetSeconds",
        /// From 1, in its quarter.
        DayOfQuarter "DAY_OF_QUARTER" "DayOfQuarter",
        /// 1 to 4.
        QuarterOfYear "QUARTER_OF_YEAR" "QuarterOfYear",
        /// 1 to 53.
        WeekOfWeekBasedYear "WEEK_OF_WEEK_BASED_YEAR" "WeekOfWeekBasedYear",
        /// The year that a week belongs to.
        WeekBasedYear "WEEK_BASED_YEAR" "WeekBasedYear",
    }
}

impl Unit {
    /// Nanoseconds that it has, up to a week: all of one length.
    pub fn nanos(self) -> Option<i64> {
        Some(match self {
            Unit::Nanos => 1,
            Unit::Micros => 1000,
            Unit::Millis => 1_000_000,
            Unit::Seconds => SECOND,
            Unit::Minutes => 60 * SECOND,
            Unit::Hours => 3600 * SECOND,
            Unit::HalfDays => DAY / 2,
            Unit::Days => DAY,
            Unit::Weeks => 7 * DAY,
            _ => return None,
        })
    }

    /// Months that it has, where it is made of months.
    pub fn months(self) -> Option<i64> {
        Some(match self {
            Unit::Months => 1,
            Unit::QuarterYears => 3,
            Unit::Years => 12,
            Unit::Decades => 120,
            Unit::Centuries => 1200,
            Unit::Millennia => 12_000,
            _ => return None,
        })
    }

    /// Whether it is shorter than a day.
    pub fn is_of_time(self) -> bool {
        self < Unit::Days
    }

    /// Whether it belongs to `IsoFields`.
    pub fn is_iso(self) -> bool {
        matches!(self, Unit::QuarterYears | Unit::WeekBasedYears)
    }
}

impl Field {
    /// Whether it is of the time of day.
    pub fn is_of_time(self) -> bool {
        self < Field::DayOfWeek
    }

    /// Whether it belongs to `IsoFields`.
    pub fn is_iso(self) -> bool {
        self > Field::OffsetSeconds
    }

    /// Least and largest value, where these are the same for all dates.
    pub fn range(self) -> (i64, i64) {
        let max_year = i64::from(super::civil::MAX_YEAR);
        match self {
            Field::NanoOfSecond => (0, SECOND - 1),
            Field::NanoOfDay => (0, DAY - 1),
            Field::MicroOfSecond => (0, 999_999),
            Field::MicroOfDay => (0, DAY / 1000 - 1),
            Field::MilliOfSecond => (0, 999),
            Field::MilliOfDay => (0, DAY / 1_000_000 - 1),
            Field::SecondOfMinute | Field::MinuteOfHour => (0, 59),
            Field::SecondOfDay => (0, 86_399),
            Field::MinuteOfDay => (0, 1439),
            Field::HourOfAmPm => (0, 11),
            Field::ClockHourOfAmPm => (1, 12),
            Field::HourOfDay => (0, 23),
            Field::ClockHourOfDay => (1, 24),
            Field::AmPmOfDay | Field::Era => (0, 1),
            Field::DayOfWeek | Field::AlignedDayOfWeekInMonth | Field::AlignedDayOfWeekInYear => (1, 7),
            Field::DayOfMonth => (1, 31),
            Field::DayOfYear => (1, 366),
            Field::EpochDay => (-365_243_219_162, 365_241_780_471),
            Field::AlignedWeekOfMonth => (1, 5),
            Field::AlignedWeekOfYear | Field::WeekOfWeekBasedYear => (1, 53),
            Field::MonthOfYear => (1, 12),
            Field::ProlepticMonth => (-max_year * 12, max_year * 12 + 11),
            Field::YearOfEra => (1, max_year),
            Field::Year | Field::WeekBasedYear => (-max_year, max_year),
            Field::InstantSeconds => (i64::MIN, i64::MAX),
            Field::OffsetSeconds => (-64_800, 64_800),
            Field::DayOfQuarter => (1, 92),
            Field::QuarterOfYear => (1, 4),
        }
    }

    /// Java's words for the range, where it is not the same for all dates.
    fn range_words(self) -> Option<&'static str> {
        Some(match self {
            Field::DayOfMonth => "1 - 28/31",
            Field::DayOfYear => "1 - 365/366",
            Field::AlignedWeekOfMonth => "1 - 4/5",
            Field::YearOfEra => "1 - 999999999/1000000000",
            Field::WeekOfWeekBasedYear => "1 - 52/53",
            Field::DayOfQuarter => "1 - 90/92",
            _ => return None,
        })
    }

    /// The value, if it can be one of this field.
    pub fn check(self, n: i64) -> super::error::Res<i64> {
        let (least, most) = self.range();
        if (least..=most).contains(&n) {
            return Ok(n);
        }
        let words = self.range_words().map_or_else(|| format!("{least} - {most}"), str::to_owned);
        let message = format!("Invalid value for {} (valid values {words}): {n}", self.text());
        Err(super::error::TimeError::date_time(message))
    }
}
