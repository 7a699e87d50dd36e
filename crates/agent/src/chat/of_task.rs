//! A task as a conversation: its model, tools, inputs and history, without programs.

use super::{Chat, Parameters};
use crate::error::Error;
use crate::run_context::RunContext;
use crate::task::Task;
use ptc_history::tokens::{Api, Profiles};
use ptc_lisp::json;
use ptc_turns::Input;

impl Chat {
    /// A conversation with the task's model, which calls its tools natively. `words` and the inputs come first, as the system
    /// message; every request is a view by the task's `[history]`.
    ///
    /// # Errors
    /// When there is no model, a key is missing, or a tool or an input cannot be loaded.
    pub fn of_task(task: &Task, words: &str, around: &RunContext) -> Result<Chat, Error> {
        let model = task.open_model(task.model.as_deref(), 0, &around.environment)?;
        let config = task.config()?;
        let parameters = Parameters { history: Some(config.policy.history), ..Parameters::default() };
        let mut chat = Chat::new(model).with_tools(task.own_tools(&[])?).with_parameters(parameters);
        if let Some((provider, name)) = task.model.as_deref().and_then(|m| m.split_once('/')) {
            chat = chat.with_profile(Profiles::built_in().find(provider, Api::of(provider, &[], None), name));
        }
        if let Some(summaries) = task.summaries(around)? {
            chat = chat.with_summarizer(summaries);
        }
        let parts = std::iter::once(words.trim().to_owned()).chain(config.inputs.iter().map(input));
        let system: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        Ok(if system.is_empty() { chat } else { chat.system(system.join("\n\n")) })
    }
}

/// An input as the model reads it: a text as it is, data as JSON.
fn input(input: &Input) -> String {
    let text = match input.value.as_str() {
        Some(text) => text.to_owned(),
        None => json::to_text(&input.value).unwrap_or_else(|e| e.message),
    };
    format!("# Input {}\n\n{text}", input.name)
}
