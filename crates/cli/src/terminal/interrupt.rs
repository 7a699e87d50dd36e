//! Signals that end a process: the first one cancels what is running, the second one exits.

use ptc_agent::Cancel;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, Once, PoisonError};

static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);
/// The number of the first signal that came; 0 while none has.
static FIRST: AtomicI32 = AtomicI32::new(0);

/// What is running now, until this is dropped.
pub struct Guard;

/// From now on Ctrl-C, and on Unix SIGTERM and SIGHUP too, cancels `cancel`.
pub fn watch(cancel: &Cancel) -> Guard {
    static LISTENING: Once = Once::new();
    *lock() = Some(cancel.clone());
    // Where it cannot listen, a signal ends the process, which is what the second one does anyway.
    LISTENING.call_once(|| listen(came));
    Guard
}

/// The exit code of a command that a signal ended, as shells know it: 128 and the signal's number. Of one that was
/// cancelled otherwise, that of Ctrl-C.
pub fn code() -> i32 {
    match FIRST.load(Ordering::Relaxed) {
        0 => 130,
        signal => signal.saturating_add(128),
    }
}

fn came(signal: i32) {
    let running = lock();
    match running.as_ref() {
        Some(cancel) if !cancel.cancelled() => {
            FIRST.store(signal, Ordering::Relaxed);
            cancel.cancel();
        }
        _ => {
            // Nothing is unwound from here: what tools have started must not go on alone.
            ptc_agent::host::end_child_processes();
            std::process::exit(signal.saturating_add(128))
        }
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<Cancel>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn listen(came: impl Fn(i32) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // What was ignored when the process began stays so: `nohup ptc run ...` outlives its terminal.
    let wanted: Vec<i32> = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|s| !ignored(*s)).collect();
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        std::thread::spawn(move || signals.forever().for_each(came));
    }
}

/// Whether the process was started with this signal ignored; where the system does not tell, no.
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok()).unwrap_or(0);
    u32::try_from(signal.saturating_sub(1)).is_ok_and(|bit| mask.checked_shr(bit).unwrap_or(0) & 1 == 1)
}

#[cfg(not(unix))]
fn listen(came: impl Fn(i32) + Send + 'static) {
    let _ = ctrlc::set_handler(move || came(2));
}

impl Drop for Guard {
    fn drop(&mut self) {
        *lock() = None;
    }
}
