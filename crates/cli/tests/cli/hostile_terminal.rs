//! Every command on a terminal, over content that would clear the screen, set its title, hide text or forge colours: nothing
//! but our own styles gets through.

use crate::common::Folder;
use crate::terminal::Terminal;

/// What a terminal would obey: OSC, CSI, a style, C1, the direction of text, DEL, BEL, BS, CR.
const HOSTILE: &str = "v\u{1b}]0;PWNED\u{7}\u{1b}[2J\u{1b}[31;7mred\u{9b}2J\u{9d}x\u{202e}\u{7f}\u{8}\ry";

/// The same as programs, TOML and JSON write it.
const WRITTEN: &str = "v\\u001b]0;PWNED\\u0007\\u001b[2J\\u001b[31;7mred\\u009b2J\\u009dx\\u202e\\u007f\\u0008\\u000dy";

/// Asserts that a terminal obeys nothing in these bytes but styles of ours, the line that says what is waited for, and the
/// line ends that the terminal itself makes of `\n`.
fn harmless(bytes: &[u8], what: &[&str]) {
    let text = String::from_utf8(bytes.to_vec()).unwrap_or_else(|e| panic!("{what:?}: {e}"));
    let mut rest = text.replace("\r\n", "\n").replace("\r\u{1b}[K", "");
    while let Some(at) = rest.find('\u{1b}') {
        let (codes, _) = rest[at..].strip_prefix("\u{1b}[").and_then(|r| r.split_once('m')).unwrap_or(("raw", ""));
        let own = codes.split(';').all(|c| matches!(c.parse::<u8>(), Ok(0..=2 | 31..=36)));
        assert!(own, "{what:?}: {text:?}");
        rest.replace_range(at..=at, "");
    }
    let obeyed = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}');
    assert!(!rest.contains(obeyed), "{what:?}: {text:?}");
}

/// A task that has it in its prompt, input, replies and tool.
fn task(f: &Folder) -> String {
    let f_file = |name: &str, text: String| f.file(name, &text);
    f_file(
        "t/task.toml",
        format!(
            "[task]\nprompt = \"p{WRITTEN}\"\nmodel = \"replay:replies.md\"\n\
             [context.rows]\nvalue = [{{ \"k{WRITTEN}\" = \"{WRITTEN}\" }}]\n\
             [tools.look]\ndescription = \"d{WRITTEN}\"\nparams = [{{ name = \"q\", type = \"string\" }}]\ncommand = [\"sh\", \"look.sh\"]\n"
        ),
    );
    f.file("t/look.sh", &format!("echo '{{\"found\": \"{WRITTEN}\"}}'; printf '{HOSTILE}' >&2\n"));
    f_file(
        "t/replies.md",
        format!(
            "## Turn 1\nI look{HOSTILE}.\n```clojure\n(def x \"{WRITTEN}\") (println \"{WRITTEN}\" (tool/look {{:q \"{WRITTEN}\"}}))\n```\n\
             ## Turn 2\n```clojure\n(throw (ex-info \"{WRITTEN}\" {{}}))\n```\n\
             ## Turn 3\n```clojure\n(note :n \"{WRITTEN}\") (return [\"{WRITTEN}\" ctx/rows])\n```\n"
        ),
    );
    f.path("t")
}

