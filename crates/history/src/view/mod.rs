//! Views: which messages of a conversation are sent, where each line comes from, and the reason for each.

pub mod compact;
pub(crate) mod context;
pub(crate) mod counter;
pub(crate) mod reasons;
pub(crate) mod sanitize;
pub mod step;
pub(crate) mod strategy;
pub mod summarizer;
pub(crate) mod types;

pub use context::ViewContext;
pub use counter::TokenCounter;
pub use reasons::{Blocks, Reason};
pub use step::Step;
pub use strategy::{CustomStrategy, Selected, StrategyInput};
pub use types::{Event, Level, Tokens, View, ViewError, ViewMessage};
