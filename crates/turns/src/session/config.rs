//! The configuration of a session: task, inputs, tools, limits and policy.

use crate::libraries::Libraries;
use crate::policy::Policy;
use crate::prompt::{self, Card};
use crate::session::return_check::Check;
use crate::trace::VERSION;
use crate::trace::act_spec::{ActWords, Mode};
use crate::trace::json::Json;
use crate::trace::record::{Header, InputWords, LANGUAGE, ParamWords, ToolWords};
use crate::trace::turn_limit::ENDLESS;
use ptc_history::view::CustomStrategy;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::interface::{Param, ToolSpec};
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use std::sync::Arc;

/// Most turns, unless the task says otherwise.
pub const MAX_TURNS: u64 = 8;
/// Most tokens of texts among the inputs that are shown whole with the task, unless it says otherwise.
pub const INPUT_TOKENS: u64 = 1000;

/// An input of the task, read in programs as `ctx/NAME`.
#[derive(Clone)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// The digest of its bytes, in hexadecimal.
    pub sha256: String,
    /// The file it was read from, as the task names it.
    pub file: Option<String>,
    /// The value itself as JSON, when it was not read from a file.
    pub json: Option<Json>,
    /// What is to be known of it besides its value, in words on one line: they stand behind its description.
    pub note: Option<String>,
}

/// The configuration of a session.
///
/// ```
/// use ptc_lisp::limits::Limits;
/// use ptc_lisp::types::Type;
/// use ptc_turns::{Config, Input, Json, Session};
///
/// let json = Json::new("[250, 120]".into()).ok_or("no JSON")?;
/// let prices = Input {
///     name: "prices".into(),
///     value: json.value().ok_or("too large")?,
///     sha256: String::new(),
///     file: None,
///     note: None,
///     json: Some(json),
/// };
/// let session = Session::new(Config {
///     prompt: "What do they cost together?".into(),
///     inputs: vec![prices],
///     expect: Some(Type::Integer),
///     limits: Limits { fuel: 1_000_000, ..Limits::default() },
///     max_turns: 3,
///     ..Config::default()
/// });
/// assert!(session.view().messages()[0].text().contains("ctx/prices"));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone)]
pub struct Config {
    /// The task's name.
    pub task: Option<String>,
    /// The folder of the task.
    pub folder: Option<String>,
    /// The task's own system text; the language card follows it.
    pub system: Option<String>,
    /// The card of the language in the system message.
    pub card: Card,
    /// The task: the first user message.
    pub prompt: String,
    /// Most turns.
    pub max_turns: u64,
    /// How history is shown.
    pub policy: Policy,
    /// A strategy of the host's own, which selects the messages of each request
    /// ([`Session::request`](crate::Session::request)). The policy's `strategy` must be `none` then. The trace names it,
    /// and a session of that trace is given it again ([`Session::set_strategy`](crate::Session::set_strategy)).
    pub strategy: Option<Arc<dyn CustomStrategy>>,
    /// What a turn may use.
    pub limits: Limits,
    /// Tools granted.
    pub tools: Vec<ToolSpec>,
    /// What tells tools from others of the same names, by their names: digests of what answers them, where that is known.
    pub tool_sources: Vec<(String, String)>,
    /// Functions and data that are there before the first turn.
    pub libraries: Libraries,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// Texts among them are shown whole after the prompt, if together they take at most this many tokens, as
    /// [`ptc_history::tokens::Seven`] counts them; 0 shows none. A session with acts shows none.
    pub input_tokens: u64,
    /// Shape of the returned value.
    pub expect: Option<Type>,
    /// A further check of the returned value.
    pub check: Option<Check>,
    /// The table of contents: the session runs act by act ([`Session::open`](crate::Session::open)). Then each act has
    /// its own `max_turns`, and the prompt, if there is one, comes before the first.
    pub acts: Vec<ActWords>,
    /// Whether the session continues after `return` and `fail`, as `ptc eval` does.
    pub open_ended: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            task: None,
            folder: None,
            system: None,
            card: Card::Short,
            prompt: String::new(),
            max_turns: MAX_TURNS,
            policy: Policy::default(),
            strategy: None,
            limits: Limits::default(),
            tools: Vec::new(),
            tool_sources: Vec::new(),
            libraries: Libraries::default(),
            inputs: Vec::new(),
            input_tokens: INPUT_TOKENS,
            expect: None,
            check: None,
            acts: Vec::new(),
            open_ended: false,
        }
    }
}

