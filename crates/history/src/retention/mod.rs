//! Retention: inputs shown whole until the model has answered them, and as their retention says from then on (seed 003).
//!
//! The conversation is never touched. A strategy sees it with other messages in the places of those whose inputs were
//! answered; every input is found again by its handle, [`original`].

mod delta;
mod line;
mod semantic;
mod table;

pub use line::{guidance, large_input};

use crate::conversation::{Conversation, Entry};
use crate::message::{Block, Message, Part, PartKind, Retention, Role};
use crate::policy::{Policy, RetentionSummary};
use crate::view::{Event, Shown, View, Why, With};
use semantic::Asker;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Inputs up to this many bytes are kept as they are in summary mode (R-10).
pub const SMALL: usize = 1000;

/// A conversation as its retentions show it.
pub(crate) struct Retained<'a> {
    pub conversation: Cow<'a, Conversation>,
    /// The messages that are shown otherwise, by place, in order: the reason of each of their blocks.
    pub changed: Vec<(usize, Arc<Vec<Shown>>)>,
    /// Messages that were rewritten because they were answered: each is a prefix break (R-35).
    pub moves: u64,
    /// From here on messages may yet be rewritten.
    pub pending: Option<usize>,
    pub events: Vec<Event>,
}

impl Retained<'_> {
    /// Tells a view of the retained conversation where its inputs are.
    pub fn mark(&self, view: &mut View) {
        if !self.changed.is_empty() {
            for shown in &mut view.shown {
                let Some(at) = shown.place() else { continue };
                let Ok(i) = self.changed.binary_search_by_key(&at, |(at, _)| *at) else { continue };
                // Where a strategy shows the message as retention left it; a recap of it is the strategy's own.
                let Some(kept) = self.changed.get(i).and_then(|(_, s)| s.first()) else { continue };
                if Arc::ptr_eq(&kept.message, &shown.message) {
                    let own = shown.why;
                    let why = |w: &Why| if *w == Why::Recent { own } else { *w };
                    shown.blocks = kept.blocks.iter().map(why).collect();
                }
            }
        }
        if let Some(pending) = self.pending {
            let first = view.shown.iter().position(|s| s.from.end > pending);
            view.stable = view.stable.min(first.unwrap_or(view.shown.len()));
        }
        view.moves += self.moves;
        view.events.splice(0..0, self.events.iter().cloned());
    }
}

/// The part that an input's handle names, `MESSAGE.BLOCK`, both counted from 0: the whole text, as it was given (R-33).
///
/// ```
/// use ptc_history::{Conversation, Message, retention};
///
/// let talk = Conversation::recorded([Message::system("s"), Message::user("a long table")]);
/// assert_eq!(retention::original(&talk, "1.0"), Some("a long table"));
/// assert_eq!(retention::original(&talk, "1.1"), None);
/// ```
pub fn original<'a>(conversation: &'a Conversation, handle: &str) -> Option<&'a str> {
    let (message, block) = handle.split_once('.')?;
    let message = conversation.get(message.parse().ok()?)?;
    match message.content.get(block.parse::<usize>().ok()?)? {
        Block::Text { text, .. } => Some(text),
        _ => None,
    }
}

/// Which messages were answered, and the act they belong to is over. Where messages say with which of them an act
/// begins, those before the last such one; else either the model said something without calling a
/// tool, or it spoke and then the user did. Within a loop of tool calls the model still works on its inputs, and
/// rewriting them would break thoughts that are sealed over them (D11). It never goes back as messages come (R-35).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answered {
    before: usize,
    /// Where the model spoke last.
    spoke: usize,
    /// Whether messages say where acts begin.
    acts: bool,
}

impl Answered {
    pub fn of(conversation: &Conversation) -> Self {
        let mut answered = Answered::default();
        conversation.messages().enumerate().for_each(|(at, m)| answered.push(at, m));
        answered
    }

    /// Takes the next message in.
    pub fn push(&mut self, at: usize, message: &Message) {
        if message.meta.as_ref().is_some_and(|m| m.act.is_some()) {
            (self.before, self.acts) = (at, true);
        }
        if self.acts {
            return;
        }
        match message.role {
            Role::Assistant => {
                self.spoke = at;
                if message.calls().next().is_none() {
                    self.before = at;
                }
            }
            Role::User if message.answers().next().is_none() => self.before = self.spoke,
            _ => {}
        }
    }

    /// The messages before this place are answered.
    pub fn before(&self) -> usize {
        self.before
    }
}

/// What is done with an input, as its own retention and the policy's numbers say (R-18 to R-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decision {
    retention: Retention,
    /// By the threshold, not by its own word.
    automatic: bool,
}

