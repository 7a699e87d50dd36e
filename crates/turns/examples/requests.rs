//! How long a request before the next turn takes in a session of 5,000 turns, and what is made of the whole trace
//! instead: `cargo run --release -p ptc-turns --example requests`. CPU time of the thread, so a busy machine does not
//! show in it.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, clippy::unwrap_used)]

use cpu_time::ThreadTime;
use ptc_history::policy::Strategy;
use ptc_history::view::TokenCounter;
use ptc_history::{Message, ViewContext};
use ptc_turns::{Config, Policy, Session, TurnContext};
use std::time::Duration;

const TURNS: u64 = 5_000;

/// Reads each text, as counters do.
struct Words;

impl TokenCounter for Words {
    fn id(&self) -> u64 {
        1
    }
    fn message(&self, message: &Message) -> u64 {
        message.text().split_whitespace().count() as u64
    }
    fn overhead(&self) -> u64 {
        3
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn main() {
    let budget = |strategy| ptc_history::Policy { max_tokens: Some(1_000_000), ..ptc_history::Policy::with(strategy) };
    let with = ViewContext { counter: Some(&Words), ..ViewContext::default() };
    println!("{:<34} {:>10} {:>10}   ms, medians, {TURNS} turns", "", "kept", "anew");
    for (name, own, history) in [
        ("summaries", Policy::compressed(), ptc_history::Policy::default()),
        ("summaries, max_tokens", Policy::compressed(), budget(Strategy::None)),
        ("full history, max_tokens", Policy::full(), budget(Strategy::None)),
        ("auto, max_tokens", Policy::full(), budget(Strategy::Auto)),
        ("clear_tool_results, max_tokens", Policy::full(), budget(Strategy::ClearToolResults)),
    ] {
        let policy = Policy { history, ..own };
        let config = Config { policy: policy.clone(), max_turns: TURNS + 100, ..Config::default() };
        let mut session = Session::new(config);
        let (mut kept, mut anew) = (Vec::new(), Vec::new());
        for turn in 0..TURNS {
            let program = format!("(def x{turn} {{:n {turn} :words \"one two three\"}})\n(println \"turn\" {turn})");
            session.run(&program, TurnContext::without_host()).unwrap();
            if turn + 60 < TURNS {
                continue;
            }
            let start = ThreadTime::now();
            let request = session.request(&with).unwrap();
            kept.push(start.elapsed());
            let start = ThreadTime::now();
            let whole = ptc_turns::request(session.trace(), &policy, None, &with).unwrap().messages();
            anew.push(start.elapsed());
            assert_eq!(*request, whole);
        }
        println!("{name:<34} {:>10.2} {:>10.2}", median(kept), median(anew));
    }
}
