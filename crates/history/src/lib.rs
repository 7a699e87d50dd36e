//! Conversations as data: messages of blocks, views of them under a policy, token counts, and the request formats of
//! providers.
//!
//! It knows no Lisp and touches no files. What messages of programs say is decided in `ptc-turns`.
//!
//! ```
//! use ptc_history::{Message, Role, render};
//!
//! let messages = [Message::system("Be brief."), Message::user("Hello")];
//! assert_eq!(messages[1].role, Role::User);
//! assert_eq!(render::text(&messages), "[SYSTEM]\nBe brief.\n\n[USER]\nHello\n\n");
//! assert_eq!(
//!     render::json(&messages),
//!     r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"}]"#
//! );
//! ```

// Numbers come from files and from the network: no operation may panic or wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

mod budget;
pub mod conversation;
mod export;
mod memo;
mod pipeline;
pub mod policy;
pub mod repair;
pub mod report;
pub mod retention;
mod strategy;
pub mod tokens;
pub mod view;
pub mod wire;

pub use conversation::Conversation;
pub use conversation::message::{Block, Message, Part, PartKind, Retention, Role};
pub use conversation::render;
pub use export::export;
pub use pipeline::view;
pub use policy::Policy;
pub use report::why;
pub use strategy::auto;
pub use view::compact::{Compact, Compactable, Recap};
pub use view::{View, ViewContext, ViewError};
pub use wire::{Format, FormatError};
