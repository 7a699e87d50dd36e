//! The terminal: the streams of a command, signals, the progress of a run, values laid out to a width.

pub mod columns;
pub mod highlight;
pub mod interrupt;
pub mod io;
pub mod live;
pub mod output;
pub mod own_streams;
pub mod progress;
pub mod reply_printer;
pub mod run_view;
pub mod status;
pub mod style;
pub mod table;
pub mod value_tree;
pub mod values;
