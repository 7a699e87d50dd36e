//! What is said of a kept session: the notes beside its trace, and the summary that is made of both.

use crate::error::{Error, ErrorKind};
use crate::files::read_text;
use crate::totals::Totals;
use crate::trace_file;
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Status, Trace, TurnRecord};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Most bytes of a title.
const TITLE_BYTES: usize = 200;

/// Bytes of texts of a session that is listed or searched, and of one text of it.
const LISTED_BYTES: u64 = 4 << 20;
const LISTED_TEXT_BYTES: usize = 64 << 10;

/// What is kept of the turns of one session: of long ones the texts of the first turns, and little of the others.
fn listed() -> impl FnMut(TurnRecord) -> TurnRecord {
    let mut left = LISTED_BYTES;
    move |turn| {
        let turn = turn.reduced(KeptTexts::each(if left > 0 { LISTED_TEXT_BYTES } else { 256 }));
        left = left.saturating_sub(turn.bytes());
        turn
    }
}

/// The notes beside a trace: what the trace itself does not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SessionNotes {
    /// The task's folder or file, as an absolute path: where the session goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<PathBuf>,
    /// The session that this one was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// The last turn that it has in common with that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_at: Option<u64>,
    /// How the last run of it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run: Option<RunEnd>,
    /// The client of a server that it was begun for: nobody else is served with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The arguments of a question that was asked without a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<AskedWith>,
    /// The folder that the editor worked in where it was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Whether it goes on after `return` and `fail`, which its trace does not say.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_ended: bool,
}

/// What a question was asked with, as `ptc ask` takes it: a further question is asked with the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct AskedWith {
    /// The folder it was asked in: commands of tools are found from there.
    pub folder: PathBuf,
    /// Commands, `[NAME=]COMMAND`.
    pub tools: Vec<String>,
    /// Inputs, `NAME=FILE` with the whole path.
    pub inputs: Vec<String>,
    /// Keys of task.toml with their values, `KEY=VALUE`.
    pub set: Vec<String>,
    /// The model, where it was named.
    pub model: Option<String>,
}

/// How a run ended that has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RunEnd {
    /// [`RunStatus::as_str`](crate::RunStatus::as_str).
    pub status: String,
    /// Why it did not return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What it used in all, with its subtasks.
    pub totals: Totals,
    /// How long the trace was then, in bytes: of a longer one this says nothing.
    pub trace_bytes: u64,
}

impl RunEnd {
    /// A run that ended with this status and error, and used this; `trace` is its file.
    pub fn new(status: crate::RunStatus, error: Option<&Error>, totals: Totals, trace: &Path) -> Self {
        let trace_bytes = trace.metadata().map_or(0, |m| m.len());
        let error = error.map(|e| short(&e.text(), 1000));
        RunEnd { status: status.as_str().to_owned(), error, totals, trace_bytes }
    }
}

/// Where a session is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SessionStatus {
    /// A process writes it now.
    Running,
    /// It ended by `return`, or with the reply of its last act.
    Returned,
    /// It ended by `fail`.
    Failed,
    /// Its last run was ended by an error: it can go on.
    Error,
    /// A limit of the whole run ended its last run: it can go on with a higher one.
    Limit,
    /// It has no turn left.
    OutOfTurns,
    /// Tool calls wait for a decision.
    Pending,
    /// It was stopped, by hand or with its process: it can go on.
    Stopped,
    /// Its trace cannot be read.
    Unreadable,
}

impl SessionStatus {
    /// All of them.
    pub const ALL: [SessionStatus; 9] = [
        SessionStatus::Running,
        SessionStatus::Returned,
        SessionStatus::Failed,
        SessionStatus::Error,
        SessionStatus::Limit,
        SessionStatus::OutOfTurns,
        SessionStatus::Pending,
        SessionStatus::Stopped,
        SessionStatus::Unreadable,
    ];

    /// Its name as JSON and options have it.
    pub fn as_str(self) -> &'static str {
        match self {
            SessionStatus::Running => "running",
            SessionStatus::Returned => "returned",
            SessionStatus::Failed => "failed",
            SessionStatus::Error => "error",
            SessionStatus::Limit => "limit",
            SessionStatus::OutOfTurns => "out_of_turns",
            SessionStatus::Pending => "pending",
            SessionStatus::Stopped => "stopped",
            SessionStatus::Unreadable => "unreadable",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == name)
    }
}

