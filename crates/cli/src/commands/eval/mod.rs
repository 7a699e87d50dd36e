//! `ptc eval`: programs, each a turn of one session.

mod batch;
mod session;
mod test_tools;

use crate::args::EvalArgs;
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io, RED};
use crate::terminal::progress::{missed_keys, note_line};
use ptc_agent::task::options::limit_list;
use ptc_agent::{Error, error_text};
use ptc_lisp::error::ErrorKind;
use ptc_lisp::escape;
use ptc_lisp::limits::Limits;
use ptc_turns::trace::record::ErrorRecord;
use ptc_turns::{Input, Status, TurnRecord};
use session::{Answer, EvalSession};
use std::path::Path;

/// Runs the command.
pub fn eval(a: &EvalArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut session = EvalSession::new(a, io)?;
    if a.batch {
        return batch::batch(a, session, io);
    }
    let mut code = DONE;
    for source in sources(a)? {
        let answer = match source.read(io) {
            Ok(text) => session.run(&text),
            // A program that is no text is a turn that failed, for those who count lines.
            Err(p) if a.json && p.text().contains("not UTF-8") => Answer::refused(ErrorKind::Parse, &p.text()),
            Err(p) => return Err(p.into()),
        };
        code = if answer.failed() { FAILED } else { DONE };
        if a.json {
            writeln!(io.out, "{}", answer.json())?;
        } else {
            show(&answer, a.raw, io)?;
        }
        io.out.flush()?;
    }
    Ok(code)
}

/// Runs one program over an input as `ptc eval` runs it, after another that gets it ready.
///
/// # Errors
/// When the result cannot be written.
pub fn over(input: Input, ready: &str, program: &str, json: bool, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut session = EvalSession::over(input);
    let before = session.run(ready);
    let answer = if before.failed() { before } else { session.run(program) };
    if json {
        writeln!(io.out, "{}", answer.json())?;
    } else {
        show(&answer, false, io)?;
    }
    Ok(if answer.failed() { FAILED } else { DONE })
}

enum Source<'a> {
    Expr(&'a str),
    File(&'a Path),
    Stdin,
}

impl Source<'_> {
    fn read(&self, io: &mut Io<'_>) -> Result<String, Error> {
        match self {
            Source::Expr(e) => Ok((*e).to_owned()),
            Source::File(f) => ptc_agent::files::read_text(f),
            Source::Stdin => io.read_stdin(),
        }
    }
}

fn sources(a: &EvalArgs) -> Result<Vec<Source<'_>>, Error> {
    let mut all: Vec<Source<'_>> = a.expr.iter().map(|e| Source::Expr(e)).collect();
    for f in &a.files {
        if f.as_os_str() == "-" {
            all.push(Source::Stdin);
        } else {
            // Before anything runs: a turn that ran cannot be taken back.
            ptc_agent::files::check_file(f).map_err(|e| expression(f).unwrap_or(e))?;
            all.push(Source::File(f));
        }
    }
    if all.is_empty() {
        return Err(Error::new(
            ptc_agent::ErrorKind::Usage,
            "nothing to run; give a FILE, -e EXPR, or - for standard input",
        ));
    }
    Ok(all)
}

/// The error of a program that stands where a file is meant; `None` of what may be a file.
fn expression(f: &Path) -> Option<Error> {
    let text = f.to_str().filter(|t| t.trim_start().starts_with(['(', '[', '{', '"', ':']) && !f.exists())?;
    let command = format!("ptc eval -e {}", ptc_agent::files::shell_word(text));
    let words = error_text!("there is no such file"; "a program is given as {command}");
    Some(Error::new(ptc_agent::ErrorKind::Usage, words).at(&escape::line(text)))
}

/// What the program printed, and behind it the value, as `clojure -e` writes them: nil is not shown. All else goes to stderr.
fn show(answer: &Answer, raw: bool, io: &mut Io<'_>) -> Result<(), CliError> {
    match answer {
        Answer::Refused(f) => io.error(&f.message),
        Answer::Ran(r) => {
            let printed = r.printed.concat();
            io.out.write_all(printed.as_bytes())?;
            io.out.flush()?;
            r.notes.iter().for_each(|n| io.info(&note_line(n)));
            missed_keys(r).iter().for_each(|hint| io.info(hint));
            let value = r.value.as_deref().unwrap_or("nil");
            // A keyword is a string in JSON too.
            let text = r.value_json.as_ref().filter(|_| raw && value.starts_with('"'));
            let text = text.and_then(|json| serde_json::from_str::<String>(json.text()).ok());
            if !r.status.committed() {
                show_error(r, &printed, |limit| format!("--set limits.{limit}=N"), io);
            } else if value != "nil" {
                writeln!(io.out, "{}", text.as_deref().unwrap_or(value))?;
            }
        }
    }
    Ok(())
}

/// The report as the model would read it, its first word coloured; then, of a limit, how a person raises it: `raises` is the
/// option that does.
pub fn show_error(r: &TurnRecord, printed: &str, raises: impl Fn(&str) -> String, io: &mut Io<'_>) {
    // The feedback is the printed text, the report, and the line of turns.
    let report: Vec<&str> =
        r.feedback.lines().skip_while(|l| !l.starts_with("Error: ")).filter(|l| !l.starts_with("Turn ")).collect();
    match (report.split_first(), &r.error) {
        (Some((first, rest)), _) => {
            let words = first.strip_prefix("Error: ").unwrap_or(first);
            io.info(&format!("{RED}Error:{RED:#} {words}"));
            rest.iter().for_each(|l| io.info(l));
        }
        (None, Some(e)) => io.error(&format!("{}: {}", e.kind.as_str(), e.message)),
        (None, None) if r.status == Status::Ok || !printed.is_empty() => {}
        (None, None) => io.error("the turn failed"),
    }
    if let Some(limit) = r.error.as_ref().and_then(limit_of) {
        io.info(&format!("  a higher {limit}: {}", raises(limit)));
    }
}

/// The limit that an error is about: `the program used up fuel = 1000`.
fn limit_of(e: &ErrorRecord) -> Option<&'static str> {
    let limits = limit_list(&Limits::default());
    let named =
        |name: &str| e.message.split_whitespace().zip(e.message.split_whitespace().skip(1)).any(|w| w == (name, "="));
    limits.into_iter().map(|limit| limit.0).find(|name| e.kind.as_str().starts_with("limit/") && named(name))
}
