//! JSON kept as it was written, so that large numbers and the order of keys survive byte for byte.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// One JSON value as text on one line.
///
/// ```
/// use ptc_lisp::value::Value;
/// use ptc_turns::Json;
///
/// let json = Json::new(r#"{"cents": 250}"#.into()).expect("it is JSON");
/// assert_eq!(json.value().map(|v| v.kind()), Some("a map"));
/// assert_eq!(Json::of(&Value::vector(vec![Value::int(1), Value::Nil]))?.text(), "[1,null]");
/// # Ok::<(), ptc_lisp::error::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The value that `text` is; `None` if it is no JSON.
    pub fn new(text: String) -> Option<Self> {
        // Line breaks can only stand between tokens, and a record is one line.
        let text = if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], " ") } else { text };
        RawValue::from_string(text).ok().map(Json)
    }

    /// The JSON of a value.
    ///
    /// # Errors
    /// Functions and the like, NaN and infinities, keys that become equal, texts over 64 MB.
    pub fn of(value: &ptc_lisp::value::Value) -> Result<Self, ptc_lisp::error::Error> {
        let text = ptc_lisp::json::to_text(value)?;
        Ok(Self::new(text).unwrap_or_default())
    }

    /// The value that programs see; `None` when it is too large or too deep.
    pub fn value(&self) -> Option<ptc_lisp::value::Value> {
        ptc_lisp::json::parse_text(self.text(), &ptc_lisp::limits::Limits::default()).ok()
    }

    /// Its text.
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

/// `null`
impl Default for Json {
    fn default() -> Self {
        Json(RawValue::NULL.to_owned())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(d).map(Json)
    }
}

/// For a field that may be absent, and whose `null` is a value of its own.
pub(crate) fn present<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(d).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_numbers_survive() {
        let text = "[12345678901234567890123456789012345678901234567890,1.10,1e400]";
        let json: Json = serde_json::from_str(text).unwrap();
        assert_eq!(json.text(), text);
        assert_eq!(serde_json::to_string(&json).unwrap(), text);
        assert_eq!(Json::new("{\n\"a\": 1}".into()).unwrap().text(), "{ \"a\": 1}");
        assert!(Json::new("{".into()).is_none());
    }
}
