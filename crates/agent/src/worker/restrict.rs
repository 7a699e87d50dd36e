//! What a worker process restricts before it reads anything: descriptors, privileges, files, sockets, system calls.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What the system keeps a worker from, beside its limits of memory, time and size ([`super`]). What a system has not
/// is `false`: on Linux with Landlock and seccomp all of it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Restrictions {
    /// No descriptor was left open but the three standard ones.
    pub descriptors_closed: bool,
    /// Nothing it executes gains privileges (`no_new_privs`).
    pub no_new_privs: bool,
    /// The system kills it when the host ends, however that ends.
    pub dies_with_host: bool,
    /// Landlock: it opens, makes, removes and executes no file; with newer kernels it uses no TCP port either.
    pub landlock: bool,
    /// seccomp: all system calls are refused but those that computing needs; so there are no files, sockets, processes
    /// and threads.
    pub seccomp: bool,
}

impl Restrictions {
    /// Names of those that do not hold here.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [
            (self.descriptors_closed, "closed descriptors"),
            (self.no_new_privs, "no_new_privs"),
            (self.dies_with_host, "a signal when the host ends"),
            (self.landlock, "Landlock"),
            (self.seccomp, "seccomp"),
        ];
        all.into_iter().filter_map(|(holds, name)| (!holds).then_some(name)).collect()
    }
}

/// `all`, or what is missing.
impl fmt::Display for Restrictions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.missing().as_slice() {
            [] => f.write_str("all"),
            missing => write!(f, "without {}", missing.join(", ")),
        }
    }
}

/// Restricts this process for good, as [`serve`](super::serve) does before it reads anything: descriptors above 2 are
/// closed, files, sockets, processes and threads are refused from here on. For the main thread of a process of which
/// nothing else is wanted, before it has opened anything. Says what holds now; what the system does not have is done without.
pub fn restrict_process() -> Restrictions {
    warm_up();
    let descriptors_closed = close_descriptors();
    super::limits::at_start();
    let (no_new_privs, dies_with_host) = processes();
    // Landlock makes descriptors and system calls of its own: seccomp is the last.
    let landlock = landlock();
    Restrictions { descriptors_closed, no_new_privs, dies_with_host, landlock, seccomp: seccomp() }
}

/// Runs a program, so that what is looked up once and kept, such as the size of the stack, is looked up while files can
/// be read.
fn warm_up() {
    let mut session = ptc_turns::Session::new(ptc_turns::Config::programs());
    let _ = session.run("(str (re-pattern \"a\") 1.5 (rand-int 3))", ptc_turns::TurnContext::without_host());
}

/// Closes what the process was started with above standard input, output and error.
#[cfg(unix)]
fn close_descriptors() -> bool {
    let folder = if cfg!(any(target_os = "linux", target_os = "android")) { "/proc/self/fd" } else { "/dev/fd" };
    let number = |e: std::io::Result<std::fs::DirEntry>| e.ok()?.file_name().to_str()?.parse::<i32>().ok();
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let open: Vec<i32> = entries.filter_map(number).filter(|fd| *fd > 2).collect();
    // The folder's own descriptor is among them, and closed by now.
    for fd in open {
        let _ = nix::unistd::close(fd);
    }
    true
}

#[cfg(not(unix))]
fn close_descriptors() -> bool {
    // Nothing is inherited there that is not said to be.
    cfg!(windows)
}

/// No privileges by executing; an end with the host's.
#[cfg(target_os = "linux")]
fn processes() -> (bool, bool) {
    use rustix::process::{Signal, set_parent_process_death_signal};
    let no_new_privs = rustix::thread::set_no_new_privs(true).is_ok();
    // A host that has ended already has closed standard input.
    (no_new_privs, set_parent_process_death_signal(Some(Signal::KILL)).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn processes() -> (bool, bool) {
    (false, false)
}

/// No files, no TCP ports, no signals to others: what this kernel's Landlock knows of that.
#[cfg(target_os = "linux")]
fn landlock() -> bool {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope};
    let restrict = || -> Result<RulesetStatus, RulesetError> {
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V6))?
            .handle_access(AccessNet::from_all(ABI::V6))?
            .scope(Scope::from_all(ABI::V6))?;
        // No rule allows anything.
        Ok(rules.create()?.restrict_self()?.ruleset)
    };
    restrict().is_ok_and(|status| status != RulesetStatus::NotEnforced)
}

#[cfg(not(target_os = "linux"))]
fn landlock() -> bool {
    false
}

