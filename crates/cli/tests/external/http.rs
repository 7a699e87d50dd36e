//! `ptc serve` against clients that no one here wrote: OpenAI's, which talks to a task, and schemathesis, which makes requests up
//! from our description and holds the answers to it; and Debian's Chromium, which has the page of a session open.
//! `scripts/http-clients` and `scripts/browser` fetch them.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

fn tool(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/http-python/bin").join(name);
    assert!(path.is_file(), "{} is not there: run scripts/http-clients", path.display());
    path
}

/// A server with a task, in a folder that goes away.
struct Server {
    child: Child,
    url: String,
    folder: PathBuf,
}

impl Server {
    fn start(name: &str, token: Option<&str>) -> Self {
        let folder = std::env::temp_dir().join(format!("ptc-http-{}-{name}", std::process::id()));
        std::fs::create_dir_all(folder.join("shop")).unwrap();
        let task = "[task]\nname = \"shop\"\nprompt = \"Count.\"\nmodel = \"replay:r.md\"\n";
        std::fs::write(folder.join("shop/task.toml"), task).unwrap();
        std::fs::write(folder.join("shop/r.md"), "## Turn 1\n(return \"42 pens\")\n").unwrap();
        std::fs::create_dir_all(folder.join("asks")).unwrap();
        let asks = "[task]\nname = \"asks\"\nprompt = \"Send.\"\n[tools.send]\nparams = [{ name = \"to\", type = \"string\" }]\n\
                    command = [\"sh\", \"-c\", \"cat > /dev/null; echo '\\\"sent\\\"'\"]\napproval = \"always\"\n\
                    [tools.wait]\ncommand = [\"sleep\", \"600\"]\n";
        std::fs::write(folder.join("asks/task.toml"), asks).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--task"]).arg(folder.join("shop"));
        command.arg("--task").arg(folder.join("asks"));
        // A program that makes requests up makes many.
        for set in ["requests_per_second=100000", "requests_at_once=100000", "wait_seconds=5"] {
            command.args(["--set", set]);
        }
        command.env("PTC_HOME", folder.join("home")).env_remove("PTC_SERVER_TOKEN");
        if let Some(token) = token {
            command.env("PTC_SERVER_TOKEN", token);
        }
        Self::started(command, folder)
    }

    /// A server of a task of the examples.
    fn of_example(name: &str, task: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("ptc-http-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--task", task]);
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        command.env("PTC_HOME", folder.join("home")).env_remove("PTC_SERVER_TOKEN");
        Self::started(command, folder)
    }

    fn started(mut command: Command, folder: PathBuf) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let url = loop {
            let line = lines.next().expect("it says where it listens").unwrap();
            if let Some((_, rest)) = line.split_once("serving ") {
                break rest.split(',').next().unwrap().to_owned();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, url, folder }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn openais_client_talks_to_a_task() {
    let token = "a-token-of-a-chat-program";
    let server = Server::start("openai", Some(token));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/http/openai_client.py");
    let out = Command::new(tool("python")).arg(script).args([&server.url, token]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "done");
}

/// The page's program in Python, against the server that the page begins.
#[test]
fn the_chat_of_the_page_is_answered() {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/http-server.md")).unwrap();
    let after = |text: &str, from: &str| text.split_once(from).unwrap().1.to_owned();
    let task = after(&page, "ptc serve --task ").split_whitespace().next().unwrap().to_owned();
    let block = after(&page, "```python\n").split("\n```").next().unwrap().to_owned();
    let server = Server::of_example("page-chat", &task);
    assert!(block.contains("http://127.0.0.1:8787"), "{block}");
    let block = block.replace("http://127.0.0.1:8787", &server.url);
    let out = Command::new(tool("python")).args(["-c", &block]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(said.contains("Northlight Studio") && said.contains("132400"), "{said}");
}

/// Streams of events do not end, which schemathesis waits for; they have tests of their own.
#[test]
fn schemathesis_finds_nothing() {
    let server = Server::start("schemathesis", None);
    // Which words are a type no schema can say: a text in `expect` that is none is refused with 400.
    let one = "[[operations]]\ninclude-name = \"POST /sessions\"\n[operations.checks]\npositive_data_acceptance.expected-statuses";
    let file = format!("{one} = [\"2xx\", 400, 401, 403, 404, 409, 429]\n");
    std::fs::write(server.folder.join("schemathesis.toml"), file).unwrap();
    let mut command = Command::new(tool("schemathesis"));
    command.args(["run", &format!("{}/openapi.json", server.url), "--exclude-path", "/sessions/{id}/events"]);
    command.args(["-n", "20", "--continue-on-failure", "--no-color", "--seed", "1", "--generation-database", "none"]);
    let out = command.current_dir(&server.folder).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

/// The page takes over each turn as it ends, says what the session waits for, and keeps what a reader did. `PTC_PICTURES` names a
/// folder for pictures of it.
#[test]
fn the_page_of_a_session_follows_it() {
    let server = Server::start("page", None);
    let playwright = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/browser/package");
    assert!(playwright.is_dir() && Path::new("/usr/bin/chromium").exists(), "no browser: run scripts/browser");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/http/page.mjs");
    let mut command = Command::new("node");
    command.arg(script).arg(playwright.canonicalize().unwrap()).arg(&server.url);
    let out = command.args(std::env::var("PTC_PICTURES")).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let facts: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(facts["trouble"], serde_json::json!([]));
    assert_eq!(facts["hosts"], serde_json::json!([server.url.trim_start_matches("http://")]));
    assert_eq!(facts["empty"]["turns"], serde_json::json!([]));
    assert_eq!(facts["folded"], false);
    assert_eq!(facts["running"], serde_json::json!(["t1", "t2", "t3"]));
    let after = serde_json::json!({
        "turns": ["t1", "t2", "t3", "t4"], "still": false, "hacked": null, "shown": true, "names": true
    });
    assert_eq!((&facts["after"], facts["wide"].as_i64() <= Some(0)), (&after, true), "{}", facts["wide"]);
    assert_eq!((&facts["approved"], &facts["guessed"]), (&true.into(), &404.into()));
    assert!(facts["answer"].as_str().unwrap().contains("42 pens"), "{}", facts["answer"]);
}
