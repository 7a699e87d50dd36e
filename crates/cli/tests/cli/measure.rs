//! How much memory a command takes.

use crate::common::Folder;
use std::process::{Command, Stdio};

/// What `ptc` did in a process of its own, and the most memory it had, in bytes.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
    pub peak: u64,
}

/// Runs the built `ptc`. Python tells how much memory a child had; one that hangs is ended.
pub fn ran(args: &[&str]) -> Ran {
    ran_with(args, &[])
}

/// The same with these variables.
pub fn ran_with(args: &[&str], variables: &[(&str, &str)]) -> Ran {
    const MEASURE: &str = "import resource, subprocess, sys\n\
        did = subprocess.run(sys.argv[1:], timeout=600)\n\
        print('peak', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)\n\
        sys.exit(did.returncode)";
    let mut command = Command::new("python3");
    command.args(["-c", MEASURE, env!("CARGO_BIN_EXE_ptc")]).args(args).stdin(Stdio::null());
    command.envs(variables.iter().copied());
    let did = command.output().unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&did.stdout).into_owned(), String::from_utf8_lossy(&did.stderr).into_owned());
    let peak = err.lines().find_map(|l| l.strip_prefix("peak ")?.parse::<u64>().ok());
    let peak = peak.unwrap_or_else(|| panic!("{args:?} did not end: {err}")) * 1024;
    Ran { code: did.status.code().unwrap_or(-1), out, err, peak }
}

/// A mebibyte.
pub const MB: u64 = 1 << 20;

/// What a process of ours has when it reads next to nothing, with room for what differs from run to run.
pub fn base(f: &Folder) -> u64 {
    let task = f.file("base/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n");
    f.file("base/replies.md", "## Turn 1\n```clojure\n(return 1)\n```\n");
    ran(&["run", &task]).peak + 8 * MB
}
