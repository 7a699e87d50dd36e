//! Sessions run by the language here.

use crate::Answer;
use ptc_lisp::error::ErrorKind;
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print;

/// How a session is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// As for everybody.
    Usual,
    /// With nothing moved, fused or changed in place.
    Plain,
}

/// What a session answers, turn by turn; `None` when a turn ends at a limit, so that nothing can be said about it.
pub fn answers(session: &[String], code: Code) -> Option<Vec<Answer>> {
    let limits = Limits { fuel: 3_000_000, ..Limits::default() };
    let mut memory = Memory::new();
    let run = match code {
        Code::Usual => ptc_lisp::run,
        Code::Plain => ptc_lisp::run_plain,
    };
    let mut out = Vec::with_capacity(session.len());
    for program in session {
        match run(program, &mut memory, RunInput::new(&limits, &[], &mut ())).ending {
            RunResult::Value(v) => out.push(Some(print::readable(&v, 1 << 20))),
            RunResult::Error(e) if is_limit(e.kind) => return None,
            RunResult::Error(_) | RunResult::Returned(_) | RunResult::Failed(..) => out.push(None),
        }
    }
    Some(out)
}

/// The error of the first turn that fails, for people.
pub fn words(session: &[String]) -> Option<String> {
    let limits = Limits::default();
    let mut memory = Memory::new();
    for program in session {
        if let RunResult::Error(e) = ptc_lisp::run(program, &mut memory, RunInput::new(&limits, &[], &mut ())).ending {
            return Some(format!("{}: {}", e.kind.as_str(), e.message));
        }
    }
    None
}

fn is_limit(kind: ErrorKind) -> bool {
    kind.as_str().starts_with("limit/")
}
