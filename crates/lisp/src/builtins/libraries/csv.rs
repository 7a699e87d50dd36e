//! `clojure.data.csv`: rows of a text, and the text of rows.

use crate::builtins::args::{get, str as text, take};
use crate::builtins::io::printing::str_of;
use crate::builtins::java::string_builder::add;
use crate::builtins::java::writers::writer;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::core;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::iter::Iter;
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Step};
use crate::value::{Builtin, Str, Value};
use ptc_text::csv::{Format, QuoteError, Records};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.data.csv/read-csv",
        "input & options",
        "The rows of a CSV text or reader, each a vector of strings, read as something takes from them. Options: :separator, :quote, as characters.",
        &[
            ("(csv/read-csv \"id,name\\n1,\\\"a, b\\\"\\n\")", "([\"id\" \"name\"] [\"1\" \"a, b\"])"),
            ("(csv/read-csv \"a;b\" :separator \\;)", "([\"a\" \"b\"])"),
            (
                "(let [[head & rows] (csv/read-csv \"id,n\\n1,2\")] (map #(zipmap (map keyword head) %) rows))",
                "({:id \"1\", :n \"2\"})",
            ),
            ("(vec (csv/read-csv \"a,\\\"b\"))", "!unexpected end of file"),
        ],
        &Body(read),
    ),
    Builtin::new(
        "clojure.data.csv/write-csv",
        "rows & options | writer rows & options",
        "The CSV text of rows of values, in which nil is empty; with a writer first it is written there, nil. Options: :separator, :quote, :quote? (a function of a field's text), :newline (:lf or :cr+lf).",
        &[
            ("(csv/write-csv [[\"id\" \"name\"] [1 \"a, b\"]])", "\"id,name\\n1,\\\"a, b\\\"\\n\""),
            ("(with-out-str (csv/write-csv *out* [[1 nil]] :separator \\;))", "\"1;\\n\""),
            ("(csv/write-csv [{:a 1}])", "!a row must be a vector"),
        ],
        &Body(write),
    ),
];

/// The options of both.
struct Options {
    format: Format,
    needs_quotes: Option<Value>,
    newline: &'static str,
}

impl Options {
    /// From this argument on: keywords with their values, or a map.
    fn of(h: &mut dyn Host, a: &mut [Value], from: usize) -> Result<Self> {
        let map = match a.get(from..) {
            Some([only @ Value::Map(_)]) => only.clone(),
            rest => {
                let hash_map = core(h, "hash-map")?;
                let mut pairs = rest.unwrap_or_default().to_vec();
                h.call(&hash_map, &mut pairs)?
            }
        };
        let of = |name: &str| match &map {
            Value::Map(m) => m.get(&Value::keyword(name)).cloned(),
            _ => None,
        };
        let char_of = |name: &str, usual: char| match of(name) {
            None => Ok(usual),
            Some(Value::Char(c)) => Ok(c),
            Some(other) => {
                Err(Interrupt::error(ErrorKind::Type, format!(":{name} must be a character, got {}", other.kind()))
                    .hint(format!("write it as a character: :{name} \\;")))
            }
        };
        let usual = Format::default();
        let newline = match of("newline") {
            None => "\n",
            Some(Value::Keyword(k)) if k.text() == "lf" => "\n",
            Some(Value::Keyword(k)) if k.text() == "cr+lf" => "\r\n",
            Some(_) => return Err(Interrupt::error(ErrorKind::Value, ":newline must be :lf or :cr+lf")),
        };
        Ok(Options {
            format: Format {
                separator: char_of("separator", usual.separator)?,
                quote: char_of("quote", usual.quote)?,
                blanks: false,
            },
            needs_quotes: of("quote?"),
            newline,
        })
    }
}

fn read(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let format = Options::of(h, a, 1)?.format;
    if let Value::Place(_) = get(a, 0) {
        let slurp = core(h, "slurp")?;
        let rest = h.call(&slurp, &mut [take(a, 0)])?;
        if let Some(slot) = a.first_mut() {
            *slot = rest;
        }
    }
    Ok(lazy(Rows { text: text(a, 0)?.clone(), at: 0, line: 1, format }))
}

/// The rows that a text still has.
#[derive(Clone)]
struct Rows {
    text: Str,
    at: usize,
    line: usize,
    format: Format,
}

impl Generator for Rows {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        let rest = self.text.as_str().get(self.at..).unwrap_or_default();
        let (mut records, mut fields) = (Records::new(rest, self.format).from_line(self.line), Vec::new());
        let more = records.read(&mut fields).map_err(|e| unreadable(&e))?;
        let read = rest.len().saturating_sub(records.rest().len());
        h.charge((read as u64 / 8).saturating_add(fields.len() as u64 * 2))?;
        h.reserve((read as u64).saturating_add(fields.len() as u64 * 64))?;
        if !more {
            return Ok(Step::End);
        }
        (self.at, self.line) = (self.at.saturating_add(read), records.next_line());
        Ok(Step::Item(Value::vector(fields.iter().map(Value::str).collect())))
    }

    fn depth(&self) -> u32 {
        1
    }

    fn weight(&self) -> u64 {
        1
    }
}

fn unreadable(e: &QuoteError) -> Interrupt {
    let (words, hint) = match e {
        QuoteError::Unclosed { opened } => (
            format!("CSV error (unexpected end of file): the quote on line {opened} is not closed"),
            "close it, or give another :quote",
        ),
        QuoteError::TextBehind { opened, found, .. } => (
            format!("CSV error (unexpected character: {found}) behind the field in quotes on line {opened}"),
            "a quote inside a field in quotes is written twice; :separator and :quote say which characters they are",
        ),
    };
    Interrupt::error(ErrorKind::Value, words).hint(hint)
}

fn write(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let to = if let Value::Builder(_) = get(a, 0) { Some(writer(a)?) } else { None };
    let at = usize::from(to.is_some());
    let options = Options::of(h, a, at.saturating_add(1))?;
    let Format { separator, quote, .. } = options.format;
    let (mut rows, mut out) = (Iter::arg(a, at)?, String::new());
    while let Some(row) = rows.next(h)? {
        if matches!(row, Value::Map(_) | Value::Str(_)) || !crate::seq::is_seqable(&row) {
            let words = format!("a row must be a vector of fields, got {}", row.kind());
            return Err(Interrupt::error(ErrorKind::Type, words).hint(
                "of maps: (csv/write-csv (cons (map name ks) (map (apply juxt ks) maps))) with ks as [:id :name]",
            ));
        }
        let (mut fields, mut first) = (Iter::new(row)?, true);
        while let Some(field) = fields.next(h)? {
            if !std::mem::take(&mut first) {
                out.push(separator);
            }
            let field = str_of(h, &field)?;
            let in_quotes = match &options.needs_quotes {
                Some(f) => h.call(f, &mut [Value::str(&field)])?.truthy(),
                None => field.contains([separator, quote, '\r', '\n']),
            };
            h.charge((field.len() as u64 / 8).saturating_add(2))?;
            match in_quotes {
                true => {
                    let double = format!("{quote}{quote}");
                    out.extend([String::from(quote), field.replace(quote, &double), String::from(quote)]);
                }
                false => out.push_str(&field),
            }
            h.reserve(out.len() as u64)?;
        }
        out.push_str(options.newline);
    }
    match to {
        Some(id) => add(h, id, out).map(|()| Value::Nil),
        None => Ok(Value::from(out)),
    }
}
