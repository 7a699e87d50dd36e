//! Java's regex syntax in the spelling of the linear engine. Flags are resolved here, letter by letter, since the two
//! mean different things by them: `\w \d \s \b` and case-insensitivity are ASCII (difference 6), `.` and `^ $` know
//! all of Java's line ends.

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
    Err(Problem { message: format!("regexes have no {what} here, so that they run in linear time"), hint: Some(hint) })
}

const LOOKAROUND_HINT: &str =
    "match a wider pattern with a group, (re-find #\"a(b)\" s), and take the group; or filter the matches afterwards";
const BACK: &str = "capture both places in groups and compare them with =";

#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) insensitive: bool,
    multiline: bool,
    dot_all: bool,
    pub(super) comments: bool,
    unix_lines: bool,
}

pub(super) struct Translator<'p> {
    pub(super) chars: Peekable<Chars<'p>>,
    pub(super) out: String,
    pub(super) flags: Flags,
    /// Flags to go back to at the end of each open group.
    open: Vec<Flags>,
    /// Whether a quantifier may follow.
    quantifiable: bool,
}

/// The pattern in the engine's spelling.
pub fn translate(pattern: &str) -> Res<String> {
    let mut t = Translator {
        chars: pattern.chars().peekable(),
        out: String::new(),
        flags: Flags::default(),
        open: Vec::new(),
        quantifiable: false,
    };
    while let Some(c) = t.chars.next() {
        t.item(c)?;
    }
    if !t.open.is_empty() {
        return wrong("Unclosed group");
    }
    Ok(t.out)
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
pub(super) fn shorthand(letter: char) -> Option<String> {
    let class = class_of(letter.to_ascii_lowercase())?;
    Some(if letter.is_ascii_lowercase() { format!("[{class}]") } else { format!("[^{class}]") })
}

impl Translator<'_> {
    pub(super) fn next(&mut self, what: &str) -> Res<char> {
        match self.chars.next() {
            Some(c) => Ok(c),
            None => wrong(format!("the pattern ends inside {what}")),
        }
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        self.chars.next_if_eq(&c).is_some()
    }

    fn item(&mut self, c: char) -> Res {
        let could = std::mem::replace(&mut self.quantifiable, true);
        match c {
            '\\' => self.escape(),
            '[' => self.class(0),
            '(' => self.group(),
            ')' => {
                let Some(flags) = self.open.pop() else { return wrong("Unmatched closing ')'") };
                self.flags = flags;
                self.out.push(')');
                Ok(())
            }
            '.' => {
                self.out.push_str(match (self.flags.dot_all, self.flags.unix_lines) {
                    (true, _) => "(?s:.)",
                    (false, true) => "[^\\n]",
                    (false, false) => "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]",
                });
                Ok(())
            }
            '^' => {
                self.out.push_str(if self.flags.multiline { "(?mR:^)" } else { "\\A" });
                Ok(())
            }
            '$' => {
                // Before a line end at the very end it holds as well; the search sees to that.
                self.out.push_str(if self.flags.multiline { "(?mR:$)" } else { "\\z" });
                Ok(())
            }
            '|' => {
                self.out.push('|');
                self.quantifiable = false;
                Ok(())
            }
            '*' | '+' | '?' => {
                if !could {
                    return wrong(format!("Dangling meta character '{c}'"));
                }
                self.out.push(c);
                self.after_quantifier()
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
            c => {
                self.letter(c);
                Ok(())
            }
        }
    }

    fn letter(&mut self, c: char) {
        match other_case(c).filter(|_| self.flags.insensitive) {
            Some(o) => {
                let _ = write!(self.out, "[{c}{o}]");
            }
            None => literal(&mut self.out, c),
        }
    }

    fn after_quantifier(&mut self) -> Res {
        self.quantifiable = false;
        if self.eat('?') {
            self.out.push('?');
        } else if self.chars.peek() == Some(&'+') {
            return refuse(
                "possessive quantifiers",
                "leave out the + that follows the quantifier: there is no backtracking to save",
            );
        }
        Ok(())
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
        if let (Ok(low), Ok(high)) = (low.parse::<u32>(), high.parse::<u32>())
            && low > high
        {
            return wrong("Illegal repetition range");
        }
        let _ = write!(self.out, "{{{text}}}");
        self.after_quantifier()
    }

    fn group(&mut self) -> Res {
        let outer = self.flags;
        self.quantifiable = false;
        if !self.eat('?') {
            self.open.push(outer);
            self.out.push('(');
            return Ok(());
        }
        match self.next("a group")? {
            ':' => self.out.push_str("(?:"),
            '=' | '!' => return refuse("look-ahead", LOOKAROUND_HINT),
            '>' => return refuse("atomic groups", "write (?: instead: there is no backtracking to save"),
            '<' => match self.chars.peek() {
                Some('=' | '!') => return refuse("look-behind", LOOKAROUND_HINT),
                _ => {
                    self.out.push_str("(?<");
                    loop {
                        let c = self.next("a group's name")?;
                        if !(c.is_ascii_alphanumeric() || c == '>') {
                            return wrong("a group's name is made of letters and digits");
                        }
                        self.out.push(c);
                        if c == '>' {
                            break;
                        }
                    }
                }
            },
            c => return self.flag_group(c, outer),
        }
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
                'u' | 'U' => {}
                '-' => on = false,
                ':' => {
                    self.out.push_str("(?:");
                    self.open.push(outer);
                    return Ok(());
                }
                // To the end of the group around it, whose own flags come back there.
                ')' => return Ok(()),
                _ => return wrong(format!("Unknown inline modifier '{c}'")),
            }
            c = self.next("a group")?;
        }
    }

    fn escape(&mut self) -> Res {
        let c = self.next("an escape")?;
        if let Some(class) = shorthand(c) {
            self.out.push_str(&class);
            return Ok(());
        }
        match c {
            'b' => self.out.push_str("(?-u:\\b)"),
            'B' => self.out.push_str("(?-u:\\B)"),
            'A' => self.out.push_str("\\A"),
            'z' | 'Z' => self.out.push_str("\\z"),
            'R' => self.out.push_str("(?:\\r\\n|[\\n\\x0B\\f\\r\\x{85}\\x{2028}\\x{2029}])"),
            'p' | 'P' => {
                let class = self.named_class(c == 'P')?;
                self.out.push_str(&class);
            }
            'Q' => {
                while let Some(c) = self.chars.next() {
                    if c == '\\' && self.eat('E') {
                        break;
                    }
                    self.letter(c);
                }
            }
            'E' => self.quantifiable = false,
            'G' => return refuse("\\G", "use re-seq, which goes on where the last match ended"),
            'k' | '1'..='9' => return refuse("back-references", BACK),
            'X' => return refuse("\\X", "use . for one character"),
            c => {
                let c = self.escaped(c)?;
                self.letter(c);
            }
        }
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
