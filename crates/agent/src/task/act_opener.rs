//! Acts of a task: each is opened when the one before it has its answer, its inputs read and run then.

use crate::cancel::Cancel;
use crate::clock::now_ms;
use crate::error::{Error, ErrorKind};
use crate::model::Model;
use crate::model::provider::Environment;
use crate::run_context::RunContext;
use crate::task::Task;
use crate::task::arguments;
use crate::task::inputs::{self, ReadLimits};
use crate::task::spec::{ActSpec, InputFrom, InputSpec};
use crate::task::template::{Piece, find};
use crate::tools::journal::JournaledTools;
use crate::tools::pending::Pending;
use ptc_history::retention::{guidance, kept, large_input};
use ptc_history::{Block, Part, PartKind, Retention};
use ptc_lisp::interface::{CallDeadline, ToolRequest, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_lisp::{escape, json};
use ptc_turns::render::feedback::turn_line;
use ptc_turns::trace::record::Call;
use ptc_turns::trace::turn_limit::TurnLimit;
use ptc_turns::{Act, Called, JournalPlace, Json, Mode, Status, Trace, TurnRecord};
use std::collections::HashMap;
use std::time::Instant;

/// Runs another task, with this label on its trace: its answer.
pub(crate) type Inside = Box<dyn Fn(&Task, &str) -> Result<String, NoAnswer> + Send>;

/// Why an input is not there yet.
pub(crate) enum NoAnswer {
    /// It is not available.
    Error(Error),
    /// Calls of the task that answers wait for a decision.
    Pending(Pending),
}

impl From<Error> for NoAnswer {
    fn from(p: Error) -> Self {
        NoAnswer::Error(p)
    }
}

/// The acts of a task, opened one by one; [`Task::acts`] gives them.
pub struct Acts {
    task: Task,
    cancel: Cancel,
    environment: Environment,
    inside: Inside,
    /// Models of acts that have their own, by name: two acts that name the same one share it.
    models: HashMap<String, Box<dyn Model>>,
}

/// An act that was opened, and what its author should know.
pub(crate) struct OpenedAct {
    pub act: Act,
    pub warnings: Vec<String>,
}

impl Acts {
    /// Those of `task`; what runs for their inputs is cancelled as `around` says, tasks among them by `inside`.
    pub(crate) fn new(task: Task, around: &RunContext, inside: Inside) -> Self {
        let (cancel, environment) = (around.cancel.clone(), around.environment.clone());
        Acts { task, cancel, environment, inside, models: HashMap::new() }
    }

    /// What the act at place `at` asks, its inputs read, called and run; calls are numbered behind those of the trace.
    /// A call that was made is handed to `keep` before anything else can fail, and one that is kept and had an answer is
    /// not made again.
    pub(crate) fn open(
        &self,
        at: usize,
        trace: &Trace,
        tools: &mut JournaledTools<'_>,
        keep: &mut dyn FnMut(Called) -> Result<(), Error>,
    ) -> Result<OpenedAct, NoAnswer> {
        let Some(spec) = self.task.acts.get(at).filter(|_| at < trace.header.acts.len()) else {
            return Err(Error::new(
                ErrorKind::Act,
                "the trace has other acts than the task; give the task it was begun with",
            )
            .into());
        };
        let mut act = Act::new(&spec.words, Vec::new());
        act.time = now_ms();
        let mut warnings = Vec::new();
        let (folder, reading): (_, ReadLimits) = (self.task.place(), self.task.reading(&self.cancel));
        let mut calls = trace.calls().count() as u64;
        act.tool_calls = trace.ahead().map(|c| c.tool_call.clone()).collect();
        let mut made = Made::of(trace);
        for (i, input) in spec.inputs.iter().enumerate() {
            let place =
                |p: Error| p.at(&format!("act {}, input {}", escape::line(&spec.words.name), i.saturating_add(1)));
            let (text, count, offset) = match &input.from {
                InputFrom::Text(pieces) => (self.filled(pieces, spec, trace).map_err(place)?, None, None),
                InputFrom::File(file) => {
                    let text =
                        folder.file(file).and_then(|path| inputs::text_of_file(&path, &reading)).map_err(place)?;
                    (text, None, None)
                }
                InputFrom::Table(table) => {
                    let rows = table.rows(&folder, &reading).map_err(place)?;
                    (rows.markdown(), Some(rows.rows.len() as u64), table.offset)
                }
                InputFrom::Narrative(task) => {
                    let (text, acts) = self.narrative(task, spec, i).map_err(|why| match why {
                        NoAnswer::Error(p) => place(p).into(),
                        waits => waits,
                    })?;
                    (text, Some(acts), None)
                }
                InputFrom::Tool { name, args } => {
                    let number = (i as u64).saturating_add(1);
                    let (value, json) = given(args, &self.task.limits).map_err(place)?;
                    let text = match made.answered(name, &json).and_then(|c| c.result.as_ref()) {
                        Some(answer) => shown(answer.text()),
                        None => {
                            granted(trace, name, args).map_err(place)?;
                            calls = calls.saturating_add(1);
                            tools.at(JournalPlace::Act { act: (at as u64).saturating_add(1), input: number });
                            let (call, text) = self.call(&ToolRequest { id: calls, name, args: &value }, json, tools);
                            // Nobody has an answer: whether it was made the journal says.
                            if let Err(p) = &text
                                && (tools.is_stopped() || self.cancel.cancelled())
                            {
                                return Err(p.clone().into());
                            }
                            // Behind the last input the act is kept at once, with all its calls.
                            if text.is_err() || i.saturating_add(1) < spec.inputs.len() {
                                let time = now_ms();
                                keep(Called { before_act: 0, input: number, tool_call: call.clone(), time })?;
                            }
                            act.tool_calls.push(call);
                            text.map_err(place)?
                        }
                    };
                    (text, None, None)
                }
            };
            let part =
                Part { kind: kind(&input.from), name: input.name(), history_retention: input.retention, count, offset };
            // Only what is sent again: not what history condenses anyway, nor what no act comes after.
            let again = at.saturating_add(1) < self.task.acts.len()
                && kept(&part, &text, &self.task.policy.history) == Retention::Full;
            if self.task.warn_large_history && again {
                warnings.extend(large_input(&part, &text, self.task.acts.len()));
            }
            act.content.push(Block::Text { text, part: Some(Box::new(part)) });
        }
        let end: Vec<String> = [tools_of(spec), how(at, trace, spec)].into_iter().flatten().collect();
        act.content.extend((!end.is_empty()).then(|| Block::text(end.join("\n"))));
        Ok(OpenedAct { act, warnings })
    }

    /// A text with its places filled: answers of earlier acts, and their inputs as far as history keeps them.
    fn filled(&self, pieces: &[Piece], spec: &ActSpec, trace: &Trace) -> Result<String, Error> {
        let mut out = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Answer(name) => {
                    let act = trace.acts().iter().find(|a| a.name == *name);
                    let last = act.and_then(|a| trace.turns_of(a).last());
                    let none = || Error::new(ErrorKind::Act, format!("{{{{{name}}}}}: the act {name} has no answer"));
                    out.push_str(&last.and_then(|t| answer(t)).ok_or_else(none)?);
                }
                Piece::Input(name, input) => out.push_str(&self.input_of(name, input, spec, trace)?),
            }
        }
        Ok(out)
    }

    /// An input of an earlier act, where history still has it.
    fn input_of(&self, name: &str, input: &str, spec: &ActSpec, trace: &Trace) -> Result<String, Error> {
        let none = || Error::new(ErrorKind::Act, format!("{{{{{name}.{input}}}}}: the act {name} has no such input"));
        let names: Option<Vec<_>> = self
            .task
            .acts
            .iter()
            .find(|a| a.words.name == name)
            .map(|a| a.inputs.iter().map(InputSpec::name).collect());
        let at = find(&names.unwrap_or_default(), input).ok_or_else(none)?;
        let act = trace.acts().iter().find(|a| a.name == name).ok_or_else(none)?;
        let Some(Block::Text { text, part: Some(part) }) = act.content.get(at) else { return Err(none()) };
        match kept(part, text, &trace.header.policy.history) {
            Retention::Full => Ok(text.clone()),
            less => Err(Error::new(ErrorKind::Act, guidance(&spec.words.name, name, part, less))),
        }
    }

    /// Calls a tool for an input: the call as it is recorded, and its answer as text.
    fn call(
        &self,
        asked: &ToolRequest<'_>,
        args: Json,
        tools: &mut JournaledTools<'_>,
    ) -> (Call, Result<String, Error>) {
        let ToolRequest { id, name, .. } = *asked;
        let start = Instant::now();
        let (limits, cancelled) = (&self.task.limits, || self.cancel.cancelled());
        let left_ms = (limits.wall_ms > 0).then_some(limits.wall_ms);
        let wait = CallDeadline { cancelled: &cancelled, left_ms, limits };
        let said = tools.call_many(std::slice::from_ref(asked), &wait).pop();
        let said = said.unwrap_or_else(|| Err("nobody answered".to_owned()));
        let said = said.and_then(|v| json::to_text(&v).map_err(|e| e.message));
        let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let call = Call {
            id,
            name: name.to_owned(),
            args,
            result: said.as_ref().ok().and_then(|t| Json::new(t.clone())),
            error: said.as_ref().err().cloned(),
            failure: None,
            ms,
            together: None,
            decided: None,
        };
        let failed = |e: String| Error::new(ErrorKind::Act, format!("the tool {name} failed: {}", escape::line(&e)));
        (call, said.map(|t| shown(&t)).map_err(failed))
    }

    /// Runs the task of a narrative input: its answer, and how many acts it had.
    fn narrative(&self, task: &Task, spec: &ActSpec, i: usize) -> Result<(String, u64), NoAnswer> {
        let label = spec.label(i);
        let mut task = task.clone();
        task.inherit(&self.task)?;
        let acts = task.acts.len().max(1) as u64;
        Ok(((self.inside)(&task, &label)?, acts))
    }

    /// The model of the act that is running, where it has its own; opened behind the turns that it wrote before.
    pub(crate) fn model(&mut self, trace: &Trace) -> Result<Option<&mut dyn Model>, Error> {
        let Some(name) = self.spec(trace).and_then(|a| a.model.clone()) else { return Ok(None) };
        if !self.models.contains_key(&name) {
            let own = |spec: &ActSpec| spec.model.as_deref() == Some(&name);
            let acts = trace.acts().iter().zip(&self.task.acts).filter(|(_, spec)| own(spec));
            let turns = acts.map(|(act, _)| trace.turns_of(act).len() as u64).sum();
            let model = self.task.open_model(Some(&name), turns, &self.environment)?;
            self.models.insert(name.clone(), model);
        }
        Ok(self.models.get_mut(&name).map(|m| m as &mut dyn Model))
    }

    /// Most tokens of a reply in the act that is running, where it says so.
    pub(crate) fn max_tokens(&self, trace: &Trace) -> Option<u64> {
        self.spec(trace).and_then(|a| a.max_tokens)
    }

    fn spec(&self, trace: &Trace) -> Option<&ActSpec> {
        self.task.acts.get(trace.acts().len().checked_sub(1)?)
    }
}

