//! The metrics of a run.

use crate::collector::Collector;
use crate::runs::run;

#[test]
fn requests_tokens_calls_and_runs_are_measured() {
    let collector = Collector::start("200 OK");
    let replies = ["(tool/stock \"pen\")", "(tool/stock \"ink\")", "(return 1)"];
    let (end, warning) = run(&collector, false, replies.map(Ok).to_vec());
    assert_eq!((end.value.as_deref(), warning), (Some("1"), None));
    let metrics = collector.metrics();
    let one = |name: &str, key: &str, value: &str| {
        let points = metrics.get(name).unwrap_or_else(|| panic!("{name}: {metrics:?}"));
        let found = points.iter().find(|p| p.0.get(key).is_some_and(|v| v == value));
        found.unwrap_or_else(|| panic!("{name} {key} {value}: {points:?}")).clone()
    };
    let (about, count, _) = one("gen_ai.client.operation.duration", "gen_ai.operation.name", "chat");
    assert_eq!((count, about["gen_ai.provider.name"].as_str()), (3, "gcp.gemini"));
    assert_eq!(about["gen_ai.request.model"], "gemini-9");
    for (kind, sum) in [("input", 300.0), ("output", 60.0)] {
        let point = one("gen_ai.client.token.usage", "gen_ai.token.type", kind);
        assert_eq!((point.1, point.2), (3, sum), "{kind}");
    }
    for (name, sum) in [
        ("gen_ai.client.inference.usage.input_tokens", 300.0),
        ("gen_ai.client.inference.usage.output_tokens", 60.0),
        ("gen_ai.client.inference.usage.cache_read.input_tokens", 180.0),
        ("gen_ai.client.inference.usage.cache_write.input_tokens", 21.0),
    ] {
        assert_eq!(one(name, "gen_ai.response.model", "gemini-9-001").2, sum, "{name}");
    }
    assert_eq!(one("gen_ai.execute_tool.duration", "error.type", "tool_error").1, 1);
    assert_eq!(metrics["gen_ai.execute_tool.duration"].iter().map(|p| p.1).sum::<u64>(), 2);
    assert_eq!(one("gen_ai.invoke_agent.duration", "gen_ai.agent.name", "boss").1, 1);
}
