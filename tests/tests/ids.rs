//! Every requirement on history that has an id is cited by a test, or listed in docs/history.md with the reason why not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The requirements: a letter for where they come from, and how many each has. P: summaries of turns; B: batches;
/// K: strategies and budgets; R: retention of inputs; F: messages and windows; V: the providers' rules.
const REQUIREMENTS: [(&str, usize); 6] = [("P-", 38), ("B-", 28), ("K-", 39), ("R-", 39), ("F-", 34), ("V", 12)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Every id: `P-01`, ..., `F-34`, `V1`, ..., `V12`.
fn ids() -> BTreeSet<String> {
    let of = |(letter, count): (&str, usize)| {
        let letter = letter.to_owned();
        (1..=count).map(move |n| if letter == "V" { format!("V{n}") } else { format!("{letter}{n:02}") })
    };
    REQUIREMENTS.into_iter().flat_map(of).collect()
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_some_and(|n| n != "target") {
                files(&path, out);
            }
        } else if path.extension().is_some_and(|e| e == "rs" || e == "md") {
            out.push(path);
        }
    }
}

/// The part of a file that tests: all of it where it lies with tests, else what is built for tests only.
fn tests_of(path: &Path, text: &str) -> String {
    let inside = path.components().any(|c| c.as_os_str() == "tests") || path.ends_with("tests.rs");
    match text.find("#[cfg(test)]") {
        _ if inside => text.to_owned(),
        Some(at) => text[at..].to_owned(),
        None => String::new(),
    }
}

/// The ids that a text cites, in words (`K-29`, `V1`) and in names of tests (`k_29_...`, `v1_...`). A range cites all of
/// its ids: `B-10 to B-13`, `v1_to_v12`.
fn cited(text: &str, all: &BTreeSet<String>) -> BTreeSet<String> {
    let text = text.to_uppercase().replace('_', "-");
    let words: Vec<&str> = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).collect();
    let mut out = BTreeSet::new();
    for word in words {
        let parts: Vec<&str> = word.split('-').collect();
        for (i, part) in parts.iter().enumerate() {
            let next = parts.get(i + 1).map(|n| format!("{part}-{n}"));
            for id in next.into_iter().chain([(*part).to_owned()]) {
                if all.contains(&id) {
                    out.insert(id);
                }
            }
        }
    }
    let places: Vec<(usize, &String)> =
        all.iter().flat_map(|id| text.match_indices(id.as_str()).map(move |(at, _)| (at, id))).collect();
    for (at, first) in places {
        let rest = &text[at + first.len()..];
        let Some(rest) = [" TO ", "-TO-"].into_iter().find_map(|to| rest.strip_prefix(to)) else { continue };
        // Ids of one letter are in the order of their numbers.
        let number = |id: &str| id.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().ok();
        let letter = |id: &str| id.chars().next();
        let last = all
            .iter()
            .filter(|id| letter(id) == letter(first) && rest.starts_with(id.as_str()))
            .max_by_key(|id| id.len());
        let Some(last) = last else { continue };
        out.extend(
            all.iter()
                .filter(|id| letter(id) == letter(first) && number(id) >= number(first) && number(id) <= number(last))
                .cloned(),
        );
    }
    out
}

/// The list at the end of docs/history.md: an id, and why no test cites it.
fn reasons() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(root().join("docs/history.md")).unwrap();
    let (_, list) = text.split_once("## Requirements without a test\n").unwrap();
    let rows = list.lines().filter(|l| l.starts_with("| ")).skip(1).filter(|l| !l.starts_with("| id"));
    let mut out = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [ids, reason] = cells.as_slice() else { panic!("{row}") };
        for id in ids.split(", ") {
            assert_eq!(out.insert(id.to_owned(), (*reason).to_owned()), None, "{id} is listed twice");
        }
    }
    out
}

#[test]
fn every_requirement_is_cited_by_a_test_or_listed_with_its_reason() {
    let all = ids();
    assert_eq!(all.len(), 178 + 12);
    let mut paths = Vec::new();
    files(&root().join("tests"), &mut paths);
    files(&root().join("crates"), &mut paths);
    let own = Path::new(file!()).file_name().unwrap();
    let mut seen = BTreeSet::new();
    for path in paths.iter().filter(|p| p.file_name() != Some(own)) {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        seen.extend(cited(&tests_of(path.strip_prefix(root()).unwrap(), &text), &all));
    }
    let listed = reasons();
    let unknown: Vec<&String> = listed.keys().filter(|id| !all.contains(*id)).collect();
    assert!(unknown.is_empty(), "listed, but there is no such requirement: {unknown:?}");
    let bare: Vec<&String> = listed.iter().filter(|(_, why)| why.len() < 20).map(|(id, _)| id).collect();
    assert!(bare.is_empty(), "listed without a reason: {bare:?}");
    let missing: Vec<&String> = all.iter().filter(|id| !seen.contains(*id) && !listed.contains_key(*id)).collect();
    assert!(missing.is_empty(), "neither cited by a test nor listed: {missing:?}");
    let both: Vec<&String> = listed.keys().filter(|id| seen.contains(*id)).collect();
    assert!(both.is_empty(), "listed as without a test, but cited by one: {both:?}");
}

#[test]
fn citations_are_read_in_words_names_and_ranges() {
    let all = ids();
    let read = |text: &str| cited(text, &all).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(read("/// K-29, B-01 and p-5; XK-30, K-299"), "B-01 K-29");
    assert_eq!(read("fn f_06_a_thing_and_v7_f_03_ids()"), "F-03 F-06 V7");
    assert_eq!(read("B-10 to B-13; v1_to_v3_hold"), "B-10 B-11 B-12 B-13 V1 V2 V3");
}
