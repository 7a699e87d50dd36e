//! Sessions that are kept on this machine: a folder for each with its trace, and an index of what is in them.
//!
//! The traces are the truth. The index is made from them, healed when they change, and made anew when it is damaged;
//! nothing that goes on with a session needs it.

mod archive;
pub mod date;
mod found;
mod id;
mod index;
mod kept;
mod private;
mod runs;
mod store;

pub use found::Found;
pub use kept::{AskedWith, RunEnd, SessionNotes, SessionStatus, SessionSummary, SubtaskSummary};
pub use store::{NewSession, SessionStore};
