//! Timeouts and retries of requests to a model.

use std::time::Duration;

/// Timeouts and retries of requests to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Until a connection stands. 10 s.
    pub connect: Duration,
    /// From the request to the first piece of a streamed answer, whatever else is sent before it. 120 s: reading a long prompt takes a local server so long.
    pub first: Duration,
    /// Between two signs of life of a streamed answer that has begun. 60 s.
    pub idle: Duration,
    /// For one try, from the request to the end of the answer. 600 s.
    pub total: Duration,
    /// How often it is asked at most. 4.
    pub tries: u32,
    /// The wait before the second try; it doubles from try to try, and half of it is left to chance. 0.5 s.
    pub pause: Duration,
    /// The longest wait between two tries. Where a provider asks for a longer one, it is not asked again. 60 s.
    pub longest_pause: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        RetryPolicy {
            connect: Duration::from_secs(10),
            first: Duration::from_secs(120),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(600),
            tries: 4,
            pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// The wait before the try after try `tried`, from 1; `chance` is from 0 to 1. `asked` is what the provider asked
    /// for: never waited less. `None` when it is longer than [`RetryPolicy::longest_pause`].
    pub fn wait(&self, tried: u32, asked: Option<Duration>, chance: f64) -> Option<Duration> {
        let doubled = self.pause.saturating_mul(1_u32.checked_shl(tried.saturating_sub(1).min(20)).unwrap_or(u32::MAX));
        let most = doubled.min(self.longest_pause);
        // Half and a part of half: no product can be longer than the longest time there is.
        let half = most.checked_div(2).unwrap_or_default();
        let own = half.saturating_add(half.mul_f64(chance.clamp(0.0, 1.0)));
        let wait = asked.map_or(own, |a| a.max(own));
        (wait <= self.longest_pause).then_some(wait)
    }
}

/// A number from 0 to 1 that differs from call to call: enough to keep clients from asking all at once.
#[cfg(feature = "http")]
pub(super) fn chance() -> f64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    (RandomState::new().build_hasher().finish() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A name that nobody guesses.
#[cfg(feature = "http")]
pub(super) fn secret() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Each is keyed anew by the system's randomness and a count.
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

/// How long a provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
#[cfg(feature = "http")]
pub(super) fn asked(headers: &reqwest::header::HeaderMap, now: i64) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).map(str::trim);
    let number = |t: &str| t.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
    let of = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return of(ms / 1000.0);
    }
    let after = text("retry-after")?;
    if let Some(seconds) = number(after) {
        return of(seconds);
    }
    // Against the server's own clock, where it tells it.
    let now = text("date").and_then(date).unwrap_or(now);
    Some(Duration::from_secs(date(after)?.saturating_sub(now).max(0).unsigned_abs()))
}

/// A date of HTTP, `Wed, 21 Oct 2015 07:28:00 GMT`, as seconds since 1970.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "every part is bounded where it is read: a year of four digits, a day of two"
)]
#[cfg(feature = "http")]
fn date(text: &str) -> Option<i64> {
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: i64 = words.next()?.parse().ok()?;
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = words.next()?;
    let month = months.iter().position(|m| *m == month)? as i64 + 1;
    let year: i64 = words.next()?.parse().ok().filter(|y| (1970..=9999).contains(y))?;
    let mut time = words.next()?.split(':').map(|t| t.parse::<i64>().ok().filter(|n| (0..=60).contains(n)));
    let (h, m, s) = (time.next()??, time.next()??, time.next()??);
    if words.next()? != "GMT" || !(1..=31).contains(&day) {
        return None;
    }
    // Days since 1970 of the civil calendar, years counted from March.
    let y = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * y + y / 4 - y / 100 + y / 400 + of_year - 719_468;
    Some(days * 86_400 + h * 3600 + m * 60 + s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        all.iter().map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v))).collect()
    }

    #[test]
    fn waits_double_and_are_partly_chance() {
        let p = RetryPolicy::default();
        let ms = |tried, chance| p.wait(tried, None, chance).unwrap().as_millis();
        assert_eq!([ms(1, 0.0), ms(1, 1.0), ms(2, 0.0), ms(2, 1.0), ms(3, 1.0)], [250, 500, 500, 1000, 2000]);
        assert_eq!(ms(40, 1.0), 60_000);
        let second = Duration::from_secs(1);
        assert_eq!(p.wait(1, Some(second), 1.0), Some(second));
        assert_eq!(p.wait(1, Some(Duration::ZERO), 0.0), Some(Duration::from_millis(250)));
        assert_eq!(p.wait(1, Some(Duration::from_secs(61)), 0.0), None);
        let endless = RetryPolicy { pause: Duration::MAX, longest_pause: Duration::MAX, ..p };
        assert!(endless.wait(3, Some(Duration::MAX), 1.0).is_some());
        let c: Vec<f64> = (0..50).map(|_| chance()).collect();
        assert!(c.iter().all(|c| (0.0..1.0).contains(c)) && c.iter().any(|x| *x != c[0]));
    }

    #[test]
    fn a_provider_asks_in_three_ways() {
        let ms = |all: &[(&'static str, &'static str)], now| asked(&headers(all), now).map(|d| d.as_millis());
        assert_eq!(ms(&[("retry-after-ms", "1500"), ("retry-after", "9")], 0), Some(1500));
        assert_eq!(ms(&[("retry-after", "2")], 0), Some(2000));
        assert_eq!(ms(&[("retry-after", "0.5")], 0), Some(500));
        let at = 1_445_412_480;
        assert_eq!(ms(&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], at - 3), Some(3000));
        assert_eq!(ms(&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], at + 3), Some(0));
        let both = [("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), ("date", "Wed, 21 Oct 2015 07:27:55 GMT")];
        assert_eq!(ms(&both, 0), Some(5000));
        for odd in ["-1", "soon", "Wed, 99 Oct 2015 07:28:00 GMT", "", "nan", "1e400"] {
            assert_eq!(ms(&[("retry-after", odd)], 0), None, "{odd}");
        }
        assert_eq!(ms(&[], 0), None);
        assert_eq!(date("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800));
        assert_eq!(date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
    }
}
