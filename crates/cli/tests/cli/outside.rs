//! Data that comes from outside and is not what it should be: each ends in one clear line, with bounded memory and time.

use crate::common::{Folder, ptc, ptc_in, ptc_with};
use crate::measure::{MB, base, ran, ran_with};
use ptc_cli::CliContext;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn views_of_a_database_are_read_within_the_memory_and_time_of_an_input() {
    let f = Folder::new("outside-sqlite");
    let base = base(&f);
    let make = "
        CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'some text' AS t FROM n;
        CREATE VIEW silent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0;
        CREATE VIEW blob AS SELECT zeroblob(900000000) AS b;
        CREATE VIEW blobs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(zeroblob(8000000)) AS b FROM n;
        CREATE TABLE many(a, b);
        INSERT INTO many WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) SELECT i, 'text ' || i FROM n;";
    let db = f.path("t/data.sqlite");
    f.file("t/replies.md", "## Turn 1\n```clojure\n(return (count ctx/rows))\n```\n");
    rusqlite::Connection::open(&db).unwrap().execute_batch(make).unwrap();
    let task = |table: &str, more: &str| {
        let head = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n";
        f.file(
            "t/task.toml",
            &format!("{head}{more}[context.rows]\ndatabase = \"data.sqlite\"\ntable_name = \"{table}\"\n"),
        )
    };
    for (table, words) in [
        (
            "endless",
            "rows hold takes more than input_bytes = 33554432; read fewer with limit = N, or raise input_bytes in [task]",
        ),
        (
            "blobs",
            "rows hold takes more than input_bytes = 33554432; read fewer with limit = N, or raise input_bytes in [task]",
        ),
        (
            "silent",
            "table silent: not read within input_timeout_ms = 1000; read fewer rows with limit = N, or raise input_timeout_ms in [task]",
        ),
        ("blob", "table blob: a value or a text of SQL has more than 16777216 bytes; name a view without that column"),
    ] {
        // Time is for what gives no rows; on a busy machine the others take theirs.
        let time = if table == "silent" { 1000 } else { 120_000 };
        let did = ran(&["run", &task(table, &format!("input_bytes = 33_554_432\ninput_timeout_ms = {time}\n"))]);
        assert!(did.code == 2 || did.code == 1, "{table}: {} {}", did.code, did.err);
        assert!(did.err.contains(words), "{table}: {}", did.err);
        assert!(did.peak < base + 96 * MB, "{table}: {} MB", did.peak / MB);
    }
    // Under an act too, whose tables are shown.
    let act =
        "[acts.look]\n[[acts.look.input]]\ntype = \"table\"\ndatabase = \"data.sqlite\"\ntable_name = \"endless\"\n";
    let acts = f.file("t/acts.toml", &format!("[task]\nmodel = \"replay:replies.md\"\ninput_bytes = 1_000_000\n{act}"));
    let did = ran(&["run", &acts]);
    assert!(did.err.contains("takes more than input_bytes = 1000000; read fewer with limit = N"), "{}", did.err);
    // What fits is there.
    let did = ran(&["run", &task("many", "input_bytes = 134_217_728\n")]);
    assert_eq!((did.code, did.out.as_str()), (0, "200000\n"), "{}", did.err);
    assert!(did.peak < base + 192 * MB, "{} MB", did.peak / MB);
}

#[test]
fn a_tool_that_answers_deep_costs_no_more_than_its_text() {
    let f = Folder::new("outside-deep");
    let base = base(&f);
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    f.file("t/deep.json", &deep);
    let line = format!("{{\"args\": {{}}, \"result\": {deep}}}\n");
    f.file("t/answers.jsonl", &line);
    let head = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[limits]\nwall_ms = 60_000\n";
    let of_command = "[tools.deep]\nparams = []\ncommand = [\"sh\", \"-c\", \"cat >/dev/null; cat deep.json\"]\n";
    let recorded = "[tools.deep]\nparams = []\nreplay = \"answers.jsonl\"\n";
    let words = "limit/depth: a value is nested deeper than data_depth = 10000";
    for (tools, program, more) in [
        (of_command, "(return (tool/deep))", vec![]),
        (
            of_command,
            "(return (pcalls tool/deep tool/deep tool/deep tool/deep tool/deep tool/deep tool/deep tool/deep))",
            vec![],
        ),
        (of_command, "(return (tool/deep))", vec!["--isolate"]),
        (recorded, "(return (tool/deep))", vec![]),
    ] {
        f.file("t/replies.md", &format!("## Turn 1\n```clojure\n{program}\n```\n"));
        let task = f.file("t/task.toml", &format!("{head}{tools}"));
        let mut args = vec!["run", task.as_str()];
        args.extend(more);
        let did = ran(&args);
        // What was recorded is read by the tool itself.
        let words = if tools == recorded { "a value is nested deeper than data_depth = 10000" } else { words };
        assert!(did.code != 0 && did.err.contains(words), "{program}: {}", did.err);
        assert!(did.peak < base + 64 * MB, "{program}: {} MB", did.peak / MB);
    }
    // One of this process, which makes the deep value itself.
    let did = ran(&["eval", "--test-tools", "-e", "(tool/deep 1000000)"]);
    assert!(did.err.contains(words), "{}", did.err);
    assert!(did.peak < base + 256 * MB, "{} MB", did.peak / MB);
    let did = ran(&["eval", "--test-tools", "-e", "(count (flatten (tool/deep 9000)))"]);
    assert_eq!(did.code, 0, "{}", did.err);
}

