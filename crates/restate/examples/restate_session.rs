//! A session in Restate: kill the service or the server wherever you like and begin it again, and it goes on. Its model is
//! recorded.

// The SDK's macro writes methods without documentation.
#![allow(missing_docs)]

use ptc_agent::{Agent, ReplayModel, Tool, Toolbox, arg};
use ptc_turns::Config;
use restate_sdk::prelude::*;
use std::time::Duration;

const REPLIES: &str =
    "## Turn 1\n(def a (tool/slow {:n 1}))\n## Turn 2\n(def b (tool/slow {:n 2}))\n## Turn 3\n(return (+ a b))";

struct Sums;

#[object(
    lazy_state = true,
    inactivity_timeout = "1h",
    abort_timeout = "1h",
    invocation_retry_policy(initial_interval = "100ms", max_interval = "1s")
)]
impl Sums {
    #[handler]
    async fn run(&self, ctx: ObjectContext<'_>, prompt: String) -> HandlerResult<String> {
        ptc_restate::with_journal(&ctx, move |journal, cancel| {
            // Read only, so that one in flight is made again without a question.
            let slow = Tool::new("slow", |args| {
                println!("slow {:?}", arg(&args, "n"));
                std::thread::sleep(Duration::from_secs(2));
                Ok(arg(&args, "n").clone())
            });
            let tools = Toolbox::new().with(slow.read_only());
            let config = Config { prompt, tools: tools.specs(), ..Config::default() };
            let agent = Agent::with_journal(journal, "the session", config, tools)?;
            println!("{} turns are there", agent.session().trace().turns().len());
            let answered = agent.session().trace().replies().len() as u64;
            let mut model = ReplayModel::parse("replies", REPLIES)?.after(answered);
            let end = agent.with_cancel(cancel).run(&mut model, &mut ());
            end.value.ok_or_else(|| TerminalError::new(end.error.map(|e| e.to_string()).unwrap_or_default()).into())
        })
        .await
    }

    /// The trace so far, as it was when the last call ended.
    #[handler]
    async fn lines(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Vec<String>>> {
        Ok(Json(ptc_restate::lines(&ctx).await?))
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let at = std::net::SocketAddr::from(([127, 0, 0, 1], 9080));
    println!("Restate is told where it is: curl localhost:9070/deployments --json '{{\"uri\": \"http://{at}\"}}'");
    ptc_restate::serve(Endpoint::builder().bind(Sums).build(), at).await
}
