//! Every way by which data comes in: what it takes in memory is at most its limit and 64 MiB, whatever comes.

use crate::common::{Folder, all, ptc};
use crate::measure::{MB, base, ran, ran_with};
use ptc_agent::files::MemoryEstimate;
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Over the limit of each way in.
const ROOM: u64 = 64 * MB;

/// So many bytes of a text again and again, between two others.
fn filled(before: &str, piece: &str, after: &str, bytes: usize) -> String {
    [before, &piece.repeat(bytes / piece.len()), after].concat()
}

const HEAD: &str = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n";

/// A task that returns the size of its input, or what else `program` says.
fn task(f: &Folder, head: &str, rest: &str, program: &str) -> String {
    f.file("t/replies.md", &format!("## Turn 1\n```clojure\n{program}\n```\n"));
    f.file("t/task.toml", &format!("{head}{rest}"))
}

#[test]
fn inputs_take_their_limit() {
    const LIMIT: u64 = 8 * MB;
    let f = Folder::new("doors-inputs");
    let base = base(&f);
    let (mut read, mut refused) = (0, 0);
    for (number, (file, before, piece, after)) in (0..).zip([
        ("a.json", "[", "0,", "0]"),
        ("b.json", "[", "[],", "0]"),
        ("c.json", "[", "{\"a\":0},", "0]"),
        ("d.json", "[", "\"\",", "0]"),
        ("e.json", "\"", "\\u0001", "\""),
        ("f.json", "{\"a\":\"", "x", "\"}"),
        ("g.json", "[", "0.5e1,", "0]"),
        ("a.jsonl", "", "{\"a\":0}\n", ""),
        ("b.jsonl", "", "0\n", ""),
        ("a.csv", "a\n", "1\n", ""),
        ("b.csv", "a,b,c,d\n", ",,,\n", ""),
        ("c.csv", "a\n", "\u{1}\u{1}\u{1}\u{1}\n", ""),
        ("d.csv", "a\n", "x", "\n"),
        ("e.tsv", "a\tb\n", "\"\"\t\"\"\n", ""),
        ("a.txt", "", "x", ""),
        ("b.txt", "", "é\n", ""),
    ]) {
        let parts = [1, 2, 8, 40];
        for part in (0..4).filter(|n| all() || (n + number) % 4 == 0).map(|n| parts[n]) {
            f.file(&format!("t/{file}"), &filled(before, piece, after, LIMIT as usize / part));
            let rest = format!("input_bytes = {LIMIT}\n[context.x]\nfile = \"{file}\"\n");
            let did = ran(&["run", &task(&f, HEAD, &rest, "(return (count ctx/x))")]);
            let told = did.err.contains("input_bytes = 8388608") && did.code == 2;
            assert!(did.code == 0 || told || did.err.contains("count"), "{file}: {}", did.err);
            assert!(did.peak < base + LIMIT + ROOM, "{file}, one {part}th: {} MB", did.peak / MB);
            if did.code == 0 { read += 1 } else { refused += 1 }
        }
    }
    let enough = if all() { 20 } else { 3 };
    assert!(read > enough && refused > enough, "{read} were read, {refused} were not");
}

/// Reads a request and says what its body is.
fn asked(stream: &mut TcpStream) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 65536]);
    while let Ok(n @ 1..) = stream.read(&mut piece) {
        bytes.extend_from_slice(&piece[..n]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.to_lowercase();
        let length = length.split("content-length: ").nth(1).and_then(|l| l.lines().next()?.trim().parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return body.to_owned();
        }
    }
    String::new()
}

/// What a server answers: the kind of its body, the beginning of it, and what follows again and again for ever.
struct Says {
    kind: &'static str,
    begin: String,
    again: Option<&'static str>,
}

impl Says {
    fn json(begin: String) -> Self {
        Says { kind: "application/json", begin, again: None }
    }
}

/// A server that answers each request with what `answer` makes of its body.
fn server(answer: impl Fn(&str) -> Says + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let answer = answer.clone();
            std::thread::spawn(move || {
                let Says { kind, begin, again } = answer(&asked(&mut stream));
                let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
                let mut sent = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(begin.as_bytes()));
                if let Some(piece) = again.map(|p| p.repeat(1000)) {
                    while sent.is_ok() {
                        sent = stream.write_all(piece.as_bytes());
                    }
                }
            });
        }
    });
    url
}

