//! A task: what `ptc run` takes, read from a folder with a `task.toml` (docs/tasks.md names its keys).

pub(crate) mod act_opener;
mod act_section;
mod agent_section;
mod answer_section;
pub(crate) mod arguments;
pub(crate) mod chain;
mod check;
pub(crate) mod folder;
mod given_input;
mod input_memory;
pub mod inputs;
mod known_answer;
mod library_section;
mod model_section;
mod names;
pub mod options;
mod programs;
mod read_answer;
mod source;
pub(crate) mod spec;
mod summarizer_section;
pub(crate) mod template;
mod tool_digest;
pub(crate) mod tool_identity;
mod tool_section;

pub use crate::toml_override::Overrides;
pub use act_opener::{Acts, Ahead};
pub use check::TaskCheck;
pub use given_input::GivenInput;
pub use input_memory::limits_over;
pub use known_answer::{Checker, KnownAnswer, Verdict};
pub use programs::{given_value, restore_without_memory};
pub use spec::Task;

use crate::cancel::Cancel;
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::files::read_hand_written;
use crate::model::provider::{self, Environment, ModelSettings};
use crate::model::{FnModel, Model, Request};
use crate::option_row;
use crate::schema_check;
use crate::task::inputs::read_limits::{self, ReadLimits};
use crate::toml_section::{Document, Section};
use crate::tools::toolbox::Toolbox;
use chain::{Chain, Check};
use folder::Folder;
use ptc_lisp::interface::ToolSpec;
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_turns::policy::Layout;
use ptc_turns::trace::record::Call;
use ptc_turns::{Config, Input, Mode, Policy, Session, Trace};
use spec::{ActSpec, InputFrom, InputSpec};
use std::path::{Path, PathBuf};

const FILE: &str = "task.toml";

/// Most turns of a task that does not say.
pub const DEFAULT_MAX_TURNS: u64 = ptc_turns::session::config::MAX_TURNS;

/// Most time of a turn of a task with sub-agents that does not say, in milliseconds: their models are waited for in it.
pub const WALL_MS_OF_AGENTS: u64 = 600_000;
/// The key of that limit.
const WALL: &str = "wall_ms";

/// Options of history that seed 003 has with the task.
const RETENTION: [&str; 2] = ["auto_summary_threshold", "honour_explicit_full"];

