//! What waits to be sent: bounded in spans and in bytes. What finds no room is left out at once, and counted with what did not
//! arrive.

use opentelemetry::metrics::Meter;
use opentelemetry::{Array, Context, KeyValue, Value};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, Span, SpanData, SpanExporter, SpanProcessor};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Spans that wait, where `OTEL_BSP_MAX_QUEUE_SIZE` does not say.
const SPANS: u64 = 2048;
/// Bytes of spans that wait: with contents a span may have hundreds of thousands.
const BYTES: u64 = 64 << 20;
/// Bytes of a span besides its texts.
const SPAN_BYTES: u64 = 512;

/// What waits, and what is lost.
#[derive(Debug)]
pub(crate) struct Waiting {
    most: u64,
    most_bytes: u64,
    spans: AtomicU64,
    bytes: AtomicU64,
    lost: AtomicU64,
}

impl Waiting {
    pub(crate) fn of(spans: Option<u64>) -> Arc<Self> {
        Self::within(spans.unwrap_or(SPANS).max(1), BYTES)
    }

    fn within(most: u64, most_bytes: u64) -> Arc<Self> {
        let none = AtomicU64::default;
        Arc::new(Waiting { most, most_bytes, spans: none(), bytes: none(), lost: none() })
    }

    /// How many spans found no room, or did not arrive.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// How many wait.
    pub(crate) fn spans(&self) -> u64 {
        self.spans.load(Ordering::Relaxed)
    }

    /// Has a collector told how many are lost, with its next metrics.
    pub(crate) fn measured(self: &Arc<Self>, meter: &Meter) {
        let waiting = self.clone();
        let counter = meter.u64_observable_counter("ptc.telemetry.lost_spans").with_unit("{span}");
        let counter = counter.with_description("Spans that found no room, or that the collector did not take");
        let _ = counter.with_callback(move |seen| seen.observe(waiting.lost(), &[])).build();
    }

    /// Whether there is room for a span of this size, which it has from now on.
    fn enter(&self, bytes: u64) -> bool {
        let spans = self.spans.fetch_add(1, Ordering::Relaxed);
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        // One that is larger than all the room there is goes alone.
        let fits = spans < self.most && (before == 0 || before.saturating_add(bytes) <= self.most_bytes);
        if !fits {
            self.leave(1, bytes);
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        fits
    }

    fn leave(&self, spans: u64, bytes: u64) {
        self.spans.fetch_sub(spans, Ordering::Relaxed);
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Hands spans over to be sent, while there is room.
#[derive(Debug)]
pub(crate) struct Bounded {
    inner: BatchSpanProcessor,
    waiting: Arc<Waiting>,
}

impl Bounded {
    pub(crate) fn new<E: SpanExporter + 'static>(exporter: Counted<E>, waiting: Arc<Waiting>) -> Self {
        let most = usize::try_from(waiting.most).unwrap_or(usize::MAX);
        let config = BatchConfigBuilder::default().with_max_queue_size(most).build();
        Bounded { inner: BatchSpanProcessor::new(exporter, config), waiting }
    }
}

impl SpanProcessor for Bounded {
    fn on_start(&self, span: &mut Span, around: &Context) {
        self.inner.on_start(span, around);
    }

    fn on_end(&self, span: SpanData) {
        if self.waiting.enter(size(&span)) {
            self.inner.on_end(span);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

/// Sends spans, and makes room for others.
#[derive(Debug)]
pub(crate) struct Counted<E> {
    inner: E,
    waiting: Arc<Waiting>,
}

impl<E> Counted<E> {
    pub(crate) fn new(inner: E, waiting: Arc<Waiting>) -> Self {
        Counted { inner, waiting }
    }
}

impl<E: SpanExporter> SpanExporter for Counted<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len() as u64;
        let bytes = batch.iter().map(size).fold(0, u64::saturating_add);
        let sent = self.inner.export(batch).await;
        self.waiting.leave(spans, bytes);
        if sent.is_err() {
            self.waiting.lost.fetch_add(spans, Ordering::Relaxed);
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

/// About how many bytes a span takes.
fn size(span: &SpanData) -> u64 {
    let attributes =
        |all: &[KeyValue]| all.iter().map(|kv| kv.key.as_str().len().saturating_add(text(&kv.value))).sum::<usize>();
    let events = span.events.iter().map(|e| e.name.len().saturating_add(attributes(&e.attributes))).sum::<usize>();
    SPAN_BYTES.saturating_add(attributes(&span.attributes).saturating_add(events) as u64)
}

fn text(value: &Value) -> usize {
    match value {
        Value::String(text) => text.as_str().len(),
        Value::Array(Array::String(all)) => all.iter().map(|t| t.as_str().len()).sum(),
        _ => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_no_room_is_counted_and_what_leaves_makes_room() {
        let waiting = Waiting::within(3, 1000);
        assert!(waiting.enter(400) && waiting.enter(500) && waiting.enter(100));
        assert!(!waiting.enter(0), "three are there");
        waiting.leave(1, 100);
        assert!(!waiting.enter(200), "1000 bytes are");
        assert!(waiting.enter(100));
        assert_eq!(waiting.lost(), 2);
        waiting.leave(3, 1000);
        assert!(waiting.enter(5000), "one that is larger than all goes alone");
        assert!(!waiting.enter(1));
        assert_eq!(waiting.lost(), 3);
    }
}
