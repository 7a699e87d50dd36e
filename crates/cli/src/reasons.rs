//! Why each line of a session's prompt is there: what the turns say of their messages, else what the history layer says.

use ptc_history::View;
use ptc_history::view::Reason;
use ptc_history::why::{self, Line};
use ptc_turns::reasons::{Reasons, TurnReason};
use ptc_turns::text::line_prefixes::{
    DEFINED, ERRORS, FUNCTION, HIDDEN, MEMORY, NOTE, OUTPUT, TOOL_CALLS, TOOLS, TYPES,
};
use ptc_turns::{Policy, Trace};

/// Characters of the column of reasons; longer ones push their line to the right.
const COLUMN: usize = 44;

/// The prompt before a turn, the reason of each line in a column before it; then what was decided about the output of
/// older turns, a line each.
pub fn text(trace: &Trace, policy: &Policy, turn: Option<u64>, view: &View) -> String {
    let reasons = Reasons::new(trace, policy);
    let of_turns = reasons.before(turn);
    let mut lines: Vec<(String, String)> = Vec::new();
    for group in why::lines(view).chunk_by(|a, b| a.message == b.message) {
        let shown = group.first().and_then(|l| view.shown.get(l.message));
        let of_turn = shown.and_then(|s| s.place()).and_then(|at| of_turns.get(at));
        let mut place = Place::default();
        lines.extend(group.iter().map(|l| (place.reason(trace, policy, of_turn, l), l.text.clone())));
    }
    let width = lines.iter().map(|(why, _)| why.chars().count()).max().unwrap_or(0).min(COLUMN);
    let mut out = String::new();
    for (why, text) in lines {
        out.push_str(format!("{why:width$} | {text}").trim_end_matches(' '));
        out.push('\n');
    }
    for decided in reasons.shortenings(turn) {
        out.push_str(&format!("{decided}\n"));
    }
    out
}

/// Where in a message the lines have come to. The headings cannot be forged by programs: printed lines that begin like
/// one are escaped.
#[derive(Default)]
pub struct Place {
    lines: usize,
    heading: Option<&'static str>,
}

impl Place {
    /// The reason of the next line of the message, in words; `of_turn` is what the view of the turns says of the message.
    pub fn reason(&mut self, trace: &Trace, policy: &Policy, of_turn: Option<&TurnReason>, line: &Line) -> String {
        match (&line.reason, of_turn) {
            // The history layer left it as the turns made it: they know why.
            (Reason::Everything | Reason::System | Reason::Task | Reason::Recent | Reason::Small, Some(r)) => {
                self.words(trace, policy, r, &line.text)
            }
            (reason, _) => reason.to_string(),
        }
    }

    fn words(&mut self, trace: &Trace, policy: &Policy, reason: &TurnReason, line: &str) -> String {
        self.lines = self.lines.saturating_add(1);
        let whole = reason.to_string();
        let turn = match reason {
            TurnReason::Summary(n) | TurnReason::Recovered(n) => Some(*n),
            TurnReason::Together => None,
            _ => return whole,
        };
        // The line of the role; and of all turns in one message first the task.
        let task = if turn.is_none() { trace.header.prompt.split('\n').count().saturating_add(1) } else { 0 };
        if self.lines == 1 {
            return whole;
        }
        if self.lines <= task {
            return "the task".to_owned();
        }
        let headings = [TOOLS, MEMORY, TOOL_CALLS, OUTPUT, ERRORS];
        if self.heading != Some(OUTPUT) || turn.is_none() {
            self.heading = headings.into_iter().find(|h| line == *h).or(self.heading);
        }
        let by = turn.map_or_else(String::new, |n| format!(" by turn {n}"));
        match self.heading {
            _ if line.is_empty() => whole,
            _ if stands_for_output(line) || line.starts_with(HIDDEN) => format!("printed{by}, shortened"),
            _ if line.starts_with(NOTE) && self.heading != Some(OUTPUT) => format!("noted{by}"),
            Some(TOOLS) => "tools that are granted".to_owned(),
            Some(TOOL_CALLS) => format!("calls{by}{}", of_newest(policy.tool_calls_limit)),
            Some(OUTPUT) => format!("printed{by}{}", of_newest(policy.println_history_limit)),
            Some(ERRORS) => "turns that failed, whole".to_owned(),
            _ if [FUNCTION, DEFINED].into_iter().chain(TYPES.iter().map(|t| t.1)).any(|w| line.starts_with(w)) => {
                format!("last defined{}", if by.is_empty() { " so" } else { by.as_str() })
            }
            Some(MEMORY) => "what is bound".to_owned(),
            _ => whole,
        }
    }
}

/// Whether it is the one line in the place of what a turn printed: `; Output: 52 lines, 3.1 KB: (turn/output 2)`.
fn stands_for_output(line: &str) -> bool {
    line.strip_prefix(OUTPUT).is_some_and(|rest| rest.starts_with(' '))
}

/// The words on a limit of lines, where there is one.
fn of_newest(limit: Option<u64>) -> String {
    limit.map_or_else(String::new, |n| format!(", of the newest {n}"))
}
