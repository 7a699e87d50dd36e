//! The lexer: cuts the source into brackets, prefixes and atoms, and knows nothing of nesting.

use super::{names, number, text};
use crate::error::{Error, ErrorKind};
use crate::form::Kind;
use crate::span::Span;
use nom::bytes::complete::{take_till, take_while};
use nom::{IResult, Parser};

/// One token.
pub(super) enum Token<'a> {
    /// Something that opens a collection.
    Open(Open<'a>),
    /// `)`, `]` or `}`.
    Close(char),
    /// Something that wraps the form after it.
    Prefix(Prefix),
    /// A form of one token.
    Atom(Kind),
    /// The end of the source.
    End,
}

/// What a bracket opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open<'a> {
    List,
    Vector,
    Map,
    Set,
    Lambda,
    /// `#:p{`, with its namespace.
    Spaced(&'a str),
}

impl Open<'_> {
    /// The bracket that ends it.
    pub(super) fn closer(self) -> char {
        match self {
            Open::List | Open::Lambda => ')',
            Open::Vector => ']',
            Open::Map | Open::Set | Open::Spaced(_) => '}',
        }
    }

    /// How it is called in messages.
    pub(super) fn text(self) -> &'static str {
        match self {
            Open::List => "(",
            Open::Vector => "[",
            Open::Map => "{",
            Open::Set => "#{",
            Open::Lambda => "#(",
            Open::Spaced(_) => "#:{",
        }
    }

    /// Whether its keys must differ.
    pub(super) fn is_keyed(self) -> bool {
        matches!(self, Open::Map | Open::Set | Open::Spaced(_))
    }
}

/// What stands before a form and takes it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    Quote,
    Deref,
    Var,
    /// Takes two forms: the metadata, then what carries it.
    Meta,
    Discard,
    Uuid,
}

impl Prefix {
    /// As it is written.
    pub(super) fn text(self) -> &'static str {
        match self {
            Prefix::Quote => "'",
            Prefix::Deref => "@",
            Prefix::Var => "#'",
            Prefix::Meta => "^",
            Prefix::Discard => "#_",
            Prefix::Uuid => "#uuid",
        }
    }
}

// Classes of bytes, as bits, so that one look-up answers every question about a byte.
const BLANK: u8 = 1;
/// Ends a name or a number.
const ENDS: u8 = 2;
/// Ends a number only: Clojure's macro characters that may stand inside a name.
const MACRO: u8 = 4;
const COLON_OR_SLASH: u8 = 8;
/// Not a character that one could see; or outside ASCII, where a closer look is due.
const ODD: u8 = 16;

const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b',' | b'\t'..=b'\r' | 0x1c..=0x1f => BLANK | ENDS,
            b'"' | b';' | b'@' | b'^' | b'`' | b'~' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\\' => ENDS,
            b'#' | b'\'' | b'%' => MACRO,
            b':' | b'/' => COLON_OR_SLASH,
            0..=0x1f | 0x7f..=0xff => ODD,
            _ => 0,
        };
        byte += 1;
    }
    table
};

#[allow(clippy::indexing_slicing)] // a byte cannot be past 256 entries
fn class(byte: u8) -> u8 {
    CLASS[usize::from(byte)]
}

/// Blanks beyond ASCII: what `Character/isWhitespace` says, and the byte order mark.
fn is_wide_blank(c: char) -> bool {
    c == '\u{feff}' || (!c.is_ascii() && c.is_whitespace() && !is_invisible(c))
}

/// Characters that look like a blank or like nothing: in a name they could only mislead.
fn is_invisible(c: char) -> bool {
    let tricks = matches!(c, '\u{a0}' | '\u{ad}' | '\u{2007}' | '\u{202f}' | '\u{200b}'..='\u{200f}');
    tricks || c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

/// Reads tokens from a place in the source on.
pub(super) struct Lexer<'a> {
    source: &'a str,
    /// Where the next token is looked for; one past the last one.
    pub(super) at: usize,
}

type Bytes<'a> = IResult<&'a [u8], &'a [u8], ()>;

impl<'a> Lexer<'a> {
    /// A lexer that starts at byte `at`.
    pub(super) fn new(source: &'a str, at: usize) -> Self {
        Lexer { source, at }
    }

