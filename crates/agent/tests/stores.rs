//! Stores of journals: each keeps what it promises, and a session that is stopped at any line goes on from there.

use ptc_agent::journal_store::{FileStore, JournalStore, JournalWriter, SqliteStore, check_store, lines_to_turn};
use ptc_agent::{
    Agent, CallDecision, Error, ErrorKind, FnModel, Reply, Request, RunOutcome, Tool, Toolbox, TraceFile, arg,
};
use ptc_turns::{Config, Trace};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A folder of this test, removed when it has passed.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ptc-stores-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn stores(&self) -> [Box<dyn JournalStore>; 2] {
        [Box::new(FileStore::new(self.0.join("files"))), Box::new(SqliteStore::new(self.0.join("sessions.db")))]
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn stores_keep_their_promises() {
    let folder = Folder::new("promises");
    for store in folder.stores() {
        check_store(&*store).unwrap();
        assert_eq!(store.sessions().unwrap(), [""; 0]);
        // Nor does anything of it stay behind for one who begins a session of the same name.
        check_store(&*store).unwrap();
    }
}

#[test]
fn a_store_in_files_writes_the_bytes_of_a_trace_file() {
    let folder = Folder::new("bytes");
    let store = FileStore::new(folder.0.join("files"));
    let effects = Arc::default();
    run(&store, &effects);
    let path = folder.0.join("files/s.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(store.read("s").unwrap().join("\n") + "\n", String::from_utf8(bytes.clone()).unwrap());
    assert_eq!(TraceFile::open(&path, || false).unwrap().trace.unwrap().turns().len(), 3);
    // What a writer that was killed has left of a line was not acknowledged.
    std::fs::write(&path, [&bytes[..], b"{\"turn\":4,\"pro"].concat()).unwrap();
    assert_eq!(store.read("s").unwrap().join("\n") + "\n", String::from_utf8(bytes).unwrap());
}

/// A store that stops at a line: before it is kept, or after, unheard.
#[derive(Debug)]
struct Stops<'a> {
    of: &'a dyn JournalStore,
    at: u64,
    kept: bool,
    lines: Arc<AtomicU64>,
}

#[derive(Debug)]
struct StopsWriting {
    of: Box<dyn JournalWriter>,
    at: u64,
    kept: bool,
    lines: Arc<AtomicU64>,
}

impl JournalStore for Stops<'_> {
    fn open(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
        let of = self.of.open(session)?;
        Ok(Box::new(StopsWriting { of, at: self.at, kept: self.kept, lines: self.lines.clone() }))
    }
    fn read(&self, session: &str) -> Result<Vec<String>, Error> {
        self.of.read(session)
    }
    fn sessions(&self) -> Result<Vec<String>, Error> {
        self.of.sessions()
    }
    fn fork(&self, session: &str, new: &str, lines: usize) -> Result<(), Error> {
        self.of.fork(session, new, lines)
    }
    fn remove(&self, session: &str) -> Result<(), Error> {
        self.of.remove(session)
    }
}

impl JournalWriter for StopsWriting {
    fn lines(&mut self) -> Result<Vec<String>, Error> {
        self.of.lines()
    }
    fn append(&mut self, line: &str) -> Result<(), Error> {
        let n = self.lines.fetch_add(1, Ordering::Relaxed) + 1;
        if n < self.at || (n == self.at && self.kept) {
            self.of.append(line)?;
        }
        if n < self.at { Ok(()) } else { Err(Error::new(ErrorKind::Trace, "the machine has stopped")) }
    }
}

const REPLIES: [&str; 3] =
    ["(def a (tool/pay {:n 1}))", "(def b [(tool/pay {:n 2}) (tool/pay {:n 3})])", "(return [a b])"];

