//! Trajectories: an agent's run as a query and steps (seed 004), converted to messages and back without loss (F-19 to
//! F-24).

use crate::conversation::message::{Block, Message, Role};
use crate::conversation::short_hash::hash;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// One query and what was done for it. Reads the field names of seed 004.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// Its id; ids of its calls are made from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What was asked.
    #[serde(alias = "user_query")]
    pub query: String,
    /// What was done, in order.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// When it began.
    #[serde(default, alias = "started_at", skip_serializing_if = "Option::is_none")]
    pub started: Option<Time>,
    /// When it ended; `None` while it runs.
    #[serde(default, alias = "completed_at", skip_serializing_if = "Option::is_none")]
    pub completed: Option<Time>,
    /// Whatever else was kept with it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

/// One iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, as the agent counted.
    pub iteration: i64,
    /// What the model thought.
    #[serde(default, deserialize_with = "thought")]
    pub thought: String,
    /// The tool it called, if any.
    #[serde(default, alias = "tool_invocation", skip_serializing_if = "Option::is_none")]
    pub call: Option<Invocation>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Observation>,
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Invocation {
    /// The tool. `finish` is not a call: it says that the answer is there.
    #[serde(alias = "tool_name")]
    pub name: String,
    /// Its arguments.
    #[serde(default, alias = "tool_args")]
    pub args: Value,
}

/// What came of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// `success`, in any case of letters; anything else is an error (F-23).
    pub status: String,
    /// What the tool gave.
    #[serde(default)]
    pub result: Value,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(default, alias = "execution_time_ms")]
    pub ms: f64,
}

/// A time as the record has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Time {
    /// Milliseconds since 1970.
    Ms(i64),
    /// In words, as ISO 8601.
    Text(String),
}

/// The thought of a step: a text, or an object that holds it as `content`.
fn thought<'de, D: serde::Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Object { content: String },
        None,
    }
    Ok(match Either::deserialize(d)? {
        Either::Text(content) | Either::Object { content } => content,
        Either::None => String::new(),
    })
}

impl Observation {
    /// F-23.
    pub fn succeeded(&self) -> bool {
        self.status.eq_ignore_ascii_case("success")
    }

    /// What the model reads of it.
    fn text(&self) -> String {
        let result = match &self.result {
            Value::Null => String::new(),
            Value::String(s) => s.clone(),
            v => v.to_string(),
        };
        match &self.error {
            Some(error) if !self.succeeded() && !error.trim().is_empty() => error.clone(),
            _ if !self.succeeded() && result.trim().is_empty() => format!("error: {}", self.status),
            _ => result,
        }
    }
}

/// Messages that did not come from a trajectory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrajectoryError {
    /// No record of a step on it.
    #[error(
        "message {0} was not made from a trajectory: only what `Trajectory::messages` made can be read back as one"
    )]
    Foreign(usize),
    /// A record that does not read.
    #[error("message {0}: what is kept of its trajectory does not read: {1}")]
    Broken(usize, String),
}

/// The key under which a message keeps what its blocks cannot say.
const KEY: &str = "trajectory";
/// The tool that is none.
const FINISH: &str = "finish";

/// The id of the call of this iteration: a hash, so it is the same each time; 29 letters of `[A-Za-z0-9_-]` (F-20).
pub fn call_id(trajectory: &str, nth: usize, iteration: i64) -> String {
    let parts = [trajectory.as_bytes(), &(nth as u64).to_be_bytes(), &iteration.to_be_bytes()];
    format!("call_{}", hash(&parts, 24))
}

impl Trajectory {
    /// As messages: the query; then for each step the reasoning and the call in one message, and the result in the next
    /// (F-19). `nth` is its number among the trajectories of one conversation and keeps call ids unique. What no block
    /// can express is kept in the metadata of the messages (F-24).
    pub fn messages(&self, nth: usize) -> Vec<Message> {
        let mut head = json!({ "steps": self.steps.len() });
        for (key, value) in [
            ("id", self.id.as_ref().map(|v| json!(v))),
            ("started", self.started.as_ref().map(|v| json!(v))),
            ("completed", self.completed.as_ref().map(|v| json!(v))),
            ("metadata", Some(&self.metadata).filter(|m| !m.is_empty()).map(|v| json!(v))),
            // A blank query makes no text (F-22).
            ("query", Some(&self.query).filter(|q| q.trim().is_empty()).map(|v| json!(v))),
        ] {
            if let Some(value) = value {
                head[key] = value;
            }
        }
        let mut query = Message::of(Role::User, non_blank(&self.query).map(Block::text).into_iter().collect());
        keep(&mut query, head);
        if let Some(Time::Ms(at)) = self.started {
            query.meta_mut().at = Some(at);
        }
        let mut out = vec![query];
        let named = self.id.as_deref().unwrap_or(&self.query);
        for (i, step) in self.steps.iter().enumerate() {
            // An agent that counts an iteration twice still makes two calls.
            let again = self.steps.iter().take(i).filter(|s| s.iteration == step.iteration).count();
            let mut id = call_id(named, nth, step.iteration);
            if again > 0 {
                id.push_str(&format!("_{again}"));
            }
            step.messages(&id, &mut out);
        }
        out
    }

