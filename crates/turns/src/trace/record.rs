//! The record of a turn, as text and plain data: made once, complete, never edited. The keys are those of
//! docs/trace-format.md.

use crate::policy::Policy;
use crate::text::printed_text;
use crate::trace::act_spec::ActWords;
use crate::trace::json::{Json, present};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::limits::Limits;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Its definitions are committed.
    Ok,
    /// An error; memory is as before.
    Error,
    /// `(return v)`: committed, and the session has ended.
    Returned,
    /// `(fail reason)`: memory is as before, and the session has ended.
    Failed,
    /// The reply of a text act: it is the act's answer, and nothing ran.
    Answered,
}

impl Status {
    /// Its name as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Error => "error",
            Status::Returned => "returned",
            Status::Failed => "failed",
            Status::Answered => "answered",
        }
    }

    /// Whether definitions were committed.
    pub fn committed(self) -> bool {
        matches!(self, Status::Ok | Status::Returned)
    }

    /// Whether it ends a session, or its act.
    pub fn ends(self) -> bool {
        matches!(self, Status::Returned | Status::Failed | Status::Answered)
    }
}

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A `; Function:` line (P-06, P-34), or that of a multimethod or macro.
    Function,
    /// A `; Defined:` line (P-07), or that of a record, a type or a protocol.
    Data,
}

/// A name that a turn defined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Defined {
    /// The name.
    pub name: String,
    /// Function or data.
    pub kind: Kind,
    /// The docstring, as written.
    pub doc: Option<String>,
    /// Parameters of a function, fields of a record or type, functions of a protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<String>,
    /// The type word of data, and of a multimethod or macro.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub type_word: Option<String>,
    /// A sample of data in Elixir's syntax, at most 80 characters.
    pub sample: Option<String>,
    /// Whether the name was bound before.
    pub replaced: bool,
    /// Whether the turn failed, so that the definition does not stand.
    pub rolled_back: bool,
}

/// A note that a turn made: a text that stays in view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its name: the newest note of a name stands for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its text; null removes the note with that name.
    pub text: Option<String>,
}

/// A constant key of the program that no map had, and the key of nearly that name that one has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissedKey {
    /// The key as a program writes it: `:nme`, `"unit_price"`.
    pub key: String,
    /// The key that a map has.
    pub near: String,
}

/// A tool call that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Its number in the session, from 1.
    pub id: u64,
    /// The tool.
    pub name: String,
    /// Its arguments, an object.
    pub args: Json,
    /// Its answer; absent when it is an error.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub result: Option<Json>,
    /// Its error message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What else is known of its error: of a task inside this one how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Json>,
    /// How long it took, in milliseconds; of calls that were made together, how long all of them took.
    pub ms: u64,
    /// The number of the first of the calls that it was made together with; absent where it was made alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<u64>,
    /// Who said what becomes of it, where somebody was asked and that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisionRecord>,
}

/// Who decided about a call that waited, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// Who: a person as `ann@laptop`, or what a server calls its client.
    pub by: String,
    /// When, milliseconds since 1970.
    pub time: i64,
}

/// The record of an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorRecord {
    /// The stable kind.
    pub kind: ErrorKind,
    /// The message.
    pub message: String,
    /// Line in the program, from 1.
    pub line: Option<u64>,
    /// Column in characters, from 1.
    pub column: Option<u64>,
    /// A hint how to correct it.
    pub hint: Option<String>,
    /// Functions of the program that were running, innermost first.
    #[serde(default)]
    pub calls: Vec<String>,
}

impl ErrorRecord {
    /// The record of `error`, with its place as line and column of `source`.
    pub fn new(error: &Error, source: &str) -> Self {
        let place = error.span.map(|s| s.line_column(source));
        ErrorRecord {
            kind: error.kind,
            message: error.message.clone(),
            line: place.map(|p| p.0 as u64),
            column: place.map(|p| p.1 as u64),
            hint: error.hint.clone(),
            calls: error.calls.clone(),
        }
    }
}

/// What a turn used; with a model also its tokens as the provider reported them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Units of fuel.
    pub fuel: u64,
    /// Most live bytes.
    pub memory_bytes: u64,
    /// Processor time in milliseconds.
    pub cpu_ms: u64,
    /// Elapsed time in milliseconds.
    pub wall_ms: u64,
    /// The provider, if a model answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens of the request, cached ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Tokens of the request that were read from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Tokens of the request that were written to the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// How long the model was waited for, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_ms: Option<u64>,
    /// How often the model was asked again after a try that failed; absent where the first succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<u64>,
}