fn decide(part: &Part, text: &str, policy: &Policy) -> Decision {
    let own = part.history_retention;
    let large = policy.auto_summary_threshold > 0 && text.len() as u64 > policy.auto_summary_threshold;
    let explicit_full = own == Some(Retention::Full) && policy.honour_explicit_full;
    match own.unwrap_or_default() {
        Retention::Full if large && !explicit_full => Decision { retention: Retention::Summary, automatic: true },
        retention => Decision { retention, automatic: false },
    }
}

/// What history keeps of an input once its act is over: all, a summary or nothing (R-22). A summary that is not one,
/// because the input is small or summing up is turned off, is all.
pub fn kept(part: &Part, text: &str, policy: &Policy) -> Retention {
    match decide(part, text, policy).retention {
        _ if !policy.retention => Retention::Full,
        Retention::Summary if text.len() <= SMALL => Retention::Full,
        other => other,
    }
}

/// The conversation as a strategy is to see it under this policy.
pub(crate) fn apply<'a>(conversation: &'a Conversation, policy: &Policy, with: &With<'_>) -> Retained<'a> {
    let conversation_as_it_is = Cow::Borrowed(conversation);
    let mut out = Retained {
        conversation: conversation_as_it_is,
        changed: Vec::new(),
        moves: 0,
        pending: None,
        events: Vec::new(),
    };
    if !policy.retention || conversation.index().parts.is_empty() {
        return out;
    }
    let mut scan = Scan { policy, done: Answered::of(conversation).before(), known: HashMap::new() };
    let mut salt = scan.salt();
    let mut asker = Asker::new(with, policy.summary_tokens);
    let mut entries: Vec<Arc<Entry>> = Vec::new();
    for at in conversation.index().parts.iter().copied() {
        let Some(entry) = conversation.entries().get(at) else { continue };
        let mut plan = scan.plan(entry.message(), at);
        if plan.is_empty() {
            continue;
        }
        let live = at >= scan.done;
        if live {
            out.pending = out.pending.or(Some(at));
        }
        // What the model has not answered it sees whole, but for a delta to what it has seen.
        if live && plan.iter().all(|todo| todo.since.is_none()) {
            continue;
        }
        fill(conversation, at, salt, scan.done, &mut entries);
        if policy.retention_summary == RetentionSummary::Semantic && !live {
            salt = summarise(&mut plan, at, salt, &mut asker);
        }
        let mut made = None;
        let twin = entry.twin(key(salt, at, scan.done), || {
            let (message, whys) = rewrite(entry.message(), at, &plan, policy, live);
            made = Some(whys);
            Arc::new(message)
        });
        let shown = twin.made(WHYS, || {
            let blocks = made.unwrap_or_else(|| rewrite(entry.message(), at, &plan, policy, live).1);
            vec![Shown { blocks: blocks.into(), ..Shown::whole(twin.message(), at, Why::Retained { bytes: 0 }) }]
        });
        out.events.extend(events(&plan, &shown, at, policy));
        out.moves += u64::from(!live);
        out.changed.push((at, shown));
        entries.push(twin);
    }
    out.events.extend(asker.event());
    if !out.changed.is_empty() {
        fill(conversation, conversation.len(), salt, scan.done, &mut entries);
        out.conversation = Cow::Owned(conversation.with_entries(entries));
    }
    out
}

