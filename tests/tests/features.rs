//! What a user of a session alone pulls in: no client of a provider, no database, no server, no vocabulary.

use std::collections::BTreeSet;
use std::process::Command;

/// Names of the crates that a package is built of, without dev-dependencies.
fn crates(package: &str, features: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--locked", "-e", "normal", "--prefix", "none", "-f", "{p}", "-p", package]);
    let out = cargo.args(features).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().filter_map(|l| l.split_whitespace().next()).map(str::to_owned).collect()
}

const HEAVY: [&str; 9] =
    ["genai", "reqwest", "rustls", "tokio", "rmcp", "rusqlite", "libsqlite3-sys", "tiktoken-rs", "jsonschema"];

#[test]
fn a_session_alone_is_small() {
    let small = crates("ptc", &["--no-default-features"]);
    let heavy: Vec<_> = HEAVY.iter().filter(|c| small.contains(**c)).collect();
    assert!(heavy.is_empty(), "{heavy:?}");
    // The same names are found where they are: the test can fail.
    let agent = crates("ptc", &[]);
    assert!(HEAVY.iter().all(|c| agent.contains(*c)), "{agent:?}");
    assert!(small.len() < 60, "{} crates: {small:?}", small.len());
}
