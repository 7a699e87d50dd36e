//! What is set up once a process: the exporters, where they send to, and the end.

use crate::client::Client;
use crate::metrics::Instruments;
use crate::queue::{Bounded, Counted, Waiting};
use crate::run_state::{About, RunState};
use crate::spans::AgentSpans;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{Context, InstrumentationScope, KeyValue, metrics::MeterProvider as _};
use opentelemetry_otlp::{MetricExporter, Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use ptc_agent::{Environment, Error, ErrorKind, ObservedSession, error_text};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// What is waited for at the end of a run until the collector has everything, where `OTEL_BSP_EXPORT_TIMEOUT` does not say.
const FLUSH: Duration = Duration::from_secs(3);
/// What is waited for a collector's answer where the environment does not say.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The version of the conventions that the names are of.
const SCHEMA: &str = "https://opentelemetry.io/schemas/gen-ai/0.1.0";
/// Variables that name a collector.
const ENDPOINTS: [&str; 3] =
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"];

/// Variables that say how requests are compressed.
const COMPRESSIONS: [&str; 3] = [
    "OTEL_EXPORTER_OTLP_COMPRESSION",
    "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION",
    "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION",
];
/// Variables that are whole numbers: milliseconds, or how many.
const NUMBERS: [&str; 9] = [
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
    "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT",
    "OTEL_BSP_EXPORT_TIMEOUT",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_BSP_MAX_QUEUE_SIZE",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    "OTEL_METRIC_EXPORT_INTERVAL",
    "OTEL_METRIC_EXPORT_TIMEOUT",
];
/// The largest of them; a longer time is none that a clock can count to.
const MOST: u64 = 1_000_000_000;

/// What is sent, and where to. What these do not say is read from the process's environment, by the names that
/// OpenTelemetry has for it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TelemetryOptions {
    /// Whether prompts, replies, programs, values, and arguments and answers of tools are sent.
    pub content: bool,
    /// The collector's address, over the environment's: `http://localhost:4318`.
    pub endpoint: Option<String>,
    /// Where the variables are that say whether and where to send. Sampling, batches and the names of the process are read
    /// from the process's own.
    pub environment: Environment,
}

impl TelemetryOptions {
    /// These, with contents or without.
    #[must_use]
    pub fn with_content(mut self, content: bool) -> Self {
        self.content = content;
        self
    }

    /// These, sent to the collector at this address.
    #[must_use]
    pub fn with_endpoint(mut self, endpoint: impl Into<String>) -> Self {
        self.endpoint = Some(endpoint.into());
        self
    }

    /// These, as this environment says.
    #[must_use]
    pub fn with_environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }
}

/// Where spans and metrics go. Dropping it sends what is left, as [`Telemetry::finish`] does.
pub struct Telemetry {
    shared: Arc<Exported>,
    parent: Context,
    providers: Option<Providers>,
}

/// What all runs of a process write to.
pub(crate) struct Exported {
    pub(crate) tracer: SdkTracer,
    pub(crate) instruments: Instruments,
    pub(crate) content: bool,
}

/// Makes the observers of sessions that a server runs turns in, each as long as its session is open. Clones are the same.
#[derive(Clone)]
pub struct SessionSpans {
    shared: Arc<Exported>,
}

impl SessionSpans {
    /// The observer of this session. Where it is no run, each of its turns is a span that none is around. Each thing that is asked for in it is begun by [`AgentSpans::begin`] and ends with
    /// [`AgentSpans::close`]; spans of different ones are not inside each other.
    pub fn session(&self, of: &ObservedSession<'_>) -> AgentSpans {
        let about = About {
            agent: of.task.unwrap_or_default().to_owned(),
            model: of.model.map(str::to_owned),
            conversation: Some(of.id.to_owned()),
            client: Some(of.client.to_owned()),
            alone: !of.is_run,
        };
        AgentSpans::of_run(RunState::new(self.shared.clone(), Context::new(), about))
    }
}

struct Providers {
    traces: SdkTracerProvider,
    metrics: SdkMeterProvider,
    client: Client,
    waiting: Arc<Waiting>,
    /// The collector's address, without what may be secret of it.
    shown: String,
    /// What is waited for at the end.
    flush: Duration,
}

impl Telemetry {
    /// Whether this environment names a collector and does not forbid to use it.
    pub fn wanted(environment: &Environment) -> bool {
        !disabled(environment) && ENDPOINTS.iter().any(|name| environment.get(name).is_some())
    }

