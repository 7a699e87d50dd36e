//! What a run is made from: a task's folder, or arguments alone, and what arguments say over it.

use crate::args::RunOptions;
use crate::commands::asked::NAME;
use crate::commands::settings;
use crate::configuration;
use crate::terminal::io::{Io, word};
use ptc_agent::error_text;
use ptc_agent::model::Provider;
use ptc_agent::task::{GivenInput, Overrides};
use ptc_agent::{Environment, Error, ErrorKind, Task, UserConfig};
use ptc_lisp::escape;
use ptc_turns::Input;
use std::path::Path;

/// Where the task of a run comes from.
pub enum RunSource<'a> {
    /// A task's folder or file, perhaps with another prompt.
    Task {
        /// The folder, or its task.toml.
        path: &'a Path,
        /// What is to be done, over what the task says.
        prompt: Option<&'a str>,
    },
    /// A question and commands.
    Question {
        /// What is to be answered.
        question: &'a str,
        /// Commands, `[NAME=]COMMAND`.
        tools: &'a [String],
        /// Arguments behind the question, of which there must be none.
        more: &'a [String],
    },
}

impl RunSource<'_> {
    /// The task, with all that arguments and the configuration say.
    ///
    /// # Errors
    /// What is wrong with the task or an argument, with the argument's name.
    pub fn load(&self, a: &RunOptions, io: &mut Io<'_>) -> Result<Task, Error> {
        let config = configuration::take(io)?;
        let mut given = config.defaults();
        match self {
            RunSource::Task { prompt, .. } => {
                if let Some(text) = prompt {
                    given.text(&["task", "prompt"], text, "--prompt");
                }
            }
            RunSource::Question { question, tools, more } => {
                if let Some(more) = more.first() {
                    let hint = if Path::new(more).exists() {
                        format!("a file is an input: write --ctx {}", word(Path::new(more)))
                    } else {
                        "write the question in quotes, and each file as --ctx FILE".to_owned()
                    };
                    let more = escape::quoted(more);
                    return Err(Error::new(
                        ErrorKind::Usage,
                        error_text!("{more} stands behind the question"; "{hint}"),
                    ));
                }
                if question.trim().is_empty() {
                    let words = "the question is empty; write what is to be answered, in quotes";
                    return Err(Error::new(ErrorKind::Usage, words));
                }
                given.text(&["task", "name"], NAME, "ptc ask");
                given.text(&["task", "prompt"], question, "the question");
                add_tools(&mut given, tools, &io.context.environment)?;
            }
        }
        given.extend(settings::overrides(&a.settings)?);
        let mut task = match self {
            RunSource::Task { path, .. } => Task::load_with(path, &given)?,
            RunSource::Question { .. } => Task::of_values(&given)?,
        };
        for input in inputs(&a.inputs.ctx, io)? {
            task.give_input(input);
        }
        if let (None, Some(model)) = (&a.model, config.model()) {
            task.use_default_model(model);
        }
        if matches!(self, RunSource::Question { .. }) && a.model.is_none() && task.lacks_model() {
            let (model, variable) = model_of_the_only_key(&io.context.environment, &config)?;
            if !a.quiet {
                io.info(&format!("asking {model}, since {variable} is set; --model NAME asks another"));
            }
            task.use_default_model(model);
        }
        Ok(task)
    }

    /// What is asked, where that is an argument.
    pub fn question(&self) -> Option<&str> {
        match self {
            RunSource::Task { prompt, .. } => *prompt,
            RunSource::Question { question, .. } => Some(question),
        }
    }

    /// The task's folder or file, where it has one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            RunSource::Task { path, .. } => Some(path),
            RunSource::Question { .. } => None,
        }
    }

    /// The command that runs this again, with all that is needed to continue its session.
    pub fn command(&self, a: &RunOptions) -> String {
        let text = |t: &str| word(Path::new(t));
        let mut out = match self {
            RunSource::Task { path, .. } => format!("ptc run {}", word(path)),
            RunSource::Question { question, .. } => format!("ptc ask {}", text(question)),
        };
        let mut add = |option: &str, value: &str| {
            out.push_str(&format!(" {option} {}", text(value)));
        };
        match self {
            RunSource::Task { prompt, .. } => prompt.iter().for_each(|p| add("--prompt", p)),
            RunSource::Question { tools, .. } => tools.iter().for_each(|t| add("--tool", t)),
        }
        a.inputs.ctx.iter().for_each(|c| add("--ctx", c));
        a.settings.limits.iter().for_each(|f| add("--limits", &f.display().to_string()));
        a.settings.set.iter().for_each(|s| add("--set", s));
        a.model.iter().for_each(|model| add("--model", model));
        if a.isolate {
            out.push_str(" --isolate");
        }
        out.push_str(&a.otel.options());
        if a.no_config {
            out.push_str(" --no-config");
        }
        out
    }
}

