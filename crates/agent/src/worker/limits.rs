//! Resource limits that a worker sets for itself before it runs anything: memory, processor time, files, processes.

use ptc_lisp::limits::Limits;

/// Address space that a worker needs besides what its programs hold: code, stacks, buffers of lines.
const ROOM: u64 = 512 << 20;
/// Descriptors: the three standard ones and a few to spare.
const FILES: u64 = 16;
/// Seconds of processor time over those that a turn may use: the interpreter's own limit comes first.
const SPARE_SECONDS: u64 = 3;

/// Sets the limits that need not know the session's.
pub(super) fn at_start() {
    set(Kind::Files, FILES);
    set(Kind::Core, 0);
    set(Kind::FileSize, 0);
    set(Kind::Children, 0);
}

/// Sets the limits that hold for the whole life of the worker. Where there are none, only the host's clock ends it.
pub(super) fn for_life(limits: &Limits) {
    at_start();
    set(
        Kind::Memory,
        limits
            .memory_bytes
            .saturating_mul(6)
            .saturating_add(limits.session_bytes.saturating_mul(2))
            .saturating_add(ROOM),
    );
}

/// Lets the next turn use its processor time, and not much more.
pub(super) fn for_turn(limits: &Limits) {
    if limits.cpu_ms == 0 {
        return;
    }
    let used = cpu_time::ProcessTime::try_now().map_or(0, |t| t.as_duration().as_secs());
    set(Kind::Cpu, used.saturating_add(limits.cpu_ms / 1000).saturating_add(SPARE_SECONDS));
}

#[derive(Clone, Copy)]
enum Kind {
    Memory,
    Cpu,
    Files,
    Core,
    FileSize,
    Children,
}

/// Sets a soft limit, and a hard one unless it is to be moved later. One that cannot be set is done without.
#[cfg(unix)]
fn set(kind: Kind, value: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let resource = match kind {
        // Not every system knows a limit of the whole address space.
        #[cfg(not(any(target_os = "openbsd", target_os = "macos", target_os = "ios")))]
        Kind::Memory => Resource::As,
        #[cfg(any(target_os = "openbsd", target_os = "macos", target_os = "ios"))]
        Kind::Memory => Resource::Data,
        Kind::Cpu => Resource::Cpu,
        Kind::Files => Resource::Nofile,
        Kind::Core => Resource::Core,
        Kind::FileSize => Resource::Fsize,
        Kind::Children => Resource::Nproc,
    };
    let hard = getrlimit(resource).maximum;
    let value = hard.map_or(value, |h| value.min(h));
    let maximum = if matches!(kind, Kind::Cpu) { hard } else { Some(value) };
    let _ = setrlimit(resource, Rlimit { current: Some(value), maximum });
}

#[cfg(not(unix))]
fn set(_: Kind, _: u64) {}
