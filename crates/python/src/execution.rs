//! A turn that runs, as Python drives it: events out, answers in.

use crate::errors;
use crate::from_python::to_json;
use crate::shared::{Control, POLL, Shared};
use crate::to_python::{json_to_python, to_python};
use crate::turn_thread::Event;
use ptc_lisp::limits::Limits;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};

/// A turn that runs. Dropping it cancels the turn.
#[pyclass(frozen, module = "ptc._native")]
pub struct Execution {
    shared: Arc<Shared>,
    control: Arc<Control>,
    events: Mutex<Receiver<Event>>,
    limits: Limits,
}

impl Execution {
    pub(crate) fn new(shared: Arc<Shared>, control: Arc<Control>, events: Receiver<Event>, limits: Limits) -> Self {
        Execution { shared, control, events: Mutex::new(events), limits }
    }

    fn shown<'py>(&self, py: Python<'py>, event: Event) -> PyResult<(bool, Bound<'py, PyAny>)> {
        match event {
            Event::Calls(asked) => {
                let list = PyList::empty(py);
                for call in asked {
                    list.append((call.id, call.name, to_python(py, &call.args)?))?;
                }
                Ok((false, list.into_any()))
            }
            Event::Ended(Ok(record)) => {
                let text = py.detach(|| serde_json::to_string(&*record));
                let text = text.map_err(|e| errors::internal(&e.to_string()))?;
                Ok((true, json_to_python(py, &text)?))
            }
            Event::Ended(Err(why)) => Err(errors::refused(&why, self.control.kept())),
            Event::Broken => Err(errors::internal("a fault in the runtime ended the turn")),
        }
    }
}

#[pymethods]
impl Execution {
    /// Waits for what comes next: `(False, [(id, name, args), ...])`, or `(True, record)` at the end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<(bool, Bound<'py, PyAny>)> {
        loop {
            let event = py.detach(|| {
                let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
                events.recv_timeout(POLL)
            });
            match event {
                Ok(event) => return self.shown(py, event),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Err(errors::internal("the turn ended without a word")),
            }
        }
    }

    /// The JSON text of an answer.
    fn encode(&self, value: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
        to_json(value, &self.limits, what)
    }

    /// Call `at` of those that wait is being made.
    fn begin(&self, at: usize) {
        self.control.begin(at);
    }

    /// Answers call `at` of those that wait: whether it succeeded, and its JSON text or the words of its error.
    fn answer(&self, at: usize, ok: bool, text: String) {
        self.control.answer(at, if ok { Ok(text) } else { Err(text) });
    }

    /// Ends the turn soon: what it called is kept, and nothing else of it.
    fn cancel(&self) {
        self.control.cancel();
    }

    /// Waits until the turn has ended and the session is back.
    fn wait(&self, py: Python<'_>) {
        py.detach(|| self.shared.wait_for_end_of(&self.control));
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        "<a turn that runs>".into_bound_py_any(py)
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        self.control.cancel();
    }
}
