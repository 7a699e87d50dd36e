//! What stands before all turns.

use crate::act::Act;
use crate::record::Header;
use ptc_history::Message;
use std::sync::Arc;

/// How many messages stand before those of turn 1.
pub(crate) const OPENING: usize = 2;

/// The messages before any turn: one system message, and the task byte for byte (P-21); with it the first act.
pub(crate) fn opening(header: &Header, act: Option<&Arc<Act>>) -> Vec<Message> {
    let or = |text: &str, none: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
    let user = match act {
        Some(act) => act.message(&header.prompt),
        None => Message::user(or(&header.prompt, "(no task)")),
    };
    vec![Message::system(or(&header.system, "(no instructions)")), user]
}
