//! The lexer: cuts the source into brackets, prefixes and atoms, and knows nothing of nesting.

use super::char_class::{BLANK, COLON_OR_SLASH, ENDS, LETTER, MACRO, ODD, class, is_invisible, is_wide_blank};
use super::delimiters::{Open, Prefix};
use super::error::{fault, shown};
use super::mode::ReadMode;
use super::own_names::OwnNames;
use super::{names, number, string_literals};
use crate::error::Error;
use crate::form::{Form, Kind, Name, defines};
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
    /// A form of one token; it is put where the caller said, since moving forms about costs more than making them.
    Atom,
    /// The end of the source.
    End,
}

/// What most tokens are: brackets, plain symbols and keywords, short numbers, strings without escapes.
pub(super) enum Common {
    /// A form of one token.
    Atom,
    /// An opening bracket.
    Open(Bracket),
    /// `)`, `]` or `}`.
    Close(char),
    /// The end of the source.
    End,
    /// Anything else, which has not been looked at yet.
    Rare,
}

/// Which opening bracket.
pub(super) enum Bracket {
    List,
    Vector,
    Map,
}

/// Reads tokens from a place in the source on.
pub(super) struct Lexer<'a> {
    source: &'a str,
    /// Where the next token is looked for; one past the last one.
    pub(super) at: usize,
    /// What `::name` means.
    pub(super) own: OwnNames<'a>,
    /// How the text is read.
    pub(super) mode: ReadMode,
    /// How many words so far may begin a definition.
    pub(super) definitions: usize,
}

type Bytes<'a> = IResult<&'a [u8], &'a [u8], ()>;

impl<'a> Lexer<'a> {
    /// A lexer that starts at byte `at`.
    pub(super) fn new(source: &'a str, at: usize) -> Self {
        Lexer { source, at, own: OwnNames::default(), mode: ReadMode::program(), definitions: 0 }
    }

    /// The next token, if it is one of the commonest; a form is pushed on `forms`. The lexer is where it starts, or
    /// behind a form.
    #[inline(always)]
    pub(super) fn common(&mut self, forms: &mut Vec<Form>) -> Common {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        let first = loop {
            match bytes.get(at) {
                Some(b) if class(*b) & BLANK != 0 => at += 1,
                Some(b) => break *b,
                None => return Common::End,
            }
        };
        self.at = at;
        let start = at;
        match first {
            b'(' => return Common::Open(Bracket::List),
            b'[' => return Common::Open(Bracket::Vector),
            b'{' => return Common::Open(Bracket::Map),
            b')' | b']' | b'}' => return Common::Close(char::from(first)),
            b'"' => {
                let ends = |b: &u8| *b == b'"' || *b == b'\\';
                let length = bytes.get(start + 1..).and_then(|rest| rest.iter().position(ends));
                let Some(end) = length.map(|n| start + 1 + n).filter(|end| bytes.get(*end) == Some(&b'"')) else {
                    return Common::Rare;
                };
                self.at = end + 1;
                let kind = Kind::Str(self.slice(start + 1, end).into());
                forms.push(Form::new(Span::new(start, self.at), kind));
                return Common::Atom;
            }
            b':' | b'0'..=b'9' => {}
            _ if class(first) & LETTER != 0 => {}
            _ => return Common::Rare,
        }
        at += 1;
        let mut classes = 0;
        while let Some(b) = bytes.get(at) {
            let class = class(*b);
            if class & ENDS != 0 {
                break;
            }
            classes |= class;
            at += 1;
        }
        let Some(word) = self.source.get(start..at).filter(|_| classes & (COLON_OR_SLASH | ODD) == 0) else {
            return Common::Rare;
        };
        let kind = match first {
            b':' => match word.get(1..) {
                Some(name) if !name.is_empty() => Kind::Keyword(Name { ns: None, name: name.into() }),
                _ => return Common::Rare,
            },
            b'0'..=b'9' => match number::short_decimal(word.as_bytes()) {
                Some(int) if classes & MACRO == 0 => Kind::Int(int),
                _ => return Common::Rare,
            },
            _ if matches!(word, "nil" | "true" | "false") => return Common::Rare,
            _ => {
                self.definitions += usize::from(defines(word));
                Kind::Symbol(Name { ns: None, name: word.into() })
            }
        };
        self.at = at;
        forms.push(Form::new(Span::new(start, at), kind));
        Common::Atom
    }

    /// Behind one byte.
    pub(super) fn pass(&mut self) {
        self.at += 1;
    }

