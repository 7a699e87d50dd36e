//! Kept sessions: ids, forks, removal, and an index that may be lost.

use super::*;
use crate::{RunStatus, Totals, TraceFile};
use ptc_turns::trace::record::{Call, ErrorRecord};
use ptc_turns::{Header, Json, TurnRecord};
use std::sync::atomic::{AtomicU64, Ordering};

/// A home of its own for each test, gone with it.
struct Home(PathBuf);

impl Home {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        Home(std::env::temp_dir().join(format!("ptc-sessions-{}-{n}", std::process::id())))
    }

    fn store(&self) -> SessionStore {
        SessionStore::at(&self.0)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn call(id: u64, name: &str, args: &str) -> Call {
    let args = Json::new(args.into()).unwrap();
    Call {
        id,
        name: name.into(),
        args,
        result: Json::new("1".into()),
        error: None,
        failure: None,
        ms: 5,
        together: None,
        decided: None,
    }
}

/// A session of three turns: two that went well, and one that returned.
fn session(store: &SessionStore, question: &str) -> NewSession {
    let new = store.begin(Some(Path::new("/tasks/shop"))).unwrap();
    let mut file = TraceFile::open(&new.trace(), || false).unwrap().store;
    let mut header = Header::new("s", question, 9);
    header.task = Some("shop".into());
    file.begin(&header).unwrap();
    let turn = |n: u64| TurnRecord { program: format!("(step-{n} orders)"), time: 1000, ..TurnRecord::empty(n) };
    let mut one =
        TurnRecord { tool_calls: vec![call(1, "agent", "{\"a\":1}")], printed: vec!["marmalade\n".into()], ..turn(1) };
    one.usage.model = Some("m".into());
    (one.usage.input_tokens, one.usage.output_tokens, one.usage.model_ms) = (Some(100), Some(10), Some(7));
    file.append(&one).unwrap();
    file.append(&TurnRecord { tool_calls: vec![call(2, "agent", "{\"a\":2}")], ..turn(2) }).unwrap();
    file.append(&TurnRecord { status: ptc_turns::Status::Returned, value: Some("42".into()), ..turn(3) }).unwrap();
    drop(file);
    new
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|w| (*w).to_owned()).collect()
}

#[test]
fn a_session_is_found_listed_and_searched() {
    let home = Home::new();
    let store = home.store();
    assert_eq!((store.list().unwrap(), store.ids().unwrap()), (Vec::new(), Vec::new()));
    assert!(!home.0.exists(), "looking makes no folder");
    let new = session(&store, "\n What do the\u{202e} orders come to?\nAll of them.");
    let list = store.list().unwrap();
    let one = &list[0];
    assert_eq!((list.len(), one.id.as_str(), one.task.as_deref()), (1, new.id(), Some("shop")));
    assert_eq!((one.title.as_str(), one.status), ("What do the\\u{202e} orders come to?", SessionStatus::Returned));
    let t = &one.totals;
    assert_eq!((t.turns, t.input_tokens, t.output_tokens, t.model_ms, t.tool_calls, t.tool_ms), (3, 100, 10, 7, 2, 10));
    assert_eq!(store.show(new.id()).unwrap(), *one);
    // By any beginning, of its end too.
    let id = new.id();
    for part in [id, &id[..10], &id[16..], &id[16..18]] {
        assert_eq!(store.find(part).unwrap(), id, "{part}");
    }
    assert!(store.find("nothing").unwrap_err().text().contains("ptc sessions lists them"));
    assert_eq!(store.newest_of(Path::new("/tasks/shop")).unwrap(), new);
    assert!(
        store.newest_of(Path::new("/tasks/other")).unwrap_err().text().contains("no session of /tasks/other is kept")
    );
    assert_eq!(store.of_trace(&new.trace()), Some(new.clone()));
    assert_eq!(store.of_trace(Path::new("/tmp/t.jsonl")), None);
    let found = store.search(&words(&["MARMALADE"]), 10).unwrap();
    assert_eq!((found[0].id.as_str(), found[0].turn, found[0].kind), (id, 1, "printed"));
    assert_eq!(found[0].snippet, "marmalade");
    assert_eq!(store.search(&words(&["step-2 orders"]), 10).unwrap()[0].turn, 2);
    assert_eq!(store.search(&words(&["orde*"]), 2).unwrap().iter().map(|f| f.turn).collect::<Vec<_>>(), [0, 1]);
    assert!(store.search(&words(&["orders", "nowhere"]), 10).unwrap().is_empty());
    // Two of them: what begins both is told.
    let other = session(&store, "Another");
    let both = store.find("20").unwrap_err().text();
    assert!(both.contains("2 sessions begin with \"20\"") && both.contains(other.id()), "{both}");
    let began = super::super::date::text(list[0].created);
    assert!(both.contains(&format!("{id} (shop, {began} UTC)")), "{both}");
    assert_eq!(store.list().unwrap().len(), 2);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_them() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    let new = session(&home.store(), "q");
    home.store().list().unwrap();
    let mode = |p: &Path| p.metadata().unwrap().permissions().mode() & 0o777;
    let folder = new.trace().parent().unwrap().to_owned();
    assert_eq!((mode(&folder), mode(&new.trace()), mode(&folder.join("session.json"))), (0o700, 0o600, 0o600));
    assert_eq!(mode(home.store().folder()), 0o700);
}

