//! The classes of exceptions: which is one of which, and the class that an error of ours has to `catch`.

use crate::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Classes and their parents, each with its package.
const CLASSES: &[(&str, &str, &str)] = &[
    ("Throwable", "", "java.lang"),
    ("Exception", "Throwable", "java.lang"),
    ("Error", "Throwable", "java.lang"),
    ("AssertionError", "Error", "java.lang"),
    ("IllegalAccessError", "IncompatibleClassChangeError", "java.lang"),
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
    ("NegativeArraySizeException", "RuntimeException", "java.lang"),
    ("ArrayStoreException", "RuntimeException", "java.lang"),
    ("UnsupportedOperationException", "RuntimeException", "java.lang"),
    ("SecurityException", "RuntimeException", "java.lang"),
    ("ConcurrentModificationException", "RuntimeException", "java.util"),
    ("NoSuchElementException", "RuntimeException", "java.util"),
    ("InterruptedException", "Exception", "java.lang"),
    ("CloneNotSupportedException", "Exception", "java.lang"),
    ("TimeoutException", "Exception", "java.util.concurrent"),
    ("ExecutionException", "Exception", "java.util.concurrent"),
    ("DateTimeException", "RuntimeException", "java.time"),
    ("DateTimeParseException", "DateTimeException", "java.time.format"),
    ("UnsupportedTemporalTypeException", "DateTimeException", "java.time.temporal"),
    ("ZoneRulesException", "DateTimeException", "java.time.zone"),
    ("ParseException", "Exception", "java.text"),
    ("IOException", "Exception", "java.io"),
    ("FileNotFoundException", "IOException", "java.io"),
    ("EOFException", "IOException", "java.io"),
    ("UncheckedIOException", "RuntimeException", "java.io"),
    ("UnsupportedEncodingException", "IOException", "java.io"),
    ("GeneralSecurityException", "Exception", "java.security"),
    ("NoSuchAlgorithmException", "GeneralSecurityException", "java.security"),
    ("UnsupportedCharsetException", "IllegalArgumentException", "java.nio.charset"),
    ("IllegalFormatException", "IllegalArgumentException", "java.util"),
    ("IllegalFormatConversionException", "IllegalFormatException", "java.util"),
    ("MissingFormatArgumentException", "IllegalFormatException", "java.util"),
    ("UnknownFormatConversionException", "IllegalFormatException", "java.util"),
    ("DuplicateFormatFlagsException", "IllegalFormatException", "java.util"),
    ("FormatFlagsConversionMismatchException", "IllegalFormatException", "java.util"),
    ("IllegalFormatPrecisionException", "IllegalFormatException", "java.util"),
    ("MissingFormatWidthException", "IllegalFormatException", "java.util"),
    ("SocketTimeoutException", "IOException", "java.net"),
    ("ConnectException", "IOException", "java.net"),
    ("UnknownHostException", "IOException", "java.net"),
    ("SQLException", "Exception", "java.sql"),
    ("CancellationException", "IllegalStateException", "java.util.concurrent"),
    ("ReflectiveOperationException", "Exception", "java.lang"),
    ("ClassNotFoundException", "ReflectiveOperationException", "java.lang"),
    ("NoSuchMethodException", "ReflectiveOperationException", "java.lang"),
    ("NoSuchFieldException", "ReflectiveOperationException", "java.lang"),
    ("LinkageError", "Error", "java.lang"),
    ("IncompatibleClassChangeError", "LinkageError", "java.lang"),
    ("AbstractMethodError", "IncompatibleClassChangeError", "java.lang"),
    ("NoClassDefFoundError", "LinkageError", "java.lang"),
    ("ExceptionInInitializerError", "LinkageError", "java.lang"),
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
    row(class).is_some_and(|c| c.0 == wanted) || parents(class).any(|c| c == wanted)
}

