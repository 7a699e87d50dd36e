//! What a format string of `cl-format` is made of.

use crate::error::ErrorKind;
use crate::host::{Interrupt, Result};

/// Deepest nesting of `~{ ~[ ~(`.
const DEPTH: usize = 32;

/// A parameter before a directive's letter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Param {
    /// Nothing: what the directive has for it.
    Default,
    /// A number.
    Number(i64),
    /// A character, written `'c`.
    Char(char),
    /// `v`: the next argument.
    Argument,
    /// `#`: how many arguments are left.
    Left,
}

/// A piece of a format string.
#[derive(Debug)]
pub enum Piece {
    /// Text that stands for itself.
    Text(String),
    /// A directive.
    Directive(Directive),
}

/// A directive.
#[derive(Debug)]
pub struct Directive {
    /// Its letter, a capital one.
    pub letter: char,
    /// What is written before it.
    pub params: Vec<Param>,
    /// Whether it has the flag `:`.
    pub colon: bool,
    /// Whether it has the flag `@`.
    pub at: bool,
    /// What is inside one that has an end.
    pub clauses: Vec<Vec<Piece>>,
    /// Whether the last clause is for all other cases, after `~:;`.
    pub otherwise: bool,
    /// Whether its end has the flag `:`.
    pub colon_end: bool,
}

/// An error in the format string.
#[cold]
pub fn bad(words: impl Into<String>) -> Interrupt {
    Interrupt::bad(1, ErrorKind::Value, words)
}

/// Directives that are there in Clojure and not here, and what to write.
fn refused(letter: char) -> Interrupt {
    let hint = match letter {
        'E' | 'G' => "use ~F, or (format \"%e\" x)",
        '<' => "pad with ~mincolA, as in ~10A, or use format",
        'W' | '_' | 'I' | '>' => "use ~A or ~S; pprint breaks lines",
        _ => "~A ~S ~D ~B ~O ~X ~R ~C ~F ~$ ~P ~% ~& ~~ ~T ~* ~? ~( ~[ ~{ ~^ are there",
    };
    bad(format!("has the directive ~{letter}, which is not there")).hint(hint)
}

struct Open {
    directive: Directive,
    end: char,
    items: Vec<Piece>,
}

/// The pieces of a format string.
pub fn pieces(format: &str) -> Result<Vec<Piece>> {
    let mut chars = format.chars().peekable();
    let mut open: Vec<Open> = Vec::new();
    let mut out: Vec<Piece> = Vec::new();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        if c != '~' {
            text.push(c);
            continue;
        }
        let items = open.last_mut().map_or(&mut out, |o| &mut o.items);
        if !text.is_empty() {
            items.push(Piece::Text(std::mem::take(&mut text)));
        }
        let directive = directive(&mut chars)?;
        match directive.letter {
            '\n' => {
                if directive.at {
                    items.push(Piece::Text("\n".to_string()));
                }
                if !directive.colon {
                    while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
                }
            }
            '{' | '[' | '(' => {
                if open.len() >= DEPTH {
                    return Err(bad(format!("is nested deeper than {DEPTH}")));
                }
                let end = match directive.letter {
                    '{' => '}',
                    '[' => ']',
                    _ => ')',
                };
                open.push(Open { directive, end, items: Vec::new() });
            }
            '}' | ']' | ')' => {
                let Some(mut done) = open.pop().filter(|o| o.end == directive.letter) else {
                    return Err(bad(format!("has a ~{} that ends nothing", directive.letter)));
                };
                done.directive.clauses.push(done.items);
                done.directive.colon_end = directive.colon;
                let items = open.last_mut().map_or(&mut out, |o| &mut o.items);
                items.push(Piece::Directive(done.directive));
            }
            ';' => {
                let Some(inside) = open.last_mut().filter(|o| o.end == ']' && !o.directive.otherwise) else {
                    return Err(bad("has a ~; that is not inside ~[ ~], or after ~:;"));
                };
                let done = std::mem::take(&mut inside.items);
                inside.directive.clauses.push(done);
                inside.directive.otherwise = directive.colon;
            }
            'A' | 'S' | 'D' | 'B' | 'O' | 'X' | 'R' | 'P' | 'C' | 'F' | '$' | '%' | '&' | '~' | '*' | '?' | '^'
            | '|' | 'T' => {
                items.push(Piece::Directive(directive));
            }
            other => return Err(refused(other)),
        }
    }
    if let Some(o) = open.last() {
        return Err(bad(format!("has a ~{} without its ~{}", o.directive.letter, o.end)));
    }
    if !text.is_empty() {
        out.push(Piece::Text(text));
    }
    Ok(out)
}

fn directive(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<Directive> {
    let ended = || bad("ends in the middle of a directive");
    let mut params = Vec::new();
    loop {
        let param = match chars.peek().copied().ok_or_else(ended)? {
            'v' | 'V' => {
                chars.next();
                Param::Argument
            }
            '#' => {
                chars.next();
                Param::Left
            }
            '\'' => {
                chars.next();
                Param::Char(chars.next().ok_or_else(ended)?)
            }
            c if c.is_ascii_digit() || c == '-' || c == '+' => {
                let mut digits = String::new();
                while let Some(c) = chars.next_if(|c| c.is_ascii_digit() || digits.is_empty() && matches!(c, '-' | '+'))
                {
                    digits.push(c);
                }
                let number = digits.parse::<i32>().map_err(|_| bad(format!("has no number at {digits}")))?;
                Param::Number(i64::from(number))
            }
            ',' => Param::Default,
            _ => break,
        };
        params.push(param);
        if chars.next_if_eq(&',').is_none() {
            break;
        }
    }
    let (mut colon, mut at) = (false, false);
    loop {
        let flag = match chars.next().ok_or_else(ended)? {
            ':' => &mut colon,
            '@' => &mut at,
            c => {
                let letter = c.to_ascii_uppercase();
                return Ok(Directive {
                    letter,
                    params,
                    colon,
                    at,
                    clauses: Vec::new(),
                    otherwise: false,
                    colon_end: false,
                });
            }
        };
        if *flag {
            return Err(bad("has a flag twice in a directive"));
        }
        *flag = true;
    }
}
