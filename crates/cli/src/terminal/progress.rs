//! Progress of `ptc run` on stderr where that is no terminal: which turn, what it does, what came of it, what it cost.
//! Plain lines, each written once.

use crate::request_size::{chars, context, note};
use crate::terminal::columns::cut_inside;
use crate::terminal::io::{BOLD, DIM, GREEN, Io, RED, indented};
use crate::terminal::run_view::RunView;
use crate::terminal::status::Status;
use ptc_agent::model::Price;
use ptc_agent::{Observer, Retry, SentRequest, Task, Totals};
use ptc_lisp::escape;
use ptc_turns::render::feedback::missed_key_line;
use ptc_turns::trace::record::{Call, Note, Usage};
use ptc_turns::{Act, IncrementalView, Policy, Session, Status as TurnStatus, TurnRecord};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Lines of a program that are shown.
const LINES: usize = 6;
/// Characters of a line that are shown.
const WIDTH: usize = 110;

/// Writes what goes on.
pub struct Progress<'a, 'b> {
    /// The streams.
    pub io: &'a mut Io<'b>,
    /// The same session in full, and with summaries, kept turn by turn; each once it is needed.
    full: Option<IncrementalView>,
    short: Option<IncrementalView>,
    /// Whether it is told what history made of each request.
    verbose: bool,
    /// Whether a turn has run.
    ran: bool,
    /// What is run.
    pub task: &'a Task,
    /// Since when the model is asked.
    pub asked: Instant,
    /// How long it took.
    pub took: Duration,
    status: Status,
}

impl<'a, 'b> Progress<'a, 'b> {
    /// Progress of a session of this task.
    pub fn new(io: &'a mut Io<'b>, task: &'a Task, verbose: bool) -> Self {
        let (asked, took) = (Instant::now(), Duration::ZERO);
        Progress { io, full: None, short: None, verbose, ran: false, task, asked, took, status: Status::default() }
    }

    /// A turn has run.
    pub fn ran_one(&mut self) {
        self.ran = true;
    }

    /// What tokens of the turn that ran last cost.
    pub fn price(&self, session: &Session) -> Option<&'a Price> {
        // The act of the turn is the last one that has begun.
        let at = session.trace().acts().len().checked_sub(1);
        self.task.asked.price.as_ref().filter(|_| at.is_none_or(|at| self.task.asks_its_model(at)))
    }

    /// What tokens of the whole session cost, where one price holds for all its acts.
    pub fn price_of_all(&self, session: &Session) -> Option<&'a Price> {
        let acts = session.trace().acts().len();
        self.task.asked.price.as_ref().filter(|_| (0..acts).all(|at| self.task.asks_its_model(at)))
    }

    /// How long the session is under another policy, its view kept from turn to turn.
    fn size(view: &mut Option<IncrementalView>, session: &Session, policy: &Policy) -> usize {
        let trace = session.trace();
        let view = view.get_or_insert_with(|| IncrementalView::new(trace.header.clone(), policy));
        view.follow(trace);
        chars(view.messages())
    }
}

impl Observer for Progress<'_, '_> {
    fn opened(&mut self, act: &Act, session: &Session) {
        let acts = session.trace().header.acts.len();
        // A further question has just been typed.
        if acts == 0 {
            return;
        }
        let size: usize = act.content.iter().map(ptc_history::Block::bytes).sum();
        let inputs = match act.content.len() {
            1 => "1 input".to_owned(),
            n => format!("{n} inputs"),
        };
        let name = escape::line(&act.name);
        self.io.info(&format!(
            "{BOLD}Act {} of {acts}: {name}{BOLD:#} ({}, {inputs}, {size} bytes)",
            act.act,
            act.mode.as_str()
        ));
    }

    fn warned(&mut self, words: &str) {
        self.io.warn(words);
    }

    fn requested(&mut self, sent: &SentRequest<'_>, session: &Session) {
        if !self.ran && !self.verbose {
            return;
        }
        let policy = session.view().policy();
        let size = chars(sent.messages);
        if self.ran {
            let (way, other) = if policy.is_full() {
                let short =
                    Policy { compress_history: true, history: ptc_history::Policy::default(), ..policy.clone() };
                ("compressed", Self::size(&mut self.short, session, &short))
            } else {
                ("uncompressed", Self::size(&mut self.full, session, &policy.clone().uncompressed()))
            };
            self.io.info(&format!("  {DIM}next prompt: {size} characters; {way} {other}{DIM:#}"));
        }
        if self.verbose {
            let full = Self::size(&mut self.full, session, &policy.clone().uncompressed());
            sent.events.iter().filter_map(note).for_each(|words| self.io.info(&format!("  {DIM}{words}{DIM:#}")));
            self.io.info(&format!("  {DIM}{}{DIM:#}", context(full, size)));
        }
    }

