//! How far a regex looked beyond its match, so that it can be charged. Each match takes linear time, but all matches
//! of `a.*?z|a` look at all the text that is left: together that is the square (SECURITY R8).

use super::linear::spelled;
use super::syntax::parse;
use crate::host::{Host, Result};
use crate::value::node::Bytes;
use crate::value::regex::Flags;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::{Anchored, Input};

/// Bytes looked at between two payments.
const PACE: usize = 2048;

/// The automaton of a regex, stepped by hand after a match was found.
#[derive(Clone)]
pub struct Meter {
    dfa: DFA,
    cache: Cache,
    bytes: Bytes,
}

/// Whether a match can end long before its search does: only where a choice was made between what matched and something
/// longer that failed later. A plain sequence of repeated characters has no such choice.
pub fn can_look_ahead(pattern: &str) -> bool {
    let unbounded = pattern.contains(['*', '+']) || pattern.contains(",}");
    unbounded && (pattern.contains('|') || [")?", ")*", ")+", "){"].iter().any(|q| pattern.contains(q)))
}

impl Meter {
    /// How many values a clone counts for: the automaton as far as it has been built.
    pub fn weight(&self) -> u64 {
        // What is behind the automaton's own reference is shared by all copies, and on the meter of each.
        self.bytes.get() as u64 / 16
    }

    /// For a pattern that has been compiled before; `None` when its automaton cannot be made in `bytes`.
    pub fn new(pattern: &str, flags: Flags, bytes: usize) -> Option<Self> {
        let translated = spelled(&parse(pattern, flags).ok()?)?;
        let config = DFA::config().cache_capacity(bytes);
        let dfa = DFA::builder().configure(config).build(&translated).ok()?;
        let cache = dfa.create_cache();
        let mut meter = Meter { dfa, cache, bytes: Bytes::held(0) };
        meter.count();
        Some(meter)
    }

    fn count(&mut self) {
        self.bytes.hold(self.dfa.memory_usage() + self.cache.memory_usage());
    }

    /// Charges what the search that began at `from` looked at beyond its match, which ended at `to`.
    pub fn charge(&mut self, h: &mut dyn Host, text: &str, from: usize, to: usize) -> Result<()> {
        let paid = self.look(h, text, from, to);
        self.count();
        paid
    }

    fn look(&mut self, h: &mut dyn Host, text: &str, from: usize, to: usize) -> Result<()> {
        let input = Input::new(text).range(from..).anchored(Anchored::Yes);
        let left = text.len().saturating_sub(to) as u64;
        let Ok(mut state) = self.dfa.start_state_forward(&mut self.cache, &input) else { return h.charge(left / 8) };
        let bytes = text.as_bytes();
        // The match itself is charged by the pass over the text.
        for (i, byte) in bytes.get(from..).unwrap_or_default().iter().enumerate() {
            let Ok(next) = self.dfa.next_state(&mut self.cache, state, *byte) else { return h.charge(left / 8) };
            state = next;
            if state.is_tagged() && (state.is_dead() || state.is_quit()) {
                return h.charge((from + i).saturating_sub(to) as u64 % PACE as u64 / 2);
            }
            if i % PACE == PACE - 1 && from + i > to {
                h.charge(PACE as u64 / 2)?;
            }
        }
        Ok(())
    }
}
