//! What a run took, from its trace: turns, tokens, errors, cost, time. Where the provider reported tokens these are
//! taken; elsewhere the requests are made again from the trace, under the policy it was recorded with, and counted.

use super::plan::{Cell, Compared, Found, Plan, Row};
use super::run_log::RunLog;
use crate::report::Maker;
use crate::traces::counter;
use ptc_agent::model::Price;
use ptc_agent::{Error, RunStatus, Summaries, Task};
use ptc_history::Message;
use ptc_history::tokens::MessageCounter;
use ptc_history::view::{View, ViewMessage};
use ptc_turns::trace::record::Usage;
use ptc_turns::{Status, Trace, TurnRecord};
use serde::Serialize;
use std::collections::HashMap;

/// Where numbers of tokens come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The provider, of each request.
    Reported,
    /// Our counter, of the requests made again from the trace.
    Counted,
    /// Some runs so, some so.
    Mixed,
}

/// Where the number of cached tokens comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CachedSource {
    /// The provider, of each request.
    Reported,
    /// What a request has in common with the one before, from its beginning.
    Prefix,
    /// Some runs so, some so.
    Mixed,
}

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// By `return`, or the answer of a text act.
    Returned,
    /// By `fail`.
    Failed,
    /// No turn was left.
    OutOfTurns,
    /// A limit of the whole run was used up.
    Limit,
    /// It has begun, and can be continued.
    NotEnded,
    /// There is no trace of it.
    NotBegun,
}

impl State {
    /// Its name.
    pub fn words(self) -> &'static str {
        match self {
            State::Returned => "returned",
            State::Failed => "failed",
            State::OutOfTurns => "out of turns",
            State::Limit => "limit",
            State::NotEnded => "not ended",
            State::NotBegun => "not begun",
        }
    }

    /// Whether it is over.
    pub fn ended(self) -> bool {
        !matches!(self, State::NotEnded | State::NotBegun)
    }
}

/// Tokens of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Of all requests.
    pub prompt: u64,
    /// Of the last one.
    pub last_prompt: u64,
    /// Of all of them, those that were, or could have been, read from a cache.
    pub cached: u64,
    /// Of those, written to a cache, as reported.
    #[serde(skip)]
    written: u64,
    /// Of all replies.
    pub output: u64,
}

/// What is known of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Its number.
    pub run: u64,
    /// The file of its trace.
    pub trace: String,
    /// How far it came.
    pub status: State,
    /// Whether its answer is right, where that is known.
    pub right: Option<bool>,
    /// Why it is not, or why the run did not end.
    pub why: Option<String>,
    /// The model, as `--model` or the task named it; `null` of traces that others made.
    pub model: Option<String>,
    /// Whether its system message is the one that the task has now.
    pub same_system: bool,
    /// Its turns.
    pub turns: u64,
    /// Turns that ended in an error.
    pub errors: u64,
    /// Its tokens; `null` where requests cannot be made again.
    pub tokens: Option<Tokens>,
    /// Where they come from.
    pub source: Source,
    /// Where the cached ones come from.
    pub cached_source: CachedSource,
    /// The model whose vocabulary counted, where one did.
    pub counted_as: Option<String>,
    /// What it cost, where prices are known; of recorded replies, what they would have cost.
    pub cost: Option<f64>,
    /// Whether its replies were recorded ones, which nobody was paid for.
    pub replayed: bool,
    /// How long it ran; `null` of traces that others made.
    pub seconds: Option<f64>,
}

/// Measures runs; counters are made once for each model.
#[derive(Default)]
pub struct Measurer {
    counters: HashMap<String, MessageCounter>,
}

