//! Texts in prompts: how lines of ours begin, printed text that cannot pass for one, samples of values, sizes in tokens.

pub mod line_prefixes;
pub mod printed_text;
pub mod sample;
pub(crate) mod token_estimate;
