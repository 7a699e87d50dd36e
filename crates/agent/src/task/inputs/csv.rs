//! CSV files: rows of named columns, each of which is all numbers or all text.

use super::columns::{self, Column, Kind, Names, shown};
use super::layout::{Layout, has_fields, is_blank, place};
use super::options::InputOptions;
use super::read_limits::{Budget, ReadLimits};
use super::rows::{Rows, cell_bytes, row_bytes};
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use ptc_text::csv::QuoteError;
use std::borrow::Cow;

/// Reads the text of a file; `file` names it in errors. `separator` is a tab in `.tsv` files; with a comma the rows tell what
/// separates fields ([`Layout::of`]).
///
/// A column in which every field that is not empty is a number holds numbers, and its empty fields are nothing, as are `NA`
/// and its like. One number with a fraction makes all of the column such. Every other column is text: `007` stays what it is. All
/// rows are looked at for that, also those that are not kept. What is guessed and may be wrong is in [`Rows::note`], with the
/// option that says it.
///
/// A column without a name is called by its place, `column-3`; where it has nothing at all, as behind the last one of a
/// spreadsheet, it is left out. A column that is called as one before it gets a number, `x-2`.
///
/// # Errors
/// With the line, when a row has not the fields of the header, or a quote is not closed; when the first rows do not tell what
/// separates fields; or when the text and the rows together take more than the input may.
pub(crate) fn read(
    text: &str,
    file: &str,
    separator: char,
    options: &InputOptions,
    reading: &ReadLimits,
) -> Result<Rows, Error> {
    let layout = Layout::of(text, file, separator, options)?;
    let quote = |e: QuoteError| quote_error(e, file);
    let mut records = layout.records(text);
    let mut fields = Vec::new();
    // Blank lines before the first row are none.
    let first = loop {
        match records.read(&mut fields).map_err(quote)? {
            true if is_blank(&records, &fields) => {}
            true => break std::mem::take(&mut fields),
            false => {
                let words = error_text!("the file is empty"; "its first line names the columns");
                return Err(Error::new(ErrorKind::Input, words).at(file));
            }
        }
    };
    let first_line = records.line();
    // Read twice, so that no field is kept whose column is not known yet.
    let mut columns = vec![Column::default(); first.len()];
    let (mut rows, mut blank, mut blanks, mut behind_blanks) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut unequal = Unequal::default();
    while records.read(&mut fields).map_err(quote)? {
        if is_blank(&records, &fields) {
            blank = blank.saturating_add(1);
            continue;
        }
        behind_blanks = behind_blanks.saturating_add(u64::from(blank > 0));
        (rows, blanks, blank) = (rows.saturating_add(1), blanks.saturating_add(blank), 0);
        if !has_fields(&fields, &first) {
            unequal.add(first.len(), fields.len(), records.line());
            continue;
        }
        for (column, field) in columns.iter_mut().zip(&fields) {
            column.add(field, records.line(), options);
        }
    }
    if let Some((line, text)) = unequal.error(&layout, rows) {
        return Err(Error::new(ErrorKind::Input, text).at(&place(file, line)));
    }
    let (header, header_note) = match options.header {
        Some(header) => (header, None),
        None => guess_header(&first, &columns),
    };
    let mut names: Vec<String> = match header {
        true => first.iter().map(|c| c.trim().to_owned()).collect(),
        false => {
            columns.iter_mut().zip(&first).for_each(|(column, field)| column.add(field, first_line, options));
            (1..=first.len()).map(|n| format!("column-{n}")).collect()
        }
    };
    let mut taken = Names::of(&names);
    taken.tell_apart(&mut names);
    let kept: Vec<bool> =
        columns.iter().zip(&names).map(|(column, name)| !name.is_empty() || !column.is_empty()).collect();
    for (i, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        if kept.get(i) == Some(&true) {
            *name = taken.free(format!("column-{}", i.saturating_add(1)));
        }
    }
    let (kinds, guesses) = columns::kinds(&columns, &names, layout.delimiter, options);
    // In a column alone a blank line is a row, unless one is before each row.
    let blank_rows = first.len() == 1 && blanks > 0 && behind_blanks < rows;
    let blank_note = blank_rows.then(|| match blanks {
        1 => "a blank line between the rows is read as a row of nothing".to_owned(),
        n => format!("{n} blank lines between the rows are read as rows of nothing"),
    });
    let of = Table { layout: &layout, header, kept: &kept, names: &names, kinds: &kinds, blank_rows };
    let cells = of.cells(text, file, options, reading)?;
    let columns = names.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(name, _)| name.clone()).collect();
    let notes = [layout.note, header_note, taken.note(), blank_note].into_iter().flatten().chain(guesses);
    let note = notes.collect::<Vec<_>>().join("; ");
    Ok(Rows { columns, rows: cells, note: Some(note).filter(|n| !n.is_empty()) })
}

