//! What all clones of a server share: the sessions that something happens in, and how it is done.

use crate::answer::{AnswerState, Ended};
use crate::approvals::{decide_inside, waiting};
use crate::client::Client;
use crate::job::{self, JobState, Work};
use crate::opened::{Opened, Opener, write_header};
use crate::rates::Rates;
use crate::refused::{Refused, RefusedKind};
use crate::session_counts::SessionCounts;
use crate::table::Table;
use crate::turn_queue::{Permit, Place, TurnQueue};
use ptc_agent::host::{catch_panic, hide_paths};
use ptc_agent::sessions::{NewSession, RunEnd, SessionNotes, SessionStatus, SessionStore, SessionSummary};
use ptc_agent::task::given_value;
use ptc_agent::trace_file;
use ptc_lisp::limits::Limits;
use ptc_turns::session::config::Input;
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Config, Trace, TurnRecord};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

pub(crate) struct Inner {
    pub(crate) store: SessionStore,
    pub(crate) opener: Opener,
    pub(crate) queue: Arc<TurnQueue>,
    pub(crate) table: Table,
    pub(crate) counts: SessionCounts,
    pub(crate) rates: Arc<Rates>,
    pub(crate) stopping: AtomicBool,
}

/// What was asked of a session.
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) notes: SessionNotes,
    pub(crate) work: Work,
    pub(crate) shared: Arc<JobState>,
}

impl Inner {
    /// Waits for a place, and then does what was asked for on a thread of its own.
    pub(crate) async fn carry_out(self: Arc<Self>, asked: Asked, place: Place, done: watch::Sender<Option<Ended>>) {
        let permit = match place {
            Place::Now(permit) => Ok(permit),
            Place::Later(wait) => tokio::select! {
                permit = wait => permit.map_err(|_| Refused::stopping()),
                () = asked.shared.gone.notified() => {
                    let words = "the turn was cancelled before it began; nothing has run";
                    Err(Refused::new(RefusedKind::Conflict, words, "run it again"))
                }
            },
        };
        let permit = match permit {
            Ok(permit) => permit,
            Err(refused) => return self.finish(&asked.id, Err(refused), None, &done),
        };
        asked.shared.has_place();
        let (inner, id) = (self.clone(), asked.id.clone());
        let done = Arc::new(done);
        let tell = done.clone();
        let on_thread = move || inner.on_thread(asked, permit, &tell);
        if let Err(e) = std::thread::Builder::new().name("ptc-turn".to_owned()).spawn(on_thread) {
            let words = format!("no thread can be started for the turn: {e}");
            self.finish(&id, Err(Refused::busy(words, Duration::from_secs(5))), None, &done);
        }
    }

    fn on_thread(&self, asked: Asked, permit: Permit, done: &watch::Sender<Option<Ended>>) {
        let Asked { id, notes, work, shared } = asked;
        let did = catch_panic(AssertUnwindSafe(|| self.work(&id, &notes, work, &shared)));
        let (ended, kept) = match did {
            Ok((ended, kept)) => (ended, kept),
            Err(words) => (Err(fault(&words)), None),
        };
        // The place is free before anybody hears of the end, and asks for the next turn.
        drop(permit);
        self.finish(&id, ended, kept, done);
    }

    fn work(&self, id: &str, notes: &SessionNotes, work: Work, shared: &JobState) -> (Ended, Option<Box<Opened>>) {
        if let Work::Decide { call, subtask: Some(label), decision, by } = work {
            let decided = decide_inside(&self.store, id, (&label, call), decision, by.name());
            return (decided.and_then(|()| self.left(id)), None);
        }
        let decides = matches!(work, Work::Decide { .. });
        // A cancel that came after the end of its turn is not for the next one.
        let kept = self.table.take_kept(id).filter(|opened| !opened.cancel.cancelled());
        let (running, _) = self.queue.counts();
        drop(self.table.take_over(self.opener.options.workers.saturating_sub(running)));
        let opened = match kept {
            Some(opened) => Ok(opened),
            None => self.store.open(id).map_err(Refused::from).and_then(|s| self.opener.open(&s, notes).map(Box::new)),
        };
        let mut opened = match opened {
            Ok(opened) => opened,
            Err(refused) => return (Err(refused), None),
        };
        let events = self.table.lock().entry(id.to_owned()).or_default().events.clone();
        let (ended, keep) = job::work(&mut opened, work, shared, &events, self.opener.options.trace_bytes);
        let ended = ended.map_err(|refused| refused.of_session(id));
        if decides {
            return (ended.and_then(|_| self.left(id)), None);
        }
        if let Ok((_, AnswerState::RunEnded(end))) = &ended
            && let Ok(session) = self.store.open(id)
        {
            // What the trace does not say; it can be done without.
            let _ = session.ended(RunEnd::new(end.status, end.error.as_ref(), end.totals, &session.trace()));
        }
        (ended, Some(opened).filter(|_| keep))
    }

