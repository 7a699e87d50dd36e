//! Recorded tools: answers found by equal arguments, in order, the last one again and again.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::MemoryEstimate;
use crate::files::{read_estimated, utf8};
use crate::tools::toolbox::Tool;
use ptc_lisp::escape;
use ptc_lisp::interface::ToolSpec;
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_lisp::value::compare::equal;
use ptc_turns::Json;
use ptc_turns::trace::record::Call;
use serde::{Deserialize, Deserializer};
use std::path::Path;

/// The answers of one tool.
#[derive(Clone)]
pub struct Recording {
    groups: Vec<Group>,
}

/// Answers to equal arguments.
#[derive(Clone)]
struct Group {
    args: Value,
    text: String,
    answers: Vec<Result<Json, String>>,
    used: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    args: Json,
    #[serde(default, deserialize_with = "present")]
    result: Option<Json>,
    #[serde(default)]
    error: Option<String>,
}

/// How many recorded arguments an error names, and how many characters of each.
const KNOWN: usize = 8;
const SHOWN: usize = 400;

/// JSON text as a line of an error: its beginning, with nothing in it that a terminal would act on.
fn shown(text: &str) -> String {
    let begun: String = text.chars().take(SHOWN).collect();
    let more = if begun.len() < text.len() { "..." } else { "" };
    format!("{}{more}", escape::line(&begun))
}

/// A `null` that is there is an answer too.
fn present<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(d).map(Some)
}

impl Recording {
    /// The answers of a file.
    ///
    /// # Errors
    /// When it cannot be read, or a line is no answer.
    pub fn load(path: &Path, limits: &Limits) -> Result<Self, Error> {
        let shown = path.display().to_string();
        Self::parse(&shown, &utf8(read_estimated(path, MemoryEstimate::CALLS)?, &shown)?, limits)
    }

