//! The server and a small client of our own: sessions, interrupts, what editors ask, hostile bytes.

use super::bencode::{Bencode, Dict, dict, read_message};
use super::server::{SESSIONS, Server};
use super::*;
use ptc_agent::Environment;
use ptc_turns::{Config, Session};
use std::io::Read as _;

/// A small client of our own.
struct Peer {
    stream: TcpStream,
    from: BufReader<TcpStream>,
}

/// A server of an empty session, which ends with this.
struct Running(u16, Cancel);

impl Drop for Running {
    fn drop(&mut self) {
        self.1.cancel();
    }
}

fn server(limits: ptc_lisp::limits::Limits) -> Running {
    let session = Session::new(Config { limits, ..Config::programs() });
    let base = ReplSession::new(session, None, &Environment::default(), None).unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let (port, cancel) = (listener.local_addr().unwrap().port(), Cancel::default());
    let stop = cancel.clone();
    std::thread::spawn(move || listen(&Arc::new(Server::new(base)), &listener, &stop).unwrap());
    Running(port, cancel)
}

impl Peer {
    fn new(server: &Running) -> Self {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.0)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Peer { from: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn send(&mut self, entries: &[(&str, &str)]) {
        let message: Dict = entries.iter().map(|(k, v)| (k.as_bytes().to_vec(), Bencode::from(*v))).collect();
        let mut bytes = Vec::new();
        Bencode::Dict(message).write(&mut bytes);
        self.stream.write_all(&bytes).unwrap();
    }

    fn next(&mut self) -> Dict {
        read_message(&mut self.from).unwrap().expect("the connection has ended")
    }

    /// Sends, and takes all answers up to the last.
    fn ask(&mut self, entries: &[(&str, &str)]) -> Vec<Dict> {
        self.send(entries);
        self.answers()
    }

    fn answers(&mut self) -> Vec<Dict> {
        let mut all = Vec::new();
        loop {
            all.push(self.next());
            if status(all.last().unwrap()).iter().any(|s| s == "done") {
                return all;
            }
        }
    }

    fn session(&mut self) -> String {
        let answers = self.ask(&[("op", "clone"), ("id", "0")]);
        text(&answers[0], "new-session")
    }
}

fn words(value: &Bencode) -> String {
    match value {
        Bencode::Bytes(bytes) => String::from_utf8(bytes.clone()).unwrap(),
        other => panic!("{other:?} is no text"),
    }
}

fn text(message: &Dict, key: &str) -> String {
    message.get(key.as_bytes()).map(words).unwrap_or_default()
}

fn status(message: &Dict) -> Vec<String> {
    match message.get(b"status".as_slice()) {
        Some(Bencode::List(all)) => all.iter().map(words).collect(),
        _ => Vec::new(),
    }
}

/// All texts under a key, together.
fn all(answers: &[Dict], key: &str) -> String {
    answers.iter().map(|a| text(a, key)).collect()
}

fn last(answers: &[Dict]) -> Vec<String> {
    status(answers.last().unwrap())
}

#[test]
fn programs_run_in_sessions_with_output_values_and_errors() {
    let server = server(Default::default());
    let mut peer = Peer::new(&server);
    let (a, b) = (peer.session(), peer.session());
    assert_ne!(a, b);
    let answers =
        peer.ask(&[("op", "eval"), ("session", &a), ("id", "7"), ("code", "(def x 5) (println \"hi\") (inc x)")]);
    assert_eq!((all(&answers, "out").as_str(), all(&answers, "value").as_str()), ("hi\n", "6"));
    assert!(answers.iter().all(|m| text(m, "id") == "7" && text(m, "session") == a));
    assert_eq!(last(&answers), ["done"]);
    // Another session knows nothing of it, a copy does, and goes its own way.
    let answers = peer.ask(&[("op", "eval"), ("session", &b), ("code", "x")]);
    assert!(all(&answers, "err").starts_with("Error: name: unknown name x\n  1 | x"), "{answers:?}");
    assert_eq!(all(&answers, "ex"), "name");
    assert!(answers.iter().any(|m| status(m) == ["eval-error"]) && last(&answers) == ["done"]);
    let answers = peer.ask(&[("op", "clone"), ("session", &a)]);
    let c = text(&answers[0], "new-session");
    peer.ask(&[("op", "eval"), ("session", &c), ("code", "(def x 50)")]);
    let value = |peer: &mut Peer, session: &str, code: &str| {
        all(&peer.ask(&[("op", "eval"), ("session", session), ("code", code)]), "value")
    };
    assert_eq!((value(&mut peer, &c, "x"), value(&mut peer, &a, "x")), ("50".into(), "5".into()));
    assert_eq!(value(&mut peer, &a, "*1"), "5");
    // A file is one turn; without a session nothing is kept.
    let answers = peer.ask(&[("op", "load-file"), ("session", &a), ("file", "(def y 1)\n(def z 2)\n(+ y z)")]);
    assert_eq!(all(&answers, "value"), "3");
    let answers = peer.ask(&[("op", "eval"), ("code", "(def w 1) w")]);
    assert_eq!(all(&answers, "value"), "1");
    assert!(!all(&peer.ask(&[("op", "eval"), ("code", "w")]), "err").is_empty());
    // What is closed is gone.
    let answers = peer.ask(&[("op", "close"), ("session", &c)]);
    assert_eq!(last(&answers), ["done", "session-closed"]);
    assert_eq!(
        last(&peer.ask(&[("op", "eval"), ("session", &c), ("code", "1")])),
        ["error", "unknown-session", "done"]
    );
    let answers = peer.ask(&[("op", "ls-sessions")]);
    let Some(Bencode::List(ids)) = answers[0].get(b"sessions".as_slice()) else { panic!("{answers:?}") };
    let mut ids: Vec<String> = ids.iter().map(words).collect();
    ids.sort();
    let mut known = vec![a, b];
    known.sort();
    assert_eq!(ids, known);
}

#[test]
fn an_input_that_runs_is_interrupted_and_taken_back() {
    let endless = ptc_lisp::limits::Limits { fuel: u64::MAX, cpu_ms: 0, wall_ms: 0, ..Default::default() };
    let server = server(endless);
    let mut peer = Peer::new(&server);
    let s = peer.session();
    assert_eq!(last(&peer.ask(&[("op", "interrupt"), ("session", &s)])), ["done", "session-idle"]);
    peer.ask(&[("op", "eval"), ("session", &s), ("code", "(def kept 1)")]);
    peer.send(&[
        ("op", "eval"),
        ("session", &s),
        ("id", "run"),
        ("code", "(def kept 2) (println \"on\") (loop [] (recur))"),
    ]);
    assert_eq!(text(&peer.next(), "out"), "on\n");
    // Another session answers meanwhile, and so do completions of this one.
    let other = peer.session();
    assert_eq!(all(&peer.ask(&[("op", "eval"), ("session", &other), ("code", "(+ 1 1)")]), "value"), "2");
    assert!(!peer.ask(&[("op", "completions"), ("session", &s), ("prefix", "kep")]).is_empty());
    let answers = peer.ask(&[("op", "interrupt"), ("session", &s), ("interrupt-id", "another"), ("id", "i")]);
    assert_eq!(last(&answers), ["error", "interrupt-id-mismatch", "done"]);
    peer.send(&[("op", "interrupt"), ("session", &s), ("interrupt-id", "run"), ("id", "i")]);
    let both = [peer.next(), peer.next()];
    let of = |id: &str| both.iter().find(|m| text(m, "id") == id).map(status).unwrap();
    assert_eq!((of("i"), of("run")), (vec!["done".into()], vec!["interrupted".into(), "done".into()]));
    assert_eq!(all(&peer.ask(&[("op", "eval"), ("session", &s), ("code", "kept")]), "value"), "1");
    // What runs in a session that is closed ends too.
    peer.send(&[("op", "eval"), ("session", &s), ("id", "run"), ("code", "(println 1) (loop [] (recur))")]);
    peer.next();
    peer.send(&[("op", "close"), ("session", &s), ("id", "c")]);
    let both = [peer.next(), peer.next()];
    let ended = both.iter().find(|m| text(m, "id") == "run").map(status).unwrap();
    assert_eq!(ended, ["interrupted", "done"]);
}

#[test]
fn editors_can_ask_what_there_is() {
    let server = server(Default::default());
    let mut peer = Peer::new(&server);
    let s = peer.session();
    let answers = peer.ask(&[("op", "describe")]);
    let Some(Bencode::Dict(ops)) = answers[0].get(b"ops".as_slice()) else { panic!("{answers:?}") };
    for op in ["clone", "close", "describe", "eval", "load-file", "completions", "lookup", "eldoc", "interrupt"] {
        assert!(ops.contains_key(op.as_bytes()), "{op}");
    }
    // Whatever is offered is answered by more than that it is not known.
    for op in ops.keys() {
        let op = std::str::from_utf8(op).unwrap();
        let answers =
            peer.ask(&[("op", op), ("session", &s), ("code", "1"), ("file", "1"), ("sym", "map"), ("prefix", "m")]);
        assert!(!last(&answers).contains(&"unknown-op".to_owned()), "{op}: {answers:?}");
    }
    let s = peer.session();
    peer.ask(&[("op", "eval"), ("session", &s), ("code", "(defn zap \"Adds\" ([a] a) ([a b] (+ a b)))")]);
    let answers = peer.ask(&[("op", "completions"), ("session", &s), ("prefix", "zap")]);
    let found: Bencode = dict([("candidate", "zap".into()), ("type", "function".into())]).into();
    assert_eq!(answers[0].get(b"completions".as_slice()), Some(&Bencode::List(vec![found])));
    let answers = peer.ask(&[("op", "eldoc"), ("session", &s), ("sym", "zap")]);
    assert_eq!(
        answers[0].get(b"eldoc".as_slice()),
        Some(&vec![Bencode::from(vec!["a"]), vec!["a", "b"].into()].into())
    );
    let answers = peer.ask(&[("op", "lookup"), ("session", &s), ("sym", "zap")]);
    let Some(Bencode::Dict(info)) = answers[0].get(b"info".as_slice()) else { panic!("{answers:?}") };
    assert_eq!((text(info, "doc"), text(info, "arglists-str")), ("Adds".into(), "[a]\n[a b]".into()));
    assert_eq!(text(&peer.ask(&[("op", "info"), ("sym", "map")])[0], "ns"), "user");
    assert_eq!(last(&peer.ask(&[("op", "lookup"), ("sym", "nowhere")])), ["done", "lookup-error"]);
    assert_eq!(last(&peer.ask(&[("op", "fly")])), ["error", "unknown-op", "done"]);
    assert_eq!(last(&peer.ask(&[])), ["error", "unknown-op", "done"]);
}

#[test]
fn hostile_clients_end_their_connection_and_nothing_else() {
    let server = server(Default::default());
    let mut good = Peer::new(&server);
    let s = good.session();
    let deep = [b"d4:code".as_slice(), &b"l".repeat(100_000)].concat();
    for bytes in [&b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..], b"d2:op99999999999:", b"le", &deep] {
        let mut peer = Peer::new(&server);
        let _ = peer.stream.write_all(bytes);
        let mut rest = Vec::new();
        // Closed, with what was not read yet or without.
        let _ = peer.stream.read_to_end(&mut rest);
        assert!(rest.is_empty(), "{rest:?}");
    }
    // Messages that are whole and wrong are answered.
    good.stream.write_all(b"d2:op4:eval4:code2:\xff\xfee").unwrap();
    let answers = good.answers();
    assert_eq!(last(&answers), ["error", "no-code", "done"]);
    good.stream.write_all(b"d2:opi5e7:sessionli1eee").unwrap();
    assert_eq!(last(&good.answers()), ["error", "unknown-session", "done"]);
    // There are only so many sessions; those of clients that are gone make room.
    for _ in 1..SESSIONS {
        good.session();
    }
    let answers = good.ask(&[("op", "clone")]);
    assert_eq!(last(&answers), ["error", "no-session", "done"]);
    assert!(all(&answers, "err").contains("32 sessions already"), "{answers:?}");
    assert_eq!(all(&good.ask(&[("op", "eval"), ("session", &s), ("code", "(+ 1 2)")]), "value"), "3");
    drop(good);
    // Its connection ends when its thread has seen that.
    let mut peer = Peer::new(&server);
    for _ in 0..1000 {
        let answers = peer.ask(&[("op", "clone")]);
        if last(&answers) == ["done"] {
            return;
        }
        std::thread::sleep(POLL);
    }
    panic!("no session became free");
}

