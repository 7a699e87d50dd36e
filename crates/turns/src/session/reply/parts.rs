//! Takes what a model wrote apart, line by line, as it comes: programs, other blocks, thoughts, prose.

use crate::session::reply::code::Place;
use ptc_lisp::escape;

/// Tags of blocks that hold programs, in lower case without `-` and `_`. No tag at all is one too. Clojure's own names
/// come first. Other Lisps follow, for models that look for a name that highlighters know: where the program is not
/// Clojure, the error of the reader says more than a refusal. EDN is how Clojure is written.
const PROGRAM_TAGS: [&str; 18] = [
    "clojure",
    "clj",
    "cljs",
    "cljc",
    "clojurescript",
    "babashka",
    "bb",
    "ptclisp",
    "ptc",
    "edn",
    "lisp",
    "commonlisp",
    "elisp",
    "emacslisp",
    "scheme",
    "racket",
    "sexp",
    "sexpr",
];

/// Names of tags that models think between. A prefix as in `<seed:think>` is allowed.
const THOUGHT_TAGS: [&str; 7] = ["think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad"];

/// A part of what a model wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// The line that opens a block; the block's tag, and whether it holds a program.
    Opens(&'a str, &'a str, bool),
    /// Of a block with a program.
    Program(&'a str),
    /// Of another block.
    Other(&'a str),
    /// The line that closes a block.
    Closes(&'a str),
    /// Of a text that so far is a program without a fence.
    Bare(&'a str),
    /// That text is no bare program: it was prose.
    NotBare,
    /// Outside blocks.
    Prose(&'a str),
    /// Of a thought, tags included.
    Draft(&'a str),
    /// A tag that ends a thought nothing had opened: everything before it was a draft.
    EndsDraft(&'a str),
}

impl<'a> Part<'a> {
    /// Its text, without the indentation of a block's lines.
    pub fn text(self) -> &'a str {
        match self {
            Part::NotBare => "",
            Part::Opens(text, ..)
            | Part::Program(text)
            | Part::Other(text)
            | Part::Closes(text)
            | Part::Bare(text)
            | Part::Prose(text)
            | Part::Draft(text)
            | Part::EndsDraft(text) => text,
        }
    }
}

/// Reads what a model wrote, line by line, and tells its parts in order.
#[derive(Default)]
pub struct PartReader {
    at: At,
    in_draft: bool,
}

#[derive(Default)]
enum At {
    /// Nothing but blanks has come.
    #[default]
    Start,
    Bare(Place),
    Prose,
    Block(Fence, Content),
}

#[derive(Clone, Copy)]
enum Content {
    Program(Place),
    Other,
}

impl PartReader {
    /// Reads a program that came in a field: so it begins with code, whatever it begins with.
    pub(super) fn of_field() -> PartReader {
        PartReader { at: At::Bare(Place::Code), in_draft: false }
    }

    /// Reads a reply that is not a bare program.
    pub(super) fn of_prose() -> PartReader {
        PartReader { at: At::Prose, in_draft: false }
    }

    /// Takes the next line, with its end.
    pub fn line<'a>(&mut self, line: &'a str, found: &mut dyn FnMut(Part<'a>)) {
        let mut rest = line;
        while !rest.is_empty() {
            let used = self.step(rest, found);
            rest = rest.get(used..).unwrap_or_default();
        }
    }

    /// Whether what came ends inside a thought.
    pub fn in_draft(&self) -> bool {
        self.in_draft
    }

    /// Whether what came ends in a string of a bare program.
    pub(super) fn in_bare_string(&self) -> bool {
        matches!(self.at, At::Bare(place) if place.in_string())
    }

    /// How many bytes of `rest`, the rest of a line, the next part takes.
    fn step<'a>(&mut self, rest: &'a str, found: &mut dyn FnMut(Part<'a>)) -> usize {
        if self.in_draft {
            let end = tags(rest).find(|t| t.closes).map(|t| t.end);
            self.in_draft = end.is_none();
            let used = end.unwrap_or(rest.len());
            found(Part::Draft(head(rest, used)));
            return used;
        }
        if matches!(self.at, At::Start) {
            if is_blank(rest) {
                found(Part::Prose(rest));
                return rest.len();
            }
            let (begin, blanks) = (trim_start(rest), rest.len().saturating_sub(trim_start(rest).len()));
            if begin.starts_with('(') {
                self.at = At::Bare(Place::Code);
            } else if let Some(tag) = tag_at(rest, blanks).filter(|t| !t.mentioned) {
                return self.tag(rest, tag, Part::Prose, found);
            } else {
                self.at = At::Prose;
            }
        }
        match &mut self.at {
            At::Start | At::Prose => {
                if let Some((fence, tag, code)) = Fence::opening(rest) {
                    let program = is_program(tag);
                    let content = if program { Content::Program(Place::Code) } else { Content::Other };
                    self.at = At::Block(fence, content);
                    let fence_line = head(rest, rest.len().saturating_sub(code.len()));
                    found(Part::Opens(fence_line, tag, program));
                    return fence_line.len();
                }
                match tags(rest).find(|t| !t.mentioned) {
                    Some(tag) => self.tag(rest, tag, Part::Prose, found),
                    None => {
                        found(Part::Prose(rest));
                        rest.len()
                    }
                }
            }
            At::Bare(place) => {
                let code = *place == Place::Code;
                let fenced = code && Fence::opening(rest).is_some();
                let tag = tags_in_code(rest, place).filter(|_| !fenced);
                if fenced || tag.is_some() {
                    self.at = At::Prose;
                    found(Part::NotBare);
                }
                match tag {
                    Some(tag) => self.tag(rest, tag, Part::Prose, found),
                    None if fenced => 0,
                    None => {
                        found(Part::Bare(rest));
                        rest.len()
                    }
                }
            }
            At::Block(fence, _) if fence.is_closed_by(rest) => {
                self.at = At::Prose;
                found(Part::Closes(rest));
                rest.len()
            }
            At::Block(fence, Content::Program(place)) => {
                let indent = rest.bytes().take(fence.indent).take_while(|b| matches!(b, b' ' | b'\t')).count();
                let line = rest.get(indent..).unwrap_or_default();
                match tags_in_code(line, place) {
                    Some(tag) => indent.saturating_add(self.tag(line, tag, Part::Program, found)),
                    None => {
                        found(Part::Program(line));
                        rest.len()
                    }
                }
            }
            At::Block(_, Content::Other) => {
                // A draft may leave a block open.
                match tags(rest).next().filter(|t| t.closes && head(rest, t.start).trim().is_empty()) {
                    Some(tag) if rest.get(tag.end..).is_some_and(is_blank) => self.tag(rest, tag, Part::Other, found),
                    _ => {
                        found(Part::Other(rest));
                        rest.len()
                    }
                }
            }
        }
    }

    /// Takes what comes before a tag, and the tag.
    fn tag<'a>(
        &mut self,
        text: &'a str,
        tag: Tag,
        before: fn(&'a str) -> Part<'a>,
        found: &mut dyn FnMut(Part<'a>),
    ) -> usize {
        if tag.start > 0 {
            found(before(head(text, tag.start)));
        }
        let own = text.get(tag.start..tag.end).unwrap_or_default();
        if tag.closes {
            self.at = At::Start;
            found(Part::EndsDraft(own));
        } else {
            self.in_draft = true;
            found(Part::Draft(own));
        }
        tag.end
    }
}

fn head(text: &str, end: usize) -> &str {
    text.get(..end).unwrap_or_default()
}

fn is_program(tag: &str) -> bool {
    let tag: String = tag.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect();
    tag.is_empty() || PROGRAM_TAGS.contains(&tag.as_str())
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || escape::hidden(c)
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// The marks that opened a block.
struct Fence {
    mark: char,
    length: usize,
    /// Bytes before the marks: so many blanks are no part of the block's lines.
    indent: usize,
}

impl Fence {
    /// The marks at the beginning of a line, and what follows them.
    fn marks(line: &str) -> Option<(Fence, &str)> {
        let text = trim_start(line);
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len().saturating_sub(info.len());
        let indent = line.len().saturating_sub(text.len());
        (length >= 3).then_some((Fence { mark, length, indent }, info))
    }

    /// Of a line that opens a block: its tag, and the code that some models write behind the tag.
    fn opening(line: &str) -> Option<(Fence, &str, &str)> {
        let (fence, info) = Fence::marks(line)?;
        // "```x```" on one line is code in prose.
        if fence.mark == '`' && info.contains('`') {
            return None;
        }
        let info = info.trim_start_matches(|c| is_space(c) || matches!(c, '{' | '.'));
        let tag = info.split(|c: char| is_space(c) || matches!(c, '{' | '}' | ',' | '(' | ':' | ';' | '=')).next()?;
        let code = trim_start(info.strip_prefix(tag)?);
        Some((fence, tag, if code.starts_with('(') && is_program(tag) { code } else { "" }))
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let end =
            Fence::marks(line).filter(|(f, info)| f.mark == self.mark && f.length >= self.length && is_blank(info));
        end.is_some()
    }
}

/// A tag that begins or ends a thought.
#[derive(Clone, Copy)]
struct Tag {
    start: usize,
    end: usize,
    closes: bool,
    /// Whether it stands between quotes or backticks: prose speaks of it.
    mentioned: bool,
}

/// The tags of thoughts in a line.
fn tags(line: &str) -> impl Iterator<Item = Tag> + '_ {
    line.char_indices().filter_map(|(at, _)| tag_at(line, at))
}

/// The first tag in code; in strings and comments there is none. `place` is where the line begins, and then where the
/// text before the tag, or the line, ends.
fn tags_in_code(line: &str, place: &mut Place) -> Option<Tag> {
    for (at, c) in line.char_indices() {
        let tag = if (*place, c) == (Place::Code, '<') { tag_at(line, at) } else { None };
        if tag.is_some() {
            return tag;
        }
        *place = place.after(c);
    }
    None
}

/// The tag at a byte: `<think>`, `</think>`, `<seed:think budget="9">`; `[THINK]` and `◁think▷`, as some models write them.
fn tag_at(line: &str, start: usize) -> Option<Tag> {
    let text = line.get(start..)?;
    let (open, close) = match text.chars().next()? {
        '<' => ('<', '>'),
        '[' => ('[', ']'),
        '\u{25c1}' => ('\u{25c1}', '\u{25b7}'),
        _ => return None,
    };
    let inside = text.strip_prefix(open)?;
    let closes = inside.starts_with('/');
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    let name = inside.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '-'))).next()?;
    let own = name.rsplit(':').next()?;
    let known = THOUGHT_TAGS.iter().any(|t| own.eq_ignore_ascii_case(t));
    let after = inside.strip_prefix(name)?;
    let attributes = after.split([open, close, '\n']).next()?;
    let plain = attributes.is_empty() || open == '<' && attributes.starts_with(char::is_whitespace);
    // `[think]` is a vector, or a link. `<think/>` holds nothing.
    let ends = after.get(attributes.len()..)?.starts_with(close) && !attributes.ends_with('/');
    if !(known && plain && ends) || open == '[' && own != "THINK" {
        return None;
    }
    let end = line.len().saturating_sub(after.len()).saturating_add(attributes.len()).saturating_add(close.len_utf8());
    let around = (head(line, start).chars().next_back(), line.get(end..)?.chars().next());
    let mentioned = matches!(
        around,
        (Some('`'), Some('`'))
            | (Some('"'), Some('"'))
            | (Some('\''), Some('\''))
            | (Some('\u{201c}'), Some('\u{201d}'))
    );
    Some(Tag { start, end, closes, mentioned })
}