#[test]
fn answers_of_models_take_their_limit() {
    const LIMIT: u64 = 4 * MB;
    let f = Folder::new("doors-model");
    let base = base(&f);
    const OPEN: &str = "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"";
    let more = format!("{OPEN}\"}}}}],\"x\":[");
    let call = "{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},";
    let calls = format!("{OPEN}\",\"tool_calls\":[");
    let most = LIMIT as usize - 1000;
    for (begin, again) in [
        (filled(OPEN, "x", "\"}}]}", most), None),
        (filled(OPEN, "\\n", "\"}}]}", most), None),
        (filled(OPEN, "\\u0001", "\"}}]}", most), None),
        (filled(&more, "0,", "0]}", 380_000), None),
        (filled(&more, "{\"a\":[]},", "0]}", 400_000), None),
        (filled(&calls, call, &format!("{}]}}}}]}}", call.trim_end_matches(',')), 70_000), None),
        (filled(&more, "0,", "0]}", most), None),
        (OPEN.to_owned(), Some("x")),
        ("{\"x\":[".to_owned(), Some("[],")),
        (String::new(), Some(" ")),
    ] {
        let shown: String = begin.chars().take(80).chain(again.unwrap_or("").chars()).collect();
        let url = server(move |_| Says { kind: "application/json", begin: begin.clone(), again });
        let head = "[task]\nprompt = \"p\"\nmodel = \"openai-compatible/m\"\nmax_turns = 1\n";
        let task = f.file("m/task.toml", &format!("{head}[model]\nanswer_bytes = {LIMIT}\n"));
        let did = ran_with(&["run", &task], &[("OPENAI_COMPATIBLE_BASE_URL", &url)]);
        assert!(did.code == 1 || did.code == 3, "{shown}: {} {}", did.code, did.err);
        assert!(again.is_none() || did.err.contains("has more than"), "{shown}: {}", did.err);
        assert!(did.peak < base + LIMIT + ROOM, "{shown}: {} MB", did.peak / MB);
    }
}

/// Limits of a turn that take next to nothing themselves.
const SMALL: &str = "[limits]\nmemory_bytes = 1_000_000\nwall_ms = 100_000\n";
/// The longest answer of a command and the longest message of a server.
const ANSWER: u64 = 16 * MB;

#[test]
fn answers_of_commands_take_their_limit() {
    let f = Folder::new("doors-command");
    let base = base(&f);
    let most = ANSWER as usize - 10;
    let many = if all() { 4 } else { 2 };
    for (payload, calls) in [
        (filled("[", "0,", "0]", most), 1),
        (filled("[", "[],", "0]", most), 1),
        (filled("[", "{\"a\":0},", "0]", most), 1),
        (filled("\"", "\\u0001", "\"", most), 1),
        (filled("", "\u{1}", "", most), 1),
        (filled("", "line\n", "", most), 1),
        (filled("  ", "x", "\n", most), 1),
        (filled("  ", "x", "\n", most), many),
        (filled("", "x", "", 2 * most), many),
    ]
    .into_iter()
    .step_by(if all() { 1 } else { 2 })
    {
        f.file("t/payload", &payload);
        let rest = format!("{SMALL}[tools.t]\ncommand = [\"cat\", \"payload\"]\ntimeout_ms = 100_000\nparams = []\n");
        let one = "(try (count (str (tool/t))) (catch Exception e (ex-message e)))";
        let program = if calls == 1 { one.to_owned() } else { format!("(pcalls{})", " tool/t".repeat(calls as usize)) };
        let did = ran(&["run", &task(&f, HEAD, &rest, &format!("(return {program})"))]);
        let shown: String = payload.chars().take(20).collect();
        assert!(did.peak < base + calls * (ANSWER + ROOM), "{calls} x {shown:?}: {} MB", did.peak / MB);
        assert!(did.code != 2, "{shown:?}: {}", did.err);
    }
}

/// What a server that speaks MCP answers to a request, where the answer of a call is `result`.
fn mcp(request: &str, result: &str) -> Option<String> {
    let data: serde_json::Value = serde_json::from_str(request).ok()?;
    let (id, method) = (data.get("id")?, data["method"].as_str()?);
    let version = &data["params"]["protocolVersion"];
    let result = match method {
        "initialize" => format!(
            "{{\"protocolVersion\":{version},\"capabilities\":{{\"tools\":{{}}}},\"serverInfo\":{{\"name\":\"s\",\"version\":\"1\"}}}}"
        ),
        "tools/list" => "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}".to_owned(),
        "tools/call" => result.to_owned(),
        _ => {
            return Some(format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"no\"}}}}"
            ));
        }
    };
    Some(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"))
}

