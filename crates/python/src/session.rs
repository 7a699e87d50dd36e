//! A session as the Python part uses it.

use crate::clock::turn_seed;
use crate::errors::{self, Error, InvalidArgument, InvalidTrace, invalid};
use crate::execution::Execution;
use crate::from_python;
use crate::from_python::to_json;
use crate::shared::{Control, Shared};
use crate::to_python::json_to_python;
use crate::turn_thread::{self, Begin};
use ptc_history::tokens::{MessageCounter, Request};
use ptc_history::{Format, Message, export};
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_turns::session::given;
use ptc_turns::trace::turn_limit::ENDLESS;
use ptc_turns::{Config, Trace};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::{Arc, mpsc};

/// A session: its state, and what each of its turns begins with.
#[pyclass(frozen, module = "ptc._native")]
pub struct Session {
    shared: Arc<Shared>,
    limits: Limits,
    returns: Arc<HashMap<String, Type>>,
    seed: Option<u64>,
    open_ended: bool,
}

impl Session {
    fn of(mut session: ptc_turns::Session, seed: Option<u64>, open_ended: bool) -> Self {
        session.set_open_ended(open_ended);
        Session {
            limits: session.trace().header.limits.clone(),
            returns: Arc::new(given::returns(session.tools())),
            shared: Arc::new(Shared::new(session)),
            seed,
            open_ended,
        }
    }

    /// The messages before the next turn, under a policy or the session's own, counted as a model's provider would.
    fn shown(&self, py: Python<'_>, policy: Option<&str>, model: &str) -> PyResult<Vec<Message>> {
        let policy = policy.map(given::policy).transpose().map_err(invalid)?;
        let counter = counter(model)?;
        let made = self.shared.read(py, move |session| session.shown(policy.as_ref(), None, &counter))?;
        made.map_err(|e| Error::new_err(e.to_string()))
    }
}

/// Counts as this model's provider would.
fn counter(model: &str) -> PyResult<MessageCounter> {
    Request::of_model(model).map_err(invalid)
}

