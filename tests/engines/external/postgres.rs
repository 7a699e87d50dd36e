//! PostgreSQL as Debian has it: a server of its own for each test, reached by a socket alone.

use ptc_agent::journal_store::{JournalStore, check_store};
use ptc_engines::session::{ANSWER, Diary};
use ptc_postgres::PostgresStore;
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server, stopped and removed at the end.
pub struct Server {
    folder: PathBuf,
    /// How it is reached.
    pub place: String,
}

fn script(args: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres");
    let out = Command::new(script).args(args).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

impl Server {
    pub fn start(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("ptc-pg-{}-{name}", std::process::id()));
        let place = script(&["start", folder.to_str().unwrap()]);
        Server { folder, place }
    }

    /// As a power cut, and the same machine again.
    fn crash(&self) {
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid: i32 = pid.lines().next().unwrap().parse().unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), Signal::QUIT).unwrap();
        while kill_process(Pid::from_raw(pid).unwrap(), Signal::CONT).is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn restart(&self) {
        script(&["start", self.folder.to_str().unwrap()]);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        script(&["stop", self.folder.to_str().unwrap()]);
    }
}

/// Waits until this is so.
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is() {
        assert!(Instant::now() < end, "waited a minute: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn it_keeps_its_promises() {
    let server = Server::start("promises");
    let store = PostgresStore::connect(&server.place).unwrap();
    check_store(&store).unwrap();
    // Another, where the tables are there; and one within a runtime of tokio.
    check_store(&PostgresStore::connect(&server.place).unwrap()).unwrap();
    assert_eq!(store.sessions().unwrap(), [""; 0]);
}

#[test]
fn a_writer_that_was_taken_over_from_adds_nothing_more() {
    let server = Server::start("two");
    let one = PostgresStore::connect(&server.place).unwrap();
    let other = PostgresStore::connect(&server.place).unwrap();
    let mut first = one.open("s").unwrap();
    first.append("{\"n\":1}").unwrap();
    let refused = other.open("s").unwrap_err().to_string();
    assert!(refused.starts_with("s: another process is writing this session; wait for it"), "{refused}");
    let mut second = other.take_over("s").unwrap();
    second.append("{\"n\":2}").unwrap();
    let refused = first.append("{\"n\":9}").unwrap_err().to_string();
    assert!(refused.starts_with("s: PostgreSQL: "), "{refused}");
    assert!(first.append("{\"n\":9}").unwrap_err().to_string().contains("open the session again"));
    assert_eq!(one.read("s").unwrap(), ["{\"n\":1}", "{\"n\":2}"]);
}

/// Behind a pooler of connections there is no lock that lasts: the number of the writer is what refuses.
#[test]
fn without_its_lock_a_second_writer_gets_no_row() {
    let server = Server::start("rows");
    let store = PostgresStore::connect(&server.place).unwrap();
    let mut first = store.open("s").unwrap();
    first.append("{\"n\":1}").unwrap();
    let psql = |sql: &str| {
        let socket = server.place.split_whitespace().next().unwrap().strip_prefix("host=").unwrap();
        let done = Command::new("psql").args(["-h", socket, "-U", "postgres", "-qc", sql]).status().unwrap();
        assert!(done.success());
    };
    psql("UPDATE ptc.session SET writer = writer + 1");
    let refused = first.append("{\"n\":9}").unwrap_err().to_string();
    assert_eq!(refused, ptc_agent::journal_store::taken_over("s").to_string());
    drop(first);
    let mut again = store.open("s").unwrap();
    psql("INSERT INTO ptc.line VALUES ('s', 2, '{\"n\":2}')");
    assert!(again.append("{\"n\":9}").unwrap_err().to_string().contains("another writer has taken this session over"));
    assert_eq!(store.read("s").unwrap(), ["{\"n\":1}", "{\"n\":2}"]);
}

/// A process that goes on with the session `s`, each call of which takes so long.
fn going_on(server: &Server, diary: &Path, ms: u64) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ptc-engines"))
        .args(["run", &format!("postgres:{}", server.place), "s", diary.to_str().unwrap(), &ms.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// One that stands still is no dead one: nobody goes on by himself. Whoever takes the session over goes on, and when the first
/// one wakes up, it stops.
#[test]
fn a_process_that_wakes_up_after_it_was_taken_over_from_stops() {
    let server = Server::start("sleeper");
    let diary = Diary(std::env::temp_dir().join(format!("ptc-pg-sleeper-{}", std::process::id())));
    let _ = std::fs::remove_file(&diary.0);
    let sleeper = going_on(&server, &diary.0, 300);
    until("the first call", || diary.effects().len() == 1);
    let pid = Pid::from_raw(i32::try_from(sleeper.id()).unwrap()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    let store = PostgresStore::connect(&server.place).unwrap();
    assert!(store.open("s").is_err());
    drop(store.take_over("s").unwrap());
    let other = going_on(&server, &diary.0, 0).wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&other.stdout).trim(), ANSWER, "{}", String::from_utf8_lossy(&other.stderr));
    kill_process(pid, Signal::CONT).unwrap();
    let sleeper = sleeper.wait_with_output().unwrap();
    assert!(!sleeper.status.success());
    let words = String::from_utf8_lossy(&sleeper.stderr).into_owned();
    assert!(words.contains("PostgreSQL"), "{words}");
    // The one call in flight was made again, since somebody let it; no other, and none by the one that woke up.
    assert_eq!((diary.effects().len(), diary.words().len(), diary.asked().len()), (4, 1, 3));
    std::fs::remove_file(&diary.0).unwrap();
}

/// The server is killed between two lines, and comes back: its client says so and stops, and whoever goes on finds all that
/// was acknowledged.
#[test]
fn a_server_that_is_killed_has_lost_nothing() {
    let server = Server::start("killed");
    let store = PostgresStore::connect(&server.place).unwrap();
    for round in 0..5_u64 {
        let name = format!("r{round}");
        let mut writer = store.open(&name).unwrap();
        let (told, hear) = std::sync::mpsc::channel();
        let writing = std::thread::spawn(move || {
            let mut acknowledged = 0_u64;
            loop {
                match writer.append(&format!("{{\"n\":{acknowledged}}}")) {
                    Ok(()) => acknowledged += 1,
                    Err(e) => return (acknowledged, e.to_string()),
                }
                if acknowledged == 20 {
                    told.send(()).unwrap();
                }
            }
        });
        hear.recv().unwrap();
        std::thread::sleep(Duration::from_millis(7 * round));
        server.crash();
        let (acknowledged, words) = writing.join().unwrap();
        assert!(words.contains("PostgreSQL"), "{words}");
        assert!(store.read(&name).is_err(), "there is no server");
        server.restart();
        let kept = store.read(&name).unwrap().len() as u64;
        // The one in flight may be there: nobody was told.
        assert!(kept == acknowledged || kept == acknowledged + 1, "{kept} of {acknowledged}");
        store.open(&name).unwrap().append("{\"n\":0}").unwrap();
    }
}
