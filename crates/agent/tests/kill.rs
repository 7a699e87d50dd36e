//! `kill -9` at every boundary of a run: what the file holds goes on to the same trace and the same result.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::folder::Folder;
use ptc_agent::{Environment, Observer, RecordingModel, RunContext, RunOutcome, Task, TraceFile};
use ptc_turns::{Act, Session, TurnRecord};
use std::path::Path;
use std::process::Command;

const TASK: &str = r#"
[task]
model = "replay:replies.md"
[toc]
order = ["look", "count", "tell"]
[acts.look]
mode = "text"
[[acts.look.input]]
type = "tool"
tool = "stock"
args = { item = "pen" }
[[acts.look.input]]
type = "narrative"
task = "../inner"
[acts.count]
[[acts.count.input]]
type = "text"
content = "Count: {{look}}"
[acts.tell]
mode = "text"
[[acts.tell.input]]
type = "text"
content = "Tell {{count}}"
[tools.stock]
params = [{ name = "item", type = "string" }]
replay = "stock.jsonl"
[agents.helper]
task = "../inner"
"#;

const FILES: [(&str, &str); 5] = [
    ("task.toml", TASK),
    (
        "stock.jsonl",
        "{\"args\": {\"item\": \"pen\"}, \"result\": 1}\n{\"args\": {\"item\": \"pen\"}, \"result\": 2}\n{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n",
    ),
    (
        "replies.md",
        "## Turn 1\nPens.\n## Turn 2\n(def a (atom [(tool/stock \"pen\")]))\n## Turn 3\n(oops)\n## Turn 4\n(swap! a conj (tool/stock \"pen\") (tool/helper \"?\"))\n## Turn 5\n(return @a)\n## Turn 6\nTold.\n",
    ),
    ("../inner/task.toml", "[task]\nprompt = \"In.\"\nmodel = \"replay:r.md\"\n"),
    ("../inner/r.md", "## Turn 1\n(def x 41)\n## Turn 2\n(return (inc x))\n"),
];

/// Counts what happens, and ends the process, hard, at one of these moments.
struct Killer {
    moment: u64,
    at: Option<u64>,
}

impl Killer {
    fn tick(&mut self) {
        self.moment += 1;
        if self.at == Some(self.moment) {
            let _ = Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
            loop {
                std::thread::park();
            }
        }
    }
}

impl Observer for Killer {
    fn opened(&mut self, _: &Act, _: &Session) {
        self.tick();
    }
    fn asking(&mut self, _: u64, _: &Session) {
        self.tick();
    }
    fn replied(&mut self, _: u64, _: &str) {
        self.tick();
    }
    fn ran(&mut self, _: &TurnRecord, _: &Session) {
        self.tick();
    }
}

/// Runs the task of a folder, or continues with what is kept of it, as `ptc run` does.
fn run(folder: &Path, at: Option<u64>) -> (RunOutcome, u64) {
    let task = Task::load(&folder.join("task")).unwrap();
    let around = RunContext { trace: Some(folder.join("t.jsonl")), ..RunContext::default() };
    let opened = TraceFile::open(around.trace.as_deref().unwrap(), || false).unwrap();
    let mut store = opened.store;
    let session = match opened.trace {
        Some(trace) => task.resume(trace).unwrap(),
        None => {
            let session = Session::new(task.config().unwrap());
            store.begin(&session.trace().header).unwrap();
            session
        }
    };
    let model = task.model(session.trace(), &Environment::default()).unwrap();
    let earlier = session.trace().replies();
    if earlier.is_empty() {
        // The reply of a first turn that was never kept is nobody's: what is there is not written over.
        let _ = std::fs::remove_file(folder.join("recorded.md"));
    }
    let mut model = RecordingModel::begin(model, &folder.join("recorded.md"), &earlier).unwrap();
    let mut agent = task.agent(session, &around).unwrap().with_trace_file(store);
    let mut killer = Killer { moment: 0, at };
    let end = agent.run(&mut model, &mut killer);
    (end, killer.moment)
}

