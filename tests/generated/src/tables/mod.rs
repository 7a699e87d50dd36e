//! Tables of calls by what they are about. How a template is written stands in [`crate::templates`].

pub(crate) mod collections;
pub(crate) mod control;
pub(crate) mod java;
pub(crate) mod kits;
pub(crate) mod libraries;
pub(crate) mod numbers;
pub(crate) mod rows;
pub(crate) mod state;
