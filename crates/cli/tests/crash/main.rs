//! Runs that are killed, and whose disk fails: at every write and every `fdatasync` of the trace (by strace, where it is
//! installed), and at random moments. However often that happens, no turn that was told is lost, no call is made twice
//! without a word, no reply is asked for twice, and the prompts are those of a run that nobody killed.
//!
//! `PTC_KILLS=1000 cargo test -p ptc-cli --test crash random -- --nocapture` kills a thousand times and says what it saw.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What the program answers in the end.
const RETURNED: &str = "[1 [2 3 4] \"no 5 (exit code 1)\" 6]\n";

/// Lines of its trace, each written and forced to the disk: the header, five replies, five turns, and of eight calls, three of
/// them made together, that they were asked and each answer.
const LINES: u64 = 1 + 5 + 5 + 6 + 8;

/// A session with everything that can be cut off: single calls and calls made together, one that fails, an error turn.
const REPLIES: [&str; 5] = [
    "(def a (:n (tool/pay {:n 1})))",
    "(def b (vec (map :n (pmap #(tool/pay {:n %}) [2 3 4]))))\n(println b)",
    "(tool/look {:n 0})\n(inc nil)",
    "(def c (try (tool/pay {:n 5}) (catch Exception e (ex-message e))))\n(def d (:n (tool/pay {:n 6})))\n(tool/look {:n 9})",
    "(return [a b c d])",
];

/// Notes each call before it answers, as a service would that cannot be asked whether it had it before.
const TOOL: &str = "args=$(cat)\necho \"$PTC_CALL_KEY $1 $args\" >> effects\n\
    case \"$args\" in *'\"n\":5'*) echo no 5 >&2; exit 1;; esac\nsleep ${PTC_PAUSE:-0}\necho \"$args\"\n";

/// The program: this build's, or another's that `PTC_BINARY` names.
fn ptc() -> String {
    std::env::var("PTC_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_ptc").to_owned())
}

struct Session {
    folder: PathBuf,
}

