//! `ptc init`, `docs`, `completions`, `man` and `--version`.

use crate::common::{Folder, ptc};

#[test]
fn what_init_writes_runs_and_is_right() {
    let f = Folder::new("init");
    let dir = f.path("report");
    let did = ptc(&["init", &dir]);
    assert!(did.code == 0 && did.err.contains(&format!("now: ptc run {dir}\n")), "{did:?}");
    let did = ptc(&["check", &dir]);
    assert_eq!(did.code, 0, "{did:?}");
    let did = ptc(&["run", &dir]);
    let expected =
        "[{:customer \"Cleo\", :total 352.0} {:customer \"Eve\", :total 180.1} {:customer \"Ben\", :total 179.9}]\n";
    assert_eq!((did.code, did.out.as_str()), (0, expected), "{}", did.err);
    assert!(did.err.contains("returned after 2 turns"), "{}", did.err);
    // Nothing is written over.
    let did = ptc(&["init", &dir]);
    assert!(did.code == 2 && did.err.contains("the folder is not empty; name a new one"), "{did:?}");
    let file = f.file("file", "x");
    let did = ptc(&["init", &file]);
    assert!(did.code == 2 && did.err.contains("there is a file of that name; name a new folder"), "{did:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "x");
    // An empty folder is as good as none.
    std::fs::create_dir(f.0.join("empty")).unwrap();
    assert_eq!(ptc(&["init", &f.path("empty")]).code, 0);
}

#[test]
fn what_init_comments_out_may_be_taken_in() {
    let f = Folder::new("init-all");
    assert_eq!(ptc(&["init", &f.path("all")]).code, 0);
    let text = std::fs::read_to_string(f.path("all/task.toml")).unwrap();
    let on = |l: &str| l.strip_prefix('#').filter(|r| !r.starts_with(' ')).unwrap_or(l).to_owned() + "\n";
    let all: String = text.lines().map(on).collect();
    let sections = ["task", "context.orders", "context.settings", "tools.search", "mcp.tickets", "agents.helper"];
    for section in sections.iter().chain(&["model", "history", "summarizer", "limits"]) {
        assert!(all.contains(&format!("\n[{section}]\n")), "{section}: {all}");
    }
    f.file("all/task.toml", &all);
    // What stands there is made up; all else is right.
    f.file("helper/task.toml", "[task]\nprompt = \"Help\"\nmodel = \"replay:r.md\"\n");
    f.file("helper/r.md", "## Turn 1\n(return 1)\n");
    let did = ptc(&["check", &f.path("all")]);
    for line in did.out.lines() {
        assert!(line.contains("./search.py") || line.contains("OPENAI_API_KEY"), "{line}");
    }
    assert!(did.out.contains("./search.py") && did.code == 1, "{did:?}");
}

#[test]
fn every_example_runs_where_it_is_written() {
    let f = Folder::new("init-examples");
    let list = ptc(&["init", "--list"]).out;
    assert_eq!(list.lines().count(), 3, "{list}");
    for line in list.lines() {
        let (name, about) = line.split_once(' ').unwrap();
        assert!(about.trim().len() > 10, "{line}");
        let dir = f.path(name);
        assert_eq!(ptc(&["init", "--example", name, &dir]).code, 0);
        assert_eq!(ptc(&["check", &dir]).code, 0, "{name}");
        let did = ptc(&["run", &dir]);
        assert!(did.code == 0 && !did.out.is_empty(), "{name}: {did:?}");
    }
    let did = ptc(&["init", "--example", "reveiws", &f.path("x")]);
    assert!(did.code == 2 && did.err.contains("there is no example \"reveiws\"; did you mean reviews?"), "{did:?}");
    assert!(!f.0.join("x").exists());
    let did = ptc(&["init"]);
    assert!(did.code == 2 && did.err.contains("<DIR>"), "{did:?}");
}

#[test]
fn pages_of_the_documentation_are_in_the_binary() {
    let list = ptc(&["docs"]).out;
    for page in ["cli", "functions", "history", "language", "models", "security", "tasks", "tools", "turns"] {
        assert!(list.lines().any(|l| l.split_whitespace().next() == Some(page)), "{page}: {list}");
    }
    assert!(!list.contains("architecture"), "{list}");
    let did = ptc(&["docs", "tasks"]);
    assert!(did.code == 0 && did.out.starts_with("# Tasks") && did.out.contains("`ptc doc tools`"), "{}", did.out);
    assert_eq!(ptc(&["docs", "docs/tasks.md"]).out, did.out);
    // So is the interface of the library, declarations as they are.
    let did = ptc(&["docs", "api"]);
    assert!(
        did.code == 0 && did.out.contains("\n    pub fn follow_up(&mut self, question: &str, max_turns: u64)"),
        "{}",
        did.out
    );
    let part = ptc(&["docs", "api#ptcact"]).out;
    assert!(
        part.starts_with("## ptc::Act\n") && part.contains("pub struct Act {") && !part.contains("\n## "),
        "{part}"
    );
    // Each link that a page shows leads somewhere.
    let pages: Vec<String> =
        list.lines().take_while(|l| !l.is_empty()).map(|l| l.split_whitespace().next().unwrap().to_owned()).collect();
    let mut links = 0;
    for page in &pages {
        let text = ptc(&["docs", page]).out;
        for link in text.split("`ptc doc ").skip(1).filter_map(|rest| rest.split('`').next()) {
            if link.contains(['[', ' ', '.']) || link.contains("PAGE") {
                continue;
            }
            links += 1;
            assert_eq!(ptc(&["docs", link]).code, 0, "{page}: ptc doc {link}");
        }
    }
    assert!(links > 60, "{links}");
    let did = ptc(&["docs", "tasks#acts"]);
    assert!(did.out.starts_with("## Acts\n") && !did.out.contains("\n## "), "{}", did.out);
    let did = ptc(&["docs", "taks"]);
    assert!(did.code == 1 && did.err.contains("no function or page is called taks; did you mean tasks?"), "{did:?}");
    let did = ptc(&["docs", "tasks#atcs"]);
    assert!(did.code == 1 && did.err.contains("tasks has no part atcs; did you mean tasks#acts?"), "{did:?}");
    // The same command by its other name; a page and a function of one name.
    assert_eq!(ptc(&["doc", "tasks"]).out, ptc(&["docs", "tasks"]).out);
    let did = ptc(&["doc", "compare"]);
    assert!(did.out.starts_with("compare\n") && did.err == "compare is a page too: ptc doc compare.md\n", "{did:?}");
    assert!(ptc(&["doc", "compare.md"]).out.starts_with("# "));
}

#[test]
fn the_documentation_is_searched() {
    let did = ptc(&["docs", "search", "inputs", "of", "PROGRAMS"]);
    assert!(did.code == 0 && did.out.starts_with("ptc doc tasks#inputs-of-programs\n    "), "{}", did.out);
    for line in did.out.lines().filter(|l| l.starts_with("ptc doc ")) {
        assert_eq!(ptc(&["docs", line.strip_prefix("ptc doc ").unwrap()]).code, 0, "{line}");
    }
    let did = ptc(&["docs", "search", "xyzzy\u{202e}"]);
    assert!(did.code == 1 && did.err.contains("no part of the documentation has xyzzy\\u{202e}"), "{did:?}");
    // Words that name nothing are searched for.
    assert_eq!(ptc(&["doc", "inputs", "of", "PROGRAMS"]).out, ptc(&["docs", "search", "inputs", "of", "PROGRAMS"]).out);
    assert!(ptc(&["doc", "landlock"]).out.starts_with("ptc doc "));
    assert_eq!(ptc(&["docs", "search"]).code, 2);
    let did = ptc(&["docs", "search", "the"]);
    assert!(did.err.contains(" more; add a word"), "{}", did.err);
}

#[test]
fn no_message_points_to_a_file_that_an_installed_ptc_has_not() {
    for command in [
        "",
        "ask",
        "run",
        "check",
        "compare",
        "step",
        "approve",
        "eval",
        "messages",
        "history",
        "trace",
        "tokens",
        "doc",
        "docs",
        "init",
        "config",
        "completions",
        "man",
    ] {
        let args: Vec<&str> = [command, "--help"].into_iter().filter(|a| !a.is_empty()).collect();
        let did = ptc(&args);
        assert!(did.code == 0 && !did.out.contains("docs/"), "{command}: {}", did.out);
    }
}

#[test]
fn the_list_of_commands_is_grouped_and_complete() {
    let help = ptc(&["--help"]).out;
    let part = |heading: &str| {
        let (_, rest) = help.split_once(&format!("\n{heading}:\n")).unwrap_or_else(|| panic!("{heading}: {help}"));
        let list = rest.split("\n\n").next().unwrap();
        list.lines().map(|l| l.split_whitespace().next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut listed: Vec<String> = ["Everyday", "Inspect", "Serve", "More"].into_iter().flat_map(part).collect();
    listed.sort();
    // What clap knows of is what the manual has a page for.
    let folder = Folder::new("man-of-all");
    let pages = folder.path("pages");
    ptc(&["man", "--out", &pages]);
    let mut known: Vec<String> = std::fs::read_dir(&pages)
        .unwrap()
        .filter_map(|e| Some(e.unwrap().file_name().to_str()?.strip_prefix("ptc-")?.strip_suffix(".1")?.to_owned()))
        .filter(|name| !name.contains('-'))
        .chain(["help".to_owned()])
        .collect();
    known.sort();
    assert_eq!(listed, known);
    for line in help.lines().filter(|l| l.starts_with("  ") && !l.contains("--")) {
        assert!(line.len() <= 86, "longer than 70 characters beside the name: {line}");
    }
}

#[test]
fn commands_of_the_front_have_examples_and_exit_codes() {
    for command in ["ask", "run", "docs", "init", "config", "completions", "man"] {
        let help = ptc(&[command, "--help"]).out;
        assert!(help.contains("Examples:") && help.contains("Exit codes"), "{command}: {help}");
    }
}

#[test]
fn shells_and_manuals_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let did = ptc(&["completions", shell]);
        assert!(did.code == 0 && did.out.contains("compare") && did.out.contains("max-turns"), "{shell}: {}", did.out);
    }
    // What help does not name is not offered: more arguments of `ptc ask`, --markdown of `ptc doc`, workers.
    let part = |text: &str, begin: &str, end: &str| {
        let at = text.find(begin).unwrap_or_else(|| panic!("{begin}: {text}"));
        let rest = &text[at..];
        rest[..rest[begin.len()..].find(end).map_or(rest.len(), |n| n + begin.len())].to_owned()
    };
    for (shell, ask, doc, end) in [
        ("bash", "ptc__subcmd__ask)", "ptc__subcmd__doc)", ";;\n        ptc__"),
        ("zsh", "(ask)", "(doc)", "\n;;"),
        ("powershell", "'ptc;ask'", "'ptc;doc'", "break"),
        ("elvish", "&'ptc;ask'", "&'ptc;doc'", "}"),
    ] {
        let script = ptc(&["completions", shell]).out;
        assert!(!script.contains("__worker"), "{shell}");
        let (ask, doc) = (part(&script, ask, end), part(&script, doc, end));
        assert!(ask.contains("--continue") && !ask.contains("more --"), "{shell}: {ask}");
        assert!(doc.contains("--task") && !doc.contains("--markdown"), "{shell}: {doc}");
    }
    let fish = ptc(&["completions", "fish"]).out;
    let has = |what: &str| fish.contains(&format!("__fish_ptc_using_subcommand {what} "));
    assert!(has("doc\" -l task") && !has("doc\" -l markdown") && !fish.contains("__worker"), "{fish}");
    let did = ptc(&["completions", "csh"]);
    assert!(did.code == 2 && did.err.lines().count() == 1 && did.err.contains("bash"), "{did:?}");
    let did = ptc(&["man", "history", "report"]);
    assert!(did.code == 0 && did.out.contains(".TH ptc-history-report 1") && did.out.contains("price"), "{}", did.out);
    let did = ptc(&["man", "rnu"]);
    assert!(did.code == 2 && did.err.contains("there is no command rnu; did you mean run?"), "{did:?}");
    assert_eq!(ptc(&["man", "__worker"]).code, 2);
    let f = Folder::new("man");
    let dir = f.path("man1");
    let did = ptc(&["man", "--out", &dir]);
    assert_eq!(did.code, 0, "{did:?}");
    let pages: Vec<String> =
        std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    for page in ["ptc.1", "ptc-run.1", "ptc-ask.1", "ptc-history-report.1"] {
        assert!(pages.contains(&page.to_owned()), "{page}: {pages:?}");
    }
    assert!(!pages.iter().any(|p| p.contains("worker")), "{pages:?}");
}

#[test]
fn the_version_is_one_line() {
    let did = ptc(&["--version"]);
    assert!(did.code == 0 && did.out.starts_with("ptc 0.") && did.out.lines().count() == 1, "{did:?}");
}
