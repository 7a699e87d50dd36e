//! The classes that Clojure's values have on the JVM, as names: for `class`, `instance?` and for programs that compare them.

use super::time_classes;
use crate::builtins::state::exception_classes;
use crate::value::boxed::{CellSort, Place};
use crate::value::compare::is_list;
use crate::value::object::ObjectKind;
use crate::value::{SeqKind, Symbol, Value, Width};

/// The class of classes.
const CLASS: &str = "java.lang.Class";

/// A class: its full name and what is of it.
type Class = (&'static str, fn(&Value) -> bool);

/// Classes by full name and what is of them.
const CLASSES: &[Class] = &[
    ("java.lang.Object", |v| !v.is_nil()),
    (CLASS, |v| v.class_name().is_some()),
    ("java.lang.String", |v| matches!(v, Value::Str(_))),
    ("java.lang.CharSequence", |v| matches!(v, Value::Str(_))),
    ("java.lang.Comparable", |v| {
        number(v) && !matches!(v, Value::Big(_))
            || matches!(
                v,
                Value::Str(_)
                    | Value::Char(_)
                    | Value::Bool(_)
                    | Value::Keyword(_)
                    | Value::Symbol(_)
                    | Value::Vector(_)
                    | Value::Uuid(_)
            )
            || matches!(v, Value::Time(t) if time_classes::is_comparable(t))
    }),
    ("java.lang.Character", |v| matches!(v, Value::Char(_))),
    ("java.lang.Boolean", |v| matches!(v, Value::Bool(_))),
    ("java.lang.Number", number),
    ("java.lang.Long", |v| integer_of(v, Width::W64)),
    ("java.lang.Integer", |v| integer_of(v, Width::W32)),
    ("java.lang.Short", |v| integer_of(v, Width::W16)),
    ("java.lang.Byte", |v| integer_of(v, Width::W8)),
    ("java.lang.Double", |v| matches!(v, Value::Float(x) if x.width() == Width::W64)),
    ("java.lang.Float", |v| matches!(v, Value::Float(x) if x.width() == Width::W32)),
    ("java.math.BigDecimal", |v| matches!(v, Value::Decimal(_))),
    ("java.lang.Math", |_| false),
    ("java.util.UUID", |v| matches!(v, Value::Uuid(_))),
    ("java.util.regex.Pattern", |v| matches!(v, Value::Regex(_))),
    ("java.util.regex.Matcher", Value::is_matcher),
    ("java.util.Map", |v| matches!(v, Value::Map(_))),
    ("java.util.List", Value::is_sequential),
    ("java.util.Set", |v| matches!(v, Value::Set(_))),
    ("java.util.Collection", |v| v.is_sequential() || matches!(v, Value::Set(_))),
    ("java.lang.Iterable", |v| v.is_sequential() || matches!(v, Value::Set(_) | Value::Map(_))),
    ("clojure.lang.BigInt", |v| matches!(v, Value::Big(_))),
    ("clojure.lang.Ratio", |v| matches!(v, Value::Ratio(_))),
    ("clojure.lang.Keyword", |v| matches!(v, Value::Keyword(_))),
    ("clojure.lang.Symbol", |v| matches!(v, Value::Symbol(_))),
    ("clojure.lang.Named", |v| matches!(v, Value::Keyword(_) | Value::Symbol(_))),
    ("clojure.lang.IFn", |v| {
        let called = matches!(
            v,
            Value::Keyword(_) | Value::Symbol(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_) | Value::Var(_)
        );
        function(v) || called && !is_record(v)
    }),
    ("clojure.lang.Fn", plain_function),
    ("clojure.lang.AFn", function),
    ("clojure.lang.MultiFn", |v| function(v) && !plain_function(v)),
    ("java.lang.Runnable", function),
    ("java.util.concurrent.Callable", function),
    ("clojure.lang.IObj", object),
    ("clojure.lang.IMeta", |v| object(v) || matches!(v, Value::Atom(_) | Value::Var(_))),
    ("clojure.lang.IRecord", is_record),
    (
        "clojure.lang.PersistentList$EmptyList",
        |v| matches!(v, Value::Slice(s) if s.kind == SeqKind::List && s.is_empty()),
    ),
    ("clojure.lang.Cons", |v| matches!(v, Value::Cons(c) if c.kind() != SeqKind::List)),
    ("clojure.lang.IPersistentMap", |v| matches!(v, Value::Map(_))),
    ("clojure.lang.PersistentArrayMap", |v| {
        matches!(v, Value::Map(m) if m.len() <= 8 && !m.is_sorted()) && !is_record(v)
    }),
    ("clojure.lang.PersistentHashMap", |v| {
        matches!(v, Value::Map(m) if m.len() > 8 && !m.is_sorted()) && !is_record(v)
    }),
    ("clojure.lang.PersistentTreeMap", |v| matches!(v, Value::Map(m) if m.is_sorted())),
    ("clojure.lang.APersistentMap", |v| matches!(v, Value::Map(_)) && !is_record(v)),
    ("clojure.lang.IPersistentVector", |v| matches!(v, Value::Vector(_))),
    ("clojure.lang.APersistentVector", |v| matches!(v, Value::Vector(_))),
    ("clojure.lang.PersistentVector", |v| matches!(v, Value::Vector(v) if v.is_plain())),
    ("clojure.lang.MapEntry", |v| matches!(v, Value::Vector(v) if v.is_entry())),
    ("clojure.lang.IMapEntry", |v| matches!(v, Value::Vector(v) if v.is_entry())),
    ("clojure.lang.IPersistentSet", |v| matches!(v, Value::Set(_))),
    ("clojure.lang.PersistentHashSet", |v| matches!(v, Value::Set(s) if !s.is_sorted())),
    ("clojure.lang.PersistentTreeSet", |v| matches!(v, Value::Set(s) if s.is_sorted())),
    ("clojure.lang.IPersistentList", is_list),
    ("clojure.lang.PersistentList", is_list),
    ("clojure.lang.APersistentVector$RSeq", |v| matches!(v, Value::Slice(s) if s.kind == SeqKind::Reversed)),
    ("clojure.lang.LazySeq", |v| seq(v) && !is_list(v)),
    ("clojure.lang.ISeq", seq),
    ("clojure.lang.Sequential", Value::is_sequential),
    ("clojure.lang.Seqable", collection),
    ("clojure.lang.IPersistentCollection", collection),
    ("clojure.lang.Associative", |v| matches!(v, Value::Map(_) | Value::Vector(_))),
    ("clojure.lang.ILookup", |v| matches!(v, Value::Map(_) | Value::Vector(_))),
    ("clojure.lang.Counted", |v| matches!(v, Value::Map(_) | Value::Vector(_) | Value::Set(_)) || is_list(v)),
    ("clojure.lang.IReduceInit", reducible),
    ("clojure.lang.IReduce", reducible),
    ("clojure.lang.Reversible", |v| match v {
        Value::Map(m) => m.is_sorted(),
        Value::Set(s) => s.is_sorted(),
        v => matches!(v, Value::Vector(_)),
    }),
    ("clojure.lang.Indexed", |v| matches!(v, Value::Vector(_))),
    ("clojure.lang.IPersistentStack", |v| {
        matches!(v, Value::Vector(_)) || is_list(v) || matches!(v, Value::Slice(s) if s.kind == SeqKind::Queue)
    }),
    ("clojure.lang.Sorted", |v| match v {
        Value::Map(m) => m.is_sorted(),
        Value::Set(s) => s.is_sorted(),
        _ => false,
    }),
    ("clojure.lang.Atom", |v| matches!(v, Value::Atom(id) if id.sort() == CellSort::Plain)),
    ("clojure.lang.IRef", |v| matches!(v, Value::Atom(_) | Value::Var(_))),
    ("java.util.concurrent.Future", |v| matches!(v, Value::Delay(id) if id.sort() == CellSort::Future)),
    ("clojure.lang.PersistentQueue", |v| matches!(v, Value::Slice(s) if s.kind == SeqKind::Queue)),
    ("java.lang.StringBuilder", |v| matches!(v, Value::Builder(_)) && !is_writer(v)),
    ("java.io.Writer", is_writer),
    ("java.io.StringWriter", |v| is_writer(v) && !matches!(v, Value::Builder(id) if id.is_of_turn())),
    ("java.io.Reader", is_reader),
    ("java.io.StringReader", is_reader),
    ("java.io.BufferedReader", is_reader),
    ("java.io.Closeable", |v| is_reader(v) || is_writer(v)),
    ("java.lang.AutoCloseable", |v| is_reader(v) || is_writer(v)),
    ("clojure.lang.ITransientCollection", |v| matches!(v, Value::Place(id) if id.place() == Place::Transient)),
    ("clojure.lang.IEditableCollection", |v| crate::builtins::collections::transient_held::editable(v)),
    ("clojure.lang.Volatile", |v| matches!(v, Value::Volatile(id) if id.sort() != CellSort::Matcher)),
    ("clojure.lang.Delay", |v| matches!(v, Value::Delay(id) if id.sort() == CellSort::Plain)),
    ("clojure.lang.IPending", |v| matches!(v, Value::Delay(_) | Value::Lazy(_))),
    ("clojure.lang.IDeref", |v| {
        matches!(v, Value::Atom(_) | Value::Volatile(_) | Value::Delay(_) | Value::Var(_) | Value::Reduced(_))
            && !v.is_matcher()
    }),
    ("clojure.lang.Var", |v| matches!(v, Value::Var(_))),
    ("clojure.lang.Reduced", |v| matches!(v, Value::Reduced(_))),
    ("clojure.lang.IExceptionInfo", |v| matches!(v, Value::Exception(e) if e.class == "ExceptionInfo")),
];

/// What reduces itself.
fn reducible(v: &Value) -> bool {
    is_list(v) || matches!(v, Value::Vector(_))
}

fn is_reader(v: &Value) -> bool {
    matches!(v, Value::Place(id) if id.place() == Place::Reader)
}

fn number(v: &Value) -> bool {
    crate::number::is_number(v)
}

fn function(v: &Value) -> bool {
    matches!(v, Value::Function(_) | Value::Builtin(_) | Value::Tool(_))
}

/// A function that is no multimethod.
fn plain_function(v: &Value) -> bool {
    match v {
        Value::Function(f) => !f.is_multimethod(),
        v => function(v),
    }
}

/// Whether a value is a record.
pub fn is_record(v: &Value) -> bool {
    matches!(v, Value::Map(m) if m.record_type().is_some())
}

/// What takes metadata.
fn object(v: &Value) -> bool {
    collection(v) || plain_function(v) || matches!(v, Value::Symbol(_))
}

fn seq(v: &Value) -> bool {
    match v {
        Value::Slice(s) => s.kind != SeqKind::Queue,
        _ => matches!(v, Value::Cons(_) | Value::Lazy(_)),
    }
}

fn collection(v: &Value) -> bool {
    v.is_sequential() || matches!(v, Value::Map(_) | Value::Set(_))
}

/// The row of a class, written in full or, for `java.lang` (imported by itself) and as a leniency for all others, short.
fn row(class: &str) -> Option<&'static Class> {
    CLASSES.iter().find(|c| c.0 == class || c.0.rsplit('.').next() == Some(class))
}

