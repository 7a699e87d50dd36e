//! CSV files: the first line names the columns, and each column is all numbers or all text.

use super::delimiter::{self, Layout};
use super::read_limits::{Budget, ReadLimits};
use super::rows::{Cell, Rows, cell_bytes, row_bytes};
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use ptc_lisp::escape;
use std::collections::{HashMap, HashSet};

/// Which rows of a file are kept: at most `limit` behind the first `offset`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    /// Rows that are passed over.
    pub offset: u64,
    /// Most rows; `None` for all.
    pub limit: Option<u64>,
}

/// Reads the text of a file; `file` stands in errors. `separator` is a tab in `.tsv` files; with a comma the first line
/// tells what separates fields ([`Layout::of`]).
///
/// A column in which every field that is not empty is a number as JSON writes it holds numbers, and its empty fields
/// are nothing. One number with a point makes all of the column such. Every other column is text: `007` stays what it
/// is. All rows are looked at for that, also those that are not kept.
///
/// A column without a name is called by its place, `column-3`; where it has nothing at all, as behind the last one of a
/// spreadsheet, it is left out. A column that is called as one before it gets a number, `x-2`, which [`Rows::note`] tells.
///
/// # Errors
/// With the line, when a row is not as long as the first, or a quote is not closed; when the first line does not tell what separates fields; or when the text and the rows together take more than the input may.
pub(crate) fn read(text: &str, file: &str, separator: u8, part: Part, reading: &ReadLimits) -> Result<Rows, Error> {
    let layout = Layout::of(text, file, separator)?;
    delimiter::check_quotes(text, layout, file)?;
    let open = || layout.reader(text);
    let wrong = |e: &csv::Error| {
        let line = e.position().map_or_else(String::new, |p| format!(":{}", layout.line(text, p)));
        Error::new(ErrorKind::Input, text_of(e)).at(&format!("{file}{line}"))
    };
    let mut reader = open();
    let mut columns: Vec<String> =
        reader.headers().map_err(|e| wrong(&e))?.iter().map(|c| c.trim().to_owned()).collect();
    if columns.iter().all(String::is_empty) {
        return Err(
            Error::new(ErrorKind::Input, error_text!("the file is empty"; "its first line names the columns")).at(file)
        );
    }
    let mut names = Names::of(&columns);
    names.tell_apart(&mut columns);
    // Read twice, so that no field is kept whose column is not known yet.
    let mut kinds = vec![Kind::Empty; columns.len()];
    let mut record = csv::StringRecord::new();
    let mut unequal = Unequal::default();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(e) => match (e.kind(), e.position()) {
                (csv::ErrorKind::UnequalLengths { expected_len, len, .. }, Some(place)) => {
                    unequal.add(*expected_len, *len, || layout.line(text, place));
                    continue;
                }
                _ => return Err(wrong(&e)),
            },
        }
        for (kind, field) in kinds.iter_mut().zip(&record) {
            *kind = kind.with(field);
        }
    }
    if let Some((line, text)) = unequal.told() {
        return Err(Error::new(ErrorKind::Input, text).at(&format!("{file}:{line}")));
    }
    let kept: Vec<bool> =
        columns.iter().zip(&kinds).map(|(column, kind)| !column.is_empty() || *kind != Kind::Empty).collect();
    for (i, column) in columns.iter_mut().enumerate().filter(|(_, column)| column.is_empty()) {
        if kept.get(i) == Some(&true) {
            *column = names.free(format!("column-{}", i.saturating_add(1)));
        }
    }
    let mut budget = Budget::new(reading.bytes.saturating_sub(text.len() as u64));
    let (mut reader, mut rows) = (open(), Vec::new());
    let mut passed = 0_u64;
    while part.limit.is_none_or(|limit| (rows.len() as u64) < limit)
        && reader.read_record(&mut record).map_err(|e| wrong(&e))?
    {
        if passed < part.offset {
            passed = passed.saturating_add(1);
            continue;
        }
        let bytes: u64 = record.iter().zip(&columns).map(|(field, column)| cell_bytes(column, field.as_bytes())).sum();
        if !budget.take(row_bytes().saturating_add(bytes)) {
            let what = format!("with its first {} rows read, it", rows.len());
            return Err(reading.too_large(file, &what, "read fewer with limit = N"));
        }
        let fields = record.iter().zip(&kinds).zip(&kept).filter(|(_, kept)| **kept);
        rows.push(fields.map(|((field, kind), _)| kind.cell(field)).collect());
    }
    let columns = columns.into_iter().zip(kept).filter_map(|(column, kept)| kept.then_some(column)).collect();
    Ok(Rows { columns, rows, note: names.note() })
}

