//! Commands run in this process, each in a call of its own, and folders that go away.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a command did.
#[derive(Debug)]
pub struct Did {
    /// Its exit code.
    pub code: i32,
    /// Its result.
    pub out: String,
    /// What else it said, styles included.
    pub err: String,
}

/// `ptc ARGS` with this standard input.
pub fn ptc_with(args: &[&str], stdin: &str) -> Did {
    ptc_in(args, stdin, ptc_cli::CliContext::default())
}

/// `ptc ARGS` with this standard input, in these surroundings.
pub fn ptc_in(args: &[&str], stdin: &str, around: ptc_cli::CliContext) -> Did {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("ptc").chain(args.iter().copied());
    let code = ptc_cli::run_in(args, &mut stdin.as_bytes(), &mut out, &mut err, around);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Did { code, out: text(out), err: text(err) }
}

/// `ptc ARGS`
pub fn ptc(args: &[&str]) -> Did {
    ptc_with(args, "")
}

/// The folder of an example task.
pub fn task(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/tasks").join(name)
}

/// The blocks of an example task's README that show what is printed.
///
/// # Errors
/// When the README cannot be read.
pub fn text_blocks(name: &str) -> std::io::Result<Vec<String>> {
    let text = std::fs::read_to_string(task(name).join("README.md"))?;
    let blocks = text.split("\n```text\n").skip(1).filter_map(|rest| rest.split_once("```"));
    Ok(blocks.map(|(block, _)| block.to_owned()).collect())
}

/// A folder that goes away.
pub struct Folder(PathBuf);

impl Folder {
    /// A new one, with `name` in its name.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(name: &str) -> std::io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ptc-tests-{}-{n}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }

    /// The path of something in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A trace without what differs from run to run: times.
///
/// # Errors
/// When a line is no JSON.
pub fn timeless(trace: &str) -> serde_json::Result<String> {
    let mut out = String::new();
    for line in trace.lines() {
        let mut data: serde_json::Value = serde_json::from_str(line)?;
        // The journal of what has ended: how it came to be.
        if data.get("before_turn").is_some() || (data.get("before_act").is_some() && data.get("tool_call").is_none()) {
            continue;
        }
        if let Some(turn) = data.as_object_mut().filter(|o| o.contains_key("turn") || o.contains_key("act")) {
            turn.remove("time");
            if let Some(usage) = turn.get_mut("usage").and_then(|u| u.as_object_mut()) {
                usage.remove("cpu_ms");
                usage.remove("wall_ms");
            }
            let calls = turn.get_mut("tool_calls").and_then(|c| c.as_array_mut());
            for call in calls.into_iter().flatten().filter_map(|c| c.as_object_mut()) {
                call.remove("ms");
            }
        }
        out.push_str(&format!("{data}\n"));
    }
    Ok(out)
}
