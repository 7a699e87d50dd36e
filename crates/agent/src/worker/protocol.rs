//! The protocol of host and worker: one JSON value a line, none longer than a limit that both know.

use super::restrict::Restrictions;
use ptc_lisp::error::Error;
use ptc_lisp::limits::Limits;
use ptc_turns::{Act, Header, Json, TurnRecord};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read as _};

/// From the host.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum HostMessage<T = TurnRecord> {
    /// First of all: the session so far.
    Begin(Box<Begin<T>>),
    /// Run the next turn.
    Turn(Turn),
    /// What the tools said, in the order of the calls.
    Answers(Vec<Result<Json, Failure>>),
}

/// The error of a call.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Failure {
    /// Its words.
    pub words: String,
    /// What else is known of it.
    pub known: Option<Json>,
}

/// A session so far.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Begin<T = TurnRecord> {
    /// What holds for all turns.
    pub header: Header,
    /// Values of the inputs.
    pub inputs: Vec<(String, Json)>,
    /// The turns that have run.
    pub turns: Vec<T>,
    /// The acts that have begun.
    #[serde(default)]
    pub acts: Vec<Act>,
    /// Whether it goes on after `return` and `fail`.
    pub open_ended: bool,
}

/// A turn to run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Turn {
    /// A program, or the reply of a model.
    pub text: String,
    /// Which of them.
    pub reply: bool,
    /// Its start.
    pub now_ms: i64,
    /// Its seed.
    pub seed: u64,
    /// What its feedback says of limits.
    pub notice: Option<String>,
}

/// From the worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum WorkerMessage {
    /// First of all: what the worker has given up.
    Restricted(Restrictions),
    /// The session stands.
    Ready,
    /// The session cannot be made again from its trace.
    Refused(Error),
    /// Make these calls; they do not depend on each other.
    Calls(Vec<OneCall>),
    /// The turn has run.
    Ran(Box<TurnRecord>),
    /// Something in us broke; the worker ends.
    Broke(String),
}

/// A tool call.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OneCall {
    /// Its number in the session.
    pub id: u64,
    /// The tool.
    pub name: String,
    /// Its arguments, an object.
    pub args: Json,
}

/// Most bytes of a line: what a turn may print, answer and hold, each byte escaped as JSON at its worst, and room to spare.
pub(super) fn most(limits: &Limits) -> u64 {
    let text = limits.result_bytes.saturating_mul(2).saturating_add(limits.output_bytes);
    let text = text.saturating_add(limits.source_bytes.saturating_mul(4));
    limits.memory_bytes.saturating_mul(2).saturating_add(text.saturating_mul(6)).saturating_add(1 << 20)
}

/// A message as its line.
pub(super) fn line<T: Serialize>(message: &T) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(message)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The next line as text; `None` at the end.
///
/// # Errors
/// Of kind `InvalidData` when it is longer than `most`.
pub(super) fn next(from: &mut dyn BufRead, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = from.take(most.saturating_add(1)).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(line));
    }
    if read as u64 > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a line of more than {most} bytes")));
    }
    // What breaks off was never said.
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_whole() {
        let mut from: &[u8] = b"ab\n\nabcd\nab";
        assert_eq!(next(&mut from, 3).unwrap(), Some(b"ab".to_vec()));
        assert_eq!(next(&mut from, 3).unwrap(), Some(Vec::new()));
        assert_eq!(next(&mut from, 3).unwrap_err().kind(), io::ErrorKind::InvalidData);
        let mut torn: &[u8] = b"abc";
        assert_eq!(next(&mut torn, 3).unwrap(), None);
        assert_eq!(next(&mut torn, 3).unwrap(), None);
    }

    #[test]
    fn messages_come_back_with_numbers_and_order_of_keys() {
        let json = Json::new("{\"b\":12345678901234567890123,\"a\":1.10}".into()).unwrap();
        let text = line(&HostMessage::<TurnRecord>::Answers(vec![Ok(json)])).unwrap();
        let HostMessage::<TurnRecord>::Answers(back) = serde_json::from_slice(&text).unwrap() else { panic!() };
        let back = back[0].as_ref().unwrap();
        assert_eq!(back.text(), "{\"b\":12345678901234567890123,\"a\":1.10}");
        let mut record = TurnRecord::empty(1);
        record.seed = u64::MAX;
        let text = line(&WorkerMessage::Ran(Box::new(record.clone()))).unwrap();
        let WorkerMessage::Ran(back) = serde_json::from_slice(&text).unwrap() else { panic!() };
        assert_eq!(*back, record);
    }
}