/// The full name of a class: of `String` it is `java.lang.String`.
pub fn full_name(class: &str) -> Option<String> {
    let name = row(class).map(|c| c.0).or_else(|| time_classes::row(class).map(|c| c.0));
    name.map(str::to_owned).or_else(|| exception_classes::full_class(class))
}

/// The full names of all classes.
pub fn full_names() -> impl Iterator<Item = String> {
    let named = CLASSES.iter().map(|c| c.0).chain(time_classes::CLASSES.iter().map(|c| c.0)).map(str::to_owned);
    named.chain(exception_classes::class_names().filter_map(exception_classes::full_class))
}

/// A class as a value, if the name is one: `String`, `java.lang.Long`, `clojure.lang.ExceptionInfo`.
pub fn named(class: &str) -> Option<Value> {
    Some(Value::class(&full_name(class)?))
}

/// Whether this is the full name of a class.
pub fn is_class_name(text: &str) -> bool {
    CLASSES.iter().any(|c| c.0 == text)
        || time_classes::CLASSES.iter().any(|c| c.0 == text)
        || exception_classes::full_class(text).is_some_and(|full| full == text)
}

/// Whether `v` is of this class; `None` when the class is not known.
pub fn is_instance(class: &str, v: &Value) -> Option<bool> {
    if exception_classes::class_named(class).is_some() {
        return Some(matches!(v, Value::Exception(e) if exception_classes::is_instance(e.class, class)));
    }
    if let Some(c) = row(class) {
        return Some((c.1)(v));
    }
    let of = time_classes::row(class)?.1;
    Some(matches!(v, Value::Time(t) if of(t)))
}

