//! The native part of the Python package `ptc`: sessions whose turns run on threads of their own, and conversions. What
//! users see is written in Python (`python/ptc`), on top of this.

mod clock;
mod errors;
mod execution;
mod from_python;
mod session;
mod shared;
mod to_python;
mod turn_thread;

/// `ptc._native`.
#[pyo3::pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use crate::execution::Execution;
    #[pymodule_export]
    use crate::session::Session;
}
