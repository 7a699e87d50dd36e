//! Sessions of a server: turns that are asked for one by one, and what a collector that does not keep up leaves.

use crate::collector::{Collector, attributes};
use crate::runs::{Said, shop};
use opentelemetry_proto::tonic::trace::v1::Span;
use ptc_agent::{Agent, Environment, Error, ErrorKind, ModelErrorKind, ObservedSession, RunContext, Task, Toolbox};
use ptc_otel::{AgentSpans, Telemetry, TelemetryOptions};
use ptc_turns::trace::full_turn::fenced;
use ptc_turns::{Config, Session};
use std::time::Duration;

fn telemetry(collector: &Collector, environment: Environment) -> Telemetry {
    let options = TelemetryOptions::default().with_endpoint(&collector.address).with_environment(environment);
    Telemetry::start(options).unwrap()
}

/// A turn that somebody asks for.
fn turn(agent: &mut Agent, spans: &mut AgentSpans, program: &str) {
    spans.begin(Duration::from_millis(70));
    spans.turn_begun(agent.session().trace().turns().len() as u64 + 1);
    match agent.step_with(&fenced(program), None, spans) {
        Ok(record) => {
            ptc_agent::Observer::ran(spans, &record, agent.session());
            spans.close("ok", None);
        }
        Err(e) => spans.close("pending", Some(("approval", &e.text()))),
    }
}

fn find<'s>(spans: &'s [Span], name: &str) -> &'s Span {
    spans.iter().find(|s| s.name == name).unwrap_or_else(|| panic!("{name}: {spans:?}"))
}

#[test]
fn turns_that_are_asked_for_one_by_one_are_spans_of_their_own() {
    let (collector, folder) = (Collector::start("200 OK"), shop());
    let around = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let telemetry = telemetry(&collector, Environment::default().with("TRACEPARENT", around));
    let task = Task::load(&folder.0.join("boss")).unwrap();
    let of = ObservedSession {
        id: "20261123-000000-abcd",
        client: "alice",
        task: Some("boss"),
        ..ObservedSession::default()
    };
    let mut spans = telemetry.sessions().session(&of);
    let context = RunContext { observers: Some(spans.subtasks()), ..RunContext::default() };
    let mut agent = task.agent(Session::new(task.config().unwrap()), &context).unwrap();
    turn(&mut agent, &mut spans, "(def n (tool/stock \"pen\"))");
    turn(&mut agent, &mut spans, "(+ n (tool/helper \"q\"))");
    drop(spans);
    assert_eq!(telemetry.finish(), None);
    let all = collector.spans();
    let outermost: Vec<&Span> = all.iter().filter(|s| s.parent_span_id.is_empty()).collect();
    assert_eq!(outermost.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["turn 1", "turn 2"]);
    assert_ne!(outermost[0].trace_id, outermost[1].trace_id, "each is a trace, and not that of the server's process");
    let about = attributes(&outermost[0].attributes);
    for (key, value) in [
        ("ptc.client", "alice"),
        ("gen_ai.conversation.id", "20261123-000000-abcd"),
        ("gen_ai.agent.name", "boss"),
        ("ptc.turn.queued_ms", "70"),
        ("ptc.turn.status", "ok"),
    ] {
        assert_eq!(about.get(key).map(String::as_str), Some(value), "{key}: {about:?}");
    }
    let call = find(&all, "execute_tool helper");
    let helper = find(&all, "invoke_agent helper");
    assert_eq!((&call.parent_span_id, &helper.parent_span_id), (&outermost[1].span_id, &call.span_id));
    assert!(all.iter().all(|s| s.name != "invoke_agent boss"));
    let metrics = collector.metrics();
    // Those of the two sub-agents are among them.
    assert_eq!(metrics["ptc.turn.duration"].iter().map(|p| p.1).sum::<u64>(), 5);
    assert_eq!(metrics["ptc.turn.queued"].iter().map(|p| (p.1, p.2)).next(), Some((2, 0.14)));
    assert_eq!(metrics["ptc.telemetry.lost_spans"][0].2, 0.0);
}

#[test]
fn a_run_of_a_server_is_begun_again_by_whoever_goes_on_with_it() {
    let (collector, folder) = (Collector::start("200 OK"), shop());
    let telemetry = telemetry(&collector, Environment::default());
    let task = Task::load(&folder.0.join("boss")).unwrap();
    let of =
        ObservedSession { id: "s", client: "bob", task: Some("boss"), model: Some("gemini/gemini-9"), is_run: true };
    let mut spans = telemetry.sessions().session(&of);
    let mut agent = task.agent(Session::new(task.config().unwrap()), &RunContext::default()).unwrap();
    spans.begin(Duration::ZERO);
    let gone = ErrorKind::Model { reason: ModelErrorKind::Overloaded, status: Some(503), tries: 1 };
    agent.run(&mut Said(vec![Err(Error::new(gone, "later"))]), &mut spans);
    spans.close("error", None);
    spans.begin(Duration::ZERO);
    agent.run(&mut Said(vec![Ok("(return 1)")]), &mut spans);
    spans.close("returned", None);
    drop(spans);
    assert_eq!(telemetry.finish(), None);
    let all = collector.spans();
    let runs: Vec<_> =
        all.iter().filter(|s| s.name == "invoke_agent boss").map(|s| attributes(&s.attributes)).collect();
    assert_eq!(runs.len(), 2, "{all:?}");
    assert_eq!((runs[0]["error.type"].as_str(), runs[1]["ptc.status"].as_str()), ("503", "returned"));
    assert!(runs.iter().all(|r| r["ptc.client"] == "bob"));
}

#[test]
fn what_a_collector_does_not_take_is_bounded_and_counted() {
    // It takes connections and never answers.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let deaf = Collector::of(&format!("http://{}", listener.local_addr().unwrap()));
    let environment = Environment::default()
        .with("OTEL_BSP_MAX_QUEUE_SIZE", "4")
        .with("OTEL_BSP_EXPORT_TIMEOUT", "1")
        .with("OTEL_METRICS_EXPORTER", "none");
    let telemetry = telemetry(&deaf, environment);
    let mut spans =
        telemetry.sessions().session(&ObservedSession { id: "s", client: "c", ..ObservedSession::default() });
    let mut agent = Agent::new(Session::new(Config::programs()), Toolbox::new());
    for _ in 0..10 {
        turn(&mut agent, &mut spans, "(+ 1 2)");
    }
    assert!(telemetry.trouble().unwrap().contains("6 spans are lost"), "{:?}", telemetry.trouble());
    drop(spans);
    let end = telemetry.finish().unwrap();
    assert!(end.contains("10 spans are lost"), "{end}");
}
