//! Runs the programs of `examples/played` again: 446 programs that a strong model wrote, over 56 sessions of fourteen tasks.
//! Value, printed text, status and error kind of each turn must be what the trace recorded.

use ptc_agent::Task;
use ptc_lisp::interface::Tools;
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::trace::record::Call;
use ptc_turns::{Json, Session, Trace, TurnContext};
use std::path::{Path, PathBuf};

/// Answers the calls of a turn with the recorded results, and refuses a call that was not recorded.
struct RecordedTools<'a> {
    calls: &'a [Call],
    next: usize,
    limits: Limits,
}

impl Tools for RecordedTools<'_> {
    fn call(&mut self, _: u64, name: &str, args: &Value) -> Result<Value, String> {
        let call = self.calls.get(self.next).unwrap_or_else(|| panic!("{name} was not called here"));
        self.next += 1;
        assert_eq!(call.name, name);
        assert_eq!(Some(&call.args), Json::new(json::to_text(args).unwrap()).as_ref(), "arguments of {name}");
        match (&call.error, &call.result) {
            (Some(message), _) => Err(message.clone()),
            (None, Some(answer)) => Ok(json::parse_text(answer.text(), &self.limits).unwrap()),
            (None, None) => Ok(Value::Nil),
        }
    }
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "jsonl") {
            out.push(path);
        }
    }
}

/// The printed text, without the columns in a line of `describe`: it reads all rows now, and read a sample when four of
/// these turns ran.
fn comparable(printed: &[String]) -> String {
    let cut = |line: &str| match line.split_once(": {") {
        Some((count, _)) if count.starts_with("list of ") => format!("{count}\n"),
        _ => format!("{line}\n"),
    };
    printed.concat().lines().map(cut).collect()
}

/// Replays one trace; returns how many programs ran.
fn replay(root: &Path, file: &Path) -> usize {
    let recorded = Trace::parse(&std::fs::read(file).unwrap()).unwrap().trace;
    let header = recorded.header.clone();
    let task = Task::load(&root.join(header.folder.as_deref().unwrap())).unwrap();
    let inputs = task.inputs().unwrap().into_iter().map(|i| (i.name, i.value)).collect();
    let mut session = Session::from_trace(Trace::new(header.clone()), inputs).unwrap();
    for turn in recorded.turns() {
        let place = format!("{} turn {}", file.display(), turn.turn);
        let mut tools = RecordedTools { calls: &turn.tool_calls, next: 0, limits: header.limits.clone() };
        let world = TurnContext { now_ms: turn.time, seed: turn.seed, ..TurnContext::with_tools(&mut tools) };
        let now = session.run(&turn.program, world).unwrap_or_else(|e| panic!("{place}: {e}")).clone();
        assert_eq!(now.status, turn.status, "{place}: {:?}", now.error);
        assert_eq!(comparable(&now.printed), comparable(&turn.printed), "{place}");
        assert_eq!(now.value, turn.value, "{place}");
        assert_eq!(now.error.map(|e| e.kind), turn.error.as_ref().map(|e| e.kind), "{place}");
        assert_eq!(tools.next, turn.tool_calls.len(), "{place}: calls");
    }
    recorded.turns().len()
}

#[test]
fn recorded_programs_give_what_they_gave() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut traces = Vec::new();
    files(&root.join("examples/played"), &mut traces);
    let programs: usize = traces.iter().map(|file| replay(root, file)).sum();
    assert_eq!((traces.len(), programs), (56, 446));
}
