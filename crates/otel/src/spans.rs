//! An observer that makes spans of what happens in a run.

use crate::content;
use crate::names::{self, UNKNOWN_PROVIDER};
use crate::run_state::RunState;
use opentelemetry::trace::{SpanKind, TraceContextExt as _};
use opentelemetry::{Array, Context, KeyValue, StringValue, Value};
use ptc_agent::{
    AskedModel, BegunSubtask, Error, Observer, Reply, Retry, RunOutcome, RunStatus, SentRequest, SubtaskObservers,
    Totals,
};
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::{Act, Session, Status, TurnRecord};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Makes spans and metrics of a run, as its observer. The spans of its subtasks are made by [`AgentSpans::subtasks`].
pub struct AgentSpans {
    run: Arc<RunState>,
    /// The label of the subtask; empty of the run itself.
    label: String,
    name: String,
    began: Instant,
    turn: Option<Context>,
    chat: Option<Chat>,
    /// What will be sent next, where contents are wanted.
    messages: Option<content::Sent>,
    calls: BTreeMap<u64, OpenCall>,
    /// How long it waited for its place, until that is told with its first turn.
    queued: Option<Duration>,
    ended: bool,
}

/// A request that is not answered yet.
struct Chat {
    span: Context,
    began: Instant,
    first: Option<Duration>,
    about: Vec<KeyValue>,
}

struct OpenCall {
    span: Context,
    name: String,
    began: SystemTime,
}

impl AgentSpans {
    pub(crate) fn of_run(run: Arc<RunState>) -> Self {
        let name = run.about.agent.clone();
        Self::new(run, String::new(), name)
    }

    fn new(run: Arc<RunState>, label: String, name: String) -> Self {
        AgentSpans {
            run,
            label,
            name,
            began: Instant::now(),
            turn: None,
            chat: None,
            messages: None,
            calls: BTreeMap::new(),
            queued: None,
            ended: false,
        }
    }

