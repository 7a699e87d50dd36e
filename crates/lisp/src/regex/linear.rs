//! Patterns in the spelling of the linear engine, where it can match them.

use super::syntax::literal;
use super::token::{Assertion, Group, Kind, Token};
use crate::value::regex::Ends;
use std::fmt::Write as _;

/// What a pattern asks of ends of lines.
pub fn ends(tokens: &[Token]) -> Ends {
    let has = |of: fn(&Assertion) -> bool| tokens.iter().any(|t| matches!(t, Token::Assert(a) if of(a)));
    Ends {
        lines: has(|a| matches!(a, Assertion::LineBegin | Assertion::LineEnd)),
        last: has(|a| matches!(a, Assertion::LastLineEnd)),
    }
}

/// The pattern in the engine's spelling; `None` where it has something that the engine does not have.
pub fn spelled(tokens: &[Token]) -> Option<String> {
    let mut out = String::with_capacity(tokens.len());
    for token in tokens {
        match token {
            Token::Char(c) => literal(&mut out, *c),
            Token::Class(class) => out.push_str(class),
            Token::Assert(at) => out.push_str(match at {
                Assertion::Begin => "\\A",
                // Texts where an end of a line means more are for the other engine.
                Assertion::End | Assertion::LastLineEnd => "\\z",
                Assertion::LineBegin => "(?mR:^)",
                Assertion::LineEnd => "(?mR:$)",
                Assertion::Word => "(?-u:\\b)",
                Assertion::NotWord => "(?-u:\\B)",
                Assertion::UnicodeWord => "\\b",
                Assertion::NotUnicodeWord => "\\B",
                Assertion::LastMatch
                | Assertion::UnixLastLineEnd
                | Assertion::UnixLineBegin
                | Assertion::UnixLineEnd => return None,
            }),
            Token::LineBreak => out.push_str("(?:\\r\\n|[\\n\\x0B\\f\\r\\x{85}\\x{2028}\\x{2029}])"),
            Token::Open(Group::Capture(None)) => out.push('('),
            Token::Open(Group::Capture(Some(name))) => {
                let _ = write!(out, "(?<{name}>");
            }
            Token::Open(Group::Plain) => out.push_str("(?:"),
            Token::Open(Group::Look { .. } | Group::Atomic) | Token::Back { .. } => return None,
            Token::Close => out.push(')'),
            Token::Alternate => out.push('|'),
            // The engine forgets groups that can never match, and their numbers with them.
            Token::Repeat { kind: Kind::Possessive, .. } | Token::Repeat { max: Some(0), .. } => return None,
            Token::Repeat { min, max, kind } => {
                match (min, max) {
                    (0, None) => out.push('*'),
                    (1, None) => out.push('+'),
                    (0, Some(1)) => out.push('?'),
                    (min, None) => drop(write!(out, "{{{min},}}")),
                    (min, Some(max)) if min == max => drop(write!(out, "{{{min}}}")),
                    (min, Some(max)) => drop(write!(out, "{{{min},{max}}}")),
                }
                if *kind == Kind::Lazy {
                    out.push('?');
                }
            }
        }
    }
    Some(out)
}