/// What a model's call cost, as its provider reported it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelUsage {
    /// The provider.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// Tokens of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Tokens read from the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Tokens written to the cache, where the provider says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// How long the model was waited for, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_ms: Option<u64>,
    /// How often it was asked again after a try that failed; absent where the first succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u64>,
}

/// Most bytes of a docstring in a record that is reduced.
const DOC_BYTES: usize = 4096;

/// How many bytes of each of its texts are left of a record ([`TurnRecord::reduced`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptTexts {
    /// Program, prose, reply and feedback.
    pub said: usize,
    /// All that it printed.
    pub printed: usize,
    /// Its value, and arguments, answers and errors of calls. JSON that is longer is left out.
    pub values: usize,
}

impl KeptTexts {
    /// No texts.
    pub const NONE: Self = KeptTexts { said: 0, printed: 0, values: 0 };

    /// So many bytes of each.
    pub fn each(bytes: usize) -> Self {
        KeptTexts { said: bytes, printed: bytes, values: bytes }
    }
}

/// One turn.
///
/// ```
/// use ptc_turns::{Config, Session, Status, TurnContext};
///
/// let mut session = Session::new(Config::programs());
/// let turn = session.run("(def x 2)\n(println x)\n(/ x 0)", TurnContext::without_host())?;
/// assert_eq!((turn.turn, turn.status, turn.printed[0].trim()), (1, Status::Error, "2"));
/// let error = turn.error.as_ref().expect("a turn that failed has one");
/// assert_eq!((error.kind.as_str(), error.line), ("arithmetic", Some(3)));
/// // What it defined is not kept: a turn is a transaction.
/// assert_eq!(session.run("x", TurnContext::without_host())?.status, Status::Error);
/// # Ok::<(), ptc_turns::TurnRefused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// Its number, from 1.
    pub turn: u64,
    /// The program as it ran; empty when the reply had none.
    pub program: String,
    /// Prose around the program, or the whole reply when it had no program.
    pub reasoning: Option<String>,
    /// The model's reply, where it cannot be rebuilt from prose and program byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// How it ended.
    pub status: Status,
    /// The value as readable text; of a failed turn the reason.
    pub value: Option<String>,
    /// The value as JSON, where it can be said in JSON.
    pub value_json: Option<Json>,
    /// Printed text, an entry a call.
    pub printed: Vec<String>,
    /// Names defined, in the order of their first definition in this turn.
    pub definitions: Vec<Defined>,
    /// Notes made, in order; none of a failed turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Tool calls made, in order; those of a failed turn too.
    pub tool_calls: Vec<Call>,
    /// Keys that seem misspelt; at most three.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed_keys: Vec<MissedKey>,
    /// The error of a turn that has one.
    pub error: Option<ErrorRecord>,
    /// What it used.
    pub usage: Usage,
    /// The feedback to the model.
    pub feedback: String,
    /// Its start, milliseconds since 1970.
    pub time: i64,
    /// The seed of its randomness, as decimal text: not every reader of JSON keeps 64 bits.
    #[serde(serialize_with = "as_text", deserialize_with = "text_or_number")]
    pub seed: u64,
}

impl TurnRecord {
    /// A record that was read, restored: JSON has `null` for the value nil, and for no value at all.
    pub(crate) fn restored(mut self) -> Self {
        if self.value_json.is_none() && self.value.as_deref() == Some("nil") {
            self.value_json = Json::new("null".to_owned());
        }
        self
    }

    /// The record without most of its texts: of each kind at most so many bytes, the cut marked; none at all of 0. What it
    /// defined, its calls, how it ended and what it used stay.
    #[must_use]
    pub fn reduced(mut self, keep: KeptTexts) -> Self {
        let short = |text: &mut String, most: usize| {
            if most == 0 {
                *text = String::new();
            } else if text.len() > most {
                *text = printed_text::cut_entry(text, most as u64).into_owned();
            }
        };
        let values = keep.values;
        let json = |json: &mut Option<Json>| {
            if json.as_ref().is_some_and(|j| j.text().len() > values) {
                *json = None;
            }
        };
        short(&mut self.program, keep.said);
        short(&mut self.feedback, keep.said);
        [&mut self.reasoning, &mut self.reply].into_iter().flatten().for_each(|text| short(text, keep.said));
        self.value.iter_mut().for_each(|text| short(text, values));
        json(&mut self.value_json);
        if keep.printed == 0 {
            self.printed = Vec::new();
        } else if self.printed.iter().map(|p| p.len().saturating_add(size_of::<String>())).sum::<usize>() > keep.printed
        {
            let mut all = self.printed.concat();
            short(&mut all, keep.printed);
            self.printed = vec![all];
        }
        for call in &mut self.tool_calls {
            if call.args.text().len() > values {
                call.args = Json::default();
            }
            json(&mut call.result);
            json(&mut call.failure);
            call.error.iter_mut().for_each(|text| short(text, values));
        }
        for d in &mut self.definitions {
            d.doc.iter_mut().for_each(|text| short(text, DOC_BYTES));
        }
        self
    }

