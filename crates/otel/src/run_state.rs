//! What a run shares with its subtasks: the spans that others may be inside.

use crate::content;
use crate::names::{self, UNKNOWN_PROVIDER};
use crate::telemetry::Exported;
use opentelemetry::trace::{SpanKind, Status as SpanStatus, TraceContextExt as _, Tracer as _};
use opentelemetry::{Context, KeyValue};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the run and its subtasks share, which work on threads of their own.
pub(crate) struct RunState {
    pub(crate) exported: Arc<Exported>,
    pub(crate) parent: Context,
    pub(crate) about: About,
    open: Mutex<OpenSpans>,
}

/// Whose run it is.
#[derive(Default)]
pub(crate) struct About {
    /// The agent: its task. Empty where it is of none.
    pub(crate) agent: String,
    pub(crate) model: Option<String>,
    /// The id by which the session is found again.
    pub(crate) conversation: Option<String>,
    /// Who asked for it, of a server.
    pub(crate) client: Option<String>,
    /// Turns are asked for one by one, from outside: no span is around them.
    pub(crate) alone: bool,
}

/// Spans that others may be inside, by the label of the subtask that they belong to; that of the run itself is empty.
#[derive(Default)]
pub(crate) struct OpenSpans {
    pub(crate) agents: HashMap<String, Context>,
    pub(crate) calls: HashMap<(String, u64), Context>,
    /// Calls that a subtask has answered, whose span must hold that one's.
    pub(crate) callers: HashSet<(String, u64)>,
}

impl RunState {
    pub(crate) fn new(exported: Arc<Exported>, parent: Context, about: About) -> Arc<Self> {
        Arc::new(RunState { exported, parent, about, open: Mutex::default() })
    }

    pub(crate) fn open(&self) -> MutexGuard<'_, OpenSpans> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The span of the run itself, which begins when it is first asked for. Turns that are asked for one by one have none.
    pub(crate) fn run(&self) -> Context {
        if self.about.alone {
            return self.parent.clone();
        }
        let mut open = self.open();
        if let Some(known) = open.agents.get("") {
            return known.clone();
        }
        let begun =
            self.begin_agent(&self.parent, &self.about.agent, "", self.about.model.as_deref().and_then(names::model));
        open.agents.insert(String::new(), begun.clone());
        begun
    }

    pub(crate) fn begin_agent(
        &self,
        parent: &Context,
        name: &str,
        label: &str,
        model: Option<(String, &str)>,
    ) -> Context {
        let mut about = vec![
            KeyValue::new("gen_ai.operation.name", "invoke_agent"),
            KeyValue::new("gen_ai.agent.name", name.to_owned()),
        ];
        let (provider, model) = model.map_or((None, None), |(provider, model)| (Some(provider), Some(model)));
        about.push(KeyValue::new("gen_ai.provider.name", provider.unwrap_or_else(|| UNKNOWN_PROVIDER.to_owned())));
        about.extend(model.map(|m| KeyValue::new("gen_ai.request.model", m.to_owned())));
        about.extend(self.conversation(label));
        about.extend(self.client());
        self.begin(parent, format!("invoke_agent {name}"), SpanKind::Internal, about)
    }

    pub(crate) fn client(&self) -> Option<KeyValue> {
        self.about.client.as_ref().map(|c| KeyValue::new("ptc.client", c.clone()))
    }

    /// The id by which the session is found again; that of a subtask has its label behind it.
    pub(crate) fn conversation(&self, label: &str) -> Option<KeyValue> {
        let id = self.about.conversation.as_deref()?;
        let id = if label.is_empty() { id.to_owned() } else { format!("{id}/{label}") };
        Some(KeyValue::new("gen_ai.conversation.id", id))
    }

    pub(crate) fn begin(&self, parent: &Context, name: String, kind: SpanKind, about: Vec<KeyValue>) -> Context {
        let tracer = &self.exported.tracer;
        let span = tracer.span_builder(name).with_kind(kind).with_attributes(about);
        Context::new().with_span(span.start_with_context(tracer, parent))
    }

    /// Marks a span as failed. The words are of programs and providers: they are contents.
    pub(crate) fn fail(&self, span: &Context, kind: &str, words: &str) {
        let description = if self.exported.content { content::text(words) } else { kind.to_owned() };
        span.span().set_attribute(KeyValue::new("error.type", kind.to_owned()));
        span.span().set_status(SpanStatus::error(description));
    }
}
