//! The types of the entry point: what the host passes in to a turn, and what it gets back.

use crate::error::Error;
use crate::limits::Limits;
use crate::types::Type;
use crate::value::Value;
use crate::value::node::UPKEEP;
use std::sync::Arc;

/// A parameter of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name, as programs write it.
    pub name: String,
    /// Its type.
    pub shape: Type,
    /// What it is for, for the model; may be empty.
    pub doc: String,
}

impl Param {
    /// A parameter without words.
    pub fn new(name: impl Into<String>, shape: Type) -> Self {
        Param { name: name.into(), shape, doc: String::new() }
    }
}

/// A tool that the host grants, as programs see it.
///
/// ```
/// use ptc_lisp::interface::{Param, ToolSpec};
/// use ptc_lisp::types::Type;
///
/// let spec = ToolSpec {
///     name: "price".into(),
///     description: "Price of an item in cents".into(),
///     params: Some(vec![Param::new("item", Type::String)]),
///     returns: Some(Type::Integer),
/// };
/// assert_eq!(spec.params.as_ref().map(Vec::len), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Called as `(tool/NAME ...)`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// Its parameters in order; `None` when it declares none and takes one map or nothing.
    pub params: Option<Vec<Param>>,
    /// What it answers: for the model, and for who answers to hold the answer to.
    pub returns: Option<Type>,
}

impl ToolSpec {
    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let params = self.params.iter().flatten();
        let params: usize = params.map(|p| size_of::<Param>() + p.name.len() + p.doc.len() + 2 * UPKEEP).sum();
        size_of::<Self>() + self.name.len() + self.description.len() + params
    }
}

/// Answers tool calls.
pub trait Tools {
    /// Calls tool `name`. `args` is a map from parameter names ([`Value::data_key`]) to values that are JSON.
    /// `id` is the call's number in the session, from 1. The answer must be JSON: maps, lists, text, numbers,
    /// booleans, nil (anything else is turned into what it would be as JSON).
    ///
    /// # Errors
    /// The tool's own words; the program can catch them.
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String>;

    /// Makes several calls that do not depend on each other, at most [`MAX_PARALLEL_CALLS`]; their answers are in the
    /// order of the calls. All calls of a program come through here, a single one as a list of one. A host that can
    /// makes them at the same time and stops waiting as `wait` says; here they are made one after the other.
    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let _ = wait;
        calls.iter().map(|c| self.call(c.id, c.name, c.args)).collect()
    }

    /// What is known of the failure of a call besides its words: a map that is JSON, asked for behind a call that ended in
    /// an error. Programs find it in `ex-data`, `:kind` as a keyword.
    fn failure(&mut self, id: u64) -> Option<Value> {
        let _ = id;
        None
    }
}

/// Most tool calls that are made at the same time.
pub const MAX_PARALLEL_CALLS: usize = 8;

/// A call that a program makes; what each part is, [`Tools::call`] says.
#[derive(Clone, Copy, Debug)]
pub struct ToolRequest<'a> {
    /// The call's number in the session.
    pub id: u64,
    /// The tool.
    pub name: &'a str,
    /// Its arguments.
    pub args: &'a Value,
}

/// How long answers may be waited for, and how large they may be.
#[derive(Clone, Copy)]
pub struct CallDeadline<'a> {
    /// Asked now and then: `true` says that nobody waits any more.
    pub cancelled: &'a dyn Fn() -> bool,
    /// What is left of the turn's time (`wall_ms`), in milliseconds; `None` when that limit is off.
    pub left_ms: Option<u64>,
    /// The limits in force.
    pub limits: &'a Limits,
}

impl<'a> CallDeadline<'a> {
    /// For as long as it takes.
    pub fn forever(limits: &'a Limits) -> Self {
        CallDeadline { cancelled: &|| false, left_ms: None, limits }
    }
}

/// No tools.
impl Tools for () {
    fn call(&mut self, _: u64, name: &str, _: &Value) -> Result<Value, String> {
        Err(format!("there is no tool {name}"))
    }
}

/// Time since the turn began.
pub trait Clock {
    /// Processor time of this turn, of the thread that runs it, in milliseconds: never more than [`Clock::wall_ms`].
    fn cpu_ms(&self) -> u64;
    /// Elapsed time of this turn, in milliseconds.
    fn wall_ms(&self) -> u64;
    /// The turn is no short one: called at the first look at the clock, after less than a millisecond of work, and at each
    /// later one. A clock may begin to count processor time then, since asking the system for it is a fifth of a short
    /// turn. Does nothing unless it is written.
    fn begin_cpu(&self) {}
}

/// A clock that does not advance: no time limits, for tests and for replay.
impl Clock for () {
    fn cpu_ms(&self) -> u64 {
        0
    }
    fn wall_ms(&self) -> u64 {
        0
    }
}

/// The session's earlier turns. Each of them is asked for when a program asks, so that one of many costs little.
pub trait TurnHistory {
    /// All of them as data, oldest first: maps with at least `:turn`.
    fn list(&self) -> Vec<Value>;
    /// The one of this number, from 1, as [`TurnHistory::list`] has it.
    fn get(&self, turn: u64) -> Option<Value>;
    /// What it printed, an entry a call.
    fn printed(&self, turn: u64) -> Option<&[String]>;
}

/// No earlier turns.
impl TurnHistory for () {
    fn list(&self) -> Vec<Value> {
        Vec::new()
    }

    fn get(&self, _: u64) -> Option<Value> {
        None
    }

    fn printed(&self, _: u64) -> Option<&[String]> {
        None
    }
}

