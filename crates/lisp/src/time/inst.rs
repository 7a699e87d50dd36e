//! `#inst`: a `java.util.Date`, as Clojure reads and prints it.

use super::civil::{Clock, Date, DateTime, SECOND};
use super::error::{Res, TimeError};
use super::moment::Instant;
use super::names::{DAYS, MONTHS, Width, named};

/// The first and the last millisecond of an inst: Java counts days before 1582-10-15 by another calendar, and years behind
/// 9999 have no text that is read.
pub const RANGE: (i64, i64) = (-12_219_292_800_000, 253_402_300_799_999);

/// Milliseconds that an inst can have.
pub fn checked(ms: i64) -> Res<i64> {
    if (RANGE.0..=RANGE.1).contains(&ms) {
        return Ok(ms);
    }
    Err(TimeError::refused("an inst is between 1582-10-15 and 9999-12-31: use an Instant or a LocalDate"))
}

/// What is between the quotes: `2024-01-01T00:00:00.000-00:00`.
pub fn literal(ms: i64) -> String {
    let Ok(l) = Instant::of_millis(ms).local(0) else { return format!("{ms}") };
    let (d, t) = (l.date, l.time);
    let clock = format!("{:02}:{:02}:{:02}.{:03}", t.hour(), t.minute(), t.second(), t.nano() / 1_000_000);
    format!("{:04}-{:02}-{:02}T{clock}-00:00", d.year, d.month, d.day)
}

/// Java's text: `Mon Jan 01 00:00:00 UTC 2024`.
pub fn java_text(ms: i64) -> String {
    let Ok(l) = Instant::of_millis(ms).local(0) else { return format!("{ms}") };
    let (d, t) = (l.date, l.time);
    let day = named(&DAYS, i64::from(d.weekday()), Width::Short);
    let month = named(&MONTHS, i64::from(d.month), Width::Short);
    let clock = format!("{:02}:{:02}:{:02}", t.hour(), t.minute(), t.second());
    format!("{day} {month} {:02} {clock} UTC {:04}", d.day, d.year)
}

/// Digits of this number at the start, and what is behind them.
fn digits(text: &str, count: usize) -> Option<(i64, &str)> {
    let (head, tail) = text.split_at_checked(count)?;
    head.bytes().all(|b| b.is_ascii_digit()).then(|| head.parse().ok().map(|n| (n, tail))).flatten()
}

/// The milliseconds that a text says, or what is wrong with it. Parts from the right may be missing.
pub fn parse(text: &str) -> Result<i64, String> {
    let unknown = || format!("Unrecognized date/time syntax: {}", crate::error::cut(text.to_owned(), 80));
    parts(text).ok_or_else(unknown)?
}

/// `None` where the text has another form.
fn parts(text: &str) -> Option<Result<i64, String>> {
    let mut fields = [0i64, 1, 1, 0, 0, 0];
    let mut rest = text;
    for (slot, (mark, count)) in fields.iter_mut().zip([("", 4), ("-", 2), ("-", 2), ("T", 2), (":", 2), (":", 2)]) {
        let Some(behind) = rest.strip_prefix(mark) else { break };
        // A minus may begin the offset, as in `2024-01-01T10-05:00`: then no field of two digits is there to be read.
        match digits(behind, count) {
            Some((n, behind)) => {
                *slot = n;
                rest = behind;
            }
            None => return None,
        }
    }
    let [year, month, day, hour, minute, second] = fields;
    let mut nanos = 0;
    if let Some(behind) = rest.strip_prefix('.') {
        let places = behind.bytes().take_while(u8::is_ascii_digit).count();
        let (part, behind) = behind.split_at_checked(places)?;
        if part.is_empty() {
            return None;
        }
        let padded = part.bytes().chain(std::iter::repeat(b'0')).take(9);
        nanos = padded.fold(0, |n, d| n * 10 + i64::from(d - b'0'));
        rest = behind;
    }
    let offset = match rest {
        "" | "Z" => 0,
        _ => {
            let sign = if rest.starts_with('-') { -1 } else { 1 };
            let (hours, behind) = digits(rest.strip_prefix(['+', '-'])?, 2)?;
            let (minutes, behind) = digits(behind.strip_prefix(':')?, 2)?;
            if !behind.is_empty() {
                return None;
            }
            if hours > 23 || minutes > 59 {
                let test = if hours > 23 { "(<= 0 offset-hours 23)" } else { "(<= 0 offset-minutes 59)" };
                return Some(Err(format!("failed: {test}")));
            }
            sign * (hours * 60 + minutes)
        }
    };
    Some(instant([year, month, day, hour, minute, second], nanos, offset))
}

fn instant(fields: [i64; 6], nanos: i64, offset: i64) -> Result<i64, String> {
    let [year, month, day, hour, minute, second] = fields;
    let failed = |test: &str| Err(format!("failed: {test}"));
    if !(1..=12).contains(&month) {
        return failed("(<= 1 months 12)");
    }
    if !(1..=i64::from(super::civil::month_days(year, month as u8))).contains(&day) {
        return failed("(<= 1 days (days-in-month months (leap-year? years)))");
    }
    if hour > 23 {
        return failed("(<= 0 hours 23)");
    }
    if minute > 59 {
        return failed("(<= 0 minutes 59)");
    }
    if second > if minute == 59 { 60 } else { 59 } {
        return failed("(<= 0 seconds (if (= minutes 59) 60 59))");
    }
    let date = Date::of(year, month, day).map_err(|e| e.message)?;
    let at = DateTime { date, time: Clock { nanos: (hour * 60 + minute) * 60 * SECOND } };
    let seconds = at.epoch_second() + second - offset * 60;
    checked(seconds * 1000 + nanos / 1_000_000).map_err(|e| e.message)
}