impl Measurer {
    /// Measures the run of a cell, whose trace this is. `problem` is why it did not end, where that is known.
    ///
    /// # Errors
    /// When a file beside the trace cannot be read.
    pub fn run(
        &mut self,
        plan: &Plan,
        cell: &Cell,
        found: Option<&Found>,
        problem: Option<&str>,
    ) -> Result<Run, Error> {
        let mut run = Run {
            run: cell.run,
            trace: cell.file.display().to_string(),
            status: State::NotBegun,
            right: None,
            why: problem.map(str::to_owned),
            model: None,
            same_system: true,
            turns: 0,
            errors: 0,
            tokens: None,
            source: Source::Counted,
            cached_source: CachedSource::Prefix,
            counted_as: None,
            cost: None,
            replayed: false,
            seconds: None,
        };
        let (Some(found), Some((compared, row, task))) = (found, plan.task(cell)) else { return Ok(run) };
        let trace = &found.trace;
        run.same_system = found.same_system;
        let kept = RunLog::read(&cell.file)?;
        run.status = state(trace);
        run.turns = trace.turns().len() as u64;
        let failed = |t: &&std::sync::Arc<TurnRecord>| t.status == Status::Error;
        run.errors = trace.turns().iter().filter(failed).count() as u64;
        run.seconds = kept.as_ref().map(|k| k.took(trace) as f64 / 1000.0);
        if let Some(kept) = &kept {
            run.model.clone_from(&kept.model);
            run.replayed = kept.model.as_ref().is_some_and(|name| name.starts_with("replay:"));
            if !run.status.ended() && run.why.is_none() {
                run.why.clone_from(&kept.error);
            }
        }
        if run.status.ended() {
            judge(compared, trace, &mut run);
        }
        self.tokens(trace, row, &task, cell, &mut run)?;
        let price = plan.prices.as_ref().or_else(|| price(trace, &task));
        run.cost = price.zip(run.tokens).and_then(|(p, t)| p.of(&t.as_usage()));
        Ok(run)
    }

    fn tokens(&mut self, trace: &Trace, row: &Row, task: &Task, cell: &Cell, run: &mut Run) -> Result<(), Error> {
        let turns = trace.turns();
        if turns.is_empty() {
            run.tokens = Some(Tokens::default());
            return Ok(());
        }
        let summaries = Summaries::kept(&cell.file)?;
        let all = |f: fn(&Usage) -> Option<u64>| turns.iter().map(|t| f(&t.usage)).collect::<Option<Vec<u64>>>();
        let sum = |all: &[u64]| all.iter().fold(0_u64, |sum, n| sum.saturating_add(*n));
        let (prompts, outputs) = (all(|u| u.input_tokens), all(|u| u.output_tokens));
        let mut tokens = match (prompts, outputs, all(|u| u.cached_tokens)) {
            (Some(prompts), Some(outputs), cached) => {
                run.source = Source::Reported;
                let cached = match cached {
                    Some(cached) => {
                        run.cached_source = CachedSource::Reported;
                        sum(&cached)
                    }
                    None => {
                        // The share that we count, of what was reported.
                        let Some(counted) = self.counted(trace, row, task, &summaries, run)? else { return Ok(()) };
                        let share = counted.cached as f64 / counted.prompt.max(1) as f64;
                        (share * sum(&prompts) as f64).round() as u64
                    }
                };
                let written = turns.iter().filter_map(|t| t.usage.cache_write_tokens);
                Tokens {
                    prompt: sum(&prompts),
                    last_prompt: prompts.last().copied().unwrap_or(0),
                    cached: cached.min(sum(&prompts)),
                    written: written.fold(0, u64::saturating_add),
                    output: sum(&outputs),
                }
            }
            _ => match self.counted(trace, row, task, &summaries, run)? {
                Some(tokens) => tokens,
                None => return Ok(()),
            },
        };
        // What a model was asked for summaries was sent as well.
        let asked = summaries.kept_usage();
        tokens.prompt = tokens.prompt.saturating_add(asked.input_tokens);
        tokens.output = tokens.output.saturating_add(asked.output_tokens);
        run.tokens = Some(tokens);
        Ok(())
    }

