//! What is shown of an input: what it printed, its value or its error, and what the commands tell.

use super::input::COMMANDS;
use super::session::{NotRun, ReplSession};
use crate::commands::eval::show_error;
use crate::terminal::io::{CliError, Io, YELLOW};
use crate::terminal::progress::{missed_keys, mixed_answers, note_line};
use crate::terminal::values::{Layout, layout};
use ptc_agent::Error;
use ptc_agent::task::options::limit_list;
use ptc_lisp::{escape, tool_doc};
use ptc_turns::TurnRecord;
use ptc_turns::text::sample::type_word;

/// Lines of a value that are shown on a terminal.
pub const LINES: usize = 40;
/// Columns of a terminal that does not say.
const COLUMNS: usize = 80;

/// Text that was printed, line ends and tabs kept, nothing else in it that a terminal would obey.
pub fn printed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\n' | '\t') { out.push(c) } else { escape::push(&mut out, c) }
    }
    out
}

/// Shows a turn behind what it has printed. Whether it failed.
///
/// # Errors
/// When nothing can be written.
pub fn turn(record: &TurnRecord, lost: Option<&Error>, of_trace: bool, io: &mut Io<'_>) -> Result<bool, CliError> {
    record.notes.iter().for_each(|n| io.info(&note_line(n)));
    mixed_answers(record).iter().for_each(|words| io.info(&format!("note: {words}")));
    missed_keys(record).iter().for_each(|hint| io.info(hint));
    let failed = !record.status.committed();
    if failed {
        let raises = |limit: &str| match of_trace {
            true => format!("a session keeps the limits of its trace; one of a task has --set limits.{limit}=N"),
            false => format!("start ptc repl with --set limits.{limit}=N"),
        };
        show_error(record, &record.printed.concat(), raises, io);
    } else {
        value(record.value.as_deref().unwrap_or("nil"), LINES, io)?;
    }
    if let Some(e) = lost {
        io.error(&format!("the turn is not kept: {}", e.text()));
    }
    io.out.flush()?;
    Ok(failed || lost.is_some())
}

/// The report of a turn that failed, as a model reads it.
pub fn report(record: &TurnRecord) -> String {
    let lines = record.feedback.lines().skip_while(|l| !l.starts_with("Error: ")).filter(|l| !l.starts_with("Turn "));
    let report = lines.collect::<Vec<_>>().join("\n");
    match (&record.error, report.is_empty()) {
        (Some(e), true) => format!("Error: {}: {}", e.kind.as_str(), escape::line(&e.message)),
        _ => report,
    }
}

/// Shows a value, on a terminal in at most so many lines.
///
/// # Errors
/// When it cannot be written.
pub fn value(text: &str, most: usize, io: &mut Io<'_>) -> Result<(), CliError> {
    if io.context.interactive {
        let width = io.context.width.unwrap_or(COLUMNS);
        let how = Layout { width, color: io.context.color, lines: most, whole: ":all shows the whole value" };
        io.out.write_all(layout(text, &how).as_bytes())?;
    } else {
        writeln!(io.out, "{text}")?;
    }
    Ok(())
}

/// Says why there is no turn of an input.
pub fn not_run(why: &NotRun, io: &mut Io<'_>) {
    match why {
        NotRun::Cancelled { calls: 0 } => {
            io.info(&format!("{YELLOW}interrupted{YELLOW:#}: nothing of this input is kept"));
        }
        NotRun::Cancelled { calls } => {
            let calls = if *calls == 1 { "1 tool call was".to_owned() } else { format!("{calls} tool calls were") };
            io.info(&format!("{YELLOW}interrupted{YELLOW:#}: nothing of this input is kept, but {calls} made"));
        }
        NotRun::Refused(words) => io.error(words),
    }
}

/// Carries out a command that only tells something.
///
/// # Errors
/// When it cannot be written.
pub fn tell(command: &str, session: &ReplSession, io: &mut Io<'_>) -> Result<(), CliError> {
    let s = session.session();
    match command {
        ":help" => {
            for (name, words) in COMMANDS {
                writeln!(io.out, "{name:<9} {words}")?;
            }
            for (name, words) in [
                ("(doc f)", "what a function, form or tool does"),
                ("(apropos \"re\")", "names with this in them"),
                ("(source f)", "the program of a function that was defined here"),
                ("*1 *2 *3 *e", "the last three values, the last error"),
            ] {
                writeln!(io.out, "{name:<15} {words}")?;
            }
        }
        ":tools" if s.tools().is_empty() => writeln!(io.out, "no tools")?,
        ":tools" => {
            for tool in s.tools() {
                writeln!(io.out, "{}", tool_doc::full(tool))?;
            }
        }
        ":inputs" if s.inputs().is_empty() => writeln!(io.out, "no inputs; --ctx NAME=FILE gives one")?,
        ":inputs" => {
            for (name, value) in s.inputs() {
                writeln!(io.out, "ctx/{} {}", escape::line(name), type_word(value))?;
            }
        }
        ":limits" => {
            for (name, value, words) in limit_list(&s.trace().header.limits) {
                writeln!(io.out, "{name:<15}{value:>12}  {words}")?;
            }
        }
        _ => {
            let last = s.trace().turns().iter().rev().find(|t| t.status.committed());
            value(last.and_then(|t| t.value.as_deref()).unwrap_or("nil"), usize::MAX, io)?;
        }
    }
    io.out.flush()?;
    Ok(())
}
