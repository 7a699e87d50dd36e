//! The structure of the workspace: which crate may depend on which, how files open, how long they may grow.

use crate::imports;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut work = vec![folder.to_path_buf()];
    while let Some(dir) = work.pop() {
        for entry in std::fs::read_dir(&dir).unwrap().filter_map(Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The part of a manifest that lists what the crate itself is built from.
fn dependencies(crate_name: &str) -> String {
    let text = read(&root().join("crates").join(crate_name).join("Cargo.toml"));
    let start = text.find("[dependencies]").unwrap();
    let rest = &text[start + 1..];
    rest[..rest.find("\n[").unwrap_or(rest.len())].to_string()
}

/// `scripts/size-budget` says how many lines a crate may have. A change that needs more raises it, with the reason in the
/// commit.
#[cfg(unix)]
#[test]
fn crates_are_within_their_budgets_of_lines() {
    let size = std::process::Command::new("sh").arg(root().join("scripts/size")).arg("--check").output().unwrap();
    assert!(size.status.success(), "{}", String::from_utf8_lossy(&size.stderr));
    let listed = String::from_utf8(size.stdout).unwrap();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(listed.contains(&format!("crates/{name}/src")), "{name} has no budget");
    }
}

#[test]
fn crates_depend_in_one_direction() {
    for (lower, never) in [
        ("text", &["ptc-lisp", "ptc-history", "ptc-turns", "ptc-agent", "ptc.workspace", "ptc-cli"][..]),
        ("lisp", &["ptc-history", "ptc-turns", "ptc-agent", "ptc.workspace", "ptc-cli"][..]),
        ("history", &["ptc-lisp", "ptc-turns", "ptc-agent", "ptc.workspace", "ptc-cli"][..]),
        ("turns", &["ptc-agent", "ptc.workspace", "ptc-cli"][..]),
        ("agent", &["ptc-server", "ptc.workspace", "ptc-cli", "clap"][..]),
        ("server", &["ptc.workspace", "ptc-cli", "clap"][..]),
        ("ptc", &["ptc-cli", "clap"][..]),
        ("cli", &["ptc.workspace"][..]),
    ] {
        let deps = dependencies(lower);
        for upper in never {
            assert!(!deps.contains(upper), "crates/{lower} must not depend on {upper}");
        }
    }
}

#[test]
fn lower_crates_use_no_files_clock_environment_or_processes() {
    let forbidden = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "SystemTime",
        "Instant::now",
        "std::thread::spawn",
        "rand::",
    ];
    for name in ["text", "lisp", "history", "turns"] {
        for path in sources(&root().join("crates").join(name).join("src")) {
            let text = read(&path);
            // Unit tests at the end of a file may read fixtures.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for word in forbidden {
                let found = code.lines().any(|l| !l.trim_start().starts_with("//") && l.contains(word));
                assert!(!found, "{} uses {word}", path.display());
            }
        }
    }
}

