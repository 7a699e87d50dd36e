//! Sessions that are served: kept as traces, in worker processes, for several clients, over restarts and lost processes.

use crate::common::{Folder, ptc_in};
use ptc_agent::sessions::SessionStore;
use ptc_agent::{CallDecision, Task, TraceFile, Worker};
use ptc_server::{Answer, AnswerState, Begin, Client, Event, RefusedKind, ServerOptions, Serving, Sessions};
use ptc_turns::TurnRecord;
use serde_json::json;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(120);

/// Takes a second or more.
const SLOW: &str = "(reduce + (range 8000000))";

fn worker() -> Worker {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command.args(["__worker", "--serve-ptc-turns"]);
    Worker::new(command)
}

fn serving(home: &Folder, options: &[&str]) -> Serving {
    let mut serving = Serving::new(SessionStore::at(&home.0), worker());
    // A slow machine is no reason to end a turn.
    let mut all = ServerOptions::default();
    all.set("turn_seconds=100").unwrap();
    options.iter().for_each(|o| all.set(o).unwrap());
    serving.options = all;
    serving
}

fn with_task(mut serving: Serving, path: &str) -> Serving {
    serving.tasks = vec![(path.into(), Task::load(path.as_ref()).unwrap())];
    serving
}

/// Runs a test in a runtime of its own.
fn block<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test)
}

fn me() -> Client {
    Client::new("me")
}

async fn begin(sessions: &Sessions, task: Option<&str>) -> String {
    sessions.create(&me(), Begin { task: task.map(str::to_owned), ..Begin::default() }).await.unwrap()
}

async fn run(sessions: &Sessions, id: &str, program: &str) -> Arc<TurnRecord> {
    ended(sessions.run(&me(), id, program, LONG).await.unwrap())
}

fn ended(answer: Answer) -> Arc<TurnRecord> {
    match answer.state {
        AnswerState::Ended(record) => record,
        other => panic!("{other:?}"),
    }
}

fn home_of(home: &Folder) -> ptc_cli::CliContext {
    ptc_cli::CliContext { home: Some(home.0.clone()), ..ptc_cli::CliContext::default() }
}

#[test]
fn a_session_remembers_outlives_the_server_and_is_a_trace_like_any() {
    let home = Folder::new("served-remembers");
    block(async {
        let sessions = Sessions::start(serving(&home, &[])).unwrap();
        let id = {
            let mut begin = Begin::default();
            begin.context.insert("prices".into(), json!([250, 120]));
            begin.expect = Some("integer".into());
            sessions.create(&me(), begin).await.unwrap()
        };
        let turn = run(&sessions, &id, "; no bracket first\n(def total \"All of it\" (reduce + ctx/prices))").await;
        assert_eq!((turn.turn, turn.definitions[0].name.as_str()), (1, "total"));
        // A program with a fence in it is a program all the same.
        let turn = run(&sessions, &id, "(println \"\n```\n\")\ntotal").await;
        assert_eq!(
            (turn.value.as_deref(), turn.feedback.ends_with("Turn 3")),
            (Some("370"), true),
            "{}",
            turn.feedback
        );
        // It goes on after `return`, whose type is the one that was asked for.
        let turn = run(&sessions, &id, "(return \"370\")").await;
        assert!(turn.feedback.contains("integer"), "{}", turn.feedback);
        assert_eq!(run(&sessions, &id, "(return total)").await.status.as_str(), "returned");
        assert_eq!(run(&sessions, &id, "(inc total)").await.value.as_deref(), Some("371"));
        drop(sessions);
        let sessions = Sessions::start(serving(&home, &[])).unwrap();
        assert_eq!(run(&sessions, &id, "(dec total)").await.value.as_deref(), Some("369"));
        // Waiting where nothing runs tells the last turn once more.
        assert_eq!(ended(sessions.wait(&me(), &id, LONG).await.unwrap()).turn, 6);
        let fork = sessions.fork(&me(), &id, Some(4)).await.unwrap();
        assert_eq!(run(&sessions, &fork, "[total *1]").await.turn, 5);
        let names: Vec<_> = sessions.list(&me()).await.unwrap().into_iter().map(|s| s.id).collect();
        assert_eq!(names.len(), 2);
        assert!(names.contains(&fork) && names.contains(&id));
        let defs = sessions.definitions(&me(), &id).await.unwrap();
        assert_eq!((defs.len(), defs[0].doc.as_deref(), defs[0].turn), (1, Some("All of it"), 1));
        let shown = ptc_in(&["trace", &id, "--json"], "", home_of(&home));
        assert_eq!((shown.code, serde_json::from_str::<Vec<serde_json::Value>>(&shown.out).unwrap().len()), (0, 6));
        sessions.remove(&me(), &fork).await.unwrap();
        assert_eq!(sessions.run(&me(), &fork, "1", LONG).await.unwrap_err().kind(), RefusedKind::NotFound);
        // Nobody else has it, or learns that it is there.
        let other = Client::new("other");
        let refused = sessions.run(&other, &id, "total", LONG).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            sessions
                .trace(&other, "20260101-000000-aaaa")
                .await
                .unwrap_err()
                .to_string()
                .replace("20260101-000000-aaaa", &id)
        );
        assert!(sessions.list(&other).await.unwrap().is_empty());
        for odd in ["../x", "", &id[..19], "20260101-000000-aaaa/../x"] {
            assert_eq!(sessions.wait(&me(), odd, LONG).await.unwrap_err().kind(), RefusedKind::NotFound, "{odd}");
        }
    });
}