/// Refuses all system calls but those that reading, computing and writing need, with `EPERM`: libraries that can do
/// without one go on.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
fn seccomp() -> bool {
    system_calls::refuse().is_ok()
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
fn seccomp() -> bool {
    false
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod system_calls {
    use seccompiler::{
        BpfProgram, Error, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition,
        SeccompFilter, SeccompRule, apply_filter_all_threads,
    };
    use std::collections::BTreeMap;

    /// Allowed with any arguments.
    const ANY: &[i64] = &[
        // Standard streams: nothing else is open.
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_fstat,
        libc::SYS_lseek,
        // Memory.
        libc::SYS_brk,
        libc::SYS_madvise,
        libc::SYS_mremap,
        libc::SYS_munmap,
        // Time and chance.
        libc::SYS_clock_getres,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_getrandom,
        libc::SYS_getrusage,
        libc::SYS_gettimeofday,
        libc::SYS_nanosleep,
        // The process and its threads themselves.
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_restart_syscall,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_sigaltstack,
    ];

    pub(super) fn refuse() -> Result<(), Error> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ANY.iter().map(|call| (*call, Vec::new())).collect();
        let mut only = |call: i64, argument: u8, is: Is, value: u64| -> Result<(), Error> {
            let condition = SeccompCondition::new(argument, Length::Dword, is, value)?;
            rules.insert(call, vec![SeccompRule::new(vec![condition])?]);
            Ok(())
        };
        // Memory that is code comes from nowhere.
        let execute = u64::from(libc::PROT_EXEC.unsigned_abs());
        only(libc::SYS_mmap, 2, Is::MaskedEq(execute), 0)?;
        only(libc::SYS_mprotect, 2, Is::MaskedEq(execute), 0)?;
        // Limits and signals (an abort) of its own alone.
        only(libc::SYS_prlimit64, 0, Is::Eq, 0)?;
        only(libc::SYS_tgkill, 0, Is::Eq, u64::from(std::process::id()))?;
        // Whether a descriptor is open, which debug builds ask.
        only(libc::SYS_fcntl, 1, Is::Eq, u64::from(libc::F_GETFD.unsigned_abs()))?;
        let arch = std::env::consts::ARCH.try_into()?;
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let filter: BpfProgram = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)?.try_into()?;
        apply_filter_all_threads(&filter)
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::fs::File;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    const WHICH: &str = "PTC_TEST_RESTRICT";

    /// What a process that has restricted itself tries, and what the system says to that: a name and an error a line.
    #[test]
    fn in_a_process_of_its_own() {
        let Ok(which) = std::env::var(WHICH) else { return };
        let reported = UdpSocket::bind("127.0.0.1:0").unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = port.local_addr().unwrap();
        let host = rustix::process::getppid().unwrap();
        let holds = match which.as_str() {
            "landlock" => landlock(),
            "seccomp" => seccomp(),
            _ => {
                drop((reported, port));
                let holds = restrict_process();
                println!("\nholds {holds}");
                holds.missing().is_empty()
            }
        };
        println!("\nrestricted {holds}");
        fn tell<T>(what: &str, done: std::io::Result<T>) {
            println!("{what} {}", done.map_or_else(|e| format!("{:?}", e.raw_os_error()), |_| "done".to_owned()));
        }
        tell("read", File::open("/etc/passwd"));
        tell("write", File::create("/tmp/ptc-restrict-test"));
        tell("list", std::fs::read_dir("/"));
        tell("remove", std::fs::remove_file("/tmp/ptc-restrict-none"));
        tell("connect", TcpStream::connect(address));
        tell("listen", TcpListener::bind("127.0.0.1:0"));
        tell("udp", UdpSocket::bind("127.0.0.1:0"));
        tell("unix", UnixStream::connect("/tmp/ptc-restrict-none"));
        tell("unix listen", UnixListener::bind("/tmp/ptc-restrict-none"));
        tell("start", Command::new("/bin/true").status());
        tell("thread", std::thread::Builder::new().spawn(|| ()));
        tell("signal", rustix::process::test_kill_process(host).map_err(Into::into));
        tell("execute", Err::<(), _>(Command::new("/bin/true").exec()));
    }

    /// The lines that the test above prints, its process started through a shell that leaves descriptor 7 open.
    fn tried(which: &str) -> Vec<String> {
        let mut command = Command::new("/bin/sh");
        let test = "worker::restrict::tests::in_a_process_of_its_own";
        command.args(["-c", "exec 7</etc/passwd; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(WHICH, which);
        let out = command.output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(text.contains("restricted true"), "{text} {}", String::from_utf8_lossy(&out.stderr));
        text.lines().map(str::to_owned).collect()
    }

    fn said<'a>(lines: &'a [String], what: &str) -> &'a str {
        let found = lines.iter().find_map(|l| l.strip_prefix(what)?.strip_prefix(' '));
        found.unwrap_or_else(|| panic!("{what}: {lines:?}"))
    }

    #[test]
    fn landlock_alone_refuses_files_programs_ports_and_signals() {
        let lines = tried("landlock");
        for what in ["read", "write", "list", "connect", "listen", "unix listen", "execute"] {
            assert_eq!(said(&lines, what), "Some(13)", "{what}: {lines:?}");
        }
        assert_eq!(said(&lines, "signal"), "Some(1)", "{lines:?}");
    }

    #[test]
    fn seccomp_alone_refuses_files_programs_sockets_and_threads() {
        let lines = tried("seccomp");
        for what in [
            "read",
            "write",
            "list",
            "remove",
            "connect",
            "listen",
            "udp",
            "unix",
            "unix listen",
            "start",
            "thread",
            "signal",
            "execute",
        ] {
            assert_eq!(said(&lines, what), "Some(1)", "{what}: {lines:?}");
        }
    }

    #[test]
    fn a_restricted_process_has_all_of_it() {
        let lines = tried("all");
        assert_eq!(said(&lines, "holds"), "all");
        for what in ["read", "write", "connect", "listen", "udp", "unix", "start", "thread", "signal", "execute"] {
            assert_eq!(said(&lines, what), "Some(1)", "{what}: {lines:?}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let none = Restrictions::default();
        assert_eq!(
            none.to_string(),
            "without closed descriptors, no_new_privs, a signal when the host ends, Landlock, seccomp"
        );
        assert_eq!(Restrictions { landlock: true, ..none }.missing().len(), 4);
    }
}
