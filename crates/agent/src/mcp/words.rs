//! What a server process writes, on its way to us: lines that are bounded, and the last words of both its outputs.

use crate::command_tool::{cut_head, last_lines};
use crate::secrets::Secrets;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt as _, ReadBuf};

/// Characters shown of a line that is no message.
const SHOWN: usize = 80;

/// What is known of what a server wrote.
#[derive(Clone, Default)]
pub struct Words(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    errors: Vec<u8>,
    odd: Option<String>,
    flood: bool,
}

impl Words {
    /// What explains that it did not answer, without secrets; empty when nothing does.
    pub fn explain(&self, secrets: &Secrets) -> String {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = Vec::new();
        if known.flood {
            out.push(format!("it wrote a message of more than {} bytes", super::MOST));
        }
        // Told once: the next silence may have another reason.
        if let Some(odd) = known.odd.take() {
            let start: String = secrets.hide(odd).trim().chars().take(SHOWN).collect();
            out.push(format!("it wrote a line that is no message: {}", ptc_lisp::visible::quoted(&start)));
        }
        let errors = last_lines(&String::from_utf8_lossy(&known.errors));
        if !errors.is_empty() {
            out.push(format!("it said: {}", secrets.hide(errors)));
        }
        out.join("; ")
    }

    /// Reads standard error to its end.
    pub async fn listen(self, mut from: impl AsyncRead + Unpin) {
        let mut piece = [0u8; 4096];
        while let Ok(n @ 1..) = from.read(&mut piece).await {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.errors.extend_from_slice(piece.get(..n).unwrap_or_default());
            cut_head(&mut known.errors);
        }
    }
}

/// Standard output of a server: no line longer than [`MOST`](super::MOST), and lines that are no messages are noted.
pub struct Lines<R> {
    from: R,
    line: Vec<u8>,
    words: Words,
}

impl<R> Lines<R> {
    /// Watches what comes from `from`.
    pub fn new(from: R, words: Words) -> Self {
        Lines { from, line: Vec::new(), words }
    }

    fn note(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.split_inclusive(|b| *b == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                let blank = line.iter().all(u8::is_ascii_whitespace);
                if !blank && serde_json::from_slice::<serde::de::IgnoredAny>(&line).is_err() {
                    let odd = Some(String::from_utf8_lossy(&line).into_owned());
                    self.words.0.lock().unwrap_or_else(PoisonError::into_inner).odd = odd;
                }
            }
        }
        if self.line.len() > super::MOST {
            self.line = Vec::new();
            self.words.0.lock().unwrap_or_else(PoisonError::into_inner).flood = true;
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a message that is too long"));
        }
        Ok(())
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.from).poll_read(cx, buf))?;
        let new = buf.filled().get(before..).unwrap_or_default();
        Poll::Ready(self.note(new))
    }
}
