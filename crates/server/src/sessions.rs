//! Sessions served to clients.

use crate::answer::{Definition, definitions};
use crate::client::Client;
use crate::events::Events;
use crate::inner::{Inner, busy_with};
use crate::job::Job;
use crate::observing::SessionObservers;
use crate::opened::{Granted, Opener};
use crate::options::ServerOptions;
use crate::rates::Rates;
use crate::refused::{Refused, RefusedKind};
use crate::session_counts::SessionCounts;
use crate::table::Table;
use crate::turn_queue::TurnQueue;
use crate::workers::Workers;
use ptc_agent::sessions::{SessionNotes, SessionStore, SessionSummary};
use ptc_agent::trace_file::TurnReader;
use ptc_agent::{Environment, Error, Task, Worker};
use ptc_lisp::types::Type;
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Trace, TurnRecord};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// What a session is begun with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Begin {
    /// The task whose tools, inputs, libraries and limits it has, by its name; none at all without one.
    pub task: Option<String>,
    /// Values that programs read as `ctx/NAME`.
    pub context: serde_json::Map<String, serde_json::Value>,
    /// The type that a returned value must have, as `[{name: string}]`.
    pub expect: Option<String>,
}

/// What sessions are served from.
pub struct Serving {
    /// Where they are kept.
    pub store: SessionStore,
    /// How worker processes are started.
    pub worker: Worker,
    /// The tasks that clients may use, with their folders or files.
    pub tasks: Vec<(PathBuf, Task)>,
    /// Keys and addresses for their models.
    pub environment: Environment,
    /// Limits.
    pub options: ServerOptions,
    /// Sessions that are of no task have the limits of a turn of this one.
    pub plain: Option<Task>,
    /// Told what is done in sessions.
    pub observers: Option<Arc<dyn SessionObservers>>,
}

impl Serving {
    /// No tasks, and limits as they are by default.
    pub fn new(store: SessionStore, worker: Worker) -> Self {
        let (environment, options) = (Environment::default(), ServerOptions::default());
        Serving { store, worker, tasks: Vec::new(), environment, options, plain: None, observers: None }
    }
}

/// A task that is served.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServedTask {
    /// Its name.
    pub name: String,
    /// What it is for, in its author's words, or what it asks.
    pub description: String,
    /// What it asks.
    pub prompt: String,
    /// Whether a model is named who could run it.
    pub has_model: bool,
}

/// Sessions of programs, served to clients. Clones are the same server.
///
/// Each session is a folder of a [`SessionStore`]: its trace is all there is of it between turns, so it outlives the server.
/// Its programs run in worker processes, of which there is a bounded number; a session keeps its process until another one
/// needs it or it was not used for a while. A turn that was told to have ended is on the disk.
#[derive(Clone)]
pub struct Sessions {
    pub(crate) inner: Arc<Inner>,
}

impl Sessions {
    /// Serves what `serving` says. In a runtime of tokio.
    ///
    /// # Errors
    /// When two tasks have one name.
    pub fn start(serving: Serving) -> Result<Self, Refused> {
        let Serving { store, worker, tasks, environment, options, plain, observers } = serving;
        let granted: Vec<Granted> = tasks.into_iter().map(|(path, task)| Granted { path, task }).collect();
        for (i, one) in granted.iter().enumerate() {
            if granted.iter().take(i).any(|g| g.task.name == one.task.name) {
                let words = format!("two tasks are called {}", one.task.name);
                return Err(Refused::new(RefusedKind::Invalid, words, "give one of them another name in [task]"));
            }
        }
        let idle = options.idle();
        let workers = Workers::new(worker, options.spare_workers);
        let inner = Arc::new(Inner {
            store,
            queue: TurnQueue::new(&options),
            rates: Rates::new(&options),
            opener: Opener { granted, environment, workers, options, plain, observers, opening: Default::default() },
            table: Table::default(),
            counts: SessionCounts::default(),
            stopping: AtomicBool::new(false),
        });
        tokio::spawn(give_back(Arc::downgrade(&inner), idle));
        Ok(Sessions { inner })
    }

