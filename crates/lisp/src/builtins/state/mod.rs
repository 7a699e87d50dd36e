//! What programs change and what they throw: atoms, volatiles, delays, exceptions.

pub mod atoms;
pub mod exception_classes;
pub mod exceptions;