/// The same on standard streams; the result of a call stands in a file.
const SERVER: &str = r#"while IFS= read -r line; do
  case $line in *'"id":'*) ;; *) continue;; esac
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  version=${line#*'"protocolVersion":"'}; version=${version%%\"*}
  head="{\"jsonrpc\":\"2.0\",\"id\":$id"
  case $line in
    *'"method":"initialize"'*)
      printf '%s\n' "$head,\"result\":{\"protocolVersion\":\"$version\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}";;
    *'"method":"tools/list"'*)
      printf '%s\n' "$head,\"result\":{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}}";;
    *'"method":"tools/call"'*)
      printf '%s' "$head,\"result\":"
      cat payload
      if [ "$#" -gt 0 ]; then yes "$1" | tr -d '\n'; fi
      echo '}';;
    *) printf '%s\n' "$head,\"error\":{\"code\":-32601,\"message\":\"no\"}}";;
  esac
done
"#;

/// Results of calls, and what follows them for ever.
fn results() -> Vec<(String, Option<&'static str>)> {
    let most = ANSWER as usize - 1000;
    let text = "{\"content\":[{\"type\":\"text\",\"text\":\"";
    vec![
        (filled(text, "x", "\"}]}", most), None),
        (filled(text, "\\n", "\"}]}", most), None),
        (filled(text, "\\u0001", "\"}]}", most), None),
        (filled(text, "x", "\"}],\"isError\":true}", most), None),
        (filled("{\"content\":[],\"structuredContent\":{\"a\":[", "0,", "0]}}", most), None),
        (filled("{\"content\":[],\"structuredContent\":{\"a\":[", "{},", "0]}}", most), None),
        (filled("{\"content\":[],\"x\":[", "0,", "0]}", 990_000), None),
        (filled("{\"content\":[],\"x\":[", "{\"a\":[]},", "0]}", 1_400_000), None),
        (
            filled(
                "{\"content\":[",
                "{\"type\":\"text\",\"text\":\"\"},",
                "{\"type\":\"text\",\"text\":\"\"}]}",
                2_600_000,
            ),
            None,
        ),
        (filled("{\"content\":[],\"x\":[", "[],", "0]}", most), None),
        (text.to_owned(), Some("x")),
        ("{\"content\":[".to_owned(), Some("0,")),
    ]
}

const CALL: &str = "(return (try (count (str (tool/s.t {}))) (catch Exception e (ex-message e))))";

#[test]
fn messages_of_servers_take_their_limit() {
    let f = Folder::new("doors-mcp");
    let base = base(&f);
    f.file("t/server.sh", SERVER);
    let mut answered = 0;
    for (number, (result, again)) in (0..).zip(results().into_iter().step_by(if all() { 1 } else { 2 })) {
        let shown: String = result.chars().take(60).collect();
        f.file("t/payload", &result);
        let endless = again.map(|a| format!(", {a:?}")).unwrap_or_default();
        let command = format!("command = [\"sh\", \"server.sh\"{endless}]");
        let current = Arc::new(Mutex::new(result));
        let of_kind = |kind: &'static str| {
            let result = current.clone();
            server(move |request| {
                let is_call = request.contains("\"tools/call\"");
                let again = again.filter(|_| is_call);
                let Some(mut message) = mcp(request, &result.lock().unwrap()) else { return Says::json(String::new()) };
                if again.is_some() {
                    message.pop();
                }
                match kind {
                    "application/json" => Says { kind, begin: message, again },
                    _ => Says {
                        kind,
                        begin: format!("data: {message}{}", if again.is_none() { "\n\n" } else { "" }),
                        again,
                    },
                }
            })
        };
        let urls = ["application/json", "text/event-stream"].map(|kind| format!("url = {:?}", of_kind(kind)));
        let links = [&urls[0], &urls[1], &command];
        for link in (0..3).filter(|n| all() || (n + number) % 3 == 0).map(|n| links[n]) {
            let rest = format!("{SMALL}[mcp.s]\n{link}\ntimeout_ms = 100_000\n");
            let did = ran(&["run", &task(&f, HEAD, &rest, CALL)]);
            assert!(did.code < 2, "{link} {shown}: {}", did.err);
            answered += usize::from(did.code == 0);
            assert!(did.peak < base + ANSWER + ROOM, "{link} {shown}: {} MB", did.peak / MB);
        }
    }
    assert!(answered > if all() { 12 } else { 2 }, "{answered}");
}

