//! The spans of a run: what is inside what, and what they say.

use crate::collector::{Collector, attributes};
use crate::runs::{run, run_in};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use ptc_agent::{Environment, Error, ErrorKind, ModelErrorKind, RunStatus};
use std::collections::BTreeMap;

/// The names of the spans, each behind those that it is inside, in the order of their beginnings.
fn tree(spans: &[Span]) -> Vec<String> {
    let by_id: BTreeMap<&[u8], &Span> = spans.iter().map(|s| (s.span_id.as_slice(), s)).collect();
    let path = |span: &Span| {
        let mut names = vec![span.name.clone()];
        let mut at = span;
        while let Some(outer) = by_id.get(at.parent_span_id.as_slice()) {
            assert!(outer.start_time_unix_nano <= at.start_time_unix_nano, "{} begins before {}", at.name, outer.name);
            names.push(outer.name.clone());
            at = outer;
        }
        names.reverse();
        names.join(" > ")
    };
    let mut sorted: Vec<&Span> = spans.iter().collect();
    sorted.sort_by_key(|s| s.start_time_unix_nano);
    sorted.into_iter().map(path).collect()
}

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<(&'a Span, BTreeMap<String, String>)> {
    spans.iter().filter(|s| s.name == name).map(|s| (s, attributes(&s.attributes))).collect()
}

const REPLIES: [&str; 3] = [
    "I look.\n```clojure\n(def n (tool/stock \"pen\"))\n(println \"printed-secret\" n)\n```",
    "(tool/stock \"ink\")",
    "(return [n (tool/helper \"how many?\")])",
];

#[test]
fn spans_are_inside_each_other_as_what_they_stand_for() {
    let collector = Collector::start("200 OK");
    let (end, warning) = run(&collector, false, REPLIES.map(Ok).to_vec());
    assert_eq!((end.value.as_deref(), warning), (Some("[3 7]"), None));
    let spans = collector.spans();
    let (top, helper) = ("invoke_agent boss", "invoke_agent boss > turn 3 > execute_tool helper > invoke_agent helper");
    let clerk = format!("{helper} > turn 1 > execute_tool clerk > invoke_agent clerk");
    let want = [
        top.to_owned(),
        format!("{top} > turn 1"),
        format!("{top} > turn 1 > chat gemini-9"),
        format!("{top} > turn 1 > execute_tool stock"),
        format!("{top} > turn 2"),
        format!("{top} > turn 2 > chat gemini-9"),
        format!("{top} > turn 2 > execute_tool stock"),
        format!("{top} > turn 3"),
        format!("{top} > turn 3 > chat gemini-9"),
        format!("{top} > turn 3 > execute_tool helper"),
        helper.to_owned(),
        format!("{helper} > turn 1"),
        format!("{helper} > turn 1 > chat"),
        format!("{helper} > turn 1 > execute_tool clerk"),
        clerk.clone(),
        format!("{clerk} > turn 1"),
        format!("{clerk} > turn 1 > chat"),
        format!("{helper} > turn 2"),
        format!("{helper} > turn 2 > chat"),
    ];
    assert_eq!(tree(&spans), want);
    assert!(spans.iter().all(|s| s.trace_id == spans[0].trace_id && s.end_time_unix_nano >= s.start_time_unix_nano));

    let chat = &named(&spans, "chat gemini-9")[0].1;
    for (key, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "gcp.gemini"),
        ("gen_ai.request.model", "gemini-9"),
        ("gen_ai.response.model", "gemini-9-001"),
        ("gen_ai.response.finish_reasons", "[stop]"),
        ("gen_ai.conversation.id", "20261123-000000-abcd"),
        ("gen_ai.agent.name", "boss"),
        ("gen_ai.usage.input_tokens", "100"),
        ("gen_ai.usage.output_tokens", "20"),
        ("gen_ai.usage.cache_read.input_tokens", "60"),
        ("gen_ai.usage.cache_write.input_tokens", "7"),
        ("gen_ai.usage.cache_creation.input_tokens", "7"),
    ] {
        assert_eq!(chat.get(key).map(String::as_str), Some(value), "{key}: {chat:?}");
    }
    let (agent, about) = &named(&spans, top)[0];
    for (key, value) in [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.agent.name", "boss"),
        ("gen_ai.provider.name", "gcp.gemini"),
        ("gen_ai.request.model", "gemini-9"),
        ("ptc.status", "returned"),
        ("ptc.turns", "3"),
        ("ptc.total.input_tokens", "300"),
        ("ptc.total.tool_calls", "4"),
    ] {
        assert_eq!(about.get(key).map(String::as_str), Some(value), "{key}: {about:?}");
    }
    assert!(agent.status.as_ref().is_none_or(|s| s.code() == StatusCode::Unset));
    let clerk = &named(&spans, "invoke_agent clerk")[0].1;
    let id = &clerk["gen_ai.conversation.id"];
    assert!(id.starts_with("20261123-000000-abcd/agent-helper-") && id.contains(".agent-clerk-"), "{id}");
    let turn = &named(&spans, "turn 1")[0].1;
    assert!(turn["ptc.turn.fuel"].parse::<u64>().unwrap() > 0 && turn["ptc.turn.memory_bytes"] != "0", "{turn:?}");
    assert_eq!(collector.resource()["service.name"], "ptc");
}

