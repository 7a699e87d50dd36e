//! The model of a task: its name in the file, and opening it.

use super::folder::Folder;
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::model::Model;
use crate::model::provider::{Environment, ModelName, ModelSettings, ProviderModel};
use crate::model::replay_model::ReplayModel;
use crate::toml_section::Section;

/// `model` of a table, checked as far as a name can be; recorded replies are a file of `folder`.
pub(super) fn parse(task: &Section<'_>, folder: &Folder) -> Result<Option<String>, Error> {
    let Some(name) = task.name("model")? else { return Ok(None) };
    check(name).map_err(|words| task.problem_at("model", words))?;
    if let Some(file) = name.strip_prefix("replay:") {
        folder.file(file).map_err(|p| task.problem_at("model", p))?;
    }
    Ok(Some(name.to_owned()))
}

/// Whether this can be the name of a model: `replay:FILE` or `PROVIDER/NAME`.
///
/// # Errors
/// In words that say what is right.
fn check(name: &str) -> Result<(), ErrorText> {
    match name.strip_prefix("replay:") {
        Some("") => Err("replay: names no file; write model = \"replay:replies.md\"".into()),
        Some(_) => Ok(()),
        None => name.parse::<ModelName>().map(drop).map_err(ErrorText::from),
    }
}

/// Opens the model of this name, continuing after so many turns. `task` stands in errors, `folder` is that of its files;
/// `strict` holds recorded replies to the prompts they were given to.
///
/// # Errors
/// When there is no name, it is none, there are no replies, or a key is missing.
pub(super) fn open(
    name: Option<&str>,
    task: &str,
    folder: &Folder,
    turns: u64,
    how: &ModelSettings,
    environment: &Environment,
    strict: bool,
) -> Result<Box<dyn Model>, Error> {
    let Some(name) = name else {
        let hint =
            "write model = \"openai/gpt-5.1\" or model = \"replay:replies.md\" into [task], or name one with --model";
        return Err(Error::new(ErrorKind::Task, error_text!("the task {task} names no model"; "{hint}")));
    };
    check(name).map_err(|w| Error::new(ErrorKind::Task, w))?;
    match name.strip_prefix("replay:") {
        Some(file) => Ok(Box::new(ReplayModel::load(&folder.file(file)?)?.after(turns).strict(strict))),
        None => {
            let opened = name.parse().and_then(|n| ProviderModel::new(n, environment, how.retry.clone()));
            let opened = opened?;
            Ok(Box::new(opened.with_answer_bytes(how.most_answer_bytes())))
        }
    }
}