/// What a file takes that is read whole is counted in it before: no command takes more.
#[test]
fn files_take_what_was_counted() {
    let f = Folder::new("doors-files");
    let base = base(&f);
    let trace = f.path("t.jsonl");
    assert_eq!(ptc(&["run", &f.task(), "--trace", &trace]).code, 0);
    let lines = crate::common::without_journal(&trace);
    let (head, turn) = (lines.lines().next().unwrap(), lines.lines().nth(1).unwrap());
    let turn: serde_json::Value = serde_json::from_str(turn).unwrap();
    let with = |key: &str, list: &str, piece: &str, last: &str, bytes: usize| {
        let mut turn = turn.clone();
        turn[key] = "HERE".into();
        let (before, after) =
            turn.to_string().split_once("\"HERE\"").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        format!("{head}\n{}\n", filled(&format!("{before}{list}"), piece, &format!("{last}{after}"), bytes))
    };
    let size = if all() { 1 << 20 } else { 1 << 19 };
    let many: String = (1..if all() { 2000 } else { 1000 })
        .map(|n| {
            let mut turn = turn.clone();
            turn["turn"] = n.into();
            format!("{turn}\n")
        })
        .collect();
    let head_of_many = head.replace("\"max_turns\":4", "\"max_turns\":5000");
    let call = "{\"id\":1,\"name\":\"\",\"args\":{},\"result\":[0,0,0,0],\"ms\":0},";
    let message = "{\"role\":\"user\",\"content\":\"a\"},";
    let talk = |before: &str, piece: &str, after: &str| {
        filled(&format!("{{\"messages\":[{before}"), piece, &format!("{after}]}}\n"), size)
    };
    let tool =
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"b\",\"input\":{\"x\":[";
    let end =
        "0]}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"content\":\"x\"}]}";
    let words = "some words ".repeat(500);
    let talk_of_one =
        f.file("one.jsonl", &format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"{words}\"}}]}}\n"));
    let (traces, data): (&[&[&str]], &[&[&str]]) = (
        &[&["trace"], &["messages"], &["messages", "--json"]],
        &[&["history", "view"], &["history", "view", "--format", "anthropic"], &["history", "report"]],
    );
    let mut bases = BTreeMap::new();
    for (number, (name, text, made, commands)) in (0..).zip([
        ("printed", with("printed", "[", "\"\",", "\"\"]", size), MemoryEstimate::TRACE, traces),
        (
            "calls",
            with("tool_calls", "[", call, &format!("{}]", call.trim_end_matches(',')), size),
            MemoryEstimate::TRACE,
            traces,
        ),
        ("program", with("program", "\"", "x", "\"", 16 * size), MemoryEstimate::TRACE, traces),
        ("escaped", with("program", "\"", "\\n", "\"", 8 * size), MemoryEstimate::TRACE, traces),
        ("turns", format!("{head_of_many}\n{many}"), MemoryEstimate::TRACE, traces),
        ("messages", talk("", message, message.trim_end_matches(',')), MemoryEstimate::DATA, data),
        ("input", talk(tool, "0,", end), MemoryEstimate::DATA, data),
        ("maps", talk(tool, "{},", end), MemoryEstimate::DATA, data),
        ("text", talk("{\"role\":\"user\",\"content\":\"", "some words ", "\"}"), MemoryEstimate::DATA, data),
        ("letters", talk("{\"role\":\"user\",\"content\":\"", "é中", "\"}"), MemoryEstimate::DATA, data),
    ]) {
        let file = f.file(&format!("{name}.jsonl"), &text);
        let most = made.memory(text.as_bytes());
        for (_, command) in (number..).zip(commands).filter(|(n, _)| all() || n % 3 == 0) {
            // Some load vocabularies, whatever they read.
            let small = if made == MemoryEstimate::TRACE { &trace } else { &talk_of_one };
            let peak = || ran(&[*command, &[small.as_str()]].concat()).peak + 8 * MB;
            let base = base.max(*bases.entry(command).or_insert_with(peak));
            let did = ran(&[*command, &[file.as_str()]].concat());
            assert_eq!(did.code, 0, "{command:?} {name}: {}", did.err);
            let (peak, most) = (did.peak / MB, most / MB);
            assert!(did.peak < base + made.memory(text.as_bytes()), "{command:?} {name}: {peak} MB, counted {most}");
        }
    }
    // Recorded replies and calls.
    for (replies, calls) in [
        (filled("## Turn 1\n(return 1)\n", "## Turn 2\nx\n", "", size), String::new()),
        (filled("## Turn 1\n(return 1)\n", "\n", "", size), String::new()),
        (String::new(), filled("", "{\"args\":{},\"result\":0}\n", "", size)),
        (String::new(), filled("{\"args\":{},\"result\":[", "[],", "0]}\n", size)),
        (String::new(), filled("{\"args\":{\"a\":[", "[],", "0]},\"result\":0}\n", size)),
    ] {
        let (text, made) =
            if calls.is_empty() { (&replies, MemoryEstimate::DATA) } else { (&calls, MemoryEstimate::CALLS) };
        let rest = "[tools.t]\nreplay = \"calls.jsonl\"\n";
        let task = task(&f, HEAD, if calls.is_empty() { "" } else { rest }, "(return 1)");
        if calls.is_empty() {
            f.file("t/replies.md", &replies);
        } else {
            f.file("t/calls.jsonl", &calls);
        }
        let did = ran(&["run", &task]);
        assert!(did.peak < base + made.memory(text.as_bytes()), "{:.60}: {} MB", text, did.peak / MB);
    }
}

