//! Summaries: a range of messages as one TL;DR, by rule or by a model.
//!
//! By rule, the newest turns come first: they get a few lines each, older ones a line for each call and request, and
//! turns that no longer fit are counted on a line of their own. So the cost is bounded by the length of the summary,
//! not by that of its source. The lines of earlier summaries in the range are kept (F-17), and a range that is one
//! summary already is left as it is, so that the view of a view is the same view.

use super::context::StrategyContext;
use super::fold::{self, Lengths};
use crate::conversation::message::{Block, Message, SUMMARY_OF};
use crate::conversation::turns::Turns;
use crate::memo;
use crate::view::reasons::Reason;
use crate::view::summarizer::{self, characters};
use crate::view::types::{ViewError, ViewMessage};
use ptc_text::cut::one_line;
use serde_json::Value;
use std::cell::Cell;
use std::ops::Range;

/// Turns that are tried one by one before a search over all of them.
const NEARBY_TURNS: usize = 16;

/// Makes the summary of a range.
pub(crate) struct Summary<'a, 'b> {
    context: &'a StrategyContext<'b>,
    turns: &'b Turns,
    /// A key of the options that a summary by rule depends on.
    policy: u64,
    /// The turn that was asked for last.
    near: Cell<usize>,
}

impl<'a, 'b> Summary<'a, 'b> {
    pub fn new(context: &'a StrategyContext<'b>) -> Self {
        let policy = context.policy;
        let size = (policy.summary_tokens, context.view_context.counter.map(|m| m.id()));
        let form = (Lengths::folded(policy), Lengths::shrunk(policy), context.summary_role().as_str());
        let policy = memo::key(("summary", context.pinning(), size, form));
        Summary { context, turns: context.conversation.turns(), policy, near: Cell::new(0) }
    }

    /// The places in `range` that a summary stands for: all but pinned ones.
    fn unpinned(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
        range.filter(|at| self.context.pinned(*at).is_none())
    }

    /// One TL;DR of the messages in `range` that are not pinned; `None` where all are. A model is asked once for each
    /// of `links`: each link is summarised together with the summary of those before it (F-17). The last link ends the
    /// range.
    ///
    /// # Errors
    /// The error of the model or of the connection to it; there are none by rule.
    pub fn of(&self, range: Range<usize>, links: &[usize]) -> Result<Option<ViewMessage>, ViewError> {
        let Some(first) = self.unpinned(range.clone()).next() else { return Ok(None) };
        let last = self.unpinned(range.clone()).next_back().unwrap_or(first);
        // One summary and nothing else is kept as it is.
        if first == last
            && let Some(message) = self.context.conversation.get(first)
            && let Some(of) = message.summary_of()
        {
            return Ok(Some(ViewMessage::whole(message, first, Reason::Summary { of })));
        }
        if self.context.policy.model_summaries {
            return self.by_model(first..last.saturating_add(1), links).map(Some);
        }
        let Some(end) = self.context.conversation.entries().get(last) else { return Ok(None) };
        let made = end.memo().get_or(self.key(first, last), || self.by_rule(first..last.saturating_add(1)));
        Ok(Some((*made).clone()))
    }

    /// The key of a summary by rule: all it depends on, besides the messages themselves.
    fn key(&self, first: usize, last: usize) -> u64 {
        let numbers = (self.number(first), self.number(last));
        // Also where the turns up to it begin, which a late result can change.
        memo::key((self.policy, first, numbers, self.turns.key(numbers.1)))
    }

    /// The turn that holds this place, counted from 1; 0 is before the first.
    fn number(&self, at: usize) -> usize {
        let turns = &self.turns.turns;
        let started = |turn: usize| turns.get(turn).is_some_and(|t| t.start <= at);
        // Ranges are asked for in order, so it is mostly one of the next turns.
        let near = self.near.get();
        let is = |n: &usize| *n <= turns.len() && !started(*n) && n.checked_sub(1).is_none_or(started);
        let number = (near..=near.saturating_add(NEARBY_TURNS)).find(is);
        let number = number.unwrap_or_else(|| turns.partition_point(|t| t.start <= at));
        self.near.set(number);
        number
    }

    /// Messages that are summarised, including those that earlier summaries stand for.
    fn count(&self, range: Range<usize>) -> usize {
        let summaries = &self.context.conversation.index().summaries;
        let place = |at: usize| summaries.partition_point(|s| *s < at);
        let summaries = summaries.get(place(range.start)..place(range.end)).unwrap_or_default();
        let of = |at: &usize| self.context.conversation.get(*at).and_then(|m| m.summary_of()).unwrap_or(1);
        let unpinned: Vec<usize> = summaries.iter().filter(|at| self.context.pinned(**at).is_none()).map(of).collect();
        let others = range.len().saturating_sub(self.context.pinned_in(range).len()).saturating_sub(unpinned.len());
        unpinned.into_iter().fold(others, usize::saturating_add)
    }

    fn by_rule(&self, range: Range<usize>) -> ViewMessage {
        let of = self.count(range.clone());
        let policy = self.context.policy;
        let mut room = characters(policy.summary_tokens);
        loop {
            let lines = self.lines(range.clone(), of, room);
            let (texts, blocks): (Vec<String>, Vec<Reason>) = lines.into_iter().unzip();
            let message = self.message(texts.into_iter().map(Block::text).collect(), of);
            let fits = self.context.view_context.counter.is_none_or(|m| m.message(&message) <= policy.summary_tokens);
            if fits || room == 0 {
                return ViewMessage {
                    blocks: blocks.into(),
                    ..ViewMessage::made(message, range, Reason::Summary { of })
                };
            }
            // A counter that counts more than one token for four characters: less text.
            room = room.saturating_mul(3) / 4;
            if room < 8 {
                room = 0;
            }
        }
    }

