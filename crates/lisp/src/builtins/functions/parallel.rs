//! Calls that run together: pmap and pcalls, whose tool calls the host may make at the same time.

use crate::builtins::args::take;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::push;
use crate::host::{Body, Host, Result};
use crate::interface::MAX_PARALLEL_CALLS;
use crate::seq::Iter;
use crate::value::{Builtin, Value};

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "pmap",
        "f coll | f c1 c2 & colls",
        "As map, at once. Tool calls are made together, eight at a time, where f is a tool, a partial of one, or a function that ends in a tool call: (pmap #(tool/f (:id %)) xs).",
        &[("(pmap + [1 2] [10 20])", "(11 22)"), ("(pmap inc nil)", "()")],
        &Body(pmap),
    ),
    Builtin::new(
        "pcalls",
        "& fs",
        "What each of these functions gives without arguments, in order. Tool calls they end in are made together, eight at a time: (pcalls #(tool/a 1) #(tool/b 2)).",
        &[("(pcalls #(+ 1 2) (constantly 5))", "(3 5)")],
        &Body(pcalls),
    ),
];

fn pmap(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    let mut colls = (1..a.len()).map(|i| Iter::arg(a, i)).collect::<Result<Vec<_>>>()?;
    together(h, |h| {
        h.charge(colls.len() as u64 * 2)?;
        let mut args = Vec::with_capacity(colls.len());
        for c in &mut colls {
            match c.next(h)? {
                Some(v) => args.push(v),
                None => return Ok(None),
            }
        }
        Ok(Some((f.clone(), args)))
    })
}

fn pcalls(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(a.len() as u64)?;
    let mut fs = a.iter_mut().map(std::mem::take);
    together(h, |_| Ok(fs.next().map(|f| (f, Vec::new()))))
}

/// Calls what `next` gives until it gives nothing, a group at a time: after an error no further group is begun.
fn together(h: &mut dyn Host, mut next: impl FnMut(&mut dyn Host) -> Result<Option<(Value, Vec<Value>)>>) -> Result {
    let mut out = Vec::new();
    let mut more = true;
    while more {
        let mut group = Vec::with_capacity(MAX_PARALLEL_CALLS);
        while group.len() < MAX_PARALLEL_CALLS {
            match next(h)? {
                Some(call) => group.push(call),
                None => {
                    more = false;
                    break;
                }
            }
        }
        for v in h.call_parallel(group)? {
            push(h, &mut out, v)?;
        }
    }
    Ok(Value::seq(out))
}
