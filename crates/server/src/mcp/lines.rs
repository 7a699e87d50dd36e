//! Messages a line each, as standard input and output carry them. A line that is no message is answered with an error.

use super::message::{BATCH_VERSION, BrokenMessage, Incoming, read};
use rmcp::RoleServer;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// Most bytes of a message.
const LINE_BYTES: usize = 16 << 20;

/// Where lines are written, until it is closed.
type Writer<W> = Arc<Mutex<Option<W>>>;

/// Lines from a client and to it.
pub(super) struct Lines<R, W> {
    from: BufReader<R>,
    to: Writer<W>,
    /// What is there of a line: reading is given up and goes on between any two pieces.
    line: Vec<u8>,
    /// Whether the line is longer than may be, so that the rest of it is dropped.
    too_long: bool,
    /// Messages of a batch that are next.
    batch: VecDeque<ClientJsonRpcMessage>,
    /// Whether the version that the client asked for has batches.
    batches: bool,
    /// Writes the answer to what is no message.
    answering: Option<JoinHandle<io::Result<()>>>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Send + Unpin + 'static> Lines<R, W> {
    pub(super) fn new(from: R, to: W) -> Self {
        Lines {
            from: BufReader::new(from),
            to: Arc::new(Mutex::new(Some(to))),
            line: Vec::new(),
            too_long: false,
            batch: VecDeque::new(),
            batches: false,
            answering: None,
        }
    }

    /// Reads to the end of a line; `false` when nothing is left.
    async fn next_line(&mut self) -> io::Result<bool> {
        loop {
            let piece = self.from.fill_buf().await?;
            if piece.is_empty() {
                return Ok(!self.line.is_empty() || self.too_long);
            }
            let end = piece.iter().position(|b| *b == b'\n');
            let taken = piece.get(..end.unwrap_or(piece.len())).unwrap_or_default();
            if self.too_long || self.line.len().saturating_add(taken.len()) > LINE_BYTES {
                self.too_long = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(taken);
            }
            let used = taken.len().saturating_add(usize::from(end.is_some()));
            self.from.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// What a line says; the answer to what is no message.
    fn take_line(&mut self) -> Vec<BrokenMessage> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            return vec![BrokenMessage::invalid(format!("a line of more than {LINE_BYTES} bytes; send less"))];
        }
        if line.trim_ascii().is_empty() {
            return Vec::new();
        }
        match read(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line), self.batches) {
            Ok(Incoming::One(one)) => {
                if let Some(version) = one.version {
                    self.batches = version == BATCH_VERSION;
                }
                self.batch.push_back(one.message);
                Vec::new()
            }
            Ok(Incoming::Batch(all)) => {
                let mut broken = Vec::new();
                for one in all {
                    match one {
                        Ok(one) => self.batch.push_back(one.message),
                        Err(b) => broken.push(b),
                    }
                }
                broken
            }
            Err(broken) => vec![broken],
        }
    }
}

async fn write_line<W: AsyncWrite + Unpin>(to: Writer<W>, line: Vec<u8>) -> io::Result<()> {
    let mut to = to.lock().await;
    let to = to.as_mut().ok_or(io::ErrorKind::NotConnected)?;
    to.write_all(&line).await?;
    to.flush().await
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let to = self.to.clone();
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            write_line(to, line).await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // Who sends nonsense takes the answers to it before more is read.
            if let Some(answering) = &mut self.answering {
                let done = answering.await;
                self.answering = None;
                done.ok()?.ok()?;
            }
            if let Some(next) = self.batch.pop_front() {
                return Some(next);
            }
            if !self.next_line().await.ok()? {
                return None;
            }
            let broken = self.take_line();
            if !broken.is_empty() {
                let answers: String = broken.iter().map(|b| format!("{}\n", b.answer())).collect();
                self.answering = Some(tokio::spawn(write_line(self.to.clone(), answers.into_bytes())));
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.to.lock().await.take());
        Ok(())
    }
}