    /// Begins to send. Nothing is sent before a run has begun.
    ///
    /// # Errors
    /// When an address or another variable cannot be used, or no thread can be had.
    pub fn start(options: TelemetryOptions) -> Result<Self, Error> {
        let TelemetryOptions { content, endpoint, environment } = options;
        let usage = |words: String, hint: &str| Error::new(ErrorKind::Usage, error_text!("{words}"; "{hint}"));
        for name in
            ["OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL"]
        {
            if let Some(other) = environment.get(name).filter(|p| *p != "http/protobuf") {
                let hint = "set it to http/protobuf, and the endpoint to the collector's port for HTTP, usually 4318";
                return Err(usage(format!("{name} asks for {other}, and only http/protobuf is spoken"), hint));
            }
        }
        for name in COMPRESSIONS {
            if let Some(other) = environment.get(name).filter(|c| !matches!(*c, "" | "none")) {
                let words =
                    format!("{name} asks for {}, and nothing is compressed here", ptc_text::cut::one_line(other, 40));
                return Err(usage(words, "set it to none"));
            }
        }
        let mut numbers = HashMap::new();
        for name in NUMBERS {
            if let Some(n) = number(&environment, name)? {
                numbers.insert(name, n);
            }
        }
        let ms = |name: &str, other: Duration| numbers.get(name).map_or(other, |ms| Duration::from_millis(*ms));
        let (timeout, flush) = (ms("OTEL_EXPORTER_OTLP_TIMEOUT", TIMEOUT), ms("OTEL_BSP_EXPORT_TIMEOUT", FLUSH));
        let client = Client::new(timeout)?;
        let address = |signal: &str| address(endpoint.as_deref(), &environment, signal);
        let shown = without_secrets(&address("traces"));
        let refused = |e: &dyn std::fmt::Display| {
            usage(format!("telemetry cannot be sent: {e}"), "correct OTEL_EXPORTER_OTLP_ENDPOINT, or leave --otel out")
        };
        let resource = resource(&environment);
        let waiting = Waiting::of(numbers.get("OTEL_BSP_MAX_QUEUE_SIZE").copied());
        let mut traces = SdkTracerProvider::builder().with_resource(resource.clone());
        if exports(&environment, "OTEL_TRACES_EXPORTER")? {
            let mut exporter = SpanExporter::builder().with_http().with_http_client(client.clone());
            exporter = exporter.with_protocol(Protocol::HttpBinary).with_timeout(timeout);
            exporter = exporter.with_endpoint(address("traces")).with_headers(headers(&environment, "traces"));
            let exporter = Counted::new(exporter.build().map_err(|e| refused(&e))?, waiting.clone());
            traces = traces.with_span_processor(Bounded::new(exporter, waiting.clone()));
        }
        let mut metrics = SdkMeterProvider::builder().with_resource(resource);
        if exports(&environment, "OTEL_METRICS_EXPORTER")? {
            let mut exporter = MetricExporter::builder().with_http().with_http_client(client.clone());
            exporter = exporter.with_protocol(Protocol::HttpBinary).with_timeout(timeout);
            exporter = exporter.with_endpoint(address("metrics")).with_headers(headers(&environment, "metrics"));
            metrics = metrics.with_periodic_exporter(exporter.build().map_err(|e| refused(&e))?);
        }
        let (traces, metrics) = (traces.build(), metrics.build());
        let scope =
            InstrumentationScope::builder("ptc").with_version(env!("CARGO_PKG_VERSION")).with_schema_url(SCHEMA);
        let scope = scope.build();
        let tracer = traces.tracer_with_scope(scope.clone());
        let meter = metrics.meter_with_scope(scope);
        let instruments = Instruments::new(&meter);
        waiting.measured(&meter);
        Ok(Telemetry {
            shared: Arc::new(Exported { tracer, instruments, content }),
            parent: parent(&environment),
            providers: Some(Providers { traces, metrics, client, waiting, shown, flush }),
        })
    }

    /// The observer of a run of this agent. `model` is what it asks, as its task names it; `conversation` the id by which its
    /// session is found again.
    pub fn run(&self, agent: &str, model: Option<&str>, conversation: Option<&str>) -> AgentSpans {
        let about = About {
            agent: agent.to_owned(),
            model: model.map(str::to_owned),
            conversation: conversation.map(str::to_owned),
            ..About::default()
        };
        AgentSpans::of_run(RunState::new(self.shared.clone(), self.parent.clone(), about))
    }