    /// The limits.
    pub fn options(&self) -> &ServerOptions {
        &self.inner.opener.options
    }

    /// The tasks that are served.
    pub fn tasks(&self) -> Vec<ServedTask> {
        let served = |g: &Granted| ServedTask {
            name: g.task.name.clone(),
            description: g.task.description.clone().unwrap_or_else(|| g.task.prompt.clone()),
            prompt: g.task.prompt.clone(),
            has_model: !g.task.lacks_model(),
        };
        self.inner.opener.granted.iter().map(served).collect()
    }

    /// The tools, types and system message of a session of this task, or of none: as its trace would begin.
    ///
    /// # Errors
    /// When there is no such task, or its inputs cannot be read.
    pub async fn header(&self, task: Option<&str>) -> Result<ptc_turns::Header, Refused> {
        let task = task.map(str::to_owned);
        self.inner.blocking(move |inner| Ok(inner.opener.programs(task.as_deref(), Vec::new())?.header())).await
    }

    /// Begins a session; its id.
    ///
    /// # Errors
    /// When the client has as many as it may, or what it is begun with cannot be.
    pub async fn create(&self, client: &Client, begin: Begin) -> Result<String, Refused> {
        let client = client.clone();
        self.inner
            .blocking(move |inner| {
                let expect = begin.expect.as_deref().map(type_of).transpose()?;
                let make = |inner: &Inner, inputs| {
                    let mut config = inner.opener.programs(begin.task.as_deref(), inputs)?;
                    if let Some(expect) = expect {
                        (config.expect, config.check) = (Some(expect), None);
                    }
                    Ok(config)
                };
                Ok(inner.begin(&client, begin.task.as_deref(), true, &begin.context, make)?.id().to_owned())
            })
            .await
    }

    /// The trace of a session as it is on the disk.
    ///
    /// # Errors
    /// When there is no such session, or it cannot be read.
    pub async fn trace(&self, client: &Client, id: &str) -> Result<Trace, Refused> {
        self.notes(client, id).await?;
        let id = id.to_owned();
        self.inner.reading(client, move |inner| inner.trace(&id)).await
    }

    /// The same without the texts of its turns: what they defined, their calls, how they ended and what they used.
    ///
    /// # Errors
    /// As [`Sessions::trace`].
    pub async fn outline(&self, client: &Client, id: &str) -> Result<Trace, Refused> {
        self.reduced(client, id, |turn| turn.reduced(KeptTexts::NONE)).await
    }

    /// The same with what `keep` leaves of its turns.
    pub(crate) async fn reduced(
        &self,
        client: &Client,
        id: &str,
        mut keep: impl FnMut(TurnRecord) -> TurnRecord + Send + 'static,
    ) -> Result<Trace, Refused> {
        self.notes(client, id).await?;
        let id = id.to_owned();
        self.inner.reading(client, move |inner| inner.reduced(&id, &mut keep)).await
    }

    /// The turns of a session that have ended, read one after the other.
    ///
    /// # Errors
    /// As [`Sessions::trace`].
    pub async fn turns(&self, client: &Client, id: &str) -> Result<TurnReader, Refused> {
        self.notes(client, id).await?;
        let id = id.to_owned();
        self.inner.blocking(move |inner| Ok(TurnReader::open(&inner.store.open(&id)?.trace())?)).await
    }

    /// One turn of a session, where it has ended.
    ///
    /// # Errors
    /// As [`Sessions::trace`].
    pub async fn turn(&self, client: &Client, id: &str, n: u64) -> Result<Option<TurnRecord>, Refused> {
        let mut turns = self.turns(client, id).await?;
        let found = move |_: &Inner| {
            let found = turns.find(|t| t.as_ref().map_or(true, |t| t.turn == n));
            Ok(found.transpose()?)
        };
        self.inner.reading(client, found).await
    }

    /// Whether a turn or a run of a session has been asked for and has not ended.
    pub fn is_running(&self, id: &str) -> bool {
        self.inner.table.running(id).is_some()
    }

