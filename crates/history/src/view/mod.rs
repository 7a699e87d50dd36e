//! Views: what is shown of a conversation, where each line comes from, and why it is there.

pub(crate) mod context;
mod pipeline;
pub(crate) mod reasons;
mod sanitize;
pub(crate) mod types;

pub use context::{Measure, With};
pub use pipeline::view;
pub use reasons::{Blocks, Why};
pub use types::{Event, Level, Shown, Tokens, View, ViewError};
