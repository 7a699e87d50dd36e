//! MCP servers that cannot be used are reported as such; servers that others wrote are in tests/external/mcp.rs.

use ptc_agent::Task;
use ptc_tests::cli::{Folder, ptc};
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

/// A server as others write them: one tool is malformed and does not cost the others, and no answer keeps a program waiting
/// until its time limit, which here is longer than any test.
#[cfg(unix)]
#[test]
fn what_servers_write_is_read_or_refused_at_once() {
    let folder = Folder::new("mcp-others").unwrap();
    let server = r##"#!/bin/sh
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  ok() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
  case $line in
    *'"initialize"'*) ok '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) ok '{"tools":[{"name":"good","description":null,"inputSchema":{"type":"object"}},{"name":"bad","inputSchema":"x"},{"inputSchema":{}}],"nextCursor":""}' ;;
    *'"n":1'*) ok '{"content":[{"type":"text","text":"hi"}],"structuredContent":null,"isError":null}' ;;
    *'"n":2'*) ok '{"content":[{"type":"text","text":"half \ud83d"}]}' ;;
    *'"n":3'*) echo 'Listening on stdio'; printf '\357\273\277'; ok '{"content":[{"type":"text","text":"mark"}]}' ;;
    *'"n":4'*) echo "{'jsonrpc': '2.0', 'id': $id}" ;;
    *'"n":5'*) id=77; ok '{"content":[]}' ;;
    *'"n":6'*) printf '{"jsonrpc":"2.0","id":%s.0,"error":{"code":-1.0,"message":"no luck"},"result":null}\n' "$id" ;;
    *'"n":7'*) ok '{"content":"bare"}' ;;
    *'"id":'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id" ;;
  esac
done
"##;
    std::fs::write(folder.path("server.sh"), server).unwrap();
    let program = "(return (mapv (fn [n] (try (tool/s.good {:n n}) (catch Exception e (ex-message e)))) (range 1 8)))";
    std::fs::write(folder.path("replies.md"), format!("## Turn 1\n{program}\n")).unwrap();
    let task = "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[limits]\nwall_ms = 0\n\
        [mcp.s]\ncommand = [\"sh\", \"server.sh\"]\ntimeout_ms = 3600000\n";
    std::fs::write(folder.path("task.toml"), task).unwrap();
    let did = ptc(&["run", &folder.path("")]);
    assert_eq!(did.code, 0, "{}", did.err);
    for expected in [
        "\"hi\"",
        "half \u{fffd}",
        "\"mark\"",
        "it wrote a message that cannot be read (",
        "it answered a request that nobody waits for (id 77)",
        "no luck (code -1)",
        "\"bare\"",
    ] {
        assert!(did.out.contains(expected), "{expected}: {}", did.out);
    }
    for warned in [
        "[mcp.s]: its tool \"bad\" is left out: its inputSchema is no object",
        "[mcp.s]: a tool without a name is left out: ",
    ] {
        assert!(did.err.contains(warned), "{warned}: {}", did.err);
    }
}