#[test]
fn more_sessions_than_processes() {
    let home = Folder::new("served-many");
    block(async {
        let sessions = Sessions::start(serving(&home, &["workers=2", "idle_seconds=1"])).unwrap();
        let mut ids = Vec::new();
        for n in 0..5 {
            let id = begin(&sessions, None).await;
            run(&sessions, &id, &format!("(def n {n})")).await;
            ids.push(id);
            assert!(sessions.counts().2 <= 2);
        }
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(run(&sessions, id, "n").await.value, Some(n.to_string()));
        }
        assert_eq!(sessions.counts().2, 2);
        // Nobody uses them: their processes are given back, and so are the locks.
        for _ in 0..600 {
            if sessions.counts().2 == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(sessions.counts(), (0, 0, 0));
        for id in &ids {
            let trace = SessionStore::at(&home.0).open(id).unwrap().trace();
            assert!(TraceFile::open(&trace, || false).is_ok());
        }
    });
}

#[test]
fn a_worker_that_is_killed_costs_its_turn_alone() {
    let home = Folder::new("served-killed");
    let pid = home.0.join("pid");
    let script = format!("echo $$ > {}; exec {} __worker --serve-ptc-turns", pid.display(), env!("CARGO_BIN_EXE_ptc"));
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &script]);
    block(async {
        let serving = Serving { worker: Worker::new(command), ..serving(&home, &["spare_workers=0"]) };
        let sessions = Sessions::start(serving).unwrap();
        let (one, other) = (begin(&sessions, None).await, begin(&sessions, None).await);
        run(&sessions, &other, "(def y 5)").await;
        run(&sessions, &one, "(def x 4)").await;
        let answer = sessions.run(&me(), &one, SLOW, Duration::ZERO).await.unwrap();
        assert_eq!(answer.state.as_str(), "running");
        // That of this session: it was started last.
        let victim = std::fs::read_to_string(&pid).unwrap();
        assert!(Command::new("kill").args(["-9", victim.trim()]).status().unwrap().success());
        let lost = ended(sessions.wait(&me(), &one, LONG).await.unwrap());
        assert_eq!(lost.error.as_ref().map(|e| e.kind.as_str()), Some("internal"), "{}", lost.feedback);
        assert!(lost.feedback.contains("SIGKILL"), "{}", lost.feedback);
        assert_eq!(run(&sessions, &one, "(inc x)").await.value.as_deref(), Some("5"));
        assert_eq!(run(&sessions, &other, "(inc y)").await.value.as_deref(), Some("6"));
    });
}

