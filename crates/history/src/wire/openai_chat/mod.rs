//! Chat completions: `messages` of roles, calls beside the text, results as messages of their own.

mod decode;
mod encode;
mod validate;

pub(super) use decode::import;
pub(super) use encode::body;
pub(super) use validate::check;
