//! `ptc acp` as an editor speaks with it: prompts, what is told on the way, decisions about calls, and what becomes of sessions
//! when lines are broken, prompts collide, a call is cancelled or the editor is gone.

use crate::common::Folder;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An editor with its agent.
struct Editor {
    process: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    asked: u64,
    /// What was told since the last look.
    told: Vec<Value>,
    /// What becomes of calls that wait: the option that is chosen, or nothing said.
    decides: Option<&'static str>,
    permissions: Vec<Value>,
}

impl Editor {
    fn new(f: &Folder, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.args(["--no-config", "acp"]).args(args).env("PTC_HOME", f.0.join("home")).current_dir(&f.0);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        let mut editor =
            Editor { process, to, from, asked: 0, told: Vec::new(), decides: None, permissions: Vec::new() };
        let is = editor.call("initialize", json!({"protocolVersion": 1, "clientCapabilities": {}}));
        assert_eq!((&is["protocolVersion"], &is["agentCapabilities"]["loadSession"]), (&json!(1), &json!(true)));
        editor
    }

    fn line(&mut self, line: &str) {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Asks for something; its number.
    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        self.line(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}).to_string());
        self.asked
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.line(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// The next message; what is told is kept, what is asked is decided.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.from.read_line(&mut line).unwrap() > 0, "the agent has ended");
        let message: Value = serde_json::from_str(&line).unwrap();
        match message["method"].as_str() {
            Some("session/update") => self.told.push(message["params"]["update"].clone()),
            Some("session/request_permission") => {
                self.permissions.push(message["params"].clone());
                if let Some(option) = self.decides {
                    let outcome = json!({"outcome": {"outcome": "selected", "optionId": option}});
                    self.line(&json!({"jsonrpc": "2.0", "id": message["id"], "result": outcome}).to_string());
                }
            }
            _ => {}
        }
        message
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)["result"].clone()
    }

    fn begin(&mut self, f: &Folder) -> String {
        let new = self.call("session/new", json!({"cwd": f.0, "mcpServers": []}));
        new["sessionId"].as_str().unwrap().to_owned()
    }

    fn prompt(&mut self, id: &str, text: &str) -> u64 {
        self.send("session/prompt", json!({"sessionId": id, "prompt": [{"type": "text", "text": text}]}))
    }

    /// Why a prompt ended, and what was said at its end.
    fn asks(&mut self, id: &str, text: &str) -> (String, String) {
        self.told.clear();
        let id = self.prompt(id, text);
        let answer = self.answer(id);
        let reason = answer["result"]["stopReason"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        let said = self.told.iter().rfind(|u| u["sessionUpdate"] == "agent_message_chunk");
        (reason, said.map(|u| u["content"]["text"].as_str().unwrap().to_owned()).unwrap_or_default())
    }

    /// Updates about this call or turn: kind and status.
    fn of(&self, id: &str) -> Vec<(String, String)> {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let of = self.told.iter().filter(|u| u["toolCallId"] == id);
        of.map(|u| (text(&u["sessionUpdate"]), text(&u["status"]))).collect()
    }

    /// Reads on until a call of this number begins.
    fn until(&mut self, call: &str) {
        while !self.of(call).iter().any(|(_, status)| status == "in_progress") {
            self.next();
        }
    }

    fn end(mut self) -> Option<i32> {
        self.to = None;
        while self.from.read_line(&mut String::new()).unwrap() > 0 {}
        self.process.wait().unwrap().code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn replies(f: &Folder, programs: &[&str]) -> String {
    let turns = programs.iter().enumerate().map(|(i, p)| format!("## Turn {}\n{p}\n\n", i + 1));
    format!("replay:{}", f.file("replies.md", &turns.collect::<String>()))
}

fn trace(f: &Folder, id: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(f.0.join("home/sessions").join(id).join("trace.jsonl")).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// A tool that writes a line down each time it is called, and then takes this long.
fn tool(f: &Folder, seconds: &str) -> String {
    let made = f.path("made");
    f.file("send.sh", &format!("read -r line\necho \"$line\" >> '{made}'\nsleep {seconds}\necho '\"sent\"'\n"));
    format!("send=sh {}", f.path("send.sh"))
}

fn made(f: &Folder) -> usize {
    std::fs::read_to_string(f.path("made")).unwrap_or_default().lines().count()
}

fn until_made(f: &Folder) {
    while made(f) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn prompts_follow_one_another_and_sessions_are_loaded_and_listed() {
    let f = Folder::new("acp-prompts");
    let tool = tool(&f, "0");
    let model = replies(
        &f,
        &[
            "I look first.\n```clojure\n(def n (count (tool/send {:to \"a\"})))\n```",
            "(return n)",
            "(return \"it is 5\")",
        ],
    );
    let args = ["--tool", &tool, "--model", &model];
    let mut editor = Editor::new(&f, &args);
    let id = editor.begin(&f);
    assert_eq!(editor.asks(&id, "How many?"), ("end_turn".into(), "4".into()));
    let pair = |kind: &str, status: &str| (kind.to_owned(), status.to_owned());
    let ran = [pair("tool_call", "in_progress"), pair("tool_call_update", "completed")];
    assert_eq!((editor.of("turn-1"), editor.of("call-1")), (ran.to_vec(), ran.to_vec()), "{:?}", editor.told);
    let thought = editor.told.iter().any(|u| u["sessionUpdate"] == "agent_thought_chunk");
    assert!(thought, "{:?}", editor.told);
    // The same session goes on, with what is defined in it; the question may be the same one.
    assert_eq!(editor.asks(&id, "How many?"), ("end_turn".into(), "it is 5".into()));
    let list = editor.call("session/list", json!({"cwd": f.0}));
    let one = &list["sessions"][0];
    assert_eq!((one["sessionId"].as_str(), one["title"].as_str()), (Some(id.as_str()), Some("How many?")), "{list}");
    assert_eq!(editor.call("session/list", json!({"cwd": "/elsewhere"})), json!({"sessions": []}));
    // Nothing is left of one that nothing was asked in.
    let unasked = editor.begin(&f);
    assert_eq!(editor.end(), Some(0));
    assert!(!f.0.join("home/sessions").join(unasked).exists());
    // Another process loads it: all is told again.
    let mut editor = Editor::new(&f, &args);
    editor.call("session/load", json!({"sessionId": id, "cwd": f.0, "mcpServers": []}));
    let texts: Vec<&str> = editor.told.iter().filter_map(|u| u["content"]["text"].as_str()).collect();
    assert_eq!(texts, ["How many?", "4", "How many?", "it is 5"]);
    assert_eq!((editor.of("turn-1"), editor.of("call-1")), (ran.to_vec(), ran.to_vec()));
    assert_eq!(made(&f), 1);
}

#[test]
fn a_call_waits_for_the_user_and_is_made_once_or_not_at_all() {
    let f = Folder::new("acp-permission");
    let tool = tool(&f, "0");
    let one = |n: u8| format!("(try (tool/send {{:n {n}}}) (catch Exception e \"no\"))");
    let model = replies(&f, &[&format!("(return [{} {}])", one(1), one(2))]);
    let args = ["--tool", &tool, "--model", &model, "--set", "tools.send.approval=\"always\""];
    for (option, asked, sent, said) in
        [("allow_once", 2, 2, "[\"sent\" \"sent\"]"), ("allow_always", 1, 2, "[\"sent\" \"sent\"]")]
    {
        let before = made(&f);
        let mut editor = Editor::new(&f, &args);
        editor.decides = Some(option);
        let id = editor.begin(&f);
        assert_eq!(editor.asks(&id, "Send two"), ("end_turn".into(), said.into()));
        assert_eq!((editor.permissions.len(), made(&f) - before), (asked, sent), "{option}");
        let request = &editor.permissions[0];
        assert_eq!(request["toolCall"]["rawInput"], json!({"n": 1}), "{request}");
        assert_eq!(request["options"].as_array().unwrap().len(), 4);
    }
    // What is refused is not made; an option that was not offered is no consent; nothing said is cancelled.
    let before = made(&f);
    let mut editor = Editor::new(&f, &args);
    let id = editor.begin(&f);
    editor.decides = Some("yes");
    assert_eq!(editor.asks(&id, "Send two").0, "cancelled");
    let id = editor.begin(&f);
    editor.decides = None;
    let prompt = editor.prompt(&id, "Send two");
    while editor.permissions.len() < 2 {
        editor.next();
    }
    editor.notify("session/cancel", json!({"sessionId": id}));
    assert_eq!(editor.answer(prompt)["result"]["stopReason"], "cancelled");
    let id = editor.begin(&f);
    editor.decides = Some("reject_always");
    assert_eq!(editor.asks(&id, "Send two"), ("end_turn".into(), "[\"no\" \"no\"]".into()));
    assert_eq!(made(&f), before);
}

#[test]
fn a_prompt_that_is_cancelled_while_a_tool_runs_leaves_a_session_that_goes_on() {
    let f = Folder::new("acp-cancel");
    let tool = tool(&f, "600");
    let model = replies(&f, &["(def x 1)", "(tool/send {:x x})", "(host's)", "(return (inc x))"]);
    let mut editor = Editor::new(&f, &["--tool", &tool, "--model", &model]);
    let id = editor.begin(&f);
    let prompt = editor.prompt(&id, "Send it");
    editor.until("call-1");
    until_made(&f);
    // Another prompt in the meantime is refused, and harms nothing.
    let second = editor.prompt(&id, "And this?");
    let refused = editor.answer(second);
    assert!(refused["error"]["message"].as_str().unwrap().contains("answers another prompt"), "{refused}");
    editor.notify("session/cancel", json!({"sessionId": id}));
    assert_eq!(editor.answer(prompt)["result"]["stopReason"], "cancelled");
    let kept = trace(&f, &id);
    let turn = kept.iter().rfind(|l| l.get("turn").is_some() && l.get("program").is_some()).unwrap();
    assert_eq!((turn["turn"].as_u64(), turn["tool_calls"][0]["name"].as_str()), (Some(2), Some("send")), "{turn}");
    // What was defined before is there; the call is not made again.
    assert_eq!(editor.asks(&id, "What is next?"), ("end_turn".into(), "2".into()));
    assert_eq!(made(&f), 1);
}

#[test]
fn an_editor_that_goes_in_the_middle_loses_nothing_and_nothing_is_made_twice() {
    let f = Folder::new("acp-gone");
    let slow = tool(&f, "600");
    let model = replies(&f, &["(def x 1)", "(return (tool/send {:x x}))"]);
    let args = ["--tool", &slow, "--model", &model];
    let mut editor = Editor::new(&f, &args);
    let id = editor.begin(&f);
    editor.prompt(&id, "Send it");
    editor.until("call-1");
    until_made(&f);
    assert_eq!(editor.end(), Some(0));
    assert_eq!(made(&f), 1);
    // The same prompt goes on with the turn that had begun. Its call may have been made: the user is asked.
    tool(&f, "0");
    let mut editor = Editor::new(&f, &args);
    editor.call("session/load", json!({"sessionId": id, "cwd": f.0, "mcpServers": []}));
    let last = editor.told.last().unwrap()["content"]["text"].as_str().unwrap().to_owned();
    assert!(last.starts_with("This was not answered yet"), "{last}");
    editor.decides = Some("allow_once");
    assert_eq!(editor.asks(&id, "Send it"), ("end_turn".into(), "sent".into()));
    assert_eq!((editor.permissions.len(), made(&f)), (1, 2));
    assert!(editor.permissions[0]["options"][0]["name"].as_str().unwrap().contains("may have been made"));
}

#[test]
fn lines_that_are_no_messages_are_answered_and_passed_over() {
    let f = Folder::new("acp-garbage");
    let model = replies(&f, &["(return 1)"]);
    let mut editor = Editor::new(&f, &["--model", &model]);
    let id = editor.begin(&f);
    let giant = format!("{{\"x\":\"{}\"}}", "y".repeat(17 << 20));
    for (line, code) in
        [("no json", -32700), ("[1,2]", -32600), ("{}", -32600), (&giant, -32600), (&"[".repeat(9999), -32700)]
    {
        editor.line(line);
        let answer = editor.next();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(code)), "{answer}");
    }
    for (method, params, code) in [
        ("session/prompt", json!({"sessionId": "none", "prompt": []}), -32002),
        (
            "session/prompt",
            json!({"sessionId": id, "prompt": [{"type": "image", "data": "", "mimeType": "x"}]}),
            -32602,
        ),
        ("session/load", json!({"sessionId": "../x", "cwd": "/", "mcpServers": []}), -32002),
        ("session/new", json!({"cwd": "relative", "mcpServers": []}), -32602),
        ("session/prompt", json!([]), -32602),
        ("terminal/create", json!({}), -32601),
    ] {
        let asked = editor.send(method, params);
        assert_eq!(editor.answer(asked)["error"]["code"], code, "{method}");
    }
    editor.line(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#);
    editor.notify("session/cancel", json!({"sessionId": "none"}));
    let empty = editor.prompt(&id, " ");
    assert_eq!(editor.answer(empty)["error"]["code"], -32602);
    assert_eq!(editor.asks(&id, "One?"), ("end_turn".into(), "1".into()));
}

#[cfg(unix)]
#[test]
fn an_editor_that_does_not_read_keeps_no_process() {
    let f = Folder::new("acp-unread");
    let model = replies(&f, &["(return 1)"]);
    let mut editor = Editor::new(&f, &["--model", &model]);
    // More answers than fit on the way.
    editor.line(&"x\n".repeat(5000));
    let id = editor.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(editor.process.wait().unwrap().code(), Some(143));
}

#[test]
fn a_task_is_asked_in_its_acts_and_told_as_a_plan() {
    let f = Folder::new("acp-acts");
    let model = replies(&f, &["(def n 3) (return n)", "All in all: three."]);
    std::fs::create_dir(f.path("two")).unwrap();
    f.file(
        "two/task.toml",
        "[task]\nname = \"two\"\nprompt = \"Count\"\n[toc]\norder = [\"count\", \"tell\"]\n[acts.count]\n[[acts.count.input]]\ntype = \"text\"\ncontent = \"Count them\"\n[acts.tell]\nmode = \"text\"\n[[acts.tell.input]]\ntype = \"text\"\ncontent = \"Tell it\"\n",
    );
    let mut editor = Editor::new(&f, &["two", "--model", &model]);
    let id = editor.begin(&f);
    assert_eq!(editor.asks(&id, "Go"), ("end_turn".into(), "All in all: three.".into()));
    let plans: Vec<&Value> = editor.told.iter().filter(|u| u["sessionUpdate"] == "plan").collect();
    let of = |plan: &Value| plan["entries"].as_array().unwrap().iter().map(|e| e["status"].clone()).collect::<Vec<_>>();
    assert_eq!(of(plans[0]), ["in_progress", "pending"], "{plans:?}");
    assert_eq!(of(plans.last().unwrap()), ["completed", "completed"], "{plans:?}");
    let more = editor.prompt(&id, "And?");
    assert!(editor.answer(more)["error"]["message"].as_str().unwrap().contains("in acts"));
    assert_eq!(editor.end(), Some(0));
    // What is wrong with the task is told before an editor waits.
    let did = crate::common::ptc(&["acp", "nowhere"]);
    assert_eq!(did.code, 2, "{}", did.err);
}

/// Whether all that is expected is there.
fn has(is: &Value, expected: &Value) -> bool {
    match (is, expected) {
        (Value::Object(is), Value::Object(expected)) => {
            expected.iter().all(|(key, value)| is.get(key).is_some_and(|is| has(is, value)))
        }
        (is, expected) => is == expected,
    }
}

#[test]
fn the_example_of_its_page_is_what_happens() {
    let f = Folder::new("acp-page");
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/acp.md")).unwrap();
    let block = |kind: &str| page.split(&format!("```{kind}\n")).nth(1).unwrap().split("```").next().unwrap();
    let orders = f.file("orders.csv", block("csv"));
    let settings: Value = serde_json::from_str(block("json")).unwrap();
    let args = settings["agent_servers"]["PTC"]["args"].as_array().unwrap();
    let model = replies(&f, &["(return (reduce + (map :qty ctx/orders)))"]);
    // The model is a recorded one; the rest is as it stands there.
    let args: Vec<String> = args[1..]
        .iter()
        .map(|a| {
            a.as_str()
                .unwrap()
                .replace("/home/me/shop/orders.csv", &orders)
                .replace("anthropic/claude-sonnet-4-5", &model)
        })
        .collect();
    let mut editor = Editor::new(&f, &args.iter().map(String::as_str).collect::<Vec<_>>());
    let mut session = String::new();
    for line in block("text").lines() {
        match (line.strip_prefix("-> "), line.strip_prefix("<- ")) {
            (Some(said), _) => editor.line(&said.replace("SESSION", &session)),
            (_, Some(told)) => loop {
                let message = editor.next();
                if let Some(id) = message["result"]["sessionId"].as_str() {
                    session = id.to_owned();
                }
                let expected: Value = serde_json::from_str(&told.replace("SESSION", &session)).unwrap();
                if has(&message, &expected) {
                    break;
                }
                assert_eq!(message["method"], "session/update", "{message} is not {told}");
            },
            _ => panic!("{line}"),
        }
    }
}
