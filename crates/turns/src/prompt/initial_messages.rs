//! The messages before all turns.

use crate::policy::Policy;
use crate::prompt;
use crate::text::line_prefixes::{NO_INSTRUCTIONS, NO_TASK};
use crate::trace::act::Act;
use crate::trace::record::Header;
use ptc_history::Message;
use std::sync::Arc;

/// How many messages stand before those of turn 1.
pub(crate) const OPENING: usize = 2;

/// The messages before any turn: the system message, and the task byte for byte (P-21) with the first act. Under
/// another policy than the recorded one the system message is that of a run under it.
pub(crate) fn opening(header: &Header, policy: &Policy, act: Option<&Arc<Act>>) -> Vec<Message> {
    let or = |text: &str, none: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
    let user = match act {
        Some(act) => act.message(&header.prompt),
        None => Message::user(or(&header.prompt, NO_TASK)),
    };
    let system = prompt::under(&header.system, &header.acts, &header.policy, policy);
    vec![Message::system(or(&system, NO_INSTRUCTIONS)), user]
}
