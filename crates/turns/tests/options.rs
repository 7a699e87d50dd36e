//! Every option about turns changes what is shown: none is read by nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use ptc_lisp::interface::{ToolSpec, Tools};
use ptc_lisp::value::Value;
use ptc_turns::{Config, Policy, Session, TurnContext};

struct Echo;

impl Tools for Echo {
    fn call(&mut self, _: u64, _: &str, args: &Value) -> Result<Value, String> {
        Ok(args.clone())
    }
}

fn session(policy: &Policy) -> Session {
    let tool = ToolSpec { name: "look".into(), description: "Looks".into(), params: None, returns: None };
    let config =
        Config { prompt: "Task".into(), max_turns: 30, policy: policy.clone(), tools: vec![tool], ..Config::default() };
    let mut s = Session::new(config);
    let long = "(def squares \"Squares of what is odd\" {:all (mapv (fn [x] (* x x)) (filter odd? (range 40)))})";
    for program in [
        format!("(def corners {{:left 1 :right 2}}){long}"),
        format!("{long}\n(doseq [i (range 90)] (println \"row\" i (* i i)))"),
        "(def seen (mapv (fn [i] (tool/look {:n i})) (range 5)))\n(println (count seen) \"seen\" (reduce + (range 90)))"
            .to_owned(),
        "(def lost (coutn seen))".to_owned(),
        format!("{long}\n(println \"done\" (reduce + (map (fn [x] (* x x)) (filter odd? (range 40)))))"),
    ] {
        s.run(&program, TurnContext::with_tools(&mut Echo)).unwrap();
    }
    s
}

#[test]
fn every_option_changes_what_is_shown() {
    let shown = |text: &str| {
        let policy: Policy = toml::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let s = session(&policy);
        assert_eq!(s.trace().header.policy, policy, "{text}");
        s.view().messages().iter().map(|m| format!("{}: {}", m.role, m.text())).collect::<Vec<_>>()
    };
    for key in ptc_turns::policy::keys() {
        let (before, after) = match key {
            "compress_history" => ("compress_history = false", "compress_history = true"),
            "println_history_limit" => {
                ("compress_history = true", "compress_history = true\nprintln_history_limit = 3")
            }
            "output_tokens" => (
                "compress_history = true\noutput_turns = 1",
                "compress_history = true\noutput_turns = 1\noutput_tokens = 90",
            ),
            "output_turns" => (
                "compress_history = true\noutput_tokens = 150",
                "compress_history = true\noutput_tokens = 150\noutput_turns = 6",
            ),
            "error_context_turns" => (
                "compress_history = true\nerror_retention = \"always\"",
                "compress_history = true\nerror_retention = \"always\"\nerror_context_turns = 3",
            ),
            "error_retention" => ("compress_history = true", "compress_history = true\nerror_retention = \"always\""),
            "sample_syntax" => (
                "compress_history = true\nprintln_history_limit = 0",
                "compress_history = true\nprintln_history_limit = 0\nsample_syntax = \"clojure\"",
            ),
            "layout" => ("compress_history = true", "compress_history = true\nlayout = \"coalesced\""),
            "show_tool_calls" => ("compress_history = true", "compress_history = true\nshow_tool_calls = true"),
            "tool_calls_limit" => (
                "compress_history = true\nshow_tool_calls = true",
                "compress_history = true\nshow_tool_calls = true\ntool_calls_limit = 2",
            ),
            "notes" => ("compress_history = true", "compress_history = true\nnotes = true"),
            other => panic!("say here how {other} changes a view"),
        };
        assert_ne!(shown(before), shown(after), "{key}");
    }
}
