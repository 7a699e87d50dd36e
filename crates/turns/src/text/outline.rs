//! The outline of an input for the system message: of tables every column with an example, of maps every key, in the
//! syntax that programs write. An example shows the type: `12.5`, `"A-1"`, `true`.

use crate::text::sample;
use ptc_lisp::escape;
use ptc_lisp::print;
use ptc_lisp::value::compare::RealizedIter;
use ptc_lisp::value::{Item, Map, Value};

/// Longest outline, in characters.
pub(crate) const MAX_CHARS: usize = 1000;
/// Longest outline of a table or a map inside another, in characters.
const MAX_INNER_CHARS: usize = 300;
/// Cells of a table that are looked at; of a longer table the rows are evenly spread.
const MAX_CELLS: usize = 100_000;
/// Keys compared while cells are sorted into columns: rows of very different keys are not read to the end.
const MAX_COMPARED: usize = 2_000_000;
/// Columns that are told apart.
const MAX_COLUMNS: usize = 400;
/// Longest string in an example, in characters; where that makes the outline too long, the shorter one.
const STRINGS: [usize; 2] = [32, 12];
/// Kinds of values shown of one column.
const MAX_KINDS: usize = 2;
/// Keys shown of a map in a column.
const MAX_NESTED_KEYS: usize = 8;
/// Longest list in an example, in characters.
const MAX_LIST_CHARS: usize = 24;
/// A map of more entries is taken for a dictionary, if its values are all maps, or all lists.
const MAX_RECORD_OF_COLLECTIONS: usize = 8;
/// A map of more entries is always taken for one.
const MAX_RECORD: usize = 60;
/// Entries shown of a dictionary.
const DICTIONARY_SHOWN: usize = 2;
/// Longest key that is shown, in characters.
const MAX_KEY_CHARS: usize = 120;

/// What is said of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    /// `{:id 1, "unit price" 12.5}`, with how many rows there are.
    pub text: String,
    /// The first key of a row in it that is a string, as programs write it.
    pub string_key: Option<String>,
}

/// The outline of the input `ctx/NAME`, in at most `most` characters and a few words; `None` of what is neither a list
/// of maps nor a map with entries.
pub(crate) fn outline(name: &str, v: &Value, most: usize) -> Option<Outline> {
    let [long, short] = STRINGS.map(|strings| Writer { name, strings, string_key: None });
    let table = match v {
        Value::Map(m) if m.is_empty() => return None,
        Value::Map(_) => None,
        _ => Some(columns(v)?),
    };
    let write = |mut w: Writer<'_>| {
        let text = match (v, &table) {
            (Value::Map(m), _) => format!("map[{}] {}", m.len(), w.record(m, 1, most)),
            (_, Some(table)) => format!("{} of {}", sample::type_word(v), w.table(table, most, true)),
            _ => String::new(),
        };
        Outline { text, string_key: w.string_key }
    };
    let whole = write(long);
    Some(if whole.text.chars().count() > most { write(short) } else { whole })
}

/// The columns of a list of maps.
struct Columns {
    columns: Vec<Column>,
    /// Whether there may be more of them.
    more: bool,
}

struct Column {
    key: Value,
    /// A value of each kind.
    examples: Vec<Value>,
    /// Rows that have the key with a value.
    filled: usize,
    rows: usize,
}

/// The kind of a value: all numbers are of one.
fn kind(v: &Value) -> &'static str {
    match v {
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Ratio(_) | Value::Decimal(_) => "number",
        v if v.is_sequential() => "list",
        v => v.kind(),
    }
}

/// Items of a list, at most `most` of them: of one in an array evenly spread, the first among them.
fn spread(v: &Value, most: usize) -> Vec<Value> {
    let at = |i: usize, len: usize| i.saturating_mul(len).checked_div(most.min(len)).unwrap_or(0);
    match v {
        Value::Vector(v) => (0..v.len().min(most)).filter_map(|i| v.get(at(i, v.len())).cloned()).collect(),
        Value::Slice(s) => (0..s.len().min(most)).filter_map(|i| s.get(at(i, s.len())).cloned()).collect(),
        _ => RealizedIter::new(v).take(most).collect(),
    }
}