/// What is written past `terminal/output.rs` would reach a terminal with every control character of the data in it. The other
/// file speaks the protocol of worker processes, over a pipe.
#[test]
fn one_file_writes_to_the_streams_of_the_process() {
    let words = [
        "print!(",
        "println!(",
        "eprint!(",
        "eprintln!(",
        "dbg!(",
        "io::stdout",
        "io::stderr",
        "/dev/tty",
        "inherit()",
    ];
    let own = ["crates/cli/src/terminal/output.rs", "crates/agent/src/worker/serve.rs"];
    let mut found = Vec::new();
    for path in sources(&root().join("crates")) {
        let place = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        if !place.contains("/src/") || place.starts_with("crates/python/") {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        if lines.into_iter().any(|l| words.iter().any(|w| l.contains(w))) && !place.ends_with("/tests.rs") {
            found.push(place);
        }
    }
    found.retain(|place| place != "crates/history/src/tokens/counter.rs");
    found.sort();
    let mut own = own.map(str::to_owned);
    own.sort();
    assert_eq!(found, own);
}

/// Libraries with `test = false`: the language, so that it is not optimised once more with tests in it, and those that have
/// none to link an executable for. What were written there would never run.
#[test]
fn libraries_that_are_not_tested_have_no_tests_inside() {
    let below = |name: &str| std::fs::read_dir(root().join(name)).unwrap().map(|e| e.unwrap().path());
    let all = below("crates").chain(below("tests")).chain([root().join("tests")]);
    let untested = |folder: &PathBuf| {
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let lib = text.split("[lib]\n").nth(1).unwrap_or_default();
        lib.lines().take_while(|l| !l.starts_with('[')).any(|l| l == "test = false")
    };
    let folders: Vec<PathBuf> = all.filter(untested).collect();
    assert!(folders.len() >= 4, "{folders:?}");
    for folder in folders {
        for path in sources(&folder.join("src")) {
            let text = read(&path);
            let inside = ["#[test]", "#[cfg(test)]", "proptest!"].into_iter().find(|word| text.contains(word));
            assert_eq!(inside, None, "{}: its tests go to tests/ beside src/", path.display());
        }
    }
    assert!(!read(&root().join("crates/cli/src/main.rs")).contains("#[test]"));
}

/// `crates/python` and `crates/wasm` cannot forbid unsafe code, which the macros of PyO3 and wasm-bindgen write.
#[test]
fn the_modules_for_python_and_javascript_say_nothing_unsafe() {
    let (python, wasm) = (sources(&root().join("crates/python/src")), sources(&root().join("crates/wasm/src")));
    assert!(python.len() > 5 && wasm.len() > 4, "{python:?} {wasm:?}");
    for path in python.into_iter().chain(wasm) {
        assert!(!read(&path).contains("unsafe"), "{} is unsafe", path.display());
    }
}

#[test]
fn nom_and_im_are_named_only_in_their_modules() {
    for path in sources(&root().join("crates/lisp/src")) {
        let text = read(&path);
        let place = path.to_string_lossy().replace('\\', "/");
        if text.contains("nom::") {
            assert!(place.contains("/read/"), "{place} names nom");
        }
        let names_im =
            text.match_indices("im::").any(|(i, _)| !text[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        if names_im {
            let fine = place.contains("/value/") || place.ends_with("/memory/cells.rs");
            assert!(fine, "{place} names im");
        }
    }
}

/// Crates whose files do not import in a circle.
const BY_FILE: &[&str] = &["lisp", "history", "turns", "agent", "server", "cli"];
/// Crates whose first folders and files do not, a folder counting as one.
const BY_FOLDER: &[&str] = &["lisp", "history", "turns", "agent", "cli"];

#[test]
fn no_file_imports_in_a_circle() {
    let files = |name: &str| imports::of_crate(&root().join("crates").join(name).join("src"));
    for name in BY_FILE {
        let files = files(name);
        assert!(files.len() > 10 && files.values().any(|to| to.len() > 5), "{name}: {files:?}");
        let circles = imports::circles(files);
        assert!(circles.is_empty(), "files of {name} that import in a circle, or lie between two: {circles:#?}");
    }
    for name in BY_FOLDER {
        let files = files(name);
        let circles = imports::circles(imports::by_top(&files));
        assert!(circles.is_empty(), "folders of {name} that import in a circle, or lie between two: {circles:#?}");
        let none = imports::circles(files).is_empty();
        assert_eq!(none, BY_FILE.contains(name), "the files of {name} are in order, or no longer so: see BY_FILE");
    }
}

#[test]
fn imports_are_read_in_every_form() {
    let files = |file: &str| {
        let text = match file {
            "lib.rs" => "pub mod a; mod b; pub use b::Deep; #[cfg(test)] mod tests;",
            "a.rs" => {
                "mod below; pub use below::Below; use below::Used; // crate::b::no\n\
                 #[cfg(test)] mod tests { use crate::b::c; fn f() { c::no() } } \n\
                 fn f(_: Used) { let _ = \"crate::b::no()\"; crate::b::c::called::<super::b::Other>() }"
            }
            "a/below.rs" => "pub struct Below; pub struct Used; pub fn back() { super::f(); super::super::b::d() }",
            "b/mod.rs" => "pub mod c; pub use c::{Deep, Other}; pub fn d() { let x: Deep; }",
            "b/c.rs" => {
                "use crate::{Deep as D, a::{self as other, Below}}; mod within { use super::super::d; } \n\
                 fn f() { other::f(); list![super::d(), other::Below] }"
            }
            _ => return None,
        };
        Some(text.to_owned())
    };
    let found = imports::of_files(&files);
    let lines: Vec<String> = found
        .iter()
        .flat_map(|(from, to)| {
            to.iter().map(move |(to, names)| {
                format!("{from} {to} {}", names.iter().map(String::as_str).collect::<Vec<_>>().join(","))
            })
        })
        .collect();
    assert_eq!(
        lines,
        [
            "a.rs a/below.rs Used",
            "a.rs b/c.rs Other,called",
            "a/below.rs a.rs f",
            "a/below.rs b/mod.rs d",
            "b/c.rs a.rs f",
            "b/c.rs a/below.rs Below",
            "b/c.rs b/mod.rs d",
            "b/mod.rs b/c.rs Deep",
        ]
    );
    let tops = imports::by_top(&found);
    assert_eq!(tops.keys().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(imports::circles(tops).len(), 2);
    assert_eq!(imports::circles(found).len(), 4, "lib.rs imports nothing: it only hands on");
}

#[test]
fn every_file_opens_with_a_sentence_and_stays_small() {
    for folder in ["crates", "examples", "tests"] {
        for path in sources(&root().join(folder)) {
            if path.components().any(|c| c.as_os_str() == "target") {
                continue;
            }
            let text = read(&path);
            let lines = text.lines().count();
            assert!(text.starts_with("//!"), "{} does not open with a sentence", path.display());
            assert!(lines <= 800, "{} has {lines} lines: split it into modules", path.display());
        }
    }
}

/// Files and folders beside the `main.rs` of a test that neither it nor the manifest names: their tests would never run.
fn left_out(main: &str, manifest: &str, beside: &[String]) -> Vec<String> {
    let is_named =
        |name: &String| main.contains(&format!("mod {name};")) || manifest.contains(&format!("name = \"{name}\""));
    beside.iter().filter(|name| !is_named(name)).cloned().collect()
}

#[test]
fn every_test_file_is_run() {
    let mut mains = 0;
    for folder in ["crates", "tests"] {
        for path in sources(&root().join(folder)) {
            let folder = path.parent().unwrap();
            if !path.ends_with("main.rs")
                || folder.ends_with("src")
                || path.components().any(|c| c.as_os_str() == "target")
            {
                continue;
            }
            mains += 1;
            let manifest = folder.ancestors().map(|a| a.join("Cargo.toml")).find(|m| m.exists()).unwrap();
            let mut beside = Vec::new();
            for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
                let is_module = entry.extension().is_some_and(|e| e == "rs") || entry.join("mod.rs").exists();
                if is_module && entry != path {
                    beside.push(entry.file_stem().unwrap().to_str().unwrap().to_owned());
                }
            }
            let left = left_out(&read(&path), &read(&manifest), &beside);
            assert!(left.is_empty(), "{} does not name {left:?}: add `mod` lines", path.display());
        }
    }
    assert!(mains >= 7, "{mains}");
    let names = ["a", "b", "c"].map(str::to_owned);
    assert_eq!(left_out("mod a;\n", "[[test]]\nname = \"b\"\n", &names), ["c"]);
}

#[test]
fn every_crate_can_be_published() {
    let root = root();
    let workspace = read(&root.join("Cargo.toml"));
    for folder in std::fs::read_dir(root.join("crates")).unwrap().filter_map(Result::ok) {
        let manifest = read(&folder.path().join("Cargo.toml"));
        let package = manifest.split("\n[").next().unwrap();
        // That of another registry: its own manifest says what that one wants.
        if package.contains("\npublish.workspace = true") {
            let other = ["pyproject.toml", "js/index.js"].iter().any(|file| folder.path().join(file).is_file());
            assert!(other, "{}", folder.path().display());
            continue;
        }
        for key in ["description", "readme", "documentation", "keywords", "categories", "license"] {
            assert!(package.lines().any(|l| l.starts_with(key)), "{}: {key} is missing", folder.path().display());
        }
        let readme = read(&folder.path().join("README.md"));
        assert!(readme.starts_with("# ") && readme.len() > 80, "{}: a README", folder.path().display());
        let name = package.lines().find_map(|l| l.strip_prefix("name = ")).unwrap().trim_matches('"');
        // A path alone is no dependency of a published crate.
        let dependency = workspace.lines().find(|l| l.starts_with(&format!("{name} = "))).unwrap();
        assert!(dependency.contains("version = "), "{dependency}");
    }
}
