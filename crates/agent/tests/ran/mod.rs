//! A task of a folder, run as `ptc run` does, and what came of it.

use crate::folder::Folder;
use ptc_agent::{Around, Finished, FnModel, Model, Reply, Request, Store, Task, Watch};
use ptc_turns::{Act, Session, Trace};

/// What was told while it ran.
#[derive(Default)]
pub struct Notes {
    pub acts: Vec<String>,
    pub warnings: Vec<String>,
}

impl Watch for Notes {
    fn opened(&mut self, act: &Act, _: &Session) {
        self.acts.push(act.name.clone());
    }
    fn warned(&mut self, words: &str) {
        self.warnings.push(words.to_owned());
    }
}

/// Runs the task of a folder with this model, its trace kept in `t.jsonl` beside it.
pub fn run_with(f: &Folder, model: &mut dyn Model) -> (Finished, Trace, Notes) {
    let task = Task::load(&f.0.join("task")).unwrap();
    let around = Around { trace: Some(f.0.join("t.jsonl")), ..Around::default() };
    let mut store = Store::open(around.trace.as_deref().unwrap(), || false).unwrap().store;
    let session = Session::new(task.config().unwrap());
    store.begin(&session.trace().header).unwrap();
    let mut agent = task.agent(session, &around).unwrap().with_store(store);
    let mut notes = Notes::default();
    let end = agent.run(model, &mut notes);
    let trace = agent.into_session().trace().clone();
    (end, trace, notes)
}

/// The same with a model that says these in order, and what it was sent each time.
pub fn run(f: &Folder, replies: &[&str]) -> (Finished, Trace, Notes, Vec<String>) {
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

/// Goes on with what `t.jsonl` holds; a model that is asked says this.
#[allow(dead_code)]
pub fn go_on(f: &Folder, reply: &str) -> Finished {
    let task = Task::load(&f.0.join("task")).unwrap();
    let around = Around { trace: Some(f.0.join("t.jsonl")), ..Around::default() };
    let opened = Store::open(around.trace.as_deref().unwrap(), || false).unwrap();
    let session = Session::from_trace(opened.trace.unwrap(), Vec::new()).unwrap();
    let mut agent = task.agent(session, &around).unwrap().with_store(opened.store);
    agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text(reply))), &mut ())
}
