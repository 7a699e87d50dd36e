//! A run on a terminal: who is waited for, the reply as it comes, what its program did, the value laid out to the width.
//! Where the terminal is narrow, a line a turn.

use crate::terminal::columns::{cut, cut_inside, width, wrap};
use crate::terminal::highlight::Painter;
use crate::terminal::io::{DIM, GREEN, Io, RED};
use crate::terminal::progress::{
    Progress, called, counted, missed_keys, mixed_answers, note_line, retry_words, tokens, waited,
};
use crate::terminal::reply_printer::ReplyPrinter;
use crate::terminal::run_view::RunView;
use crate::terminal::status::{INSIDE, Status};
use crate::terminal::values::{Layout, layout};
use ptc_agent::{Observer, Retry, SentRequest, SubtaskEvent, SubtaskStep, Totals};
use ptc_lisp::escape;
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::{Act, Session, Status as TurnStatus, TurnRecord};
use std::collections::HashMap;
use std::time::Instant;

/// Fewest columns for more than a line a turn.
const WIDE: usize = 60;
/// Most lines of what a turn printed, of its program where it was not streamed, and of its value.
const PRINTED: usize = 30;
const PROGRAM: usize = 60;
const VALUE: usize = 20;
/// Most calls of a turn that have lines of their own.
const CALLS: usize = 20;
/// Most columns of the arguments of a call.
const ARGS: usize = 200;
/// A piece of a thought that is longer is shown without waiting for the line's end.
const THOUGHT: usize = 2000;

/// Shows what goes on.
pub struct Live<'a, 'b> {
    /// What is the same where nobody looks on.
    plain: Progress<'a, 'b>,
    status: Status,
    printer: ReplyPrinter,
    /// A line of a thought, as far as it came.
    thought: String,
    /// Calls that have no answer yet.
    calls: HashMap<u64, String>,
    /// How many calls of the turn were shown, and how many were not.
    shown: usize,
    more: usize,
}

impl<'a, 'b> Live<'a, 'b> {
    /// A view of a run; the status is a line of the same terminal.
    pub fn new(plain: Progress<'a, 'b>, status: Status) -> Self {
        let (printer, calls) = (ReplyPrinter::default(), HashMap::new());
        Live { plain, status, printer, thought: String::new(), calls, shown: 0, more: 0 }
    }

    fn columns(&self) -> usize {
        self.plain.io.columns()
    }

    fn wide(&self) -> bool {
        self.columns() >= WIDE
    }

    /// Whole lines, with the status out of the way.
    fn write(&mut self, lines: &str) {
        if !lines.is_empty() {
            let _held = self.status.hold();
            self.plain.io.write(lines);
        }
    }

    /// A line that may not be longer than the terminal is wide.
    fn line(&mut self, before: &str, text: &str, after: &str) {
        let text = cut(&text.replace('\t', "    "), self.columns().saturating_sub(3));
        self.write(&format!("  {before}{text}{after}\n"));
    }

    fn dim(&mut self, text: &str) {
        self.line(&DIM.to_string(), text, &format!("{DIM:#}"));
    }

    /// Words on as many lines as they take.
    fn wrapped(&mut self, text: &str) {
        for line in wrap(text, self.columns().saturating_sub(3)) {
            self.dim(&line);
        }
    }

    fn end_thought(&mut self) {
        let thought = std::mem::take(&mut self.thought);
        for line in thought.lines().filter(|l| !l.trim().is_empty()) {
            for shown in wrap(line.trim_end(), self.columns().saturating_sub(2)) {
                self.write(&format!("  {DIM}{shown}{DIM:#}\n"));
            }
        }
    }

    fn model(&self) -> String {
        let name = self.plain.task.model.as_deref();
        name.map_or_else(|| "model".to_owned(), |name| format!("model {}", cut(name, ARGS)))
    }

    fn begin(&mut self) {
        self.printer = ReplyPrinter::default();
        self.calls.clear();
        (self.shown, self.more) = (0, 0);
    }

    /// All that a turn did besides what was shown while it ran.
    fn details(&mut self, r: &TurnRecord) {
        if !self.printer.told() {
            let painter = Painter::new(&r.program, true);
            let (mut at, mut left) = (0, 0_usize);
            for (i, line) in r.program.split_inclusive('\n').enumerate() {
                if i < PROGRAM {
                    let text = line.trim_end_matches(['\r', '\n']);
                    self.write(&format!("  {}\n", painter.paint(at, at.saturating_add(text.len()))));
                } else {
                    left = left.saturating_add(1);
                }
                at = at.saturating_add(line.len());
            }
            self.more_lines(left, "more lines");
        }
        if self.shown == 0 && !r.tool_calls.is_empty() {
            self.dim(&format!("called {}{}", called(&r.tool_calls), waited(&r.tool_calls)));
        }
        self.more_lines(self.more, "more calls");
        let printed: String = r.printed.concat();
        let mut lines = printed.lines();
        for line in lines.by_ref().take(PRINTED) {
            self.line("", line, "");
        }
        self.more_lines(lines.count(), "more lines printed");
        if !r.definitions.is_empty() {
            let what = if r.status.committed() { "defined" } else { "defined and rolled back" };
            self.dim(&format!("{what} {}", counted(r.definitions.iter().map(|d| d.name.clone()))));
        }
        r.notes.iter().for_each(|n| self.dim(&note_line(n)));
        for words in mixed_answers(r) {
            self.wrapped(&format!("note: {words}"));
        }
        missed_keys(r).iter().for_each(|hint| self.wrapped(hint));
        self.outcome(r);
    }

