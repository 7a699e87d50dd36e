//! The folder that keeps sessions: new ones, finding one by its id, forking, removing.

use super::archive;
use super::found::{self, Found};
use super::id;
use super::index::Index;
use super::kept::{self, AskedWith, RunEnd, SessionNotes, SessionStatus, SessionSummary, SubtaskSummary};
use super::private::{private_folder, write_private};
use super::runs;
use crate::clock::{now_ms, sha256};
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::model::Environment;
use crate::trace_file;
use ptc_turns::Trace;
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// How many ids are told of those that one beginning could mean.
const TOLD: usize = 5;

/// The folder that keeps sessions, each in a folder of its own: `ID/trace.jsonl`, the traces of its subtasks beside it,
/// and `ID/session.json`. Only their owner can read them.
///
/// ```
/// use ptc_agent::sessions::SessionStore;
///
/// # let home = std::env::temp_dir().join(format!("ptc-doc-sessions-{}", std::process::id()));
/// let store = SessionStore::at(&home);
/// let session = store.begin(None)?;
/// let trace = session.trace(); // For Agent::with_trace_file, or RunContext::trace.
/// assert_eq!(store.find(session.id())?, session.id());
/// # drop(trace);
/// # std::fs::remove_dir_all(&home).unwrap();
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStore {
    folder: PathBuf,
}

/// A session that was begun in a [`SessionStore`], or is gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    id: String,
    folder: PathBuf,
}

impl NewSession {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The file of its trace. That of a new session is empty.
    pub fn trace(&self) -> PathBuf {
        kept::trace_in(&self.folder)
    }

