//! A disk that loses any part of what was not forced to it: at every operation of a session the power goes, and of the bytes
//! since the last `sync` some blocks are there, some are holes, some hold what was there before. Whatever is left goes on
//! to the same session: no turn that was acknowledged is lost, and no call is made twice without a word.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use ptc_agent::trace_file::{Disk, OpenedTrace};
use ptc_agent::{Agent, CallDecision, Error, FnModel, Reply, Request, RunStatus, Tool, Toolbox, TraceFile, arg, task};
use ptc_lisp::value::Value;
use ptc_turns::{Config, Session, Trace, TurnRecord};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Bytes that are written together or not at all.
const BLOCK: usize = 16;

const REPLIES: [&str; 4] = [
    "(def a (tool/pay {:n 1}))",
    "(def b (try (tool/pay {:n 2}) (catch Exception e (ex-message e))))\n(inc nil)",
    "(def c (vec (pmap #(tool/pay {:n %}) [3 4])))",
    "(return [a c (tool/look)])",
];

/// What a power cut finds.
#[derive(Debug, Default)]
struct Power {
    /// All bytes as the process sees them.
    seen: Vec<u8>,
    /// How many of them are on the disk for good.
    synced: usize,
    /// Operations so far, and at which the power goes.
    done: u64,
    goes_at: Option<u64>,
}

impl Power {
    fn tick(&mut self) -> io::Result<()> {
        self.done += 1;
        if self.off() { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }

    fn off(&self) -> bool {
        self.goes_at.is_some_and(|at| self.done >= at)
    }
}

#[derive(Clone, Debug, Default)]
struct Fragile(Arc<Mutex<Power>>);

impl Disk for Fragile {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.0.lock().unwrap().seen.clone())
    }
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().seen.len() as u64)
    }
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut power = self.0.lock().unwrap();
        // Some of it may be on its way when the power goes.
        power.seen.extend_from_slice(bytes);
        power.tick()
    }
    fn truncate(&mut self, size: u64) -> io::Result<()> {
        let mut power = self.0.lock().unwrap();
        if power.off() {
            return Err(io::Error::other("the power is off"));
        }
        power.seen.truncate(size as usize);
        power.synced = power.synced.min(size as usize);
        Ok(())
    }
    fn sync(&mut self) -> io::Result<()> {
        let mut power = self.0.lock().unwrap();
        power.tick()?;
        power.synced = power.seen.len();
        Ok(())
    }
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// What is on the disk after the power went: all that was synced, and of the rest any part.
fn left(power: &Power, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = power.seen[..power.synced].to_vec();
    let rest = &power.seen[power.synced..];
    let (mode, end) = (dice.below(4), dice.below(rest.len() + 1));
    for block in rest[..end].chunks(BLOCK) {
        match (mode, dice.below(3)) {
            // Whole so far, torn at its end.
            (0, _) | (1, 0 | 1) | (2, 0 | 1) | (3, 0) => bytes.extend_from_slice(block),
            (1, _) | (3, 1) => bytes.extend(block.iter().map(|_| 0)),
            _ => bytes.extend(block.iter().map(|_| dice.below(256) as u8)),
        }
    }
    bytes
}

/// What is outside: effects by the key of their call, replies asked for by turn.
#[derive(Clone, Default)]
struct Outside {
    effects: Arc<Mutex<BTreeMap<String, (i64, u64)>>>,
    asked: Arc<Mutex<BTreeMap<usize, u64>>>,
}

impl Outside {
    fn tools(&self, power: &Fragile) -> Toolbox {
        let (effects, power) = (self.effects.clone(), power.0.clone());
        let pay = Tool::with_control("pay", move |args, control| {
            if power.lock().unwrap().off() {
                return Err("the power is off".into());
            }
            let Value::Int(n) = arg(&args, "n") else { return Err("no number".into()) };
            effects.lock().unwrap().entry(control.key().to_owned()).or_insert((n.get(), 0)).1 += 1;
            if *n == 2 { Err("no 2".into()) } else { Ok(Value::Int(*n)) }
        });
        Toolbox::new().with(pay).with(Tool::new("look", |_| Ok(Value::int(9))).read_only())
    }
}

/// What somebody said of calls that wait: how often each key was approved.
#[derive(Default)]
struct Words {
    given: BTreeMap<String, u64>,
    /// The power went while this one was written: whether it was kept shows when the disk is read again.
    unsure: Option<String>,
}

