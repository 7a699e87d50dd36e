//! Values as text: readable (`pr`) and plain (`print`), bounded, running nothing.

use crate::form::{Form, Kind};
use crate::limits::Limits;
use crate::read::read_one;
use crate::time::Time;
use crate::value::boxed::{CellId, CellSort, Place};
use crate::value::compare::RealizedIter;
use crate::value::node::on_deep_stack;
use crate::value::number_format::{big_text, float_text};
use crate::value::object::ObjectKind;
use crate::value::text::is_plain_name;
use crate::value::{Exception, Item, Keyword, Symbol, Value};
use std::borrow::Cow;
use std::fmt::Write as _;

/// How to print.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// Strings with quotes and characters with a backslash, as `pr` does.
    pub readable: bool,
    /// Bytes after which the rest is `...`.
    pub limit: usize,
    /// What atoms and the like hold, when that is to be shown; the program's printing shows it, records do not.
    pub cells: Option<&'a dyn Fn(CellId) -> Option<Value>>,
    /// Records without the names of their types.
    pub plain_records: bool,
    /// What gives the class with its package of an exception, when exceptions are to be shown as Clojure shows them, `#error {...}`.
    pub classes: Option<fn(&'static str) -> &'static str>,
}

impl Style<'_> {
    /// As `pr` prints, up to `limit` bytes.
    pub fn readable(limit: usize) -> Self {
        Style { readable: true, limit, cells: None, plain_records: false, classes: None }
    }
    /// As `print` prints, up to `limit` bytes.
    pub fn plain(limit: usize) -> Self {
        Style { readable: false, limit, cells: None, plain_records: false, classes: None }
    }
}

/// The readable text of a value, up to `limit` bytes; then `...`.
pub fn readable(v: &Value, limit: usize) -> String {
    print(v, &Style::readable(limit)).0
}

/// A value as error messages show it: readable, one line, at most 100 bytes.
pub fn brief(v: &Value) -> String {
    let text = readable(v, 100);
    crate::error::cut(text.replace(['\n', '\r'], " "), 104)
}

impl std::fmt::Debug for Value {
    /// The readable text, at most 200 bytes of it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&readable(self, 200))
    }
}

/// The text, and whether it is whole.
pub fn print(v: &Value, style: &Style<'_>) -> (String, bool) {
    let mut p = Printer { out: String::new(), style: *style, open: Vec::new() };
    p.value(v);
    let whole = !p.full();
    if !whole {
        let mut end = style.limit.min(p.out.len());
        while !p.out.is_char_boundary(end) {
            end -= 1;
        }
        p.out.truncate(end);
        p.out.push_str("...");
    }
    (p.out, whole)
}

struct Printer<'a> {
    out: String,
    style: Style<'a>,
    /// Cells being printed, so that a cycle through them ends.
    open: Vec<CellId>,
}

