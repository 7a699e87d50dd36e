//! The order of the house: which crate may know which, how files open, how long they may grow.

use std::collections::{BTreeMap, BTreeSet};
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

#[test]
fn the_floors_stand_in_order() {
    for (lower, never) in [
        ("lisp", &["ptc-history", "ptc-turns", "ptc-agent", "ptc.workspace"][..]),
        ("history", &["ptc-lisp", "ptc-turns", "ptc-agent", "ptc.workspace"][..]),
        ("turns", &["ptc-agent", "ptc.workspace"][..]),
        ("agent", &["ptc.workspace", "clap"][..]),
    ] {
        let deps = dependencies(lower);
        for upper in never {
            assert!(!deps.contains(upper), "crates/{lower} must not know {upper}");
        }
    }
}

#[test]
fn the_lower_floors_do_not_touch_the_world() {
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
    for name in ["lisp", "history", "turns"] {
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

#[test]
fn nom_and_im_have_their_rooms() {
    for path in sources(&root().join("crates/lisp/src")) {
        let text = read(&path);
        let place = path.to_string_lossy().replace('\\', "/");
        if text.contains("nom::") {
            assert!(place.contains("/read/"), "{place} names nom");
        }
        let names_im =
            text.match_indices("im::").any(|(i, _)| !text[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        if names_im {
            let fine = place.contains("/value/") || place.ends_with("/memory.rs") || place.contains("/eval/settle.rs");
            assert!(fine, "{place} names im");
        }
    }
}

/// The rooms of a crate: each file or folder at its top, with those that it names in what is not its tests.
fn rooms(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let top = root().join("crates").join(name).join("src");
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&top) {
        let place = path.strip_prefix(&top).unwrap();
        let first = place.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let room = first.trim_end_matches(".rs").to_owned();
        if room == "lib" || place.file_stem().is_some_and(|s| s == "tests") {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let names = out.entry(room.clone()).or_default();
        names.extend(named(code).into_iter().filter(|n| *n != room));
    }
    out
}

/// The rooms that code names: behind `crate::`, alone or in braces.
fn named(code: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = code.lines().filter(|l| !l.trim_start().starts_with("//")).collect();
    let code = lines.join("\n");
    let mut out = BTreeSet::new();
    let mut add = |path: &str| {
        let word = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '_';
        let name: String = path.trim_start().chars().take_while(word).collect();
        out.extend(Some(name).filter(|n| !n.is_empty() && n != "self"));
    };
    for (at, _) in code.match_indices("crate::") {
        let path = &code[at + "crate::".len()..];
        let Some(list) = path.strip_prefix('{') else {
            add(path);
            continue;
        };
        let (mut depth, mut from) = (0, 0);
        for (i, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' | ',' if depth == 0 => {
                    add(&list[from..i]);
                    from = i + 1;
                    if c == '}' {
                        break;
                    }
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    out
}

#[test]
fn rooms_are_read_in_every_form() {
    let code = "use crate::io::{Io, x};\nuse crate::{\n    DONE, batch, eval::{Answer, room},\n    worker as w,\n};\n// crate::gone\ncrate::run::run()";
    assert_eq!(named(code).iter().map(String::as_str).collect::<Vec<_>>(), ["batch", "eval", "io", "run", "worker"]);
}

#[test]
fn no_room_imports_in_a_circle() {
    for name in ["turns", "agent", "cli"] {
        let mut left = rooms(name);
        assert!(left.len() > 5, "{name}: {left:?}");
        // What names nothing that is left is in order, and is taken out; what cannot be is a circle.
        loop {
            let done: Vec<String> = left
                .iter()
                .filter(|(_, names)| names.iter().all(|n| !left.contains_key(n)))
                .map(|r| r.0.clone())
                .collect();
            if done.is_empty() {
                break;
            }
            done.iter().for_each(|d| drop(left.remove(d)));
        }
        assert!(left.is_empty(), "rooms of {name} that import in a circle, or from one: {left:#?}");
    }
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
            assert!(lines <= 800, "{} has {lines} lines: a hall, not a room", path.display());
        }
    }
}