    /// What makes the observers of the sessions of a server.
    pub fn sessions(&self) -> SessionSpans {
        SessionSpans { shared: self.shared.clone() }
    }

    /// What did not arrive until now, in one sentence; none where all did.
    pub fn trouble(&self) -> Option<String> {
        self.providers.as_ref()?.trouble(None)
    }

    /// Sends what is left, for three seconds at most (or the milliseconds of `OTEL_BSP_EXPORT_TIMEOUT`), and says in one sentence if something did not arrive.
    pub fn finish(mut self) -> Option<String> {
        self.close()
    }

    fn close(&mut self) -> Option<String> {
        let providers = self.providers.take()?;
        let (traces, metrics, flush) = (providers.traces.clone(), providers.metrics.clone(), providers.flush);
        let (done, ended) = channel();
        let other = done.clone();
        // Exporters wait on threads of theirs: one that does not come back is left behind.
        let begun = [
            std::thread::Builder::new().name("ptc-otel".to_owned()).spawn(move || {
                let _ = done.send(traces.shutdown_with_timeout(flush).is_ok());
            }),
            std::thread::Builder::new().name("ptc-otel".to_owned()).spawn(move || {
                let _ = other.send(metrics.shutdown_with_timeout(flush).is_ok());
            }),
        ];
        let until = std::time::Instant::now().checked_add(flush);
        let mut all = begun.iter().all(Result::is_ok);
        for _ in 0..2 {
            let left = until.map(|u| u.saturating_duration_since(std::time::Instant::now())).unwrap_or_default();
            all = matches!(ended.recv_timeout(left), Ok(true)) && all;
        }
        let trouble = providers.trouble((!all).then_some("it did not answer in time"));
        providers.client.stop();
        trouble
    }
}

impl Providers {
    /// What did not arrive, in one sentence. `end` is what went wrong at the end, if nothing did before.
    fn trouble(&self, end: Option<&str>) -> Option<String> {
        let shown = &self.shown;
        // What waits still when it ends is not sent any more.
        let left = end.map_or(0, |_| self.waiting.spans());
        let lost = match self.waiting.lost().saturating_add(left) {
            0 => String::new(),
            1 => "; 1 span is lost".to_owned(),
            lost => format!("; {lost} spans are lost"),
        };
        match self.client.failure().or_else(|| end.map(str::to_owned)) {
            Some(why) => Some(format!(
                "spans and metrics did not reach the collector at {shown}: {why}{lost}; the run is not affected"
            )),
            None if lost.is_empty() => None,
            None => Some(format!("more happened than the collector at {shown} took{lost}; the run is not affected")),
        }
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        self.close();
    }
}

fn disabled(environment: &Environment) -> bool {
    environment.get("OTEL_SDK_DISABLED").is_some_and(|v| v.eq_ignore_ascii_case("true"))
}

/// A variable that is a whole number.
fn number(environment: &Environment, name: &str) -> Result<Option<u64>, Error> {
    let Some(text) = environment.get(name).map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    match text.parse::<u64>() {
        Ok(n) if n <= MOST => Ok(Some(n)),
        _ => {
            let shown = ptc_text::cut::one_line(text, 40);
            let words = error_text!("{name} is {shown}"; "set it to a whole number from 0 to {MOST}");
            Err(Error::new(ErrorKind::Usage, words))
        }
    }
}

/// Whether this signal is exported: `otlp`, which is what is meant without the variable, or `none`.
fn exports(environment: &Environment, name: &str) -> Result<bool, Error> {
    match environment.get(name) {
        None | Some("otlp") => Ok(!disabled(environment)),
        Some("none") => Ok(false),
        Some(other) => {
            let words = error_text!("{name} asks for {other}, and only otlp is there"; "set it to otlp or none");
            Err(Error::new(ErrorKind::Usage, words))
        }
    }
}

/// Where a signal goes: `traces` or `metrics`.
fn address(endpoint: Option<&str>, environment: &Environment, signal: &str) -> String {
    let own = environment.get(&format!("OTEL_EXPORTER_OTLP_{}_ENDPOINT", signal.to_ascii_uppercase()));
    let base = endpoint.or_else(|| environment.get("OTEL_EXPORTER_OTLP_ENDPOINT")).unwrap_or("http://localhost:4318");
    match own.filter(|_| endpoint.is_none()) {
        Some(own) => own.to_owned(),
        None => format!("{}/v1/{signal}", base.trim_end_matches('/')),
    }
}