fn kind(from: &InputFrom) -> PartKind {
    match from {
        InputFrom::Table(_) => PartKind::Table,
        InputFrom::File(_) => PartKind::File,
        InputFrom::Text(_) => PartKind::Text,
        InputFrom::Narrative(_) => PartKind::Narrative,
        InputFrom::Tool { .. } => PartKind::Tool,
    }
}

/// The tools of an act that does not have all of them.
fn tools_of(spec: &ActSpec) -> Option<String> {
    let names: Vec<String> = spec.words.tools.as_ref()?.iter().map(|t| format!("tool/{}", escape::line(t))).collect();
    Some(match names.as_slice() {
        [] => "This act has no tools.".to_owned(),
        names => format!("Tools of this act: {}.", names.join(", ")),
    })
}

/// How an act is to be answered, where that cannot be guessed: its last words.
fn how(at: usize, trace: &Trace, spec: &ActSpec) -> Option<String> {
    let mixed = trace.header.acts.iter().any(|a| a.mode == Mode::Program);
    match spec.words.mode {
        Mode::Text => mixed.then(|| "Answer this in plain text: no program is run.".to_owned()),
        // Of a task that is asked once nothing is said before its first turn.
        Mode::Program if at == 0 && trace.header.acts.len() == 1 => None,
        Mode::Program => {
            let before = trace.turns().len() as u64;
            let own = spec.words.max_turns;
            let bound = TurnLimit { last: before.saturating_add(own), own, act: Some(&spec.words.name) };
            Some(turn_line(before.saturating_add(1), &bound))
        }
    }
}

