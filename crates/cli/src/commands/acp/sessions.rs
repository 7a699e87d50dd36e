//! The sessions of an editor: those that it has begun or loaded, what runs in them, those that are kept.

use super::editor::Editor;
use super::permission::Always;
use super::prompt::{Answered, Running, answer};
use super::rpc::Fault;
use super::source::{Open, Source};
use super::{params, replay};
use ptc_agent::Cancel;
use ptc_agent::sessions::{NewSession, SessionStatus, SessionSummary, date};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// Prompts that are answered at a time.
const MOST_RUNNING: usize = 16;
/// The same with those that have ended and are not told yet.
const MOST_THREADS: usize = 64;
/// Sessions that stay open between prompts, so that their programs are not run again: others are opened from their traces.
const MOST_OPEN: usize = 4;
/// Sessions of one page of a list.
const PAGE: usize = 50;

/// The sessions of an editor. Clones are the same.
#[derive(Clone)]
pub struct Sessions {
    inner: Arc<Inner>,
}

struct Inner {
    source: Source,
    editor: Editor,
    slots: Mutex<HashMap<String, Slot>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// How many prompts there were.
    prompts: AtomicU64,
    /// The editor is gone: what runs stops as it is, and is gone on with later.
    stopping: AtomicBool,
}

/// A session that the editor has begun or loaded.
struct Slot {
    kept: NewSession,
    servers: Vec<String>,
    always: Always,
    state: State,
}

/// What happens in it.
enum State {
    Idle,
    Open(Instant, Box<Open>),
    /// With the number of the prompt that is answered.
    Running(Cancel, u64),
}

impl Sessions {
    /// None yet.
    pub fn new(source: Source, editor: Editor) -> Self {
        let inner = Inner {
            source,
            editor,
            slots: Mutex::default(),
            threads: Mutex::default(),
            prompts: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
        };
        Sessions { inner: Arc::new(inner) }
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.inner.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins one.
    ///
    /// # Errors
    /// What is wrong with the request, or why it cannot be kept.
    pub fn begin(&self, given: &Value) -> Result<Value, Fault> {
        let (folder, servers) = (params::folder(given)?, params::servers(given)?);
        let kept = self.inner.source.begin(&folder)?;
        let id = kept.id().to_owned();
        self.slots().insert(id.clone(), Slot { kept, servers, always: Always::new(), state: State::Idle });
        Ok(json!({ "sessionId": id }))
    }

    /// Takes one that is kept; with `tells` all that has happened in it is told first.
    ///
    /// # Errors
    /// When there is no such session, or it cannot be read.
    pub fn load(&self, given: &Value, tells: bool) -> Result<Value, Fault> {
        let (id, servers) = (params::text(given, "sessionId")?, params::servers(given)?);
        params::folder(given)?;
        let source = &self.inner.source;
        let notes = source.store.notes(id).map_err(|_| Fault::no_session(id))?;
        if !source.has(&notes) {
            return Err(Fault::refused("the session is of another task, and cannot be gone on with here"));
        }
        let kept = source.store.open(id)?;
        let begun = kept.trace().metadata().is_ok_and(|m| m.len() > 0);
        if begun {
            let trace = source.store.trace(id)?;
            if tells {
                replay::updates(&trace).iter().for_each(|update| self.inner.editor.update(id, update));
            }
        }
        let mut slots = self.slots();
        match slots.get_mut(id) {
            Some(slot) => slot.servers = servers,
            None => {
                let slot = Slot { kept, servers, always: Always::new(), state: State::Idle };
                slots.insert(id.to_owned(), slot);
            }
        }
        Ok(json!({}))
    }

    /// Those that are kept and can be loaded, newest first, a page at a time.
    ///
    /// # Errors
    /// When the folder of sessions cannot be read.
    pub fn list(&self, given: &Value) -> Result<Value, Fault> {
        let within = given.get("cwd").and_then(Value::as_str).map(std::path::Path::new);
        let from = given.get("cursor").and_then(Value::as_str);
        let source = &self.inner.source;
        let mut page = Vec::new();
        let mut next = None;
        for one in source.store.list()? {
            // Ids begin with the time: an older one is less.
            if from.is_some_and(|from| one.id.as_str() >= from) || one.status == SessionStatus::Unreadable {
                continue;
            }
            let Ok(notes) = source.store.notes(&one.id) else { continue };
            let folder = Source::folder_of(&notes);
            if !source.has(&notes) || within.is_some_and(|within| within != folder) {
                continue;
            }
            if page.len() == PAGE {
                next = page.last().and_then(|last: &Value| last.get("sessionId").cloned());
                break;
            }
            page.push(info(&one, &folder));
        }
        let mut answer = json!({ "sessions": page });
        if let (Some(next), Some(answer)) = (next, answer.as_object_mut()) {
            answer.insert("nextCursor".into(), next);
        }
        Ok(answer)
    }

    /// Answers a prompt, on a thread of its own: the request of this id is answered when it has ended.
    ///
    /// # Errors
    /// Why it is not begun: nothing has been done then.
    pub fn prompt(&self, request: &Value, given: &Value) -> Result<(), Fault> {
        let (id, text) = (params::text(given, "sessionId")?.to_owned(), params::prompt(given)?);
        let mut threads = self.inner.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|t| !t.is_finished());
        // Those that have ended wait to tell it.
        if threads.len() >= MOST_THREADS {
            return Err(Fault::refused("the answers before are not taken; read them, and ask again"));
        }
        let mut slots = self.slots();
        if slots.values().filter(|s| matches!(s.state, State::Running(..))).count() >= MOST_RUNNING {
            return Err(Fault::refused(format!("{MOST_RUNNING} prompts are being answered; wait for one of them")));
        }
        let slot = slots.get_mut(&id).ok_or_else(|| Fault::no_session(&id))?;
        let cancel = match &slot.state {
            State::Running(..) => {
                return Err(Fault::refused("the session answers another prompt; wait for it, or cancel it"));
            }
            State::Open(_, open) => open.cancel.clone(),
            State::Idle => Cancel::default(),
        };
        let number = self.inner.prompts.fetch_add(1, Ordering::Relaxed);
        let open = match std::mem::replace(&mut slot.state, State::Running(cancel.clone(), number)) {
            State::Open(_, open) => Some(open),
            _ => None,
        };
        let (kept, servers, always) = (slot.kept.clone(), slot.servers.clone(), slot.always.clone());
        let (sessions, request) = (self.clone(), request.clone());
        drop(slots);
        let thread = std::thread::spawn(move || {
            let inner = &sessions.inner;
            let mut place = Place { sessions: &sessions, id: &id, number, request: Some(&request) };
            let (source, editor, stopping) = (&inner.source, &inner.editor, &inner.stopping);
            let running = Running { source, editor, kept: &kept, servers: &servers, cancel: &cancel, stopping };
            let Answered { result, open, always } = answer(&running, &text, open, always);
            place.end(open, always);
            inner.editor.answer(&request, result);
        });
        threads.push(thread);
        Ok(())
    }