    /// Keeps how its run ended.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn ended(&self, end: RunEnd) -> Result<(), Error> {
        let notes = SessionNotes { last_run: Some(end), ..kept::notes(&self.folder) };
        kept::write_notes(&self.folder, &notes)
    }

    /// What its question was asked with, where it was asked without a task.
    pub fn asked(&self) -> Option<AskedWith> {
        kept::notes(&self.folder).asked
    }

    /// Keeps what its question was asked with.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn keep_asked(&self, with: AskedWith) -> Result<(), Error> {
        kept::write_notes(&self.folder, &SessionNotes { asked: Some(with), ..kept::notes(&self.folder) })
    }

    /// The folder or file of its task, where it has one.
    pub fn task(&self) -> Option<PathBuf> {
        kept::notes(&self.folder).task
    }

    /// Removes it when nothing has been written to its trace: the run did not begin.
    pub fn forget_if_empty(&self) {
        if self.trace().metadata().is_ok_and(|m| m.len() == 0) {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

impl SessionStore {
    /// The sessions of this home: they are in its folder `sessions`, which is made when the first one begins.
    pub fn at(home: &Path) -> Self {
        SessionStore { folder: home.join("sessions") }
    }

    /// The folder where this program keeps its data: `PTC_HOME` if that is set, and otherwise what the system has for
    /// data of programs. `None` on a system that has none.
    pub fn home(environment: &Environment) -> Option<PathBuf> {
        let own = environment.get("PTC_HOME").map(PathBuf::from);
        own.or_else(|| directories::ProjectDirs::from("", "", "ptc").map(|dirs| dirs.data_dir().to_owned()))
    }

    /// The folder that the sessions are in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Begins a session with an empty trace; `task` is where its task is.
    ///
    /// # Errors
    /// When its folder cannot be made.
    pub fn begin(&self, task: Option<&Path>) -> Result<NewSession, Error> {
        self.make(SessionNotes { task: task.map(absolute), ..SessionNotes::default() })
    }

    /// Begins a session with an empty trace and these notes.
    ///
    /// # Errors
    /// As [`SessionStore::begin`].
    pub fn begin_with(&self, notes: SessionNotes) -> Result<NewSession, Error> {
        self.make(SessionNotes { task: notes.task.as_deref().map(absolute), ..notes })
    }

    /// The notes of the session of this id; without any where they cannot be read.
    ///
    /// # Errors
    /// When there is no such session. Beginnings of ids are none.
    pub fn notes(&self, id: &str) -> Result<SessionNotes, Error> {
        let folder = self.folder.join(id);
        if !id::is_id(id) || !folder.is_dir() {
            let shown = ptc_lisp::escape::quoted(id);
            return Err(Error::new(ErrorKind::Usage, error_text!("there is no session {shown}"; "begin one")));
        }
        Ok(kept::notes(&folder))
    }

    fn make(&self, notes: SessionNotes) -> Result<NewSession, Error> {
        let failed = |path: &Path, e: &io::Error| {
            Error::io(path, "make", e).with_hint("set PTC_HOME to another folder, or keep no session with --no-session")
        };
        private_folder(&self.folder, true).map_err(|e| failed(&self.folder, &e))?;
        let now = now_ms();
        // Another process may begin one in the same second, and by chance with the same letters.
        for _ in 0..100 {
            let id = id::new_id(now, RandomState::new().hash_one(now));
            let folder = self.folder.join(&id);
            match private_folder(&folder, false) {
                Ok(()) => {
                    let session = NewSession { id, folder };
                    kept::write_notes(&session.folder, &notes)?;
                    write_private(&session.trace(), b"")?;
                    return Ok(session);
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(failed(&folder, &e)),
            }
        }
        Err(Error::new(ErrorKind::Session, error_text!("no id is free in this second"; "try again")))
    }

    /// The ids of all sessions, newest first.
    ///
    /// # Errors
    /// When the folder is there and cannot be read.
    pub fn ids(&self) -> Result<Vec<String>, Error> {
        let all = match std::fs::read_dir(&self.folder) {
            Ok(all) => all,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(Error::io(&self.folder, "read", &e)),
        };
        let mut ids: Vec<String> = all
            .flatten()
            // A link could lead anywhere.
            .filter(|e| e.file_type().is_ok_and(|t| t.is_dir()))
            .filter_map(|e| e.file_name().into_string().ok())
            .filter(|name| id::is_id(name))
            .collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    /// The session whose id begins with this, or whose id's last part does.
    ///
    /// # Errors
    /// When there is none, or there are several.
    pub fn find(&self, prefix: &str) -> Result<String, Error> {
        // A whole id needs no list of all: there may be many thousands.
        if id::is_id(prefix) && self.folder.join(prefix).is_dir() {
            return Ok(prefix.to_owned());
        }
        let ids = self.ids()?;
        let mut found: Vec<String> = ids.into_iter().filter(|id| id::matches(id, prefix)).collect();
        let shown = ptc_lisp::escape::quoted(prefix);
        match found.len() {
            1 => Ok(found.swap_remove(0)),
            0 => {
                Err(Error::new(ErrorKind::Usage, error_text!("there is no session {shown}"; "ptc sessions lists them")))
            }
            n => {
                let more = if n > TOLD { ", ..." } else { "" };
                found.truncate(TOLD);
                let told: Vec<String> = found.into_iter().map(|id| self.told(id)).collect();
                let words =
                    error_text!("{n} sessions begin with {shown}: {}{more}", told.join(", "); "give more of the id");
                Err(Error::new(ErrorKind::Usage, words))
            }
        }
    }

    /// An id with what tells its session from others: its task and when it began.
    fn told(&self, id: String) -> String {
        let summary = kept::read(&self.folder.join(&id), &id).summary;
        let task = summary.task.map_or_else(String::new, |t| format!("{t}, "));
        format!("{id} ({task}{} UTC)", super::date::text(summary.created))
    }

    /// Whether a name can only be meant as an id, or the beginning of one, and not as a path.
    pub fn is_like_id(name: &str) -> bool {
        id::may_begin(name)
    }

    /// The session of this id, to go on with.
    ///
    /// # Errors
    /// As [`SessionStore::find`].
    pub fn open(&self, prefix: &str) -> Result<NewSession, Error> {
        let id = self.find(prefix)?;
        Ok(NewSession { folder: self.folder.join(&id), id })
    }

    /// The subtasks of a session: its sub-agents and the tasks that its acts read, in the order of their labels.
    ///
    /// # Errors
    /// As [`SessionStore::find`].
    pub fn subtasks(&self, prefix: &str) -> Result<Vec<SubtaskSummary>, Error> {
        let id = self.find(prefix)?;
        let all = kept::read(&self.folder.join(&id), &id).subtasks;
        let now = |(one, _): (SubtaskSummary, _)| {
            let running = matches!(held(&one.trace), Lock::Other);
            SubtaskSummary { status: if running { SessionStatus::Running } else { one.status }, ..one }
        };
        Ok(all.into_iter().map(now).collect())
    }

    /// The trace of the subtask that this label, its beginning or the name of its file means.
    ///
    /// # Errors
    /// As [`SessionStore::find`], or when the session has no such subtask, or several.
    pub fn subtask_trace(&self, prefix: &str, label: &str) -> Result<PathBuf, Error> {
        let id = self.find(prefix)?;
        let all = kept::subtasks(&self.folder.join(&id));
        let named = |(own, path): &&(String, PathBuf)| own == label || path.file_name().is_some_and(|n| n == label);
        let begin = |(own, _): &&(String, PathBuf)| !label.is_empty() && own.starts_with(label);
        let found: Vec<_> = match all.iter().find(named) {
            Some(one) => vec![one],
            None => all.iter().filter(begin).collect(),
        };
        let labels = |all: &[&(String, PathBuf)]| {
            let more = if all.len() > TOLD { ", ..." } else { "" };
            let told: Vec<String> =
                all.iter().take(TOLD).map(|one| ptc_lisp::escape::line(&one.0).to_string()).collect();
            format!("{}{more}", told.join(", "))
        };
        let shown = ptc_lisp::escape::quoted(label);
        let words = match (found.as_slice(), all.len()) {
            ([one], _) => return Ok(one.1.clone()),
            ([], 0) => {
                error_text!("session {id} has no subtask {shown}: it has none"; "look at it with ptc trace {id}")
            }
            ([], _) => {
                let all: Vec<_> = all.iter().collect();
                error_text!("session {id} has no subtask {shown}"; "give one of {}", labels(&all))
            }
            (several, _) => {
                let n = several.len();
                error_text!("{n} subtasks of session {id} begin with {shown}: {}", labels(several); "give more of the label")
            }
        };
        Err(Error::new(ErrorKind::Usage, words))
    }

    /// The session that a trace belongs to, when it stands in this folder.
    pub fn of_trace(&self, trace: &Path) -> Option<NewSession> {
        let folder = absolute(trace).parent()?.to_owned();
        let id = folder.file_name()?.to_str().filter(|id| id::is_id(id))?.to_owned();
        let ours = absolute(folder.parent()?) == absolute(&self.folder) && kept::trace_in(&folder) == absolute(trace);
        ours.then_some(NewSession { id, folder })
    }

    /// What commands take for a trace in this folder: the id of its session, and for that of a subtask its label behind it.
    pub fn name_of(&self, trace: &Path) -> Option<String> {
        let trace = absolute(trace);
        let session = self.of_trace(&kept::trace_in(trace.parent()?))?;
        if session.trace() == trace || absolute(&session.trace()) == trace {
            return Some(session.id);
        }
        let label = trace.file_name()?.to_str()?.strip_prefix("trace.")?.strip_suffix(".jsonl")?;
        Some(format!("{}/{label}", session.id))
    }

    /// The newest session of the task in this folder or file.
    ///
    /// # Errors
    /// When there is none.
    pub fn newest_of(&self, task: &Path) -> Result<NewSession, Error> {
        let path = absolute(task);
        for id in self.ids()? {
            let folder = self.folder.join(&id);
            if kept::notes(&folder).task.as_deref() == Some(&path) {
                return Ok(NewSession { id, folder });
            }
        }
        let words =
            error_text!("no session of {} is kept", task.display(); "begin one with ptc run, without --continue");
        Err(Error::new(ErrorKind::Usage, words))
    }

    /// The newest session whose question was asked in this folder without a task.
    ///
    /// # Errors
    /// When there is none.
    pub fn newest_asked(&self, folder: &Path) -> Result<NewSession, Error> {
        let path = absolute(folder);
        for id in self.ids()? {
            let folder = self.folder.join(&id);
            if kept::notes(&folder).asked.is_some_and(|asked| asked.folder == path) {
                return Ok(NewSession { id, folder });
            }
        }
        let words = error_text!("no session of a question asked in this folder is kept"; "give --resume ID, ptc sessions lists them");
        Err(Error::new(ErrorKind::Usage, words))
    }

    /// All sessions, newest first. The index is made or healed first; where it cannot be written one in memory is used.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn list(&self) -> Result<Vec<SessionSummary>, Error> {
        let mut all = self.index()?.summaries()?;
        for one in &mut all {
            one.status = self.status_now(&one.id, one.status);
        }
        Ok(all)
    }

    /// The summary of one session, from its files.
    ///
    /// # Errors
    /// As [`SessionStore::find`].
    pub fn show(&self, prefix: &str) -> Result<SessionSummary, Error> {
        let id = self.find(prefix)?;
        let mut summary = kept::read(&self.folder.join(&id), &id).summary;
        summary.status = self.status_now(&id, summary.status);
        Ok(summary)
    }

    /// Turns that have all these words, the newest sessions first, `most` of them at most. A word with blanks is looked
    /// for as a phrase, and one that ends with `*` by its beginning.
    ///
    /// # Errors
    /// When a word has no letter and no digit, or the folder cannot be read.
    pub fn search(&self, words: &[String], most: usize) -> Result<Vec<Found>, Error> {
        let query = found::query(words)?;
        self.index()?.search(&query, most)
    }

    /// The newest sessions as JSON for programs, `most` at most and as many as fit into `bytes`, and how many there are.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn runs(&self, most: usize, bytes: usize) -> Result<(serde_json::Value, usize), Error> {
        let ids = self.ids()?;
        let (mut all, mut left) = (Vec::new(), bytes);
        for id in ids.iter().take(most) {
            let mut read = kept::read(&self.folder.join(id), id);
            read.summary.status = self.status_now(id, read.summary.status);
            let run = runs::run(&read);
            let Some(rest) = left.checked_sub(run.to_string().len()) else { break };
            left = rest;
            all.push(run);
        }
        Ok((serde_json::Value::Array(all), ids.len()))
    }

    /// A new session that has the first `turn` turns of this one, all if absent, with the subtasks that they called. Of one
    /// whose trace is [damaged](SessionStore::damage) all are those before the damage.
    ///
    /// # Errors
    /// When there is no such session or turn, it cannot be read, or the session ends with it.
    pub fn fork(&self, prefix: &str, turn: Option<u64>) -> Result<NewSession, Error> {
        let id = self.find(prefix)?;
        let (from, old) = (self.folder.join(&id), kept::notes(&self.folder.join(&id)));
        let bytes = crate::files::read_bytes(&kept::trace_in(&from))?;
        let fork = archive::prefix(&bytes, turn, old.open_ended).map_err(|e| e.at(&id))?;
        let at = fork.trace.turns().len() as u64;
        let notes = SessionNotes { forked_from: Some(id), forked_at: Some(at), last_run: None, ..old };
        let new = self.make(notes)?;
        let copied = archive::copy(&from, &new.folder, &fork);
        if let Err(e) = copied {
            let _ = std::fs::remove_dir_all(&new.folder);
            return Err(e);
        }
        Ok(new)
    }

    /// What is wrong with the trace of a session that can only be read up to a line in its middle; `None` of one that is
    /// whole.
    ///
    /// # Errors
    /// When there is no such session, or nothing of its trace can be read.
    pub fn damage(&self, prefix: &str) -> Result<Option<Error>, Error> {
        let id = self.find(prefix)?;
        Ok(trace_file::read_undamaged(&kept::trace_in(&self.folder.join(id)))?.1)
    }

    /// Writes a session with its subtasks as a `.tar.gz` of its folder.
    ///
    /// # Errors
    /// When there is no such session, or it cannot be read or written.
    pub fn export(&self, prefix: &str, to: &mut dyn io::Write) -> Result<String, Error> {
        let id = self.find(prefix)?;
        archive::write(&self.folder.join(&id), &id, to)?;
        Ok(id)
    }

    /// The bytes of a session's own trace.
    ///
    /// # Errors
    /// When there is no such session, or its trace cannot be read.
    pub fn trace_bytes(&self, prefix: &str) -> Result<Vec<u8>, Error> {
        let id = self.find(prefix)?;
        crate::files::read_bytes(&kept::trace_in(&self.folder.join(id)))
    }

    /// The trace of a session.
    ///
    /// # Errors
    /// When there is no such session, or its trace cannot be read.
    pub fn trace(&self, prefix: &str) -> Result<Trace, Error> {
        let id = self.find(prefix)?;
        Ok(trace_file::read(&kept::trace_in(&self.folder.join(id)))?.trace)
    }

    /// Removes a session with its subtasks.
    ///
    /// # Errors
    /// When there is no session of this id, a process writes it, or it cannot be removed.
    pub fn remove(&self, id: &str) -> Result<(), Error> {
        let id = self.find(id)?;
        let folder = self.folder.join(&id);
        let _held = match held(&kept::trace_in(&folder)) {
            Lock::Other => {
                let words = error_text!("session {id} is running"; "end it first, and then remove it");
                return Err(Error::new(ErrorKind::Session, words));
            }
            Lock::Own(file) => Some(file),
            Lock::None => None,
        };
        // Out of the way at once: a removal that is interrupted leaves no half of a session.
        let gone = self.folder.join(format!(".removed-{id}"));
        std::fs::rename(&folder, &gone).map_err(|e| Error::io(&folder, "remove", &e))?;
        std::fs::remove_dir_all(&gone).map_err(|e| Error::io(&gone, "remove", &e))
    }

    /// The index, healed.
    fn index(&self) -> Result<Index, Error> {
        let stamps: HashMap<String, String> = self
            .ids()?
            .into_iter()
            .map(|id| {
                let stamp = self.stamp(&id);
                (id, stamp)
            })
            .collect();
        let file = (!stamps.is_empty()).then(|| self.folder.join("index.sqlite"));
        Index::healed(file.as_deref(), &stamps, &|id| kept::read(&self.folder.join(id), id))
    }

    /// What changes when the files of a session do: names, sizes and times.
    fn stamp(&self, id: &str) -> String {
        let mut parts: Vec<String> = Vec::new();
        for file in std::fs::read_dir(self.folder.join(id)).into_iter().flatten().flatten() {
            let Ok(there) = file.metadata() else { continue };
            let name = file.file_name().to_string_lossy().into_owned();
            parts.push(format!("{name} {} {}", there.len(), kept::modified(&there)));
        }
        parts.sort_unstable();
        sha256(parts.join("\n").as_bytes())
    }

    fn status_now(&self, id: &str, status: SessionStatus) -> SessionStatus {
        let path = kept::trace_in(&self.folder.join(id));
        match status {
            SessionStatus::Unreadable if path.metadata().is_ok_and(|m| m.len() > 0) => status,
            _ if matches!(held(&path), Lock::Other) => SessionStatus::Running,
            _ => status,
        }
    }
}

/// Who holds a trace.
enum Lock {
    Own(File),
    Other,
    None,
}

/// Tries to hold a trace for a moment. Whoever begins to write it meanwhile waits for longer than that.
fn held(trace: &Path) -> Lock {
    let Ok(file) = File::open(trace) else { return Lock::None };
    match file.try_lock_shared() {
        Ok(()) => Lock::Own(file),
        Err(TryLockError::WouldBlock) => Lock::Other,
        // A file system without locks.
        Err(TryLockError::Error(_)) => Lock::None,
    }
}

/// The path as the system names it, whether it is there or not.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
