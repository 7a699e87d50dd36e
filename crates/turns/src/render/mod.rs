//! Messages as a pure function of trace and policy: the simple version, with the rules in order; [`incremental_view`]
//! gives the same faster.

pub mod act_inputs;
pub mod coalesced;
pub mod feedback;
pub mod incremental_view;
pub(crate) mod older_output;
mod output_window;
mod shortened_output;
pub mod summary;
pub mod summary_parser;
mod tool_call_lines;
pub(crate) mod visibility;

use crate::policy::{ErrorRetention, Layout, Policy};
use crate::prompt::initial_messages::opening;
use crate::render::coalesced::Placed;
use crate::render::older_output::{Broken, Outputs};
use crate::render::summary::TurnSummary;
use crate::render::visibility::{Output, Visibility, WholeReason};
use crate::text::token_estimate;
use crate::trace::Trace;
use crate::trace::act::{Act, said_at};
use crate::trace::full_turn;
use crate::trace::record::{Header, Status, TurnRecord};
use ptc_history::{Message, auto};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What the model sees before turn `before_turn`, or before the next one when that is `None` or past the end.
///
/// A finished session has no next turn: its view ends with its last assistant message, whole and without feedback
/// (P-20).
pub fn messages(trace: &Trace, policy: &Policy, before_turn: Option<u64>) -> Vec<Message> {
    let all = trace.turns();
    let count =
        before_turn.map_or(all.len(), |k| usize::try_from(k.saturating_sub(1)).unwrap_or(usize::MAX).min(all.len()));
    let turns = all.get(..count).unwrap_or_default();
    let policy = &*layout(trace, policy, Some(count as u64));
    let ended = count == all.len() && trace.over();
    let println_bytes = trace.header.limits.println_bytes;
    let summaries: Vec<TurnSummary> = turns.iter().map(|t| TurnSummary::new(t, policy, println_bytes)).collect();
    let shown = turn_visibilities(&trace.header, policy, turns, &summaries, ended);
    // Under `auto` old lines change only when the boundary moves: the definitions of a whole turn are in its program.
    let folded = if policy.uses_strategy_auto() {
        shown.iter().rposition(|s| !matches!(s, Visibility::Whole(_))).map_or(0, |i| i.saturating_add(1))
    } else {
        count
    };
    let owner = last_definers(summaries.get(..folded).unwrap_or_default());

    if coalesces(&trace.header, policy) {
        let placed = turns.iter().zip(&summaries).zip(&shown).enumerate();
        let placed = placed.map(|(at, ((record, summary), show))| Placed { record, summary, show: *show, at });
        let live = |name: &str, at| owner.get(name) == Some(&at);
        return coalesced::messages(&trace.header, policy, placed, live, ended);
    }
    let act_at = |turn: usize| trace.acts().iter().find(|a| a.first_turn == turn as u64);
    let mut out = opening(&trace.header, policy, act_at(1));
    for (i, ((record, summary), show)) in turns.iter().zip(&summaries).zip(shown).enumerate() {
        let live = |name: &str| owner.get(name) == Some(&i);
        let (reply, feedback) = turn_messages(record, summary, show, live);
        out.push(reply);
        if !(ended && i.saturating_add(1) == count) {
            out.push(user_message_after(record, &feedback, act_at(i.saturating_add(2))));
        }
    }
    out
}

/// The user message after a turn: its feedback, and the act that begins there.
pub(crate) fn user_message_after(record: &TurnRecord, feedback: &str, act: Option<&Arc<Act>>) -> Message {
    match act {
        Some(act) => act.message(feedback),
        None => said_at(Message::user(feedback), record.time),
    }
}

/// The messages of a turn: the assistant's message, and the feedback, which is empty after a text act.
pub(crate) fn turn_messages(
    record: &TurnRecord,
    summary: &TurnSummary,
    show: Visibility,
    live: impl Fn(&str) -> bool,
) -> (Message, String) {
    let notes = summary.has_notes(&live);
    let (reply, feedback) = match show {
        _ if record.status == Status::Answered => (full_turn::assistant(record), String::new()),
        Visibility::Whole(_) => (full_turn::assistant(record), feedback::whole(record)),
        Visibility::NotSummarized(output) => {
            let feedback = feedback::with_output(record, summary.printed_text(), &summary.output_text(output));
            (full_turn::assistant(record), feedback)
        }
        Visibility::Summary { output, calls } => {
            (summary.text_with_output(&live, output, calls), feedback::reduced(record))
        }
        Visibility::Recovered { calls } => {
            (summary::recovered_with(record, summary, calls), feedback::turn_only(record))
        }
    };
    // The form was chosen when the turn was new, and a later definition rarely changes it: where it would become longer
    // than the turn, the turn is shown whole.
    let longer =
        |most: &u64| !matches!(show, Visibility::Whole(_)) && token_estimate::of_turn(&reply, &feedback) > *most;
    let (reply, feedback) = match summary.whole_tokens().filter(longer) {
        Some(_) => (full_turn::assistant(record), feedback::whole(record)),
        None => (reply, feedback),
    };
    let mut reply = said_at(Message::assistant(reply), record.time);
    if notes {
        // Kept by every strategy, and under budgets as long as possible.
        reply.meta_mut().memory = true;
    }
    (reply, feedback)
}

