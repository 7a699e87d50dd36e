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
