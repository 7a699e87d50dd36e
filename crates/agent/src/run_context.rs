//! What a task shares with the subtasks.

use crate::cancel::Cancel;
use crate::model::provider::Environment;
use crate::observer::{SubtaskEvent, SubtaskObservers};
use crate::run_budget::RunBudget;
use crate::worker::Worker;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

/// What subtasks share with it.
#[derive(Clone, Default)]
pub struct RunContext {
    /// The task's own trace file; theirs are named after it. With none they are kept nowhere.
    pub trace: Option<PathBuf>,
    /// Leaves it to the system when lines reach the disk ([`TraceFile::sync`](crate::TraceFile::sync)).
    pub no_sync: bool,
    /// Ends them too.
    pub cancel: Cancel,
    /// Runs their programs in worker processes as well, each in its own.
    pub worker: Option<Arc<Mutex<Worker>>>,
    /// Told what happens in them.
    pub subtasks: Option<Sender<SubtaskEvent>>,
    /// Makes an observer for each of them.
    pub observers: Option<SubtaskObservers>,
    /// Keys and addresses for their models.
    pub environment: Environment,
    /// What the run may use that they are part of: theirs stand inside it. `None` of the run that nobody else runs.
    pub budget: Option<RunBudget>,
}

impl RunContext {
    /// The trace file of a subtask: `t.jsonl` has `t.LABEL.jsonl` beside it.
    pub(crate) fn beside(&self, label: &str) -> Option<PathBuf> {
        let own = self.trace.as_deref()?;
        let stem = own.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let end = own.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
        Some(own.with_file_name(format!("{stem}.{}{end}", Self::file_label(label))))
    }

    /// A label as the name of a file has it.
    pub(crate) fn file_label(label: &str) -> String {
        let odd = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_');
        label.chars().map(|c| if odd(c) { '_' } else { c }).collect()
    }
}
