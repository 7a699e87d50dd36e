//! Endings, budgets, cancellation, and turns that are continued.

use super::*;
use crate::error::{Error, ErrorKind};
use crate::model::replay_model::ReplayModel;
use crate::model::{CountedAs, FnModel, Model, ModelEvent, Reply, Request};
use crate::run_outcome::{RunOutcome, RunStatus};
use crate::tools::toolbox::Tool;
use ptc_history::tokens::Api;
use ptc_history::view::{CustomStrategy, Level, Selected, StrategyInput};
use ptc_history::{Message, ViewContext};
use ptc_turns::Config;
use ptc_turns::trace::record::ModelUsage;
use std::sync::Arc;

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
            if kept { Err("given up".into()) } else { Ok(ptc_lisp::value::Value::int(1)) }
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

/// A strategy that is a function.
struct Own<F>(&'static str, F);

impl<F> CustomStrategy for Own<F>
where
    F: Fn(&StrategyInput<'_>) -> Result<Vec<Selected>, String> + Send + Sync,
{
    fn name(&self) -> &'static str {
        self.0
    }

    fn select(&self, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
        (self.1)(input)
    }
}

/// One line in place of all between the task and the newest turn, as a system message.
fn newest(input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
    let len = input.conversation.len();
    input.counter.ok_or("newest counts tokens")?;
    if len < 6 {
        return Ok((0..len).map(Selected::Message).collect());
    }
    let made = Message::system(format!("({} earlier messages)", len - 4));
    Ok((0..2)
        .map(Selected::Message)
        .chain([Selected::Instead { of: 2..len - 2, message: made }])
        .chain((len - 2..len).map(Selected::Message))
        .collect())
}

const COUNTING: &str =
    "## Turn 1\n(def a 1)\n## Turn 2\n(def b 2)\n## Turn 3\n(def c 3)\n## Turn 4\n(return (+ a b c))";

/// What a model is asked with, the texts of each request, while it replies as `model` does.
fn watched(replies: &str) -> (impl Model + use<>, Arc<std::sync::Mutex<Vec<Vec<String>>>>) {
    let seen: Arc<std::sync::Mutex<Vec<Vec<String>>>> = Arc::default();
    let (told, mut model) = (seen.clone(), ReplayModel::parse("r.md", replies).unwrap());
    let model = FnModel(move |request: Request<'_>| {
        let texts = request.messages.iter().map(|m| m.text().into_owned()).collect();
        told.lock().unwrap().push(texts);
        model.reply(Request { messages: &[], ..request })
    });
    (model, seen)
}

fn with_strategy(strategy: impl CustomStrategy + 'static) -> Config {
    Config { prompt: "p".into(), max_turns: 9, strategy: Some(Arc::new(strategy)), ..Config::default() }
}

#[test]
fn a_strategy_of_the_host_makes_each_request_and_the_trace_names_it() {
    let session = Session::new(with_strategy(Own("newest", newest)));
    let mut agent = Agent::new(session, Toolbox::new());
    let (mut model, seen) = watched(COUNTING);
    let end = agent.run(&mut model, &mut ());
    assert_eq!((end.value.as_deref(), end.turns), (Some("6"), 4), "{:?}", end.error);
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen.iter().map(Vec::len).collect::<Vec<_>>(), [2, 4, 5, 5]);
    assert_eq!((seen[2][1].as_str(), seen[2][2].as_str()), ("p", "(2 earlier messages)"));
    assert_eq!(seen[3][2], "(4 earlier messages)");
    let trace = agent.into_session().trace().clone();
    assert_eq!(trace.header.custom_strategy.as_deref(), Some("newest"));
    let text = trace.to_text();
    assert!(text.lines().next().unwrap().contains("\"custom_strategy\":\"newest\""));
    assert_eq!(ptc_turns::Trace::parse(text.as_bytes()).unwrap().trace, trace);
    // Of a run without one nothing is written.
    assert!(!run("## Turn 1\n(return 1)", 3).1.trace().to_text().contains("custom_strategy"));
    // Who only reads the trace is told that the prompts were others.
    let view = ptc_turns::request(&trace, &trace.header.policy, Some(4), &ViewContext::default()).unwrap();
    assert_eq!(
        (view.shown.len(), &*view.events[0].text, view.events[0].level),
        (
            8,
            "the requests of this run were made by the strategy newest of its own program, which is not here; shown is \
             what it selected from",
            Level::Warn
        )
    );
    let last = |i: &StrategyInput<'_>| Ok(vec![Selected::Message(i.conversation.len() - 1)]);
    let with = ViewContext { strategy: Some(&Own("newest", last)), ..ViewContext::default() };
    let again = ptc_turns::request(&trace, &trace.header.policy, Some(4), &with).unwrap();
    assert!(again.shown.len() == 3 && again.events.iter().all(|e| !e.text.contains("which is not here")));
}

