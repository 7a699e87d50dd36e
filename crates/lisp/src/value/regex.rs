//! Regexes: a pattern, and what searches with it.

use super::node::{Bytes, UPKEEP};
use super::program::Program;
use super::text::OVERHEAD;
use regex_automata::PatternID;
use regex_automata::meta;
use std::sync::{Arc, Mutex, OnceLock};

/// Flags that a pattern begins with, as `Pattern/compile` takes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `i`
    pub insensitive: bool,
    /// `m`
    pub multiline: bool,
    /// `s`
    pub dot_all: bool,
    /// `x`
    pub comments: bool,
    /// `d`
    pub unix_lines: bool,
    /// `u`
    pub unicode_case: bool,
    /// `U`
    pub unicode_classes: bool,
    /// Every character stands for itself.
    pub literal: bool,
}

impl Flags {
    /// Of Java's number; `None` where it has flags that are not there.
    pub fn of_java(bits: i64) -> Option<Flags> {
        let has = |bit: i64| bits & bit != 0;
        let flags = Flags {
            unix_lines: has(1),
            insensitive: has(2),
            comments: has(4),
            multiline: has(8),
            literal: has(16),
            dot_all: has(32),
            unicode_case: has(64) || has(256),
            unicode_classes: has(256),
        };
        (bits & !(1 | 2 | 4 | 8 | 16 | 32 | 64 | 256) == 0).then_some(flags)
    }
}

/// A compiled regex and its source.
#[derive(Debug)]
pub struct Regex {
    /// The pattern as written.
    pub source: String,
    /// The flags that it begins with.
    pub flags: Flags,
    /// The compiled form.
    pub engine: Engine,
    /// For the linear engine the same for a whole text, made when it is first asked for.
    pub whole: OnceLock<Automaton>,
    /// For the linear engine a program for texts of which only that says what Java would, made when one comes.
    pub exact: OnceLock<Program>,
    /// What it asks of ends of lines.
    pub ends: Ends,
    bytes: Bytes,
}

/// What a pattern asks of ends of lines: the linear engine does not know all that Java knows of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Whether it has `^` or `$` for every line.
    pub lines: bool,
    /// Whether it has `$` or `\\Z` for the end of the text and the line end before it.
    pub last: bool,
}

impl Ends {
    /// Whether only the engine that backtracks says of this text what Java says.
    pub fn need_exact(self, text: &str, ascii: bool) -> bool {
        if !self.lines && !self.last {
            return false;
        }
        // No line begins where the text ends, and before a line end at the very end is an end too.
        let ends = text.ends_with(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
        let lines = || text.is_empty() || !ascii && text.contains(['\u{85}', '\u{2028}', '\u{2029}']);
        ends || self.lines && lines()
    }
}

/// What searches with a regex.
#[derive(Debug)]
pub enum Engine {
    /// The linear engine.
    Linear(Automaton),
    /// The one that backtracks, for what the linear one does not have.
    Backtracking(Program),
}

impl Regex {
    /// A regex that was compiled from `source`.
    pub fn new(source: String, flags: Flags, engine: Engine, ends: Ends) -> Arc<Self> {
        let bytes = size_of::<Self>() + OVERHEAD + source.capacity() + UPKEEP;
        Arc::new(Regex {
            source,
            flags,
            engine,
            whole: OnceLock::new(),
            exact: OnceLock::new(),
            ends,
            bytes: Bytes::new(bytes),
        })
    }

    /// How many groups, the whole match among them.
    pub fn groups(&self) -> usize {
        match &self.engine {
            Engine::Linear(automaton) => automaton.groups(),
            Engine::Backtracking(program) => program.names.len(),
        }
    }

    /// The number of the group of this name.
    pub fn named(&self, name: &str) -> Option<usize> {
        match &self.engine {
            Engine::Linear(automaton) => automaton.names().position(|n| n == Some(name)),
            Engine::Backtracking(program) => program.names.iter().position(|n| n.as_deref() == Some(name)),
        }
    }

