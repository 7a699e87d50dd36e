//! What a turn with one journalled call costs: four lines, 4 kB of a printed record among them.

use ptc_agent::journal_store::JournalStore;
use ptc_agent::{Agent, Error, ErrorKind, FnModel, Reply, Request, Tool, Toolbox};
use ptc_lisp::value::Value;
use ptc_turns::Config;
use std::process::Command;
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Of one session alone: half of the turns took no longer.
    pub median: Duration,
    /// Of one session alone: 99 of 100 turns took no longer.
    pub p99: Duration,
    /// Turns a second by all sessions together.
    pub per_second: f64,
}

/// The program of a turn: a call, and a text of 4 kB from it.
pub const PROGRAM: &str = "(def n (tool/look {:n 1})) (println (apply str (repeat 512 \"12345678\")))";

/// Who answers the call.
pub fn tools() -> Toolbox {
    Toolbox::new().with(Tool::new("look", |_| Ok(Value::int(1))).read_only())
}

/// What the session is begun with.
pub fn config(turns: u64) -> Config {
    Config { prompt: "Look.".into(), tools: tools().specs(), max_turns: turns, ..Config::default() }
}

/// How long each turn of a session took.
///
/// # Errors
/// When it cannot be opened.
pub fn turns(store: Option<&dyn JournalStore>, name: &str, turns: u64) -> Result<Vec<Duration>, Error> {
    let mut agent = match store {
        Some(store) => Agent::in_store(store, name, config(turns), tools())?,
        None => Agent::new(ptc_turns::Session::new(config(turns)), tools()),
    };
    turns_of(&mut agent, turns)
}

/// How long each of so many turns of an agent took.
///
/// # Errors
/// When it ends early.
pub fn turns_of(agent: &mut Agent, turns: u64) -> Result<Vec<Duration>, Error> {
    let mut at = Vec::new();
    let mut model = FnModel(|_: Request<'_>| {
        at.push(Instant::now());
        Ok(Reply::text(PROGRAM))
    });
    let end = agent.run(&mut model, &mut ());
    at.push(Instant::now());
    if end.turns != turns {
        return Err(end.error.unwrap_or_else(|| Error::new(ErrorKind::Session, "it ended early")));
    }
    Ok(at.windows(2).filter_map(|w| Some(w.last()?.duration_since(*w.first()?))).collect())
}

/// Measures a store; `None` is none, what the agent itself takes.
///
/// # Errors
/// When a session cannot be opened, or ends early.
pub fn measure(store: Option<&dyn JournalStore>, sessions: u64, each: u64) -> Result<Measured, Error> {
    measured(|name| turns(store, name, each), sessions, each)
}

/// Measures the service of `serve`, which Restate calls: its sessions are asked for there, one call each.
///
/// # Errors
/// When one is not answered, or ends early.
pub fn measure_restate(ingress: &str, sessions: u64, each: u64) -> Result<Measured, Error> {
    measured(|name| called(ingress, name, each), sessions, each)
}

/// How long each turn of a session took that Restate has.
fn called(ingress: &str, name: &str, turns: u64) -> Result<Vec<Duration>, Error> {
    let url = format!("{ingress}/Sessions/{name}/bench");
    let wrong = |words: String| Error::new(ErrorKind::Session, format!("{url}: {words}"));
    let out = Command::new("curl").args(["-sS", "--fail-with-body", &url, "--json", &turns.to_string()]).output();
    let out = out.map_err(|e| wrong(format!("curl: {e}")))?;
    let said = String::from_utf8_lossy(&out.stdout);
    let times = serde_json::from_str::<String>(&said).ok().filter(|_| out.status.success());
    let times = times.ok_or_else(|| wrong(format!("{said}{}", String::from_utf8_lossy(&out.stderr))))?;
    let time = |t: &str| t.parse().map(Duration::from_micros).map_err(|_| wrong(format!("no time: {t}")));
    times.split(' ').map(time).collect()
}

fn measured(
    turns: impl Fn(&str) -> Result<Vec<Duration>, Error> + Sync,
    sessions: u64,
    each: u64,
) -> Result<Measured, Error> {
    let run = std::process::id();
    let mut alone = turns(&format!("bench-{run}-alone"))?;
    alone.sort_unstable();
    let of = |part: usize| alone.get(alone.len() * part / 100).copied().unwrap_or_default();
    let begun = Instant::now();
    let turns = &turns;
    std::thread::scope(|all| {
        let one = |n: u64| all.spawn(move || turns(&format!("bench-{run}-{n}")).map(drop));
        let running: Vec<_> = (0..sessions).map(one).collect();
        running.into_iter().try_for_each(|r| r.join().unwrap())
    })?;
    let per_second = (sessions * each) as f64 / begun.elapsed().as_secs_f64();
    Ok(Measured { median: of(50), p99: of(99), per_second })
}