    /// The file of that trace, lines of JSON, and how many bytes it has.
    ///
    /// # Errors
    /// As [`Sessions::trace`].
    pub async fn trace_file(&self, client: &Client, id: &str) -> Result<(std::fs::File, u64), Refused> {
        self.notes(client, id).await?;
        let id = id.to_owned();
        self.inner
            .blocking(move |inner| {
                let path = inner.store.open(&id)?.trace();
                let opened = std::fs::File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
                let (bytes, file) = opened.map_err(|e| Refused::from(Error::io(&path, "read", &e)))?;
                Ok((file, bytes))
            })
            .await
    }

    /// The names that a session has.
    ///
    /// # Errors
    /// As [`Sessions::trace`].
    pub async fn definitions(&self, client: &Client, id: &str) -> Result<Vec<Definition>, Refused> {
        Ok(definitions(&self.outline(client, id).await?))
    }

    /// What is known of a session without reading its turns.
    ///
    /// # Errors
    /// As [`Sessions::trace`].
    pub async fn show(&self, client: &Client, id: &str) -> Result<SessionSummary, Refused> {
        self.notes(client, id).await?;
        let id = id.to_owned();
        self.inner
            .reading(client, move |inner| {
                let summary = inner.store.show(&id)?;
                Ok(inner.with_status(summary))
            })
            .await
    }

    /// The client's sessions, newest first.
    ///
    /// # Errors
    /// When the folder of sessions cannot be read.
    pub async fn list(&self, client: &Client) -> Result<Vec<SessionSummary>, Refused> {
        let name = client.name().to_owned();
        self.inner
            .reading(client, move |inner| {
                let own = |s: &SessionSummary| {
                    inner.store.notes(&s.id).is_ok_and(|n| n.client.as_deref() == Some(name.as_str()))
                };
                let all = inner.store.list()?;
                Ok(all.into_iter().filter(own).map(|s| inner.with_status(s)).collect())
            })
            .await
    }

    /// Begins another session with the first turns of one, all of them without `turn`; its id.
    ///
    /// # Errors
    /// When there is no such session or turn, or the client has as many sessions as it may.
    pub async fn fork(&self, client: &Client, id: &str, turn: Option<u64>) -> Result<String, Refused> {
        let notes = self.notes(client, id).await?;
        let (own, id) = (client.clone(), id.to_owned());
        self.inner
            .reading(client, move |inner| {
                let most = inner.opener.options.client_sessions;
                inner.counts.begin(&inner.store, &own, most, || {
                    // A trace that cannot be read to its end can be forked before that.
                    if let Ok(trace) = inner.outline(&id) {
                        may_fork(&trace, turn, notes.open_ended)?;
                    }
                    let id = inner.store.fork(&id, turn)?.id().to_owned();
                    Ok((id.clone(), id))
                })
            })
            .await
    }

    /// Gives back the process of a session and the lock of its trace, so that other programs may write it.
    ///
    /// # Errors
    /// When there is no such session, or a turn of it runs.
    pub async fn close(&self, client: &Client, id: &str) -> Result<(), Refused> {
        self.notes(client, id).await?;
        if self.inner.table.running(id).is_some() {
            return Err(busy_with(id, &self.inner));
        }
        let id = id.to_owned();
        self.inner
            .blocking(move |inner| {
                drop(inner.table.take_kept(&id));
                inner.table.tidy(&id);
                Ok(())
            })
            .await
    }

    /// Removes a session with its trace.
    ///
    /// # Errors
    /// When there is no such session, or a turn of it runs, here or in another process.
    pub async fn remove(&self, client: &Client, id: &str) -> Result<(), Refused> {
        self.close(client, id).await?;
        let id = id.to_owned();
        self.inner
            .blocking(move |inner| {
                inner.store.remove(&id)?;
                inner.counts.removed(&id);
                // Who follows it is told that it is gone.
                inner.table.lock().remove(&id);
                Ok(())
            })
            .await
    }