    /// Makes the spans of its subtasks: [`RunContext::observers`](ptc_agent::RunContext::observers).
    pub fn subtasks(&self) -> SubtaskObservers {
        let run = self.run.clone();
        SubtaskObservers::new(move |begun: &BegunSubtask<'_>| -> Box<dyn Observer> {
            let caller = {
                let mut open = run.open();
                open.callers.extend(begun.call.map(|id| (begun.caller.to_owned(), id)));
                let call = begun.call.and_then(|id| open.calls.get(&(begun.caller.to_owned(), id)));
                call.or_else(|| open.agents.get(begun.caller)).cloned()
            };
            let caller = caller.unwrap_or_else(|| run.run());
            let span = run.begin_agent(&caller, begun.name, begun.label, None);
            run.open().agents.insert(begun.label.to_owned(), span);
            Box::new(AgentSpans::new(run.clone(), begun.label.to_owned(), begun.name.to_owned()))
        })
    }

    /// Something is asked for in a session that is kept: a turn, or that a run goes on. It has waited this long for its place.
    pub fn begin(&mut self, queued: Duration) {
        (self.began, self.ended, self.queued) = (Instant::now(), false, Some(queued));
    }

    /// This turn begins, or goes on, where no model is asked for it.
    pub fn turn_begun(&mut self, turn: u64) {
        self.begin_turn(turn);
    }

    /// What was asked for is over. A turn that has not ended says in one word what became of it (`pending`, `stopped`), and how it
    /// failed where it did: the kind, and words.
    pub fn close(&mut self, status: &'static str, error: Option<(&str, &str)>) {
        if let Some(turn) = &self.turn {
            turn.span().set_attribute(KeyValue::new("ptc.turn.status", status));
        }
        self.end(error, Vec::new());
    }

    fn agent(&self) -> Context {
        let known = self.run.open().agents.get(&self.label).cloned();
        known.unwrap_or_else(|| self.run.run())
    }

    /// The span that what happens now is inside.
    fn inside(&self) -> Context {
        self.turn.clone().unwrap_or_else(|| self.agent())
    }

    fn content(&self) -> bool {
        self.run.exported.content
    }

    fn begin_turn(&mut self, turn: u64) {
        if self.turn.is_some() {
            return;
        }
        let mut about = vec![number("ptc.turn.number", turn)];
        if self.run.about.alone && self.label.is_empty() {
            about.extend(self.run.conversation(""));
            about.extend(self.run.client());
            about.extend((!self.name.is_empty()).then(|| KeyValue::new("gen_ai.agent.name", self.name.clone())));
        }
        if let Some(queued) = self.queued.take() {
            about.push(number("ptc.turn.queued_ms", u64::try_from(queued.as_millis()).unwrap_or(u64::MAX)));
            self.run.exported.instruments.waited(queued);
        }
        self.turn = Some(self.run.begin(&self.agent(), format!("turn {turn}"), SpanKind::Internal, about));
    }

    fn end_chat(&mut self, error: Option<(&str, &str)>) {
        let Some(Chat { span, began, first, about }) = self.chat.take() else { return };
        if let Some((kind, words)) = error {
            self.run.fail(&span, kind, words);
        }
        span.span().end();
        self.run.exported.instruments.asked(began.elapsed(), first, &about, error.map(|e| e.0));
    }

    fn end_turn(&mut self, error: Option<(&str, &str)>) {
        let Some(turn) = self.turn.take() else { return };
        if let Some((kind, words)) = error {
            self.run.fail(&turn, kind, words);
        }
        turn.span().end();
    }

    fn end_call(&mut self, id: u64, took: Option<u64>, error: Option<(&str, &str)>, result: Option<&str>) {
        let Some(OpenCall { span, name, began }) = self.calls.remove(&id) else { return };
        let holds = {
            let (mut open, key) = (self.run.open(), (self.label.clone(), id));
            open.calls.remove(&key);
            open.callers.remove(&key)
        };
        let now = SystemTime::now();
        // It is heard of later than it happened. One that holds a subtask ends behind it, whose milliseconds were cut.
        let more = u64::from(holds);
        let end = took.and_then(|ms| began.checked_add(Duration::from_millis(ms.saturating_add(more))));
        let end = end.map_or(now, |end| end.min(now)).max(began);
        if let (Some(result), true) = (result, self.content()) {
            span.span().set_attribute(KeyValue::new("gen_ai.tool.call.result", content::json_text(result)));
        }
        if let Some((kind, words)) = error {
            self.run.fail(&span, kind, words);
        }
        span.span().end_with_timestamp(end);
        let took = end.duration_since(began).unwrap_or_default();
        self.run.exported.instruments.called(took, &name, error.map(|e| e.0));
    }

    /// Ends all that is open, the run last.
    fn end(&mut self, error: Option<(&str, &str)>, about: Vec<KeyValue>) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.end_chat(error);
        let open: Vec<u64> = self.calls.keys().copied().collect();
        for id in open {
            self.end_call(id, None, Some(error.unwrap_or(("_OTHER", "it had no answer when the run ended"))), None);
        }
        self.end_turn(error);
        let agent = {
            let mut open = self.run.open();
            open.agents.remove(&self.label)
        };
        let Some(agent) = agent else { return };
        agent.span().set_attributes(about);
        if let Some((kind, words)) = error {
            self.run.fail(&agent, kind, words);
        }
        agent.span().end();
        self.run.exported.instruments.ran(self.began.elapsed(), &self.name, error.map(|e| e.0));
    }
}

/// A run that panicked, or was never told to have ended.
impl Drop for AgentSpans {
    fn drop(&mut self) {
        self.end(Some(("_OTHER", "the run was given up")), Vec::new());
    }
}

fn number(key: &'static str, n: u64) -> KeyValue {
    KeyValue::new(key, i64::try_from(n).unwrap_or(i64::MAX))
}

fn texts(all: impl IntoIterator<Item = String>) -> Value {
    Value::Array(Array::String(all.into_iter().map(StringValue::from).collect()))
}

/// What the run used in all, its subtasks included. It is not called by the names of the conventions: viewers add those up.
fn totals(totals: &Totals) -> Vec<KeyValue> {
    let mut all = vec![
        number("ptc.total.input_tokens", totals.input_tokens),
        number("ptc.total.cached_tokens", totals.cached_tokens),
        number("ptc.total.output_tokens", totals.output_tokens),
        number("ptc.total.tool_calls", totals.tool_calls),
    ];
    all.extend(totals.cost.map(|cost| KeyValue::new("ptc.total.cost", cost)));
    all
}

