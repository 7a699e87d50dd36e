//! The documents say what is so: their programs run, their links lead somewhere, the list of functions is that of the
//! table.

use ptc_tests::markdown::{failures, files, folder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    folder("..")
}

/// The documents of the project: those in `docs`, and those that are at the top and with the examples.
fn documents() -> Vec<PathBuf> {
    let mut all = files(&root());
    all.extend(files(&root().join("docs")));
    all.extend(files(&root().join("docs/requirements")));
    all.extend(files(&root().join("docs/howto")));
    all.extend(files(&root().join("examples")));
    for task in std::fs::read_dir(root().join("examples/tasks")).into_iter().flatten().filter_map(Result::ok) {
        // Replies of a task run in its own tests, with its inputs and tools.
        all.extend(files(&task.path()).into_iter().filter(|p| p.ends_with("README.md")));
    }
    all
}

fn named(path: &Path) -> (String, String) {
    let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
    (name, std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

#[test]
fn the_list_of_functions_is_that_of_the_table() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = ptc_cli::run(["ptc", "doc", "--markdown"], &mut std::io::empty(), &mut out, &mut err);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&err));
    let committed = std::fs::read(root().join("docs/functions.md")).unwrap_or_default();
    assert!(committed == out, "docs/functions.md is stale: cargo run -p ptc-cli -- doc --markdown > docs/functions.md");
}

/// A list of docs/language.md as its source, a file of tests/spec, gives it.
fn listed_in(file: &str) -> String {
    let source = std::fs::read_to_string(folder("spec").join(file)).unwrap();
    let mut out = String::new();
    for section in source.split("\n## ").skip(1) {
        let (title, rest) = section.split_once('\n').unwrap();
        let (number, name) = title.split_once(". ").unwrap();
        let (text, block) =
            rest.trim().split_once("\n\n```clojure ours\n").unwrap_or_else(|| panic!("{title}: no block"));
        assert_eq!(number.parse(), Ok(out.lines().count() + 1), "{title}: out of order");
        assert!(block.contains("\n;=> ") || block.contains("\n;!!"), "{title}: nothing is expected");
        out.push_str(&format!("{number}. **{name}** {}\n", text.replace('\n', " ")));
    }
    out
}

#[test]
fn the_differences_are_those_of_their_source() {
    let path = root().join("docs/language.md");
    let lists = [
        ("differences.md", "## Where we differ from Clojure, on purpose\n\n", "Anything else that differs is a bug"),
        ("extensions.md", "## What Clojure refuses and is taken here\n\n", "No program that Clojure runs"),
    ];
    for (file, heading, end) in lists {
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = text.split_once(heading).unwrap();
        let (list, after) = rest.split_once(end).unwrap();
        let expected = listed_in(file);
        if list != expected && std::env::var_os("PTC_WRITE").is_some() {
            std::fs::write(&path, format!("{before}{heading}{expected}{end}{after}")).unwrap();
            continue;
        }
        assert!(
            list == expected,
            "a list in docs/language.md is stale: tests/spec/README.md says how to write it anew"
        );
    }
}

/// The tests that a text names: `FILE: FUNCTION`, or the file of a hostile program.
fn tests_named(text: &str) -> Vec<(&str, Option<&str>)> {
    let spans = text.split('`').skip(1).step_by(2);
    let named = spans.filter_map(|span| match span.split_once(".rs: ") {
        Some((file, function)) => Some((span.get(..file.len() + 3)?, Some(function))),
        None => span.ends_with(".lisp").then_some((span, None)),
    });
    named.collect()
}

#[test]
fn every_promise_names_tests_that_there_are() {
    let text = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|l| l.starts_with("| P")).collect();
    let numbers: Vec<String> = rows.iter().map(|l| l.split('|').nth(1).unwrap().trim().to_owned()).collect();
    assert_eq!(numbers, (1..=10).map(|n| format!("P{n}")).collect::<Vec<_>>());
    for row in rows {
        assert!(!tests_named(row).is_empty(), "no test proves {row}");
    }
    for (file, function) in tests_named(&text) {
        let code = std::fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let Some(function) = function else { continue };
        // A function, or a row of a table of tests.
        let there = code.lines().any(|l| {
            let l = l.trim_start();
            let rest = l.strip_prefix("fn ").unwrap_or(l).strip_prefix(function);
            rest.is_some_and(|r| r.starts_with('(') || r.starts_with(" \""))
        });
        assert!(there, "{file} has no test {function}");
    }
}

#[test]
fn programs_in_documents_run() {
    let (mut count, mut failed) = (0, Vec::new());
    for path in documents() {
        let (name, text) = named(&path);
        let (n, f) = failures(&text, &name);
        count += n;
        failed.extend(f);
    }
    assert!(count > 500, "only {count} expectations found");
    assert!(failed.is_empty(), "{} of {count} expectations failed:\n{}", failed.len(), failed.join("\n"));
}

