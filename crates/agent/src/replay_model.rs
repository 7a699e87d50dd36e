//! The recorded model, `replay:replies.md`: each `## Turn N` heading starts a reply, taken as it stands.

use crate::model::{Model, ModelError, Reply, Request};
use crate::problem::{Problem, read_text};
use std::path::Path;

/// A model that answers what was written down.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayModel {
    file: String,
    replies: Vec<String>,
    next: usize,
}

impl ReplayModel {
    /// The replies of a file.
    ///
    /// # Errors
    /// When it cannot be read, or has no replies.
    pub fn load(path: &Path) -> Result<Self, Problem> {
        Self::parse(&path.display().to_string(), &read_text(path)?)
    }

    /// The replies of a text; `file` stands in errors.
    ///
    /// # Errors
    /// When it has none, or their numbers are not 1, 2, 3...
    pub fn parse(file: &str, text: &str) -> Result<Self, Problem> {
        let mut replies: Vec<String> = Vec::new();
        let mut fence: Option<(char, usize)> = None;
        for (i, line) in text.split_inclusive('\n').enumerate() {
            // A heading inside a program's fence is a comment's business, not ours.
            match (fence, marks(line)) {
                (None, Some(f)) => fence = Some((f.0, f.1)),
                (Some((mark, length)), Some((m, n, closes))) if m == mark && n >= length && closes => fence = None,
                _ => {}
            }
            if fence.is_none()
                && let Some(number) = heading(line)
            {
                let wanted = replies.len() + 1;
                if number != Some(wanted) {
                    let words = format!(
                        "{file}:{}: the heading must be \"## Turn {wanted}\"; replies are numbered 1, 2, 3",
                        i + 1
                    );
                    return Err(Problem::new(words));
                }
                replies.push(String::new());
            } else if let Some(reply) = replies.last_mut() {
                reply.push_str(line);
            }
        }
        if replies.is_empty() {
            return Err(Problem::new(format!(
                "{file}: no replies; start each with a heading \"## Turn 1\", \"## Turn 2\""
            )));
        }
        let trimmed = replies.iter().map(|r| r.trim_matches(['\n', '\r']).to_owned()).collect();
        Ok(ReplayModel { file: file.to_owned(), replies: trimmed, next: 0 })
    }

    /// The replies, in order.
    pub fn replies(&self) -> &[String] {
        &self.replies
    }

    /// Goes on behind so many turns, for a session that is resumed.
    #[must_use]
    pub fn after(mut self, turns: u64) -> Self {
        self.next = usize::try_from(turns).unwrap_or(usize::MAX);
        self
    }
}

/// A line of three or more backticks or tildes: the mark, how many, and whether nothing else stands there.
fn marks(line: &str) -> Option<(char, usize, bool)> {
    let text = line.trim();
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let length = text.len() - info.len();
    // "```x```" on one line is code in prose.
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length, info.is_empty()))
}

/// The number of a `## Turn N` heading; none within when it is no number.
fn heading(line: &str) -> Option<Option<usize>> {
    let rest = line.strip_prefix("## ")?.trim_start();
    let word = rest.split_whitespace().next()?;
    if !word.eq_ignore_ascii_case("turn") {
        return None;
    }
    let digits: String = rest.get(word.len()..)?.trim_start().chars().take_while(char::is_ascii_digit).collect();
    Some(digits.parse().ok())
}

impl Model for ReplayModel {
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError> {
        match self.replies.get(self.next) {
            Some(text) => {
                self.next += 1;
                if let Some(said) = request.said {
                    said(text);
                }
                Ok(Reply::text(text))
            }
            None => Err(ModelError::OutOfReplies {
                file: self.file.clone(),
                turn: self.next as u64 + 1,
                last: self.replies.len() as u64,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_start_replies_that_stand_as_they_are() {
        let text =
            "# Title\n\n## Turn 1\n\nI look.\n\n```clojure\n(def x 1)\n## Turn 7\n```\n\n## Turn 2: done\n(return x)\n";
        let mut m = ReplayModel::parse("r.md", text).unwrap();
        assert_eq!(m.replies(), ["I look.\n\n```clojure\n(def x 1)\n## Turn 7\n```", "(return x)"]);
        assert_eq!(m.reply(Request::new(&[])).unwrap().text, m.replies()[0]);
        assert_eq!(m.reply(Request::new(&[])).unwrap().text, "(return x)");
        let words =
            "r.md has no reply for turn 3, its last is for turn 2; add a heading \"## Turn 3\" with a program under it";
        assert_eq!(m.reply(Request::new(&[])).unwrap_err().to_string(), words);
        assert_eq!(m.reply(Request::new(&[])).unwrap_err().to_string(), words);
        assert_eq!(
            ReplayModel::parse("r.md", text).unwrap().after(1).reply(Request::new(&[])).unwrap().text,
            "(return x)"
        );
    }

    #[test]
    fn numbers_must_follow_each_other() {
        for (text, words) in [
            ("", "r.md: no replies; start each with a heading \"## Turn 1\", \"## Turn 2\""),
            ("## Turn 2\n(a)", "r.md:1: the heading must be \"## Turn 1\"; replies are numbered 1, 2, 3"),
            ("## Turn 1\n(a)\n## Turn x\n", "r.md:3: the heading must be \"## Turn 2\"; replies are numbered 1, 2, 3"),
        ] {
            assert_eq!(ReplayModel::parse("r.md", text).unwrap_err().0, words);
        }
    }
}
