//! The previous request with sums message by message: the next request is compared only from where it differs.

use crate::conversation::Conversation;
use crate::conversation::groups::Groups;
use crate::conversation::message::{Block, Message, Role};
use crate::view::counter::TokenCounter;
use crate::view::types::ViewMessage;
use std::sync::Arc;

/// The last request of a conversation.
pub(super) struct LastRequest<'a> {
    conversation: &'a Conversation,
    counter: &'a dyn TokenCounter,
    /// The calls and results of the messages before it.
    said: Groups,
    /// How many messages were before it.
    at: usize,
    /// Their tokens.
    full: u64,
    shown: Vec<ViewMessage>,
    /// Tokens up to each message, it included.
    tokens: Vec<u64>,
    pairs: OpenPairs,
    /// The system messages among them, by place.
    systems: Vec<usize>,
    /// How many of these are those of the conversation, in order.
    agree: usize,
}

/// The figures of a request.
pub(super) struct RequestFigures {
    /// Its tokens.
    pub sent: u64,
    /// Those of them that stand at the start of the request before.
    pub cached: u64,
    /// Whether it does not begin with the whole request before.
    pub broke: bool,
    /// Calls or results that are shown without the other half, where the conversation has both.
    pub split: u64,
    /// Whether all system messages of the conversation are in it.
    pub keeps_system: bool,
}

impl<'a> LastRequest<'a> {
    /// Nothing was sent yet.
    pub fn new(conversation: &'a Conversation, counter: &'a dyn TokenCounter) -> Self {
        LastRequest {
            conversation,
            counter,
            said: Groups::default(),
            at: 0,
            full: 0,
            shown: Vec::new(),
            tokens: Vec::new(),
            pairs: OpenPairs::default(),
            systems: Vec::new(),
            agree: 0,
        }
    }

    /// Adds the messages before message `at`; returns the tokens of all of them.
    pub fn add_messages(&mut self, at: usize) -> u64 {
        for entry in self.conversation.entries().get(self.at..at).unwrap_or_default() {
            self.said.push(entry.message());
            let tokens = entry.tokens(self.counter.id(), |m| self.counter.message(m));
            self.full = self.full.saturating_add(tokens);
        }
        self.at = self.at.max(at);
        self.full
    }

    /// Replaces it by the next request, which shows `shown`.
    pub fn next(&mut self, shown: Vec<ViewMessage>) -> RequestFigures {
        let common = self.common(&shown);
        let begins = match (self.shown.get(common), shown.get(common)) {
            (Some(before), Some(now)) => beginning(&before.message, &now.message, self.counter),
            _ => 0,
        };
        let cached = self.tokens_before(common).saturating_add(begins);
        let broke = common < self.shown.len();
        self.forget(common);
        self.shown.truncate(common);
        self.send(shown.into_iter().skip(common), cached, broke)
    }

    /// Replaces it by the next request, which shows `more` after all of this one.
    pub fn extend(&mut self, more: impl Iterator<Item = ViewMessage>) -> RequestFigures {
        let cached = self.tokens_before(self.shown.len());
        self.send(more, cached, false)
    }

    /// How many messages it shows.
    pub fn len(&self) -> usize {
        self.shown.len()
    }

    /// How many messages at the start it has in common with another.
    pub fn common(&self, shown: &[ViewMessage]) -> usize {
        let same =
            |(a, b): &(&ViewMessage, &ViewMessage)| Arc::ptr_eq(&a.message, &b.message) || a.message == b.message;
        self.shown.iter().zip(shown).take_while(same).count()
    }