/// Targets of `[words](target)` outside fences and code, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let (mut out, mut fenced) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        // Every other piece between backticks is code.
        let prose: String =
            if fenced { String::new() } else { line.split('`').step_by(2).collect::<Vec<_>>().join("`") };
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        out.extend(targets.map(|(target, _)| (i + 1, target.to_string())));
    }
    out
}

/// Names of the headings of a document, as links write them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|l| l.starts_with('#')).map(|l| l.trim_start_matches('#').trim().to_lowercase());
    let name =
        |h: String| h.replace(' ', "-").chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
    headings.map(name).collect()
}

#[test]
fn links_between_documents_lead_somewhere() {
    let (mut count, mut dead) = (0, Vec::new());
    for path in documents() {
        let (name, text) = named(&path);
        for (line, link) in links(&text).into_iter().filter(|l| !l.1.contains("://") && !l.1.starts_with("mailto:")) {
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let found = target.exists()
                && (anchor.is_empty()
                    || std::fs::read_to_string(&target).is_ok_and(|t| anchors(&t).iter().any(|a| a == anchor)));
            if !found {
                dead.push(format!("{name}:{line} ({link})"));
            }
        }
    }
    assert!(count > 3, "only {count} links found");
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

/// R-39: the page of tasks names every key, its whole tasks can be read, and warnings lead to it.
#[test]
fn the_page_of_tasks_is_whole() {
    let path = root().join("docs/tasks.md");
    let text = std::fs::read_to_string(&path).unwrap();
    for key in [
        "name",
        "description",
        "prompt",
        "system",
        "model",
        "max_turns",
        "expect",
        "expect_schema",
        "auto_summary_threshold",
        "honour_explicit_full",
        "warn_large_history",
        "order",
        "mode",
        "max_tokens",
        "history_retention",
        "content",
        "table_name",
        "database",
        "limit",
        "offset",
        "tool",
        "args",
        "task",
        "params",
        "value",
        "file",
    ] {
        assert!(text.contains(&format!("`{key}`")) || text.contains(&format!("{key} = ")), "{key}");
    }
    assert!(text.contains("\n### Retention\n"), "warnings name it");
    let mut whole = 0;
    for block in text.split("```toml\n").skip(1) {
        let block = block.split_once("```").unwrap().0;
        if block.contains("[task]") {
            ptc_agent::Task::parse(Path::new("shop"), "docs/tasks.md", block)
                .unwrap_or_else(|e| panic!("{e}\n{block}"));
            whole += 1;
        }
    }
    assert!(whole >= 2);
}

/// Tables of options are between markers, and are those of the rows that read them. `UPDATE_DOCS=1` writes them.
#[test]
fn the_tables_of_options_are_those_of_their_rows() {
    let mut left: BTreeMap<&str, String> = ptc_agent::task::options::option_tables().into_iter().collect();
    for page in ["docs/tasks.md", "docs/models.md", "docs/history.md", "docs/turns.md"] {
        let path = root().join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut now = String::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once("<!-- options: ") {
            let (name, behind) = behind.split_once(" -->\n").unwrap();
            let (_, behind) = behind.split_once("<!-- /options -->").unwrap();
            let table = left.remove(name).unwrap_or_else(|| panic!("{page}: no options of {name}"));
            now.push_str(&format!("{before}<!-- options: {name} -->\n\n{table}\n<!-- /options -->"));
            rest = behind;
        }
        now.push_str(rest);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &now).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap() == now,
            "{page} is stale: UPDATE_DOCS=1 cargo test -p ptc-tests docs::"
        );
    }
    assert!(left.is_empty(), "no page shows the options of {:?}", left.keys());
}

/// The page of the command line has a row for each exit code, and every key of a policy file about turns.
#[test]
fn the_page_of_the_command_line_is_whole() {
    use ptc_cli::{DONE, ENDED, FAILED, OUT_OF_TURNS, PENDING, REPLY_NOT_RUN, USAGE};
    let cli = std::fs::read_to_string(root().join("docs/cli.md")).unwrap();
    let rows = cli.lines().filter_map(|l| l.strip_prefix("| ")?.split(" | ").next()?.parse::<i32>().ok());
    assert_eq!(rows.collect::<Vec<_>>(), [DONE, FAILED, USAGE, OUT_OF_TURNS, ENDED, REPLY_NOT_RUN, PENDING]);
    // Kinds of errors that keep a run from returning.
    use ptc_agent::{ErrorKind as K, ModelErrorKind};
    let model = K::Model { reason: ModelErrorKind::Other, status: None, tries: 0 };
    for kind in [K::Failed, K::OutOfTurns, K::Cancelled, model, K::Budget, K::History, K::Act, K::Trace, K::Pending]
        .into_iter()
        .chain([K::Replay, K::Runtime, K::Usage])
    {
        let row = format!("\n| `{}` | ", kind.run_error());
        assert!(cli.contains(&row), "docs/cli.md has no row for {kind:?}, {row}");
    }
    for key in ptc_turns::policy::keys() {
        assert!(cli.contains(&format!("`{key}`")), "docs/cli.md does not name {key}");
    }
}
