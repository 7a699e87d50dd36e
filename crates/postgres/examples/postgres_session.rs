//! A session in PostgreSQL: killed wherever you like and begun again, it goes on. `postgres_session SERVER NAME`; its model is recorded.

use ptc_agent::{Agent, ReplayModel, Tool, Toolbox, arg};
use ptc_postgres::PostgresStore;
use ptc_turns::Config;
use std::time::Duration;

const REPLIES: &str =
    "## Turn 1\n(def a (tool/slow {:n 1}))\n## Turn 2\n(def b (tool/slow {:n 2}))\n## Turn 3\n(return (+ a b))";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [server, name] = args.as_slice() else { return Err("usage: postgres_session SERVER NAME".into()) };
    // Read only, so that one in flight is made again without a question.
    let slow = Tool::new("slow", |args| {
        println!("slow {:?}", arg(&args, "n"));
        std::thread::sleep(Duration::from_secs(2));
        Ok(arg(&args, "n").clone())
    });
    let tools = Toolbox::new().with(slow.read_only());
    let config = Config { prompt: "Add what is slow.".into(), tools: tools.specs(), ..Config::default() };
    let store = PostgresStore::connect(server)?;
    let mut agent = Agent::in_store(&store, name, config, tools)?;
    println!("{} turns are there", agent.session().trace().turns().len());
    let answered = agent.session().trace().replies().len() as u64;
    let end = agent.run(&mut ReplayModel::parse("replies", REPLIES)?.after(answered), &mut ());
    println!("{}", end.value.or(end.error.map(|e| e.to_string())).unwrap_or_default());
    Ok(())
}
