//! Days and times of the calendar, in UTC.

use chrono::{DateTime, NaiveDate, NaiveTime};

/// A time in milliseconds since 1970 as `2026-11-23 08:40`.
pub fn text(ms: i64) -> String {
    DateTime::from_timestamp_millis(ms).unwrap_or_default().format("%Y-%m-%d %H:%M").to_string()
}

/// When a day such as `2026-11-23` begins, in milliseconds since 1970.
pub fn day(text: &str) -> Option<i64> {
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(day.and_time(NaiveTime::MIN).and_utc().timestamp_millis())
}
