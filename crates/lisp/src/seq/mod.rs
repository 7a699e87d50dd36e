//! Sequences: what makes lazy ones, and how all of them are walked and realised.

pub mod generator;
mod ints;
pub mod iter;
pub mod realize;
pub mod steady;

pub use generator::{Generator, Run, Step, lazy};
pub use ints::ints;
pub use iter::{Iter, force, is_finite, is_lazy, is_seqable, seq_of};
pub use realize::realise;