#[test]
fn what_is_too_much_is_refused_in_words_and_loses_nothing() {
    let home = Folder::new("served-busy");
    block(async {
        let sessions = Sessions::start(serving(
            &home,
            &["workers=1", "queue=1", "client_queue=1", "client_sessions=2", "program_bytes=200", "context_bytes=100"],
        ))
        .unwrap();
        let (one, two) = (begin(&sessions, None).await, begin(&sessions, None).await);
        let refused = sessions.create(&me(), Begin::default()).await.unwrap_err();
        assert_eq!(refused.kind(), RefusedKind::Limit);
        assert!(
            refused.to_string().contains("client_sessions") && refused.to_string().contains("ptc sessions"),
            "{refused}"
        );
        assert_eq!(sessions.fork(&me(), &one, None).await.unwrap_err().kind(), RefusedKind::Limit);
        // Another client has room of its own.
        let stranger = Client::new("stranger");
        let third = sessions.create(&stranger, Begin::default()).await.unwrap();
        let refused = sessions.run(&me(), &one, &" ".repeat(201), LONG).await.unwrap_err();
        assert!(refused.to_string().contains("program_bytes = 200"), "{refused}");
        let mut big = Begin::default();
        big.context.insert("x".into(), json!("y".repeat(200)));
        assert!(sessions.create(&stranger, big).await.unwrap_err().to_string().contains("context_bytes"));
        let mut odd = Begin::default();
        odd.context.insert("a b".into(), json!(1));
        assert_eq!(sessions.create(&stranger, odd).await.unwrap_err().kind(), RefusedKind::Invalid);
        let odd = Begin { expect: Some("[nonsense".into()), ..Begin::default() };
        assert_eq!(sessions.create(&stranger, odd).await.unwrap_err().kind(), RefusedKind::Invalid);
        assert_eq!(
            sessions.create(&me(), Begin { task: Some("shop".into()), ..Begin::default() }).await.unwrap_err().kind(),
            RefusedKind::NotFound
        );

        let running = sessions.run(&me(), &one, SLOW, Duration::ZERO).await.unwrap();
        assert!(matches!(running.state, AnswerState::Running { .. }));
        let refused = sessions.run(&me(), &one, "1", LONG).await.unwrap_err();
        assert_eq!(refused.kind(), RefusedKind::Conflict);
        assert!(refused.to_string().contains("wait for it"), "{refused}");
        let queued = sessions.run(&stranger, &third, "(+ 1 2)", Duration::ZERO).await.unwrap();
        assert!(matches!(queued.state, AnswerState::Running { queued: true, .. }), "{queued:?}");
        let refused = sessions.run(&me(), &two, "1", LONG).await.unwrap_err();
        assert_eq!((refused.kind(), refused.retry_after().is_some()), (RefusedKind::Busy, true), "{refused}");
        // One that is cancelled while it waits has not run.
        let cancelled = sessions.cancel(&stranger, &third, LONG).await.unwrap_err();
        assert!(cancelled.to_string().contains("before it began"), "{cancelled}");
        assert_eq!(sessions.trace(&stranger, &third).await.unwrap().turns().len(), 0);
        // One that is cancelled while it runs is recorded, and the session goes on.
        let record = ended(sessions.cancel(&me(), &one, LONG).await.unwrap());
        assert!(record.feedback.contains("cancelled"), "{}", record.feedback);
        assert_eq!((record.turn, record.program.as_str()), (1, SLOW));
        assert_eq!(run(&sessions, &one, "(def x 1)").await.turn, 2);
        assert_eq!(run(&sessions, &two, "1").await.turn, 1);
        assert_eq!(sessions.cancel(&me(), &two, LONG).await.unwrap_err().kind(), RefusedKind::Conflict);
        drop(sessions);
        let sessions = Sessions::start(serving(&home, &["trace_bytes=10"])).unwrap();
        let refused = sessions.run(&me(), &one, "x", LONG).await.unwrap_err();
        assert!(refused.to_string().contains("trace_bytes = 10"), "{refused}");
    });
}

/// A task with a tool that notes what it is called with.
fn noting(home: &Folder, rules: &str) -> (String, std::path::PathBuf) {
    let notes = home.0.join("notes");
    let script = format!("#!/bin/sh\ncat >> {n}\necho >> {n}\necho '\"noted\"'\n", n = notes.display());
    let script = home.file("task/note.sh", &script);
    std::fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let toml = format!(
        "[task]\nname = \"noting\"\nprompt = \"Note it\"\nmodel = \"replay:replies.md\"\n[tools.note]\ndescription = \"Notes\"\n\
         params = [{{ name = \"text\", type = \"string\" }}]\ncommand = [\"./note.sh\"]\n{rules}\n"
    );
    home.file("task/task.toml", &toml);
    home.file("task/replies.md", "## Turn 1\n(tool/note \"by the model\")\n## Turn 2\n(return 7)\n");
    (home.0.join("task").display().to_string(), notes)
}

