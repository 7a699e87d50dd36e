//! The model of a task: its name in the file, and opening it.

use crate::problem::Problem;
use crate::replay_model::ReplayModel;
use crate::section::Section;
use std::path::Path;

/// `model` of a table, checked as far as a name can be.
pub(super) fn parse(task: &Section<'_>) -> Result<Option<String>, Problem> {
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

/// Opens the model of this name, going on behind so many turns. `task` stands in errors, `folder` is where its files are.
///
/// # Errors
/// When there is no name, the model is not there yet, or has no replies.
pub(super) fn open(name: Option<&str>, task: &str, folder: &Path, turns: u64) -> Result<ReplayModel, Problem> {
    let hint = "write model = \"replay:replies.md\" into [task]";
    match name.map(|m| m.split_once(':').unwrap_or((m, ""))) {
        Some(("replay", file)) => Ok(ReplayModel::load(&folder.join(file))?.after(turns)),
        Some(_) => Err(Problem::not_yet("models other than recorded ones", hint)),
        None => Err(Problem::new(format!("the task {task} names no model; {hint}"))),
    }
}