    fn asking(&mut self, turn: u64, session: &Session) {
        let max = turn.saturating_sub(1).saturating_add(session.turns_left());
        self.io.info(&format!("{BOLD}Turn {turn} of {max}{BOLD:#}"));
        self.asked = Instant::now();
    }

    fn going_on(&mut self, turn: u64, session: &Session) {
        let max = turn.saturating_sub(1).saturating_add(session.turns_left());
        self.io.info(&format!("{BOLD}Turn {turn} of {max}{BOLD:#}, with the reply that was kept"));
        self.took = Duration::ZERO;
    }

    fn streams(&self) -> bool {
        false
    }

    fn retrying(&mut self, _turn: u64, retry: &Retry) {
        self.io.info(&format!("  {DIM}{}{DIM:#}", retry_words(retry)));
    }

    fn replied(&mut self, _turn: u64, _reply: &str) {
        self.took = self.asked.elapsed();
    }

    fn ran(&mut self, r: &TurnRecord, session: &Session) {
        let said =
            if r.status == TurnStatus::Answered { r.reasoning.as_deref().unwrap_or_default() } else { &r.program };
        let lines: Vec<&str> = said.lines().collect();
        for l in lines.iter().take(LINES) {
            self.io.info(&format!("  {DIM}{}{DIM:#}", short(l)));
        }
        if lines.len() > LINES {
            self.io.info(&format!("  {DIM}... {}{DIM:#}", more(lines.len().saturating_sub(LINES))));
        }
        if !r.tool_calls.is_empty() {
            let words = called(&r.tool_calls);
            self.io.info(&format!("  called {}{}", short(&words), waited(&r.tool_calls)));
        }
        self.list(
            if r.status.committed() { "defined" } else { "defined and rolled back" },
            r.definitions.iter().map(|d| d.name.clone()),
        );
        r.notes.iter().for_each(|n| self.io.info(&format!("  {}", short(&note_line(n)))));
        mixed_answers(r).iter().for_each(|words| self.io.info(&format!("  note: {words}")));
        missed_keys(r).iter().for_each(|hint| self.io.info(&format!("  {hint}")));
        if let Some(first) = r.printed.iter().flat_map(|p| p.lines()).find(|l| !l.trim().is_empty()) {
            let rest = match r.printed.iter().flat_map(|p| p.lines()).count().saturating_sub(1) {
                0 => String::new(),
                n => format!(" and {}", more(n)),
            };
            self.io.info(&format!("  printed {}{rest}", short(first)));
        }
        match (&r.error, r.status) {
            (Some(e), _) => self.io.info(&format!(
                "  {RED}{}{RED:#} {}: {}",
                r.status.as_str(),
                e.kind.as_str(),
                short_error(&e.message)
            )),
            (None, TurnStatus::Ok) if r.printed.is_empty() && r.definitions.is_empty() => {
                self.io.info(&format!("  {GREEN}ok{GREEN:#} => {}", short(r.value.as_deref().unwrap_or("nil"))));
            }
            (None, status) => self.io.info(&format!("  {GREEN}{}{GREEN:#}", status.as_str())),
        }
        if r.usage.model.is_some() {
            let seconds = self.took.as_secs_f64();
            let tokens = tokens(&r.usage, self.price(session));
            self.io.info(&format!("  {DIM}{tokens}; {seconds:.1} s{DIM:#}"));
        }
        self.ran = true;
    }
}

impl Progress<'_, '_> {
    fn list(&mut self, what: &str, names: impl Iterator<Item = String>) {
        let words = counted(names);
        if !words.is_empty() {
            self.io.info(&format!("  {what} {}", short(&words)));
        }
    }
}

impl<'b> RunView<'b> for Progress<'_, 'b> {
    fn io(&mut self) -> (&Status, &mut Io<'b>) {
        (&self.status, self.io)
    }
}

/// Names with commas between them; equal ones beside each other are counted: a loop over a tool is one word.
pub fn counted(names: impl Iterator<Item = String>) -> String {
    let mut all: Vec<(String, usize)> = Vec::new();
    for name in names {
        match all.last_mut().filter(|l| l.0 == name) {
            Some(last) => last.1 = last.1.saturating_add(1),
            None => all.push((name, 1)),
        }
    }
    let words: Vec<String> =
        all.into_iter().map(|(name, n)| if n == 1 { name } else { format!("{name} ({n} times)") }).collect();
    words.join(", ")
}

/// The tools that were called, and which calls failed.
pub fn called(calls: &[Call]) -> String {
    counted(calls.iter().map(|c| format!("{}{}", c.name, if c.error.is_some() { " (failed)" } else { "" })))
}

/// How long calls were waited for, where that is a tenth of a second: ` · 1.5 s`.
pub fn waited(calls: &[Call]) -> String {
    match Totals::tool_ms(calls) {
        0..50 => String::new(),
        ms => format!(" · {:.1} s", ms as f64 / 1000.0),
    }
}

