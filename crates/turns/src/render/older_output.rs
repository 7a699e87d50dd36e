//! How much of the output of older turns is shown, in a view sized in tokens.
//!
//! The output of a turn is whole for `output_turns` turns. Older output of at most `output_tokens` stays: a program that
//! prints little prints what its session goes by. What is longer is cut in the middle to a quarter of that, unless its lines
//! had been printed before: what is read again is needed, so it stays up to four times the budget. Where nearly all lines
//! of an output stand in a later one, a line takes its place, and so it does for the oldest when all together take more
//! than ten budgets. Outputs are shortened together, when that pays. Between such moves nothing changes, so that what is
//! sent begins as the request before. All of it is a function of the turns alone, gone through from the first on.

use crate::policy::Policy;
use crate::render::feedback;
use crate::render::shortened_output::MIN_CUT_TOKENS;
use crate::render::summary;
use crate::render::summary::TurnSummary;
use crate::render::visibility::Output;
use crate::text::token_estimate;
use crate::trace::full_turn;
use crate::trace::record::{Status, TurnRecord};
use ptc_history::policy::Prices;
use ptc_history::policy::decision::{self, Decision};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::hash::Hasher;

/// Older output of this many budgets is shortened even where that does not pay.
const FORCED_AT_BUDGETS: u64 = 2;
/// All older output together takes at most this many budgets.
const MAX_TOTAL_BUDGETS: u64 = 10;
/// Output that was printed again stays where it takes at most this many budgets.
const MAX_REPEATED_BUDGETS: u64 = 4;
/// Output of more than the budget is cut to this fraction of it.
const CUT_DIVISOR: u64 = 4;
/// Lines of fewer bytes are not compared with earlier output.
const MIN_COMPARED_LINE_BYTES: usize = 24;
/// The output of the newest turns stays whole as far back as together it takes at most this many budgets.
const MAX_NEWEST_BUDGETS: u64 = 20;

/// The turns of a session and how much of their output is shown.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    budget: u64,
    /// Turns before the newest whose output is not shortened.
    spared: usize,
    prices: Prices,
    turns: Vec<Turn>,
    /// Turns whose output can be shortened further, oldest first.
    printed: Vec<usize>,
    /// Hashes of the lines that were printed, each with the last turn that printed it and whose output stays, or else
    /// the first.
    lines: HashMap<u64, usize>,
    /// The decisions that were applied, and after them the last one that was not.
    decided: Vec<OutputShortening>,
}

/// Whether the prefix changes anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It does not; the limit of turns, where there is one.
    No {
        /// The limit.
        most: Option<u64>,
    },
    /// It does.
    Yes,
}

/// A decision about the output of older turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputShortening {
    /// The newest turn then, from 1.
    pub turn: u64,
    /// Tokens that the output took which was to be shortened, as it was shown.
    pub tokens: u64,
    /// What shortening it saves and what the lost cache costs.
    pub decision: Decision,
    /// What was decided.
    pub result: ShorteningResult,
}

/// The result of a decision about the output of older turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShorteningResult {
    /// It does not pay: nothing was changed.
    Waits,
    /// It pays: it was shortened.
    Pays,
    /// It does not pay, and was shortened since it took more than twice the budget.
    Forced,
    /// It was shortened together with the turns that were folded.
    Folded,
}

impl fmt::Display for OutputShortening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutputShortening { turn, tokens, decision, result } = self;
        write!(f, "after turn {turn}, {tokens} tokens of output: ")?;
        match result {
            ShorteningResult::Waits => write!(f, "kept. Shortening it {decision}"),
            ShorteningResult::Pays => write!(f, "shortened. It {decision}"),
            ShorteningResult::Forced => {
                write!(f, "shortened, since it is more than twice output_tokens. It {decision}")
            }
            ShorteningResult::Folded => f.write_str("shortened with the turns that were folded"),
        }
    }
}

/// The sizes of a turn.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Whether it is shown whole, since its summary is not shorter.
    unsummarized: bool,
    /// Tokens of it.
    shown: u64,
    /// Tokens of what it printed.
    output: u64,
    /// Tokens that it has fewer when a line stands for what it printed; 0 where that is not shorter.
    pointer: u64,
    /// How much of its output is shown.
    state: Output,
    /// Tokens that it has fewer by that.
    saved: u64,
    /// Whether it printed what had been printed before.
    again: bool,
    /// Lines that it printed, but for short ones.
    lines: usize,
    /// How many of them are in the output of later turns.
    gone: usize,
}

