//! One turn of a program, and what it used.

use cpu_time::ThreadTime;
use ptc_lisp::interface::{Clock, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;

/// What a turn has used: seconds and units of fuel, and how it ended.
#[derive(Clone)]
pub struct Spent {
    pub seconds: f64,
    pub units: u64,
    pub ending: String,
}

impl Spent {
    /// Nanoseconds a unit.
    pub fn ns(&self) -> f64 {
        self.seconds * 1e9 / (self.units.max(1) as f64)
    }
}

/// The time of this thread is the time of the turn.
struct Thread(ThreadTime);

impl Clock for Thread {
    fn cpu_ms(&self) -> u64 {
        self.0.elapsed().as_millis() as u64
    }
    fn wall_ms(&self) -> u64 {
        self.cpu_ms()
    }
}

/// Runs a program with so much fuel and time; what it took includes letting go of everything that it made.
pub fn turn(source: &str, memory: &mut Memory, fuel: u64, cpu_ms: u64) -> Spent {
    let limits = Limits { fuel, cpu_ms, wall_ms: 0, ..Limits::default() };
    let start = ThreadTime::now();
    let clock = Thread(start);
    let outcome = ptc_lisp::run(source, memory, RunInput { clock: &clock, ..RunInput::new(&limits, &[], &mut ()) });
    let ending = match &outcome.ending {
        RunResult::Value(_) | RunResult::Returned(_) => "value".to_string(),
        RunResult::Error(e) | RunResult::Failed(_, e) => e.kind.to_string(),
    };
    let units = outcome.usage.fuel;
    drop(outcome);
    Spent { seconds: start.elapsed().as_secs_f64(), units, ending }
}