    /// The text that is all it matches, where the pattern is plain to see: characters that stand for themselves.
    pub fn literal(&self) -> Option<&str> {
        if self.flags != Flags::default() {
            return None;
        }
        let itself = |b: u8| b.is_ascii_alphanumeric() || b" ,;:-_/=@!%&<>~'\"`".contains(&b);
        match self.source.as_bytes() {
            [b'\\', c] if c.is_ascii_punctuation() => self.source.get(1..),
            [_, ..] if self.source.bytes().all(itself) => Some(&self.source),
            _ => None,
        }
    }

    /// Its bytes on the meter.
    pub fn bytes(&self) -> usize {
        let engine = match &self.engine {
            Engine::Linear(automaton) => automaton.bytes(),
            Engine::Backtracking(program) => program.bytes(),
        };
        let whole = self.whole.get().map_or(0, Automaton::bytes);
        self.bytes.get() + engine + whole + self.exact.get().map_or(0, Program::bytes)
    }

    /// Lets go of what searching has made besides the compiled form; the next search makes it again.
    pub fn forget(&self) {
        if let Engine::Linear(automaton) = &self.engine {
            automaton.forget();
        }
        if let Some(whole) = self.whole.get() {
            whole.forget();
        }
    }
}

/// What the engine made of a pattern, and what its searches have made of that so far, all of it on the meter.
#[derive(Debug)]
pub struct Automaton {
    engine: meta::Regex,
    bytes: Bytes,
    cache: Mutex<Option<Box<Searched>>>,
}

#[derive(Debug)]
struct Searched {
    cache: meta::Cache,
    bytes: Bytes,
}

/// Bytes of a compiled regex that the engine does not count.
const ENGINE: usize = 3600;

impl Automaton {
    /// Puts a compiled regex on the meter.
    pub fn new(engine: meta::Regex) -> Self {
        // The engine counts its tables, not the parts they are kept in.
        let bytes = engine.memory_usage() + engine.memory_usage() / 2 + ENGINE;
        Automaton { bytes: Bytes::new(bytes), engine, cache: Mutex::new(None) }
    }

    /// How many groups, the whole match among them.
    pub fn groups(&self) -> usize {
        self.engine.captures_len()
    }

    /// The names of its groups in order.
    pub fn names(&self) -> impl Iterator<Item = Option<&str>> {
        self.engine.group_info().pattern_names(PatternID::ZERO)
    }

    /// Bytes that the first search may take at once, before anything of it can be counted: for each state of the
    /// automaton where its groups began and ended.
    pub fn room(&self) -> u64 {
        (self.engine.memory_usage() as u64).saturating_mul(self.groups() as u64)
    }

    /// Searches with what earlier searches have made.
    pub fn search<R>(&self, search: impl FnOnce(&meta::Regex, &mut meta::Cache) -> R) -> R {
        let place = |new: Option<Box<Searched>>| match self.cache.try_lock() {
            Ok(mut cache) => std::mem::replace(&mut *cache, new),
            // Another thread searches with it right now.
            Err(_) => None,
        };
        let mut searched = place(None).unwrap_or_else(|| {
            let bytes = Bytes::held(size_of::<Searched>() + UPKEEP);
            Box::new(Searched { cache: self.engine.create_cache(), bytes })
        });
        let found = search(&self.engine, &mut searched.cache);
        searched.bytes.hold(size_of::<Searched>() + UPKEEP + searched.cache.memory_usage());
        drop(place(Some(searched)));
        found
    }

    /// Whether nothing has been made by searching, or nothing is left of it.
    pub fn is_fresh(&self) -> bool {
        self.cache.try_lock().is_ok_and(|c| c.is_none())
    }

    fn forget(&self) {
        if let Ok(mut cache) = self.cache.try_lock() {
            *cache = None;
        }
    }

    fn bytes(&self) -> usize {
        let searched = self.cache.try_lock().map_or(0, |c| c.as_ref().map_or(0, |c| c.bytes.get()));
        self.bytes.get() + searched
    }
}
