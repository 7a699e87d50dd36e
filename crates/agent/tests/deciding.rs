//! Calls that wait for a decision, as a program that embeds the agent decides them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use ptc_agent::tools::PendingReason;
use ptc_agent::{
    Agent, CallDecision, ErrorKind, FnModel, Pending, Reply, Request, RunStatus, Tool, Toolbox, TraceFile, arg,
};
use ptc_lisp::types::Type;
use ptc_turns::{Config, Json, Session, Trace};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A tool that pays, and what it was asked to pay.
fn tools(paid: &Arc<Mutex<Vec<String>>>) -> Toolbox {
    let paid = paid.clone();
    let pay = Tool::new("pay", move |args| {
        paid.lock().unwrap().push(ptc_lisp::print::brief(arg(&args, "n")));
        Ok(arg(&args, "n").clone())
    });
    Toolbox::new().with(pay.param("n", Type::Integer).needs_approval())
}

fn config(paid: &Arc<Mutex<Vec<String>>>) -> Config {
    Config { prompt: "Pay.".into(), tools: tools(paid).specs(), ..Config::default() }
}

const PROGRAM: &str = "(return (mapv #(try (tool/pay %) (catch Exception e (ex-message e))) [1 2 3 4]))";

fn ends(agent: &mut Agent) -> ptc_agent::RunOutcome {
    let mut model = FnModel(|_: Request<'_>| Ok(Reply::text(PROGRAM)));
    agent.run(&mut model, &mut ())
}

#[test]
fn calls_are_made_denied_and_answered_one_by_one() {
    let paid = Arc::default();
    let session = Session::new(config(&paid));
    let mut agent = Agent::new(session, tools(&paid));
    let answer = || Json::new("{\"paid\":30}".to_owned()).unwrap();
    for (id, decision) in [
        (1, CallDecision::Make),
        (2, CallDecision::Fail("too dear".to_owned())),
        (3, CallDecision::Answer(answer())),
        (4, CallDecision::Fail(String::new())),
    ] {
        let end = ends(&mut agent);
        assert_eq!(
            (end.status, end.error.as_ref().map(ptc_agent::Error::kind), end.turns),
            (RunStatus::Pending, Some(ErrorKind::Pending), 0)
        );
        let pending = end.pending.expect("what it waits for is told");
        assert_eq!(pending, agent.pending());
        let call = &pending.calls[0];
        assert_eq!(
            (pending.calls.len(), call.id, call.name.as_str(), call.why),
            (1, id, "pay", PendingReason::Approval)
        );
        assert_eq!(call.args.text(), format!("{{\"n\":{id}}}"));
        // It can be sent to who decides, and comes back the same.
        let text = serde_json::to_string(&pending).unwrap();
        assert_eq!(serde_json::from_str::<Pending>(&text).unwrap(), pending);
        let other = agent.decide(id + 7, CallDecision::Make).unwrap_err().to_string();
        assert_eq!(other, format!("call {} does not wait for a decision; call {id} waits", id + 7));
        agent.decide(id, decision).unwrap();
        assert!(agent.decide(id, CallDecision::Make).is_err() || id == 1, "decided once is decided");
    }
    let end = ends(&mut agent);
    assert_eq!(end.value.as_deref(), Some("[1 \"too dear\" {:paid 30} \"it was denied\"]"), "{:?}", end.error);
    assert_eq!((end.status, end.pending, agent.pending()), (RunStatus::Returned, None, Pending::default()));
    assert_eq!(*paid.lock().unwrap(), ["1"]);
}

/// A model must not believe that what was refused was done.
#[test]
fn a_call_that_was_denied_is_told_not_to_have_been_made() {
    let paid = Arc::default();
    let mut agent = Agent::new(Session::new(config(&paid)), tools(&paid));
    let program = "```clojure\n(tool/pay {:n 1})\n(tool/pay {:n 2})\n```";
    let mut model = FnModel(|_: Request<'_>| Ok(Reply::text(program)));
    agent.run(&mut model, &mut ());
    agent.decide(1, CallDecision::Make).unwrap();
    agent.run(&mut model, &mut ());
    agent.decide_by(2, CallDecision::Fail("too dear".to_owned()), "ann@laptop").unwrap();
    agent.run(&mut model, &mut ());
    let turn = &agent.session().trace().turns()[0];
    let by: Vec<Option<&str>> = turn.tool_calls.iter().map(|c| c.decided.as_ref().map(|d| d.by.as_str())).collect();
    assert_eq!(by, [None, Some("ann@laptop")]);
    let told = "calls made before the error: pay(1)\ncalls denied, and not made: pay(2)";
    assert!(turn.feedback.contains("tool/pay: too dear") && turn.feedback.contains(told), "{}", turn.feedback);
    assert_eq!(turn.tool_calls.iter().map(|c| c.denied()).collect::<Vec<_>>(), [false, true]);
    // The trace keeps it, and programs can tell it from a tool that failed.
    let read = ptc_turns::Trace::parse(agent.session().trace().to_text().as_bytes()).unwrap().trace;
    assert!(read.turns()[0].tool_calls[1].denied());
    assert_eq!(*paid.lock().unwrap(), ["1"]);
}

/// A tool that fails in the words of a denial was made all the same, whatever else is known of its error.
#[test]
fn an_error_that_reads_as_a_denial_is_none() {
    let tools = Toolbox::new().with(Tool::new("pay", |_| Err("it was denied, and not made".to_owned())));
    let config = Config { prompt: "Pay.".into(), tools: tools.specs(), ..Config::default() };
    let mut agent = Agent::new(Session::new(config), tools);
    let turn = agent.step("```clojure\n(tool/pay {})\n```", None).unwrap();
    assert!(turn.feedback.contains("calls made before the error: pay()"), "{}", turn.feedback);
    let call = |failure: &str| ptc_turns::trace::record::Call {
        failure: Json::new(failure.to_owned()),
        ..turn.tool_calls[0].clone()
    };
    for other in [r#"{"made":false}"#, r#"{"kind":"failed","made":false}"#, r#"{"kind":"denied"}"#] {
        assert!(!call(other).denied(), "{other}");
    }
    assert!(call(r#"{"kind":"denied","message":"no","made":false}"#).denied());
}

/// A further question is asked where the tools that its prompt offers are, and observers are told of it.
#[test]
fn a_further_question_is_told_and_needs_its_tools() {
    #[derive(Default)]
    struct Asked(Vec<String>);
    impl ptc_agent::Observer for Asked {
        fn opened(&mut self, act: &ptc_turns::Act, _: &Session) {
            self.0.push(act.name.clone());
        }
    }
    let paid = Arc::default();
    let mut agent = Agent::new(Session::new(config(&paid)), tools(&paid));
    agent.step("(return 1)", None).unwrap();
    let session = agent.session().fork();
    let refused = Agent::new(session, Toolbox::new()).follow_up("And now?", 3).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Session);
    assert!(refused.text().starts_with("the session's prompt offers tool/pay, which is not there now;"), "{refused}");
    let mut asked = Asked::default();
    agent.follow_up_with("And now?", 3, &mut asked).unwrap();
    assert_eq!(asked.0, ["question 2"]);
}

/// The process that decides, and the one that goes on, are others than the one that asked.
#[test]
fn whoever_has_the_trace_can_decide() {
    let file = std::env::temp_dir().join(format!("ptc-deciding-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let paid = Arc::default();
    let open = |path: &Path| {
        let opened = TraceFile::open(path, || false).unwrap();
        let session = match opened.trace {
            Some(trace) => Session::from_trace(trace, Vec::new()).unwrap(),
            None => Session::new(config(&paid)),
        };
        (session, opened.store)
    };
    let (session, mut store) = open(&file);
    store.begin(&session.trace().header).unwrap();
    let mut agent = Agent::new(session, tools(&paid)).with_trace_file(store);
    assert_eq!(ends(&mut agent).status, RunStatus::Pending);
    drop(agent);
    for id in 1..=4 {
        // Nobody who decides needs the tools.
        let (session, store) = open(&file);
        let mut decides = Agent::new(session, Toolbox::new()).with_trace_file(store);
        assert_eq!(decides.pending().calls.iter().map(|c| c.id).collect::<Vec<_>>(), [id]);
        decides.decide(id, CallDecision::Make).unwrap();
        drop(decides);
        let (session, store) = open(&file);
        let mut agent = Agent::new(session, tools(&paid)).with_trace_file(store);
        assert!(agent.begun(), "the reply is kept");
        let end = ends(&mut agent);
        assert_eq!(end.status, if id == 4 { RunStatus::Returned } else { RunStatus::Pending }, "{:?}", end.error);
    }
    assert_eq!(*paid.lock().unwrap(), ["1", "2", "3", "4"], "none is paid twice");
    let kept = Trace::parse(&std::fs::read(&file).unwrap()).unwrap().trace;
    assert_eq!(kept.turns()[0].value.as_deref(), Some("[1 2 3 4]"));
    std::fs::remove_file(&file).unwrap();
}