    /// Ends what runs in a session.
    pub fn cancel(&self, given: &Value) {
        if let Ok(id) = params::text(given, "sessionId")
            && let Some(Slot { state: State::Running(cancel, _), .. }) = self.slots().get(id)
        {
            cancel.cancel();
        }
    }

    /// Ends what runs in a session and gives it up: others can go on with it.
    ///
    /// # Errors
    /// When it was neither begun nor loaded.
    pub fn close(&self, given: &Value) -> Result<Value, Fault> {
        let id = params::text(given, "sessionId")?;
        self.cancel(given);
        let mut slots = self.slots();
        let slot = slots.remove(id).ok_or_else(|| Fault::no_session(id))?;
        drop(slots);
        slot.kept.forget_if_empty();
        Ok(json!({}))
    }

    /// The editor is gone: ends all that runs, as it is, and waits for it.
    pub fn stop(&self) {
        self.inner.stopping.store(true, Ordering::Release);
        for slot in self.slots().values() {
            if let State::Running(cancel, _) = &slot.state {
                cancel.cancel();
            }
        }
        let threads = std::mem::take(&mut *self.inner.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            let _ = thread.join();
        }
        let slots = std::mem::take(&mut *self.slots());
        slots.values().for_each(|slot| slot.kept.forget_if_empty());
    }
}

/// A session as a list has it.
fn info(one: &SessionSummary, folder: &std::path::Path) -> Value {
    let updated = format!("{}:00Z", date::text(one.updated).replace(' ', "T"));
    json!({ "sessionId": one.id, "cwd": folder, "title": one.title, "updatedAt": updated })
}

/// The place of a prompt that is answered; given back when its thread ends, however it does.
struct Place<'a> {
    sessions: &'a Sessions,
    id: &'a str,
    /// Of the prompt: its session may have been closed, loaded and asked again meanwhile.
    number: u64,
    /// The request, while it has no answer.
    request: Option<&'a Value>,
}

impl Place<'_> {
    /// Gives it back before the request is answered, so that the next prompt finds it free.
    fn end(&mut self, open: Option<Box<Open>>, always: Always) {
        self.request = None;
        let mut slots = self.sessions.slots();
        let own = |slot: &&mut Slot| matches!(slot.state, State::Running(_, number) if number == self.number);
        if let Some(slot) = slots.get_mut(self.id).filter(own) {
            slot.always = always;
            // One that was cancelled after its end can be asked nothing any more.
            let open = open.filter(|open| !open.cancel.cancelled());
            slot.state = open.map_or(State::Idle, |open| State::Open(Instant::now(), open));
        }
        let used = |slot: &Slot| if let State::Open(used, _) = slot.state { Some(used) } else { None };
        while slots.values().filter_map(used).count() > MOST_OPEN {
            let oldest = slots.values_mut().filter(|s| used(s).is_some()).min_by_key(|s| used(s));
            let Some(oldest) = oldest else { break };
            oldest.state = State::Idle;
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        // Its thread has panicked.
        if let Some(request) = self.request {
            let fault = Fault::failed("a fault of ours ended it; please report it with what was asked for");
            self.end(None, Always::new());
            self.sessions.inner.editor.answer(request, Err(fault));
        }
    }
}
