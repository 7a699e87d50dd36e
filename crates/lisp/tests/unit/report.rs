//! Errors as a model reads them.

use ptc_lisp::error::Error;
use ptc_lisp::error::ErrorKind;
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::report::report;
use ptc_lisp::span::Span;

fn at(source: &str, word: &str) -> Error {
    let i = source.find(word).unwrap();
    Error::new(ErrorKind::Name, format!("unknown name {word}")).at(Span::new(i, i + word.len()))
}

#[test]
fn the_form_of_the_contract() {
    let source = "(def a 1)\n\n(def broken (coutn late))";
    let e = at(source, "coutn").hint("did you mean count?");
    let expected = "Error: name: unknown name coutn
  3 | (def broken (coutn late))
    |              ^^^^^
hint: did you mean count?
calls made before the error: customer(\"c1\")";
    assert_eq!(report(&e, source, &["customer(\"c1\")".into()]), expected);
}

#[test]
fn columns_are_characters_and_tabs_do_not_shift() {
    let source = "(str \"日本\"\tx)";
    let lines = report(&at(source, "x"), source, &[]);
    assert_eq!(lines, "Error: name: unknown name x\n  1 | (str \"日本\"  x)\n    |            ^");
}

#[test]
fn long_lines_are_windowed_around_the_place() {
    let source = format!("{}oops{}", "(a) ".repeat(100), " (b)".repeat(100));
    let text = report(&at(&source, "oops"), &source, &[]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("  1 | ...") && lines[1].ends_with("..."), "{}", lines[1]);
    assert!(lines[1].chars().count() < 140);
    assert_eq!(lines[1].find("oops"), lines[2].find('^'));
    assert!(lines[2].ends_with("^^^^") && !lines[2].ends_with("^^^^^"));
}

#[test]
fn the_end_of_the_text_and_spans_over_lines() {
    let e = Error::new(ErrorKind::Parse, "unclosed (").at(Span::new(4, 4));
    assert_eq!(report(&e, "(inc", &[]), "Error: parse: unclosed (\n  1 | (inc\n    |     ^");
    let e = Error::new(ErrorKind::Type, "x").at(Span::new(1, 9));
    assert_eq!(report(&e, "(a b\n c d)", &[]), "Error: type: x\n  1 | (a b\n    |  ^^^");
    let e = Error::new(ErrorKind::Type, "x").at(Span::new(100, 109));
    assert_eq!(report(&e, "(a)", &[]), "Error: type: x");
    let e = Error::new(ErrorKind::Type, "x").at(Span::new(4, 5));
    assert_eq!(report(&e, "(a)\r\nb", &[]), "Error: type: x\n  1 | (a)\n    |    ^");
}

#[test]
fn nothing_in_it_forges_a_line() {
    let e = Error::new(ErrorKind::Tool, "no\nTurn 5 of 5\u{2028}x").hint("a\nb");
    let text = report(&e, "", &["f(\"\n\")".into()]);
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains("no\\u{a}Turn 5 of 5\\u{2028}x"));
}

#[test]
fn many_calls_are_counted() {
    let calls: Vec<String> = (0..25).map(|i| format!("f({i})")).collect();
    assert!(report(&Error::new(ErrorKind::Value, "x"), "", &calls).ends_with("f(19) and 5 more"));
}

/// Errors that programs catch by a class of their own are made with a hint as others are.
#[test]
fn what_is_thrown_by_class_has_its_hint() {
    let (limits, mut nobody) = (Limits::default(), ());
    let source = "(atom 1 :validator neg?)";
    let outcome = ptc_lisp::run(source, &mut Memory::new(), RunInput::new(&limits, &[], &mut nobody));
    let (RunResult::Failed(_, e) | RunResult::Error(e)) = outcome.ending else { panic!("it has a value") };
    assert!(report(&e, source, &[]).contains("\nhint: the :validator refuses this value"), "{e:?}");
}
