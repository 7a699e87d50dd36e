//! Spans of a run in MLflow, which no one here wrote: it takes them as any collector does, and shows agent, model and tool.
//! `scripts/mlflow` fetches it.

use ptc_tests::cli::Folder;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

fn tool(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/mlflow/bin").join(name);
    assert!(path.is_file(), "{} is not there: run scripts/mlflow", path.display());
    path
}

/// The server, until it is dropped.
struct Mlflow {
    child: Child,
    url: String,
}

impl Mlflow {
    fn start(folder: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let store = format!("sqlite:///{}", folder.join("mlflow.db").display());
        let mut command = Command::new(tool("mlflow"));
        command.args(["server", "--workers", "1", "--host", "127.0.0.1", "--backend-store-uri", &store]);
        command.args(["--port", &port.to_string()]).current_dir(folder).env("MLFLOW_DISABLE_TELEMETRY", "true");
        // A group of its own: its workers end with it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let url = format!("http://127.0.0.1:{port}");
        while !healthy(port) {
            assert!(child.try_wait().unwrap().is_none(), "mlflow server did not start");
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        Mlflow { child, url }
    }

    /// What it shows of its traces.
    fn shown(&self) -> Value {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("external/otel/show.py");
        let out = Command::new(tool("python")).arg(script).arg(&self.url).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).unwrap()
    }
}

impl Drop for Mlflow {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
    }
}

fn healthy(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let _ = write!(stream, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.starts_with("HTTP/1.1 200")
}

/// A provider that gives these replies in order.
fn provider(replies: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut replies = replies.iter();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            loop {
                let (mut length, mut line) = (0, String::new());
                while reader.read_line(&mut line).unwrap_or(0) > 2 {
                    let lower = line.to_lowercase();
                    if let Some(n) = lower.strip_prefix("content-length: ") {
                        length = n.trim().parse().unwrap();
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                if length == 0 || reader.read_exact(&mut body).is_err() {
                    break;
                }
                let Some(reply) = replies.next() else { break };
                let usage = serde_json::json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120});
                let choice = serde_json::json!({"index": 0, "finish_reason": "stop",
                    "message": {"role": "assistant", "content": reply}});
                let answer = serde_json::json!({"id": "1", "object": "chat.completion", "model": "small-1",
                    "choices": [choice], "usage": usage});
                let text = answer.to_string();
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length";
                write!(stream, "{head}: {}\r\n\r\n{text}", text.len()).unwrap();
            }
        }
    });
    url
}