impl Config {
    /// A session for `ptc eval` and for embedding: programs only, no task, no end.
    pub fn programs() -> Self {
        Config { max_turns: ENDLESS, open_ended: true, ..Config::default() }
    }

    /// Most turns, of all acts together.
    fn turns(&self) -> u64 {
        match self.acts.as_slice() {
            [] => self.max_turns,
            acts => {
                acts.iter().map(|a| if a.mode == Mode::Text { 1 } else { a.max_turns }).fold(0, u64::saturating_add)
            }
        }
    }

    /// The header of the trace: everything that rendering needs.
    pub fn header(&self) -> Header {
        let context: Vec<(String, Value)> = self.inputs.iter().map(|i| (i.name.clone(), i.value.clone())).collect();
        // Without a task there is no message to show them in.
        let shows = self.acts.is_empty() && !self.prompt.is_empty();
        let shown = if shows { prompt::shown(&context, self.input_tokens) } else { Vec::new() };
        let notes: Vec<Option<&str>> = self.inputs.iter().map(|i| i.note.as_deref()).collect();
        let setting = prompt::Setting {
            system: self.system.as_deref(),
            max_turns: self.turns(),
            acts: &self.acts,
            card: self.card,
            policy: &self.policy,
            limits: &self.limits,
            tools: &self.tools,
            libraries: &self.libraries,
            inputs: &context,
            shown: &shown,
            notes: &notes,
            expect: self.expect.as_ref(),
            schema: self.check.as_ref().map(|c| &c.schema),
        };
        Header {
            ptc_trace: VERSION,
            task: self.task.clone(),
            folder: self.folder.clone(),
            system: prompt::system(&setting),
            prompt: prompt::with_texts(&self.prompt, &context, &shown),
            max_turns: self.turns(),
            acts: self.acts.clone(),
            policy: self.policy.clone(),
            custom_strategy: self.strategy.as_ref().map(|s| s.name().to_owned()),
            limits: self.limits.clone(),
            tools: self.tools.iter().map(|t| self.tool_words(t)).collect(),
            libraries: self.libraries.words().to_vec(),
            inputs: self.inputs.iter().map(|i| (i.name.clone(), input_words(i))).collect(),
            language: LANGUAGE.to_owned(),
            expect: self.expect.as_ref().map(Type::to_string),
            expect_schema: self.check.as_ref().map(|c| c.schema.clone()),
        }
    }

    fn tool_words(&self, t: &ToolSpec) -> ToolWords {
        let word = |p: &Param| ParamWords { name: p.name.clone(), shape: p.shape.to_string(), doc: p.doc.clone() };
        ToolWords {
            name: t.name.clone(),
            description: t.description.clone(),
            params: t.params.as_ref().map(|list| list.iter().map(word).collect()),
            returns: t.returns.as_ref().map(Type::to_string),
            source: self.tool_sources.iter().find(|(name, _)| *name == t.name).map(|(_, digest)| digest.clone()),
        }
    }
}

fn input_words(i: &Input) -> InputWords {
    InputWords { sha256: i.sha256.clone(), file: i.file.clone(), value: i.json.clone() }
}

/// A tool as a header describes it.
///
/// # Errors
/// Of kind `corrupt`, when a type is none.
pub fn tool_spec(t: &ToolWords) -> Result<ToolSpec, Error> {
    let params = match &t.params {
        None => None,
        Some(list) => {
            let param =
                |p: &ParamWords| Ok(Param { name: p.name.clone(), shape: shape(&p.shape)?, doc: p.doc.clone() });
            Some(list.iter().map(param).collect::<Result<_, Error>>()?)
        }
    };
    Ok(ToolSpec {
        name: t.name.clone(),
        description: t.description.clone(),
        params,
        returns: t.returns.as_deref().map(shape).transpose()?,
    })
}

/// A shape as a header has it.
pub(crate) fn shape(text: &str) -> Result<Type, Error> {
    text.parse().map_err(|e| Error::new(ErrorKind::Corrupt, format!("trace header: {e}")))
}