    fn send(&mut self, more: impl Iterator<Item = ViewMessage>, cached: u64, broke: bool) -> RequestFigures {
        for now in more {
            let place = self.shown.len();
            let tokens = now.tokens(self.conversation, self.counter);
            self.tokens.push(self.tokens_before(place).saturating_add(tokens));
            self.pairs.push(&now.message);
            if now.message.role == Role::System {
                self.systems.push(place);
            }
            self.shown.push(now);
        }
        let sent = self.tokens_before(self.shown.len()).saturating_add(self.counter.overhead());
        let split = self.pairs.open.len().saturating_sub(self.said.waiting());
        let orphans = self.pairs.orphans.saturating_sub(self.said.orphans());
        RequestFigures {
            sent,
            cached: cached.min(sent),
            broke,
            split: (split as u64).saturating_add(orphans as u64),
            keeps_system: self.keeps_system(),
        }
    }

    fn tokens_before(&self, at: usize) -> u64 {
        at.checked_sub(1).and_then(|i| self.tokens.get(i)).copied().unwrap_or(0)
    }

    /// Goes back to the first `count` messages.
    fn forget(&mut self, count: usize) {
        self.tokens.truncate(count);
        while self.pairs.changes.len() > count {
            self.pairs.pop();
        }
        self.systems.truncate(self.systems.partition_point(|at| *at < count));
        self.agree = self.agree.min(self.systems.len());
    }

    fn keeps_system(&mut self) -> bool {
        let all = &self.conversation.index().systems;
        let all = all.get(..all.partition_point(|at| *at < self.at)).unwrap_or_default();
        let agrees = |nth: usize| {
            let shown = self.systems.get(nth).and_then(|at| self.shown.get(*at)).map(|s| &s.message);
            let own = all.get(nth).and_then(|at| self.conversation.get(*at));
            shown.zip(own).is_some_and(|(a, b)| Arc::ptr_eq(a, b) || a == b)
        };
        let mut agree = self.agree;
        while agrees(agree) {
            agree = agree.saturating_add(1);
        }
        self.agree = agree;
        agree == all.len() && agree == self.systems.len()
    }
}

/// Tokens of the common beginning of two messages, as a message of their role.
fn beginning(before: &Message, now: &Message, counter: &dyn TokenCounter) -> u64 {
    if before.role != now.role {
        return 0;
    }
    let (x, y) = (before.text(), now.text());
    let common = x.chars().zip(y.chars()).take_while(|(c, d)| c == d).map(|(c, _)| c.len_utf8()).sum::<usize>();
    let start = y.get(..common).filter(|s| !s.is_empty());
    start.map_or(0, |start| counter.message(&Message::new(now.role, start)))
}

/// Unpaired calls and results, message by message; the last message can be removed again.
#[derive(Default)]
struct OpenPairs {
    /// Ids of calls without a result so far, in order.
    open: Vec<String>,
    /// How many results answered no call.
    orphans: usize,
    /// What each message changed, in order.
    changes: Vec<Vec<PairChange>>,
}

enum PairChange {
    Opened,
    /// The call that stood at this place among the open ones.
    Answered(usize, String),
    Orphaned,
}

impl OpenPairs {
    /// Adds the next message; a result answers the newest open call with its id.
    fn push(&mut self, message: &Message) {
        let mut changes = Vec::new();
        for block in &message.content {
            match block {
                Block::ToolUse { id, .. } => {
                    self.open.push(id.clone());
                    changes.push(PairChange::Opened);
                }
                Block::ToolResult { id, .. } => match self.open.iter().rposition(|open| open == id) {
                    Some(at) => changes.push(PairChange::Answered(at, self.open.remove(at))),
                    None => {
                        self.orphans = self.orphans.saturating_add(1);
                        changes.push(PairChange::Orphaned);
                    }
                },
                Block::Text { .. } | Block::Reasoning { .. } => {}
            }
        }
        self.changes.push(changes);
    }

    /// Removes the last message.
    fn pop(&mut self) {
        for change in self.changes.pop().unwrap_or_default().into_iter().rev() {
            match change {
                PairChange::Opened => drop(self.open.pop()),
                PairChange::Answered(at, id) => self.open.insert(at.min(self.open.len()), id),
                PairChange::Orphaned => self.orphans = self.orphans.saturating_sub(1),
            }
        }
    }
}
