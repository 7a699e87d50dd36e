//! Long runs beside Clojure, and the file of answers that is kept; `run` beside this package builds and starts it.

use ptc_generated::clojure::{Clojure, Said};
use ptc_generated::ours::{Code, answers, words};
use ptc_generated::{Answer, Session, agree, line, make, patterns, shrink};
use std::io::{self, Write};
use std::time::Instant;

const USAGE: &str = "usage: ptc-generated run COUNT SEED     sessions of COUNT seeds from SEED on, here and by Clojure; what differs is made
                                        small, but with `whole` behind it
       ptc-generated patterns COUNT SEED     the same of random patterns and texts
       ptc-generated write-patterns COUNT SEED   COUNT of them with Clojure's answers, for patterns.txt
       ptc-generated plain COUNT SEED   the same without Clojure, against plain code
       ptc-generated write COUNT SEED   COUNT sessions with Clojure's answers, for answers.txt
       ptc-generated show SEED          the session of a seed
       ptc-generated ask FILE           a session a line, turns between tabs: what each side answers";

/// Sessions asked at a time.
const LOT: usize = 500;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|a| a.replace('_', "").parse::<u64>().ok());
    let done = match (args.first().map(String::as_str), number(1), number(2)) {
        (Some("run"), Some(count), Some(seed)) => {
            run(count, seed, args.get(3).is_some_and(|a| a == "whole"), make::session)
        }
        (Some("patterns"), Some(count), Some(seed)) => run(count, seed, false, patterns::session),
        (Some("write-patterns"), Some(count), Some(seed)) => write_patterns(count, seed).map(|()| true),
        (Some("plain"), Some(count), Some(seed)) => Ok(plain(count, seed)),
        (Some("write"), Some(count), Some(seed)) => write(count, seed).map(|()| true),
        (Some("show"), Some(seed), None) => {
            println!("{}\n{}", make::session(seed).join("\n"), patterns::session(seed).join("\n"));
            Ok(true)
        }
        (Some("ask"), None, None) if args.len() == 2 => ask(&args[1]),
        _ => {
            eprintln!("{USAGE}");
            std::process::exit(2);
        }
    };
    match done {
        Ok(true) => {}
        Ok(false) => std::process::exit(1),
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(2);
        }
    }
}

/// A session, the seed it is of, and what it answers here.
struct Asked {
    seed: u64,
    session: Session,
    here: Vec<Answer>,
}

/// The sessions of seeds that end within their limits here.
fn lot(seeds: std::ops::Range<u64>, make: fn(u64) -> Session) -> Vec<Asked> {
    let one = |seed| {
        let session = make(seed);
        let here = answers(&session, Code::Usual)?;
        Some(Asked { seed, session, here })
    };
    seeds.filter_map(one).collect()
}

fn run(count: u64, seed: u64, whole: bool, make: fn(u64) -> Session) -> io::Result<bool> {
    let began = Instant::now();
    let mut clojure = Clojure::start()?;
    let (mut programs, mut sessions, mut several, mut turns_of_several, mut failed, mut differ, mut seeds) =
        (0, 0, 0, 0, 0, 0, 0);
    let mut at = seed;
    while at < seed + count {
        let end = (at + LOT as u64).min(seed + count);
        let asked = lot(at..end, make);
        seeds += end - at;
        at = end;
        let questions: Vec<Session> = asked.iter().map(|a| a.session.clone()).collect();
        let theirs = clojure.answers(&questions)?;
        for (a, theirs) in asked.iter().zip(theirs) {
            sessions += 1;
            programs += a.session.len();
            failed += theirs.answers.iter().filter(|t| t.is_none()).count();
            if a.session.len() > 1 {
                several += 1;
                turns_of_several += a.session.len();
            }
            if !agree(&a.here, &theirs.answers) {
                differ += 1;
                report(&mut clojure, a, &theirs, whole)?;
            }
        }
        eprint!("\r{seeds} seeds, {programs} programs, {differ} differ, {} s ", began.elapsed().as_secs());
        io::stderr().flush()?;
    }
    eprintln!();
    println!(
        "{sessions} sessions ({} ended at a limit here and were not asked), {programs} programs, {failed} of them fail; {several} \
         sessions have several turns, {turns_of_several} programs; {differ} differ; {} s",
        seeds - sessions,
        began.elapsed().as_secs()
    );
    Ok(differ == 0)
}

fn report(clojure: &mut Clojure, a: &Asked, theirs: &Said, whole: bool) -> io::Result<()> {
    println!("\nseed {}\n  here    {}\n  Clojure {}", a.seed, line(&a.here), show(theirs));
    // Where nothing came in time there would be much to wait for.
    if whole || theirs.answers.iter().any(|t| t.as_deref() == Some("timeout")) {
        println!("  turns   {}", a.session.join("\n          "));
        return Ok(());
    }
    let mut trouble = None;
    let small = shrink::shrink(&a.session, &mut |lot| {
        // A turn that one side alone refuses stays such a turn, so that the smaller session shows the same.
        let kept: Vec<(usize, Vec<Answer>)> =
            lot.iter().enumerate().filter_map(|(i, s)| Some((i, answers(s, Code::Usual)?))).collect();
        let questions: Vec<Session> = kept.iter().map(|(i, _)| lot[*i].clone()).collect();
        match clojure.answers(&questions) {
            Ok(theirs_now) => kept
                .iter()
                .zip(theirs_now)
                .find(|((_, here), there)| differ_alike(&a.here, theirs, here, there))
                .map(|((i, _), _)| *i),
            Err(e) => {
                trouble = Some(e);
                None
            }
        }
    });
    if let Some(e) = trouble {
        return Err(e);
    }
    let here = answers(&small, Code::Usual).unwrap_or_default();
    let there = clojure.answers(std::slice::from_ref(&small))?.remove(0);
    println!("  small   {}\n  here    {}\n  Clojure {}", small.join("\n          "), line(&here), show(&there));
    if let Some(w) = words(&small) {
        println!("  words   {w}");
    }
    io::stdout().flush()
}

