//! How honest fuel is: thread time over fuel for everything a program can do, dearest unit first.
//!
//! Times of a shared machine swing by more than what is looked for: each round is compared with a round of a plain loop
//! over integers, and the first column says how many times that loop's unit a unit costs. A case that ends after a few
//! thousand units (its own limit, a wrong argument) has no rate: its time is in the second table, which must stay
//! short.
//!
//! `cargo run --release -p ptc-lisp --example fuel` prints a table; `-- sort regex` only what has one of these words.
//! Every example of every builtin is a case, run in a loop; `CASES` adds sizes, shapes and the ends of turns.

// A measurement reads the clock and prints.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use cpu_time::ThreadTime;
use ptc_lisp::memory::Memory;
use std::collections::HashMap;

mod cases;
mod library_cases;
mod turn;
use cases::CASES;
use turn::{Spent, turn};

/// How long a case may take: one that is far too dear, or whose set-up never ends, shall not hold up the others.
const MOST_MS: u64 = 2000;

/// What all others are measured by.
const LOOP: &str = "(loop [i 0 n 0] (recur (inc i) (+ n (* i 2))))";

/// Fewer units than these say nothing about a rate.
const FEW: u64 = 20_000;

/// The middle one of a few rounds, and how dear its unit is beside one of the plain loop. Each begins with a fork of
/// the session made ready.
fn measure(ready: &Memory, body: &str, fuel: u64, rounds: usize) -> Option<(f64, Spent)> {
    let round = |_| {
        let plain = turn(LOOP, &mut Memory::new(), fuel, MOST_MS);
        let mut memory = ready.clone();
        let spent = turn(body, &mut memory, fuel, MOST_MS);
        let start = ThreadTime::now();
        drop(memory);
        let spent = Spent { seconds: spent.seconds + start.elapsed().as_secs_f64(), ..spent };
        (spent.ns() / plain.ns(), spent)
    };
    let mut all: Vec<(f64, Spent)> = (0..rounds).map(round).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().nth(rounds / 2)
}

/// An endless loop over a body; what it throws is caught.
fn looped(body: &str) -> String {
    format!("(loop [i 0] (do {body} {body} {body} {body}) (recur (inc i)))")
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|w| name.contains(w.as_str()));
    let fuel: u64 = std::env::var("FUEL").ok().and_then(|s| s.parse().ok()).unwrap_or(3_000_000);
    let mut all: Vec<(String, f64, Spent)> = Vec::new();
    let mut sessions: HashMap<&str, Memory> = HashMap::new();
    for (name, setup, body) in CASES.iter().chain(library_cases::CASES) {
        if wanted(name) {
            eprint!("\r{name:<60}");
            let source = if let Some(once) = body.strip_prefix("once ") { once.to_string() } else { looped(body) };
            let ready = sessions.entry(setup).or_insert_with(|| {
                let mut memory = Memory::new();
                if !setup.is_empty() && turn(setup, &mut memory, u64::MAX, MOST_MS).ending != "value" {
                    println!("{name}: its set-up fails");
                }
                memory
            });
            all.extend(measure(ready, &source, fuel, 3).map(|(times, s)| (name.to_string(), times, s)));
        }
    }
    for b in ptc_lisp::builtins::all() {
        for (i, (program, value)) in b.examples().iter().enumerate() {
            let name = format!("example {} {}", b.name(), i + 1);
            // Printing ends in its own limit, definitions belong at the top.
            let body = if value.starts_with('!') {
                format!("(try {program} (catch Throwable e nil))")
            } else {
                format!("(with-out-str {program})")
            };
            eprint!("\r{name:<60}");
            if wanted(&name) && !program.contains("(def") && !program.contains("(return") && !program.contains("(fail")
            {
                all.extend(measure(&Memory::new(), &looped(&body), fuel / 4, 3).map(|(times, s)| (name, times, s)));
            }
        }
    }
    eprintln!();
    let (mut all, mut few): (Vec<_>, Vec<_>) = all.into_iter().partition(|c| c.2.units >= FEW);
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!("{:>8}  {:>9}  {:>9}  {:<14} case", "x loop", "ns a unit", "units", "ended in");
    for (name, times, s) in &all {
        println!("{times:>8.2}  {:>9.2}  {:>9}  {:<14} {name}", s.ns(), s.units, s.ending);
    }
    if let (Some(first), Some(last)) = (all.first(), all.last()) {
        println!("dearest to cheapest: {:.1}", first.1 / last.1);
    }
    few.sort_by(|a, b| b.2.seconds.total_cmp(&a.2.seconds));
    println!("\n{:>8}  {:>9}  {:<14} case of less than {FEW} units", "ms", "units", "ended in");
    for (name, _, s) in few.iter().take(25) {
        println!("{:>8.2}  {:>9}  {:<14} {name}", s.seconds * 1e3, s.units, s.ending);
    }
}
