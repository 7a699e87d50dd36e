//! The feedback after a turn: one user message, made once and recorded (docs/turns.md, "Feedback").

use crate::text::line_prefixes::{MISSED_KEY, OUT_OF_TURNS, TURN, VALUE_LINE};
use crate::text::printed_text::{self, without_end};
use crate::trace::record::{Defined, Header, MissedKey, Status, TurnRecord};
use crate::trace::turn_limit::{ENDLESS, TurnLimit};
use ptc_lisp::escape;
use ptc_lisp::value::Value;

/// Longest value that is shown, in characters.
pub const MAX_VALUE_CHARS: usize = 400;

/// The feedback to `record`, in a session or an act with the limit `bound`; `report` is the error as the model reads
/// it. Its number must be set already.
pub fn feedback(header: &Header, bound: &TurnLimit<'_>, record: &TurnRecord, report: Option<&str>) -> String {
    let mut parts = Vec::new();
    let printed: String =
        record.printed.iter().map(|e| printed_text::cut_entry(e, header.limits.println_bytes)).collect();
    if printed_text::is_seen(&printed) {
        parts.push(printed_text::printed(without_end(&printed)));
    }
    if let Some(report) = report {
        parts.push(report.to_owned());
    } else if let Some(value) = value_line(record) {
        parts.push(value);
    }
    parts.extend(record.missed_keys.iter().map(missed_key_line));
    if !record.status.ends() {
        parts.push(turn_line(record.turn.saturating_add(1), bound));
    }
    parts.join("\n")
}

/// `=> VALUE`, unless the program ended in a definition, or something was printed and the value is nil or what was printed
/// last. What a session returns is always shown.
fn value_line(record: &TurnRecord) -> Option<String> {
    // A text act's reply is not repeated to the model.
    let value = record.value.as_deref().filter(|_| record.status != Status::Answered)?;
    let last = record.printed.iter().rfind(|e| printed_text::is_seen(e));
    let told = last.is_some_and(|printed| value == "nil" || is_printed_as(value, printed));
    let quiet = told || value.starts_with("#'") || value.starts_with("#<multimethod ") || is_type(value, record);
    (record.status == Status::Returned || !quiet).then(|| format!("{VALUE_LINE}{}", one_line(value, MAX_VALUE_CHARS)))
}

/// Whether this is the value of the form that defined a record, a type or a protocol in this turn.
fn is_type(value: &str, record: &TurnRecord) -> bool {
    let name = value.strip_prefix("user.").unwrap_or(value);
    let is = |d: &Defined| d.name == name && matches!(d.type_word.as_deref(), Some("record" | "type" | "protocol"));
    record.definitions.iter().any(is)
}

/// Whether this printed entry is the text of the value: readable or not, in one line or several.
fn is_printed_as(value: &str, printed: &str) -> bool {
    /// Longer texts are compared up to here, in characters that count.
    const COMPARED: usize = 10_000;
    // A string may be printed as it is.
    let text = without_end(printed);
    let is_text = value.starts_with('"') && value == ptc_lisp::print::readable(&Value::str(text), value.len());
    is_text || words(value, COMPARED) == words(printed, COMPARED)
}

/// The words of a text, so many characters of them at most: without quotes and backslashes, which only readable text has, and
/// without the commas that stand between entries. A comma inside a word is part of it.
fn words(text: &str, most: usize) -> Vec<String> {
    let (mut words, mut word, mut length) = (Vec::new(), String::new(), 0_usize);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next().filter(|_| length < most) {
        let between = c == ',' && chars.peek().is_none_or(|next| next.is_whitespace());
        if c.is_whitespace() || between {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else if !matches!(c, '"' | '\\') {
            length = length.saturating_add(1);
            word.push(c);
        }
    }
    words.push(word);
    words.retain(|w| !w.is_empty());
    words
}

/// The line on a key that seems misspelt: `hint: no key :nme in maps with :name; did you mean :name?`
pub fn missed_key_line(m: &MissedKey) -> String {
    let (key, near) = (escape::line(&m.key), escape::line(&m.near));
    let written = if near.starts_with(':') { near.clone() } else { format!("(get m {near})") };
    format!("{MISSED_KEY}{key} in maps with {near}; did you mean {written}?")
}

/// `Turn 2 of 5`, the turn that is to be written; on the last one also what it must do; past it, that there is none.
pub fn turn_line(next: u64, bound: &TurnLimit<'_>) -> String {
    let TurnLimit { last, own, act } = *bound;
    if last == ENDLESS {
        return format!("{TURN}{next}");
    }
    if next > last {
        let of = act.map_or_else(String::new, |a| format!(" in act {}", escape::line(a)));
        return format!("{OUT_OF_TURNS}max_turns is {own}{of}");
    }
    let now = if next == last { ": the last one, it must (return ...) now" } else { "" };
    format!("{TURN}{next} of {last}{now}")
}

/// What the line of turns says of limits of the whole run, behind all else.
pub(crate) fn limits(notice: &str) -> String {
    format!("; used so far: {notice}, the run ends when none is left")
}

/// Readable text on one line, at most `most` characters of it, never cut inside an escape.
pub fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut width = 0_usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let before = out.len();
        escape::push(&mut out, c);
        if c == '\\'
            && let Some(next) = chars.next()
        {
            escape::push(&mut out, next);
        }
        width = width.saturating_add(out.get(before..).map_or(0, |s| s.chars().count()));
        if width > most {
            out.truncate(before);
            out.push_str("...");
            break;
        }
    }
    out
}