    /// The answers of a text; `file` stands in errors.
    ///
    /// # Errors
    /// When a line is no answer.
    pub fn parse(file: &str, text: &str, limits: &Limits) -> Result<Self, Error> {
        let form = r#"write {"args": {...}, "result": ...} or {"args": {...}, "error": "..."}, one a line"#;
        let mut groups: Vec<Group> = Vec::new();
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let wrong = |words: &str| {
                Error::new(ErrorKind::Recording, error_text!("{words}"; "{form}"))
                    .at(&format!("{file}:{}", i.saturating_add(1)))
            };
            let read: Line = serde_json::from_str(line).map_err(|e| wrong(&e.to_string()))?;
            let args = json::parse_text(read.args.text(), limits).map_err(|e| wrong(&e.message))?;
            if !matches!(args, Value::Map(_)) {
                return Err(wrong("args is not an object"));
            }
            let answer = match (read.result, read.error) {
                (Some(r), None) => Ok(r),
                (None, Some(e)) => Err(e),
                (None, None) => return Err(wrong("neither result nor error")),
                (Some(_), Some(_)) => return Err(wrong("result and error")),
            };
            match groups.iter_mut().find(|g| equal(&g.args, &args)) {
                Some(g) => g.answers.push(answer),
                None => {
                    let text = json::to_text(&args).map_err(|e| wrong(&e.message))?;
                    groups.push(Group { args, text, answers: vec![answer], used: 0 });
                }
            }
        }
        Ok(Recording { groups })
    }

    /// Marks the answers that were given before, so that a session that is resumed continues after them.
    pub fn skip(&mut self, calls: &[&Call], limits: &Limits) {
        for call in calls {
            if let Ok(args) = json::parse_text(call.args.text(), limits)
                && let Some(g) = self.groups.iter_mut().find(|g| equal(&g.args, &args))
            {
                g.used = g.used.saturating_add(1);
            }
        }
    }

    /// The arguments that were recorded, the first of them, as a person reads them.
    fn known(&self) -> String {
        let first: Vec<String> = self.groups.iter().take(KNOWN).map(|g| shown(&g.text)).collect();
        match self.groups.len().saturating_sub(KNOWN) {
            _ if first.is_empty() => "nothing".to_owned(),
            0 => first.join(", "),
            more => format!("{} and {more} more", first.join(", ")),
        }
    }

    /// The next answer to these arguments.
    ///
    /// # Errors
    /// The recorded error, or that nothing was recorded and what was.
    pub fn answer(&mut self, args: &Value, limits: &Limits) -> Result<Value, String> {
        let Some(g) = self.groups.iter_mut().find(|g| equal(&g.args, args)) else {
            let got = json::to_text(args).map_err(|e| e.message)?;
            return Err(format!("no recorded answer for {}; recorded are {}", shown(&got), self.known()));
        };
        let answer = g.answers.get(g.used).or(g.answers.last());
        g.used = g.used.saturating_add(1);
        match answer {
            // Made anew for each call, so that the session's memory meter sees it.
            Some(Ok(j)) => json::parse_text(j.text(), limits).map_err(|e| e.message),
            Some(Err(words)) => Err(words.clone()),
            None => Ok(Value::Nil),
        }
    }

    /// A tool that answers from here.
    pub fn tool(mut self, spec: ToolSpec, limits: Limits) -> Tool {
        Tool::in_order(spec.name.clone(), move |args| self.answer(&args, &limits)).with_spec(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording() -> Recording {
        let text = concat!(
            "{\"args\": {\"a\": 1, \"b\": \"x\"}, \"result\": \"first\"}\n\n",
            "{\"args\": {\"b\": \"x\", \"a\": 1}, \"error\": \"second\"}\n",
            "{\"args\": {\"b\": \"x\", \"a\": 1}, \"result\": null}\n",
            "{\"args\": {}, \"result\": [1, 2.5]}"
        );
        Recording::parse("t.jsonl", text, &Limits::default()).unwrap()
    }

    fn ask(r: &mut Recording, args: &str) -> Result<String, String> {
        let limits = Limits::default();
        let args = json::parse_text(args, &limits).unwrap();
        r.answer(&args, &limits).map(|v| ptc_lisp::print::brief(&v))
    }

    #[test]
    fn equal_arguments_answer_in_order_and_the_last_repeats() {
        let mut r = recording();
        let same = r#"{"a": 1, "b": "x"}"#;
        assert_eq!(ask(&mut r, same), Ok("\"first\"".into()));
        assert_eq!(ask(&mut r, "{}"), Ok("[1 2.5]".into()));
        assert_eq!(ask(&mut r, same), Err("second".into()));
        assert_eq!(ask(&mut r, same), Ok("nil".into()));
        assert_eq!(ask(&mut r, same), Ok("nil".into()));
        assert_eq!(
            ask(&mut r, r#"{"a": 2}"#),
            Err(r#"no recorded answer for {"a":2}; recorded are {"a":1,"b":"x"}, {}"#.into())
        );
    }

    /// Found by random recordings: DEL and its kin are no escapes of JSON, and a recording can be long.
    #[test]
    fn an_error_names_what_was_recorded_in_bounded_visible_words() {
        let odd =
            (0..100).map(|i| format!("{{\"args\":{{\"a\u{7f}\u{9b}{i}\":\"{}\"}},\"result\":1}}\n", "x".repeat(999)));
        let mut r = Recording::parse("r.jsonl", &odd.collect::<String>(), &Limits::default()).unwrap();
        let error = ask(&mut r, "{\"\u{7f}\": 1}").unwrap_err();
        assert!(
            error.starts_with("no recorded answer for {\"\\u{7f}\":1}; recorded are {\"a\\u{7f}\\u{9b}0\":"),
            "{error}"
        );
        assert!(error.ends_with("... and 92 more") && error.len() < 4000, "{error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }

    #[test]
    fn calls_of_earlier_processes_count() {
        let mut r = recording();
        let call = Call {
            failure: None,
            id: 1,
            name: "t".into(),
            args: Json::new("{\"a\":1,\"b\":\"x\"}".into()).unwrap(),
            result: None,
            error: None,
            ms: 0,
            together: None,
            decided: None,
        };
        r.skip(&[&call], &Limits::default());
        assert_eq!(ask(&mut r, r#"{"a": 1, "b": "x"}"#), Err("second".into()));
    }

    #[test]
    fn lines_that_are_no_answers_are_named() {
        for (text, words) in [
            ("{\"args\": {}}", "t.jsonl:1: neither result nor error; write "),
            ("\n{\"args\": [], \"result\": 1}", "t.jsonl:2: args is not an object; "),
            ("{\"args\": {}, \"result\": 1, \"error\": \"x\"}", "t.jsonl:1: result and error; "),
            ("{\"arg\": {}}", "t.jsonl:1: unknown field `arg`"),
            ("nonsense", "t.jsonl:1: "),
        ] {
            let error = Recording::parse("t.jsonl", text, &Limits::default()).err().unwrap();
            assert!(error.to_string().starts_with(words), "{error}");
        }
    }
}
