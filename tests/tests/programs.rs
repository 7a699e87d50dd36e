//! Programs as a model writes them, against what Clojure gives: `tests/programs/AREA/NAME.clj` and `.out`.

use ptc_hostile::Session;
use ptc_lisp::interface::RunResult;
use ptc_tests::markdown::folder;
use std::collections::BTreeMap;
use std::path::Path;

/// The files of all areas that end so, by `AREA/NAME`.
fn texts(ending: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let entries = |path: &Path| std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    for file in entries(&folder("programs")).iter().filter(|p| p.is_dir()).flat_map(|p| entries(p)) {
        let name = file.strip_prefix(folder("programs")).unwrap().to_string_lossy().replace('\\', "/");
        if let Some(name) = name.strip_suffix(ending) {
            out.insert(name.to_string(), std::fs::read_to_string(&file).unwrap());
        }
    }
    out
}

/// The lines `AREA/NAME: words` of a list.
fn listed(file: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for line in std::fs::read_to_string(folder("programs").join(file)).unwrap().lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, words) = line.split_once(": ").unwrap_or_else(|| panic!("{file}: {line}: a name, `: ` and words"));
        assert_eq!(out.insert(name.to_string(), words.to_string()), None, "{file} names {name} twice");
    }
    out
}

/// What a program prints, and its value; or its error.
fn answer(source: &str) -> Result<String, String> {
    let outcome = Session::default().run(source);
    let mut text = outcome.printed.concat();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match outcome.ending {
        RunResult::Value(v) | RunResult::Returned(v) => {
            Ok(format!("{text}=> {}\n", ptc_lisp::print::readable(&v, 1 << 20)))
        }
        RunResult::Failed(_, e) | RunResult::Error(e) => Err(e.to_string()),
    }
}

/// Why a program does not give what Clojure gives, in a line.
fn failure(source: &str, expected: &str) -> Option<String> {
    match answer(source) {
        Err(error) => Some(error.lines().next().unwrap_or_default().to_string()),
        Ok(got) if got == expected => None,
        Ok(got) => {
            let differ = got.lines().zip(expected.lines()).find(|(got, expected)| got != expected);
            let (got, expected) = differ.unwrap_or(("text of another length", "that of the answer"));
            Some(format!("gives {got} and not {expected}"))
        }
    }
}

#[test]
fn programs_that_are_not_listed_give_what_clojure_gives() {
    let (programs, answers) = (texts(".clj"), texts(".out"));
    let (pending, differs) = (listed("pending.txt"), listed("differs.txt"));
    assert!(programs.len() >= 80, "{} programs", programs.len());
    assert!(programs.keys().eq(answers.keys()), "each program has an answer: clojure tests/programs/remake.clj");
    let mut wrong = Vec::new();
    for (name, source) in &programs {
        let is_listed = pending.contains_key(name) || differs.contains_key(name);
        match failure(source, &answers[name]) {
            Some(why) if !is_listed => wrong.push(format!("{name}: {why}")),
            None if is_listed => wrong.push(format!("{name} passes: take it from the list")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

#[test]
fn lists_name_programs_and_differences_that_are_there() {
    let programs = texts(".clj");
    let (pending, differs) = (listed("pending.txt"), listed("differs.txt"));
    for name in pending.keys().chain(differs.keys()) {
        assert!(programs.contains_key(name), "there is no tests/programs/{name}.clj");
        assert!(!(pending.contains_key(name) && differs.contains_key(name)), "{name} is in both lists");
    }
    let language = std::fs::read_to_string(folder("../docs/language.md")).unwrap();
    for (name, words) in &differs {
        let number = words.split_whitespace().next().unwrap_or_default();
        assert!(language.contains(&format!("\n{number}. **")), "differs.txt: {name}: there is no difference {number}");
    }
    for (name, source) in &programs {
        assert!(source.starts_with(';'), "{name}: the first line says the task");
    }
}
