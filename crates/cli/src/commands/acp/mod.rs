//! `ptc acp`: an agent of the Agent Client Protocol, which editors speak over standard input and output
//! (agentclientprotocol.com, version 1).

mod editor;
mod params;
mod permission;
mod progress;
mod prompt;
mod replay;
mod rpc;
mod sessions;
mod source;
mod update;

use crate::args::AcpArgs;
use crate::exit_code::DONE;
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use crate::terminal::own_streams::own_input;
use editor::Editor;
use ptc_agent::{Cancel, Error, ErrorKind};
use rpc::{Fault, Line, MOST_BYTES, Message, next_line, parse};
use serde_json::{Value, json};
use sessions::Sessions;
use source::Source;
use std::io::{BufRead, BufReader, Cursor};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The version of the protocol that is spoken.
const VERSION: u64 = 1;
/// How often it is asked whether a signal has come.
const PULSE: Duration = Duration::from_millis(50);
/// Lines that wait to be looked at: each may be long.
const WAITING: usize = 1;

/// Runs the command.
pub fn acp(a: &AcpArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let source = Source::new(a, io)?;
    let own = io.context.own_process;
    let broken = |e: std::io::Error| Error::new(ErrorKind::Runtime, format!("standard input and output: {e}"));
    let input: Box<dyn BufRead + Send> = if own {
        Box::new(BufReader::with_capacity(64 << 10, own_input().map_err(broken)?))
    } else {
        Box::new(Cursor::new(io.read_stdin()?.into_bytes()))
    };
    let cancel = Cancel::default();
    let signalled = cancel.clone();
    let gone = Cancel::within(move || signalled.cancelled());
    let (editor, output) = Editor::new(own, gone.clone()).map_err(broken)?;
    let sessions = Sessions::new(source, editor.clone());
    let _guard = interrupt::watch(&cancel);
    let lines = read(input);
    serve(&lines, &editor, &sessions, &cancel);
    gone.cancel();
    sessions.stop();
    io.out.write_all(&output.end(&editor))?;
    Ok(if cancel.cancelled() { interrupt::code() } else { DONE })
}

/// The lines of the input, read on a thread of its own: a signal has to be noticed while none comes.
fn read(mut input: Box<dyn BufRead + Send>) -> Receiver<Line> {
    let (give, lines) = sync_channel(WAITING);
    std::thread::spawn(move || {
        while let Ok(Some(line)) = next_line(&mut *input, MOST_BYTES) {
            if give.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Does what is asked for until the input ends or a signal comes.
fn serve(lines: &Receiver<Line>, editor: &Editor, sessions: &Sessions, cancel: &Cancel) {
    while !cancel.cancelled() {
        let message = match lines.recv_timeout(PULSE) {
            Ok(Line::Whole(line)) => parse(&line),
            Ok(Line::TooLong) => {
                let fault = Fault::refused(format!("the line has more than {MOST_BYTES} bytes"));
                Message::Bad { id: Value::Null, fault }
            }
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        match message {
            Message::Request { id, method, params } => {
                if let Some(result) = request(&id, &method, &params, sessions) {
                    editor.answer(&id, result);
                }
            }
            // Others ask for nothing that is known here.
            Message::Notification { method, params } if method == "session/cancel" => sessions.cancel(&params),
            Message::Notification { .. } => {}
            Message::Answer { id, result } => editor.answered(id, result),
            Message::Bad { id, fault } => editor.answer(&id, Err(fault)),
        }
    }
}

/// The answer to a request; `None` of one that is answered later.
fn request(id: &Value, method: &str, params: &Value, sessions: &Sessions) -> Option<Result<Value, Fault>> {
    Some(match method {
        "initialize" => Ok(capabilities()),
        "session/new" => sessions.begin(params),
        "session/load" => sessions.load(params, true),
        "session/resume" => sessions.load(params, false),
        "session/list" => sessions.list(params),
        "session/close" => sessions.close(params),
        "session/prompt" => match sessions.prompt(id, params) {
            Ok(()) => return None,
            Err(fault) => Err(fault),
        },
        other => Err(Fault::no_method(other)),
    })
}

/// What can be asked for here.
fn capabilities() -> Value {
    json!({
        "protocolVersion": VERSION,
        "agentCapabilities": {
            "loadSession": true,
            "promptCapabilities": { "image": false, "audio": false, "embeddedContext": true },
            "mcpCapabilities": { "http": true, "sse": false },
            "sessionCapabilities": { "list": {}, "resume": {}, "close": {} },
        },
        "agentInfo": { "name": "ptc", "title": "PTC", "version": env!("CARGO_PKG_VERSION") },
        "authMethods": [],
    })
}