#[test]
fn what_fails_says_how_and_no_contents() {
    let collector = Collector::start("200 OK");
    let (_, warning) = run(&collector, false, vec![Ok("(tool/stock \"ink\")"), Ok("(fail \"reason-secret\")")]);
    assert_eq!(warning, None);
    let spans = collector.spans();
    let fails = |name: &str, kind: &str| {
        let (span, about) = &named(&spans, name)[0];
        let status = span.status.as_ref().unwrap();
        assert_eq!((status.code(), about["error.type"].as_str()), (StatusCode::Error, kind), "{name}");
        assert_eq!(status.message, kind, "{name}");
    };
    fails("execute_tool stock", "tool_error");
    fails("turn 1", "tool");
    fails("turn 2", "failed");
    fails("invoke_agent boss", "failed");
    let all = format!("{spans:?}");
    for secret in ["secret", "the-question", "return", "(tool/stock", "sold"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[test]
fn contents_are_sent_where_they_are_asked_for() {
    let collector = Collector::start("200 OK");
    run(&collector, true, REPLIES.map(Ok).to_vec());
    let spans = collector.spans();
    let chat = &named(&spans, "chat gemini-9")[0].1;
    let messages: serde_json::Value = serde_json::from_str(&chat["gen_ai.input.messages"]).unwrap();
    assert_eq!(messages[0]["role"], "user");
    assert!(messages[0]["parts"][0]["content"].as_str().unwrap().contains("the-question"), "{messages}");
    assert!(chat["gen_ai.system_instructions"].contains("PTC-Lisp"));
    let said: serde_json::Value = serde_json::from_str(&chat["gen_ai.output.messages"]).unwrap();
    assert_eq!((&said[0]["role"], &said[0]["finish_reason"]), (&"assistant".into(), &"stop".into()));
    assert!(said[0]["parts"][0]["content"].as_str().unwrap().starts_with("I look."), "{said}");
    let calls = named(&spans, "execute_tool stock");
    let pen = calls.iter().find(|c| c.1.contains_key("gen_ai.tool.call.result")).unwrap();
    assert_eq!(pen.1["gen_ai.tool.call.arguments"], "{\"item\":\"pen\"}");
    assert_eq!(pen.1["gen_ai.tool.call.result"], "3");
    let failed = calls.iter().find(|c| c.1.contains_key("error.type")).unwrap();
    assert!(failed.0.status.as_ref().unwrap().message.contains("sold-out-secret"));
    let turns = named(&spans, "turn 1");
    let turn = turns.iter().find(|t| t.1["ptc.turn.program"].contains("println")).unwrap();
    assert!(turn.1["ptc.turn.printed"].contains("printed-secret 3"));
}

#[test]
fn a_model_that_does_not_answer_is_an_error_of_all_that_waits_for_it() {
    let collector = Collector::start("200 OK");
    let kind = ErrorKind::Model { reason: ModelErrorKind::RateLimited, status: Some(429), tries: 3 };
    let (end, _) = run(&collector, false, vec![Err(Error::new(kind, "too many requests"))]);
    assert_eq!(end.status, RunStatus::Error);
    let spans = collector.spans();
    assert_eq!(tree(&spans).last().unwrap(), "invoke_agent boss > turn 1 > chat gemini-9");
    for span in &spans {
        assert_eq!(attributes(&span.attributes)["error.type"], "429", "{}", span.name);
    }
}

#[test]
fn a_run_is_inside_the_span_that_the_environment_names() {
    let collector = Collector::start("200 OK");
    let outer = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    run_in(&collector, false, Environment::default().with("TRACEPARENT", outer), vec![Ok("(return 1)")]);
    let spans = collector.spans();
    let top = named(&spans, "invoke_agent boss")[0].0;
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    assert_eq!(hex(&top.trace_id), "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(hex(&top.parent_span_id), "b7ad6b7169203331");
}

#[test]
fn a_collector_that_refuses_is_said_once_and_the_run_is_not_affected() {
    let collector = Collector::start("403 Forbidden");
    let (end, warning) = run(&collector, false, vec![Ok("(return 1)")]);
    let warning = warning.unwrap();
    assert_eq!(end.status, RunStatus::Returned);
    assert!(warning.contains("it answers 403") && warning.contains(&collector.address), "{warning}");
    assert!(!warning.contains('\n'), "{warning}");
}

#[test]
fn nobody_at_the_address_is_said_once() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = Collector::of(&format!("http://me:password@{gone}"));
    let (end, warning) = run(&nobody, false, vec![Ok("(return 1)")]);
    let warning = warning.unwrap();
    assert_eq!(end.status, RunStatus::Returned);
    assert!(warning.contains(&gone.to_string()) && !warning.contains("password"), "{warning}");
}

#[test]
fn nothing_is_sent_of_a_run_that_never_began() {
    let collector = Collector::start("200 OK");
    let options = ptc_otel::TelemetryOptions::default().with_endpoint(&collector.address);
    let telemetry = ptc_otel::Telemetry::start(options).unwrap();
    drop(telemetry.run("boss", None, None));
    assert_eq!(telemetry.finish(), None);
    assert!(collector.spans().is_empty());
}
