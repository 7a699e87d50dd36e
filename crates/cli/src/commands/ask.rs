//! `ptc ask`: a task made of arguments, and further questions to its session.

use crate::args::{AskArgs, RunOptions};
use crate::commands::asked::{here, take};
use crate::commands::run;
use crate::commands::run_result::not_begun;
use crate::commands::run_source::RunSource;
use crate::terminal::io::{CliError, Io, word};
use ptc_agent::{Error, ErrorKind, error_text, trace_file};

/// Runs the command: what `ptc run` does with a task.
pub fn ask(a: &AskArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let (tools, options, question) = match with_kept(a, io) {
        Ok(all) => all,
        Err(p) => {
            not_begun(a.options.form(), &p, io)?;
            return Err(p.into());
        }
    };
    let source = RunSource::Question { question: &question, tools: &tools, more: &a.more };
    run::start(&source, &options, io)
}

/// The commands, the options and the question: those of the session that is gone on with where none are given.
fn with_kept(a: &AskArgs, io: &Io<'_>) -> Result<(Vec<String>, RunOptions, String), Error> {
    let mut options = a.options.clone();
    let store = io.context.sessions();
    if options.go_on {
        let store = store.as_ref().ok_or_else(|| {
            let words = error_text!("there is no folder for sessions"; "set PTC_HOME to one, or give --resume TRACE");
            Error::new(ErrorKind::Usage, words)
        })?;
        options.resume = Some(store.newest_asked(&here())?.trace());
        options.go_on = false;
    }
    let question = match (&a.question, &options.resume) {
        (Some(question), _) => question.clone(),
        (None, Some(trace)) => {
            let trace = trace_file::read(trace)?.trace;
            trace.follow_ups().last().unwrap_or_else(|| trace.header.question()).to_owned()
        }
        (None, None) => String::new(),
    };
    let kept = options.resume.as_deref().and_then(|trace| store?.of_trace(trace)?.asked());
    let Some(kept) = kept else { return Ok((a.tool.clone(), options, question)) };
    let tools = if a.tool.is_empty() { kept.tools.clone() } else { a.tool.clone() };
    if a.tool.is_empty() && !tools.is_empty() && kept.folder != here() {
        let folder = kept.folder.display();
        let words = error_text!("the commands of --tool were named in the folder {folder}"; "go there (cd {}), or give --tool again", word(&kept.folder));
        return Err(Error::new(ErrorKind::Usage, words));
    }
    take(&kept, &mut options)?;
    Ok((tools, options, question))
}
