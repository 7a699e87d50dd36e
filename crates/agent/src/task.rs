//! A task: what `ptc run` takes, read from a folder with a `task.toml` (docs/turns.md and TASKS.md name its keys).

use crate::inputs;
use crate::problem::{Problem, read_text};
use crate::replay_model::ReplayModel;
use crate::replay_tools::Recording;
use crate::section::{Document, Section};
use crate::settings;
use crate::toolbox::Toolbox;
use ptc_lisp::limits::Limits;
use ptc_lisp::outside::{Param, ToolSpec};
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
    /// Its model, as `replay:replies.md`.
    pub model: Option<String>,
    /// Most turns.
    pub max_turns: u64,
    /// Shape of the returned value.
    pub expect: Option<Shape>,
    /// How history is shown.
    pub policy: Policy,
    /// What a turn may use.
    pub limits: Limits,
    context: Vec<(String, Source)>,
    tools: Vec<(ToolSpec, PathBuf)>,
}

/// Where an input comes from.
#[derive(Clone, Debug)]
enum Source {
    File(String),
    Value(serde_json::Value),
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
        root.only(&["task", "history", "limits", "context", "tools"], &["acts", "toc", "narrative", "agents", "mcp"])?;
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
            model: model(&task)?,
            max_turns: task.count("max_turns")?.unwrap_or(MAX_TURNS),
            expect: shape(&task, "expect")?,
            policy: root.section("history")?.map(|s| settings::history(&s)).transpose()?.unwrap_or_default(),
            limits: root.section("limits")?.map(|s| settings::limits(&s)).transpose()?.unwrap_or_default(),
            context: named(&root, "context", source)?,
            tools: named(&root, "tools", |s| Ok((s.clone(), ())))?
                .into_iter()
                .map(|(name, (s, ()))| tool(name, &s))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Loads the inputs.
    ///
    /// # Errors
    /// When a file cannot be read, or is not what its name says.
    pub fn inputs(&self) -> Result<Vec<Input>, Problem> {
        let load = |(name, source): &(String, Source)| match source {
            Source::File(file) => inputs::from_file(name, &self.folder.join(file), file, &self.limits),
            Source::Value(data) => inputs::from_data(name, data, &self.limits),
        };
        self.context.iter().map(load).collect()
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
            tools: self.tools.iter().map(|t| t.0.clone()).collect(),
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
        let mut tools = Toolbox::new();
        for (spec, path) in &self.tools {
            let mut recording = Recording::load(&self.folder.join(path), &self.limits)?;
            let calls: Vec<_> = turns.iter().flat_map(|t| &t.tool_calls).filter(|c| c.name == spec.name).collect();
            recording.skip(&calls, &self.limits);
            tools.add(recording.tool(spec.clone(), self.limits.clone()));
        }
        Ok(tools)
    }

    /// The model, going on behind so many turns.
    ///
    /// # Errors
    /// When the task names none, one that is not there yet, or one without replies.
    pub fn model(&self, turns: u64) -> Result<ReplayModel, Problem> {
        let hint = "write model = \"replay:replies.md\" into [task]";
        match self.model.as_deref().map(|m| m.split_once(':').unwrap_or((m, ""))) {
            Some(("replay", file)) => Ok(ReplayModel::load(&self.folder.join(file))?.after(turns)),
            Some(_) => Err(Problem::not_yet("models other than recorded ones", hint)),
            None => Err(Problem::new(format!("the task {} names no model; {hint}", self.name))),
        }
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

/// Tables of tables, `[context.NAME]`: each name with what `f` makes of it, in order.
fn named<'d, T>(
    root: &Section<'d>,
    key: &str,
    f: impl Fn(&Section<'d>) -> Result<T, Problem>,
) -> Result<Vec<(String, T)>, Problem> {
    let Some(all) = root.section(key)? else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for name in all.keys() {
        let odd = |c: char| c.is_whitespace() || "()[]{}\"'`,;@^~#\\/:".contains(c) || ptc_lisp::visible::hidden(c);
        if name.is_empty() || name.contains(odd) || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(all.problem_at(
                name,
                format!(
                    "{} is no name that programs can write; use letters, digits and -",
                    ptc_lisp::visible::quoted(name)
                ),
            ));
        }
        if let Some(s) = all.section(name)? {
            out.push((name.to_owned(), f(&s)?));
        }
    }
    Ok(out)
}

fn model(task: &Section<'_>) -> Result<Option<String>, Problem> {
    let Some(name) = task.text("model")? else { return Ok(None) };
    match name.split_once(':') {
        Some(("replay", file)) if !file.is_empty() => {}
        Some(("replay", _)) => {
            return Err(task.problem_at("model", "replay: names no file; write model = \"replay:replies.md\""));
        }
        _ => {
            let what = format!("the model {}", ptc_lisp::visible::quoted(name));
            return Err(task
                .problem_at("model", Problem::not_yet(&what, "use recorded replies, model = \"replay:replies.md\"")));
        }
    }
    Ok(Some(name.to_owned()))
}

fn shape(s: &Section<'_>, key: &str) -> Result<Option<Shape>, Problem> {
    s.text(key)?.map(|t| t.parse::<Shape>().map_err(|e| s.problem_at(key, format!("{key}: {e}")))).transpose()
}

fn source(s: &Section<'_>) -> Result<Source, Problem> {
    s.only(&["file", "value"], &["type", "database", "table_name", "limit", "offset", "content", "history_retention"])?;
    match (s.text("file")?, s.data("value")?) {
        (Some(file), None) => {
            match Path::new(file).extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
                Some("json" | "jsonl" | "ndjson") => Ok(Source::File(file.to_owned())),
                Some(other) => Err(
                    s.problem_at("file", Problem::not_yet(&format!("{other} inputs"), "give a .json or .jsonl file"))
                ),
                None => Err(s.problem_at(
                    "file",
                    Problem::not_yet("inputs without an extension", "give a .json or .jsonl file"),
                )),
            }
        }
        (None, Some(value)) => Ok(Source::Value(value)),
        (Some(_), Some(_)) => Err(s.problem_at("value", "file and value; keep one of them")),
        (None, None) => Err(s.problem("nothing to read; add file = \"data.json\" or value = ...")),
    }
}

fn tool(name: String, s: &Section<'_>) -> Result<(ToolSpec, PathBuf), Problem> {
    s.only(
        &["description", "params", "returns", "replay"],
        &["command", "timeout", "timeout_ms", "from", "url", "mcp", "task"],
    )?;
    let example = "a list of tables, as in params = [{ name = \"category\", type = \"string\" }]";
    let params = match s.sections("params", example)? {
        None => None,
        Some(list) => {
            let mut params: Vec<Param> = Vec::new();
            for p in list {
                p.only(&["name", "type"], &["description", "default"])?;
                let name = p.needed("name", "\"category\"")?.to_owned();
                if params.iter().any(|q| q.name == name) {
                    return Err(p.problem_at("name", format!("two parameters {name}; give each its own name")));
                }
                params.push(Param { name, shape: shape(&p, "type")?.unwrap_or(Shape::Any) });
            }
            Some(params)
        }
    };
    let spec = ToolSpec {
        name,
        description: s.text("description")?.unwrap_or_default().to_owned(),
        params,
        returns: shape(s, "returns")?,
    };
    let replay = s.needed("replay", "\"answers.jsonl\"")?;
    Ok((spec, PathBuf::from(replay)))
}

#[cfg(test)]
mod tests;
