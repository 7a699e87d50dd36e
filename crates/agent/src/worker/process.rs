//! A child process whose pipes never block the host: one thread reads, one writes, one keeps the end of standard error.

use super::protocol::next;
use crate::process_group::Group;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Bytes kept of what it writes to standard error.
const LAST_WORDS: usize = 4096;
/// Time for a worker that has closed its output to be gone.
const DYING: Duration = Duration::from_secs(1);

/// A command to start, and whom to hand the child.
type Job = (Command, SyncSender<io::Result<Child>>);

/// Starts a process from a thread that lasts as long as the host: where the system ends a worker with whoever started
/// it, that is the thread, and sessions go from thread to thread.
fn spawn(command: Command) -> io::Result<Child> {
    static STARTER: LazyLock<Option<Sender<Job>>> = LazyLock::new(|| {
        let (jobs, to_start) = channel::<Job>();
        let start = move || {
            for (mut command, started) in to_start {
                let _ = started.send(command.spawn());
            }
        };
        std::thread::Builder::new().name("ptc-workers".to_owned()).spawn(start).ok().map(|_| jobs)
    });
    let gone = || io::Error::other("there is no thread to start it from");
    let (answer, started) = sync_channel(1);
    STARTER.as_ref().ok_or_else(gone)?.send((command, answer)).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}

/// A worker process.
pub(super) struct Process {
    child: Child,
    group: Group,
    lines: Receiver<io::Result<Option<Vec<u8>>>>,
    /// Dropped, it closes the worker's standard input.
    input: Option<Sender<Vec<u8>>>,
    errors: Receiver<String>,
    /// Most bytes of a line that it may write.
    most: Arc<AtomicU64>,
}

impl Process {
    /// Starts it with nothing of our surroundings: no environment, no folder, no open files but three pipes.
    pub(super) fn start(command: &Command, most: u64) -> io::Result<Self> {
        let mut own = Command::new(command.get_program());
        own.args(command.get_args()).env_clear();
        own.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            // Out of the terminal's reach: Ctrl-C there is for us, and we end it.
            own.current_dir("/").process_group(0);
        }
        // Sockets and random numbers need it there.
        #[cfg(windows)]
        own.envs(std::env::var_os("SystemRoot").map(|v| ("SystemRoot", v)));
        let mut child = spawn(own)?;
        let group = Group::of(child.id());
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("it has no pipes"));
        };
        // One line waits at most: who floods waits for us.
        let (said, lines): (SyncSender<_>, _) = sync_channel(1);
        let most = Arc::new(AtomicU64::new(most));
        let allowed = most.clone();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                // What is allowed is asked when something is there, since it may be raised before.
                let line = match stdout.fill_buf() {
                    Ok(_) => next(&mut stdout, allowed.load(Ordering::Acquire)),
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                    Err(e) => Err(e),
                };
                let last = !matches!(line, Ok(Some(_)));
                if said.send(line).is_err() || last {
                    return;
                }
            }
        });
        let (input, to_write): (Sender<Vec<u8>>, _) = channel();
        std::thread::spawn(move || {
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (words, errors) = sync_channel(1);
        std::thread::spawn(move || words.send(last_words(stderr)));
        Ok(Process { child, group, lines, input: Some(input), errors, most })
    }

    /// Lets it write lines of so many bytes from here on.
    pub(super) fn allow(&self, most: u64) {
        self.most.store(most, Ordering::Release);
    }

    /// Whether it is there still.
    pub(super) fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Hands over a line; whether anybody reads it shows in the answer.
    pub(super) fn send(&self, line: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// The next line, if one comes in time; `Ok(None)` when the process has closed its end.
    pub(super) fn receive(&self, wait: Duration) -> Option<io::Result<Option<Vec<u8>>>> {
        match self.lines.recv_timeout(wait) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Ok(None)),
        }
    }

    /// Its number, while it runs.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it and waits until it is gone: how it ended, and its last words. One that is dying has a moment to do so.
    pub(super) fn end(mut self, dying: bool) -> (Option<ExitStatus>, String) {
        self.input = None;
        let since = Instant::now();
        while dying && matches!(self.child.try_wait(), Ok(None)) && since.elapsed() < DYING {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        self.group.forget();
        let status = self.child.wait().ok();
        // Whoever else holds its standard error open does not hold us.
        (status, self.errors.recv_timeout(DYING).unwrap_or_default())
    }
}

impl Drop for Process {
    /// No process is left behind, nor its entry in the system's table.
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        self.group.forget();
        let _ = self.child.wait();
    }
}

/// Reads to the end, so that nobody waits for us, and keeps what came last.
fn last_words(mut from: impl Read) -> String {
    let (mut kept, mut piece) = (Vec::new(), [0u8; 1024]);
    while let Ok(n @ 1..) = from.read(&mut piece) {
        kept.extend_from_slice(piece.get(..n).unwrap_or_default());
        let over = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..over);
    }
    String::from_utf8_lossy(&kept).into_owned()
}
