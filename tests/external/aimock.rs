//! Models of providers against a mock of their wires that no one here wrote (`scripts/aimock` fetches it): every
//! provider, whole and streamed, tools, thoughts, and faults.

use ptc_agent::model::{ModelName, RetryPolicy};
use ptc_agent::{Environment, Error, ErrorKind, Model as _, ModelErrorKind, ProviderModel, Reply, Request};
use ptc_history::wire::Tool;
use ptc_history::{Block, Message, Role};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The mock, until it is dropped.
struct Mock {
    child: Child,
    url: String,
}

impl Mock {
    fn start() -> Mock {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let program = top.join("target/tools/aimock/package/dist/cli.js");
        assert!(program.is_file(), "the mock is not there: run scripts/aimock (it needs npm), then the test again");
        let fixtures = top.join("tests/external/aimock/fixtures.json");
        let mut child = Command::new("node")
            .arg(&program)
            .args(["--port", "0", "--strict", "--fixtures"])
            .arg(&fixtures)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node runs the mock: install Node.js 20");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = loop {
            let line = lines.next().expect("the mock says where it listens").unwrap();
            if let Some((_, url)) = line.split_once("listening on ") {
                break url.trim().to_owned();
            }
        };
        // It keeps printing each request, so its output must be read.
        std::thread::spawn(move || lines.for_each(drop));
        Mock { child, url }
    }

    fn environment(&self) -> Environment {
        let v1 = format!("{}/v1", self.url);
        [
            ("OPENAI_BASE_URL", v1.as_str()),
            ("OPENAI_API_KEY", KEY),
            ("ANTHROPIC_BASE_URL", &self.url),
            ("ANTHROPIC_API_KEY", KEY),
            ("GEMINI_BASE_URL", &self.url),
            ("GEMINI_API_KEY", KEY),
            ("OLLAMA_HOST", &self.url),
            ("OPENAI_COMPATIBLE_BASE_URL", &v1),
        ]
        .into_iter()
        .collect()
    }

    fn model(&self, name: &str) -> ProviderModel {
        let name: ModelName = name.parse().unwrap();
        let ms = Duration::from_millis;
        let patience = RetryPolicy { tries: 3, pause: ms(5), longest_pause: ms(5000), ..RetryPolicy::default() };
        ProviderModel::new(name, &self.environment(), patience).unwrap()
    }

    /// Asks one thing, whole or streamed; what came, and what the observer was told.
    fn ask(&self, name: &str, text: &str, stream: bool) -> (Result<Reply, Error>, String) {
        let mut told = String::new();
        let mut said = |piece: &str| told.push_str(piece);
        let messages = [Message::system("Be short."), Message::user(text)];
        let mut request = Request::new(&messages);
        if stream {
            request.said = Some(&mut said);
        }
        let reply = self.model(name).reply(request);
        (reply, told)
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const KEY: &str = "sk-a-key-that-nobody-may-see";

const MODELS: [&str; 6] = [
    "openai/gpt-5.1",
    "openai-responses/gpt-5.1",
    "anthropic/claude-sonnet-4-5",
    "gemini/gemini-3-pro",
    "ollama/qwen3:8b",
    "openai-compatible/smollm2",
];

/// Every model, whole and streamed.
fn each(f: impl Fn(&str, bool)) {
    for model in MODELS {
        for stream in [false, true] {
            f(model, stream);
        }
    }
}

#[test]
fn every_provider_answers_whole_and_streamed() {
    let mock = Mock::start();
    each(|model, stream| {
        let (reply, told) = mock.ask(model, "hello", stream);
        let reply = reply.unwrap_or_else(|e| panic!("{model} {stream}: {e}"));
        assert_eq!(reply.text, "Hello there, friend of mine.", "{model} {stream}");
        assert_eq!(told, if stream { reply.text.as_str() } else { "" }, "{model} {stream}");
        let usage = reply.usage.unwrap_or_else(|| panic!("{model} {stream}: no usage"));
        assert!(usage.input_tokens.is_some() && usage.output_tokens.is_some(), "{model} {stream}: {usage:?}");
        assert_eq!(format!("{}/{}", usage.provider, usage.model), model);
        assert!(!reply.cut);
        let (reply, _) = mock.ask(model, "be cut", stream);
        assert!(reply.as_ref().is_ok_and(|r| r.cut), "{model} {stream}: {reply:?}");
    });
}

#[test]
fn tools_are_called_and_their_results_go_back() {
    let mock = Mock::start();
    each(|name, stream| {
        let mut model = mock.model(name);
        let mut said = |_: &str| {};
        let tools = [Tool::new("weather", "Tells the weather")];
        let mut messages = vec![Message::user("the weather, please")];
        let mut request = Request { tools: &tools, ..Request::new(&messages) };
        if stream {
            request.said = Some(&mut said);
        }
        let reply = model.reply(request).unwrap_or_else(|e| panic!("{name} {stream}: {e}"));
        let calls: Vec<_> = reply.blocks.iter().filter(|b| matches!(b, Block::ToolUse { .. })).collect();
        let [Block::ToolUse { id, name: tool, input }] = calls.as_slice() else { panic!("{name} {stream}: {reply:?}") };
        assert_eq!(
            (tool.as_str(), input.to_string().as_str()),
            ("weather", r#"{"place":"Bergen"}"#),
            "{name} {stream}"
        );
        let id = id.clone();
        messages.push(Message::of(Role::Assistant, reply.blocks.clone()));
        messages.push(Message::of(Role::Tool, vec![Block::tool_result(id, "rain")]));
        let reply = model.reply(Request { tools: &tools, ..Request::new(&messages) });
        let reply = reply.unwrap_or_else(|e| panic!("{name} {stream}: {e}"));
        assert_eq!(reply.text, "It rains in Bergen.", "{name} {stream}");
    });
}

#[test]
fn thoughts_are_apart_from_what_is_said() {
    let mock = Mock::start();
    each(|model, stream| {
        let (reply, told) = mock.ask(model, "think", stream);
        let reply = reply.unwrap_or_else(|e| panic!("{model} {stream}: {e}"));
        assert_eq!(reply.text, "(return 42)", "{model} {stream}");
        assert!(!told.contains("seven"), "{model} {stream}: {told}");
        let thoughts: String = reply
            .blocks
            .iter()
            .filter_map(|b| match b {
                Block::Reasoning { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(thoughts, "Six times seven.", "{model} {stream}");
        if model.starts_with("anthropic/") {
            let sealed = |b: &Block| matches!(b, Block::Reasoning { signature: Some(s), .. } if s.kind == "signature");
            assert!(reply.blocks.iter().any(sealed), "{stream}: {:?}", reply.blocks);
        }
    });
}

#[test]
fn what_passes_is_asked_again_and_what_stays_is_told() {
    let mock = Mock::start();
    each(|model, stream| {
        // Sequences of the mock go by model and words: each case has words of its own.
        let own = format!("{model} {stream}");
        let ask = |words: &str| mock.ask(model, words, stream).0;
        let e = ask("limit always").unwrap_err();
        assert!(
            matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::RateLimited, tries: 3, .. }),
            "{own}: {e}"
        );
        let e = ask("limit long").unwrap_err();
        assert!(
            matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::RateLimited, tries: 1, .. }),
            "{own}: {e}"
        );
        let e = ask("fail always").unwrap_err();
        assert!(
            matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Overloaded, status: Some(500), tries: 3 }),
            "{own}: {e}"
        );
        let e = ask("no such model").unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::UnknownModel, .. }), "{own}: {e}");
        let e = ask("disconnect").unwrap_err();
        assert!(
            matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Disconnected, tries: 3, .. }),
            "{own}: {e}"
        );
        let e = ask("malformed").unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Malformed, .. }), "{own}: {e}");
        for e in [e.to_string(), ask("fail always").unwrap_err().to_string()] {
            assert!(e.lines().count() == 1 && !e.contains(KEY), "{own}: {e}");
        }
    });
}