/// Whether two sessions differ in the same way: by their values, or by which side fails.
fn differ_alike(here: &[Answer], there: &Said, small_here: &[Answer], small_there: &Said) -> bool {
    let kind = |a: &[Answer], b: &Said| {
        let first =
            a.iter().zip(&b.answers).position(|(x, y)| !agree(std::slice::from_ref(x), std::slice::from_ref(y)))?;
        // What has no text to compare, as a function, is another difference.
        if b.answers.get(first)?.as_ref().is_some_and(|t| t.contains("#object[") || t.contains("#error")) {
            return None;
        }
        let error: String = b.words.get(first)?.chars().take(30).collect();
        Some((a.get(first)?.is_some(), error, b.answers.get(first)?.as_deref() == Some("timeout")))
    };
    let found = kind(small_here, small_there);
    found.is_some() && found == kind(here, there)
}

/// What Clojure says, with the text of its errors.
fn show(said: &Said) -> String {
    let one = |(a, w): (&Answer, &String)| a.clone().unwrap_or_else(|| format!("! {w}"));
    said.answers.iter().zip(&said.words).map(one).collect::<Vec<_>>().join("\t")
}

fn plain(count: u64, seed: u64) -> bool {
    let (mut programs, mut differ) = (0, 0);
    for seed in seed..seed + count {
        let session = make::session(seed);
        let (Some(usual), Some(plain)) = (answers(&session, Code::Usual), answers(&session, Code::Plain)) else {
            continue;
        };
        programs += session.len();
        if usual != plain {
            differ += 1;
            let small = shrink::shrink(&session, &mut |lot| {
                lot.iter().position(|s| {
                    let pair = (answers(s, Code::Usual), answers(s, Code::Plain));
                    matches!(&pair, (Some(a), Some(b)) if a != b)
                })
            });
            println!(
                "seed {seed}\n  usual {}\n  plain {}\n  small {}",
                line(&usual),
                line(&plain),
                small.join("\n        ")
            );
        }
    }
    println!("{programs} programs, {differ} sessions differ from plain code");
    differ == 0
}

/// What takes more room than others, and has it.
const RARE: &[&str] = &["(deftype ", "(extend-", "(reify ", "(prefer-method ", "(set! ", "(satisfies? "];

/// Sessions that say something in little room, on two lines each: the turns, the answers. A fifth has several turns.
fn write(count: u64, seed: u64) -> io::Result<()> {
    let several = count / 5;
    let (mut one, mut more, mut at) = (Vec::new(), Vec::new(), seed);
    while (one.len() as u64) < count - several || (more.len() as u64) < several {
        for a in lot(at..at + LOT as u64, make::session) {
            let len = a.session.iter().map(String::len).sum::<usize>();
            let short = a.here.iter().flatten().all(|t| t.len() < 200);
            let rare = RARE.iter().any(|w| a.session[0].contains(w));
            match a.session.len() {
                1 if short && (60..400).contains(&len) && (one.len() as u64) < count - several => one.push(a.session),
                1 if short && len < 1300 && rare && (one.len() as u64) < count - several => {
                    one.push(a.session);
                }
                2.. if short && len < 1200 && (more.len() as u64) < several => more.push(a.session),
                _ => {}
            }
        }
        at += LOT as u64;
    }
    one.append(&mut more);
    let said = Clojure::start()?.answers(&one)?;
    for (session, said) in one.iter().zip(said) {
        writeln!(io::stdout(), "{}\n{}", session.join("\t"), line(&said.answers))?;
    }
    Ok(())
}

/// Patterns and texts of which something is found, with Clojure's answers, on two lines each.
fn write_patterns(count: u64, seed: u64) -> io::Result<()> {
    let (mut kept, mut at) = (Vec::new(), seed);
    while (kept.len() as u64) < count {
        for a in lot(at..at + LOT as u64, patterns::session) {
            let found = a.here.iter().flatten().all(|t| !t.starts_with("[nil"));
            if found && (kept.len() as u64) < count {
                kept.push(a.session);
            }
        }
        at += LOT as u64;
    }
    let said = Clojure::start()?.answers(&kept)?;
    for (session, said) in kept.iter().zip(said) {
        writeln!(io::stdout(), "{}\n{}", session.join("\t"), line(&said.answers))?;
    }
    Ok(())
}

fn ask(file: &str) -> io::Result<bool> {
    let sessions: Vec<Session> = std::fs::read_to_string(file)?
        .lines()
        .filter(|l| !l.is_empty())
        .map(|l| l.split('\t').map(str::to_string).collect())
        .collect();
    let theirs = Clojure::start()?.answers(&sessions)?;
    let mut same = true;
    for (s, there) in sessions.iter().zip(theirs) {
        let here = answers(s, Code::Usual).unwrap_or_default();
        let equal = agree(&here, &there.answers);
        same &= equal;
        println!(
            "{}\n  here    {}\n  Clojure {}{}",
            s.join("\n"),
            line(&here),
            show(&there),
            if equal { "" } else { "\n  differ" }
        );
        if let Some(w) = words(s).filter(|_| !equal) {
            println!("  words   {w}");
        }
    }
    Ok(same)
}