    /// The requests of a trace, made again and counted; `None` where one cannot be made, which the run then says.
    fn counted(
        &mut self,
        trace: &Trace,
        row: &Row,
        task: &Task,
        summaries: &Summaries,
        run: &mut Run,
    ) -> Result<Option<Tokens>, Error> {
        let model = counted_as(trace, row, task);
        if !self.counters.contains_key(&model) {
            self.counters.insert(model.clone(), counter(&model)?);
        }
        let Some(counter) = self.counters.get(&model) else { return Ok(None) };
        run.counted_as = Some(model);
        let mut maker = Maker { trace, counter, summaries: Some(summaries), counted: HashMap::new() };
        let (mut out, mut failure) = (Tokens::default(), None);
        let mut before: Option<View> = None;
        let turns = trace.turns().len() as u64;
        maker.each(&trace.header.policy, |maker, turn, view| match view {
            // The request behind the last turn was not sent.
            _ if turn > turns => {}
            Err(words) => failure = Some(words),
            Ok(view) => {
                let sent = maker.size(&view).tokens;
                let cached = before.as_ref().map_or(0, |b| prefix(&b.shown, &view.shown, maker));
                out.prompt = out.prompt.saturating_add(sent);
                out.cached = out.cached.saturating_add(cached.min(sent));
                out.last_prompt = sent;
                before = Some(view);
            }
        });
        if let Some(words) = failure {
            run.why.get_or_insert(format!("its requests cannot be made again to be counted: {words}"));
            return Ok(None);
        }
        for turn in trace.turns() {
            out.output = out.output.saturating_add(counter.message(&Message::assistant(turn.said())));
        }
        Ok(Some(out))
    }
}

impl Tokens {
    fn as_usage(self) -> Usage {
        Usage {
            input_tokens: Some(self.prompt),
            output_tokens: Some(self.output),
            cached_tokens: Some(self.cached),
            cache_write_tokens: Some(self.written),
            ..Usage::default()
        }
    }
}

/// Tokens at the start that two requests have in common.
fn prefix(before: &[ViewMessage], now: &[ViewMessage], maker: &mut Maker<'_>) -> u64 {
    let mut tokens = 0_u64;
    for (a, b) in before.iter().zip(now) {
        if a.message == b.message {
            tokens = tokens.saturating_add(maker.message(&b.message));
            continue;
        }
        if a.message.role == b.message.role {
            let (x, y) = (a.message.text(), b.message.text());
            let common = x.chars().zip(y.chars()).take_while(|(c, d)| c == d).map(|(c, _)| c.len_utf8()).sum::<usize>();
            if let Some(start) = y.get(..common).filter(|s| !s.is_empty()) {
                tokens = tokens.saturating_add(maker.counter.message(&Message::new(a.message.role, start)));
            }
        }
        break;
    }
    tokens
}

/// Whose vocabulary counts: that of the model that answered, of the one that is named, or of `openai/gpt-4o`.
fn counted_as(trace: &Trace, row: &Row, task: &Task) -> String {
    let named = row.model.as_ref().or(task.model.as_ref()).filter(|m| !m.starts_with("replay:"));
    let answered = trace.turns().iter().any(|t| t.usage.model.is_some());
    match named.filter(|_| !answered) {
        Some(name) => name.clone(),
        None => crate::traces::recorded_model(trace),
    }
}

/// The price that the task gives, where its own model answered everything.
fn price<'t>(trace: &Trace, task: &'t Task) -> Option<&'t Price> {
    task.asked.price.as_ref().filter(|_| (0..trace.acts().len()).all(|at| task.asks_its_model(at)))
}

fn state(trace: &Trace) -> State {
    if !trace.ended() {
        let limit = trace.run_ended().is_some_and(|how| how.run_ended == RunStatus::Limit.as_str());
        return if limit { State::Limit } else { State::NotEnded };
    }
    match trace.last().map(|t| t.status) {
        Some(Status::Returned | Status::Answered) => State::Returned,
        Some(Status::Failed) => State::Failed,
        _ => State::OutOfTurns,
    }
}

fn judge(compared: &Compared, trace: &Trace, run: &mut Run) {
    if let Some(verdict) = compared.answer.as_ref().and_then(|a| a.judge(trace)) {
        run.right = Some(verdict.right);
        run.why = verdict.why;
    } else if let (State::Limit, Some(how)) = (run.status, trace.run_ended()) {
        // Without an answer it is wrong, as one that is out of turns.
        run.right = compared.answer.as_ref().map(|_| false);
        run.why = Some(how.text());
    }
}
