//! Texts in prompts: the first words of the runtime's lines, printed text escaped so that it cannot look like them,
//! samples of values, sizes in tokens.

pub mod line_prefixes;
pub(crate) mod outline;
pub mod printed_text;
pub mod sample;
pub(crate) mod token_estimate;