/// Whether a view of this session compresses at all (P-01, P-24).
pub(crate) fn compresses(header: &Header, policy: &Policy) -> bool {
    (policy.compress_history || policy.uses_strategy_auto()) && header.max_turns != 1
}

/// The policy as a session is shown by it after `turns` turns, all of them if absent: one message has no place for the
/// questions behind the first.
pub(crate) fn layout<'p>(trace: &Trace, policy: &'p Policy, turns: Option<u64>) -> Cow<'p, Policy> {
    let asked = trace.acts().first().is_some_and(|a| turns.is_none_or(|turns| a.first_turn <= turns.saturating_add(1)));
    if policy.layout == Layout::Coalesced && trace.header.acts.is_empty() && asked {
        Cow::Owned(Policy { layout: Layout::Assistant, ..policy.clone() })
    } else {
        Cow::Borrowed(policy)
    }
}

/// Whether all turns are in one message. Not with acts, each of which has its own question.
pub(crate) fn coalesces(header: &Header, policy: &Policy) -> bool {
    compresses(header, policy) && policy.layout == Layout::Coalesced && header.acts.is_empty()
}

/// Bytes of a whole turn: the sizes for the decisions of `auto`.
pub(crate) fn turn_bytes(record: &TurnRecord) -> usize {
    full_turn::assistant(record).len().saturating_add(record.feedback.len())
}

/// For each name the turn that defined it last (P-05). Blocks of failed turns define nothing.
fn last_definers(summaries: &[TurnSummary]) -> HashMap<&str, usize> {
    summaries.iter().enumerate().flat_map(|(i, b)| b.names().map(move |n| (n, i))).collect()
}

/// Whether a failed turn becomes one line as soon as it is not among those that stay whole.
pub(crate) fn shortens_recovered_errors(policy: &Policy) -> bool {
    policy.uses_strategy_auto() || policy.error_retention == ErrorRetention::UntilRecovered
}

/// How many turns there can be, as was known when `record` was made.
pub(crate) fn most_turns(header: &Header, record: &TurnRecord) -> Option<u64> {
    if header.acts.is_empty() { feedback::last_turn(record) } else { Some(header.max_turns) }
}

/// The turns that the decision rule of `auto` folds.
fn folding_plan(header: &Header, policy: &Policy, turns: &[Arc<TurnRecord>]) -> auto::Plan {
    let sizes: Vec<usize> = turns.iter().map(|t| turn_bytes(t)).collect();
    auto::plan(&policy.history, &sizes, |i| turns.get(i).and_then(|t| most_turns(header, t)))
}

/// How much of the output of each older turn is shown, in a view sized in tokens.
pub(crate) fn older_outputs(
    header: &Header,
    policy: &Policy,
    turns: &[Arc<TurnRecord>],
    summaries: &[TurnSummary],
    ended: bool,
) -> Outputs {
    let mut out = Outputs::new(policy);
    let (may_stay, recovers) = (!coalesces(header, policy), shortens_recovered_errors(policy));
    let mut changed = BTreeSet::new();
    if policy.uses_strategy_auto() {
        for step in folding_plan(header, policy, turns).steps {
            let end = step.turns.end;
            for (record, summary) in step.turns.filter_map(|i| turns.get(i).zip(summaries.get(i))) {
                out.push(record, summary, may_stay, recovers);
            }
            out.settle(end, Broken::Yes, &mut changed);
        }
        return out;
    }
    for (i, (record, summary)) in turns.iter().zip(summaries).enumerate() {
        out.push(record, summary, may_stay, recovers);
        if record.status.committed() && !(ended && i.saturating_add(1) == turns.len()) {
            out.settle(i, Broken::No { most: most_turns(header, record) }, &mut changed);
        }
    }
    out
}

