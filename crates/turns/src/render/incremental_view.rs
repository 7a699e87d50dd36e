//! The view that a session keeps up to date: the next prompt costs only what is new. Always equal to
//! [`crate::render::messages`].

use crate::policy::{ErrorRetention, Policy};
use crate::prompt::initial_messages::{OPENING, opening};
use crate::render;
use crate::render::coalesced::{self, Placed};
use crate::render::older_output::{Broken, Outputs};
use crate::render::output_window::Window;
use crate::render::summary::TurnSummary;
use crate::render::visibility::{Output, Visibility, WholeReason};
use crate::trace::act::Act;
use crate::trace::record::{Header, Status, TurnRecord};
use crate::trace::{Step, Trace};
use ptc_history::{Message, auto};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Messages under one policy, updated turn by turn.
///
/// A turn is rendered again only when what is shown of it changes: one of its names was defined again, its output left
/// the window, an error made it stay whole, or a success ended that.
#[derive(Clone)]
pub struct IncrementalView {
    header: Arc<Header>,
    policy: Policy,
    messages: Vec<Message>,
    turns: Vec<Slot>,
    acts: Vec<Arc<Act>>,
    /// The turn that defined a name last.
    owner: HashMap<String, usize>,
    /// The newest printed entries, where entries are counted.
    window: Window,
    /// How much of the output of older turns is shown, where tokens are counted.
    outputs: Outputs,
    /// The newest lines of the list of tool calls.
    tool_calls: Window,
    /// Successful turns in order.
    successes: Vec<usize>,
    /// The successes, by their place in that list, that errors keep whole. Those before are final.
    held: Range<usize>,
    /// Errors that no success has followed yet, if these are to become one line.
    open_errors: Vec<usize>,
    /// Under `auto`: bytes of each turn as it is, and how many turns are folded.
    sizes: Vec<usize>,
    folded: usize,
    /// The last turn of a finished session: whole, without feedback.
    closed: bool,
    visited: u64,
    /// The first message that was made since [`IncrementalView::take_first_changed`].
    first_changed: usize,
}

#[derive(Clone)]
struct Slot {
    record: Arc<TurnRecord>,
    summary: TurnSummary,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Whole,
    NotSummarized,
    Summary,
    Recovered,
}

