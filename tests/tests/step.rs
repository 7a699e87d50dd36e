//! The reviews task driven from outside, one reply a command, and what can be seen of it afterwards.

use ptc_agent::ReplayModel;
use ptc_tests::cli::{Folder, ptc, ptc_with, task, timeless};

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn replies_of(name: &str) -> Vec<String> {
    ReplayModel::load(&task(name).join("replies.md")).unwrap().replies().to_vec()
}

fn replies() -> Vec<String> {
    replies_of("reviews")
}

/// The reviews task, run; the path of its trace.
fn ran(folder: &Folder) -> String {
    let trace = folder.path("ran.jsonl");
    let did = ptc(&["run", &task("reviews").display().to_string(), "--trace", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "[\"Laptop\" \"Keyboard\"]\n"), "{}", did.err);
    trace
}

fn messages(trace: &str, more: &[&str]) -> String {
    let did = ptc(&[&["messages", trace], more].concat());
    assert_eq!((did.code, did.err.as_str()), (0, ""));
    did.out
}

#[test]
fn one_reply_a_command_gives_the_trace_and_the_prompts_of_a_run() {
    same_by_steps("reviews", &["ok", "ok", "returned"]);
}

#[test]
fn so_it_does_where_turns_fail() {
    same_by_steps("recovery", &["ok", "error", "ok", "error", "ok", "returned"]);
}

fn same_by_steps(name: &str, statuses: &[&str]) {
    let folder = Folder::new(&format!("step-{name}")).unwrap();
    let (ran, stepped, task) =
        (folder.path("ran.jsonl"), folder.path("stepped.jsonl"), task(name).display().to_string());
    assert_eq!(ptc(&["run", &task, "--trace", &ran]).code, 0);
    let began = ptc(&["step", &stepped, "--task", &task]);
    assert_eq!((began.code, began.out.as_str()), (0, ""), "{}", began.err);
    let replies = replies_of(name);
    assert_eq!(replies.len(), statuses.len());
    for (k, (reply, status)) in (1..).zip(replies.iter().zip(statuses)) {
        // The prompt that the harness would send now is the one the run sent then.
        assert_eq!(messages(&stepped, &["--json"]), messages(&ran, &["--json", "--turn", &format!("{k}")]));
        let did = ptc_with(&["step", &stepped, "--json", "-"], reply);
        assert_eq!(did.code, 0, "{}", did.err);
        let line: serde_json::Value = serde_json::from_str(&did.out).unwrap();
        assert_eq!((line["turn"].as_u64(), line["status"].as_str()), (Some(k), Some(*status)));
        assert_eq!(line["ended"], *status == "returned");
    }
    assert_eq!(timeless(&read(&stepped)).unwrap(), timeless(&read(&ran)).unwrap());
    for k in 1..=replies.len() + 1 {
        for how in ["--compress", "--no-compress"] {
            let of = |trace| messages(trace, &[how, "--turn", &k.to_string()]);
            assert_eq!(of(&stepped), of(&ran), "{how} {k}");
        }
    }
    let did = ptc_with(&["step", &stepped], "(return 1)");
    assert_eq!((did.code, did.out.as_str()), (4, ""), "{}", did.err);
}

