//! Sequences: what makes lazy ones, and how all of them are walked and realised.

pub mod generator;
mod int_range;
pub mod iter;
pub mod realize;
pub mod sticky;

pub use generator::{Generator, IntRange, Step, lazy};
pub use int_range::ints;
pub use iter::{Iter, force, is_finite, is_lazy, is_seqable, seq_of};
pub use realize::realise;
