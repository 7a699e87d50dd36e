//! The inputs in a chunk of messages as their retentions show them. Once a message is answered its form is final and
//! computed once.

use super::decision::{AppliedRetention, SMALL, decide, handle};
use super::semantic::InputSummarizer;
use super::{delta, smart, summary_line};
use crate::conversation::message::{Block, Message, Part, PartKind, Retention, Role};
use crate::conversation::{Conversation, Entry};
use crate::memo::{self, CHUNK_LEN};
use crate::policy::{Policy, RetentionSummary};
use crate::view::context::ViewContext;
use crate::view::reasons::Reason;
use crate::view::types::{Event, ViewMessage};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A chunk of a conversation as its retentions show it.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// Its first message with a different entry; the entries before it are unchanged.
    pub from: usize,
    /// The entries from there on.
    pub entries: Vec<Arc<Entry>>,
    /// The messages that are rewritten, in order: each with the reason of each of its blocks.
    pub changed: Vec<ViewMessage>,
    /// Bytes of those before and after.
    pub bytes: (usize, usize),
    /// Messages that were rewritten because they were answered: each changes the prefix.
    pub boundary_moves: u64,
    pub events: Vec<Event>,
}

/// Goes through a conversation, chunk by chunk.
pub(super) struct RetentionPass<'a> {
    conversation: &'a Conversation,
    policy: &'a Policy,
    /// Messages before this place are answered.
    done: usize,
    /// Where the next chunk begins.
    at: usize,
    /// Whether a message before it was rewritten.
    touched: bool,
    /// A key of everything that entries after a rewritten message depend on.
    salt: u64,
    asker: InputSummarizer<'a>,
    /// The last input of each kind and name: its handle and text.
    last: HashMap<(PartKind, &'a str), (String, &'a str)>,
    pending: Option<usize>,
}

impl<'a> RetentionPass<'a> {
    pub fn new(conversation: &'a Conversation, policy: &'a Policy, view_context: &'a ViewContext<'a>) -> Self {
        RetentionPass {
            conversation,
            policy,
            done: conversation.index().answered().before(),
            at: 0,
            touched: false,
            // Every option that a rewritten message depends on.
            salt: memo::key((
                policy.retention_summary as u8,
                policy.auto_summary_threshold,
                policy.honour_explicit_full,
            )),
            asker: InputSummarizer::new(view_context, policy.summary_tokens),
            last: HashMap::new(),
            pending: None,
        }
    }

    /// The next chunk, until all messages are done. Chunks of answered messages are cached; the last, which extends to
    /// the end, is not, and neither is any where a model is asked, since its answer may change.
    pub fn next(&mut self) -> Option<Arc<Chunk>> {
        let (start, len) = (self.at, self.conversation.len());
        if start >= len {
            return None;
        }
        let end = start.saturating_add(CHUNK_LEN);
        let whole = end <= self.done && self.policy.retention_summary != RetentionSummary::Semantic;
        self.at = if whole { end } else { len };
        let known = self.conversation.entries().get(end.saturating_sub(1)).filter(|_| whole).map(|e| e.memo());
        let chunk = match known.and_then(|known| known.get(self.salt)) {
            Some(chunk) => {
                self.pass(start..end);
                chunk
            }
            None => {
                let made = Arc::new(self.chunk(start..self.at));
                known.inspect(|known| known.set(self.salt, Arc::clone(&made)));
                made
            }
        };
        self.touched |= !chunk.changed.is_empty();
        Some(chunk)
    }

    /// From here on messages may yet be rewritten.
    pub fn pending(&self) -> Option<usize> {
        self.pending
    }

    /// The event about the model that was asked, if any.
    pub fn asked(&self) -> Option<Event> {
        self.asker.event()
    }

