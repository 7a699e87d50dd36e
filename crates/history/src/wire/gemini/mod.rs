//! generateContent of Gemini: contents of parts, results matched to calls by position, signatures inside the parts.

mod decode;
mod encode;
mod validate;

pub(super) use decode::import;
pub(super) use encode::body;
pub(super) use validate::check;
