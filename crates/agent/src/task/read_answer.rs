//! Reading the known answer of a task, and whether it fits what the task expects.

use super::answer_section::Source;
use super::spec::Task;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::task::known_answer::KnownAnswer;

impl Task {
    /// Whether it has a known answer.
    pub fn has_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// Its known answer, read from its file; `None` where it has none. Nothing of it is in [`Task::config`].
    ///
    /// # Errors
    /// When the file cannot be read or is not what its name says, the program does not compile or is no function, or
    /// the value does not fit what the task expects.
    pub fn answer(&self) -> Result<Option<KnownAnswer>, Error> {
        let answer = match &self.answer {
            None => return Ok(None),
            Some(Source::File { name, tolerance }) => KnownAnswer::file(&self.place().file(name)?, *tolerance)?,
            Some(Source::Data { data, tolerance }) => {
                KnownAnswer::data(data, *tolerance).map_err(|p| p.at("answer"))?
            }
            Some(Source::Program(text)) => {
                // Inputs may be large: they are read for those that ask for them.
                let reads = text.contains("ctx/") || text.contains("data/");
                let inputs = if reads { self.inputs_within(&Cancel::default())? } else { Vec::new() };
                let context = inputs.into_iter().map(|i| (i.name, i.value)).collect();
                KnownAnswer::program(text, &self.limits, context).map_err(|p| p.at("answer_program"))?
            }
        };
        let misfit = |why: String| {
            Error::new(
                ErrorKind::Task,
                error_text!("the answer does not fit what is expected: {why}"; "correct one of them"),
            )
        };
        if let (Some(shape), Some(value)) = (&self.expect, answer.value()) {
            shape.check_json_as("answer", value).map_err(misfit)?;
        }
        if let (Some(schema), Some(json)) = (&self.schema, answer.json()) {
            (crate::schema_check::check(schema)?.fits)(json.text()).map_err(misfit)?;
        }
        Ok(Some(answer))
    }
}
