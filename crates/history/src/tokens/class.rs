//! The class of a text: within one class, vocabularies differ by a constant factor (docs/tokens.md).

use serde::{Deserialize, Serialize};

/// The classes that have a slope of their own (within one, the ratio of two vocabularies is stable to 1-8 %).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Sentences.
    Prose,
    /// Programs.
    Code,
    /// JSON.
    Json,
    /// Tables of numbers, logs, ids.
    Digits,
    /// Chinese, Japanese, Korean.
    Cjk,
    /// Other scripts.
    Other,
}

impl Class {
    /// All of them, in the order of the features.
    pub const ALL: [Class; 6] = [Class::Prose, Class::Code, Class::Json, Class::Digits, Class::Cjk, Class::Other];

    /// The dominant class of this text. Looks at the first 64 KB: one class seldom ends there.
    pub fn of(text: &str) -> Class {
        let (mut all, mut digits, mut cjk, mut wide, mut marks) = (0u64, 0u64, 0u64, 0u64, 0u64);
        for (at, c) in text.char_indices() {
            if at > 65_536 {
                break;
            }
            match c {
                c if c.is_whitespace() => continue,
                '0'..='9' => digits = digits.saturating_add(1),
                '\u{2e80}'..='\u{9fff}'
                | '\u{ac00}'..='\u{d7af}'
                | '\u{f900}'..='\u{faff}'
                | '\u{ff00}'..='\u{ffef}' => {
                    cjk = cjk.saturating_add(1);
                }
                c if !c.is_ascii() && c.is_alphabetic() => wide = wide.saturating_add(1),
                '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | '=' | ';' | ':' | '_' | '/' | '\\' | '|' | '"'
                | '&' | '$' | '#' | '@' | '*' | '+' => marks = marks.saturating_add(1),
                _ => {}
            }
            all = all.saturating_add(1);
        }
        let over = |part: u64, percent: u64| part.saturating_mul(100) > all.saturating_mul(percent);
        let trimmed = text.trim();
        let braced = matches!(
            (trimmed.as_bytes().first(), trimmed.as_bytes().last()),
            (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']'))
        );
        if over(cjk, 20) {
            Class::Cjk
        } else if over(digits, 30) {
            Class::Digits
        } else if braced && (trimmed.contains("\":") || trimmed.starts_with('[') && trimmed.contains(',')) {
            Class::Json
        } else if over(wide, 30) {
            Class::Other
        } else if over(marks, 9) {
            Class::Code
        } else {
            Class::Prose
        }
    }
}
