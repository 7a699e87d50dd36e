//! What `ptc run` prints of a run that is over: the result on stdout, how it ended and what it used on stderr.

use crate::args::{Output, RunOptions};
use crate::terminal::io::{CliError, DIM, GREEN, Io, RED, indented};
use crate::terminal::progress;
use crate::terminal::values::{self, Layout};
use ptc_agent::model::Price;
use ptc_agent::{Error, ErrorKind, Pending, RunOutcome, RunStatus, SummaryUsage, Totals, Verdict};
use ptc_lisp::escape;
use ptc_turns::Json;
use ptc_turns::trace::record::Usage;
use serde::Serialize;
use std::path::Path;

/// Lines of a result on a terminal.
const ANSWER_LINES: usize = 200;

/// What keeps a run from beginning, as a line of JSON for those who read one; `form` is what is to be printed.
pub fn not_begun(form: Option<Output>, p: &Error, io: &mut Io<'_>) -> Result<(), CliError> {
    if !matches!(form, Some(Output::Json | Output::Jsonl)) {
        return Ok(());
    }
    let error = Some(ErrorLine::new("usage", p));
    let line = Line {
        event: event(form),
        time: time(form),
        status: "error",
        value: None,
        json: None,
        turns: 0,
        usage: AllUsage { own: &Usage::default(), total: None },
        right: None,
        summaries: None,
        pending: None,
        session: None,
        error,
    };
    Ok(line.write(io)?)
}

/// What the result is called as a line among others.
fn event(form: Option<Output>) -> Option<&'static str> {
    (form == Some(Output::Jsonl)).then_some("run_ended")
}

/// When it is written, in milliseconds since 1970.
fn time(form: Option<Output>) -> Option<i64> {
    (form == Some(Output::Jsonl)).then(ptc_agent::host::now_ms)
}

#[derive(Serialize)]
struct Line<'a> {
    /// Of the last of many lines.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<i64>,
    status: &'static str,
    value: Option<&'a str>,
    json: Option<&'a Json>,
    turns: u64,
    usage: AllUsage<'a>,
    /// Whether the answer is that of the task, where it has one and the session has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<bool>,
    /// What summaries by a model cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    summaries: Option<SummaryUsage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<&'a Pending>,
    /// The session that was kept in the user's data folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    /// Why it did not return.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorLine>,
}

/// What the session used itself, and in all with its subtasks.
#[derive(Serialize)]
struct AllUsage<'a> {
    #[serde(flatten)]
    own: &'a Usage,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<&'a Totals>,
}

/// Why a run did not return. The names of the kinds are a contract (docs/cli.md).
#[derive(Serialize)]
struct ErrorLine {
    kind: &'static str,
    /// A file, a line of it, an act.
    place: Option<String>,
    message: String,
    hint: Option<String>,
}

impl ErrorLine {
    fn new(kind: &'static str, e: &Error) -> Self {
        let (place, hint) = (e.place().map(str::to_owned), e.hint().map(str::to_owned));
        ErrorLine { kind, place, message: e.message().to_owned(), hint }
    }
}

impl Line<'_> {
    fn write(&self, io: &mut Io<'_>) -> std::io::Result<()> {
        serde_json::to_writer(&mut *io.out, self).map_err(std::io::Error::from)?;
        writeln!(io.out)
    }
}

/// What to do next where the words of the ending do not say it themselves.
fn hint(kind: ErrorKind, a: &RunOptions, go_on: &dyn Fn(&Path) -> String) -> Option<String> {
    let more = match kind {
        ErrorKind::OutOfTurns => "",
        ErrorKind::Replay => " --fail-turn",
        ErrorKind::Cancelled => "",
        _ => return None,
    };
    Some(match a.trace.as_ref().or(a.resume.as_ref()) {
        Some(file) => format!("go on with {}{more}", go_on(file)),
        None if kind == ErrorKind::Cancelled => {
            "keep the session with --trace FILE: then --resume FILE goes on with it".to_owned()
        }
        None => "give it more turns with --max-turns N".to_owned(),
    })
}

/// What is shown of a run that is over.
pub struct Shown<'a> {
    pub end: &'a RunOutcome,
    /// Whether its answer is right, where that is known.
    pub verdict: Option<&'a Verdict>,
    pub price: Option<&'a Price>,
    /// Its answer is a text act's.
    pub text: bool,
    /// The command that continues with what is kept in a trace.
    pub go_on: &'a dyn Fn(&Path) -> String,
    /// The id of its session, where it is kept.
    pub kept: Option<&'a str>,
}

