//! Converse of Bedrock: blocks named by their key, tools under `toolConfig`, breakpoints as blocks of their own.

mod decode;
mod encode;
mod validate;

pub(super) use decode::import;
pub(super) use encode::body;
pub(super) use validate::check;
