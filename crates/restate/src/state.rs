//! The lines of a session in the state of its object: parts of a megabyte, or of one line, so that what was written before is seldom
//! written again, and read one by one where state is lazy.

use restate_sdk::prelude::*;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

/// How many parts there are.
const PARTS: &str = "parts";
/// A part gets no further line that would make it longer.
const FULL: usize = 1 << 20;

/// What is awaited of Restate. It is named, since the compiler does not see that what the SDK returns may be sent.
pub(crate) type Awaited<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A part of the state.
pub(crate) type Part = Result<Option<Vec<u8>>, TerminalError>;

/// All lines of the session that this object's key names, as they were when its last handler ended.
///
/// # Errors
/// When Restate cannot give its state.
pub fn lines<'a, 'ctx: 'a>(ctx: &'a SharedObjectContext<'ctx>) -> Awaited<'a, Result<Vec<String>, TerminalError>> {
    Box::pin(async move { Ok(read(|key| Box::pin(ctx.get::<Vec<u8>>(key)) as Awaited<'ctx, Part>).await?.lines) })
}

/// What the state holds.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) lines: Vec<String>,
    /// How many lines stand in the parts before the last one, and how many parts those are.
    before_last: usize,
    full_parts: u64,
}

pub(crate) async fn read<'ctx>(
    get: impl Fn(&'static str) -> Awaited<'ctx, Part> + Send + Sync,
) -> Result<Kept, TerminalError> {
    let text = |part: Option<Vec<u8>>| {
        let text = String::from_utf8(part.unwrap_or_default());
        text.map_err(|_| TerminalError::new("the state of the session is damaged"))
    };
    let parts: u64 = text(get(PARTS).await?)?.parse().unwrap_or(0);
    let mut kept = Kept { full_parts: parts.saturating_sub(1), ..Kept::default() };
    for part in 0..parts {
        kept.before_last = kept.lines.len();
        kept.lines.extend(text(get(key(part)).await?)?.lines().map(str::to_owned));
    }
    Ok(kept)
}

impl Kept {
    /// Writes the lines that are new, and those of the last part again.
    pub(crate) fn write(&self, ctx: &ObjectContext<'_>) {
        let new = parts(self.lines.get(self.before_last..).unwrap_or_default());
        let mut next = self.full_parts;
        for text in new {
            ctx.set(key(next), text.into_bytes());
            next = next.saturating_add(1);
        }
        ctx.set(PARTS, next.to_string().into_bytes());
    }
}

/// Lines as parts, at least one. A line alone may be longer than a part is else, and then none stands beside it: a message of Restate has
/// an end too.
fn parts(lines: &[String]) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in lines {
        let full = all.last().is_some_and(|t| !t.is_empty() && t.len().saturating_add(line.len()) >= FULL);
        if full {
            all.push(String::new());
        }
        if let Some(text) = all.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    all
}

/// The name of a part. The SDK wants names that live as long as its context; there are as many as the longest session has
/// parts.
fn key(part: u64) -> &'static str {
    static KEYS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    let at = usize::try_from(part).unwrap_or(usize::MAX);
    while keys.len() <= at {
        let name = format!("lines-{:06}", keys.len());
        keys.push(Box::leak(name.into_boxed_str()));
    }
    keys.get(at).copied().unwrap_or("lines")
}

#[cfg(test)]
mod tests {
    use super::{FULL, parts};

    #[test]
    fn a_part_is_short_or_one_line() {
        let line = |bytes: usize| "x".repeat(bytes);
        let lines = [line(10), line(FULL - 12), line(1), line(31 << 20), line(FULL / 2), line(FULL / 2 - 2), line(5)];
        let made = parts(&lines);
        assert_eq!(made.concat().lines().collect::<Vec<_>>(), lines);
        let short = |text: &String| text.len() <= FULL || text.lines().count() == 1;
        assert!(made.iter().all(short), "{:?}", made.iter().map(String::len).collect::<Vec<_>>());
        assert_eq!((made.len(), parts(&[])), (5, vec![String::new()]));
    }
}
