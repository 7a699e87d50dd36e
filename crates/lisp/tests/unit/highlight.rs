//! Syntax highlighting.

use ptc_lisp::read::{HighlightKind, highlight};

fn cut(source: &str) -> Vec<(&str, HighlightKind)> {
    highlight(source).into_iter().map(|p| (p.text(source), p.kind)).collect()
}

#[test]
fn every_kind_of_piece() {
    use HighlightKind::*;
    assert_eq!(
        cut("; a\n#!b\n(f :k \"s\" #\"r\" \\a 1/2 nil) '#{x}"),
        [
            ("; a", Comment),
            ("#!b", Comment),
            ("(", Bracket),
            ("f", Symbol),
            (":k", Keyword),
            ("\"s\"", Text),
            ("#\"r\"", Regex),
            ("\\a", Char),
            ("1/2", Number),
            ("nil", Constant),
            (")", Bracket),
            ("'", Prefix),
            ("#{", Bracket),
            ("x", Symbol),
            ("}", Bracket),
        ]
    );
}

#[test]
fn what_is_wrong_does_not_stop_it() {
    use HighlightKind::*;
    assert_eq!(
        cut("(a ~b \"\\q\" c"),
        [("(", Bracket), ("a", Symbol), ("~", Prefix), ("b", Symbol), ("\"\\q\"", Text), ("c", Symbol)]
    );
    assert_eq!(cut("1x (f \"never"), [("1x", Wrong), ("(", Bracket), ("f", Symbol), ("\"never", Text)]);
}

#[test]
fn pieces_stand_in_order_and_leave_only_blanks_between_them() {
    for source in [
        "é ~ \u{200b}x \u{2003}; c \u{e9}\r\n\"a\\\"b\" #inst \"2020\" # \\",
        "#",
        "\\",
        "\"",
        "#\"",
        "(((",
        "#?(:clj 1)",
        "##Foo",
        "#:9{a 1}",
        "; end",
        "",
        "\u{feff}(a)",
    ] {
        let mut at = 0;
        for p in highlight(source) {
            let (start, end) = (p.span.start as usize, p.span.end as usize);
            assert!(start >= at && end > start, "{source:?} {p:?}");
            let gap = &source[at..start];
            assert!(
                gap.chars().all(|c| c.is_whitespace() || c == ',' || c == '\u{feff}'),
                "{source:?} leaves out {gap:?}"
            );
            at = end;
        }
        assert!(source[at..].chars().all(char::is_whitespace), "{source:?} ends early");
    }
}
