//! Writing request bodies: what the formats with alternating roles share.

use crate::conversation::message::{Message, Role};
use crate::wire::request::Request;
use serde_json::Value;

/// The system messages of a request, each with its place.
pub(super) fn systems(request: &Request) -> impl Iterator<Item = (usize, &Message)> {
    request.messages.iter().enumerate().filter(|(_, m)| m.role == Role::System)
}

/// The other messages as turns, each with its role: consecutive messages of one role are one turn. `model` is the name
/// of the model's role, and `blocks` encodes a message.
pub(super) fn turns<'r>(
    request: &'r Request,
    model: &'static str,
    mut blocks: impl FnMut(usize, &'r Message) -> Vec<Value>,
) -> Vec<(&'static str, Vec<Value>)> {
    let mut turns: Vec<(&'static str, Vec<Value>)> = Vec::new();
    for (i, m) in request.messages.iter().enumerate().filter(|(_, m)| m.role != Role::System) {
        let role = if m.role == Role::Assistant { model } else { "user" };
        let mut blocks = blocks(i, m);
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.append(&mut blocks),
            _ => turns.push((role, blocks)),
        }
    }
    turns
}
