//! The editor at the other end: it is told what happens, answered, and asked for decisions.

use super::rpc::Fault;
use crate::terminal::output::own_output;
use ptc_agent::Cancel;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often it is asked whether a prompt was cancelled meanwhile.
const PULSE: Duration = Duration::from_millis(50);
/// How often it is looked whether an editor that does not read has taken something.
const SOON: Duration = Duration::from_millis(5);
/// How long an editor has, at the end, to take what it is still told.
const LAST: Duration = Duration::from_secs(5);
/// Lines that wait for an editor that does not read; then whoever has more to tell waits.
const WAITING: usize = 256;
/// Their bytes. A line that is longer waits alone.
const WAITING_BYTES: usize = 4 << 20;

/// The editor. Clones are the same one.
#[derive(Clone)]
pub struct Editor {
    inner: Arc<Inner>,
}

struct Inner {
    /// To the thread that writes; nothing is its end.
    lines: SyncSender<Option<Vec<u8>>>,
    /// Of the lines that are not written.
    bytes: Arc<AtomicUsize>,
    /// The input has ended, or a signal has come: nobody waits for an editor that does not read.
    gone: Cancel,
    asked: AtomicU64,
    waiting: Mutex<HashMap<u64, Sender<Option<Value>>>>,
}

/// What has been written.
pub struct Output {
    /// Told at the end: the bytes, where they are not for the process's own output.
    written: Receiver<Vec<u8>>,
}

impl Output {
    /// Waits until all is written, or the editor has taken nothing for too long; then the thread is left behind.
    pub fn end(self, editor: &Editor) -> Vec<u8> {
        editor.send(None);
        self.written.recv_timeout(LAST).unwrap_or_default()
    }
}

impl Editor {
    /// That at the process's own output, or one that what it is told is kept for. Once `gone` is raised nobody waits for it.
    ///
    /// # Errors
    /// When there is no such output.
    pub fn new(own: bool, gone: Cancel) -> io::Result<(Self, Output)> {
        let output = if own { Some(own_output()?) } else { None };
        Ok(Self::of(output, gone))
    }

    fn of<W: io::Write + Send + 'static>(mut output: Option<W>, gone: Cancel) -> (Self, Output) {
        let (lines, read) = sync_channel::<Option<Vec<u8>>>(WAITING);
        let (told, written) = channel();
        let bytes = Arc::new(AtomicUsize::new(0));
        let left = bytes.clone();
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            while let Ok(Some(line)) = read.recv() {
                match &mut output {
                    None => kept.extend_from_slice(&line),
                    // An editor that reads no more is gone: the end of its input tells the same.
                    Some(output) => drop(output.write_all(&line)),
                }
                left.fetch_sub(line.len(), Ordering::AcqRel);
            }
            let _ = told.send(kept);
        });
        let inner = Inner { lines, bytes, gone, asked: AtomicU64::new(0), waiting: Mutex::default() };
        (Editor { inner: Arc::new(inner) }, Output { written })
    }

    /// Answers a request.
    pub fn answer(&self, id: &Value, result: Result<Value, Fault>) {
        self.write(&match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(fault) => json!({ "jsonrpc": "2.0", "id": id, "error": fault.json() }),
        });
    }

    /// Tells what happened in a session.
    pub fn update(&self, session: &str, update: &Value) {
        let params = json!({ "sessionId": session, "update": update });
        self.write(&json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }));
    }

    /// Asks it, and waits for the answer; `None` when it refuses to answer, or the prompt was cancelled meanwhile.
    pub fn ask(&self, method: &str, params: &Value, cancel: &Cancel) -> Option<Value> {
        let (give, answer) = channel();
        let id = self.inner.asked.fetch_add(1, Ordering::Relaxed);
        lock(&self.inner.waiting).insert(id, give);
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let got = loop {
            match answer.recv_timeout(PULSE) {
                Ok(got) => break got,
                Err(RecvTimeoutError::Timeout) if !cancel.cancelled() => {}
                Err(_) => break None,
            }
        };
        lock(&self.inner.waiting).remove(&id);
        got
    }

    /// Hands an answer to whoever waits for it. One that nobody waits for is passed over.
    pub fn answered(&self, id: u64, result: Option<Value>) {
        if let Some(give) = lock(&self.inner.waiting).remove(&id) {
            let _ = give.send(result);
        }
    }

    fn write(&self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        self.send(Some(line.into_bytes()));
    }

    fn send(&self, mut line: Option<Vec<u8>>) {
        while let Err(back) = self.offer(line) {
            if self.inner.gone.cancelled() {
                return;
            }
            line = back;
            std::thread::sleep(SOON);
        }
    }

    /// Gives a line to the thread that writes; the line back where as much waits already as may.
    fn offer(&self, line: Option<Vec<u8>>) -> Result<(), Option<Vec<u8>>> {
        let (bytes, size) = (&self.inner.bytes, line.as_ref().map_or(0, Vec::len));
        let before = bytes.fetch_add(size, Ordering::AcqRel);
        let sent = if before > 0 && before.saturating_add(size) > WAITING_BYTES {
            Err(line)
        } else {
            match self.inner.lines.try_send(line) {
                Err(TrySendError::Full(line)) => Err(line),
                // Where the thread has ended, nobody is told any more.
                Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            }
        };
        if sent.is_err() {
            bytes.fetch_sub(size, Ordering::AcqRel);
        }
        sent
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// An output whose reader takes a piece for each word that is sent here.
    struct Slow(Receiver<()>);

    impl io::Write for Slow {
        fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(piece.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_waits_for_an_editor_that_does_not_read_is_bounded_in_bytes() {
        let (takes, reads) = channel();
        let (editor, output) = Editor::of(Some(Slow(reads)), Cancel::default());
        let long = || Some(vec![b'x'; WAITING_BYTES + 1]);
        editor.offer(long()).unwrap();
        assert_eq!(editor.offer(Some(vec![b'y'])).unwrap_err().unwrap(), b"y", "a longer one waits alone");
        takes.send(()).unwrap();
        editor.send(Some(vec![b'y'; 1 << 20]));
        let taken = (0..100).take_while(|_| editor.offer(Some(vec![b'z'; 1 << 20])).is_ok()).count();
        assert_eq!(taken, (WAITING_BYTES >> 20) - 1);
        drop(takes);
        assert!(output.end(&editor).is_empty());
        assert_eq!(editor.inner.bytes.load(Ordering::Acquire), 0);
    }
}