    /// Follows a session from behind turn `after` on: the turns that have ended since, and then what happens.
    ///
    /// # Errors
    /// When there is no such session, or it cannot be read.
    pub async fn events(&self, client: &Client, id: &str, after: u64) -> Result<Events, Refused> {
        self.notes(client, id).await?;
        let live = self.inner.table.lock().entry(id.to_owned()).or_default().events.subscribe();
        let mut events = Events::new(self.inner.clone(), client.clone(), id.to_owned(), live, after);
        events.catch_up().await?;
        Ok(events)
    }

    /// Turns that run, turns that wait for a process, and sessions whose process is kept.
    pub fn counts(&self) -> (u64, u64, u64) {
        let (running, waiting) = self.inner.queue.counts();
        let kept = self.inner.table.lock().values().filter(|e| e.kept.is_some()).count();
        (running, waiting, kept as u64)
    }

    /// Stops: no turn begins any more; those that run have `stop_seconds` to end. What has not ended by then stays in the
    /// journals of the traces: waiting for it goes on with it when the server runs again.
    pub async fn stop(&self) {
        self.stop_within(Duration::from_secs(self.options().stop_seconds)).await;
    }

    /// The same where turns that run have this long to end.
    pub(crate) async fn stop_within(&self, grace: Duration) {
        self.inner.stopping.store(true, Ordering::Release);
        self.inner.queue.close();
        let all_ended = |jobs: Vec<Job>, wait| async move {
            let each = async {
                for mut job in jobs {
                    let _ = job.done.wait_for(Option::is_some).await;
                }
            };
            tokio::time::timeout(wait, each).await.is_ok()
        };
        if !all_ended(self.inner.table.jobs(), grace).await {
            self.inner.table.jobs().iter().for_each(|job| job.shared.stop());
            all_ended(self.inner.table.jobs(), Duration::from_secs(5)).await;
        }
        let inner = self.inner.clone();
        let _ = tokio::task::spawn_blocking(move || drop(inner.table.take_over(0))).await;
    }

    /// The notes of a session of this client.
    pub(crate) async fn notes(&self, client: &Client, id: &str) -> Result<SessionNotes, Refused> {
        let (client, id) = (client.clone(), id.to_owned());
        self.inner.blocking(move |inner| inner.notes(&client, &id)).await
    }
}

/// Gives back what was not used for a while.
async fn give_back(inner: Weak<Inner>, idle: Duration) {
    let often = idle.checked_div(4).unwrap_or(idle).clamp(Duration::from_millis(250), Duration::from_secs(30));
    loop {
        tokio::time::sleep(often).await;
        let Some(inner) = inner.upgrade() else { return };
        let unused = inner.table.take_unused(idle);
        if !unused.is_empty() {
            let _ = tokio::task::spawn_blocking(move || drop(unused)).await;
        }
    }
}

/// Whether another session can begin with the turns of this one up to `turn`.
fn may_fork(trace: &Trace, turn: Option<u64>, open_ended: bool) -> Result<(), Refused> {
    let turns = trace.turns().len() as u64;
    let last = turn.unwrap_or(turns);
    let refused = |kind, words: String, hint: String| Err(Refused::new(kind, words, hint));
    if turns == 0 {
        let words = "no turn of the session has ended yet".to_owned();
        return refused(RefusedKind::Conflict, words, "wait for its first turn, or begin another session".to_owned());
    }
    if last == 0 || last > turns {
        return refused(
            RefusedKind::NotFound,
            format!("there is no turn {last}"),
            format!("give turn from 1 to {turns}"),
        );
    }
    if last == turns && !open_ended && trace.ended() {
        let hint = match turns {
            1 => "run the task again".to_owned(),
            _ => format!("give turn from 1 to {}", turns.saturating_sub(1)),
        };
        return refused(RefusedKind::Conflict, format!("the run ends with turn {last}"), hint);
    }
    Ok(())
}

fn type_of(text: &str) -> Result<Type, Refused> {
    text.parse::<Type>().map_err(|e| {
        let words = format!("expect: {e}");
        let words = words.strip_suffix(e.hint()).and_then(|w| w.strip_suffix("; ")).unwrap_or(&words).to_owned();
        Refused::new(RefusedKind::Invalid, words, e.hint())
    })
}
