//! Questions about values: what kind they are.

use super::args::get;
use super::java::class_tree;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::is_seqable;
use crate::value::{Builtin, SeqKind, Value};

/// A row of a function that looks at one argument.
macro_rules! is {
    ($name:literal, $doc:literal, $examples:expr, $test:expr) => {
        Builtin::new(
            $name,
            "x",
            $doc,
            $examples,
            &Body(|_: &mut dyn Host, a: &mut [Value]| Ok(Value::Bool(($test)(get(a, 0))))),
        )
    };
}

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    is!("nil?", "Whether x is nil.", &[("(nil? nil)", "true"), ("(nil? false)", "false")], |v: &Value| v.is_nil()),
    is!("some?", "Whether x is not nil.", &[("(some? false)", "true")], |v: &Value| !v.is_nil()),
    is!("true?", "Whether x is true itself.", &[("(true? 1)", "false")], |v: &Value| matches!(v, Value::Bool(true))),
    is!("false?", "Whether x is false itself.", &[("(false? nil)", "false")], |v: &Value| matches!(
        v,
        Value::Bool(false)
    )),
    is!("boolean?", "Whether x is true or false.", &[("(boolean? nil)", "false")], |v: &Value| matches!(
        v,
        Value::Bool(_)
    )),
    is!("string?", "Whether x is a string.", &[("(string? \"a\")", "true")], |v: &Value| matches!(v, Value::Str(_))),
    is!("char?", "Whether x is a character.", &[("(char? \\a)", "true")], |v: &Value| matches!(v, Value::Char(_))),
    is!("keyword?", "Whether x is a keyword.", &[("(keyword? :a)", "true")], |v: &Value| matches!(
        v,
        Value::Keyword(_)
    )),
    is!("symbol?", "Whether x is a symbol.", &[("(symbol? 'a)", "true")], |v: &Value| matches!(v, Value::Symbol(_))),
    is!("ident?", "Whether x is a keyword or a symbol.", &[("(ident? :a)", "true")], |v: &Value| matches!(
        v,
        Value::Keyword(_) | Value::Symbol(_)
    )),
    is!(
        "simple-keyword?",
        "Whether x is a keyword without a namespace.",
        &[("(simple-keyword? :a)", "true")],
        |v: &Value| keyword(v) == Some(false)
    ),
    is!(
        "qualified-keyword?",
        "Whether x is a keyword with a namespace.",
        &[("(qualified-keyword? :a/b)", "true")],
        |v: &Value| keyword(v) == Some(true)
    ),
    is!(
        "simple-symbol?",
        "Whether x is a symbol without a namespace.",
        &[("(simple-symbol? 'a)", "true")],
        |v: &Value| symbol(v) == Some(false)
    ),
    is!(
        "qualified-symbol?",
        "Whether x is a symbol with a namespace.",
        &[("(qualified-symbol? 'a)", "false")],
        |v: &Value| symbol(v) == Some(true)
    ),
    is!(
        "simple-ident?",
        "Whether x is a keyword or symbol without a namespace.",
        &[("(simple-ident? 'a)", "true")],
        |v: &Value| keyword(v).or(symbol(v)) == Some(false)
    ),
    is!(
        "qualified-ident?",
        "Whether x is a keyword or symbol with a namespace.",
        &[("(qualified-ident? :a/b)", "true")],
        |v: &Value| keyword(v).or(symbol(v)) == Some(true)
    ),
    is!(
        "vector?",
        "Whether x is a vector; entries of maps are.",
        &[("(vector? (first {:a 1}))", "true")],
        |v: &Value| matches!(v, Value::Vector(_))
    ),
    is!("map?", "Whether x is a map.", &[("(map? {})", "true")], |v: &Value| matches!(v, Value::Map(_))),
    is!("record?", "Whether x is a record.", &[("(record? {:a 1})", "false")], super::java::classes::is_record),
    is!("set?", "Whether x is a set.", &[("(set? #{})", "true")], |v: &Value| matches!(v, Value::Set(_))),
    is!(
        "list?",
        "Whether x is a list, as quoting and list make it.",
        &[("(list? '(1))", "true"), ("(list? (map inc [1]))", "false")],
        crate::value::compare::is_list
    ),
    is!(
        "seq?",
        "Whether x is a list or a sequence.",
        &[("(seq? (map inc [1]))", "true"), ("(seq? [1])", "false")],
        is_seq
    ),
    is!("coll?", "Whether x is a collection.", &[("(coll? {})", "true"), ("(coll? \"a\")", "false")], is_coll),
    is!(
        "sequential?",
        "Whether x is a vector, list or sequence.",
        &[("(sequential? [])", "true"), ("(sequential? #{})", "false")],
        |v: &Value| v.is_sequential()
    ),
    is!("associative?", "Whether x is a map or a vector.", &[("(associative? [])", "true")], |v: &Value| matches!(
        v,
        Value::Map(_) | Value::Vector(_)
    )),
    is!("seqable?", "Whether seq takes x.", &[("(seqable? nil)", "true"), ("(seqable? 1)", "false")], is_seqable),
    is!("indexed?", "Whether x finds its items by index at once.", &[("(indexed? [])", "true")], |v: &Value| matches!(
        v,
        Value::Vector(_)
    )),
    Builtin::new(
        "counted?",
        "x",
        "Whether x knows its length.",
        &[("(counted? [])", "true"), ("(counted? \"a\")", "false")],
        &Body(|h, a| {
            let x = get(a, 0);
            Ok(Value::Bool(
                is_counted(x) || matches!(x, Value::Object(_)) && super::types::own_method(h, x, "count")?.is_some(),
            ))
        }),
    ),
    is!("reversible?", "Whether rseq takes x.", &[("(reversible? [])", "true")], |v: &Value| match v {
        Value::Vector(_) => true,
        Value::Map(m) => m.is_sorted(),
        Value::Set(s) => s.is_sorted(),
        _ => false,
    }),
    is!(
        "sorted?",
        "Whether x is a sorted collection.",
        &[("(sorted? {})", "false"), ("(sorted? (sorted-map))", "true")],
        |v: &Value| match v {
            Value::Map(m) => m.is_sorted(),
            Value::Set(s) => s.is_sorted(),
            _ => false,
        }
    ),
    is!(
        "map-entry?",
        "Whether x is an entry of a map.",
        &[("(map-entry? (first {:a 1}))", "true"), ("(map-entry? [:a 1])", "false")],
        |v: &Value| matches!(v, Value::Vector(v) if v.is_entry())
    ),
    is!(
        "fn?",
        "Whether x is a function as fn makes it.",
        &[("(fn? inc)", "true"), ("(fn? :a)", "false")],
        |v: &Value| match v {
            Value::Function(f) => !f.is_multimethod(),
            v => matches!(v, Value::Builtin(_) | Value::Tool(_)),
        }
    ),
    Builtin::new(
        "ifn?",
        "x",
        "Whether x can be called.",
        &[("(ifn? :a)", "true"), ("(ifn? \"a\")", "false")],
        &Body(|h, a| Ok(Value::Bool(is_ifn(get(a, 0)) || super::types::own_method(h, get(a, 0), "invoke")?.is_some()))),
    ),
    is!("any?", "Always true.", &[("(any? nil)", "true")], |_: &Value| true),
    is!("var?", "Whether x is a var, as def gives it.", &[("(var? 1)", "false")], |v: &Value| matches!(
        v,
        Value::Var(_)
    )),
    is!("uuid?", "Whether x is a uuid.", &[("(uuid? \"x\")", "false")], |v: &Value| matches!(v, Value::Uuid(_))),
    is!(
        "special-symbol?",
        "Whether x names a special form.",
        &[("(special-symbol? 'if)", "true")],
        |v: &Value| matches!(v, Value::Symbol(s) if SPECIAL.contains(&s.text()))
    ),
    is!(
        "boolean",
        "False for nil and false, true for all else.",
        &[("(boolean 0)", "true"), ("(boolean nil)", "false")],
        |v: &Value| v.truthy()
    ),
    is!(
        "not",
        "True for nil and false, false for all else.",
        &[("(not nil)", "true"), ("(not 0)", "false")],
        |v: &Value| !v.truthy()
    ),
    Builtin::new(
        "identical?",
        "x y",
        "Whether both are the same object, or the same name, number or character.",
        &[("(identical? :a :a)", "true"), ("(identical? [1] [2])", "false")],
        &Body(|_, a| Ok(Value::Bool(crate::value::compare::identical(get(a, 0), get(a, 1))))),
    ),
    Builtin::new(
        "instance?",
        "c x",
        "Whether x is of the class c, by the names Clojure gives them: String, Long, Number, clojure.lang.Keyword.",
        &[
            ("(instance? String \"a\")", "true"),
            ("(instance? Number 1/2)", "true"),
            ("(instance? Long \"a\")", "false"),
        ],
        &Body(instance),
    ),
    Builtin::new(
        "cast",
        "c x",
        "x itself, if it is of the class c or nil; else an error.",
        &[("(cast Number 1)", "1"), ("(cast String nil)", "nil"), ("(cast String 1)", "!Cannot cast")],
        &Body(cast),
    ),
    Builtin::new(
        "class",
        "x",
        "The class of x: its name as Clojure has it.",
        &[("(class 1)", "java.lang.Long"), ("(class nil)", "nil")],
        &Body(|h, a| {
            h.charge(4)?;
            Ok(super::java::classes::class(get(a, 0)))
        }),
    ),
    Builtin::new(
        "type",
        "x",
        "The :type of x's metadata, or its class.",
        &[("(type \"a\")", "java.lang.String")],
        &Body(class_or_type),
    ),
];

