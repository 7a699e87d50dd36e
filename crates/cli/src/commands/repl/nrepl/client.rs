//! A client of the nREPL server.

use super::bencode::{Bencode, Dict};
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A client.
pub struct Client {
    stream: Mutex<TcpStream>,
    closed: AtomicBool,
}

impl Client {
    /// Who is at the other end of this stream.
    pub fn new(stream: TcpStream) -> Self {
        Client { stream: Mutex::new(stream), closed: AtomicBool::new(false) }
    }

    /// Sends a message. A client that is gone, or does not read, is closed.
    pub fn send(&self, message: Dict) {
        let mut bytes = Vec::new();
        Bencode::Dict(message).write(&mut bytes);
        let sent = held(&self.stream).write_all(&bytes);
        if sent.is_err() {
            self.close();
        }
    }

    /// Ends the connection.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        let _ = held(&self.stream).shutdown(std::net::Shutdown::Both);
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// What a lock holds, also behind a panic: it is whole at every step.
pub fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
