//! `ptc config`, and what a configuration does to runs.

use crate::common::{Did, Folder, ptc_in};
use ptc_cli::{CliContext, ConfigFile};
use serde_json::Value;

/// `ptc ARGS` with this configuration and these variables.
fn with(f: &Folder, config: &str, variables: &[(&str, &str)], args: &[&str]) -> Did {
    let config = ConfigFile::Named(f.file("config.toml", config).into());
    ptc_in(args, "", CliContext { config, environment: variables.iter().copied().collect(), ..Default::default() })
}

#[test]
fn a_run_takes_what_neither_task_nor_arguments_say() {
    let f = Folder::new("config");
    let task = f.task();
    let text = "max_turns = 2\n[limits]\nfuel = 777777\nwall_ms = 5555\n[history]\ncompress_history = false\n";
    let header = |trace: &str| -> Value {
        serde_json::from_str(std::fs::read_to_string(trace).unwrap().lines().next().unwrap()).unwrap()
    };
    let trace = f.path("a.jsonl");
    let did = with(&f, text, &[], &["run", &task, "--trace", &trace, "--set", "limits.fuel=888888"]);
    assert_eq!(did.code, 0, "{did:?}");
    let said = header(&trace).to_string();
    assert!(said.contains("\"fuel\":888888") && said.contains("\"wall_ms\":5555"), "{said}");
    // The task says max_turns = 4 itself.
    assert!(said.contains("\"compress_history\":false") && said.contains("\"max_turns\":4"), "{said}");
    let trace = f.path("b.jsonl");
    let did = with(&f, text, &[], &["run", &task, "--trace", &trace, "--no-config"]);
    let said = header(&trace).to_string();
    assert!(did.code == 0 && !said.contains("5555") && said.contains("\"compress_history\":true"), "{said}");
}

#[test]
fn its_model_and_keys_are_asked() {
    let f = Folder::new("config-model");
    let server = crate::common::Server::new(|_, _| Ok("(return 5)".into()));
    let text = "model = \"openai/m\"\n[keys]\nopenai = \"WORK_API_KEY\"\n";
    let url = [("OPENAI_BASE_URL", server.url.as_str()), ("WORK_API_KEY", "k")];
    let did = with(&f, text, &url, &["ask", "q"]);
    assert_eq!((did.code, did.out.as_str()), (0, "5\n"), "{}", did.err);
    assert_eq!(server.asked()[0]["model"], "m");
    // A key that is not there is said, and no other one is used.
    let did = with(&f, text, &[("OPENAI_API_KEY", "own")], &["ask", "q"]);
    let words = "WORK_API_KEY is not set, which the configuration names for keys of openai\n";
    assert!(
        did.code == 2
            && did.err.contains(words)
            && did.err.contains("openai/m needs a key; set WORK_API_KEY, or run without a model: --model replay:FILE"),
        "{did:?}"
    );
    let did = with(&f, "[keys]\nopenai = \"WORK_API_KEY\"\n", &[("OPENAI_API_KEY", "own")], &["ask", "q"]);
    assert!(did.code == 2 && did.err.contains("no key is set (WORK_API_KEY, ANTHROPIC_API_KEY"), "{did:?}");
    let asks = f.file("asks/task.toml", "[task]\nprompt = \"p\"\nmodel = \"openai/m\"\n");
    let did = with(&f, text, &[("OPENAI_API_KEY", "own")], &["check", &asks]);
    assert!(did.code == 1 && did.out.contains("needs a key; set WORK_API_KEY"), "{did:?}");
    // A task's own model counts.
    let task = f.task();
    let did = with(&f, text, &url, &["run", &task]);
    assert_eq!((did.code, server.asked().len()), (0, 1), "{}", did.err);
}

