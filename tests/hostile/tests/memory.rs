//! Every form and every builtin against the memory that it is charged for: each row's examples are run in several shapes, and
//! what the allocator has given out is compared with the limit.
//!
//! `cargo test --release -p ptc-hostile --test memory` tries some rows; `PTC_ALL=1` all of them, and `PTC_ROWS="pow format"` those with
//! one of these words in their name.

use ptc_lisp::analyze::forms::FORMS;
use ptc_lisp::builtins;
use ptc_lisp::form::{Form, Kind};
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// `memory_bytes` of every program.
const LIMIT: i64 = 16 << 20;
/// What a program may take besides its limit.
const SLACK: i64 = 64 << 20;
/// Fuel of a first look, which tells whether more fuel could take more than [`SLACK`] without charge.
const LITTLE_FUEL: u64 = 300_000;
/// Fuel of those programs where that may be: the default.
const MUCH_FUEL: u64 = 100_000_000;
/// Where a process that is being tested gives up, so that the machine lives.
const TOO_MUCH: i64 = 1 << 30;
/// Bytes of an allocation besides those that were asked for.
const UPKEEP: i64 = 16;

/// Most bytes that were allocated at once since this was last set.
static PEAK: AtomicI64 = AtomicI64::new(0);
/// The program that runs, for a process that gives up.
static RUNNING: Mutex<(usize, String)> = Mutex::new((0, String::new()));

/// Bytes of the process that are allocated now.
fn taken() -> i64 {
    let s = ALLOCATOR.stats();
    let blocks = s.allocations as i64 - s.deallocations as i64;
    s.bytes_allocated as i64 - s.bytes_deallocated as i64 + blocks * UPKEEP
}

