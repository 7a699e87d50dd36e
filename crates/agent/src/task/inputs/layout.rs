//! Where the table of a CSV file begins and what separates its fields, as its first rows tell.

use super::columns::{is_data, shown};
use super::options::{DELIMITERS, InputOptions};
use crate::error::{Error, ErrorKind};
use crate::error_text;
use ptc_text::csv::{Format, Records};
use std::borrow::Cow;

/// Most rows that are looked at.
const SAMPLE: usize = 1000;
/// Most rows above a header that are taken for a title.
const TITLE: usize = 10;

/// Where the first row of a table begins, and what separates fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    start: usize,
    line: usize,
    /// What separates fields.
    pub(super) delimiter: char,
    /// What was guessed.
    pub(super) note: Option<String>,
}

/// A row that was looked at.
struct Row<'t> {
    start: usize,
    line: usize,
    behind_blank: bool,
    fields: Vec<Cow<'t, str>>,
}

impl Row<'_> {
    fn filled(&self) -> usize {
        self.fields.iter().filter(|f| !f.trim().is_empty()).count()
    }

    /// Whether it could name columns: different texts that are no data, in all fields but empty ones at the end.
    fn names_columns(&self) -> bool {
        let names: Vec<&str> = self.fields.iter().map(|f| f.trim()).collect();
        let filled = self.filled();
        let (names, rest) = names.split_at_checked(filled).unwrap_or_default();
        filled > 1
            && rest.iter().all(|f| f.is_empty())
            && names
                .iter()
                .enumerate()
                .all(|(i, n)| !n.is_empty() && !is_data(n) && !names.iter().take(i).any(|o| o == n))
    }
}