impl Turn {
    /// Whether nearly all of its lines were printed again later. Once so, always so: lines are only ever added to `gone`,
    /// also when the later output is itself cut or replaced by a line afterwards. Both are cut then, and `(turn/output n)`
    /// shows either; were it taken back, what a prompt does not show any more would have to be shown again.
    fn is_repeated(&self) -> bool {
        self.gone > 0 && self.gone.saturating_mul(4) >= self.lines.saturating_mul(3)
    }
}

impl Outputs {
    /// Before the first turn.
    pub fn new(policy: &Policy) -> Self {
        Outputs {
            budget: policy.output_tokens,
            spared: usize::try_from(policy.output_turns.saturating_sub(1)).unwrap_or(usize::MAX),
            prices: policy.history.prices,
            turns: Vec::new(),
            printed: Vec::new(),
            lines: HashMap::new(),
            decided: Vec::new(),
        }
    }

    /// Adds a turn. `may_stay` is whether it may be shown as it was, where its summary would not be shorter; `recovered`
    /// whether it is to be one line, if it failed.
    pub fn push(&mut self, record: &TurnRecord, summary: &TurnSummary, may_stay: bool, recovered: bool) {
        let most = summary.whole_tokens().unwrap_or(0);
        let mut turn = Turn {
            unsummarized: true,
            shown: most,
            output: 0,
            pointer: 0,
            state: Output::All,
            saved: 0,
            again: false,
            lines: 0,
            gone: 0,
        };
        if record.status.committed() {
            let told = feedback::reduced(record);
            let all = summary.tool_call_line_count();
            let size = |output| token_estimate::of_turn(&summary.text_with_output(|_| true, output, all), &told);
            let summary_tokens = size(Output::All);
            turn.unsummarized = may_stay && most <= summary_tokens;
            turn.shown = most.min(summary_tokens);
            let text = summary.printed_text();
            if !text.is_empty() {
                turn.output = token_estimate::tokens(text);
                let pointer = if turn.unsummarized {
                    let told = feedback::with_output(record, text, &summary.output_text(Output::Pointer));
                    token_estimate::of_turn(&full_turn::assistant(record), &told)
                } else {
                    size(Output::Pointer)
                };
                turn.pointer = turn.shown.saturating_sub(pointer);
                // Output that no line could replace more briefly is always shown, and not counted.
                if turn.pointer > 0 || turn.output > MIN_CUT_TOKENS {
                    self.compare(text, &mut turn);
                    self.printed.push(self.turns.len());
                }
            }
        } else if record.status != Status::Answered && recovered {
            let line = summary::recovered_with(record, summary, summary.tool_call_line_count());
            turn.shown = most.min(token_estimate::of_turn(&line, &feedback::turn_only(record)));
        }
        self.turns.push(turn);
    }

    /// Compares the lines of what the next turn printed with what was printed before. If its output will stay, lines that
    /// it repeats count as gone for the turns that printed them.
    fn compare(&mut self, text: &str, turn: &mut Turn) {
        let next = self.turns.len();
        // A line that is printed many times is one line.
        let lines: HashSet<u64> =
            text.lines().map(str::trim).filter(|l| l.len() >= MIN_COMPARED_LINE_BYTES).map(hash).collect();
        let before: Vec<usize> = lines.iter().filter_map(|l| self.lines.get(l).copied()).collect();
        turn.lines = lines.len();
        turn.again = !before.is_empty() && before.len().saturating_mul(2) >= lines.len();
        if turn.output > self.most(turn) {
            lines.into_iter().for_each(|l| _ = self.lines.entry(l).or_insert(next));
            return;
        }
        self.lines.extend(lines.into_iter().map(|l| (l, next)));
        for i in before {
            if let Some(t) = self.turns.get_mut(i) {
                t.gone = t.gone.saturating_add(1);
            }
        }
    }

    /// Tokens that the output of this turn may take when it is older, so that it stays whole.
    fn most(&self, turn: &Turn) -> u64 {
        self.budget.saturating_mul(if turn.again { MAX_REPEATED_BUDGETS } else { 1 })
    }

    /// How much of the output of this turn is shown.
    pub fn of(&self, turn: usize) -> Output {
        self.turns.get(turn).map_or(Output::All, |t| t.state)
    }

    /// Whether this turn stays as it was, since its summary would not be shorter.
    pub fn stays_unsummarized(&self, turn: usize) -> bool {
        self.turns.get(turn).is_some_and(|t| t.unsummarized)
    }

