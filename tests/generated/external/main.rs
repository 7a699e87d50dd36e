//! Clojure itself, asked anew: for the conformance files, the programs as models write them, and random sessions.
//! Plain `cargo test` leaves this out; `scripts/clojure && cargo test -p ptc-generated --test external` runs it.

use ptc_generated::clojure::{Clojure, JARS};
use ptc_generated::ours::{Code, answers};
use ptc_generated::{Session, agree, make, patterns};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sessions of each kind.
const SESSIONS: u64 = 200;
/// Their seeds, which no kept answer is of.
const SEED: u64 = 88_000_000;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// What a script of Clojure prints, and whether it ended well.
fn clojure(script: &Path, args: &[&str]) -> (bool, String) {
    let jars = std::env::var("CLOJURE_CLASSPATH").unwrap_or_else(|_| JARS.to_string());
    let run = Command::new("java").args(["-cp", &jars, "clojure.main"]).arg(script).args(args).output();
    let run = run.expect("there is no java: run scripts/clojure");
    let said = [run.stdout, run.stderr].concat();
    (run.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_conformance_files_have_its_answers() {
    let (well, said) = clojure(&tests().join("spec/remake.clj"), &["--check"]);
    assert!(well, "{said}");
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn the_programs_have_its_answers() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    let _ = std::fs::remove_dir_all(&folder);
    copy(&tests().join("programs"), &folder);
    let (well, said) = clojure(&folder.join("remake.clj"), &[]);
    assert!(well && said.contains(" 0 written, 0 failed"), "{said}");
}

/// Random sessions of a kind, here and there.
fn differing(make: fn(u64) -> Session) -> Vec<String> {
    let mut sessions = Vec::new();
    for seed in SEED..SEED + SESSIONS {
        let session = make(seed);
        if let Some(here) = answers(&session, Code::Usual) {
            sessions.push((session, here));
        }
    }
    assert!(sessions.len() as u64 > SESSIONS / 2, "only {} ended within their limits", sessions.len());
    let questions: Vec<Session> = sessions.iter().map(|(s, _)| s.clone()).collect();
    let theirs = Clojure::start().expect("there is no java: run scripts/clojure").answers(&questions).unwrap();
    let differ = sessions.iter().zip(theirs).filter(|((_, here), there)| !agree(here, &there.answers));
    differ.map(|((s, here), there)| format!("{}\nhere {here:?}\nthere {:?}", s.join("\n"), there.answers)).collect()
}

#[test]
fn random_sessions_give_what_it_gives() {
    let differ = differing(make::session);
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}

#[test]
fn random_patterns_match_what_it_matches() {
    let differ = differing(patterns::session);
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}