    /// Reads trajectories back from messages, all of which [`Trajectory::messages`] made.
    ///
    /// # Errors
    /// [`TrajectoryError`], which names the message.
    pub fn from_messages(messages: &[Message]) -> Result<Vec<Trajectory>, TrajectoryError> {
        let mut out: Vec<Trajectory> = Vec::new();
        for (i, m) in messages.iter().enumerate() {
            let kept = m.meta.as_ref().and_then(|m| m.more.get(KEY)).ok_or(TrajectoryError::Foreign(i))?;
            let broken = |e: serde_json::Error| TrajectoryError::Broken(i, e.to_string());
            if kept.get("steps").is_some() {
                let mut head = kept.clone();
                if head.get("query").is_none() {
                    head["query"] = json!(m.text());
                }
                head["steps"] = json!([]);
                out.push(serde_json::from_value(head).map_err(broken)?);
                continue;
            }
            let trajectory = out.last_mut().ok_or(TrajectoryError::Foreign(i))?;
            if let Some(whole) = kept.get("step") {
                trajectory.steps.push(serde_json::from_value(whole.clone()).map_err(broken)?);
            } else if let Some(iteration) = kept.get("iteration").and_then(Value::as_i64) {
                trajectory.steps.push(Step::from_message(iteration, m));
            } else if let Some(step) = trajectory.steps.last_mut().filter(|_| kept.get("status").is_some()) {
                step.observation = Observation::from_message(kept, m);
            } else if kept.get("told").is_none() {
                return Err(TrajectoryError::Foreign(i));
            }
        }
        Ok(out)
    }
}

impl Step {
    /// F-19. What its messages alone would not give back is kept whole.
    fn messages(&self, id: &str, out: &mut Vec<Message>) {
        let mut content: Vec<Block> = Vec::new();
        content
            .extend(non_blank(&self.thought).map(|text| Block::Reasoning { text: text.to_owned(), signature: None }));
        let call = self.call.as_ref().filter(|c| c.name != FINISH);
        content.extend(call.map(|c| Block::tool_use(id, c.name.as_str(), c.args.clone())));
        if let Some(finish) = self.call.as_ref().filter(|c| c.name == FINISH) {
            content.extend(non_blank(&self.answer(finish)).map(Block::text));
        }
        let mut speaks = Message::of(Role::Assistant, content);
        let answers = self.observation.as_ref().filter(|_| call.is_some()).map(|o| {
            let words = o.text();
            let mut m = Message::of(
                Role::Tool,
                vec![Block::ToolResult {
                    id: id.to_owned(),
                    content: words,
                    is_error: Some(!o.succeeded()),
                    ms: Some(o.ms),
                }],
            );
            keep(&mut m, json!({ "status": o.status, "json": !matches!(o.result, Value::String(_)) }));
            m
        });
        let mut back = Step::from_message(self.iteration, &speaks);
        if let Some(m) = &answers {
            back.observation = m.meta.as_ref().and_then(|k| Observation::from_message(k.more.get(KEY)?, m));
        }
        let whole = back != *self;
        keep(&mut speaks, if whole { json!({ "step": self }) } else { json!({ "iteration": self.iteration }) });
        out.push(speaks);
        if let Some(mut m) = answers {
            if whole {
                keep(&mut m, json!({ "told": true }));
            }
            out.push(m);
        } else if let Some(o) = self.observation.as_ref().filter(|_| self.call.is_none())
            && let Some(words) = non_blank(&o.text())
        {
            // No tool was called, so there is no call that a result could answer: the observation is a user message.
            let mut m = Message::user(words);
            keep(&mut m, json!({ "told": true }));
            out.push(m);
        }
    }

    /// The final answer: what `finish` gave, or was given. It was lost in the seed's adapter (F-19).
    fn answer(&self, finish: &Invocation) -> String {
        let observed = self.observation.as_ref().map(Observation::text).filter(|w| !w.trim().is_empty());
        observed.unwrap_or_else(|| match &finish.args {
            Value::String(s) => s.clone(),
            Value::Object(args) => match args.values().next() {
                Some(Value::String(only)) if args.len() == 1 => only.clone(),
                None => String::new(),
                Some(_) => finish.args.to_string(),
            },
            Value::Null => String::new(),
            v => v.to_string(),
        })
    }

    fn from_message(iteration: i64, m: &Message) -> Step {
        let mut step = Step { iteration, ..Step::default() };
        for block in &m.content {
            match block {
                Block::Reasoning { text, .. } => step.thought.clone_from(text),
                Block::ToolUse { name, input, .. } => {
                    step.call = Some(Invocation { name: name.clone(), args: input.clone() });
                }
                Block::Text { .. } | Block::ToolResult { .. } => {}
            }
        }
        step
    }
}

impl Observation {
    fn from_message(kept: &Value, m: &Message) -> Option<Observation> {
        let Some(Block::ToolResult { content, is_error, ms, .. }) = m.content.first() else { return None };
        let status = kept.get("status")?.as_str()?.to_owned();
        let failed = *is_error == Some(true);
        let result = match kept.get("json").and_then(Value::as_bool) {
            Some(true) if failed || content.is_empty() => Value::Null,
            Some(true) => serde_json::from_str(content).ok()?,
            _ => Value::String(content.clone()),
        };
        let error = failed.then(|| content.clone());
        Some(Observation { status, result, error, ms: ms.unwrap_or_default() })
    }
}

/// A text that says something (F-22).
fn non_blank(text: &str) -> Option<&str> {
    Some(text).filter(|t| !t.trim().is_empty())
}

fn keep(m: &mut Message, what: Value) {
    m.meta_mut().more.insert(KEY.to_owned(), what);
}