#[test]
fn a_session_with_a_strategy_goes_on_with_that_alone() {
    let session = Session::new(with_strategy(Own("newest", newest)));
    let mut agent = Agent::new(session, Toolbox::new());
    let (mut model, _) = watched("## Turn 1\n(def a 1)\n## Turn 2\n(def b 2)");
    assert_eq!(agent.run(&mut model, &mut ()).turns, 2);
    let trace = agent.into_session().trace().clone();
    let back = || Session::from_trace(trace.clone(), Vec::new()).unwrap();
    let go_on = |session: Session| {
        let (mut model, seen) = watched("## Turn 1\n(def c 3)\n## Turn 2\n(return (+ a b c))");
        let end = Agent::new(session, Toolbox::new()).run(&mut model, &mut ());
        (end, seen.lock().unwrap().len())
    };
    let (end, asked) = go_on(back());
    let error = end.error.unwrap();
    assert_eq!((end.status, error.kind(), asked, end.turns), (RunStatus::Error, ErrorKind::History, 0, 2));
    assert_eq!(
        error.text(),
        "the request cannot be made: the session was begun with the strategy newest of its own program; give it that with \
         Session::set_strategy"
    );
    let mut session = back();
    let other = session.set_strategy(Arc::new(Own("oldest", newest))).unwrap_err().to_string();
    assert!(other.contains("was begun with the strategy newest, and oldest is given"), "{other}");
    session.set_strategy(Arc::new(Own("newest", newest))).unwrap();
    let (end, asked) = go_on(session);
    assert_eq!((end.value.as_deref(), asked), (Some("6"), 2), "{:?}", end.error);
    let mut plain = Session::new(Config::default());
    let none = plain.set_strategy(Arc::new(Own("newest", newest))).unwrap_err().to_string();
    assert!(none.contains("was begun without a strategy of its program's own"), "{none}");
}

/// Nothing is sent, and nothing is lost.
#[test]
fn a_strategy_that_fails_ends_the_run_with_its_name() {
    type Select = fn(&StrategyInput<'_>) -> Result<Vec<Selected>, String>;
    let cases: [(Select, &str); 5] = [
        (|_| panic!("oh {}", 5), "strategy own: it panicked: oh 5"),
        (|_| Err("the index is not loaded".into()), "strategy own: the index is not loaded"),
        (
            |_| Ok(vec![Selected::Message(99)]),
            "strategy own: there is no message 99; the conversation has 2, counted from 0",
        ),
        (
            |_| Ok(vec![Selected::Message(1), Selected::Message(0)]),
            "strategy own: message 0 comes after message 1; each may be selected once, in the order of the conversation",
        ),
        (
            |_| Ok(vec![Selected::Instead { of: 1..1, message: Message::user("x") }]),
            "strategy own: a message stands for none (1..1); say which it stands for",
        ),
    ];
    for (select, text) in cases {
        let mut agent = Agent::new(Session::new(with_strategy(Own("own", select))), Toolbox::new());
        let (mut model, seen) = watched(COUNTING);
        let end = agent.run(&mut model, &mut ());
        let error = end.error.unwrap();
        assert_eq!((end.status, error.kind()), (RunStatus::Error, ErrorKind::History));
        assert_eq!(error.text(), format!("the request cannot be made: {text}"));
        assert_eq!((seen.lock().unwrap().len(), agent.begun()), (0, false));
    }
    // `auto` is one of the policy's: two are a conflict.
    let history =
        ptc_history::Policy { strategy: ptc_history::policy::Strategy::Auto, ..ptc_history::Policy::default() };
    let policy = ptc_turns::Policy { history, ..ptc_turns::Policy::default() };
    let config = Config { policy, ..with_strategy(Own("own", newest)) };
    let end = Agent::new(Session::new(config), Toolbox::new()).run(&mut watched(COUNTING).0, &mut ());
    let text = end.error.unwrap().text();
    assert!(text.contains("the host gives a strategy (own), and the policy says strategy = \"auto\""), "{text}");
}

/// Tries that failed before a reply came are counted in its turn, and in the whole.
#[test]
fn how_often_a_model_was_asked_again_is_kept() {
    let mut agent = Agent::new(Session::new(Config { prompt: "p".into(), ..Config::default() }), Toolbox::new());
    let mut turn = 0;
    let mut model = FnModel(|mut r: Request<'_>| {
        turn += 1;
        for tried in 1..turn {
            let wait = std::time::Duration::ZERO;
            let retry = crate::model::Retry { reason: "too many requests".into(), wait, tried, tries: 4 };
            r.events.as_mut().unwrap()(ModelEvent::Retry(&retry));
        }
        let text = if turn == 3 { "(return 1)" } else { "(def x 1)" };
        let usage = ModelUsage { provider: "p".into(), model: "m".into(), ..ModelUsage::default() };
        Ok(Reply { usage: Some(usage), ..Reply::text(text) })
    });
    let end = agent.run(&mut model, &mut ());
    assert_eq!((end.status, end.usage.retries), (RunStatus::Returned, Some(3)));
    let trace = agent.session().trace();
    assert_eq!(trace.turns().iter().map(|t| t.usage.retries).collect::<Vec<_>>(), [None, Some(1), Some(2)]);
    let text = trace.to_text();
    assert_eq!(
        (text.matches("\"retries\"").count(), ptc_turns::Trace::parse(text.as_bytes()).unwrap().trace == *trace),
        (2, true)
    );
}
