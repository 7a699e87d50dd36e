//! A session of the bare language: programs in, texts out.

use ptc_lisp::interface::{Outcome, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;

/// A session with its limits.
pub struct Session {
    /// What it remembers.
    pub memory: Memory,
    /// What a turn may use.
    pub limits: Limits,
}

impl Default for Session {
    fn default() -> Self {
        // Fuel ends runaway programs the same on every machine; the clock does not advance.
        Session { memory: Memory::new(), limits: Limits { cpu_ms: 0, wall_ms: 0, ..Limits::default() } }
    }
}

impl Session {
    /// Runs a program as one turn.
    pub fn run(&mut self, source: &str) -> Outcome {
        ptc_lisp::run(source, &mut self.memory, RunInput::new(&self.limits, &[], &mut ()))
    }

    /// The readable text of a program's value, or its error as `kind: message`.
    pub fn text(&mut self, source: &str) -> Result<String, String> {
        let outcome = self.run(source);
        match outcome.ending {
            RunResult::Value(v) | RunResult::Returned(v) => Ok(ptc_lisp::print::readable(&v, 1 << 20)),
            RunResult::Failed(_, e) | RunResult::Error(e) => {
                Err(format!("{e}{}", e.hint.as_ref().map(|h| format!(" (hint: {h})")).unwrap_or_default()))
            }
        }
    }
}
