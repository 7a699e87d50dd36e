//! How much memory a command takes.

use crate::common::Folder;
use nix::sys::resource::{UsageWho, getrusage};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What `ptc` did in a process of its own, and the most memory it had, in bytes.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
    pub peak: u64,
}

/// Runs the built `ptc`; one that hangs is ended.
pub fn ran(args: &[&str]) -> Ran {
    ran_with(args, &[])
}

/// Where `in_a_small_process` writes, and what it runs, as JSON.
const PLACE: &str = "PTC_TEST_MEASURE_IN";
const ARGS: &str = "PTC_TEST_MEASURE_ARGS";

/// The same with these variables. The system tells the most memory of all children of a process, and a child begins with
/// what its parent has: so a process of its own, which holds next to nothing, starts this one.
pub fn ran_with(args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let f = Folder::new(&format!("measure-{:?}", std::thread::current().id()));
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "measure::in_a_small_process", "--ignored", "--test-threads=1"]);
    command.envs(variables.iter().copied()).env(PLACE, &f.0).env(ARGS, serde_json::to_string(args).unwrap());
    let did = command.stdin(Stdio::null()).output().unwrap();
    let text = |name: &str| String::from_utf8_lossy(&std::fs::read(f.path(name)).unwrap_or_default()).into_owned();
    let numbers = text("numbers");
    let Some((code, peak)) = numbers.split_once(' ') else { panic!("{args:?} did not end: {did:?}") };
    Ran { code: code.parse().unwrap(), out: text("out"), err: text("err"), peak: peak.parse().unwrap() }
}

#[test]
#[ignore = "ran_with runs it, in a process of its own"]
fn in_a_small_process() {
    let (Some(place), Ok(args)) = (std::env::var_os(PLACE), std::env::var(ARGS)) else { return };
    let place = Path::new(&place);
    let args: Vec<String> = serde_json::from_str(&args).unwrap();
    let file = |name: &str| File::create(place.join(name)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    // What is measured is what comes in, without the lines that a kept session has of it.
    command.env("PTC_SESSIONS", "off");
    command.args(args).env_remove(PLACE).env_remove(ARGS).stdin(Stdio::null()).stdout(file("out")).stderr(file("err"));
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(600) {
            child.kill().unwrap();
            child.wait().unwrap();
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    // Linux counts kibibytes, macOS bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() * unit;
    std::fs::write(place.join("numbers"), format!("{} {peak}", status.code().unwrap_or(-1))).unwrap();
}

/// A mebibyte.
pub const MB: u64 = 1 << 20;

/// What a process of ours has when it reads next to nothing, with room for what differs from run to run.
pub fn base(f: &Folder) -> u64 {
    let task = f.file("base/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n");
    f.file("base/replies.md", "## Turn 1\n```clojure\n(return 1)\n```\n");
    ran(&["run", &task]).peak + 8 * MB
}