impl Observer for AgentSpans {
    fn streams(&self) -> bool {
        false
    }

    fn opened(&mut self, act: &Act, _: &Session) {
        let about = vec![number("ptc.act.number", act.act), KeyValue::new("ptc.act.name", act.name.clone())];
        self.agent().span().add_event("ptc.act", about);
    }

    fn requested(&mut self, sent: &SentRequest<'_>, _: &Session) {
        self.begin_turn(sent.turn);
        self.messages = self.content().then(|| content::sent(sent.messages));
    }

    fn sending(&mut self, turn: u64, model: &AskedModel<'_>) {
        self.begin_turn(turn);
        let known = model.counted_as.as_ref();
        let provider = known.map_or_else(|| UNKNOWN_PROVIDER.to_owned(), |k| names::provider(&k.provider));
        let mut about = vec![
            KeyValue::new("gen_ai.operation.name", "chat"),
            KeyValue::new("gen_ai.provider.name", provider.clone()),
        ];
        let name = known.map_or_else(|| "chat".to_owned(), |k| format!("chat {}", k.model));
        if let Some(known) = known {
            about.push(KeyValue::new("gen_ai.request.model", known.model.clone()));
            // What a subtask asks is known only now.
            self.agent().span().set_attribute(KeyValue::new("gen_ai.provider.name", provider));
            self.agent().span().set_attribute(KeyValue::new("gen_ai.request.model", known.model.clone()));
        }
        let mut all = about.clone();
        all.push(KeyValue::new("gen_ai.agent.name", self.name.clone()));
        all.extend(self.run.conversation(&self.label));
        all.extend(model.settings.max_tokens.map(|n| number("gen_ai.request.max_tokens", n)));
        all.extend(model.settings.temperature.map(|t| KeyValue::new("gen_ai.request.temperature", t)));
        all.extend(model.streams.then(|| KeyValue::new("gen_ai.request.stream", true)));
        if let Some(sent) = self.messages.take() {
            all.push(KeyValue::new("gen_ai.system_instructions", sent.system));
            all.push(KeyValue::new("gen_ai.input.messages", sent.messages));
            if sent.left_out > 0 {
                all.push(number("ptc.messages_left_out", sent.left_out as u64));
            }
        }
        let span = self.run.begin(&self.inside(), name, SpanKind::Client, all);
        self.chat = Some(Chat { span, began: Instant::now(), first: None, about });
    }

    fn said(&mut self, _: u64, _: &str) {
        if let Some(chat) = self.chat.as_mut().filter(|c| c.first.is_none()) {
            let first = chat.began.elapsed();
            chat.first = Some(first);
            chat.span.span().set_attribute(KeyValue::new("gen_ai.response.time_to_first_chunk", first.as_secs_f64()));
        }
    }

    fn retrying(&mut self, _: u64, retry: &Retry) {
        if let Some(chat) = &self.chat {
            let wait = u64::try_from(retry.wait.as_millis()).unwrap_or(u64::MAX);
            let about = vec![
                KeyValue::new("ptc.retry.reason", retry.reason.clone()),
                number("ptc.retry.wait_ms", wait),
                number("ptc.retry.tried", u64::from(retry.tried)),
            ];
            chat.span.span().add_event("ptc.retry", about);
        }
    }

