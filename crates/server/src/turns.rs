//! What is run in sessions for clients: turns and tasks, waited for, cancelled and gone on with.

use crate::answer::{Answer, AnswerState};
use crate::approvals::{WaitingCall, waiting};
use crate::client::Client;
use crate::inner::{Asked, Inner, busy_with, fault};
use crate::job::{Job, JobState, Work, nothing_runs};
use crate::refused::{Refused, RefusedKind};
use crate::sessions::Sessions;
use ptc_agent::sessions::SessionNotes;
use ptc_agent::{CallDecision, RunOutcome};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::watch;

impl Sessions {
    /// Runs a program as the next turn of a session, and waits this long for it. What has begun goes on when nobody waits.
    /// A program that a turn has begun with which did not end, as after a restart of the server, is not run once more: that
    /// turn goes on.
    ///
    /// # Errors
    /// When it may not run now; nothing has been done then.
    pub async fn run(&self, client: &Client, id: &str, program: &str, wait: Duration) -> Result<Answer, Refused> {
        let most = self.options().program_bytes;
        if program.len() as u64 > most {
            let words = format!("the program has {} bytes, more than program_bytes = {most}", program.len());
            return Err(Refused::new(RefusedKind::Limit, words, "pass data as context, and split the program"));
        }
        let job = self.begin_job(client, id, Work::Program(program.to_owned())).await?;
        wait_for(id, &job, wait).await
    }

    /// Runs a task with its model in a session of its own, and waits this long for it. `request` follows its prompt.
    ///
    /// # Errors
    /// As [`Sessions::create`] and [`Sessions::run`].
    pub async fn run_task(
        &self,
        client: &Client,
        task: &str,
        request: &str,
        context: serde_json::Map<String, serde_json::Value>,
        wait: Duration,
    ) -> Result<Answer, Refused> {
        let (id, job) = self.start_task(client, task, request, context).await?;
        let answer = wait_for(&id, &job, wait).await;
        self.kept_if_begun(client, &id, answer).await
    }

    /// Begins a session that is the run of a task, and its run. Nothing is kept of one that is refused.
    pub(crate) async fn start_task(
        &self,
        client: &Client,
        task: &str,
        request: &str,
        context: serde_json::Map<String, serde_json::Value>,
    ) -> Result<(String, Job), Refused> {
        let id = self.begin_task(client, task, request, context).await?;
        let job = self.begin_job(client, &id, Work::GoOn).await;
        let job = self.kept_if_begun(client, &id, job).await?;
        Ok((id, job))
    }

    /// The answer. Where it is that nothing was done, nothing is kept of the session that was to begin.
    pub(crate) async fn kept_if_begun<T>(
        &self,
        client: &Client,
        id: &str,
        answer: Result<T, Refused>,
    ) -> Result<T, Refused> {
        if answer.is_err()
            && let Ok(trace) = self.unlimited_outline(client, id).await
            && trace.turns().is_empty()
            && trace.journal().reply().is_none()
        {
            // The refusal is told, whatever becomes of the empty session.
            let _ = self.remove(client, id).await;
        }
        answer
    }

    async fn unlimited_outline(&self, client: &Client, id: &str) -> Result<ptc_turns::Trace, Refused> {
        self.notes(client, id).await?;
        let id = id.to_owned();
        self.inner.blocking(move |inner| inner.outline(&id)).await
    }

    /// Begins a session that is the run of a task, and does not run it: [`Sessions::wait`] does. Its id.
    ///
    /// # Errors
    /// As [`Sessions::create`].
    pub async fn begin_task(
        &self,
        client: &Client,
        task: &str,
        request: &str,
        context: serde_json::Map<String, serde_json::Value>,
    ) -> Result<String, Refused> {
        let (client, task, request) = (client.clone(), task.to_owned(), request.to_owned());
        self.inner
            .blocking(move |inner| {
                let make = |inner: &Inner, inputs| inner.opener.begin_run(&task, &request, inputs);
                Ok(inner.begin(&client, Some(&task), false, &context, make)?.id().to_owned())
            })
            .await
    }

    /// Waits this long for what runs in a session. Where nothing runs, a turn or a run that did not end goes on; else the
    /// answer is that of the last turn, or the end of the run, as it is kept: a run that an error ended, or that was cancelled, is
    /// not begun anew.
    ///
    /// # Errors
    /// When there is no such session, no turn of it, or it may not run now.
    pub async fn wait(&self, client: &Client, id: &str, wait: Duration) -> Result<Answer, Refused> {
        let notes = self.notes(client, id).await?;
        if let Some(job) = self.inner.table.running(id) {
            return wait_for(id, &job, wait).await;
        }
        if notes.open_ended {
            let trace = self.outline(client, id).await?;
            let last = trace.last().filter(|_| trace.journal().reply().is_none()).map(|t| t.turn);
            if let Some(turn) = last
                && let Some(record) = self.turn(client, id, turn).await?
            {
                return Ok(Answer { session: id.to_owned(), turn, state: AnswerState::Ended(Arc::new(record)) });
            }
        }
        if let Some(end) = self.recorded(client, id, notes).await? {
            let turn = end.turns;
            return Ok(Answer { session: id.to_owned(), turn, state: AnswerState::RunEnded(Arc::new(end)) });
        }
        let job = match self.begin_job(client, id, Work::GoOn).await {
            // Another one was faster.
            Err(refused) => self.inner.table.running(id).ok_or(refused)?,
            Ok(job) => job,
        };
        wait_for(id, &job, wait).await
    }

