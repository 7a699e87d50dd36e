//! What a task is, once it is read: its own words, its acts, and the subtasks.

use super::answer_section;
use super::source::{self, Table};
use super::template::Piece;
use super::tool_section::Tools;
use crate::model::provider::ModelSettings;
use crate::run_budget::RunLimits;
use crate::tools::toolbox::Rules;
use ptc_history::Retention;
use ptc_lisp::interface::ToolSpec;
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_turns::{ActWords, Card, Policy};
use std::path::PathBuf;
use std::time::Duration;

/// A task, read and checked; its inputs and recorded answers are loaded when they are needed.
///
/// ```
/// use ptc_agent::Task;
///
/// let text = "[task]\nprompt = \"What is 6 * 7?\"\nmodel = \"replay:replies.md\"\n[limits]\nfuel = 100000\n";
/// let task = Task::parse(std::path::Path::new("tasks/six"), "task.toml", text)?;
/// assert_eq!((task.prompt.as_str(), task.limits.fuel), ("What is 6 * 7?", 100_000));
/// let session = ptc_turns::Session::new(task.config()?);
/// assert_eq!(session.trace().header.prompt, "What is 6 * 7?");
/// let error = Task::parse(std::path::Path::new("."), "task.toml", "[task]\npromt = \"x\"").unwrap_err();
/// assert!(error.to_string().contains("prompt"), "{error}");
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name; the folder's when it has none.
    pub name: String,
    /// The folder, as it was named.
    pub folder: PathBuf,
    /// The task itself: the first user message.
    pub prompt: String,
    /// Its own system text.
    pub system: Option<String>,
    /// What its system message says of the language.
    pub card: Card,
    /// Its model, as `replay:replies.md` or `openai/gpt-5.1`.
    pub model: Option<String>,
    /// The model that writes its summaries, where that is another one.
    pub summarizer: Option<String>,
    /// How its model is asked.
    pub asked: ModelSettings,
    /// Most turns.
    pub max_turns: u64,
    /// Shape of the returned value.
    pub expect: Option<Type>,
    /// The JSON schema that the returned value must fit.
    pub schema: Option<serde_json::Value>,
    /// How history is shown.
    pub policy: Policy,
    /// What a turn may use.
    pub limits: Limits,
    /// What its whole run may use.
    pub run_limits: RunLimits,
    /// What it is for: sub-agents are described by it.
    pub description: Option<String>,
    /// Whether inputs that are large and sent again with every act are warned of (R-26).
    pub warn_large_history: bool,
    /// Whether a recorded reply that was given to another prompt ends the run, instead of being warned of.
    pub strict_replay: bool,
    /// Whether it may read files outside its folder: inputs, recorded replies and answers, schemas.
    pub allow_outside: bool,
    /// Most memory that reading one of its inputs takes, in bytes; 512 MiB where it does not say.
    pub input_bytes: Option<u64>,
    /// Texts among its inputs stand whole below the prompt, if they take at most so many tokens together.
    pub input_tokens: u64,
    /// Most time that reading a table of a database takes; 30 s where it does not say.
    pub input_timeout: Option<Duration>,
    /// Its model was given to it from outside: a file of that is no file of the task.
    pub(super) model_given: bool,
    /// Where its limit of the cost was set.
    pub(crate) max_cost_at: Option<String>,
    /// Whether the price was given from outside: it is that of the model that is named from outside.
    pub(super) price_given: bool,
    /// Where its known answer is.
    pub(super) answer: Option<answer_section::Source>,
    /// Its acts, in order; none of a task that is asked once.
    pub(crate) acts: Vec<ActSpec>,
    pub(crate) agents: Vec<AgentSpec>,
    /// Names and files of its libraries.
    pub(super) libraries: Vec<(String, String)>,
    pub(super) context: Vec<(String, source::Source)>,
    pub(super) tools: Tools,
    /// What it says itself of `[history]`, and of the limits of a turn in `[limits]`; the rest a subtask of another has from
    /// that one.
    pub(super) own_history: serde_json::Map<String, serde_json::Value>,
    pub(super) own_limits: serde_json::Map<String, serde_json::Value>,
}

/// An act, as the task describes it.
#[derive(Clone, Debug)]
pub(crate) struct ActSpec {
    /// Its name, mode and turns.
    pub words: ActWords,
    /// Most tokens of each reply.
    pub max_tokens: Option<u64>,
    /// A model of its own.
    pub model: Option<String>,
    /// What it is asked, in order.
    pub inputs: Vec<InputSpec>,
}

/// An input of an act.
#[derive(Clone, Debug)]
pub(crate) struct InputSpec {
    /// Where it comes from.
    pub from: InputFrom,
    /// What history keeps of it; `None` where the task does not say.
    pub retention: Option<Retention>,
}

/// Where an act's input comes from.
#[derive(Clone, Debug)]
pub(crate) enum InputFrom {
    /// Rows, shown as a Markdown table.
    Table(Table),
    /// The text of a file.
    File(String),
    /// Words with places in them.
    Text(Vec<Piece>),
    /// The answer of another task.
    Narrative(Box<Task>),
    /// The answer of a tool.
    Tool {
        /// The tool.
        name: String,
        /// Its arguments, an object.
        args: serde_json::Value,
    },
}

impl ActSpec {
    /// What the trace of the task is called by that its input at this place, from 0, reads.
    pub(crate) fn label(&self, input: usize) -> String {
        format!("act-{}-{}", self.words.name, input.saturating_add(1))
    }
}

impl InputSpec {
    /// Its name, where it has one.
    pub(crate) fn name(&self) -> Option<String> {
        match &self.from {
            InputFrom::Table(t) => Some(t.name().to_owned()),
            InputFrom::File(file) => Some(file.clone()),
            InputFrom::Narrative(task) => Some(task.name.clone()),
            InputFrom::Tool { name, .. } => Some(name.clone()),
            InputFrom::Text(_) => None,
        }
    }

    /// Whether it was read: one that could not be leaves an empty text in its place, when all problems are looked for.
    pub(super) fn is_read(&self) -> bool {
        !matches!(&self.from, InputFrom::Text(pieces) if pieces.is_empty())
    }
}

/// A sub-agent.
#[derive(Clone, Debug)]
pub(crate) struct AgentSpec {
    /// As programs see it.
    pub spec: ToolSpec,
    /// Whether it takes a request, which follows its prompt; else its arguments are inputs, `ctx/PARAM`.
    pub request: bool,
    /// What it does when it is called.
    pub task: Task,
    /// How it may be called.
    pub rules: Rules,
}