/// Goes on with the session `s`; whoever is asked about a call lets it be made.
fn run(store: &dyn JournalStore, effects: &Arc<Mutex<Vec<String>>>) -> Option<(RunOutcome, u64)> {
    let paid = effects.clone();
    let pay = Tool::with_control("pay", move |args, control| {
        paid.lock().unwrap().push(control.key().to_owned());
        Ok(arg(&args, "n").clone())
    });
    let tools = Toolbox::new().with(pay);
    let config = Config { prompt: "p".into(), tools: tools.specs(), ..Config::default() };
    let mut agent = Agent::in_store(store, "s", config, tools).ok()?;
    let mut approved = 0;
    for call in agent.pending().calls {
        agent.decide(call.id, CallDecision::Make).ok()?;
        approved += 1;
    }
    let mut model = FnModel(|r: Request<'_>| {
        let turn = r.messages.iter().filter(|m| m.role == ptc_history::Role::Assistant).count();
        Ok(Reply::text(REPLIES[turn]))
    });
    Some((agent.run(&mut model, &mut ()), approved))
}

#[test]
fn a_session_that_stops_at_any_line_goes_on_in_every_store() {
    let folder = Folder::new("stops");
    for store in folder.stores() {
        let effects = Arc::default();
        run(&*store, &effects).unwrap();
        let whole = store.read("s").unwrap();
        store.remove("s").unwrap();
        for (at, kept) in (1..=whole.len() as u64).flat_map(|at| [(at, false), (at, true)]) {
            let effects: Arc<Mutex<Vec<String>>> = Arc::default();
            let lines = Arc::default();
            let stopped = run(&Stops { of: &*store, at, kept, lines }, &effects);
            assert!(stopped.is_none_or(|(end, _)| end.value.is_none()), "{at}");
            // What was acknowledged is there, and with `kept` the line that nobody has heard of.
            assert_eq!(store.read("s").unwrap().len() as u64, if kept { at } else { at - 1 });
            let mut words = 0;
            let end = (0..4).find_map(|_| {
                let (end, approved) = run(&*store, &effects).unwrap();
                words += approved;
                end.value
            });
            assert_eq!(end.as_deref(), Some("[1 [2 3]]"), "{at} {kept}");
            let mut paid = effects.lock().unwrap().clone();
            let all = paid.len() as u64;
            paid.sort_unstable();
            paid.dedup();
            // Each call has one key, and only one in flight that somebody let be made again was made twice.
            assert_eq!(paid.len(), 3, "{at} {kept}");
            assert!(all <= 3 + words && words <= 1, "{at} {kept}: {all} effects, {words} words");
            store.remove("s").unwrap();
        }
    }
}

#[test]
fn a_session_is_forked_at_a_turn() {
    let folder = Folder::new("fork");
    for store in folder.stores() {
        run(&*store, &Arc::default()).unwrap();
        let lines = store.read("s").unwrap();
        let at = lines_to_turn(&lines, 1).unwrap();
        store.fork("s", "f", at).unwrap();
        let fork = store.read("f").unwrap().join("\n") + "\n";
        assert_eq!(Trace::parse(fork.as_bytes()).unwrap().trace.turns().len(), 1);
        assert!(lines_to_turn(&lines, 9).unwrap_err().to_string().contains("there is no turn 9"));
        let mut agent = Agent::in_store(&*store, "f", Config::default(), Toolbox::new()).unwrap();
        assert_eq!(agent.session().trace().header.prompt, "p");
        let turn = agent.step("(return (inc a))", None).unwrap();
        assert_eq!(turn.value.as_deref(), Some("2"));
    }
}

/// As the second of two machines that share what has no locks.
#[test]
fn the_key_of_a_line_refuses_a_second_writer_without_locks() {
    let folder = Folder::new("second");
    let store = SqliteStore::new(folder.0.join("sessions.db"));
    let mut first = store.open("s").unwrap();
    first.append("{\"a\":1}").unwrap();
    let refused = store.open("s").unwrap_err().to_string();
    assert!(refused.contains("another process is writing this session"), "{refused}");
    std::fs::remove_dir_all(folder.0.join("sessions.db-writers")).unwrap();
    let mut second = store.open("s").unwrap();
    second.append("{\"b\":1}").unwrap();
    let refused = first.append("{\"a\":2}").unwrap_err().to_string();
    assert!(refused.contains("another writer has taken this session over"), "{refused}");
    assert!(first.append("{\"a\":2}").is_err());
    assert_eq!(store.read("s").unwrap(), ["{\"a\":1}", "{\"b\":1}"]);
}