/// The most columns that are named as told apart, and the most bytes of a name there.
const TOLD: (usize, usize) = (8, 60);

/// The names of columns, each of which is there once.
struct Names {
    taken: HashSet<String>,
    /// The number that the next column of a name gets.
    next: HashMap<String, u64>,
    /// Those that got a number: what they are called in the file, and here.
    numbered: Vec<(String, String)>,
}

impl Names {
    /// Those that the first line names: what has a name of its own keeps it.
    fn of(columns: &[String]) -> Self {
        let taken = columns.iter().filter(|c| !c.is_empty()).cloned().collect();
        Names { taken, next: HashMap::new(), numbered: Vec::new() }
    }

    /// Gives each column that is called as one before it the number that it has among them: `x` again is `x-2`.
    fn tell_apart(&mut self, columns: &mut [String]) {
        let mut seen: HashSet<String> = HashSet::new();
        for column in columns.iter_mut().filter(|c| !c.is_empty()) {
            if !seen.insert(column.clone()) {
                let name = self.numbered(column);
                self.numbered.push((std::mem::replace(column, name.clone()), name));
            }
        }
    }

    /// This name, or where it is taken the same with a number.
    fn free(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) { name } else { self.numbered(&name) }
    }

    fn numbered(&mut self, name: &str) -> String {
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{name}-{next}");
            *next = next.saturating_add(1);
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }

    /// Which columns got a number, in words.
    fn note(&self) -> Option<String> {
        let shown = |name: &str| escape::quoted(&ptc_lisp::error::cut(name.to_owned(), TOLD.1));
        let all: Vec<String> = self
            .numbered
            .iter()
            .take(TOLD.0)
            .map(|(was, is)| format!("{} again is {}", shown(was), shown(is)))
            .collect();
        let more = match self.numbered.len().saturating_sub(TOLD.0) {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        (!all.is_empty()).then(|| format!("columns of the same name are numbered: {}{more}", all.join(", ")))
    }
}

/// Rows that have more or fewer fields than the first line.
#[derive(Default)]
struct Unequal {
    /// How many.
    rows: u64,
    /// Lines of the first five.
    lines: Vec<String>,
    /// Fields of the first line and of the first of these rows.
    fields: (u64, u64),
}

impl Unequal {
    fn add(&mut self, expected: u64, found: u64, line: impl FnOnce() -> usize) {
        if self.rows == 0 {
            self.fields = (expected, found);
        }
        if self.lines.len() < 5 {
            self.lines.push(line().to_string());
        }
        self.rows = self.rows.saturating_add(1);
    }

    /// The line of the first, and what is said of all.
    fn told(&self) -> Option<(&str, ErrorText)> {
        let first = self.lines.first()?;
        let (expected, found) = self.fields;
        let noun = if found == 1 { "field" } else { "fields" };
        let more = if self.rows > self.lines.len() as u64 { ", ..." } else { "" };
        let others = match self.rows {
            1 => String::new(),
            n => format!("; {n} rows have too few or too many: lines {}{more}", self.lines.join(", ")),
        };
        let text = error_text!("{found} {noun}, and the first line names {expected}{others}"; "{}", match self.rows {
            1 => "correct the row, or quote fields that hold the separator",
            _ => "correct the rows, or quote fields that hold the separator",
        });
        Some((first, text))
    }
}

/// What all fields of a column are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Empty,
    Whole,
    Point,
    Text,
}

impl Kind {
    fn with(self, field: &str) -> Kind {
        match (self, number(field)) {
            (Kind::Text, _) => Kind::Text,
            (kind, _) if field.is_empty() => kind,
            (Kind::Empty | Kind::Whole, Some(Kind::Whole)) => Kind::Whole,
            (_, Some(_)) => Kind::Point,
            (_, None) => Kind::Text,
        }
    }

