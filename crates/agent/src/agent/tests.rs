//! Endings, budgets, cancellation, and turns that are continued.

use super::*;
use crate::model::replay_model::ReplayModel;
use crate::model::{FnModel, Reply};
use crate::tools::toolbox::Tool;
use ptc_turns::Config;

fn run(replies: &str, max_turns: u64) -> (RunOutcome, Session) {
    let tools = Toolbox::new().with(Tool::new("boom", |_| panic!("oh")));
    let config = Config { prompt: "p".into(), max_turns, tools: tools.specs(), ..Config::default() };
    let mut agent = Agent::new(Session::new(config), tools);
    let mut model = ReplayModel::parse("r.md", replies).unwrap();
    let end = agent.run(&mut model, &mut ());
    (end, agent.into_session())
}

#[test]
fn each_ending_is_its_own() {
    for (replies, ending, value, problem, turns) in [
        ("## Turn 1\n(def x 1)\n## Turn 2\n(return {:x x})", RunStatus::Returned, Some("{:x 1}"), None, 2),
        ("## Turn 1\n(fail \"no data\")", RunStatus::Failed, Some("\"no data\""), Some("no data"), 1),
        (
            "## Turn 1\n1\n## Turn 2\n2\n## Turn 3\n(oops)",
            RunStatus::OutOfTurns,
            None,
            Some("out of turns: max_turns is 3"),
            3,
        ),
        (
            "## Turn 1\n(tool/boom)",
            RunStatus::Error,
            None,
            Some(
                "r.md has no reply for turn 2, its last is for turn 1; add a heading \"## Turn 2\" with a program under it",
            ),
            1,
        ),
    ] {
        let (end, session) = run(replies, 3);
        assert_eq!((end.status, end.value.as_deref(), end.turns), (ending, value, turns), "{replies}");
        assert_eq!(end.error.is_none(), problem.is_none(), "{:?}", end.error);
        assert!(
            end.error.as_ref().map(Error::text).as_deref().unwrap_or_default().contains(problem.unwrap_or_default()),
            "{:?}",
            end.error
        );
        assert_eq!(session.trace().turns().len() as u64, turns);
    }
    let (_, session) = run("## Turn 1\n(tool/boom)", 3);
    let error = session.trace().last().unwrap().error.clone().unwrap();
    assert_eq!(error.message, "tool/boom: the tool panicked: oh");
}

/// A model that says whose tokens it counts, and reports more of them than anyone expects.
struct Counting {
    replies: u64,
    seen: Vec<usize>,
    more: u64,
}

impl Model for Counting {
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, crate::error::Error> {
        self.replies += 1;
        self.seen.push(request.messages.len());
        let mut fresh = TokenCalibration::default();
        fresh.count_as(&self.counted_as().unwrap());
        let counter = fresh.counter().unwrap();
        let tokens = counter.frame() + request.messages.iter().map(|m| counter.message(m)).sum::<u64>();
        let usage = ModelUsage { input_tokens: Some(tokens * self.more / 10), ..ModelUsage::default() };
        let text = format!("(def x{} (vec (range 40)))\n(println (range 60))", self.replies);
        Ok(Reply { usage: Some(usage), ..Reply::text(text) })
    }

    fn counted_as(&self) -> Option<CountedAs> {
        Some(CountedAs { provider: "anthropic".into(), api: Api::Anthropic, model: "claude-sonnet-4-5".into() })
    }
}

fn budget(model: &mut dyn Model, max_tokens: u64) -> Agent {
    let history = ptc_history::Policy {
        max_tokens: Some(max_tokens),
        strategy: ptc_history::policy::Strategy::SlidingWindow,
        ..ptc_history::Policy::default()
    };
    let policy = ptc_turns::Policy { history, ..ptc_turns::Policy::full() };
    let config = Config { prompt: "p".into(), card: ptc_turns::Card::Long, max_turns: 14, policy, ..Config::default() };
    let mut agent = Agent::new(Session::new(config), Toolbox::new());
    agent.run(model, &mut ());
    agent
}

/// A budget holds fewer messages of a model whose text makes more tokens, and fewer still once that was reported.
#[test]
fn budgets_are_counted_as_the_model_counts() {
    let seen = |more, max_tokens| {
        let mut model = Counting { replies: 0, seen: Vec::new(), more };
        let agent = budget(&mut model, max_tokens);
        assert_eq!(agent.token_calibration().current().unwrap().profile(), "claude-4.5");
        assert!(agent.token_calibration().current().unwrap().seen().0 > 3);
        *model.seen.last().unwrap()
    };
    let mut openai = Vec::new();
    let mut n = 0;
    budget(
        &mut FnModel(|r: Request<'_>| {
            n += 1;
            openai.push(r.messages.len());
            Ok(Reply::text(format!("(def x{n} (vec (range 40)))\n(println (range 60))")))
        }),
        3800,
    );
    let (expected, openai) = (seen(10, 3800), *openai.last().unwrap());
    assert!(expected < openai, "{expected} {openai}");
    let (expected, more) = (seen(10, 7000), seen(16, 7000));
    assert!(more < expected, "{more} {expected}");
}

/// A call that was made and is lost is told, also under Ctrl-C: it will be made again.
#[test]
fn a_call_that_could_not_be_kept_is_told_when_cancelled_too() {
    let text = "[task]\nmodel = \"replay:r.md\"\n[acts.a]\n[[acts.a.input]]\ntype = \"tool\"\ntool = \"t\"\n\
                [[acts.a.input]]\ntype = \"text\"\ncontent = \"Go.\"\n[tools.t]\nreplay = \"none.jsonl\"\n";
    let task = crate::Task::parse(&std::env::temp_dir(), "task.toml", text).unwrap();
    let path = std::env::temp_dir().join(format!("ptc-agent-{}-closed", std::process::id()));
    std::fs::write(&path, "").unwrap();
    let ends = |kept: bool| {
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let tools = Toolbox::new().with(Tool::new("t", move |_| {
            flag.cancel();
            if kept { Err("given up".into()) } else { Ok(ptc_lisp::value::Value::Int(1)) }
        }));
        let agent = Agent::new(Session::new(task.config().unwrap()), tools).with_cancel(cancel);
        let mut agent = agent.with_acts(task.acts(&crate::RunContext::default()).unwrap());
        if !kept {
            agent = agent.with_trace_file(TraceFile::closed(&path).unwrap());
        }
        agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text("1"))), &mut ()).error.unwrap().text()
    };
    assert_eq!(ends(true), "cancelled");
    assert!(ends(false).contains("-closed: cannot write it"), "{}", ends(false));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_raised_flag_ends_the_run_and_the_turn_is_not_spent() {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    let tools = Toolbox::new().with(Tool::new("stop", move |_| {
        flag.cancel();
        Ok(ptc_lisp::value::Value::Nil)
    }));
    let config = Config { prompt: "p".into(), tools: tools.specs(), ..Config::default() };
    let mut agent = Agent::new(Session::new(config), tools).with_cancel(cancel);
    let end = agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text("(tool/stop) (loop [] (recur))"))), &mut ());
    assert_eq!(
        (end.status, end.error.as_ref().map(Error::text).as_deref(), end.turns),
        (RunStatus::Cancelled, Some("cancelled"), 0)
    );
    assert!(agent.session().trace().turns().is_empty());
}
