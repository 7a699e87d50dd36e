//! The methods of Clojure's own interfaces, as programs that implement or test collections call them: each is a function of
//! the core with its target checked.

use crate::builtins::args::{get, take};
use crate::builtins::java_collections::functional::own;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::value::{Builtin, SeqKind, Slice, Value};

/// Items that Clojure keeps together in a vector.
const CHUNK: usize = 32;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        ".cons",
        "coll x",
        "The collection with x added, as conj adds it.",
        &[("(.cons [1] 2)", "[1 2]"), ("(.cons nil 2)", "!must be a collection")],
        &Body(|h, a| on(h, a, "conj", collection)),
    ),
    Builtin::new(
        ".seq",
        "coll",
        "The items as a sequence, nil if there are none.",
        &[("(.seq [1])", "(1)")],
        &Body(|h, a| on(h, a, "seq", collection)),
    ),
    Builtin::new(
        ".rseq",
        "coll",
        "The items of a vector or a sorted collection from the last to the first, nil if there are none.",
        &[("(.rseq [1 2])", "(2 1)")],
        &Body(|h, a| on(h, a, "rseq", collection)),
    ),
    Builtin::new(
        ".empty",
        "coll",
        "An empty collection of the same kind.",
        &[("(.empty [1])", "[]")],
        &Body(|h, a| on(h, a, "empty", collection)),
    ),
    Builtin::new(
        ".equiv",
        "coll x",
        "Whether both are equal, as = says.",
        &[("(.equiv [1] '(1))", "true"), ("(.equiv [1] nil)", "false")],
        &Body(|h, a| on(h, a, "=", any)),
    ),
    Builtin::new(
        ".first",
        "coll",
        "The first item of a sequence.",
        &[("(.first '(1 2))", "1")],
        &Body(|h, a| on_java(h, a, "first", sequence)),
    ),
    Builtin::new(
        ".next",
        "coll",
        "The items of a sequence after the first, nil if there are none.",
        &[("(.next '(1 2))", "(2)")],
        &Body(|h, a| on_java(h, a, "next", sequence)),
    ),
    Builtin::new(
        ".more",
        "coll",
        "The items of a sequence after the first.",
        &[("(.more '(1))", "()")],
        &Body(|h, a| on(h, a, "rest", sequence)),
    ),
    Builtin::new(
        ".index",
        "s",
        "The index in its vector that the first item of what rseq gives has.",
        &[("(.index (rseq [5 6 7]))", "2"), ("(.index '(1 2))", "!what rseq gives")],
        &of_32_bits!(|_, a| match get(a, 0) {
            Value::Slice(s) if s.kind == SeqKind::Reversed => Ok(Value::int(s.len() as i64 - 1)),
            other => Err(Interrupt::argument(0, "what rseq gives of a vector", other)),
        }),
    ),
    Builtin::new(
        ".chunkedNext",
        "s",
        "The items of a sequence over a vector from the next multiple of 32 on, nil if there are none.",
        &[("(.chunkedNext (seq (vec (range 34))))", "(32 33)"), ("(.chunkedNext '(1 2))", "!a sequence over a vector")],
        &Body(|_, a| match get(a, 0) {
            Value::Slice(s) if s.kind == SeqKind::Seq && !s.is_empty() => {
                let (all, from) = s.base();
                let next = from / CHUNK * CHUNK + CHUNK;
                Ok(if next < all.len() {
                    Value::Slice(Slice::new(all.clone(), next, SeqKind::Seq))
                } else {
                    Value::Nil
                })
            }
            other => Err(Interrupt::argument(0, "a sequence over a vector", other)),
        }),
    ),
    Builtin::new(
        ".peek",
        "coll",
        "The item that pop takes away.",
        &[("(.peek [1 2])", "2")],
        &Body(|h, a| on_java(h, a, "peek", collection)),
    ),
    Builtin::new(
        ".pop",
        "coll",
        "A vector without its last item, a list without its first.",
        &[("(.pop [1 2])", "[1]")],
        &Body(|h, a| on_java(h, a, "pop", collection)),
    ),
    Builtin::new(
        ".nth",
        "coll i | coll i not-found",
        "The item at index i.",
        &[("(.nth [1 2] 0)", "1"), ("(.nth [1 2] 5 :none)", ":none")],
        &Body(|h, a| on(h, a, "nth", |v| v.is_sequential() || matches!(v, Value::Str(_)))),
    ),
    Builtin::new(
        ".valAt",
        "coll key | coll key not-found",
        "The value at a key or index.",
        &[("(.valAt {:a 1} :a)", "1"), ("(.valAt [1] 5 :none)", ":none")],
        &Body(|h, a| on(h, a, "get", looked_up)),
    ),
    Builtin::new(
        ".entryAt",
        "coll key",
        "The entry of a map or a vector at a key or index, nil if there is none.",
        &[("(.entryAt [5] 0)", "[0 5]")],
        &Body(|h, a| on(h, a, "find", associative)),
    ),
    Builtin::new(
        ".assoc",
        "coll key val",
        "The map or vector with val at a key or index.",
        &[("(.assoc {} :a 1)", "{:a 1}")],
        &Body(|h, a| on(h, a, "assoc", associative)),
    ),
    Builtin::new(
        ".assocN",
        "v i val",
        "The vector with val at index i.",
        &[("(.assocN [1 2] 0 9)", "[9 2]")],
        &Body(|h, a| on(h, a, "assoc", |v| matches!(v, Value::Vector(_)))),
    ),
    Builtin::new(
        ".without",
        "map key",
        "The map without a key.",
        &[("(.without {:a 1} :a)", "{}")],
        &Body(|h, a| on(h, a, "dissoc", |v| matches!(v, Value::Map(_)))),
    ),
    Builtin::new(
        ".disjoin",
        "set x",
        "The set without x.",
        &[("(.disjoin #{1 2} 1)", "#{2}")],
        &Body(|h, a| on(h, a, "disj", |v| matches!(v, Value::Set(_)))),
    ),
    Builtin::new(
        ".reduce",
        "coll f | coll f init",
        "What reduce makes of a collection.",
        &[("(.reduce [1 2 3] +)", "6"), ("(.reduce [1 2 3] + 10)", "16")],
        &Body(|h, a| {
            target(a, collection)?;
            let coll = take(a, 0);
            let (f, mut all) = (take(a, 1), a.iter_mut().skip(2).map(std::mem::take).collect::<Vec<_>>());
            all.insert(0, f);
            all.push(coll);
            named(h, "reduce", &mut all)
        }),
    ),
    Builtin::new(
        ".kvreduce",
        "map f init",
        "What reduce-kv makes of a map or a vector.",
        &[("(.kvreduce {:a 1} (fn [n k v] (+ n v)) 0)", "1")],
        &Body(|h, a| {
            target(a, associative)?;
            let coll = take(a, 0);
            let mut all = [take(a, 1), take(a, 2), coll];
            named(h, "reduce-kv", &mut all)
        }),
    ),
    Builtin::new(
        ".comparator",
        "coll",
        "What a sorted map or set puts its items in order by.",
        &[("((.comparator (sorted-map-by > 1 2)) 1 2)", "false"), ("((.comparator (sorted-set 1)) 1 2)", "-1")],
        &Body(|h, a| {
            let map = match get(a, 0) {
                Value::Map(m) => m,
                Value::Set(s) => s.as_map(),
                other => return Err(Interrupt::argument(0, "a sorted map or set", other)),
            };
            if !map.is_sorted() {
                return Err(Interrupt::argument(0, "a sorted map or set", get(a, 0)));
            }
            match (map.comparator(), h.builtin("compare")) {
                (Some(f), _) => Ok(f.clone()),
                (None, compare) => Ok(compare.map_or(Value::Nil, Value::Builtin)),
            }
        }),
    ),
    Builtin::new(
        ".compare",
        "f x y",
        "What a function says of two values as a comparator: a number, or of a predicate -1, 1 or 0.",
        &[("(.compare compare 1 2)", "-1"), ("(.compare > 1 2)", "1"), ("(.compare > 1 1)", "0")],
        &of_32_bits!(|h, a| {
            if let Value::Object(_) = get(a, 0) {
                return own(h, a, "compare");
            }
            let (f, x, y) = (take(a, 0), take(a, 1), take(a, 2));
            if !matches!(f, Value::Function(_) | Value::Builtin(_)) {
                return Err(Interrupt::argument(0, "a function that compares", &f));
            }
            h.charge(1)?;
            match h.call2(&f, x.clone(), y.clone())? {
                Value::Bool(true) => Ok(Value::int(-1)),
                Value::Bool(false) => Ok(Value::int(i64::from(h.call2(&f, y, x)?.truthy()))),
                n => Ok(n),
            }
        }),
    ),
    Builtin::new(
        ".invoke",
        "f & args",
        "What a function, keyword, map, set or vector gives for these arguments.",
        &[("(.invoke inc 1)", "2"), ("(.invoke [5] 0)", "5")],
        &Body(|h, a| {
            let f = take(a, 0);
            h.charge(1)?;
            h.call(&f, a.get_mut(1..).unwrap_or_default())
        }),
    ),
    Builtin::new(
        ".meta",
        "x",
        "The metadata of x, nil if there is none.",
        &[("(.meta ^:a [])", "{:a true}")],
        &Body(|h, a| on(h, a, "meta", |v| !v.is_nil())),
    ),
    Builtin::new(
        ".withMeta",
        "x meta",
        "The same value with this metadata.",
        &[("(meta (.withMeta [] {:a 1}))", "{:a 1}")],
        &Body(|h, a| on(h, a, "with-meta", |v| !v.is_nil())),
    ),
];