impl Session {
    fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("ptc-crash-{}-{number}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("t")).unwrap();
        // As the system names it: strace looks for this path.
        let session = Session { folder: std::fs::canonicalize(folder).unwrap() };
        session.file("t/tool.sh", TOOL);
        session.replies(0);
        session.file(
            "t/task.toml",
            "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n\
             [tools.pay]\ncommand = [\"sh\", \"tool.sh\", \"pay\"]\n\
             [tools.look]\ncommand = [\"sh\", \"tool.sh\", \"look\"]\nread_only = true\n",
        );
        session
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// The replies; whoever asks once more for one of the first `known` gets a program that fails the session.
    fn replies(&self, known: usize) {
        let reply = |(n, program): (usize, &&str)| {
            let program = if n < known { "(fail \"asked again\")" } else { program };
            format!("## Turn {}\n```clojure\n{program}\n```\n\n", n + 1)
        };
        self.file("t/replies.md", &REPLIES.iter().enumerate().map(reply).collect::<String>());
    }

    fn trace(&self) -> Vec<u8> {
        std::fs::read(self.folder.join("t.jsonl")).unwrap_or_default()
    }

    /// The trace's whole lines.
    fn lines(&self) -> Vec<serde_json::Value> {
        let bytes = self.trace();
        let line = |l: &[u8]| serde_json::from_slice(l).ok();
        bytes.split_inclusive(|b| *b == b'\n').filter_map(line).collect()
    }

    /// How many replies it has.
    fn replied(&self) -> usize {
        self.lines().iter().filter(|l| l.get("reply").is_some() && l.get("before_turn").is_some()).count()
    }

    fn command(&self, with: &[&str]) -> Command {
        let ptc = &ptc();
        let (task, trace) = (self.path("t"), self.path("t.jsonl"));
        let args = [with, &[ptc, "run", &task, "--trace", &trace]].concat();
        let mut command = Command::new(args[0]);
        command.args(&args[1..]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, with: &[&str]) -> Output {
        self.command(with).output().unwrap()
    }

    fn ptc(&self, args: &[&str]) -> String {
        let did = Command::new(ptc()).args(args).output().unwrap();
        assert!(did.status.success(), "{did:?}");
        String::from_utf8(did.stdout).unwrap()
    }

    /// How often each call was made, by its key, and by which tool.
    fn effects(&self) -> BTreeMap<String, (String, usize)> {
        let text = std::fs::read_to_string(self.folder.join("t/effects")).unwrap_or_default();
        let mut seen = BTreeMap::new();
        for line in text.lines() {
            let (key, rest) = line.split_once(' ').unwrap();
            let tool = rest.split(' ').next().unwrap().to_owned();
            seen.entry(key.to_owned()).or_insert((tool, 0)).1 += 1;
        }
        seen
    }

    /// Lets all calls be made again that wait; their keys.
    fn approve(&self) -> Vec<String> {
        let list = self.ptc(&["approve", &self.path("t.jsonl"), "--list", "--json"]);
        let list: serde_json::Value = serde_json::from_str(&list).unwrap();
        let calls = list["calls"].as_array().unwrap();
        for call in calls {
            assert_eq!(call["name"], "pay", "who only looks is not asked about");
            self.ptc(&["approve", &self.path("t.jsonl"), &call["id"].to_string()]);
        }
        calls.iter().map(|c| c["key"].as_str().unwrap().to_owned()).collect()
    }

    /// Whether the last turn is kept.
    fn ended(&self) -> bool {
        self.lines().iter().any(|l| l.get("turn").is_some() && l["status"] == "returned")
    }

    /// Goes on to the end; how often each key was approved.
    fn finish(&self) -> BTreeMap<String, usize> {
        let mut approved = BTreeMap::new();
        loop {
            if self.ended() {
                return approved;
            }
            self.replies(self.replied());
            let did = self.run(&[]);
            match did.status.code() {
                Some(6) => self.approve().into_iter().for_each(|key| *approved.entry(key).or_default() += 1),
                Some(0) => {
                    assert_eq!(String::from_utf8(did.stdout).unwrap(), RETURNED);
                    return approved;
                }
                _ => panic!("{did:?}"),
            }
        }
    }

    /// Every prompt, and what the turns were, without times and keys.
    fn whole(&self) -> String {
        let trace = self.path("t.jsonl");
        let prompts = (1..=REPLIES.len()).map(|k| self.ptc(&["messages", &trace, "--json", "--turn", &k.to_string()]));
        let mut out: String = prompts.collect();
        for mut line in self.lines().into_iter().filter(|l| l.get("turn").is_some()) {
            let turn = line.as_object_mut().unwrap();
            turn.remove("time");
            turn["usage"].as_object_mut().unwrap().retain(|k, _| k == "fuel");
            turn["tool_calls"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|c| drop(c.as_object_mut().unwrap().remove("ms")));
            out.push_str(&format!("{line}\n"));
        }
        out
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// What a session came to that nobody killed.
fn undisturbed() -> String {
    let session = Session::new("whole");
    assert!(session.finish().is_empty());
    assert!(session.effects().values().all(|e| e.1 == 1) && session.effects().len() == 8, "{:?}", session.effects());
    session.whole()
}

/// A call is made once, and once more for each word; one that only looks may be made again as often as it was cut off.
fn once(session: &Session, approved: &BTreeMap<String, usize>) {
    let effects = session.effects();
    let pays = effects.values().filter(|e| e.0 == "pay").count();
    assert_eq!(pays, 6, "{effects:?}");
    for (key, (tool, times)) in &effects {
        let words = approved.get(key).copied().unwrap_or(0);
        assert!(tool == "look" || *times <= 1 + words, "{key} was made {times} times, with {words} words");
    }
}

fn strace() -> bool {
    let there = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let works = there.is_ok_and(|o| o.status.success());
    if !works {
        eprintln!("not here: strace is not installed, or may not trace; these runs were not made");
    }
    works
}

/// Runs a session under this injection at the k-th call, for every k until none comes any more. What each run's end was is
/// given to `ended`; then the session goes on to its end.
fn at_every(name: &str, call: &str, fault: &str, ended: impl Fn(&Output)) -> u64 {
    let expected = undisturbed();
    for k in 1.. {
        let session = Session::new(&format!("{name}-{k}"));
        let (path, trace) = (session.path("t.jsonl"), format!("trace={call}"));
        let inject = format!("inject={call}:{fault}:when={k}");
        let did = session.run(&["strace", "-f", "-qq", "-o", "/dev/null", "-P", &path, "-e", &trace, "-e", &inject]);
        if did.status.success() {
            return k - 1;
        }
        ended(&did);
        let before = session.trace();
        let kept = session.lines().into_iter().filter(|l| l.get("turn").is_some()).collect::<Vec<_>>();
        let told = String::from_utf8_lossy(&did.stderr).matches("next prompt: ").count();
        assert!(told <= kept.len(), "{name} {k}: {told} turns were told and {} are kept", kept.len());
        let approved = session.finish();
        assert!(session.trace().starts_with(&whole_lines(&before)), "{name} {k}: a line was changed");
        if call == "fdatasync" && fault.contains("KILL") {
            // What was asked was not made yet, what was answered is kept; only those made together were in flight.
            let alone =
                session.effects().into_iter().filter(|(key, _)| !["-2", "-3", "-4"].iter().any(|n| key.ends_with(n)));
            alone.for_each(|(key, (_, times))| assert_eq!(times, 1, "{name} {k}: {key}"));
        }
        once(&session, &approved);
        assert_eq!(session.whole(), expected, "{name} {k}");
    }
    unreachable!()
}

#[test]
fn killed_at_every_sync_it_goes_on_as_if_nothing_had_happened() {
    if !strace() {
        return;
    }
    let n = at_every("kill-sync", "fdatasync", "signal=SIGKILL", |did| {
        assert!(!did.status.success() && did.status.code().is_none_or(|c| c == 137), "{did:?}");
    });
    eprintln!("killed at each of {n} fdatasync: nothing lost, nothing made twice");
    assert_eq!(n, LINES);
}

#[test]
fn killed_at_every_write_it_goes_on_as_if_nothing_had_happened() {
    if !strace() {
        return;
    }
    let n = at_every("kill-write", "write", "signal=SIGKILL", |did| assert!(!did.status.success(), "{did:?}"));
    eprintln!("killed at each of {n} writes: nothing lost, nothing made twice");
    assert_eq!(n, LINES);
}

#[test]
fn a_full_disk_and_a_broken_one_stop_a_run_that_can_be_gone_on_with() {
    if !strace() {
        return;
    }
    for (name, call, fault, words) in [
        ("enospc", "write", "error=ENOSPC", "No space left on device"),
        ("eio-write", "write", "error=EIO", "Input/output error"),
        ("eio-sync", "fdatasync", "error=EIO", "Input/output error"),
    ] {
        let n = at_every(name, call, fault, |did| {
            let err = String::from_utf8_lossy(&did.stderr);
            assert!(err.contains(words) && matches!(did.status.code(), Some(1 | 2)), "{did:?}");
        });
        eprintln!("{name} at each of {n}: nothing lost, nothing made twice without a word");
    }
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Lines that were written whole.
fn whole_lines(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    bytes[..end].to_vec()
}

#[test]
fn random_kills_lose_nothing() {
    let wanted: u64 = std::env::var("PTC_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let expected = undisturbed();
    let (mut kills, mut sessions, mut words, mut turns, mut looked) = (0, 0, 0, 0, 0);
    let mut dice = Dice(0x5eed_0bad_cafe_f00d);
    let start = Instant::now();
    while kills < wanted {
        sessions += 1;
        let session = Session::new(&format!("random-{sessions}"));
        let mut approved: BTreeMap<String, usize> = BTreeMap::new();
        // How long a run takes that nobody kills, about, so that kills fall anywhere in it.
        let mut span = 450;
        loop {
            session.replies(session.replied());
            let mut child = session.command(&[]).env("PTC_PAUSE", "0.01").spawn().unwrap();
            let until = Instant::now() + Duration::from_micros(dice.below(span * 1000));
            let ended = loop {
                match child.try_wait().unwrap() {
                    Some(status) => break Some(status),
                    None if kills < wanted && Instant::now() >= until => break None,
                    None => std::thread::sleep(Duration::from_micros(200)),
                }
            };
            let Some(status) = ended else {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
                // What stands there now is there for good.
                let kept = whole_lines(&session.trace());
                session.file("kept", "");
                std::fs::write(session.folder.join("kept"), &kept).unwrap();
                turns += session.lines().iter().filter(|l| l.get("turn").is_some()).count();
                // A call that was in flight may still be on its way: its process is not ours to kill.
                std::thread::sleep(Duration::from_millis(30));
                span = 50 + dice.below(600);
                if session.ended() {
                    break;
                }
                continue;
            };
            let kept = std::fs::read(session.folder.join("kept")).unwrap_or_default();
            assert!(session.trace().starts_with(&kept), "session {sessions}: what was kept is not there any more");
            match status.code() {
                Some(6) => {
                    for key in session.approve() {
                        words += 1;
                        *approved.entry(key).or_default() += 1;
                    }
                }
                Some(0) => break,
                _ => panic!("session {sessions}: {:?}", child.wait_with_output()),
            }
        }
        once(&session, &approved);
        looked += session.effects().values().filter(|e| e.0 == "look" && e.1 > 1).count();
        assert_eq!(session.whole(), expected, "session {sessions}");
    }
    let seconds = start.elapsed().as_secs();
    eprintln!(
        "{kills} kills in {sessions} sessions ({seconds} s): 0 of {turns} acknowledged turns lost, 0 effects repeated without \
         a word, {words} calls in flight asked about and made again on request, {looked} read-only calls made again, the same \
         prompts in all sessions"
    );
}
