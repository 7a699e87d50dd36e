//! Exceptions: their classes as Java orders them, making them, and what can be asked of them (trap 31).

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
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
pub const ROWS: &[BuiltinRow] = &[
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
        ".getCause",
        "ex",
        "The exception that caused this one, or nil.",
        &[("(.getCause (Exception. \"x\"))", "nil")],
        &Body(ex_cause),
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
    Builtin::new(
        ".actual",
        "e",
        "How many arguments a function got that takes another number of them.",
        &[("(try (apply inc [1 2]) (catch clojure.lang.ArityException e (.actual e)))", "2")],
        &of_32_bits!(|_, a| actual(get(a, 0)).ok_or_else(|| Interrupt::argument(0, "an arity exception", get(a, 0)))),
    ),
    class!("IndexOutOfBoundsException.", "IndexOutOfBoundsException"),
    class!("UnsupportedOperationException.", "UnsupportedOperationException"),
    class!("DateTimeException.", "DateTimeException"),
    class!("NoSuchElementException.", "NoSuchElementException"),
    class!("InterruptedException.", "InterruptedException"),
    class!("TimeoutException.", "TimeoutException"),
    class!("IOException.", "IOException"),
    class!("FileNotFoundException.", "FileNotFoundException"),
    class!("SQLException.", "SQLException"),
    class!("SecurityException.", "SecurityException"),
    class!("ConcurrentModificationException.", "ConcurrentModificationException"),
    class!("ClassNotFoundException.", "ClassNotFoundException"),
    class!("SocketTimeoutException.", "SocketTimeoutException"),
    class!("ConnectException.", "ConnectException"),
    class!("Error.", "Error"),
    class!("AssertionError.", "AssertionError"),
];

/// How many arguments a call had that is an arity exception.
pub fn actual(v: &Value) -> Option<Value> {
    match v {
        Value::Exception(e) if e.class == "ArityException" => {
            // `Wrong number of args (2) passed to: f`, or of an error that names its limits.
            let words = e.message.as_deref()?;
            let behind = words.split_once('(').or_else(|| words.rsplit_once("got "))?.1;
            let digits = behind.split_once([' ', ')']).map_or(behind, |(digits, _)| digits);
            digits.parse().ok().map(Value::int)
        }
        _ => None,
    }
}

fn text(v: &Value, i: usize) -> Result<Option<String>> {
    match v {
        Value::Nil => Ok(None),
        Value::Str(s) => Ok(Some(s.as_str().to_string())),
        other => Err(Interrupt::argument(i, "a string", other)),
    }
}

fn cause(v: Value, i: usize) -> Result {
    match v {
        Value::Nil | Value::Exception(_) => Ok(v),
        other => Err(Interrupt::argument(i, "an exception", &other)),
    }
}

fn make(class: &'static str, message: Option<String>, data: Value, cause: Value) -> Value {
    Value::Exception(Exception::new(class, message, data, cause, None))
}

fn ex_info(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(6)?;
    let data = match take(a, 1) {
        Value::Map(m) => Value::Map(m),
        other => return Err(Interrupt::argument(1, "a map", &other)),
    };
    if let Value::Str(s) = get(a, 0) {
        crate::cost::text(h, s.as_str().len())?;
        h.reserve(s.as_str().len() as u64)?;
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
        let of = super::exception_classes::full_name(e.class);
        let message = Some(e.message.as_ref().map_or_else(|| of.to_string(), |m| format!("{of}: {m}")));
        return Ok(make(class, message, Value::Nil, first));
    }
    let message = match &first {
        Value::Nil | Value::Str(_) => text(&first, 0)?,
        other if class == "AssertionError" => Some(crate::print::brief(other)),
        other => return Err(Interrupt::argument(0, "a string", other)),
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
    message(get(a, 0)).ok_or_else(|| Interrupt::argument(0, "an exception", get(a, 0)))
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

/// What a trace keeps of an exception as data.
pub fn as_map(e: &Exception) -> Map {
    let message = e.message.as_ref().map_or(Value::Nil, Value::str);
    Map::from_entries([
        (Value::keyword("type"), Value::str(e.class)),
        (Value::keyword("message"), message),
        (Value::keyword("data"), e.data.clone()),
    ])
}
