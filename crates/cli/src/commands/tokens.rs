//! `ptc tokens`: how many input tokens a request has, before it is sent.

use crate::args::TokensArgs;
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io};
use ptc_history::tokens::{BodyError, Request};
use serde_json::Value;
use std::io::{BufRead, Write};

const FORM: &str = r#"write {"provider":"openai","model":"gpt-4o","messages":[{"role":"user","content":"..."}],"tools":[],"schema":null}"#;

/// Runs the command.
pub fn tokens(a: &TokensArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let file = a.file.as_ref().filter(|f| f.as_os_str() != "-");
    let bytes = file.map(|f| ptc_agent::files::read_bytes(f)).transpose()?;
    let mut from_file = bytes.as_deref();
    let input: &mut dyn BufRead = match &mut from_file {
        Some(bytes) => bytes,
        None => &mut *io.stdin,
    };
    if a.batch {
        return answer_all(input, io.out);
    }
    let whole = ptc_agent::files::read_stdin(&mut *input)?;
    let (line, good) = answer(&whole);
    writeln!(io.out, "{line}")?;
    Ok(if good { DONE } else { FAILED })
}

fn answer_all(lines: &mut dyn BufRead, out: &mut dyn Write) -> Result<i32, CliError> {
    let mut line = Vec::new();
    let mut code = DONE;
    loop {
        if ptc_agent::files::read_line(lines, &mut line, "the batch")? == 0 {
            return Ok(code);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let (answer, good) = answer(&line);
        if !good {
            code = FAILED;
        }
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
}

/// A line of JSON, and whether it is a count.
fn answer(request: &[u8]) -> (String, bool) {
    match read(request) {
        Ok(request) => (serde_json::json!(request.count()).to_string(), true),
        Err(words) => (serde_json::json!({ "error": words }).to_string(), false),
    }
}

/// A request in our own form, or a provider's body.
fn read(request: &[u8]) -> Result<Request, String> {
    let value: Value = serde_json::from_slice(request).map_err(|e| format!("no request: {e}; {FORM}"))?;
    if Request::is_body(&value) {
        return Request::of_body(&value).map_err(|e| e.to_string());
    }
    match (serde_json::from_value::<Request>(value.clone()), Request::of_body(&value)) {
        (Ok(own), _) | (Err(_), Ok(own)) => Ok(own),
        (Err(_), Err(e @ BodyError::Import(_))) => Err(e.to_string()),
        (Err(e), Err(_)) => Err(format!("no request: {e}; {FORM}")),
    }
}
