//! What a worker process gives up, as the system knows it; and that its verdicts are those of the process without one.

use crate::common::{Folder, all};
use ptc_agent::{Isolated, Worker};
use ptc_lisp::limits::Limits;
use ptc_tests::fuzz::{dice::Dice, programs};
use ptc_turns::{Config, Session, TurnContext, TurnRecord};
use std::process::{Command, Stdio};
use std::time::Duration;

fn ptc() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command.args(["__worker", "--serve-ptc-turns"]);
    command
}

fn config(limits: Limits) -> Config {
    Config { limits, ..Config::programs() }
}

/// How a turn ended: its value, or the kind of the error; what it printed and defined; and its fuel.
fn verdict(r: &TurnRecord) -> String {
    let ended = match &r.error {
        Some(e) => e.kind.to_string(),
        None => format!("{:?}", r.value),
    };
    let names: Vec<&str> = r.definitions.iter().map(|d| d.name.as_str()).collect();
    format!("{ended} {:?} {:?} {names:?} {}", r.status, r.printed, r.usage.fuel)
}

/// Runs turns in this process and in a worker; the verdicts, which are the same.
fn both(programs: &[String], limits: &Limits) -> Vec<String> {
    let (mut here, mut apart) =
        (Session::new(config(limits.clone())), Isolated::new(config(limits.clone()), Worker::new(ptc())));
    let mut out = Vec::new();
    for program in programs {
        let Ok(one) = here.run(program, TurnContext::without_host()).cloned() else { break };
        let other = apart.run(program, TurnContext::without_host()).unwrap();
        assert_eq!(verdict(&other), verdict(&one), "{program}: {:?}", other.error);
        out.push(verdict(&one));
    }
    out
}

fn untimed() -> Limits {
    Limits { fuel: 2_000_000, cpu_ms: 0, wall_ms: 0, ..Limits::default() }
}

#[test]
fn hostile_programs_end_the_same_in_a_worker() {
    // Verdicts are compared, whatever they are: with less of either they are soon there, and each limit still ends some.
    let limits = Limits { fuel: 500_000, memory_bytes: 8 << 20, ..untimed() };
    // All of them with `PTC_ALL=1`, as `.ci/run` has it, else every fifth; two at a time.
    let step = if all() { 1 } else { 5 };
    let attacks: Vec<_> = ptc_hostile::attacks().into_iter().step_by(step).collect();
    assert!(attacks.len() > 40, "{}", attacks.len());
    let kinds_of = |attacks: &[ptc_hostile::Attack]| {
        let mut kinds = std::collections::BTreeSet::new();
        for attack in attacks {
            let after = "[(* 6 7)]".to_owned();
            let said = both(&["(def kept [1 2 3])".to_owned(), attack.source.clone(), after], &limits);
            kinds.insert(said[1].split(' ').next().unwrap().to_owned());
            assert!(said.last().unwrap().starts_with("Some(\"[42]\")") || said.len() < 3, "{}: {said:?}", attack.name);
        }
        kinds
    };
    let (some, others) = attacks.split_at(attacks.len() / 2);
    let kinds = std::thread::scope(|scope| {
        let some = scope.spawn(|| kinds_of(some));
        let mut kinds = kinds_of(others);
        kinds.extend(some.join().unwrap());
        kinds
    });
    for kind in ["limit/fuel", "limit/memory", "limit/depth"] {
        assert!(kinds.contains(kind), "{kind}: {kinds:?}");
    }
    // Of the other kinds a sample has most.
    assert!(kinds.iter().filter(|k| !k.starts_with("Some")).count() >= 8, "{kinds:?}");
}