    /// The next token and where it starts.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, usize), Error> {
        self.skip_blanks();
        let start = self.at;
        let Some(byte) = self.peek(0) else { return Ok((Token::End, start)) };
        let token = match byte {
            b'(' => self.short(1, Token::Open(Open::List)),
            b')' => self.short(1, Token::Close(')')),
            b'[' => self.short(1, Token::Open(Open::Vector)),
            b']' => self.short(1, Token::Close(']')),
            b'{' => self.short(1, Token::Open(Open::Map)),
            b'}' => self.short(1, Token::Close('}')),
            b'\'' => self.short(1, Token::Prefix(Prefix::Quote)),
            b'@' => self.short(1, Token::Prefix(Prefix::Deref)),
            b'^' => self.short(1, Token::Prefix(Prefix::Meta)),
            b'"' => Token::Atom(Kind::Str(text::string(self.source, &mut self.at)?)),
            b'\\' => self.character()?,
            b'#' => self.dispatch()?,
            b'0'..=b'9' => self.number()?,
            b'+' | b'-' if self.peek(1).is_some_and(|b| b.is_ascii_digit()) => self.number()?,
            b'`' => {
                return Err(fault("` (syntax quote) is not there, for there are no macros", start, start + 1)
                    .hint("write a function with defn; build a list with (list 'f x) and quote data with '"));
            }
            b'~' => {
                let end = if self.peek(1) == Some(b'@') { start + 2 } else { start + 1 };
                let message = format!("{} (unquote) is not there, for there are no macros", self.slice(start, end));
                return Err(fault(&message, start, end)
                    .hint("write a function with defn; to put values into a list use list, concat or into"));
            }
            _ => self.name()?,
        };
        Ok((token, start))
    }

    /// The source between two places; empty where that would be no text.
    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.source.get(from..to).unwrap_or_default()
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.at + ahead).copied()
    }

    /// The bytes from here on that `parser` takes.
    fn take(&mut self, mut parser: impl Parser<&'a [u8], Output = &'a [u8], Error = ()>) -> &'a [u8] {
        let rest = self.source.as_bytes().get(self.at..).unwrap_or_default();
        let taken: Bytes<'a> = parser.parse(rest);
        let taken = taken.map_or(&[][..], |(_, taken)| taken);
        self.at += taken.len();
        taken
    }

    fn short(&mut self, bytes: usize, token: Token<'a>) -> Token<'a> {
        self.at += bytes;
        token
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                Some(b) if class(b) & BLANK != 0 => drop(self.take(take_while(|b| class(b) & BLANK != 0))),
                Some(b';') => self.skip_line(),
                Some(b'#') if self.peek(1) == Some(b'!') => self.skip_line(),
                Some(0x80..) => {
                    let Some(c) = self.slice(self.at, self.source.len()).chars().next() else { return };
                    if !is_wide_blank(c) {
                        return;
                    }
                    self.at += c.len_utf8();
                }
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        self.take(take_till(|b| b == b'\n' || b == b'\r'));
    }

    /// The text of a name that starts here, and the classes of all its bytes.
    fn word(&mut self) -> Result<(&'a str, u8), Error> {
        let start = self.at;
        let taken = self.take(take_while(|b| class(b) & ENDS == 0));
        let classes = taken.iter().fold(0, |all, b| all | class(*b));
        if classes & ODD != 0 {
            for (offset, c) in self.slice(start, self.at).char_indices() {
                if is_wide_blank(c) {
                    self.at = start + offset;
                    break;
                }
                if is_invisible(c) {
                    let (from, code) = (start + offset, u32::from(c));
                    return Err(fault(&format!("Invalid character: U+{code:04X}"), from, from + c.len_utf8())
                        .hint("it cannot be seen in the text; write a plain space, or take it out"));
                }
            }
        }
        Ok((self.slice(start, self.at), classes))
    }

    fn name(&mut self) -> Result<Token<'a>, Error> {
        let start = self.at;
        let (word, classes) = self.word()?;
        names::name(word, classes & COLON_OR_SLASH == 0)
            .map(Token::Atom)
            .map_err(|error| error.at(Span::new(start, self.at)))
    }

    fn number(&mut self) -> Result<Token<'a>, Error> {
        let start = self.at;
        let taken = self.take(take_while(|b| class(b) & (ENDS | MACRO) == 0));
        let mut end = start + taken.len();
        if !taken.is_ascii() {
            let blank = self.slice(start, end).char_indices().find(|(_, c)| is_wide_blank(*c));
            end = blank.map_or(end, |(offset, _)| start + offset);
        }
        self.at = end;
        number::number(self.slice(start, end)).map(Token::Atom).map_err(|error| error.at(Span::new(start, end)))
    }

    /// `\a`: the first character is taken as it comes, be it a bracket; Clojure ends the rest as it ends a name.
    fn character(&mut self) -> Result<Token<'a>, Error> {
        let start = self.at;
        self.at += 1;
        let Some(first) = self.slice(self.at, self.source.len()).chars().next() else {
            return Err(fault("EOF while reading character", start, self.at).hint("write \\a for the character a"));
        };
        self.at += first.len_utf8();
        self.word()?;
        text::character(self.slice(start + 1, self.at))
            .map(|c| Token::Atom(Kind::Char(c)))
            .map_err(|error| error.at(Span::new(start, self.at)))
    }

    /// What `#` begins.
    fn dispatch(&mut self) -> Result<Token<'a>, Error> {
        let start = self.at;
        Ok(match self.peek(1) {
            Some(b'(') => self.short(2, Token::Open(Open::Lambda)),
            Some(b'{') => self.short(2, Token::Open(Open::Set)),
            Some(b'\'') => self.short(2, Token::Prefix(Prefix::Var)),
            Some(b'_') => self.short(2, Token::Prefix(Prefix::Discard)),
            Some(b'^') => self.short(2, Token::Prefix(Prefix::Meta)),
            Some(b'"') => Token::Atom(Kind::Regex(text::regex(self.source, &mut self.at)?)),
            Some(b':') => self.namespaced_map()?,
            Some(b'#') => {
                self.at += 2;
                self.skip_blanks();
                let (word, _) = self.word()?;
                Token::Atom(Kind::Float(match word {
                    "Inf" => f64::INFINITY,
                    "-Inf" => f64::NEG_INFINITY,
                    "NaN" => f64::NAN,
                    other => {
                        let message = format!("Unknown symbolic value: ##{}", text::shown(other));
                        return Err(fault(&message, start, self.at).hint("there are ##Inf, ##-Inf and ##NaN"));
                    }
                }))
            }
            _ => return self.tag(start),
        })
    }

    /// `#:p{` and `#::{`; blanks may stand before the bracket, as in Clojure.
    fn namespaced_map(&mut self) -> Result<Token<'a>, Error> {
        let start = self.at;
        self.at += 2;
        let own = self.peek(0) == Some(b':');
        self.at += usize::from(own);
        let (word, classes) = self.word()?;
        let end = self.at;
        let hint = "write #:name{...}, or #::{...} for the namespace user";
        let problem = match (own, word.is_empty()) {
            (false, true) => Some("Namespaced map must specify a namespace".to_owned()),
            (true, false) => Some(format!("Unknown auto-resolved namespace alias: {}", text::shown(word))),
            _ if classes & COLON_OR_SLASH != 0 || word.starts_with(|c: char| c.is_ascii_digit()) => {
                Some(format!("Namespaced map must specify a valid namespace: {}", text::shown(word)))
            }
            _ => None,
        };
        self.skip_blanks();
        let problem = problem.or((self.peek(0) != Some(b'{')).then(|| "Namespaced map must specify a map".to_owned()));
        if let Some(problem) = problem {
            return Err(fault(&problem, start, end).hint(hint));
        }
        Ok(self.short(1, Token::Open(Open::Spaced(if own { "user" } else { word }))))
    }

    /// `#uuid`, or one of the many things that are refused.
    fn tag(&mut self, start: usize) -> Result<Token<'a>, Error> {
        self.at += 1;
        let (word, _) = self.word()?;
        let next = self.slice(start + 1, self.source.len()).chars().next();
        let (message, hint) = match (next, word) {
            (_, "uuid") => return Ok(Token::Prefix(Prefix::Uuid)),
            (_, "inst") => ("#inst is not there: no dates".to_owned(), "write the date as a string, \"2024-01-31\""),
            (Some('='), _) => ("#= is not there: nothing is evaluated while reading".to_owned(), "write the expression itself"),
            (Some('<'), _) => {
                ("Unreadable form: #<".to_owned(), "it is how something prints that has no text; write an expression for it")
            }
            (Some('?'), _) => {
                ("Conditional read not allowed: #?".to_owned(), "write the :clj branch alone, without #?( )")
            }
            (Some(c), word) if c.is_alphabetic() && word.contains('.') => {
                (format!("records are not there: #{}", text::shown(word)), "write a plain map, {:a 1}")
            }
            (Some(c), word) if c.is_alphabetic() => {
                (format!("No reader function for tag {}", text::shown(word)), "the only tag is #uuid; write the value without a tag")
            }
            (Some(c), _) if !c.is_whitespace() => {
                (format!("No dispatch macro for: {}", c.escape_debug()), "write #{...}, #(...), #\"...\", #_ or #'")
            }
            _ => ("# stands alone".to_owned(), "write #{...}, #(...), #\"...\", #_ or #'"),
        };
        let end = self.at.max(start + 1 + next.map_or(0, char::len_utf8));
        Err(fault(&message, start, end).hint(hint))
    }
}

/// A parse error at a place.
pub(super) fn fault(message: &str, from: usize, to: usize) -> Error {
    Error::new(ErrorKind::Parse, message).at(Span::new(from, to))
}