/// One whose count is too large is not read: it takes its length.
#[test]
fn files_that_would_take_more_are_refused() {
    let f = Folder::new("doors-refused");
    let base = base(&f);
    let words = "what it holds takes more than 2147483648 bytes of memory, the most for a file; give less of it";
    let data = f.file("data.jsonl", &filled("{\"messages\":[", ",", "]}\n", 5_000_000));
    let trace = f.file("trace.jsonl", &filled("{\"ptc_trace\":[", ",", "]}\n", 32_000_000));
    f.file("t/calls.jsonl", &filled("{\"args\":[", ",", "]}\n", 32_000_000));
    let task = task(&f, HEAD, "[tools.t]\nreplay = \"calls.jsonl\"\n", "(return 1)");
    for args in [
        vec!["history", "view", &data],
        vec!["history", "report", &data],
        vec!["eval", &data],
        vec!["trace", &trace],
        vec!["messages", &trace],
        vec!["step", &trace, "-"],
        vec!["run", &task],
    ] {
        let did = ran(&args);
        assert!(did.code == 2 && did.err.contains(words), "{args:?}: {}", did.err);
        assert!(did.peak < base + 32 * MB + ROOM, "{args:?}: {} MB", did.peak / MB);
    }
}

#[test]
fn tasks_and_policies_take_their_limit() {
    const LIMIT: u64 = 512 << 10;
    let f = Folder::new("doors-tasks");
    let base = base(&f);
    let size = LIMIT as usize - 200;
    let numbered = |piece: &str| -> String {
        (0..size)
            .map(|n| piece.replace('#', &n.to_string()))
            .scan(0, |sum, p| {
                *sum += p.len();
                (*sum < size).then_some(p)
            })
            .collect()
    };
    for rest in [
        filled("[context.x]\nvalue = [", "1,", "]\n", size),
        filled("[context.x]\nvalue = [", "{},", "]\n", size),
        filled("[context.x]\nvalue = [", "[],", "]\n", size),
        filled("[context.x]\nvalue = \"", "x", "\"\n", size),
        format!("[context.x]\nvalue = {{{}}}\n", numbered("a#=1,").trim_end_matches(',')),
        format!("[context.x]\nvalue = {{{}}}\n", numbered("a#={},").trim_end_matches(',')),
        numbered("[a#]\n"),
        numbered("a#=1\n"),
        filled("", "\n", "", size),
        filled("", "#", "\n", size),
        filled("", "[[acts.a.input]]\n", "", size),
        filled("", "a.", "a = 1\n", size),
        filled("x = ", "[", "", size),
        "x".repeat(2 * size),
    ] {
        let did = ran(&["run", &task(&f, HEAD, &rest, "(return 1)")]);
        let shown: String = rest.chars().take(40).collect();
        assert!(did.code == 0 || did.code == 2, "{shown}: {}", did.err);
        assert!(did.peak < base + LIMIT + ROOM, "{shown}: {} MB", did.peak / MB);
    }
    let talk = f.file("talk.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n");
    for (file, text) in [
        ("p.json", filled("{\"strategy\":[", "{},", "0]}", size)),
        ("p.json", filled("{\"strategy\":[", "0,", "0]}", size)),
        ("p.toml", numbered("a# = 1\n")),
        ("p.toml", filled("strategy = [", "{},", "0]\n", size)),
        ("p.toml", "x".repeat(2 * size)),
    ] {
        let did = ran(&["history", "view", &talk, "--policy", &f.file(file, &text)]);
        assert_eq!(did.code, 2, "{file}: {}", did.err);
        assert!(did.peak < base + LIMIT + ROOM, "{:.40}: {} MB", text, did.peak / MB);
    }
}