#[test]
fn how_a_run_ended_holds_until_its_trace_grows() {
    let home = Home::new();
    let store = home.store();
    let new = store.begin(None).unwrap();
    TraceFile::open(&new.trace(), || false).unwrap().store.begin(&Header::new("s", "q", 5)).unwrap();
    let status = || store.list().unwrap()[0].status;
    assert_eq!(status(), SessionStatus::Stopped);
    let error = crate::Error::model("the provider is away");
    let totals = Totals { cost: Some(0.5), ..Totals::default() };
    new.ended(RunEnd::new(RunStatus::Error, Some(&error), totals, &new.trace())).unwrap();
    let one = store.list().unwrap().remove(0);
    assert_eq!((one.status, one.totals.cost), (SessionStatus::Error, Some(0.5)));
    assert_eq!(one.problem.as_deref(), Some("the provider is away"));
    let held = TraceFile::open(&new.trace(), || false).unwrap();
    assert_eq!(status(), SessionStatus::Running);
    assert!(store.remove(new.id()).unwrap_err().text().contains("is running"));
    let mut held = held.store;
    held.append(&TurnRecord::empty(1)).unwrap();
    drop(held);
    assert_eq!(status(), SessionStatus::Stopped);
    // A run that did not begin leaves nothing.
    let empty = store.begin(None).unwrap();
    empty.forget_if_empty();
    new.forget_if_empty();
    assert_eq!(store.ids().unwrap(), [new.id()]);
}

#[test]
fn a_fork_has_the_subtasks_of_its_turns_and_no_others() {
    let home = Home::new();
    let store = home.store();
    let new = session(&store, "q");
    let folder = new.trace().parent().unwrap().to_owned();
    let label = |args: &str| format!("agent-agent-{}", &sha256(args.as_bytes())[..12]);
    for args in ["{\"a\":1}", "{\"a\":2}"] {
        let header = Trace::new(Header::new("s", "inside", 5)).to_text();
        std::fs::write(folder.join(format!("trace.{}.jsonl", label(args))), header).unwrap();
    }
    std::fs::write(folder.join("trace.jsonl.tokens.json"), "{}").unwrap();
    assert!(store.fork(new.id(), None).unwrap_err().text().contains("--turn 2"));
    assert!(store.fork(new.id(), Some(4)).unwrap_err().text().contains("give --turn 1 to 3"));
    let fork = store.fork(new.id(), Some(1)).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(fork.trace().parent().unwrap())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let first = format!("trace.{}.jsonl", label("{\"a\":1}"));
    assert_eq!(names, ["session.json", first.as_str(), "trace.jsonl", "trace.jsonl.tokens.json"]);
    let summary = store.show(fork.id()).unwrap();
    assert_eq!((summary.forked_from.as_deref(), summary.forked_at, summary.subtasks), (Some(new.id()), Some(1), 1));
    assert_eq!((summary.totals.turns, summary.status), (1, SessionStatus::Stopped));
    let whole = std::fs::read_to_string(new.trace()).unwrap();
    assert!(whole.starts_with(&std::fs::read_to_string(fork.trace()).unwrap()));
    // An archive has all files; a removal leaves none.
    let mut bytes = Vec::new();
    assert_eq!(store.export(new.id(), &mut bytes).unwrap(), new.id());
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
    let paths: Vec<String> =
        archive.entries().unwrap().map(|e| e.unwrap().path().unwrap().display().to_string()).collect();
    assert_eq!(paths.len(), 5);
    assert!(paths.contains(&format!("{}/trace.jsonl", new.id())), "{paths:?}");
    store.remove(new.id()).unwrap();
    assert_eq!(store.ids().unwrap(), [fork.id()]);
    assert_eq!(store.list().unwrap().len(), 1);
    assert!(store.search(&words(&["marmalade"]), 9).unwrap().iter().all(|f| f.id == fork.id()));
}