    /// The calls of a session that wait still, at its next turn.
    fn left(&self, id: &str) -> Ended {
        let trace = self.outline(id)?;
        let turn = (trace.turns().len() as u64).saturating_add(1);
        Ok((turn, AnswerState::Pending(waiting(&self.store, id, &trace)?)))
    }

    /// The session is free again, and whoever waits is told.
    fn finish(&self, id: &str, ended: Ended, kept: Option<Box<Opened>>, done: &watch::Sender<Option<Ended>>) {
        let unkept = {
            let mut table = self.table.lock();
            let stopping = self.stopping.load(Ordering::Acquire);
            match table.get_mut(id) {
                Some(entry) => {
                    entry.running = None;
                    match kept {
                        Some(opened) if !stopping => {
                            entry.kept = Some((Instant::now(), opened));
                            None
                        }
                        other => other,
                    }
                }
                None => kept,
            }
        };
        drop(unkept);
        self.table.tidy(id);
        done.send_replace(Some(ended));
    }

    pub(crate) fn notes(&self, client: &Client, id: &str) -> Result<SessionNotes, Refused> {
        let notes = self.store.notes(id).map_err(|_| Refused::no_session(id))?;
        // Whose it is, nobody else is told.
        Some(notes).filter(|n| n.client.as_deref() == Some(client.name())).ok_or_else(|| Refused::no_session(id))
    }

    pub(crate) fn trace(&self, id: &str) -> Result<Trace, Refused> {
        let session = self.store.open(id)?;
        Ok(trace_file::read(&session.trace())?.trace)
    }

    /// The trace of a session without the texts of its turns.
    pub(crate) fn outline(&self, id: &str) -> Result<Trace, Refused> {
        self.reduced(id, &mut |turn| turn.reduced(KeptTexts::NONE))
    }

    /// The trace of a session with what `keep` leaves of its turns.
    pub(crate) fn reduced(&self, id: &str, keep: &mut dyn FnMut(TurnRecord) -> TurnRecord) -> Result<Trace, Refused> {
        Ok(trace_file::read_kept(&self.store.open(id)?.trace(), keep)?.trace)
    }

    /// Begins a session of what `make` makes of the values.
    pub(crate) fn begin(
        &self,
        client: &Client,
        task: Option<&str>,
        open_ended: bool,
        context: &serde_json::Map<String, serde_json::Value>,
        make: impl FnOnce(&Inner, Vec<Input>) -> Result<Config, Refused>,
    ) -> Result<NewSession, Refused> {
        if self.stopping.load(Ordering::Acquire) {
            return Err(Refused::stopping());
        }
        let most = self.opener.options.context_bytes;
        let size = serde_json::to_vec(context).map_or(u64::MAX, |json| json.len() as u64);
        if size > most {
            let words = format!("the context has {size} bytes, more than context_bytes = {most}");
            return Err(Refused::new(RefusedKind::Limit, words, "give less of it, or build it up in turns"));
        }
        let granted = task.map(|name| self.opener.granted(name)).transpose()?;
        let limits = granted
            .map(|g| &g.task)
            .or(self.opener.plain.as_ref())
            .map_or_else(Limits::default, |task| task.limits.clone());
        let inputs = context.iter().map(|(name, value)| given_value(name, value, &limits));
        let config = make(self, inputs.collect::<Result<_, _>>()?)?;
        let mut notes = SessionNotes::default();
        notes.task = granted.map(|g| g.path.clone());
        notes.client = Some(client.name().to_owned());
        notes.open_ended = open_ended;
        self.counts.begin(&self.store, client, self.opener.options.client_sessions, || {
            let session = self.store.begin_with(notes)?;
            write_header(&session, &config).inspect_err(|_| session.forget_if_empty())?;
            Ok((session.id().to_owned(), session))
        })
    }

