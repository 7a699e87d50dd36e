//! What is known of what a server process wrote: the end of both its outputs, and what makes waiting pointless.

use crate::secrets::Secrets;
use crate::tools::command::{cut_head, last_lines};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::watch;

/// Characters shown of a line that is no message.
const SHOWN: usize = 80;

/// What is known of what a server wrote.
#[derive(Clone, Default)]
pub(super) struct Words(Arc<Shared>);

#[derive(Default)]
struct Shared {
    known: Mutex<Known>,
    /// The last message that answers nobody.
    fault: watch::Sender<String>,
}

#[derive(Default)]
struct Known {
    errors: Vec<u8>,
    odd: Option<String>,
    torn: Option<String>,
    flood: bool,
}

/// Tells when a server has written what makes waiting for its answer pointless.
pub(super) struct Faults(watch::Receiver<String>);

impl Faults {
    /// Waits for the next one: what it is.
    pub(super) async fn next(&mut self) -> String {
        match self.0.changed().await {
            Ok(()) => self.0.borrow_and_update().clone(),
            // Nobody is left to tell.
            Err(_) => std::future::pending().await,
        }
    }
}

/// The beginning of what was written, in quotes.
pub(super) fn beginning(written: &[u8], secrets: &Secrets) -> String {
    let some = written.get(..SHOWN * 16).unwrap_or(written);
    let start: String = secrets.hide(String::from_utf8_lossy(some).into_owned()).trim().chars().take(SHOWN).collect();
    ptc_lisp::escape::quoted(&start)
}

impl Words {
    /// Tells what is written from now on and makes waiting pointless.
    pub(super) fn faults(&self) -> Faults {
        Faults(self.0.fault.subscribe())
    }

    /// A message that answers nobody: whoever waits learns of it.
    pub(super) fn fault(&self, words: String) {
        self.0.fault.send_replace(words);
    }

    /// What was told last.
    #[cfg(test)]
    pub(super) fn last_fault(&self) -> String {
        self.0.fault.borrow().clone()
    }

    /// A line that is no message.
    pub(super) fn odd(&self, line: &[u8]) {
        self.known().odd = Some(String::from_utf8_lossy(line.get(..SHOWN * 16).unwrap_or(line)).into_owned());
    }

    /// The beginning of a message that has no end.
    pub(super) fn torn(&self, line: &[u8]) {
        self.known().torn = Some(String::from_utf8_lossy(line.get(..SHOWN * 16).unwrap_or(line)).into_owned());
    }

    /// A message that is too long.
    pub(super) fn flood(&self) {
        self.known().flood = true;
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What explains that it did not answer, without secrets; empty when nothing does.
    pub(super) fn explain(&self, secrets: &Secrets) -> String {
        let mut known = self.known();
        let mut out = Vec::new();
        if known.flood {
            out.push(format!("it wrote a message of more than {} bytes", super::MAX_MESSAGE_BYTES));
        }
        // Told once: the next silence may have another reason.
        if let Some(odd) = known.odd.take() {
            out.push(format!("it wrote a line that is no message: {}", beginning(odd.as_bytes(), secrets)));
        }
        if let Some(torn) = known.torn.take() {
            out.push(format!("it broke off in the middle of a message: {}", beginning(torn.as_bytes(), secrets)));
        }
        let errors = last_lines(&String::from_utf8_lossy(&known.errors));
        if !errors.is_empty() {
            out.push(format!("it said: {}", secrets.hide(errors)));
        }
        out.join("; ")
    }

    /// Reads standard error to its end.
    pub(super) async fn listen(self, mut from: impl AsyncRead + Unpin) {
        let mut piece = [0u8; 4096];
        while let Ok(n @ 1..) = from.read(&mut piece).await {
            let mut known = self.known();
            known.errors.extend_from_slice(piece.get(..n).unwrap_or_default());
            cut_head(&mut known.errors);
        }
    }
}