impl Layout {
    /// That of the text of a file, as far as `options` do not say it; `file` names it in errors.
    ///
    /// A first line `sep=X`, as Excel reads and writes it, says what the delimiter is, and is no row. Else, where `separator` is
    /// a comma, it is the one of comma, semicolon, tab and bar that is in the first row outside of quotes; where several
    /// are, the one by which every row has as many fields as the first. A character that separates nothing in any row is a
    /// part of the name of the only column. Rows above the header that do not fit the table are its title.
    ///
    /// # Errors
    /// When the rows do not tell which delimiter it is.
    pub(super) fn of(text: &str, file: &str, separator: char, options: &InputOptions) -> Result<Self, Error> {
        let mut layout = Layout { start: 0, line: 1, delimiter: separator, note: None };
        for _ in 0..options.skip_lines.unwrap_or(0) {
            let Some(behind) = layout.behind_line(text) else { break };
            layout = behind;
        }
        let said = layout.said(text);
        if said.is_some() {
            layout = layout.behind_line(text).unwrap_or(layout);
        }
        let among: Vec<char> = match options.delimiter.or(said) {
            Some(delimiter) => vec![delimiter],
            None if separator != ',' => vec![separator],
            None => DELIMITERS.map(|(c, _)| c).into_iter().filter(|c| *c != ' ').collect(),
        };
        let samples: Vec<(char, Vec<Row<'_>>)> = among.iter().map(|d| (*d, layout.sample(text, *d))).collect();
        let title = || match (options.skip_lines, options.header) {
            (None, None | Some(true)) => title_of(&samples),
            _ => None,
        };
        let chosen = match among.as_slice() {
            [only] => Ok(*only),
            _ => chosen(&samples, separator),
        };
        // A table of several columns that fits has no title, unless its rows were filled up with empty fields.
        let fits = |d: &char| {
            samples.iter().any(|(c, rows)| c == d && fits(rows) && rows.first().is_some_and(|r| r.filled() > 1))
        };
        if let Some((delimiter, row)) = title().filter(|_| !chosen.as_ref().is_ok_and(fits)) {
            let lines = row.line.saturating_sub(layout.line);
            let first = text.get(layout.start..row.start).unwrap_or_default().trim();
            let first = shown(first.lines().next().unwrap_or_default().trim_end_matches(delimiter));
            let what = if lines == 1 { "line is".to_owned() } else { format!("{lines} lines are") };
            let note = format!("the first {what} read as a title above the table ({first}), skip_lines changes it");
            return Ok(Layout { start: row.start, line: row.line, delimiter, note: Some(note) });
        }
        match chosen {
            Ok(delimiter) => Ok(Layout { delimiter, ..layout }),
            Err(names) => {
                let words = error_text!(
                    "the first line has {names} outside of quotes, and the rows do not tell which of them separate fields";
                    "say it with delimiter = \"semicolon\" or another, or put a line sep=; before it"
                );
                let line = samples.first().and_then(|(_, rows)| rows.first()).map_or(layout.line, |r| r.line);
                Err(Error::new(ErrorKind::Input, words).at(&place(file, line)))
            }
        }
    }

    /// Its records.
    pub(super) fn records<'t>(&self, text: &'t str) -> Records<'t> {
        let format = Format { separator: self.delimiter, blanks: true, ..Format::default() };
        Records::new(text.get(self.start..).unwrap_or_default(), format).from_line(self.line)
    }

    /// What it is called in errors.
    pub(super) fn delimiter_name(&self) -> String {
        let named = DELIMITERS.iter().find(|(c, _)| *c == self.delimiter);
        named.map_or_else(|| format!("\"{}\"", self.delimiter), |(_, name)| format!("a {name}"))
    }

    /// The same behind its first line, where there is one.
    fn behind_line(&self, text: &str) -> Option<Self> {
        let rest = text.get(self.start..)?;
        let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let (_, behind) = rest.split_at_checked(end)?;
        let next = behind.strip_prefix("\r\n").or_else(|| behind.strip_prefix(['\r', '\n'])).unwrap_or(behind);
        let start = text.len().saturating_sub(next.len());
        (start > self.start).then(|| Layout { start, line: self.line.saturating_add(1), ..self.clone() })
    }

    /// What a first line `sep=X` says.
    fn said(&self, text: &str) -> Option<char> {
        let line = text.get(self.start..)?.split(['\r', '\n']).next()?;
        let plain = line.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or(line);
        let (word, delimiter) = plain.split_at_checked(4)?;
        let mut chars = delimiter.chars();
        let (Some(delimiter), None) = (chars.next(), chars.next()) else { return None };
        let may_be = matches!(delimiter, '\t' | ' ') || (delimiter.is_ascii_punctuation() && delimiter != '"');
        (word.eq_ignore_ascii_case("sep=") && may_be).then_some(delimiter)
    }

    /// The first rows by this delimiter, as far as their quotes are right.
    fn sample<'t>(&self, text: &'t str, delimiter: char) -> Vec<Row<'t>> {
        let mut records = Layout { delimiter, ..self.clone() }.records(text);
        let (mut rows, mut behind_blank, mut fields) = (Vec::new(), false, Vec::new());
        while rows.len() < SAMPLE {
            let start = text.len().saturating_sub(records.rest().len());
            match records.read(&mut fields) {
                Ok(true) if is_blank(&records, &fields) => behind_blank = true,
                Ok(true) => {
                    rows.push(Row { start, line: records.line(), behind_blank, fields: std::mem::take(&mut fields) });
                    behind_blank = false;
                }
                Ok(false) | Err(_) => break,
            }
        }
        rows
    }
}

/// Where an error is.
pub(super) fn place(file: &str, line: usize) -> String {
    format!("{file}, line {line}")
}

/// Whether the record read last is a blank line.
pub(super) fn is_blank(records: &Records<'_>, fields: &[Cow<'_, str>]) -> bool {
    matches!(fields, [only] if only.trim().is_empty()) && !records.has_quotes()
}

