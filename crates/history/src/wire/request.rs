//! A request, before it is encoded in a format.

use crate::conversation::message::Message;
use crate::wire::tool::Tool;

/// A request: the conversation and the tools, as [`repair`](crate::repair::repair) left them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The conversation.
    pub messages: Vec<Message>,
    /// The tools that are declared.
    pub tools: Vec<Tool>,
}
