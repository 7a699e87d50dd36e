//! Generated sessions (tests/generated) through turns, traces and forks: the same whatever way a session went.

use ptc_turns::{Config, Session, Trace, TurnContext, TurnRecord};

/// Sessions with Clojure's answers below them: the turns on one line, with tabs between.
const SESSIONS: &str = include_str!("../generated/answers.txt");

/// A part of the sessions of several turns, and a few of one.
fn sessions() -> impl Iterator<Item = Vec<&'static str>> {
    let every = if std::env::var("PTC_ALL").is_ok() { 1 } else { 8 };
    let all = SESSIONS.lines().step_by(2).map(|l| l.split('\t').collect::<Vec<_>>());
    all.filter(|s| s.len() > 1).step_by(every)
}

fn new() -> Session {
    let mut config = Config { max_turns: 1000, open_ended: true, ..Config::default() };
    (config.limits.cpu_ms, config.limits.wall_ms) = (0, 0);
    Session::new(config)
}

/// What a turn says and costs, without what it took in memory: what a fork holds too is not freed with it.
fn run(s: &mut Session, program: &str) -> TurnRecord {
    let turn = s.trace().turns().len() as u64;
    let context = TurnContext { now_ms: 1000 + turn as i64, seed: 7 + turn, ..TurnContext::without_host() };
    let mut record = s.run(program, context).unwrap().clone();
    record.usage.memory_bytes = 0;
    record
}

fn run_all(s: &mut Session, programs: &[&str]) -> Vec<TurnRecord> {
    programs.iter().map(|p| run(s, p)).collect()
}

#[test]
fn a_session_is_the_same_twice_in_a_fork_and_from_its_trace() {
    let mut turns = 0;
    for programs in sessions() {
        let mut first = new();
        let all = run_all(&mut first, &programs);
        turns += all.len();
        assert_eq!(run_all(&mut new(), &programs), all, "twice: {programs:#?}");
        let half = programs.len() / 2;
        let mut s = new();
        run_all(&mut s, &programs[..half]);
        let mut fork = s.fork();
        // What another fork does in between is not seen.
        run_all(&mut s, &programs[half..]);
        assert_eq!(run_all(&mut fork, &programs[half..]), all[half..], "in a fork: {programs:#?}");
        let mut s = new();
        run_all(&mut s, &programs[..half]);
        let loaded = Trace::parse(s.trace().to_text().as_bytes()).unwrap();
        let mut back = Session::from_trace(loaded.trace, Vec::new()).unwrap();
        assert_eq!(run_all(&mut back, &programs[half..]), all[half..], "from its trace: {programs:#?}");
    }
    assert!(turns > 100, "{turns}");
}