/// Whether a row has the fields of a header of `names`: those that have no name may be missing at its end, and empty ones follow.
pub(super) fn has_fields<S: AsRef<str>>(row: &[S], names: &[S]) -> bool {
    let empty = |f: &S| f.as_ref().trim().is_empty();
    let needed = names.iter().rposition(|n| !empty(n)).map_or(names.len(), |last| last.saturating_add(1));
    row.len() >= needed && row.iter().skip(names.len()).all(empty)
}

fn fits(rows: &[Row<'_>]) -> bool {
    rows.first().is_some_and(|header| rows.iter().all(|row| has_fields(&row.fields, &header.fields)))
}

/// The delimiter that the first row and then all rows tell, or the names of those that it could be.
fn chosen(samples: &[(char, Vec<Row<'_>>)], separator: char) -> Result<char, String> {
    let of = |d: char| samples.iter().find(|(c, _)| *c == d).map(|(_, rows)| rows.as_slice()).unwrap_or_default();
    let splits = |d: char| of(d).iter().skip(1).any(|row| row.fields.len() > 1);
    let among: Vec<char> =
        samples.iter().filter(|(_, r)| r.first().is_some_and(|h| h.fields.len() > 1)).map(|(c, _)| *c).collect();
    let fitting: Vec<char> = among.iter().copied().filter(|d| fits(of(*d))).collect();
    match (among.as_slice(), fitting.as_slice()) {
        ([], _) => Ok(separator),
        // A file of one column may have another character in its name.
        ([only], []) if *only != separator && fits(of(separator)) && !splits(*only) => Ok(separator),
        ([only], _) | (_, [only]) => Ok(*only),
        _ => {
            let named = DELIMITERS.iter().filter(|(c, _)| among.contains(c));
            Err(named.map(|(_, name)| format!("{name}s")).collect::<Vec<_>>().join(" and "))
        }
    }
}

/// The row that names the columns below a title, where there seems to be one, and the delimiter.
fn title_of<'s, 't>(samples: &'s [(char, Vec<Row<'t>>)]) -> Option<(char, &'s Row<'t>)> {
    let mut found: Option<(char, &Row<'_>, usize)> = None;
    for (delimiter, rows) in samples {
        let widths = || rows.iter().map(|r| r.fields.len());
        // The usual number of fields, of two as usual ones the greater.
        let Some(width) = widths().max_by_key(|w| (widths().filter(|o| o == w).count(), *w)).filter(|w| *w > 1) else {
            continue;
        };
        let in_title = |row: &&Row<'_>| row.fields.len() != width || (width > 2 && row.filled() < 2);
        let before = rows.iter().take_while(in_title).count();
        let (title, below) = rows.split_at_checked(before).unwrap_or_default();
        let Some((header, data)) = below.split_first() else { continue };
        let is_typed = || {
            (0..width).any(|i| {
                let mut cells = data.iter().filter_map(|r| r.fields.get(i)).filter(|f| !f.trim().is_empty()).peekable();
                cells.peek().is_some() && cells.all(|f| is_data(f))
            })
        };
        let marked = || {
            rows.iter().take(before.saturating_add(1)).any(|r| r.behind_blank)
                || title.iter().all(|r| r.fields.first().is_some_and(|f| f.starts_with('#')))
        };
        let regular = || {
            width > 2
                && data.len() > 1
                && title.iter().all(|r| r.filled() < 2)
                && data.iter().all(|r| r.fields.len() == width)
        };
        if (1..=TITLE).contains(&before)
            && !data.is_empty()
            && header.names_columns()
            && (is_typed() || marked() || regular())
            && found.as_ref().is_none_or(|(_, _, w)| *w < width)
        {
            found = Some((*delimiter, header, width));
        }
    }
    found.map(|(delimiter, header, _)| (delimiter, header))
}
#[cfg(test)]
mod tests {
    use super::super::csv::read;
    use super::super::options::InputOptions;
    use super::super::read_limits::ReadLimits;

    fn of(text: &str, separator: char) -> String {
        let read = read(text, "x.csv", separator, &InputOptions::default(), &ReadLimits::default());
        read.map_or_else(|e| e.to_string(), |r| r.json())
    }

    #[test]
    fn the_first_line_tells_what_separates_fields() {
        for (text, expected) in [
            ("Order No;unit price;comment\n1;2,50;a, b\n", r#"[{"Order No":1,"unit price":2.50,"comment":"a, b"}]"#),
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
                r#"[{"id":1,"price, net":2.5,"n":3},{"id":2,"price, net":2.0,"n":3}]"#,
            ),
            ("sep=;\r\na;b,c\r\n1;2\r\n", r#"[{"a":1,"b,c":2}]"#),
            ("SEP=,\na;b,c\n1,2\n", r#"[{"a;b":1,"c":2}]"#),
            ("\"sep=:\"\na:b\n1:2\n", r#"[{"a":1,"b":2}]"#),
            ("sep=\t\na\tb\n1\t2\n", r#"[{"a":1,"b":2}]"#),
            ("sep=\n1\n", r#"[{"sep=":1}]"#),
            ("sep=x\n1\n", r#"[{"sep=x":1}]"#),
        ] {
            assert_eq!(of(text, ','), expected, "{text}");
        }
        assert_eq!(of("a;b\tc\n1\t2\n", '\t'), r#"[{"a;b":1,"c":2}]"#);
        assert_eq!(of("sep=;\na;b\n1;2\n", '\t'), r#"[{"a":1,"b":2}]"#);
        for text in ["\na,b;c\n", "\na,b;c\n1,2;3\n", "\na,b;c\n1\n"] {
            assert_eq!(
                of(text, ','),
                "x.csv, line 2: the first line has commas and semicolons outside of quotes, and the rows do not tell which of \
                 them separate fields; say it with delimiter = \"semicolon\" or another, or put a line sep=; before it"
            );
        }
        // Rows that do not fit do not make another separator of it.
        for (text, told) in [
            ("a;b\n1;2\n3\n4;5\n", "x.csv, line 3: 1 field, the header has 2; add the fields that are missing"),
            (
                "a\tb\tc\n1\t2\n3\n",
                "x.csv, line 2: 2 fields, the header has 3. 2 rows have too few or too many: lines 2, 3; if the header",
            ),
            ("a|b\n1|2|3\n", "x.csv, line 2: 3 fields, the header has 2; quote the field that contains a bar"),
        ] {
            assert!(of(text, ',').starts_with(told), "{text}: {}", of(text, ','));
        }
        assert_eq!(
            of("sep=,\nnote; text\nhello; world\nfoo\n", ','),
            r#"[{"note; text":"hello; world"},{"note; text":"foo"}]"#
        );
        assert_eq!(of("sep=;\n", ','), "x.csv: the file is empty; its first line names the columns");
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
            ("a,b\n1,\"x\n2,y\n3,z\n", format!("x.csv, line 2: {open}")),
            ("a,b\n\n\n1,\"x\"\"\n2,y\n", format!("x.csv, line 4: {open}")),
            ("\"a,b\n1,2\n", format!("x.csv, line 1: {open}")),
            ("sep=;\na;b\n1;\"", format!("x.csv, line 3: {open}")),
            ("a,b\n1,\"x\n2,y\n3,\"z\n", format!("x.csv, line 2: {}", closed(4))),
            ("a,b\n1,\"x\" y\n", format!("x.csv, line 2: {}", closed(2))),
            ("a,b\n1,\"x\" \n", r#"[{"a":1,"b":"x"}]"#.to_owned()),
            ("a,b\n1,5\" pipe\n", r#"[{"a":1,"b":"5\" pipe"}]"#.to_owned()),
            ("a,b\n1,\"\"\n", r#"[{"a":1,"b":""}]"#.to_owned()),
            ("a,b\n1,\"x\"", r#"[{"a":1,"b":"x"}]"#.to_owned()),
        ] {
            assert_eq!(of(text, ','), expected, "{text}");
        }
    }
}