#[test]
fn one_fault_is_not_seen() {
    for (i, model) in MODELS.iter().enumerate() {
        for (j, words) in ["limit once", "fail once"].into_iter().enumerate() {
            // The mock counts its sequences from its start.
            let mock = Mock::start();
            let stream = (i + j) % 2 == 0;
            let (reply, _) = mock.ask(model, words, stream);
            let reply = reply.unwrap_or_else(|e| panic!("{model} {stream}: {e}"));
            assert!(reply.text.starts_with("(return "), "{model} {stream}: {reply:?}");
        }
    }
}

#[test]
fn an_answer_that_breaks_off_is_an_error_and_not_an_answer() {
    let mock = Mock::start();
    for model in MODELS {
        let (reply, told) = mock.ask(model, "break off", true);
        let e = reply.unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Disconnected, .. }), "{model}: {e}");
        assert!("A long answer that ends in the middle of what it says.".starts_with(&told), "{model}: {told}");
    }
}

/// A task, from the command line to the result, in a process with an environment of its own; the trace and what is said
/// hold no key, and the recording gives the run again without the mock.
#[test]
fn a_task_runs_with_each_provider_and_again_from_its_recording() {
    let mock = Mock::start();
    let folder = ptc_tests::cli::Folder::new("aimock").unwrap();
    std::fs::create_dir_all(folder.path("task")).unwrap();
    let task = "[task]\nname = \"count\"\nprompt = \"How many items?\"\nmodel = \"openai/gpt-5.1\"\n\
                [context.items]\nvalue = [1, 2, 3]\n[model]\nprice = { input = 1.0, output = 10.0 }\n";
    std::fs::write(folder.path("task/task.toml"), task).unwrap();
    for model in MODELS {
        let file = |kind: &str| folder.path(&format!("{}.{kind}", model.replace(['/', ':'], "-")));
        let (trace, record) = (file("jsonl"), file("md"));
        let args = ["run", &folder.path("task"), "--json", "--model", model, "--trace", &trace, "--record", &record];
        let quiet = ptc_cli::CliContext { environment: mock.environment(), ..Default::default() };
        let did = ptc_tests::cli::ptc_in(&args, "", quiet.clone());
        let start = r#"{"status":"returned","value":"{:items 3}","json":{"items":3},"turns":2,"#;
        assert!(did.out.starts_with(start), "{}{}", did.out, did.err);
        assert!(did.err.contains(" tokens in"), "{}", did.err);
        // The price is of the task's own model.
        assert_eq!(did.err.contains("; cost 0."), model == "openai/gpt-5.1", "{}", did.err);
        assert!(!did.err.contains(KEY) && did.err.contains("(println n)"), "{}", did.err);
        for file in [&trace, &record, &format!("{trace}.tokens.json")] {
            assert!(!std::fs::read_to_string(file).unwrap().contains(KEY), "{file}");
        }
        // On a terminal the same reply is shown as it comes, and not twice.
        let live = ptc_cli::CliContext { live: true, ..quiet };
        let did = ptc_tests::cli::ptc_in(&["run", &folder.path("task"), "--model", model], "", live);
        assert_eq!((did.code, did.err.matches("println").count()), (0, 1), "{}", did.err);
        assert!(did.err.contains("I count") && !did.err.contains(KEY), "{}", did.err);
        let replay = format!("replay:{record}");
        let again = ptc_tests::cli::ptc(&["run", &folder.path("task"), "--json", "--model", &replay]);
        assert!(again.out.starts_with(r#"{"status":"returned","value":"{:items 3}""#), "{}{}", again.out, again.err);
    }
}
