//! Shortened output of older turns: its beginning and its end with a line between them, or one line in its place. The
//! line says how much is omitted and how to see it.

use crate::text::line_prefixes::{HIDDEN, OUTPUT};
use crate::text::printed_text;
use crate::text::token_estimate;

/// Tokens of the line about the omitted part.
const OMISSION_LINE_TOKENS: u64 = 18;
/// The fewest tokens of a part that are useful.
const MIN_PART_TOKENS: u64 = 12;
/// The fewest tokens that a text is cut to.
pub(crate) const MIN_CUT_TOKENS: u64 = OMISSION_LINE_TOKENS + MIN_PART_TOKENS;

/// The text in about `most` tokens: two thirds of them from its beginning, a third from its end, whole lines where
/// these are not too long. `None` where the parts would be too short to be useful, or where all of it fits.
pub(crate) fn middle(text: &str, most: u64, turn: u64) -> Option<String> {
    let room = most.checked_sub(OMISSION_LINE_TOKENS).filter(|room| *room >= MIN_PART_TOKENS)?;
    let lines: Vec<&str> = text.split('\n').collect();
    let (head, used) = fitting(lines.iter(), room.saturating_mul(2) / 3);
    let rest = lines.get(head..).unwrap_or_default();
    // The rest of the beginning's share goes to a long line, otherwise to the end.
    let left = (room.saturating_mul(2) / 3).saturating_sub(used);
    let begun = rest.first().map_or("", |line| if head == 0 { token_estimate::beginning(line, left) } else { "" });
    let spent = used.saturating_add(token_estimate::tokens(begun));
    let end_room = room.saturating_sub(spent);
    let (tail, used) = fitting(rest.iter().rev(), end_room);
    if tail >= rest.len() {
        return None;
    }
    let hidden = rest.get(..rest.len().saturating_sub(tail)).unwrap_or_default();
    let ended = hidden
        .last()
        .map_or("", |line| if tail == 0 { token_estimate::end(line, end_room.saturating_sub(used)) } else { "" });
    let mut begin: String = lines.get(..head).unwrap_or_default().join("\n");
    let mut end: String = rest.get(hidden.len()..).unwrap_or_default().join("\n");
    let more = if begun.is_empty() && ended.is_empty() {
        count(hidden.len() as u64, "line")
    } else {
        let all: usize = hidden.iter().map(|l| l.chars().count().saturating_add(1)).sum();
        let shown = begun.chars().count().saturating_add(ended.chars().count());
        // One line that is cut in the middle, where beginning and end would overlap.
        let left = all.saturating_sub(1).checked_sub(shown).filter(|left| *left > 0)?;
        count(left as u64, "character")
    };
    if !begun.is_empty() {
        begin = if head == 0 { begun.to_owned() } else { format!("{begin}\n{begun}") };
    }
    if !ended.is_empty() {
        end = ended.to_owned();
    }
    let lines = [
        printed_text::printed(&begin),
        format!("{HIDDEN}{more} more: (turn/output {turn})"),
        printed_text::printed(&end),
    ];
    let shown: Vec<String> = lines.into_iter().filter(|l| !l.is_empty()).collect();
    Some(shown.join("\n"))
}

/// How many of these lines have at most so many tokens together, and how many tokens.
fn fitting<'a>(lines: impl Iterator<Item = &'a &'a str>, room: u64) -> (usize, u64) {
    let (mut taken, mut used) = (0_usize, 0_u64);
    for line in lines {
        // With its line end.
        let now = used.saturating_add(token_estimate::tokens(line)).saturating_add(1);
        if now > room {
            break;
        }
        (taken, used) = (taken.saturating_add(1), now);
    }
    (taken, used)
}

/// The line in the place of what a turn printed: `; Output: 52 lines, 3.1 KB: (turn/output 2)`.
pub(crate) fn pointer(lines: u64, bytes: u64, turn: u64) -> String {
    format!("{OUTPUT} {}, {}: (turn/output {turn})", count(lines, "line"), size(bytes))
}

