//! What a model is sent is what is said of it: sizes, `ptc messages`, warnings.

use crate::common::{Folder, Server, all, ptc, ptc_in, said};
use serde_json::Value;

/// A task of a model that answers six turns, the last of which returns; its path.
fn task(f: &Folder, history: &str) -> String {
    let text = format!(
        "[task]\nname = \"t\"\nprompt = \"Count.\"\nmodel = \"openai/m\"\nmax_turns = 12\n[history]\n{history}\n"
    );
    f.file("task/task.toml", &text)
}

fn server() -> Server {
    Server::new(|n, _| {
        Ok(match n {
            9 => "(return a1)".to_owned(),
            4 => "(oops)".to_owned(),
            _ => format!(
                "I define.\n```clojure\n(def a{n} \"Number {n}\" (vec (range {n})))\n(println \"printed\" {n} (range 30))\n```"
            ),
        })
    })
}

const POLICIES: [&str; 9] = [
    "",
    "compress_history = true",
    "compress_history = true\nerror_retention = \"until_recovered\"",
    "compress_history = true\nlayout = \"coalesced\"",
    "strategy = \"auto\"\nbatch_turns = 2",
    "strategy = \"sliding_window\"\nmax_messages = 6",
    "strategy = \"last_n_messages\"\nlast_messages = 4\nmin_messages = 4",
    "max_history_size = 7",
    "strategy = \"from_timestamp\"\nmax_age_ms = 0\nmin_messages = 2",
];

/// The texts of each request, and what `ptc messages` says was sent.
#[test]
fn messages_are_byte_for_byte_what_the_run_sent() {
    let f = Folder::new("sent");
    for (i, policy) in POLICIES.iter().enumerate() {
        for option in [&[][..], &["--compress"], &["--no-compress"]] {
            let server = server();
            let trace = f.path(&format!("t{i}{}.jsonl", option.concat()));
            let task = task(&f, policy);
            let args = [&["run", task.as_str(), "--trace", trace.as_str()], option].concat();
            let did = ptc_in(&args, "", server.around());
            assert_eq!(did.code, 0, "{policy} {option:?}: {}", did.err);
            let asked = server.asked();
            assert_eq!(asked.len(), 10);
            // A trace that was recorded in full, shown as the option says, is what a run with the option sends.
            let plain = f.path(&format!("plain{i}.jsonl"));
            if option.is_empty() {
                std::fs::copy(&trace, &plain).unwrap();
            }
            for (k, request) in asked.iter().enumerate().step_by(if all() { 1 } else { 3 }) {
                let turn = (k + 1).to_string();
                let shown = |args: &[&str]| -> Value {
                    let did = ptc(&[&["messages"], args, &["--turn", &turn, "--json"]].concat());
                    assert_eq!(did.code, 0, "{}", did.err);
                    serde_json::from_str(&did.out).unwrap()
                };
                let sent = said(&request["messages"]);
                assert_eq!(said(&shown(&[&trace])), sent, "{policy} {option:?} before turn {turn}");
                let other = [&[plain.as_str()], option].concat();
                if !policy.contains("from_timestamp") || option == ["--no-compress"] {
                    assert_eq!(said(&shown(&other)), sent, "{policy} {option:?} over the plain trace, turn {turn}");
                }
            }
        }
    }
}

#[test]
fn no_compress_shows_the_full_history_whatever_the_policy() {
    let f = Folder::new("full");
    let mut all: Vec<Vec<Vec<(String, String)>>> = Vec::new();
    for policy in POLICIES {
        let server = server();
        let did = ptc_in(&["run", &task(&f, policy), "--no-compress"], "", server.around());
        assert_eq!(did.code, 0, "{}", did.err);
        all.push(server.asked().iter().map(|r| said(&r["messages"])).collect());
    }
    for other in &all[1..] {
        assert_eq!(*other, all[0]);
    }
    assert_eq!(all[0].last().unwrap().len(), 2 + 2 * 9);
}

