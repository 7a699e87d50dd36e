//! The language against its conformance files: every expectation of `tests/spec/*.md`.

use ptc_tests::markdown::{failures, files, folder};

#[test]
fn every_expectation_holds() {
    let only = std::env::var("SPEC").unwrap_or_default();
    let (mut count, mut failed) = (0, Vec::new());
    for path in files(&folder("spec")) {
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        if name == "README.md" || !path.to_string_lossy().contains(&only) {
            continue;
        }
        let (n, f) = failures(&std::fs::read_to_string(&path).unwrap(), &name);
        count += n;
        failed.extend(f);
    }
    assert!(count > 0, "no expectations found");
    assert!(failed.is_empty(), "{} of {count} expectations failed:\n{}", failed.len(), failed.join("\n"));
}