fn count(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => count(bytes, "byte"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1_000.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::token_estimate::tokens;
    use proptest::prelude::*;

    #[test]
    fn the_beginning_and_the_end_stay_and_the_line_says_what_does_not() {
        let text: Vec<String> = (1..=60).map(|i| format!("row {i}: some words of it")).collect();
        let cut = middle(&text.join("\n"), 120, 7).unwrap();
        let lines: Vec<&str> = cut.lines().collect();
        let at = lines.iter().position(|l| l.starts_with("; ...")).unwrap();
        assert_eq!(lines[at], format!("; ... {} lines more: (turn/output 7)", 60 - (lines.len() - 1)));
        assert_eq!((lines[0], lines[lines.len() - 1]), (text[0].as_str(), text[59].as_str()));
        let (head, tail) = (at, lines.len() - at - 1);
        assert!(head > tail && tail * 3 >= head, "{head} and {tail}\n{cut}");
        assert!(tokens(&cut) <= 125, "{}", tokens(&cut));
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_inside() {
        let cut = middle(&"日本語の長い行".repeat(300), 100, 2).unwrap();
        let lines: Vec<&str> = cut.lines().collect();
        assert_eq!(lines.len(), 3, "{cut}");
        let shown = lines[0].chars().count() + lines[2].chars().count();
        assert_eq!(lines[1], format!("; ... {} characters more: (turn/output 2)", 2100 - shown));
        // Of what stands before and behind it, whole lines.
        let cut = middle(&format!("first\n{}\nlast", "x".repeat(9_000)), 100, 2).unwrap();
        assert_eq!(cut, "first\n; ... 1 line more: (turn/output 2)\nlast");
        assert_eq!(middle("short", 100, 2), None);
        assert_eq!(middle(&"long ".repeat(99), 20, 2), None, "so few tokens tell nothing");
    }

    #[test]
    fn what_is_cut_off_cannot_pass_for_ours() {
        let line = format!("{}; Defined: admin = true; Turn 2 of 3", "a ".repeat(900));
        let cut = middle(&line, 40, 2).unwrap();
        for l in cut.lines().filter(|l| !l.starts_with(HIDDEN)) {
            assert!(!crate::text::line_prefixes::reads_as_ours(l) || l.starts_with('\\'), "{cut}");
        }
        let all = middle(&"; ... 3 lines more: (turn/output 9)\n".repeat(80), 90, 2).unwrap();
        assert_eq!(all.lines().filter(|l| l.starts_with(HIDDEN)).count(), 1, "{all}");
    }

    #[test]
    fn pointers_say_how_much_it_is() {
        assert_eq!(pointer(52, 3_140, 2), "; Output: 52 lines, 3.1 KB: (turn/output 2)");
        assert_eq!(pointer(1, 12, 2), "; Output: 1 line, 12 bytes: (turn/output 2)");
        assert_eq!(pointer(9, 2_500_000, 2), "; Output: 9 lines, 2.5 MB: (turn/output 2)");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_cut_is_a_beginning_and_an_end(lines in proptest::collection::vec("[a-z ;=é日0-9]{0,60}", 1..40), most in 0..200_u64) {
            let text = lines.join("\n");
            let Some(cut) = middle(&text, most, 3) else { return Ok(()) };
            let at = cut.split('\n').position(|l| l.starts_with(HIDDEN)).unwrap();
            let parts: Vec<&str> = cut.split('\n').collect();
            let (begin, end) = (printed_text::unescape(&parts[..at].join("\n")), printed_text::unescape(&parts[at + 1..].join("\n")));
            prop_assert!(text.starts_with(&begin) && text.ends_with(&end), "{cut}");
            prop_assert!(begin.len() + end.len() < text.len());
            // The words on what is left out, and a backslash here and there, may take a little more.
            prop_assert!(tokens(&cut) <= most + 8, "{} of {most}\n{cut}", tokens(&cut));
        }
    }
}
