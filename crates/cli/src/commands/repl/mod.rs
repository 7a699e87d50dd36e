//! `ptc repl`: inputs as turns of a session, from a terminal or from a pipe.

pub mod editor;
mod input;
mod names;
mod nrepl;
mod session;
mod show;
mod source;
mod start;
mod tools;

use crate::args::ReplArgs;
use crate::exit_code::{DONE, FAILED};
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use editor::{Line, LineEditor};
use input::Reading;
use ptc_agent::Cancel;
use ptc_lisp::escape;
use session::{Around, ReplSession};
use show::printed;
use std::cell::{Cell, RefCell};
use std::io::Write;
use tools::Approval;

/// Runs the command.
pub fn repl(a: &ReplArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let (mut session, name) = start::start(a, io)?;
    if let Some(port) = a.nrepl {
        return nrepl::serve(session, port, io);
    }
    if io.context.interactive { on_terminal(&mut session, &name, io) } else { on_pipe(&mut session, io) }
}

/// What becomes of the REPL after an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Ok,
    Failed,
    Quit,
}

/// Reads inputs from a terminal until its end.
fn on_terminal(session: &mut ReplSession, name: &str, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut editor = LineEditor::new(&io.context)?;
    editor.damaged().into_iter().for_each(|words| io.warn(words));
    let s = session.session();
    let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let (tools, inputs) = (count(s.tools().len(), "tool"), count(s.inputs().len(), "input"));
    io.info(&format!("{tools}, {inputs}. :help tells more, exit or Ctrl-D ends."));
    loop {
        editor.know(session.session());
        match editor.read(&format!("{}=> ", escape::line(name)))? {
            Line::Input(text) if Reading::of(&text).is_blank() => {}
            Line::Input(text) => {
                if let Err(e) = editor.keep(&text) {
                    io.warn(&format!("the history of inputs is not kept: {e}"));
                }
                if input(&text, session, &mut editor::approve, io)? == After::Quit {
                    return Ok(DONE);
                }
                if let Some(code) = interrupt::ending() {
                    return Ok(code);
                }
            }
            Line::Cleared => {}
            Line::End => return Ok(DONE),
        }
    }
}

/// Reads inputs from standard input until its end. An input ends with the line that closes its brackets.
fn on_pipe(session: &mut ReplSession, io: &mut Io<'_>) -> Result<i32, CliError> {
    let most = usize::try_from(session.session().trace().header.limits.source_bytes).unwrap_or(usize::MAX);
    let (mut text, mut reading, mut bytes) = (String::new(), Reading::default(), Vec::new());
    let (mut code, mut number, mut first) = (DONE, 0_u64, 1_u64);
    loop {
        let end = ptc_agent::files::read_line(&mut *io.stdin, &mut bytes, "standard input")? == 0;
        number = number.saturating_add(1);
        let Ok(line) = std::str::from_utf8(&bytes) else {
            io.error(&format!("standard input: line {number} is not UTF-8 text; nothing from line {first} on was run"));
            return Ok(FAILED);
        };
        reading.line(line);
        text.push_str(line);
        if text.len() > most {
            let words = format!(
                "standard input: the input that begins on line {first} is longer than source_bytes = {most}; it and what follows was not run"
            );
            io.error(&words);
            return Ok(FAILED);
        }
        if !end && reading.is_open() {
            continue;
        }
        if !reading.is_blank() {
            match input(&text, session, &mut |_, _| Approval::Nobody, io)? {
                After::Ok => {}
                After::Failed => code = FAILED,
                After::Quit => return Ok(code),
            }
            if let Some(code) = interrupt::ending() {
                return Ok(code);
            }
        }
        if end {
            return Ok(code);
        }
        text.clear();
        reading = Reading::default();
        first = number.saturating_add(1);
    }
}

/// Carries out an input: a command, or a program that is the next turn.
fn input(
    text: &str,
    session: &mut ReplSession,
    ask: &mut dyn FnMut(&str, &str) -> Approval,
    io: &mut Io<'_>,
) -> Result<After, CliError> {
    match input::command(text) {
        Some(":quit") => return Ok(After::Quit),
        Some(":reset") if session.is_kept() => {
            io.error("what --save has kept cannot be taken back; begin ptc repl again with another file");
            return Ok(After::Failed);
        }
        Some(":reset") => {
            session.reset();
            io.info("all that was done here is forgotten");
            return Ok(After::Ok);
        }
        Some(command) => {
            show::tell(command, session, io)?;
            return Ok(After::Ok);
        }
        None => {}
    }
    let s = session.session();
    // A definition of one's own has precedence.
    if input::leaves(text, |name| s.memory().get(name).is_some()) {
        return Ok(After::Quit);
    }
    let asked = input::source_of(text, &s.trace().header.limits).filter(|_| s.memory().get("source").is_none());
    if let Some(name) = asked {
        return Ok(match source::source(s, &name) {
            Ok(program) => {
                writeln!(io.out, "{}", printed(&program))?;
                io.out.flush()?;
                After::Ok
            }
            Err(words) => {
                io.error(&words);
                After::Failed
            }
        });
    }
    let cancel = Cancel::default();
    let _guard = interrupt::watch(&cancel);
    // On a terminal all that is shown stands in one place; elsewhere values alone are the result.
    let open = Cell::new(false);
    let ran = {
        let to: &mut dyn Write = if io.context.interactive { &mut *io.out } else { &mut *io.err };
        let to = RefCell::new(to);
        let on_print = |text: &str| {
            let text = printed(text);
            if let Some(last) = text.chars().last() {
                open.set(last != '\n');
            }
            let mut to = to.borrow_mut();
            // Nobody reading it is no reason to end the turn.
            let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
        };
        session.run(text, Around { ask, on_print: &on_print, cancel: &cancel })
    };
    if open.get() {
        if io.context.interactive { writeln!(io.out)? } else { io.info("") }
    }
    match ran {
        Ok((record, lost)) => {
            let failed = show::turn(&record, lost.as_ref(), session.of_trace, io)?;
            if let Some(words) = record.error.as_ref().and_then(|e| input::instead(text, e.kind)) {
                io.info(words);
            }
            Ok(if failed { After::Failed } else { After::Ok })
        }
        Err(why) => {
            show::not_run(&why, io);
            Ok(After::Failed)
        }
    }
}
