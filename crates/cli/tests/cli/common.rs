//! Runs commands in this process, with a folder of their own.

use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What a command did.
#[derive(Debug)]
pub struct Did {
    /// Its exit code.
    pub code: i32,
    /// Its result.
    pub out: String,
    /// What else it said, without styles.
    pub err: String,
}

/// Whether everything is tried with everything, as `.ci/run` does with `PTC_ALL=1`. Without it each is tried with some.
pub fn all() -> bool {
    std::env::var_os("PTC_ALL").is_some()
}

/// `ptc ARGS` with this standard input.
pub fn ptc_with(args: &[&str], stdin: &str) -> Did {
    ptc_in(args, stdin, ptc_cli::CliContext::default())
}

/// `ptc ARGS` with this standard input, in these surroundings.
pub fn ptc_in(args: &[&str], stdin: &str, around: ptc_cli::CliContext) -> Did {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("ptc").chain(args.iter().copied());
    let code = ptc_cli::run_in(args, &mut stdin.as_bytes(), &mut out, &mut err, around);
    let err = String::from_utf8(err).unwrap();
    let mut plain = String::new();
    let mut rest = err.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        rest = rest[at..].split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    Did { code, out: String::from_utf8(out).unwrap(), err: plain }
}

/// `ptc ARGS`
pub fn ptc(args: &[&str]) -> Did {
    ptc_with(args, "")
}

/// A folder that goes away.
pub struct Folder(pub PathBuf);

/// Commands started from here take Ctrl-C, also where the tests were started in the background with it ignored (a script's
/// `cargo test &`): a process inherits what is ignored, and a handler becomes the default again.
#[cfg(unix)]
fn interruptible() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|l| u64::from_str_radix(l.strip_prefix("SigIgn:")?.trim(), 16).ok());
        if mask.unwrap_or(0) & 2 != 0 {
            signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default()).unwrap();
        }
    });
}

#[cfg(not(unix))]
fn interruptible() {}

impl Folder {
    /// A new one.
    pub fn new(name: &str) -> Self {
        interruptible();
        let path = std::env::temp_dir().join(format!("ptc-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A file in it, with this text; its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// The path of something in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A task of three turns with an input and a recorded tool; its path.
    pub fn task(&self) -> String {
        self.file(
            "shop/task.toml",
            "[task]\nname = \"shop\"\nprompt = \"What is in stock?\"\nmodel = \"replay:replies.md\"\nmax_turns = 4\n\
             [context.items]\nfile = \"items.json\"\n\
             [tools.stock]\ndescription = \"Units\"\nparams = [{ name = \"item\", type = \"string\" }]\nreplay = \"stock.jsonl\"\n",
        );
        self.file("shop/items.json", "[{\"name\": \"pen\"}, {\"name\": \"ink\"}]");
        self.file(
            "shop/stock.jsonl",
            "{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n{\"args\": {\"item\": \"pen\"}, \"result\": 2}\n{\"args\": {\"item\": \"ink\"}, \"error\": \"sold out\"}\n",
        );
        self.file(
            "shop/replies.md",
            "## Turn 1\nI look.\n```clojure\n(def n \"Pens\" (tool/stock \"pen\"))\n(println n)\n```\n\n\
             ## Turn 2\n```clojure\n(tool/stock (:name (second ctx/items)))\n```\n\n\
             ## Turn 3\n```clojure\n(return {:pen [n (tool/stock \"pen\")] :by :shop})\n```\n",
        );
        self.path("shop")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A trace as it would be without the journal of what has ended, and without how earlier runs did: its other lines.
pub fn without_journal(path: &str) -> String {
    let text = std::fs::read_to_string(Path::new(path)).unwrap();
    let of = |l: &&str| {
        let data: serde_json::Value = serde_json::from_str(l).unwrap();
        data.get("before_turn").is_none()
            && data.get("run_ended").is_none()
            && (data.get("before_act").is_none() || data.get("tool_call").is_some())
    };
    text.lines().filter(of).map(|l| format!("{l}\n")).collect()
}

/// A trace without what differs from run to run: times.
pub fn timeless(path: &str) -> String {
    let text = without_journal(path);
    let mut out = String::new();
    for line in text.lines() {
        let mut data: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(act) = data.as_object_mut().filter(|o| o.contains_key("act")) {
            act.remove("time");
            for call in act.get_mut("tool_calls").and_then(|c| c.as_array_mut()).into_iter().flatten() {
                call.as_object_mut().unwrap().remove("ms");
            }
        } else if let Some(turn) = data.as_object_mut().filter(|o| o.contains_key("turn")) {
            turn.remove("time");
            for key in ["cpu_ms", "wall_ms", "model_ms"] {
                turn["usage"].as_object_mut().unwrap().remove(key);
            }
            for call in turn["tool_calls"].as_array_mut().unwrap() {
                call.as_object_mut().unwrap().remove("ms");
            }
        }
        out.push_str(&format!("{data}\n"));
    }
    out
}

/// A server that speaks chat completions: it answers as told and keeps what it was asked.
pub struct Server {
    /// Its address, as `OPENAI_BASE_URL` has it.
    pub url: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    /// One that answers with what `reply` says to the request of this number, from 0; an error is status 400.
    pub fn new(reply: impl Fn(usize, &Value) -> Result<String, String> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let kept = asked.clone();
        std::thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                let Some(body) = read_body(&mut stream) else { continue };
                let number = {
                    let mut all = kept.lock().unwrap();
                    all.push(body.clone());
                    all.len() - 1
                };
                let (status, answer) = match reply(number, &body) {
                    Ok(text) => (200, completion(&text)),
                    Err(words) => (400, json!({"error": {"message": words}})),
                };
                let answer = answer.to_string();
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    answer.len()
                );
                let _ = stream.write_all((head + &answer).as_bytes());
            }
        });
        Server { url, asked }
    }

    /// The requests so far.
    pub fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }

    /// Surroundings in which `openai/...` is this server.
    pub fn around(&self) -> ptc_cli::CliContext {
        let variables = [("OPENAI_BASE_URL", self.url.as_str()), ("OPENAI_API_KEY", "k")];
        ptc_cli::CliContext { environment: variables.into_iter().collect(), ..Default::default() }
    }
}

fn completion(text: &str) -> Value {
    json!({
        "id": "c", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    })
}

fn read_body(stream: &mut TcpStream) -> Option<Value> {
    let mut read = Vec::new();
    let mut buffer = [0; 65536];
    loop {
        let n = stream.read(&mut buffer).ok().filter(|n| *n > 0)?;
        read.extend_from_slice(&buffer[..n]);
        let Some(head) = read.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
        let text = String::from_utf8_lossy(&read[..head]).to_lowercase();
        let length: usize = text.split("content-length:").nth(1)?.split("\r\n").next()?.trim().parse().ok()?;
        if read.len() >= head + 4 + length {
            return serde_json::from_slice(&read[head + 4..head + 4 + length]).ok();
        }
    }
}

/// Who says what in a request of chat completions, or in an array of `ptc messages --json`.
pub fn said(messages: &Value) -> Vec<(String, String)> {
    let text = |content: &Value| match content.as_array() {
        Some(parts) => parts.iter().map(|p| p["text"].as_str().unwrap()).collect::<Vec<_>>().join("\n"),
        None => content.as_str().unwrap().to_owned(),
    };
    let one = |m: &Value| (m["role"].as_str().unwrap().to_owned(), text(&m["content"]));
    messages.as_array().unwrap().iter().map(one).collect()
}
