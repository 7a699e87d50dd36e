//! Token counting: how many tokens a request will have, within which bounds, and how that is known (docs/tokens.md).
//!
//! [`CachedCounter`] counts text; [`MessageCounter`] counts messages and the overhead of a request for a model;
//! [`Request`] is a whole request; [`Calibration`] learns from what providers report.

mod body;
pub mod cached_counter;
pub mod calibration;
pub mod class;
pub mod counter;
pub mod estimate;
pub mod features;
pub mod profile;
pub mod regression;
pub mod request;
pub mod tool_declarations;
#[cfg(feature = "vocabularies")]
mod vocabulary;

pub use body::BodyError;
pub use cached_counter::CachedCounter;
pub use calibration::{Calibration, Learned};
pub use class::Class;
#[cfg(feature = "vocabularies")]
pub use counter::{Cl100k, O200k};
pub use counter::{Counter, Seven};
pub use estimate::{Estimate, MessageCounter, Source};
pub use features::{Feature, Features};
pub use profile::{Profile, ProfileError, Profiles};
pub use request::{Api, Request, Schema};
