//! What takes the place of matches: a text with groups in it, or what a function or a map gives for the match.

use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::regex::finder::{Finder, Spans};
use crate::value::regex::Regex;
use crate::value::{Str, Value};
use std::sync::Arc;

/// What is put in place of a match must be a text.
#[cold]
pub fn bad_replacement(v: &Value) -> Interrupt {
    Interrupt::argument(2, "a string", v)
}

/// A replacement string, read once.
enum Piece {
    Text(String),
    Group(usize),
}

/// Java's replacement syntax: `$1`, `${name}`, and `\` before a character that stands for itself.
fn pieces(h: &mut dyn Host, regex: &Regex, template: &str) -> Result<Vec<Piece>> {
    let bad = |words: &str| Interrupt::bad(2, ErrorKind::Value, words.to_string());
    let groups = regex.groups().saturating_sub(1);
    h.charge(template.len() as u64 / 8)?;
    let mut out = Vec::new();
    let mut plain = String::new();
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => plain.push(chars.next().ok_or_else(|| bad("ends in a lone \\"))?),
            '$' => {
                let group = if chars.next_if_eq(&'{').is_some() {
                    let name: String = chars.by_ref().take_while(|c| *c != '}').collect();
                    regex.named(&name).ok_or_else(|| {
                        bad(&format!("names a group that is not there: {}", crate::error::cut(name.clone(), 60)))
                    })?
                } else {
                    let Some(d) = chars.next().and_then(|c| c.to_digit(10)) else {
                        return Err(bad("has a $ that names no group; write \\\\$ for the character"));
                    };
                    let mut n = d as usize;
                    if n > groups {
                        return Err(Interrupt::bad(
                            2,
                            ErrorKind::Index,
                            format!("names group {n}, and there are {groups}"),
                        ));
                    }
                    // Further digits count as long as there is such a group.
                    while let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) {
                        let more = n * 10 + d as usize;
                        if more > groups {
                            break;
                        }
                        n = more;
                        chars.next();
                    }
                    n
                };
                if !plain.is_empty() {
                    out.push(Piece::Text(std::mem::take(&mut plain)));
                }
                out.push(Piece::Group(group));
            }
            c => plain.push(c),
        }
    }
    if !plain.is_empty() {
        out.push(Piece::Text(plain));
    }
    Ok(out)
}

/// What takes the place of a match.
enum With {
    Pieces(Vec<Piece>),
    Call(Value),
}

/// The text with its matches, or the first one, replaced.
pub fn all(h: &mut dyn Host, re: Arc<Regex>, s: Str, with: Value, once: bool) -> Result {
    let mut finder = Finder::new(h, re.clone(), s.clone())?;
    let mut found = finder.next(h)?;
    if found.is_none() {
        return Ok(Value::Str(s));
    }
    let with = match with {
        Value::Str(t) => {
            crate::cost::text(h, t.as_str().len())?;
            With::Pieces(pieces(h, &re, t.as_str())?)
        }
        f @ (Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Char(_)) => {
            return Err(bad_replacement(&f));
        }
        f => With::Call(f),
    };
    let mut out = String::new();
    let mut from = 0;
    while let Some(spans) = found {
        let Some((start, end)) = spans.first().copied().flatten() else { break };
        out.push_str(finder.part(Some((from, start))).unwrap_or_default());
        fill(h, &finder, &spans, &with, &mut out)?;
        from = end;
        found = if once { None } else { finder.next(h)? };
    }
    out.push_str(finder.text().get(from..).unwrap_or_default());
    h.reserve(out.len() as u64)?;
    Ok(Value::from(out))
}

fn put_together(h: &mut dyn Host, pieces: &[Piece], text: &str, spans: &Spans, out: &mut String) -> Result<()> {
    for piece in pieces {
        let part = match piece {
            Piece::Text(t) => t.as_str(),
            Piece::Group(i) => {
                spans.get(*i).copied().flatten().and_then(|(from, to)| text.get(from..to)).unwrap_or_default()
            }
        };
        h.charge(1 + part.len() as u64 / 64)?;
        if out.len() + part.len() > out.capacity() {
            h.reserve((out.len() + part.len()) as u64 * 2)?;
        }
        out.push_str(part);
    }
    Ok(())
}

/// What takes the place of one match.
pub fn replaced(h: &mut dyn Host, re: &Regex, text: &str, spans: &Spans, template: &str) -> Result<String> {
    let pieces = pieces(h, re, template)?;
    let mut out = String::new();
    put_together(h, &pieces, text, spans, &mut out)?;
    Ok(out)
}

fn fill(h: &mut dyn Host, finder: &Finder, spans: &Spans, with: &With, out: &mut String) -> Result<()> {
    match with {
        With::Pieces(pieces) => put_together(h, pieces, finder.text(), spans, out)?,
        With::Call(f) => {
            let matched = finder.value(h, spans)?;
            let new = match f {
                Value::Map(_) => crate::builtins::collections::lookup::find(h, f, &matched)?.unwrap_or_default(),
                f => h.call1(f, matched)?,
            };
            let Value::Str(new) = new else {
                return Err(Interrupt::error(
                    ErrorKind::Type,
                    format!("the replacement of a match must be a string, got {}", crate::print::brief(&new)),
                ));
            };
            crate::cost::text(h, new.as_str().len())?;
            h.reserve((out.len() + new.as_str().len()) as u64)?;
            out.push_str(new.as_str());
        }
    }
    Ok(())
}
