//! Bytes as files of options: policies over a trace and a conversation, and limits.

use super::outside::{folder, ptc, words, write};
use std::path::PathBuf;
use std::sync::LazyLock;

/// A trace of the reviews, and a conversation with calls: what the policies are held against.
static GIVEN: LazyLock<(PathBuf, PathBuf)> = LazyLock::new(|| {
    let seeds = crate::markdown::folder("fuzz").join("corpus");
    let read = |name: &str| std::fs::read(seeds.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let folder = folder("policy");
    (write(&folder, "t.jsonl", read("trace/reviews")), write(&folder, "c.jsonl", read("conversation/tools")))
});

/// Reads the input as a policy and as limits, and shows what the policy makes of a trace and of a conversation.
pub fn policy(data: &[u8]) {
    let (trace, talk) = &*GIVEN;
    let (trace, talk) = (trace.display().to_string(), talk.display().to_string());
    let file = write(&folder("policy"), "p.toml", super::text(data).as_bytes());
    let path = file.display().to_string();
    ptc(&["messages", &trace, "--policy", &path], "");
    ptc(&["history", "view", &talk, "--policy", &path, "--why"], "");
    if let Err(e) = ptc_agent::task::options::limits_file(&file) {
        words(&e.to_string());
    }
}
