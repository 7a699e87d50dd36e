//! Standard input and output as streams of the runtime. Each has a thread of its own, since pipes, files and terminals are
//! read and written in different ways.

use crate::terminal::io::{CliError, Io};
use crate::terminal::output::{self, own_output};
use crate::terminal::own_streams::own_input;
use ptc_agent::{Cancel, Error, ErrorKind};
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::runtime::Handle;

/// Bytes that are on their way.
const BUFFER: usize = 64 << 10;
/// Bytes that are written at a time: so much has to be taken for a client to count as one that reads.
const PIECE: usize = 4 << 10;
/// How long a client may take nothing, at the end, of what it is still told.
const LAST: Duration = Duration::from_secs(1);
/// The same once a signal has come.
const LAST_AFTER_SIGNAL: Duration = Duration::from_millis(250);
/// How often it is asked whether one has.
const PULSE: Duration = Duration::from_millis(50);

/// What the server reads and writes.
pub struct Streams {
    pub from: DuplexStream,
    pub to: DuplexStream,
}

/// What has been written.
pub struct Output {
    /// Told at the end: the bytes, where they have not gone to the process's own output already.
    written: Receiver<Vec<u8>>,
    /// How often some of it has been taken.
    taken: Arc<AtomicU64>,
}

impl Output {
    /// Waits until all is written, or the client has taken nothing of it for too long.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(self, io: &mut Io<'_>, signal: &Cancel) -> Result<(), CliError> {
        let (mut waited, mut before) = (Duration::ZERO, 0);
        let bytes = loop {
            let taken = self.taken.load(Ordering::Relaxed);
            if taken != before && !signal.cancelled() {
                (waited, before) = (Duration::ZERO, taken);
            }
            match self.written.recv_timeout(PULSE) {
                Ok(bytes) => break bytes,
                // A thread that writes to somebody who does not read is left behind.
                Err(_) if waited >= LAST || (signal.cancelled() && waited >= LAST_AFTER_SIGNAL) => break Vec::new(),
                Err(_) => waited = waited.saturating_add(PULSE),
            }
        };
        Ok(io.out.write_all(&bytes)?)
    }
}

/// The process's own streams; those that are given to a command that is run inside another process are read to their end
/// first.
///
/// # Errors
/// When they cannot be had.
pub fn open(io: &mut Io<'_>, runtime: &Handle) -> Result<(Streams, Output), Error> {
    let own = io.context.own_process;
    let input: Box<dyn Read + Send> = if own {
        Box::new(own_input().map_err(|e| Error::new(ErrorKind::Runtime, format!("standard input: {e}")))?)
    } else {
        Box::new(Cursor::new(io.read_stdin()?.into_bytes()))
    };
    let output = match own {
        true => Some(own_output().map_err(|e| Error::new(ErrorKind::Runtime, format!("standard output: {e}")))?),
        false => None,
    };
    let (from, feed) = tokio::io::duplex(BUFFER);
    let (to, drain) = tokio::io::duplex(BUFFER);
    let (reading, writing) = (runtime.clone(), runtime.clone());
    std::thread::spawn(move || read_all(input, feed, &reading));
    let (told, written) = mpsc::channel();
    let taken = Arc::new(AtomicU64::new(0));
    let counted = taken.clone();
    std::thread::spawn(move || {
        let _ = told.send(write_all(drain, output, &counted, &writing));
    });
    Ok((Streams { from, to }, Output { written, taken }))
}

/// Hands over what is read until its end, or until nobody takes it.
fn read_all(mut input: Box<dyn Read + Send>, mut feed: DuplexStream, runtime: &Handle) {
    let mut buffer = vec![0; BUFFER];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(n) => {
                let piece = buffer.get(..n).unwrap_or_default();
                if runtime.block_on(feed.write_all(piece)).is_err() {
                    return;
                }
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Writes what the server says until its end; the bytes themselves where they are not for the process's own output.
fn write_all(
    mut drain: DuplexStream,
    mut own: Option<output::Output<File>>,
    taken: &AtomicU64,
    runtime: &Handle,
) -> Vec<u8> {
    let (mut all, mut buffer) = (Vec::new(), vec![0; BUFFER]);
    while let Ok(n @ 1..) = runtime.block_on(drain.read(&mut buffer)) {
        let piece = buffer.get(..n).unwrap_or_default();
        match &mut own {
            None => all.extend_from_slice(piece),
            // A client that reads no more is gone; its end of the input tells the same.
            Some(out) => {
                for part in piece.chunks(PIECE) {
                    if out.write_all(part).is_err() {
                        return all;
                    }
                    taken.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
    all
}
