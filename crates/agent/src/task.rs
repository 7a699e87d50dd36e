//! A task: what `ptc run` takes, read from a folder with a `task.toml` (docs/turns.md and TASKS.md name its keys).

mod context;
mod model;
mod names;
mod tools;

use crate::model::Model;
use crate::problem::{Problem, read_text};
use crate::provider::{self, Environment, ModelSettings};
use crate::section::Document;
use crate::settings;
use crate::toolbox::Toolbox;
use ptc_lisp::limits::Limits;
use ptc_lisp::shape::Shape;
use ptc_turns::config::MAX_TURNS;
use ptc_turns::record::TurnRecord;
use ptc_turns::{Config, Input, Policy, Session, Trace};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A task, read and checked; its inputs and recorded answers are loaded when they are needed.
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
    /// Its model, as `replay:replies.md` or `openai/gpt-5.1`.
    pub model: Option<String>,
    /// How its model is asked.
    pub asked: ModelSettings,
    /// Most turns.
    pub max_turns: u64,
    /// Shape of the returned value.
    pub expect: Option<Shape>,
    /// How history is shown.
    pub policy: Policy,
    /// What a turn may use.
    pub limits: Limits,
    context: Vec<(String, context::Source)>,
    tools: tools::Tools,
}

const FILE: &str = "task.toml";

impl Task {
    /// Reads a task: a folder with a task.toml, or the task.toml itself.
    ///
    /// # Errors
    /// When it is not there, or says what it may not; one line with the place.
    pub fn load(path: &Path) -> Result<Self, Problem> {
        let shown = path.display();
        // `shop/` is `shop`, in traces too.
        let path: &Path = &path.components().collect::<PathBuf>();
        let (folder, file) = if path.is_dir() {
            (path.to_owned(), path.join(FILE))
        } else if path.is_file() {
            (path.parent().map(Path::to_owned).unwrap_or_default(), path.to_owned())
        } else {
            return Err(Problem::new(format!("{shown}: there is no such task; name a folder with a {FILE}")));
        };
        if !file.is_file() {
            return Err(Problem::new(format!("{shown}: the folder has no {FILE}; write one, or name another folder")));
        }
        let text = read_text(&file)?;
        Self::parse(&folder, &file.display().to_string(), &text)
    }

    /// Reads the text of a task.toml; paths in it are relative to `folder`, `file` stands in errors.
    ///
    /// # Errors
    /// When it says what it may not.
    pub fn parse(folder: &Path, file: &str, text: &str) -> Result<Self, Problem> {
        let doc = Document::parse(file, text)?;
        let root = doc.root();
        root.only(
            &["task", "model", "history", "limits", "context", "tools"],
            &["acts", "toc", "narrative", "agents", "mcp"],
        )?;
        let Some(task) = root.section("task")? else {
            return Err(Problem::new(format!("{file}: [task] is missing; write [task] with a prompt and a model")));
        };
        task.only(
            &["name", "prompt", "system", "model", "max_turns", "expect"],
            &["description", "auto_summary_threshold", "warn_large_history"],
        )?;
        let folder_name = || folder.file_name().map_or_else(|| "task".to_owned(), |n| n.to_string_lossy().into_owned());
        Ok(Task {
            name: task.text("name")?.map_or_else(folder_name, str::to_owned),
            folder: folder.to_owned(),
            prompt: task.needed("prompt", "\"What is to be done\"")?.to_owned(),
            system: task.text("system")?.map(str::to_owned),
            model: model::parse(&task)?,
            asked: root.section("model")?.map(|s| provider::settings::read(&s)).transpose()?.unwrap_or_default(),
            max_turns: task.count("max_turns")?.unwrap_or(MAX_TURNS),
            expect: names::shape(&task, "expect")?,
            policy: root.section("history")?.map(|s| settings::history(&s)).transpose()?.unwrap_or_default(),
            limits: root.section("limits")?.map(|s| settings::limits(&s)).transpose()?.unwrap_or_default(),
            context: names::named(&root, "context", context::parse)?,
            tools: tools::parse(&root)?,
        })
    }

    /// Loads the inputs.
    ///
    /// # Errors
    /// When a file cannot be read, or is not what its name says.
    pub fn inputs(&self) -> Result<Vec<Input>, Problem> {
        self.context.iter().map(|(name, source)| source.load(name, &self.folder, &self.limits)).collect()
    }

    /// What a session of this task is made from, its inputs loaded.
    ///
    /// # Errors
    /// When an input cannot be loaded.
    pub fn config(&self) -> Result<Config, Problem> {
        Ok(Config {
            task: Some(self.name.clone()),
            folder: Some(self.folder.display().to_string()).filter(|f| !f.is_empty()).or_else(|| Some(".".to_owned())),
            system: self.system.clone(),
            prompt: self.prompt.clone(),
            max_turns: self.max_turns,
            policy: self.policy.clone(),
            limits: self.limits.clone(),
            tools: self.tools.specs(),
            inputs: self.inputs()?,
            expect: self.expect.clone(),
            open_ended: false,
        })
    }

    /// The session that `trace` is the record of: memory comes back by replay.
    ///
    /// # Errors
    /// When an input is not what it was, or the trace does not replay.
    pub fn resume(&self, trace: Trace) -> Result<Session, Problem> {
        let mut values = Vec::new();
        for input in self.inputs()? {
            if let Some((_, then)) = trace.header.inputs.iter().find(|(n, _)| *n == input.name)
                && then.sha256 != input.sha256
            {
                let words = format!(
                    "the input {} has changed since the session began; put the old file back, or start a new trace",
                    input.name
                );
                return Err(Problem::new(words));
            }
            values.push((input.name, input.value));
        }
        restore(trace, values)
    }

    /// Who answers the tools, going on behind the calls of `turns`.
    ///
    /// # Errors
    /// When recorded answers cannot be read.
    pub fn toolbox(&self, turns: &[Arc<TurnRecord>]) -> Result<Toolbox, Problem> {
        self.tools.toolbox(&self.folder, turns, &self.limits)
    }

    /// The model, going on behind so many turns; keys and addresses come from `environment`.
    ///
    /// # Errors
    /// When the task names none, one that is none, one without replies, or a key is missing.
    pub fn model(&self, turns: u64, environment: &Environment) -> Result<Box<dyn Model>, Problem> {
        model::open(self.model.as_deref(), &self.name, &self.folder, turns, &self.asked, environment)
    }
}

/// A session from its trace and the values of its inputs.
///
/// # Errors
/// When the trace does not replay, or lacks an input.
pub fn restore(trace: Trace, inputs: Vec<(String, ptc_lisp::value::Value)>) -> Result<Session, Problem> {
    Session::from_trace(trace, inputs)
        .map_err(|e| Problem::new(format!("the session cannot go on: {}", ptc_lisp::visible::line(&e.message))))
}

#[cfg(test)]
mod tests;