/// The feedback as it was; a record without one still answers.
pub(crate) fn whole(record: &TurnRecord) -> String {
    if record.feedback.is_empty() {
        format!("{TURN}{}", record.turn.saturating_add(1))
    } else {
        record.feedback.clone()
    }
}

/// The feedback to a turn that is shown as a summary: its value line, the lines on keys that seem misspelt, and the turn
/// line (P-17, D10). Printed text has no lines of these forms.
pub fn reduced(record: &TurnRecord) -> String {
    let mut lines: Vec<&str> = record.feedback.lines().collect();
    let turn = last_line(record);
    if turn.is_some() {
        lines.pop();
    }
    let hints = lines.iter().rev().take_while(|l| l.starts_with(MISSED_KEY)).take(record.missed_keys.len()).count();
    let hints = lines.split_off(lines.len().saturating_sub(hints));
    let value = lines.last().filter(|l| record.error.is_none() && l.starts_with(VALUE_LINE));
    let kept: Vec<&str> = value.into_iter().copied().chain(hints).chain(turn).collect();
    if kept.is_empty() { format!("{TURN}{}", record.turn.saturating_add(1)) } else { kept.join("\n") }
}

/// The feedback to a turn that printed `all`, as prompts show it, with `shown` in its place. Feedback that does not
/// begin with that output is unchanged.
pub(crate) fn with_output(record: &TurnRecord, all: &str, shown: &str) -> String {
    match record.feedback.strip_prefix(all).filter(|rest| !all.is_empty() && rest.starts_with('\n')) {
        Some(rest) => format!("{shown}{rest}"),
        None => whole(record),
    }
}

/// The turn line alone: the feedback of an error that was recovered.
pub fn turn_only(record: &TurnRecord) -> String {
    last_line(record).map_or_else(|| format!("{TURN}{}", record.turn.saturating_add(1)), str::to_owned)
}

/// The feedback without its turn line.
pub fn without_turn(record: &TurnRecord) -> &str {
    let turn = last_line(record).unwrap_or_default();
    record.feedback.trim_end_matches('\n').strip_suffix(turn).unwrap_or(&record.feedback).trim_end_matches('\n')
}

/// The last turn there may be, as the feedback to `record` said: nothing of a session without an end of turns.
pub(crate) fn last_turn(record: &TurnRecord) -> Option<u64> {
    let line = last_line(record)?;
    if line.starts_with(OUT_OF_TURNS) {
        return Some(record.turn);
    }
    let (_, of) = line.strip_prefix(TURN)?.split_once(" of ")?;
    let digits = of.find(|c: char| !c.is_ascii_digit()).unwrap_or(of.len());
    of.get(..digits)?.parse().ok()
}