/// A table that was looked at.
struct Table<'a> {
    layout: &'a Layout,
    header: bool,
    kept: &'a [bool],
    names: &'a [String],
    kinds: &'a [Kind],
    blank_rows: bool,
}

impl Table<'_> {
    /// Its rows, those that are asked for.
    fn cells(
        &self,
        text: &str,
        file: &str,
        options: &InputOptions,
        reading: &ReadLimits,
    ) -> Result<Vec<Vec<super::rows::Cell>>, Error> {
        let mut budget = Budget::new(reading.bytes.saturating_sub(text.len() as u64));
        let (mut records, mut fields, mut rows) = (self.layout.records(text), Vec::new(), Vec::new());
        // Blank lines count once a row follows them.
        let (mut is_header, mut passed, mut blank) = (self.header, 0_u64, 0_usize);
        let mut begun = false;
        let empty = || vec![Cow::Borrowed("")];
        while records.read(&mut fields).map_err(|e| quote_error(e, file))? {
            if is_blank(&records, &fields) {
                blank = if self.blank_rows && begun { blank.saturating_add(1) } else { 0 };
                continue;
            }
            begun = true;
            if std::mem::take(&mut is_header) {
                continue;
            }
            let before = std::mem::take(&mut blank);
            for fields in std::iter::repeat_with(empty).take(before).chain([std::mem::take(&mut fields)]) {
                if options.limit.is_some_and(|limit| rows.len() as u64 >= limit) {
                    return Ok(rows);
                }
                if passed < options.offset {
                    passed = passed.saturating_add(1);
                    continue;
                }
                let bytes: u64 = fields.iter().zip(self.names).map(|(f, name)| cell_bytes(name, f.as_bytes())).sum();
                if !budget.take(row_bytes().saturating_add(bytes)) {
                    let what = format!("with its first {} rows read, it", rows.len());
                    return Err(reading.too_large(file, &what, "read fewer with limit = N"));
                }
                let fields = fields.iter().map(AsRef::as_ref).chain(std::iter::repeat(""));
                let cells = self.kinds.iter().zip(self.kept).zip(fields).filter(|((_, kept), _)| **kept);
                rows.push(cells.map(|((kind, _), field)| kind.cell(field, options)).collect());
            }
        }
        Ok(rows)
    }
}