/// The values of inputs that were given, as they go into a session.
fn inputs(given: &Bound<'_, PyDict>, limits: &Limits) -> PyResult<Vec<ptc_turns::Input>> {
    let mut all = Vec::new();
    for pair in given.items() {
        let (name, value): (String, Bound<'_, PyAny>) = pair
            .extract()
            .map_err(|_| InvalidArgument::new_err("inputs: names must be str, as in {\"orders\": [...]}".to_owned()))?;
        let text = to_json(&value, limits, &format!("input {name}"))?;
        all.push(given::input(&name, &text, limits).map_err(invalid)?);
    }
    Ok(all)
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (*, prompt, system, max_turns, open_ended, limits, policy, expect, tools, inputs, seed))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn new(
        prompt: String,
        system: Option<String>,
        max_turns: Option<u64>,
        open_ended: bool,
        limits: &str,
        policy: &str,
        expect: Option<&str>,
        tools: &str,
        inputs: &Bound<'_, PyDict>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let limits = given::limits(limits).map_err(invalid)?;
        let config = Config {
            prompt,
            system,
            max_turns: max_turns.unwrap_or(ENDLESS),
            policy: given::policy(policy).map_err(invalid)?,
            tools: given::tools(tools).map_err(invalid)?,
            inputs: self::inputs(inputs, &limits)?,
            expect: expect.map(|t| given::shape(t, "expect")).transpose().map_err(invalid)?,
            limits,
            open_ended,
            ..Config::default()
        };
        Ok(Session::of(ptc_turns::Session::new(config), seed, open_ended))
    }

    /// The session of a trace.
    #[staticmethod]
    #[pyo3(signature = (trace, *, inputs, open_ended, seed))]
    fn load(
        py: Python<'_>,
        trace: &[u8],
        inputs: &Bound<'_, PyDict>,
        open_ended: Option<bool>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let invalid = |e: ptc_lisp::error::Error| InvalidTrace::new_err(e.to_string());
        let loaded = py.detach(|| Trace::parse(trace)).map_err(invalid)?;
        let given = self::inputs(inputs, &loaded.trace.header.limits)?;
        let given = given.into_iter().map(|i| (i.name, i.value)).collect();
        let open_ended = open_ended.unwrap_or(loaded.trace.header.prompt.is_empty());
        let session = py.detach(|| ptc_turns::Session::from_trace(loaded.trace, given)).map_err(invalid)?;
        Ok(Session::of(session, seed, open_ended))
    }

    /// Begins a turn.
    fn start(&self, py: Python<'_>, text: String, reply: bool) -> PyResult<Execution> {
        let (to_turn, answered) = mpsc::channel();
        let (events, from_turn) = mpsc::channel();
        let control = Arc::new(Control::new(to_turn));
        let session = self.shared.take(py, &control)?;
        let seed = turn_seed(self.seed, session.trace().turns().len() as u64 + 1);
        let turn = Begin { text, reply, seed, returns: self.returns.clone() };
        turn_thread::begin(&self.shared, session, &control, turn, events, answered)
            .map_err(|e| Error::new_err(format!("no thread can be started for the turn: {e}")))?;
        Ok(Execution::new(self.shared.clone(), control, from_turn, self.limits.clone()))
    }

    /// Cancels the turn that runs; whether one ran.
    fn cancel(&self) -> bool {
        self.shared.cancel()
    }

    /// The trace as JSON lines.
    fn dump(&self, py: Python<'_>) -> PyResult<String> {
        self.shared.read(py, |s| s.trace().to_text())
    }

    /// A copy that goes its own way, as the session was after turn `turn`.
    fn fork(&self, py: Python<'_>, turn: Option<u64>) -> PyResult<Self> {
        let forked = self.shared.read(py, |session| match turn {
            None => Ok(session.fork()),
            Some(turn) => session.fork_after(turn),
        })?;
        let forked = forked.map_err(invalid)?;
        Ok(Session::of(forked, self.seed, self.open_ended))
    }

    /// The messages before the next turn as a provider's request body.
    fn request<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        policy: Option<&str>,
        model: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let format: Format =
            format.parse().map_err(|e: ptc_history::FormatError| InvalidArgument::new_err(e.to_string()))?;
        let messages = self.shown(py, policy, model)?;
        let body = py.detach(|| export(&messages, format)).map_err(|e| Error::new_err(e.to_string()))?;
        json_to_python(py, &body.to_string())
    }

    /// Tokens of these messages.
    fn tokens(&self, py: Python<'_>, policy: Option<&str>, model: &str) -> PyResult<u64> {
        let messages = self.shown(py, policy, model)?;
        let counter = counter(model)?;
        Ok(py.detach(|| messages.iter().map(|m| counter.message(m)).sum()))
    }

    /// The records of all turns.
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self
            .shared
            .read(py, |s| serde_json::to_string(&s.trace().turns().iter().map(|t| &**t).collect::<Vec<_>>()))?;
        json_to_python(py, &text.map_err(|e| errors::internal(&e.to_string()))?)
    }

    /// Names that are bound, with the record of their definition.
    fn definitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.shared.read(py, |s| {
            let all = s.definitions().map(|(turn, d)| serde_json::json!({ "turn": turn, "definition": d }));
            let all: Vec<_> = all.collect();
            serde_json::to_string(&all)
        })?;
        json_to_python(py, &text.map_err(|e| errors::internal(&e.to_string()))?)
    }

    /// What a name is bound to: whether there is such a name, its data and its text.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.shared.read(py, |s| s.json_of(name))?;
        found.map(|text| json_to_python(py, &text)).transpose()
    }

    /// Names of the granted tools.
    fn tools(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.shared.read(py, |s| s.tools().iter().map(|t| t.name.clone()).collect())
    }

    /// The JSON text of data that has no session's limits.
    #[staticmethod]
    fn encode(value: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
        from_python::to_json(value, &Limits::default(), what)
    }
}