#[test]
fn generated_programs_end_the_same_in_a_worker() {
    let limits = Limits { fuel: 40_000, memory_bytes: 2 << 20, ..untimed() };
    let (mut values, mut errors, mut seed) = (0, 0, 0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..if all() { 150 } else { 50 } {
        let bytes: Vec<u8> = (0..400)
            .map(|_| {
                seed ^= seed >> 12;
                seed ^= seed << 25;
                seed ^= seed >> 27;
                (seed.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40) as u8
            })
            .collect();
        for said in both(&programs(&mut Dice::new(&bytes, 150)), &limits) {
            if said.starts_with("Some") { values += 1 } else { errors += 1 }
        }
    }
    assert!(values > 15 && errors > 15, "{values} {errors}");
}

#[test]
fn time_ends_the_same_in_a_worker() {
    let program = "(loop [i 0] (recur (inc i)))";
    for limits in [
        Limits { fuel: u64::MAX, cpu_ms: 100, wall_ms: 0, ..Limits::default() },
        Limits { fuel: u64::MAX, cpu_ms: 0, wall_ms: 100, ..Limits::default() },
    ] {
        let here = Session::new(config(limits.clone())).run(program, clocked(&mut ())).unwrap().error.clone().unwrap();
        let apart = Isolated::new(config(limits), Worker::new(ptc())).run(program, clocked(&mut ())).unwrap();
        let error = apart.error.unwrap();
        assert_eq!((here.kind.as_str(), error.kind.as_str()), ("limit/time", "limit/time"), "{}", error.message);
    }
}

fn clocked(tools: &mut ()) -> TurnContext<'_> {
    // For the length of the test: each turn begins with it.
    let clock = Box::leak(Box::new(ptc_agent::HostClock::start()));
    TurnContext { clock, ..TurnContext::with_tools(tools) }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;

    fn status(id: u32, name: &str) -> Option<String> {
        let text = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':')).map(|v| v.trim().to_owned())
    }

    #[test]
    fn a_worker_keeps_no_descriptor_and_no_privilege() {
        // The shell leaves descriptors open, as a careless parent would.
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exec 7</etc/passwd 9>/dev/null; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_ptc")]);
        command.args(["__worker", "--serve-ptc-turns"]);
        let mut session = Isolated::new(config(untimed()), Worker::new(command));
        assert_eq!(session.run("(+ 1 2)", TurnContext::without_host()).unwrap().value.as_deref(), Some("3"));
        let id = session.worker().id().unwrap();
        let mut open: Vec<_> =
            std::fs::read_dir(format!("/proc/{id}/fd")).unwrap().map(|e| e.unwrap().file_name()).collect();
        open.sort();
        assert_eq!(open, ["0", "1", "2"]);
        assert_eq!(status(id, "NoNewPrivs").as_deref(), Some("1"));
        let restrictions = session.worker().restrictions().unwrap();
        assert!(restrictions.descriptors_closed && restrictions.no_new_privs && restrictions.dies_with_host);
        // A filter is in force, where the kernel has them.
        assert_eq!(status(id, "Seccomp").is_some_and(|s| s == "2"), restrictions.seccomp);
    }

    /// The children of a process that run this program as a worker.
    fn workers_of(host: u32) -> Vec<u32> {
        let parent = host.to_string();
        let ids = std::fs::read_dir("/proc").unwrap().filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
        ids.filter(|id| status(*id, "PPid").as_ref() == Some(&parent)).collect()
    }

    /// Waits until something is so; the test fails when that is never the case.
    fn until(what: &str, mut so: impl FnMut() -> bool) {
        for _ in 0..3000 {
            if so() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{what}: it never came to that");
    }

    #[test]
    fn a_worker_ends_with_its_host_even_while_it_computes() {
        let folder = Folder::new("restricted-host");
        let limits = folder.file("limits.toml", "cpu_ms = 0\nwall_ms = 0\nfuel = 18446744073709551615\n");
        let mut host = Command::new(env!("CARGO_BIN_EXE_ptc"))
            .args(["eval", "--isolate", "--limits", &limits, "-e", "(loop [] (recur))"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let ticks = |id: u32| -> Option<u64> {
            let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
            text.rsplit_once(") ")?.1.split(' ').nth(11)?.parse().ok()
        };
        let mut worker = 0;
        until("a worker that computes", || {
            let found = workers_of(host.id()).into_iter().find(|id| ticks(*id).is_some_and(|t| t > 30));
            worker = found.unwrap_or_default();
            found.is_some()
        });
        host.kill().unwrap();
        host.wait().unwrap();
        until("the worker's end", || status(worker, "State").is_none_or(|s| s.starts_with('Z')));
    }

    #[test]
    fn a_worker_outlives_the_thread_that_started_it() {
        // A session goes from thread to thread.
        let begin = || {
            let mut session = Isolated::new(config(untimed()), Worker::new(ptc()));
            session.run("(def x 20)", TurnContext::without_host()).unwrap();
            session
        };
        let mut session = std::thread::scope(|s| s.spawn(begin).join().unwrap());
        let id = session.worker().id();
        let r = session.run("(inc x)", TurnContext::without_host()).unwrap();
        assert_eq!(r.value.as_deref(), Some("21"), "{:?}", r.error);
        assert_eq!(session.worker().id(), id, "the same process");
    }
}
