//! A session inside a handler: it runs on a thread of its own and hands over line by line, and each line is an entry of the
//! invocation.

use crate::state::{self, Awaited, Part};
use ptc_agent::journal_store::JournalWriter;
use ptc_agent::{Cancel, Error, ErrorKind, error_text};
use restate_sdk::prelude::*;
use std::sync::Arc;
use std::sync::mpsc;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The longest line: a message of Restate has 32 MiB at most.
const MAX_LINE: usize = 31 << 20;

/// What the session's thread says: a line to be kept, or how it ended.
enum Said {
    Line(String),
    Ended(HandlerResult<String>),
}

/// Runs a session in a handler of a virtual object: `drive` gets the journal of the session whose name is the object's key, and
/// what is raised when the invocation ends here without it; what it returns is what the handler returns.
///
/// `drive` runs on a thread of its own and may block. It is not called where the whole invocation is only replayed. After a
/// crash, Restate calls the handler again, here or on another machine, and `drive` gets all lines that were acknowledged. An
/// error that is not [terminal](TerminalError) has Restate try again, later; so does a panic.
///
/// # Errors
/// What `drive` returns, and when Restate cannot give or keep its state.
pub fn with_journal<'a, 'ctx: 'a, F>(ctx: &'a ObjectContext<'ctx>, drive: F) -> Awaited<'a, HandlerResult<String>>
where
    F: FnOnce(Box<dyn JournalWriter>, Cancel) -> HandlerResult<String> + Send + 'static,
{
    Box::pin(async move {
        let mut kept = state::read(|key| Box::pin(ctx.get::<Vec<u8>>(key)) as Awaited<'ctx, Part>).await?;
        let lines = std::mem::take(&mut kept.lines);
        let session = Arc::new(Mutex::new(Session { lines, drive: Some(drive), running: None }));
        let ended = entries(ctx, &session).await;
        kept.lines = std::mem::take(&mut session.lock().await.lines);
        kept.write(ctx);
        ended.map_err(HandlerError::from)
    })
}

/// Adds lines, each an entry, until the session has ended. What was kept in an earlier attempt comes back without the session
/// having run; the first entry that is new has it begin, with all lines before.
async fn entries<'ctx, F>(ctx: &ObjectContext<'ctx>, session: &Arc<Mutex<Session<F>>>) -> Result<String, TerminalError>
where
    F: FnOnce(Box<dyn JournalWriter>, Cancel) -> HandlerResult<String> + Send + 'static,
{
    loop {
        let now = session.clone();
        let entry = ctx.run(move || async move { now.lock().await.next().await }).name("line");
        let entry = (Box::pin(entry) as Awaited<'ctx, Result<Vec<u8>, TerminalError>>).await?;
        match entry.split_first() {
            // From here on Restate has it.
            Some((b'L', line)) => session.lock().await.add(String::from_utf8_lossy(line).into_owned()),
            other => return Ok(String::from_utf8_lossy(other.map_or(&[], |(_, text)| text)).into_owned()),
        }
    }
}

/// The session, once it runs.
struct Session<F> {
    /// All that Restate has.
    lines: Vec<String>,
    drive: Option<F>,
    running: Option<Running>,
}

struct Running {
    said: UnboundedReceiver<Said>,
    acknowledge: mpsc::Sender<()>,
    cancel: Cancel,
}

/// The attempt has ended here, with the session or without it: then nothing more of it is wanted.
impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl<F> Session<F>
where
    F: FnOnce(Box<dyn JournalWriter>, Cancel) -> HandlerResult<String> + Send + 'static,
{
    fn add(&mut self, line: String) {
        self.lines.push(line);
        if let Some(running) = &self.running {
            // Where its thread has ended meanwhile, there is nobody to tell.
            let _ = running.acknowledge.send(());
        }
    }

    /// The next entry: `L` and a line, or `E` and what the handler returns.
    async fn next(&mut self) -> HandlerResult<Vec<u8>> {
        if let Some(drive) = self.drive.take() {
            self.running = Some(begin(drive, self.lines.clone())?);
        }
        let Some(running) = &mut self.running else { return Err("the session could not begin".into()) };
        match running.said.recv().await {
            Some(Said::Line(line)) => Ok([b"L", line.as_bytes()].concat()),
            Some(Said::Ended(ended)) => returned(ended?),
            None => Err("the session's thread has panicked".into()),
        }
    }
}

/// The entry of what the handler returns. To try again would give the same.
fn returned(text: String) -> HandlerResult<Vec<u8>> {
    if text.len() > MAX_LINE {
        let words = format!("what the session returns has {} bytes, more than Restate takes, {MAX_LINE}", text.len());
        return Err(TerminalError::new(words).into());
    }
    Ok([b"E", text.as_bytes()].concat())
}

fn begin<F>(drive: F, lines: Vec<String>) -> HandlerResult<Running>
where
    F: FnOnce(Box<dyn JournalWriter>, Cancel) -> HandlerResult<String> + Send + 'static,
{
    let ((say, said), (acknowledge, acknowledged)) = (unbounded_channel(), mpsc::channel());
    let cancel = Cancel::default();
    let (writer, raised) = (Writer { lines, say: say.clone(), acknowledged, failed: false }, cancel.clone());
    std::thread::Builder::new().name("ptc-session".to_owned()).spawn(move || {
        let ended = drive(Box::new(writer), raised);
        // Where the attempt has ended meanwhile, there is nobody to tell.
        let _ = say.send(Said::Ended(ended));
    })?;
    Ok(Running { said, acknowledge, cancel })
}

/// The writer of the session: a line is handed over, and acknowledged when Restate has it.
#[derive(Debug)]
struct Writer {
    lines: Vec<String>,
    say: UnboundedSender<Said>,
    acknowledged: mpsc::Receiver<()>,
    /// A line was not acknowledged: none comes after it.
    failed: bool,
}

impl std::fmt::Debug for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Said")
    }
}

impl JournalWriter for Writer {
    fn lines(&mut self) -> Result<Vec<String>, Error> {
        Ok(self.lines.clone())
    }

    fn append(&mut self, line: &str) -> Result<(), Error> {
        if line.len() > MAX_LINE {
            let words = error_text!("a line of {} bytes is longer than what Restate takes, {MAX_LINE}", line.len(); "let programs print and return less");
            self.failed = true;
            return Err(Error::new(ErrorKind::Trace, words));
        }
        let handed_over = !self.failed && self.say.send(Said::Line(line.to_owned())).is_ok();
        if handed_over && self.acknowledged.recv().is_ok() {
            self.lines.push(line.to_owned());
            return Ok(());
        }
        self.failed = true;
        Err(Error::new(ErrorKind::Trace, "Restate has ended this attempt; it goes on where Restate calls it next"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_too_long_for_restate_is_refused_in_words() {
        assert_eq!(returned("7".to_owned()).unwrap(), b"E7");
        let refused = returned("x".repeat(MAX_LINE + 1)).unwrap_err();
        assert!(format!("{refused:?}").contains("more than Restate takes"), "{refused:?}");
        let ((say, _said), (_, acknowledged)) = (unbounded_channel(), mpsc::channel());
        let mut writer = Writer { lines: Vec::new(), say, acknowledged, failed: false };
        let refused = writer.append(&"x".repeat(MAX_LINE + 1)).unwrap_err();
        assert!(refused.message().contains("longer than what Restate takes") && refused.hint().is_some(), "{refused}");
    }
}
