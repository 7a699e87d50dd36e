//! Runs that are killed at every write and every `fdatasync` of the trace, and whose disk fails there, by strace: no turn
//! that was told is lost, and no call is made twice without a word. Plain `cargo test` leaves them out;
//! `scripts/fetch && cargo test --workspace --test external` runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
// strace is a tool of Linux.
#![cfg(target_os = "linux")]

mod acp;
mod http;
mod mcp_server;
mod nrepl;
#[path = "../cli/crash/session.rs"]
mod session;

use session::{Session, once, undisturbed, whole_lines};
use std::process::{Command, Output};

/// Lines of its trace, each written and forced to the disk: the header, five replies, five turns, and of eight calls, three of
/// them made together, that they were asked and each answer.
const LINES: u64 = 1 + 5 + 5 + 6 + 8;

/// Runs a session under this injection at the k-th call, for every k until none comes any more. What each run's end was is
/// given to `ended`; then the session goes on to its end.
fn at_every(name: &str, call: &str, fault: &str, ended: impl Fn(&Output)) -> u64 {
    let there = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    assert!(there.is_ok_and(|o| o.status.success()), "strace is not installed, or may not trace: run scripts/strace");
    let expected = undisturbed();
    for k in 1.. {
        let session = Session::new(&format!("{name}-{k}"));
        let (path, trace) = (session.path("t.jsonl"), format!("trace={call}"));
        let inject = format!("inject={call}:{fault}:when={k}");
        let did = session.run(&["strace", "-f", "-qq", "-o", "/dev/null", "-P", &path, "-e", &trace, "-e", &inject]);
        if did.status.success() {
            return k - 1;
        }
        ended(&did);
        let before = session.trace();
        let kept = session.lines().into_iter().filter(|l| l.get("turn").is_some()).collect::<Vec<_>>();
        let told = String::from_utf8_lossy(&did.stderr).matches("next prompt: ").count();
        assert!(told <= kept.len(), "{name} {k}: {told} turns were told and {} are kept", kept.len());
        let approved = session.finish();
        assert!(session.trace().starts_with(&whole_lines(&before)), "{name} {k}: a line was changed");
        if call == "fdatasync" && fault.contains("KILL") {
            // What was asked was not made yet, what was answered is kept; only those made together were in flight.
            let alone =
                session.effects().into_iter().filter(|(key, _)| !["-2", "-3", "-4"].iter().any(|n| key.ends_with(n)));
            alone.for_each(|(key, (_, times))| assert_eq!(times, 1, "{name} {k}: {key}"));
        }
        once(&session, &approved);
        assert_eq!(session.whole(), expected, "{name} {k}");
    }
    unreachable!()
}

#[test]
fn killed_at_every_sync_it_goes_on_as_if_nothing_had_happened() {
    let n = at_every("kill-sync", "fdatasync", "signal=SIGKILL", |did| {
        assert!(!did.status.success() && did.status.code().is_none_or(|c| c == 137), "{did:?}");
    });
    eprintln!("killed at each of {n} fdatasync: nothing lost, nothing made twice");
    assert_eq!(n, LINES);
}

#[test]
fn killed_at_every_write_it_goes_on_as_if_nothing_had_happened() {
    let n = at_every("kill-write", "write", "signal=SIGKILL", |did| assert!(!did.status.success(), "{did:?}"));
    eprintln!("killed at each of {n} writes: nothing lost, nothing made twice");
    assert_eq!(n, LINES);
}

#[test]
fn a_full_disk_and_a_broken_one_stop_a_run_that_can_be_gone_on_with() {
    for (name, call, fault, words) in [
        ("enospc", "write", "error=ENOSPC", "No space left on device"),
        ("eio-write", "write", "error=EIO", "Input/output error"),
        ("eio-sync", "fdatasync", "error=EIO", "Input/output error"),
    ] {
        let n = at_every(name, call, fault, |did| {
            let err = String::from_utf8_lossy(&did.stderr);
            assert!(err.contains(words) && matches!(did.status.code(), Some(1 | 2)), "{did:?}");
        });
        eprintln!("{name} at each of {n}: nothing lost, nothing made twice without a word");
    }
}
