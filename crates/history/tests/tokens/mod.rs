//! Token counting held against 344 recorded requests and what their providers reported.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod accuracy;
mod anchored;
mod declarations;
mod fitted;
#[cfg(feature = "vocabularies")]
mod long_runs;
mod pairs;
mod profiles;
mod requests;
#[cfg(feature = "vocabularies")]
mod texts;
mod weights;
