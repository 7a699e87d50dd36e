//! What hosts ask of a session: its definitions, what a name is bound to, what it was after a turn.

use crate::session::Session;
use crate::trace::Trace;
use crate::trace::record::{Defined, TurnRecord};
use ptc_lisp::{json, print};

impl Session {
    /// Names that are bound, with the record of their definition and the turn that made it.
    pub fn definitions(&self) -> impl Iterator<Item = (u64, &Defined)> {
        let of = |name: &str| {
            let turns = self.trace.turns().iter().rev().filter(|t| t.status.committed());
            turns.flat_map(|t| t.definitions.iter().rev().map(|d| (t.turn, d))).find(|(_, d)| d.name == name)
        };
        self.memory.bindings().filter_map(move |b| of(&b.name))
    }

    /// What a name is bound to, as JSON text. What is no JSON is its text, which is.
    pub fn json_of(&self, name: &str) -> Option<String> {
        let value = self.memory.get(name)?;
        let text = json::to_text(value).ok();
        text.or_else(|| serde_json::to_string(&print::readable(value, 1 << 20)).ok())
    }

    /// A copy as the session was after turn `turn`; 0 is its beginning. Whether it goes on after an answer is as with
    /// [`Session::from_trace`].
    ///
    /// # Errors
    /// In words: there is no such turn, the session has acts, or a turn does not replay.
    pub fn fork_after(&self, turn: u64) -> Result<Session, String> {
        let last = self.trace.turns().len() as u64;
        if turn > last {
            return Err(format!("there is no turn {turn}; the last is {last}"));
        }
        if !self.trace.acts().is_empty() {
            return Err("a session with acts is forked as it is; leave turn out".to_owned());
        }
        let mut part = Trace::new(self.trace.header.clone());
        for record in self.trace.turns().iter().take_while(|r| r.turn <= turn) {
            part.push(TurnRecord::clone(record));
        }
        Session::from_trace(part, self.context.clone()).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, TurnContext};

    #[test]
    fn a_session_is_looked_at_and_forked() {
        let mut s = Session::new(Config::programs());
        for program in ["(def n 1)", "(def n (inc n)) (defn f [] n)", "(def x (/ 1 0))"] {
            s.run(program, TurnContext::without_host()).unwrap();
        }
        let names: Vec<_> = s.definitions().map(|(turn, d)| (turn, d.name.as_str())).collect();
        assert_eq!(names, [(2, "n"), (2, "f")]);
        assert_eq!((s.json_of("n").as_deref(), s.json_of("x")), (Some("2"), None));
        assert!(s.json_of("f").unwrap().starts_with('"'));
        assert_eq!(s.fork_after(1).unwrap().json_of("n").as_deref(), Some("1"));
        assert!(s.fork_after(0).unwrap().memory().bindings().next().is_none());
        assert_eq!(s.fork_after(4).err().unwrap(), "there is no turn 4; the last is 3");
    }
}
