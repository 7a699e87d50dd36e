//! Java's regex syntax, read into tokens. Flags are resolved here, letter by letter, so that a token means the same
//! wherever it stands: `\w \d \s \b` and case-insensitivity are ASCII, as in Java from version 19 on, `.` and `^ $` know all of
//! Java's line ends.

use super::token::{Assertion, Fold, Group, Kind, Token};
use crate::value::regex::Flags;
use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// Why a pattern cannot be used: what is wrong, and what to use instead.
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to use instead, if there is something.
    pub hint: Option<&'static str>,
}

pub(super) type Res<T = ()> = Result<T, Problem>;

pub(super) fn wrong<T>(message: impl Into<String>) -> Res<T> {
    Err(Problem { message: message.into(), hint: None })
}

fn refuse<T>(what: &str, hint: &'static str) -> Res<T> {
    Err(Problem { message: format!("regexes have no {what} here"), hint: Some(hint) })
}

/// Deepest nesting of groups: trees of patterns are walked by recursion.
const GROUP_DEPTH: usize = 100;

pub(super) struct Parser<'p> {
    pub(super) chars: Peekable<Chars<'p>>,
    /// The class that is being spelled.
    pub(super) out: String,
    pub(super) flags: Flags,
    tokens: Vec<Token>,
    /// Flags to go back to at the end of each open group.
    open: Vec<Flags>,
    /// The names of the groups so far.
    groups: Vec<Option<Box<str>>>,
    /// Whether a quantifier may follow.
    quantifiable: bool,
}

/// The tokens of a pattern.
pub fn parse(pattern: &str, flags: Flags) -> Res<Vec<Token>> {
    let mut t = Parser {
        chars: pattern.chars().peekable(),
        out: String::new(),
        flags,
        tokens: Vec::new(),
        open: Vec::new(),
        groups: Vec::new(),
        quantifiable: false,
    };
    while let Some(c) = t.chars.next() {
        if flags.literal { t.letter(c)? } else { t.item(c)? }
    }
    if !t.open.is_empty() {
        return wrong("Unclosed group");
    }
    Ok(t.tokens)
}

/// A character as itself, wherever it is.
pub(super) fn literal(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || (c > '\u{9f}' && c.is_alphanumeric()) {
        out.push(c);
    } else {
        let _ = write!(out, "\\x{{{:x}}}", u32::from(c));
    }
}

/// The other case of an ASCII letter.
pub(super) fn other_case(c: char) -> Option<char> {
    if c.is_ascii_lowercase() {
        Some(c.to_ascii_uppercase())
    } else if c.is_ascii_uppercase() {
        Some(c.to_ascii_lowercase())
    } else {
        None
    }
}

/// The classes by a letter, as what is inside brackets.
fn class_of(letter: char) -> Option<&'static str> {
    Some(match letter {
        'd' => "0-9",
        'w' => "a-zA-Z_0-9",
        's' => " \\t\\n\\x0B\\f\\r",
        'h' => " \\t\\x{A0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}",
        'v' => "\\n\\x0B\\f\\r\\x{85}\\x{2028}\\x{2029}",
        _ => return None,
    })
}

/// `\d` and the like, `\D` and the like, as a bracketed class.
pub(super) fn shorthand(letter: char, unicode: bool) -> Option<String> {
    let class = match letter.to_ascii_lowercase() {
        'd' if unicode => "\\p{Nd}",
        'w' if unicode => "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}",
        's' if unicode => "\\p{White_Space}",
        letter => class_of(letter)?,
    };
    Some(if letter.is_ascii_lowercase() { format!("[{class}]") } else { format!("[^{class}]") })
}