    fn answered(&mut self, _: u64, reply: &Reply) {
        let reason = if reply.cut { "length" } else { "stop" };
        let Some(chat) = &mut self.chat else { return };
        let mut about = vec![KeyValue::new("gen_ai.response.finish_reasons", texts([reason.to_owned()]))];
        if let Some(usage) = &reply.usage {
            about.push(KeyValue::new("gen_ai.response.model", usage.model.clone()));
            chat.about.push(KeyValue::new("gen_ai.response.model", usage.model.clone()));
            let counts = [
                ("gen_ai.usage.input_tokens", usage.input_tokens),
                ("gen_ai.usage.output_tokens", usage.output_tokens),
                ("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens),
                ("gen_ai.usage.cache_write.input_tokens", usage.cache_write_tokens),
                // Its name before; there are viewers that know no other.
                ("gen_ai.usage.cache_creation.input_tokens", usage.cache_write_tokens),
                ("ptc.retries", usage.retries),
            ];
            about.extend(counts.into_iter().filter_map(|(key, n)| Some(number(key, n?))));
            self.run.exported.instruments.used(usage, &chat.about);
        }
        if self.run.exported.content {
            let words = content::reply(&reply.text, &reply.blocks, reason);
            about.push(KeyValue::new("gen_ai.output.messages", words));
        }
        chat.span.span().set_attributes(about);
        self.end_chat(None);
    }

    fn going_on(&mut self, turn: u64, _: &Session) {
        self.begin_turn(turn);
        if let Some(turn) = &self.turn {
            turn.span().set_attribute(KeyValue::new("ptc.turn.resumed", true));
        }
    }

    fn calling(&mut self, calls: &[CallRequest]) {
        let inside = self.inside();
        for call in calls {
            let mut about = vec![
                KeyValue::new("gen_ai.operation.name", "execute_tool"),
                KeyValue::new("gen_ai.tool.name", call.name.clone()),
                KeyValue::new("gen_ai.tool.call.id", call.id.to_string()),
                KeyValue::new("gen_ai.tool.type", "function"),
            ];
            if self.content() {
                let args = content::json_text(call.args.text());
                about.push(KeyValue::new("gen_ai.tool.call.arguments", args));
            }
            let span = self.run.begin(&inside, format!("execute_tool {}", call.name), SpanKind::Internal, about);
            self.run.open().calls.insert((self.label.clone(), call.id), span.clone());
            self.calls.insert(call.id, OpenCall { span, name: call.name.clone(), began: SystemTime::now() });
        }
    }

    fn call_answered(&mut self, answer: &CallAnswer) {
        let error = answer.error.as_deref().map(|words| ("tool_error", words));
        self.end_call(answer.id, Some(answer.ms), error, answer.result.as_ref().map(|r| r.text()));
    }

    fn ran(&mut self, record: &TurnRecord, _: &Session) {
        let Some(turn) = &self.turn else { return };
        let usage = &record.usage;
        self.run.exported.instruments.turn_ran(usage.wall_ms, record.status.as_str());
        let mut about = vec![
            KeyValue::new("ptc.turn.status", record.status.as_str()),
            number("ptc.turn.fuel", usage.fuel),
            number("ptc.turn.memory_bytes", usage.memory_bytes),
            number("ptc.turn.cpu_ms", usage.cpu_ms),
            number("ptc.turn.wall_ms", usage.wall_ms),
        ];
        if self.content() {
            about.push(KeyValue::new("ptc.turn.program", content::text(&record.program)));
            about.push(KeyValue::new("ptc.turn.printed", content::text(&record.printed.concat())));
            about.extend(record.value.as_deref().map(|v| KeyValue::new("ptc.turn.value", content::text(v))));
        }
        turn.span().set_attributes(about);
        let error = match (&record.error, record.status) {
            (Some(e), _) => Some((e.kind.as_str(), e.message.as_str())),
            (None, Status::Failed) => Some(("failed", record.value.as_deref().unwrap_or_default())),
            _ => None,
        };
        self.end_turn(error);
    }

    fn run_ended(&mut self, outcome: &RunOutcome, _: &Session) {
        let mut about = totals(&outcome.totals);
        about.push(KeyValue::new("ptc.status", outcome.status.as_str()));
        about.push(number("ptc.turns", outcome.turns));
        if let Some(summaries) = &outcome.summaries {
            about.push(number("ptc.summaries.input_tokens", summaries.input_tokens));
            about.push(number("ptc.summaries.output_tokens", summaries.output_tokens));
        }
        // Calls that wait for a decision are no failure of the run.
        let error = outcome.error.as_ref().filter(|_| outcome.status != RunStatus::Pending);
        let error = error.map(|e: &Error| (names::error_type(e), e.text()));
        self.end(error.as_ref().map(|(kind, words)| (kind.as_str(), words.as_str())), about);
    }
}
