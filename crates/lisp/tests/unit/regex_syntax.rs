//! Java's regex syntax in the spelling of the engine.

use ptc_lisp::testing::{can_look_ahead, translate};

#[test]
fn what_the_engine_is_given_means_what_java_means() {
    for (java, ours) in [
        (r"\d+", "[0-9]+"),
        ("(?i)aé", "[aA]é"),
        ("(?i:a)b", "(?:[aA])b"),
        ("((?i)a)b", "([aA])b"),
        (r"\Qa.\E+", r"a\x{2e}+"),
        ("[a&&[^b]-]", r"[a&&[^b]\x{2d}]"),
        ("(?x)a b # c", "ab"),
        (r"\u0041\x42", "AB"),
        ("(?<n>a)", "(?<n>a)"),
    ] {
        assert_eq!(translate(java).ok().as_deref(), Some(ours), "{java}");
    }
    for refused in ["(?=a)", "(?<!a)", r"(a)\1", "a++", "(?>a)", "(", ")", "*", "a{", "[z-a]", r"\y", "[", r"\k<a>"] {
        assert!(translate(refused).is_err(), "{refused}");
    }
}

#[test]
fn only_choices_can_look_ahead() {
    for plain in [r"\w+", "[^,]*,", r"\d{4}-\d+", "a|b"] {
        assert!(!can_look_ahead(plain), "{plain}");
    }
    for choice in ["a.*?z|a", "(a.*z)?a", "(?:ab+c)+|x"] {
        assert!(can_look_ahead(choice), "{choice}");
    }
}
