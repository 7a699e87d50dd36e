//! What is kept of a run beside its trace: which model was asked, when, and why it did not end.

use ptc_agent::error_text;
use ptc_agent::{Error, ErrorKind, files};
use ptc_turns::Trace;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A file `1.jsonl.run.json` beside `1.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLog {
    /// The model that was asked, as `--model` or the task names it.
    pub model: Option<String>,
    /// When the run went on, a part each time.
    pub parts: Vec<Part>,
    /// Why it ended without a result, the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A stretch of time, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its start.
    pub from: i64,
    /// Its end; absent where the process was ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<i64>,
}

impl RunLog {
    /// The file beside a trace.
    pub fn beside(trace: &Path) -> PathBuf {
        let mut name = trace.as_os_str().to_owned();
        name.push(".run.json");
        PathBuf::from(name)
    }

    /// What is kept beside this trace, where anything is: of traces that others made, nothing.
    ///
    /// # Errors
    /// When there is a file that cannot be read.
    pub fn read(trace: &Path) -> Result<Option<Self>, Error> {
        let file = Self::beside(trace);
        if !file.exists() {
            return Ok(None);
        }
        let text = files::read_hand_written(&file)?;
        let hint = "remove this file; the times of that run are lost with it";
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|e| Error::new(ErrorKind::Usage, error_text!("{e}"; "{hint}")).at(&file.display().to_string()))
    }

    /// Writes it in the place of what is there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, trace: &Path) -> Result<(), Error> {
        let file = Self::beside(trace);
        let mut new = file.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let text = serde_json::to_string(self).unwrap_or_default() + "\n";
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &file));
        written.map_err(|e| Error::io(&file, "write", &e))
    }

    /// How long the run took, in milliseconds: all parts together. One that a crash ended lasted to the end of the last
    /// turn that it made.
    pub fn took(&self, trace: &Trace) -> u64 {
        let ends = |from: i64, next: Option<i64>| {
            let within = |t: i64| t >= from && next.is_none_or(|n| t < n);
            let wall = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
            let turns = trace.turns().iter().filter(|t| within(t.time));
            turns.map(|t| t.time.saturating_add(wall(t.usage.wall_ms))).max().unwrap_or(from)
        };
        let mut sum = 0_u64;
        for (i, part) in self.parts.iter().enumerate() {
            let next = self.parts.get(i.saturating_add(1)).map(|p| p.from);
            let to = part.to.unwrap_or_else(|| ends(part.from, next));
            sum = sum.saturating_add(u64::try_from(to.saturating_sub(part.from)).unwrap_or(0));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::{Header, TurnRecord};

    #[test]
    fn a_part_that_a_crash_ended_lasted_to_its_last_turn() {
        let mut trace = Trace::new(Header::new("s", "p", 5));
        for (time, wall_ms) in [(1500, 20), (9000, 0)] {
            let mut turn = TurnRecord::empty(0);
            turn.time = time;
            turn.usage.wall_ms = wall_ms;
            trace.push(turn);
        }
        let parts = vec![Part { from: 1000, to: None }, Part { from: 8000, to: Some(9500) }];
        let kept = RunLog { parts, ..RunLog::default() };
        assert_eq!(kept.took(&trace), 520 + 1500);
        let odd = RunLog { parts: vec![Part { from: i64::MAX, to: Some(i64::MIN) }], ..RunLog::default() };
        assert_eq!(odd.took(&trace), 0);
    }
}