    /// A summary with the status that the session has here: one that is only kept open does not run.
    pub(crate) fn with_status(&self, mut summary: SessionSummary) -> SessionSummary {
        let table = self.table.lock();
        if let Some(entry) = table.get(&summary.id).filter(|e| e.running.is_some() || e.kept.is_some()) {
            summary.status = if entry.running.is_some() { SessionStatus::Running } else { SessionStatus::Stopped };
        }
        summary
    }

    /// The same of something that reads a session for a client, which may do so many at a time.
    pub(crate) async fn reading<T: Send + 'static>(
        self: &Arc<Self>,
        client: &Client,
        act: impl FnOnce(&Inner) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let _place = self.rates.read(client).await?;
        self.blocking(act).await
    }

    /// Does something with files on a thread where it may.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Inner) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let inner = self.clone();
        let done = tokio::task::spawn_blocking(move || catch_panic(AssertUnwindSafe(|| act(&inner)))).await;
        match done {
            Ok(Ok(done)) => done,
            Ok(Err(words)) => Err(fault(&words)),
            Err(_) => Err(Refused::stopping()),
        }
    }
}

/// That something runs in a session already.
pub(crate) fn busy_with(id: &str, inner: &Inner) -> Refused {
    let turn = inner.table.running(id).map(|job| job.shared.turn.load(Ordering::Acquire)).filter(|t| *t > 0);
    let words = match turn {
        Some(turn) => format!("turn {turn} of the session runs"),
        None => "a turn of the session waits for a process".to_owned(),
    };
    Refused::new(RefusedKind::Conflict, words, "wait for it, or cancel it")
}

/// That something of ours broke, in these words.
pub(crate) fn fault(words: &str) -> Refused {
    let words = format!(
        "a fault of ours: {}",
        ptc_lisp::error::cut(hide_paths(&ptc_lisp::escape::line(words).to_string()), 500)
    );
    Refused::new(RefusedKind::Failed, words, "please report it with what was asked for")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::client::Client;
    use crate::refused::RefusedKind;
    use crate::sessions::{Serving, Sessions};
    use ptc_agent::sessions::SessionStore;
    use std::sync::mpsc::channel;

    #[tokio::test]
    async fn sessions_are_read_by_few_requests_of_a_client_at_a_time() {
        // Nothing is kept and no program is run.
        let store = SessionStore::at(&std::env::temp_dir().join(format!("ptc-reading-{}", std::process::id())));
        let worker = ptc_agent::worker::Worker::new(std::process::Command::new("no-worker"));
        let mut serving = Serving::new(store, worker);
        serving.options.set("reads=1").unwrap();
        serving.options.set("spare_workers=0").unwrap();
        let inner = Sessions::start(serving).unwrap().inner;
        let (ann, bob) = (Client::new("ann"), Client::new("bob"));
        let ((begun, begins), (go, goes)) = (tokio::sync::oneshot::channel(), channel::<()>());
        let (reader, client) = (inner.clone(), ann.clone());
        let first = tokio::spawn(async move {
            let read = reader.reading(&client, move |_| {
                let _ = begun.send(());
                let _ = goes.recv();
                Ok(1)
            });
            read.await
        });
        begins.await.unwrap();
        let refused = inner.reading(&ann, |_| Ok(2)).await.unwrap_err();
        assert_eq!(refused.kind(), RefusedKind::Busy);
        assert_eq!(inner.reading(&bob, |_| Ok(3)).await.unwrap(), 3);
        drop(go);
        assert_eq!(first.await.unwrap().unwrap(), 1);
        assert_eq!(inner.reading(&ann, |_| Ok(4)).await.unwrap(), 4);
    }
}