impl Printer<'_> {
    /// Whether more was written than is wanted: nothing further is looked at.
    fn full(&self) -> bool {
        self.out.len() > self.style.limit
    }

    fn text(&mut self, s: &str) {
        // What would pass the limit is not copied.
        let most = self.style.limit.saturating_sub(self.out.len()).saturating_add(1);
        let end = if s.len() > most { s.ceil_char_boundary(most) } else { s.len() };
        self.out.push_str(s.get(..end).unwrap_or_default());
    }

    fn value(&mut self, v: &Value) {
        if self.full() {
            return;
        }
        match v {
            Value::Nil => self.text("nil"),
            Value::Bool(b) => self.text(if *b { "true" } else { "false" }),
            Value::Int(i) => {
                let _ = write!(self.out, "{i}");
            }
            Value::Float(f) => self.text(&float_text(*f)),
            Value::Char(c) => self.char(*c),
            Value::Str(s) => {
                if self.style.readable {
                    self.quoted(s.as_str());
                } else {
                    self.text(s.as_str());
                }
            }
            Value::Keyword(k) => {
                if self.style.readable && !keyword_reads_back(k) {
                    let split = Keyword::parse(k.text()) == *k;
                    return self.tagged("#keyword ", split, k.ns(), k.name(), k.text());
                }
                self.out.push(':');
                self.text(k.text());
            }
            Value::Symbol(s) => {
                if self.style.readable && !symbol_reads_back(s) {
                    let split = Symbol::parse(s.text()) == *s;
                    return self.tagged("#symbol ", split, s.ns(), s.name(), s.text());
                }
                self.text(s.text());
            }
            Value::Big(b) => {
                let digits = big_text(b, self.style.limit);
                self.text(&digits);
                self.text("N");
            }
            Value::Ratio(r) => {
                let (n, d) = (big_text(r.numer(), self.style.limit), big_text(r.denom(), self.style.limit));
                self.text(&format!("{n}/{d}"));
            }
            Value::Decimal(d) => {
                self.text(&d.text());
                self.text("M");
            }
            Value::Vector(v) => self.items("[", v.iter(), "]"),
            Value::Slice(s) => self.items("(", s.iter(), ")"),
            Value::Cons(_) | Value::Lazy(_) => self.chain(v),
            Value::Set(s) => self.items("#{", s.iter(), "}"),
            Value::Map(m) => {
                if let Some(r) = m.record_type().filter(|_| !self.style.plain_records) {
                    self.text("#");
                    self.value(&r.name);
                }
                self.text("{");
                on_deep_stack(|| {
                    for (i, (k, v)) in m.iter().enumerate() {
                        if self.full() {
                            return;
                        }
                        if i > 0 {
                            self.text(", ");
                        }
                        self.value(k);
                        self.text(" ");
                        self.value(v);
                    }
                });
                self.text("}");
            }
            Value::Function(f) => match f.name() {
                Some(n) => self.text(&format!("#<{} {n}>", f.word())),
                None => self.text(&format!("#<{}>", f.word())),
            },
            Value::Builtin(b) => self.text(&format!("#<function {}>", b.name())),
            Value::Tool(n) => self.text(&format!("#<tool {}>", n.as_str())),
            Value::Regex(r) => {
                // Printed, too: only `str` of the regex itself gives its bare source.
                self.text("#\"");
                self.text(&with_escaped_quotes(&r.source));
                self.text("\"");
            }
            Value::Atom(id) => self.cell("atom", *id),
            Value::Volatile(id) if id.sort() == CellSort::Matcher => self.text("#<matcher>"),
            Value::Volatile(id) => self.cell("volatile", *id),
            Value::Builder(id) if id.sort() == CellSort::Writer => self.text("#<writer>"),
            Value::Builder(_) => self.text("#<StringBuilder>"),
            Value::Place(id) if id.place() == Place::Reader => self.text("#<reader>"),
            Value::Place(_) => self.text("#<transient>"),
            Value::Object(o) => match (o.kind, o.at(0)) {
                (ObjectKind::Namespace, Some(Value::Str(name))) => {
                    self.text("#<namespace ");
                    self.text(name.as_str());
                    self.text(">");
                }
                (ObjectKind::Class, ..) => self.text(v.class_text().unwrap_or_default()),
                (kind, ..) => {
                    self.text(if kind == ObjectKind::Protocol { "#<protocol " } else { "#<" });
                    self.value(&o.class.name);
                    self.text(">");
                }
            },
            Value::Delay(id) => self.text(match id.sort() {
                CellSort::Promise => "#<promise>",
                CellSort::Future => "#<future>",
                _ => "#<delay>",
            }),
            Value::Var(s) => self.text(&format!("#'{}", s.text())),
            Value::Uuid(u) => {
                // Printed, too: only `str` of the uuid itself gives its bare text.
                self.text(&format!("#uuid \"{}\"", uuid_text(***u)));
            }
            Value::Time(t) => {
                if self.style.readable || matches!(***t, Time::Inst(_)) {
                    self.text(&format!("#{} ", t.tag()));
                    self.quoted(&t.literal());
                } else {
                    self.text(&t.text());
                }
            }
            Value::Reduced(v) => {
                self.text("#<reduced ");
                on_deep_stack(|| self.value(v));
                self.text(">");
            }
            Value::Exception(e) => match self.style.classes {
                Some(classes) => on_deep_stack(|| {
                    for part in error_parts(e, classes, self.style.limit) {
                        match part {
                            ErrorPart::Text(text) => self.text(text),
                            ErrorPart::Value(v) => self.value(&v),
                        }
                    }
                }),
                None => self.brief_exception(e),
            },
        }
    }

    fn brief_exception(&mut self, e: &Exception) {
        self.text(&format!("#<{}", e.class));
        if let Some(message) = e.message.as_deref().filter(|m| !m.is_empty()) {
            self.text(" ");
            self.text(message);
        }
        if !e.data.is_nil() {
            self.text(" ");
            on_deep_stack(|| self.value(&e.data));
        }
        self.text(">");
    }

    /// A name that could not be read as it is: `#keyword "unit price"`, or `#keyword [nil "a/b"]` where its text would be
    /// split at another place.
    fn tagged(&mut self, tag: &str, split: bool, ns: Option<&str>, name: &str, text: &str) {
        self.text(tag);
        if split {
            return self.quoted(text);
        }
        self.text("[");
        match ns {
            Some(ns) => self.quoted(ns),
            None => self.text("nil"),
        }
        self.text(" ");
        self.quoted(name);
        self.text("]");
    }

    fn items<'v>(&mut self, open: &str, items: impl Iterator<Item = &'v Value>, close: &str) {
        self.text(open);
        on_deep_stack(|| {
            for (i, v) in items.enumerate() {
                if self.full() {
                    return;
                }
                if i > 0 {
                    self.out.push(' ');
                }
                self.value(v);
            }
        });
        self.text(close);
    }

    fn chain(&mut self, v: &Value) {
        self.text("(");
        on_deep_stack(|| {
            let mut items = RealizedIter::new(v);
            let mut first = true;
            while !self.full() {
                let Some(item) = items.next() else { break };
                if !first {
                    self.out.push(' ');
                }
                first = false;
                self.value(&item);
            }
            if !self.full() && items.unrealised() {
                self.text(if first { "..." } else { " ..." });
            }
        });
        self.text(")");
    }

    fn cell(&mut self, kind: &str, id: CellId) {
        if self.open.contains(&id) {
            return self.text("#<cycle>");
        }
        match self.style.cells.and_then(|read| read(id)) {
            Some(held) => {
                self.text(&format!("#<{kind} "));
                self.open.push(id);
                on_deep_stack(|| self.value(&held));
                self.open.pop();
                self.text(">");
            }
            None => self.text(&format!("#<{kind}>")),
        }
    }

    fn char(&mut self, c: char) {
        if !self.style.readable {
            self.out.push(c);
            return;
        }
        let name = match c {
            '\n' => "newline",
            ' ' => "space",
            '\t' => "tab",
            '\r' => "return",
            '\u{8}' => "backspace",
            '\u{c}' => "formfeed",
            _ => return self.text(&format!("\\{c}")),
        };
        self.text("\\");
        self.text(name);
    }

    fn quoted(&mut self, s: &str) {
        self.out.push('"');
        // Nothing is looked at that cannot fit: each byte of the text is one or more here.
        let most = self.style.limit.saturating_sub(self.out.len()).saturating_add(1);
        let mut rest = if s.len() > most { s.get(..s.ceil_char_boundary(most)).unwrap_or(s) } else { s };
        while !rest.is_empty() && !self.full() {
            let plain = rest.find(['"', '\\', '\n', '\t', '\r', '\u{8}', '\u{c}']).unwrap_or(rest.len());
            let (head, tail) = rest.split_at(plain);
            self.text(head);
            let mut chars = tail.chars();
            match chars.next() {
                Some('"') => self.text("\\\""),
                Some('\\') => self.text("\\\\"),
                Some('\n') => self.text("\\n"),
                Some('\t') => self.text("\\t"),
                Some('\r') => self.text("\\r"),
                Some('\u{8}') => self.text("\\b"),
                Some('\u{c}') => self.text("\\f"),
                _ => {}
            }
            rest = chars.as_str();
        }
        self.text("\"");
    }
}

