//! From the outcome of a run to its record: values become text and JSON here, once.

use crate::text::sample;
use crate::trace::json::Json;
use crate::trace::record::{Call, Defined, ErrorRecord, Kind, MissedKey, ModelUsage, Note, Status, TurnRecord, Usage};
use ptc_lisp::error::Error;
use ptc_lisp::escape;
use ptc_lisp::interface::{Definition, Outcome, RunResult, ToolCall};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::print;
use ptc_lisp::value::Value;

/// The record of a turn, all but its number, feedback, time and seed; and the error's report when it has one.
pub(crate) fn record(
    program: String,
    reasoning: Option<String>,
    outcome: &Outcome,
    limits: &Limits,
) -> (TurnRecord, Option<String>) {
    let (status, value, error) = match &outcome.ending {
        RunResult::Value(v) => (Status::Ok, Some(v), None),
        RunResult::Returned(v) => (Status::Returned, Some(v), None),
        RunResult::Failed(reason, e) => (Status::Failed, Some(reason), Some(e)),
        RunResult::Error(e) => (Status::Error, None, Some(e)),
    };
    let report = error.map(|e| {
        let (denied, made): (Vec<&ToolCall>, _) = outcome.tool_calls.iter().partition(|c| call(c).denied());
        let texts = |calls: Vec<&ToolCall>| calls.into_iter().map(call_text).collect::<Vec<_>>();
        ptc_lisp::report::report_with_denied(e, &program, &texts(made), &texts(denied))
    });
    let most = usize::try_from(limits.result_bytes).unwrap_or(usize::MAX);
    let mut record = TurnRecord::empty(0);
    record.status = status;
    record.value = value.map(|v| print::readable(v, most));
    record.value_json = value.and_then(in_json);
    record.printed.clone_from(&outcome.printed);
    record.definitions = outcome.definitions.iter().map(|d| defined(d, !status.committed())).collect();
    if status.committed() {
        record.notes = outcome.notes.iter().map(note).collect();
    }
    record.tool_calls = outcome.tool_calls.iter().map(call).collect();
    record.missed_keys = outcome.missed_keys.iter().map(missed_key).collect();
    record.error = error.map(|e| ErrorRecord::new(e, &program));
    record.usage = usage(outcome);
    record.program = program;
    record.reasoning = reasoning;
    (record, report)
}

/// Keeps the reply itself where it cannot be rebuilt from prose and program (P-01: full history is byte-identical).
pub(crate) fn keep_reply(record: &mut TurnRecord, reply: &str) {
    // Blanks around a reply come from pipes and files, not from the model.
    let reply = reply.trim();
    if !reply.is_empty() && crate::trace::full_turn::rebuilt(record) != reply {
        record.reply = Some(reply.to_owned());
    }
}

/// The record of a reply that had no program to run.
pub(crate) fn refused(reply: &str, error: &Error) -> (TurnRecord, Option<String>) {
    let mut record = TurnRecord::empty(0);
    record.status = Status::Error;
    record.reasoning = (!reply.trim().is_empty()).then(|| reply.to_owned());
    record.error = Some(ErrorRecord::new(error, ""));
    keep_reply(&mut record, reply);
    (record, Some(ptc_lisp::report::report(error, "", &[])))
}

/// The record of a text act's reply: what it said without thoughts, `text`, is the value. A blank one is an error.
pub(crate) fn answered(text: &str, reply: &str, limits: &Limits) -> (TurnRecord, Option<String>) {
    let text = text.trim();
    if text.is_empty() {
        let hint = "answer in plain text";
        return refused(reply, &Error::new(ptc_lisp::error::ErrorKind::Parse, "the reply is empty").hint(hint));
    }
    let value = Value::str(text);
    let mut record = TurnRecord::empty(0);
    record.status = Status::Answered;
    record.value = Some(print::readable(&value, usize::try_from(limits.result_bytes).unwrap_or(usize::MAX)));
    record.value_json = in_json(&value);
    record.reasoning = Some(text.to_owned());
    keep_reply(&mut record, reply);
    (record, None)
}