impl Task {
    /// Reads a task: a folder with a task.toml, or the task.toml itself.
    ///
    /// # Errors
    /// When it is not there, or says what it may not; one line with the place.
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::load_with(path, &Overrides::default())
    }

    /// The same with values that have precedence over those of its file, as if they stood there.
    ///
    /// # Errors
    /// As [`Task::load`]; what is wrong with a value names who gave it.
    pub fn load_with(path: &Path, given: &Overrides) -> Result<Self, Error> {
        Self::load_given(path, &Chain::default(), given)
    }

    /// A task that is made of values alone, at least of a `task.prompt`; paths in them are relative to the folder in which
    /// the process is.
    ///
    /// # Errors
    /// As [`Task::load_with`].
    pub fn of_values(given: &Overrides) -> Result<Self, Error> {
        Self::parse_within(Path::new(""), "the arguments", "", &Chain::default(), given)
    }

    /// Reads a task that stands in others.
    pub(crate) fn load_within(path: &Path, chain: &Chain) -> Result<Self, Error> {
        Self::load_given(path, chain, &Overrides::default())
    }

    fn load_given(path: &Path, chain: &Chain, given: &Overrides) -> Result<Self, Error> {
        let shown = path.display();
        // `shop/` is `shop`, in traces too.
        let path: &Path = &path.components().collect::<PathBuf>();
        let (folder, file) = if path.is_dir() {
            (path.to_owned(), path.join(FILE))
        } else if path.is_file() {
            (path.parent().map(Path::to_owned).unwrap_or_default(), path.to_owned())
        } else {
            return Err(Error::new(
                ErrorKind::Task,
                error_text!("there is no such task"; "name a folder with a {FILE}, or write one with ptc init"),
            )
            .at(&shown.to_string()));
        };
        let other = file.extension().filter(|e| !e.eq_ignore_ascii_case("toml"));
        if let Some(end) = other {
            let words = error_text!("the file is no task: its name ends in .{}", ptc_lisp::escape::line(&end.to_string_lossy()); "name a folder with a {FILE}, or that file");
            return Err(Error::new(ErrorKind::Task, words).at(&shown.to_string()));
        }
        if !file.is_file() {
            return Err(Error::new(
                ErrorKind::Task,
                error_text!("the folder has no {FILE}"; "write one, or name another folder"),
            )
            .at(&shown.to_string()));
        }
        let text = read_hand_written(&file)?;
        Self::parse_within(&folder, &file.display().to_string(), &text, chain, given)
    }

    /// Reads the text of a task.toml; paths in it are relative to `folder`, `file` stands in errors.
    ///
    /// # Errors
    /// When it says what it may not.
    pub fn parse(folder: &Path, file: &str, text: &str) -> Result<Self, Error> {
        Self::parse_within(folder, file, text, &Chain::default(), &Overrides::default())
    }

    fn parse_within(folder: &Path, file: &str, text: &str, chain: &Chain, given: &Overrides) -> Result<Self, Error> {
        let chain = &chain.and(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
        let doc = Document::parse_noting(file, text, chain.check.as_ref().map(Check::notes))?.with(given)?;
        // What stands for a [task] that is missing or none, where all that is wrong is looked for.
        let instead = Document::parse(file, "[task]\nprompt = \"-\"\n")?;
        let root = doc.root();
        root.noted(act_section::refuse_phases(&root))?;
        let phases: Vec<&str> = ["phase", "phases"].into_iter().filter(|k| root.has(k)).collect();
        root.only(
            &[
                "task",
                "narrative",
                "model",
                "toc",
                "acts",
                "history",
                "summarizer",
                "limits",
                "context",
                "libraries",
                "tools",
                "mcp",
                "agents",
            ]
            .into_iter()
            .chain(phases)
            .collect::<Vec<_>>(),
            &[],
        )?;
        // Seed 003 calls a task a narrative.
        let sections = (root.section("task")?, root.section("narrative")?);
        let there = sections.0.is_some() || sections.1.is_some();
        let task = match sections {
            (Some(one), Some(_)) => {
                let words = "[task] and [narrative] are one and the same; keep one of them";
                root.noted::<()>(Err(root.problem_at("narrative", words)))?;
                one
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => {
                let words = "[task] is missing; write [task] with a prompt and a model";
                // What is none was told.
                if !root.has("task") && !root.has("narrative") {
                    root.noted::<()>(Err(Error::new(ErrorKind::Task, words).at(file)))?;
                }
                instead.root().section("task")?.ok_or_else(Error::told)?
            }
        };
        root.noted(act_section::refuse_default(&task))?;
        let texts = ["name", "description", "prompt", "system", "card", "model", "expect", "expect_schema"];
        let known: Vec<&str> =
            texts.into_iter().chain(option_row::keys(options::TASK)).chain(answer_section::KEYS).collect();
        task.only(&known, &[])?;
        let own: options::TaskOptions = option_row::read_beside(&task, options::TASK)?;
        let place = &Folder::new(folder, own.allow_outside);
        let history = root.section("history")?;
        let mut own_history = history.as_ref().map(Section::all).transpose()?.unwrap_or_default();
        for key in RETENTION.into_iter().filter(|k| task.has(k)) {
            if own_history.contains_key(key) {
                let words = error_text!("{key} stands in [history] too"; "keep one of them");
                root.noted::<()>(Err(task.problem_at(key, words)))?;
            }
        }
        let mut policy = match &history {
            Some(s) => root.noted(options::of_turns(s))?.unwrap_or_default(),
            None => Policy::default(),
        };
        if let Some(n) = own.auto_summary_threshold {
            policy.history.auto_summary_threshold = n;
            own_history.insert("auto_summary_threshold".to_owned(), n.into());
        }
        if let Some(b) = own.honour_explicit_full {
            policy.history.honour_explicit_full = b;
            own_history.insert("honour_explicit_full".to_owned(), b.into());
        }
        let limits = root.section("limits")?;
        let (mut turn_limits, run_limits) = match &limits {
            Some(s) => root.noted(options::all_limits(s))?.unwrap_or_default(),
            None => Default::default(),
        };
        let max_turns = own.max_turns;
        let mut tools = tool_section::parse(&root, place)?;
        let agents = agent_section::parse(&root, folder, chain)?;
        let own_limits = limits.as_ref().map(options::limits_of_turns).transpose()?.unwrap_or_default();
        if !agents.is_empty() && !own_limits.contains_key(WALL) {
            turn_limits.wall_ms = WALL_MS_OF_AGENTS;
        }
        let granted: Vec<ToolSpec> = tools.own().chain(agents.iter().map(|a| &a.spec)).cloned().collect();
        if let Some(twice) = agents.iter().find(|a| tools.own().any(|t| t.name == a.spec.name)) {
            let name = ptc_lisp::escape::quoted(&twice.spec.name);
            let words = error_text!("a tool and an agent are called {name}"; "rename one");
            root.noted::<()>(Err(root.problem_at("agents", words)))?;
        }
        tools.reserve(agents.iter().map(|a| a.spec.name.clone()));
        let tables = |key: &str| root.section(key).ok().flatten().map_or(0, |s| s.keys().len());
        let servers = tools.has_servers() || tables("tools").saturating_add(tables("agents")) > granted.len();
        let setting = act_section::Setting { folder: place, chain, max_turns, tools: &granted, servers };
        let acts = if root.has("acts") || root.has("toc") {
            root.noted(act_section::parse(&root, &setting))?.unwrap_or_default()
        } else {
            Vec::new()
        };
        let prompt = match task.text("prompt")? {
            // Acts say themselves what is asked.
            None if !acts.is_empty() || (root.notes() && root.has("acts")) => "",
            _ => root.noted(task.needed("prompt", "\"What is to be done\""))?.unwrap_or_default(),
        };
        let (expect, schema) = root.noted(wanted(&task, place))?.unwrap_or_default();
        if (expect.is_some() || schema.is_some()) && acts.last().is_some_and(|a| a.words.mode == Mode::Text) {
            let words = "the last act answers in text, which has no shape; say mode = \"program\", or take expect out";
            root.noted::<()>(Err(task.problem_at("expect", words)))?;
        }
        if !acts.is_empty() && policy.layout == Layout::Coalesced {
            let words =
                "layout = \"coalesced\" puts all turns into one message, and each act is asked in its own; take it out";
            root.noted::<()>(Err(match root.section("history")? {
                Some(s) => s.problem_at("layout", words),
                None => root.problem(words),
            }))?;
        }
        // `.` is called as the folder that it is, and so is the file that stands here.
        let named = !folder.as_os_str().is_empty() || Path::new(file).is_file();
        let here = || named.then(|| std::fs::canonicalize(folder.join(".")).ok()).flatten();
        let folder_name = || {
            let name = |f: &Path| f.file_name().map(|n| n.to_string_lossy().into_owned());
            name(folder).or_else(|| name(&here()?)).unwrap_or_else(|| "task".to_owned())
        };
        let read_model = |s: Section<'_>| root.noted(provider::settings::read(&s));
        let read = Task {
            name: task.name("name")?.map_or_else(folder_name, str::to_owned),
            folder: folder.to_owned(),
            prompt: prompt.to_owned(),
            system: task.text("system")?.map(str::to_owned),
            card: root.noted(options::card(&task))?.flatten().unwrap_or_default(),
            model: root.noted(model_section::parse(&task, place))?.flatten(),
            summarizer: root.noted(summarizer_section::parse(&root, place))?.flatten(),
            asked: root.section("model")?.map(read_model).transpose()?.flatten().unwrap_or_default(),
            max_turns,
            expect,
            schema,
            policy,
            own_history,
            own_limits,
            limits: turn_limits,
            run_limits,
            description: task.text("description")?.map(str::to_owned),
            warn_large_history: own.warn_large_history,
            strict_replay: false,
            allow_outside: own.allow_outside,
            input_bytes: own.input_bytes,
            input_tokens: own.input_tokens,
            input_timeout: own.input_timeout,
            model_given: false,
            max_cost_at: limits.as_ref().filter(|s| s.has("max_cost")).map(|s| s.place_of("max_cost")),
            price_given: given.gives(&["model", "price"]),
            answer: root.noted(answer_section::parse(&task, place))?.flatten(),
            acts,
            agents,
            libraries: root.noted(library_section::parse(&root, place))?.unwrap_or_default(),
            context: names::named(&root, "context", |s| source::parse(s, place))?,
            tools,
        };
        if let Some(check) = &chain.check {
            check.look(&read, &root, &task, chain.folders.len() > 1 || !there);
        }
        Ok(read)
    }

    /// Loads the inputs.
    ///
    /// # Errors
    /// When a file cannot be read, or is not what its name says.
    pub fn inputs(&self) -> Result<Vec<Input>, Error> {
        self.inputs_within(&Cancel::default())
    }

    fn inputs_within(&self, cancel: &Cancel) -> Result<Vec<Input>, Error> {
        let (place, reading) = (self.place(), self.reading(cancel));
        let load = |(name, source): &(String, source::Source)| source.load(name, &place, &self.limits, &reading);
        self.context.iter().map(load).collect()
    }

    /// Its folder, and what it may read beside it.
    pub(crate) fn place(&self) -> Folder {
        Folder::new(&self.folder, self.allow_outside)
    }

    /// Where recorded replies may be: those that were named from outside are the user's own word.
    fn replies_in(&self) -> Folder {
        Folder::new(&self.folder, self.allow_outside || self.model_given)
    }

    /// The file of recorded replies of this name.
    fn replies(&self, file: &str) -> Result<PathBuf, Error> {
        self.replies_in().file(file)
    }

    /// What reading one of its inputs may take.
    pub(crate) fn reading(&self, cancel: &Cancel) -> ReadLimits {
        ReadLimits {
            bytes: self.input_bytes.unwrap_or(read_limits::DEFAULT_BYTES),
            timeout: self.input_timeout.unwrap_or(read_limits::DEFAULT_TIMEOUT),
            cancel: cancel.clone(),
        }
    }

    /// What a session of this task is made from, its inputs loaded.
    ///
    /// # Errors
    /// When an input cannot be loaded.
    pub fn config(&self) -> Result<Config, Error> {
        self.config_within(&Cancel::default())
    }

    /// The same for a session whose trace is there: its libraries are in the trace, and their files need not be there.
    ///
    /// # Errors
    /// As [`Task::config`].
    pub fn config_to_resume(&self) -> Result<Config, Error> {
        Task { libraries: Vec::new(), ..self.clone() }.config()
    }

    /// The same; `cancel` ends the loading.
    pub(crate) fn config_within(&self, cancel: &Cancel) -> Result<Config, Error> {
        let tools: Vec<ToolSpec> =
            self.tools.specs()?.into_iter().chain(self.agents.iter().map(|a| a.spec.clone())).collect();
        // Those of a server are known only now.
        for act in &self.acts {
            let unknown = |name: &&String| !tools.iter().any(|t| t.name == **name);
            if let Some(name) = act.words.tools.iter().flatten().find(unknown) {
                let place = format!("{}: [acts.{}]", self.name, act.words.name);
                return Err(Error::new(ErrorKind::Task, act_section::unknown_tool(name, &tools)).at(&place));
            }
        }
        let names: Vec<String> = tools.iter().map(|t| t.name.clone()).collect();
        let inputs = self.inputs_within(cancel)?;
        Ok(Config {
            tool_sources: self.tool_sources(&names),
            task: Some(self.name.clone()),
            folder: Some(self.folder.display().to_string()).filter(|f| !f.is_empty()).or_else(|| Some(".".to_owned())),
            system: self.system.clone(),
            card: self.card,
            prompt: self.prompt.clone(),
            max_turns: self.max_turns,
            policy: self.policy.clone(),
            strategy: None,
            limits: self.limits_over(&inputs),
            tools,
            libraries: self.libraries()?,
            acts: self.acts.iter().map(|a| a.words.clone()).collect(),
            inputs,
            input_tokens: self.input_tokens,
            expect: self.expect.clone(),
            check: self.schema.as_ref().map(schema_check::check).transpose()?,
            open_ended: false,
        })
    }

    /// The limits of a turn over these inputs ([`limits_over`]).
    pub fn limits_over(&self, inputs: &[Input]) -> Limits {
        limits_over(&self.limits, |key| self.own_limits.contains_key(key), inputs)
    }

    /// The session that `trace` is the record of: memory comes back by replay.
    ///
    /// # Errors
    /// When an input or a library is not what it was, or the trace does not replay.
    pub fn resume(&self, trace: Trace) -> Result<Session, Error> {
        self.resume_with(trace, Vec::new())
    }

    /// The same with values of inputs that the trace has and the task has not.
    ///
    /// # Errors
    /// As [`Task::resume`].
    pub fn resume_with(&self, trace: Trace, others: Vec<(String, Value)>) -> Result<Session, Error> {
        self.check_libraries(&trace.header)?;
        let mut values = others;
        for input in self.inputs()? {
            if let Some((_, then)) = trace.header.inputs.iter().find(|(n, _)| *n == input.name)
                && then.sha256 != input.sha256
            {
                let words = error_text!("the input {} has changed since the session began", input.name; "put the old file back, or start a new trace");
                return Err(Error::new(ErrorKind::Task, words));
            }
            values.push((input.name, input.value));
        }
        let given = |name: &str| values.iter().any(|(n, _)| n == name);
        if let Some((name, _)) = trace.header.inputs.iter().find(|(n, i)| i.value.is_none() && !given(n)) {
            let name = ptc_lisp::escape::line(name);
            let words = error_text!("the session reads the input {name}, which was not given"; "give it again: --ctx {name}=FILE");
            return Err(Error::new(ErrorKind::Task, words));
        }
        restore(trace, values)
    }

    /// Takes the batch strategy of `LLM_COMPACTION_...` variables (B-02) for options of `[history]` that the task does not
    /// set itself.
    ///
    /// # Errors
    /// A value that a variable cannot have, or one that does not go with what the task sets.
    pub fn take_variables(&mut self, environment: &Environment) -> Result<(), Error> {
        let wrong = |e: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Task, error_text!("{e}"; "correct the variable, or unset it"))
        };
        let asked = ptc_history::Policy::from_vars(environment.all()).map_err(|e| wrong(&e))?;
        let set: serde_json::Map<String, serde_json::Value> =
            asked.chosen().filter(|(key, _)| !self.own_history.contains_key(key)).collect();
        if set.is_empty() {
            return Ok(());
        }
        let mut policy = serde_json::to_value(&self.policy).map_err(|e| wrong(&e))?;
        if let Some(all) = policy.as_object_mut() {
            all.extend(set);
        }
        self.policy = serde_json::from_value(policy).map_err(|e| wrong(&e))?;
        Ok(())
    }

    /// Takes over from the task it runs for what it does not say itself: options of `[history]` and limits of a turn, each
    /// by itself, and the model with its price, unless that is a recorded one. Limits of a run are each task's own.
    ///
    /// # Errors
    /// When its own options and those of the other cannot stand together.
    pub(crate) fn inherit(&mut self, from: &Task) -> Result<(), Error> {
        let wrong = |what: &str, e: serde_json::Error| {
            Error::new(ErrorKind::Task, format!("[{what}] of the task {} with that of {}: {e}", self.name, from.name))
        };
        let mut policy = serde_json::to_value(&from.policy).map_err(|e| wrong("history", e))?;
        if let Some(all) = policy.as_object_mut() {
            all.extend(self.own_history.clone());
            // Acts are asked each in its own message, whatever the other task does.
            if !self.acts.is_empty() && !self.own_history.contains_key("layout") {
                all.remove("layout");
            }
        }
        let policy = serde_json::from_value(policy).map_err(|e| wrong("history", e))?;
        // What it has for the sake of its sub-agents is not a limit that it was given.
        match from.own_limits.get(WALL) {
            Some(given) => {
                self.own_limits.entry(WALL).or_insert_with(|| given.clone());
            }
            None => {
                let own = self.limits.wall_ms;
                self.own_limits.entry(WALL).or_insert_with(|| own.into());
            }
        }
        // Nor does its own input raise what the other was given.
        for key in ["memory_bytes", "session_bytes"] {
            if let Some(given) = from.own_limits.get(key) {
                self.own_limits.entry(key).or_insert_with(|| given.clone());
            }
        }
        let mut limits = serde_json::to_value(&from.limits).map_err(|e| wrong("limits", e))?;
        if let Some(all) = limits.as_object_mut() {
            all.extend(self.own_limits.clone());
        }
        let limits = serde_json::from_value(limits).map_err(|e| wrong("limits", e))?;
        (self.policy, self.limits) = (policy, limits);
        self.strict_replay |= from.strict_replay;
        if self.summarizer.is_none() {
            self.summarizer = from.summarizer.clone().filter(|m| !m.starts_with("replay:"));
        }
        self.input_bytes = self.input_bytes.or(from.input_bytes);
        self.input_timeout = self.input_timeout.or(from.input_timeout);
        if self.model.is_none() {
            self.model = from.model.clone().filter(|m| !m.starts_with("replay:"));
            if self.asked == ModelSettings::default() {
                self.asked = from.asked.clone();
            } else if self.model.is_some() {
                // It is the same model, however it is asked.
                self.asked.price = self.asked.price.take().or_else(|| from.asked.price.clone());
            }
        }
        Ok(())
    }

    /// Most turns, of each act that runs programs; whatever the task says.
    pub fn set_max_turns(&mut self, turns: u64) {
        self.max_turns = turns;
        for act in self.acts.iter_mut().filter(|a| a.words.mode == Mode::Program) {
            act.words.max_turns = turns;
        }
    }

    /// Who answers the tools, sub-agents not among them, continuing after the calls that were made.
    pub(crate) fn own_tools(&self, made: &[&Call]) -> Result<Toolbox, Error> {
        self.tools.toolbox(&self.place(), made, &self.limits)
    }

    /// The model of a session with this trace, continuing after what it wrote; keys and addresses come from
    /// `environment`. The models of acts that are still to come and of subtasks are opened once as well: what is
    /// wrong with them is reported before a turn has cost anything.
    ///
    /// # Errors
    /// When there is no model, one that is none, one without replies, or a key is missing, here or in one of those.
    pub fn model(&self, trace: &Trace, environment: &Environment) -> Result<Box<dyn Model>, Error> {
        let (begun, due) = (trace.acts().len(), trace.next_act().is_some());
        self.check_others(begun, due, environment)?;
        self.check_summaries(environment)?;
        match self.own_model(self.turns_of_model(trace), environment) {
            // Nobody will ask it any more: it is for acts that are over.
            Err(_) if begun > 0 && self.left(begun, due).all(|(_, a)| a.model.is_some()) => Ok(nobody()),
            model => model,
        }
    }

    /// The acts that are still to be answered, with their places, when `begun` have begun and perhaps the next is due.
    fn left(&self, begun: usize, due: bool) -> impl Iterator<Item = (usize, &ActSpec)> {
        self.acts.iter().enumerate().skip(if due { begun } else { begun.saturating_sub(1) })
    }

    fn own_model(&self, turns: u64, environment: &Environment) -> Result<Box<dyn Model>, Error> {
        if self.model.is_none() && !self.acts.is_empty() && self.acts.iter().all(|a| a.model.is_some()) {
            // Every act has its own.
            return Ok(nobody());
        }
        self.open_model(self.model.as_deref(), turns, environment)
    }

    /// Whether the models that are not the task's own can be opened: those of acts behind the first `begun`, of the one
    /// that is running if none is due, of their narratives, and of agents.
    fn check_others(&self, begun: usize, due: bool, environment: &Environment) -> Result<(), Error> {
        let inside = |task: &Task| {
            let mut task = task.clone();
            task.inherit(self)?;
            task.check_others(0, true, environment)?;
            task.check_summaries(environment)?;
            task.own_model(0, environment).map(drop)
        };
        let mut opened = Vec::new();
        for (i, act) in self.left(begun, due) {
            let at = |p: Error| p.at(&format!("act {}", act.words.name));
            if let Some(name) = act.model.as_deref().filter(|n| !opened.contains(n)) {
                self.open_model(Some(name), 0, environment).map_err(at)?;
                opened.push(name);
            }
            for input in act.inputs.iter().filter(|_| i >= begun) {
                if let InputFrom::Narrative(task) = &input.from {
                    inside(task).map_err(at)?;
                }
            }
        }
        for agent in &self.agents {
            inside(&agent.task).map_err(|p| p.at(&format!("agent {}", agent.spec.name)))?;
        }
        Ok(())
    }

    /// Whether the act at this place, from 0, is asked of the task's own model, which the price in `asked` is of.
    pub fn asks_its_model(&self, act: usize) -> bool {
        self.acts.get(act).and_then(|a| a.model.as_ref()).is_none_or(|own| self.model.as_ref() == Some(own))
    }

    /// Whether it is asked in acts.
    pub fn has_acts(&self) -> bool {
        !self.acts.is_empty()
    }

    /// Whether nobody is named who could answer.
    pub fn lacks_model(&self) -> bool {
        self.model.is_none() && (self.acts.is_empty() || self.acts.iter().any(|a| a.model.is_none()))
    }

    /// The tasks that it runs: narratives of its acts, and sub-agents.
    pub(crate) fn inside(&self) -> impl Iterator<Item = &Task> {
        fn narrative(input: &InputSpec) -> Option<&Task> {
            match &input.from {
                InputFrom::Narrative(task) => Some(task),
                _ => None,
            }
        }
        let narratives = self.acts.iter().flat_map(|a| &a.inputs).filter_map(narrative);
        narratives.chain(self.agents.iter().map(|a| &a.task))
    }

    /// Whether it runs others: sub-agents, or tasks that its acts read.
    pub fn has_subtasks(&self) -> bool {
        self.inside().next().is_some()
    }

    /// Whether a recorded model answers here: the task's, that of an act, or of a subtask.
    pub fn has_recorded_model(&self) -> bool {
        let recorded = |name: &Option<String>| name.as_ref().is_some_and(|n| n.starts_with("replay:"));
        recorded(&self.model)
            || self.acts.iter().any(|a| recorded(&a.model))
            || self.inside().any(Task::has_recorded_model)
    }

    /// A tool of this task, or of one that it runs, whose calls have to be approved; of servers, the server's name.
    pub fn with_approval(&self) -> Option<&str> {
        let agents = self.agents.iter().filter(|a| a.rules.approval).map(|a| a.spec.name.as_str());
        self.tools.with_approval().or(agents.into_iter().next()).or_else(|| self.inside().find_map(Task::with_approval))
    }

    /// Has this model answer everything, acts with one of their own and summaries too. The price in the task's file is that of
    /// another one; one that was given from outside ([`Overrides`]) is its own.
    pub fn use_model(&mut self, name: String) {
        if !self.price_given && self.model.as_ref().is_some_and(|m| *m != name) {
            self.asked.price = None;
        }
        self.acts.iter_mut().for_each(|a| a.model = None);
        self.summarizer = None;
        self.model = Some(name);
        self.model_given = true;
    }

    /// Gives it a model where it [lacks](Task::lacks_model) one; acts with their own keep it.
    pub fn use_default_model(&mut self, name: &str) {
        if self.lacks_model() {
            self.model = Some(name.to_owned());
            self.model_given = true;
        }
    }

    /// The turns of a trace that the task's own model wrote: all but those of acts that have another.
    fn turns_of_model(&self, trace: &Trace) -> u64 {
        let own = trace.acts().iter().zip(&self.acts).filter(|(_, spec)| spec.model.is_some());
        let others: u64 = own.map(|(act, _)| trace.turns_of(act).len() as u64).sum();
        // One that has begun has its reply already.
        let own = |a: &ActSpec| a.model.is_none();
        let act = trace.acts().len().checked_sub(1).and_then(|at| self.acts.get(at));
        let begun = trace.journal().reply().is_some() && act.is_none_or(own);
        (trace.turns().len() as u64).saturating_sub(others).saturating_add(u64::from(begun))
    }

    /// Whether a trace was begun for this task: it asks the same, in the same acts.
    pub fn began(&self, header: &ptc_turns::Header) -> bool {
        let same = |(a, b): (&ptc_turns::ActWords, &ActSpec)| {
            (&a.name, a.mode, &a.tools) == (&b.words.name, b.words.mode, &b.words.tools)
        };
        header.asks(&self.prompt)
            && header.acts.len() == self.acts.len()
            && header.acts.iter().zip(&self.acts).all(same)
    }

    /// Whether a session of this trace can be asked what this task asks, behind what it was asked before: both have this
    /// name, and no acts.
    pub fn may_follow_up(&self, header: &ptc_turns::Header) -> bool {
        !self.has_acts() && header.acts.is_empty() && header.task.as_deref() == Some(self.name.as_str())
    }

    /// Whether a trace was begun for this task without any of its acts, as `ptc repl` does.
    pub fn began_without_acts(&self, header: &ptc_turns::Header) -> bool {
        self.has_acts()
            && header.acts.is_empty()
            && header.task.as_deref() == Some(self.name.as_str())
            && header.asks(&self.prompt)
    }

    /// A model by its name, as acts name their own.
    pub(crate) fn open_model(
        &self,
        name: Option<&str>,
        turns: u64,
        environment: &Environment,
    ) -> Result<Box<dyn Model>, Error> {
        model_section::open(name, &self.name, &self.replies_in(), turns, &self.asked, environment, self.strict_replay)
    }
}

