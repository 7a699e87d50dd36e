//! `ptc run` with models of providers: what is wrong is one clear error, and no file is left by it.

use crate::common::{Did, Folder, ptc_in};
use ptc_cli::{CliContext, Environment};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

fn run(folder: &Folder, model: &str, variables: &[(&str, &str)], more: &[&str]) -> Did {
    let environment: Environment = variables.iter().copied().collect();
    let task = folder.task();
    let args: Vec<&str> = ["run", &task, "--model", model].iter().chain(more).copied().collect();
    ptc_in(&args, "", CliContext { environment, ..CliContext::default() })
}

#[test]
fn what_is_wrong_with_a_model_is_one_clear_error() {
    let folder = Folder::new("models");
    let trace = folder.path("t.jsonl");
    for (model, variables, words) in [
        ("openai/gpt-5.1", &[][..], "openai/gpt-5.1 needs a key; set OPENAI_API_KEY, or run without a model"),
        ("anthropic/claude", &[("OPENAI_API_KEY", "k")], "anthropic/claude needs a key; set ANTHROPIC_API_KEY"),
        ("openia/x", &[], "openia/x: no such model: did you mean openai/x? providers are openai, "),
        ("gpt-5.1", &[], "gpt-5.1: no such model: a model is PROVIDER/NAME, as openai/gpt-5.1"),
        ("openai/m", &[("OPENAI_BASE_URL", "nowhere")], "OPENAI_BASE_URL is no address: "),
        (
            "openai-compatible/m",
            &[],
            "openai-compatible/m needs the address of its server; set OPENAI_COMPATIBLE_BASE_URL",
        ),
        ("replay:gone.md", &[], "gone.md: there is no such file; check the name"),
        ("replay:", &[], "replay: names no file"),
    ] {
        let did = run(&folder, model, variables, &["--trace", &trace]);
        assert_eq!((did.code, did.err.lines().count()), (2, 1), "{}", did.err);
        assert!(did.err.starts_with("error: ") && did.err.contains(words), "{}", did.err);
        assert!(!std::path::Path::new(&trace).exists(), "{model}");
    }
}

#[test]
fn a_server_that_is_not_there_ends_the_run_and_keeps_the_trace() {
    let folder = Folder::new("refused");
    let trace = folder.path("t.jsonl");
    let url = format!("http://{}/v1", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let did = run(&folder, "openai/m", &[("OPENAI_BASE_URL", &url)], &["--trace", &trace]);
    let words = format!("error after 0 turns: openai/m: no connection to {url} (Connection refused");
    assert_eq!(did.code, 1, "{}", did.err);
    assert!(did.err.contains(&words) && did.err.contains("is the server running?"), "{}", did.err);
    // The session has begun; it goes on when there is a model.
    let did = run(&folder, &format!("replay:{}", folder.path("shop/replies.md")), &[], &["--trace", &trace]);
    assert_eq!(did.code, 0, "{}", did.err);
}

/// A server that answers each request with the same status and words.
fn server(status: u16, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut buffer = [0; 65536];
            let mut read = Vec::new();
            // The head and the start of the body are enough to answer.
            while !read.windows(4).any(|w| w == b"\r\n\r\n") {
                match stream.read(&mut buffer) {
                    Ok(n) if n > 0 => read.extend_from_slice(&buffer[..n]),
                    _ => break,
                }
            }
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all((head + body).as_bytes());
            // Until the client has read it: what it still sends must not reset the connection.
            while stream.read(&mut buffer).is_ok_and(|n| n > 0) {}
        }
    });
    url
}

#[test]
fn what_a_provider_refuses_is_told_in_its_words_without_the_key() {
    let folder = Folder::new("wrong-key");
    for (status, body, words) in [
        (
            401,
            r#"{"error":{"message":"Incorrect API key provided: sk-wrong.","code":"invalid_api_key"}}"#,
            "does not take the key (401): Incorrect API key provided: $OPENAI_API_KEY; check OPENAI_API_KEY",
        ),
        (
            404,
            r#"{"error":{"message":"The model does not exist","code":"model_not_found"}}"#,
            "has no such model: The model does not exist; check its name",
        ),
    ] {
        let url = server(status, body);
        let did = run(&folder, "openai/m", &[("OPENAI_BASE_URL", &url), ("OPENAI_API_KEY", "sk-wrong")], &[]);
        assert_eq!(did.code, 1, "{}", did.err);
        assert!(did.err.contains(words) && !did.err.contains("sk-wrong"), "{}", did.err);
    }
}