const SPECIAL: &[&str] = &[
    "def",
    "loop*",
    "recur",
    "if",
    "case*",
    "let*",
    "letfn*",
    "do",
    "fn*",
    "quote",
    "var",
    ".",
    "set!",
    "try",
    "catch",
    "finally",
    "throw",
    "new",
    "&",
    "monitor-enter",
    "monitor-exit",
    "import*",
    "deftype*",
    "reify*",
    "clojure.core/import*",
];

/// Whether a keyword has a namespace.
fn keyword(v: &Value) -> Option<bool> {
    if let Value::Keyword(k) = v { Some(k.ns().is_some()) } else { None }
}

fn symbol(v: &Value) -> Option<bool> {
    if let Value::Symbol(s) = v { Some(s.ns().is_some()) } else { None }
}

fn is_seq(v: &Value) -> bool {
    match v {
        Value::Slice(s) => s.kind != SeqKind::Queue,
        _ => matches!(v, Value::Cons(_) | Value::Lazy(_)),
    }
}

fn is_coll(v: &Value) -> bool {
    v.is_sequential() || matches!(v, Value::Map(_) | Value::Set(_))
}

fn is_counted(v: &Value) -> bool {
    match v {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) => true,
        Value::Slice(s) => matches!(s.kind, SeqKind::List | SeqKind::Queue | SeqKind::Reversed),
        Value::Cons(c) => c.kind() == SeqKind::List && c.len().is_some(),
        // A range of integers is.
        Value::Lazy(l) => crate::seq::generator::ranged(l).is_some_and(|r| r.end.is_some()),
        _ => false,
    }
}

