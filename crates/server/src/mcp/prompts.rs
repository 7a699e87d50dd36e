//! Prompts that a user can pick in a client: each task, to be solved by the client's own model.

use crate::sessions::ServedTask;
use rmcp::model::{ErrorData, GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};

/// What is asked behind what the task says.
const REQUEST: &str = "request";

/// A prompt for each task.
pub(super) fn list(tasks: &[ServedTask]) -> Vec<Prompt> {
    let prompt = |task: &ServedTask| {
        let request = PromptArgument::new(REQUEST).with_description("What is asked, behind what the task says");
        let words = ptc_lisp::error::cut(task.description.clone(), 1000);
        Prompt::new(&task.name, Some(words), Some(vec![request.with_required(false)]))
    };
    tasks.iter().map(prompt).collect()
}

/// A task as a message to the client's model.
pub(super) fn get(tasks: &[ServedTask], asked: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let Some(task) = tasks.iter().find(|t| t.name == asked.name) else {
        let shown = ptc_lisp::error::cut(ptc_lisp::escape::quoted(&asked.name).to_string(), 100);
        return Err(ErrorData::invalid_params(format!("there is no prompt {shown}; list them"), None));
    };
    let request = match asked.arguments.as_ref().and_then(|given| given.get(REQUEST)) {
        None => "",
        Some(serde_json::Value::String(text)) => text.trim(),
        Some(_) => return Err(ErrorData::invalid_params(format!("{REQUEST} is a text"), None)),
    };
    let mut text = task.prompt.trim().to_owned();
    for part in [request, &how(&task.name)] {
        if !part.is_empty() {
            text.push_str(if text.is_empty() { "" } else { "\n\n" });
            text.push_str(part);
        }
    }
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

fn how(task: &str) -> String {
    let task = serde_json::Value::from(task);
    format!(
        "Solve this with the tool `run`: programs in PTC-Lisp, with task = {task} in the first call, and in the next ones the `session` that it \
         answers with. Inputs are `ctx/NAME`; the tool `tools` lists what programs can call. `(return value)` in the last program ends it."
    )
}
