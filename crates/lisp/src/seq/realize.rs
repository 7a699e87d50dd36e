//! Making all that is lazy inside a value.

use super::iter::force;
use crate::host::{Host, Result, too_deep};
use crate::value::node::on_deep_stack;
use crate::value::{Item, Value};

/// Realises all that is lazy inside `v`, so that walkers which run no code see all of it.
/// Charges every item; an endless sequence ends as a limit.
pub fn realise(host: &mut dyn Host, v: &Value) -> Result<()> {
    if !v.lazy() {
        return Ok(());
    }
    // A sequence can be an item of itself: nesting is bounded by counting, for no depth is known of it.
    let nested = NESTED.get();
    if nested >= host.limits().data_depth {
        return Err(too_deep(host.limits()));
    }
    NESTED.set(nested + 1);
    let realised = realise_parts(host, v);
    NESTED.set(nested);
    realised
}

thread_local! {
    /// Values that are being realised inside each other on this thread.
    static NESTED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

fn realise_parts(host: &mut dyn Host, v: &Value) -> Result<()> {
    on_deep_stack(|| match v {
        Value::Lazy(_) | Value::Cons(_) => {
            let mut at = v.clone();
            loop {
                match at {
                    Value::Lazy(l) => at = force(host, &l)?,
                    Value::Cons(ref c) => {
                        realise(host, c.first())?;
                        host.charge(1)?;
                        let rest = c.rest().clone();
                        at = rest;
                    }
                    other => return realise(host, &other),
                }
            }
        }
        Value::Vector(v) => v.iter().try_for_each(|i| realise(host, i)),
        Value::Slice(s) => s.iter().try_for_each(|i| realise(host, i)),
        Value::Set(s) => s.iter().try_for_each(|i| realise(host, i)),
        Value::Map(m) => m.iter().try_for_each(|(k, v)| {
            realise(host, k)?;
            realise(host, v)
        }),
        Value::Reduced(v) => realise(host, v),
        Value::Exception(e) => realise(host, &e.data),
        Value::Object(o) => realise(host, &o.held),
        _ => Ok(()),
    })
}
