//! The work of rendering, counted and not timed: the next prompt costs what is new, not the whole history.

use ptc_history::policy::Strategy;
use ptc_history::view::TokenCounter;
use ptc_history::{Message, ViewContext};
use ptc_turns::policy::ErrorRetention;
use ptc_turns::{Config, IncrementalView, Policy, Session, Trace, TurnContext, messages};
use std::sync::atomic::{AtomicU64, Ordering};

const TURNS: u64 = 2_000;
/// How often a turn may be looked at or rendered for one more turn; a history of 2,000 is far from it.
const MAX_VISITS_PER_TURN: u64 = 60;

/// Real programs: definitions of changing names, output, values, a failure now and then.
fn program(i: u64) -> String {
    match i % 10 {
        3 => format!("(def lost{i} (/ {i} 0))"),
        7 => "(mispelt 1)".to_owned(),
        5 => format!("(println \"turn\" {i}) (println \"and\" (inc {i}))"),
        6 => format!("(* {i} 2)"),
        _ => format!(
            "(def n{} \"In turn {i}\" [{i}]) (defn f{} [x] (+ x {i})) (println (f{} 1))",
            i % 37,
            i % 11,
            i % 11
        ),
    }
}

fn policies() -> Vec<Policy> {
    let compressed = Policy::legacy_entry_count;
    vec![
        Policy::full(),
        compressed(),
        Policy { println_history_limit: Some(0), ..compressed() },
        Policy::compressed(),
        Policy { output_tokens: 100, ..Policy::compressed() },
        Policy { error_context_turns: 0, ..compressed() },
        Policy { error_context_turns: 3, ..compressed() },
        Policy { error_retention: ErrorRetention::UntilRecovered, error_context_turns: 2, ..compressed() },
    ]
}

/// A session that has had all its turns but the last, and is about to have the prompt of turn 2,000.
fn session() -> Session {
    let config =
        Config { prompt: "Go on".into(), max_turns: 10 * TURNS, policy: Policy::compressed(), ..Config::default() };
    let mut session = Session::new(config);
    for i in 1..TURNS {
        session.run(&program(i), TurnContext::without_host()).unwrap();
    }
    session
}

#[test]
fn the_prompt_of_turn_2000_does_not_visit_all_turns_again() {
    let session = session();
    let trace = session.trace();
    assert_eq!(trace.turns().len() as u64, TURNS - 1);
    assert!(trace.turns().iter().any(|t| t.error.is_some()));
    for policy in policies() {
        let mut view = IncrementalView::new(trace.header.clone(), &policy);
        let mut costs = Vec::new();
        for record in trace.turns() {
            let before = view.visited();
            view.push(record.clone());
            // Reading the messages is no work: they are there.
            assert_eq!(view.messages().len() as u64, 2 + 2 * record.turn);
            costs.push(view.visited() - before);
        }
        let most = costs.iter().max().copied().unwrap_or_default();
        assert!(most <= MAX_VISITS_PER_TURN, "{policy:?}: a turn cost {most} visits");
        // Nor does it grow with the history: the last hundred turns cost what an earlier hundred did.
        let hundred = |from: usize| costs[from..from + 100].iter().sum::<u64>();
        assert!(
            hundred(1_899) <= hundred(499) + MAX_VISITS_PER_TURN,
            "{policy:?}: {} after {}",
            hundred(1_899),
            hundred(499)
        );
        assert_eq!(view.messages(), messages(trace, &policy, None), "{policy:?}");
    }
}

#[test]
fn a_session_keeps_such_a_view_and_a_reload_gives_it_back() {
    let mut session = session();
    let policy = Policy::compressed();
    let before = session.view().visited();
    session.run("(def new 1)", TurnContext::without_host()).unwrap();
    assert!(session.view().visited() - before <= MAX_VISITS_PER_TURN);
    assert!(matches!(session.messages(&policy), std::borrow::Cow::Borrowed(_)));
    assert_eq!(session.messages(&policy), messages(session.trace(), &policy, None));
    let text = session.trace().to_text();
    let restored = Session::from_trace(Trace::parse(text.as_bytes()).unwrap().trace, Vec::new()).unwrap();
    assert_eq!(restored.messages(&policy), session.messages(&policy));
    assert!(restored.view().visited() <= MAX_VISITS_PER_TURN * TURNS);
}

/// Counts words, and how many texts it has read for that.
#[derive(Default)]
struct Reader(AtomicU64);

impl TokenCounter for Reader {
    fn id(&self) -> u64 {
        7
    }
    fn message(&self, message: &Message) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed);
        message.text().split_whitespace().count() as u64
    }
    fn overhead(&self) -> u64 {
        3
    }
}

/// Turns after which texts are counted, and of how many turns: each name is defined again in a window of 37.
const COUNTED_AFTER: [u64; 2] = [200, 600];
const COUNTED: u64 = 20;

/// The texts that are read for the requests of some turns, after few turns and after many.
fn texts_read(policy: &Policy) -> Vec<u64> {
    let config = Config { policy: policy.clone(), max_turns: 10 * TURNS, ..Config::default() };
    let (mut session, reader) = (Session::new(config), Reader::default());
    let with = ViewContext { counter: Some(&reader), ..ViewContext::default() };
    let mut read = Vec::new();
    let mut next = 1;
    for after in COUNTED_AFTER {
        for i in next..after {
            session.run(&program(i), TurnContext::without_host()).unwrap();
        }
        session.request(&with).unwrap();
        reader.0.store(0, Ordering::Relaxed);
        for i in after..after + COUNTED {
            session.run(&program(i), TurnContext::without_host()).unwrap();
            session.request(&with).unwrap();
        }
        read.push(reader.0.load(Ordering::Relaxed));
        next = after + COUNTED;
    }
    // It is what is made of the whole trace, which reads the whole history.
    let kept = session.request(&with).unwrap().into_owned();
    reader.0.store(0, Ordering::Relaxed);
    let anew = ptc_turns::request(session.trace(), policy, None, &with).unwrap().messages();
    assert_eq!(kept, anew, "{policy:?}");
    assert!(reader.0.load(Ordering::Relaxed) >= 2 * next, "{policy:?}");
    read
}

#[test]
fn a_request_under_strategies_and_budgets_reads_what_is_new() {
    let strategies = [Strategy::None, Strategy::Auto, Strategy::ClearToolResults, Strategy::LastNMessages];
    for (strategy, own) in strategies.into_iter().zip([Policy::full(), Policy::compressed()].into_iter().cycle()) {
        for max_tokens in [2_000, 1_000_000] {
            let history = ptc_history::Policy { max_tokens: Some(max_tokens), ..ptc_history::Policy::with(strategy) };
            let read = texts_read(&Policy { history, ..own.clone() });
            assert!(read[0] > 0 && read[1] <= read[0], "{strategy:?}, max_tokens {max_tokens}: {read:?}");
        }
    }
}
