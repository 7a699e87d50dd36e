//! `ptc doc` from outside, and that every form and function is in it.

use crate::common::ptc;

#[test]
fn names_aliases_forms_and_misspellings() {
    let did = ptc(&["doc", "assoc"]);
    assert_eq!(did.code, 0);
    assert_eq!(did.out, ptc_lisp::builtins::find("assoc").unwrap().doc_text());
    assert!(ptc(&["doc", "str/join"]).out.starts_with("clojure.string/join\n"));
    assert!(ptc(&["doc", "let"]).out.starts_with("let\n(let [name value ...] body...)\n"));
    let did = ptc(&["doc", "asoc"]);
    assert_eq!(
        (did.code, did.out.as_str(), did.err.as_str()),
        (1, "", "error: no function or page is called asoc; did you mean assoc?\n")
    );
    let refused = ptc(&["doc", "proxy"]).err;
    assert!(
        refused.starts_with("error: proxy is not part of PTC-Lisp; there are no host classes: write (reify "),
        "{refused}"
    );
    assert_eq!(
        ptc(&["doc", "zzzzzzzz"]).err,
        "error: no part of the documentation has zzzzzzzz; try fewer words; ptc doc lists the pages, ptc doc functions the functions\n"
    );
}

#[test]
fn the_list_has_all_of_them() {
    let list = ptc(&["doc", "functions"]).out;
    let markdown = ptc(&["doc", "--markdown"]).out;
    for b in ptc_lisp::builtins::all().filter(|b| !b.name().ends_with('*')) {
        assert!(markdown.contains(&format!("\n### `{}`\n", b.name())), "{}", b.name());
        let short = ptc_lisp::arity::short(b.name());
        assert!(list.lines().any(|l| l.split_whitespace().next() == Some(short.as_str())), "{short}");
    }
    let functions: Vec<&str> = ptc_lisp::builtins::all().map(|b| b.name()).collect();
    for name in ptc_lisp::analyze::suggestions(std::iter::empty()) {
        let form = !functions.contains(&name) && !name.ends_with('*');
        let hidden = ["catch", "finally", "ns", "require", "use", "import", "in-ns"].contains(&name);
        assert!(!form || hidden || ptc(&["doc", name]).code == 0, "the form {name} has no words");
    }
}

#[test]
fn the_generated_page_is_not_stale() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/functions.md");
    let there = std::fs::read_to_string(path).unwrap_or_default();
    let same = there == ptc(&["doc", "--markdown"]).out;
    assert!(same, "docs/functions.md is stale; run `cargo run -p ptc-cli -- doc --markdown > docs/functions.md`");
}

/// Classes, their constants and methods, namespaces and packages, at the prompt and in programs.
#[test]
fn all_kinds_of_names_are_documented() {
    let eval = |program: &str| ptc(&["eval", "-e", program]);
    for (name, begins, has) in [
        ("java.time.LocalDate/parse", "LocalDate/parse\n([s] [s formatter])\n", "2024-01-31"),
        ("LocalDate", "java.time.LocalDate\n", "\n  LocalDate/parse "),
        ("java.time.LocalDate", "java.time.LocalDate\n", " .plusDays "),
        ("DayOfWeek", "java.time.DayOfWeek\n", "DayOfWeek/MONDAY"),
        (".plusDays", ".plusDays\n([time n])\n", ""),
        ("Math/round", "Math/round\n([a])\n", ""),
        ("Math/PI", "Math/PI\n", "3.14159"),
        ("clojure.string", "clojure.string\n", "\n  str/join "),
        ("java.time", "java.time\n", "\n  java.time.LocalDate\n"),
        ("clojure.core/map", "map\n", ""),
        ("IllegalArgumentException", "java.lang.IllegalArgumentException\n", ""),
        ("let", "let\n", ""),
    ] {
        let shown = ptc(&["doc", name]);
        assert!(
            shown.code == 0 && shown.out.starts_with(begins) && shown.out.contains(has),
            "{name}: {}{}",
            shown.out,
            shown.err
        );
        let did = eval(&format!("(doc {name})"));
        assert_eq!((did.code, did.err.as_str(), did.out), (0, "", shown.out), "{name}");
    }
    for (name, begins) in
        [("str/", "clojure.string\n"), ("Math/", "java.lang.Math\n"), ("clojure.core/", "clojure.core\n")]
    {
        assert!(ptc(&["doc", name]).out.starts_with(begins), "{name}");
    }
    for (name, near) in [
        ("localdate", "LocalDate"),
        ("LocalDate/prase", "LocalDate/parse"),
        ("loclDate", "LocalDate"),
        ("str/joni", "str/join"),
        ("asoc", "assoc"),
        ("day-count", "day-counts"),
        ("tool/eho", "tool/echo"),
    ] {
        let did = ptc(&["eval", "--test-tools", "-e", &format!("(def day-counts 1) (doc {name})")]);
        assert!(did.code == 1 && did.err.ends_with(&format!("hint: did you mean {near}?\n")), "{name}: {}", did.err);
    }
    let did = eval("(doc frobnicate)");
    assert!(did.err.ends_with("hint: (apropos \"frobnicate\") finds names by a part of them\n"), "{}", did.err);
    assert!(eval("(doc proxy)").err.contains("hint: there are no host classes: write (reify "));
    // What a program defines has precedence.
    assert_eq!(eval("(defn map \"Mine.\" [x] x) (doc map)").out, "map\n([x])\n  Mine.\n");
}

#[test]
fn apropos_finds_classes_methods_and_constants_in_any_case() {
    let found = ptc(&["eval", "-e", "(apropos \"DATE\")"]).out;
    for name in [".toLocalDate", "LocalDate", "LocalDate/parse", "update", "java.time"] {
        let is_name = found.trim_matches(['(', ')', '\n']).split(' ').any(|n| n == name);
        assert_eq!(is_name, name != "java.time", "{name}: {found}");
    }
    let did = ptc(&[
        "eval",
        "-e",
        "(def MyDates 1) [(some #{'MyDates} (apropos \"mydate\")) (apropos \"monday\") (apropos #\"^Sum\")]",
    ]);
    assert_eq!(did.out, "[MyDates (DayOfWeek/MONDAY) ()]\n");
}
