//! What separates the fields of a CSV file, which its first line tells, and where its quotes open and close.

use crate::error::{Error, ErrorKind};
use crate::error_text;

/// What may separate fields where no line `sep=X` says so, as they are called in errors.
const DELIMITERS: [(u8, &str); 4] = [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars")];

/// Where the first line of a file begins, and what separates fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    /// Bytes before it: those of a line `sep=X`.
    start: usize,
    delimiter: u8,
}

impl Layout {
    /// Of the text of a file; `file` stands in errors. A first line `sep=X`, as Excel reads and writes it, says what the
    /// delimiter is, and is no row. Else, where `separator` is a comma, it is the one of comma, semicolon, tab and bar that
    /// stands in the first line outside of quotes; where several do, the one by which every row has as many fields as
    /// the first line. A sign that separates nothing in any row is a part of the name of the only column.
    ///
    /// # Errors
    /// When the rows do not tell which of several it is.
    pub(super) fn of(text: &str, file: &str, separator: u8) -> Result<Self, Error> {
        if let Some(layout) = Self::said(text) {
            return Ok(layout);
        }
        if separator != b',' {
            return Ok(Layout { start: 0, delimiter: separator });
        }
        let header = header(text);
        let among: Vec<(u8, &str)> = DELIMITERS.into_iter().filter(|(d, _)| header.contains(d)).collect();
        let layout = |delimiter| Layout { start: 0, delimiter };
        let fitting = |(d, _): &&(u8, &str)| layout(*d).fits(text);
        match (among.as_slice(), &among.iter().filter(fitting).collect::<Vec<_>>()[..]) {
            ([], _) => Ok(layout(separator)),
            // A file of one column may have another sign in its name.
            ([(only, _)], []) if *only != separator && layout(separator).fits(text) && !layout(*only).splits(text) => {
                Ok(layout(separator))
            }
            ([(only, _)], _) | (_, [(only, _)]) => Ok(layout(*only)),
            _ => {
                let names: Vec<&str> = among.iter().map(|(_, name)| *name).collect();
                let words = error_text!(
                    "the first line has {} outside of quotes, and the rows do not tell which of them separate fields", names.join(" and ");
                    "put a line before it that does, as sep=; or sep=,"
                );
                let line = layout(separator).header_line(text);
                Err(Error::new(ErrorKind::Input, words).at(&format!("{file}:{line}")))
            }
        }
    }

    /// What a first line `sep=X` says.
    fn said(text: &str) -> Option<Self> {
        let end = text.find(['\r', '\n']).unwrap_or(text.len());
        let line = text.get(..end)?;
        let plain = line.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or(line);
        let (word, delimiter) = plain.split_at_checked(4)?;
        let &[delimiter] = delimiter.as_bytes() else { return None };
        let may_be = delimiter == b'\t' || delimiter == b' ' || (delimiter.is_ascii_punctuation() && delimiter != b'"');
        let rest = text.get(end..)?;
        let behind = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\r', '\n'])).unwrap_or(rest);
        let start = text.len().saturating_sub(behind.len());
        (word.eq_ignore_ascii_case("sep=") && may_be).then_some(Layout { start, delimiter })
    }

