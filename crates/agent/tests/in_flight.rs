//! Runs that end while something is in flight: by their time, or by hand. Requests and calls are given up, what was paid
//! for is kept, and what waits for a word is named, in subtasks too.

use crate::folder::Folder;
use crate::ran::go_on;
use ptc_agent::tools::{CallDecision, PendingReason};
use ptc_agent::{
    Agent, Cancel, Error, ErrorKind, FnModel, OnCrash, Reply, Request, RunBudget, RunContext, RunLimitReached,
    RunLimits, RunOutcome, RunStatus, Task, Tool, Toolbox, TraceFile, trace_file,
};
use ptc_turns::{Config, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Asks until it is so; after ten seconds it is not.
fn comes(so: impl Fn() -> bool) -> bool {
    let until = Instant::now() + Duration::from_secs(10);
    while !so() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(2));
    }
    so()
}

/// A run of ten seconds, and its clock.
fn ten_seconds() -> (RunBudget, Arc<AtomicU64>) {
    let now = Arc::new(AtomicU64::new(0));
    let clock = now.clone();
    let limits: RunLimits =
        Task::parse(std::path::Path::new("t"), "task.toml", "[task]\nprompt = \"p\"\n[limits]\nmax_seconds = 10\n")
            .unwrap()
            .run_limits;
    (RunBudget::with_clock(limits, Arc::new(move || clock.load(Ordering::Relaxed))), now)
}

#[test]
fn a_request_in_flight_is_given_up_when_the_time_is_over() {
    let (budget, now) = ten_seconds();
    let mut agent = Agent::new(Session::new(Config::programs()), Toolbox::new()).with_budget(budget);
    let end = agent.run(
        &mut FnModel(|request: Request<'_>| {
            now.store(10_500, Ordering::Relaxed);
            match comes(|| request.cancel.cancelled()) {
                true => Err(Error::cancelled()),
                false => Ok(Reply::text("(return 1)")),
            }
        }),
        &mut (),
    );
    let error = end.error.unwrap();
    assert_eq!((end.status, error.kind(), end.turns), (RunStatus::Limit, ErrorKind::RunLimit, 0));
    assert_eq!(RunLimitReached::of(&error).map(|r| (r.limit, r.used)), Some(("max_seconds", 10.5)));
    assert_eq!(
        error.text(),
        "the run has used 10.5 seconds, and max_seconds is 10: the request of turn 1 was given up, and may be charged all \
         the same; go on with a higher max_seconds"
    );
}

/// A reply that comes when the time is over was paid for: it is kept, and not asked for again.
#[test]
fn a_reply_that_comes_too_late_is_kept() {
    let (budget, now) = ten_seconds();
    let mut agent = Agent::new(Session::new(Config { prompt: "p".into(), ..Config::default() }), Toolbox::new())
        .with_budget(budget);
    let late = |_: Request<'_>| {
        now.store(11_000, Ordering::Relaxed);
        Ok(Reply::text("(return 5)"))
    };
    let end = agent.run(&mut FnModel(late), &mut ());
    assert_eq!((end.status, end.turns, agent.begun()), (RunStatus::Limit, 0, true));
    let mut agent = Agent::new(agent.into_session(), Toolbox::new());
    let end = agent.run(&mut FnModel(|_: Request<'_>| Err(Error::model("asked again"))), &mut ());
    assert_eq!((end.status, end.value.as_deref()), (RunStatus::Returned, Some("5")), "{:?}", end.error);
}

/// A call in flight is given up as by Ctrl-C: whoever goes on decides what becomes of it.
#[test]
fn a_call_in_flight_is_given_up_when_the_time_is_over() {
    let (budget, now) = ten_seconds();
    let over = now.clone();
    let slow = move |hold: bool| {
        let now = now.clone();
        let tool = Tool::with_control("slow", move |_, control| {
            if !hold {
                return Ok(ptc_lisp::value::Value::int(7));
            }
            now.store(12_000, Ordering::Relaxed);
            match comes(|| control.given_up()) {
                true => Err("it was given up".to_owned()),
                false => Ok(ptc_lisp::value::Value::int(1)),
            }
        });
        Toolbox::new().with(tool.on_crash(OnCrash::Ask))
    };
    let tools = slow(true);
    let config = Config { prompt: "p".into(), tools: tools.specs(), ..Config::default() };
    let mut agent = Agent::new(Session::new(config), tools).with_budget(budget);
    let end = agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text("(return (tool/slow {}))"))), &mut ());
    assert_eq!((end.status, end.turns), (RunStatus::Limit, 0), "{:?}", end.error);
    let words = end.error.unwrap().text();
    assert!(words.contains("max_seconds is 10: turn 1 was given up; go on"), "{words}");
    let waits: Vec<_> = end.pending.unwrap().calls.iter().map(|c| (c.id, c.why)).collect();
    assert_eq!(waits, [(1, PendingReason::InFlight)]);
    // It goes on with a word, and the model is not asked again.
    over.store(0, Ordering::Relaxed);
    let mut agent = Agent::new(agent.into_session(), slow(false));
    let nobody = &mut FnModel(|_: Request<'_>| Err(Error::model("asked again")));
    assert_eq!(agent.run(nobody, &mut ()).status, RunStatus::Pending);
    agent.decide(1, CallDecision::Make).unwrap();
    let end = agent.run(nobody, &mut ());
    assert_eq!((end.status, end.value.as_deref()), (RunStatus::Returned, Some("7")), "{:?}", end.error);
}

