//! What a program embeds can be made on one thread and used on another.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use ptc_agent::chat::Chat;
use ptc_agent::{
    Acts, Agent, Isolated, RecordingModel, ReplayModel, Summaries, Task, Tool, Toolbox, TraceFile, Worker, arg,
};
use ptc_agent::{ProviderModel, RunOutcome};
use ptc_lisp::value::Value;
use ptc_turns::{Config, Session, TurnRecord};

// This file does not compile where one of them cannot be sent to another thread.
const fn can_be_sent<T: Send + ?Sized>() {}
const _: () = {
    can_be_sent::<Acts>();
    can_be_sent::<Agent>();
    can_be_sent::<Box<dyn ptc_agent::Model>>();
    can_be_sent::<Chat>();
    can_be_sent::<RunOutcome>();
    can_be_sent::<Isolated>();
    can_be_sent::<ProviderModel>();
    can_be_sent::<RecordingModel<ReplayModel>>();
    can_be_sent::<ReplayModel>();
    can_be_sent::<Session>();
    can_be_sent::<TraceFile>();
    can_be_sent::<Summaries>();
    can_be_sent::<Task>();
    can_be_sent::<Tool>();
    can_be_sent::<Toolbox>();
    can_be_sent::<TurnRecord>();
    can_be_sent::<Worker>();
};

/// Programs that hold memory, lazy sequences, atoms and functions over turns, and let go of some of it.
const REPLIES: &str = "## Turn 1\n(def xs (vec (range 20000)))\n(def a (atom {:n 0}))\n(def f (fn [n] (swap! a update :n + n)))\n\
    ## Turn 2\n(f 5)\n(def ys (map inc xs))\n(def big (apply str (repeat 5000 \"ab\")))\n\
    ## Turn 3\n(def xs nil)\n(f (tool/twice 3))\n\
    ## Turn 4\n(def ys (vec ys))\n(def big nil)\n(f (count ys))\n\
    ## Turn 5\n(return [(:n @a) (count ys) (reduce + ys)])";

fn agent() -> Agent {
    let twice = Tool::new("twice", |args| match arg(&args, "n") {
        Value::Int(n) => Ok(Value::int(n.get() * 2)),
        _ => Err("n must be an integer".into()),
    });
    let tools = Toolbox::new().with(twice.param("n", ptc_lisp::types::Type::Integer));
    let config = Config { prompt: "p".into(), max_turns: 5, tools: tools.specs(), ..Config::default() };
    Agent::new(Session::new(config), tools)
}

/// What of a turn does not depend on the clock.
fn kept(record: &TurnRecord) -> (Option<String>, Option<String>, u64, u64) {
    let error = record.error.as_ref().map(|e| e.message.clone());
    (record.value.clone(), error, record.usage.fuel, record.usage.memory_bytes)
}

/// The replies of [`REPLIES`], one turn each.
fn replies() -> Vec<&'static str> {
    REPLIES.split("## Turn ").skip(1).filter_map(|r| r.split_once('\n')).map(|r| r.1).collect()
}

#[test]
fn a_session_goes_from_thread_to_thread_and_its_turns_cost_the_same() {
    let mut here = agent();
    let on_one: Vec<_> = replies().iter().map(|r| kept(&here.step(r, None).unwrap())).collect();
    assert_eq!(on_one.last().unwrap().0.as_deref(), Some("[20011 20000 200010000]"));
    let mut moving = agent();
    let mut on_many = Vec::new();
    for reply in replies() {
        let (agent, record) = std::thread::spawn(move || {
            let record = moving.step(reply, None).unwrap();
            (moving, record)
        })
        .join()
        .unwrap();
        moving = agent;
        on_many.push(kept(&record));
    }
    assert_eq!(on_many, on_one);
    // What was made there is let go of here, and forks of it elsewhere.
    let fork = moving.session().fork();
    drop(moving);
    let turns = std::thread::spawn(move || fork.trace().turns().len()).join().unwrap();
    assert_eq!(turns, 5);
}

#[test]
fn a_model_made_here_answers_there() {
    let mut model: Box<dyn ptc_agent::Model> = Box::new(ReplayModel::parse("r.md", REPLIES).unwrap());
    let mut agent = agent();
    let end = std::thread::spawn(move || agent.run(&mut model, &mut ())).join().unwrap();
    assert_eq!((end.value.as_deref(), end.turns), (Some("[20011 20000 200010000]"), 5), "{:?}", end.error);
}