fn lines(notes: &std::path::Path) -> usize {
    std::fs::read_to_string(notes).map_or(0, |t| t.lines().filter(|l| !l.is_empty()).count())
}

#[test]
fn a_turn_that_the_server_stopped_goes_on_with_its_calls_made_once() {
    let home = Folder::new("served-stopped");
    let (task, notes) = noting(&home, "");
    block(async {
        let program = format!("(def said (tool/note \"a\"))\n(def sum {SLOW})\n(tool/note \"b\")");
        let sessions = Sessions::start(with_task(serving(&home, &["stop_seconds=0"]), &task)).unwrap();
        let id = begin(&sessions, Some("noting")).await;
        let mut events = sessions.events(&me(), &id, 0).await.unwrap();
        sessions.run(&me(), &id, &program, Duration::ZERO).await.unwrap();
        while !matches!(events.next().await, Some(Event::CallEnded { .. })) {}
        sessions.stop().await;
        assert_eq!(sessions.run(&me(), &id, "1", LONG).await.unwrap_err().kind(), RefusedKind::Stopping);
        drop((sessions, events));
        assert_eq!(lines(&notes), 1);
        let sessions = Sessions::start(with_task(serving(&home, &[]), &task)).unwrap();
        // Another program does not take its place; the same one is not run once more.
        let refused = sessions.run(&me(), &id, "(tool/note \"other\")", LONG).await.unwrap_err();
        assert!(refused.to_string().contains("turn 1 has begun with another program"), "{refused}");
        let record = run(&sessions, &id, &program).await;
        assert_eq!((record.turn, record.status.as_str(), lines(&notes)), (1, "ok", 2));
        assert_eq!(run(&sessions, &id, "said").await.value.as_deref(), Some("\"noted\""));
        // A task that is not served any more.
        drop(sessions);
        let sessions = Sessions::start(serving(&home, &[])).unwrap();
        let refused = sessions.run(&me(), &id, "said", LONG).await.unwrap_err();
        assert!(refused.to_string().contains("--task"), "{refused}");
    });
}

