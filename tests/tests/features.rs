//! What is built for whom. A session alone pulls in no client of a provider, no database, no server, no vocabulary; and
//! `cargo test` takes what `cargo run` has built.

use std::collections::BTreeSet;
use std::process::Command;

/// The lines of `cargo tree` with these arguments: crates in a format.
fn tree(edges: &str, format: &str, args: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--locked", "--prefix", "none", "-e", edges, "-f", format]).args(args);
    let out = cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().map(|l| l.trim_end_matches(" (*)").to_owned()).collect()
}

/// Names of the crates that a package is built of, without dev-dependencies.
fn crates(package: &str, features: &[&str]) -> BTreeSet<String> {
    let lines = tree("normal", "{p}", &[&["-p", package], features].concat());
    lines.iter().filter_map(|l| l.split_whitespace().next()).map(str::to_owned).collect()
}

/// A dev-dependency that turns a feature of a crate on has that crate, and all that use it, built a second time. The
/// feature is then asked for in the workspace's Cargo.toml.
#[test]
fn tests_take_what_cargo_run_has_built() {
    let run = tree("normal,build", "{p} {f}", &[]);
    let test = tree("normal,build,dev", "{p} {f}", &[]);
    let again: Vec<_> = run.difference(&test).collect();
    assert!(again.is_empty(), "built with other features for tests: {again:#?}");
    assert!(run.len() > 100 && test.len() > run.len(), "{} {}", run.len(), test.len());
}

const HEAVY: [&str; 9] =
    ["genai", "reqwest", "rustls", "tokio", "rmcp", "rusqlite", "libsqlite3-sys", "fancy-regex", "jsonschema"];

#[test]
fn a_session_alone_is_small() {
    let small = crates("ptc", &["--no-default-features"]);
    let heavy: Vec<_> = HEAVY.iter().filter(|c| small.contains(**c)).collect();
    assert!(heavy.is_empty(), "{heavy:?}");
    // The same names are found where they are: the test can fail.
    let agent = crates("ptc", &[]);
    assert!(HEAVY.iter().all(|c| agent.contains(*c)), "{agent:?}");
    // Three of them are rules of time zones and what reads them, one is MD5.
    assert!(small.len() <= 64, "{} crates: {small:?}", small.len());
}
