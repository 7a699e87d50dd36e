//! The layout `coalesced`: a system and one user message, the task's exact bytes and then the summary of all turns.
//!
//! Models sometimes imitate summary lines in messages of their own; here there are none. The message is
//!
//! ```text
//! Find well-reviewed products
//!
//! ; Tools:
//! ;   search-reviews(category string) -> string
//! ; Memory:
//! ; Function: rate - "..."
//! ; Defined: products = list[7], sample: ...
//! ; Tool calls:
//! ;   search-reviews("Electronics")
//! ; Output:
//! Found 7 products
//! ; Errors:
//! ; Turn 3:
//! (the program and its error, as the model read it)
//! Turn 4 of 5
//! ```

use crate::policy::Policy;
use crate::prompt::initial_messages::opening;
use crate::render::feedback;
use crate::render::summary::{self, Samples, TurnSummary};
use crate::render::visibility::Visibility;
use crate::text::line_prefixes::{ERRORS, MEMORY, NO_TASK, OUTPUT, TOOL_CALL, TOOL_CALLS, TOOLS, TURN_HEADER};
use crate::text::printed_text::{self, without_end};
use crate::trace::full_turn;
use crate::trace::record::{Header, Kind, Status, TurnRecord};
use ptc_history::Message;
use ptc_lisp::escape;

/// A turn with how it is shown.
pub(crate) struct Placed<'a> {
    pub record: &'a TurnRecord,
    pub summary: &'a TurnSummary,
    pub show: Visibility,
    /// Its place among the turns.
    pub at: usize,
}

/// The messages. `live(name, at)` says whether the turn at that place defined the name last.
pub(crate) fn messages<'a>(
    header: &Header,
    policy: &Policy,
    turns: impl DoubleEndedIterator<Item = Placed<'a>> + Clone,
    live: impl Fn(&str, usize) -> bool,
    ended: bool,
) -> Vec<Message> {
    let mut out = opening(header, policy, None);
    let Some(last) = turns.clone().next_back() else { return out };
    let mut text = header.prompt.clone();
    text.push_str(if header.prompt.is_empty() { NO_TASK } else { "" });
    text.push_str("\n\n");
    tools(header, &mut text);
    // The last turn of a finished session comes after all this, whole (P-20).
    memory(turns.clone(), live, &mut text);
    let shown = || turns.clone().filter(|t| !(ended && t.at == last.at));
    tool_calls(shown(), policy, &mut text);
    output(shown(), &mut text);
    errors(shown(), &mut text);
    if !ended {
        text.push_str(&told(&last));
    }
    if let Some(user) = out.get_mut(1) {
        *user = Message::user(without_end(&text));
    }
    if ended {
        out.push(Message::assistant(full_turn::assistant(last.record)));
    }
    out
}

fn tools(header: &Header, out: &mut String) {
    if header.tools.is_empty() {
        return;
    }
    push_line(out, TOOLS);
    for t in &header.tools {
        let params = match &t.params {
            Some(list) => list.iter().map(|p| format!("{} {}", p.name, p.shape)).collect::<Vec<_>>().join(", "),
            None => "{...}".to_owned(),
        };
        let returns = t.returns.as_ref().map_or_else(String::new, |r| format!(" -> {r}"));
        push_line(out, &escape::line(&format!("{TOOL_CALL}{}({params}){returns}", t.name)));
    }
}

/// All definitions, functions first, each in the order of its last definition (P-05). Turns that stay whole are
/// included: their programs are with the errors.
fn memory<'a>(turns: impl Iterator<Item = Placed<'a>> + Clone, live: impl Fn(&str, usize) -> bool, out: &mut String) {
    let mut any = false;
    for kind in [Some(Kind::Function), Some(Kind::Data), None] {
        for t in turns.clone() {
            let samples = match t.show {
                Visibility::Summary { output, .. } => t.summary.samples(output),
                Visibility::Whole(_) | Visibility::NotSummarized(_) | Visibility::Recovered { .. }
                    if t.summary.printed_entry_count() == 0 =>
                {
                    Samples::All
                }
                Visibility::Whole(_) | Visibility::NotSummarized(_) | Visibility::Recovered { .. } => Samples::None,
            };
            for line in t.summary.lines(kind).filter(|l| l.is_shown() && live(l.name(), t.at)) {
                if !std::mem::replace(&mut any, true) {
                    push_line(out, MEMORY);
                }
                line.push(out, samples);
            }
        }
    }
}

/// The newest calls of all turns, failed ones included.
fn tool_calls<'a>(turns: impl DoubleEndedIterator<Item = Placed<'a>>, policy: &Policy, out: &mut String) {
    let mut room = policy.tool_calls_limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let mut newest: Vec<&[String]> = Vec::new();
    for t in turns.rev() {
        let shown = t.summary.newest_tool_calls(room);
        room = room.saturating_sub(shown.len());
        newest.push(shown);
        if room == 0 {
            break;
        }
    }
    if newest.iter().any(|l| !l.is_empty()) {
        push_line(out, TOOL_CALLS);
        newest.iter().rev().flat_map(|l| l.iter()).for_each(|l| push_line(out, l));
    }
}

/// The output of summarised turns, and that of the last turn once (D10).
fn output<'a>(turns: impl Iterator<Item = Placed<'a>>, out: &mut String) {
    let mut all = String::new();
    for t in turns {
        if let Visibility::Summary { output, .. } = t.show {
            let printed = t.summary.output_with_line_ends(output);
            // Each turn begins on a new line: the last output of the one before may not end with a line end.
            if !all.is_empty() && !all.ends_with(printed_text::is_break) && !printed.is_empty() {
                all.push('\n');
            }
            all.push_str(&printed);
        }
    }
    let all = without_end(&all);
    if !all.is_empty() {
        push_line(out, OUTPUT);
        push_line(out, all);
    }
}

fn errors<'a>(turns: impl Iterator<Item = Placed<'a>>, out: &mut String) {
    let mut any = false;
    for t in turns {
        if matches!(t.show, Visibility::Summary { .. }) {
            continue;
        }
        if !std::mem::replace(&mut any, true) {
            push_line(out, ERRORS);
        }
        if matches!(t.show, Visibility::Recovered { .. }) {
            push_line(out, &summary::recovered(t.record));
            continue;
        }
        push_line(out, &format!("{TURN_HEADER}{}:", t.record.turn));
        if t.record.program.is_empty() {
            // A reply without a program: its text, escaped so that it cannot be read as the runtime's.
            push_line(out, &printed_text::printed(t.record.reasoning.as_deref().unwrap_or_default().trim()));
        } else {
            push_line(out, &full_turn::fenced(&t.record.program));
        }
        let told = feedback::without_turn(t.record);
        if !told.is_empty() {
            push_line(out, told);
        }
    }
}

/// The end of the message: the value of the last turn if it has one to show, and which turn is to be written (P-30).
fn told(last: &Placed<'_>) -> String {
    match last.record.status {
        Status::Ok if matches!(last.show, Visibility::Summary { .. }) => feedback::reduced(last.record),
        _ => feedback::turn_only(last.record),
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}
