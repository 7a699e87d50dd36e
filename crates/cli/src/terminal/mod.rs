//! The terminal: the streams of a command, signals, the progress of a run, values laid out to a width.

pub mod columns;
pub mod highlight;
pub mod interrupt;
pub mod io;
pub mod progress;
pub mod table;
pub mod value_tree;
pub mod values;
