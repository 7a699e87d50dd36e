//! How a worker ended, and the message that says so.

use ptc_lisp::limits::Limits;
use std::process::ExitStatus;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum WorkerExit {
    /// It could not be started.
    Start(std::io::Error),
    /// It was gone.
    Died,
    /// It did not answer in time.
    Hung(u64),
    /// It wrote a line longer than any it may write.
    Flood(String),
    /// It wrote what is no message, or not the one that was due.
    Garbage(String),
    /// It told that something in it broke.
    Broke(String),
    /// It could not make the session again.
    Refused(ptc_lisp::error::Error),
    /// This tool answered more than a line can hold.
    Big(String),
    /// The host was told to stop.
    Cancelled,
}

/// The message of a turn that was lost. `said` is what the worker wrote to standard error last.
pub(super) fn words(end: &WorkerExit, status: Option<ExitStatus>, said: &str, limits: &Limits) -> String {
    match end {
        WorkerExit::Start(e) => format!("the worker process cannot be started: {e}"),
        WorkerExit::Died => died(status, said, limits),
        WorkerExit::Hung(ms) => format!("the worker process did not answer within {ms} ms and was ended: out of time"),
        WorkerExit::Flood(e) => format!("the worker process wrote {e} and was ended"),
        WorkerExit::Garbage(e) => format!("the worker process wrote what is no message and was ended: {e}"),
        WorkerExit::Broke(words) => format!("a fault of ours, please report it with the program: {words}"),
        WorkerExit::Refused(e) => format!("the session cannot be made again in a new worker process: {e}"),
        WorkerExit::Big(tool) => {
            format!("tool/{tool}: the answer takes more than memory_bytes = {}", limits.memory_bytes)
        }
        // Of a turn that was cancelled nothing is kept; nobody reads this.
        WorkerExit::Cancelled => "cancelled".to_owned(),
    }
}

fn died(status: Option<ExitStatus>, said: &str, limits: &Limits) -> String {
    // The allocator's and the runtime's last words before an abort.
    if said.contains("memory allocation") {
        return format!(
            "the worker process was out of memory (memory_bytes = {} and what the interpreter needs besides)",
            limits.memory_bytes
        );
    }
    if said.contains("overflowed its stack") {
        return "the worker process overflowed its stack, please report it with the program".to_owned();
    }
    match signal(status) {
        Some(name) if name.starts_with("SIGXCPU") => {
            format!("the worker process was out of time: more processor time than cpu_ms = {} allows", limits.cpu_ms)
        }
        Some(name) => format!("the worker process was killed by {name}"),
        None => match status.and_then(|s| s.code()) {
            Some(code) => format!("the worker process ended with exit code {code} in the middle of a turn"),
            None => "the worker process ended in the middle of a turn".to_owned(),
        },
    }
}

#[cfg(unix)]
fn signal(status: Option<ExitStatus>) -> Option<String> {
    use std::os::unix::process::ExitStatusExt as _;
    let number = status?.signal()?;
    let name = match number {
        4 => "SIGILL",
        6 => "SIGABRT: an abort",
        7 | 10 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL: by the system, perhaps for memory, or by hand",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        24 => "SIGXCPU: out of processor time",
        25 => "SIGXFSZ",
        _ => return Some(format!("signal {number}")),
    };
    Some(name.to_owned())
}

#[cfg(not(unix))]
fn signal(_: Option<ExitStatus>) -> Option<String> {
    None
}
