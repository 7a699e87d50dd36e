//! Tools of MCP servers, used from programs: servers that others wrote, over both transports, and one that misbehaves.

use ptc_agent::{RunContext, Task, Toolbox};
use ptc_lisp::interface::{CallDeadline, ToolRequest, Tools};
use ptc_lisp::value::Value;
use ptc_turns::{Session, TurnContext, TurnRecord};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// A file of the servers that scripts/mcp-servers installs.
fn tool(path: &str) -> String {
    let path = root().join("target/tools").join(path);
    assert!(path.exists(), "{} is not there: run scripts/mcp-servers", path.display());
    path.display().to_string()
}

/// A folder of its own.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ptc-mcp-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(std::fs::canonicalize(path).unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A session whose tools are those of a server; `table` is what is under `[mcp.s]`.
struct Run {
    session: Session,
    tools: Toolbox,
    folder: Folder,
}

impl Run {
    fn new(table: &str) -> Self {
        Self::of(Folder::new(), table)
    }

    fn of(folder: Folder, table: &str) -> Self {
        let task = Self::task(&folder, table);
        let config = task.config().unwrap();
        let session = Session::new(ptc_turns::Config { max_turns: u64::MAX, open_ended: true, ..config });
        let tools = task.tools(session.trace(), &RunContext::default()).unwrap();
        Run { session, tools, folder }
    }

    fn task(folder: &Folder, table: &str) -> Task {
        let text = format!("[task]\nprompt = \"p\"\n[limits]\nwall_ms = 120_000\n[mcp.s]\n{table}");
        Task::parse(&folder.0, "task.toml", &text).unwrap()
    }

    fn faulty(more: &str) -> Self {
        let folder = Folder::new();
        let script = root().join("tests/external/mcp/faulty.py").display().to_string();
        let notes = folder.path("notes");
        let table = format!("command = [\"python3\", {script:?}]\nenv = {{ FAULTY_NOTES = {notes:?} }}\n{more}");
        Self::of(folder, &table)
    }

    fn turn(&mut self, program: &str) -> TurnRecord {
        self.session.run(program, TurnContext::with_tools(&mut self.tools)).unwrap().clone()
    }

    /// The value of a program, or its error.
    fn value(&mut self, program: &str) -> String {
        let record = self.turn(program);
        match &record.error {
            Some(e) => format!("{}: {}", e.kind.as_str(), e.message),
            None => record.value.clone().unwrap_or_default(),
        }
    }

    fn spec(&self, name: &str) -> String {
        let spec = self.tools.specs().into_iter().find(|s| s.name == name).unwrap_or_else(|| panic!("no {name}"));
        let params = spec.params.map(|ps| ps.iter().map(|p| format!("{}: {}", p.name, p.shape)).collect::<Vec<_>>());
        let params = params.map_or("{...}".to_owned(), |p| p.join(", "));
        format!("({params}) -> {}", spec.returns.map_or("?".to_owned(), |r| r.to_string()))
    }
}

#[test]
fn everything_over_stdio() {
    let bin = tool("mcp-node/node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    everything(Run::new(&format!("command = [\"node\", {bin:?}, \"stdio\"]")));
}