/// How each turn is shown.
pub(crate) fn turn_visibilities(
    header: &Header,
    policy: &Policy,
    turns: &[Arc<TurnRecord>],
    summaries: &[TurnSummary],
    ended: bool,
) -> Vec<Visibility> {
    if !compresses(header, policy) {
        return vec![Visibility::Whole(WholeReason::FullHistory); turns.len()];
    }
    let mut shown = vec![Visibility::Summary { output: Output::Entries(0), calls: 0 }; turns.len()];
    if policy.uses_strategy_auto() {
        let folded = folding_plan(header, policy, turns).folded();
        for (i, (show, turn)) in shown.iter_mut().zip(turns).enumerate() {
            if turn.status == Status::Answered {
                *show = Visibility::Whole(WholeReason::Answer);
            } else if i >= folded {
                *show = Visibility::Whole(if ended && i.saturating_add(1) == turns.len() {
                    WholeReason::Last
                } else {
                    WholeReason::Recent
                });
            } else if !turn.status.committed() {
                *show = Visibility::Recovered { calls: 0 };
            }
        }
        measure_or_count(header, policy, (turns, summaries), ended, &mut shown);
        return shown;
    }
    let succeeded = |i: &usize| turns.get(*i).is_some_and(|t| t.status.committed());
    let last_success = (0..turns.len()).rev().find(succeeded);
    // The answer of a text act is neither: it is unchanged.
    let answered = |i: &usize| turns.get(*i).is_some_and(|t| t.status == Status::Answered);
    (0..turns.len())
        .filter(answered)
        .for_each(|i| set_visibility(&mut shown, i, Visibility::Whole(WholeReason::Answer)));
    for i in (0..turns.len()).filter(|i| !succeeded(i) && !answered(i)) {
        // P-18: errors stay whole, with some turns before them; D6: or become one line once recovered.
        let recovered = policy.error_retention == ErrorRetention::UntilRecovered && last_success > Some(i);
        let context = usize::try_from(policy.error_context_turns).unwrap_or(usize::MAX);
        let before = (0..i).rev().filter(succeeded).take(if recovered { 0 } else { context });
        for j in before {
            // The first failure after it is the reason.
            if !matches!(shown.get(j), Some(Visibility::Whole(_))) {
                set_visibility(&mut shown, j, Visibility::Whole(WholeReason::Before((i as u64).saturating_add(1))));
            }
        }
        set_visibility(
            &mut shown,
            i,
            if recovered { Visibility::Recovered { calls: 0 } } else { Visibility::Whole(WholeReason::Failed) },
        );
    }
    if ended && let Some(last) = shown.last_mut().filter(|s| **s != Visibility::Whole(WholeReason::Answer)) {
        *last = Visibility::Whole(WholeReason::Last);
    }
    measure_or_count(header, policy, (turns, summaries), ended, &mut shown);
    shown
}

/// How much of the output each summary shows, and which turns need no summary, by tokens or by entries.
fn measure_or_count(
    header: &Header,
    policy: &Policy,
    (turns, summaries): (&[Arc<TurnRecord>], &[TurnSummary]),
    ended: bool,
    shown: &mut [Visibility],
) {
    if policy.is_token_sized() {
        let outputs = older_outputs(header, policy, turns, summaries, ended);
        for (i, show) in shown.iter_mut().enumerate() {
            if let Visibility::Summary { output, .. } = show {
                *output = outputs.of(i);
                if outputs.stays_unsummarized(i) {
                    *show = Visibility::NotSummarized(outputs.of(i));
                }
            }
        }
    }
    count_entries(policy, shown, summaries);
}

/// P-02, P-27: the newest entries over all summaries, and the newest lines of tool calls.
fn count_entries(policy: &Policy, shown: &mut [Visibility], summaries: &[TurnSummary]) {
    let mut room = line_limit(policy.println_history_limit);
    let mut room_for_calls = line_limit(policy.tool_calls_limit);
    for (show, summary) in shown.iter_mut().zip(summaries).rev() {
        if let Visibility::Summary { output: Output::Entries(outputs), .. } = show {
            *outputs = summary.printed_entry_count().min(room);
            room = room.saturating_sub(*outputs);
        }
        if let Visibility::Summary { calls, .. } | Visibility::Recovered { calls } = show {
            *calls = summary.tool_call_line_count().min(room_for_calls);
            room_for_calls = room_for_calls.saturating_sub(*calls);
        }
    }
}

/// A limit as a number of lines; without one there are as many as there are.
pub(crate) fn line_limit(limit: Option<u64>) -> usize {
    limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX))
}

fn set_visibility(shown: &mut [Visibility], i: usize, show: Visibility) {
    if let Some(slot) = shown.get_mut(i) {
        *slot = show;
    }
}

#[cfg(test)]
pub(crate) mod tests;
