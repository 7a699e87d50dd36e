//! When a turn asks for the time: a short one once, at its end, and never for processor time.

use ptc_lisp::error::ErrorKind;
use ptc_lisp::interface::{Clock, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use std::cell::Cell;

/// Counts what it is asked, and says that an hour of processor time has passed since it was begun.
#[derive(Default)]
struct Asked {
    begun: Cell<u32>,
    wall: Cell<u32>,
}

impl Clock for Asked {
    fn cpu_ms(&self) -> u64 {
        if self.begun.get() > 0 { 3_600_000 } else { 0 }
    }

    fn wall_ms(&self) -> u64 {
        self.wall.set(self.wall.get() + 1);
        3_600_000
    }

    fn begin_cpu(&self) {
        self.begun.set(self.begun.get() + 1);
    }
}

/// How a program ends, how often processor time was begun, and the wall looked at.
fn asked(source: &str, cancelled: bool) -> (Option<ErrorKind>, u32, u32) {
    let (limits, clock, mut nobody) = (Limits { wall_ms: 0, ..Limits::default() }, Asked::default(), ());
    let cancel = || cancelled;
    let turn = RunInput { clock: &clock, cancelled: &cancel, ..RunInput::new(&limits, &[], &mut nobody) };
    let ending = ptc_lisp::run(source, &mut Memory::new(), turn).ending;
    let kind = if let RunResult::Error(e) | RunResult::Failed(_, e) = ending { Some(e.kind) } else { None };
    (kind, clock.begun.get(), clock.wall.get())
}

#[test]
fn a_short_turn_does_not_ask_for_processor_time() {
    assert_eq!(asked("(def a (+ 1 2)) (println a)", false), (None, 0, 1));
}

#[test]
fn a_turn_that_works_is_held_to_its_processor_time() {
    let (kind, begun, _) = asked("(loop [i 0] (recur (inc i)))", false);
    assert_eq!((kind, begun), (Some(ErrorKind::Time), 1));
}

#[test]
fn a_long_program_counts_from_where_it_is_read() {
    let source = format!("(count \"{}\")", "x".repeat(5_000));
    let (kind, begun, _) = asked(&source, false);
    assert!(kind.is_none() && begun > 0, "{kind:?} {begun}");
}

#[test]
fn a_turn_that_was_cancelled_before_it_began_ends_at_once() {
    assert_eq!(asked("1", true).0, Some(ErrorKind::Time));
}