/// Turns of subtasks are found and queried as the session's own, and each subtask is named with what it takes to open it.
#[test]
fn subtasks_are_named_searched_and_opened() {
    let home = Home::new();
    let store = home.store();
    let new = session(&store, "q");
    let folder = new.trace().parent().unwrap().to_owned();
    let mut inside = Trace::new(Header::new("s", "Look into the cellar", 5));
    inside.push(TurnRecord { program: "(dig :potatoes)".into(), ..TurnRecord::empty(1) });
    inside.end_run(ptc_turns::RunEnded {
        run_ended: "limit".into(),
        kind: "limit".into(),
        message: "the zucchini ran out".into(),
        hint: None,
        time: 1,
    });
    let label = "agent-helper-0123456789ab";
    let file = folder.join(format!("trace.{label}.jsonl"));
    std::fs::write(&file, inside.to_text()).unwrap();
    std::fs::write(folder.join("trace.agent-helper-0123456789ab-2.jsonl"), "{").unwrap();
    std::fs::write(folder.join("trace.agent-helper-0123456789ab.summaries.jsonl"), "{}").unwrap();
    let all = store.subtasks(new.id()).unwrap();
    let [one, broken] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((one.label.as_str(), one.turns, one.status, &one.trace), (label, 1, SessionStatus::Limit, &file));
    assert_eq!(one.problem.as_deref(), Some("the zucchini ran out"));
    assert_eq!((broken.status, broken.problem.is_some()), (SessionStatus::Unreadable, true));
    let held = TraceFile::open(&file, || false).unwrap();
    assert_eq!(store.subtasks(new.id()).unwrap()[0].status, SessionStatus::Running);
    drop(held);
    let found = |word: &str| {
        let all = store.search(&words(&[word]), 9).unwrap();
        all.into_iter().map(|f| (f.id == new.id(), f.subtask, f.turn, f.kind)).collect::<Vec<_>>()
    };
    let of = |turn, kind| vec![(true, Some(label.to_owned()), turn, kind)];
    assert_eq!((found("potatoes"), found("cellar")), (of(1, "program"), of(0, "question")));
    assert_eq!(found("zucchini"), of(1, "ending"));
    assert_eq!(found("marmalade"), [(true, None, 1, "printed")]);
    let (runs, _) = store.runs(1, 1 << 20).unwrap();
    let sub = &runs[0]["subtasks"][0];
    assert_eq!((&sub["label"], &sub["status"]), (&label.into(), &"limit".into()));
    assert_eq!(sub["turns"][0]["program"], "(dig :potatoes)");
    // By its label, the name of its file, or a beginning that is one alone.
    for name in [label, "trace.agent-helper-0123456789ab.jsonl"] {
        assert_eq!(store.subtask_trace(new.id(), name).unwrap(), file, "{name}");
    }
    let second = store.subtask_trace(new.id(), "agent-helper-0123456789ab-").unwrap();
    assert!(second.ends_with("trace.agent-helper-0123456789ab-2.jsonl"));
    let words = |name: &str| store.subtask_trace(new.id(), name).unwrap_err().text();
    assert!(words("agent-").contains("2 subtasks") && words("agent-").contains(label), "{}", words("agent-"));
    for odd in ["", "../trace", "no"] {
        assert!(words(odd).contains("give one of agent-helper-"), "{}", words(odd));
    }
    let none = session(&store, "none");
    let words = store.subtask_trace(none.id(), "x").unwrap_err().text();
    assert!(words.contains("it has none"), "{words}");
}