    /// Ends what runs in a session: its turn is recorded as cancelled. A turn that has begun and does not run, since the
    /// server was stopped or calls wait, is ended too.
    ///
    /// # Errors
    /// When there is no such session, or nothing in it to cancel.
    pub async fn cancel(&self, client: &Client, id: &str, wait: Duration) -> Result<Answer, Refused> {
        let notes = self.notes(client, id).await?;
        if let Some(job) = self.inner.table.running(id) {
            job.shared.cancel();
            return wait_for(id, &job, wait).await;
        }
        let has_ended = match notes.open_ended {
            true => self.outline(client, id).await?.journal().reply().is_none(),
            false => self.recorded(client, id, notes).await?.is_some(),
        };
        if has_ended {
            return Err(nothing_runs());
        }
        let job = self.begin_job(client, id, Work::End).await?;
        wait_for(id, &job, wait).await
    }

    /// Says what becomes of a call that waits, of a sub-agent where `subtask` names one; then [`Sessions::wait`] goes on. The
    /// answer has the calls that wait still; it is waited for this long.
    ///
    /// # Errors
    /// When no such call waits.
    pub async fn decide(
        &self,
        client: &Client,
        id: &str,
        (subtask, call): (Option<&str>, u64),
        decision: CallDecision,
        wait: Duration,
    ) -> Result<Answer, Refused> {
        let work = Work::Decide { call, subtask: subtask.map(str::to_owned), decision, by: client.clone() };
        let job = self.begin_job(client, id, work).await?;
        wait_for(id, &job, wait).await
    }

    /// The calls of a session that wait for a decision, with those of its sub-agents.
    ///
    /// # Errors
    /// As [`Sessions::trace`].
    pub async fn waiting(&self, client: &Client, id: &str) -> Result<Vec<WaitingCall>, Refused> {
        self.notes(client, id).await?;
        let id = id.to_owned();
        self.inner.reading(client, move |inner| waiting(&inner.store, &id, &inner.outline(&id)?)).await
    }

    /// How the run of a session has ended, where it has.
    async fn recorded(&self, client: &Client, id: &str, notes: SessionNotes) -> Result<Option<RunOutcome>, Refused> {
        let Some(last) = notes.last_run.filter(|_| !notes.open_ended) else { return Ok(None) };
        let id = id.to_owned();
        self.inner
            .reading(client, move |inner| {
                let bytes = inner.store.open(&id)?.trace().metadata().map_or(0, |m| m.len());
                Ok(RunOutcome::recorded(&inner.trace(&id)?, bytes, &last))
            })
            .await
    }

    /// Begins to do something in a session.
    async fn begin_job(&self, client: &Client, id: &str, work: Work) -> Result<Job, Refused> {
        let notes = self.notes(client, id).await?;
        if self.inner.stopping.load(Ordering::Acquire) {
            return Err(Refused::stopping());
        }
        let mut table = self.inner.table.lock();
        let entry = table.entry(id.to_owned()).or_default();
        if entry.running.is_some() {
            drop(table);
            return Err(busy_with(id, &self.inner));
        }
        let place = match self.inner.queue.ask(&client.0) {
            Ok(place) => place,
            Err(refused) => {
                drop(table);
                self.inner.table.tidy(id);
                return Err(refused);
            }
        };
        let (done, wait) = watch::channel(None);
        let job = Job { done: wait, shared: JobState::new() };
        entry.running = Some(job.clone());
        drop(table);
        let (inner, shared) = (self.inner.clone(), job.shared.clone());
        let asked = Asked { id: id.to_owned(), notes, work, shared };
        tokio::spawn(inner.carry_out(asked, place, done));
        Ok(job)
    }
}

/// Waits this long for what runs.
pub(crate) async fn wait_for(id: &str, job: &Job, wait: Duration) -> Result<Answer, Refused> {
    let mut done = job.done.clone();
    let session = id.to_owned();
    let ended =
        tokio::time::timeout(wait.min(Duration::from_secs(365 * 24 * 3600)), done.wait_for(Option::is_some)).await;
    match ended {
        Ok(Ok(ended)) => {
            let (turn, state) = ended.clone().unwrap_or_else(|| Err(fault("nothing was told")))?;
            Ok(Answer { session, turn, state })
        }
        Ok(Err(_)) => Err(Refused::stopping()),
        Err(_) => {
            let turn = job.shared.turn.load(Ordering::Acquire);
            let queued = job.shared.queued.get().is_none();
            Ok(Answer { session, turn, state: AnswerState::Running { since: job.shared.since.elapsed(), queued } })
        }
    }
}
