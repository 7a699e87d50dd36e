//! Requests of providers: five formats, encoded, decoded and validated (part B, F-33, K-33).
//!
//! [`export`](crate::export) is the short way: repair, encode, check. A host that needs the steps takes
//! [`repair::repair`](crate::repair::repair), [`Request::body`] and [`validate`](validate::validate) one by one.

mod alternation;
mod anthropic;
mod bedrock;
pub mod cache;
pub(crate) mod decode;
mod encode;
pub mod format;
mod gemini;
mod json_checks;
mod openai_chat;
mod openai_responses;
mod prefix;
pub(crate) mod request;
pub(crate) mod tool;
pub mod usage;
pub mod validate;
pub(crate) mod violation;

pub use cache::{Cache, CacheBreakpoint, CacheBreakpoints, Ttl};
pub use decode::{Import, ImportError};
pub use format::{Format, FormatError};
pub use request::Request;
pub use tool::Tool;
pub use usage::{Usage, UsageError};

use serde_json::Value;

impl Request {
    /// The body of the request, its conversation part: system, messages, tools; not model nor settings. Every text
    /// block is a block of its own where the format has blocks, so that what is appended changes no block before it
    /// (B-17).
    pub fn body(&self, format: Format, marks: &CacheBreakpoints) -> Value {
        match format {
            Format::OpenAi => openai_chat::body(self, marks),
            Format::Responses => openai_responses::body(self, marks),
            Format::Anthropic => anthropic::body(self, marks),
            Format::Gemini => gemini::body(self),
            Format::Bedrock => bedrock::body(self, marks),
        }
    }

    /// Reads a provider's request body back (K-33).
    ///
    /// # Errors
    /// [`ImportError`], with the place that cannot be expressed.
    pub fn import(format: Format, body: &Value) -> Result<Import, ImportError> {
        match format {
            Format::OpenAi => openai_chat::import(body),
            Format::Responses => openai_responses::import(body),
            Format::Anthropic => anthropic::import(body),
            Format::Gemini => gemini::import(body),
            Format::Bedrock => bedrock::import(body),
        }
    }
}
