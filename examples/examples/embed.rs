//! Embedding in ten lines: a session runs programs, and what they define stays.

use ptc::{Config, Session, TurnContext, TurnRefused};

fn main() -> Result<(), TurnRefused> {
    let mut session = Session::new(Config::programs());
    for program in [
        "(def prices \"In cents\" [250 120 990])",
        "(println \"sum:\" (reduce + prices))",
        "(map inc prices)",
        "(/ 1 0)",
    ] {
        let turn = session.run(program, TurnContext::without_host())?;
        let error = turn.error.as_ref().map(|e| format!("{}: {}", e.kind, e.message));
        println!("{program}\n{}=> {}\n", turn.printed.concat(), turn.value.clone().or(error).unwrap_or_default());
    }
    Ok(())
}