/// Why a model is asked again, and when.
pub fn retry_words(retry: &Retry) -> String {
    let next = retry.tried.saturating_add(1);
    let wait = retry.wait.as_secs_f64();
    format!("{}; asked again in {wait:.1} s (try {next} of {})", retry.reason, retry.tries)
}

/// A note as a line: `noted rates: 3 of 5 read`. Of a failed turn none is kept, so none is shown.
pub fn note_line(n: &Note) -> String {
    let name = n.name.as_deref().map_or_else(String::new, |name| format!(" {}", escape::line(name)));
    match &n.text {
        Some(text) => format!("noted{name}: {}", escape::line(text)),
        None => format!("note{name} taken back"),
    }
}

/// What a usage says of tokens, and what they cost where the price is known.
pub fn tokens(u: &Usage, price: Option<&Price>) -> String {
    let n = |n: Option<u64>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
    let mut out = format!("{} tokens in", n(u.input_tokens));
    let parts = [(u.cached_tokens, "cached"), (u.cache_write_tokens, "written to the cache")];
    let parts: Vec<String> = parts.iter().filter_map(|(n, what)| n.map(|n| format!("{n} {what}"))).collect();
    if !parts.is_empty() {
        out += &format!(" ({})", parts.join(", "));
    }
    out += &format!(", {} out", n(u.output_tokens));
    if let Some(cost) = price.and_then(|p| p.of(u)) {
        out += &format!("; cost {cost:.6}");
    }
    out
}

/// What a run used in all, with its subtasks: tokens, cost, time and calls.
pub fn totals(t: &Totals) -> String {
    let seconds = |ms: u64| ms as f64 / 1000.0;
    let cached = if t.cached_tokens > 0 { format!(" ({} cached)", t.cached_tokens) } else { String::new() };
    let mut out = format!("{} tokens in{cached}, {} out", t.input_tokens, t.output_tokens);
    if let Some(cost) = t.cost {
        out += &format!("; cost {cost:.6}");
    }
    let calls = if t.tool_calls == 1 { "1 tool call".to_owned() } else { format!("{} tool calls", t.tool_calls) };
    out + &format!("; model {:.1} s, tools {:.1} s, {calls}", seconds(t.model_ms), seconds(t.tool_ms))
}

fn more(lines: usize) -> String {
    if lines == 1 { "1 more line".to_owned() } else { format!("{lines} more lines") }
}

/// The hints about keys that seem misspelt, of a turn that did not fail: the report of one that did has them.
pub fn missed_keys(r: &TurnRecord) -> Vec<String> {
    let told = r.missed_keys.iter().filter(|_| r.status.committed());
    told.map(missed_key_line).collect()
}

/// What is said of the tools of a turn whose answer is a text that ends in JSON: of a command that printed more than its answer
/// nothing else tells why the answer is no data.
pub fn mixed_answers(r: &TurnRecord) -> Vec<String> {
    let mixed = r.tool_calls.iter().filter(|c| c.result.as_ref().is_some_and(|json| ends_in_json(json.text())));
    let names: BTreeSet<&str> = mixed.map(|c| c.name.as_str()).collect();
    let words = |name| {
        let name = escape::line(name);
        format!(
            "tool/{name} answered one text: other text stands before its JSON; print the answer alone on standard output"
        )
    };
    names.into_iter().map(words).collect()
}

/// Whether an answer is a text of which the last line alone is a JSON object or array.
fn ends_in_json(answer: &str) -> bool {
    let Ok(text) = serde_json::from_str::<String>(answer) else { return false };
    let data = |line: &str| line.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok();
    let Some((before, last)) = text.trim().rsplit_once('\n') else { return false };
    // Lines of JSON are a text on purpose.
    data(last.trim()) && !before.lines().any(|line| data(line.trim()))
}

/// An error on one line, cut in its middle: what a tool said last is why it failed.
fn short_error(text: &str) -> String {
    let long = text.lines().count() <= 1 && text.chars().count() > WIDTH;
    if long { cut_inside(text, WIDTH) } else { short(text) }
}

/// One line, cut, with nothing in it that a terminal would obey.
fn short(text: &str) -> String {
    let line = indented(text.lines().next().unwrap_or_default(), "");
    let line = line.trim_end();
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}...", escape::line(line.get(..at).unwrap_or_default())),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls made together are waited for once.
    #[test]
    fn calls_are_named_with_how_long_they_took() {
        let call = |id: u64, ms: u64, together: Option<u64>, error: Option<&str>| Call {
            id,
            name: "stock".into(),
            args: Default::default(),
            result: None,
            error: error.map(str::to_owned),
            failure: None,
            ms,
            together,
            decided: None,
        };
        let calls = [call(1, 1200, Some(1), None), call(2, 1200, Some(1), None), call(3, 260, None, Some("no"))];
        assert_eq!(called(&calls) + &waited(&calls), "stock (2 times), stock (failed) · 1.5 s");
        assert_eq!((waited(&[call(1, 49, None, None)]), waited(&[])), (String::new(), String::new()));
    }
}