/// What a turn that ended an act answered, as text: a string as it stands, anything else as programs write it.
pub(crate) fn answer(t: &TurnRecord) -> Option<String> {
    if !matches!(t.status, Status::Answered | Status::Returned) {
        return None;
    }
    let text = t.value_json.as_ref().and_then(|j| serde_json::from_str::<String>(j.text()).ok());
    text.or_else(|| t.value.clone())
}

/// Calls that were made for the act to come, each for one input: inputs may have been moved, added or taken out since,
/// so a call is the first one left that asked the same of the same tool.
struct Made<'t>(Vec<&'t Call>);

impl<'t> Made<'t> {
    fn of(trace: &'t Trace) -> Self {
        Made(trace.ahead().map(|c| &c.tool_call).collect())
    }

    fn answered(&mut self, name: &str, args: &Json) -> Option<&'t Call> {
        self.take(|c| c.name == name && same(&c.args, args) && c.error.is_none())
    }

    fn failed(&mut self, name: &str, args: &Json) -> Option<&'t Call> {
        self.take(|c| c.name == name && same(&c.args, args) && c.error.is_some())
    }

    fn take(&mut self, which: impl Fn(&Call) -> bool) -> Option<&'t Call> {
        let at = self.0.iter().position(|c| which(c))?;
        Some(self.0.remove(at))
    }
}

