//! Progress of `ptc run` on stderr: which turn, what it does, what came of it. Plain lines, each written once.

use crate::io::{BOLD, DIM, GREEN, Io, RED, indented};
use ptc_agent::Watch;
use ptc_history::Message;
use ptc_lisp::visible;
use ptc_turns::{Session, Status, TurnRecord, whole};

/// Lines of a program that are shown.
const LINES: usize = 6;
/// Characters of a line that are shown.
const WIDTH: usize = 110;

/// Writes what goes on.
pub struct Progress<'a, 'b> {
    io: &'a mut Io<'b>,
    /// Characters that the whole history has, kept so that each turn is counted once.
    full: usize,
    counted: usize,
}

impl<'a, 'b> Progress<'a, 'b> {
    /// Progress of a session.
    pub fn new(io: &'a mut Io<'b>) -> Self {
        Progress { io, full: 0, counted: 0 }
    }

    /// Characters of the next prompt as it is and as the full history.
    fn sizes(&mut self, session: &Session) -> (usize, usize) {
        let size = |m: &Message| m.text().chars().count();
        let shown = session.view().messages().iter().map(size).sum();
        if self.counted == 0 {
            self.full = session.view().messages().iter().take(2).map(size).sum();
        }
        for t in session.trace().turns().iter().skip(self.counted) {
            self.full += whole::assistant(t).chars().count() + t.feedback.chars().count();
            self.counted += 1;
        }
        (shown, self.full)
    }
}

impl Watch for Progress<'_, '_> {
    fn asking(&mut self, turn: u64, session: &Session) {
        let max = turn - 1 + session.turns_left();
        self.io.say(&format!("{BOLD}Turn {turn} of {max}{BOLD:#}"));
    }

    fn ran(&mut self, r: &TurnRecord, session: &Session) {
        let lines: Vec<&str> = r.program.lines().collect();
        for l in lines.iter().take(LINES) {
            self.io.say(&format!("  {DIM}{}{DIM:#}", short(l)));
        }
        if lines.len() > LINES {
            self.io.say(&format!("  {DIM}... {} more lines{DIM:#}", lines.len() - LINES));
        }
        if !r.tool_calls.is_empty() {
            let name = |c: &ptc_turns::record::Call| format!("{}{}", c.name, if c.error.is_some() { " (failed)" } else { "" });
            self.list("called", r.tool_calls.iter().map(name));
        }
        self.list(if r.status.committed() { "defined" } else { "defined and rolled back" }, r.definitions.iter().map(|d| d.name.clone()));
        if let Some(first) = r.printed.iter().flat_map(|p| p.lines()).find(|l| !l.trim().is_empty()) {
            let more = r.printed.iter().flat_map(|p| p.lines()).count() - 1;
            let more = if more == 0 { String::new() } else { format!(" and {more} more lines") };
            self.io.say(&format!("  printed {}{more}", short(first)));
        }
        match (&r.error, r.status) {
            (Some(e), _) => self.io.say(&format!("  {RED}{}{RED:#} {}: {}", r.status.as_str(), e.kind.as_str(), short(&e.message))),
            (None, Status::Ok) if r.printed.is_empty() && r.definitions.is_empty() => {
                self.io.say(&format!("  {GREEN}ok{GREEN:#} => {}", short(r.value.as_deref().unwrap_or("nil"))));
            }
            (None, status) => self.io.say(&format!("  {GREEN}{}{GREEN:#}", status.as_str())),
        }
        if session.may_run().is_ok() {
            let (shown, full) = self.sizes(session);
            let saved = if shown < full { format!(", {full} uncompressed") } else { String::new() };
            self.io.say(&format!("  {DIM}next prompt: {shown} characters{saved}{DIM:#}"));
        }
    }
}

impl Progress<'_, '_> {
    fn list(&mut self, what: &str, names: impl Iterator<Item = String>) {
        let all: Vec<String> = names.collect();
        if !all.is_empty() {
            self.io.say(&format!("  {what} {}", short(&all.join(", "))));
        }
    }
}

/// One line, cut, with nothing in it that a terminal would obey.
fn short(text: &str) -> String {
    let line = indented(text.lines().next().unwrap_or_default(), "");
    let line = line.trim_end();
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}...", visible::line(line.get(..at).unwrap_or_default())),
        None => line.to_owned(),
    }
}
