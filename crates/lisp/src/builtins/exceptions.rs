//! Exceptions: their classes as Java orders them, making them, and what can be asked of them (trap 31).

use super::args::{get, take};
use crate::error::{Error, ErrorKind};
use crate::host::{Body, Host, Result, Stop, Why};
use crate::value::{Builtin, Exception, Map, Value};

/// A row that makes exceptions of one class.
macro_rules! class {
    ($row:literal, $class:literal) => {
        Builtin::new(
            $row,
            "| message | message cause",
            concat!("An exception of class ", $class, ", to throw."),
            &[(concat!("(ex-message (", $row, " \"no\"))"), "\"no\"")],
            &Body(|_: &mut dyn Host, a: &mut [Value]| construct($class, a)),
        )
    };
}

/// The rows of this file.
pub static ROWS: &[Builtin] = &[
    Builtin::new(
        "ex-info",
        "msg map | msg map cause",
        "An exception with a message and a map of data, to throw.",
        &[
            ("(ex-data (ex-info \"bad\" {:a 1}))", "{:a 1}"),
            ("(throw (ex-info \"went wrong\" {}))", "!went wrong"),
            ("(ex-info \"x\" nil)", "!ex-info"),
        ],
        &Body(ex_info),
    ),
    Builtin::new(
        "ex-message",
        "ex",
        "The message of an exception, nil for anything else.",
        &[("(ex-message (ex-info \"m\" {}))", "\"m\""), ("(ex-message 5)", "nil")],
        &Body(|_, a| Ok(message(get(a, 0)).unwrap_or_default())),
    ),
    Builtin::new(
        "ex-data",
        "ex",
        "The data of an exception that ex-info made or a tool's error, nil for anything else.",
        &[("(ex-data (Exception. \"x\"))", "nil")],
        &Body(ex_data),
    ),
    Builtin::new(
        "ex-cause",
        "ex",
        "The exception that caused this one, or nil.",
        &[("(ex-message (ex-cause (ex-info \"a\" {} (ex-info \"b\" {}))))", "\"b\"")],
        &Body(ex_cause),
    ),
    Builtin::new(
        ".getMessage",
        "ex",
        "The message of an exception.",
        &[("(.getMessage (Exception. \"x\"))", "\"x\"")],
        &Body(get_message),
    ),
    Builtin::new(
        ".getLocalizedMessage",
        "ex",
        "The message of an exception.",
        &[("(.getLocalizedMessage (Exception. \"x\"))", "\"x\"")],
        &Body(get_message),
    ),
    Builtin::new(
        ".getCause",
        "ex",
        "The exception that caused this one, or nil.",
        &[("(.getCause (Exception. \"x\"))", "nil")],
        &Body(ex_cause),
    ),
    Builtin::new(
        ".getData",
        "ex",
        "The data of an exception that ex-info made.",
        &[("(.getData (ex-info \"m\" {:a 1}))", "{:a 1}")],
        &Body(ex_data),
    ),
    class!("Throwable.", "Throwable"),
    class!("Exception.", "Exception"),
    class!("RuntimeException.", "RuntimeException"),
    class!("IllegalArgumentException.", "IllegalArgumentException"),
    class!("IllegalStateException.", "IllegalStateException"),
    class!("ArithmeticException.", "ArithmeticException"),
    class!("ClassCastException.", "ClassCastException"),
    class!("NullPointerException.", "NullPointerException"),
    class!("NumberFormatException.", "NumberFormatException"),
    class!("IndexOutOfBoundsException.", "IndexOutOfBoundsException"),
    class!("UnsupportedOperationException.", "UnsupportedOperationException"),
    class!("NoSuchElementException.", "NoSuchElementException"),
    class!("Error.", "Error"),
    class!("AssertionError.", "AssertionError"),
];