    /// Whether a session, or an act, that may go on to turn `max_turns` ends with this one: by `return`, by `fail`, by
    /// the reply of a text act, or because it was the last.
    pub fn ends(&self, max_turns: u64) -> bool {
        self.status.ends() || self.turn >= max_turns
    }

    /// A successful turn that did nothing, to build on.
    pub fn empty(turn: u64) -> Self {
        TurnRecord {
            turn,
            program: String::new(),
            reasoning: None,
            reply: None,
            status: Status::Ok,
            value: None,
            value_json: None,
            printed: Vec::new(),
            definitions: Vec::new(),
            notes: Vec::new(),
            tool_calls: Vec::new(),
            missed_keys: Vec::new(),
            error: None,
            usage: Usage::default(),
            feedback: String::new(),
            time: 0,
            seed: 0,
        }
    }
}

fn as_text<S: Serializer>(seed: &u64, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(seed)
}

fn text_or_number<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    struct Seed;
    impl serde::de::Visitor<'_> for Seed {
        type Value = u64;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a seed: a decimal number, as text or as it is")
        }
        fn visit_u64<E>(self, v: u64) -> Result<u64, E> {
            Ok(v)
        }
        fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<u64, E> {
            v.parse().map_err(|_| E::invalid_value(serde::de::Unexpected::Str(v), &self))
        }
    }
    d.deserialize_any(Seed)
}

/// The record of a parameter of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamWords {
    /// Its name.
    pub name: String,
    /// Its type as task files write it.
    #[serde(rename = "type")]
    pub shape: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

/// The record of a granted tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolWords {
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// Its parameters, if it declares them.
    #[serde(default)]
    pub params: Option<Vec<ParamWords>>,
    /// Type of its answer.
    #[serde(default)]
    pub returns: Option<String>,
    /// What tells it from another tool of this name: a digest of what answers it, where the task says that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The record of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputWords {
    /// The digest of its bytes, in hexadecimal.
    pub sha256: String,
    /// The file it was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Or the value itself.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Json>,
}

/// A library: functions and data that were there before the first turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryWords {
    /// Its name, the namespace of what it defines.
    pub name: String,
    /// The file it was read from, as the task names it.
    pub file: String,
    /// The digest of its text, in hexadecimal.
    pub sha256: String,
    /// Its text.
    pub text: String,
}

/// The first line of a trace: everything that rendering needs, and the policy of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The format's version.
    pub ptc_trace: u64,
    /// The task's name.
    pub task: Option<String>,
    /// The folder of the task, as it was named when the session began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The system message, language card included, as it is sent.
    pub system: String,
    /// The first user message.
    pub prompt: String,
    /// Most turns; of a session with acts, of all of them together.
    pub max_turns: u64,
    /// The table of contents, of a session with acts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<ActWords>,
    /// The policy the run used; of a header that names none, the full history.
    #[serde(default = "Policy::full")]
    pub policy: Policy,
    /// The name of the strategy that the host itself gave ([`Config::strategy`](crate::Config::strategy)): what it
    /// selected is not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_strategy: Option<String>,
    /// The limits of each turn.
    #[serde(default)]
    pub limits: Limits,
    /// Tools granted.
    #[serde(default)]
    pub tools: Vec<ToolWords>,
    /// Libraries, in the order in which they are loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<LibraryWords>,
    /// Inputs by name.
    #[serde(default, with = "by_name")]
    pub inputs: Vec<(String, InputWords)>,
    /// The language and its version.
    #[serde(default)]
    pub language: String,
    /// The shape of the returned value, if the task gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    /// The JSON schema that it must fit, if the task gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_schema: Option<Json>,
}

/// An object whose keys stand in order.
mod by_name {
    use super::*;

