//! Times and ages, as options give them and lists show them.

use ptc_agent::sessions::date;
use ptc_agent::{Error, ErrorKind, error_text};

/// Milliseconds of an age: `30m`, `12h`, `7d`, `4w`.
pub fn age(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let ms: i64 = match unit {
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        "w" => 604_800_000,
        _ => return None,
    };
    let number: i64 = number.parse().ok().filter(|n| *n >= 0)?;
    number.checked_mul(ms)
}

/// The age that an option gives.
///
/// # Errors
/// When it is none.
pub fn age_of(option: &str, text: &str) -> Result<i64, Error> {
    age(text).ok_or_else(|| {
        let shown = ptc_lisp::escape::quoted(text);
        Error::new(ErrorKind::Usage, error_text!("{option} must be an age, got {shown}"; "write 30m, 12h, 7d or 4w"))
    })
}

/// The time, in milliseconds since 1970, that an option gives as an age or as a day.
///
/// # Errors
/// When it is neither.
pub fn since(option: &str, text: &str, now: i64) -> Result<i64, Error> {
    let day = || date::day(text);
    age(text).map(|ms| now.saturating_sub(ms)).or_else(day).ok_or_else(|| {
        let shown = ptc_lisp::escape::quoted(text);
        let words =
            error_text!("{option} must be an age or a day, got {shown}"; "write 30m, 12h, 7d, 4w, or 2026-11-23");
        Error::new(ErrorKind::Usage, words)
    })
}

/// A time as a list shows it, in UTC: `2026-11-23 08:40`; `-` where it is not known.
pub fn text(ms: i64) -> String {
    if ms == 0 { "-".to_owned() } else { date::text(ms) }
}

/// The same with the name of the zone.
pub fn utc(ms: i64) -> String {
    if ms == 0 { text(ms) } else { format!("{} UTC", text(ms)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_days() {
        assert_eq!(
            (age("30m"), age("2d"), age("0h"), age("1w")),
            (Some(1_800_000), Some(172_800_000), Some(0), Some(604_800_000))
        );
        for bad in ["", "d", "-1d", "1", "1y", "99999999999999999d", "é", "1é"] {
            assert_eq!(age(bad), None, "{bad}");
        }
        assert_eq!(since("--since", "2026-11-23", 0).unwrap(), 1_795_392_000_000);
        assert_eq!(since("--since", "1h", 3_600_005).unwrap(), 5);
        assert!(since("--since", "2026-13-01", 0).unwrap_err().text().contains("write 30m"));
        assert_eq!(
            (text(1_795_423_212_000), utc(1_795_423_212_000)),
            ("2026-11-23 08:40".into(), "2026-11-23 08:40 UTC".into())
        );
        assert_eq!((text(0), utc(0)), ("-".to_owned(), "-".to_owned()));
    }
}
