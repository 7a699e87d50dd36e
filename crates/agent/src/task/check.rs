//! All that is wrong with a task at once, without a model's answer and without a call of a tool.

use super::chain::{Chain, Check};
use super::spec::{ActSpec, InputFrom, InputSpec, Task};
use super::template;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorKind};
use crate::model::provider::Environment;
use crate::toml_section::Section;
use ptc_history::retention::{guidance, kept};
use ptc_history::{Part, PartKind, Retention};
use std::path::Path;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskCheck {
    /// The task's name and what it has, in words, where it could be read.
    pub task: Option<String>,
    /// All that is wrong, each a line with its place and what to do; none when it may be run.
    pub problems: Vec<Error>,
    /// What is said and has no effect, each a line like those of problems; the task may be run all the same.
    pub warnings: Vec<Error>,
}

impl Task {
    /// Looks for all that is wrong with a task, and with the subtasks: what its file says, inputs, recordings,
    /// commands, keys and other variables of the environment, schemas, places in texts. No model is asked, no tool
    /// called, no server started.
    pub fn check(path: &Path, environment: &Environment) -> TaskCheck {
        let check = Check::new(environment);
        let chain = Chain::checked(check.clone());
        let task = match Task::load_within(path, &chain) {
            Ok(task) => Some(task.in_words(check.memory.get())),
            Err(p) => {
                check.notes.push(p);
                None
            }
        };
        TaskCheck { task, problems: check.notes.all(), warnings: check.warnings.all() }
    }

    /// Its name and what it has.
    fn in_words(&self, memory: Option<u64>) -> String {
        let count = |n: usize, one: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {one}s")),
        };
        let parts = [
            self.model.as_ref().map(|m| format!("model {m}")),
            count(self.acts.len(), "act"),
            count(self.context.len(), "input"),
            match self.libraries.len() {
                0 | 1 => count(self.libraries.len(), "library"),
                n => Some(format!("{n} libraries")),
            },
            count(self.tools.own().count(), "tool"),
            count(self.tools.servers(), "server"),
            count(self.agents.len(), "agent"),
            memory.map(|bytes| format!("memory_bytes = {bytes} for these inputs")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        ptc_lisp::escape::line(&format!("{}: {}", self.name, parts.join(", ")))
    }
}

impl Check {
    /// Notes what is wrong with a task beyond its text. `inside` says whether it stands in another task, from which it
    /// has what it does not say itself.
    pub(super) fn look(&self, read: &Task, root: &Section<'_>, task: &Section<'_>, inside: bool) {
        let table = |group: &str, name: &str| root.section(group).ok().flatten()?.section(name).ok().flatten();
        let at = |group: &str, name: &str, key: &str, p: Error| match table(group, name) {
            Some(s) => self.notes.push(s.problem_at(key, p)),
            None => self.notes.push(p),
        };
        let (folder, reading) = (read.place(), read.reading(&Cancel::default()));
        let mut inputs = Vec::new();
        for (name, source) in &read.context {
            let section = table("context", name);
            let key = ["database", "file", "value"].into_iter().find(|k| section.as_ref().is_some_and(|s| s.has(k)));
            match source.load(name, &folder, &read.limits, &reading) {
                Err(p) => at("context", name, key.unwrap_or("file"), p),
                Ok(input) => {
                    if let (Some(s), Some(key), Some(note)) = (&section, key, &input.note) {
                        self.warnings.push(s.problem_at(key, ptc_lisp::escape::line(note).to_string()));
                    }
                    inputs.push(input);
                }
            }
        }
        let memory = read.limits_over(&inputs).memory_bytes;
        if !inside && memory > read.limits.memory_bytes {
            self.memory.set(Some(memory));
        }
        drop(inputs);
        for (name, in_text, p) in read.library_faults() {
            match root.section("libraries").ok().flatten().filter(|_| !in_text) {
                Some(s) => self.notes.push(s.problem_at(&name, p)),
                None => self.notes.push(p),
            }
        }
        for (group, name, key, p) in read.tools.faults(&read.folder, &read.limits) {
            at(group, &name, key, p);
        }
        if let Some(source) = &read.answer
            && let Err(p) = read.answer()
        {
            self.notes.push(task.problem_at(source.key(), p));
        }
        let model = match read.own_model(0, &self.environment) {
            // It has the model of the task that it runs for; or its name was told to be wrong.
            Err(_) if read.model.is_none() && (inside || task.has("model")) => Ok(()),
            Err(p) => Err(p),
            Ok(_) => Ok(()),
        };
        if let Err(p) = &model {
            self.notes.push(task.problem_at("model", p));
        }
        // Without a model of their own, summaries are written by the task's, which was looked at.
        if (read.summarizer.is_some() || (read.model.is_some() && model.is_ok()))
            && let Err(p) = read.check_summaries(&self.environment)
        {
            let place = root.section("summarizer").ok().flatten();
            self.notes.push(place.map_or_else(|| task.problem_at("model", &p), |s| s.problem_at("model", &p)));
        }
        // What a subtask is asked depends on the one that runs it.
        if let (false, Some(words), Ok(Some(s))) = (inside, read.unasked_summarizer(), root.section("summarizer")) {
            self.warnings.push(s.problem_at("model", words));
        }
        for agent in &read.agents {
            if let Err(p) = self.taken_over(&agent.task, read, model.is_ok()) {
                at("agents", &agent.spec.name, "task", p);
            }
        }
        for act in &read.acts {
            let Some(place) = table("acts", &act.words.name) else { continue };
            if let Some(name) = &act.model
                && let Err(p) = read.open_model(Some(name), 0, &self.environment)
            {
                self.notes.push(place.problem_at("model", p));
            }
            let places = place.sections("input", "").ok().flatten().unwrap_or_default();
            for (input, s) in act.inputs.iter().zip(&places) {
                self.input(read, input, s, model.is_ok());
            }
        }
    }

