//! The user of a client is asked about calls that wait, where the client can ask (elicitation).

use super::McpServer;
use super::arguments::MOST_WAIT_MS;
use crate::answer::{Answer, AnswerState};
use crate::approvals::WaitingCall;
use crate::refused::Refused;
use ptc_agent::CallDecision;
use ptc_agent::tools::PendingReason;
use rmcp::RoleServer;
use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use rmcp::service::{ElicitationMode, RequestContext};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// Bytes of arguments that a user can look at. Nobody is asked to approve what is not shown.
const SHOWN_BYTES: usize = 4_000;
/// How long a request that was cancelled is kept, so that its turn is cancelled with it.
const AFTER_CANCEL: Duration = Duration::from_millis(200);

impl McpServer {
    /// Awaits what ends in a session, as `follow`; where calls wait that the user then decides about, what comes after them too.
    pub(super) async fn decided(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
        ended: impl Future<Output = Result<Answer, Refused>>,
    ) -> Result<Answer, Refused> {
        let began = Instant::now();
        let left = || Duration::from_millis(MOST_WAIT_MS).saturating_sub(began.elapsed());
        let mut answer = self.follow(id, context, ended).await?;
        let can_ask = || context.peer.supported_elicitation_modes().contains(&ElicitationMode::Form);
        let mut more = self.serving.approvals && can_ask();
        while let AnswerState::Pending(calls) = &answer.state
            && more
        {
            let calls = calls.clone();
            let asked = async {
                let (mut said, mut all) = (false, true);
                for call in &calls {
                    let Some(decision) = ask(id, call, context, left()).await else {
                        all = false;
                        break;
                    };
                    let of = (call.subtask.as_deref(), call.call);
                    // Where somebody else has decided meanwhile, that holds.
                    let _ = self.sessions.decide(&self.client, id, of, decision, left()).await;
                    said = true;
                }
                let next = match said {
                    true => self.sessions.wait(&self.client, id, left()).await?,
                    false => answer.clone(),
                };
                more = all && !matches!(&next.state, AnswerState::Pending(now) if *now == calls);
                Ok(next)
            };
            answer = self.follow(id, context, asked).await?;
        }
        Ok(answer)
    }
}

/// What the user says; `None` where that is nothing, or cannot be asked.
async fn ask(
    session: &str,
    call: &WaitingCall,
    context: &RequestContext<RoleServer>,
    most: Duration,
) -> Option<CallDecision> {
    let message = question(session, call)?;
    let requested_schema = ElicitationSchema::from_json_schema(schema()).ok()?;
    let asked = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
    tokio::select! {
        said = context.peer.create_elicitation_with_timeout(asked, Some(most)) => decision(&said.ok()?),
        () = context.ct.cancelled() => {
            tokio::time::sleep(AFTER_CANCEL).await;
            None
        }
    }
}

/// What the user is asked; `None` where not all could be shown.
fn question(session: &str, call: &WaitingCall) -> Option<String> {
    let args = ptc_lisp::escape::line(call.args.text()).to_string();
    if args.len() > SHOWN_BYTES {
        return None;
    }
    let name = ptc_lisp::escape::line(&call.name);
    let of = call.subtask.as_ref().map_or_else(String::new, |s| format!(", of its sub-agent {s}"));
    let why = match call.why {
        PendingReason::Approval => "waits for approval",
        PendingReason::InFlight => {
            "was in flight when its process ended, and may have been made; to approve is to make it once more"
        }
    };
    Some(format!("Call {} of the session {session}{of}: tool/{name} {args}\n\nIt {why}.", call.call))
}

/// No default: nothing is said by who only confirms.
fn schema() -> rmcp::model::JsonObject {
    let schema = json!({
        "type": "object",
        "properties": {
            "decision": { "type": "string", "title": "Decision", "enum": ["approve", "deny"] },
            "reason": { "type": "string", "title": "Reason", "description": "Of a denial: what the program is told" },
        },
        "required": ["decision"],
    });
    if let Value::Object(schema) = schema { schema } else { Default::default() }
}

fn decision(said: &ElicitResult) -> Option<CallDecision> {
    let text = |name: &str| said.content.as_ref()?.get(name)?.as_str().filter(|t| !t.trim().is_empty());
    let denied = || CallDecision::Fail(text("reason").unwrap_or("the call was denied").to_owned());
    match said.action {
        ElicitationAction::Accept => match text("decision")? {
            "approve" => Some(CallDecision::Make),
            "deny" => Some(denied()),
            _ => None,
        },
        ElicitationAction::Decline => Some(denied()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use ptc_turns::Json;

    #[test]
    fn only_what_was_said_is_a_decision() {
        let said = |action: &str, content: Value| {
            decision(&serde_json::from_value(json!({ "action": action, "content": content })).unwrap())
        };
        assert_eq!(said("accept", json!({ "decision": "approve" })), Some(CallDecision::Make));
        assert_eq!(
            said("accept", json!({ "decision": "deny", "reason": "no" })),
            Some(CallDecision::Fail("no".into()))
        );
        assert_eq!(said("decline", Value::Null), Some(CallDecision::Fail("the call was denied".into())));
        for (action, content) in [
            ("accept", Value::Null),
            ("accept", json!({})),
            ("accept", json!({ "decision": true })),
            ("accept", json!({ "decision": "Approve" })),
            ("cancel", json!({ "decision": "approve" })),
        ] {
            assert_eq!(said(action, content.clone()), None, "{action} {content}");
        }
    }

    #[test]
    fn nobody_is_asked_about_what_is_not_shown() {
        let call = |args: String| WaitingCall {
            call: 3,
            subtask: None,
            name: "mail".into(),
            args: Json::new(args).unwrap(),
            why: PendingReason::Approval,
        };
        let shown = question("s", &call("{\"to\":\"a\\u001b[2Jb\"}".into())).unwrap();
        assert!(
            shown.starts_with("Call 3 of the session s: tool/mail {\"to\":") && !shown.contains('\u{1b}'),
            "{shown}"
        );
        assert_eq!(question("s", &call(format!("{{\"to\":\"{}\"}}", "x".repeat(SHOWN_BYTES)))), None);
        assert!(ElicitationSchema::from_json_schema(schema()).is_ok());
    }
}
