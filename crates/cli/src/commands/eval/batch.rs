//! `ptc eval --batch`: a line of JSON in, a line of JSON out, each line a session of its own.

use super::session::{Answer, EvalSession};
use crate::args::EvalArgs;
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use ptc_lisp::error::ErrorKind;
use ptc_turns::Json;
use serde::Deserialize;
use std::io::BufRead;

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    id: Option<Json>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    turns: Option<Vec<String>>,
}

const FORM: &str = r#"write {"id":1,"source":"..."} or {"id":1,"turns":["...","..."]}"#;

/// Answers all lines of the files, or of standard input.
pub fn batch(a: &EvalArgs, session: EvalSession, io: &mut Io<'_>) -> Result<i32, CliError> {
    if a.files.is_empty() || a.files.iter().any(|f| f.as_os_str() == "-") {
        answer_all(&mut *io.stdin, &session, io.out)?;
        return Ok(DONE);
    }
    for f in &a.files {
        let bytes = ptc_agent::files::read_bytes(f)?;
        answer_all(&mut bytes.as_slice(), &session, io.out)?;
    }
    Ok(DONE)
}

fn answer_all(lines: &mut dyn BufRead, session: &EvalSession, out: &mut dyn std::io::Write) -> Result<(), CliError> {
    let mut line = Vec::new();
    loop {
        if ptc_agent::files::read_line(lines, &mut line, "the batch")? == 0 {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", answer(&line, session))?;
        out.flush()?;
    }
}

fn answer(line: &[u8], session: &EvalSession) -> String {
    let asked: Asked = match serde_json::from_slice(line) {
        Ok(a) => a,
        Err(e) => {
            return with_id(
                "null",
                &Answer::refused(ErrorKind::Parse, &format!("no line of a batch: {e}; {FORM}")).json(),
            );
        }
    };
    let id = asked.id.as_ref().map_or("null", Json::text);
    let mut session = session.fork();
    match (asked.source, asked.turns) {
        (Some(source), None) => with_id(id, &session.run(&source).json()),
        (None, Some(turns)) => {
            let answers: Vec<String> = turns.iter().map(|t| session.run(t).json()).collect();
            format!("{{\"id\":{id},\"turns\":[{}]}}", answers.join(","))
        }
        _ => with_id(
            id,
            &Answer::refused(ErrorKind::Parse, &format!("no line of a batch: give source or turns; {FORM}")).json(),
        ),
    }
}

/// The same object with `id` in front.
fn with_id(id: &str, object: &str) -> String {
    format!("{{\"id\":{id},{}", object.strip_prefix('{').unwrap_or(object))
}