#[test]
fn the_prompts_hold_the_lines_of_the_seed() {
    let folder = Folder::new("lines").unwrap();
    let trace = ran(&folder);
    let second = messages(&trace, &["--compress", "--turn", "2"]);
    let expected = "[USER]\nFind well-reviewed products in stock\n\n\
        [ASSISTANT]\n\
        ; Defined: electronics = list[4], sample: %{name: \"Laptop\", price: 1200, ...}\n\
        ; Defined: reviews = string, sample: \"Customer Review Summary for Elec...\"\n\
        ; Defined: inventory = string, sample: \"Warehouse Inventory Report (as o...\"\n\n\
        [USER]\nTurn 2 of 5\n\n";
    assert!(second.ends_with(expected), "{second}");
    let third = messages(&trace, &["--compress", "--turn", "3"]);
    let expected = "[ASSISTANT]\n\
        ; Function: ratings [text] - \"Average rating by product name, from a review summary\"\n\
        ; Defined: rated - \"Average rating by product name\"\n\
        ; Defined: stock - \"Units in stock by product name; what is sold out is absent\"\n\
        ; Output:\n\
        Laptop costs 1200 - rating 4.5 - units 23\n\
        Mouse costs 25 - rating 3.2 - units 0\n\
        Monitor costs 400 - rating 4.7 - units 0\n\
        Keyboard costs 89 - rating 4.3 - units 61\n\n\
        [USER]\nTurn 3 of 5\n\n";
    assert!(third.ends_with(expected), "{third}");
    // Before turn 3 the first turn is as it was, and no program is left.
    let turns = third.strip_prefix(&second).unwrap();
    assert!(!turns.contains("```") && !second.split_once("[USER]").unwrap().1.contains("```"), "{third}");
}

#[test]
fn nothing_is_lost_uncompressed_or_in_the_trace() {
    let folder = Folder::new("whole").unwrap();
    let trace = ran(&folder);
    let full = messages(&trace, &["--no-compress"]);
    for reply in replies() {
        assert!(full.contains(&format!("[ASSISTANT]\n{reply}\n\n")), "{reply}\n{full}");
    }
    let programs = |trace: &str| -> Vec<String> {
        let did = ptc(&["trace", trace, "--json"]);
        assert_eq!(did.code, 0, "{}", did.err);
        let turns: Vec<serde_json::Value> = serde_json::from_str(&did.out).unwrap();
        turns.iter().map(|t| t["program"].as_str().unwrap().to_owned()).collect()
    };
    let all = programs(&trace);
    assert_eq!(all.len(), 3);
    for (program, reply) in all.iter().zip(replies()) {
        assert!(
            !program.is_empty() && reply.contains(&format!("```clojure\n{}\n```", program.trim_end())),
            "{program}"
        );
    }
    // Whatever policy the run used.
    let task = task("reviews").display().to_string();
    for how in ["--compress", "--no-compress"] {
        let other = folder.path(&format!("other{how}.jsonl"));
        assert_eq!(ptc(&["run", &task, how, "--trace", &other]).code, 0);
        assert_eq!(programs(&other), all);
        let did = ptc(&["trace", &other]);
        for part in [
            "search-reviews {\"category\":\"Electronics\"} -> ",
            "get-inventory {} -> ",
            "Laptop costs 1200 - rating 4.5",
        ] {
            assert!(did.out.contains(part), "{part}\n{}", did.out);
        }
    }
}

#[test]
fn a_torn_last_line_is_told_and_the_rest_is_there() {
    let folder = Folder::new("torn").unwrap();
    let whole = read(&ran(&folder));
    let torn = folder.path("torn.jsonl");
    std::fs::write(&torn, &whole[..whole.len() - 100]).unwrap();
    let told = format!("line {} is torn", whole.lines().count());
    for command in ["messages", "trace"] {
        let did = ptc(&[command, &torn]);
        assert_eq!(did.code, 0, "{}", did.err);
        assert!(did.err.contains(&told), "{}", did.err);
    }
    assert!(ptc(&["messages", &torn, "--compress"]).out.ends_with("[USER]\nTurn 3 of 5\n\n"));
    // The turn is taken once more, and the file is whole again.
    let did = ptc_with(&["step", &torn], &replies()[2]);
    assert_eq!((did.code, did.out.as_str()), (0, "=> [\"Laptop\" \"Keyboard\"]\n"), "{}", did.err);
    assert!(did.err.contains(&told), "{}", did.err);
    assert_eq!(timeless(&read(&torn)).unwrap(), timeless(&whole).unwrap());
    assert_eq!(ptc(&["trace", &torn, "--json"]).err, "");
}
