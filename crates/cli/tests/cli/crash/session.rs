//! A session whose process can be killed at any moment, and what must hold of it in the end.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the program answers in the end.
const RETURNED: &str = "[1 [2 3 4] \"no 5 (exit code 1)\" 6]\n";

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

/// A run of the task, in a folder of its own.
pub struct Session {
    /// Where it is.
    pub folder: PathBuf,
}

impl Session {
    /// A new one; `name` is part of its folder's.
    pub fn new(name: &str) -> Self {
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

    /// Writes a file into it.
    pub fn file(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).unwrap();
    }

    /// The path of something in it.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// The replies; whoever asks once more for one of the first `known` gets a program that fails the session.
    pub fn replies(&self, known: usize) {
        let reply = |(n, program): (usize, &&str)| {
            let program = if n < known { "(fail \"asked again\")" } else { program };
            format!("## Turn {}\n```clojure\n{program}\n```\n\n", n + 1)
        };
        self.file("t/replies.md", &REPLIES.iter().enumerate().map(reply).collect::<String>());
    }

    /// The trace's bytes.
    pub fn trace(&self) -> Vec<u8> {
        std::fs::read(self.folder.join("t.jsonl")).unwrap_or_default()
    }

    /// The trace's whole lines.
    pub fn lines(&self) -> Vec<serde_json::Value> {
        let bytes = self.trace();
        let line = |l: &[u8]| serde_json::from_slice(l).ok();
        bytes.split_inclusive(|b| *b == b'\n').filter_map(line).collect()
    }

    /// How many replies it has.
    pub fn replied(&self) -> usize {
        self.lines().iter().filter(|l| l.get("reply").is_some() && l.get("before_turn").is_some()).count()
    }

    /// `ptc run` of the task, behind these words.
    pub fn command(&self, with: &[&str]) -> Command {
        let ptc = &ptc();
        let (task, trace) = (self.path("t"), self.path("t.jsonl"));
        let args = [with, &[ptc, "run", &task, "--trace", &trace]].concat();
        let mut command = Command::new(args[0]);
        command.args(&args[1..]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The same, to its end.
    pub fn run(&self, with: &[&str]) -> Output {
        self.command(with).output().unwrap()
    }

    fn ptc(&self, args: &[&str]) -> String {
        let did = Command::new(ptc()).args(args).output().unwrap();
        assert!(did.status.success(), "{did:?}");
        String::from_utf8(did.stdout).unwrap()
    }

    /// How often each call was made, by its key, and by which tool.
    pub fn effects(&self) -> BTreeMap<String, (String, usize)> {
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
    pub fn approve(&self) -> Vec<String> {
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
    pub fn ended(&self) -> bool {
        self.lines().iter().any(|l| l.get("turn").is_some() && l["status"] == "returned")
    }

    /// Goes on to the end; how often each key was approved.
    pub fn finish(&self) -> BTreeMap<String, usize> {
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
    pub fn whole(&self) -> String {
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
                .for_each(|c| c.as_object_mut().unwrap().retain(|key, _| key != "ms" && key != "decided"));
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
pub fn undisturbed() -> String {
    let session = Session::new("whole");
    assert!(session.finish().is_empty());
    assert!(session.effects().values().all(|e| e.1 == 1) && session.effects().len() == 8, "{:?}", session.effects());
    session.whole()
}

/// A call is made once, and once more for each word; one that only looks may be made again as often as it was cut off.
pub fn once(session: &Session, approved: &BTreeMap<String, usize>) {
    let effects = session.effects();
    let pays = effects.values().filter(|e| e.0 == "pay").count();
    assert_eq!(pays, 6, "{effects:?}");
    for (key, (tool, times)) in &effects {
        let words = approved.get(key).copied().unwrap_or(0);
        assert!(tool == "look" || *times <= 1 + words, "{key} was made {times} times, with {words} words");
    }
}

/// Lines that were written whole.
pub fn whole_lines(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    bytes[..end].to_vec()
}
