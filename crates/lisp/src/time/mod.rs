//! Dates and times as `java.time` has them: computed here, with no clock and no files. Zones have the rules of the zone
//! database that is compiled in.

pub mod adjust;
pub mod amount;
pub mod arithmetic;
pub mod civil;
pub mod error;
pub mod fields;
pub mod formatter;
pub mod inst;
mod iso;
pub mod iso_text;
pub mod kind;
pub mod moment;
pub mod names;
pub mod order;
mod parse;
pub mod parsed;
mod part;
mod pattern;
mod print;
mod resolve;
mod short_names;
pub mod tag;
pub mod text;
pub mod unit;
pub mod weeks;
pub mod zone;

pub use kind::Time;
