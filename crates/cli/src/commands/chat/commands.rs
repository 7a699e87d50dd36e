//! The conversation at the prompt, and the commands that begin with a slash.

use super::kept::KeptConversation;
use crate::terminal::io::{CliError, Io};
use ptc_agent::chat::{Answer, Chat, Ended, Parameters};
use ptc_agent::model::Price;
use ptc_agent::task::options;
use ptc_agent::{Cancel, Error, ErrorKind, error_text};
use ptc_history::policy::{Policy, Strategy};
use ptc_history::view::Level;
use ptc_history::why;
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;
use ptc_turns::trace::record::{ModelUsage, Usage};
use std::path::Path;

/// The commands, and what each does.
const COMMANDS: &[(&str, &str)] = &[
    ("help", "this list"),
    ("policy", "how history is shortened; /policy auto, or /policy FILE, changes it from the next message on"),
    ("tokens", "what was used so far; /cost is the same"),
    ("why", "what the next request shows of the conversation, and why"),
    ("quit", "end, as Ctrl-D does"),
];

/// What becomes of `ptc chat` behind an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Ok,
    Failed,
    Interrupted,
    Quit,
}

/// A policy by the name of a strategy, or from a file.
///
/// # Errors
/// When it is neither.
pub fn policy(name: &str) -> Result<Policy, Error> {
    if let Some(strategy) = Strategy::ALL.into_iter().find(|s| s.name() == name) {
        let policy = Policy::with(strategy);
        policy.check().map_err(|e| Error::new(ErrorKind::Usage, e.to_string()).at("--policy"))?;
        return Ok(policy);
    }
    if Path::new(name).exists() {
        return options::history_file(Path::new(name));
    }
    let names: Vec<&str> = Strategy::ALL.into_iter().map(Strategy::name).collect();
    let hint = match did_you_mean(name, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("strategies are {}", names.join(", ")),
    };
    let words = error_text!("{} is no strategy, and no file", escape::quoted(name); "{hint}");
    Err(Error::new(ErrorKind::Usage, words).at("--policy"))
}

/// A conversation, how it is shown, and what it has used.
pub struct Talk {
    chat: Chat,
    parameters: Parameters,
    kept: Option<KeptConversation>,
    price: Option<Price>,
    asked: u64,
    usage: Usage,
}

impl Talk {
    /// A conversation under a policy over the task's own, kept in a file.
    pub fn new(chat: Chat, policy: Option<Policy>, kept: Option<KeptConversation>, price: Option<Price>) -> Self {
        let parameters = Parameters { history: policy, ..Parameters::default() };
        Talk { chat, parameters, kept, price, asked: 0, usage: Usage::default() }
    }

    /// The conversation.
    pub fn chat(&self) -> &Chat {
        &self.chat
    }

    /// Says a message; `shown` gets the answer as it comes. Gives the warnings about it.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn say(&mut self, text: &str, cancel: &Cancel, shown: &mut dyn FnMut(&str)) -> Result<Vec<String>, Error> {
        self.chat.set_cancel(cancel.clone());
        let mut any = false;
        let answer = self.chat.stream(text, &self.parameters, &mut |piece| {
            any |= !piece.is_empty();
            shown(piece);
        })?;
        // A model that answers at once, and the last text of one that went on calling tools.
        if !any {
            shown(&answer.text);
        }
        self.asked = self.asked.saturating_add(u64::from(answer.iterations));
        answer.usage.iter().for_each(|u| self.add(u));
        Ok(warnings(&answer))
    }

    fn add(&mut self, more: &ModelUsage) {
        let sum = |to: &mut Option<u64>, n: Option<u64>| {
            if let Some(n) = n {
                *to = Some(to.unwrap_or(0).saturating_add(n));
            }
        };
        sum(&mut self.usage.input_tokens, more.input_tokens);
        sum(&mut self.usage.output_tokens, more.output_tokens);
        sum(&mut self.usage.cached_tokens, more.cached_tokens);
        sum(&mut self.usage.cache_write_tokens, more.cache_write_tokens);
    }

    /// Writes the conversation into its file, where it has one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self) -> Result<(), Error> {
        self.kept.as_mut().map_or(Ok(()), |kept| kept.keep(self.chat.conversation()))
    }

    /// Carries out a command, without its slash.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn command(&mut self, command: &str, io: &mut Io<'_>) -> Result<After, CliError> {
        let (name, rest) = command.trim().split_once(char::is_whitespace).unwrap_or((command.trim(), ""));
        let after = match (name, rest.trim()) {
            ("quit" | "exit" | "q", "") => return Ok(After::Quit),
            ("help", "") => {
                for (name, words) in COMMANDS {
                    writeln!(io.out, "/{name:<8} {words}")?;
                }
                writeln!(io.out, "//...      a message that begins with a slash")?;
                After::Ok
            }
            ("tokens" | "cost", "") => {
                let used = crate::terminal::progress::tokens(&self.usage, self.price.as_ref());
                writeln!(io.out, "the model was asked {} times: {used}", self.asked)?;
                After::Ok
            }
            ("policy", "") => {
                let policy = self.parameters.history.as_ref().or(self.chat.parameters().history.as_ref());
                writeln!(io.out, "{}", described(policy.unwrap_or(&Policy::default())))?;
                After::Ok
            }
            ("policy", name) => match policy(name) {
                Ok(policy) => {
                    self.parameters.history = Some(policy);
                    After::Ok
                }
                Err(e) => Self::failed(&e, io),
            },
            ("why", "") => match self.chat.preview("(the next message)", &self.parameters) {
                Ok(view) => {
                    io.out.write_all(why::text(&view).as_bytes())?;
                    After::Ok
                }
                Err(e) => Self::failed(&e, io),
            },
            _ => {
                let near = did_you_mean(name, COMMANDS.iter().map(|c| c.0));
                let hint = near.map_or_else(
                    || "/help lists them, and // begins a message with a slash".to_owned(),
                    |near| format!("did you mean /{near}?"),
                );
                io.error(&format!("there is no command /{}; {hint}", escape::line(command)));
                After::Failed
            }
        };
        io.out.flush()?;
        Ok(after)
    }

    fn failed(e: &Error, io: &mut Io<'_>) -> After {
        io.error(&e.text());
        After::Failed
    }
}

/// The strategy, and the options that are not as they are without being set.
fn described(policy: &Policy) -> String {
    let own = serde_json::to_value(policy).unwrap_or_default();
    let usual = serde_json::to_value(Policy::default()).unwrap_or_default();
    let set = own
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, value)| *key != "strategy" && usual.get(key) != Some(value));
    set.fold(policy.strategy.name().to_owned(), |out, (key, value)| format!("{out}, {key} = {value}"))
}

/// What is to be known of an answer besides its text.
fn warnings(answer: &Answer) -> Vec<String> {
    let of_history = answer.events.iter().filter(|e| e.level == Level::Warn).map(|e| e.text.to_string());
    let cut = answer.cut.then(|| "the provider cut the answer; raise model.max_tokens with --set".to_owned());
    let ended = (answer.ended == Ended::MaxIterations)
        .then(|| "the model went on calling tools, and was not asked again".to_owned());
    of_history.chain(cut).chain(ended).collect()
}
