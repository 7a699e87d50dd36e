//! Messages of Anthropic: a system field, alternating user and assistant, calls and results as blocks.

mod decode;
mod encode;
mod validate;

pub(super) use decode::import;
pub(super) use encode::body;
pub(super) use validate::check;
