//! A kept session, told from its beginning.

use super::update;
use ptc_turns::trace::Step;
use ptc_turns::{Status, Trace};
use serde_json::Value;

/// All that has happened in a session, in order.
pub fn updates(trace: &Trace) -> Vec<Value> {
    let mut all = Vec::new();
    let question = trace.header.question();
    if !question.is_empty() {
        all.push(update::asked(question));
    }
    for step in trace.steps() {
        match step {
            Step::Act(act) => all.push(update::asked(update::question(act))),
            Step::Turn(turn) => {
                if turn.status != Status::Answered {
                    all.push(update::turn_begun(turn.turn, &turn.program, false));
                    turn.tool_calls.iter().for_each(|call| all.extend(update::call_made(call)));
                    all.push(update::turn_ended(turn));
                }
                all.extend(update::answer(turn).map(|answer| update::message(&answer)));
            }
        }
    }
    all.extend(update::plan(trace));
    if !trace.ended() {
        let words = match trace.journal().calls().next() {
            Some(_) => {
                "This was not answered yet, and a turn has begun that made calls. The same prompt goes on with it."
            }
            None => "This was not answered yet. The same prompt goes on with it.",
        };
        all.push(update::message(words));
    }
    all
}
