//! A task with a tool and a sub-agent, run with a model that says what it is told to.

use crate::collector::Collector;
use ptc_agent::{CountedAs, Environment, Error, Model, Reply, Request, RunContext, RunOutcome, Task};
use ptc_history::tokens::Api;
use ptc_otel::{Telemetry, TelemetryOptions};
use ptc_turns::Session;
use ptc_turns::trace::record::ModelUsage;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder of a task that goes away.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ptc-otel-{}-{n}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A task whose sub-agent has a sub-agent, and two tools, one of which fails.
pub fn shop() -> Folder {
    let tool = "params = [{ name = \"item\", type = \"string\" }]\nreplay = \"calls.jsonl\"\n";
    let calls =
        "{\"args\":{\"item\":\"pen\"},\"result\":3}\n{\"args\":{\"item\":\"ink\"},\"error\":\"sold-out-secret\"}\n";
    let boss = format!(
        "[task]\nname = \"boss\"\nprompt = \"the-question\"\nmax_turns = 6\n[tools.stock]\n{tool}\
         [agents.helper]\ntask = \"../helper\"\n"
    );
    Folder::new(&[
        ("boss/task.toml", &boss),
        ("boss/calls.jsonl", calls),
        (
            "helper/task.toml",
            "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n[agents.clerk]\ntask = \"../clerk\"\n",
        ),
        ("helper/r.md", "## Turn 1\n(def a (tool/clerk \"q\"))\n## Turn 2\n(return a)\n"),
        ("clerk/task.toml", "[task]\nprompt = \"Write.\"\nmodel = \"replay:r.md\"\n"),
        ("clerk/r.md", "## Turn 1\n(return 7)\n"),
    ])
}

/// A model of a provider.
pub struct Said(pub Vec<Result<&'static str, Error>>);

impl Model for Said {
    fn reply(&mut self, mut request: Request<'_>) -> Result<Reply, Error> {
        let text = self.0.remove(0)?;
        if let Some(said) = &mut request.said {
            said(text);
        }
        let usage = ModelUsage {
            provider: "gemini".into(),
            model: "gemini-9-001".into(),
            input_tokens: Some(100),
            output_tokens: Some(20),
            cached_tokens: Some(60),
            cache_write_tokens: Some(7),
            ..ModelUsage::default()
        };
        Ok(Reply { usage: Some(usage), ..Reply::text(text) })
    }

    fn counted_as(&self) -> Option<CountedAs> {
        Some(CountedAs { provider: "google".into(), api: Api::Chat, model: "gemini-9".into() })
    }
}

/// Runs the task of `shop` with these replies, told to this collector.
pub fn run(
    collector: &Collector,
    content: bool,
    replies: Vec<Result<&'static str, Error>>,
) -> (RunOutcome, Option<String>) {
    run_in(collector, content, Environment::default(), replies)
}

/// The same in this environment.
pub fn run_in(
    collector: &Collector,
    content: bool,
    environment: Environment,
    replies: Vec<Result<&'static str, Error>>,
) -> (RunOutcome, Option<String>) {
    let folder = shop();
    let task = Task::load(&folder.0.join("boss")).unwrap();
    let options = TelemetryOptions::default().with_content(content).with_endpoint(&collector.address);
    let telemetry = Telemetry::start(options.with_environment(environment)).unwrap();
    let mut spans = telemetry.run(&task.name, Some("gemini/gemini-9"), Some("20261123-000000-abcd"));
    let around = RunContext { observers: Some(spans.subtasks()), ..RunContext::default() };
    let mut agent = task.agent(Session::new(task.config().unwrap()), &around).unwrap();
    let end = agent.run(&mut Said(replies), &mut spans);
    (end, telemetry.finish())
}
