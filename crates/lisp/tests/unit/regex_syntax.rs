//! Java's regex syntax in the spelling of the engine.

use ptc_lisp::testing::{can_look_ahead, is_pattern, translate};
use ptc_lisp::value::regex::Flags;

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
        assert_eq!(translate(java, Flags::default()).as_deref(), Some(ours), "{java}");
    }
    for other in ["(?=a)", "(?<!a)", r"(a)\1", "a++", "(?>a)", r"(?<a>b)\k<a>", r"\Ga", "(a){0}"] {
        assert!(is_pattern(other) && translate(other, Flags::default()).is_none(), "{other}");
    }
    for refused in ["(", ")", "*", "a{", "[z-a]", r"\y", "[", r"\k<a>", "(?<=a|(?:ab)*)b", "(?<1>a)", "a{2,1}", r"\X"] {
        assert!(!is_pattern(refused), "{refused}");
    }
    let nested = |depth: usize| format!("{}a{}", "(?=".repeat(depth), ")".repeat(depth));
    assert!(is_pattern(&nested(100)) && !is_pattern(&nested(101)));
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
