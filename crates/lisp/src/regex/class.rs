//! Character classes of Java's regexes in the spelling of the linear engine, which knows how to put them together.

use super::syntax::{Parser, Res, literal, other_case, shorthand, wrong};

/// Deepest nesting of brackets.
const CLASS_DEPTH: u32 = 20;

fn property(name: &str) -> String {
    let ascii = match name {
        "Lower" => "a-z",
        "Upper" => "A-Z",
        "ASCII" => "\\x00-\\x7F",
        "Alpha" => "a-zA-Z",
        "Digit" => "0-9",
        "Alnum" => "a-zA-Z0-9",
        "Punct" => "!-/:-@\\x{5b}-`{-~",
        "Graph" => "!-~",
        "Print" => "\\x20-~",
        "Blank" => " \\t",
        "Cntrl" => "\\x00-\\x1F\\x7F",
        "XDigit" => "0-9a-fA-F",
        "Space" => " \\t\\n\\x0B\\f\\r",
        _ => "",
    };
    if !ascii.is_empty() {
        return format!("[{ascii}]");
    }
    let name = match name {
        "javaLowerCase" => "Lowercase",
        "javaUpperCase" => "Uppercase",
        "javaWhitespace" => "White_Space",
        "javaLetter" | "javaAlphabetic" => "Alphabetic",
        "javaDigit" => "Nd",
        _ => name.strip_prefix("Is").or_else(|| name.strip_prefix("In")).unwrap_or(name),
    };
    format!("\\p{{{name}}}")
}

/// What the names of POSIX mean with the flag U.
fn unicode_property(name: &str) -> String {
    let class = match name {
        "Alpha" => "\\p{Alphabetic}",
        "Lower" => "\\p{Lowercase}",
        "Upper" => "\\p{Uppercase}",
        "Digit" => "\\p{Nd}",
        "Alnum" => "[\\p{Alphabetic}\\p{Nd}]",
        "Punct" => "\\p{P}",
        _ => "\\p{White_Space}",
    };
    class.to_string()
}

impl Parser<'_> {
    /// `\p{..}`, `\pL`; the P version is negated.
    pub(super) fn named_class(&mut self, negated: bool) -> Res<String> {
        let mut name = String::new();
        match self.next("\\p")? {
            '{' => loop {
                match self.next("\\p{")? {
                    '}' => break,
                    c if name.len() < 64 => name.push(c),
                    _ => return wrong("the name in \\p{...} is too long"),
                }
            },
            c => name.push(c),
        }
        if let Some((_, value)) = name.split_once('=') {
            name = value.to_string();
        }
        // With the flag i, Java lets these match all cases.
        if self.flags.insensitive {
            let cases = match name.as_str() {
                "Lower" | "Upper" => "Alpha",
                "Lu" | "Ll" | "Lt" => "LC",
                "javaLowerCase" | "javaUpperCase" | "javaTitleCase" => "Cased",
                _ => match name.to_ascii_uppercase().as_str() {
                    "ISLU" | "ISLL" | "ISLT" => "LC",
                    "ISLOWERCASE" | "ISUPPERCASE" | "ISTITLECASE" | "ISLOWER" | "ISUPPER" => "Cased",
                    _ => "",
                },
            };
            if !cases.is_empty() {
                name = cases.to_string();
            }
        }
        let class = match name.as_str() {
            "Alpha" | "Lower" | "Upper" | "Digit" | "Alnum" | "Punct" | "Space" if self.flags.unicode_classes => {
                unicode_property(&name)
            }
            name => property(name),
        };
        Ok(if negated { format!("[^{class}]") } else { class })
    }

    /// What is after `[`, up to its `]`. Every plain character is written by its code, so that nothing in it means
    /// more to the engine than to Java.
    pub(super) fn class(&mut self, depth: u32) -> Res {
        if depth > CLASS_DEPTH {
            return wrong("a character class is nested too deep");
        }
        self.out.push('[');
        if self.eat('^') {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let c = self.next("a character class")?;
            match c {
                ']' if !first => {
                    self.out.push(']');
                    return Ok(());
                }
                '[' => self.class(depth + 1)?,
                '&' if self.eat('&') => self.out.push_str("&&"),
                '\\' if self.chars.peek() == Some(&'Q') => {
                    self.chars.next();
                    while let Some(c) = self.chars.next() {
                        if c == '\\' && self.eat('E') {
                            break;
                        }
                        self.range(c, c)?;
                    }
                }
                '\\' if matches!(self.chars.peek(), Some('p' | 'P')) => {
                    let negated = self.chars.next() == Some('P');
                    let class = self.named_class(negated)?;
                    self.out.push_str(&class);
                }
                '\\' if self.shorthand_ahead() => {
                    let unicode = self.flags.unicode_classes;
                    let class = self.chars.next().and_then(|c| shorthand(c, unicode)).unwrap_or_default();
                    self.out.push_str(&class);
                }
                c if self.flags.comments && c.is_ascii_whitespace() => continue,
                c => {
                    let low = self.member(c)?;
                    let mut ahead = self.chars.clone();
                    let ranged = ahead.next() == Some('-') && !matches!(ahead.peek(), None | Some(']' | '['));
                    if ranged {
                        self.chars.next();
                        let c = self.next("a character class")?;
                        if c == '\\' && self.shorthand_ahead() {
                            return wrong("Illegal character range");
                        }
                        let high = self.member(c)?;
                        self.range(low, high)?;
                    } else {
                        self.range(low, low)?;
                    }
                }
            }
            first = false;
        }
    }

    fn shorthand_ahead(&self) -> bool {
        // Of a copy: peeking would change where it is.
        self.chars.clone().next().and_then(|c| shorthand(c, false)).is_some()
    }

    fn member(&mut self, c: char) -> Res<char> {
        if c == '\\' {
            let c = self.next("an escape")?;
            self.escaped(c)
        } else {
            Ok(c)
        }
    }

    /// The characters from `low` to `high`, with the flag i also those of the other case.
    fn range(&mut self, low: char, high: char) -> Res {
        if low > high {
            return wrong(format!("Illegal character range {low}-{high}"));
        }
        let put = |out: &mut String, low: char, high: char| {
            literal(out, low);
            if low != high {
                out.push('-');
                literal(out, high);
            }
        };
        put(&mut self.out, low, high);
        if self.flags.insensitive {
            for (from, to) in [('a', 'z'), ('A', 'Z')] {
                let (from, to) = (from.max(low), to.min(high));
                if from <= to
                    && let (Some(from), Some(to)) = (other_case(from), other_case(to))
                {
                    put(&mut self.out, from, to);
                }
            }
        }
        Ok(())
    }
}