    /// Whether a subtask can take over what it does not say itself, and then has a model.
    fn taken_over(&self, inner: &Task, outer: &Task, model: bool) -> Result<(), Error> {
        let mut task = inner.clone();
        task.inherit(outer)?;
        // What is wrong with a model is reported where the model is named.
        let own = inner.model.is_some() || (task.model.is_some() && !model);
        if own { Ok(()) } else { task.own_model(0, &self.environment).map(drop) }
    }

    /// An input of an act, as far as it can be had before the act begins.
    fn input(&self, task: &Task, input: &InputSpec, s: &Section<'_>, model: bool) {
        let found = match &input.from {
            InputFrom::Table(table) => {
                let key = if s.has("database") { "database" } else { "file" };
                table.rows(&task.place(), &task.reading(&Cancel::default())).map(drop).map_err(|p| s.problem_at(key, p))
            }
            InputFrom::File(file) => file_text(task, file).map(drop).map_err(|p| s.problem_at("file", p)),
            InputFrom::Narrative(inner) => self.taken_over(inner, task, model).map_err(|p| s.problem_at("task", p)),
            InputFrom::Text(pieces) => pieces.iter().try_for_each(|piece| match piece {
                template::Piece::Input(act, name) => gone(task, act, name).map_err(|p| s.problem_at("content", p)),
                template::Piece::Text(_) | template::Piece::Answer(_) => Ok(()),
            }),
            InputFrom::Tool { .. } => Ok(()),
        };
        if let Err(p) = found {
            self.notes.push(p);
        }
    }
}

/// Whether history will have what `{{ACT.INPUT}}` names, as far as that is known: what tools and tasks answer is not.
fn gone(task: &Task, act: &str, name: &str) -> Result<(), Error> {
    let Some(spec) = task.acts.iter().find(|a| a.words.name == act).filter(|a| a.inputs.iter().all(InputSpec::is_read))
    else {
        return Ok(());
    };
    let names: Vec<_> = spec.inputs.iter().map(InputSpec::name).collect();
    let Some((input, name)) = template::find(&names, name).and_then(|i| Some((spec.inputs.get(i)?, names.get(i)?)))
    else {
        return Ok(());
    };
    let Some((kind, text, count, offset)) = text_of(task, input) else { return Ok(()) };
    let part = Part { kind, name: name.clone(), history_retention: input.retention, count, offset };
    match kept(&part, &text, &task.policy.history) {
        Retention::Full => Ok(()),
        less => Err(Error::new(ErrorKind::Task, guidance(&reader(task, act), act, &part, less))),
    }
}

/// The act behind this one, which refers to it at the earliest.
fn reader(task: &Task, act: &str) -> String {
    let mut behind = task.acts.iter().skip_while(|a| a.words.name != act).skip(1);
    behind.next().map(|a: &ActSpec| a.words.name.clone()).unwrap_or_default()
}

/// What an input will be, where that is known before the task runs.
fn text_of(task: &Task, input: &InputSpec) -> Option<(PartKind, String, Option<u64>, Option<u64>)> {
    match &input.from {
        InputFrom::Table(table) => {
            let rows = table.rows(&task.place(), &task.reading(&Cancel::default())).ok()?;
            Some((PartKind::Table, rows.markdown(), Some(rows.rows.len() as u64), table.offset))
        }
        InputFrom::File(file) => Some((PartKind::File, file_text(task, file).ok()?, None, None)),
        _ => None,
    }
}

/// The text of a file of a task, read as its acts will read it.
fn file_text(task: &Task, file: &str) -> Result<String, Error> {
    let path = task.place().file(file)?;
    super::inputs::text_of_file(&path, &task.reading(&Cancel::default()))
}