fn last_line(record: &TurnRecord) -> Option<&str> {
    record.feedback.lines().next_back().filter(|l| l.starts_with(TURN) || l.starts_with(OUT_OF_TURNS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(record: TurnRecord) -> (String, String) {
        let text = feedback(&Header::new("s", "p", 5), &TurnLimit::of_session(5), &record, None);
        let record = TurnRecord { feedback: text.clone(), ..record };
        (text, reduced(&record))
    }

    fn with(turn: u64, value: &str, printed: &[&str]) -> TurnRecord {
        TurnRecord {
            value: Some(value.into()),
            printed: printed.iter().map(|s| s.to_string()).collect(),
            ..TurnRecord::empty(turn)
        }
    }

    /// P-17, P-30.
    #[test]
    fn printed_text_or_the_value_then_the_turn() {
        let both = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(told(with(1, "6", &["a\n", "b\n"])), both("a\nb\n=> 6\nTurn 2 of 5", "=> 6\nTurn 2 of 5"));
        assert_eq!(told(with(1, "nil", &["a\n", "b\n"])), both("a\nb\nTurn 2 of 5", "Turn 2 of 5"));
        assert_eq!(told(with(1, "#'user/x", &["a\n"])), both("a\nTurn 2 of 5", "Turn 2 of 5"));
        // What was printed last is not told again, however it was printed.
        for (value, printed) in [
            ("6", "6\n"),
            ("\"a\\nb \\\"c\\\"\"", "a\nb \"c\"\n"),
            ("\"a b\"", "\"a b\"\n"),
            ("{:a \"x\", :b [1 2]}", "{:a x, :b [1 2]}\n"),
            ("{:a \"x\", :b [1 2]}", "{:a \"x\",\n :b [1 2]}\n"),
        ] {
            assert_eq!(told(with(1, value, &["first\n", printed])).1, "Turn 2 of 5", "{value}");
            assert_ne!(told(with(1, value, &[printed, "last\n"])).1, "Turn 2 of 5", "{value}");
        }
        for (value, printed) in
            [("\"1200.00\"", "1,200.00\n"), ("12", "1 2\n"), ("[12 3]", "[1 23]\n"), ("[1 2]", "[1,2]\n")]
        {
            assert_eq!(told(with(1, value, &[printed])).1, format!("=> {value}\nTurn 2 of 5"));
        }
        let long = "x".repeat(1000);
        let text = told(with(1, &format!("[{long}]"), &["a\n"]));
        assert_eq!(text.1, format!("=> [{}...\nTurn 2 of 5", "x".repeat(399)));
        assert_eq!(told(with(1, "6", &[])), both("=> 6\nTurn 2 of 5", "=> 6\nTurn 2 of 5"));
        assert_eq!(told(with(1, "#'user/x", &[])), both("Turn 2 of 5", "Turn 2 of 5"));
        assert_eq!(told(with(1, "nil", &["=> 5"])), both("\\=> 5\nTurn 2 of 5", "Turn 2 of 5"));
        assert_eq!(told(with(1, "nil", &["Turn 9 of 9"])), both("\\Turn 9 of 9\nTurn 2 of 5", "Turn 2 of 5"));
        // Blanks are no output.
        for blank in [&["\n"][..], &[" \n", "\u{200b}"]] {
            assert_eq!(told(with(1, "6", blank)), both("=> 6\nTurn 2 of 5", "=> 6\nTurn 2 of 5"));
        }
        assert_eq!(told(with(1, "6", &["\n", "a\n"])), both("\na\n=> 6\nTurn 2 of 5", "=> 6\nTurn 2 of 5"));
        let last = "Turn 5 of 5: the last one, it must (return ...) now";
        assert_eq!(told(with(4, "nil", &["a"])), both(&format!("a\n{last}"), last));
        let told_of = |feedback: &str| last_turn(&TurnRecord { feedback: feedback.into(), ..TurnRecord::empty(4) });
        assert_eq!((told_of(last), told_of("a\nTurn 2 of 12"), told_of("Turn 2")), (Some(5), Some(12), None));
        assert_eq!(told(with(5, "1", &[])).0, "=> 1\nOut of turns: max_turns is 5");
    }

    #[test]
    fn keys_that_seem_misspelt_are_told_after_all_else() {
        let mut record = with(1, "(nil nil)", &["a\nhint: no key :x\n"]);
        let missed = |key: &str, near: &str| MissedKey { key: key.into(), near: near.into() };
        record.missed_keys = vec![missed(":nme", ":name"), missed(":unit_price", "\"unit\u{202e}price\"")];
        let hints = "hint: no key :nme in maps with :name; did you mean :name?\n\
                     hint: no key :unit_price in maps with \"unit\\u{202e}price\"; did you mean (get m \"unit\\u{202e}price\")?";
        let (text, short) = told(record.clone());
        assert_eq!(text, format!("a\n\\hint: no key :x\n=> (nil nil)\n{hints}\nTurn 2 of 5"));
        assert_eq!(short, format!("=> (nil nil)\n{hints}\nTurn 2 of 5"));
        record.status = Status::Error;
        let bound = TurnLimit::of_session(5);
        let text = feedback(&Header::new("s", "p", 5), &bound, &record, Some("Error: type: x"));
        assert!(text.ends_with(&format!("Error: type: x\n{hints}\nTurn 2 of 5")), "{text}");
    }

    #[test]
    fn errors_and_endings() {
        let mut record = with(2, "1", &["so far\n"]);
        record.status = Status::Error;
        let text = feedback(
            &Header::new("s", "p", 5),
            &TurnLimit::of_session(5),
            &record,
            Some("Error: name: unknown name x"),
        );
        assert_eq!(text, "so far\nError: name: unknown name x\nTurn 3 of 5");
        record.status = Status::Returned;
        assert_eq!(feedback(&Header::new("s", "p", 5), &TurnLimit::of_session(5), &record, None), "so far\n=> 1");
    }

    #[test]
    fn values_are_one_line_and_cut_outside_escapes() {
        assert_eq!(one_line("\"a\u{2028}b\"", 400), "\"a\\u{2028}b\"");
        assert_eq!(one_line(&"x".repeat(401), 400), format!("{}...", "x".repeat(400)));
        assert_eq!(one_line(&"x".repeat(400), 400), "x".repeat(400));
        assert_eq!(one_line("abc\\nd", 4), "abc...");
    }
}
