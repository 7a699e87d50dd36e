//! The recorded model, `replay:replies.md`: each `## Turn N` heading starts a reply, taken as it stands. Where a heading
//! holds the hash of the request that was recorded, the request that is made is held to it.

use crate::error::{Error, ErrorKind, ErrorText, ModelErrorKind};
use crate::error_text;
use crate::files::read_text;
use crate::model::recording_format::{BESIDE, Beside, VERBATIM, read_head, read_request, request_hash};
use crate::model::{CountedAs, Model, Reply, Request};
use std::path::Path;

/// A model that answers what was written down.
///
/// ```
/// use ptc_agent::{Model, ReplayModel, Request};
///
/// let mut model = ReplayModel::parse("replies", "## Turn 1\n(def x 1)\n\n## Turn 2\n(return x)")?;
/// assert_eq!(model.reply(Request::new(&[]))?.text.trim(), "(def x 1)");
/// assert_eq!(model.reply(Request::new(&[]))?.text.trim(), "(return x)");
/// let error = model.reply(Request::new(&[])).unwrap_err().to_string();
/// assert!(error.starts_with("replies has no reply for turn 3"), "{error}");
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayModel {
    file: String,
    replies: Vec<Reply>,
    /// Where their headings begin, in bytes.
    starts: Vec<usize>,
    /// The hashes of the requests they were given to, where the file has them.
    requests: Vec<Option<String>>,
    next: usize,
    counted_as: Option<CountedAs>,
    strict: bool,
    /// That a prompt differs was told, and that one cannot be compared.
    told: bool,
}

impl ReplayModel {
    /// The replies of a file.
    ///
    /// # Errors
    /// When it cannot be read, or has no replies.
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::parse(&path.display().to_string(), &read_text(path)?)
    }

    /// The replies of a text; `file` stands in errors.
    ///
    /// # Errors
    /// When it has none, their numbers are not 1, 2, 3..., or a fence that was recorded is not as it was written.
    pub fn parse(file: &str, text: &str) -> Result<Self, Error> {
        let mut replies: Vec<Entry> = Vec::new();
        let mut requests = Vec::new();
        let mut open = Open::Nothing;
        let (mut starts, mut byte) = (Vec::new(), 0_usize);
        for (i, line) in text.split_inclusive('\n').enumerate() {
            let at =
                |text: ErrorText| Error::new(ErrorKind::Recording, text).at(&format!("{file}:{}", i.saturating_add(1)));
            let start = byte;
            byte = byte.saturating_add(line.len());
            let bare = line.strip_suffix('\n').unwrap_or(line);
            if let (Open::Recorded { tildes, beside }, Some(last)) = (&open, replies.last_mut()) {
                if bare.len() == *tildes && bare.bytes().all(|b| b == b'~') {
                    if *beside {
                        let data = std::mem::take(&mut last.beside);
                        let wrong =
                            |e| at(format!("what stands before this line is not as it was recorded: {e}").into());
                        let read: Beside = serde_json::from_str(&data).map_err(wrong)?;
                        (last.blocks, last.cut) = (read.blocks, read.cut);
                    } else if let Some(t) = &mut last.verbatim {
                        t.truncate(t.len().saturating_sub(1));
                    }
                    open = Open::Nothing;
                } else if *beside {
                    last.beside.push_str(line);
                } else {
                    last.verbatim.get_or_insert_default().push_str(line);
                }
                continue;
            }
            if let (Open::Nothing, Some((tildes, beside)), Some(last)) = (&open, recorded(bare), replies.last_mut()) {
                // What was recorded begins a reply, or follows all of it.
                if beside || (last.text.trim().is_empty() && last.verbatim.is_none()) {
                    if !beside {
                        last.verbatim = Some(String::new());
                    }
                    open = Open::Recorded { tildes, beside };
                    continue;
                }
            }
            // A heading inside a program's fence is a comment's business, not ours.
            open = match (open, marks(line)) {
                (Open::Nothing, Some(f)) => Open::Fence(f.0, f.1),
                (Open::Fence(mark, length), Some((m, n, true))) if m == mark && n >= length => Open::Nothing,
                (open, _) => open,
            };
            if matches!(open, Open::Nothing)
                && let Some(number) = heading(line)
            {
                let wanted = replies.len().saturating_add(1);
                if number != Some(wanted) {
                    let words = error_text!("the heading must be \"## Turn {wanted}\""; "replies are numbered 1, 2, 3");
                    return Err(at(words));
                }
                replies.push(Entry::default());
                requests.push(read_request(bare));
                starts.push(start);
            } else if let Some(reply) = replies.last_mut() {
                reply.text.push_str(line);
            }
        }
        if matches!(open, Open::Recorded { .. }) {
            return Err(Error::new(
                ErrorKind::Recording,
                "its last fence is not closed; the recording was cut off there, record it again",
            )
            .at(file));
        }
        if replies.is_empty() {
            return Err(Error::new(
                ErrorKind::Recording,
                "no replies; start each with a heading \"## Turn 1\", \"## Turn 2\"",
            )
            .at(file));
        }
        let replies = replies.into_iter().map(Entry::reply).collect();
        let (file, counted_as) = (file.to_owned(), read_head(text));
        Ok(ReplayModel { file, replies, starts, requests, next: 0, counted_as, strict: false, told: false })
    }

    /// Whether a reply that was recorded for another prompt is an error instead of a warning.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// What is to be told before the next reply, which was recorded for the request of this hash.
    ///
    /// # Errors
    /// When the prompt is another one and such a reply is not to be taken.
    fn compared(&mut self, request: &Request<'_>) -> Result<Option<String>, Error> {
        let (file, turn) = (&self.file, self.next.saturating_add(1));
        let words = match self.requests.get(self.next).and_then(Option::as_ref) {
            None if self.strict => format!(
                "{file} has no hash of the request of turn {turn}, so its prompt is not compared; record it again with --record"
            ),
            None => return Ok(None),
            Some(_) if self.told && !self.strict => return Ok(None),
            Some(recorded) if *recorded == request_hash(request.messages) => return Ok(None),
            Some(_) => {
                let words =
                    format!("the prompt of turn {turn} is not the one that its reply in {file} was recorded for");
                if self.strict {
                    let words =
                        error_text!("{words}"; "nothing was run. Record it again, or leave --replay=strict out");
                    return Err(Error::of_model(ModelErrorKind::OtherRequest, words));
                }
                format!(
                    "{words}: the model might have replied otherwise, here and later. Record it again with --record; --replay=strict stops here"
                )
            }
        };
        Ok((!std::mem::replace(&mut self.told, true)).then_some(words))
    }

    /// The texts of the replies, in order.
    pub fn replies(&self) -> Vec<String> {
        self.replies.iter().map(|r| r.text.clone()).collect()
    }

    /// How much of `text`, from which this was read, holds these replies, where it holds them and at most one more.
    pub(crate) fn first_of(&self, text: &str, wanted: &[String]) -> Option<usize> {
        let rest = self.replies.len().checked_sub(wanted.len())?;
        let same = self.replies.iter().zip(wanted).all(|(held, wanted)| held.text == *wanted);
        (same && rest <= 1).then(|| self.starts.get(wanted.len()).copied().unwrap_or(text.len()))
    }

    /// The replies, in order.
    pub(crate) fn entries(&self) -> &[Reply] {
        &self.replies
    }

    /// Continues after so many turns, for a session that is resumed.
    #[must_use]
    pub fn after(mut self, turns: u64) -> Self {
        self.next = usize::try_from(turns).unwrap_or(usize::MAX);
        self
    }
}

