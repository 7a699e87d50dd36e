//! What programs change and what they throw: atoms, promises, exceptions.

pub mod atoms;
pub mod delays;
pub mod exception_classes;
pub mod exceptions;
pub mod local_vars;
pub mod places;
pub mod promises;
pub mod vars;
pub mod watches;
