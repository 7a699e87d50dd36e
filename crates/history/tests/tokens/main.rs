//! Token counting held against 344 recorded requests and what their providers reported.

mod accuracy;
mod anchored;
mod fitted;
mod pairs;
