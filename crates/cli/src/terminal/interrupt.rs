//! Signals that end a process: the first one cancels what is running, the second one exits. Where keys are awaited the first
//! one sets the terminal back and exits.

#[cfg(unix)]
use super::output::leave_key_mode;
use ptc_agent::Cancel;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);
/// How the terminal was before it was read key by key, while it is.
static READING: Mutex<Option<Modes>> = Mutex::new(None);
/// The number of the first signal that came; 0 while none has.
static FIRST: AtomicI32 = AtomicI32::new(0);
/// The number of a signal that cancelled something and is more than Ctrl-C; 0 while none has come.
static ENDING: AtomicI32 = AtomicI32::new(0);
/// Ctrl-C, on every system.
const INT: i32 = 2;

/// What is running now, until this is dropped.
pub struct Guard;

/// The terminal is read key by key until this is dropped.
pub struct ReadingGuard;

/// From now on Ctrl-C, and on Unix SIGTERM and SIGHUP too, cancels `cancel`.
pub fn watch(cancel: &Cancel) -> Guard {
    *lock(&RUNNING) = Some(cancel.clone());
    listening();
    Guard
}

/// From now on a signal that ends the process sets the terminal back as it is now. Whoever asks is about to read it key by
/// key; Ctrl-C is a key then.
pub fn reading() -> ReadingGuard {
    *lock(&READING) = Modes::now();
    listening();
    ReadingGuard
}

fn listening() {
    static LISTENING: Once = Once::new();
    // Where it cannot listen, a signal ends the process, which is what the second one does anyway.
    LISTENING.call_once(|| listen(came));
}

/// The exit code of a command that goes on behind what Ctrl-C cancels, once another signal has: that one ends it.
pub fn ending() -> Option<i32> {
    match ENDING.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(signal.saturating_add(128)),
    }
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
    // Nobody could tell a reader that waits for a key: it ends here.
    if let Some(modes) = lock(&READING).as_ref() {
        modes.restore();
        exit(signal);
    }
    let running = lock(&RUNNING);
    match running.as_ref() {
        Some(cancel) if !cancel.cancelled() => {
            FIRST.store(signal, Ordering::Relaxed);
            if signal != INT {
                ENDING.store(signal, Ordering::Relaxed);
            }
            cancel.cancel();
        }
        _ => exit(signal),
    }
}

fn exit(signal: i32) -> ! {
    // Nothing is unwound from here: what tools have started must not go on alone.
    ptc_agent::host::end_child_processes();
    std::process::exit(signal.saturating_add(128))
}

fn lock<T>(of: &'static Mutex<T>) -> MutexGuard<'static, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The modes of the terminal.
#[cfg(unix)]
struct Modes(rustix::termios::Termios);

#[cfg(unix)]
impl Modes {
    /// As they are; `None` where there is no terminal.
    fn now() -> Option<Self> {
        rustix::termios::tcgetattr(std::io::stdin()).ok().map(Modes)
    }

    fn restore(&self) {
        let _ = rustix::termios::tcsetattr(std::io::stdin(), rustix::termios::OptionalActions::Now, &self.0);
        // No brackets around what is pasted any more, and what comes next begins a line. A terminal that was stopped takes
        // nothing, and is not waited for.
        let (written, wait) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _ = leave_key_mode();
            let _ = written.send(());
        });
        let _ = wait.recv_timeout(std::time::Duration::from_millis(200));
    }
}

/// The system sets the terminal back itself.
#[cfg(not(unix))]
struct Modes;

#[cfg(not(unix))]
impl Modes {
    fn now() -> Option<Self> {
        None
    }

    fn restore(&self) {}
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
    let _ = ctrlc::set_handler(move || came(INT));
}

impl Drop for Guard {
    fn drop(&mut self) {
        *lock(&RUNNING) = None;
    }
}

impl Drop for ReadingGuard {
    fn drop(&mut self) {
        *lock(&READING) = None;
    }
}