/// How a run ended is read from its trace where nothing stands beside that, and searched either way.
#[test]
fn why_a_run_ended_is_searched() {
    let home = Home::new();
    let store = home.store();
    let how = |words: &str| ptc_turns::RunEnded {
        run_ended: "error".into(),
        kind: "model".into(),
        message: words.into(),
        hint: None,
        time: 1,
    };
    let (beside, own) = (store.begin(None).unwrap(), store.begin(None).unwrap());
    for new in [&beside, &own] {
        TraceFile::open(&new.trace(), || false).unwrap().store.begin(&Header::new("s", "q", 5)).unwrap();
    }
    let error = crate::Error::model("the provider hibernates");
    beside.ended(RunEnd::new(RunStatus::Error, Some(&error), Totals::default(), &beside.trace())).unwrap();
    let mut file = TraceFile::open(&own.trace(), || false).unwrap().store;
    file.append(&TurnRecord::empty(1)).unwrap();
    file.append_run_ended(&how("the line estivates")).unwrap();
    drop(file);
    let summary = store.show(own.id()).unwrap();
    assert_eq!((summary.status, summary.problem.as_deref()), (SessionStatus::Error, Some("the line estivates")));
    let found = |word: &str| {
        let all = store.search(&words(&[word]), 9).unwrap();
        all.into_iter().map(|f| (f.id, f.turn, f.kind, f.snippet)).collect::<Vec<_>>()
    };
    assert_eq!(found("hibernates"), [(beside.id().to_owned(), 0, "ending", "the provider hibernates".to_owned())]);
    assert_eq!(found("estivates"), [(own.id().to_owned(), 1, "ending", "the line estivates".to_owned())]);
    // It goes on: it is not why it stands still any more.
    let mut file = TraceFile::open(&own.trace(), || false).unwrap().store;
    file.append(&TurnRecord::empty(2)).unwrap();
    drop(file);
    assert!(found("estivates").is_empty());
}

/// Of a session with a line that cannot be read, what is before it is listed, shown, searched and queried.
#[test]
fn what_is_before_a_damaged_line_is_there() {
    let home = Home::new();
    let store = home.store();
    let new = session(&store, "Where is the marmalade?");
    let text = std::fs::read_to_string(new.trace()).unwrap();
    let at = text.find("{\"turn\":3").unwrap();
    std::fs::write(new.trace(), format!("{}{{\"turn\":3,oops}}\n{}", &text[..at], &text[at..])).unwrap();
    let one = store.list().unwrap().remove(0);
    assert_eq!((one.status, one.totals.turns, one.task.as_deref()), (SessionStatus::Unreadable, 2, Some("shop")));
    assert_eq!((one.title.as_str(), one.created), ("Where is the marmalade?", super::id::began(new.id()).unwrap()));
    assert!(one.problem.as_ref().unwrap().contains("trace line 4"), "{one:?}");
    let turns: Vec<u64> = store.search(&words(&["marmalade"]), 9).unwrap().iter().map(|f| f.turn).collect();
    assert_eq!(turns, [0, 1]);
    let (runs, _) = store.runs(1, 1 << 20).unwrap();
    assert_eq!((runs[0]["turns"].as_array().unwrap().len(), &runs[0]["status"]), (2, &"unreadable".into()));
    // Nothing at all can be read of it: it began when its id says.
    std::fs::write(new.trace(), "oops").unwrap();
    let one = store.list().unwrap().remove(0);
    assert_eq!((one.status, one.created), (SessionStatus::Unreadable, super::id::began(new.id()).unwrap()));
}

