//! Which messages of a conversation were answered, so that its inputs may be shown shortly from then on.

use crate::conversation::message::{Message, Role};

/// Which messages were answered, and the act they belong to is over. Where messages say with which of them an act
/// begins, those before the last such one; else either the model said something without calling a
/// tool, or it spoke and then the user did. Within a loop of tool calls the model still works on its inputs, and
/// rewriting them would break thoughts that are sealed over them (D11). It never goes back as messages come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answered {
    before: usize,
    /// Where the model spoke last.
    spoke: usize,
    /// Whether messages say where acts begin.
    acts: bool,
}

impl Answered {
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