/// The name of the input that comes from standard input, where one does.
pub fn of_stdin(texts: &[String]) -> Option<String> {
    let mut all = texts.iter().filter_map(|text| GivenInput::parse(text).ok());
    all.find(GivenInput::is_stdin).map(|input| escape::line(input.name()).to_string())
}

/// The inputs that arguments name; one of them may be standard input.
///
/// # Errors
/// What is wrong with one of them.
pub fn inputs(texts: &[String], io: &mut Io<'_>) -> Result<Vec<GivenInput>, Error> {
    let mut all: Vec<GivenInput> = Vec::new();
    for text in texts {
        let mut input = GivenInput::parse(text)?;
        let name = escape::line(input.name()).to_string();
        let wrong = |t| Error::new(ErrorKind::Usage, t).at("--ctx");
        if let Some(other) = all.iter().find(|i| i.is_stdin() && input.is_stdin()) {
            let other = escape::line(other.name());
            let words =
                error_text!("standard input can be read once, and {other} has it"; "write one of them into a file");
            return Err(wrong(words));
        }
        if all.iter().any(|i| i.name() == input.name()) {
            return Err(wrong(error_text!("two inputs are called {name}"; "give each its own name, as {name}-2=FILE")));
        }
        if input.is_stdin() {
            input.give(ptc_agent::files::read_stdin(&mut *io.stdin)?);
        }
        all.push(input);
    }
    Ok(all)
}

/// Refuses standard input as an input, where programs come from it.
///
/// # Errors
/// With what to write.
pub fn no_stdin(texts: &[String]) -> Result<(), Error> {
    for text in texts {
        if GivenInput::parse(text)?.is_stdin() {
            let words = error_text!("standard input has the programs"; "write the input into a file, and name that");
            return Err(Error::new(ErrorKind::Usage, words).at("--ctx"));
        }
    }
    Ok(())
}

/// Says what is to be known of inputs besides their values.
pub fn tell_notes(inputs: &[Input], io: &mut Io<'_>) {
    for (name, note) in inputs.iter().filter_map(|i| Some((&i.name, i.note.as_ref()?))) {
        io.warn(&format!("ctx/{}: {}", escape::line(name), escape::line(note)));
    }
}