/// Continues with what the disk holds; the turns that were acknowledged.
fn run(disk: &Fragile, outside: &Outside, words: &mut Words) -> (RunStatus, Vec<TurnRecord>) {
    let tools = outside.tools(disk);
    let config = Config { prompt: "p".into(), max_turns: 9, tools: tools.specs(), ..Config::default() };
    let OpenedTrace { mut store, trace, .. } = TraceFile::on(Box::new(disk.clone()), Path::new("simulated")).unwrap();
    let session = match trace {
        Some(trace) => task::restore(trace, Vec::new()).unwrap(),
        None => {
            let session = Session::new(config);
            if store.begin(&session.trace().header).is_err() {
                return (RunStatus::Error, Vec::new());
            }
            session
        }
    };
    let mut agent = Agent::new(session, tools).with_trace_file(store);
    let waiting = agent.pending().calls;
    // A call that waits no more has got its word: nothing was made since.
    if let Some(key) = words.unsure.take().filter(|key| waiting.iter().all(|call| call.key != *key)) {
        *words.given.entry(key).or_default() += 1;
    }
    for call in waiting {
        // Whoever has seen that nothing was done, or wants it done again, says so.
        if agent.decide(call.id, CallDecision::Make).is_err() {
            words.unsure = Some(call.key);
            return (RunStatus::Error, Vec::new());
        }
        *words.given.entry(call.key).or_default() += 1;
    }
    let mut model = FnModel(|r: Request<'_>| {
        let turn = r.messages.iter().filter(|m| m.role == ptc_history::Role::Assistant).count();
        if disk.0.lock().unwrap().off() {
            return Err(Error::model("the power is off"));
        }
        *outside.asked.lock().unwrap().entry(turn).or_default() += 1;
        Ok(Reply::text(REPLIES[turn]))
    });
    let mut acknowledged = Acknowledged(Vec::new());
    let end = agent.run(&mut model, &mut acknowledged);
    (end.status, acknowledged.0)
}

/// What was told to be kept.
struct Acknowledged(Vec<TurnRecord>);

impl ptc_agent::Observer for Acknowledged {
    fn ran(&mut self, record: &TurnRecord, _: &Session) {
        self.0.push(record.clone());
    }
}

/// The prompts of all turns.
fn prompts(disk: &Fragile) -> String {
    let bytes = disk.0.lock().unwrap().seen.clone();
    let trace = Trace::parse(&bytes).unwrap().trace;
    assert_eq!(trace.last().unwrap().value.as_deref(), Some("[1 [3 4] 9]"));
    let of = |k: u64| ptc_turns::messages(&trace, &trace.header.policy, Some(k));
    (1..=4).map(|k| ptc_history::conversation::render::json(&of(k))).collect()
}

#[test]
fn whatever_a_power_cut_leaves_goes_on() {
    let (disk, outside) = (Fragile::default(), Outside::default());
    assert_eq!(run(&disk, &outside, &mut Words::default()).0, RunStatus::Returned);
    let operations = disk.0.lock().unwrap().done;
    let expected = prompts(&disk);
    // The header, four replies and turns; of five calls, two made together, that they were asked and each answer.
    assert_eq!(operations, 2 * (1 + 4 + 4 + 4 + 5));
    let mut dice = Dice(0x0123_4567_89ab_cdef);
    for at in 1..=operations {
        for _ in 0..24 {
            let (disk, outside, mut words) = (Fragile::default(), Outside::default(), Words::default());
            disk.0.lock().unwrap().goes_at = Some(at);
            let (mut ending, mut kept) = run(&disk, &outside, &mut words);
            assert_ne!(ending, RunStatus::Returned);
            // The power comes back, and goes once more a little later.
            let mut again = Some(3 + dice.below(12) as u64);
            for _ in 0..9 {
                let nothing_kept = disk.0.lock().unwrap().synced == 0;
                let mut bytes = left(&disk.0.lock().unwrap(), &mut dice);
                if nothing_kept && Trace::parse(&bytes).is_err() && !bytes.is_empty() {
                    // The first line never was there: what stands in its place is refused like any foreign file, or
                    // begun anew. Nothing had been done.
                    assert!(outside.effects.lock().unwrap().is_empty() && kept.is_empty(), "{at}");
                    bytes.clear();
                }
                *disk.0.lock().unwrap() = Power { synced: bytes.len(), seen: bytes, done: 0, goes_at: again.take() };
                let found = TraceFile::on(Box::new(disk.clone()), Path::new("simulated")).unwrap().trace;
                let turns = found.map(|t| t.turns().to_vec()).unwrap_or_default();
                assert!(turns.len() >= kept.len(), "{at}: a turn that was acknowledged is lost");
                kept.iter().zip(&turns).for_each(|(then, now)| assert_eq!(*then, **now));
                let before = turns.iter().map(|t| TurnRecord::clone(t)).collect::<Vec<_>>();
                let (end, more) = run(&disk, &outside, &mut words);
                kept = before.into_iter().chain(more).collect();
                ending = end;
                if ending == RunStatus::Returned {
                    break;
                }
            }
            assert_eq!(ending, RunStatus::Returned, "{at}");
            assert_eq!(prompts(&disk), expected, "{at}");
            let effects = outside.effects.lock().unwrap();
            let mut paid: Vec<i64> = effects.values().map(|e| e.0).collect();
            paid.sort_unstable();
            assert_eq!(paid, [1, 2, 3, 4], "{at}: each has one key");
            for (key, (n, times)) in effects.iter() {
                let said = words.given.get(key).copied().unwrap_or(0);
                assert!(*times <= 1 + said, "{at}: {n} was paid {times} times, with {said} words");
            }
        }
    }
}
