//! `ptc run` with models of providers: what is wrong is one clear error, and no file is left by it.

use crate::common::{Did, Folder, ptc_in};
use ptc_cli::{Around, Environment};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

fn run(folder: &Folder, model: &str, variables: &[(&str, &str)], more: &[&str]) -> Did {
    let environment: Environment = variables.iter().copied().collect();
    let task = folder.task();
    let args: Vec<&str> = ["run", &task, "--model", model].iter().chain(more).copied().collect();
    ptc_in(&args, "", Around { live: false, environment })
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
            let head =
                format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
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