/// Classes and their parents, each with its package.
const CLASSES: &[(&str, &str, &str)] = &[
    ("Throwable", "", "java.lang"),
    ("Exception", "Throwable", "java.lang"),
    ("Error", "Throwable", "java.lang"),
    ("AssertionError", "Error", "java.lang"),
    ("VirtualMachineError", "Error", "java.lang"),
    ("StackOverflowError", "VirtualMachineError", "java.lang"),
    ("OutOfMemoryError", "VirtualMachineError", "java.lang"),
    ("RuntimeException", "Exception", "java.lang"),
    ("ExceptionInfo", "RuntimeException", "clojure.lang"),
    ("ArithmeticException", "RuntimeException", "java.lang"),
    ("ClassCastException", "RuntimeException", "java.lang"),
    ("NullPointerException", "RuntimeException", "java.lang"),
    ("IllegalArgumentException", "RuntimeException", "java.lang"),
    ("ArityException", "IllegalArgumentException", "clojure.lang"),
    ("NumberFormatException", "IllegalArgumentException", "java.lang"),
    ("PatternSyntaxException", "IllegalArgumentException", "java.util.regex"),
    ("IllegalStateException", "RuntimeException", "java.lang"),
    ("IndexOutOfBoundsException", "RuntimeException", "java.lang"),
    ("StringIndexOutOfBoundsException", "IndexOutOfBoundsException", "java.lang"),
    ("ArrayIndexOutOfBoundsException", "IndexOutOfBoundsException", "java.lang"),
    ("UnsupportedOperationException", "RuntimeException", "java.lang"),
    ("SecurityException", "RuntimeException", "java.lang"),
    ("ConcurrentModificationException", "RuntimeException", "java.util"),
    ("NoSuchElementException", "RuntimeException", "java.util"),
    ("InterruptedException", "Exception", "java.lang"),
    ("CloneNotSupportedException", "Exception", "java.lang"),
    ("TimeoutException", "Exception", "java.util.concurrent"),
    ("ExecutionException", "Exception", "java.util.concurrent"),
    ("ParseException", "Exception", "java.text"),
    ("IOException", "Exception", "java.io"),
    ("FileNotFoundException", "IOException", "java.io"),
];

fn row(class: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
    CLASSES.iter().find(|c| c.0 == name && (package.is_empty() || package == c.2))
}

/// The name of an exception class without its package, if it is one, written with or without it.
pub fn class_named(class: &str) -> Option<&'static str> {
    row(class).map(|c| c.0)
}

/// The name with its package.
pub fn full_class(class: &str) -> Option<String> {
    row(class).map(|c| format!("{}.{}", c.2, c.0))
}

/// Names of all exception classes, for `catch` and did-you-mean.
pub fn class_names() -> impl Iterator<Item = &'static str> {
    CLASSES.iter().map(|c| c.0)
}

/// Whether an exception of this class is one `of` that: `ExceptionInfo` is a `RuntimeException`, an `Exception`, a
/// `Throwable`.
pub fn is_instance(class: &str, of: &str) -> bool {
    let Some(wanted) = class_named(of) else { return false };
    let mut now = row(class);
    while let Some(c) = now {
        if c.0 == wanted {
            return true;
        }
        now = row(c.1).filter(|_| !c.1.is_empty());
    }
    false
}

/// The class that an error of ours has to `catch`.
pub fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Arity => "ArityException",
        ErrorKind::Type => "ClassCastException",
        ErrorKind::Arithmetic => "ArithmeticException",
        ErrorKind::Index => "IndexOutOfBoundsException",
        ErrorKind::Value => "IllegalArgumentException",
        ErrorKind::Denied => "UnsupportedOperationException",
        ErrorKind::Parse | ErrorKind::Name => "RuntimeException",
        ErrorKind::Thrown | ErrorKind::Tool => "ExceptionInfo",
        _ => "Exception",
    }
}

/// Errors whose class is another than that of their kind: what their words begin with, or hold, and the class.
const BY_WORDS: &[(ErrorKind, &str, &str)] = &[
    (ErrorKind::Type, "must be a collection", "IllegalArgumentException"),
    (ErrorKind::Type, "is not a collection", "IllegalArgumentException"),
    (ErrorKind::Type, "contains?: ", "IllegalArgumentException"),
    (ErrorKind::Value, "nothing to pop", "IllegalStateException"),
    (ErrorKind::Value, "invalid regex", "PatternSyntaxException"),
    (ErrorKind::Index, "of a string", "StringIndexOutOfBoundsException"),
];

