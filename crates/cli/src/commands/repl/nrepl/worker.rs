//! A session of nREPL: a thread that runs its inputs one after the other.

use super::answer::Answer;
use super::bencode::{Bencode, dict};
use super::client::{Client, held};
use crate::commands::repl::names::Names;
use crate::commands::repl::session::{Around, NotRun, ReplSession};
use crate::commands::repl::tools::Approval;
use ptc_agent::Cancel;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, Weak};

/// Inputs that may wait.
const QUEUE: usize = 64;
/// Stack of a session: values may be nested deep.
const STACK: usize = 32 << 20;

/// What a session is asked for.
pub enum Job {
    /// To run this.
    Eval(String),
    /// To have a copy of itself opened, whose id is answered.
    Clone(OpenCopy),
}

/// Opens a copy of a session.
pub type OpenCopy = Box<dyn FnOnce(&ReplSession) -> Result<String, String> + Send>;

/// Called with the id of a session that was there for one input, when it has ended.
pub type OnEnd = Box<dyn FnOnce(&str) + Send>;

/// A job, and where its answers go.
pub struct Asked {
    /// What is asked.
    pub job: Job,
    /// Where the answers go.
    pub answer: Answer,
}

/// What runs: the id of its message, and how it is ended.
struct RunningInput {
    id: Option<Bencode>,
    cancel: Cancel,
}

/// A session as the server knows it.
pub struct SessionEntry {
    id: String,
    queue: Mutex<Option<SyncSender<Asked>>>,
    running: Arc<Mutex<Option<RunningInput>>>,
    names: Arc<Mutex<Arc<Names>>>,
    owner: Weak<Client>,
    /// It was closed: what waits is not run.
    closed: Arc<AtomicBool>,
    /// It is there for one input.
    for_one: bool,
}

/// A job that is not taken, and why.
pub struct Refused {
    /// The job.
    pub asked: Asked,
    /// In words.
    pub words: String,
}

/// What became of the wish to end an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupted {
    /// It ends.
    Yes,
    /// Nothing runs.
    Idle,
    /// Another input runs.
    Mismatch,
}

impl SessionEntry {
    /// Starts the thread of a session.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn begin(
        id: String,
        session: ReplSession,
        owner: &Arc<Client>,
        on_end: Option<OnEnd>,
    ) -> io::Result<Arc<Self>> {
        let (queue, jobs) = sync_channel(QUEUE);
        let names = Arc::new(Mutex::new(Arc::new(Names::of(session.session()))));
        let entry = Arc::new(SessionEntry {
            id,
            queue: Mutex::new(Some(queue)),
            running: Arc::default(),
            names: names.clone(),
            owner: Arc::downgrade(owner),
            closed: Arc::default(),
            for_one: on_end.is_some(),
        });
        let worker = Worker { session, running: entry.running.clone(), names, closed: entry.closed.clone() };
        std::thread::Builder::new().name("ptc-session".into()).stack_size(STACK).spawn({
            let id = entry.id.clone();
            move || {
                worker.work(&jobs);
                if let Some(on_end) = on_end {
                    on_end(&id);
                }
            }
        })?;
        Ok(entry)
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The names that can be written in it, as of its last turn.
    pub fn names(&self) -> Arc<Names> {
        held(&self.names).clone()
    }

    /// Whether it is there for one input, and has no id that somebody knows.
    pub fn is_for_one(&self) -> bool {
        self.for_one
    }

    /// Whether its client is gone and nothing runs. What runs for nobody in a session for one input is no reason to stay:
    /// nobody could interrupt it.
    pub fn is_left(&self) -> bool {
        let gone = self.owner.upgrade().is_none_or(|client| client.is_closed());
        gone && (self.for_one || held(&self.running).is_none())
    }

    /// Lets it end once what waits in it has run.
    pub fn no_more(&self) {
        held(&self.queue).take();
    }

    /// Lets it do something, behind what waits already.
    ///
    /// # Errors
    /// When too much waits or it has ended.
    pub fn ask(&self, asked: Asked) -> Result<(), Refused> {
        let Some(queue) = held(&self.queue).clone() else {
            return Err(Refused { asked, words: "the session has ended".to_owned() });
        };
        queue.try_send(asked).map_err(|e| match e {
            TrySendError::Full(asked) => {
                Refused { asked, words: format!("{QUEUE} inputs of this session wait already") }
            }
            TrySendError::Disconnected(asked) => Refused { asked, words: "the session has ended".to_owned() },
        })
    }

    /// Ends the input that runs, if it is that of this message.
    pub fn interrupt(&self, id: Option<&Bencode>) -> Interrupted {
        match held(&self.running).as_ref() {
            None => Interrupted::Idle,
            Some(now) if id.is_some() && now.id.as_ref() != id => Interrupted::Mismatch,
            Some(now) => {
                now.cancel.cancel();
                Interrupted::Yes
            }
        }
    }

    /// Ends it: what runs is ended, and what waits is not run.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.no_more();
        self.interrupt(None);
    }
}