const OUTER: &str = "[task]\nprompt = \"p\"\n[agents.helper]\ntask = \"../helper\"\n";
const HELPER: &str = "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n[tools.slow]\n\
                      command = [\"sh\", \"slow.sh\"]\n";
const SLOW: &str = "cat > /dev/null; echo x >> made; [ $(wc -l < made) -gt 1 ] || sleep 20; echo 5\n";

/// Runs a task whose sub-agent calls a tool that takes long; `meanwhile` is done once it does.
fn run_inside(f: &Folder, budget: Option<RunBudget>, meanwhile: impl FnOnce(&Cancel) + Send) -> RunOutcome {
    let task = Task::load(&f.0.join("task")).unwrap();
    let cancel = Cancel::default();
    let around =
        RunContext { trace: Some(f.0.join("t.jsonl")), cancel: cancel.clone(), budget, ..RunContext::default() };
    let mut store = TraceFile::open(around.trace.as_deref().unwrap(), || false).unwrap().store;
    let session = Session::new(task.config().unwrap());
    store.begin(&session.trace().header).unwrap();
    let mut agent = task.agent(session, &around).unwrap().with_trace_file(store);
    std::thread::scope(|s| {
        s.spawn(|| {
            comes(|| f.0.join("helper/made").exists());
            meanwhile(&cancel);
        });
        let ask = "(return (tool/helper {:request \"x\"}))";
        agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text(ask))), &mut ())
    })
}

/// What its sub-agent was doing when a run was cancelled, or its time was over, is named; nothing of it counts as answered.
#[cfg(unix)]
#[test]
fn calls_of_sub_agents_that_were_given_up_are_named() {
    let files = [
        ("task.toml", OUTER),
        ("../helper/task.toml", HELPER),
        ("../helper/r.md", "## Turn 1\n(return (tool/slow {}))\n"),
        ("../helper/slow.sh", SLOW),
    ];
    // Who looks first, the sub-agent or its caller, is chance.
    for round in 0..6 {
        let f = Folder::new("given-up-inside", &files);
        let by_hand = round % 2 == 0;
        let end = match by_hand {
            true => run_inside(&f, None, Cancel::cancel),
            false => {
                let (budget, now) = ten_seconds();
                run_inside(&f, Some(budget), move |_| now.store(11_000, Ordering::Relaxed))
            }
        };
        let status = if by_hand { RunStatus::Cancelled } else { RunStatus::Limit };
        assert_eq!(end.status, status, "{:?}", end.error);
        let [call] = end.pending.unwrap().calls.try_into().unwrap();
        assert_eq!((call.id, call.name.as_str(), call.why), (1, "slow", PendingReason::InFlight));
        let inside = call.trace.unwrap();
        let kept = trace_file::read(&inside).unwrap().trace;
        assert_eq!(kept.run_ended().map(|how| how.run_ended.as_str()), Some(status.as_str()));
        let outer = trace_file::read(&f.0.join("t.jsonl")).unwrap().trace;
        assert_eq!(outer.journal().answered().count(), 0, "the sub-agent has no answer");
        // With a word it goes on where it was.
        assert_eq!(go_on(&f, "").status, RunStatus::Pending);
        let mut opened = TraceFile::open(&inside, || false).unwrap();
        let decided = ptc_agent::tools::decide(&opened.trace.unwrap(), 1, CallDecision::Make, 0).unwrap();
        let ptc_agent::tools::Decided::Entry(entry) = decided else { panic!("{decided:?}") };
        opened.store.append_entry(&entry).unwrap();
        drop(opened.store);
        let end = go_on(&f, "");
        assert_eq!((end.status, end.value.as_deref()), (RunStatus::Returned, Some("5")), "{:?}", end.error);
    }
}

/// A sub-agent that its program does not wait for any longer is an error for that, whatever it was doing.
#[cfg(unix)]
#[test]
fn a_sub_agent_that_takes_too_long_is_an_error_of_its_call() {
    let outer = OUTER.replace("[agents", "[limits]\nwall_ms = 1500\n[agents");
    let files = [
        ("task.toml", outer.as_str()),
        ("../helper/task.toml", HELPER),
        ("../helper/r.md", "## Turn 1\n(return (tool/slow {}))\n"),
        ("../helper/slow.sh", SLOW),
    ];
    let f = Folder::new("too-long-inside", &files);
    let ask = "(return (try (tool/helper {:request \"x\"}) (catch Exception e (ex-message e))))";
    let end = crate::ran::run_with(&f, &mut FnModel(|_: Request<'_>| Ok(Reply::text(ask)))).0;
    let said = end.value.unwrap_or_else(|| panic!("{:?} {:?}", end.error, end.pending));
    assert!(said.contains("no answer within the turn's time"), "{said}");
}