/// What a list says of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SessionSummary {
    /// Its id.
    pub id: String,
    /// The task's name.
    pub task: Option<String>,
    /// The first line of its question, 200 bytes at most.
    pub title: String,
    /// Where it is in its life.
    pub status: SessionStatus,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// When its trace was last written, in milliseconds since 1970.
    pub updated: i64,
    /// What it used in all, with its subtasks.
    pub totals: Totals,
    /// How many traces of subtasks stand beside its own.
    pub subtasks: u64,
    /// The bytes of all its files.
    pub bytes: u64,
    /// The session that it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// The last turn that it has in common with that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_at: Option<u64>,
    /// Why it cannot be read, or did not return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The folder or file of its task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_path: Option<PathBuf>,
}

/// The trace of a sub-agent, or of a task that an act read, which stands beside that of its session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SubtaskSummary {
    /// What names it in the session: `agent-helper-9f2c41d07ab3`, and of one inside it that one's behind a point.
    pub label: String,
    /// The task's name.
    pub task: Option<String>,
    /// Where it is in its life.
    pub status: SessionStatus,
    /// Its turns.
    pub turns: u64,
    /// Why it cannot be read, or did not return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The file.
    pub trace: PathBuf,
}

/// A session as it was found in its folder.
pub(super) struct Read {
    pub(super) summary: SessionSummary,
    pub(super) trace: Option<Trace>,
    /// Its subtasks, in the order of their labels; without a trace those that cannot be read.
    pub(super) subtasks: Vec<(SubtaskSummary, Option<Trace>)>,
}

/// The trace in a session's folder.
pub(super) fn trace_in(folder: &Path) -> PathBuf {
    folder.join("trace.jsonl")
}

/// The file of a session's notes.
pub(super) fn notes_in(folder: &Path) -> PathBuf {
    folder.join("session.json")
}

/// The notes in a session's folder; none where they are not there, or cannot be read: what they say is not needed to go on.
pub(super) fn notes(folder: &Path) -> SessionNotes {
    let file = notes_in(folder);
    let small = file.metadata().is_ok_and(|m| m.len() <= 64 << 10);
    let text = if small { read_text(&file).unwrap_or_default() } else { String::new() };
    serde_json::from_str(&text).unwrap_or_default()
}

/// Puts notes in the place of those that are there.
pub(super) fn write_notes(folder: &Path, notes: &SessionNotes) -> Result<(), Error> {
    let (file, new) = (notes_in(folder), folder.join("session.json.new"));
    let text = serde_json::to_string(notes).map_err(|e| Error::new(ErrorKind::File, e.to_string()))?;
    super::private::write_private(&new, text.as_bytes())?;
    std::fs::rename(&new, &file).map_err(|e| Error::io(&file, "write", &e))
}

/// The subtasks of a session: their labels and their traces, in the order of their names.
pub(super) fn subtasks(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(all) = std::fs::read_dir(folder) else { return Vec::new() };
    let of_subtask = |p: PathBuf| {
        let name = p.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let label = name.strip_prefix("trace.")?.strip_suffix(".jsonl")?.to_owned();
        let inside = label.starts_with("agent-") || label.starts_with("act-");
        (inside && !label.ends_with(".summaries")).then_some((label, p))
    };
    let mut found: Vec<_> = all.flatten().map(|e| e.path()).filter_map(of_subtask).collect();
    found.sort();
    found
}

/// Reads a subtask. What cannot be read has a summary that says so.
fn read_subtask(label: String, path: PathBuf) -> (SubtaskSummary, Option<Trace>) {
    let mut summary =
        SubtaskSummary { label, task: None, status: SessionStatus::Unreadable, turns: 0, problem: None, trace: path };
    let (trace, damaged) = match trace_file::read_undamaged_kept(&summary.trace, &mut listed()) {
        Ok((loaded, damaged)) => (loaded.trace, damaged),
        Err(e) => {
            summary.problem = Some(short(&e.text(), 1000));
            return (summary, None);
        }
    };
    summary.task = trace.header.task.as_deref().map(|t| short(t, TITLE_BYTES));
    summary.turns = trace.turns().len() as u64;
    match damaged {
        Some(e) => summary.problem = Some(short(&e.text(), 1000)),
        None => {
            summary.problem = trace.run_ended().map(|e| short(&e.text(), 1000));
            summary.status = status(&trace, None);
        }
    }
    (summary, Some(trace))
}