/// Has a model sum up what is to be summed up of the message at `at`. What it says cannot be told from the policy, so
/// it is part of the key of all from here on: the new salt.
fn summarise(plan: &mut [Todo<'_>], at: usize, salt: u64, asker: &mut Asker<'_>) -> u64 {
    let mut key = DefaultHasher::new();
    salt.hash(&mut key);
    for todo in plan.iter_mut().filter(|t| t.decision.retention == Retention::Summary) {
        todo.said = asker.words(todo.part, todo.text, &handle(at, todo.block));
        todo.said.hash(&mut key);
    }
    key.finish()
}

/// The key under which a rewritten message remembers the reasons of its blocks.
const WHYS: u64 = 0;

/// The entries up to `end`: those before the first rewritten message as they are, those after it as twins.
fn fill(conversation: &Conversation, end: usize, salt: u64, done: usize, entries: &mut Vec<Arc<Entry>>) {
    let untouched = entries.is_empty();
    for (at, entry) in conversation.entries().iter().enumerate().take(end).skip(entries.len()) {
        entries.push(match untouched {
            true => Arc::clone(entry),
            false => entry.twin(key(salt, at, done), || Arc::clone(entry.message())),
        });
    }
}

/// What a twin stands behind: all before an answered message is answered; what lies before one that waits depends on
/// where the answered ones end.
fn key(salt: u64, at: usize, done: usize) -> u64 {
    let mut key = DefaultHasher::new();
    (salt, if at < done { None } else { Some(done) }).hash(&mut key);
    key.finish()
}

/// What is to be done with an input of a message.
struct Todo<'a> {
    block: usize,
    part: &'a Part,
    text: &'a str,
    decision: Decision,
    /// The input before it of the same kind and name: its handle and text (R-32).
    since: Option<(String, &'a str)>,
    /// What a model says of it (R-31).
    said: Option<String>,
}

struct Scan<'a, 'p> {
    policy: &'p Policy,
    done: usize,
    /// The last input of each kind and name: its handle and text.
    known: HashMap<(PartKind, &'a str), (String, &'a str)>,
}

impl<'a> Scan<'a, '_> {
    /// Everything in the policy that a rewritten message depends on.
    fn salt(&self) -> u64 {
        let p = self.policy;
        let mut salt = DefaultHasher::new();
        (p.retention_summary as u8, p.auto_summary_threshold, p.honour_explicit_full).hash(&mut salt);
        salt.finish()
    }

    /// The inputs of this message that are not simply kept. Policy and input travel together, so nothing that stands
    /// around an input shifts it (R-13, R-14), and each is decided by itself (R-17).
    fn plan(&mut self, message: &'a Message, at: usize) -> Vec<Todo<'a>> {
        let mut plan = Vec::new();
        // Only what is said to the model is input; what it said itself and the system prompt are never rewritten.
        if matches!(message.role, Role::System | Role::Assistant) {
            return plan;
        }
        for (block, b) in message.content.iter().enumerate() {
            let Block::Text { text, part: Some(part) } = b else { continue };
            let decision = decide(part, text, self.policy);
            let small = text.len() <= SMALL;
            // An input that says nothing is left alone: dropping it must not put a placeholder where nothing stood.
            let kept = decision.retention == Retention::Full || (decision.retention == Retention::Summary && small);
            if kept || text.trim().is_empty() {
                continue;
            }
            let mut since = None;
            let differs = self.policy.retention_summary == RetentionSummary::Differential;
            if let (true, Retention::Summary, Some(name)) = (differs, decision.retention, part.name.as_deref()) {
                since = self.known.insert((part.kind, name), (handle(at, block), text.as_str()));
            }
            plan.push(Todo { block, part, text, decision, since, said: None });
        }
        plan
    }
}

/// Names an input: its message and its block in it, both counted from 0.
fn handle(at: usize, block: usize) -> String {
    format!("{at}.{block}")
}

/// The message with its inputs as they are kept, and the reason of each block that is left.
fn rewrite(message: &Message, at: usize, plan: &[Todo<'_>], policy: &Policy, live: bool) -> (Message, Vec<Why>) {
    let (mut content, mut whys) = (Vec::new(), Vec::new());
    for (i, block) in message.content.iter().enumerate() {
        let todo = plan.iter().find(|t| t.block == i);
        let words = match todo {
            Some(t) if t.decision.retention == Retention::Drop && !live => continue,
            Some(t) => words(t, at, policy, live),
            None => None,
        };
        match (words, todo) {
            (Some(text), Some(t)) => {
                content.push(Block::text(text));
                whys.push(Why::Retained { bytes: t.text.len() });
            }
            _ => {
                content.push(block.clone());
                whys.push(Why::Recent);
            }
        }
    }
    if content.iter().all(|b| matches!(b, Block::Text { text, .. } if text.trim().is_empty())) {
        // Nothing but what was dropped: most providers refuse an empty message (R-12).
        (content, whys) = (vec![Block::text("[input omitted]")], vec![Why::Placeholder]);
    }
    (Message { role: message.role, content, meta: message.meta.clone() }, whys)
}

/// The words in an input's place; `None` keeps it.
fn words(todo: &Todo<'_>, at: usize, policy: &Policy, live: bool) -> Option<String> {
    if todo.decision.retention != Retention::Summary {
        return None;
    }
    let own = handle(at, todo.block);
    if let Some((handle, before)) = &todo.since
        && let Some(text) = delta::since(todo.part, todo.text, &own, before, handle)
    {
        return Some(text);
    }
    if live {
        return None;
    }
    let words = match (policy.retention_summary, &todo.said) {
        (RetentionSummary::Line, _) => line::line(todo.part, todo.text, None),
        (RetentionSummary::Semantic, Some(said)) => said.clone(),
        // Without a model's word: by rule.
        (RetentionSummary::Semantic | RetentionSummary::Smart | RetentionSummary::Differential, _) => {
            table::smart(todo.part, todo.text, &own)
        }
    };
    // A summary that saves nothing is none (R-24); the event says so.
    (words.len() < todo.text.len()).then_some(words)
}

/// What was done, part by part (R-18, R-24, R-27).
fn events(plan: &[Todo<'_>], shown: &[Shown], at: usize, policy: &Policy) -> Vec<Event> {
    let rewritten = |bytes: usize| {
        let whys = shown.iter().flat_map(|s| s.blocks.iter());
        whys.filter(|w| matches!(w, Why::Retained { bytes: b } if *b == bytes)).count() > 0
    };
    let mut events = Vec::new();
    let mut applied = Vec::new();
    for t in plan {
        let (own, what, bytes) = (handle(at, t.block), line::title(t.part), t.text.len());
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
