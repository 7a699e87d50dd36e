//! Messages of Anthropic: system apart, user and assistant in turns, calls and results as blocks.

mod decode;
mod encode;
mod validate;

pub(super) use decode::import;
pub(super) use encode::body;
pub(super) use validate::check;