/// Commands as tables of `[tools]`.
fn add_tools(given: &mut Overrides, tools: &[String], environment: &Environment) -> Result<(), Error> {
    let mut names: Vec<String> = Vec::new();
    for text in tools {
        let label = format!("--tool {}", escape::line(text));
        let wrong = |t| Error::new(ErrorKind::Usage, t).at(&label);
        let name = |n: &str| !n.is_empty() && n.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let (named, command) = match text.split_once('=').filter(|(n, _)| name(n)) {
            Some((n, command)) => (Some(n), command),
            None => (None, text.as_str()),
        };
        if let (None, false, Some((n, rest))) = (named, Path::new(text).is_file(), text.split_once('='))
            && Path::new(rest).is_file()
        {
            let words = error_text!("{} is no name that programs can write", escape::quoted(n); "a name has letters, digits, - and _, as in --tool my-tool={}", escape::line(rest));
            return Err(wrong(words));
        }
        // A file whose name has spaces is one word.
        let words = if Path::new(command).is_file() { Some(vec![command.to_owned()]) } else { shlex::split(command) };
        let Some(mut words) = words.filter(|w| !w.is_empty()) else {
            return Err(wrong(
                error_text!("no command, or a quote that is not closed"; "write --tool NAME=./search.py"),
            ));
        };
        let interpreted =
            words.first().is_some_and(|p| !p.contains(std::path::is_separator) && !Path::new(p).is_file());
        if let Some(gone) = words.get(1).filter(|w| interpreted && has_script_name(w) && !Path::new(w).exists()) {
            let words = error_text!("there is no script {}", escape::quoted(gone); "check its name; it is looked for where ptc was started");
            return Err(wrong(words));
        }
        // A script behind its interpreter is what is called.
        let script =
            words.get(1).filter(|w| words.first().is_some_and(|p| !Path::new(p).is_file()) && is_script(w)).cloned();
        let Some(program) = words.first_mut() else { continue };
        let stem = Path::new(script.as_deref().unwrap_or(program))
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let called = named.map_or(stem, str::to_owned);
        if !name(&called) {
            let words = error_text!("{} is no name that programs can write", escape::quoted(&called); "write --tool NAME={}", escape::line(command));
            return Err(wrong(words));
        }
        if names.contains(&called) {
            return Err(wrong(
                error_text!("two tools are called {called}"; "give each its own name, as {called}-2=COMMAND"),
            ));
        }
        // `search.py` of this folder, where no such command is installed.
        let bare = !program.contains(std::path::is_separator);
        if bare && Path::new(program.as_str()).is_file() && !is_installed(program, environment) {
            *program = format!("./{program}");
        }
        given.texts(&["tools", &called, "command"], &words, &label);
        names.push(called);
    }
    Ok(())
}

/// Whether a folder of PATH has a file of this name.
fn is_installed(program: &str, environment: &Environment) -> bool {
    let folders = environment.get("PATH").unwrap_or_default();
    std::env::split_paths(folders).any(|folder| folder.is_absolute() && folder.join(program).is_file())
}

/// Whether a word of a command is a file that an interpreter runs.
fn is_script(word: &str) -> bool {
    has_script_name(word) && Path::new(word).is_file()
}

/// Whether a word of a command is named as a script is.
fn has_script_name(word: &str) -> bool {
    let path = Path::new(word);
    let end = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    matches!(end, "py" | "sh" | "js" | "mjs" | "ts" | "rb" | "pl" | "php" | "lua" | "r" | "R")
}

/// The model of the only provider whose key is in the environment, and the key's variable.
fn model_of_the_only_key(environment: &Environment, config: &UserConfig) -> Result<(&'static str, String), Error> {
    // The variable that a user sets: that of the configuration, where it names one.
    let variable = |p: Provider| {
        let own = p.key_variable();
        config.keys().find(|(of, _)| of.key_variable() == own).map_or(own, |(_, named)| named).to_owned()
    };
    let with_model = Provider::ALL.into_iter().filter_map(|p| Some((p.default_model()?, variable(p))));
    let all: Vec<(&str, String)> = with_model.collect();
    let there: Vec<_> = all.iter().filter(|(_, v)| environment.get(v).is_some()).collect();
    match there.as_slice() {
        [one] => Ok((one.0, one.1.clone())),
        [] => {
            let variables: Vec<&str> = all.iter().map(|a| a.1.as_str()).collect();
            Err(Error::new(
                ErrorKind::Usage,
                error_text!("no model is named, and no key is set ({})", variables.join(", "); "set one of them, or name a model that needs none: --model ollama/NAME, --model replay:FILE"),
            ))
        }
        several => {
            let found: Vec<&str> = several.iter().map(|a| a.1.as_str()).collect();
            let lines: Vec<String> = several.iter().map(|a| format!("--model {}", a.0)).collect();
            Err(Error::new(
                ErrorKind::Usage,
                error_text!("no model is named, and keys of several providers are set ({})", found.join(", "); "add {}", lines.join(" or ")),
            ))
        }
    }
}