/// A price is of one model: what others wrote has no cost.
#[test]
fn costs_are_of_the_model_that_the_price_is_of() {
    let folder = Folder::new("price");
    let body = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Seen."},"finish_reason":"stop"}],"model":"m","usage":{"prompt_tokens":1000000,"completion_tokens":0,"total_tokens":1000000}}"#;
    let url = server(200, body);
    let environment: Environment = [("OPENAI_BASE_URL", url.as_str()), ("OPENAI_API_KEY", "k")].into_iter().collect();
    let act = |name: &str, more: &str| {
        format!("[acts.{name}]\nmode = \"text\"\n{more}[[acts.{name}.input]]\ntype = \"text\"\ncontent = \"Go.\"\n")
    };
    let costs = |own: &str, more: &[&str]| {
        let text = format!(
            "[task]\nname = \"t\"\nmodel = \"openai/m\"\n[model]\nprice = {{ input = 2.0, output = 1.0 }}\n\
             [toc]\norder = [\"a\", \"b\"]\n{}{}",
            act("a", ""),
            act("b", own)
        );
        let task = folder.file("priced/task.toml", &text);
        let args: Vec<&str> = ["run", &task].iter().chain(more).copied().collect();
        let did = ptc_in(&args, "", CliContext { environment: environment.clone(), ..CliContext::default() });
        assert_eq!(did.code, 0, "{}", did.err);
        assert!(did.err.contains("in all: 2000000 tokens in (0 cached), 0 out"), "{}", did.err);
        did.err.lines().filter_map(|l| l.split_once("; cost ")).map(|l| l.1.to_owned()).collect::<Vec<_>>()
    };
    let all = costs("", &[]);
    assert!(all.len() == 3 && all[0].starts_with("2.000000") && all[2].starts_with("4.000000"), "{all:?}");
    assert_eq!(costs("model = \"openai/m\"\n", &["--model", "openai/m"]).len(), 3);
    assert_eq!(costs("model = \"openai/other\"\n", &[]).len(), 1);
    assert_eq!(costs("", &["--model", "openai/other"]), Vec::<String>::new());
}

#[test]
fn a_run_is_recorded_and_said_again() {
    let folder = Folder::new("record");
    let record = folder.path("again.md");
    let replies = format!("replay:{}", folder.path("shop/replies.md"));
    let did = run(&folder, &replies, &[], &["--record", &record]);
    assert_eq!(did.code, 0, "{}", did.err);
    let again = run(&folder, &format!("replay:{record}"), &[], &[]);
    assert_eq!((again.code, again.out), (0, did.out));
    let did = run(&folder, &replies, &[], &["--record", &record]);
    assert_eq!(did.code, 2);
    assert!(did.err.contains("there is a file already; remove it, or record into another one"), "{}", did.err);
}

/// B-02, B-23: what the task says stands above the variables, and those above the defaults; a run under a trace keeps
/// what it was begun with.
#[test]
fn variables_choose_the_batch_strategy_below_the_task() {
    let folder = Folder::new("variables");
    let task = |history: &str| {
        let text = format!("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[history]\n{history}\n");
        folder.file("task/task.toml", &text)
    };
    folder.file("task/r.md", "## Turn 1\n(def x 1)\n## Turn 2\n(return x)\n");
    let policy = |history: &str, variables: &[(&str, &str)]| -> serde_json::Value {
        let environment: Environment = variables.iter().copied().collect();
        let trace = folder.path("t.jsonl");
        let _ = std::fs::remove_file(&trace);
        let around = CliContext { environment, ..CliContext::default() };
        let did = ptc_in(&["run", &task(history), "--trace", &trace], "", around.clone());
        assert_eq!(did.code, 0, "{}", did.err);
        let stepped = folder.path("s.jsonl");
        let _ = std::fs::remove_file(&stepped);
        let did = ptc_in(&["step", &stepped, "--task", &task(history)], "", around);
        assert_eq!(did.code, 0, "{}", did.err);
        let header = |file: &str| -> serde_json::Value {
            let text = std::fs::read_to_string(file).unwrap();
            serde_json::from_str::<serde_json::Value>(text.lines().next().unwrap()).unwrap()["policy"].take()
        };
        assert_eq!(header(&trace), header(&stepped));
        header(&trace)
    };
    let on = ("LLM_COMPACTION_ENABLED", "true");
    let size = ("LLM_COMPACTION_BATCH_SIZE", "2");
    let plain = policy("", &[]);
    assert!(plain.get("strategy").is_none() && plain.get("batch_size").is_none());
    let asked = policy("", &[on, size]);
    assert_eq!((&asked["strategy"], &asked["batch_size"]), (&"batch".into(), &2.into()));
    let both = policy("batch_size = 7", &[size, ("LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES", "5")]);
    let numbers = (&both["strategy"], &both["batch_size"], &both["min_preserved_assistant_messages"]);
    assert_eq!(numbers, (&"batch".into(), &7.into(), &5.into()));
    assert_eq!(policy("strategy = \"auto\"", &[on])["strategy"], "auto");
    // The default said by the task is said by the task.
    assert!(policy("strategy = \"none\"\nbatch_size = 4", &[on, size]).get("strategy").is_none());
    assert!(policy("", &[("LLM_COMPACTION_ENABLED", "0")]).get("strategy").is_none());
    for (name, value, words) in [
        (
            "LLM_COMPACTION_ENABLED",
            "yes",
            "LLM_COMPACTION_ENABLED must be true, false, 1 or 0, got \"yes\"; correct the variable",
        ),
        ("LLM_COMPACTION_BATCHSIZE", "4", "did you mean LLM_COMPACTION_BATCH_SIZE?"),
    ] {
        let environment: Environment = [(name, value)].into_iter().collect();
        let did = ptc_in(&["run", &task("")], "", CliContext { environment, ..CliContext::default() });
        assert!(did.code == 2 && did.err.contains(words), "{}", did.err);
    }
}