fn any(v: &Value) -> bool {
    !v.is_nil()
}

fn collection(v: &Value) -> bool {
    v.is_sequential() || matches!(v, Value::Map(_) | Value::Set(_))
}

fn sequence(v: &Value) -> bool {
    matches!(v, Value::Slice(_) | Value::Cons(_) | Value::Lazy(_))
}

fn associative(v: &Value) -> bool {
    matches!(v, Value::Map(_) | Value::Vector(_))
}

fn looked_up(v: &Value) -> bool {
    associative(v) || matches!(v, Value::Place(_))
}

fn target(a: &[Value], is: fn(&Value) -> bool) -> Result<()> {
    if is(get(a, 0)) { Ok(()) } else { Err(Interrupt::argument(0, "a collection that has this method", get(a, 0))) }
}

/// As [`on`], where collections of Java have a method of the same name.
fn on_java(h: &mut dyn Host, a: &mut [Value], function: &'static str, is: fn(&Value) -> bool) -> Result {
    match crate::builtins::java_collections::methods::call(h, a, function)? {
        Some(v) => Ok(v),
        None => on(h, a, function, is),
    }
}

/// Calls a function of the core whose first argument is a target of the right kind.
fn on(h: &mut dyn Host, a: &mut [Value], function: &'static str, is: fn(&Value) -> bool) -> Result {
    target(a, is)?;
    named(h, function, a)
}

fn named(h: &mut dyn Host, function: &'static str, a: &mut [Value]) -> Result {
    h.charge(1)?;
    match h.builtin(function) {
        Some(f) => h.call(&Value::Builtin(f), a),
        None => Err(Interrupt::error(crate::error::ErrorKind::Internal, format!("{function} is missing"))),
    }
}
