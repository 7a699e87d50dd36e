//! Token counting: what a request will cost before it is sent, within how much, and how that is known (docs/tokens.md).
//!
//! [`Ruler`] counts text; [`MessageCounter`] counts messages and what stands around them for a model; [`Request`] is the
//! whole; [`Ledger`] learns from what providers report.

mod body;
pub mod class;
pub mod counter;
pub mod declare;
pub mod estimate;
pub mod features;
pub mod fit;
pub mod ledger;
pub mod profile;
pub mod request;
pub mod ruler;

pub use body::BodyError;
pub use class::Class;
#[cfg(feature = "vocabularies")]
pub use counter::{Cl100k, O200k};
pub use counter::{Counter, Seven};
pub use estimate::{Estimate, MessageCounter, Source};
pub use features::{Feature, Features};
pub use ledger::{Learned, Ledger};
pub use profile::{Profile, ProfileError, Profiles};
pub use request::{Api, Request, Schema};
pub use ruler::Ruler;
