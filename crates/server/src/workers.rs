//! Worker processes that are started ahead, so that a turn need not wait for one to start.

use ptc_agent::Worker;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How worker processes are started, and those that wait for a session.
pub(crate) struct Workers {
    template: Mutex<Worker>,
    spare: Mutex<Vec<Worker>>,
    wanted: usize,
    filling: AtomicBool,
}

impl Workers {
    pub(crate) fn new(template: Worker, wanted: u64) -> Arc<Self> {
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        let workers = Workers {
            template: Mutex::new(template),
            spare: Mutex::default(),
            wanted,
            filling: AtomicBool::new(false),
        };
        let workers = Arc::new(workers);
        workers.fill();
        workers
    }

    /// A worker for a session: one that has started already if there is one.
    pub(crate) fn take(self: &Arc<Self>) -> Worker {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        self.fill();
        spare.unwrap_or_else(|| self.another())
    }

    /// One that starts when it is needed.
    pub(crate) fn another(&self) -> Worker {
        self.template.lock().unwrap_or_else(PoisonError::into_inner).another()
    }

    /// Starts as many as are wanted, elsewhere. One that cannot be started is reported by the turn that needs it.
    fn fill(self: &Arc<Self>) {
        if self.count() >= self.wanted || self.filling.swap(true, Ordering::AcqRel) {
            return;
        }
        let workers = self.clone();
        let fill = move || {
            while workers.count() < workers.wanted {
                let mut worker = workers.another();
                if worker.prepare().is_err() {
                    break;
                }
                workers.spare.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            }
            workers.filling.store(false, Ordering::Release);
        };
        if std::thread::Builder::new().name("ptc-spare-workers".to_owned()).spawn(fill).is_err() {
            self.filling.store(false, Ordering::Release);
        }
    }

    /// How many wait for a session.
    pub(crate) fn count(&self) -> usize {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
