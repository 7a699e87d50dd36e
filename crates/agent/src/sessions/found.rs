//! What is looked for in sessions, as the index asks for it, and what was found.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use serde::Serialize;

/// Most words of a search, and most bytes of one.
const WORDS: usize = 32;
const WORD_BYTES: usize = 200;

/// A turn that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// The session.
    pub id: String,
    /// The label of the subtask of that session whose turn it is; `None` of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtask: Option<String>,
    /// The turn; 0 is the question. Of `ending` it is the last one.
    pub turn: u64,
    /// Where in the turn: `question`, `program`, `prose`, `printed`, `value` or `error`; `ending` is why the last run did
    /// not return, where no turn tells that.
    pub kind: &'static str,
    /// The text around it, on one line.
    pub snippet: String,
}

/// The query of the index for turns that have all these words. Each is quoted: nothing in it is an operator.
pub(super) fn query(words: &[String]) -> Result<String, Error> {
    let usage = |text| Err(Error::new(ErrorKind::Usage, text));
    if words.is_empty() || words.len() > WORDS {
        return usage(error_text!("{} words to look for", words.len(); "give 1 to {WORDS}"));
    }
    let mut parts = Vec::new();
    for word in words {
        let shown = ptc_lisp::escape::quoted(word);
        if word.len() > WORD_BYTES {
            return usage(error_text!("a word has {} bytes", word.len(); "give {WORD_BYTES} at most"));
        }
        if !word.chars().any(char::is_alphanumeric) {
            return usage(error_text!("there is no letter and no digit in {shown}"; "give a word to look for"));
        }
        let (text, star) = word.strip_suffix('*').map_or((word.as_str(), ""), |text| (text, "*"));
        let text: String = text.chars().map(|c| if c == '"' || c.is_control() { ' ' } else { c }).collect();
        parts.push(format!("\"{text}\"{star}"));
    }
    Ok(parts.join(" AND "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_and_what_is_none_is_refused() {
        let of = |words: &[&str]| query(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            of(&["sort-by", "NEAR(a b)", "a\"b", "tot*"]).unwrap(),
            r#""sort-by" AND "NEAR(a b)" AND "a b" AND "tot"*"#
        );
        for bad in [&[][..], &["--"], &["a", "*"], &["\0"]] {
            assert!(of(bad).is_err(), "{bad:?}");
        }
        assert!(of(&["x".repeat(201).as_str()]).unwrap_err().text().contains("200 at most"));
    }
}
