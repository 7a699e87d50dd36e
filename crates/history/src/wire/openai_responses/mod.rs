//! Responses: `input` as a flat list of items; calls, outputs and reasoning are items of their own.

mod decode;
mod encode;
mod validate;

pub(super) use decode::import;
pub(super) use encode::body;
pub(super) use validate::check;
