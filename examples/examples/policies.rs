//! One trace under three policies: the trace stays, only what the model would see of it changes.

use ptc::{Environment, Error, ErrorRetention, Policy, RunContext, Session, Task, messages};
use std::path::Path;

fn main() -> Result<(), Error> {
    let task = Task::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tasks/recovery"))?;
    let session = Session::new(task.config()?);
    let mut model = task.model(session.trace(), &Environment::default())?;
    let mut agent = task.agent(session, &RunContext::default())?;
    let end = agent.run(&mut model, &mut ());
    println!("{} after {} turns: {}\n", end.status.as_str(), end.turns, end.value.unwrap_or_default());

    let trace = agent.session().trace();
    let full = Policy::full();
    let compressed = Policy::compressed();
    let terse = Policy {
        println_history_limit: Some(1),
        error_retention: ErrorRetention::UntilRecovered,
        ..Policy::legacy_entry_count()
    };
    for (name, policy) in [("full", full), ("compressed", compressed), ("terse", terse)] {
        // What the model saw, or would have seen, before the last turn.
        let view = messages(trace, &policy, Some(end.turns));
        println!("================ {name}");
        // The system message is the same in all three, and long.
        for m in view.iter().skip(1) {
            println!("[{}]\n{}\n", m.role, m.text());
        }
        let bytes: usize = view.iter().skip(1).map(|m| m.text().len()).sum();
        println!("{name}: {} messages, {bytes} bytes and the system message\n", view.len());
    }
    Ok(())
}
