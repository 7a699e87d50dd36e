//! `ptc-engines run STORE NAME DIARY MS [KILL_AT WHEN]` runs a session; `serve PORT DIARIES MS [KILL_AT WHEN]` serves them to
//! Restate; `bench SESSIONS TURNS [STORE ...]` measures stores;
//! `million FOLDER [PRICE=DOLLARS ...] [NAME=TURNS_A_SECOND ...]` says what a million sessions need.

use ptc_agent::{Error, ErrorKind};
use ptc_engines::kills::{Kills, When};
use ptc_engines::{bench, million, restate, session, store};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: ptc-engines run STORE NAME DIARY MS [KILL_AT before|after|US] | serve PORT DIARIES MS [KILL_AT WHEN] | bench SESSIONS TURNS [STORE ...] | \
                     million FOLDER [disk|objects|machine=DOLLARS ...] [NAME=TURNS_A_SECOND ...]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<(), Error> {
    match args {
        ["run", name, session, diary, ms, rest @ ..] => {
            let mut store = store(name)?;
            if let [at, when] = rest {
                let when = self::when(when)?;
                let acknowledged = PathBuf::from(format!("{diary}.acknowledged"));
                store = Box::new(Kills { of: store, at: number(at)?, when, acknowledged });
            }
            let takes = Duration::from_millis(number(ms)?);
            let answer = session::run(&*store, session, Path::new(diary), takes)?;
            println!("{}", answer.as_deref().unwrap_or("it waits"));
            Ok(())
        }
        ["serve", port, diaries, ms, rest @ ..] => {
            let kill = if let [at, when] = rest { Some((number(at)?, self::when(when)?)) } else { None };
            let port = number(port)?.try_into().unwrap_or(0);
            let at = SocketAddr::from(([127, 0, 0, 1], port));
            let takes = Duration::from_millis(number(ms)?);
            restate::serve(at, PathBuf::from(diaries), takes, kill)
                .map_err(|e| Error::new(ErrorKind::Runtime, format!("cannot serve: {e}")))
        }
        ["bench", sessions, turns, stores @ ..] => {
            let (sessions, turns) = (number(sessions)?, number(turns)?);
            println!("| store | a turn (median) | 99 of 100 | turns/s by {sessions} sessions |\n|---|---|---|---|");
            for name in std::iter::once(&"none").chain(stores) {
                let m = match name.strip_prefix("restate:") {
                    Some(ingress) => bench::measure_restate(ingress, sessions, turns)?,
                    None if *name == "none" => bench::measure(None, sessions, turns)?,
                    None => bench::measure(Some(&*store(name)?), sessions, turns)?,
                };
                let ms = |d: Duration| d.as_secs_f64() * 1000.0;
                println!("| {name} | {:.2} ms | {:.2} ms | {:.0} |", ms(m.median), ms(m.p99), m.per_second);
            }
            Ok(())
        }
        ["million", folder, rates @ ..] => {
            let (mut prices, mut measured) = (million::Prices::default(), Vec::new());
            for given in rates.iter() {
                let usage = || Error::new(ErrorKind::Usage, USAGE);
                let (name, value) = given.split_once('=').ok_or_else(usage)?;
                let value = value.parse::<f64>().ok().filter(|v| v.is_finite() && *v > 0.0).ok_or_else(usage)?;
                if !prices.set(name, value) {
                    measured.push((name.to_owned(), value));
                }
            }
            million::print(Path::new(folder), prices, &measured)
        }
        _ => Err(Error::new(ErrorKind::Usage, USAGE)),
    }
}

fn when(text: &str) -> Result<When, Error> {
    Ok(match text {
        "before" => When::Before,
        "after" => When::After,
        us => When::During(number(us)?),
    })
}

fn number(text: &str) -> Result<u64, Error> {
    text.parse().map_err(|_| Error::new(ErrorKind::Usage, USAGE))
}
