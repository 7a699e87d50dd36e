//! MCP servers that cannot be used are reported as such; servers that others wrote are in tests/external/mcp.rs.

use ptc_agent::Task;
use ptc_tests::cli::Folder;
use std::path::Path;

#[test]
fn a_server_that_begins_with_a_broken_message_is_told_at_once() {
    let folder = Folder::new("mcp-broken").unwrap();
    let text = r#"[task]
prompt = "p"
[mcp.s]
command = ["sh", "-c", "echo '{\"jsonrpc\": oh'; sleep 1000"]"#;
    let task = Task::parse(Path::new(&folder.path("")), "task.toml", text).unwrap();
    let error = task.config().err().unwrap().to_string();
    let words = "[mcp.s]: the server cannot be used: it wrote a message that cannot be read (expected value at line 1 column 13): ";
    assert!(error.starts_with(words), "{error}");
}

#[test]
fn servers_that_cannot_be_used_are_one_clear_error() {
    let folder = Folder::new("mcp-unusable").unwrap();
    let problem = |table: &str| {
        let text = format!("[task]\nprompt = \"p\"\n[mcp.s]\n{table}");
        let error = match Task::parse(Path::new(&folder.path("")), "task.toml", &text) {
            Err(e) => e.to_string(),
            Ok(task) => task.config().err().unwrap().to_string(),
        };
        assert!(!error.contains('\n'), "{error}");
        error
    };
    for (table, words) in [
        ("", "task.toml:3: [mcp.s]: no server; add command = "),
        ("url = \"ftp://x\"", "task.toml:4: url must begin with http:// or https://"),
        ("command = [\"sh\"]\nurl = \"http://x\"", "task.toml:5: command and url; keep one of them"),
        ("command = \"sh\"", "task.toml:4: command must be a list of texts"),
        ("command = []", "task.toml:4: command is empty"),
        ("command = [\"no-such-program-here\"]", "task.toml:4: the command \"no-such-program-here\" is not there"),
        ("command = [\"./gone.py\"]", "task.toml:4: the command \"./gone.py\": there is no such file"),
        ("command = [\"sh\"]\ntimeout = 5", "task.toml:5: unknown key timeout in [mcp.s]; its keys are "),
        ("command = [\"sh\"]\nheaders = { A = \"b\" }", "task.toml:5: headers are for servers with a url"),
        ("url = \"http://x\"\nheaders = { A = 5 }", "task.toml:5: headers must be a table of texts"),
        (
            "command = [\"sh\"]\nenv = { A = \"$NO_SUCH_VARIABLE_HERE\" }",
            "[mcp.s] env: A needs the environment variable NO_SUCH_VARIABLE_HERE; set it",
        ),
        (
            "command = [\"sh\", \"-c\", \"echo no luck >&2; exit 4\"]",
            "[mcp.s]: the server cannot be used: it went away",
        ),
        ("url = \"http://127.0.0.1:1/mcp\"", "[mcp.s]: the server cannot be used: "),
    ] {
        let error = problem(table);
        assert!(error.starts_with(words), "{table}: {error}");
    }
    let error = problem("command = [\"sh\", \"-c\", \"echo no luck >&2; exit 4\"]");
    assert!(error.ends_with("; it ended with exit code 4; it said: no luck"), "{error}");
}
