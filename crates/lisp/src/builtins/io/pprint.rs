//! `pprint`: data over several lines where one line is too short, as Clojure breaks them.

use super::bound_print::bound;
use super::printing::text_of;
use crate::builtins::args::get;
use crate::builtins::java::string_builder::add;
use crate::builtins::java::writers::writer_at;
use crate::builtins::row::BuiltinRow;
use crate::builtins::state::exception_classes::full_name;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::print::{Style, print};
use crate::seq::realise;
use crate::value::compare::RealizedIter;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Value};

const EXAMPLES: &[(&str, &str)] = &[
    ("(with-out-str (pprint {:a [1 2]}))", "\"{:a [1 2]}\\n\""),
    ("(with-out-str (pprint (range 30 70 2)))", "\"(30 32 34 36 38 40 42 44 46 48 50 52 54 56 58 60 62 64 66 68)\\n\""),
];
const DOC: &str = "Prints a value readable, over several lines if it is longer than 72 characters, or than *print-right-margin* is bound to.";

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("pprint", "object | object writer", DOC, EXAMPLES, &Body(pprint)),
    Builtin::new("clojure.pprint/pprint", "object | object writer", DOC, EXAMPLES, &Body(pprint)),
];

/// Columns of a line.
const WIDTH: usize = 72;

/// The setting that says how many columns a line has.
const MARGIN: &str = "clojure.pprint/*print-right-margin*";

/// More columns than anything is wide.
const ENDLESS: usize = 1 << 24;

fn pprint(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if let Some(bound) = bound(h)
        && (bound.length.is_some() || bound.level.is_some())
    {
        let words = "pprint prints all of a value: *print-length* and *print-level* are for pr, print and their kin";
        return Err(Interrupt::error(ErrorKind::Denied, words).hint("write (prn x) inside the binding"));
    }
    realise(h, get(a, 0))?;
    let v = &get(a, 0).clone();
    let limit = usize::try_from(h.limits().output_bytes).unwrap_or(usize::MAX);
    let to = if a.len() > 1 { Some(writer_at(a, 1)?) } else { None };
    let width = match h.setting(MARGIN) {
        None => WIDTH,
        Some(Value::Int(n)) => usize::try_from(n.get()).unwrap_or(0),
        Some(_) => ENDLESS,
    };
    let mut p = Pretty { out: String::new(), column: 0, limit, width };
    p.value(h, v, 0)?;
    p.out.push('\n');
    match to {
        Some(to) => add(h, to, p.out)?,
        None => h.print(p.out)?,
    }
    Ok(Value::Nil)
}

struct Pretty {
    out: String,
    column: usize,
    limit: usize,
    width: usize,
}

impl Pretty {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// The text of a value on one line, records as maps, and whether it is whole: what is longer than a line may be cut.
    fn flat(&self, h: &mut dyn Host, v: &Value) -> Result<(String, bool)> {
        let limit = self.width.saturating_mul(4).min(self.limit);
        let flat =
            print(v, &Style { readable: true, limit, cells: None, plain_records: true, classes: Some(full_name) });
        if limit > WIDTH * 4 {
            h.charge(flat.0.len() as u64 / 13)?;
        }
        Ok(flat)
    }

    /// `after` is how many characters have to follow on the same line.
    fn value(&mut self, h: &mut dyn Host, v: &Value, after: usize) -> Result<()> {
        h.charge(10)?;
        if self.out.len() > self.limit {
            return Ok(());
        }
        let (flat, whole) = self.flat(h, v)?;
        if whole && self.column + flat.chars().count() + after <= self.width {
            self.text(&flat);
            return Ok(());
        }
        h.reserve(self.out.len() as u64 * 2 + 1024)?;
        on_deep_stack(|| match v {
            Value::Vector(x) => self.items(h, "[", &mut x.iter().cloned(), "]", after),
            Value::Set(x) => self.items(h, "#{", &mut x.iter().cloned(), "}", after),
            Value::Slice(x) => self.items(h, "(", &mut x.iter().cloned(), ")", after),
            Value::Cons(_) | Value::Lazy(_) => self.items(h, "(", &mut RealizedIter::new(v), ")", after),
            Value::Map(m) => {
                self.text("{");
                let indent = self.column;
                let last = m.len().saturating_sub(1);
                for (i, (k, v)) in m.iter().enumerate() {
                    if i > 0 {
                        self.text(",");
                        self.line(indent);
                    }
                    self.entry(h, k, v, indent, if i == last { after + 1 } else { 2 })?;
                }
                self.text("}");
                Ok(())
            }
            v => {
                let text = text_of(h, v, true, self.limit)?;
                self.text(&text);
                Ok(())
            }
        })
    }

    fn items(
        &mut self,
        h: &mut dyn Host,
        open: &str,
        items: &mut dyn Iterator<Item = Value>,
        close: &str,
        after: usize,
    ) -> Result<()> {
        self.text(open);
        let indent = self.column;
        let mut next = items.next();
        while let Some(v) = next {
            next = items.next();
            self.value(h, &v, if next.is_some() { 1 } else { after + 1 })?;
            if next.is_some() {
                self.line(indent);
            }
            if self.out.len() > self.limit {
                return Ok(());
            }
        }
        self.text(close);
        Ok(())
    }

    /// A key and its value, on one line if both fit.
    fn entry(&mut self, h: &mut dyn Host, k: &Value, v: &Value, indent: usize, after: usize) -> Result<()> {
        let (key, key_whole) = self.flat(h, k)?;
        let (val, val_whole) = self.flat(h, v)?;
        let width = key.chars().count() + 1 + val.chars().count();
        if key_whole && val_whole && self.column + width + after <= self.width {
            self.text(&key);
            self.text(" ");
            self.text(&val);
            return Ok(());
        }
        self.value(h, k, 1)?;
        self.line(indent);
        self.value(h, v, after)
    }
}
