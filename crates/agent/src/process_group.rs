//! Child processes of tools: each has a process group of its own, so that it ends with all it has started.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The groups that run now.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Names of environment variables that hold keys of model providers: tools of a task get them only when it says so.
const KEYS: &[&str] = &["_API_KEY", "_AUTH_TOKEN", "_ACCESS_KEY", "_ACCESS_KEY_ID", "_SESSION_TOKEN", "_BEARER_TOKEN"];

/// Whether a variable's name ends as keys of model providers do: children do not get it.
pub(crate) fn ends_as_key(name: &str) -> bool {
    KEYS.iter().any(|end| name.ends_with(end))
}

/// What programs need that come from elsewhere; everything else stays here.
const PLAIN: &[&str] = &[
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "APPDATA",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
];

/// What a process gets of our environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inherit {
    /// All but keys of model providers: for the user's own commands.
    NoKeys,
    /// Only what programs need to run: for servers that others wrote.
    Plain,
}

/// Puts a command into a group of its own with this part of our environment.
pub(crate) fn set_up(command: &mut Command, inherit: Inherit) {
    command.env_clear();
    for (name, value) in std::env::vars_os() {
        let upper = name.to_string_lossy().to_uppercase();
        let goes = match inherit {
            Inherit::NoKeys => !ends_as_key(&upper),
            Inherit::Plain => PLAIN.contains(&upper.as_str()) || upper.starts_with("LC_"),
        };
        if goes {
            command.env(name, value);
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
}

/// A group of processes, ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    id: u32,
    over: AtomicBool,
}

impl Group {
    /// The group of a child that was started with [`set_up`].
    pub(crate) fn of(id: u32) -> Self {
        lock().insert(id);
        Group { id, over: AtomicBool::new(false) }
    }

    /// Asks all of it to end.
    pub(crate) fn ask(&self) {
        if !self.over.load(Ordering::Relaxed) {
            signal(self.id, false);
        }
    }

    /// Ends all of it.
    pub(crate) fn end(&self) {
        if !self.over.load(Ordering::Relaxed) {
            signal(self.id, true);
        }
    }

    /// It has been ended, and its child is about to be waited for: from then on its number may be another's.
    pub(crate) fn forget(&self) {
        self.over.store(true, Ordering::Relaxed);
        lock().remove(&self.id);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
        self.forget();
    }
}

/// Waits until a child has ended and leaves it its number: until it is waited for in earnest, nobody else can have it,
/// and its group can be ended. Elsewhere than on Unix there are no groups, and nothing is waited for.
#[cfg(unix)]
pub(crate) fn ended(id: u32) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return };
    let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(pid), how), Err(rustix::io::Errno::INTR)) {}
}

/// As on Unix, without the waiting.
#[cfg(not(unix))]
pub fn ended(_: u32) {}

/// Ends every process that tools have started. For a program that is about to leave without unwinding; whatever ends in
/// order does this by itself.
pub fn end_all() {
    lock().iter().for_each(|id| signal(*id, true));
}

fn lock() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn signal(id: u32, hard: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, if hard { Signal::KILL } else { Signal::TERM });
    }
}

/// Elsewhere the child alone is ended, by who holds it.
#[cfg(not(unix))]
fn signal(_: u32, _: bool) {}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// Who has ended is still there to be waited for: its number is its own until then.
    #[test]
    fn an_end_is_seen_without_being_waited_for() {
        let mut command = Command::new("sh");
        set_up(&mut command, Inherit::Plain);
        let mut child = command.args(["-c", "exit 7"]).spawn().unwrap();
        let group = Group::of(child.id());
        ended(child.id());
        ended(child.id());
        group.end();
        group.forget();
        assert_eq!(child.wait().unwrap().code(), Some(7));
    }
}