/// Everything a turn may see besides its program and the session's memory.
pub struct RunInput<'a> {
    /// What it may use.
    pub limits: &'a Limits,
    /// Inputs, read as `ctx/name` and `data/name`.
    pub context: &'a [(String, Value)],
    /// Tools granted.
    pub tools: &'a [ToolSpec],
    /// Asked before each call of a granted tool: an error refuses the call, which is then neither made nor recorded.
    pub refuse: &'a dyn Fn(&str) -> Option<Error>,
    /// Who answers them.
    pub caller: &'a mut dyn Tools,
    /// Time since the turn began.
    pub clock: &'a dyn Clock,
    /// Asked now and then; `true` ends the turn with a `limit/time` error.
    pub cancelled: &'a dyn Fn() -> bool,
    /// Given each text as it is printed, before it is known how the turn ends: one that fails has printed too.
    pub on_print: &'a dyn Fn(&str),
    /// The turn's start, milliseconds since 1970.
    pub now_ms: i64,
    /// Seed of the turn's randomness.
    pub seed: u64,
    /// Bytes that the host keeps for the session besides its memory: the record of its turns. They count against
    /// `session_bytes`.
    pub record_bytes: u64,
    /// Tool calls the session has made so far, so that ids go on.
    pub calls_before: u64,
    /// Earlier turns, for `(turn/list)`, `(turn/get n)` and `(turn/output n)`.
    pub past: &'a dyn TurnHistory,
    /// What earlier prompts held and later ones may show by a line: the text of each input of an act by its handle, for
    /// `(input/get handle)`.
    pub texts: &'a dyn Fn() -> Vec<(String, Value)>,
    /// `*1 *2 *3`
    pub recent: [Value; 3],
    /// `*e`
    pub last_error: Value,
    /// What `(return v)` must give: a value of another shape is an error, and the turn is taken back like any that
    /// fails.
    pub expect: Option<&'a Type>,
}

impl<'a> RunInput<'a> {
    /// A turn with these limits and tools, and nothing else: no inputs, no past, a clock that does not advance.
    pub fn new(limits: &'a Limits, tools: &'a [ToolSpec], caller: &'a mut dyn Tools) -> Self {
        RunInput {
            limits,
            context: &[],
            tools,
            refuse: &|_| None,
            caller,
            clock: &(),
            cancelled: &|| false,
            on_print: &|_| {},
            now_ms: 0,
            seed: 0,
            record_bytes: 0,
            calls_before: 0,
            past: &(),
            texts: &Vec::new,
            recent: Default::default(),
            last_error: Value::Nil,
            expect: None,
        }
    }
}

/// How a turn ended.
#[derive(Clone, Debug)]
pub enum RunResult {
    /// Its last form's value. Definitions are committed.
    Value(Value),
    /// `(return v)`. Definitions are committed.
    Returned(Value),
    /// `(fail reason)`: the reason, and the error (kind `failed`) that says it. Memory is as before.
    Failed(Value, Error),
    /// An error. Memory is as before.
    Error(Error),
}

/// A name that a turn defined.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// What it was bound to at the end of the turn (or when the turn failed).
    pub value: Value,
    /// Its docstring.
    pub doc: Option<Arc<str>>,
    /// Parameters, for functions, in 4,096 bytes at most: `[a b]`, `([a] [a & more])`; fields of a record or type; functions of a protocol, `(area [s])`.
    pub params: Option<String>,
    /// `record`, `type`, `protocol`, `multimethod` or `macro`, where it is one.
    pub type_word: Option<&'static str>,
    /// Whether the name was bound before this turn.
    pub replaced: bool,
}

/// A text that a program keeps in sight for later turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its name: the newest note of a name stands for all of them.
    pub name: Option<String>,
    /// What it says; nothing takes the note of that name back.
    pub text: Option<String>,
}

/// A tool call that was made.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// Its number in the session.
    pub id: u64,
    /// The tool.
    pub name: String,
    /// Its arguments: a map with plain keywords.
    pub args: Value,
    /// Its answer, or the text of its error.
    pub result: Result<Value, String>,
    /// What else is known of its error ([`Tools::failure`]).
    pub failure: Option<Value>,
    /// How long it took, in milliseconds, as the turn's clock saw it.
    pub ms: u64,
}

/// A constant key that was looked for without a default and that no map had, while a map has a key of nearly that name.
#[derive(Clone, Debug)]
pub struct MissedKey {
    /// The key as the program has it: a keyword or a string.
    pub key: Value,
    /// The key that the map has.
    pub near: Value,
}

/// What a turn used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Units of fuel ([`crate::fuel`]).
    pub fuel: u64,
    /// Most live bytes seen at a check.
    pub memory_bytes: u64,
    /// Processor time.
    pub cpu_ms: u64,
    /// Elapsed time.
    pub wall_ms: u64,
}

/// What a turn did.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: RunResult,
    /// Printed text, an entry a call.
    pub printed: Vec<String>,
    /// Names defined, each once, in the order of their first definition in this turn.
    pub definitions: Vec<Definition>,
    /// Notes made, in order.
    pub notes: Vec<Note>,
    /// Tool calls made, in order.
    pub tool_calls: Vec<ToolCall>,
    /// Constant keys that were misspelt, as it seems; at most three.
    pub missed_keys: Vec<MissedKey>,
    /// What it used.
    pub usage: Usage,
}

impl Outcome {
    /// Whether definitions were committed.
    pub fn committed(&self) -> bool {
        matches!(self.ending, RunResult::Value(_) | RunResult::Returned(_))
    }
}