    /// The next token and where it starts. If it is a form, that is pushed on `forms`.
    pub(super) fn next(&mut self, forms: &mut Vec<Form>) -> Result<(Token<'a>, usize), Error> {
        self.skip_blanks();
        let start = self.at;
        let Some(byte) = self.peek(0) else { return Ok((Token::End, start)) };
        let kind = match byte {
            b'(' => return Ok((self.short(1, Token::Open(Open::List)), start)),
            b')' => return Ok((self.short(1, Token::Close(')')), start)),
            b'[' => return Ok((self.short(1, Token::Open(Open::Vector)), start)),
            b']' => return Ok((self.short(1, Token::Close(']')), start)),
            b'{' => return Ok((self.short(1, Token::Open(Open::Map)), start)),
            b'}' => return Ok((self.short(1, Token::Close('}')), start)),
            b'\'' if self.mode.edn => return self.name(forms),
            b'@' | b'`' | b'~' if self.mode.edn => {
                let words = format!("Invalid leading character: {}", char::from(byte));
                return Err(fault(&words, start, start + 1).hint("data has no quotes: it is read and not run"));
            }
            b'\'' => return Ok((self.short(1, Token::Prefix(Prefix::Quote)), start)),
            b'@' => return Ok((self.short(1, Token::Prefix(Prefix::Deref)), start)),
            b'^' => return Ok((self.short(1, Token::Prefix(Prefix::Meta)), start)),
            b'"' => Kind::Str(
                string_literals::string(self.source, &mut self.at)?
                    .ok_or_else(|| self.unterminated(start, "string"))?
                    .into(),
            ),
            b'\\' => self.character()?,
            b'#' if self.peek(1) == Some(b'"') && !self.mode.edn => Kind::Regex(
                string_literals::regex(self.source, &mut self.at).ok_or_else(|| self.unterminated(start, "regex"))?,
            ),
            b'#' if self.peek(1) == Some(b'#') => Kind::Float(self.symbolic()?),
            b'#' => return Ok((self.dispatch()?, start)),
            b'0'..=b'9' => return self.number(forms),
            b'+' | b'-' if self.peek(1).is_some_and(|b| b.is_ascii_digit()) => return self.number(forms),
            b'`' => return Ok((self.short(1, Token::Prefix(Prefix::SyntaxQuote)), start)),
            b'~' if self.peek(1) == Some(b'@') => {
                return Ok((self.short(2, Token::Prefix(Prefix::UnquoteSplicing)), start));
            }
            b'~' => return Ok((self.short(1, Token::Prefix(Prefix::Unquote)), start)),
            _ => return self.name(forms),
        };
        forms.push(Form::new(Span::new(start, self.at), kind));
        Ok((Token::Atom, start))
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
                Some(b) if class(b) & BLANK != 0 => self.at += 1,
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

    /// The text of a name that starts here, and the classes of its bytes but the first.
    fn word(&mut self) -> Result<(&'a str, u8), Error> {
        let start = self.at;
        let taken = self.source.as_bytes().get(start..).unwrap_or_default();
        let (mut first, mut classes) = (0, 0);
        for (n, b) in taken.iter().enumerate() {
            let class = class(*b);
            if class & ENDS != 0 {
                break;
            }
            self.at += 1;
            if n == 0 {
                first = class;
            } else {
                classes |= class;
            }
        }
        if (classes | first) & ODD != 0 {
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

    // The common symbols, keywords and numbers are built where they stay; a form that goes through a `Result` is
    // copied there, which costs as much as reading it.
    fn name(&mut self, forms: &mut Vec<Form>) -> Result<(Token<'a>, usize), Error> {
        let start = self.at;
        let (word, classes) = self.word()?;
        let span = Span::new(start, self.at);
        self.definitions += usize::from(word.contains("de"));
        let simple = classes & COLON_OR_SLASH == 0;
        let kind = match (word.as_bytes(), word) {
            ([b':', _, ..], _) if simple => {
                let name = word.get(1..).unwrap_or_default().into();
                forms.push(Form::new(span, Kind::Keyword(Name { ns: None, name })));
                return Ok((Token::Atom, start));
            }
            ([b':', b':', ..], _) if self.mode.edn => {
                return Err(fault(&format!("Invalid token: {}", shown(word)), start, self.at)
                    .hint("data is in no namespace: write it with its own, :name/key"));
            }
            ([b':', b':', ..], _) => self.own.keyword(word).map_err(|error| error.at(span))?,
            ([b':' | b'/' | b'.' | b'+' | b'-', ..], _) | (_, "nil" | "true" | "false") => {
                names::name(word, simple && !word.starts_with([':', '/'])).map_err(|error| error.at(span))?
            }
            _ if simple => {
                forms.push(Form::new(span, Kind::Symbol(Name { ns: None, name: word.into() })));
                return Ok((Token::Atom, start));
            }
            _ => names::name(word, false).map_err(|error| error.at(span))?,
        };
        forms.push(Form::new(span, kind));
        Ok((Token::Atom, start))
    }

    fn number(&mut self, forms: &mut Vec<Form>) -> Result<(Token<'a>, usize), Error> {
        let start = self.at;
        let taken = self.take(take_while(|b| class(b) & (ENDS | MACRO) == 0));
        if let Some(int) = number::short_decimal(taken) {
            forms.push(Form::new(Span::new(start, self.at), Kind::Int(int)));
            return Ok((Token::Atom, start));
        }
        if !taken.is_ascii() {
            let blank = self.slice(start, self.at).char_indices().find(|(_, c)| is_wide_blank(*c));
            self.at = blank.map_or(self.at, |(offset, _)| start + offset);
        }
        let span = Span::new(start, self.at);
        let kind = number::number(self.slice(start, self.at)).map_err(|error| error.at(span))?;
        forms.push(Form::new(span, kind));
        Ok((Token::Atom, start))
    }

    /// `\a`: the first character is taken as it comes, be it a bracket; Clojure ends the rest as it ends a name.
    fn character(&mut self) -> Result<Kind, Error> {
        let start = self.at;
        self.at += 1;
        let Some(first) = self.slice(self.at, self.source.len()).chars().next() else {
            return Err(fault("EOF while reading character", start, self.at).hint("write \\a for the character a"));
        };
        self.at += first.len_utf8();
        self.word()?;
        string_literals::character(self.slice(start + 1, self.at))
            .map(Kind::Char)
            .map_err(|error| error.at(Span::new(start, self.at)))
    }

    /// What `#` begins.
    fn dispatch(&mut self) -> Result<Token<'a>, Error> {
        let start = self.at;
        if self.mode.edn
            && let Some(c @ (b'(' | b'\'' | b'"' | b'?')) = self.peek(1)
        {
            let words = format!("No dispatch macro for: {}", char::from(c));
            return Err(fault(&words, start, start + 2).hint("data has no code: read it with read-string"));
        }
        Ok(match self.peek(1) {
            Some(b'?') if self.peek(2) == Some(b'@') => self.short(3, Token::Prefix(Prefix::Splicing)),
            Some(b'?') => self.short(2, Token::Prefix(Prefix::Conditional)),
            Some(b'(') => self.short(2, Token::Open(Open::Lambda)),
            Some(b'{') => self.short(2, Token::Open(Open::Set)),
            Some(b'\'') => self.short(2, Token::Prefix(Prefix::Var)),
            Some(b'_') => self.short(2, Token::Prefix(Prefix::Discard)),
            Some(b'^') => self.short(2, Token::Prefix(Prefix::Meta)),
            Some(b':') => self.namespaced_map()?,
            _ => return self.tag(start),
        })
    }

    /// `##Inf` and its kind; blanks may be in it, as in Clojure.
    fn symbolic(&mut self) -> Result<f64, Error> {
        let start = self.at;
        self.at += 2;
        self.skip_blanks();
        match self.word()?.0 {
            "Inf" => Ok(f64::INFINITY),
            "-Inf" => Ok(f64::NEG_INFINITY),
            "NaN" => Ok(f64::NAN),
            other => {
                let name = other.starts_with(|c: char| !c.is_ascii_digit());
                let what = if name { "Unknown symbolic value" } else { "Invalid token" };
                let message = format!("{what}: ##{}", shown(other));
                Err(fault(&message, start, self.at).hint("there are ##Inf, ##-Inf and ##NaN"))
            }
        }
    }

    /// `#:p{` and `#::{`; blanks may be before the bracket, as in Clojure.
    fn namespaced_map(&mut self) -> Result<Token<'a>, Error> {
        let start = self.at;
        self.at += 2;
        let own = self.peek(0) == Some(b':');
        self.at += usize::from(own);
        let (word, classes) = self.word()?;
        let end = self.at;
        let hint = "write #:name{...}, or #::{...} for the namespace that the text is in";
        let problem = match (own, word.is_empty()) {
            (false, true) => Some("Namespaced map must specify a namespace".to_owned()),
            _ if classes & COLON_OR_SLASH != 0
                || word.starts_with(|c: char| c.is_ascii_digit() || c == '/' || c == ':') =>
            {
                Some(format!("Namespaced map must specify a valid namespace: {}", shown(word)))
            }
            _ => None,
        };
        self.skip_blanks();
        let problem = problem.or((self.peek(0) != Some(b'{')).then(|| "Namespaced map must specify a map".to_owned()));
        if let Some(problem) = problem {
            return Err(fault(&problem, start, end).hint(hint));
        }
        let space = if own { self.slice(start + 1, end) } else { word };
        if own && self.mode.edn {
            return Err(
                fault("Namespaced map must specify a valid namespace: ::", start, end).hint("write #:name{...}")
            );
        }
        self.own.of_map(space).map_err(|error| error.at(Span::new(start, end)))?;
        Ok(self.short(1, Token::Open(Open::Spaced(space))))
    }

    /// `#uuid`, or one of the many things that are refused.
    fn tag(&mut self, start: usize) -> Result<Token<'a>, Error> {
        self.at += 1;
        let (word, _) = self.word()?;
        let next = self.slice(start + 1, self.source.len()).chars().next();
        if self.mode.own_tags.iter().any(|t| t == word) {
            return Ok(Token::Prefix(Prefix::Tagged));
        }
        if let Some(tag) = crate::time::tag::TAGS.iter().find(|tag| **tag == word) {
            return Ok(Token::Prefix(Prefix::Time(tag)));
        }
        let (message, hint) = match (next, word) {
            (_, "uuid") => return Ok(Token::Prefix(Prefix::Uuid)),
            (_, "keyword") => return Ok(Token::Prefix(Prefix::Keyword)),
            (_, "symbol") => return Ok(Token::Prefix(Prefix::Symbol)),
            (Some('='), _) => {
                ("#= is not there: nothing is evaluated while reading".to_owned(), "write the expression itself")
            }
            (Some('<'), _) => (
                "Unreadable form: #<".to_owned(),
                "it is how something prints that has no text; write an expression for it",
            ),
            (Some(c), word)
                if c.is_alphabetic() && word.contains('.') && !word.contains('/') && !self.mode.class_tags =>
            {
                return Ok(Token::Prefix(Prefix::Record));
            }
            (Some(c), _) if c.is_alphabetic() => return Ok(Token::Prefix(Prefix::Tagged)),
            (Some(c), _) if !c.is_whitespace() => {
                (format!("No dispatch macro for: {}", c.escape_debug()), "write #{...}, #(...), #\"...\", #_ or #'")
            }
            _ => ("# stands alone".to_owned(), "write #{...}, #(...), #\"...\", #_ or #'"),
        };
        let end = self.at.max(start + 1 + next.map_or(0, char::len_utf8));
        Err(fault(&message, start, end).hint(hint))
    }

