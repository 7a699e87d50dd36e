//! Sessions of programs alone: of a task its tools, inputs and libraries, and nothing of what it asks of a model.

use super::inputs;
use super::names::writable;
use super::spec::Task;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::schema_check;
use ptc_lisp::escape;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::{Config, Input, Session, Trace};

/// An input whose value is given, as a program in it reads `ctx/NAME`.
///
/// # Errors
/// When the name is none that programs can write, or the value is deeper than `data_depth`.
pub fn given_value(name: &str, data: &serde_json::Value, limits: &Limits) -> Result<Input, Error> {
    if !writable(name) {
        let words = error_text!("{} is no name that programs can write", escape::quoted(name); "use letters, digits and -, as in ctx/order-lines");
        return Err(Error::new(ErrorKind::Input, words));
    }
    inputs::from_data(name, data, limits).map_err(|e| e.at(name))
}

/// The session of a trace whose programs run in a worker process: no program is run here.
///
/// # Errors
/// When its header says what cannot be, or lacks an input.
pub fn restore_without_memory(trace: Trace, inputs: Vec<(String, Value)>) -> Result<Session, Error> {
    let check = schema_check::of_header(&trace.header)?;
    let mut session = Session::from_trace_without_memory(trace, inputs)
        .map_err(|e| Error::new(ErrorKind::Task, format!("the session cannot go on: {}", escape::line(&e.message))))?;
    session.set_check(check);
    Ok(session)
}

impl Task {
    /// What a session is made from in which programs of somebody else run: the task's tools, inputs, libraries and limits,
    /// none of its acts, and no end. `given` take the place of its own inputs of the same names.
    ///
    /// # Errors
    /// As [`Task::config`].
    pub fn programs(&self, given: Vec<Input>) -> Result<Config, Error> {
        let without = |name: &String| given.iter().all(|g| g.name != *name);
        let own = Task { context: self.context.iter().filter(|(n, _)| without(n)).cloned().collect(), ..self.clone() };
        let mut config = own.config()?;
        config.inputs.extend(given);
        config.limits = self.limits_over(&config.inputs);
        Ok(Config { acts: Vec::new(), max_turns: u64::MAX, open_ended: true, ..config })
    }

    /// The session of a trace of this task, to go on in a worker process: no program is run here. What the trace has of its
    /// inputs is taken from there.
    ///
    /// # Errors
    /// When an input or a library is not what it was.
    pub fn resume_without_memory(&self, trace: Trace) -> Result<Session, Error> {
        self.check_libraries(&trace.header)?;
        let of_file = |name: &String| trace.header.inputs.iter().any(|(n, i)| n == name && i.value.is_none());
        let own = Task { context: self.context.iter().filter(|(n, _)| of_file(n)).cloned().collect(), ..self.clone() };
        let mut values = Vec::new();
        for input in own.inputs()? {
            let then = trace.header.inputs.iter().find(|(n, _)| *n == input.name).map(|(_, i)| &i.sha256);
            if then.is_some_and(|then| *then != input.sha256) {
                let words = error_text!("the input {} has changed since the session began", input.name; "put the old file back, or begin a new session");
                return Err(Error::new(ErrorKind::Task, words));
            }
            values.push((input.name, input.value));
        }
        restore_without_memory(trace, values)
    }
}
