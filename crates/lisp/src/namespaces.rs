//! The namespaces that programs may name, and their aliases.

use std::borrow::Cow;

/// Namespaces that programs may name, without a `require` too.
pub const NAMESPACES: &[&str] = &[
    "clojure.core",
    "clojure.string",
    "clojure.set",
    "clojure.walk",
    "clojure.zip",
    "clojure.data",
    "clojure.data.csv",
    "clojure.java.io",
    "clojure.edn",
    "clojure.math",
    "json",
    "ctx",
    "data",
    "tool",
    "turn",
    "input",
];

/// Aliases that need no `require`.
pub const ALIASES: &[(&str, &str)] = &[
    ("str", "clojure.string"),
    ("string", "clojure.string"),
    ("s", "clojure.string"),
    ("set", "clojure.set"),
    ("walk", "clojure.walk"),
    ("zip", "clojure.zip"),
    ("edn", "clojure.edn"),
    ("math", "clojure.math"),
    ("csv", "clojure.data.csv"),
    ("data.csv", "clojure.data.csv"),
    ("cheshire.core", "json"),
    ("clojure.data.json", "json"),
    ("data.json", "json"),
    ("core", "clojure.core"),
];

/// The namespace that an alias stands for which needs no `require`.
pub fn default_alias(alias: &str) -> Option<&'static str> {
    ALIASES.iter().find(|a| a.0 == alias).map(|a| a.1)
}

/// A function of the language as programs write it: `str/join` for `clojure.string/join`.
pub fn written(name: &str) -> Cow<'_, str> {
    let Some((ns, word)) = name.split_once('/').filter(|(ns, _)| ns.contains('.')) else { return Cow::Borrowed(name) };
    match ALIASES.iter().find(|(_, full)| *full == ns) {
        Some((alias, _)) => Cow::Owned(format!("{alias}/{word}")),
        None => Cow::Borrowed(name),
    }
}

/// Namespaces that programs require by habit: what is there of them is in the core.
const REQUIRED: [&str; 3] = ["clojure.pprint", "clojure.test", "clojure.instant"];

/// Namespaces of functions of the language.
pub fn language_namespaces() -> impl Iterator<Item = &'static str> {
    let named = NAMESPACES.iter().copied().filter(|ns| !matches!(*ns, "ctx" | "data" | "tool" | "turn" | "input"));
    named.chain(REQUIRED)
}

/// Whether a program may require it.
pub fn is_namespace(name: &str) -> bool {
    NAMESPACES.contains(&name) || ALIASES.iter().any(|a| a.0 == name) || REQUIRED.contains(&name)
}

/// The namespace that programs begin in.
pub(crate) const USER: &str = "user";

/// What memory calls a name of a namespace.
pub(crate) fn key_of<'n>(ns: &str, word: &'n str) -> Cow<'n, str> {
    if ns == USER { Cow::Borrowed(word) } else { Cow::Owned(format!("{ns}/{word}")) }
}

/// Namespace and name of what memory calls `key`.
pub(crate) fn parts_of(key: &str) -> (&str, &str) {
    match key.split_once('/') {
        Some((ns, word)) if !ns.is_empty() && !word.is_empty() => (ns, word),
        _ => (USER, key),
    }
}