/// A server whose answers have no end; where it is.
fn endless(head: &'static str, piece: Vec<u8>) -> String {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut request = [0; 65536];
            let _ = stream.read(&mut request);
            let mut sent = stream.write_all(head.as_bytes());
            while sent.is_ok() {
                sent = stream.write_all(&piece);
            }
        }
    });
    url
}

#[test]
fn a_model_that_never_stops_is_stopped() {
    let f = Folder::new("outside-model");
    let base = base(&f);
    let chunk = [b"10000\r\n".to_vec(), vec![b'x'; 0x10000], b"\r\n".to_vec()].concat();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    let url = endless(head, chunk);
    let task = f.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"openai-compatible/m\"\n");
    let did = ran_with(&["run", &task], &[("OPENAI_COMPATIBLE_BASE_URL", &url)]);
    let words = "has more than answer_bytes = 16777216 bytes; raise answer_bytes in [model] if that is meant";
    assert!(did.code == 1 && did.err.contains(words), "{} {}", did.code, did.err);
    assert!(did.peak < base + 64 * MB, "{} MB", did.peak / MB);
    // As much as the task allows, and no more.
    let less = f
        .file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"openai-compatible/m\"\n[model]\nanswer_bytes = 5000\n");
    let did = ran_with(&["run", &less], &[("OPENAI_COMPATIBLE_BASE_URL", &url)]);
    assert!(did.err.contains("has more than answer_bytes = 5000 bytes"), "{}", did.err);
}

/// Runs a command that must end by itself.
fn ends(args: &[&str]) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("{args:?} waits");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let did = child.wait_with_output().unwrap();
    (did.status.code().unwrap_or(-1), String::from_utf8_lossy(&did.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_files() {
    let f = Folder::new("outside-files");
    let (task, trace) = (f.task(), f.path("run.jsonl"));
    assert_eq!(ptc(&["run", &task, "--trace", &trace]).code, 0);
    let fifo = f.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let talk = f.file("talk.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n");
    let ctx = |path: &str| format!("x={path}");
    for (path, kind) in [(fifo.as_str(), "a pipe"), ("/dev/zero", "a device"), ("/dev/full", "a device")] {
        let new = f.path("new.jsonl");
        for args in [
            vec!["eval", path],
            vec!["eval", "--batch", path],
            vec!["eval", "--ctx", &ctx(path), "-e", "1"],
            vec!["eval", "--limits", path, "-e", "1"],
            vec!["tokens", path],
            vec!["trace", path],
            vec!["messages", path],
            vec!["messages", &trace, "--policy", path],
            vec!["history", "view", path],
            vec!["history", "report", path],
            vec!["history", "view", &talk, "--policy", path],
            vec!["step", &new, path, "--task", &task],
            vec!["step", path, "--task", &task],
            vec!["run", &task, "--trace", path],
            vec!["run", &task, "--record", path],
            vec!["run", &task, "--report", path],
            vec!["run", path],
        ] {
            let (code, err) = ends(&args);
            assert!(code != 0, "{args:?}");
            let told = err.contains(&format!("{path}: that is {kind} and no file; "))
                || err.contains(&format!("{path} is no file; name one for --report"))
                || err.contains(&format!("{path}: there is no such task"));
            assert!(told && err.lines().count() == 1, "{args:?}: {err}");
        }
    }
    // In a task, and beside it.
    for (key, words) in [
        ("[context.x]\nfile = \"../fifo\"\n", "fifo: that is a pipe and no file; "),
        ("[tools.t]\nreplay = \"../fifo\"\n", "fifo: that is a pipe and no file; "),
        ("[context.x]\ndatabase = \"../fifo\"\ntable_name = \"t\"\n", "fifo: that is a pipe and no file; "),
    ] {
        f.file("t/replies.md", "## Turn 1\n```clojure\n(return 1)\n```\n");
        let head = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\nallow_outside = true\n";
        let (code, err) = ends(&["run", &f.file("t/task.toml", &format!("{head}{key}"))]);
        assert!(code != 0 && err.contains(words), "{key}: {err}");
    }
    // What the process was started with may be a pipe.
    let exe = env!("CARGO_BIN_EXE_ptc");
    for script in [format!("echo '(+ 1 2)' | {exe} eval /dev/stdin"), format!("echo '(+ 1 2)' | {exe} eval /dev/fd/0")]
    {
        let did = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&did.stdout), "3\n", "{script}: {did:?}");
    }
}

