//! From conversation to view: retention, then the strategy, then the budgets (D9, K-13).

mod auto;
mod fold;
mod turns;

pub(crate) use fold::cut;

use crate::conversation::Conversation;
use crate::group::Kind;
use crate::message::{Message, Role};
use crate::policy::{Policy, Strategy};
use crate::view::{Event, Shown, View, ViewError, Why, With};

/// What a strategy works on.
pub(crate) struct Scene<'a> {
    pub conversation: &'a Conversation,
    pub policy: &'a Policy,
    pub with: &'a With<'a>,
}

/// What a strategy made.
pub(crate) struct Draft {
    pub shown: Vec<Shown>,
    pub moves: u64,
    pub stable: usize,
    pub events: Vec<Event>,
}

impl<'a> Scene<'a> {
    pub fn new(conversation: &'a Conversation, policy: &'a Policy, with: &'a With<'a>) -> Self {
        Scene { conversation, policy, with }
    }

    /// The message at this place, whole.
    pub fn show(&self, at: usize, why: Why) -> Shown {
        match self.conversation.get(at) {
            Some(message) => Shown::whole(message, at, why),
            // No strategy asks for a message that is not there; a placeholder keeps the view legal if one does.
            None => Shown::made(Message::user("(no content)"), at..at, Why::Placeholder),
        }
    }

    /// Why a message may not be dropped or shortened by any strategy, if so: system messages, the task, open calls.
    pub fn pinned(&self, at: usize) -> Option<Why> {
        let message = self.conversation.get(at)?;
        if message.role == Role::System {
            return Some(Why::System);
        }
        if self.policy.pin_task && self.task() == Some(at) {
            return Some(Why::Task);
        }
        None
    }

    /// The first user message that is no result (D5).
    pub fn task(&self) -> Option<usize> {
        self.conversation.groups().iter().find(|g| g.kind == Kind::User).map(|g| g.range.start)
    }
}

/// All as it is.
fn everything(scene: &Scene<'_>) -> Draft {
    let all = 0..scene.conversation.len();
    Draft {
        shown: all.clone().map(|at| scene.show(at, Why::Everything)).collect(),
        moves: 0,
        stable: all.end,
        events: Vec::new(),
    }
}

pub(crate) fn render(conversation: &Conversation, policy: &Policy, with: &With<'_>) -> Result<View, ViewError> {
    let scene = Scene::new(conversation, policy, with);
    let draft = match policy.strategy {
        Strategy::Auto => auto::draft(&scene),
        _ => everything(&scene),
    };
    Ok(View {
        shown: draft.shown,
        moves: draft.moves,
        stable: draft.stable,
        squeezed: 0,
        events: draft.events,
        tokens: None,
    })
}
