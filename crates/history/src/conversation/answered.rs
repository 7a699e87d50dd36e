//! Which messages of a conversation the model has answered, so that their inputs may be shortened from then on.

use crate::conversation::message::{Message, Role};

/// Which messages were answered, and the act they belong to has ended. Where messages say which of them begins an act,
/// those before the newest such message count as answered. Otherwise a message is answered once the model said
/// something without calling a tool, or spoke and then the user did. Inside a loop of tool calls the model still works
/// on its inputs, and rewriting them would invalidate the signatures of its reasoning (D11). The place never moves back
/// as messages are appended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answered {
    before: usize,
    /// Where the model spoke last.
    spoke: usize,
    /// Whether messages say where acts begin.
    acts: bool,
}

impl Answered {
    /// Adds the next message.
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
