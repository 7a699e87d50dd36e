//! Calls that wait for a decision, put to the user of the editor.

use super::editor::Editor;
use super::update;
use ptc_agent::tools::{Decided, PendingCall, PendingReason, decide};
use ptc_agent::{Agent, CallDecision, Cancel, Error, ErrorKind, Pending, TraceFile, host};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// What the user has said once for all calls of a tool in a session.
pub type Always = HashMap<String, bool>;

/// Has all of these calls decided and says so to the agent; `false` when the user does not decide.
///
/// # Errors
/// When a decision cannot be kept.
pub fn permit(
    agent: &mut Agent,
    pending: &Pending,
    (editor, session): (&Editor, &str),
    always: &mut Always,
    cancel: &Cancel,
) -> Result<bool, Error> {
    for call in &pending.calls {
        let may = match always.get(&call.name) {
            Some(may) if call.why == PendingReason::Approval => *may,
            _ => match ask(call, (editor, session), cancel) {
                Some(chosen) => {
                    if chosen.always {
                        always.insert(call.name.clone(), chosen.may);
                    }
                    chosen.may
                }
                None => return Ok(false),
            },
        };
        let words = "the user does not allow this call";
        let decision = if may { CallDecision::Make } else { CallDecision::Fail(words.to_owned()) };
        match &call.trace {
            None => agent.decide(call.id, decision)?,
            Some(trace) => decide_in(trace, call.id, decision)?,
        }
        if !may {
            editor.update(session, &update::call_denied(call, words));
        }
    }
    Ok(true)
}

struct Chosen {
    may: bool,
    always: bool,
}

/// What the user says of a call; `None` when nothing.
fn ask(call: &PendingCall, (editor, session): (&Editor, &str), cancel: &Cancel) -> Option<Chosen> {
    let option = |id: &str, name: String| json!({ "optionId": id, "name": name, "kind": id });
    let options = match call.why {
        PendingReason::Approval => vec![
            option("allow_once", "Allow".to_owned()),
            option("allow_always", format!("Allow all calls of {} in this session", call.name)),
            option("reject_once", "Reject".to_owned()),
            option("reject_always", format!("Reject all calls of {} in this session", call.name)),
        ],
        PendingReason::InFlight => vec![
            option(
                "allow_once",
                "Make it again: it was in flight when the process ended, and may have been made".to_owned(),
            ),
            option("reject_once", "Do not make it again".to_owned()),
        ],
    };
    let params = json!({ "sessionId": session, "toolCall": update::call_waiting(call), "options": options });
    let answer = editor.ask("session/request_permission", &params, cancel)?;
    chosen(&answer, &options)
}

/// What an answer chooses of the options; what was not offered is no consent, nor is an option beside another outcome.
fn chosen(answer: &Value, options: &[Value]) -> Option<Chosen> {
    let outcome = answer.get("outcome")?;
    let id = outcome.get("optionId").filter(|_| outcome.get("outcome") == Some(&"selected".into()))?;
    let id = options.iter().filter_map(|option| option.get("optionId")).find(|offered| *offered == id)?.as_str()?;
    Some(Chosen { may: id.starts_with("allow"), always: id.ends_with("always") })
}

/// The same of a call in the trace of a subtask.
fn decide_in(file: &Path, call: u64, decision: CallDecision) -> Result<(), Error> {
    let mut opened = TraceFile::open(file, || false)?;
    let trace = opened.trace.ok_or_else(|| Error::new(ErrorKind::Trace, "the trace of the subtask is empty"))?;
    match decide(&trace, call, decision, host::now_ms())? {
        Decided::Entry(entry) => opened.store.append_entry(&entry),
        Decided::Called(called) => opened.store.append_called(&called),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_offered_or_not_selected_is_no_consent() {
        let options = [json!({ "optionId": "allow_once" }), json!({ "optionId": "reject_once" })];
        let said = |outcome: &str, id: &str| {
            let answer = json!({ "outcome": { "outcome": outcome, "optionId": id } });
            chosen(&answer, &options).map(|chosen| (chosen.may, chosen.always))
        };
        assert_eq!(said("selected", "allow_once"), Some((true, false)));
        assert_eq!(said("selected", "reject_once"), Some((false, false)));
        assert_eq!(said("selected", "allow_always"), None);
        assert_eq!(said("cancelled", "allow_once"), None);
        assert_eq!(chosen(&json!({ "outcome": { "optionId": "allow_once" } }), &options).map(|c| c.may), None);
    }
}
