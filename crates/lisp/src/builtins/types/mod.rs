//! Dispatch by kinds of values: hierarchies, multimethods, records, types and protocols.

mod declared;
pub mod extend;
pub mod hierarchy;
pub mod hints;
pub mod isa;
pub mod multimethod;
pub mod own_methods;
pub mod protocol;
pub mod record;

use crate::builtins::functions::combinators::Native;
use crate::host::{Host, Result};
use crate::print::readable;
use crate::value::Value;
use crate::value::function::MULTIMETHOD;
use crate::value::object::ObjectKind;

pub use own_methods::own_method;

/// What a function that chooses calls with these arguments.
pub fn method_of(h: &mut dyn Host, native: &Native, a: &[Value]) -> Result {
    if native.name == MULTIMETHOD {
        multimethod::method_for(h, &native.held, a)
    } else {
        protocol::method_for(h, &native.held, a)
    }
}

/// Longest name of a field that is described, in bytes.
const MAX_FIELD: usize = 256;

/// What a definition is, if it is a record, a type, a protocol or a multimethod: that word and, of all but the last, its
/// fields or its functions. `types` is what the session knows of records and types.
pub fn described(name: &str, v: &Value, types: Option<&Value>) -> Option<(&'static str, Option<String>)> {
    match v {
        Value::Function(f) if f.is_multimethod() => Some((MULTIMETHOD, None)),
        Value::Object(o) if o.kind == ObjectKind::Protocol => {
            let Some(Value::Vector(functions)) = o.at(1) else { return None };
            let all: Vec<&str> =
                functions.iter().filter_map(|f| if let Value::Str(f) = f { Some(f.as_str()) } else { None }).collect();
            Some(("protocol", Some(all.join(" "))))
        }
        v if v.class_text().is_some_and(|class| {
            let (ns, name) = crate::namespaces::parts_of(name);
            class.strip_suffix(name).and_then(|of| of.strip_suffix('.')) == Some(&ns.replace('-', "_"))
        }) =>
        {
            let Some(Value::Map(types)) = types else { return None };
            let (word, of) = match types.get(v.class_name()?)? {
                Value::Map(m) => ("record", m.record_type()?),
                Value::Object(o) => ("type", &o.class),
                _ => return None,
            };
            let fields = of.fields.iter().map(|f| readable(f, MAX_FIELD).trim_start_matches(':').to_string());
            Some((word, Some(format!("[{}]", fields.collect::<Vec<_>>().join(" ")))))
        }
        _ => None,
    }
}
