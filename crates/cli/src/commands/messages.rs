//! `ptc messages`: what the model sees before a turn.

use crate::args::MessagesArgs;
use crate::exit_code::DONE;
use crate::reasons;
use crate::request_size::{chars, context, note};
use crate::terminal::io::{CliError, Io};
use crate::traces::counter;
use crate::traces::{compressed, load, recorded_model};
use ptc_agent::error_text;
use ptc_agent::task::options;
use ptc_agent::{Error, ErrorKind, Summaries};
use ptc_history::view::{Level, TokenCounter};
use ptc_history::{Format, ViewContext, export, render};
use ptc_turns::policy::Layout;

/// Runs the command.
pub fn messages(a: &MessagesArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let trace = load(&a.trace, io)?;
    let policy = match &a.policy {
        Some(file) => {
            let policy = options::policy_file(file)?;
            if policy.layout == Layout::Coalesced && !trace.header.acts.is_empty() {
                let words = "layout = \"coalesced\" puts all turns into one message, and each act of this trace is asked in its own; take it out";
                return Err(Error::new(ErrorKind::Usage, words).at(&file.display().to_string()).into());
            }
            policy
        }
        None => trace.header.policy.clone(),
    };
    let policy = compressed(policy, &a.compression);
    let turns = trace.turns().len() as u64;
    if let Some(k) = a.turn.filter(|k| *k > turns.saturating_add(1)) {
        return Err(Error::new(
            ErrorKind::Usage,
            error_text!("there is no turn {k}: the trace has {turns}"; "give --turn 1 to {}", turns.saturating_add(1)),
        )
        .into());
    }
    let model = a.model.clone().unwrap_or_else(|| recorded_model(&trace));
    let counter = if policy.history.max_tokens.is_some() { Some(counter(&model)?) } else { None };
    // What a model wrote for this session is kept beside its trace.
    let kept = Summaries::kept(&a.trace)?;
    let measure = counter.as_ref().map(|c| c as &dyn TokenCounter);
    let with = ViewContext {
        counter: measure,
        summarizer: Some(&kept),
        summary_cache: Some(kept.memo()),
        ..ViewContext::default()
    };
    let view =
        ptc_turns::request(&trace, &policy, a.turn, &with).map_err(|e| Error::new(ErrorKind::Usage, e.to_string()))?;
    for e in view.events.iter().filter(|e| e.level == Level::Warn) {
        io.warn(&e.text);
    }
    let list = view.messages();
    if a.verbose {
        view.events.iter().filter_map(note).for_each(|words| io.info(&words));
        let full = ptc_turns::messages(&trace, &policy.clone().uncompressed(), a.turn);
        io.info(&context(chars(&full), chars(&list)));
    }
    if let Some(format) = &a.format {
        let format: Format =
            format.parse().map_err(|e: ptc_history::FormatError| Error::new(ErrorKind::Usage, e.to_string()))?;
        let body = export(&list, format).map_err(|e| Error::new(ErrorKind::Usage, e.to_string()))?;
        writeln!(io.out, "{body}")?;
    } else if a.why {
        io.out.write_all(reasons::text(&trace, &policy, a.turn, &view).as_bytes())?;
    } else if a.json {
        writeln!(io.out, "{}", render::json(&list))?;
    } else {
        io.out.write_all(render::text(&list).as_bytes())?;
    }
    Ok(DONE)
}
