//! Character classes as sets: the library that knows Unicode's properties puts them together.

use super::syntax::{Res, wrong};
use crate::value::program::CharSet;
use regex_syntax::hir::{Class, HirKind};

/// The set of a class in the spelling of the linear engine.
pub fn char_set(spelled: &str) -> Res<CharSet> {
    let hir = match regex_syntax::ParserBuilder::new().nest_limit(100).build().parse(spelled) {
        Ok(hir) => hir,
        Err(e) => {
            // The library's words end in the reason; the picture before it shows what it was given.
            let text = e.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_string();
            return wrong(reason);
        }
    };
    let ranges: Vec<(char, char)> = match hir.into_kind() {
        HirKind::Class(Class::Unicode(class)) => class.iter().map(|r| (r.start(), r.end())).collect(),
        HirKind::Class(Class::Bytes(class)) => {
            class.iter().map(|r| (char::from(r.start()), char::from(r.end()))).collect()
        }
        HirKind::Literal(text) => {
            let text = String::from_utf8_lossy(&text.0).into_owned();
            text.chars().map(|c| (c, c)).collect()
        }
        _ => Vec::new(),
    };
    let mut ascii = [0u64; 2];
    for (low, high) in &ranges {
        for code in u32::from(*low)..=u32::from(*high).min(127) {
            let word = if code < 64 { &mut ascii[0] } else { &mut ascii[1] };
            *word |= 1 << (code & 63);
        }
    }
    let above = ranges.into_iter().filter(|(_, high)| u32::from(*high) > 127).collect();
    Ok(CharSet { ascii, ranges: above })
}
