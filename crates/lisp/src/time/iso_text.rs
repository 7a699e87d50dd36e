//! Dates and times without a zone as text, in the forms of ISO 8601 that Java prints.

use super::civil::{Clock, DAY_SECONDS, Date, DateTime};
use super::moment::Instant;
use std::fmt::Write as _;

/// A year of four digits at least; with a sign where it has more.
fn year(out: &mut String, y: i32) {
    let _ = match y {
        10_000.. => write!(out, "+{y}"),
        0.. => write!(out, "{y:04}"),
        _ => write!(out, "-{:04}", y.unsigned_abs()),
    };
}

/// `2024-01-31`
pub fn date(d: Date) -> String {
    let mut out = String::new();
    year(&mut out, d.year);
    let _ = write!(out, "-{:02}-{:02}", d.month, d.day);
    out
}

fn fraction(out: &mut String, nano: i64) {
    let _ = match nano {
        0 => return,
        n if n % 1_000_000 == 0 => write!(out, ".{:03}", n / 1_000_000),
        n if n % 1000 == 0 => write!(out, ".{:06}", n / 1000),
        n => write!(out, ".{n:09}"),
    };
}

/// `10:15`, and seconds where there are some.
pub fn clock(t: Clock) -> String {
    let mut out = format!("{:02}:{:02}", t.hour(), t.minute());
    if t.second() > 0 || t.nano() > 0 {
        let _ = write!(out, ":{:02}", t.second());
        fraction(&mut out, t.nano());
    }
    out
}

/// `2024-01-31T10:15`
pub fn date_time(l: DateTime) -> String {
    format!("{}T{}", date(l.date), clock(l.time))
}

/// `2024-01-31T10:15:00Z`
pub fn instant(i: Instant) -> String {
    let (day, second) = (i.second.div_euclid(DAY_SECONDS), i.second.rem_euclid(DAY_SECONDS));
    let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
    let mut out = format!("{}T{h:02}:{m:02}:{s:02}", date(Date::split(day)));
    fraction(&mut out, i64::from(i.nano));
    out.push('Z');
    out
}

/// `2024-01`
pub fn year_month(y: i32, m: u8) -> String {
    let mut out = String::new();
    match y {
        10_000.. => out.push_str(&y.to_string()),
        y => year(&mut out, y),
    }
    let _ = write!(out, "-{m:02}");
    out
}
