//! The command line from outside: exact results, exit codes, one line for each mistake.

mod common;
mod doc;
mod eval;
mod tasks;