/// Looks at the allocator again and again. What takes 64 MB takes some milliseconds.
fn watch() {
    loop {
        let now = taken();
        PEAK.fetch_max(now, Ordering::Relaxed);
        if now > TOO_MUCH {
            let running = RUNNING.lock().unwrap();
            say(&format!("GIVES UP\t{}\ttakes more than {} MB: {}", running.0, TOO_MUCH >> 20, running.1));
            std::process::exit(3);
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// A line of a child to its parent. The harness keeps what `println!` writes.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\nWALK\t{line}");
    let _ = out.flush();
}

/// A row, and programs that try it.
struct Row {
    name: String,
    programs: Vec<String>,
}

/// Values that are large, or that ask for much.
const PROBES: &[(&str, &str)] = &[
    ("large", "999999999"),
    ("largest", "9223372036854775807"),
    ("below", "-999999999"),
    ("text", "(apply str (repeat 100000 \"ab\"))"),
    ("vector", "(vec (range 20000))"),
    ("map", "(zipmap (range 20000) (range))"),
    ("deep", "(nth (iterate list 1) 5000)"),
    ("bits", "(.shiftLeft 1N 900000)"),
    ("decimal", "1E+999999999M"),
    ("fraction", "1E-999999999M"),
    ("wide", "\"%999999999d%999999999s%.999999999f~999999999d~999999999@a\""),
    ("endless", "(range)"),
    ("names", "(mapv (fn [i] (symbol (str \"a-symbol-\" i))) (range 5000))"),
];

/// The call of `name` in a program, deepest first in the text: where its arguments are.
fn call_in(forms: &[Form], name: &str) -> Option<Vec<(usize, usize)>> {
    let mut work: Vec<&Form> = forms.iter().rev().collect();
    while let Some(f) = work.pop() {
        match &f.kind {
            Kind::List(items) => {
                let head = items.first().and_then(Form::as_symbol);
                if let Some(head) = head {
                    let full = head.text();
                    let matches = full == name || head.name.as_str() == name.rsplit('/').next().unwrap_or(name);
                    if matches {
                        let all = [f].into_iter().chain(items.iter());
                        return Some(all.map(|i| (i.span.start as usize, i.span.end as usize)).collect());
                    }
                }
                work.extend(items.iter().rev());
            }
            Kind::Vector(v) | Kind::Set(v) | Kind::Lambda(v) => work.extend(v.iter().rev()),
            Kind::Map(m) => work.extend(m.iter().rev().flat_map(|(k, v)| [v, k])),
            Kind::Quote(f) | Kind::Deref(f) | Kind::Var(f) | Kind::Meta(_, f) => work.push(f),
            _ => {}
        }
    }
    None
}

/// Programs that try one example of a row.
fn shapes(name: &str, example: &str, throws: bool, is_form: bool, out: &mut Vec<String>) {
    let e = if throws { format!("(try {example} (catch Throwable e e))") } else { example.to_string() };
    out.extend([
        format!("(loop [v []] (recur (conj v {e})))"),
        format!("(loop [] {e} (recur))"),
        format!("(loop [] (def kept {e}) (recur))"),
        format!("(loop [v nil] (recur [v (fn [] {e})]))"),
        format!("(loop [] (eval '{e}) (recur))"),
        format!("(loop [i 0] (eval (list 'def (symbol (str \"name-\" i)) '{e})) (recur (inc i)))"),
        format!("(defmacro m [] '{e}) (loop [] (eval '(m)) (recur))"),
        format!("(let [s (map (fn [_] {e}) (range))] [(last s) (first s)])"),
        format!("(let [a (atom nil)] (loop [] (swap! a (fn [v] (cons {e} v))) (recur)))"),
        format!("[{}]", format!("{e} ").repeat(20_000 / (e.len() + 1))),
    ]);
    let Some(spans) = ptc_lisp::read::read(example, &Limits::default()).ok().and_then(|f| call_in(&f, name)) else {
        return;
    };
    let text = |(from, to): &(usize, usize)| example.get(*from..*to).unwrap_or_default().to_string();
    let parts: Vec<String> = spans.iter().map(text).collect();
    let [_, head, args @ ..] = parts.as_slice() else { return };
    // The example around the call, as it may define what the call needs.
    let (from, to) = spans[0];
    let (before, after) = (&example[..from], &example[to..]);
    let around = |call: String| format!("{before}{call}{after}");
    let call = |args: &[String]| format!("({head} {})", args.join(" "));
    let with = |at: usize, arg: &str| {
        let mut args = args.to_vec();
        if let Some(a) = args.get_mut(at) {
            *a = arg.to_string();
        }
        call(&args)
    };
    let all = |arg: &str| call(&vec![arg.to_string(); args.len()]);
    for at in 0..args.len().min(4) {
        // Grows by itself: what it gives is its argument again.
        out.push(around(format!("(loop [x {}] (recur {}))", args[at], with(at, "x"))));
        for (probe, _) in PROBES {
            out.push(around(format!("(def kept {})", with(at, &format!("ctx/{probe}")))));
        }
    }
    if args.len() > 1 {
        for a in args.iter().take(3) {
            out.push(around(format!("(loop [x {a}] (recur {}))", all("x"))));
        }
        for (probe, _) in PROBES {
            out.push(around(format!("(def kept {})", all(&format!("ctx/{probe}")))));
        }
    }
    // Code that a program makes, and a macro: wide, deep, with long texts and names.
    let quoted = args.last().map_or("1", |a| a.as_str());
    for code in [
        format!("(cons '{head} (repeat 300000 '{quoted}))"),
        format!("(list* '{head} (concat '[{}] (repeat 300000 '{quoted})))", args.join(" ")),
        format!("(cons '{head} (iterate list '{quoted}))"),
        format!("(nth (iterate (fn [x] (list '{head} x x)) '{quoted}) 22)"),
        format!("(nth (iterate (fn [x] (list '{head} '{quoted} x)) '{quoted}) 900)"),
        format!("(cons '{head} (repeat 3000 ctx/text))"),
        format!("(cons '{head} (repeat 300 (symbol ctx/text)))"),
    ] {
        out.push(around(match is_form {
            true => format!("(do (defmacro m [] {code}) (eval '(m)))"),
            false => format!("(eval {code})"),
        }));
    }
    // The last argument very often, and the call in itself.
    if let Some(last) = args.last() {
        let mut many = args.to_vec();
        many.extend(vec![last.clone(); 20_000 / (last.len() + 1)]);
        out.push(around(call(&many)));
        let mut nested = call(args);
        for _ in 0..60 {
            if nested.len() > 30_000 {
                break;
            }
            nested = with(args.len() - 1, &nested);
        }
        out.push(around(nested.clone()));
        out.push(around(format!("(fn [] {nested})")));
    }
}

/// All rows: forms, then builtins.
fn rows() -> Vec<Row> {
    let forms = FORMS.iter().map(|f| (f.name, f.examples.to_vec()));
    let functions = builtins::all().map(|b| (b.name(), b.examples()));
    let row = |(name, examples): (&str, Vec<(&'static str, &'static str)>)| {
        let mut programs = Vec::new();
        let is_form = FORMS.iter().any(|f| f.name == name);
        for (program, value) in examples.iter().take(if is_form { 4 } else { 2 }) {
            shapes(name, program, value.starts_with('!'), is_form, &mut programs);
        }
        programs.sort();
        programs.dedup();
        Row { name: name.to_string(), programs }
    };
    forms.chain(functions).map(row).collect()
}

/// What a program took at most, and what it was charged for at most; how it ended, and its fuel.
fn measure(program: &str, fuel: u64, context: &[(String, Value)], on_print: &dyn Fn(&str)) -> (i64, i64, u64, String) {
    let limits = Limits {
        memory_bytes: LIMIT as u64,
        session_bytes: LIMIT as u64 * 2,
        fuel,
        cpu_ms: 0,
        wall_ms: 0,
        ..Limits::default()
    };
    let mut memory = Memory::new();
    let before = taken();
    PEAK.store(before, Ordering::Relaxed);
    let outcome =
        ptc_lisp::run(program, &mut memory, RunInput { context, on_print, ..RunInput::new(&limits, &[], &mut ()) });
    let peak = PEAK.load(Ordering::Relaxed).max(taken()) - before;
    let end = match &outcome.ending {
        RunResult::Value(_) | RunResult::Returned(_) => "value".to_string(),
        RunResult::Failed(_, e) | RunResult::Error(e) => e.kind.to_string(),
    };
    (peak, outcome.usage.memory_bytes as i64, outcome.usage.fuel, end)
}

/// What is wrong with a program.
fn wrong(program: &str, context: &[(String, Value)], on_print: &dyn Fn(&str)) -> Option<String> {
    let (taken, charged, used, _) = measure(program, LITTLE_FUEL, context, on_print);
    let uncharged = taken - charged;
    let rounds = (MUCH_FUEL / used.max(1)) as i64;
    if uncharged < 64 << 10 || uncharged.saturating_mul(rounds) < SLACK {
        return None;
    }
    let (taken, charged, fuel, end) = measure(program, MUCH_FUEL, context, on_print);
    let line = |n: i64| format!("{:.1} MB", n as f64 / f64::from(1 << 20));
    (taken > LIMIT + SLACK).then(|| {
        let shown: String = program.chars().take(200).collect();
        format!("takes {} and is charged {} (ends in {end}, {fuel} fuel): {shown}", line(taken), line(charged))
    })
}

/// Rows `from`, `from + step` and so on, in this process.
fn walk(from: usize, step: usize) {
    let limits = Limits { cpu_ms: 0, wall_ms: 0, ..Limits::default() };
    let value = |source: &str| {
        let mut memory = Memory::new();
        match ptc_lisp::run(source, &mut memory, RunInput::new(&limits, &[], &mut ())).ending {
            RunResult::Value(v) => v,
            _ => Value::Nil,
        }
    };
    let context: Vec<(String, Value)> =
        PROBES.iter().map(|(name, source)| ((*name).to_string(), value(source))).collect();
    std::thread::spawn(watch);
    let words = std::env::var("PTC_ROWS").unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().collect();
    let all = std::env::var_os("PTC_ALL").is_some() || !words.is_empty();
    for (i, row) in rows().iter().enumerate().skip(from).step_by(if all { step } else { step * 31 }) {
        if !words.is_empty() && !words.iter().any(|w| row.name.contains(w)) {
            continue;
        }
        for program in &row.programs {
            *RUNNING.lock().unwrap() = (i, format!("{}: {}", row.name, program.chars().take(300).collect::<String>()));
            if let Some(wrong) = wrong(program, &context, &|_| {}) {
                say(&format!("WRONG\t{i}\t{}: {wrong}", row.name));
            }
        }
    }
    say("DONE\t0\t");
}

/// Runs shares of the rows in processes: what is allocated is counted for a process.
fn processes(name: &str) -> Vec<String> {
    let step = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let share = |first: usize| {
        let (mut from, mut wrong) = (first, Vec::new());
        loop {
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", name, "--nocapture"])
                .env("PTC_WALK", format!("{from} {step}"))
                .stdin(Stdio::null())
                .stderr(Stdio::piped())
                .output()
                .unwrap();
            let out = String::from_utf8_lossy(&child.stdout).into_owned();
            let mut last = None;
            for line in out.lines().filter_map(|l| l.strip_prefix("WALK\t")) {
                let mut parts = line.splitn(3, '\t');
                let (what, at, text) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
                if what != "DONE" {
                    wrong.push(text.to_string());
                }
                last = Some((what.to_string(), at.parse::<usize>().unwrap()));
            }
            match last {
                Some((what, _)) if what == "DONE" => return wrong,
                // It goes on behind the row that made it give up.
                Some((what, at)) if what == "GIVES UP" => from = at + step,
                _ => {
                    wrong.push(format!("a process died: {}: {}", child.status, String::from_utf8_lossy(&child.stderr)));
                    return wrong;
                }
            }
        }
    };
    std::thread::scope(|s| {
        let shares: Vec<_> = (0..step).map(|first| s.spawn(move || share(first))).collect();
        shares.into_iter().flat_map(|s| s.join().unwrap()).collect()
    })
}

#[test]
fn no_row_takes_more_than_it_is_charged_for() {
    if let Ok(share) = std::env::var("PTC_WALK") {
        let mut numbers = share.split(' ').map(|n| n.parse().unwrap());
        return walk(numbers.next().unwrap(), numbers.next().unwrap());
    }
    let wrong = processes("no_row_takes_more_than_it_is_charged_for");
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_harness_sees_faults() {
    // Something that a program makes and is not charged for: here the host keeps it.
    let kept = std::cell::RefCell::new(Vec::new());
    let found = wrong("(loop [] (println 1) (recur))", &[], &|_| kept.borrow_mut().push(vec![1u8; 4096]));
    assert!(found.is_some());
    assert!(wrong("(loop [v []] (recur (conj v [1])))", &[], &|_| {}).is_none());
}