impl Parser<'_> {
    pub(super) fn next(&mut self, what: &str) -> Res<char> {
        match self.chars.next() {
            Some(c) => Ok(c),
            None => wrong(format!("the pattern ends inside {what}")),
        }
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        self.chars.next_if_eq(&c).is_some()
    }

    fn put(&mut self, token: Token) {
        self.tokens.push(token);
    }

    fn class_token(&mut self, class: impl Into<Box<str>>) {
        self.put(Token::Class(class.into()));
    }

    fn item(&mut self, c: char) -> Res {
        let could = std::mem::replace(&mut self.quantifiable, true);
        match c {
            '\\' => self.escape(),
            '[' => {
                self.class(0)?;
                let mut class = std::mem::take(&mut self.out);
                if self.flags.insensitive && self.flags.unicode_case {
                    class = format!("(?i:{class})");
                }
                self.class_token(class);
                Ok(())
            }
            '(' => self.group(),
            ')' => {
                let Some(flags) = self.open.pop() else { return wrong("Unmatched closing ')'") };
                self.flags = flags;
                self.put(Token::Close);
                Ok(())
            }
            '.' => {
                self.class_token(match (self.flags.dot_all, self.flags.unix_lines) {
                    (true, _) => "(?s:.)",
                    (false, true) => "[^\\n]",
                    (false, false) => "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]",
                });
                Ok(())
            }
            '^' => {
                self.put(Token::Assert(match (self.flags.multiline, self.flags.unix_lines) {
                    (false, _) => Assertion::Begin,
                    (true, false) => Assertion::LineBegin,
                    (true, true) => Assertion::UnixLineBegin,
                }));
                Ok(())
            }
            '$' => {
                self.put(Token::Assert(match (self.flags.multiline, self.flags.unix_lines) {
                    (false, false) => Assertion::LastLineEnd,
                    (false, true) => Assertion::UnixLastLineEnd,
                    (true, false) => Assertion::LineEnd,
                    (true, true) => Assertion::UnixLineEnd,
                }));
                Ok(())
            }
            '|' => {
                self.put(Token::Alternate);
                self.quantifiable = false;
                Ok(())
            }
            '*' | '+' | '?' => {
                if !could {
                    return wrong(format!("Dangling meta character '{c}'"));
                }
                let (min, max) = match c {
                    '*' => (0, None),
                    '+' => (1, None),
                    _ => (0, Some(1)),
                };
                self.repeat(min, max);
                Ok(())
            }
            '{' => {
                if !could {
                    return wrong("Illegal repetition: { must follow what it repeats; write \\{ for the character");
                }
                self.counted()
            }
            c if self.flags.comments && c.is_ascii_whitespace() => {
                self.quantifiable = could;
                Ok(())
            }
            '#' if self.flags.comments => {
                self.quantifiable = could;
                while self.chars.next_if(|c| *c != '\n').is_some() {}
                Ok(())
            }
            c => self.letter(c),
        }
    }

    fn letter(&mut self, c: char) -> Res {
        if self.flags.insensitive && self.flags.unicode_case && c.is_alphabetic() {
            self.class_token(format!("(?i:[\\x{{{:x}}}])", u32::from(c)));
            return Ok(());
        }
        match other_case(c).filter(|_| self.flags.insensitive) {
            Some(o) => self.class_token(format!("[{c}{o}]")),
            None => self.put(Token::Char(c)),
        }
        Ok(())
    }

    fn repeat(&mut self, min: u32, max: Option<u32>) {
        self.quantifiable = false;
        let kind = if self.eat('?') {
            Kind::Lazy
        } else if self.eat('+') {
            Kind::Possessive
        } else {
            Kind::Greedy
        };
        self.put(Token::Repeat { min, max, kind });
    }

    fn counted(&mut self) -> Res {
        let mut text = String::new();
        loop {
            match self.next("a repetition")? {
                '}' => break,
                c if (c.is_ascii_digit() || c == ',') && text.len() < 24 => text.push(c),
                _ => return wrong("Illegal repetition: write {n}, {n,} or {n,m}, or \\{ for the character"),
            }
        }
        let (low, high) = text.split_once(',').unwrap_or((&text, &text));
        if low.is_empty() {
            return wrong("Illegal repetition: write {n}, {n,} or {n,m}, or \\{ for the character");
        }
        let number = |digits: &str| match digits.parse::<i32>().ok().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(n),
            None => wrong("Illegal repetition range"),
        };
        let min = number(low)?;
        let max = if high.is_empty() { None } else { Some(number(high)?) };
        if max.is_some_and(|max| min > max) {
            return wrong("Illegal repetition range");
        }
        self.repeat(min, max);
        Ok(())
    }

    /// A group's name, after `<`.
    fn name(&mut self) -> Res<Box<str>> {
        let mut name = String::new();
        loop {
            match self.next("a group's name")? {
                '>' if !name.is_empty() => return Ok(name.into()),
                c if c.is_ascii_alphabetic() || (c.is_ascii_digit() && !name.is_empty()) => name.push(c),
                _ => return wrong("a group's name is made of letters and digits, and begins with a letter"),
            }
        }
    }

    fn group(&mut self) -> Res {
        let outer = self.flags;
        self.quantifiable = false;
        let group = if !self.eat('?') {
            self.groups.push(None);
            Group::Capture(None)
        } else {
            match self.next("a group")? {
                ':' => Group::Plain,
                c @ ('=' | '!') => Group::Look { behind: false, negative: c == '!' },
                '>' => Group::Atomic,
                '<' => match self.chars.next_if(|c| matches!(c, '=' | '!')) {
                    Some(c) => Group::Look { behind: true, negative: c == '!' },
                    None => {
                        let name = self.name()?;
                        if self.groups.iter().any(|g| g.as_deref() == Some(&*name)) {
                            return wrong(format!("Named capturing group <{name}> is already defined"));
                        }
                        self.groups.push(Some(name.clone()));
                        Group::Capture(Some(name))
                    }
                },
                c => return self.flag_group(c, outer),
            }
        };
        self.open(group, outer)
    }

    fn open(&mut self, group: Group, outer: Flags) -> Res {
        if self.open.len() >= GROUP_DEPTH {
            return wrong(format!("groups are nested deeper than {GROUP_DEPTH}"));
        }
        self.put(Token::Open(group));
        self.open.push(outer);
        Ok(())
    }

    /// `(?i)` and `(?i:...)`.
    fn flag_group(&mut self, first: char, outer: Flags) -> Res {
        let (mut c, mut on) = (first, true);
        loop {
            match c {
                'i' => self.flags.insensitive = on,
                'm' => self.flags.multiline = on,
                's' => self.flags.dot_all = on,
                'x' => self.flags.comments = on,
                'd' => self.flags.unix_lines = on,
                'u' => self.flags.unicode_case = on,
                'U' => (self.flags.unicode_classes, self.flags.unicode_case) = (on, on),
                '-' => on = false,
                ':' => return self.open(Group::Plain, outer),
                // To the end of the group around it, whose own flags come back there.
                ')' => return Ok(()),
                _ => return wrong(format!("Unknown inline modifier '{c}'")),
            }
            c = self.next("a group")?;
        }
    }

    fn escape(&mut self) -> Res {
        let c = self.next("an escape")?;
        if let Some(class) = shorthand(c, self.flags.unicode_classes) {
            self.class_token(class);
            return Ok(());
        }
        match c {
            'b' if self.chars.peek() == Some(&'{') => return refuse("\\b{...}", "write \\b for the edge of a word"),
            'b' if self.flags.unicode_classes => self.put(Token::Assert(Assertion::UnicodeWord)),
            'B' if self.flags.unicode_classes => self.put(Token::Assert(Assertion::NotUnicodeWord)),
            'b' => self.put(Token::Assert(Assertion::Word)),
            'B' => self.put(Token::Assert(Assertion::NotWord)),
            'A' => self.put(Token::Assert(Assertion::Begin)),
            'z' => self.put(Token::Assert(Assertion::End)),
            'Z' if self.flags.unix_lines => self.put(Token::Assert(Assertion::UnixLastLineEnd)),
            'Z' => self.put(Token::Assert(Assertion::LastLineEnd)),
            'G' => self.put(Token::Assert(Assertion::LastMatch)),
            'R' => self.put(Token::LineBreak),
            'p' | 'P' => {
                let class = self.named_class(c == 'P')?;
                self.class_token(class);
            }
            'Q' => {
                while let Some(c) = self.chars.next() {
                    if c == '\\' && self.eat('E') {
                        break;
                    }
                    self.letter(c)?;
                }
            }
            'E' => self.quantifiable = false,
            'k' => {
                if !self.eat('<') {
                    return wrong("\\k is not followed by '<' for named capturing group");
                }
                let name = self.name()?;
                match self.groups.iter().position(|g| g.as_deref() == Some(&*name)) {
                    Some(at) => self.back_reference(at.saturating_add(1))?,
                    None => return wrong(format!("named capturing group <{name}> does not exist")),
                }
            }
            '1'..='9' => {
                let mut group = c.to_digit(10).unwrap_or_default() as usize;
                // Further digits count as long as there is such a group.
                while let Some(d) = self.chars.peek().and_then(|c| c.to_digit(10)) {
                    let more = group * 10 + d as usize;
                    if more > self.groups.len() {
                        break;
                    }
                    group = more;
                    self.chars.next();
                }
                self.back_reference(group)?;
            }
            'X' => return refuse("\\X", "use . for one character"),
            'N' => return refuse("\\N{...}", "write the character itself, or its code as \\x{...}"),
            c => {
                let c = self.escaped(c)?;
                self.letter(c)?;
            }
        }
        Ok(())
    }

    fn back_reference(&mut self, group: usize) -> Res {
        if self.flags.insensitive && self.flags.unicode_case {
            return refuse("back-references with the flags i and u", "use (?i) without u, which folds ASCII letters");
        }
        let fold = if self.flags.insensitive { Fold::Ascii } else { Fold::None };
        self.put(Token::Back { group: u32::try_from(group).unwrap_or(u32::MAX), fold });
        Ok(())
    }

    /// A character written by an escape.
    pub(super) fn escaped(&mut self, c: char) -> Res<char> {
        Ok(match c {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            '0' => {
                let mut code = 0;
                let mut digits = 0;
                while digits < 3
                    && let Some(d) = self.chars.peek().and_then(|c| c.to_digit(8)).filter(|d| code * 8 + d <= 0o377)
                {
                    self.chars.next();
                    code = code * 8 + d;
                    digits += 1;
                }
                if digits == 0 {
                    return wrong("Illegal octal escape sequence");
                }
                char::from_u32(code).unwrap_or_default()
            }
            'x' if self.eat('{') => {
                let mut code = 0u32;
                loop {
                    match self.next("\\x{")? {
                        '}' => break,
                        c => {
                            code = c
                                .to_digit(16)
                                .and_then(|d| code.checked_mul(16)?.checked_add(d))
                                .map_or_else(|| wrong("Illegal hexadecimal escape sequence"), Ok)?
                        }
                    }
                }
                char::from_u32(code).map_or_else(|| wrong("Illegal hexadecimal escape sequence"), Ok)?
            }
            'x' => char::from_u32(self.hex(2)?).unwrap_or_default(),
            'u' => {
                let high = self.hex(4)?;
                let code = if (0xd800..0xdc00).contains(&high) && self.eat('\\') && self.eat('u') {
                    let low = self.hex(4)?;
                    0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff)
                } else {
                    high
                };
                char::from_u32(code).map_or_else(|| wrong("Illegal Unicode escape sequence"), Ok)?
            }
            'c' => {
                let c = self.next("\\c")?;
                char::from_u32(u32::from(c) ^ 64).unwrap_or(c)
            }
            c if c.is_ascii_alphabetic() => return wrong(format!("Illegal/unsupported escape sequence \\{c}")),
            c => c,
        })
    }

    fn hex(&mut self, digits: u32) -> Res<u32> {
        let mut code = 0;
        for _ in 0..digits {
            match self.next("an escape")?.to_digit(16) {
                Some(d) => code = code * 16 + d,
                None => return wrong("Illegal hexadecimal escape sequence"),
            }
        }
        Ok(code)
    }
}
