//! Reads what a model wrote: the program of a reply, or of a field; never a guess.
//!
//! Everything that a model writes enters through [`extract`] (a reply), [`TurnText::of_field`](crate::TurnText::of_field)
//! (a program in an argument or a request) or [`said`] (a text that is no program).

mod code;
mod parts;

use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::escape;

pub use code::mend;
pub use parts::{Part, PartReader};

/// Most characters of a block's tag in an error.
const LONGEST_TAG: usize = 30;

/// A parsed reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The program, without characters that editors and models slip in.
    pub program: String,
    /// The prose around it, thoughts first.
    pub reasoning: Option<String>,
}

/// Extracts the program from a reply. What stands in `<think>` is a draft and no program.
///
/// # Errors
/// Of kind `parse`, when there is no program, or more than one (P-31).
pub fn extract(reply: &str) -> Result<Reply, Error> {
    let mut parts = Parts::read(reply, PartReader::default());
    if parts.bare && parts.in_bare_string {
        // Of prose that begins with a bracket and has a lone quote, not all of its blocks were seen.
        let prose = Parts::read(reply, PartReader::of_prose());
        if !prose.programs.is_empty() {
            parts = prose;
        }
    }
    let error = |message: String| Error::new(ErrorKind::Parse, message);
    let hint = "write one program in one ```clojure block";
    if parts.programs.len() > 1 {
        parts.programs.retain(|p| !p.trim().is_empty());
    }
    match parts.programs.as_slice() {
        [program] => {
            let program = mend(program.trim_end_matches(['\n', '\r']));
            Ok(Reply { program, reasoning: reasoning([&parts.drafts, parts.prose.trim()]) })
        }
        [] if parts.unclosed => Err(unclosed(hint)),
        [] => {
            let bare = parts.prose.trim_matches(|c: char| c.is_whitespace() || escape::hidden(c));
            if bare.starts_with('(') && parts.tags.is_empty() {
                return Ok(Reply { program: mend(bare), reasoning: reasoning([&parts.drafts]) });
            }
            Err(error(match parts.tags.as_slice() {
                [tag] => format!("the reply has no program: its block is tagged {tag}"),
                [] if reply.trim().is_empty() => "the reply is empty".to_owned(),
                [] if !parts.drafts.is_empty() => "the reply has no program outside <think>".to_owned(),
                [] => "the reply has no program".to_owned(),
                tags => format!("the reply has no program: its blocks are tagged {}", tags.join(", ")),
            })
            .hint(hint))
        }
        programs => Err(error(format!("the reply has {} programs, and a turn runs one", programs.len()))
            .hint("put the whole program into one ```clojure block; other examples into prose or a ```text block")),
    }
}

/// What a model said, without its thoughts.
///
/// # Errors
/// Of kind `parse`, when it ends inside a thought: nothing says where the thought was to end.
pub fn said(text: &str) -> Result<String, Error> {
    let (mut said, mut reader) = (String::new(), PartReader::of_prose());
    for line in text.split_inclusive('\n') {
        reader.line(line, &mut |part| match part {
            Part::EndsDraft(_) => said.clear(),
            Part::Draft(_) => {}
            part => said.push_str(part.text()),
        });
    }
    if reader.in_draft() { Err(unclosed("answer after it")) } else { Ok(said) }
}

/// Whether a program that came in a field has a fence around it, or thoughts beside it. In strings and comments there
/// are neither.
pub(super) fn is_wrapped(text: &str) -> bool {
    let (mut wrapped, mut reader) = (false, PartReader::of_field());
    for line in text.split_inclusive('\n') {
        reader.line(line, &mut |part| wrapped |= part == Part::NotBare);
        if wrapped {
            break;
        }
    }
    wrapped
}

fn reasoning<const N: usize>(texts: [&str; N]) -> Option<String> {
    let texts: Vec<&str> = texts.into_iter().filter(|t| !t.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

fn unclosed(hint: &str) -> Error {
    let words = "the reply ends inside <think>, and what is there is a draft";
    Error::new(ErrorKind::Parse, words).hint(format!("close it with </think>; {hint}"))
}

/// The parts of a reply, gathered.
#[derive(Default)]
struct Parts {
    /// All that came, as it came, and where in it the last thought ended that nothing had opened.
    text: String,
    ended: usize,
    /// The thoughts behind that.
    drafts: String,
    prose: String,
    programs: Vec<String>,
    /// Tags of the other blocks.
    tags: Vec<String>,
    /// Whether all of it is a program without a fence.
    bare: bool,
    in_bare_string: bool,
    /// Whether it ends inside a thought.
    unclosed: bool,
}

impl Parts {
    fn read(reply: &str, mut reader: PartReader) -> Parts {
        let mut parts = Parts::default();
        // The block with a program that is open, and whether it has a tag.
        let mut open: Option<(String, bool)> = None;
        for line in reply.split_inclusive('\n') {
            reader.line(line, &mut |part| parts.add(part, &mut open));
        }
        (parts.in_bare_string, parts.unclosed) = (reader.in_bare_string(), reader.in_draft());
        // A truncated reply still shows what it was about to run: its missing brackets give the error. A program that
        // ends in a thought is incomplete in another way, which the error says.
        if !parts.unclosed {
            parts.close(open);
        }
        let before = parts.text.get(..parts.ended).unwrap_or_default();
        parts.drafts = format!("{before}{}", parts.drafts).trim().to_owned();
        parts
    }

    fn add(&mut self, part: Part<'_>, open: &mut Option<(String, bool)>) {
        self.text.push_str(part.text());
        match part {
            Part::Opens(_, tag, true) => *open = Some((String::new(), !tag.is_empty())),
            Part::Opens(line, tag, false) => {
                self.tags.push(ptc_text::cut::one_line(tag, LONGEST_TAG));
                self.prose.push_str(line);
            }
            Part::Program(text) => open.iter_mut().for_each(|(program, _)| program.push_str(text)),
            Part::Closes(line) => match open.take() {
                None => self.prose.push_str(line),
                program => self.close(program),
            },
            Part::Bare(text) => {
                self.bare = true;
                self.prose.push_str(text);
            }
            Part::NotBare => self.bare = false,
            Part::Other(text) | Part::Prose(text) => self.prose.push_str(text),
            Part::Draft(text) => self.drafts.push_str(text),
            Part::EndsDraft(_) => {
                let text = std::mem::take(&mut self.text);
                *self = Parts { ended: text.len(), text, ..Parts::default() };
                *open = None;
            }
        }
    }

    /// A block without tag and text is none.
    fn close(&mut self, block: Option<(String, bool)>) {
        self.programs.extend(block.filter(|(text, tagged)| *tagged || !text.trim().is_empty()).map(|(text, _)| text));
    }
}

#[cfg(test)]
mod tests;