#[test]
fn what_counts_is_shown_with_where_it_comes_from() {
    let f = Folder::new("config-show");
    let text = "model = \"ollama/a\\u202eb\"\n";
    let did = with(&f, text, &[], &["config"]);
    assert!(did.code == 2 && did.err.contains("config.toml:1: model has letters that cannot be seen"), "{did:?}");
    let text = "model = \"ollama/qwen3\"\n[limits]\nfuel = 5\n[keys]\ngemini = \"MY_API_KEY\"\n";
    let did = with(&f, text, &[("MY_API_KEY", "sk-secret")], &["config"]);
    for words in ["ollama/qwen3", "MY_API_KEY (set)", "OPENAI_API_KEY (not set)", "limits.wall_ms", "max_turns"] {
        assert!(did.out.contains(words), "{words}: {}", did.out);
    }
    assert!(did.code == 0 && !did.out.contains("secret"), "{did:?}");
    let did = with(&f, text, &[], &["config", "--json"]);
    let line: Value = serde_json::from_str(&did.out).unwrap();
    let of = |key: &str| line["values"].as_array().unwrap().iter().find(|v| v["key"] == key).unwrap().clone();
    assert_eq!(
        (of("limits.fuel")["value"].as_str(), of("limits.fuel")["from"].as_str()),
        (Some("5"), Some("configuration"))
    );
    assert_eq!(of("limits.wall_ms")["from"], "built-in");
    assert_eq!((line["exists"].as_bool(), of("model")["value"].as_str()), (Some(true), Some("ollama/qwen3")));
}

#[test]
fn a_broken_one_says_where_and_how_to_do_without() {
    let f = Folder::new("config-broken");
    let task = f.task();
    for (text, words) in [
        (
            "\nmodel = 5\n",
            "config.toml:2: model must be text in quotes, got a number; correct the configuration, or leave it out with --no-config",
        ),
        ("[keys]\nopenai = \"sk-abc\"\n", "config.toml:2: keys.openai must be the name of a variable"),
        ("[limits\n", "config.toml:1: "),
    ] {
        for args in [&["run", &task][..], &["check", &task], &["config"], &["ask", "q"]] {
            let did = with(&f, text, &[], args);
            assert!(did.code == 2 && did.err.contains(words) && !did.err.contains("sk-abc"), "{args:?}: {did:?}");
        }
        assert_eq!(with(&f, text, &[], &["run", &task, "--no-config"]).code, 0);
        // For those who read JSON too.
        let did = with(&f, text, &[], &["run", &task, "--json"]);
        assert!(did.code == 2 && did.out.starts_with("{\"status\":\"error\""), "{did:?}");
    }
    let large = "#".repeat(600_000);
    let did = with(&f, &large, &[], &["run", &task]);
    assert!(did.code == 2 && did.err.contains("config.toml"), "{did:?}");
    let gone = CliContext { config: ConfigFile::Named(f.path("gone.toml").into()), ..Default::default() };
    let did = ptc_in(&["run", &task], "", gone);
    assert!(did.code == 2 && did.err.contains("there is no such configuration; check PTC_CONFIG"), "{did:?}");
}

#[test]
fn init_writes_one_and_never_over_another() {
    let f = Folder::new("config-init");
    let config = || ConfigFile::Usual(f.0.join("new/folder/config.toml"));
    let around = || CliContext { config: config(), ..Default::default() };
    let did = ptc_in(&["config"], "", around());
    assert!(did.code == 0 && did.out.contains("config.toml (not there; ptc config init writes it)\n"), "{did:?}");
    assert_eq!(ptc_in(&["config", "init"], "", around()).code, 0);
    let text = std::fs::read_to_string(f.path("new/folder/config.toml")).unwrap();
    assert!(text.contains("#model = "), "{text}");
    assert_eq!(ptc_in(&["config"], "", around()).code, 0);
    let did = ptc_in(&["config", "init"], "", around());
    assert!(
        did.code == 2 && did.err.contains("there is a configuration already; change it, or move it away first"),
        "{did:?}"
    );
    let did = ptc_in(&["config", "init", "--no-config"], "", around());
    assert!(did.code == 2 && did.err.contains("there is no place for a configuration"), "{did:?}");
}
