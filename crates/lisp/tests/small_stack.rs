//! Turns on threads with little stack.

#![allow(clippy::unwrap_used, reason = "a test may")]

use ptc_lisp::interface::{Clock, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Looks how much stack a turn has whenever the turn looks at the clock.
#[derive(Default)]
struct Probe(AtomicUsize);

impl Clock for Probe {
    fn cpu_ms(&self) -> u64 {
        0
    }

    fn wall_ms(&self) -> u64 {
        self.0.store(stacker::remaining_stack().unwrap_or(usize::MAX), Relaxed);
        0
    }
}

/// Otherwise each comparison of two strings takes a stack of four megabytes from the system, ten times as long as the rest.
#[test]
fn a_turn_has_room_whatever_its_thread_has() {
    let small = std::thread::Builder::new().stack_size(200 << 10).spawn(|| {
        let (limits, probe, mut nobody) = (Limits::default(), Probe::default(), ());
        let turn = RunInput { clock: &probe, ..RunInput::new(&limits, &[], &mut nobody) };
        let source = r#"(->> (range 9000) (map str) (into #{}) count)"#;
        let outcome = ptc_lisp::run(source, &mut Memory::new(), turn);
        assert!(matches!(&outcome.ending, RunResult::Value(v) if ptc_lisp::print::readable(v, 9) == "9000"));
        probe.0.load(Relaxed)
    });
    let room = small.unwrap().join().unwrap();
    assert!(room > 400 << 10, "{room}");
}