#[cfg(unix)]
#[test]
fn files_outside_of_a_task_need_its_word() {
    let f = Folder::new("outside-folder");
    f.file("data.csv", "n\n1\n2\n");
    f.file("words.md", "Say it.");
    f.file("replies.md", "## Turn 1\n```clojure\n(return (count ctx/rows))\n```\n");
    f.file("answers.jsonl", "{\"args\": {}, \"result\": 1}\n");
    f.file("schema.json", "{\"type\": \"integer\"}");
    f.file("t/replies.md", "## Turn 1\n```clojure\n(return (count ctx/rows))\n```\n");
    std::os::unix::fs::symlink("../data.csv", f.0.join("t/linked.csv")).unwrap();
    let absolute = f.path("data.csv");
    let task = |text: &str| f.file("t/task.toml", text);
    let head = "[task]\nprompt = \"p\"\n";
    let own = "model = \"replay:replies.md\"\n";
    for (text, line, name) in [
        (format!("{head}{own}[context.rows]\nfile = \"../data.csv\"\n"), 5, "../data.csv"),
        (format!("{head}{own}[context.rows]\nfile = \"linked.csv\"\n"), 5, "linked.csv"),
        (format!("{head}{own}[context.rows]\nfile = {absolute:?}\n"), 5, absolute.as_str()),
        (format!("{head}{own}[context.rows]\nfile = \"../data.csv\"\nlimit = 1\n"), 5, "../data.csv"),
        (format!("{head}{own}[context.rows]\ndatabase = \"../x.db\"\ntable_name = \"t\"\n"), 5, "../x.db"),
        (format!("{head}model = \"replay:../replies.md\"\n"), 3, "../replies.md"),
        (format!("{head}{own}expect_schema = \"../schema.json\"\n"), 4, "../schema.json"),
        (format!("{head}{own}[tools.t]\nreplay = \"../answers.jsonl\"\n"), 5, "../answers.jsonl"),
        (format!("{head}{own}[acts.a]\n[[acts.a.input]]\ntype = \"file\"\nfile = \"../words.md\"\n"), 7, "../words.md"),
    ] {
        let did = ptc(&["run", &task(&text)]);
        let words = format!(
            "task.toml:{line}: {name:?} is outside the task's folder; write allow_outside = true into [task] to let the task read it, or put it into the folder"
        );
        assert!(did.code != 0 && did.err.contains(&words), "{text}: {}", did.err);
    }
    let allowed = format!("{head}{own}allow_outside = true\n[context.rows]\nfile = \"linked.csv\"\n");
    assert_eq!(ptc(&["run", &task(&allowed)]).out, "2\n");
    // Recorded replies that are named on the command line are the user's own word.
    let inside = format!("{head}[context.rows]\nvalue = [1, 2, 3]\n");
    let did = ptc(&["run", &task(&inside), "--model", &format!("replay:{}", f.path("replies.md"))]);
    assert_eq!(did.out, "3\n", "{}", did.err);
    // A task that another one calls is a task of its own: what it reads is in its folder, or it says so itself.
    f.file("helper/replies.md", "## Turn 1\n```clojure\n(return (count ctx/rows))\n```\n");
    let helper = |more: &str| {
        f.file("helper/task.toml", &format!("{head}{own}{more}[context.rows]\nfile = \"../data.csv\"\n"));
        let caller = format!(
            "{head}{own}allow_outside = true\n[context.rows]\nvalue = []\n[agents.helper]\ntask = \"../helper\"\n"
        );
        f.file("t/replies.md", "## Turn 1\n```clojure\n(return (tool/helper \"count\"))\n```\n");
        ptc(&["run", &task(&caller)])
    };
    let did = helper("");
    assert!(did.err.contains("helper/task.toml:5: \"../data.csv\" is outside the task's folder"), "{}", did.err);
    let did = helper("allow_outside = true\n");
    assert_eq!(did.out, "2\n", "{}", did.err);
}

#[test]
fn no_command_writes_to_a_terminal_what_it_would_obey() {
    let f = Folder::new("outside-terminal");
    let trace = f.path("t.jsonl");
    let reply = "```clojure\n(println (str (char 27) \"]0;x\" (char 7) (char 0x202e)))\n```";
    assert_eq!(ptc_with(&["step", &trace, "--task", &f.task()], reply).code, 0);
    let value = "(str (char 27) \"[2J\")";
    let on = |args: &[&str], width| ptc_in(args, "", CliContext { width, ..CliContext::default() }).out;
    for (args, exact) in [
        (&["eval", "-e", value][..], true),
        (&["messages", &trace], true),
        (&["messages", &trace, "--json"], false),
        (&["trace", &trace], false),
    ] {
        let shown = on(args, Some(80));
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']) && shown.contains('\n'), "{args:?}: {shown}");
        // A pipe gets exact bytes.
        let piped = on(args, None);
        assert_eq!(piped.contains('\u{1b}'), exact, "{args:?}: {piped}");
    }
}