#[test]
fn calls_wait_for_approval_which_may_come_from_anywhere() {
    let home = Folder::new("served-approval");
    let (task, notes) = noting(&home, "approval = \"always\"");
    block(async {
        let sessions = Sessions::start(with_task(serving(&home, &[]), &task)).unwrap();
        let id = begin(&sessions, Some("noting")).await;
        let pending = |answer: Answer| match answer.state {
            AnswerState::Pending(calls) => calls.iter().map(|c| c.call).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let waits = sessions.run(&me(), &id, "(tool/note \"a\")", LONG).await.unwrap();
        assert_eq!((pending(waits), lines(&notes)), (vec![1], 0));
        assert_eq!(pending(sessions.wait(&me(), &id, LONG).await.unwrap()), [1]);
        // The trace is free: another process may decide.
        let approved = ptc_in(&["approve", &id], "", home_of(&home));
        assert_eq!(approved.code, 0, "{}", approved.err);
        let record = ended(sessions.wait(&me(), &id, LONG).await.unwrap());
        assert_eq!((record.value.as_deref(), lines(&notes)), (Some("\"noted\""), 1));
        let waits =
            sessions.run(&me(), &id, "(try (tool/note \"b\") (catch Exception e (ex-message e)))", LONG).await.unwrap();
        assert_eq!((pending(waits), lines(&notes)), (vec![2], 1));
        assert!(sessions.decide(&me(), &id, (None, 7), CallDecision::Make, LONG).await.is_err());
        let left = sessions.decide(&me(), &id, (None, 2), CallDecision::Fail("not now".into()), LONG).await.unwrap();
        assert!(pending(left).is_empty());
        let record = ended(sessions.wait(&me(), &id, LONG).await.unwrap());
        assert_eq!((record.value.as_deref(), lines(&notes)), (Some("\"not now\""), 1), "{}", record.feedback);
        // One that waits can be given up as well.
        sessions.run(&me(), &id, "(tool/note \"c\")", LONG).await.unwrap();
        let record = ended(sessions.cancel(&me(), &id, LONG).await.unwrap());
        assert!(record.feedback.contains("cancelled"), "{}", record.feedback);
        assert_eq!((run(&sessions, &id, "1").await.turn, lines(&notes)), (4, 1));
    });
}

#[test]
fn two_writers_are_kept_apart() {
    let home = Folder::new("served-writers");
    block(async {
        let sessions = Sessions::start(serving(&home, &[])).unwrap();
        let id = begin(&sessions, None).await;
        let other = Sessions::start(serving(&home, &[])).unwrap();
        run(&sessions, &id, "(def x 1)").await;
        let refused = other.run(&me(), &id, "x", LONG).await.unwrap_err();
        assert_eq!(refused.kind(), RefusedKind::Held);
        assert!(refused.to_string().contains("another process"), "{refused}");
        sessions.close(&me(), &id).await.unwrap();
        assert_eq!(run(&other, &id, "(def x (inc x))").await.turn, 2);
        other.close(&me(), &id).await.unwrap();
        assert_eq!(run(&sessions, &id, "x").await.value.as_deref(), Some("2"));
        assert_eq!(sessions.remove(&me(), &id).await, Ok(()));
    });
}

#[test]
fn who_follows_a_session_misses_no_turn() {
    let home = Folder::new("served-events");
    let (task, _) = noting(&home, "");
    block(async {
        let sessions = Sessions::start(with_task(serving(&home, &[]), &task)).unwrap();
        let id = begin(&sessions, Some("noting")).await;
        run(&sessions, &id, "(def x 1)").await;
        run(&sessions, &id, "(def x 2)").await;
        let mut events = sessions.events(&me(), &id, 1).await.unwrap();
        run(&sessions, &id, "(tool/note \"a\")").await;
        let mut seen = Vec::new();
        while seen.len() < 5 {
            let event = events.next().await.unwrap();
            let json = serde_json::to_value(&event).unwrap();
            seen.push(format!("{} {}", json["type"].as_str().unwrap(), event.turn()));
        }
        assert_eq!(seen, ["turn_ended 2", "turn_begun 3", "call_begun 3", "call_ended 3", "turn_ended 3"]);
        // One who reads nothing for long has every turn all the same.
        let mut slow = sessions.events(&me(), &id, 3).await.unwrap();
        for n in 4..=150 {
            run(&sessions, &id, &format!("(def x {n})")).await;
        }
        let mut turns = Vec::new();
        while turns.len() < 147 {
            if let Event::TurnEnded { turn, record } = slow.next().await.unwrap() {
                assert_eq!(record.turn, turn);
                turns.push(turn);
            }
        }
        assert_eq!(turns, (4..=150).collect::<Vec<_>>());
        sessions.remove(&me(), &id).await.unwrap();
        while slow.next().await.is_some() {}
    });
}

#[test]
fn a_task_is_run_with_its_model_and_approved_calls() {
    let home = Folder::new("served-run");
    let (task, notes) = noting(&home, "approval = \"always\"");
    block(async {
        let sessions = Sessions::start(with_task(serving(&home, &[]), &task)).unwrap();
        let answer = sessions.run_task(&me(), "noting", "And be quick.", Default::default(), LONG).await.unwrap();
        let id = answer.session.clone();
        assert_eq!((answer.state.as_str(), lines(&notes)), ("pending", 0));
        let refused = sessions.run(&me(), &id, "1", LONG).await.unwrap_err();
        assert!(refused.to_string().contains("the run of a task"), "{refused}");
        sessions.decide(&me(), &id, (None, 1), CallDecision::Make, LONG).await.unwrap();
        drop(sessions);
        let sessions = Sessions::start(with_task(serving(&home, &[]), &task)).unwrap();
        let answer = sessions.wait(&me(), &id, LONG).await.unwrap();
        let AnswerState::RunEnded(end) = &answer.state else { panic!("{answer:?}") };
        assert_eq!((end.value.as_deref(), end.turns, lines(&notes)), (Some("7"), 2, 1));
        assert!(sessions.trace(&me(), &id).await.unwrap().header.prompt.ends_with("And be quick."));
        assert_eq!(sessions.show(&me(), &id).await.unwrap().status.as_str(), "returned");
        // It is told again.
        let again = sessions.wait(&me(), &id, LONG).await.unwrap();
        assert_eq!(again.state.as_str(), "returned");
        assert_eq!(
            sessions.run_task(&me(), "none", "", Default::default(), LONG).await.unwrap_err().kind(),
            RefusedKind::NotFound
        );
    });
}