/// The thread of a session.
struct Worker {
    session: ReplSession,
    running: Arc<Mutex<Option<RunningInput>>>,
    names: Arc<Mutex<Arc<Names>>>,
    closed: Arc<AtomicBool>,
}

impl Worker {
    fn work(mut self, jobs: &Receiver<Asked>) {
        while let Ok(Asked { job, answer }) = jobs.recv() {
            match job {
                _ if self.closed.load(Ordering::Relaxed) => answer.end(&["interrupted", "session-closed", "done"]),
                Job::Eval(code) => self.eval(&code, &answer),
                Job::Clone(open) => answer.opened(open(&self.session)),
            }
        }
    }

    fn eval(&mut self, code: &str, answer: &Answer) {
        let cancel = Cancel::default();
        let id = answer.ids.get(b"id".as_slice()).cloned();
        *held(&self.running) = Some(RunningInput { id, cancel: cancel.clone() });
        // Whoever closed it before that had nothing to interrupt; whoever does so from here on has.
        if self.closed.load(Ordering::Relaxed) {
            held(&self.running).take();
            return answer.end(&["interrupted", "session-closed", "done"]);
        }
        let on_print = |text: &str| answer.send(dict([("out", text.into())]));
        let ran =
            self.session.run(code, Around { ask: &mut |_, _| Approval::Nobody, on_print: &on_print, cancel: &cancel });
        *held(&self.names) = Arc::new(Names::of(self.session.session()));
        held(&self.running).take();
        match ran {
            Ok((record, _)) => answer.ran(&record),
            Err(NotRun::Cancelled { calls }) => {
                if calls > 0 {
                    answer.send(dict([("err", format!("tool calls that were made: {calls}\n").into())]));
                }
                answer.end(&["interrupted", "done"]);
            }
            Err(NotRun::Refused(words)) => answer.failed(&words, "refused"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bencode::read_message;
    use super::*;
    use ptc_agent::Environment;
    use ptc_turns::{Config, Session};
    use std::io::BufReader;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    #[test]
    fn an_input_does_not_run_in_a_session_that_was_closed_just_before() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let client = Arc::new(Client::new(listener.accept().unwrap().0));
        let session = ReplSession::new(Session::new(Config::programs()), None, &Environment::default(), None).unwrap();
        let closed = Arc::new(AtomicBool::new(false));
        let mut worker = Worker { session, running: Arc::default(), names: Arc::default(), closed: closed.clone() };
        let answer = Answer { ids: dict([("id", "1".into())]), client };
        // As when `close` came after the job was taken, and before anything could be interrupted.
        closed.store(true, Ordering::Relaxed);
        worker.eval("(def x 1)", &answer);
        assert!(worker.session.session().memory().get("x").is_none() && held(&worker.running).is_none());
        let said = read_message(&mut BufReader::new(peer)).unwrap().unwrap();
        assert_eq!(said[b"status".as_slice()], vec!["interrupted", "session-closed", "done"].into());
    }
}