#[test]
fn everything_over_http() {
    let bin = tool("mcp-node/node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new("node");
    command.args([&bin, "streamableHttp"]).env("PORT", port.to_string());
    let mut server = Server(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    // Ready when it takes connections.
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(server.0.try_wait().unwrap().is_none(), "the server did not start; another may have taken its port");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let table = format!("url = \"http://127.0.0.1:{port}/mcp\"\nheaders = {{ X-Way = \"$PATH\" }}");
    let mut run = Run::new(&table);
    everything(std::mem::replace(&mut run, Run::new(&table)));
    // Gone in the middle: an error.
    assert_eq!(run.value("(tool/s.echo \"x\")"), "\"Echo: x\"");
    drop(server);
    let error = run.value("(tool/s.echo \"x\")");
    assert!(error.starts_with("tool: tool/s.echo: "), "{error}");
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn everything(mut run: Run) {
    assert_eq!(run.spec("s.echo"), "(message: string) -> ?");
    assert_eq!(run.spec("s.get-sum"), "(a: number, b: number) -> ?");
    assert_eq!(run.value("(tool/s.echo \"hi\")"), "\"Echo: hi\"");
    assert_eq!(run.value("(tool/s.get-sum :a 2 :b 40)"), "\"The sum of 2 and 40 is 42.\"");
    assert_eq!(run.value("(tool/s.get-sum 2)"), "arity: tool/s.get-sum: b is missing");
    assert_eq!(run.value("(pmap #(tool/s.get-sum % 1) (range 10))").matches(" and 1 is ").count(), 10);
    assert_eq!(
        run.value("(:conditions (tool/s.get-structured-content \"New York\"))"),
        "\"Cloudy\"",
        "{}",
        run.spec("s.get-structured-content")
    );
    let image = run.value("(filter #(= \"image\" (:type %)) (tool/s.get-tiny-image))");
    assert!(image.contains(":mime_type \"image/png\"") && image.contains(":bytes "), "{image}");
    let calls: usize = run.session.trace().turns().iter().map(|t| t.tool_calls.len()).sum();
    assert_eq!(calls, 14);
    // The same answers from the record, without the server.
    let trace = run.session.trace().clone();
    drop(run.tools);
    Session::from_trace(trace, Vec::new()).unwrap();
}

#[test]
fn files_of_a_folder() {
    let bin = tool("mcp-node/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
    let folder = Folder::new();
    let table = format!("command = [\"node\", {bin:?}, {:?}]", folder.path(""));
    let mut run = Run::of(folder, &table);
    let path = run.folder.path("a.txt");
    let program = format!("(do (tool/s.write_file {path:?} \"one\\ntwo\") (tool/s.read_text_file {path:?}))");
    let value = run.value(&program);
    assert!(value.contains("one\\ntwo"), "{value} {}", run.spec("s.read_text_file"));
    assert_eq!(run.folder.read("a.txt"), "one\ntwo");
    let error = run.value("(tool/s.read_text_file \"/etc/passwd\")");
    assert!(error.starts_with("tool: tool/s.read_text_file: ") && error.contains("denied"), "{error}");
}

#[test]
fn time_from_python() {
    let bin = tool("mcp-python/bin/mcp-server-time");
    let mut run = Run::new(&format!("command = [{bin:?}, \"--local-timezone\", \"UTC\"]\nparse_json = true"));
    let value = run.value("(get-in (tool/s.convert_time \"UTC\" \"12:00\" \"Asia/Tokyo\") [:target :datetime])");
    assert!(value.contains("T21:00:00+09:00"), "{value} {}", run.spec("s.convert_time"));
    let error = run.value("(tool/s.convert_time \"UTC\" \"12:00\" \"Mars/Base\")");
    assert!(error.starts_with("tool: ") && error.contains("Mars/Base"), "{error}");
}

#[test]
fn answers_that_are_strange() {
    let mut run = Run::faulty("");
    // Listed over pages, each once, under names that programs can write.
    let names: Vec<String> = run.tools.specs().into_iter().map(|s| s.name).collect();
    assert_eq!(names.len(), 19, "{names:?}");
    // Its schema is none: it is left out, and the others work.
    assert!(!names.contains(&"s.odd".to_owned()), "{names:?}");
    assert!(names.contains(&"s.a_b".to_owned()) && names.contains(&"s.a_b-2".to_owned()), "{names:?}");
    for (program, expected) in [
        ("(tool/s.fine 1 nil)", "\"{\\\"x\\\": 1}\""),
        ("(tool/s.fine {:x 1 :note \"a\"})", "\"{\\\"note\\\": \\\"a\\\", \\\"x\\\": 1}\""),
        ("(tool/s.empty)", "nil"),
        ("(tool/s.a_b)", "\"a/b\""),
        ("(tool/s.a_b-2)", "\"a:b\""),
        ("(tool/s.broken)", "tool: tool/s.broken: out of order (code -32000) {\"a\":1}"),
        (
            "(tool/s.bare)",
            "tool: tool/s.bare: its answer has neither content nor structuredContent; correct the server",
        ),
        ("(count (tool/s.giant))", "8388608"),
        ("(try (tool/s.broken) (catch Exception e :caught))", ":caught"),
    ] {
        assert_eq!(run.value(program), expected, "{program}");
    }
    assert_eq!(run.folder.read("notes").matches("started").count(), 1);
}

/// A server's answers are held to its outputSchema, as far as a type can say it.
#[test]
fn answers_that_are_not_what_the_server_declares() {
    let mut run = Run::faulty("");
    let shape = "closed {n: integer, at: {x: number?}?}";
    assert_eq!(run.spec("s.wrong"), format!("({{...}}) -> {shape}"));
    for (which, expected) in [
        (0, "{:n 5.0, :at {:x 1, :y 2}}".to_owned()),
        (1, "its answer.n must be an integer, got \"5\"".to_owned()),
        (2, "its answer.at.x must be a number or nil, got \"far\"".to_owned()),
        (3, format!("its answer has the key \"m\", and {shape} has no other keys")),
    ] {
        let error = format!("tool: tool/s.wrong: {expected}; the tool is declared to return {shape}");
        let expected = if which == 0 { expected } else { error };
        assert_eq!(run.value(&format!("(tool/s.wrong {{:which {which}}})")), expected);
    }
}

#[test]
fn a_server_that_dies_is_told_of_and_started_again() {
    let mut run = Run::faulty("timeout_ms = 60_000");
    let died = "tool: tool/s.die: the server went away before it answered; it ended with exit code 3; it said: about to die | of this";
    assert_eq!(run.value("(tool/s.die)"), died);
    assert_eq!(run.value("(tool/s.fine 1)"), "\"{\\\"x\\\": 1}\"");
    let flood = run.value("(tool/s.flood)");
    assert!(flood.contains("it wrote a message of more than 16777216 bytes"), "{flood}");
    assert_eq!(run.value("(tool/s.fine 2)"), "\"{\\\"x\\\": 2}\"");
    assert_eq!(run.folder.read("notes").matches("started").count(), 3);
}

#[test]
fn calls_that_are_given_up_are_cancelled_at_the_server() {
    let mut run = Run::faulty("timeout_ms = 3000");
    let late = "no answer within its time (timeout_ms = 3000)";
    assert_eq!(run.value("(tool/s.slow)"), format!("tool: tool/s.slow: {late}"));
    // What it printed instead of an answer is reported.
    let printed = run.value("(tool/s.raw {:line \"thinking...\"})");
    assert!(
        printed.contains(late) && printed.contains("it wrote a line that is no message: \"thinking...\""),
        "{printed}"
    );
    // The same server continues: it has read the cancellation before this call.
    assert_eq!(run.value("(tool/s.fine 1)"), "\"{\\\"x\\\": 1}\"");
    let notes = run.folder.read("notes");
    let id = notes.lines().find_map(|l| l.strip_prefix("slow ")).unwrap();
    assert!(notes.contains(&format!("cancelled {id}")), "{notes}");
    // Whoever cancels the turn does not wait for the tool.
    let limits = ptc_lisp::limits::Limits::default();
    let (args, cancelled) = (Value::map([]), || true);
    let wait = CallDeadline { cancelled: &cancelled, ..CallDeadline::forever(&limits) };
    let answer = run.tools.call_many(&[ToolRequest { id: 1, name: "s.slow", args: &args }], &wait);
    assert_eq!(answer[0].as_ref().unwrap_err(), "the turn was cancelled");
}

/// A call's time is an hour here: each of these is told when it is written, and the server continues.
#[test]
fn what_answers_nobody_is_told_at_once() {
    let mut run = Run::faulty("timeout_ms = 3_600_000");
    let mut raw = |line: &str| run.value(&format!("(tool/s.raw {{:line {line:?}}})"));
    for (line, words) in [
        (
            r#"{"jsonrpc": "2.0", "id": ID, "result": {"#,
            r#"it wrote a message that cannot be read (EOF while parsing an object at line 1 column"#,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 999, "result": {"content": []}}"#,
            "it answered a request that nobody waits for (id 999): \"{",
        ),
        // The first request of all was answered long ago.
        (
            r#"{"jsonrpc": "2.0", "id": 0, "result": {"content": []}}"#,
            "it answered a request that nobody waits for (id 0): \"{",
        ),
        (r#"{"jsonrpc": "2.0", "id": ID}"#, "it wrote an answer with neither result nor error; "),
        (r#"{"jsonrpc": "2.0", "id": ID, "error": "no"}"#, "its error cannot be read; "),
    ] {
        let told = raw(line);
        assert!(
            told.starts_with(&format!("tool: tool/s.raw: {words}")) && told.contains("correct the server"),
            "{line}: {told}"
        );
    }
    let garbage = run.value("(tool/s.garbage)");
    assert!(garbage.starts_with("tool: tool/s.garbage: it wrote a message that cannot be read ("), "{garbage}");
    // Nested deep where the library would read it by recursion, and where it is data.
    let deep = |key: &str| {
        format!(
            "(tool/s.raw {{:line (str \"{{\\\"jsonrpc\\\": \\\"2.0\\\", \\\"id\\\": ID, \\\"result\\\": {{\\\"content\\\": [], \\\"{key}\\\": \" (apply str (repeat 100000 \"[\")) (apply str (repeat 100000 \"]\")) \"}}}}\")}})"
        )
    };
    // A result is not read by the library: what nobody asks for in it costs its length.
    assert_eq!(run.value(&deep("other")), "nil");
    assert_eq!(run.value(&deep("other").replace("100000", "5000")), "nil");
    let told = run.value(&deep("structuredContent"));
    assert_eq!(told, "limit/depth: a value is nested deeper than data_depth = 10000");
    // Once more, with what it wrote as a message taken away: the same server has answered all of that.
    assert_eq!(run.value("(tool/s.fine 1)"), "\"{\\\"x\\\": 1}\"");
    assert_eq!(run.folder.read("notes").matches("started").count(), 1);
    let torn = run.value("(tool/s.torn)");
    assert!(torn.contains("the server went away before it answered; it ended with exit code 0; it broke off in the middle of a message: \"{"), "{torn}");
    let chatter = run.value("(tool/s.chatter)");
    assert!(chatter.ends_with("it ended with exit code 5; it said: last words"), "{chatter}");
}

#[test]
fn structured_content_of_many_values_is_data() {
    let mut run = Run::faulty("");
    let wide = run.value("(count (tool/s.wide))");
    // Five million numbers are more than a session may hold.
    assert!(wide.contains("memory_bytes = 67108864"), "{wide}");
    let small = r#"(tool/s.raw {:line "{\"jsonrpc\": \"2.0\", \"id\": ID, \"result\": {\"content\": [], \"structuredContent\": {\"n\": 12345678901234567890123}}}"})"#;
    assert_eq!(run.value(small), "{:n 12345678901234567890123N}");
}

#[test]
fn nothing_is_left_behind_and_nothing_is_told() {
    // A variable of ours that holds a secret: PATH is one that surely is set.
    let mut run = Run::faulty("");
    let child: u32 = run.value("(tool/s.child)").trim_matches('"').parse().unwrap();
    let server: u32 = run.folder.read("notes").trim().strip_prefix("started ").unwrap().parse().unwrap();
    assert!(alive(child) && alive(server));
    let keys = run.value("(tool/s.keys)");
    assert!(keys.contains("PATH") && !keys.contains("CARGO"), "{keys}");
    drop(run);
    assert!(ends(server) && ends(child));
    // A value that was taken from the environment is shown by its name.
    let folder = Folder::new();
    let script = root().join("tests/external/mcp/faulty.py").display().to_string();
    let env = format!("{{ FAULTY_NOTES = {:?}, TOKEN = \"$PATH\" }}", folder.path("notes"));
    let mut run = Run::of(folder, &format!("command = [\"python3\", {script:?}]\nenv = {env}"));
    assert_eq!(run.value("(tool/s.refuse)"), "tool: tool/s.refuse: token $PATH");
}

/// Whether a process that was told to end does, in ten seconds.
fn ends(id: u32) -> bool {
    (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        !alive(id)
    })
}

/// Whether a process runs; one that has ended and waits to be counted does not.
fn alive(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn a_tool_that_the_server_does_not_have_is_told() {
    let folder = Folder::new();
    let script = root().join("tests/external/mcp/faulty.py").display().to_string();
    let notes = folder.path("notes");
    let table = format!("command = [\"python3\", {script:?}]\nenv = {{ FAULTY_NOTES = {notes:?} }}\ntools = [\"fin\"]");
    let error = Run::task(&folder, &table).config().err().unwrap().to_string();
    assert_eq!(error, "[mcp.s] tools: the server has no tool \"fin\"; did you mean fine?");
}
