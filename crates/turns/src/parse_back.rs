//! Reads summaries back: the proof that nothing printed or named can pass for a definition. For tests, and public for them.

use crate::escape;
use crate::record::Kind;
use crate::summary::{NOTHING, OUTPUT};
use ptc_history::{Message, Role};

/// A definition as a summary shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The name.
    pub name: String,
    /// Function or data.
    pub kind: Kind,
    /// The docstring.
    pub doc: Option<String>,
    /// The type word of data.
    pub type_word: Option<String>,
    /// The sample, as it is written.
    pub sample: Option<String>,
}

/// A summary, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Definitions in order.
    pub definitions: Vec<Shown>,
    /// Printed text, as it was printed.
    pub output: Option<String>,
    /// The number of a turn that failed and was recovered, and its error.
    pub recovered: Option<(u64, String)>,
}

/// All definitions that the summaries among `messages` show, in order.
pub fn definitions(messages: &[Message]) -> Vec<Shown> {
    let said = messages.iter().filter(|m| m.role == Role::Assistant);
    said.filter_map(|m| parse(&m.text())).flat_map(|s| s.definitions).collect()
}

/// Takes a summary apart; `None` when the text is none, as that of a turn shown whole.
pub fn parse(text: &str) -> Option<Summary> {
    let mut summary = Summary::default();
    if text == NOTHING {
        return Some(summary);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if line == OUTPUT {
            summary.output = Some(escape::unescape(after));
            return Some(summary);
        }
        if let Some(failed) = line.strip_prefix("; Turn ") {
            let (turn, error) = failed.split_once(" failed: ")?;
            summary.recovered = Some((turn.parse().ok()?, error.to_owned()));
        } else {
            summary.definitions.push(definition(line)?);
        }
        rest = after;
    }
    let any = summary.recovered.is_some() || !summary.definitions.is_empty();
    any.then_some(summary)
}

fn definition(line: &str) -> Option<Shown> {
    let (kind, rest) = match line.strip_prefix("; Function: ") {
        Some(rest) => (Kind::Function, rest),
        None => (Kind::Data, line.strip_prefix("; Defined: ")?),
    };
    let (name, rest) = match rest.starts_with('"') {
        true => quoted(rest)?,
        false => {
            let end = rest.find(' ').unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            (name.to_owned(), rest)
        }
    };
    let (doc, rest) = match rest.strip_prefix(" - ") {
        Some(rest) => {
            let (doc, rest) = quoted(rest)?;
            (Some(doc), rest)
        }
        None => (None, rest),
    };
    if kind == Kind::Function {
        return rest.is_empty().then_some(Shown { name, kind, doc, type_word: None, sample: None });
    }
    let rest = rest.strip_prefix(" = ")?;
    let (type_word, sample) = match rest.split_once(", sample: ") {
        Some((t, s)) => (t, Some(s.to_owned())),
        None => (rest, None),
    };
    Some(Shown { name, kind, doc, type_word: Some(type_word.to_owned()), sample })
}

/// A quoted text at the start, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let c = rest.chars().next()?;
        rest = rest.get(c.len_utf8()..)?;
        match c {
            '"' => return Some((out, rest)),
            '\\' => match rest.strip_prefix("u{") {
                Some(code) => {
                    let (hex, after) = code.split_once('}')?;
                    out.push(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?);
                    rest = after;
                }
                None => {
                    let c = rest.chars().next()?;
                    out.push(c);
                    rest = rest.get(c.len_utf8()..)?;
                }
            },
            c => out.push(c),
        }
    }
}
