//! What the tool `inspect` shows.

use super::arguments::{InspectArgs, Part};
use super::bounds::DATA_BYTES;
use super::{McpServer, result};
use crate::refused::{Refused, RefusedKind};
use ptc_turns::trace::record::KeptTexts;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};
use std::sync::Arc;

impl McpServer {
    async fn inspect_sessions(&self, most: usize) -> Result<CallToolResult, Refused> {
        let all = self.sessions.list(&self.client).await?;
        let item = |s: &ptc_agent::sessions::SessionSummary| json!({ "session": s.id, "task": s.task, "status": s.status.as_str(), "turns": s.totals.turns, "bytes": s.bytes });
        let items: Vec<Value> = all.iter().take(most).map(item).collect();
        Ok(result::list("sessions", &items, Map::new(), "give n, how many of the newest"))
    }

    pub(super) async fn inspect(&self, args: InspectArgs) -> Result<CallToolResult, Refused> {
        if args.n == Some(0) {
            let words = "n is a number from 1";
            return Err(Refused::new(
                RefusedKind::Invalid,
                words,
                "turns are counted from 1; leave n out for all, or the last one",
            ));
        }
        let most = usize::try_from(args.n.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        let about = |id: &str| Map::from_iter([("session".to_owned(), json!(id))]);
        let Some(part) = args.what.part() else { return self.inspect_sessions(most).await };
        let Some(id) = args.session else {
            let words = "session is missing";
            return Err(Refused::new(RefusedKind::Invalid, words, "what = sessions lists those that there are"));
        };
        // What is left of a text is more than is shown of it.
        let keep = match part {
            Part::Defs | Part::Turn | Part::Calls => KeptTexts::NONE,
            Part::Turns => KeptTexts { said: 500, printed: 0, values: 500 },
        };
        let trace = self.sessions.reduced(&self.client, &id, move |turn| turn.reduced(keep)).await?;
        let turns = trace.turns();
        match part {
            Part::Defs => {
                let defs = crate::answer::definitions(&trace);
                let items: Vec<Value> =
                    defs.iter().rev().take(most).filter_map(|d| serde_json::to_value(d).ok()).collect();
                Ok(result::list("defs", &items, about(&id), "these are the newest"))
            }
            Part::Turns => {
                let line = |t: &Arc<ptc_turns::TurnRecord>| {
                    let program = ptc_lisp::error::cut(ptc_lisp::escape::line(&t.program).to_string(), 120);
                    let value = t.value.as_ref().map(|v| ptc_lisp::error::cut(v.clone(), 120));
                    json!({ "turn": t.turn, "status": t.status.as_str(), "program": program, "value": value, "calls": t.tool_calls.len() })
                };
                let items: Vec<Value> = turns.iter().rev().take(most).map(line).collect();
                Ok(result::list("turns", &items, about(&id), "these are the newest"))
            }
            Part::Turn => {
                let wanted = args.n.unwrap_or(turns.len() as u64);
                match self.sessions.turn(&self.client, &id, wanted).await? {
                    Some(record) => Ok(result::turn(&id, &record)),
                    None => {
                        let words = format!("there is no turn {wanted}");
                        Err(Refused::new(
                            RefusedKind::NotFound,
                            words,
                            format!("the session has {} turns", turns.len()),
                        ))
                    }
                }
            }
            Part::Calls => {
                // The newest come first, and there is no place for more than these.
                let (mut items, mut left) = (Vec::new(), DATA_BYTES);
                let with = turns.iter().rev().filter(|t| !t.tool_calls.is_empty());
                for turn in with.map(|t| t.turn).filter(|turn| args.n.is_none_or(|n| n == *turn)) {
                    let Some(record) = self.sessions.turn(&self.client, &id, turn).await? else { break };
                    let calls = record.tool_calls.iter().map(|c| result::call(turn, c));
                    items.extend(calls.inspect(|c| left = left.saturating_sub(c.to_string().len())));
                    if left == 0 {
                        break;
                    }
                }
                let known: usize =
                    turns.iter().filter(|t| args.n.is_none_or(|n| n == t.turn)).map(|t| t.tool_calls.len()).sum();
                items.resize(known.max(items.len()), Value::Null);
                Ok(result::list("calls", &items, about(&id), "give n, the turn"))
            }
        }
    }
}