#[test]
fn a_viewer_shows_agents_models_and_tools() {
    let folder = Folder::new("mlflow").unwrap();
    let root = PathBuf::from(folder.path(""));
    let mlflow = Mlflow::start(&root);
    let file = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    file(
        "shop/task.toml",
        "[task]\nname = \"shop\"\nprompt = \"What is in stock?\"\nmodel = \"openai-compatible/small\"\n\
         [tools.stock]\nparams = [{ name = \"item\", type = \"string\" }]\nreplay = \"stock.jsonl\"\n\
         [agents.helper]\ntask = \"../helper\"\n",
    );
    file(
        "shop/stock.jsonl",
        "{\"args\":{\"item\":\"pen\"},\"result\":3}\n{\"args\":{\"item\":\"ink\"},\"error\":\"sold out\"}\n",
    );
    file("helper/task.toml", "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n");
    file("helper/r.md", "## Turn 1\n(return 7)\n");
    let replies = &["(def n (tool/stock \"pen\"))", "(tool/stock \"ink\")", "(return [n (tool/helper \"go\")])"];
    let environment = ptc_agent::Environment::default()
        .with("OPENAI_COMPATIBLE_BASE_URL", provider(replies))
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", &mlflow.url)
        .with("OTEL_EXPORTER_OTLP_HEADERS", "x-mlflow-experiment-id=0")
        // It may be slow on a machine that does other things.
        .with("OTEL_BSP_EXPORT_TIMEOUT", "120000")
        .with("OTEL_EXPORTER_OTLP_TIMEOUT", "120000")
        // MLflow takes spans alone.
        .with("OTEL_METRICS_EXPORTER", "none");
    let context = ptc_cli::CliContext { environment, home: Some(root.join("home")), ..Default::default() };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let task = root.join("shop").display().to_string();
    let args = ["ptc", "run", &task, "-q", "--otel-content"];
    let code = ptc_cli::run_in(args, &mut "".as_bytes(), &mut out, &mut err, context);
    let err = String::from_utf8_lossy(&err);
    assert_eq!((code, String::from_utf8_lossy(&out).trim()), (0, "[3 7]"), "{err}");
    assert!(!err.contains("did not reach"), "{err}");

    let shown = mlflow.shown();
    let [trace] = shown.as_array().unwrap().as_slice() else { panic!("one trace: {shown}") };
    let spans = trace["spans"].as_array().unwrap();
    let find = |name: &str| -> Vec<&Value> { spans.iter().filter(|s| s["name"] == name).collect() };
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let agent = find("invoke_agent shop")[0];
    assert_eq!((text(&agent["type"]), agent["inside"].is_null()), ("AGENT".to_owned(), true), "{shown}");
    let helper = find("invoke_agent helper")[0];
    assert_eq!(
        (text(&helper["type"]), text(&helper["inside"])),
        ("AGENT".into(), "execute_tool helper".into()),
        "{shown}"
    );
    let chats = find("chat small");
    assert_eq!(chats.len(), 3, "{shown}");
    for chat in chats {
        let of = (text(&chat["type"]), text(&chat["model"]), chat["inputs"].clone(), chat["outputs"].clone());
        assert_eq!(of, ("CHAT_MODEL".into(), "small".into(), true.into(), true.into()), "{shown}");
    }
    let tools = find("execute_tool stock");
    assert_eq!(tools.iter().map(|t| text(&t["type"])).collect::<Vec<_>>(), ["TOOL", "TOOL"], "{shown}");
    assert_eq!(tools.iter().filter(|t| t["status"] == "ERROR").count(), 1, "{shown}");
    assert_eq!(
        (&trace["tokens"]["input_tokens"], &trace["tokens"]["output_tokens"]),
        (&300.into(), &60.into()),
        "{shown}"
    );

    // And the commands of the page, as they stand there.
    let root_of_all = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root_of_all.join("docs/opentelemetry.md")).unwrap();
    let viewer = page.split_once("## A viewer: MLflow").unwrap().1;
    let block = viewer.split("```sh\n").nth(2).unwrap().split("\n```").next().unwrap();
    let [exports, run] = block.lines().collect::<Vec<_>>()[..] else { panic!("two lines: {block}") };
    let mut environment = ptc_agent::Environment::default()
        .with("OTEL_BSP_EXPORT_TIMEOUT", "120000")
        .with("OTEL_EXPORTER_OTLP_TIMEOUT", "120000");
    for pair in exports.strip_prefix("export ").unwrap().split(' ') {
        let (name, value) = pair.split_once('=').unwrap();
        environment = environment.with(name, value.replace("http://127.0.0.1:5000", &mlflow.url));
    }
    let context = ptc_cli::CliContext { environment, home: Some(root.join("home")), ..Default::default() };
    let example = root_of_all.join("examples/tasks/recovery").display().to_string();
    let args: Vec<String> = run.split(' ').map(|w| w.replace("examples/tasks/recovery", &example)).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = ptc_cli::run_in(args, &mut "".as_bytes(), &mut out, &mut err, context);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&err));
    let shown = mlflow.shown();
    let names = shown.as_array().unwrap().iter().flat_map(|t| t["spans"].as_array().unwrap()).map(|s| text(&s["name"]));
    let names: Vec<String> = names.collect();
    for name in ["invoke_agent overdue", "execute_tool invoices", "execute_tool contact"] {
        assert!(names.iter().any(|n| n == name), "{name}: {names:?}");
    }
}