#[test]
fn an_input_without_a_session_takes_the_room_of_one() {
    let endless = ptc_lisp::limits::Limits { fuel: u64::MAX, cpu_ms: 0, wall_ms: 0, ..Default::default() };
    let server = server(endless);
    let mut busy = Peer::new(&server);
    for i in 0..SESSIONS {
        busy.send(&[("op", "eval"), ("id", &i.to_string()), ("code", "(println \"on\") (loop [] (recur))")]);
        assert_eq!(text(&busy.next(), "out"), "on\n");
    }
    let answers = busy.ask(&[("op", "eval"), ("id", "more"), ("code", "1")]);
    assert!(all(&answers, "err").contains("32 sessions already"), "{answers:?}");
    assert_eq!(last(&answers), ["error", "no-session", "done"]);
    // They have no names.
    assert_eq!(busy.ask(&[("op", "ls-sessions")])[0][b"sessions".as_slice()], Bencode::List(Vec::new()));
    // Nobody can interrupt what a client that is gone has begun: it makes room.
    drop(busy);
    let mut peer = Peer::new(&server);
    for _ in 0..1000 {
        let answers = peer.ask(&[("op", "eval"), ("code", "(+ 1 2)")]);
        if last(&answers) == ["done"] {
            assert_eq!(all(&answers, "value"), "3");
            return;
        }
        std::thread::sleep(POLL);
    }
    panic!("no room was made");
}

