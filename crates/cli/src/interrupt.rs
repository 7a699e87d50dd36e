//! Ctrl-C: the first cancels the running turn, the second exits.

use ptc_agent::Cancel;
use std::sync::{Mutex, Once, PoisonError};

static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);

/// What is running now, until this is dropped.
pub struct Guard;

/// From now on Ctrl-C cancels `cancel`.
pub fn watch(cancel: &Cancel) -> Guard {
    static HANDLER: Once = Once::new();
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(cancel.clone());
    HANDLER.call_once(|| {
        // Without a handler Ctrl-C ends the process, which is what the second one does anyway.
        let _ = ctrlc::set_handler(|| match RUNNING.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            Some(cancel) if !cancel.cancelled() => cancel.cancel(),
            _ => {
                // Nothing is unwound from here: what tools have started must not go on alone.
                ptc_agent::children::end_all();
                std::process::exit(130)
            }
        });
    });
    Guard
}

impl Drop for Guard {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