/// Garbage, a file that breaks off, another version, tables that are none of ours, a summary that is none: the index is set
/// aside and made anew.
#[test]
fn a_damaged_index_is_made_anew() {
    let home = Home::new();
    let store = home.store();
    let new = session(&store, "q");
    let file = store.folder().join("index.sqlite");
    let good = || {
        let list = store.list().unwrap();
        let found = store.search(&words(&["marmalade"]), 9).unwrap();
        (list.len(), list[0].id == new.id(), found.len())
    };
    assert_eq!(good(), (1, true, 1));
    let sql = |batch: &str| {
        let db = rusqlite::Connection::open(&file).unwrap();
        db.execute_batch(batch).unwrap();
    };
    let damages: [(&str, &dyn Fn()); 6] = [
        ("garbage", &|| std::fs::write(&file, "no database at all, and long enough to be looked at").unwrap()),
        ("truncated", &|| {
            let bytes = std::fs::read(&file).unwrap();
            std::fs::write(&file, &bytes[..bytes.len() / 2 + 100]).unwrap();
        }),
        ("version", &|| sql("PRAGMA user_version = 99")),
        ("tables", &|| sql("DROP TABLE session; CREATE TABLE session(x)")),
        ("summary", &|| sql("UPDATE session SET summary = 'oops'")),
        ("no table of texts", &|| sql("DROP TABLE turn_text; UPDATE session SET stamp = ''")),
    ];
    for (name, damage) in damages {
        sql("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = delete");
        let aside = file.with_extension("sqlite.damaged");
        let _ = std::fs::remove_file(&aside);
        damage();
        assert_eq!(good(), (1, true, 1), "{name}");
        assert!(aside.exists(), "{name}: it is set aside");
        assert_eq!(good(), (1, true, 1), "{name}");
    }
    // A folder in its place, and files that cannot be written: an index in memory does.
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(good(), (1, true, 1));
}

#[test]
fn two_at_once_make_one_index() {
    let home = Home::new();
    let store = home.store();
    let ids: Vec<String> = (0..12).map(|n| session(&store, &format!("q {n}")).id().to_owned()).collect();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let store = store.clone();
            std::thread::spawn(move || {
                (store.list().unwrap().len(), store.search(&["marmalade".into()], 99).unwrap().len())
            })
        })
        .collect();
    for t in threads {
        assert_eq!(t.join().unwrap(), (12, 12));
    }
    assert!(!store.folder().join("index.sqlite.damaged").exists());
    assert_eq!(store.search(&words(&["step*"]), 99).unwrap().len(), ids.len() * 3);
}

#[test]
fn hostile_traces_are_listed_and_break_nothing() {
    let home = Home::new();
    let store = home.store();
    let new = store.begin(None).unwrap();
    let mut header = Header::new("s", "\u{1}\u{0}\u{1b}[31m red \u{2066}\n'; DROP TABLE session; --", 5);
    header.task = Some("\u{202e}evil\u{7}".into());
    let mut turn = TurnRecord { program: "x\u{1} marmalade \u{2}\"".repeat(20_000), ..TurnRecord::empty(1) };
    let mut error =
        ErrorRecord::new(&ptc_lisp::error::Error::new(ptc_lisp::error::ErrorKind::Type, "\u{1b}]0;title\u{7}"), "");
    error.message = error.message.repeat(1000);
    turn.error = Some(error);
    let mut trace = Trace::new(header);
    trace.push(turn);
    std::fs::write(new.trace(), trace.to_text()).unwrap();
    std::fs::write(new.trace().parent().unwrap().join("session.json"), "[".repeat(100_000)).unwrap();
    // Not ours, and left alone.
    std::fs::create_dir(store.folder().join("20261123-084012-AAAA")).unwrap();
    std::fs::write(store.folder().join("20261123-084012-aaaa"), "a file").unwrap();
    let broken = store.begin(None).unwrap();
    std::fs::write(broken.trace(), "{\"ptc_trace\":1}\nnothing\n{}").unwrap();
    let list = store.list().unwrap();
    assert_eq!(list.len(), 2);
    let of = |id: &str| list.iter().find(|s| s.id == id).unwrap();
    assert_eq!(of(broken.id()).status, SessionStatus::Unreadable);
    assert!(of(broken.id()).problem.is_some());
    let odd = |s: &str| s.chars().any(|c| c.is_control() || ('\u{2066}'..='\u{2069}').contains(&c) || c == '\u{202e}');
    let one = of(new.id());
    assert!(!odd(&one.title) && !odd(one.task.as_deref().unwrap()) && one.title.len() <= 200, "{one:?}");
    let found = store.search(&words(&["marmalade"]), 9).unwrap();
    assert!(!odd(&found[0].snippet) && found[0].snippet.len() <= 240, "{found:?}");
    let (runs, all) = store.runs(10, 1 << 20).unwrap();
    assert_eq!((runs.as_array().unwrap().len(), all), (2, 2));
    assert!(runs.to_string().len() < 40_000);
    assert_eq!(store.runs(10, 10).unwrap().0, serde_json::json!([]));
}
