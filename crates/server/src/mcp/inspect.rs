//! What the tool `inspect` shows.

use super::arguments::{InspectArgs, Part};
use super::{McpServer, result};
use crate::refused::{Refused, RefusedKind};
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
        let trace = self.sessions.trace(&self.client, &id).await?;
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
                match turns.iter().find(|t| t.turn == wanted) {
                    Some(record) => Ok(result::turn(&id, record)),
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
                let of = |t: &&Arc<ptc_turns::TurnRecord>| args.n.is_none_or(|n| n == t.turn);
                let items: Vec<Value> = turns
                    .iter()
                    .rev()
                    .filter(of)
                    .flat_map(|t| t.tool_calls.iter().map(|c| result::call(t.turn, c)))
                    .collect();
                Ok(result::list("calls", &items, about(&id), "give n, the turn"))
            }
        }
    }
}