    /// The messages with inputs in this range, by place.
    fn parts(&self, range: Range<usize>) -> &'a [usize] {
        let parts = &self.conversation.index().parts;
        let place = |at: usize| parts.partition_point(|p| *p < at);
        parts.get(place(range.start)..place(range.end)).unwrap_or_default()
    }

    /// Skips a chunk whose inputs are cached; later inputs may be described as changes to them.
    fn pass(&mut self, range: Range<usize>) {
        if self.policy.retention_summary == RetentionSummary::Differential {
            for at in self.parts(range) {
                self.conversation.get(*at).inspect(|m| drop(self.plan(m, *at)));
            }
        }
    }

    fn chunk(&mut self, range: Range<usize>) -> Chunk {
        let mut out = Chunk { from: if self.touched { range.start } else { range.end }, ..Chunk::default() };
        for at in self.parts(range.clone()).iter().copied() {
            let Some(entry) = self.conversation.entries().get(at) else { continue };
            let mut plan = self.plan(entry.message(), at);
            if plan.is_empty() {
                continue;
            }
            let live = at >= self.done;
            if live {
                self.pending = self.pending.or(Some(at));
            }
            // The model sees whole what it has not answered, except for a difference to an input that it has seen.
            if live && plan.iter().all(|input| input.since.is_none()) {
                continue;
            }
            out.from = out.from.min(at);
            self.fill(&mut out, at);
            if self.policy.retention_summary == RetentionSummary::Semantic && !live {
                self.summarise(&mut plan, at);
            }
            let mut made = None;
            let variant = entry.memo().get_or(self.key(at), || {
                let (message, reasons) = rewrite(entry.message(), at, &plan, self.policy, live);
                made = Some(reasons);
                Entry::new(Arc::new(message))
            });
            let shown = variant.memo().get_or(REASONS, || {
                let blocks = made.unwrap_or_else(|| rewrite(entry.message(), at, &plan, self.policy, live).1);
                vec![ViewMessage {
                    blocks: blocks.into(),
                    ..ViewMessage::whole(variant.message(), at, Reason::Retained { bytes: 0 })
                }]
            });
            out.events.extend(events(&plan, &shown, at, self.policy, live));
            out.boundary_moves = out.boundary_moves.saturating_add(u64::from(!live));
            out.bytes = (out.bytes.0.saturating_add(entry.bytes()), out.bytes.1.saturating_add(variant.bytes()));
            out.changed.extend_from_slice(&shown);
            out.entries.push(variant);
        }
        self.fill(&mut out, range.end);
        out
    }

    /// The entries up to `end`, after a rewritten message: variants.
    fn fill(&self, out: &mut Chunk, end: usize) {
        for at in out.from.saturating_add(out.entries.len())..end {
            let entry = self.conversation.entries().get(at);
            let variant = |e: &Arc<Entry>| e.memo().get_or(self.key(at), || Entry::new(Arc::clone(e.message())));
            out.entries.extend(entry.map(variant));
        }
    }

    /// The key of a variant: messages before an answered one are all answered; the form of those before an open one
    /// depends on where the answered ones end.
    fn key(&self, at: usize) -> u64 {
        memo::key((self.salt, (at >= self.done).then_some(self.done)))
    }

    /// Asks a model for the summaries of the message at `at`. Its answer does not follow from the policy, so it becomes
    /// part of the key of everything after it.
    fn summarise(&mut self, plan: &mut [InputPlan<'_>], at: usize) {
        for input in plan.iter_mut().filter(|t| t.decision.retention == Retention::Summary) {
            input.said = self.asker.summary(input.part, input.text, &handle(at, input.block));
            self.salt = memo::key((self.salt, &input.said));
        }
    }

    /// The inputs of this message that are not simply kept. An input carries its own retention, so its position does
    /// not matter, and each is decided by itself.
    fn plan(&mut self, message: &'a Message, at: usize) -> Vec<InputPlan<'a>> {
        let mut plan = Vec::new();
        // Only messages to the model have inputs; its own and the system prompt are never rewritten.
        if matches!(message.role, Role::System | Role::Assistant) {
            return plan;
        }
        for (block, b) in message.content.iter().enumerate() {
            let Block::Text { text, part: Some(part) } = b else { continue };
            let decision = decide(part, text, self.policy);
            let small = text.len() <= SMALL;
            // A blank input is left alone: dropping it must not add a placeholder.
            let kept = decision.retention == Retention::Full || (decision.retention == Retention::Summary && small);
            if kept || text.trim().is_empty() {
                continue;
            }
            let mut since = None;
            let differs = self.policy.retention_summary == RetentionSummary::Differential;
            if let (true, Retention::Summary, Some(name)) = (differs, decision.retention, part.name.as_deref()) {
                since = self.last.insert((part.kind, name), (handle(at, block), text.as_str()));
            }
            plan.push(InputPlan { block, part, text, decision, since, said: None });
        }
        plan
    }
}

/// The key under which a rewritten message keeps the reasons of its blocks.
const REASONS: u64 = 0;

/// The plan for an input of a message.
struct InputPlan<'a> {
    block: usize,
    part: &'a Part,
    text: &'a str,
    decision: AppliedRetention,
    /// The input before it of the same kind and name: its handle and text.
    since: Option<(String, &'a str)>,
    /// A model's summary of it.
    said: Option<String>,
}

/// The message with its inputs as they are kept, and the reason of each remaining block.
fn rewrite(
    message: &Message,
    at: usize,
    plan: &[InputPlan<'_>],
    policy: &Policy,
    live: bool,
) -> (Message, Vec<Reason>) {
    let (mut content, mut reasons) = (Vec::new(), Vec::new());
    for (i, block) in message.content.iter().enumerate() {
        let input = plan.iter().find(|t| t.block == i);
        let words = match input {
            Some(t) if t.decision.retention == Retention::Drop && !live => continue,
            Some(t) => replacement(t, at, policy, live),
            None => None,
        };
        match (words, input) {
            (Some(text), Some(t)) => {
                content.push(Block::text(text));
                reasons.push(Reason::Retained { bytes: t.text.len() });
            }
            _ => {
                content.push(block.clone());
                reasons.push(Reason::Recent);
            }
        }
    }
    let mut out = Message { role: message.role, content, meta: message.meta.clone() };
    if out.is_blank() {
        // All inputs were dropped: most providers refuse an empty message.
        (out.content, reasons) =
            (vec![Block::text(crate::conversation::line_prefixes::OMITTED)], vec![Reason::Placeholder]);
    }
    (out, reasons)
}

/// The text in an input's place; `None` keeps the input.
fn replacement(input: &InputPlan<'_>, at: usize, policy: &Policy, live: bool) -> Option<String> {
    if input.decision.retention != Retention::Summary {
        return None;
    }
    let own = handle(at, input.block);
    if let Some((handle, before)) = &input.since
        && let Some(text) = delta::since(input.part, input.text, &own, before, handle)
    {
        return Some(text);
    }
    if live {
        return None;
    }
    let words = match (policy.retention_summary, &input.said) {
        (RetentionSummary::Line, _) => summary_line::line(input.part, input.text, None),
        (RetentionSummary::Semantic, Some(said)) => said.clone(),
        // Without a model's summary: by rule.
        (RetentionSummary::Semantic | RetentionSummary::Smart | RetentionSummary::Differential, _) => {
            smart::smart(input.part, input.text, &own)
        }
    };
    // A summary that saves nothing is not used; the event says so.
    (words.len() < input.text.len()).then_some(words)
}

/// Events on each part.
fn events(plan: &[InputPlan<'_>], shown: &[ViewMessage], at: usize, policy: &Policy, live: bool) -> Vec<Event> {
    let rewritten = |bytes: usize| {
        let reasons = shown.iter().flat_map(|s| s.blocks.iter());
        reasons.filter(|w| matches!(w, Reason::Retained { bytes: b } if *b == bytes)).count() > 0
    };
    let mut events = Vec::new();
    let mut applied = Vec::new();
    for t in plan {
        let (own, what, bytes) = (handle(at, t.block), summary_line::title(t.part), t.text.len());
        // The model sees whole what it has not answered, except for a difference.
        if live && (t.decision.retention == Retention::Drop || !rewritten(bytes)) {
            continue;
        }
        if t.decision.retention == Retention::Drop {
            applied.push(format!("{own} ({what}, {bytes} bytes) dropped"));
        } else if rewritten(bytes) {
            applied.push(format!("{own} ({what}, {bytes} bytes) summarised"));
            if t.decision.automatic {
                events.push(Event::warn(format!(
                    "large input {own} ({what}, {bytes} bytes) is above auto_summary_threshold ({}) and was condensed to a summary; set its history_retention, raise the threshold, or set it to 0",
                    policy.auto_summary_threshold
                )));
            }
        } else {
            events.push(Event::warn(format!(
                "input {own} ({what}, {bytes} bytes) has no shorter summary and was kept in full"
            )));
        }
    }
    if !applied.is_empty() {
        events.push(Event::debug(format!("history_retention applied to input {}", applied.join(", "))));
    }
    events
}