/// Whether it is an integer of so many bits.
fn integer_of(v: &Value, width: Width) -> bool {
    matches!(v, Value::Int(n) if n.width() == width)
}

/// Whether this is one of Java's writers, and not another builder.
fn is_writer(v: &Value) -> bool {
    matches!(v, Value::Builder(id) if id.sort() == CellSort::Writer)
}

/// The class of a value; nil for nil.
pub fn class(v: &Value) -> Value {
    match name_of_class(v) {
        Value::Nil => Value::Nil,
        name => Value::class_of_name(name),
    }
}

/// The name of the class of a value, a symbol; nil for nil.
pub fn name_of_class(v: &Value) -> Value {
    if let Value::Map(m) = v
        && let Some(r) = m.record_type()
    {
        return r.name.clone();
    }
    if let Value::Object(o) = v
        && o.kind != ObjectKind::Class
    {
        return o.class.name.clone();
    }
    let name = match v {
        Value::Nil => return Value::Nil,
        Value::Bool(_) => "java.lang.Boolean",
        Value::Int(n) => match n.width() {
            Width::W64 => "java.lang.Long",
            Width::W32 => "java.lang.Integer",
            Width::W16 => "java.lang.Short",
            Width::W8 => "java.lang.Byte",
        },
        Value::Float(x) => match x.width() {
            Width::W64 => "java.lang.Double",
            _ => "java.lang.Float",
        },
        Value::Big(_) => "clojure.lang.BigInt",
        Value::Ratio(_) => "clojure.lang.Ratio",
        Value::Decimal(_) => "java.math.BigDecimal",
        Value::Char(_) => "java.lang.Character",
        Value::Str(_) => "java.lang.String",
        Value::Keyword(_) => "clojure.lang.Keyword",
        Value::Symbol(_) => "clojure.lang.Symbol",
        Value::Vector(v) if v.is_entry() => "clojure.lang.MapEntry",
        Value::Vector(_) => "clojure.lang.PersistentVector",
        Value::Slice(s) if s.kind == SeqKind::List && s.is_empty() => "clojure.lang.PersistentList$EmptyList",
        Value::Slice(s) if s.kind == SeqKind::List => "clojure.lang.PersistentList",
        Value::Cons(c) if c.kind() == SeqKind::List => "clojure.lang.PersistentList",
        Value::Cons(_) => "clojure.lang.Cons",
        Value::Slice(s) if s.kind == SeqKind::Queue => "clojure.lang.PersistentQueue",
        Value::Slice(s) if s.kind == SeqKind::Reversed => "clojure.lang.APersistentVector$RSeq",
        Value::Slice(_) | Value::Lazy(_) => "clojure.lang.LazySeq",
        Value::Map(m) if m.is_sorted() => "clojure.lang.PersistentTreeMap",
        Value::Map(m) if m.len() > 8 => "clojure.lang.PersistentHashMap",
        Value::Map(_) => "clojure.lang.PersistentArrayMap",
        Value::Set(s) if s.is_sorted() => "clojure.lang.PersistentTreeSet",
        Value::Set(_) => "clojure.lang.PersistentHashSet",
        Value::Function(f) if f.is_multimethod() => "clojure.lang.MultiFn",
        Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => "clojure.lang.AFn",
        Value::Regex(_) => "java.util.regex.Pattern",
        Value::Atom(_) => "clojure.lang.Atom",
        v if v.is_matcher() => "java.util.regex.Matcher",
        Value::Volatile(_) => "clojure.lang.Volatile",
        v if is_writer(v) => "java.io.StringWriter",
        Value::Builder(_) => "java.lang.StringBuilder",
        v if is_reader(v) => "java.io.StringReader",
        Value::Place(_) => "clojure.lang.ITransientCollection",
        Value::Delay(id) => match id.sort() {
            CellSort::Promise => "clojure.core$promise",
            CellSort::Future => "clojure.core$future_call",
            _ => "clojure.lang.Delay",
        },
        Value::Var(_) => "clojure.lang.Var",
        Value::Uuid(_) => "java.util.UUID",
        Value::Time(t) => t.class(),
        Value::Reduced(_) => "clojure.lang.Reduced",
        Value::Exception(e) => exception_classes::full_name(e.class),
        // Others have names of their own.
        Value::Object(_) => CLASS,
    };
    Value::Symbol(Symbol::new(None, name))
}
