//! The exceptions of the package, which `python/ptc/_errors.py` defines.

use ptc_turns::TurnRefused;
use pyo3::PyErr;

mod python {
    //! The classes themselves.
    pyo3::import_exception!(ptc._errors, Error);
    pyo3::import_exception!(ptc._errors, InvalidArgument);
    pyo3::import_exception!(ptc._errors, InvalidValue);
    pyo3::import_exception!(ptc._errors, InvalidTrace);
    pyo3::import_exception!(ptc._errors, SessionBusy);
    pyo3::import_exception!(ptc._errors, SessionEnded);
    pyo3::import_exception!(ptc._errors, SessionFull);
    pyo3::import_exception!(ptc._errors, TurnCancelled);
}

pub use python::{Error, InvalidArgument, InvalidTrace, InvalidValue, SessionBusy};

/// Why a turn was not run, as an exception; what a cancelled one called may be kept as a turn.
pub fn refused(why: &TurnRefused, kept: Option<u64>) -> PyErr {
    let words = why.to_string();
    match why {
        TurnRefused::Finished { .. } | TurnRefused::OutOfTurns { .. } => python::SessionEnded::new_err(words),
        TurnRefused::Full { .. } => python::SessionFull::new_err(words),
        TurnRefused::Cancelled => {
            let kept =
                kept.map_or("nothing of it is kept".to_owned(), |turn| format!("turn {turn} has what it called"));
            python::TurnCancelled::new_err(format!("the turn was cancelled; {kept}"))
        }
        _ => Error::new_err(words),
    }
}

/// What the user gave is none of what can be given.
pub fn invalid(words: String) -> PyErr {
    InvalidArgument::new_err(words)
}

/// A fault of ours.
pub fn internal(words: &str) -> PyErr {
    Error::new_err(format!("internal error, please report it: {words}"))
}
