//! Text that cannot hide: which characters may not stand as themselves in a line for a model, and how they are written.

/// Characters that take no room, turn the direction of text, end a line or carry what nobody sees (SECURITY §5 b).
/// The two selectors of emoji style, U+FE0E and U+FE0F, are ordinary text.
const HIDDEN: &[(u32, u32)] = &[
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0D),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];

/// Whether `c` is a control, a line break, or invisible.
pub fn hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let n = c as u32;
    c.is_control() || HIDDEN.iter().any(|(from, to)| (*from..=*to).contains(&n))
}

/// Adds `c` to `out`, a hidden one as `\u{...}`.
pub fn push(out: &mut String, c: char) {
    if hidden(c) {
        out.extend(c.escape_unicode());
    } else {
        out.push(c);
    }
}

/// `text` on one physical line: hidden characters as `\u{...}`.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push(&mut out, c));
    out
}

/// Adds `c` as it stands between quotes: `"` and `\` with a backslash, hidden characters as `\u{...}`.
pub fn push_quoted(out: &mut String, c: char) {
    if matches!(c, '"' | '\\') {
        out.push('\\');
    }
    push(out, c);
}

/// `text` in quotes, on one line, unmistakable.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    out.push('"');
    text.chars().for_each(|c| push_quoted(&mut out, c));
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_under_every_line_break() {
        let all = "a\nb\rc\u{b}d\u{c}e\u{85}f\u{2028}g\u{2029}h\u{1c}i\tj";
        assert_eq!(line(all), "a\\u{a}b\\u{d}c\\u{b}d\\u{c}e\\u{85}f\\u{2028}g\\u{2029}h\\u{1c}i\\u{9}j");
    }

    #[test]
    fn quotes_backslashes_and_invisibles() {
        assert_eq!(
            quoted("a \"b\" \\ \u{200b}\u{202e}\u{feff}\u{e0041}"),
            "\"a \\\"b\\\" \\\\ \\u{200b}\\u{202e}\\u{feff}\\u{e0041}\""
        );
        assert_eq!(quoted("naïve 日本 ❤\u{fe0f}"), "\"naïve 日本 ❤\u{fe0f}\"");
    }
}
