//! Standard input and output as streams of the runtime. Each has a thread of its own, since pipes, files and terminals are
//! read and written in different ways.

use crate::terminal::io::{CliError, Io};
use ptc_agent::{Error, ErrorKind};
use std::io::{self, Cursor, Read, Write};
use std::thread::JoinHandle;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::runtime::Handle;

/// Bytes that are on their way.
const BUFFER: usize = 64 << 10;

/// What the server reads and writes.
pub struct Streams {
    pub from: DuplexStream,
    pub to: DuplexStream,
}

/// What has been written.
pub struct Output {
    thread: JoinHandle<Vec<u8>>,
    /// It has gone to the process's own output already.
    written: bool,
}

impl Output {
    /// Waits until all is written.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(self, io: &mut Io<'_>) -> Result<(), CliError> {
        let bytes = self.thread.join().unwrap_or_default();
        if !self.written {
            io.out.write_all(&bytes)?;
        }
        Ok(())
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
    let (from, feed) = tokio::io::duplex(BUFFER);
    let (to, drain) = tokio::io::duplex(BUFFER);
    let (reading, writing) = (runtime.clone(), runtime.clone());
    std::thread::spawn(move || read_all(input, feed, &reading));
    let thread = std::thread::spawn(move || write_all(drain, own, &writing));
    Ok((Streams { from, to }, Output { thread, written: own }))
}

/// Standard input beside the one of the standard library, which `main` holds.
#[cfg(unix)]
fn own_input() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd as _;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn own_input() -> io::Result<std::fs::File> {
    use std::os::windows::io::AsHandle as _;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
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
fn write_all(mut drain: DuplexStream, own: bool, runtime: &Handle) -> Vec<u8> {
    let (mut all, mut buffer) = (Vec::new(), vec![0; BUFFER]);
    while let Ok(n @ 1..) = runtime.block_on(drain.read(&mut buffer)) {
        let piece = buffer.get(..n).unwrap_or_default();
        if !own {
            all.extend_from_slice(piece);
            continue;
        }
        let mut out = io::stdout().lock();
        // A client that reads no more is gone; its end of the input tells the same.
        if out.write_all(piece).and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    all
}
