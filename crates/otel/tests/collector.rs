//! A collector that decodes what it is sent.

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The attributes of a metric, how many were counted, and their sum.
pub type Point = (BTreeMap<String, String>, u64, f64);

/// What has arrived.
#[derive(Default)]
pub struct Arrived {
    pub traces: Vec<ExportTraceServiceRequest>,
    pub metrics: Vec<ExportMetricsServiceRequest>,
}

pub struct Collector {
    pub address: String,
    arrived: Arc<Mutex<Arrived>>,
}

impl Collector {
    /// One that takes everything with this status.
    pub fn start(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let arrived = Arc::new(Mutex::new(Arrived::default()));
        let kept = arrived.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let kept = kept.clone();
                std::thread::spawn(move || serve(stream.unwrap(), status, &kept));
            }
        });
        Collector { address, arrived }
    }

    /// An address where there may be none.
    pub fn of(address: &str) -> Self {
        Collector { address: address.to_owned(), arrived: Arc::default() }
    }

    /// The spans, by the order of their ends.
    pub fn spans(&self) -> Vec<Span> {
        let arrived = self.arrived.lock().unwrap();
        let resources = arrived.traces.iter().flat_map(|t| &t.resource_spans);
        resources.flat_map(|r| &r.scope_spans).flat_map(|s| s.spans.clone()).collect()
    }

    /// The attributes of the process.
    pub fn resource(&self) -> BTreeMap<String, String> {
        let arrived = self.arrived.lock().unwrap();
        attributes(&arrived.traces[0].resource_spans[0].resource.as_ref().unwrap().attributes)
    }

    /// Each metric as it arrived last: its attributes, how many were counted, and their sum.
    pub fn metrics(&self) -> BTreeMap<String, Vec<Point>> {
        let arrived = self.arrived.lock().unwrap();
        let Some(last) = arrived.metrics.last() else { return BTreeMap::new() };
        let all = last.resource_metrics.iter().flat_map(|r| &r.scope_metrics).flat_map(|s| &s.metrics);
        let points = |data: &Data| match data {
            Data::Histogram(h) => {
                h.data_points.iter().map(|p| (attributes(&p.attributes), p.count, p.sum.unwrap())).collect()
            }
            Data::Sum(s) => {
                use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value;
                let value = |v: &Option<Value>| match v {
                    Some(Value::AsInt(n)) => *n as f64,
                    other => panic!("{other:?}"),
                };
                s.data_points.iter().map(|p| (attributes(&p.attributes), 1, value(&p.value))).collect()
            }
            other => panic!("{other:?}"),
        };
        all.map(|m| (m.name.clone(), points(m.data.as_ref().unwrap()))).collect()
    }
}

fn serve(stream: TcpStream, status: &str, arrived: &Mutex<Arrived>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let (mut path, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim_end();
            if path.is_empty() {
                path = line.split(' ').nth(1).unwrap().to_owned();
            } else if let Some((_, n)) = line.split_once(": ").filter(|(k, _)| k.eq_ignore_ascii_case("content-length"))
            {
                length = n.parse().unwrap();
            } else if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let mut all = arrived.lock().unwrap();
        match path.as_str() {
            "/v1/traces" => all.traces.push(ExportTraceServiceRequest::decode(body.as_slice()).unwrap()),
            "/v1/metrics" => all.metrics.push(ExportMetricsServiceRequest::decode(body.as_slice()).unwrap()),
            other => panic!("{other}"),
        }
        drop(all);
        write!(stream, "HTTP/1.1 {status}\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n")
            .unwrap();
    }
}

pub fn attributes(all: &[KeyValue]) -> BTreeMap<String, String> {
    all.iter().map(|kv| (kv.key.clone(), text(kv.value.as_ref()))).collect()
}

fn text(value: Option<&AnyValue>) -> String {
    match value.and_then(|v| v.value.as_ref()) {
        Some(any_value::Value::StringValue(s)) => s.clone(),
        Some(any_value::Value::IntValue(n)) => n.to_string(),
        Some(any_value::Value::DoubleValue(n)) => n.to_string(),
        Some(any_value::Value::BoolValue(b)) => b.to_string(),
        Some(any_value::Value::ArrayValue(a)) => {
            format!("[{}]", a.values.iter().map(|v| text(Some(v))).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}
