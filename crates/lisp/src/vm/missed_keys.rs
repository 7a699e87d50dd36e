//! Constant keys that no map had: which were found somewhere in a turn, and which were looked for in vain while a map
//! has a key that is written nearly so.

use crate::interface::MissedKey;
use crate::value::{Map, Value};
use ptc_text::suggest::did_you_mean;

/// Different keys that are remembered.
const MAX_KEYS: usize = 16;
/// Maps of which the keys are remembered, for each key: those of the first miss, the second, the fourth and so on.
const MAX_MAPS: usize = 6;
/// Keys of one map that are remembered.
const MAX_NAMES: usize = 48;
/// Keys of one map among which names are looked for.
const MAX_VISITED: usize = 200;
/// Most keys that are told after a turn.
const MAX_TOLD: usize = 3;
/// Longer names are not compared, in bytes.
const MAX_NAME_BYTES: usize = 80;

/// What a turn has looked up by constant keys.
pub(crate) struct LookedUp {
    /// By the mark of a constant, whether a map had it, or the program said what it wants where none has. Two constants
    /// may have one mark: then a key that seems misspelt may not be told.
    found: [bool; 256],
    missed: Vec<Missed>,
}

struct Missed {
    key: Value,
    times: u64,
    /// Keys of maps that did not have it.
    names: Vec<Vec<Value>>,
}

impl LookedUp {
    pub fn new() -> Self {
        LookedUp { found: [false; 256], missed: Vec::new() }
    }

    /// A map had the constant with this mark; 0 is that of what is no constant.
    #[inline]
    #[allow(clippy::indexing_slicing)] // a byte cannot be past 256 entries
    pub fn found(&mut self, mark: u8) {
        self.found[usize::from(mark)] = true;
    }

    /// `map` does not have the constant `key`: what it costs to remember that.
    pub fn missed(&mut self, key: &Value, map: &Map) -> u64 {
        if map.is_empty() {
            return 0;
        }
        let missed = match self.missed.iter().position(|m| m.key.same_name(key)) {
            Some(i) => self.missed.get_mut(i),
            None if self.missed.len() < MAX_KEYS => {
                self.missed.push(Missed { key: key.clone(), times: 0, names: Vec::new() });
                self.missed.last_mut()
            }
            None => None,
        };
        let Some(missed) = missed else { return 0 };
        missed.times = missed.times.saturating_add(1);
        if !missed.times.is_power_of_two() || missed.names.len() >= MAX_MAPS {
            return 0;
        }
        let names = map.keys().take(MAX_VISITED).filter(|k| k.name_text().is_some()).take(MAX_NAMES);
        missed.names.push(names.cloned().collect());
        4 + map.len().min(MAX_VISITED) as u64
    }

    /// The keys that were missed everywhere and of which a map has one of nearly that name, in the order of their first
    /// miss.
    pub fn near(&self) -> Vec<MissedKey> {
        let found = |key: &Value| self.found.get(usize::from(key.constant_mark())).copied().unwrap_or(false);
        let missed = self.missed.iter().filter(|m| !found(&m.key));
        let near = missed.filter_map(|m| {
            let near = m.names.iter().find_map(|names| nearest(m.key.name_text()?, names))?;
            Some(MissedKey { key: m.key.clone(), near: near.clone() })
        });
        near.take(MAX_TOLD).collect()
    }
}

/// The key that is written most nearly as `word`: but for case, `-`, `_` and blanks the same, or misspelt.
pub fn nearest<'v>(word: &str, names: &'v [Value]) -> Option<&'v Value> {
    if word.len() > MAX_NAME_BYTES {
        return None;
    }
    let texts = || names.iter().filter_map(|v| Some((v, v.name_text().filter(|t| t.len() <= MAX_NAME_BYTES)?)));
    let wanted = letters(word);
    if let Some((v, _)) = texts().find(|(_, t)| !wanted.is_empty() && letters(t) == wanted) {
        return Some(v);
    }
    // Names that differ in their numbers are names of different things.
    let numbered = |t: &str| without_digits(t) == without_digits(&wanted);
    let names: Vec<String> = texts().map(|(_, t)| letters(t)).collect();
    let near = did_you_mean(&wanted, names.iter().map(String::as_str).filter(|t| !numbered(t)))?;
    let place = names.iter().position(|t| t == near)?;
    texts().nth(place).map(|(v, _)| v)
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}
