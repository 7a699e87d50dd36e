//! A session is forked and run both ways: what one does, atoms included, the other never sees.

use ptc::{Config, Session, TurnContext, TurnRefused};

fn run(name: &str, session: &mut Session, program: &str) -> Result<(), TurnRefused> {
    let turn = session.run(program, TurnContext::without_host())?;
    println!("{name}, turn {}: {program}\n  = {}", turn.turn, turn.value.as_deref().unwrap_or("an error"));
    Ok(())
}

fn main() -> Result<(), TurnRefused> {
    let mut session = Session::new(Config { prompt: "Plan the budget".into(), ..Config::default() });
    run("before", &mut session, "(def spent \"Cents spent so far\" (atom 1000))")?;
    run("before", &mut session, "(def budget \"Cents to spend\" 5000)")?;

    let mut careful = session.fork();
    let mut bold = session.fork();
    run("careful", &mut careful, "(swap! spent + 500)")?;
    run("bold", &mut bold, "(def budget \"Cents to spend, twice as many\" (* 2 budget))")?;
    run("bold", &mut bold, "(swap! spent + 8000)")?;

    for (name, mut s) in [("careful", careful), ("bold", bold), ("the one they came from", session)] {
        run(name, &mut s, "{:budget budget :spent @spent :left (- budget @spent)}")?;
        println!("  after {} turns", s.trace().turns().len());
    }
    Ok(())
}