/// Whether two arguments are the same, in whatever order their keys stand.
fn same(a: &Json, b: &Json) -> bool {
    let data = |j: &Json| serde_json::from_str::<serde_json::Value>(j.text()).ok();
    a == b || data(a).is_some_and(|a| data(b) == Some(a))
}

/// What becomes of the calls that a trace holds for an act which has not begun.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Ahead<'t> {
    /// Those whose answers the act begins with.
    pub kept: Vec<&'t Call>,
    /// One that failed for each input that is called again.
    pub again: Vec<&'t Call>,
}

impl Task {
    /// What becomes of the calls made for the act that is due, as the task stands now.
    pub fn ahead<'t>(&self, trace: &'t Trace) -> Ahead<'t> {
        let inputs = trace.next_act().and_then(|at| self.acts.get(at)).map(|a| a.inputs.as_slice()).unwrap_or_default();
        let (mut made, mut out) = (Made::of(trace), Ahead::default());
        for input in inputs {
            let InputFrom::Tool { name, args } = &input.from else { continue };
            let Ok((_, args)) = given(args, &self.limits) else { continue };
            match made.answered(name, &args) {
                Some(call) => out.kept.push(call),
                None => out.again.extend(made.failed(name, &args)),
            }
        }
        out
    }
}

/// Whether the tool takes these arguments: of a server's tool that is known only now.
fn granted(trace: &Trace, name: &str, args: &serde_json::Value) -> Result<(), Error> {
    let Some(words) = trace.header.tools.iter().find(|t| t.name == name) else { return Ok(()) };
    let spec = ptc_turns::session::config::tool_spec(words).map_err(|e| Error::new(ErrorKind::Act, e.message))?;
    arguments::check(&spec, args).map_err(|w| Error::new(ErrorKind::Act, w))
}

/// Arguments as tools get them, and as they are recorded.
fn given(args: &serde_json::Value, limits: &Limits) -> Result<(Value, Json), Error> {
    let value = json::parse_text(&args.to_string(), limits).map_err(|e| Error::new(ErrorKind::Act, e.message))?;
    let text = json::to_text(&value).map_err(|e| Error::new(ErrorKind::Act, e.message))?;
    Ok((value, Json::new(text).unwrap_or_default()))
}

/// An answer as the model sees it: a string as it is, anything else as JSON.
fn shown(json: &str) -> String {
    serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned())
}
