//! What a client of `ptc mcp` shows its user: questions about calls that wait, prompts to pick, ids to choose from.

use crate::common::Folder;
use crate::mcp::{Client, command, data, notes, noting, session};
use serde_json::{Value, json};
use std::io::Write as _;

/// What is asked is answered in order; then comes the answer of the call, with what was asked.
fn asked(client: &mut Client, name: &str, arguments: Value, says: &[Value]) -> (Value, Vec<String>) {
    let id = client.send("tools/call", json!({ "name": name, "arguments": arguments }));
    let mut questions = Vec::new();
    loop {
        let message = client.receive();
        if message["id"] == id && message.get("method").is_none() {
            return (message["result"].clone(), questions);
        }
        if message["method"] == "elicitation/create" {
            let says = says.get(questions.len()).unwrap_or_else(|| panic!("{message}"));
            questions.push(message["params"]["message"].as_str().unwrap().to_owned());
            writeln!(client.to, "{}", json!({ "jsonrpc": "2.0", "id": message["id"], "result": says })).unwrap();
        }
    }
}

#[test]
fn a_client_that_can_ask_its_user_does_so_about_calls_that_wait() {
    let home = Folder::new("mcp-elicits");
    let (task, noted) = noting(&home, "approval = \"always\"");
    let approve = json!({ "action": "accept", "content": { "decision": "approve" } });
    let deny = json!({ "action": "accept", "content": { "decision": "deny", "reason": "not that" } });
    let dismiss = json!({ "action": "cancel" });
    let can = json!({ "elicitation": {} });
    let mut client = Client::with(command(&home, &["--task", &task]), can.clone());
    let program = "(def a (tool/note \"a\"))\n(try (tool/note \"b\") (catch Exception e (ex-message e)))";
    let run = json!({ "program": program });
    let (done, questions) = asked(&mut client, "run", run, &[approve.clone(), deny]);
    assert_eq!((data(&done)["value"].as_str(), notes(&noted)), (Some("not that"), 1), "{done}");
    assert!(questions[0].contains("tool/note {\"text\":\"a\"}") && questions[1].contains("\"b\""), "{questions:?}");
    let id = session(&done);
    let trace = std::fs::read_to_string(home.0.join("home/sessions").join(&id).join("trace.jsonl")).unwrap();
    assert!(trace.contains("\"by\":\"local\""), "{trace}");
    // What is not answered waits on; whoever waits is asked again.
    let run = json!({ "program": "(vec (pmap #(tool/note %) [\"c\" \"d\"]))", "session": id });
    let (waits, questions) = asked(&mut client, "run", run, &[approve.clone(), dismiss]);
    assert_eq!((data(&waits)["status"].as_str(), questions.len(), notes(&noted)), (Some("pending"), 2, 1), "{waits}");
    assert_eq!(data(&waits)["pending"].as_array().map(Vec::len), Some(1), "{waits}");
    let (done, questions) = asked(&mut client, "wait", json!({ "session": id }), &[approve]);
    assert_eq!((data(&done)["status"].as_str(), questions.len(), notes(&noted)), (Some("ok"), 1, 3), "{done}");
    // A request that is cancelled while its user is asked cancels its turn.
    let run = json!({ "program": "(tool/note \"e\")", "session": id });
    let request = client.send("tools/call", json!({ "name": "run", "arguments": run }));
    while client.receive()["method"] != "elicitation/create" {}
    client.tell("notifications/cancelled", json!({ "requestId": request }));
    while data(&client.call("inspect", json!({ "session": id, "what": "turn" })))["turn"] != 3 {}
    let turn = client.call("inspect", json!({ "session": id, "what": "turn" }));
    assert!(data(&turn)["status"] == "error" && turn.to_string().contains("cancelled"), "{turn}");
    assert_eq!((client.close(), notes(&noted)), (0, 3));
    let mut client = Client::with(command(&home, &["--task", &task, "--no-approvals"]), can);
    let (waits, _) = asked(&mut client, "run", json!({ "program": "(tool/note \"f\")" }), &[]);
    assert_eq!((data(&waits)["status"].as_str(), client.close()), (Some("pending"), 0), "{waits}");
}

#[test]
fn tasks_are_prompts_and_ids_of_sessions_are_completed() {
    let home = Folder::new("mcp-prompts");
    let (task, _) = noting(&home, "");
    let mut client = Client::start(&home, &["--task", &task]);
    let list = client.ask("prompts/list", json!({}))["result"]["prompts"].clone();
    let name = list[0]["name"].as_str().unwrap().to_owned();
    assert_eq!(list[0]["arguments"][0]["name"], "request", "{list}");
    let get = |client: &mut Client, arguments: Value| {
        client.ask("prompts/get", json!({ "name": name, "arguments": arguments }))
    };
    let message = get(&mut client, json!({ "request": "Note the tide." }))["result"]["messages"][0].clone();
    let text = message["content"]["text"].as_str().unwrap();
    assert!(
        message["role"] == "user" && text.contains("Note the tide.") && text.contains(&format!("task = \"{name}\"")),
        "{message}"
    );
    assert!(get(&mut client, json!({ "request": 5 }))["error"]["message"].is_string());
    assert!(
        client.ask("prompts/get", json!({ "name": "none" }))["error"]["message"]
            .as_str()
            .unwrap()
            .contains("no prompt")
    );
    let ids: Vec<String> = (0..2).map(|_| session(&client.call("run", json!({ "program": "1" })))).collect();
    let complete = |client: &mut Client, uri: &str, value: &str| {
        let asked =
            json!({ "ref": { "type": "ref/resource", "uri": uri }, "argument": { "name": "session", "value": value } });
        client.ask("completion/complete", asked)["result"]["completion"].clone()
    };
    let template = "ptc://sessions/{session}/trace";
    let all = complete(&mut client, template, "");
    assert_eq!((all["values"].as_array().map(Vec::len), &all["hasMore"]), (Some(2), &json!(false)), "{all}");
    assert_eq!(complete(&mut client, template, &ids[0])["values"], json!([ids[0]]));
    assert_eq!(complete(&mut client, template, "x")["values"], json!([]));
    assert_eq!(complete(&mut client, "ptc://other/{session}", "")["values"], json!([]));
    assert_eq!(client.close(), 0);
}