/// The record of a turn that was lost while it ran, and its report.
pub(crate) fn lost(
    program: String,
    reasoning: Option<String>,
    error: &Error,
    calls: Vec<Call>,
) -> (TurnRecord, String) {
    let mut record = TurnRecord::empty(0);
    record.status = Status::Error;
    record.error = Some(ErrorRecord::new(error, &program));
    let (denied, made): (Vec<&Call>, _) = calls.iter().partition(|c| c.denied());
    let text = |c: &&Call| format!("{}({})", c.name, escape::line(&short(c.args.text())));
    let texts = |calls: Vec<&Call>| calls.iter().map(text).collect::<Vec<_>>();
    let report = ptc_lisp::report::report_with_denied(error, &program, &texts(made), &texts(denied));
    record.program = program;
    record.reasoning = reasoning;
    record.tool_calls = calls;
    (record, report)
}

fn short(text: &str) -> String {
    ptc_lisp::error::cut(text.to_owned(), 60)
}

/// Adds what the model's call cost.
pub(crate) fn add_model(usage: &mut Usage, model: ModelUsage) {
    usage.provider = Some(model.provider);
    usage.model = Some(model.model);
    usage.input_tokens = model.input_tokens;
    usage.output_tokens = model.output_tokens;
    usage.cached_tokens = model.cached_tokens;
    usage.cache_write_tokens = model.cache_write_tokens;
    usage.model_ms = model.model_ms;
    usage.retries = model.retries;
}

/// The record of a definition.
pub(crate) fn defined(d: &Definition, rolled_back: bool) -> Defined {
    let function = sample::is_function(&d.value);
    let plain = || (!function).then(|| sample::type_word(&d.value));
    Defined {
        name: d.name.clone(),
        kind: if function { Kind::Function } else { Kind::Data },
        doc: d.doc.as_deref().map(str::to_owned),
        params: d.params.clone().filter(|_| function || d.type_word.is_some()),
        type_word: d.type_word.map_or_else(plain, |word| Some(word.to_owned())),
        sample: if function || d.type_word.is_some() { None } else { sample::sample(&d.value) },
        replaced: d.replaced,
        rolled_back,
    }
}

/// Longest text of a key that is recorded, in bytes: longer ones are not told of.
const MAX_KEY_BYTES: usize = 400;

/// A key that was missed, as it is recorded. When a session is replayed it is not compared: it changes nothing, and
/// another version may tell other keys.
fn missed_key(m: &ptc_lisp::interface::MissedKey) -> MissedKey {
    let text = |v: &Value| print::readable(v, MAX_KEY_BYTES);
    MissedKey { key: text(&m.key), near: text(&m.near) }
}

/// A note as it is recorded.
pub(crate) fn note(n: &ptc_lisp::interface::Note) -> Note {
    Note { name: n.name.clone(), text: n.text.clone() }
}

/// A value as JSON; `None` when JSON cannot express it, such as a definition's var.
fn in_json(v: &Value) -> Option<Json> {
    if matches!(v, Value::Var(_)) {
        return None;
    }
    json::to_text(v).ok().and_then(Json::new)
}

fn call(c: &ToolCall) -> Call {
    // Arguments and answers are JSON by the language's own rule.
    let of = |v: &Value| in_json(v).unwrap_or_default();
    let (result, error) = match &c.result {
        Ok(v) => (Some(of(v)), None),
        Err(words) => (None, Some(words.clone())),
    };
    Call {
        id: c.id,
        name: c.name.clone(),
        args: of(&c.args),
        result,
        error,
        failure: c.failure.as_ref().and_then(in_json),
        ms: c.ms,
        together: None,
        decided: None,
    }
}

/// A call as the report of an error shows it: `customer("c1")`.
fn call_text(c: &ToolCall) -> String {
    call_words(&c.name, Some(&c.args))
}

/// A call as text, arguments in order and each cut; nothing for arguments that are not JSON.
pub(crate) fn call_words(name: &str, args: Option<&Value>) -> String {
    format!("{}({})", escape::line(name), arguments(args))
}

/// The text between the brackets of a call.
pub(crate) fn arguments(args: Option<&Value>) -> String {
    let word = |v: &Value| escape::line(&print::readable(v, 60));
    let args: Vec<String> = match args {
        Some(Value::Map(m)) => m.vals().map(word).collect(),
        Some(other) => vec![word(other)],
        None => Vec::new(),
    };
    args.join(", ")
}

fn usage(outcome: &Outcome) -> Usage {
    let u = outcome.usage;
    Usage { fuel: u.fuel, memory_bytes: u.memory_bytes, cpu_ms: u.cpu_ms, wall_ms: u.wall_ms, ..Usage::default() }
}
