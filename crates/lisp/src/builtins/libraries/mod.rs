//! Libraries that come with Clojure, besides those that are about strings, sets and the like.

pub mod csv;
pub mod data_diff;
pub mod zip;
pub mod zip_loc;
pub mod zip_moves;