/// What is said with each request: `KEY=VALUE,...`, with `%20` and its like in values.
fn headers(environment: &Environment, signal: &str) -> HashMap<String, String> {
    let own = environment.get(&format!("OTEL_EXPORTER_OTLP_{}_HEADERS", signal.to_ascii_uppercase()));
    let all = own.or_else(|| environment.get("OTEL_EXPORTER_OTLP_HEADERS")).unwrap_or_default();
    let decoded = |v: &str| percent_encoding::percent_decode_str(v.trim()).decode_utf8_lossy().into_owned();
    all.split(',').filter_map(|h| h.split_once('=')).map(|(k, v)| (k.trim().to_owned(), decoded(v))).collect()
}

/// An address without user, password, path and query.
fn without_secrets(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("http", address));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let line: String = format!("{scheme}://{host}").chars().filter(|c| c.is_ascii_graphic()).take(200).collect();
    line
}

/// The process, as `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say; called `ptc` where they do not.
fn resource(environment: &Environment) -> Resource {
    let attributes = environment.get("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    let key = |entry: &str| entry.split_once('=').is_some_and(|(key, _)| key.trim() == "service.name");
    let named = environment.get("OTEL_SERVICE_NAME").is_some() || attributes.split(',').any(key);
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let builder = Resource::builder().with_attribute(version);
    if named { builder.build() } else { builder.with_service_name("ptc").build() }
}

/// The span that runs are in: that of the program which started this one, where `TRACEPARENT` names it.
fn parent(environment: &Environment) -> Context {
    let carrier: HashMap<String, String> = [("traceparent", "TRACEPARENT"), ("tracestate", "TRACESTATE")]
        .into_iter()
        .filter_map(|(key, name)| Some((key.to_owned(), environment.get(name)?.to_owned())))
        .collect();
    TraceContextPropagator::new().extract_with_context(&Context::new(), &carrier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_an_address_holds_no_secret() {
        for (address, shown) in [
            ("http://localhost:4318", "http://localhost:4318"),
            ("https://me:secret@c.example:1/v1?key=secret", "https://c.example:1"),
            ("me:secret@c.example", "http://c.example"),
        ] {
            assert_eq!(without_secrets(address), shown);
        }
    }

    #[test]
    fn a_signal_goes_where_its_own_variable_says() {
        let none = Environment::default();
        assert_eq!(address(None, &none, "traces"), "http://localhost:4318/v1/traces");
        let both = none.with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1/");
        let both = both.with("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://b:2/m");
        assert_eq!(address(None, &both, "traces"), "http://a:1/v1/traces");
        assert_eq!(address(None, &both, "metrics"), "http://b:2/m");
        assert_eq!(address(Some("http://c:3"), &both, "metrics"), "http://c:3/v1/metrics");
    }

    #[test]
    fn headers_are_those_of_the_environment() {
        let one =
            Environment::default().with("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20eA==, x-a = b ,,odd");
        let mut all: Vec<_> = headers(&one, "traces").into_iter().collect();
        all.sort();
        let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        assert_eq!(all, [pair("authorization", "Basic eA=="), pair("x-a", "b")]);
    }

    #[test]
    fn an_environment_names_a_collector_or_forbids_it() {
        let none = Environment::default();
        assert!(!Telemetry::wanted(&none));
        let one = none.with("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://localhost:1/v1/traces");
        assert!(Telemetry::wanted(&one));
        assert!(!Telemetry::wanted(&one.with("OTEL_SDK_DISABLED", "TRUE")));
    }

    #[test]
    fn what_cannot_be_used_is_said_before_anything_is_sent() {
        for (name, value, words) in [
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "asks for grpc"),
            ("OTEL_TRACES_EXPORTER", "zipkin", "asks for zipkin"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "brotli", "asks for brotli"),
            ("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "gzip", "asks for gzip"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "18446744073709551615", "is 18446744073709551615"),
            ("OTEL_BSP_EXPORT_TIMEOUT", "soon", "is soon"),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "-1", "is -1"),
        ] {
            let environment = Environment::default().with(name, value);
            let e = Telemetry::start(TelemetryOptions::default().with_environment(environment)).err().unwrap();
            assert!(e.kind() == ErrorKind::Usage && e.message().contains(words) && e.hint().is_some(), "{e}");
        }
        let e = Telemetry::start(TelemetryOptions::default().with_endpoint("no address")).err().unwrap();
        assert!(e.kind() == ErrorKind::Usage && e.hint().is_some(), "{e}");
    }
}
