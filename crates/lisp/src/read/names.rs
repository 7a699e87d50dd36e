//! Names: symbols and keywords, by Clojure's `matchSymbol`.

use super::error::shown;
use crate::error::{Error, ErrorKind};
use crate::form::{Kind, Name};

/// The symbol, keyword or constant that a word is, if it does not begin with `::`; `plain` says that it has neither colon nor slash.
/// (The lexer makes the commonest of them itself.)
pub fn name(word: &str, plain: bool) -> Result<Kind, Error> {
    if plain {
        return match word {
            "nil" => Ok(Kind::Nil),
            "true" => Ok(Kind::Bool(true)),
            "false" => Ok(Kind::Bool(false)),
            _ => match number_like(word) {
                Some(error) => Err(error),
                None => Ok(Kind::Symbol(bare(word))),
            },
        };
    }
    if !is_name(word) {
        return Err(invalid(word).hint(hint(word)));
    }
    Ok(match word.strip_prefix(':') {
        Some(rest) => Kind::Keyword(split(rest)),
        None => Kind::Symbol(split(word)),
    })
}

fn bare(name: &str) -> Name {
    Name { ns: None, name: name.into() }
}

/// Clojure's `Symbol.intern`: the first slash divides, unless it is the whole name.
fn split(word: &str) -> Name {
    match word.split_once('/') {
        Some((ns, name)) if word.len() > 1 => Name { ns: Some(ns.into()), name: name.into() },
        _ => bare(word),
    }
}

/// Clojure's pattern `[:]?([\D&&[^/]].*/)?(/|[\D&&[^/]][^/]*)` and the three conditions after it.
pub(super) fn is_name(word: &str) -> bool {
    let matched = word.strip_prefix(':').and_then(parts).or_else(|| parts(word));
    let Some((ns, name)) = matched else { return false };
    let doubled = word.as_bytes().windows(2).skip(1).any(|pair| pair == b"::");
    !ns.ends_with(":/") && !name.ends_with(':') && !doubled
}

/// The groups of the pattern: the namespace with its slash (or nothing), and the name.
fn parts(word: &str) -> Option<(&str, &str)> {
    let starts_well = |s: &str| s.bytes().next().is_some_and(|b| b != b'/' && !b.is_ascii_digit());
    if word == "/" {
        return Some(("", word));
    }
    if !starts_well(word) {
        return None;
    }
    let slash = match word.strip_suffix("//") {
        Some(ns) => Some(ns.len()),
        None => word.rfind('/'),
    };
    let Some(slash) = slash else { return Some(("", word)) };
    let (ns, name) = word.split_at_checked(slash + 1)?;
    (name == "/" || starts_well(name)).then_some((ns, name))
}

/// `.5` and `-.5` are symbols in Clojure, which nobody means: better said here than as an unknown name.
fn number_like(word: &str) -> Option<Error> {
    let (sign, rest) = match word.as_bytes() {
        [b'-', b'.', rest @ ..] => ("-", rest),
        [b'+', b'.', rest @ ..] => ("", rest),
        [b'.', rest @ ..] => ("", rest),
        _ => return None,
    };
    if rest.is_empty() || !rest.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits = word.split_once('.').map_or("", |(_, digits)| digits);
    let error = Error::new(ErrorKind::Parse, format!("Invalid number: {}", shown(word)));
    Some(error.hint(format!("write {sign}0.{}", shown(digits))))
}

fn invalid(word: &str) -> Error {
    Error::new(ErrorKind::Parse, format!("Invalid token: {}", shown(word)))
}

fn hint(word: &str) -> String {
    if let Some(name) = word.strip_suffix(':').filter(|n| !n.is_empty()) {
        return format!("the colon of a keyword comes first: :{}", shown(name.trim_matches(':')));
    }
    if word.ends_with('/') {
        return "a name is missing after the slash".to_owned();
    }
    if word == ":" {
        return "a keyword is : and a name, without a blank between them".to_owned();
    }
    "a name is name or ns/name, and no part of it begins with a digit".to_owned()
}