    fn message(&self, content: Vec<Block>, of: usize) -> Message {
        let mut message = Message::of(self.context.summary_role(), content);
        message.meta_mut().more.insert(SUMMARY_OF.to_owned(), Value::from(of));
        message
    }

    /// A head line, then as much as fits into `room` characters, oldest first.
    fn lines(&self, range: Range<usize>, of: usize, room: usize) -> Vec<(String, Reason)> {
        let whole = Reason::Summary { of };
        let head = head(of);
        let mut spent = head.chars().count();
        // Newest first.
        let mut pieces: Vec<Vec<(String, Reason)>> = Vec::new();
        let (from, to) = (self.number(range.start), self.number(range.end.saturating_sub(1)));
        let mut number = to.saturating_add(1);
        while number > from {
            let turn = self.piece(number.saturating_sub(1), &range);
            let generous = spent < (room / 4).saturating_mul(3);
            let folded = generous.then(|| {
                self.piece_lines(number.saturating_sub(1), turn.clone(), Lengths::folded(self.context.policy))
            });
            let cost = |lines: &[(String, Reason)]| {
                lines.iter().map(|(l, _)| l.chars().count().saturating_add(1)).sum::<usize>()
            };
            let folded = folded.filter(|lines| spent.saturating_add(cost(lines)) <= room);
            let lines = folded.unwrap_or_else(|| {
                self.piece_lines(number.saturating_sub(1), turn, Lengths::shrunk(self.context.policy))
            });
            // Reserved for the line that counts the omitted turns.
            let reserve = if number.saturating_sub(1) > from { 40 } else { 0 };
            if spent.saturating_add(cost(&lines)).saturating_add(reserve) > room {
                break;
            }
            spent = spent.saturating_add(cost(&lines));
            number = number.saturating_sub(1);
            pieces.push(lines);
        }
        let mut out = vec![(head, whole)];
        if number > from && room > 0 {
            let left = number.saturating_sub(from);
            let s = if left == 1 { "" } else { "s" };
            out.push((format!("{}{left} earlier turn{s}", crate::conversation::line_prefixes::EARLIER), whole));
        }
        out.extend(pieces.into_iter().rev().flatten());
        out
    }

    /// The part of turn `number` that lies in the range.
    fn piece(&self, number: usize, range: &Range<usize>) -> Range<usize> {
        let turn = match number.checked_sub(1) {
            None => Some(&self.turns.opening),
            Some(i) => self.turns.turns.get(i),
        };
        turn.map_or(0..0, |t| t.start.max(range.start)..t.end.min(range.end))
    }

    fn piece_lines(&self, number: usize, turn: Range<usize>, lengths: Lengths) -> Vec<(String, Reason)> {
        let messages = || self.unpinned(turn.clone()).filter_map(|at| self.context.conversation.get(at).map(|m| &**m));
        let mut out: Vec<(String, Reason)> = Vec::new();
        // The lines of an earlier summary, without its head.
        for message in messages() {
            let Some(of) = message.summary_of() else { continue };
            let text = message.text();
            let said = text.lines().skip(1).filter(|l| !l.trim().is_empty());
            out.extend(said.map(|l| (one_line(l, 400), Reason::Summary { of })));
        }
        let rest = messages().filter(|m| m.summary_of().is_none());
        out.extend(fold::lines(rest, number, lengths).into_iter().map(|l| (l, Reason::Folded { turn: number })));
        out
    }

    fn by_model(&self, range: Range<usize>, links: &[usize]) -> Result<ViewMessage, ViewError> {
        let model = self.context.view_context.summarizer.ok_or_else(|| {
            ViewError::Missing(
                "model_summaries = true needs a summarizer: hand one in, or set model_summaries = false".to_owned(),
            )
        })?;
        let room = characters(self.context.policy.summary_tokens);
        let mut so_far: Option<String> = None;
        let mut from = range.start;
        let ends = links.iter().copied().filter(|end| *end > range.start && *end < range.end);
        for end in ends.chain([range.end]) {
            let messages: Vec<&Message> =
                self.unpinned(from..end).filter_map(|at| self.context.conversation.get(at).map(|m| &**m)).collect();
            if messages.is_empty() {
                continue;
            }
            let source = summarizer::quote(so_far.as_deref(), messages.iter().copied());
            from = end;
            // A source that fits needs no model.
            if source.chars().nth(room).is_none() {
                so_far = Some(source.trim().to_owned());
                continue;
            }
            let tokens = self.context.policy.summary_tokens;
            so_far = Some(summarizer::summary(self.context.view_context.summary_cache, &source, tokens, || Ok(model))?);
        }
        let of = self.count(range.clone());
        let text = format!("{}\n{}", head(of), so_far.unwrap_or_default());
        Ok(ViewMessage::made(self.message(vec![Block::text(text)], of), range, Reason::Summary { of }))
    }
}

fn head(of: usize) -> String {
    let s = if of == 1 { "" } else { "s" };
    format!("{}{of} message{s}", crate::conversation::line_prefixes::TLDR)
}
