//! The namespaces that programs may name, and their aliases.

/// Namespaces that programs may name, without a `require` too.
pub const NAMESPACES: &[&str] = &[
    "clojure.core",
    "clojure.string",
    "clojure.set",
    "clojure.walk",
    "clojure.zip",
    "clojure.data",
    "clojure.core.reducers",
    "clojure.template",
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
    ("cheshire.core", "json"),
    ("clojure.data.json", "json"),
    ("data.json", "json"),
    ("core", "clojure.core"),
];

/// Whether a program may require it.
pub fn is_namespace(name: &str) -> bool {
    NAMESPACES.contains(&name)
        || ALIASES.iter().any(|a| a.0 == name)
        || matches!(name, "clojure.pprint" | "clojure.test" | "clojure.instant")
}
