//! Tags in data: who reads them, and what is made of them.

use crate::builtins::types::record::literal as literal_of;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::node::on_deep_stack;
use crate::value::object::ObjectKind;
use crate::value::{Map, SeqKind, Set, Value, Vector};

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
