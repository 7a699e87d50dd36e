//! Digits of all scripts, as Java reads them.

use crate::host::{Host, Result};
use crate::regex::char_set::char_set;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The characters above ASCII of a class of Unicode, as ranges in order.
pub fn above_ascii(class: &str) -> Vec<(char, char)> {
    char_set(class).map(|set| set.ranges.into_vec()).unwrap_or_default()
}

/// The range that a character is in.
pub fn range(all: &[(char, char)], c: char) -> Option<(char, char)> {
    let at = all.partition_point(|(_, last)| *last < c);
    all.get(at).copied().filter(|(first, _)| *first <= c)
}

/// What a decimal digit of any script is worth: each script has its ten side by side.
pub fn decimal(c: char) -> Option<u32> {
    static DIGITS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| above_ascii(r"\p{Nd}"));
    if c.is_ascii() {
        return c.to_digit(10);
    }
    range(&DIGITS, c).map(|(first, _)| (u32::from(c) - u32::from(first)) % 10)
}

/// What a character is worth as a digit, the letters of ASCII and their wide forms from 10 on.
pub fn digit(c: char, radix: u32) -> Option<u32> {
    if !(2..=36).contains(&radix) {
        return None;
    }
    let narrow = match c {
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    };
    narrow.to_digit(radix).or_else(|| decimal(c).filter(|d| *d < radix))
}

/// A text with the digits of other scripts as those of ASCII.
///
/// # Errors
/// When fuel or memory ends.
pub fn ascii<'t>(h: &mut dyn Host, text: &'t str, radix: u32) -> Result<Cow<'t, str>> {
    if text.is_ascii() {
        return Ok(Cow::Borrowed(text));
    }
    h.charge(text.len() as u64)?;
    h.reserve(text.len() as u64)?;
    let plain = |c: char| match digit(c, radix) {
        Some(n) if !c.is_ascii() => char::from_digit(n, radix).unwrap_or(c),
        _ => c,
    };
    Ok(Cow::Owned(text.chars().map(plain).collect()))
}