/// What stands open while a file is read.
enum Open {
    Nothing,
    /// A fence of the reply's own.
    Fence(char, usize),
    /// A fence that `--record` wrote.
    Recorded {
        tildes: usize,
        beside: bool,
    },
}

/// A reply as it is gathered.
#[derive(Default)]
struct Entry {
    text: String,
    verbatim: Option<String>,
    beside: String,
    blocks: Vec<ptc_history::Block>,
    cut: bool,
}

impl Entry {
    fn reply(self) -> Reply {
        let text = self.verbatim.unwrap_or_else(|| self.text.trim_matches(['\n', '\r']).to_owned());
        Reply { text, blocks: self.blocks, cut: self.cut, ..Reply::default() }
    }
}

/// A fence that `--record` writes: how many tildes, and whether it holds what stands beside the text.
fn recorded(line: &str) -> Option<(usize, bool)> {
    let info = line.trim_start_matches('~');
    let tildes = line.len().saturating_sub(info.len());
    match info {
        VERBATIM if tildes >= 3 => Some((tildes, false)),
        BESIDE if tildes >= 3 => Some((tildes, true)),
        _ => None,
    }
}

/// A line of three or more backticks or tildes: the mark, how many, and whether nothing else stands there.
fn marks(line: &str) -> Option<(char, usize, bool)> {
    let text = line.trim();
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let length = text.len().saturating_sub(info.len());
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
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, Error> {
        match self.replies.get(self.next).cloned() {
            Some(mut reply) => {
                reply.warnings.extend(self.compared(&request)?);
                self.next = self.next.saturating_add(1);
                if let Some(said) = request.said {
                    said(&reply.text);
                }
                Ok(reply)
            }
            None => {
                let (turn, last) = ((self.next as u64).saturating_add(1), self.replies.len());
                let hint = format!("add a heading \"## Turn {turn}\" with a program under it");
                let words =
                    error_text!("{} has no reply for turn {turn}, its last is for turn {last}", self.file; "{hint}");
                Err(Error::of_model(ModelErrorKind::OutOfReplies, words))
            }
        }
    }

    fn counted_as(&self) -> Option<CountedAs> {
        self.counted_as.clone()
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
            assert_eq!(ReplayModel::parse("r.md", text).unwrap_err().to_string(), words);
        }
    }
}