/// Whether the first row names the columns, and what is to be said of that.
fn guess_header(first: &[Cow<'_, str>], columns: &[Column]) -> (bool, Option<String>) {
    let filled = || first.iter().filter(|f| !f.trim().is_empty());
    let row = || filled().take(3).map(|f| shown(f.trim())).collect::<Vec<_>>().join(", ");
    let years: Vec<u32> =
        first.iter().filter_map(|f| f.trim().parse().ok()).filter(|y| (1900..=2100).contains(y)).collect();
    let is_years = years.len() > 1
        && years.len() == first.len()
        && years.windows(2).all(|w| matches!(w, [a, b] if a.checked_add(1) == Some(*b)));
    if filled().all(|f| columns::is_data(f)) && columns.iter().all(Column::is_data) && !is_years {
        return (
            false,
            Some(format!(
                "the first row looks like data and is read as a row ({}), header = true reads it as names of columns",
                row()
            )),
        );
    }
    let is_year = |f: &str| f.parse().is_ok_and(|y: u32| (1900..=2100).contains(&y));
    let data = |(field, column): &(&Cow<'_, str>, &Column)| {
        let field = field.trim();
        columns::is_data(field) && !is_year(field) && !column.is_empty() && column.is_data()
    };
    let odd = first.iter().zip(columns).find(data).map(|(f, _)| shown(f.trim())).or_else(|| is_years.then(row));
    (
        true,
        odd.map(|odd| {
            format!(
                "the first row is read as names of columns and {odd} looks like data, header = false reads it as a row"
            )
        }),
    )
}

/// Rows that have more or fewer fields than the first.
#[derive(Default)]
struct Unequal {
    /// How many, and the lines of the first five.
    rows: u64,
    lines: Vec<usize>,
    /// Fields of the first row and of the first of these.
    fields: (usize, usize),
}

impl Unequal {
    fn add(&mut self, expected: usize, found: usize, line: usize) {
        if self.rows == 0 {
            self.fields = (expected, found);
        }
        if self.lines.len() < 5 {
            self.lines.push(line);
        }
        self.rows = self.rows.saturating_add(1);
    }

    /// The line of the first, and what is said of all.
    fn error(&self, layout: &Layout, all: u64) -> Option<(usize, ErrorText)> {
        let first = *self.lines.first()?;
        let (expected, found) = self.fields;
        let noun = if found == 1 { "field" } else { "fields" };
        let more = if self.rows > self.lines.len() as u64 { ", ..." } else { "" };
        let others = match self.rows {
            1 => String::new(),
            n => {
                let lines: Vec<String> = self.lines.iter().map(usize::to_string).collect();
                format!(". {n} rows have too few or too many: lines {}{more}", lines.join(", "))
            }
        };
        let hint = match () {
            // What most rows have is not their mistake.
            () if self.rows > 1 && self.rows.saturating_mul(2) > all => {
                "if the header is further down, skip_lines = N; if something else separates fields, delimiter"
                    .to_owned()
            }
            () if found > expected => format!("quote the field that contains {}", layout.delimiter_name()),
            () => "add the fields that are missing".to_owned(),
        };
        Some((first, error_text!("{found} {noun}, the header has {expected}{others}"; "{hint}")))
    }
}

/// A quote by which rows would be lost.
fn quote_error(e: QuoteError, file: &str) -> Error {
    let (line, words) = match e {
        QuoteError::Unclosed { opened } => (
            opened,
            error_text!("the quote that opens a field here is not closed before the file ends"; "close it, or write a quote in a field twice and the field in quotes"),
        ),
        QuoteError::TextBehind { opened, closed, .. } => (
            opened,
            error_text!("the quote that opens a field here is closed on line {closed}, and text follows it"; "close it where the field ends, and write a quote in it twice"),
        ),
    };
    Error::new(ErrorKind::Input, words).at(&place(file, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        let read = read(text, "x.csv", ',', &InputOptions::default(), &ReadLimits::default());
        read.map_or_else(|e| e.to_string(), |r| r.json())
    }

    #[test]
    fn columns_are_of_one_kind() {
        for (text, expected) in [
            ("id,name\n1,a\n2,\"b,\"\"c\"\"\nd\"\n", r#"[{"id":1,"name":"a"},{"id":2,"name":"b,\"c\"\nd"}]"#),
            ("n\n1\n\"\"\n-2\n", r#"[{"n":1},{"n":null},{"n":-2}]"#),
            ("n\n1\n2.5\n3e2\n", r#"[{"n":1.0},{"n":2.5},{"n":3e2}]"#),
            ("n\n1\n007\n", r#"[{"n":"1"},{"n":"007"}]"#),
            ("n\n1\nx\n\"\"\n", r#"[{"n":"1"},{"n":"x"},{"n":""}]"#),
            ("n,m\n,\n", r#"[{"n":"","m":""}]"#),
            ("n\n123456789012345678901\n", r#"[{"n":123456789012345678901}]"#),
            ("n\n1_000\ntrue\n", r#"[{"n":"1_000"},{"n":"true"}]"#),
            ("n\nNaN\n1\n", r#"[{"n":null},{"n":1}]"#),
            ("id\r\n1\r\n", r#"[{"id":1}]"#),
            ("id\n", "[]"),
            // One column whose name has another sign.
            ("note; text\nhello\nworld\n", r#"[{"note; text":"hello"},{"note; text":"world"}]"#),
            // As a table of pandas begins with the numbers of its rows, and as one of a spreadsheet ends.
            (",a\n0,x\n1,y\n", r#"[{"column-1":0,"a":"x"},{"column-1":1,"a":"y"}]"#),
            ("a,,b,,\n1,,2,,\n3,,4,,n\n", r#"[{"a":1,"b":2,"column-5":""},{"a":3,"b":4,"column-5":"n"}]"#),
            (",column-1\n,2\n", r#"[{"column-1":2}]"#),
            // As joined tables have them; a name that a column has is not given to another.
            ("x,y,x\n1,2,3\n", r#"[{"x":1,"y":2,"x-2":3}]"#),
            ("x,x,x-2,x\n1,2,3,4\n", r#"[{"x":1,"x-3":2,"x-2":3,"x-4":4}]"#),
            (" x ,x\n1,2\n", r#"[{"x":1,"x-2":2}]"#),
            (",column-1\n1,2\n", r#"[{"column-1-2":1,"column-1":2}]"#),
        ] {
            assert_eq!(json(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, words) in [
            ("", "x.csv: the file is empty; its first line names the columns"),
            ("a,b\n1,2\n3\n", "x.csv, line 3: 1 field, the header has 2; add the fields that are missing"),
            (
                "a,b\n1\n1,2\n1,2,3\n4\n",
                "x.csv, line 2: 1 field, the header has 2. 3 rows have too few or too many: lines 2, 4, 5; if the header is further down, skip_lines = N",
            ),
            (
                "a,b\n1\n1\n1\n1\n1\n1\n",
                "x.csv, line 2: 1 field, the header has 2. 6 rows have too few or too many: lines 2, 3, 4, 5, 6, ...; if the header",
            ),
            ("a,b\n\n\n1,2,3\n", "x.csv, line 4: 3 fields, the header has 2; quote the field that contains a "),
            (
                "sep=;\r\na;b\r\n\r\n1;2;3\r\n",
                "x.csv, line 4: 3 fields, the header has 2; quote the field that contains a ",
            ),
            ("a,b\n1,\"x\ny\"\n1,2,3\n", "x.csv, line 4: 3 fields, the header has 2; quote the field that contains a "),
            ("a,b\r1,2\r\r3\r", "x.csv, line 4: 1 field, the header has 2; add the fields that are missing"),
        ] {
            assert!(json(text).starts_with(words), "{text}: {}", json(text));
        }
        let tabs = read("a\tb\n1\tx,y\n", "x.tsv", '\t', &InputOptions::default(), &ReadLimits::default());
        assert_eq!(tabs.unwrap().json(), r#"[{"a":1,"b":"x,y"}]"#);
    }

    #[test]
    fn columns_that_got_a_number_are_told() {
        let note =
            |text: &str| read(text, "x.csv", ',', &InputOptions::default(), &ReadLimits::default()).unwrap().note;
        assert_eq!(note("a,,column-2\n1,2,3\n"), None);
        let words = "columns of the same name are numbered: \"a\" again is \"a-2\", \"b c\" again is \"b c-2\"";
        assert_eq!(note("a,b c,a,b c\n").as_deref(), Some(words));
        // However many there are, and whatever they are called, it is a line.
        let long = "\u{1b}[2J".repeat(50);
        let many = note(&format!("{}\n", vec![long.as_str(); 1000].join(","))).unwrap();
        assert!(many.len() < 4000 && many.ends_with(", and 991 more") && !many.contains('\u{1b}'), "{many}");
    }

    /// The rows and what was guessed of them, with options as behind a file's name.
    fn guessed(text: &str, said: &str) -> (String, String) {
        let options = InputOptions::behind(&format!("x{said}")).unwrap().1;
        match read(text, "x.csv", ',', &options, &ReadLimits::default()) {
            Ok(rows) => (rows.json(), rows.note.unwrap_or_default()),
            Err(e) => (e.to_string(), String::new()),
        }
    }

    #[test]
    fn what_is_guessed_is_told_with_the_option_that_says_it() {
        let title = |first: &str| format!("read as a title above the table (\"{first}\"), skip_lines changes it");
        let nulls = |of: &str| format!("fields were read as nothing in {of}, null changes it");
        let local =
            |of: &str| format!("numbers were read by a guess of their decimal sign in {of}, decimal changes it");
        for (text, expected, note) in [
            // Titles: one line, several with a blank one, filled up with empty fields, comments, with another delimiter in it.
            ("Sales 2024\nid,n\n1,2\n", r#"[{"id":1,"n":2}]"#, format!("the first line is {}", title("Sales 2024"))),
            ("Sales\nby region, all\n\na;b\nx;y\n", r#"[{"a":"x","b":"y"}]"#, format!("the first 3 lines are {}", title("Sales"))),
            ("Sales,,\n,,\na,b,c\n1,2,3\n", r#"[{"a":1,"b":2,"c":3}]"#, format!("the first 2 lines are {}", title("Sales"))),
            ("# x, y\n# z\na,b,c\nu,v,w\n", r#"[{"a":"u","b":"v","c":"w"}]"#, format!("the first 2 lines are {}", title("# x, y"))),
            ("All sales\na,b,c\nu,v,w\nx,y,z\n", r#"[{"a":"u","b":"v","c":"w"},{"a":"x","b":"y","c":"z"}]"#, format!("the first line is {}", title("All sales"))),
            // No title: one column of text with commas, a row that is torn.
            ("note\na, b\nc, d\n", "x.csv, line 2: 2 fields, the header has 1. 2 rows have too few or too many: lines 2, 3; if the header is further down, skip_lines = N; if something else separates fields, delimiter", String::new()),
            // Rows of another shape at the end make no title of those before them.
            ("c0\nv0\na;b\n", r#"[{"c0":"v0"},{"c0":"a;b"}]"#, String::new()),
            ("a,b\nx,y\n1,2,3\n4,5,6\n", "x.csv, line 3: 3 fields, the header has 2. 2 rows have too few or too many: lines 3, 4; if the header is further down, skip_lines = N; if something else separates fields, delimiter", String::new()),
            // What spaces surround: quotes behind them, and numbers.
            ("n, a, t\nx, 1, \"p, q\"\ny, 2 ,\"r\" \n", r#"[{"n":"x","a":1,"t":"p, q"},{"n":"y","a":2,"t":"r"}]"#, String::new()),
            // The code of Namibia.
            ("code,n\nNA,1\nNC,2\n", r#"[{"code":"NA","n":1},{"code":"NC","n":2}]"#, String::new()),
            // No header.
            ("1,2.5\n3,4\n", r#"[{"column-1":1,"column-2":2.5},{"column-1":3,"column-2":4.0}]"#, "the first row looks like data and is read as a row (\"1\", \"2.5\"), header = true reads it as names of columns".into()),
            ("2024-01-31;7\n", r#"[{"column-1":"2024-01-31","column-2":7}]"#, "the first row looks like data and is read as a row (\"2024-01-31\", \"7\"), header = true reads it as names of columns".into()),
            ("17,pen\n18,ink\n", r#"[{"17":18,"pen":"ink"}]"#, "the first row is read as names of columns and \"17\" looks like data, header = false reads it as a row".into()),
            ("2022,2023\n1,2\n", r#"[{"2022":1,"2023":2}]"#, "the first row is read as names of columns and \"2022\", \"2023\" looks like data, header = false reads it as a row".into()),
            ("city,2022\nx,1\n", r#"[{"city":"x","2022":1}]"#, String::new()),
            ("1,2\na,b\n", r#"[{"1":"a","2":"b"}]"#, String::new()),
            // Nothing, and what makes a column text.
            ("n,t\n1,NA\n-,-\nN/A,x\n", r#"[{"n":1,"t":"NA"},{"n":null,"t":"-"},{"n":null,"t":"x"}]"#, nulls("\"n\" (\"-\")")),
            ("n\nNA\nnull\n", r#"[{"n":"NA"},{"n":"null"}]"#, String::new()),
            ("n\n1\n2\n3\n4\n5\n6\n7\n8\n9\nmissing\n", r#"[{"n":"1"},{"n":"2"},{"n":"3"},{"n":"4"},{"n":"5"},{"n":"6"},{"n":"7"},{"n":"8"},{"n":"9"},{"n":"missing"}]"#, "a few fields make columns of numbers text: \"n\" (line 11: \"missing\"), null reads such fields as nothing".into()),
            // Numbers of other places.
            ("a;b;c\n1.234,56;1.234;x\n-7,5;2.000;y\n", r#"[{"a":1234.56,"b":1234,"c":"x"},{"a":-7.5,"b":2000,"c":"y"}]"#, local("\"a\" (\"1.234,56\" as 1234.56), \"b\" (\"1.234\" as 1234)")),
            ("a,b\n\"1,234.50\",\"1,234\"\n2,3\n", r#"[{"a":1234.50,"b":1234},{"a":2.0,"b":3}]"#, local("\"a\" (\"1,234.50\" as 1234.50), \"b\" (\"1,234\" as 1234)")),
            ("a;b\n1.234;x\n", r#"[{"a":1.234,"b":"x"}]"#, local("\"a\" (\"1.234\" as 1.234)")),
            ("a,b\n1.234,x\n", r#"[{"a":1.234,"b":"x"}]"#, String::new()),
            ("a\tb\n1 234,5\tx\n", r#"[{"a":1234.5,"b":"x"}]"#, local("\"a\" (\"1 234,5\" as 1234.5)")),
            ("a, b\n 1, x\n.5, \"y, z\"\n", r#"[{"a":1.0,"b":" x"},{"a":0.5,"b":"y, z"}]"#, String::new()),
            // One column with blank lines; a file whose lines are all double.
            ("n\n\n1\n\n\n2\n3\n4\n\n", r#"[{"n":null},{"n":1},{"n":null},{"n":null},{"n":2},{"n":3},{"n":4}]"#, "3 blank lines between the rows are read as rows of nothing".into()),
            ("t\nx\n\ny\n", r#"[{"t":"x"},{"t":""},{"t":"y"}]"#, "a blank line between the rows is read as a row of nothing".into()),
            ("n\n\n1\n\n2\n\n3\n", r#"[{"n":1},{"n":2},{"n":3}]"#, String::new()),
            ("a,b\n1,2\n\n  \n3,4\n", r#"[{"a":1,"b":2},{"a":3,"b":4}]"#, String::new()),
            // Delimiters at the ends of rows, of the header or of both.
            ("a,b\n1,2,\n3,4,,\n", r#"[{"a":1,"b":2},{"a":3,"b":4}]"#, String::new()),
            ("a,b,\n1,2\n3,4,\n", r#"[{"a":1,"b":2},{"a":3,"b":4}]"#, String::new()),
            ("a,b\r1,\"x\ry\"\r", r#"[{"a":1,"b":"x\ry"}]"#, String::new()),
        ] {
            assert_eq!(guessed(text, ""), (expected.to_owned(), note), "{text}");
        }
    }

    #[test]
    fn options_have_precedence_over_guesses() {
        for (text, said, expected) in [
            ("Sales 2024\nid,n\n1,2\n", ",skip_lines=1", r#"[{"id":1,"n":2}]"#),
            ("x\n\nid,n\n1,2\n", ",skip_lines=2", r#"[{"id":1,"n":2}]"#),
            ("x\n1,2\n", ",skip_lines=1,header=false", r#"[{"column-1":1,"column-2":2}]"#),
            ("1,2\n3,4\n", ",header=true", r#"[{"1":3,"2":4}]"#),
            (
                "17,pen\n18,ink\n",
                ",header=false",
                r#"[{"column-1":17,"column-2":"pen"},{"column-1":18,"column-2":"ink"}]"#,
            ),
            ("n,t\n1,NA\n-,-\n", ",null=NA", r#"[{"n":"1","t":null},{"n":"-","t":"-"}]"#),
            ("n,t\n1,NA\n-,\n", ",null=-,null=", r#"[{"n":1,"t":"NA"},{"n":null,"t":null}]"#),
            ("a;b\n1.234;4.5\n", ",decimal=comma", r#"[{"a":1234,"b":"4.5"}]"#),
            ("a;b\n1,234;4,5\n", ",decimal=point", r#"[{"a":1234,"b":"4,5"}]"#),
            ("a;b\n1,234;4.5\n", ",decimal=plain", r#"[{"a":"1,234","b":4.5}]"#),
            ("a,b;c\n1,2;3\n", ",delimiter=;", r#"[{"a,b":1.2,"c":3}]"#),
            ("a b\n1 2\n", ",delimiter=space", r#"[{"a":1,"b":2}]"#),
            ("n\n1\n2\n3\n", ",offset=1,limit=1", r#"[{"n":2}]"#),
        ] {
            let (json, note) = guessed(text, said);
            assert_eq!(json, expected, "{text} {said}");
            assert!(note.is_empty() || said == ",delimiter=;", "{text} {said}: {note}");
        }
    }

    #[test]
    fn a_part_is_read_within_the_memory_of_an_input() {
        let text = format!("n\n{}x\n", "1\n".repeat(5000));
        let small = ReadLimits { bytes: 64 << 10, ..ReadLimits::default() };
        let all = read(&text, "x.csv", ',', &InputOptions::default(), &small).unwrap_err().to_string();
        assert!(
            all.starts_with("x.csv: with its first ")
                && all.contains(" rows read, it takes more than input_bytes = 65536; "),
            "{all}"
        );
        // What the last row says of the column holds for those that are kept.
        let part = InputOptions::behind("x,offset=1,limit=2").unwrap().1;
        assert_eq!(read(&text, "x.csv", ',', &part, &small).unwrap().json(), r#"[{"n":"1"},{"n":"1"}]"#);
    }
}
