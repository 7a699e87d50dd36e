//! Every hostile program in a process of its own, at default limits: a table of kind, CPU time and peak memory.
//!
//! `cargo run --release -p ptc-hostile --example attacks` tries all; `-- class-05 sort` those with one of these words.

// A measurement reads the clock and prints.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use cpu_time::ProcessTime;
use ptc_hostile::{Session, attacks, check};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use std::process::{Command, ExitCode};

/// Peak resident memory of this process, in MB.
fn peak_mb() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// One attack, in this process: kind, milliseconds, MB, and what is wrong.
fn one(index: usize) -> ExitCode {
    let Some(attack) = attacks().into_iter().nth(index) else { return ExitCode::FAILURE };
    let mut session = Session { memory: Memory::new(), limits: Limits { cpu_ms: 0, wall_ms: 0, ..Limits::default() } };
    let start = ProcessTime::now();
    let (kind, wrong) = check(&mut session, &attack);
    drop(session);
    println!("{kind}\t{}\t{}\t{}", start.elapsed().as_millis(), peak_mb(), wrong.unwrap_or_default());
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, index] = words.as_slice()
        && flag == "--one"
    {
        return index.parse().map_or(ExitCode::FAILURE, one);
    }
    let Ok(me) = std::env::current_exe() else { return ExitCode::FAILURE };
    let (mut tried, mut bad, mut worst_ms, mut worst_mb) = (0, 0, 0u64, 0u64);
    println!("{:<16} {:>8} {:>8}  attack", "ended in", "CPU ms", "peak MB");
    for (i, attack) in attacks().iter().enumerate() {
        if !words.is_empty() && !words.iter().any(|w| attack.name.contains(w.as_str())) {
            continue;
        }
        tried += 1;
        let child = Command::new(&me).args(["--one", &i.to_string()]).output();
        let (status, line) = match &child {
            Ok(o) => (o.status.to_string(), String::from_utf8_lossy(&o.stdout).into_owned()),
            Err(e) => (e.to_string(), String::new()),
        };
        let fields: Vec<&str> = line.trim_end_matches('\n').split('\t').collect();
        let [kind, ms, mb, wrong] = fields.as_slice() else {
            bad += 1;
            println!("{status:<34}  {} DEAD", attack.name);
            continue;
        };
        worst_ms = worst_ms.max(ms.parse().unwrap_or(0));
        worst_mb = worst_mb.max(mb.parse().unwrap_or(0));
        bad += u32::from(!wrong.is_empty());
        println!("{kind:<16} {ms:>8} {mb:>8}  {} {wrong}", attack.name);
    }
    println!("{tried} attacks, {bad} went wrong, worst {worst_ms} ms and {worst_mb} MB");
    ExitCode::from(u8::from(bad > 0))
}
