//! Tools that misbehave on demand, for tests of hosts: `--test-tools`.

use ptc_agent::{Tool, Toolbox, arg};
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use std::time::{Duration, Instant};

/// Largest text that `tool/big` makes: a test is to hit the limits of a session, not those of the machine.
const MAX_RESULT_BYTES: usize = 128 << 20;
/// Deepest value that `tool/deep` makes, and most items of `tool/wide`.
const MAX_DEPTH_OR_ITEMS: usize = 1 << 20;

/// The tools of `--test-tools`.
pub fn toolbox(limits: &Limits) -> Toolbox {
    // A tool in this process cannot be stopped from outside: this one ends by itself when the turn's time must be over.
    let most = if limits.wall_ms == 0 { u64::MAX } else { limits.wall_ms.saturating_add(1) };
    let size = |args: &Value, name: &str| match arg(args, name) {
        Value::Int(n) if n.get() >= 0 => Ok(usize::try_from(n.get()).unwrap_or(usize::MAX)),
        _ => Err(format!("{name} must be a whole number from 0")),
    };
    let within = |n: usize, most: usize| if n > most { Err(format!("this tool makes {most} at most")) } else { Ok(n) };
    Toolbox::new()
        .with(Tool::new("echo", Ok).describe("Returns its arguments"))
        .with(
            Tool::new("fail", |args| Err(arg(&args, "message").as_str().unwrap_or("failed, as asked").to_owned()))
                .describe("Fails"),
        )
        .with(Tool::new("panic", panics).describe("Panics"))
        .with(
            Tool::new("slow", move |args| {
                let ms = size(&args, "ms")? as u64;
                sleep(Duration::from_millis(ms.min(most)));
                Ok(arg(&args, "ms").clone())
            })
            .describe("Sleeps for so many milliseconds")
            .param("ms", Type::Integer),
        )
        .with(
            Tool::new("big", move |args| Ok(Value::from("x".repeat(within(size(&args, "bytes")?, MAX_RESULT_BYTES)?))))
                .describe("A text of so many bytes")
                .param("bytes", Type::Integer),
        )
        .with(
            Tool::new("deep", move |args| {
                let depth = within(size(&args, "depth")?, MAX_DEPTH_OR_ITEMS)?;
                Ok((0..depth).fold(Value::Nil, |v, _| Value::vector(vec![v])))
            })
            .describe("A list nested so deep")
            .param("depth", Type::Integer),
        )
        .with(
            Tool::new("wide", move |args| {
                let n = within(size(&args, "n")?, MAX_DEPTH_OR_ITEMS)?;
                Ok(Value::vector((0..n).map(|i| Value::int(i as i64)).collect()))
            })
            .describe("A list of so many numbers")
            .param("n", Type::Integer),
        )
}

#[allow(clippy::panic, reason = "that is what it is for")]
fn panics(_: Value) -> Result<Value, String> {
    panic!("panicked, as asked")
}

fn sleep(d: Duration) {
    let start = Instant::now();
    while let Some(left) = d.checked_sub(start.elapsed()).filter(|l| !l.is_zero()) {
        std::thread::sleep(left.min(Duration::from_secs(1)));
    }
}