    fn outcome(&mut self, r: &TurnRecord) {
        let status = r.status.as_str();
        // A definition's own value, the name's, is told already.
        let value = r.value.as_deref().filter(|v| !v.starts_with("#'")).unwrap_or("nil");
        match (&r.error, r.status) {
            (Some(e), _) => {
                let at = e.line.map_or_else(String::new, |line| format!(" (line {line})"));
                let words = escape::line(&format!("{}{at}: {}", e.kind.as_str(), e.message));
                self.write(&format!(
                    "  {RED}{status}{RED:#} {}\n",
                    cut_inside(&words, self.columns().saturating_mul(3))
                ));
                if let Some(hint) = &e.hint {
                    // What to write instead often stands at its end.
                    self.wrapped(&format!("hint: {hint}"));
                }
            }
            (None, TurnStatus::Ok) if value != "nil" || (r.printed.is_empty() && r.definitions.is_empty()) => {
                let width = self.columns().saturating_sub(6);
                let how = Layout { width, color: true, lines: VALUE, whole: "ptc trace shows all of it" };
                let laid = layout(value, &how);
                for (i, line) in laid.lines().enumerate() {
                    let before = if i == 0 { format!("{GREEN}=>{GREEN:#} ") } else { "   ".to_owned() };
                    self.write(&format!("  {before}{line}\n"));
                }
            }
            (None, _) => self.write(&format!("  {GREEN}{status}{GREEN:#}\n")),
        }
    }

    fn more_lines(&mut self, n: usize, what: &str) {
        if n > 0 {
            self.dim(&format!("... {n} {what}"));
        }
    }

    /// A turn as one line.
    fn brief(&mut self, r: &TurnRecord, tokens: Option<String>) {
        let mut words = vec![];
        match &r.error {
            Some(e) => words.push(format!("{}: {}", e.kind.as_str(), e.message)),
            None if r.status == TurnStatus::Ok => words.extend(r.value.clone().filter(|v| v != "nil")),
            None => {}
        }
        if !r.tool_calls.is_empty() {
            words.push(counted(r.tool_calls.iter().map(|c| c.name.clone())) + &waited(&r.tool_calls));
        }
        words.extend(tokens);
        let status = r.status.as_str();
        let head = format!("{} {status}", r.turn);
        let room = self.columns().saturating_sub(1);
        let rest = room.saturating_sub(head.chars().count()).saturating_sub(1);
        let style = if r.error.is_some() { RED } else { GREEN };
        let rest = match (words.split_first(), &r.error) {
            // Why it failed goes before all else.
            (Some((why, others)), Some(_)) => {
                let why = cut_inside(why, rest);
                let left = rest.saturating_sub(width(&why)).saturating_sub(3);
                let others = if left > 3 { cut(&others.join(" · "), left) } else { String::new() };
                if others.is_empty() { why } else { format!("{why} · {others}") }
            }
            _ => cut(&words.join(" · "), rest),
        };
        let rest = if rest.is_empty() { rest } else { format!(" {rest}") };
        self.write(&format!("{} {style}{status}{style:#}{rest}\n", r.turn));
    }

    fn subtask_line(&mut self, event: &SubtaskEvent, words: &str) {
        if self.wide() {
            let indent = "  ".repeat(event.path.len().min(8));
            self.dim(&format!("{indent}{}: {words}", event.path.join(" > ")));
        }
    }
}

impl Observer for Live<'_, '_> {
    fn opened(&mut self, act: &Act, session: &Session) {
        self.status.end_all();
        let _held = self.status.hold();
        self.plain.opened(act, session);
    }

    fn warned(&mut self, words: &str) {
        let _held = self.status.hold();
        self.plain.warned(words);
    }

    fn requested(&mut self, sent: &SentRequest<'_>, session: &Session) {
        if self.wide() {
            let _held = self.status.hold();
            self.plain.requested(sent, session);
        }
    }

    fn asking(&mut self, turn: u64, session: &Session) {
        self.begin();
        self.plain.asked = Instant::now();
        if self.wide() {
            let _held = self.status.hold();
            self.plain.asking(turn, session);
        }
        self.status.begin("model", format!("{}, turn {turn}", self.model()));
    }