    /// Whether every row has as many fields as the first line.
    fn fits(self, text: &str) -> bool {
        let (mut reader, mut record) = (self.reader(text), csv::ByteRecord::new());
        loop {
            match reader.read_byte_record(&mut record) {
                Ok(true) => {}
                Ok(false) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Whether it separates fields of any row behind the first line.
    fn splits(self, text: &str) -> bool {
        let (mut reader, mut record) = (self.rows(text, true), csv::ByteRecord::new());
        while reader.read_byte_record(&mut record).is_ok_and(|more| more) {
            if record.len() > 1 {
                return true;
            }
        }
        false
    }

    /// Reads the rows of the text that this was made of.
    pub(super) fn reader(self, text: &str) -> csv::Reader<&[u8]> {
        self.rows(text, false)
    }

    fn rows(self, text: &str, flexible: bool) -> csv::Reader<&[u8]> {
        let rows = text.as_bytes().get(self.start..).unwrap_or_default();
        csv::ReaderBuilder::new().delimiter(self.delimiter).has_headers(true).flexible(flexible).from_reader(rows)
    }

    /// The line of the file at which a record begins; `csv` counts from where the one before has ended, blank lines too.
    pub(super) fn line(self, text: &str, at: &csv::Position) -> usize {
        let before = usize::try_from(at.byte()).unwrap_or(usize::MAX);
        line_at(text, behind_breaks(text, self.start.saturating_add(before)))
    }

    /// The line of the file that names the columns.
    pub(super) fn header_line(self, text: &str) -> usize {
        line_at(text, behind_breaks(text, self.start))
    }
}

/// The bytes of the first record that are outside of quotes.
fn header(text: &str) -> Vec<u8> {
    let (mut out, mut quoted) = (Vec::new(), false);
    let mut last = None;
    for b in text.trim_start_matches(['\r', '\n']).bytes() {
        let opens = last.is_none_or(|l| DELIMITERS.iter().any(|(d, _)| *d == l));
        match b {
            b'"' if quoted => quoted = false,
            // Behind a closing quote it is a quote in the field.
            b'"' if opens || last == Some(b'"') => quoted = true,
            b'\r' | b'\n' if !quoted => break,
            _ if !quoted => out.push(b),
            _ => {}
        }
        last = Some(b);
    }
    out
}

/// Refuses quotes by which rows are lost: one that is not closed, or one that is closed in the middle of a field, as by the
/// quote of another row.
///
/// # Errors
/// With the line where the quote opens.
pub(super) fn check_quotes(text: &str, layout: Layout, file: &str) -> Result<(), Error> {
    /// Where in a field the scan stands.
    #[derive(Clone, Copy, PartialEq)]
    enum At {
        Start,
        Plain,
        Quoted,
        /// Directly behind a quote that closes the field, or is the first of two.
        Closed,
        /// Behind that and blanks.
        Blanks,
    }
    let refuse = |opened: usize, words| {
        Err(Error::new(ErrorKind::Input, words).at(&format!("{file}:{}", line_at(text, opened))))
    };
    let (mut at, mut opened) = (At::Start, 0);
    for (i, b) in text.bytes().enumerate().skip(layout.start) {
        let ends = b == layout.delimiter || matches!(b, b'\r' | b'\n');
        at = match at {
            At::Quoted if b == b'"' => At::Closed,
            At::Quoted => At::Quoted,
            At::Closed if b == b'"' => At::Quoted,
            _ if ends => At::Start,
            At::Start if b == b'"' => {
                opened = i;
                At::Quoted
            }
            At::Start | At::Plain => At::Plain,
            At::Closed | At::Blanks if matches!(b, b' ' | b'\t') => At::Blanks,
            At::Closed | At::Blanks => {
                let words = error_text!(
                    "the quote that opens a field here is closed on line {}, and text follows it", line_at(text, i);
                    "close it where the field ends, and write a quote in it twice"
                );
                return refuse(opened, words);
            }
        };
    }
    if at == At::Quoted {
        let words = error_text!("the quote that opens a field here is not closed before the file ends"; "close it, or write a quote in a field twice and the field in quotes");
        return refuse(opened, words);
    }
    Ok(())
}

/// The first place from `at` on that is no line break.
fn behind_breaks(text: &str, at: usize) -> usize {
    let breaks = text.bytes().skip(at).take_while(|b| matches!(b, b'\r' | b'\n')).count();
    at.saturating_add(breaks)
}

/// The line of a byte, from 1; a line ends with `\n`, `\r\n` or `\r`.
fn line_at(text: &str, byte: usize) -> usize {
    let mut last = 0;
    let breaks = text.bytes().take(byte).filter(|b| {
        let is_break = *b == b'\r' || (*b == b'\n' && last != b'\r');
        last = *b;
        is_break
    });
    breaks.count().saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::super::csv::{Part, read};
    use super::super::read_limits::ReadLimits;

    fn of(text: &str, separator: u8) -> String {
        let read = read(text, "x.csv", separator, Part::default(), &ReadLimits::default());
        read.map_or_else(|e| e.to_string(), |r| r.json())
    }

    #[test]
    fn the_first_line_tells_what_separates_fields() {
        for (text, expected) in [
            ("Order No;unit price;comment\n1;2,50;a, b\n", r#"[{"Order No":1,"unit price":"2,50","comment":"a, b"}]"#),
            ("a\tb\n1\t2\n", r#"[{"a":1,"b":2}]"#),
            ("a|b\n1|2\n", r#"[{"a":1,"b":2}]"#),
            ("a\n1;2\n", r#"[{"a":"1;2"}]"#),
            ("\"a;b\",c\n1,2\n", r#"[{"a;b":1,"c":2}]"#),
            ("\"a\"\"x;y\"\"\",c\n1,2\n", r#"[{"a\"x;y\"":1,"c":2}]"#),
            ("\"a;\nb\",c\n1,2\n", r#"[{"a;\nb":1,"c":2}]"#),
            // Several of them in the first line: the rows tell.
            ("id,rating (1=bad; 5=good)\n1,2\n", r#"[{"id":1,"rating (1=bad; 5=good)":2}]"#),
            (
                "id;price, net;n\n1;2,5;3\n2;2;3\n",
                r#"[{"id":1,"price, net":"2,5","n":3},{"id":2,"price, net":"2","n":3}]"#,
            ),
            ("sep=;\r\na;b,c\r\n1;2\r\n", r#"[{"a":1,"b,c":2}]"#),
            ("SEP=,\na;b,c\n1,2\n", r#"[{"a;b":1,"c":2}]"#),
            ("\"sep=:\"\na:b\n1:2\n", r#"[{"a":1,"b":2}]"#),
            ("sep=\t\na\tb\n1\t2\n", r#"[{"a":1,"b":2}]"#),
            ("sep=\n1\n", r#"[{"sep=":1}]"#),
            ("sep=x\n1\n", r#"[{"sep=x":1}]"#),
        ] {
            assert_eq!(of(text, b','), expected, "{text}");
        }
        assert_eq!(of("a;b\tc\n1\t2\n", b'\t'), r#"[{"a;b":1,"c":2}]"#);
        assert_eq!(of("sep=;\na;b\n1;2\n", b'\t'), r#"[{"a":1,"b":2}]"#);
        for text in ["\na,b;c\n", "\na,b;c\n1,2;3\n", "\na,b;c\n1\n"] {
            assert_eq!(
                of(text, b','),
                "x.csv:2: the first line has commas and semicolons outside of quotes, and the rows do not tell which of \
                 them separate fields; put a line before it that does, as sep=; or sep=,"
            );
        }
        // Rows that do not fit do not make another separator of it.
        for (text, told) in [
            ("a;b\n1;2\n3\n4;5\n", "x.csv:3: 1 field, and the first line names 2; correct the row"),
            (
                "a\tb\tc\n1\t2\n3\n",
                "x.csv:2: 2 fields, and the first line names 3; 2 rows have too few or too many: lines 2, 3;",
            ),
            ("a|b\n1|2|3\n", "x.csv:2: 3 fields, and the first line names 2;"),
        ] {
            assert!(of(text, b',').starts_with(told), "{text}: {}", of(text, b','));
        }
        assert_eq!(
            of("sep=,\nnote; text\nhello; world\nfoo\n", b','),
            r#"[{"note; text":"hello; world"},{"note; text":"foo"}]"#
        );
        assert_eq!(of("sep=;\n", b','), "x.csv: the file is empty; its first line names the columns");
    }

    #[test]
    fn quotes_that_would_swallow_rows_are_told_with_their_line() {
        let open = "the quote that opens a field here is not closed before the file ends; close it, or write a quote in a field twice and the field in quotes";
        let closed = |line: u32| {
            format!(
                "the quote that opens a field here is closed on line {line}, and text follows it; close it where the field ends, and write a quote in it twice"
            )
        };
        for (text, expected) in [
            ("a,b\n1,\"x\n2,y\n3,z\n", format!("x.csv:2: {open}")),
            ("a,b\n\n\n1,\"x\"\"\n2,y\n", format!("x.csv:4: {open}")),
            ("\"a,b\n1,2\n", format!("x.csv:1: {open}")),
            ("sep=;\na;b\n1;\"", format!("x.csv:3: {open}")),
            ("a,b\n1,\"x\n2,y\n3,\"z\n", format!("x.csv:2: {}", closed(4))),
            ("a,b\n1,\"x\" y\n", format!("x.csv:2: {}", closed(2))),
            ("a,b\n1,\"x\" \n", r#"[{"a":1,"b":"x "}]"#.to_owned()),
            ("a,b\n1,5\" pipe\n", r#"[{"a":1,"b":"5\" pipe"}]"#.to_owned()),
            ("a,b\n1,\"\"\n", r#"[{"a":1,"b":""}]"#.to_owned()),
            ("a,b\n1,\"x\"", r#"[{"a":1,"b":"x"}]"#.to_owned()),
        ] {
            assert_eq!(of(text, b','), expected, "{text}");
        }
    }
}
