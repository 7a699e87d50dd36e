//! Functions on maps, sets, vectors and what is common to all collections.

pub mod common;
pub mod lookup;
pub mod maps;
pub mod meta;
pub mod queue;
pub mod sets;
pub mod sorted;
pub mod sorted_by;
pub mod transient_held;
pub mod transients;
pub mod var_meta;