/// Shows it: how the run ended and what it used, then the result.
pub fn show(shown: &Shown<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<(), CliError> {
    let Shown { end, verdict, text, go_on, kept, .. } = *shown;
    let turns = if end.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", end.turns) };
    match (&end.status, &end.error) {
        (RunStatus::Returned, _) if a.quiet => {}
        (RunStatus::Returned, _) => io.info(&format!("{GREEN}returned{GREEN:#} after {turns}")),
        (status, error) => {
            let status = status.as_str().replace('_', " ");
            let words = error.as_ref().map(Error::text).filter(|words| *words != status);
            // `out of turns: max_turns is 3` names it a second time.
            let words = words.map(|w| w.strip_prefix(&format!("{status}: ")).map(str::to_owned).unwrap_or(w));
            let words = words.map(|words| format!(": {}", escape::line(&words))).unwrap_or_default();
            io.info(&format!("{RED}{status}{RED:#} after {turns}{words}"));
        }
    }
    match verdict {
        Some(Verdict { right: true, .. }) if a.quiet => {}
        Some(Verdict { right: true, .. }) => io.info(&format!("{GREEN}right{GREEN:#}")),
        Some(Verdict { why, .. }) => {
            io.info(&format!("{RED}wrong{RED:#}: {}", why.as_deref().map(escape::line).unwrap_or_default()));
        }
        None => {}
    }
    if !a.quiet {
        show_usage(shown, io);
    }
    if a.is_json() {
        let error = end.error.as_ref().map(|e| {
            let line = ErrorLine::new(e.kind().run_error(), e);
            ErrorLine { hint: line.hint.or_else(|| hint(e.kind(), a, go_on)), ..line }
        });
        let line = Line {
            event: event(a.form()),
            time: time(a.form()),
            status: end.status.as_str(),
            value: end.value.as_deref(),
            json: end.json.as_ref(),
            turns: end.turns,
            usage: AllUsage { own: &end.usage, total: Some(&end.totals) },
            right: verdict.map(|v| v.right),
            summaries: end.summaries,
            pending: end.pending.as_ref(),
            session: kept,
            error,
        };
        line.write(io)?;
    } else if let (true, Some(text)) = (text, &end.text) {
        answer(text, None, a, io)?;
    } else if let (RunStatus::Returned, Some(value)) = (end.status, &end.value) {
        answer(value, end.text.as_deref(), a, io)?;
    }
    Ok(())
}

/// What the run used, in lines.
fn show_usage(shown: &Shown<'_>, io: &mut Io<'_>) {
    let Shown { end, price, kept, .. } = *shown;
    if end.usage.model.is_some() && end.turns > 1 {
        io.info(&format!("{DIM}in all: {}{DIM:#}", progress::tokens(&end.usage, price)));
    }
    // What its subtasks used, or time and calls where they are kept too.
    let t = &end.totals;
    if t.tokens() > end.usage.input_tokens.unwrap_or(0).saturating_add(end.usage.output_tokens.unwrap_or(0))
        || (kept.is_some() && t.tokens() > 0)
    {
        io.info(&format!("{DIM}the whole run: {}{DIM:#}", progress::totals(t)));
    }
    if let Some(s) = end.summaries.filter(|s| s.asked > 0) {
        let words = format!("summaries: {} asked for, {} tokens in, {} out", s.asked, s.input_tokens, s.output_tokens);
        io.info(&format!("{DIM}{words}{DIM:#}"));
    }
}

/// The result: as it is, or on a terminal laid out; there a string is the text that it holds.
fn answer(value: &str, text: Option<&str>, a: &RunOptions, io: &mut Io<'_>) -> Result<(), CliError> {
    let Some(width) = io.context.width.filter(|_| a.form().is_none()) else {
        writeln!(io.out, "{value}")?;
        return Ok(());
    };
    let how = Layout { width, color: io.context.color, lines: ANSWER_LINES, whole: "--output text prints all of it" };
    let shown = match text {
        None => indented(value, ""),
        Some(text) if value.starts_with('"') => indented(text, ""),
        Some(_) => values::layout(value, &how),
    };
    let end = if shown.ends_with('\n') { "" } else { "\n" };
    write!(io.out, "{shown}{end}")?;
    Ok(())
}