    fn going_on(&mut self, turn: u64, session: &Session) {
        self.begin();
        self.plain.going_on(turn, session);
    }

    fn streams(&self) -> bool {
        true
    }

    fn said(&mut self, _turn: u64, piece: &str) {
        self.end_thought();
        let columns = self.columns();
        let lines = self.printer.push(piece, columns);
        if self.wide() {
            self.write(&lines);
        }
    }

    fn thought(&mut self, _turn: u64, piece: &str) {
        if self.wide() {
            self.thought.push_str(piece);
            if self.thought.contains('\n') || self.thought.len() > THOUGHT {
                // The last line may go on.
                let rest = match self.thought.rfind('\n') {
                    Some(at) => self.thought.split_off(at.saturating_add(1)),
                    None => String::new(),
                };
                self.end_thought();
                self.thought = rest;
            }
        }
    }

    fn retrying(&mut self, turn: u64, retry: &Retry) {
        let words = retry_words(retry);
        if self.wide() {
            self.dim(&words);
        }
        let (model, again) = (self.model(), format!("{}, turn {turn}", self.model()));
        self.status.begin_for("model", format!("{model}: {words}"), retry.wait, again);
    }

    fn replied(&mut self, turn: u64, reply: &str) {
        self.plain.replied(turn, reply);
        self.status.end("model");
        self.end_thought();
        let columns = self.columns();
        let mut lines = if self.printer.has_begun() { String::new() } else { self.printer.push(reply, columns) };
        lines.push_str(&self.printer.finish(columns));
        if self.wide() {
            self.write(&lines);
        }
    }

    fn calling(&mut self, calls: &[CallRequest]) {
        for call in calls {
            let words = format!("tool {} {}", escape::line(&call.name), cut(call.args.text(), ARGS));
            self.status.begin(&format!("call {}", call.id), words.clone());
            self.calls.insert(call.id, words);
        }
    }

    fn call_answered(&mut self, answer: &CallAnswer) {
        self.status.end(&format!("call {}", answer.id));
        let Some(words) = self.calls.remove(&answer.id).filter(|_| self.wide()) else { return };
        if self.shown >= CALLS {
            self.more = self.more.saturating_add(1);
            return;
        }
        self.shown = self.shown.saturating_add(1);
        let took = format!(" · {:.1} s", answer.ms as f64 / 1000.0);
        let room = self.columns().saturating_sub(3).saturating_sub(took.chars().count());
        match &answer.error {
            None => self.dim(&format!("{}{took}", cut(&words, room))),
            Some(error) => {
                self.dim(&format!("{}{took}", cut(&words, room)));
                let error = cut_inside(error, self.columns().saturating_sub(12));
                self.write(&format!("  {RED}failed{RED:#} {error}\n"));
            }
        }
    }

    fn subtask(&mut self, event: &SubtaskEvent) {
        let key = format!("{INSIDE}{}", event.label);
        let name = event.path.join(" > ");
        let turn = event.turn;
        match &event.step {
            SubtaskStep::Asking => self.status.begin(&key, format!("{name}: turn {turn}, model")),
            SubtaskStep::Retrying(retry) => self.status.begin(&key, format!("{name}: {}", retry_words(retry))),
            SubtaskStep::Calling(calls) => {
                let calls = counted(calls.iter().map(|c| c.name.clone()));
                self.status.begin(&key, format!("{name}: turn {turn}, tool {}", cut(&calls, ARGS)));
            }
            SubtaskStep::Ran(status) => {
                self.status.begin(&key, name);
                self.subtask_line(event, &format!("turn {turn} {}", status.as_str()));
            }
            SubtaskStep::Ended(status) => {
                self.status.end(&key);
                self.subtask_line(event, &status.as_str().replace('_', " "));
            }
            _ => self.status.begin(&key, format!("{name}: turn {turn}")),
        }
    }

    fn ran(&mut self, r: &TurnRecord, session: &Session) {
        self.status.end_all();
        let price = self.plain.price(session);
        let asked = r.usage.model.is_some();
        let seconds = self.plain.took.as_secs_f64();
        let mut used = asked.then(|| format!("{}; {seconds:.1} s", tokens(&r.usage, price)));
        if self.wide() {
            if let Some(used) = used.as_mut().filter(|_| r.turn > 1) {
                let all = Totals::of_trace(session.trace(), self.plain.price_of_all(session));
                used.push_str(&format!("; so far {} in, {} out", all.input_tokens, all.output_tokens));
                all.cost.iter().for_each(|cost| used.push_str(&format!(", cost {cost:.6}")));
            }
            self.details(r);
            used.iter().for_each(|words| self.dim(words));
        } else {
            self.brief(r, used);
        }
        self.plain.ran_one();
    }
}

impl<'b> RunView<'b> for Live<'_, 'b> {
    fn io(&mut self) -> (&Status, &mut Io<'b>) {
        (&self.status, self.plain.io)
    }
}
