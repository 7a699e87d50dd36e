//! What a request says, in no form yet.

use super::tool::Tool;
use crate::message::Message;

/// What a request says: the conversation and the tools, as [`repair`](crate::repair::repair) left them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The conversation.
    pub messages: Vec<Message>,
    /// The tools that are declared.
    pub tools: Vec<Tool>,
}
