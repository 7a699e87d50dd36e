//! Functions that make, walk, change, group and reduce sequences, and their transducers.

pub mod basic;
pub mod callers;
pub mod compared;
pub mod endless_runs;
pub mod fused;
pub mod group;
pub mod groups;
pub mod into;
pub mod join;
pub mod make;
pub mod reduce;
pub mod seq_source;
pub mod slices;
pub mod sort;
pub mod transducer_step;
pub mod transducers;
pub mod transform;
pub mod value_index;
pub mod walk;
