//! Sessions under `auto`: when turns are folded, seen from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ptc_turns::{Config, Policy, Session, TurnContext};

/// Turns after which the prompt of a session under `auto` does not begin with the prompt before it: turns were folded.
fn folds(max_turns: u64, turns: u64) -> Vec<u64> {
    let policy: Policy = toml::from_str("strategy = \"auto\"").unwrap();
    let mut s = Session::new(Config { prompt: "Task".into(), max_turns, policy: policy.clone(), ..Config::default() });
    let mut before = s.view().messages().to_vec();
    let mut out = Vec::new();
    for turn in 1..=turns {
        let program = format!("(def row{turn} (count (str {:?})))", "what was found in this row ".repeat(60));
        s.run(&program, TurnContext::without_host()).unwrap();
        let now = s.view().messages().to_vec();
        if !now.starts_with(&before) {
            out.push(turn);
        }
        assert_eq!(
            now,
            *ptc_turns::messages(s.trace(), &policy, None),
            "the view that is kept up is the one that is made anew"
        );
        before = now;
    }
    out
}

#[test]
fn a_session_that_is_nearly_over_is_not_folded() {
    let free = folds(1_000, 40);
    let first = *free.first().expect("turns are folded where there are many");
    // A single request is left after it: what is saved there does not pay for the cache that is lost.
    assert!(folds(first + 1, first).is_empty(), "folded after turn {first} of {}", first + 1);
    // After its last turn no request is left at all.
    assert!(folds(first, first).is_empty(), "folded after turn {first}, the last");
    // With turns enough nothing changes.
    assert_eq!(folds(100, 40), free);
}
