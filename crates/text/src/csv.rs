//! Cuts the text of CSV files into records and fields, as RFC 4180 and clojure.data.csv do.
//!
//! ```
//! use ptc_text::csv::{Format, Records};
//!
//! let mut records = Records::new("a,\"b \"\"c\"\"\"\n", Format::default());
//! let mut fields = Vec::new();
//! assert_eq!(records.read(&mut fields), Ok(true));
//! assert_eq!(fields, ["a", "b \"c\""]);
//! assert_eq!(records.read(&mut fields), Ok(false));
//! ```

use std::borrow::Cow;

/// How fields are separated and quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Separates fields.
    pub separator: char,
    /// Opens and closes a field that may contain separators and line breaks; written twice, it is itself.
    pub quote: char,
    /// Whether blanks may precede an opening quote and follow a closing one.
    pub blanks: bool,
}

impl Default for Format {
    fn default() -> Self {
        Format { separator: ',', quote: '"', blanks: false }
    }
}

/// A quote that makes the rest of a text unreadable. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteError {
    /// The text ends inside a quoted field.
    Unclosed {
        /// The line on which the field begins.
        opened: usize,
    },
    /// Text follows the closing quote of a field.
    TextBehind {
        /// The line on which the field begins.
        opened: usize,
        /// The line of the closing quote.
        closed: usize,
        /// The first character of that text.
        found: char,
    },
}

/// The records of a text, in order. Lines end with `\n`, `\r\n` or `\r`; an empty line is a record of one empty field.
#[derive(Clone, Debug)]
pub struct Records<'t> {
    rest: &'t str,
    format: Format,
    line: usize,
    next_line: usize,
    quoted: bool,
}

impl<'t> Records<'t> {
    /// Those of this text, whose first line is line 1.
    pub fn new(text: &'t str, format: Format) -> Self {
        Records { rest: text, format, line: 1, next_line: 1, quoted: false }
    }

    /// The same, with this number for the line on which the text begins.
    #[must_use]
    pub fn from_line(self, line: usize) -> Self {
        Records { line, next_line: line, ..self }
    }

    /// The line on which the record read last begins.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The line on which the record that follows begins.
    pub fn next_line(&self) -> usize {
        self.next_line
    }

    /// Whether a field of the record read last was in quotes.
    pub fn has_quotes(&self) -> bool {
        self.quoted
    }

    /// The text that has not been read.
    pub fn rest(&self) -> &'t str {
        self.rest
    }

    /// Reads the next record into `fields`, in place of what they hold; `false` at the end of the text.
    ///
    /// # Errors
    /// When a quoted field is not closed, or text follows its closing quote.
    pub fn read(&mut self, fields: &mut Vec<Cow<'t, str>>) -> Result<bool, QuoteError> {
        fields.clear();
        (self.line, self.quoted) = (self.next_line, false);
        if self.rest.is_empty() {
            return Ok(false);
        }
        loop {
            let field = self.field()?;
            fields.push(field);
            let Some(behind) = self.rest.strip_prefix(self.format.separator) else { break };
            self.rest = behind;
        }
        if !self.rest.is_empty() {
            self.rest = self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix(['\r', '\n'])).unwrap_or("");
            self.next_line = self.next_line.saturating_add(1);
        }
        Ok(true)
    }

    /// The field that comes next; the text then begins with a separator or a line break, or is empty.
    fn field(&mut self) -> Result<Cow<'t, str>, QuoteError> {
        let Format { separator, quote, .. } = self.format;
        if let Some(inner) = self.without_blanks(self.rest).strip_prefix(quote) {
            return self.quoted(inner);
        }
        let end = self.rest.find([separator, '\n', '\r']).unwrap_or(self.rest.len());
        let (field, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        Ok(Cow::Borrowed(field))
    }

    fn quoted(&mut self, mut inner: &'t str) -> Result<Cow<'t, str>, QuoteError> {
        let (opened, quote) = (self.next_line, self.format.quote);
        self.quoted = true;
        let mut field = Cow::Borrowed("");
        loop {
            let Some((part, behind)) = inner.split_once(quote) else { return Err(QuoteError::Unclosed { opened }) };
            self.next_line = self.next_line.saturating_add(line_breaks(part));
            match field.is_empty() {
                true => field = Cow::Borrowed(part),
                false => field.to_mut().push_str(part),
            }
            let Some(again) = behind.strip_prefix(quote) else {
                self.rest = self.without_blanks(behind);
                break;
            };
            field.to_mut().push(quote);
            inner = again;
        }
        match self.rest.chars().next() {
            Some(found) if found != self.format.separator && !matches!(found, '\r' | '\n') => {
                Err(QuoteError::TextBehind { opened, closed: self.next_line, found })
            }
            _ => Ok(field),
        }
    }

    fn without_blanks(&self, text: &'t str) -> &'t str {
        match self.format.blanks {
            true => text.trim_start_matches(|c| matches!(c, ' ' | '\t') && c != self.format.separator),
            false => text,
        }
    }
}

/// How many lines a text ends.
fn line_breaks(text: &str) -> usize {
    text.bytes().filter(|b| matches!(b, b'\r' | b'\n')).count().saturating_sub(text.matches("\r\n").count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, format: Format) -> Result<Vec<(usize, Vec<String>)>, QuoteError> {
        let (mut records, mut fields, mut out) = (Records::new(text, format), Vec::new(), Vec::new());
        while records.read(&mut fields)? {
            out.push((records.line(), fields.iter().map(|f| f.to_string()).collect()));
        }
        Ok(out)
    }

    fn told(text: &str, format: Format) -> String {
        all(text, format).map_or_else(|e| format!("{e:?}"), |records| format!("{records:?}"))
    }

    #[test]
    fn records_have_their_lines() {
        let plain = Format::default();
        for (text, expected) in [
            ("", "[]"),
            ("a", r#"[(1, ["a"])]"#),
            ("a,\r\n\r\"b\r\nc\"\"\",d\n\n", r#"[(1, ["a", ""]), (2, [""]), (3, ["b\r\nc\"", "d"]), (5, [""])]"#),
            ("a\"b,\"\"", r#"[(1, ["a\"b", ""])]"#),
            ("a,\"b\nc", "Unclosed { opened: 1 }"),
            ("a\n\"b\nc\"d", "TextBehind { opened: 2, closed: 3, found: 'd' }"),
            ("a, \"b\"", r#"[(1, ["a", " \"b\""])]"#),
            ("\"a\" ,b", "TextBehind { opened: 1, closed: 1, found: ' ' }"),
        ] {
            assert_eq!(told(text, plain), expected, "{text:?}");
        }
        let blanks = Format { separator: '\t', blanks: true, ..plain };
        assert_eq!(told("a\t \"b,\" \t\n \tc", blanks), r#"[(1, ["a", "b,", ""]), (2, [" ", "c"])]"#);
        let others = Format { separator: '¦', quote: '\'', blanks: false };
        assert_eq!(told("a¦'b''¦'¦c", others), r#"[(1, ["a", "b'¦", "c"])]"#);
    }
}