fn is_ifn(v: &Value) -> bool {
    use Value::{Builtin, Function, Keyword, Map, Set, Symbol, Tool, Var, Vector};
    !super::java::classes::is_record(v)
        && matches!(
            v,
            Function(_) | Builtin(_) | Tool(_) | Keyword(_) | Symbol(_) | Map(_) | Set(_) | Vector(_) | Var(_)
        )
}

fn cast(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = get(a, 1).clone();
    let class = crate::print::brief(get(a, 0));
    if instance(h, a)?.truthy() || x.is_nil() {
        return Ok(x);
    }
    let words = format!("Cannot cast {} to {class}", crate::print::brief(&super::java::classes::class(&x)));
    Err(Interrupt::error(ErrorKind::Type, words))
}

/// Whether the second argument is of the class that the first is.
pub fn instance(h: &mut dyn Host, a: &mut [Value]) -> Result {
    // A class is looked for by its name.
    h.charge(2)?;
    let Some(class) = get(a, 0).class_text() else { return Err(Interrupt::argument(0, "a class", get(a, 0))) };
    if class.starts_with("java.") {
        // What a type of the program is besides is asked below.
        if let Some(true) = super::java::classes::is_instance(class, get(a, 1)) {
            return Ok(Value::Bool(true));
        }
    }
    if let Some(own) = super::types::extend::is_of_own(h, get(a, 0), get(a, 1))? {
        return Ok(Value::Bool(own));
    }
    match super::java::classes::is_instance(class, get(a, 1)) {
        Some(b) => Ok(Value::Bool(b)),
        // Classes that have no other below them.
        None if matches!(super::java::classes::name_of_class(get(a, 1)), Value::Symbol(c) if c.text() == class) => {
            Ok(Value::Bool(true))
        }
        None if class_tree::is_array(class) || class_tree::is_primitive(class) => Ok(Value::Bool(false)),
        None => Err(Interrupt::argument(0, "a class that is known here", get(a, 0))
            .hint("test with string? number? map? and similar functions")),
    }
}

fn class_or_type(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let meta = crate::value::metadata::meta_of(get(a, 0));
    let named = meta.as_ref().and_then(|m| crate::value::lookup::get(m, &Value::keyword("type")));
    match named {
        Some(t) if t.truthy() => Ok(t),
        _ => {
            h.charge(4)?;
            Ok(super::java::classes::class(get(a, 0)))
        }
    }
}