impl IncrementalView {
    /// The view before the first turn.
    pub fn new(header: Arc<Header>, policy: &Policy) -> Self {
        IncrementalView {
            messages: opening(&header, policy, None),
            window: Window::new(render::line_limit(policy.println_history_limit)),
            outputs: Outputs::new(policy),
            tool_calls: Window::new(render::line_limit(policy.tool_calls_limit)),
            header,
            policy: policy.clone(),
            turns: Vec::new(),
            acts: Vec::new(),
            owner: HashMap::new(),
            successes: Vec::new(),
            held: 0..0,
            open_errors: Vec::new(),
            sizes: Vec::new(),
            folded: 0,
            closed: false,
            visited: 0,
            first_changed: 0,
        }
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What the model sees before the next turn.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Where the messages begin that were added or changed since this was asked last; all of them the first time.
    pub(crate) fn take_first_changed(&mut self) -> usize {
        std::mem::replace(&mut self.first_changed, usize::MAX)
    }

    /// How many times a turn was examined or rendered so far: the work that was done.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The view of a trace.
    pub fn of(trace: &Trace, policy: &Policy) -> Self {
        let mut view = IncrementalView::new(trace.header.clone(), policy);
        view.follow(trace);
        view
    }

    /// Adds the acts and turns that the trace has more. It must be the same trace as before.
    pub fn follow(&mut self, trace: &Trace) {
        for step in trace.steps_from(self.acts.len(), self.turns.len()) {
            match step {
                Step::Act(a) => self.open(a.clone()),
                Step::Turn(t) => self.push(t.clone()),
            }
        }
    }

    /// Begins the next act.
    pub fn open(&mut self, act: Arc<Act>) {
        let mut changed = BTreeSet::new();
        self.acts.push(act);
        self.go_on(&mut changed);
        match self.turns.len() {
            0 => {
                self.messages = opening(&self.header, &self.policy, self.acts.last());
                self.first_changed = 0;
            }
            n => {
                changed.insert(n.saturating_sub(1));
            }
        }
        for i in changed {
            self.render(i);
        }
    }

    /// The last turn that there may be.
    fn max_turns(&self) -> u64 {
        self.acts.last().map_or(self.header.max_turns, |a| a.last_turn())
    }

    /// The turn that ended the session becomes one like the others.
    fn go_on(&mut self, changed: &mut BTreeSet<usize>) {
        if std::mem::take(&mut self.closed) {
            self.settle(self.turns.len().saturating_sub(1), changed);
        }
    }

    /// Adds the next turn.
    pub fn push(&mut self, record: Arc<TurnRecord>) {
        let mut changed = BTreeSet::new();
        if self.policy.uses_strategy_auto() {
            self.sizes.push(render::turn_bytes(&record));
        }
        // The session may have continued after all.
        self.go_on(&mut changed);
        let i = self.turns.len();
        let summary = TurnSummary::new(&record, &self.policy, self.header.limits.println_bytes);
        let (succeeded, answered) = (record.status.committed(), record.status == Status::Answered);
        self.closed = record.ends(self.max_turns());
        if self.is_token_sized() && !self.policy.uses_strategy_auto() {
            self.add_output(&record, &summary);
        }
        self.turns.push(Slot { record, summary, form: Form::Whole });
        changed.insert(i);
        if render::compresses(&self.header, &self.policy) && self.policy.uses_strategy_auto() {
            self.move_boundary(&mut changed);
        } else if render::compresses(&self.header, &self.policy) {
            if succeeded {
                self.succeed(i, &mut changed);
            } else if !answered {
                self.fail(i, &mut changed);
            }
            if !self.closed {
                self.settle(i, &mut changed);
            }
        }
        if render::coalesces(&self.header, &self.policy) {
            self.coalesce();
            return;
        }
        for i in changed {
            self.render(i);
        }
    }

    /// One message describes all turns, so it is written again, from lines that are kept.
    fn coalesce(&mut self) {
        self.visited = self.visited.saturating_add(1);
        let placed = self.turns.iter().enumerate();
        let placed =
            placed.map(|(at, s)| Placed { record: &s.record, summary: &s.summary, show: self.show(s.form, at), at });
        let live = |name: &str, at| self.owner.get(name) == Some(&at);
        self.messages = coalesced::messages(&self.header, &self.policy, placed, live, self.closed);
        self.first_changed = 0;
    }

    /// Whether older turns are sized in tokens.
    fn is_token_sized(&self) -> bool {
        render::compresses(&self.header, &self.policy) && self.policy.is_token_sized()
    }

    fn add_output(&mut self, record: &TurnRecord, summary: &TurnSummary) {
        let may_stay = !render::coalesces(&self.header, &self.policy);
        self.outputs.push(record, summary, may_stay, render::shortens_recovered_errors(&self.policy));
    }

    /// Folds the turns that the cost model says, if it says so now.
    fn move_boundary(&mut self, changed: &mut BTreeSet<usize>) {
        self.visited = self.visited.saturating_add(1);
        let most = |i: usize| self.turns.get(i).and_then(|s| render::most_turns(&self.header, &s.record));
        let plan = auto::plan(&self.policy.history, &self.sizes, most);
        let from = std::mem::replace(&mut self.folded, plan.folded());
        for i in from..plan.folded() {
            let Some(slot) = self.turns.get(i).cloned() else { continue };
            if self.is_token_sized() {
                self.add_output(&slot.record, &slot.summary);
            }
            if slot.record.status.committed() {
                let names: Vec<String> = slot.summary.names().map(str::to_owned).collect();
                for name in names {
                    changed.extend(self.owner.insert(name, i));
                }
                self.summarise(i, changed);
            } else if slot.record.status != Status::Answered {
                self.form(i, Form::Recovered);
                changed.insert(i);
                self.enter_tool_calls(i, changed);
            }
        }
        if self.is_token_sized() && from < plan.folded() {
            self.outputs.settle(plan.folded(), Broken::Yes, changed);
        }
    }

    /// A success takes over names from earlier turns, and ends what errors kept whole.
    fn succeed(&mut self, i: usize, changed: &mut BTreeSet<usize>) {
        let names: Vec<String> =
            self.turns.get(i).map(|s| s.summary.names().map(str::to_owned).collect()).unwrap_or_default();
        for name in names {
            changed.extend(self.owner.insert(name, i));
        }
        let errors = std::mem::take(&mut self.open_errors);
        if !errors.is_empty() {
            for j in std::mem::replace(&mut self.held, 0..0) {
                if let Some(turn) = self.successes.get(j).copied() {
                    self.summarise(turn, changed);
                }
            }
            for e in errors {
                self.form(e, Form::Recovered);
                changed.insert(e);
                self.enter_tool_calls(e, changed);
            }
        }
        self.successes.push(i);
    }

    /// An error keeps some successes before it whole (P-19).
    fn fail(&mut self, i: usize, changed: &mut BTreeSet<usize>) {
        let until = self.successes.len();
        let from = until.saturating_sub(usize::try_from(self.policy.error_context_turns).unwrap_or(usize::MAX));
        // What an earlier error keeps whole is whole already: contexts only move forward.
        for j in from.max(self.held.end)..until {
            if let Some(turn) = self.successes.get(j).copied() {
                self.form(turn, Form::Whole);
                changed.insert(turn);
                self.visited = self.visited.saturating_add(
                    self.window.remove(turn, changed).saturating_add(self.tool_calls.remove(turn, changed)),
                );
            }
        }
        self.held = if self.held.is_empty() { from..until } else { self.held.start.min(from)..until };
        if self.policy.error_retention == ErrorRetention::UntilRecovered {
            self.open_errors.push(i);
        }
    }

    /// A turn that the session continued after is now one of the older ones.
    fn settle(&mut self, i: usize, changed: &mut BTreeSet<usize>) {
        changed.insert(i);
        if render::compresses(&self.header, &self.policy)
            && !self.policy.uses_strategy_auto()
            && self.turns.get(i).is_some_and(|s| s.record.status.committed())
        {
            self.summarise(i, changed);
            let most = self.turns.get(i).and_then(|s| render::most_turns(&self.header, &s.record));
            if self.is_token_sized() {
                self.outputs.settle(i, Broken::No { most }, changed);
            }
        }
    }

    fn summarise(&mut self, i: usize, changed: &mut BTreeSet<usize>) {
        changed.insert(i);
        if self.is_token_sized() && self.outputs.stays_unsummarized(i) {
            self.form(i, Form::NotSummarized);
            return;
        }
        self.form(i, Form::Summary);
        if !self.is_token_sized() {
            let printed = self.turns.get(i).map_or(0, |s| s.summary.printed_entry_count());
            self.visited = self.visited.saturating_add(self.window.insert(i, printed, changed));
        }
        self.enter_tool_calls(i, changed);
    }

    fn enter_tool_calls(&mut self, i: usize, changed: &mut BTreeSet<usize>) {
        let called = self.turns.get(i).map_or(0, |s| s.summary.tool_call_line_count());
        self.visited = self.visited.saturating_add(self.tool_calls.insert(i, called, changed));
    }

    fn show(&self, form: Form, i: usize) -> Visibility {
        match form {
            // The reason is not needed here.
            Form::Whole => Visibility::Whole(WholeReason::FullHistory),
            Form::Recovered => Visibility::Recovered { calls: self.tool_calls.shown(i) },
            Form::NotSummarized => Visibility::NotSummarized(self.outputs.of(i)),
            Form::Summary => {
                let counted = || Output::Entries(self.window.shown(i));
                let output = if self.is_token_sized() { self.outputs.of(i) } else { counted() };
                Visibility::Summary { output, calls: self.tool_calls.shown(i) }
            }
        }
    }

    fn form(&mut self, i: usize, form: Form) {
        self.visited = self.visited.saturating_add(1);
        if let Some(slot) = self.turns.get_mut(i) {
            slot.form = form;
        }
    }

    fn render(&mut self, i: usize) {
        self.visited = self.visited.saturating_add(1);
        let Some(slot) = self.turns.get(i) else { return };
        let show = self.show(slot.form, i);
        let (reply, feedback) =
            render::turn_messages(&slot.record, &slot.summary, show, |name| self.owner.get(name) == Some(&i));
        let at = i.saturating_mul(2).saturating_add(OPENING);
        let last = self.closed && i.saturating_add(1) == self.turns.len();
        self.first_changed = self.first_changed.min(at);
        put(&mut self.messages, at, reply);
        if !last {
            let next = (i as u64).saturating_add(2);
            let act = self.acts.iter().rev().take_while(|a| a.first_turn >= next).find(|a| a.first_turn == next);
            put(&mut self.messages, at.saturating_add(1), render::user_message_after(&slot.record, &feedback, act));
        }
    }
}

/// Turns are rendered in order, so a place is either there or the next one.
fn put(messages: &mut Vec<Message>, at: usize, message: Message) {
    match messages.get_mut(at) {
        Some(slot) => *slot = message,
        None => messages.push(message),
    }
}