/// The columns of a list; `None` when something else than maps is in it, or nothing.
fn columns(v: &Value) -> Option<Columns> {
    if !v.is_sequential() {
        return None;
    }
    let width = match RealizedIter::new(v).next()? {
        Value::Map(m) => m.len().max(1),
        _ => return None,
    };
    let rows = spread(v, MAX_CELLS.checked_div(width).unwrap_or(0).max(1));
    let (mut columns, mut more, mut compared) = (Vec::<Column>::new(), false, 0_usize);
    for (read, row) in rows.iter().enumerate() {
        let m = match row {
            Value::Map(m) => m,
            Value::Nil => continue,
            _ => return None,
        };
        if compared > MAX_COMPARED {
            break;
        }
        for (place, (key, value)) in m.iter().enumerate() {
            if compared > MAX_COMPARED {
                more = true;
                break;
            }
            // Most rows have their keys in one order.
            let same = |c: &Column| c.key.same_key(key);
            let found = match columns.get(place).is_some_and(same) {
                true => Some(place),
                false => {
                    let found = columns.iter().position(same);
                    compared = compared.saturating_add(found.unwrap_or(columns.len()));
                    found
                }
            };
            let column = match found {
                Some(i) => columns.get_mut(i),
                None if columns.len() < MAX_COLUMNS => {
                    columns.push(Column { key: key.clone(), examples: Vec::new(), filled: 0, rows: 0 });
                    columns.last_mut()
                }
                None => {
                    more = true;
                    None
                }
            };
            let Some(column) = column else { continue };
            if value.is_nil() {
                continue;
            }
            column.filled = column.filled.saturating_add(1);
            let kind = kind(value);
            match column.examples.iter_mut().find(|e| self::kind(e) == kind) {
                // Something in it tells more.
                Some(e) if is_empty(e) => *e = value.clone(),
                Some(_) => {}
                None => column.examples.push(value.clone()),
            }
        }
        // One that is not read to its end says nothing of the keys behind.
        let rows = if compared > MAX_COMPARED { read } else { read.saturating_add(1) };
        columns.iter_mut().for_each(|c| c.rows = rows);
    }
    (!columns.is_empty()).then_some(Columns { columns, more })
}

fn is_empty(v: &Value) -> bool {
    match v {
        Value::Str(s) => s.as_str().is_empty(),
        Value::Map(m) => m.is_empty(),
        Value::Set(s) => s.is_empty(),
        v => v.is_sequential() && RealizedIter::new(v).next().is_none(),
    }
}

struct Writer<'a> {
    /// The input.
    name: &'a str,
    /// Longest string.
    strings: usize,
    string_key: Option<String>,
}

