//! Every example of every builtin is true: the table is documentation, and documentation runs.

use ptc_lisp::builtins;
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::{print, run};

fn answer(program: &str) -> Result<String, String> {
    let limits = Limits { cpu_ms: 0, wall_ms: 0, ..Limits::default() };
    match run(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut ())).ending {
        RunResult::Value(v) | RunResult::Returned(v) => Ok(print::readable(&v, 10_000)),
        RunResult::Failed(_, e) | RunResult::Error(e) => Err(e.to_string()),
    }
}

/// Constants that are found by their names are there: those of `java.time` too, which no table lists.
#[test]
fn every_constant_that_is_found_has_a_value() {
    let found = answer(
        "(count (filter #(re-find #\"^[A-Z]\\w*/[A-Z_0-9]+$\" (str %)) (apropos #\"^(Chrono|Day|Month|Local|Zone|Instant|Iso)\")))",
    );
    assert!(found.is_ok_and(|n| n.parse::<u64>().unwrap() > 40));
    for name in builtins::time::constants::names() {
        assert!(answer(&name).is_ok(), "{name}");
    }
}

#[test]
fn every_example_gives_what_it_says() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let functions = builtins::all().map(|b| (b.name(), b.examples()));
    let forms = ptc_lisp::analyze::forms::FORMS.iter().map(|f| (f.name, f.examples.to_vec()));
    for (name, examples) in functions.chain(forms) {
        for (program, expected) in examples {
            count += 1;
            let got = answer(program);
            let fine = match (expected.strip_prefix('!'), &got) {
                (Some(words), Err(e)) => e.contains(words),
                (None, Ok(v)) => v == expected,
                _ => false,
            };
            if !fine {
                wrong.push(format!("{name}: {program}\n    expected {expected}\n    got      {got:?}"));
            }
        }
    }
    assert!(count > 300, "only {count} examples: where is the table?");
    assert!(wrong.is_empty(), "{} of {count} examples are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_row_is_complete() {
    let mut names = std::collections::HashSet::new();
    for b in builtins::all() {
        assert!(names.insert(b.name()), "{} is declared twice", b.name());
        assert!(!b.doc().is_empty() && b.doc().ends_with('.'), "{} needs a docstring that is a sentence", b.name());
        assert!(!b.examples().is_empty(), "{} needs an example", b.name());
    }
}

#[test]
fn every_form_is_complete_and_documented() {
    let mut names = std::collections::HashSet::new();
    for f in ptc_lisp::analyze::forms::FORMS {
        assert!(names.insert(f.name), "{} is declared twice", f.name);
        assert!(builtins::find(f.name).is_none(), "{} is a function too", f.name);
        assert!(!f.doc.is_empty() && f.doc.ends_with('.'), "{} needs a docstring that is a sentence", f.name);
        assert!(f.usage.starts_with(&format!("({}", f.name)), "{}: {}", f.name, f.usage);
        assert!(f.examples.iter().any(|e| e.0.contains(f.name)), "{} needs an example", f.name);
        let printed = answer(&format!("(with-out-str (doc {}))", f.name));
        let expected = print::readable(&f.doc_text().as_str().into(), 10_000);
        assert_eq!(printed.as_deref(), Ok(expected.as_str()), "(doc {}) prints its row", f.name);
    }
}

#[test]
fn a_form_that_is_written_wrongly_says_how_it_is_written() {
    for name in ["if", "quote", "when", "->", "for", "condp", "letfn", "doto", "memfn", "doc"] {
        let row = ptc_lisp::analyze::forms::find(name).expect("it has a row");
        let got = answer(&format!("({name})"));
        assert!(
            got.as_ref().is_err_and(|e| e.contains(&format!("{name} is written {}", row.usage))),
            "{name}: {got:?}"
        );
    }
}