    /// Says where the text began; and since a lost quote turns text and code around from there on, names the string
    /// that first runs over lines: it is the likelier place.
    #[cold]
    fn unterminated(&self, start: usize, what: &str) -> Error {
        let (line, column) = Span::new(start, start).line_column(self.source);
        let opening = if what == "regex" { 2 } else { 1 };
        let error = fault(
            &format!("Unterminated {what}: it begins at line {line}, column {column} and never ends"),
            start,
            start + opening,
        );
        match first_over_lines(self.slice(0, start)) {
            Some(earlier) => {
                let (line, column) = Span::new(earlier, earlier).line_column(self.source);
                error.hint(format!(
                    "add the missing \"; the string at line {line}, column {column} runs over lines, so perhaps its end is what is missing"
                ))
            }
            None => error.hint("add the missing \", and write \\\" for a quote inside the string"),
        }
    }
}

/// The first string that holds a line end, in the part of a source before an error: the tokens in it have none, so that
/// the lexer cannot come back here.
fn first_over_lines(before: &str) -> Option<usize> {
    let mut lexer = Lexer::new(before, 0);
    let mut form = Vec::new();
    loop {
        form.clear();
        let (token, at) = lexer.next(&mut form).ok()?;
        match (token, form.first().map(|f| &f.kind)) {
            (Token::End, _) => return None,
            (_, Some(Kind::Str(_))) if before.get(at..lexer.at).is_some_and(|s| s.contains('\n')) => return Some(at),
            _ => {}
        }
    }
}