/// The trace without what differs from run to run: times.
fn timeless(folder: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("t.jsonl")).unwrap();
    let mut lines: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    // The journal of what has ended is how it came to be: that differs.
    lines.retain(|l| l.get("before_turn").is_none() && (l.get("before_act").is_none() || l.get("tool_call").is_some()));
    for line in &mut lines {
        let all = line.as_object_mut().unwrap();
        all.remove("time");
        all.remove("folder");
        for call in all.get_mut("tool_calls").and_then(|c| c.as_array_mut()).into_iter().flatten() {
            call.as_object_mut().unwrap().remove("ms");
        }
        if let Some(call) = all.get_mut("tool_call").and_then(|c| c.as_object_mut()) {
            call.remove("ms");
        }
        if let Some(usage) = all.get_mut("usage").and_then(|u| u.as_object_mut()) {
            usage.retain(|k, _| k == "fuel");
        }
    }
    lines
}

/// Does this with each of them, several at once: most of the time goes by while a file is forced to the disk.
fn side_by_side<T: Copy + Sync>(all: Vec<T>, each: impl Fn(T) + Sync) {
    const THREADS: usize = 4;
    let (all, each) = (&all, &each);
    std::thread::scope(|s| {
        for first in 0..THREADS {
            s.spawn(move || all.iter().skip(first).step_by(THREADS).for_each(|one| each(*one)));
        }
    });
}

/// What was recorded of the model.
fn recording(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("recorded.md")).unwrap()
}

/// The process that is killed: nothing to do when it is run as a test.
#[test]
fn child() {
    let (Ok(folder), Ok(at)) = (std::env::var("PTC_KILL_FOLDER"), std::env::var("PTC_KILL_AT")) else { return };
    run(Path::new(&folder), at.parse().ok());
}

#[test]
fn killed_at_each_boundary_and_gone_on_with() {
    let whole = Folder::new("whole", &FILES);
    let (end, moments) = run(&whole.0, None);
    assert_eq!(end.text.as_deref(), Some("Told."), "{:?}", end.error);
    let expected = timeless(&whole.0);
    // The header, a call before its act, acts and turns.
    assert_eq!(expected.len(), 1 + 1 + 3 + 6);
    // Three acts opened, and each of six turns asked for, replied to and run.
    assert_eq!(moments, 3 + 3 * 6);
    let exe = std::env::current_exe().unwrap();
    side_by_side((1..=moments).collect(), |at| {
        let f = Folder::new(&format!("kill-{at}"), &FILES);
        let mut command = Command::new(&exe);
        command.args(["--exact", "kill::child", "--nocapture"]);
        command.env("PTC_KILL_FOLDER", &f.0).env("PTC_KILL_AT", at.to_string());
        let status = command.output().unwrap().status;
        assert_eq!(status.code(), None, "killed, not ended: {status}");
        assert_eq!(timeless(&f.0).len() < expected.len(), at < moments, "killed at {at}");
        let (end, _) = run(&f.0, None);
        assert_eq!((end.text.as_deref(), end.turns), (Some("Told."), 6), "killed at {at}: {:?}", end.error);
        assert_eq!(timeless(&f.0), expected, "killed at {at}");
        assert_eq!(recording(&f.0), recording(&whole.0), "killed at {at}");
    });
}

/// Every prefix of the file, whole lines and torn ones: what a crash can leave.
#[test]
fn every_prefix_of_the_file_goes_on() {
    let whole = Folder::new("prefix-whole", &FILES);
    run(&whole.0, None);
    let (expected, text) = (timeless(&whole.0), std::fs::read_to_string(whole.0.join("t.jsonl")).unwrap());
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let cuts = |pair: &[usize]| [pair[0], pair[0] - 1, (pair[0] + pair[1]) / 2, pair[1] - 2];
    side_by_side(ends.windows(2).flat_map(cuts).collect(), |cut| {
        let f = Folder::new("prefix", &FILES);
        std::fs::write(f.0.join("t.jsonl"), &text[..cut]).unwrap();
        let (end, _) = run(&f.0, None);
        assert_eq!(end.text.as_deref(), Some("Told."), "cut at {cut}: {:?}", end.error);
        assert_eq!(timeless(&f.0), expected, "cut at {cut}");
    });
}
