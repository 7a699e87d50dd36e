//! Values as forms: what macros give, and what `eval` is given.

use crate::error::ErrorKind;
use crate::form::{Embedded, Form, Kind, Name};
use crate::host::{Host, Interrupt, Result};
use crate::seq::Iter;
use crate::size_cost;
use crate::span::Span;
use crate::value::node::on_deep_stack;
use crate::value::{Value, Width};

/// Most forms of a value.
const FORMS: u64 = 1_000_000;
/// Deepest nesting, as of expressions.
const DEPTH: u32 = 2000;
/// About what a form takes: each is on the meter.
const BYTES: u64 = 100;
/// After so many of them memory is looked at.
const FORMS_PER_CHECK: u64 = 256;

/// The form that a value is, with everywhere the place `span`.
///
/// # Errors
/// For values that cannot be in code, and limits.
pub fn form(h: &mut dyn Host, v: Value, span: Span) -> Result<Form> {
    let mut made = 0;
    Coder { h, span, made: &mut made }.form(v, 0)
}

struct Coder<'h> {
    h: &'h mut dyn Host,
    span: Span,
    made: &'h mut u64,
}

impl Coder<'_> {
    fn form(&mut self, v: Value, depth: u32) -> Result<Form> {
        if depth > DEPTH {
            let words = format!("code nests deeper than {DEPTH} forms");
            return Err(Interrupt::error(ErrorKind::Depth, words));
        }
        *self.made += 1;
        self.h.charge(3)?;
        if self.made.is_multiple_of(FORMS_PER_CHECK) {
            self.h.reserve(FORMS_PER_CHECK * BYTES)?;
        }
        if *self.made > FORMS {
            let words = format!("code of more than {FORMS} forms");
            return Err(
                Interrupt::error(ErrorKind::Source, words).hint("keep data in a name, and have the code read it")
            );
        }
        on_deep_stack(|| self.form_here(v, depth + 1))
    }

    fn form_here(&mut self, v: Value, depth: u32) -> Result<Form> {
        let span = self.span;
        let kind = match v {
            Value::Nil => Kind::Nil,
            Value::Bool(b) => Kind::Bool(b),
            Value::Int(i) if i.width() == Width::W64 => Kind::Int(i.get()),
            Value::Float(x) if x.width() == Width::W64 => Kind::Float(x.get()),
            Value::Char(c) => Kind::Char(c),
            Value::Str(s) => {
                self.copies(s.as_str().len())?;
                Kind::Str(s.as_str().into())
            }
            Value::Symbol(s) => {
                self.copies(s.text().len())?;
                let plain = Kind::Symbol(name(s.ns(), s.name())?);
                match s.meta() {
                    None => plain,
                    Some(meta) => {
                        let meta = self.form(meta.clone(), depth)?;
                        Kind::Meta(Box::new(meta), Box::new(Form::new(span, plain)))
                    }
                }
            }
            Value::Keyword(k) => {
                self.copies(k.text().len())?;
                Kind::Keyword(name(k.ns(), k.name())?)
            }
            Value::Map(m) if m.record_type().is_some() => return self.record(&m, depth),
            Value::Vector(_) | Value::Map(_) | Value::Set(_) => return self.collection(v, depth),
            Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
                let meta = crate::value::metadata::meta_of(&v);
                let list = Kind::List(self.items(v, depth)?);
                match meta {
                    Some(meta) => {
                        let meta = self.form(meta, depth)?;
                        Kind::Meta(Box::new(meta), Box::new(Form::new(span, list)))
                    }
                    None => list,
                }
            }
            Value::Function(f) if f.body().is_some_and(|b| b.held().is_empty() && b.takes().is_some()) => {
                Kind::Embedded(Embedded(Value::Function(f)))
            }
            Value::Int(_)
            | Value::Float(_)
            | Value::Big(_)
            | Value::Ratio(_)
            | Value::Decimal(_)
            | Value::Regex(_)
            | Value::Uuid(_)
            | Value::Time(_) => Kind::Embedded(Embedded(v)),
            Value::Builtin(_) | Value::Tool(_) | Value::Var(_) => Kind::Embedded(Embedded(v)),
            v if v.class_name().is_some() => Kind::Embedded(Embedded(v)),
            other => {
                let words = format!("{} cannot be in code: {}", other.kind(), crate::print::brief(&other));
                return Err(Interrupt::error(ErrorKind::Type, words)
                    .hint("give it a name with def, and put the name into the code"));
            }
        };
        Ok(Form::new(span, kind))
    }

    /// Charges a copy of a text of this length.
    fn copies(&mut self, bytes: usize) -> Result<()> {
        size_cost::text(self.h, bytes)?;
        if bytes < 4096 { Ok(()) } else { self.h.reserve(bytes as u64) }
    }

    fn items(&mut self, v: Value, depth: u32) -> Result<Vec<Form>> {
        let mut items = Iter::new(v)?;
        let mut out = Vec::new();
        while let Some(item) = items.next(self.h)? {
            out.push(self.form(item, depth)?);
        }
        // Most lists are short, and a list that grows has room for four.
        out.shrink_to_fit();
        Ok(out)
    }

    /// A record is a constant, as its literal is: what it holds is not evaluated.
    fn record(&mut self, m: &crate::value::Map, depth: u32) -> Result<Form> {
        let class = m.record_type().map(|t| t.name.clone()).unwrap_or_default();
        let class = self.form(class, depth)?;
        let mut entries = Vec::with_capacity(m.len().min(1024));
        for (k, v) in m.iter() {
            entries.push((self.form(k.clone(), depth)?, self.form(v.clone(), depth)?));
        }
        let quoted = |kind: Form| Form::call(self.span, "quote", vec![kind]);
        let data = quoted(Form::new(self.span, Kind::Map(entries)));
        Ok(Form::call(self.span, "record-literal*", vec![quoted(class), data]))
    }

    fn collection(&mut self, v: Value, depth: u32) -> Result<Form> {
        let meta = crate::value::metadata::meta_of(&v);
        let kind = match v {
            Value::Map(m) => {
                let mut entries = Vec::with_capacity(m.len().min(1024));
                for (k, v) in m.iter() {
                    entries.push((self.form(k.clone(), depth)?, self.form(v.clone(), depth)?));
                }
                Kind::Map(entries)
            }
            Value::Set(_) => Kind::Set(self.items(v, depth)?),
            v => Kind::Vector(self.items(v, depth)?),
        };
        let form = Form::new(self.span, kind);
        Ok(match meta {
            Some(meta) => {
                let meta = self.form(meta, depth)?;
                Form::new(self.span, Kind::Meta(Box::new(meta), Box::new(form)))
            }
            None => form,
        })
    }
}

fn name(ns: Option<&str>, name: &str) -> Result<Name> {
    if ns == Some("\u{1}") {
        return Err(Interrupt::error(ErrorKind::Value, "a name with the namespace \\u0001 cannot be in code"));
    }
    Ok(Name { ns: ns.map(Into::into), name: name.into() })
}
