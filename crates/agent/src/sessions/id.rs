//! Ids of sessions: when one began, to the second, two letters for the milliseconds and two by chance,
//! `20261123-084012-k7q2`. They sort by time.

use chrono::{DateTime, NaiveDateTime};

/// The letters of the last part: those of base32 as RFC 4648 has it, in lower case, in the order in which text is sorted.
const LETTERS: &[u8] = b"234567abcdefghijklmnopqrstuvwxyz";

/// The id of a session that begins now: milliseconds since 1970, in UTC, and a number by chance.
pub(super) fn new_id(now_ms: i64, chance: u64) -> String {
    let when = DateTime::from_timestamp_millis(now_ms).unwrap_or_default();
    let letter = |number: u64, at: u32| {
        let five = usize::try_from(number.wrapping_shr(at) & 31).unwrap_or_default();
        LETTERS.get(five).copied().map_or('a', char::from)
    };
    let ms = u64::from(when.timestamp_subsec_millis());
    let end: String = [letter(ms, 5), letter(ms, 0), letter(chance, 5), letter(chance, 0)].into_iter().collect();
    format!("{}-{end}", when.format("%Y%m%d-%H%M%S"))
}

/// When the session of this id began, in milliseconds since 1970.
pub(super) fn began(id: &str) -> Option<i64> {
    let text = id.get(..15)?;
    let when = NaiveDateTime::parse_from_str(text, "%Y%m%d-%H%M%S").ok()?;
    Some(when.and_utc().timestamp_millis())
}

/// Whether this is such an id.
pub(super) fn is_id(text: &str) -> bool {
    let mut parts = text.split('-');
    let digits =
        |part: Option<&str>, n: usize| part.is_some_and(|p| p.len() == n && p.bytes().all(|b| b.is_ascii_digit()));
    digits(parts.next(), 8)
        && digits(parts.next(), 6)
        && parts.next().is_some_and(|p| p.len() == 4 && p.bytes().all(|b| LETTERS.contains(&b)))
        && parts.next().is_none()
}

/// Whether an id begins with this, or its last part does.
pub(super) fn matches(id: &str, prefix: &str) -> bool {
    !prefix.is_empty() && (id.starts_with(prefix) || id.rsplit('-').next().is_some_and(|end| end.starts_with(prefix)))
}

/// Whether this can only be meant as the beginning of an id, or of its last part, and not as a path.
pub(super) fn may_begin(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 20
        && text.bytes().all(|b| b == b'-' || b.is_ascii_digit() || LETTERS.contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_are_told_from_other_names() {
        let (a, b) = (new_id(1_795_423_212_007, 32), new_id(1_795_423_212_999, 0));
        assert_eq!((a.as_str(), b.as_str()), ("20261123-084012-2b32", "20261123-084012-zb22"));
        assert!(
            a < b
                && new_id(1_795_423_212_031, 0) < new_id(1_795_423_212_032, 0)
                && is_id(&a)
                && is_id(&new_id(0, u64::MAX))
        );
        for odd in [
            "",
            "index.sqlite",
            "20261123-084012-ha",
            "20261123-084012-haa1",
            "20261123-084012-haaa-x",
            "..",
            "2026112a-084012-haaa",
        ] {
            assert!(!is_id(odd), "{odd}");
        }
        assert!(
            matches(&a, "20261123") && matches(&a, "2b") && matches(&a, &a) && !matches(&a, "") && !matches(&a, "b3")
        );
        assert!(may_begin("k7q2") && may_begin("2026") && !may_begin("t.jsonl") && !may_begin("../x"));
        // A time that no calendar has is one all the same.
        assert!(is_id(&new_id(i64::MAX, 0)));
    }
}
