//! An error as a model reads it: what, where in its own text, how to fix it, and what had already happened.

use crate::error::Error;
use crate::escape;

/// How a report begins; the kind of the error follows.
pub const ERROR: &str = "Error: ";
/// How the line begins that says how to fix it.
pub const HINT: &str = "hint: ";
/// How the line begins that says what had already happened.
pub const CALLS_MADE: &str = "calls made before the error: ";

/// How the line begins that says what was refused by a person.
pub const CALLS_DENIED: &str = "calls denied, and not made: ";

/// Widest piece of a source line that is shown.
const WINDOW: usize = 120;
/// How much of it is before the place of the error.
const BEFORE: usize = 48;
/// Most calls that are listed.
const CALLS: usize = 20;

/// The report of docs/language.md, "Errors". `calls` are tool calls of the turn as text, `customer("c1")`.
///
/// Nothing in it can pass for another line: messages, hints, calls and source lines are each one physical line.
pub fn report(error: &Error, source: &str, calls: &[String]) -> String {
    report_with_denied(error, source, calls, &[])
}

/// The same with the calls that were denied, and so not made.
pub fn report_with_denied(error: &Error, source: &str, calls: &[String], denied: &[String]) -> String {
    let mut out = format!("{ERROR}{}: {}", error.kind, escape::line(&error.message));
    if let Some(span) = error.span
        && let Some(place) = place(source, span.start as usize, span.end as usize)
    {
        let number = place.number.to_string();
        let blank = " ".repeat(number.len());
        out.push_str(&format!("\n  {number} | {}", place.text));
        out.push_str(&format!("\n  {blank} | {}{}", " ".repeat(place.column), "^".repeat(place.width)));
    }
    if let Some(hint) = &error.hint {
        out.push('\n');
        out.push_str(HINT);
        out.push_str(&escape::line(hint));
    }
    for (calls, begin) in
        [(calls, CALLS_MADE), (denied, CALLS_DENIED)].into_iter().filter(|(calls, _)| !calls.is_empty())
    {
        let shown: Vec<String> = calls.iter().take(CALLS).map(|c| escape::line(c)).collect();
        out.push('\n');
        out.push_str(begin);
        out.push_str(&shown.join(", "));
        if calls.len() > CALLS {
            out.push_str(&format!(" and {} more", calls.len() - CALLS));
        }
    }
    out
}

struct Place {
    number: usize,
    text: String,
    /// Characters of `text` before the carets.
    column: usize,
    /// How many carets.
    width: usize,
}

/// The line at byte `start`, as much of it as fits, and where the carets are under it.
fn place(source: &str, start: usize, end: usize) -> Option<Place> {
    let before = source.get(..start)?;
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line_end = source.get(start..)?.find('\n').map_or(source.len(), |i| start + i);
    let line = source.get(line_start..line_end)?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    let first = source.get(line_start..start)?.chars().count().min(line.chars().count());
    let inside = source.get(start..end.clamp(start, line_end)).unwrap_or_default().chars().count();
    let from = first.saturating_sub(BEFORE);
    // Windows are cut so that a line a little longer than the window is shown whole.
    let from = if line.chars().count() <= WINDOW { 0 } else { from };
    let mut place = Place { number: before.matches('\n').count() + 1, text: String::new(), column: 0, width: 0 };
    if from > 0 {
        place.text.push_str("...");
    }
    let mut drawn = place.text.chars().count();
    let mut rest = false;
    for (i, c) in line.chars().enumerate().skip(from) {
        if i >= from + WINDOW {
            rest = true;
            break;
        }
        if i == first {
            place.column = drawn;
        }
        let wide = draw(&mut place.text, c);
        drawn += wide;
        if i >= first && i < first + inside {
            place.width += wide;
        }
    }
    if first >= line.chars().count() {
        place.column = drawn;
    }
    if rest {
        place.text.push_str("...");
    }
    place.width = place.width.max(1);
    Some(place)
}

/// Adds a character of a source line, in a width that can be counted, and says how wide it is.
fn draw(out: &mut String, c: char) -> usize {
    let length = out.len();
    if c == '\t' {
        out.push_str("  ");
    } else {
        escape::push(out, c);
    }
    out.get(length..).map_or(0, |t| t.chars().count())
}
