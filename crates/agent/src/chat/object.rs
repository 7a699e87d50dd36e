//! Answers that are objects: asked for with a schema, checked, repaired by the model itself where they are wrong.

use super::{Chat, Parameters, partial};
use crate::error::{Error, ErrorKind, ModelErrorKind};
use crate::schema_check;
use ptc_history::Message;
use ptc_turns::session::reply::{self, Part, PartReader};
use ptc_turns::session::return_check::Check;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How often a wrong object is asked for again.
const REPAIRS: u32 = 2;

impl Chat {
    /// Asks for an object of this type. Its JSON schema goes with the request, the messages are those of any other
    /// call (K-19). A wrong answer is asked for again, two times at most, with what is wrong path by path; these turns
    /// stand in the conversation like any other.
    ///
    /// ```
    /// use ptc_agent::ReplayModel;
    /// use ptc_agent::chat::{Chat, Parameters};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City {
    ///     name: String,
    ///     people: u64,
    /// }
    ///
    /// let model = ReplayModel::parse("r", "## Turn 1\n{\"name\": \"Paris\"}\n## Turn 2\n{\"name\": \"Paris\", \"people\": 2}").unwrap();
    /// let city: City = Chat::new(model).generate_object("The capital of France", &Parameters::default())?;
    /// assert_eq!((city.name.as_str(), city.people), ("Paris", 2));
    /// # Ok::<(), ptc_agent::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Chat::chat`], and [`ModelErrorKind::Object`] when it is still wrong.
    pub fn generate_object<T: DeserializeOwned + JsonSchema>(
        &mut self,
        input: &str,
        parameters: &Parameters,
    ) -> Result<T, Error> {
        self.object(input, parameters, None)
    }

    /// As [`Chat::generate_object`]; `seen` is told what the object says so far, whenever that is more than before. It
    /// begins anew when a wrong answer is asked for again.
    ///
    /// # Errors
    /// As [`Chat::generate_object`].
    pub fn stream_object<T: DeserializeOwned + JsonSchema>(
        &mut self,
        input: &str,
        parameters: &Parameters,
        seen: &mut dyn FnMut(&Value),
    ) -> Result<T, Error> {
        self.object(input, parameters, Some(seen))
    }

    fn object<T: DeserializeOwned + JsonSchema>(
        &mut self,
        input: &str,
        parameters: &Parameters,
        mut seen: Option<&mut dyn FnMut(&Value)>,
    ) -> Result<T, Error> {
        let schema = schemars::schema_for!(T).to_value();
        let check = schema_check::check(&schema).map_err(|e| e.of_kind(ErrorKind::Setting))?;
        let mut message = Message::user(input);
        let mut asked = 0_u32;
        loop {
            asked = asked.saturating_add(1);
            let answer = match &mut seen {
                None => self.ask(vec![message], parameters, Some(&schema), None)?,
                Some(seen) => {
                    let mut text = String::new();
                    let mut last = None;
                    let mut said = |piece: &str| {
                        text.push_str(piece);
                        let now = reply::said(&text).ok().and_then(|said| partial(&json_in(&said)?));
                        if now.is_some() && now != last {
                            now.iter().for_each(&mut *seen);
                            last = now;
                        }
                    };
                    self.ask(vec![message], parameters, Some(&schema), Some(&mut said))?
                }
            };
            match read(&answer.text, &check) {
                Ok(value) => return Ok(value),
                Err(problem) if asked > REPAIRS => return Err(no_object(asked, &problem)),
                Err(problem) => {
                    let cut = if answer.cut { " It was cut: make it shorter." } else { "" };
                    let words = format!(
                        "That is not the object that was asked for: {problem}.{cut} Answer with the whole JSON object and nothing else."
                    );
                    message = Message::user(words);
                }
            }
        }
    }
}

/// That the answer is no such object, after so many answers.
fn no_object(asked: u32, problem: &str) -> Error {
    let kind = ErrorKind::Model { reason: ModelErrorKind::Object, status: None, tries: asked };
    Error::new(kind, format!("no such object after {asked} answers: {problem}"))
}

fn read<T: DeserializeOwned>(text: &str, check: &Check) -> Result<T, String> {
    let said = reply::said(text).map_err(|e| e.message)?;
    let json = json_in(&said).ok_or("there is no JSON in it")?;
    // What stands behind the value is prose.
    let mut values = serde_json::Deserializer::from_str(&json).into_iter::<Value>();
    let value = values.next().ok_or("there is no JSON in it")?.map_err(|e| format!("it is no JSON: {e}"))?;
    (check.fits)(&value.to_string())?;
    T::deserialize(value).map_err(|e| e.to_string())
}

/// The JSON of an answer without its thoughts: all of it, what its first block holds, or from its first bracket on.
fn json_in(said: &str) -> Option<String> {
    let (mut before, mut inside) = (String::new(), None::<String>);
    let mut reader = PartReader::default();
    for line in said.split_inclusive('\n') {
        reader.line(line, &mut |part| match (part, &mut inside) {
            (Part::Opens(..), None) => inside = Some(String::new()),
            (Part::Program(text) | Part::Other(text), Some(inside)) => inside.push_str(text),
            (part, None) => before.push_str(part.text()),
            _ => {}
        });
    }
    let text = inside.filter(|_| !before.contains(['{', '['])).unwrap_or_else(|| said.to_owned());
    let text = text.trim_start();
    if text.starts_with(['"', '-', 't', 'f', 'n']) || text.starts_with(|c: char| c.is_ascii_digit()) {
        let scalar = serde_json::from_str::<Value>(text.trim_end()).is_ok();
        if scalar {
            return Some(text.to_owned());
        }
    }
    text.find(['{', '[']).and_then(|at| text.get(at..)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_found_where_models_put_it() {
        for (text, expected) in [
            ("{\"a\": 1}", Some("{\"a\": 1}")),
            ("  \n[1]", Some("[1]")),
            ("```json\n{\"a\": 1}\n```", Some("{\"a\": 1}\n")),
            ("Here it is:\n```\n[1]\n```", Some("[1]\n")),
            ("Sure: {\"a\": \"```\"} as asked", Some("{\"a\": \"```\"} as asked")),
            ("\"word\"", Some("\"word\"")),
            ("5", Some("5")),
            ("<think>{\"a\": 0}</think>\n~~~ JSON\n{\"a\": 1}\n~~~\n", Some("{\"a\": 1}\n")),
            ("[0]\n</think>[1]", Some("[1]")),
            ("{\"a\": \"<think>\"}", Some("{\"a\": \"<think>\"}")),
            ("<think>{\"a\": 0}", None),
            ("true story", None),
            ("none", None),
            ("", None),
        ] {
            assert_eq!(reply::said(text).ok().and_then(|said| json_in(&said)).as_deref(), expected, "{text}");
        }
    }
}
