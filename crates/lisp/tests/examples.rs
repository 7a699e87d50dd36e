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

#[test]
fn every_example_gives_what_it_says() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for b in builtins::all() {
        for (program, expected) in b.examples {
            count += 1;
            let got = answer(program);
            let fine = match (expected.strip_prefix('!'), &got) {
                (Some(words), Err(e)) => e.contains(words),
                (None, Ok(v)) => v == expected,
                _ => false,
            };
            if !fine {
                wrong.push(format!("{}: {program}\n    expected {expected}\n    got      {got:?}", b.name));
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
        assert!(names.insert(b.name), "{} is declared twice", b.name);
        assert!(!b.doc.is_empty() && b.doc.ends_with('.'), "{} needs a docstring that is a sentence", b.name);
        assert!(!b.examples.is_empty(), "{} needs an example", b.name);
    }
}
