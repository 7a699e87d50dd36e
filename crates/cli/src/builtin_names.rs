//! Builtin functions by the names and aliases that programs write.

use ptc_lisp::builtins;
use ptc_lisp::value::Builtin;

/// Namespaces and the aliases that need no require.
const ALIASES: &[(&str, &str)] = &[
    ("str/", "clojure.string/"),
    ("string/", "clojure.string/"),
    ("set/", "clojure.set/"),
    ("walk/", "clojure.walk/"),
    ("zip/", "clojure.zip/"),
    ("edn/", "clojure.edn/"),
    ("clojure.core/", ""),
];

/// The function of a name, by an alias too.
pub fn find(name: &str) -> Option<&'static Builtin> {
    builtins::find(name).or_else(|| {
        let full = ALIASES.iter().find_map(|(alias, ns)| name.strip_prefix(alias).map(|rest| format!("{ns}{rest}")));
        full.and_then(|f| builtins::find(&f))
    })
}

/// `str/join` for `clojure.string/join`.
pub fn alias(name: &str) -> String {
    let found = ALIASES
        .iter()
        .filter(|a| !a.1.is_empty())
        .find_map(|(alias, ns)| name.strip_prefix(ns).map(|rest| format!("{alias}{rest}")));
    found.unwrap_or_else(|| name.to_owned())
}