/// A part of the text of an exception.
pub enum ErrorPart {
    /// What stands there for every one.
    Text(&'static str),
    /// A value of its own.
    Value(Value),
}

/// What Clojure prints of an exception, but for places in code: its causes are at `:via`, there is no `:trace`. Of the causes there are as
/// many as `most` bytes may need.
pub fn error_parts(e: &Exception, classes: fn(&'static str) -> &'static str, most: usize) -> Vec<ErrorPart> {
    let message = |e: &Exception| ErrorPart::Value(e.message.as_ref().map_or(Value::Nil, Value::str));
    let chain =
        || std::iter::successors(Some(e), |e| if let Value::Exception(c) = &e.cause { Some(&**c) } else { None });
    let mut all = vec![ErrorPart::Text("#error {\n :cause ")];
    if let Some(last) = chain().last() {
        all.push(message(last));
        if !last.data.is_nil() {
            all.extend([ErrorPart::Text("\n :data "), ErrorPart::Value(last.data.clone())]);
        }
    }
    // The text of each is longer than this.
    for (i, e) in chain().take(most / 16 + 1).enumerate() {
        all.push(ErrorPart::Text(if i == 0 { "\n :via\n [{:type " } else { "\n  {:type " }));
        all.push(ErrorPart::Value(Value::Symbol(Symbol::new(None, classes(e.class)))));
        all.extend([ErrorPart::Text("\n   :message "), message(e)]);
        if !e.data.is_nil() {
            all.extend([ErrorPart::Text("\n   :data "), ErrorPart::Value(e.data.clone())]);
        }
        all.push(ErrorPart::Text("}"));
    }
    all.push(ErrorPart::Text("]\n :trace\n []}"));
    all
}

/// Whether `:ns/name` is read as this keyword.
fn keyword_reads_back(k: &Keyword) -> bool {
    match k.ns() {
        None if is_plain_name(k.name()) => true,
        Some(ns) if is_plain_name(ns) && is_word(k.name()) => true,
        ns => {
            let read = read_one(&format!(":{}", k.text()), &Limits::default());
            matches!(read, Ok(Some(Form { kind: Kind::Keyword(n), .. })) if n.ns.as_deref() == ns && *n.name == *k.name())
        }
    }
}

/// Whether the text of a symbol is read as this symbol.
fn symbol_reads_back(s: &Symbol) -> bool {
    match s.ns() {
        None if is_word(s.name()) && !matches!(s.name(), "nil" | "true" | "false") => true,
        Some(ns) if is_word(ns) && is_word(s.name()) => true,
        ns => {
            let read = read_one(s.text(), &Limits::default());
            matches!(read, Ok(Some(Form { kind: Kind::Symbol(n), .. })) if n.ns.as_deref() == ns && *n.name == *s.name())
        }
    }
}

/// Whether a plain name begins with a letter.
fn is_word(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && is_plain_name(name)
}

/// The source of a regex as it stands between quotes: a quote in it is escaped, if it is not so already, and between
/// `\Q` and `\E`, where nothing can be, that stretch is interrupted.
fn with_escaped_quotes(source: &str) -> Cow<'_, str> {
    if !source.contains('"') && !source.ends_with('\\') {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len() + 8);
    // Whether the reader has paired this character with a backslash before it; and where a search with the regex would be.
    let (mut paired, mut literal, mut escaped) = (false, false, false);
    for c in source.chars() {
        match c {
            '"' if !paired && literal => out.push_str("\\E\\\"\\Q"),
            '"' if !paired => out.push_str("\\\""),
            c => out.push(c),
        }
        paired = c == '\\' && !paired;
        let ends = escaped && if literal { c == 'E' } else { c == 'Q' };
        literal ^= ends;
        escaped = c == '\\' && (literal || !escaped) && !ends;
    }
    // A last backslash that nothing follows, which only `\Q` allows, would escape the quote behind it.
    if paired && out.pop().is_some() {
        out.push_str("\\E\\\\");
    }
    Cow::Owned(out)
}

/// A uuid in its usual form.
pub fn uuid_text(u: u128) -> String {
    let h = format!("{u:032x}");
    let part = |a: usize, b: usize| h.get(a..b).unwrap_or_default().to_string();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

/// Whether the whole of `v` is there to be printed: nothing unrealised inside.
pub fn is_whole(v: &Value) -> bool {
    !v.lazy()
}
