//! Symbols and keywords as the reader takes them.

use ptc_lisp::form::Kind;
use ptc_lisp::testing::name;

#[test]
#[rustfmt::skip] // a table
fn names() {
    let show = |word: &str| match name(word, !word.contains([':', '/'])) {
        Ok(Kind::Keyword(n)) => format!("k {} {}", n.ns.as_deref().unwrap_or("-"), n.name),
        Ok(Kind::Symbol(n)) => format!("s {} {}", n.ns.as_deref().unwrap_or("-"), n.name),
        Ok(other) => format!("{other:?}"),
        Err(error) => error.message,
    };
    // Each checked against Clojure 1.11.
    for (word, expected) in [
        ("nil", "Nil"), ("true", "Bool(true)"), ("false", "Bool(false)"), ("nil?", "s - nil?"), ("a", "s - a"), ("/", "s - /"),
        ("+", "s - +"), ("->x", "s - ->x"), ("*1", "s - *1"), (".method", "s - .method"), ("Exception.", "s - Exception."),
        ("Math/PI", "s Math PI"), ("a.b/c", "s a.b c"), ("a/b/c", "s a b/c"), ("a//b", "s a /b"), ("a:b", "s - a:b"),
        ("clojure.core//", "s clojure.core /"), (":a", "k - a"), (":n/a", "k n a"), ("::k", "k user k"),
        (":1", "k - 1"), (":1/a", "k 1 a"), (":/", "k - /"), (":a:b", "k - a:b"), (":é", "k - é"), ("&", "s - &"),
        (":", "Invalid token: :"), ("::", "Invalid token: ::"), ("a:", "Invalid token: a:"), (":a:", "Invalid token: :a:"),
        ("a::b", "Invalid token: a::b"), ("é::b", "Invalid token: é::b"), (":a/1", "Invalid token: :a/1"), ("Integer/1", "Invalid token: Integer/1"),
        ("a/", "Invalid token: a/"), ("/a", "Invalid token: /a"), ("//", "Invalid token: //"), (":/a", "Invalid token: :/a"),
        // Clojure makes this one, and cannot read it back.
        ("::1", "Invalid token: ::1"),
        (":::a", "Invalid token: :::a"), (".5", "Invalid number: .5"), ("..", "s - .."),
    ] {
        assert_eq!(show(word), expected, "{word}");
    }
}