/// The classes above an exception class, from the nearest on, without their packages.
pub fn parents(class: &str) -> impl Iterator<Item = &'static str> {
    std::iter::successors(row(class), |c| row(c.1).filter(|_| !c.1.is_empty())).skip(1).map(|c| c.0)
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
    (ErrorKind::Type, "nil is not a function", "NullPointerException"),
    (ErrorKind::Type, "must be a collection", "IllegalArgumentException"),
    (ErrorKind::Type, "is not a collection", "IllegalArgumentException"),
    (ErrorKind::Type, "cannot be taken apart by position", "UnsupportedOperationException"),
    (ErrorKind::Type, "a vector is called with an index", "IllegalArgumentException"),
    (ErrorKind::Type, "symbol: name must be a string, symbol or keyword", "IllegalArgumentException"),
    (ErrorKind::Type, "contains?: ", "IllegalArgumentException"),
    (ErrorKind::Type, "nth: coll must be a sequence", "UnsupportedOperationException"),
    (ErrorKind::Type, "must be a set or another collection", "UnsupportedOperationException"),
    (ErrorKind::Type, "must give collections", "IllegalArgumentException"),
    (ErrorKind::Name, "is used before its definition has run", "IllegalStateException"),
    (ErrorKind::Parse, "Duplicate key: ", "IllegalArgumentException"),
    (ErrorKind::Parse, "Invalid number: ", "NumberFormatException"),
    (ErrorKind::Value, "nothing to pop", "IllegalStateException"),
    (ErrorKind::Value, "invalid regex", "PatternSyntaxException"),
    (ErrorKind::Index, "of a string", "StringIndexOutOfBoundsException"),
];

/// What is of another type than these functions take has a class of its own in Java; `true` where nil is no different.
const BY_FUNCTION: &[(&str, &str, bool)] = &[
    ("count: ", "UnsupportedOperationException", true),
    ("nth: coll ", "UnsupportedOperationException", false),
    ("vec: coll ", "RuntimeException", true),
    ("even?: ", "IllegalArgumentException", true),
    ("odd?: ", "IllegalArgumentException", true),
    ("parse-long: ", "IllegalArgumentException", true),
    ("parse-double: ", "IllegalArgumentException", true),
    ("parse-boolean: ", "IllegalArgumentException", true),
    ("bit-", "IllegalArgumentException", false),
    ("unsigned-bit-shift-right: ", "IllegalArgumentException", false),
    ("update-vals: m ", "IllegalArgumentException", false),
    ("update-keys: m ", "IllegalArgumentException", false),
    ("str/replace: match ", "IllegalArgumentException", true),
    ("symbol: name ", "IllegalArgumentException", true),
    ("bigdec: ", "IllegalArgumentException", false),
    ("merge: maps must be a collection, got", "ClassCastException", false),
    ("select-keys: map ", "IllegalArgumentException", false),
    ("find: map ", "IllegalArgumentException", false),
    ("replace: smap ", "IllegalArgumentException", false),
    ("reduce-kv: coll ", "IllegalArgumentException", false),
    ("inst-ms: ", "IllegalArgumentException", true),
    ("set/map-invert: m ", "IllegalArgumentException", false),
    ("set/select: xset ", "IllegalArgumentException", false),
    ("distinct: ", "UnsupportedOperationException", false),
    ("rand-nth: ", "UnsupportedOperationException", false),
    ("shuffle: ", "ClassCastException", false),
    ("ex-info: map must be a map, got nil", "IllegalArgumentException", true),
    ("with-meta: obj ", "ClassCastException", false),
    ("vary-meta: obj ", "ClassCastException", false),
    ("slurp: ", "IllegalArgumentException", true),
    ("Math/abs: ", "IllegalArgumentException", true),
    ("Math/round: ", "IllegalArgumentException", true),
    ("Math/max: ", "IllegalArgumentException", true),
    ("Math/min: ", "IllegalArgumentException", true),
    // A method that the value does not have.
    (".", "IllegalArgumentException", false),
    ("conj: coll ", "ClassCastException", false),
    ("into: to ", "ClassCastException", false),
];

/// The class of an error, from its kind and its words: what is wrong with a nil is a null pointer in Java, and what is
/// no collection an illegal argument.
pub fn class_of_error(e: &Error) -> &'static str {
    let nil = e.message.ends_with("got nil");
    let own = |f: &&(&str, &'static str, bool)| e.message.starts_with(f.0) && (f.2 || !nil);
    if let Some(f) = BY_FUNCTION.iter().find(own).filter(|_| e.kind == ErrorKind::Type) {
        return f.1;
    }
    match e.kind {
        ErrorKind::Type if nil => "NullPointerException",
        kind => match BY_WORDS.iter().find(|w| w.0 == kind && e.message.contains(w.1)) {
            Some(w) => w.2,
            None => class_of(kind),
        },
    }
}

/// The names with their packages, made once.
static FULL: LazyLock<HashMap<&'static str, String>> =
    LazyLock::new(|| CLASSES.iter().map(|c| (c.0, format!("{}.{}", c.2, c.0))).collect());

/// An exception class with its package.
pub fn full_name(class: &'static str) -> &'static str {
    FULL.get(class).map_or(class, String::as_str)
}
