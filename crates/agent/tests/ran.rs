//! A task of a folder, run as `ptc run` does, and what came of it.

use crate::folder::Folder;
use ptc_agent::{FnModel, Model, Observer, Reply, Request, RunContext, RunOutcome, Task, TraceFile};
use ptc_turns::{Act, Session, Trace};

/// What was told while it ran.
#[derive(Default)]
pub struct Notes {
    pub acts: Vec<String>,
    pub warnings: Vec<String>,
}

impl Observer for Notes {
    fn opened(&mut self, act: &Act, _: &Session) {
        self.acts.push(act.name.clone());
    }
    fn warned(&mut self, words: &str) {
        self.warnings.push(words.to_owned());
    }
}

/// Runs the task of a folder with this model, its trace kept in `t.jsonl` beside it.
pub fn run_with(f: &Folder, model: &mut dyn Model) -> (RunOutcome, Trace, Notes) {
    let task = Task::load(&f.0.join("task")).unwrap();
    let around = RunContext { trace: Some(f.0.join("t.jsonl")), ..RunContext::default() };
    let mut store = TraceFile::open(around.trace.as_deref().unwrap(), || false).unwrap().store;
    let session = Session::new(task.config().unwrap());
    store.begin(&session.trace().header).unwrap();
    let mut agent = task.agent(session, &around).unwrap().with_trace_file(store);
    let mut notes = Notes::default();
    let end = agent.run(model, &mut notes);
    let trace = agent.into_session().trace().clone();
    (end, trace, notes)
}

/// The same with a model that says these in order, and what it was sent each time.
pub fn run(f: &Folder, replies: &[&str]) -> (RunOutcome, Trace, Notes, Vec<String>) {
    let (mut at, mut seen) = (0, Vec::new());
    let (end, trace, notes) = {
        let mut model = FnModel(|r: Request<'_>| {
            seen.push(r.messages.iter().map(|m| format!("[{}] {}\n", m.role, m.text())).collect::<String>());
            at += 1;
            Ok(Reply::text(*replies.get(at - 1).expect("more requests than replies")))
        });
        run_with(f, &mut model)
    };
    let kept = std::fs::read(f.0.join("t.jsonl")).unwrap();
    assert_eq!(Trace::parse(&kept).unwrap().trace, trace, "the file holds what happened");
    (end, trace, notes, seen)
}

/// Continues with what `t.jsonl` holds; a model that is asked says this.
pub fn go_on(f: &Folder, reply: &str) -> RunOutcome {
    let task = Task::load(&f.0.join("task")).unwrap();
    let around = RunContext { trace: Some(f.0.join("t.jsonl")), ..RunContext::default() };
    let opened = TraceFile::open(around.trace.as_deref().unwrap(), || false).unwrap();
    let session = Session::from_trace(opened.trace.unwrap(), Vec::new()).unwrap();
    let mut agent = task.agent(session, &around).unwrap().with_trace_file(opened.store);
    agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text(reply))), &mut ())
}
