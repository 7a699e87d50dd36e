//! Requirements and their ids: each that is cited has its sentence in docs/requirements, and each on history is cited
//! by a test, or listed in docs/history.md with the reason why not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Requirements on history: a letter for where they come from, and how many each has. P: summaries of turns; B:
/// batches; K: strategies and budgets; R: retention of inputs; F: messages and windows; V: the providers' rules.
const REQUIREMENTS: [(&str, usize); 6] = [("P-", 38), ("B-", 28), ("K-", 39), ("R-", 39), ("F-", 34), ("V", 12)];

/// Decisions that override them, which no test need cite.
const DECISIONS: usize = 11;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
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

/// All files of these folders, but for this one.
fn all_files(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    folders.iter().for_each(|f| files(&root().join(f), &mut paths));
    let own = Path::new(file!()).file_name().unwrap();
    paths.retain(|p| p.file_name() != Some(own));
    paths.into_iter().map(|p| (p.strip_prefix(root()).unwrap().to_owned(), read(&p))).collect()
}

/// The part of a file that tests: all of it in a folder of tests, else what is built for tests only.
fn tests_of(path: &Path, text: &str) -> String {
    let inside = path.components().any(|c| c.as_os_str() == "tests") || path.ends_with("tests.rs");
    match text.find("#[cfg(test)]") {
        _ if inside => text.to_owned(),
        Some(at) => text[at..].to_owned(),
        None => String::new(),
    }
}

/// Whether these parts of a word, `K` and `29` or `V1`, are an id.
fn id(part: &str, next: Option<&str>) -> Option<String> {
    // Numbers begin with 1: `v0` is a variable.
    let digits = |s: &str| matches!(s.len(), 1 | 2) && s != "0" && s.bytes().all(|b| b.is_ascii_digit());
    match (part, next) {
        ("P" | "B" | "K" | "R" | "F", Some(n)) if n.len() == 2 && digits(n) => Some(format!("{part}-{n}")),
        _ if part.starts_with(['V', 'D']) && digits(part.get(1..).unwrap_or_default()) => Some(part.to_owned()),
        _ => None,
    }
}

/// The ids of history that a text cites, in words (`K-29`, `V1`) and in names of tests (`k_29_...`, `v1_...`). A range
/// of them (`B-10 to B-13`, `v1_to_v12`) cites none, not even its ends: what it covers need not be looked at one by
/// one.
fn cited(text: &str) -> BTreeSet<String> {
    let text = text.to_uppercase().replace('_', "-");
    let mut found: Vec<(String, usize, usize)> = Vec::new();
    let (mut at, bytes) = (0, text.as_bytes());
    while at < bytes.len() {
        let end = bytes[at..].iter().position(|b| !b.is_ascii_alphanumeric()).map_or(bytes.len(), |n| at + n);
        let next = bytes.get(end).filter(|b| **b == b'-').map(|_| {
            let rest = &text[end + 1..];
            rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
        });
        let clean = at == 0 || text.is_char_boundary(at);
        if let Some(id) = text.get(at..end).filter(|_| clean).and_then(|part| id(part, next)) {
            let end = if id.contains('-') { end + 3 } else { end };
            found.push((id, at, end));
        }
        at = end + 1;
        while at < bytes.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    let joined = |a: usize, b: usize| text.get(a..b).is_some_and(|s| s == " TO " || s == "-TO-");
    let range = |i: usize| {
        let (_, start, end) = &found[i];
        let before = i.checked_sub(1).is_some_and(|b| joined(found[b].2, *start));
        before || found.get(i + 1).is_some_and(|next| joined(*end, next.1))
    };
    (0..found.len()).filter(|i| !range(*i)).map(|i| found[i].0.clone()).collect()
}

/// The ids of safety that a text cites: `SECURITY P4`, `SECURITY attack 20`, `SECURITY §5`. Without the word they would
/// be taken for those of history.
fn cited_of_safety(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for rest in text.split("SECURITY ").skip(1) {
        let end = |s: &str| s.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(s.len());
        if let Some(number) = rest.strip_prefix("attack ") {
            out.insert(format!("attack {}", &number[..end(number)]));
        } else if rest.starts_with(['P', 'R']) && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            out.insert(rest[..end(rest)].to_owned());
        } else if let Some(section) = rest.strip_prefix('§') {
            out.insert(format!("§{}", &section[..end(section)]));
        }
    }
    out
}