/// Reads a session. What cannot be read has a summary that says so.
pub(super) fn read(folder: &Path, id: &str) -> Read {
    let (path, notes) = (trace_in(folder), notes(folder));
    let (mut bytes, mut updated) = (0_u64, 0_i64);
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(there) = file.metadata() else { continue };
        bytes = bytes.saturating_add(there.len());
        if file.path() == path {
            updated = modified(&there);
        }
    }
    let loaded = trace_file::read_undamaged_kept(&path, &mut listed());
    let mut summary = SessionSummary {
        id: id.to_owned(),
        task: None,
        title: String::new(),
        status: SessionStatus::Unreadable,
        created: super::id::began(id).unwrap_or_default(),
        updated,
        totals: Totals::default(),
        subtasks: 0,
        bytes,
        forked_from: notes.forked_from.map(|p| short(&p, 40)),
        forked_at: notes.forked_at,
        problem: None,
        task_path: notes.task,
    };
    let subtasks: Vec<_> = subtasks(folder).into_iter().map(|(label, path)| read_subtask(label, path)).collect();
    summary.subtasks = subtasks.len() as u64;
    let (trace, damaged) = match loaded {
        Ok((loaded, damaged)) => (loaded.trace, damaged),
        Err(e) => {
            summary.problem = Some(short(&e.text(), 1000));
            return Read { summary, trace: None, subtasks };
        }
    };
    summary.task = trace.header.task.as_deref().map(|t| short(t, TITLE_BYTES));
    summary.title = title(&trace);
    summary.totals = Totals::of_trace(&trace, None);
    if summary.created == 0 {
        summary.created = trace.turns().first().map_or(0, |t| t.time);
    }
    for of in subtasks.iter().filter_map(|(_, trace)| trace.as_ref()) {
        summary.totals.add(&Totals::of_trace(of, None));
    }
    if let Some(e) = damaged {
        summary.problem = Some(short(&e.text(), 1000));
        return Read { summary, trace: Some(trace), subtasks };
    }
    let now = path.metadata().map_or(0, |m| m.len());
    let last = notes.last_run.filter(|run| run.trace_bytes == now);
    summary.problem = trace.run_ended().map(|how| short(&how.text(), 1000));
    if let Some(run) = &last {
        // It knew the prices, and requests that no trace has.
        summary.totals = Totals { turns: summary.totals.turns, ..run.totals };
        summary.problem = run.error.as_deref().map(|e| short(e, 1000));
    }
    summary.status = status(&trace, last.as_ref());
    Read { summary, trace: Some(trace), subtasks }
}

/// Milliseconds since 1970 of a file's last change.
pub(super) fn modified(there: &std::fs::Metadata) -> i64 {
    let since = there.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
}

fn status(trace: &Trace, last: Option<&RunEnd>) -> SessionStatus {
    if trace.ended() {
        return match trace.last().map(|t| t.status) {
            Some(Status::Returned | Status::Answered) => SessionStatus::Returned,
            Some(Status::Failed) => SessionStatus::Failed,
            _ => SessionStatus::OutOfTurns,
        };
    }
    if !crate::tools::pending(trace).calls.is_empty() {
        return SessionStatus::Pending;
    }
    let how = trace.run_ended().map(|how| how.run_ended.as_str());
    match last.map(|run| run.status.as_str()).or(how) {
        Some("error") => SessionStatus::Error,
        Some("limit") => SessionStatus::Limit,
        _ => SessionStatus::Stopped,
    }
}

/// The first line of the question that has something in it; of a session with acts, of its first act.
fn title(trace: &Trace) -> String {
    let first = |text: &str| text.lines().map(str::trim).find(|l| !l.is_empty()).map(|l| short(l, TITLE_BYTES));
    let acts = || trace.header.acts.first().map(|a| short(&a.name, TITLE_BYTES));
    first(&trace.header.prompt).or_else(acts).unwrap_or_default()
}

/// At most so many bytes on one line, nothing in them that a terminal would obey.
pub(super) fn short(text: &str, bytes: usize) -> String {
    // Escapes are at most ten times as long as what they stand for: what is cut away here is not shown.
    let head: String = text.chars().take(bytes.saturating_add(1)).collect();
    ptc_lisp::error::cut(ptc_lisp::escape::line(&head), bytes)
}
