//! `ptc ask`: a task made of arguments.

use crate::args::AskArgs;
use crate::commands::run;
use crate::commands::run_source::RunSource;
use crate::terminal::io::{CliError, Io};

/// Runs the command: what `ptc run` does with a task.
pub fn ask(a: &AskArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let source = RunSource::Question { question: &a.question, tools: &a.tool, more: &a.more };
    run::start(&source, &a.options, io)
}
