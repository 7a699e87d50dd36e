//! The instruments.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};
use ptc_turns::trace::record::ModelUsage;
use std::time::Duration;

/// Boundaries of durations, as the conventions give them, in seconds.
const SECONDS: [f64; 14] = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// What is counted and measured.
pub(crate) struct Instruments {
    operation: Histogram<f64>,
    tool: Histogram<f64>,
    agent: Histogram<f64>,
    turn: Histogram<f64>,
    queued: Histogram<f64>,
    first_chunk: Histogram<f64>,
    tokens: Histogram<u64>,
    input: Counter<u64>,
    output: Counter<u64>,
    cache_read: Counter<u64>,
    cache_write: Counter<u64>,
}

impl Instruments {
    pub(crate) fn new(meter: &Meter) -> Self {
        let seconds = |name: &'static str, about: &'static str| {
            let made = meter.f64_histogram(name).with_unit("s").with_description(about);
            made.with_boundaries(SECONDS.to_vec()).build()
        };
        let tokens = |name: &'static str, about: &'static str| {
            meter.u64_counter(name).with_unit("{token}").with_description(about).build()
        };
        // Powers of four up to 67 million.
        let sizes = (0..14).map(|n| 4_f64.powi(n)).collect();
        Instruments {
            operation: seconds("gen_ai.client.operation.duration", "How long requests to models took"),
            tool: seconds("gen_ai.execute_tool.duration", "How long tool calls took"),
            agent: seconds("gen_ai.invoke_agent.duration", "How long runs of agents took"),
            turn: seconds("ptc.turn.duration", "How long programs of turns took, with the tools that they called"),
            queued: seconds("ptc.turn.queued", "How long turns and runs of a server waited for their place"),
            first_chunk: seconds(
                "gen_ai.client.operation.time_to_first_chunk",
                "How long models took to say something, of answers in pieces",
            ),
            tokens: meter
                .u64_histogram("gen_ai.client.token.usage")
                .with_unit("{token}")
                .with_description("Tokens of requests and answers")
                .with_boundaries(sizes)
                .build(),
            input: tokens("gen_ai.client.inference.usage.input_tokens", "Tokens of requests, cached ones included"),
            output: tokens("gen_ai.client.inference.usage.output_tokens", "Tokens of answers"),
            cache_read: tokens(
                "gen_ai.client.inference.usage.cache_read.input_tokens",
                "Tokens of requests that were read from the provider's cache",
            ),
            cache_write: tokens(
                "gen_ai.client.inference.usage.cache_write.input_tokens",
                "Tokens of requests that were written to the provider's cache",
            ),
        }
    }

    /// A request to a model has ended.
    pub(crate) fn asked(&self, took: Duration, first: Option<Duration>, about: &[KeyValue], error: Option<&str>) {
        let all = with_error(about, error);
        self.operation.record(took.as_secs_f64(), &all);
        if let Some(first) = first {
            self.first_chunk.record(first.as_secs_f64(), about);
        }
    }

    /// What the provider reported of it.
    pub(crate) fn used(&self, usage: &ModelUsage, about: &[KeyValue]) {
        let sizes = [("input", usage.input_tokens), ("output", usage.output_tokens)];
        for (kind, n) in sizes.into_iter().filter_map(|(kind, n)| Some((kind, n?))) {
            let mut all = about.to_vec();
            all.push(KeyValue::new("gen_ai.token.type", kind));
            self.tokens.record(n, &all);
        }
        let mut all = about.to_vec();
        all.push(KeyValue::new("gen_ai.token.modality", "unknown"));
        let counts = [
            (&self.input, usage.input_tokens),
            (&self.output, usage.output_tokens),
            (&self.cache_read, usage.cached_tokens),
            (&self.cache_write, usage.cache_write_tokens),
        ];
        for (counter, n) in counts.into_iter().filter_map(|(counter, n)| Some((counter, n?))) {
            counter.add(n, &all);
        }
    }

    /// A tool call has its answer.
    pub(crate) fn called(&self, took: Duration, tool: &str, error: Option<&str>) {
        let about = [
            KeyValue::new("gen_ai.operation.name", "execute_tool"),
            KeyValue::new("gen_ai.tool.name", tool.to_owned()),
        ];
        self.tool.record(took.as_secs_f64(), &with_error(&about, error));
    }

    /// A turn has run.
    pub(crate) fn turn_ran(&self, ms: u64, status: &'static str) {
        self.turn.record(Duration::from_millis(ms).as_secs_f64(), &[KeyValue::new("ptc.turn.status", status)]);
    }

    /// A turn or a run of a server has its place.
    pub(crate) fn waited(&self, queued: Duration) {
        self.queued.record(queued.as_secs_f64(), &[]);
    }

    /// A run has ended.
    pub(crate) fn ran(&self, took: Duration, agent: &str, error: Option<&str>) {
        let about = [
            KeyValue::new("gen_ai.operation.name", "invoke_agent"),
            KeyValue::new("gen_ai.agent.name", agent.to_owned()),
        ];
        self.agent.record(took.as_secs_f64(), &with_error(&about, error));
    }
}

fn with_error(about: &[KeyValue], error: Option<&str>) -> Vec<KeyValue> {
    let error = error.map(|e| KeyValue::new("error.type", e.to_owned()));
    about.iter().cloned().chain(error).collect()
}
