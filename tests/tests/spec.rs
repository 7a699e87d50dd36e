//! The language against its conformance files: every expectation of `tests/spec/*.md`.

use ptc_tests::markdown::{Expected, blocks, files, folder};
use ptc_tests::session::Session;

/// Runs the blocks of one file; what failed, with the place.
fn failures(path: &std::path::Path) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().to_string();
    let (mut count, mut failed) = (0, Vec::new());
    // Blocks marked `later` state what is still to come (tests/spec/README.md).
    for block in blocks(&text).into_iter().filter(|b| b.info != "later") {
        let mut session = Session::default();
        for step in &block.steps {
            // What stands before a form that fails must stay: it is a turn of its own.
            if let Some(Expected::Error(_)) = &step.expected
                && let Ok(forms) = ptc_lisp::read::read(&step.source, &session.limits)
                && let [_, .., last] = forms.as_slice()
            {
                session.run(&step.source[..last.span.start as usize]);
            }
            let got = session.text(&step.source);
            let place = format!("{name}:{} [{}]", step.line, block.heading);
            match (&step.expected, got) {
                (None, Ok(_)) => {}
                (None, Err(e)) => failed.push(format!("{place}\n    {}\n    set-up failed: {e}", step.source.trim())),
                (Some(expected), got) => {
                    count += 1;
                    let fine = match (expected, &got) {
                        (Expected::Value(v), Ok(g)) => v == g,
                        (Expected::Error(words), Err(e)) => e.to_lowercase().contains(&words.to_lowercase()),
                        _ => false,
                    };
                    if !fine {
                        failed.push(format!("{place}\n    {}\n    expected {expected:?}\n    got      {got:?}", step.source.trim()));
                    }
                }
            }
        }
    }
    (count, failed)
}

#[test]
fn every_expectation_holds() {
    let only = std::env::var("SPEC").unwrap_or_default();
    let (mut count, mut failed) = (0, Vec::new());
    for path in files(&folder("spec")) {
        if path.file_name().is_some_and(|n| n == "README.md") || !path.to_string_lossy().contains(&only) {
            continue;
        }
        let (n, f) = failures(&path);
        count += n;
        failed.extend(f);
    }
    assert!(count > 0, "no expectations found");
    assert!(failed.is_empty(), "{} of {count} expectations failed:\n{}", failed.len(), failed.join("\n"));
}