    pub fn serialize<S: Serializer>(list: &[(String, InputWords)], s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(list.iter().map(|(k, v)| (k, v)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<(String, InputWords)>, D::Error> {
        struct List;
        impl<'de> serde::de::Visitor<'de> for List {
            type Value = Vec<(String, InputWords)>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("inputs by name")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    list.push(entry);
                }
                Ok(list)
            }
        }
        d.deserialize_map(List)
    }
}

impl Header {
    /// Whether this prompt is the task, without the texts of inputs below it. Which texts there are is not compared: what
    /// follows the task as a paragraph that begins as theirs do is taken for one.
    pub fn asks(&self, prompt: &str) -> bool {
        let below = self.prompt.strip_prefix(prompt).and_then(|rest| rest.strip_prefix("\n\n"));
        self.prompt == prompt || below.is_some_and(|rest| rest.starts_with(crate::text::line_prefixes::INPUT))
    }

    /// What the task asks, without the texts of inputs below it.
    pub fn question(&self) -> &str {
        let begins =
            |name: &str| format!("\n\n{}{}`:\n", crate::text::line_prefixes::INPUT, ptc_lisp::escape::line(name));
        let at = self.inputs.iter().filter_map(|(name, _)| self.prompt.find(&begins(name))).min();
        at.and_then(|at| self.prompt.get(..at)).unwrap_or(&self.prompt)
    }

    /// A header with this system message and prompt, everything else by default.
    pub fn new(system: impl Into<String>, prompt: impl Into<String>, max_turns: u64) -> Self {
        Header {
            ptc_trace: 1,
            task: None,
            folder: None,
            system: system.into(),
            prompt: prompt.into(),
            max_turns,
            acts: Vec::new(),
            policy: Policy::full(),
            custom_strategy: None,
            limits: Limits::default(),
            tools: Vec::new(),
            libraries: Vec::new(),
            inputs: Vec::new(),
            language: LANGUAGE.to_owned(),
            expect: None,
            expect_schema: None,
        }
    }
}

/// The language and its version, as headers name it.
pub const LANGUAGE: &str = concat!("ptc-lisp ", env!("CARGO_PKG_VERSION"));

/// Bytes of a record besides its texts.
const OWN: u64 = 1024;

/// Bytes of a printed entry besides its text.
const ENTRY: usize = 32;

fn text_bytes(texts: impl IntoIterator<Item = usize>) -> u64 {
    texts.into_iter().fold(0, |sum: u64, n| sum.saturating_add(n as u64))
}

impl Call {
    /// Whether a person denied it, so that it was not made: `failure` has the kind `denied`, and `"made": false`. What a
    /// tool says in words is no denial.
    pub fn denied(&self) -> bool {
        let failure = self
            .failure
            .as_ref()
            .and_then(|f| serde_json::from_str::<serde_json::Value>(f.text()).ok())
            .unwrap_or_default();
        self.error.is_some() && failure["kind"] == "denied" && failure["made"] == false
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let result = self.result.as_ref().map_or(0, |r| r.text().len());
        let error = self.error.as_ref().map_or(0, String::len);
        let failure = self.failure.as_ref().map_or(0, |f| f.text().len());
        text_bytes([self.name.len(), self.args.text().len(), result, error, failure]).saturating_add(OWN / 4)
    }
}

impl TurnRecord {
    /// About how many bytes it takes, with the messages made of it: its texts twice.
    pub fn bytes(&self) -> u64 {
        let of = |t: &Option<String>| t.as_ref().map_or(0, String::len);
        let whole = [
            self.program.len(),
            of(&self.reasoning),
            of(&self.reply),
            of(&self.value),
            self.value_json.as_ref().map_or(0, |v| v.text().len()),
            self.feedback.len(),
        ];
        let printed = self.printed.iter().flat_map(|entry| [ENTRY, entry.len()]);
        let defined =
            self.definitions.iter().flat_map(|d| [64, d.name.len(), of(&d.doc), of(&d.params), of(&d.sample)]);
        let error = self.error.iter().map(|e| e.message.len());
        let noted = self.notes.iter().flat_map(|n| [64, of(&n.name), of(&n.text)]);
        let missed = self.missed_keys.iter().flat_map(|m| [64, m.key.len(), m.near.len()]);
        let texts = text_bytes(whole.into_iter().chain(printed).chain(defined).chain(noted).chain(missed).chain(error));
        let calls = self.tool_calls.iter().fold(0, |sum: u64, c| sum.saturating_add(c.bytes()));
        texts.saturating_mul(2).saturating_add(calls).saturating_add(OWN)
    }
}