/// `next prompt` and the line of `-v` have the number of characters that were sent.
#[test]
fn sizes_are_those_of_what_is_sent() {
    let f = Folder::new("sizes");
    for policy in POLICIES {
        let server = server();
        let trace = f.path("t.jsonl");
        let _ = std::fs::remove_file(&trace);
        let did = ptc_in(&["run", &task(&f, policy), "--trace", &trace, "-v"], "", server.around());
        assert_eq!(did.code, 0, "{}", did.err);
        let size = |r: &Value| said(&r["messages"]).iter().map(|m| m.1.chars().count()).sum::<usize>();
        let sent: Vec<usize> = server.asked().iter().map(size).collect();
        let next: Vec<&str> = did.err.lines().filter_map(|l| l.trim().strip_prefix("next prompt: ")).collect();
        let expected: Vec<String> = sent[1..].iter().map(|n| format!("{n} characters; ")).collect();
        assert!(
            next.len() == expected.len() && next.iter().zip(&expected).all(|(a, b)| a.starts_with(b)),
            "{policy}: {next:?} {expected:?}"
        );
        let context = |text: &str| -> Vec<String> {
            text.lines().filter_map(|l| l.trim().strip_prefix("LLM Context: ")).map(str::to_owned).collect()
        };
        let lines = context(&did.err);
        assert_eq!(lines.len(), 10);
        for (k, (line, sent)) in lines.iter().zip(&sent).enumerate() {
            let (full, rest) = line.split_once(" -> ").unwrap();
            let full: usize = full.parse().unwrap();
            let percent = sent * 10_000 / full;
            let (count, percents) = rest.split_once(" chars (").unwrap();
            assert_eq!(count.parse(), Ok(*sent));
            let told: f64 = percents.strip_suffix("%)").unwrap().parse().unwrap();
            assert!((told - percent as f64 / 100.0).abs() < 0.02, "{line}");
            let shown = ptc(&["messages", &trace, "--turn", &(k + 1).to_string(), "-v"]);
            assert_eq!(context(&shown.err), std::slice::from_ref(line), "{policy}, turn {}", k + 1);
        }
    }
    // Without -v the line is not there.
    let did = ptc_in(&["run", &task(&f, "")], "", server().around());
    assert!(!did.err.contains("LLM Context"), "{}", did.err);
}

/// What a run warns of, `ptc messages` warns of for the same turn.
#[test]
fn messages_warn_as_the_run_did() {
    let f = Folder::new("warned");
    let batch = "strategy = \"batch\"\nmin_preserved_assistant_messages = 1\nbatch_size = 1";
    f.file("task/long.txt", &"words of an input that is large\n".repeat(400));
    f.file("task/r.md", "## Turn 1\nSeen.\n## Turn 2\nDone.\n");
    let input = |act: &str, more: &str| format!("[acts.{act}]\nmode = \"text\"\n[[acts.{act}.input]]\n{more}\n");
    let acts = format!(
        "\n[toc]\norder = [\"a\", \"b\"]\n{}{}",
        input("a", "type = \"file\"\nfile = \"long.txt\""),
        input("b", "type = \"text\"\ncontent = \"And?\"")
    );
    for (policy, turns, words) in [(batch, 10, "recap"), (acts.as_str(), 2, "auto_summary_threshold")] {
        let trace = f.path("t.jsonl");
        let _ = std::fs::remove_file(&trace);
        let task = task(&f, policy);
        let recorded = format!("replay:{}", f.path("task/r.md"));
        let model = if turns == 2 { recorded.as_str() } else { "openai/m" };
        let did = ptc_in(&["run", &task, "--trace", &trace, "--model", model], "", server().around());
        assert_eq!(did.code, 0, "{}", did.err);
        let warnings = |text: &str| -> Vec<String> {
            text.lines().filter(|l| l.starts_with("warning: ")).map(str::to_owned).collect()
        };
        let mut told = Vec::new();
        for k in 1..=turns {
            for w in warnings(&ptc(&["messages", &trace, "--turn", &k.to_string()]).err) {
                if !told.contains(&w) {
                    told.push(w);
                }
            }
        }
        assert_eq!(told, warnings(&did.err), "{policy}");
        assert!(told.iter().any(|w| w.contains(words)), "{policy}: {told:?}");
    }
}
