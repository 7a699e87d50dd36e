//! The arities that a builtin's parameters say.

use ptc_lisp::value::builtin::arity;

#[test]
fn arity_is_counted_from_the_parameters() {
    for (params, expected) in [
        ("", (0, Some(0))),
        ("x", (1, Some(1))),
        ("| f | f init coll", (0, Some(3))),
        ("f coll | f c1 c2 & colls", (2, None)),
        ("& xs", (0, None)),
    ] {
        assert_eq!(arity(params), expected, "{params}");
    }
}