#[test]
fn no_command_writes_what_a_terminal_would_obey() {
    let f = Folder::new("hostile-terminal");
    let (home, folder, trace) = (f.path("home"), task(&f), f.path("t.jsonl"));
    let program = format!("(println \"{WRITTEN}\") (print \"\\u001b[2J\") [\"{WRITTEN}\" 1]");
    let (fails, returns) = (format!("(fail \"{WRITTEN}\")"), format!("(return \"{WRITTEN}\")"));
    let nowhere = f.path(&format!("no{HOSTILE}"));
    let wrong = f.file("wrong/task.toml", &format!("[task]\nprompt = \"p\"\n\"k{WRITTEN}\" = 1\n"));
    let policy = f.file("policy.toml", &format!("strategy = \"{WRITTEN}\"\n"));
    let conversation = f.file(
        "c.jsonl",
        &format!("{{\"id\":\"{WRITTEN}\",\"messages\":[{{\"role\":\"user\",\"content\":\"{WRITTEN}\"}},{{\"role\":\"assistant\",\"content\":\"{WRITTEN}\"}}]}}\n"),
    );
    let request = f.file("r.json", &format!("{{\"provider\":\"{WRITTEN}\",\"model\":\"{WRITTEN}\",\"messages\":5}}"));
    let csv = f.file(&format!("in{}.csv", HOSTILE.replace('/', "")), &format!("a,b\n{HOSTILE},1\n"));
    let (stepped, begun) = (f.path("s.jsonl"), f.path(&format!("new{}", HOSTILE.replace('/', ""))));
    let (out, set, option) = (f.path("out"), format!("limits.{HOSTILE}=1"), format!("--o{HOSTILE}"));
    let ctx = format!("x={csv}");
    let commands: Vec<(Vec<&str>, &str)> = vec![
        (vec!["run", &folder, "--trace", &trace, "-v"], ""),
        (vec!["run", &folder], ""),
        (vec!["run", &folder, "--color", "never"], ""),
        (vec!["run", &folder, "--output", "text", "-q"], ""),
        (vec!["run", &folder, "--json"], ""),
        (vec!["run", &folder, "--output", "jsonl"], ""),
        (vec!["run", &nowhere], ""),
        (vec!["run", &folder, "--set", &set], ""),
        (vec!["run", &folder, "--resume", HOSTILE], ""),
        (vec!["run", &folder, "--model", HOSTILE], ""),
        (vec!["run", &wrong], ""),
        (vec!["ask", HOSTILE, "--model", HOSTILE], ""),
        (vec!["ask", HOSTILE, HOSTILE], ""),
        (vec!["ask", HOSTILE, "--ctx", HOSTILE, "--model", "replay:x"], ""),
        (vec!["ask", HOSTILE, "--tool", HOSTILE], ""),
        (vec!["check", &folder], ""),
        (vec!["check", &wrong], ""),
        (vec!["check", &wrong, "--json"], ""),
        (vec!["eval", "-e", &program], ""),
        (vec!["eval", "-e", &returns], ""),
        (vec!["eval", "-e", &fails], ""),
        (vec!["eval", "--json", "-e", &program, "-e", &fails], ""),
        (vec!["eval", "--batch"], "{\"id\":\"\\u009b2J\",\"source\":\"(str \\\"\\u009b\\\")\"}\n"),
        (vec!["eval", "-"], &program),
        (vec!["eval", HOSTILE], ""),
        (vec!["eval", "-e", "ctx/x", "--ctx", &ctx], ""),
        (vec!["repl"], &program),
        (vec!["repl", &folder], &fails),
        (vec!["repl", "--trace", &trace], "x"),
        (vec!["messages", &trace], ""),
        (vec!["messages", &trace, "--json"], ""),
        (vec!["messages", &trace, "--why"], ""),
        (vec!["messages", &trace, "--format", "anthropic"], ""),
        (vec!["messages", &trace, "--policy", &policy], ""),
        (vec!["messages", &trace, "--format", HOSTILE], ""),
        (vec!["trace", &trace], ""),
        (vec!["trace", &trace, "--json"], ""),
        (vec!["trace", &trace, "--turn", "1"], ""),
        (vec!["trace", &trace, "--input", HOSTILE], ""),
        (vec!["trace", &nowhere], ""),
        (vec!["step", &stepped, "--task", &folder, "-"], &program),
        (vec!["step", &stepped, "-"], &fails),
        (vec!["step", &stepped, "--json", "-"], &returns),
        (vec!["approve", &trace, "--deny", HOSTILE], ""),
        (vec!["approve", &trace, "--list"], ""),
        (vec!["history", "report", &conversation], ""),
        (vec!["history", "report", &conversation, "--policy", &policy], ""),
        (vec!["history", "view", &conversation], ""),
        (vec!["history", "view", &conversation, "--why"], ""),
        (vec!["history", "view", &conversation, "--id", HOSTILE], ""),
        (vec!["sessions"], ""),
        (vec!["sessions", "--json"], ""),
        (vec!["sessions", "search", "PWNED"], ""),
        (vec!["sessions", "search", HOSTILE], ""),
        (vec!["sessions", "show", HOSTILE], ""),
        (vec!["sessions", "query", "(map :question runs)"], ""),
        (vec!["sessions", "--task", HOSTILE], ""),
        (vec!["compare", &folder, "--policy", "none", "--out", &out], ""),
        (vec!["compare", &folder, "--policy", &nowhere, "--out", &out], ""),
        (vec!["tokens", &request], ""),
        (vec!["tokens"], HOSTILE),
        (vec!["doc", HOSTILE], ""),
        (vec!["doc", "search", HOSTILE], ""),
        (vec!["init", &nowhere, "--example", HOSTILE], ""),
        (vec!["init", &begun], ""),
        (vec!["completions", HOSTILE], ""),
        (vec!["man", HOSTILE], ""),
        (vec!["config"], ""),
        (vec!["mcp", "--task", &nowhere], ""),
        (vec!["mcp", "--set", HOSTILE], ""),
        (vec!["mcp", "install", "zed", "--name", HOSTILE], ""),
        (vec!["mcp", "--task", &folder], "{\"jsonrpc\":\"2.0\",\"id\":\"\\u009b2J\",\"method\":\"x\\u009b\"}\n"),
        (vec!["serve", "--set", HOSTILE], ""),
        (vec!["acp", HOSTILE], ""),
        (vec!["acp"], "{\"jsonrpc\":\"2.0\",\"id\":\"\\u009b2J\",\"method\":\"x\\u009b\"}\n"),
        (vec![HOSTILE], ""),
        (vec!["eval", &option], ""),
        (vec!["run", &folder, "--output", HOSTILE], ""),
        (vec!["run", &folder, "--max-turns", HOSTILE], ""),
        (vec!["--color", HOSTILE, "eval"], ""),
    ];
    let config = f.file("config.toml", &format!("model = \"ollama/{WRITTEN}\"\n"));
    for (args, input) in &commands {
        // A terminal that does not know its size is one.
        for columns in [80, 0] {
            let of_config = if args.as_slice() == ["config"] { config.as_str() } else { "" };
            let terminal = Terminal::of(columns, args, input, |command| {
                command.env("PTC_HOME", &home).env("PTC_CONFIG", of_config)
            });
            let bytes = terminal.bytes();
            assert!(!bytes.is_empty() || args.contains(&"approve") || args.contains(&"step"), "{args:?} wrote nothing");
            harmless(&bytes, args);
        }
    }
    // Our own styles are there.
    let shown = Terminal::of(80, &["run", &folder], "", |c| c.env("PTC_HOME", &home)).bytes();
    assert!(String::from_utf8(shown).unwrap().contains("\u{1b}[1m\u{1b}[32mreturned\u{1b}[0m after 3 turns"));
}