/// The model of a task whose acts have their own.
fn nobody() -> Box<dyn Model> {
    Box::new(FnModel(|_: Request<'_>| Err(Error::model("the task names no model".to_owned()))))
}

/// What the returned value must be: a shape in text, or a JSON schema, in the task or in a file.
fn wanted(task: &Section<'_>, folder: &Folder) -> Result<(Option<Type>, Option<serde_json::Value>), Error> {
    let (key, schema) = match task.text("expect_schema")? {
        Some(_) if task.has("expect") => {
            return Err(task.problem_at("expect_schema", "expect and expect_schema; keep one of them"));
        }
        Some(file) => {
            let path = folder.file(file).map_err(|e| task.problem_at("expect_schema", e))?;
            let wrong = |e: serde_json::Error| {
                Error::new(ErrorKind::Task, error_text!("{e}"; "correct the file")).at(&path.display().to_string())
            };
            let text = read_hand_written(&path).map_err(|e| task.problem_at("expect_schema", e))?;
            let schema = serde_json::from_str(&text).map_err(|e| task.problem_at("expect_schema", wrong(e)))?;
            ("expect_schema", schema)
        }
        None if task.is_table("expect") => ("expect", task.data("expect")?.unwrap_or_default()),
        None => return Ok((names::shape(task, "expect")?, None)),
    };
    schema_check::check(&schema).map_err(|e| task.problem_at(key, ErrorText::from(e).after(key)))?;
    Ok((None, Some(schema)))
}

/// A session from its trace and the values of its inputs.
///
/// # Errors
/// When the trace does not replay, or lacks an input.
pub fn restore(trace: Trace, inputs: Vec<(String, Value)>) -> Result<Session, Error> {
    let check = schema_check::of_header(&trace.header)?;
    library_section::check_digests(&trace.header)?;
    let mut session = Session::from_trace(trace, inputs).map_err(|e| {
        Error::new(ErrorKind::Task, format!("the session cannot go on: {}", ptc_lisp::escape::line(&e.message)))
    })?;
    session.set_check(check);
    Ok(session)
}

#[cfg(test)]
mod tests;
