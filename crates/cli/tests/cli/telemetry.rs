//! `ptc run --otel`: what a collector does, or does not, changes nothing about the run.

use crate::common::{Folder, ptc, ptc_in};
use ptc_agent::Environment;
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::channel;

fn around(environment: Environment) -> ptc_cli::CliContext {
    ptc_cli::CliContext { environment, ..ptc_cli::CliContext::default() }
}

/// A collector that takes connections and never answers; says what was asked of it first.
fn silent() -> (String, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (tell, asked) = channel();
    std::thread::spawn(move || {
        let mut kept: Vec<TcpStream> = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut first = [0; 16];
            let n = stream.read(&mut first).unwrap_or(0);
            let _ = tell.send(String::from_utf8_lossy(&first[..n]).into_owned());
            kept.push(stream);
        }
    });
    (address, asked)
}

#[test]
fn a_collector_that_never_answers_changes_no_result() {
    let f = Folder::new("otel-silent");
    let task = f.task();
    let without = ptc(&["run", &task, "-q"]);
    let (address, asked) = silent();
    // An hour is waited for an answer, unless the end of the run does not wait for that.
    let environment = Environment::default()
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{address}"))
        .with("OTEL_EXPORTER_OTLP_TIMEOUT", "3600000")
        .with("OTEL_METRICS_EXPORTER", "none");
    let did = ptc_in(&["run", &task, "-q"], "", around(environment));
    assert_eq!((did.code, &did.out), (without.code, &without.out));
    assert_eq!(did.err.matches("did not reach the collector").count(), 1, "{}", did.err);
    assert_eq!(asked.recv().unwrap(), "POST /v1/traces ");
}

#[test]
fn variables_that_cannot_be_used_are_errors_only_where_spans_were_asked_for() {
    let f = Folder::new("otel-grpc");
    let task = f.task();
    let environment = Environment::default()
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4317")
        .with("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    let did = ptc_in(&["run", &task, "-q"], "", around(environment.clone()));
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(did.err.contains("no spans are sent: OTEL_EXPORTER_OTLP_PROTOCOL asks for grpc"), "{}", did.err);
    let did = ptc_in(&["run", &task, "-q", "--otel"], "", around(environment.clone()));
    assert_eq!(did.code, 2, "{}", did.err);
    assert!(did.err.contains("set it to http/protobuf"), "{}", did.err);
    let off = environment.with("OTEL_SDK_DISABLED", "true");
    let did = ptc_in(&["run", &task, "-q"], "", around(off));
    assert_eq!((did.code, did.err.as_str()), (0, ""));
}
