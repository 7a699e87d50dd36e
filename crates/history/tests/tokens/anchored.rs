//! Estimates that stand on the last reported usage.
