//! Tags in data: who reads them, and what is made of them; and tags and reader conditionals as data.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::types::record::literal as literal_of;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::node::on_deep_stack;
use crate::value::object::ObjectKind;
use crate::value::read_data::{reader_conditional, tagged_literal};
use crate::value::{Builtin, Map, SeqKind, Set, Value, Vector};

/// The rows of this file. Names that end in `*` are for sugar and are not shown.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "tagged-literal",
        "tag form",
        "What stands for #tag form: it prints so, and has :tag and :form.",
        &[("(tagged-literal 'my/tag [1])", "#my/tag [1]"), ("(:form (tagged-literal 'my/tag [1]))", "[1]")],
        &Body(|h, a| {
            h.charge(4)?;
            if !matches!(get(a, 0), Value::Symbol(_) | Value::Nil) {
                return Err(Interrupt::argument(0, "a symbol", get(a, 0)));
            }
            checked(h, tagged_literal(take(a, 0), take(a, 1)))
        }),
    ),
    Builtin::new(
        "tagged-literal?",
        "value",
        "Whether it is what tagged-literal makes.",
        &[("(tagged-literal? (tagged-literal 'my/tag [1]))", "true")],
        &Body(|_, a| Ok(Value::Bool(is(get(a, 0), ObjectKind::TaggedLiteral)))),
    ),
    Builtin::new(
        "reader-conditional",
        "form splicing?",
        "What stands for #?(...): it prints so, and has :form and :splicing?.",
        &[("(reader-conditional '(:clj 1) false)", "#?(:clj 1)")],
        &Body(|h, a| {
            h.charge(4)?;
            checked(h, reader_conditional(take(a, 0), take(a, 1)))
        }),
    ),
    Builtin::new(
        "reader-conditional?",
        "value",
        "Whether it is what reader-conditional makes.",
        &[("(reader-conditional? (reader-conditional '(:clj 1) false))", "true")],
        &Body(|_, a| Ok(Value::Bool(is(get(a, 0), ObjectKind::ReaderConditional)))),
    ),
    Builtin::new(
        "data-readers*",
        "",
        "What `*data-readers*` is.",
        &[("*data-readers*", "{}")],
        &Body(|h, _| Ok(Value::Map(h.data_readers()))),
    ),
    Builtin::new(
        "default-data-reader*",
        "",
        "What `*default-data-reader-fn*` is.",
        &[("*default-data-reader-fn*", "nil")],
        &Body(|h, _| Ok(h.default_data_reader())),
    ),
];

fn checked(h: &mut dyn Host, v: Value) -> Result {
    crate::builtins::state::places::within_depth(h, &v)?;
    Ok(v)
}

fn is(v: &Value, kind: ObjectKind) -> bool {
    matches!(v, Value::Object(o) if o.kind == kind)
}

/// Who reads tags.
#[derive(Default)]
pub struct Readers {
    /// Functions by tag.
    pub readers: Map,
    /// A function of any other tag and what is behind it, or nil.
    pub default: Value,
}

impl Readers {
    /// Whether there are any.
    pub fn any(&self) -> bool {
        !self.readers.is_empty() || self.default.truthy()
    }

    /// The tags that are read by functions.
    pub fn tags(&self) -> Vec<String> {
        self.readers
            .keys()
            .filter_map(|k| if let Value::Symbol(s) = k { Some(s.text().to_owned()) } else { None })
            .collect()
    }

    fn read(&self, h: &mut dyn Host, tag: Value, form: Value) -> Result {
        match self.readers.get(&tag) {
            Some(f) if f.truthy() => h.call1(f, form),
            _ if self.default.truthy() => h.call2(&self.default, tag, form),
            _ => {
                let words = format!("No reader function for tag {}", crate::print::brief(&tag));
                Err(Interrupt::error(ErrorKind::Parse, words))
            }
        }
    }
}

/// The value with what was read for `#user.Point{...}` and `#my/tag ...` made.
///
/// # Errors
/// What a reader throws, and limits.
pub fn resolved(h: &mut dyn Host, readers: &Readers, v: Value) -> Result {
    h.charge(1)?;
    on_deep_stack(|| {
        Ok(match v {
            Value::Object(o) if o.kind == ObjectKind::TaggedLiteral => {
                let (tag, form) = (o.at(0).cloned().unwrap_or_default(), o.at(1).cloned().unwrap_or_default());
                let form = resolved(h, readers, form)?;
                readers.read(h, tag, form)?
            }
            Value::Slice(s) if s.kind != SeqKind::Queue => {
                let literal = matches!(s.get(0), Some(Value::Symbol(n)) if n.text() == "clojure.core/record-literal*");
                let meta = crate::value::metadata::meta_of(&Value::Slice(s.clone()));
                let mut items = s.iter().cloned().map(|v| resolved(h, readers, v)).collect::<Result<Vec<_>>>()?;
                match items.as_mut_slice() {
                    [_, Value::Slice(class), Value::Slice(data)] if literal => {
                        let (class, data) = (class.get(1).cloned(), data.get(1).cloned());
                        literal_of(h, &class.unwrap_or_default(), data.unwrap_or_default())?
                    }
                    _ => match Value::list(items) {
                        Value::Slice(s) if meta.is_some() => Value::Slice(s.with_meta(meta)),
                        list => list,
                    },
                }
            }
            Value::Vector(x) if !x.is_entry() => {
                let meta = x.meta().cloned();
                let items = x.iter().cloned().map(|v| resolved(h, readers, v)).collect::<Result<Vec<_>>>()?;
                Value::Vector(Vector::from_vec(items).with_meta(meta))
            }
            Value::Set(x) => {
                let meta = x.meta().cloned();
                let mut out = Set::new();
                for v in x.iter().cloned() {
                    let v = resolved(h, readers, v)?;
                    if !out.insert(v.clone()) {
                        return Err(twice(&v));
                    }
                }
                Value::Set(out.with_meta(meta))
            }
            Value::Map(m) => {
                let meta = m.meta().cloned();
                let mut out = Map::new();
                for (k, v) in m.iter() {
                    let key = resolved(h, readers, k.clone())?;
                    let v = resolved(h, readers, v.clone())?;
                    if out.get(&key).is_some() {
                        return Err(twice(&key));
                    }
                    out.insert(key, v);
                }
                Value::Map(out.with_meta(meta))
            }
            other => other,
        })
    })
}

#[cold]
fn twice(key: &Value) -> Interrupt {
    Interrupt::error(ErrorKind::Parse, format!("Duplicate key: {}", crate::print::brief(key)))
}
