//! Prints how long a view of 10,000 messages takes once a message was appended, for each strategy.

use ptc_history::policy::{Policy, Strategy};
use ptc_history::{Block, Conversation, Message, Role, With, view};
use serde_json::json;

#[allow(clippy::disallowed_methods, clippy::disallowed_macros)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for strategy in Strategy::ALL {
        let policy = Policy { from_timestamp: Some(4_000_000), ..Policy::with(strategy) };
        let mut talk = Conversation::new();
        talk.push(Message::system("rules"))?;
        talk.add_user_message("the task")?;
        let mut worst = std::time::Duration::ZERO;
        let mut sum = std::time::Duration::ZERO;
        for i in 0..10_100_usize {
            let id = format!("c{i}");
            let mut message = match i % 4 {
                0 => Message::user(format!("request {i}: {}", "please ".repeat(20))),
                1 => Message::of(
                    Role::Assistant,
                    vec![Block::text(format!("recap - step {i}")), Block::tool_use(&id, "find", json!({ "page": i }))],
                ),
                2 => Message::of(Role::Tool, vec![Block::tool_result(format!("c{}", i - 1), "row ".repeat(200))]),
                _ => Message::assistant(format!("Looked at it.\nrecap - found {i}")),
            };
            message.meta_mut().at = Some(i as i64 * 1000);
            talk.push(message)?;
            if i >= 9_900 {
                let start = std::time::Instant::now();
                let shown = view(&talk, &policy, &With::default())?;
                let took = start.elapsed();
                std::hint::black_box(shown.shown.len());
                // The first view works everything out once.
                if i >= 10_000 {
                    worst = worst.max(took);
                    sum += took;
                }
            }
        }
        println!("{:42} mean {:>6} µs  worst {:>6} µs", strategy.name(), sum.as_micros() / 100, worst.as_micros());
    }
    Ok(())
}
