//! What the README shows is what comes: its commands run, its outputs are those that they print.

use ptc_tests::cli::{Folder, ptc, ptc_in, ptc_with, task};
use ptc_tests::markdown::folder;
use serde_json::{Value, json};

fn readme() -> String {
    std::fs::read_to_string(folder("../README.md")).unwrap()
}

/// The fenced text behind these words.
fn fence(text: &str, behind: &str) -> String {
    let rest = text.split_once(behind).unwrap_or_else(|| panic!("no {behind:?}")).1;
    let block = rest.split_once("```").unwrap().1;
    block.split_once('\n').unwrap().1.split_once("```").unwrap().0.to_owned()
}

/// The words of a command as a shell splits them: single quotes keep words together.
fn words(command: &str) -> Vec<String> {
    let (mut all, mut open) = (vec![String::new()], false);
    for c in command.chars() {
        match c {
            '\'' => open = !open,
            ' ' if !open => all.push(String::new()),
            c => all.last_mut().unwrap().push(c),
        }
    }
    all.retain(|w| !w.is_empty());
    all
}

#[test]
fn the_first_example_ends_as_it_is_shown() {
    let text = readme();
    let reviews = task("reviews").display().to_string();
    let f = Folder::new("readme-first").unwrap();
    let trace = f.path("t.jsonl");
    // On a terminal of 80 columns.
    let around = ptc_cli::CliContext { live: true, columns: Some(80), width: Some(80), ..Default::default() };
    let did = ptc_in(&["run", &reviews, "--trace", &trace], "", around);
    // Without the styles of a terminal.
    let mut pieces = did.err.split('\u{1b}');
    let mut printed = pieces.next().unwrap_or_default().to_owned();
    printed.extend(pieces.map(|p| p.split_once('m').unwrap().1));
    printed.push_str(&did.out);
    // How long a call took differs.
    let timeless = |l: &str| l.rsplit_once(" · ").map_or(l, |(call, _)| call).to_owned();
    let mut rest = printed.lines().map(timeless);
    for line in fence(&text, "progress on stderr").lines().filter(|l| l.trim() != "...").map(timeless) {
        assert!(rest.any(|l| l == line), "{line:?} is not in its place:\n{printed}");
    }
    let shown = ptc(&["messages", &trace, "--turn", "2"]).out;
    let summary = fence(&text, "not as its program but as");
    assert!(shown.contains(&format!("[ASSISTANT]\n{summary}")), "{shown}");
}

/// The runs of examples/played are read without a model, all their answers are right, and the table is the one shown.
#[test]
fn what_was_played_is_compared_as_it_is_shown() {
    let examples = folder("../examples");
    let text = std::fs::read_to_string(examples.join("quality/README.md")).unwrap();
    let mut tasks: Vec<String> = std::fs::read_dir(examples.join("quality"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("task.toml").exists())
        .map(|path| path.display().to_string())
        .collect();
    tasks.sort();
    let place = |name: &str| examples.join(name).display().to_string();
    let (none, summaries, played) = (place("played/none-long.toml"), place("played/summaries.toml"), place("played"));
    let mut args: Vec<&str> = vec!["compare"];
    args.extend(tasks.iter().map(String::as_str));
    args.extend(["--policy", &none, "--policy", &summaries, "--out", &played]);
    let did = ptc(&args);
    assert_eq!(did.code, 0, "{}", did.err);
    for line in fence(&text, "## What was played").lines().filter(|l| !l.starts_with('$')) {
        assert!(did.out.lines().any(|l| l == line), "{line:?} is not in\n{}", did.out);
    }
    assert_eq!(did.out.matches("28 of 28").count(), 2, "{}", did.out);
}

#[test]
fn commands_at_the_terminal_do_what_stands_beside_them() {
    let f = Folder::new("readme").unwrap();
    let talk =
        json!({"id": "a", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]});
    std::fs::write(f.path("talks.jsonl"), talk.to_string()).unwrap();
    let request = json!({"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi"}]});
    std::fs::write(f.path("request.json"), request.to_string()).unwrap();
    let place = |word: &str| match word {
        "t.jsonl" | "t.html" | "talks.jsonl" | "request.json" => f.path(word),
        w if w.starts_with("examples/") => folder("..").join(w).display().to_string(),
        w => w.to_owned(),
    };
    let mut claims = 0;
    for line in fence(&readme(), "## At the terminal").lines() {
        let (command, says) = line.split_once(" # ").map(|(c, s)| (c.trim(), s.trim())).unwrap_or((line.trim(), ""));
        let mut args: Vec<String> = words(command).iter().skip(1).map(|w| place(w)).collect();
        if args[0] == "step" {
            // A session of its own: the one above has ended.
            args[1] = f.path("s.jsonl");
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let did = if args[0] == "step" { ptc_with(&args, "(def x 1)") } else { ptc(&args) };
        let failed = args.contains(&"--json") && args[0] == "eval";
        assert_eq!(
            (did.code, did.out.is_empty()),
            (i32::from(failed), args.contains(&"--report")),
            "{command}: {}",
            did.err
        );
        match says {
            "errors as data, with a hint" => {
                let line: Value = serde_json::from_str(&did.out).unwrap();
                let error = &line["error"];
                assert!(error["kind"].is_string() && error["hint"].is_string(), "{command}: {line}");
                claims += 1;
            }
            "(2 3 4)" => {
                assert_eq!(did.out, "(2 3 4)\n");
                claims += 1;
            }
            _ => {}
        }
    }
    assert_eq!(claims, 2, "a claim of the README is not looked at any more");
}