/// Ids of safety without the word before them.
fn bare_of_safety(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).collect();
        for (i, word) in words.iter().enumerate() {
            let number = |s: &str| !s.is_empty() && s.len() <= 2 && s.bytes().all(|b| b.is_ascii_digit());
            let short = word.starts_with(['P', 'R']) && number(word.get(1..).unwrap_or_default());
            let attack = *word == "attack" && words.get(i + 1).is_some_and(|n| number(n));
            if (short || attack) && i.checked_sub(1).is_none_or(|b| words[b] != "SECURITY") {
                out.push(line.trim().to_owned());
            }
        }
    }
    out
}

/// The entries of a page of requirements, `- **ID** sentence`, with their sentences; and its numbered sections.
fn entries(page: &str) -> BTreeMap<String, String> {
    let text = read(&root().join("docs/requirements").join(page));
    let mut out = BTreeMap::new();
    for line in text.lines() {
        let entry = line.strip_prefix("- **").and_then(|l| l.split_once("** "));
        let section = || line.strip_prefix("## ").and_then(|l| l.split_once(". "));
        let section = section().map(|(number, title)| (format!("§{number}"), title));
        let Some((id, sentence)) = entry.map(|(id, s)| (id.to_owned(), s)).or(section) else { continue };
        assert_eq!(out.insert(id.clone(), sentence.to_owned()), None, "{page}: {id} stands twice");
    }
    out
}

/// The list at the end of docs/history.md: an id, and why no test cites it.
fn reasons() -> BTreeMap<String, String> {
    let text = read(&root().join("docs/history.md"));
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
    let mut seen = BTreeSet::new();
    for (path, text) in all_files(&["tests", "crates"]) {
        seen.extend(cited(&tests_of(&path, &text)));
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
fn every_requirement_has_its_sentence() {
    let history = entries("history.md");
    let decisions = (1..=DECISIONS).map(|n| format!("D{n}"));
    let wanted: BTreeSet<String> = ids().into_iter().chain(decisions).collect();
    let there: BTreeSet<String> = history.keys().cloned().collect();
    assert_eq!(there, wanted);
    for (id, sentence) in history.iter().chain(&entries("security.md")) {
        let whole = id.starts_with('§') || sentence.len() > 20 && sentence.ends_with('.');
        assert!(whole, "{id} is no sentence: {sentence}");
    }
}

#[test]
fn what_is_cited_has_its_sentence_and_says_whose_it_is() {
    let (history, safety) = (entries("history.md"), entries("security.md"));
    let (mut of_history, mut of_safety) = (0, 0);
    for (path, text) in all_files(&["crates", "docs", "tests/tests", "tests/src", "tests/hostile", "examples"]) {
        let shown = path.display();
        for id in cited(&text) {
            let known = history.contains_key(&id);
            assert!(known, "{shown} cites {id}, which is not in docs/requirements/history.md");
            of_history += 1;
        }
        for id in cited_of_safety(&text) {
            assert!(
                safety.contains_key(&id),
                "{shown} cites SECURITY {id}, which is not in docs/requirements/security.md"
            );
            of_safety += 1;
        }
        if !path.starts_with("docs/requirements") {
            let bare = bare_of_safety(&text);
            assert!(bare.is_empty(), "{shown}: write SECURITY before these, they read as ids of history: {bare:?}");
        }
    }
    assert!(of_history > 500 && of_safety > 20, "{of_history} {of_safety}");
}

#[test]
fn citations_are_read_in_words_and_names_and_not_in_ranges() {
    let read = |text: &str| cited(text).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(read("/// K-29, B-01 and p-5; XK-30, K-299"), "B-01 K-29");
    assert_eq!(read("fn f_06_a_thing_and_v7_f_03_ids() é D8"), "D8 F-03 F-06 V7");
    assert_eq!(read("B-10 to B-13; k_33_v1_to_v12_hold, V8 to be sure"), "K-33 V8");
    let of = |text: &str| cited_of_safety(text).into_iter().collect::<Vec<_>>().join(", ");
    assert_eq!(of("(SECURITY P4, SECURITY attack 20); SECURITY §5 b, SECURITY.md"), "P4, attack 20, §5");
    assert_eq!(bare_of_safety("(P4)\nSECURITY P4, R-05\n(SECURITY R1, attack 18)").len(), 2);
}