impl Writer<'_> {
    /// `{:id 1, "unit price" 12.5 or nil}`; of a table that is an input itself, which string is a key is kept.
    fn table(&mut self, table: &Columns, most: usize, own: bool) -> String {
        let entries: Vec<(String, String)> = table.columns.iter().map(|c| (self.key(&c.key), self.column(c))).collect();
        let (text, shown) = self.braced(&entries, most, table.more, |n, at_least| {
            format!("... and {at_least}{n} more columns: (describe ctx/{})", escape::line(self.name))
        });
        if own {
            let keys = table.columns.iter().zip(&entries).take(shown);
            self.string_key = keys.clone().find(|(c, _)| matches!(c.key, Value::Str(_))).map(|(_, e)| e.0.clone());
        }
        text
    }

    /// The examples of a column, and whether it is nil in some rows.
    fn column(&self, c: &Column) -> String {
        let mut kinds: Vec<String> = c.examples.iter().take(MAX_KINDS).map(|v| self.example(v, 0)).collect();
        if c.examples.len() > MAX_KINDS {
            kinds.push("...".to_owned());
        }
        if c.filled < c.rows {
            kinds.push("nil".to_owned());
        }
        kinds.join(" or ")
    }

    /// A map with its keys: with examples that go `levels` deeper. Of a dictionary some entries.
    fn record(&self, m: &Map, levels: usize, most: usize) -> String {
        let collections = |kind: &str| m.vals().take(MAX_RECORD).all(|v| self::kind(v) == kind);
        let alike = m.len() > MAX_RECORD_OF_COLLECTIONS && (collections("a map") || collections("list"));
        let shown = if alike || m.len() > MAX_RECORD { DICTIONARY_SHOWN } else { m.len() };
        let entries: Vec<(String, String)> =
            m.iter().take(shown).map(|(k, v)| (self.key(k), self.example(v, levels))).collect();
        let left_out = m.len().saturating_sub(shown);
        let more = |n: usize, _: &str| format!("... and {} more keys", n.saturating_add(left_out));
        let (mut text, written) = self.braced(&entries, most, false, more);
        if left_out > 0 && written == entries.len() {
            text.truncate(text.len().saturating_sub(1));
            text.push_str(&format!(", {}}}", more(0, "")));
        }
        text
    }

    /// Entries while they fit, then `more(how many are left out, words before that number)`; how many are shown.
    fn braced(
        &self,
        entries: &[(String, String)],
        most: usize,
        unknown: bool,
        more: impl Fn(usize, &str) -> String,
    ) -> (String, usize) {
        let mut out = "{".to_owned();
        let mut width = 1_usize;
        for (i, (key, example)) in entries.iter().enumerate() {
            let entry = format!("{}{key} {example}", if i > 0 { ", " } else { "" });
            width = width.saturating_add(entry.chars().count());
            if width > most && i > 0 {
                let left = entries.len().saturating_sub(i);
                out.push_str(&format!(", {}}}", more(left, if unknown { "at least " } else { "" })));
                return (out, i);
            }
            out.push_str(&entry);
        }
        if unknown {
            out.push_str(", ...");
        }
        out.push('}');
        (out, entries.len())
    }

    /// A key as programs write it.
    fn key(&self, k: &Value) -> String {
        let text = escape::line(&print::readable(k, MAX_KEY_CHARS.saturating_mul(4)));
        if text.chars().count() <= MAX_KEY_CHARS {
            return text;
        }
        let cut: String = text.chars().take(MAX_KEY_CHARS).collect();
        cut + "..."
    }

    /// An example: `levels` deep with what is in it, below that the keys of maps alone.
    fn example(&self, v: &Value, levels: usize) -> String {
        match v {
            Value::Map(m) if levels > 0 => self.record(m, levels.saturating_sub(1), MAX_INNER_CHARS),
            Value::Map(m) => keys(self, m),
            Value::Str(s) => sample::text_within(s.as_str(), self.strings),
            v if v.is_sequential() => {
                let table = if levels > 0 { columns(v) } else { None };
                match table {
                    Some(table) => {
                        let mut inner = Writer { name: self.name, strings: self.strings, string_key: None };
                        format!("{} of {}", sample::type_word(v), inner.table(&table, MAX_INNER_CHARS, false))
                    }
                    None if levels > 0 => format!("{} {}", sample::type_word(v), self.list(v)),
                    None => self.list(v),
                }
            }
            v => sample::inner(v),
        }
    }

    /// `[1 2 3]`, or its first items and `...`.
    fn list(&self, v: &Value) -> String {
        let mut out = "[".to_owned();
        let mut items = RealizedIter::new(v);
        let mut first = true;
        while let Some(item) = items.next() {
            let text = match &item {
                Value::Map(m) => keys(self, m),
                v if v.is_sequential() => {
                    if is_empty(v) {
                        "[]".to_owned()
                    } else {
                        "[...]".to_owned()
                    }
                }
                v => self.example(v, 0),
            };
            if !first && out.chars().count().saturating_add(text.chars().count()) > MAX_LIST_CHARS {
                out.push_str(" ...");
                break;
            }
            out.push_str(if first { "" } else { " " });
            out.push_str(&text);
            // One map tells what the others are.
            if std::mem::replace(&mut first, false) && matches!(item, Value::Map(_)) && items.next().is_some() {
                out.push_str(" ...");
                break;
            }
        }
        if items.unrealised() {
            out.push_str(" ...");
        }
        out.push(']');
        out
    }
}