    fn cell(self, field: &str) -> Cell {
        match self {
            Kind::Whole | Kind::Point if field.is_empty() => Cell::Null,
            Kind::Point if number(field) == Some(Kind::Whole) => Cell::Number(format!("{field}.0")),
            Kind::Whole | Kind::Point => Cell::Number(field.to_owned()),
            Kind::Empty | Kind::Text => Cell::Text(field.to_owned()),
        }
    }
}

/// Whether a field is a number as JSON writes it, and of which kind.
fn number(field: &str) -> Option<Kind> {
    let digits = field.strip_prefix('-').unwrap_or(field);
    if !digits.starts_with(|c: char| c.is_ascii_digit())
        || serde_json::from_str::<&serde_json::value::RawValue>(field).is_err()
    {
        return None;
    }
    if field.contains(['.', 'e', 'E']) {
        // What no double can hold is a name that looks like a number.
        return field.parse::<f64>().is_ok_and(f64::is_finite).then_some(Kind::Point);
    }
    Some(Kind::Whole)
}

fn text_of(e: &csv::Error) -> ErrorText {
    match e.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            error_text!("{len} fields, and the first line names {expected_len}"; "correct the row, or quote fields that hold the separator")
        }
        _ => error_text!("{}", escape::line(&e.to_string()); "correct the file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        let read = read(text, "x.csv", b',', Part::default(), &ReadLimits::default());
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
            ("n\nNaN\n1\n", r#"[{"n":"NaN"},{"n":"1"}]"#),
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
            ("a,b\n1,2\n3\n", "x.csv:3: 1 field, and the first line names 2; correct the row"),
            (
                "a,b\n1\n1,2\n1,2,3\n4\n",
                "x.csv:2: 1 field, and the first line names 2; 3 rows have too few or too many: lines 2, 4, 5; correct the rows",
            ),
            (
                "a,b\n1\n1\n1\n1\n1\n1\n",
                "x.csv:2: 1 field, and the first line names 2; 6 rows have too few or too many: lines 2, 3, 4, 5, 6, ...; correct the rows",
            ),
            ("a,b\n\n\n1,2,3\n", "x.csv:4: 3 fields, and the first line names 2; correct the row"),
            ("sep=;\r\na;b\r\n\r\n1;2;3\r\n", "x.csv:4: 3 fields, and the first line names 2; correct the row"),
            ("a,b\n1,\"x\ny\"\n1,2,3\n", "x.csv:4: 3 fields, and the first line names 2; correct the row"),
            ("a,b\r1,2\r\r3\r", "x.csv:4: 1 field, and the first line names 2; correct the row"),
        ] {
            assert!(json(text).starts_with(words), "{text}: {}", json(text));
        }
        let tabs = read("a\tb\n1\tx,y\n", "x.tsv", b'\t', Part::default(), &ReadLimits::default());
        assert_eq!(tabs.unwrap().json(), r#"[{"a":1,"b":"x,y"}]"#);
    }

    #[test]
    fn columns_that_got_a_number_are_told() {
        let note = |text: &str| read(text, "x.csv", b',', Part::default(), &ReadLimits::default()).unwrap().note;
        assert_eq!(note("a,,column-2\n1,2,3\n"), None);
        let words = "columns of the same name are numbered: \"a\" again is \"a-2\", \"b c\" again is \"b c-2\"";
        assert_eq!(note("a,b c,a,b c\n").as_deref(), Some(words));
        // However many there are, and whatever they are called, it is a line.
        let long = "\u{1b}[2J".repeat(50);
        let many = note(&format!("{}\n", vec![long.as_str(); 1000].join(","))).unwrap();
        assert!(many.len() < 4000 && many.ends_with(", and 991 more") && !many.contains('\u{1b}'), "{many}");
    }

    #[test]
    fn a_part_is_read_within_the_memory_of_an_input() {
        let text = format!("n\n{}x\n", "1\n".repeat(5000));
        let small = ReadLimits { bytes: 64 << 10, ..ReadLimits::default() };
        let all = read(&text, "x.csv", b',', Part::default(), &small).unwrap_err().to_string();
        assert!(
            all.starts_with("x.csv: with its first ")
                && all.contains(" rows read, it takes more than input_bytes = 65536; "),
            "{all}"
        );
        // What the last row says of the column holds for those that are kept.
        let part = Part { offset: 1, limit: Some(2) };
        assert_eq!(read(&text, "x.csv", b',', part, &small).unwrap().json(), r#"[{"n":"1"},{"n":"1"}]"#);
    }
}