#[test]
fn inputs_without_a_session_make_room_when_they_have_run() {
    let server = server(Default::default());
    let mut peer = Peer::new(&server);
    // Each makes room behind its answer, so some of those that follow at once may have to ask again.
    for i in 0..3 * SESSIONS {
        let ran = (0..1000).any(|_| {
            let answers = peer.ask(&[("op", "eval"), ("code", &format!("(inc {i})"))]);
            let done = last(&answers) == ["done"];
            assert!(!done || all(&answers, "value") == (i + 1).to_string(), "{answers:?}");
            done || {
                std::thread::sleep(POLL);
                false
            }
        });
        assert!(ran, "input {i} found no room");
    }
}

#[cfg(unix)]
#[test]
fn the_file_of_the_port_is_a_new_one() {
    let folder = std::env::temp_dir().join(format!("ptc-nrepl-port-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (file, other) = (folder.join(PORT_FILE), folder.join("other"));
    std::fs::write(&other, "kept").unwrap();
    // A link is replaced, and what it leads to stays.
    std::os::unix::fs::symlink(&other, &file).unwrap();
    write_port(&file, 7888).unwrap();
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "kept");
    assert!(names_port(&file, 7888) && !names_port(&file, 788) && !file.is_symlink());
    // A pipe is neither opened nor read.
    std::fs::remove_file(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert!(!names_port(&file, 7888));
    write_port(&file, 7889).unwrap();
    assert!(names_port(&file, 7889));
    // A folder stays, and no file is left beside it.
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(write_port(&file, 7890).is_err() && file.is_dir());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}