/// `{:city :zip}`: the keys of a map alone.
fn keys(w: &Writer<'_>, m: &Map) -> String {
    let mut shown: Vec<String> = m.keys().take(MAX_NESTED_KEYS).map(|k| w.key(k)).collect();
    if m.len() > MAX_NESTED_KEYS {
        shown.push("...".to_owned());
    }
    format!("{{{}}}", shown.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_lisp::json;
    use ptc_lisp::limits::Limits;

    fn of(text: &str) -> Outline {
        outline("x", &json::parse_text(text, &Limits::default()).unwrap(), MAX_CHARS).unwrap()
    }

    #[test]
    fn every_column_stands_with_an_example_as_programs_write_it() {
        let rows = r#"[
            {"Order ID": "A-1", "unit price": 12.5, "Qty": 3, "Région": "Nord", "note": "", "tags": ["a", "b"], "at": {"city": "Oslo", "post code": "0150"}, "lines": [{"sku": 1, "n": 2}, {"sku": 2}], "z": null, "ok": true},
            {"Order ID": "A-2", "unit price": "n/a", "Qty": null, "Région": "Sud", "note": "late", "tags": [], "at": {"city": "Rom"}, "lines": [], "z": null, "extra": [[1, 2], [3]]}]"#;
        let o = of(rows);
        assert_eq!(
            o.text,
            "list[2] of {\"Order ID\" \"A-1\", \"unit price\" 12.5 or \"n/a\", :Qty 3 or nil, :Région \"Nord\", :note \"late\", :tags [\"a\" \"b\"], \
             :at {:city \"post code\"}, :lines [{:sku :n} ...], :z nil, :ok true or nil, :extra [[...] [...]] or nil}"
        );
        assert_eq!(o.string_key.as_deref(), Some("\"Order ID\""));
        assert_eq!(of(r#"[{"a": 1}, null, {"a": 2}]"#).text, "list[3] of {:a 1 or nil}");
        assert_eq!(of(r#"[{"a": 1}]"#).string_key, None);
        let none = |text: &str| outline("x", &json::parse_text(text, &Limits::default()).unwrap(), MAX_CHARS);
        for text in ["[]", "{}", "[1]", "[{\"a\": 1}, 2]", "[{}]", "\"text\"", "null", "5"] {
            assert_eq!(none(text), None, "{text}");
        }
    }

    #[test]
    fn maps_show_their_keys_and_what_is_in_them() {
        let o = of(
            r#"{"name": "Shop", "users": [{"id": 1, "mail": {"home": "a"}}], "ids": [1, 2, 3], "rates": {"eur": 1.1, "deep": {"a": {"b": 1}}}, "none": [], "a b": 2}"#,
        );
        assert_eq!(
            o.text,
            "map[6] {:name \"Shop\", :users list[1] of {:id 1, :mail {:home}}, :ids list[3] [1 2 3], :rates {:eur 1.1, :deep {:a}}, :none list[0] [], \"a b\" 2}"
        );
        let people: Vec<String> =
            (0..500).map(|i| format!("\"p{i}\": {{\"age\": {i}, \"likes\": [\"tea\"]}}")).collect();
        assert_eq!(
            of(&format!("{{{}}}", people.join(","))).text,
            "map[500] {:p0 {:age 0, :likes [\"tea\"]}, :p1 {:age 1, :likes [\"tea\"]}, ... and 498 more keys}"
        );
    }

    #[test]
    fn many_columns_are_cut_with_what_to_write_for_the_rest() {
        let row: Vec<String> = (0..300).map(|i| format!("\"column {i}\": \"{}\"", "v".repeat(100))).collect();
        let o = of(&format!("[{{{}}}]", row.join(",")));
        assert!(o.text.chars().count() < MAX_CHARS + 80, "{}", o.text.chars().count());
        assert!(o.text.starts_with("list[1] of {\"column 0\" \"vvvvvvvvvvvv...\", "), "{}", o.text);
        let (_, rest) = o.text.split_once(", ... and ").unwrap();
        assert!(rest.ends_with(" more columns: (describe ctx/x)}"), "{rest}");
        // Rows of ever other keys end in a bound, and keys of any length in a cut.
        let ragged: Vec<String> = (0..3000).map(|i| format!("{{\"k{i}\": {i}}}")).collect();
        let o = of(&format!("[{}]", ragged.join(",")));
        assert!(
            o.text.contains(", ... and at least ") && o.text.starts_with("list[3000] of {:k0 0 or nil, "),
            "{}",
            o.text
        );
        assert!(of(&format!("[{{\"{}\": 1}}]", "k".repeat(100_000))).text.len() < 300);
    }

    #[test]
    fn nothing_of_it_ends_a_line_or_cannot_be_seen() {
        let o = of("[{\"a\\nb\": \"x\\u2028y\", \"\\u202e\": \"z\\u0000\"}]");
        assert!(!o.text.contains(|c: char| escape::hidden(c)), "{}", o.text);
        assert_eq!(o.text.lines().count(), 1);
    }

    /// A row of very many keys that nothing before it had is not read to its end; keys of a large map come in order.
    #[test]
    fn a_row_of_too_many_other_keys_is_left_early() {
        let first: Vec<(Value, Value)> =
            (0..MAX_COLUMNS).map(|i| (Value::data_key(&format!("c{i}")), Value::int(1))).collect();
        let last = || (Value::data_key("c0"), Value::str("text"));
        let second = |others: usize| {
            let other = (0..others).map(|i| (Value::data_key(&format!("a{i}")), Value::int(1)));
            Value::map(other.chain([last()]))
        };
        let said = |others| {
            let rows = Value::vector(vec![Value::map(first.clone()), second(others)]);
            outline("x", &rows, MAX_CHARS).unwrap().text
        };
        assert!(said(10).contains("{:c0 1 or \"text\", :c1 1 or nil, "), "{}", said(10));
        let many = said(MAX_COMPARED / MAX_COLUMNS + 10);
        assert!(many.contains("{:c0 1, :c1 1, ") && many.contains("at least"), "{many}");
    }

    /// Of a long table rows from all of it are read.
    #[test]
    fn a_nil_late_in_a_long_table_is_seen() {
        let rows: Vec<Value> = (0..200_000)
            .map(|i| Value::map([(Value::data_key("a"), if i > 150_000 { Value::Nil } else { Value::int(i) })]))
            .collect();
        assert_eq!(outline("x", &Value::vector(rows), MAX_CHARS).unwrap().text, "list[200000] of {:a 0 or nil}");
    }
}