/// The class of an error, from its kind and its words: what is wrong with a nil is a null pointer in Java, and what is
/// no collection an illegal argument.
pub fn class_of_error(e: &Error) -> &'static str {
    match e.kind {
        ErrorKind::Type if e.message.starts_with("count: ") => "UnsupportedOperationException",
        ErrorKind::Type if e.message.ends_with("got nil") => "NullPointerException",
        kind => match BY_WORDS.iter().find(|w| w.0 == kind && e.message.contains(w.1)) {
            Some(w) => w.2,
            None => class_of(kind),
        },
    }
}

/// Throws an exception of this class; uncaught, it is an error of this kind.
#[cold]
pub fn raise(class: &'static str, kind: ErrorKind, message: impl Into<String>) -> Stop {
    let error = Error::new(kind, message);
    let message = Some(error.message.clone());
    let e = Exception::new(class, message, Value::Nil, Value::Nil, Some(Box::new(error)));
    Stop::new(Why::Throw(Value::Exception(e)))
}

fn text(v: &Value, i: usize) -> Result<Option<String>> {
    match v {
        Value::Nil => Ok(None),
        Value::Str(s) => Ok(Some(s.as_str().to_string())),
        other => Err(Stop::argument(i, "a string", other)),
    }
}

fn cause(v: Value, i: usize) -> Result {
    match v {
        Value::Nil | Value::Exception(_) => Ok(v),
        other => Err(Stop::argument(i, "an exception", &other)),
    }
}

fn make(class: &'static str, message: Option<String>, data: Value, cause: Value) -> Value {
    Value::Exception(Exception::new(class, message, data, cause, None))
}

fn ex_info(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.spend(6)?;
    let data = match take(a, 1) {
        Value::Map(m) => Value::Map(m),
        other => return Err(Stop::argument(1, "a map", &other)),
    };
    if let Value::Str(s) = get(a, 0) {
        super::cost::text(h, s.as_str().len())?;
        h.room(s.as_str().len() as u64)?;
    }
    let message = text(get(a, 0), 0)?;
    Ok(make("ExceptionInfo", message, data, cause(take(a, 2), 2)?))
}

fn construct(class: &'static str, a: &mut [Value]) -> Result {
    // `(Exception. cause)` takes its message from the cause; an AssertionError takes any value for its message.
    let first = take(a, 0);
    if let Value::Exception(e) = &first
        && a.len() == 1
    {
        let of = super::classes::full_name(e.class);
        let message = Some(e.message.as_ref().map_or_else(|| of.to_string(), |m| format!("{of}: {m}")));
        return Ok(make(class, message, Value::Nil, first));
    }
    let message = match &first {
        Value::Nil | Value::Str(_) => text(&first, 0)?,
        other if class == "AssertionError" => Some(crate::print::brief(other)),
        other => return Err(Stop::argument(0, "a string", other)),
    };
    Ok(make(class, message, Value::Nil, cause(take(a, 1), 1)?))
}

/// The message of an exception: nil when it has none, `None` for what is no exception.
pub fn message(v: &Value) -> Option<Value> {
    match v {
        Value::Exception(e) => Some(e.message.as_ref().map_or(Value::Nil, Value::str)),
        _ => None,
    }
}

fn get_message(_: &mut dyn Host, a: &mut [Value]) -> Result {
    message(get(a, 0)).ok_or_else(|| Stop::argument(0, "an exception", get(a, 0)))
}

fn ex_data(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(match get(a, 0) {
        Value::Exception(e) => e.data.clone(),
        _ => Value::Nil,
    })
}

fn ex_cause(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(match get(a, 0) {
        Value::Exception(e) => e.cause.clone(),
        _ => Value::Nil,
    })
}

/// The map of `Throwable->map`: what can be said of an exception as data.
pub fn as_map(e: &Exception) -> Map {
    let message = e.message.as_ref().map_or(Value::Nil, Value::str);
    Map::from_entries([
        (Value::keyword("type"), Value::str(e.class)),
        (Value::keyword("message"), message),
        (Value::keyword("data"), e.data.clone()),
    ])
}