    /// The decisions that were applied, and after them the last one that was not.
    pub fn into_decisions(self) -> Vec<OutputShortening> {
        self.decided
    }

    /// Shortens older output where that is due and pays, now that `newest` has come, whose output stays whole. `broken`
    /// says that what is older is shown otherwise in any case, so that it is not asked whether it pays. Turns that are
    /// shown otherwise from now on go into `changed`.
    pub fn settle(&mut self, newest: usize, broken: Broken, changed: &mut BTreeSet<usize>) {
        let from = self.spared_from(newest);
        let moved = self.due(from);
        let Some(first) = moved.iter().map(|m| m.0).min() else { return };
        let now = |i: usize| self.turns.get(i).map_or(0, |t| t.saved);
        let shown = |i: usize| self.output(i).saturating_sub(now(i));
        let tokens = moved.iter().fold(0, |sum: u64, (i, _, _)| sum.saturating_add(shown(*i)));
        let saved = moved.iter().fold(0, |sum: u64, (i, _, saved)| sum.saturating_add(saved.saturating_sub(now(*i))));
        let left = |t: &Turn| t.shown.saturating_sub(t.saved);
        let between = self.turns.get(first..newest.max(first)).unwrap_or_default();
        let behind = between.iter().map(left).fold(0, u64::saturating_add).saturating_sub(saved);
        let sent = (newest as u64).saturating_add(1);
        let most = match broken {
            Broken::No { most } => most,
            Broken::Yes => None,
        };
        let decision = Decision::of(saved, behind, decision::remaining(sent, most), self.prices);
        let result = match broken {
            Broken::Yes => ShorteningResult::Folded,
            Broken::No { .. } if decision.pays => ShorteningResult::Pays,
            Broken::No { .. } if tokens > self.budget.saturating_mul(FORCED_AT_BUDGETS) => ShorteningResult::Forced,
            Broken::No { .. } => ShorteningResult::Waits,
        };
        self.decided.pop_if(|m| m.result == ShorteningResult::Waits);
        self.decided.push(OutputShortening { turn: sent, tokens, decision, result });
        if result == ShorteningResult::Waits {
            return;
        }
        for (i, state, saved) in moved {
            if let Some(t) = self.turns.get_mut(i) {
                (t.state, t.saved) = (state, saved);
                changed.insert(i);
            }
        }
        // An output that is a single line already is not shortened further.
        let turns = &self.turns;
        self.printed.retain(|i| turns.get(*i).is_some_and(|t| t.state != Output::Pointer));
    }

    /// The turns before this one whose output is to be shown shorter than it is, how, and the tokens that they have fewer
    /// than with whole output.
    fn due(&self, from: usize) -> Vec<(usize, Output, u64)> {
        let cut = Some(self.budget / CUT_DIVISOR).filter(|level| *level >= MIN_CUT_TOKENS);
        let mut room = self.budget.saturating_mul(MAX_TOTAL_BUDGETS);
        let mut due = Vec::new();
        // The newest first: what there is no room for is the oldest.
        for i in self.printed.iter().rev().copied().filter(|i| *i < from) {
            let Some(t) = self.turns.get(i) else { continue };
            let whole = t.output <= self.most(t) && t.state == Output::All;
            let size = if whole { Some(t.output) } else { cut }.filter(|size| *size <= room && !t.is_repeated());
            room = room.saturating_sub(size.unwrap_or(0));
            let (state, saved) = match size {
                Some(_) if whole => continue,
                Some(level) => (Output::Cut(level), t.output.saturating_sub(level).min(t.shown)),
                None => (Output::Pointer, t.pointer),
            };
            if saved > t.saved {
                due.push((i, state, saved));
            }
        }
        due
    }

    fn output(&self, turn: usize) -> u64 {
        self.turns.get(turn).map_or(0, |t| t.output)
    }

    /// The first of the turns whose output stays whole. The output of the newest turns has just been read and is
    /// needed, unless together it is too much.
    fn spared_from(&self, newest: usize) -> usize {
        let mut tokens = self.output(newest);
        let older = (newest.saturating_sub(self.spared)..newest).rev();
        let spared = older.take_while(|i| {
            tokens = tokens.saturating_add(self.output(*i));
            tokens <= self.budget.saturating_mul(MAX_NEWEST_BUDGETS)
        });
        spared.last().unwrap_or(newest)
    }
}

/// The same number for the same line, always.
fn hash(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(line.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests;
