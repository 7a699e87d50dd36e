//! Java's classes by their short names, and what their static fields stand for.

use crate::builtins::numbers::math;
use crate::builtins::state::exception_classes;
use crate::builtins::time::constants;
use crate::value::Value;
use crate::value::boxed::CellId;

/// A class without its package, where the package is one of those whose classes are known.
pub(super) fn plain_class(full: &str) -> Option<&str> {
    const PACKAGES: [&str; 13] = [
        "clojure.lang.",
        "java.lang.",
        "java.util.regex.",
        "java.text.",
        "java.util.",
        "java.math.",
        "java.io.",
        "java.net.",
        "java.security.",
        "java.nio.charset.",
        "java.time.temporal.",
        "java.time.format.",
        "java.time.",
    ];
    PACKAGES.into_iter().find_map(|package| full.strip_prefix(package))
}

/// What a field of a class stands for: `Math/PI`, `java.time.ZoneOffset/UTC`.
pub(super) fn static_field(class: &str, field: &str) -> Option<Value> {
    let key = format!("{}/{field}", plain_class(class).unwrap_or(class));
    match key.as_str() {
        "System/out" => return Some(Value::Builder(CellId::OUT)),
        "System/err" => return Some(Value::Builder(CellId::ERR)),
        _ => {}
    }
    math::constant(&key).or_else(|| constants::constant(&key))
}

/// The word that makes exceptions of a class, of `java.sql.SQLException.` it is `SQLException.`.
pub(super) fn exception_maker(word: &str) -> Option<&str> {
    exception_classes::class_named(word.strip_suffix('.')?)?;
    word.get(word.strip_suffix('.')?.rfind('.')? + 1..)
}
