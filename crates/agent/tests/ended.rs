//! What a trace says of how its run ended, where no turn tells that.

use crate::folder::Folder;
use crate::ran::{go_on, run, run_with};
use ptc_agent::tools::PendingReason;
use ptc_agent::{
    Agent, Cancel, Error, FnModel, OnCrash, Reply, Request, RunLimitReached, RunStatus, Tool, Toolbox, TraceFile,
    trace_file,
};
use ptc_turns::{Config, Session};

const TASK: &str = "[task]\nprompt = \"Ask.\"\n[limits]\nmax_tool_calls_total = 1\n[tools.stock]\n\
                    params = [{ name = \"n\", type = \"integer\" }]\nreplay = \"s.jsonl\"\n";
const STOCK: &str = "{\"args\": {\"n\": 1}, \"result\": 11}\n{\"args\": {\"n\": 2}, \"result\": 12}\n";

fn told(f: &Folder) -> Option<(String, String)> {
    let trace = trace_file::read(&f.0.join("t.jsonl")).unwrap().trace;
    trace.run_ended().map(|how| (how.run_ended.clone(), how.text()))
}

#[test]
fn a_limit_of_the_run_is_told_and_the_turn_that_it_cut_off_is_there() {
    let f = Folder::new("ended-limit", &[("task.toml", TASK), ("s.jsonl", STOCK)]);
    let (end, trace, ..) = run(&f, &["(return (+ (tool/stock {:n 1}) (tool/stock {:n 2})))"]);
    assert_eq!(end.status, RunStatus::Limit);
    let reached = end.error.as_ref().and_then(RunLimitReached::of);
    assert_eq!(reached.map(|r| r.limit), Some("max_tool_calls_total"));
    let (how, words) = told(&f).unwrap();
    assert_eq!(how, "limit");
    assert_eq!(
        words,
        "the run has used 1 tool calls, and max_tool_calls_total is 1; go on with a higher max_tool_calls_total"
    );
    assert_eq!((trace.turns().len(), trace.journal().answered().count()), (0, 1));
    // It goes on from there, and ends again: that is the last that is told. With a turn nothing is left to be told.
    assert_eq!(go_on(&f, "").status, RunStatus::Limit);
    std::fs::write(f.0.join("task/task.toml"), TASK.replace("total = 1", "total = 2")).unwrap();
    assert_eq!(go_on(&f, "").value.as_deref(), Some("23"));
    assert_eq!(told(&f), None);
    let text = std::fs::read_to_string(f.0.join("t.jsonl")).unwrap();
    assert_eq!(text.lines().filter(|l| l.starts_with("{\"run_ended\":\"limit\"")).count(), 2);
}

#[test]
fn a_lost_model_and_a_run_that_was_cancelled_are_told() {
    let f = Folder::new("ended-model", &[("task.toml", "[task]\nprompt = \"p\"\n")]);
    let (end, ..) = run_with(&f, &mut FnModel(|_: Request<'_>| Err(Error::model("it is away; come back"))));
    assert_eq!(end.status, RunStatus::Error);
    assert_eq!(told(&f), Some(("error".into(), "it is away; come back".into())));

    let f = Folder::new("ended-cancel", &[]);
    let mut store = TraceFile::open(&f.0.join("t.jsonl"), || false).unwrap().store;
    let session = Session::new(Config { prompt: "p".into(), ..Config::default() });
    store.begin(&session.trace().header).unwrap();
    let cancel = Cancel::default();
    let mut agent = Agent::new(session, Toolbox::new()).with_trace_file(store).with_cancel(cancel.clone());
    let end = agent.run(
        &mut FnModel(|_: Request<'_>| {
            cancel.cancel();
            Ok(Reply::text("(return 1)"))
        }),
        &mut (),
    );
    assert_eq!((end.status, end.pending), (RunStatus::Cancelled, None));
    assert_eq!(told(&f), Some(("cancelled".into(), "cancelled".into())));
}

/// What a turn tells itself has no line: a return, a failure, the last turn, a call that waits.
#[test]
fn what_a_turn_tells_is_not_said_again() {
    let task = "[task]\nprompt = \"p\"\nmax_turns = 1\n[tools.pay]\napproval = \"always\"\nreplay = \"s.jsonl\"\n";
    for (reply, status) in [
        ("(return 1)", RunStatus::Returned),
        ("(fail \"no\")", RunStatus::Failed),
        ("(def x 1)", RunStatus::OutOfTurns),
        ("(tool/pay {})", RunStatus::Pending),
    ] {
        let f = Folder::new("ended-turn", &[("task.toml", task), ("s.jsonl", "")]);
        assert_eq!(run(&f, &[reply]).0.status, status);
        let text = std::fs::read_to_string(f.0.join("t.jsonl")).unwrap();
        assert!(!text.contains("run_ended"), "{text}");
    }
}

/// A call that was in flight when somebody ended the run waits for a word once it goes on: that is told at once. One that
/// may be made again does not.
#[test]
fn what_a_cancelled_run_will_wait_for_is_told() {
    for (rule, waits) in [(OnCrash::Ask, 1), (OnCrash::Repeat, 0), (OnCrash::Fail, 0)] {
        let cancel = Cancel::default();
        let raised = cancel.clone();
        let tool = Tool::with_control("slow", move |_, control| {
            raised.cancel();
            while !control.given_up() {
                std::thread::yield_now();
            }
            Err("it was given up".to_owned())
        });
        let tools = Toolbox::new().with(tool.on_crash(rule));
        let config = Config { prompt: "p".into(), tools: tools.specs(), ..Config::default() };
        let mut agent = Agent::new(Session::new(config), tools).with_cancel(cancel);
        let end = agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text("(return (tool/slow {}))"))), &mut ());
        assert_eq!(end.status, RunStatus::Cancelled, "{:?}", end.error);
        let calls = end.pending.map(|p| p.calls).unwrap_or_default();
        assert_eq!(calls.len(), waits, "{rule:?}: {calls:?}");
        assert!(calls.iter().all(|c| c.id == 1 && c.why == PendingReason::InFlight));
    }
}

/// A line in the middle that cannot be read: what is before it is shown, and who would go on is told which line it is.
#[test]
fn what_is_before_a_damaged_line_can_be_read_and_not_gone_on_with() {
    let f = Folder::new("ended-damage", &[("task.toml", "[task]\nprompt = \"p\"\n")]);
    run(&f, &["(def x 1)", "(def y 2)", "(return (+ x y))"]);
    let path = f.0.join("t.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|l| l.starts_with("{\"turn\":2,")).unwrap();
    let broken: Vec<&str> =
        lines.iter().enumerate().map(|(i, l)| if i == at { &l[..l.len() / 2] } else { *l }).collect();
    std::fs::write(&path, broken.join("\n")).unwrap();
    let (loaded, damaged) = trace_file::read_undamaged(&path).unwrap();
    let words = damaged.unwrap().to_string();
    assert_eq!(loaded.trace.turns().len(), 1);
    assert!(words.contains(&format!("trace line {}: ", at + 1)), "{words}");
    assert!(
        words.contains("ptc trace shows what is before it") && words.contains(&format!("head -n {at} ")),
        "{words}"
    );
    let refused = TraceFile::open(&path, || false).unwrap_err().to_string();
    assert_eq!((&refused, trace_file::read(&path).unwrap_err().to_string()), (&words, words.clone()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), broken.join("\n"), "nothing is lost");
}
