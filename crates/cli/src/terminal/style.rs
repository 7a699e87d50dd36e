//! Styles of the terminal that this program writes itself, marked so that no data can pass for one.

use anstyle::AnsiColor;
use std::fmt::{self, Display, Write as _};
use std::sync::OnceLock;

/// A style. Written, it is an escape sequence with the mark of this process: [`super::output::Output`] takes the mark out,
/// and an escape sequence without it is data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style(anstyle::Style);

/// What went wrong.
pub const RED: Style = Style(AnsiColor::Red.on_default().bold());
/// What went well.
pub const GREEN: Style = Style(AnsiColor::Green.on_default().bold());
/// What is a remark.
pub const YELLOW: Style = Style(AnsiColor::Yellow.on_default().bold());
/// What may be passed over.
pub const DIM: Style = Style(anstyle::Style::new().dimmed());
/// What heads a part.
pub const BOLD: Style = Style(anstyle::Style::new().bold());

impl Style {
    /// No style at all.
    pub const fn plain() -> Self {
        Style(anstyle::Style::new())
    }

    /// The style without the mark, for a library that writes to the terminal itself.
    pub fn unmarked(self) -> anstyle::Style {
        self.0
    }
}

impl From<anstyle::Style> for Style {
    fn from(style: anstyle::Style) -> Self {
        Style(style)
    }
}

impl From<AnsiColor> for Style {
    fn from(color: AnsiColor) -> Self {
        Style(color.on_default())
    }
}

impl Display for Style {
    /// The sequence that begins the style, `{:#}` the one that ends it; in one piece, as [`super::output::Output`] needs it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut codes = String::new();
        if f.alternate() { write!(codes, "{:#}", self.0) } else { write!(codes, "{}", self.0) }?;
        f.write_str(&codes.replace("\u{1b}[", mark()))
    }
}

/// What own sequences begin with: `ESC [`, a number that nobody outside of this process knows, and `;`.
pub fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| {
        let mut bytes = [0; 8];
        // Where the system has no random numbers, a style of data would be shown as one, and no more than a style.
        let _ = getrandom::fill(&mut bytes);
        format!("\u{1b}[{};", u64::from_le_bytes(bytes))
    })
}
