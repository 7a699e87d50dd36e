//! Finds one match after the other, with either engine.

use super::compile::{self, CACHE, automaton};
use super::machine::{Machine, Until};
use super::meter::{Meter, can_look_ahead};
use super::translate;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::limits::Limits;
use crate::value::program::Program;
use crate::value::regex::{Automaton, Engine, Regex};
use crate::value::{Str, Value};
use regex_automata::{Anchored, Input};
use smallvec::SmallVec;
use std::sync::Arc;

/// Units of work that compiling costs: some tens of microseconds.
pub const COMPILE: u64 = 3000;

/// Matches of one search that are charged by the text that is left.
const UNMETERED: u32 = 32;

/// Byte places of a match and its groups.
pub type Spans = SmallVec<[Option<(usize, usize)>; 4]>;

/// Room for the first search of a regex in a turn; what it makes can be freed when memory gets short.
fn prepare(h: &mut dyn Host, regex: &Arc<Regex>, automaton: &Automaton) -> Result<()> {
    if automaton.is_fresh() {
        h.reserve(automaton.room())?;
        h.searched(regex);
    }
    Ok(())
}

/// The first match.
fn search(automaton: &Automaton, input: Input<'_>) -> Option<Spans> {
    automaton.search(|engine, cache| {
        if engine.captures_len() == 1 {
            let m = engine.search_with(cache, &input)?;
            return Some(SmallVec::from_slice(&[Some((m.start(), m.end()))]));
        }
        let mut groups = engine.create_captures();
        engine.search_captures_with(cache, &input, &mut groups);
        groups.is_match().then(|| groups.iter().map(|g| g.map(|g| (g.start, g.end))).collect())
    })
}

/// The program of a regex that backtracks.
fn program(regex: &Regex) -> Option<&Program> {
    match &regex.engine {
        Engine::Backtracking(program) => Some(program),
        Engine::Linear(_) => regex.exact.get(),
    }
}

/// The program of a regex for texts that only it can tell of as Java does.
fn exact<'r>(h: &mut dyn Host, regex: &'r Regex) -> Result<&'r Program> {
    if regex.exact.get().is_none() {
        h.charge(COMPILE + regex.source.len() as u64 * 40)?;
        let limits = h.limits().clone();
        h.reserve((regex.source.len() as u64).saturating_mul(256).saturating_add(limits.regex_bytes))?;
        let _ = regex.exact.set(compile::exact(&regex.source, regex.flags, &limits)?);
    }
    match regex.exact.get() {
        Some(program) => Ok(program),
        None => Err(Interrupt::error(ErrorKind::Internal, "a program is gone that was just made")),
    }
}

/// Finds one match after the other, as Java's `Matcher.find` does.
#[derive(Clone)]
pub struct Finder {
    regex: Arc<Regex>,
    text: Str,
    at: usize,
    /// Where the last match ended.
    last: usize,
    done: bool,
    searches: u32,
    meter: Option<Meter>,
    /// What the engine that backtracks works on, where it is the one.
    machine: Option<Box<Machine>>,
}

impl Finder {
    /// How many values a clone counts for.
    pub fn weight(&self) -> u64 {
        self.meter.as_ref().map_or(0, Meter::weight) + self.machine.as_ref().map_or(0, |m| m.weight())
    }

    /// From the start of `text`; for the linear engine one pass over it is charged.
    pub fn new(h: &mut dyn Host, regex: Arc<Regex>, text: Str) -> Result<Self> {
        Finder::from(h, regex, text, 0)
    }

    /// As [`Finder::new`], from byte `at` of `text` on.
    pub fn from(h: &mut dyn Host, regex: Arc<Regex>, text: Str, at: usize) -> Result<Self> {
        let mut machine = None;
        if regex.ends.lines && !text.is_ascii() {
            // It is looked for line ends of other scripts.
            h.charge(text.as_str().len() as u64 / 32)?;
        }
        match &regex.engine {
            Engine::Linear(_) if regex.ends.need_exact(text.as_str(), text.is_ascii()) => {
                h.charge(2)?;
                let program = exact(h, &regex)?;
                machine = Some(Box::new(Machine::new(h, program)?));
            }
            Engine::Linear(automaton) => {
                // Where groups begin and end is followed a character at a time.
                let bytes = if automaton.groups() > 1 { 4 } else { 14 };
                h.charge(2 + text.as_str().len().saturating_sub(at) as u64 / bytes)?;
                prepare(h, &regex, automaton)?;
            }
            Engine::Backtracking(program) => {
                h.charge(2)?;
                machine = Some(Box::new(Machine::new(h, program)?));
            }
        }
        Ok(Finder { regex, text, at, last: at, done: false, searches: 0, meter: None, machine })
    }

    /// The text that is searched.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The part of the text at these places.
    pub fn part(&self, span: Option<(usize, usize)>) -> Option<&str> {
        span.and_then(|(from, to)| self.text().get(from..to))
    }

    /// The next match with the engine that backtracks.
    fn backtracking(&mut self, h: &mut dyn Host) -> Result<Option<Spans>> {
        let (Some(machine), Some(program)) = (&mut self.machine, program(&self.regex)) else { return Ok(None) };
        let found = machine.search(h, program, self.text.as_str(), self.at, self.last)?;
        Ok(found.then(|| machine.groups().collect()))
    }

    /// The next match.
    pub fn next(&mut self, h: &mut dyn Host) -> Result<Option<Spans>> {
        if self.done {
            return Ok(None);
        }
        h.charge(if self.regex.groups() > 1 { 12 } else { 6 })?;
        self.searches = self.searches.saturating_add(1);
        let found = match &self.regex.engine {
            _ if self.machine.is_some() => self.backtracking(h)?,
            Engine::Linear(automaton) if self.at <= self.text().len() => {
                search(automaton, Input::new(self.text()).range(self.at..))
            }
            _ => None,
        };
        let Some(spans) = found else {
            self.done = true;
            return Ok(None);
        };
        if let Some(Some((from, to))) = spans.first().copied() {
            if self.machine.is_none() {
                self.pay_ahead(h, from, to)?;
            }
            self.last = to;
            // After an empty match the search continues one character further.
            self.at = after(self.text(), from, to);
        }
        Ok(Some(spans))
    }

    /// One pass over the text was charged at the start. A search can look far beyond its match, and again for the next
    /// one: the first few are charged all the text that is left, later ones what they looked at.
    fn pay_ahead(&mut self, h: &mut dyn Host, from: usize, to: usize) -> Result<()> {
        let left = self.text.as_str().len().saturating_sub(to) as u64;
        if left < 256 || !can_look_ahead(&self.regex.source) {
            return Ok(());
        }
        if self.searches <= UNMETERED {
            return h.charge(left / 64);
        }
        if self.meter.is_none() {
            h.charge(COMPILE)?;
            h.reserve(CACHE as u64)?;
            self.meter = Meter::new(&self.regex.source, self.regex.flags, CACHE);
        }
        match &mut self.meter {
            Some(meter) => meter.charge(h, self.text.as_str(), from, to),
            None => h.charge(left / 8),
        }
    }

    /// What `re-find` gives for a match: a string, with groups a vector (trap 37).
    pub fn value(&self, h: &mut dyn Host, spans: &Spans) -> Result {
        found(h, self.text(), spans)
    }
}

/// Where the search for the next match begins after this one: after an empty match one character further.
pub fn after(text: &str, from: usize, to: usize) -> usize {
    if from < to { to } else { to + text.get(to..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8) }
}

/// The match that the text begins with.
pub fn looking_at(h: &mut dyn Host, re: &Arc<Regex>, text: Str) -> Result<Option<Spans>> {
    let mut f = Finder::new(h, re.clone(), text)?;
    h.charge(if re.groups() > 1 { 12 } else { 6 })?;
    if let (Some(machine), Some(program)) = (&mut f.machine, program(re)) {
        let matches = machine.match_at(h, program, f.text.as_str(), (0, 0), Until::Anywhere)?;
        return Ok(matches.then(|| machine.groups().collect()));
    }
    let Engine::Linear(automaton) = &re.engine else { return Ok(None) };
    Ok(search(automaton, Input::new(f.text()).anchored(Anchored::Yes)))
}

/// What `re-find` gives for a match in `text`.
pub fn found(h: &mut dyn Host, text: &str, spans: &Spans) -> Result {
    let group =
        |span: &Option<(usize, usize)>| span.and_then(|(from, to)| text.get(from..to)).map_or(Value::Nil, Value::str);
    let bytes: usize = spans.iter().flatten().map(|(from, to)| to - from).sum();
    h.reserve(bytes as u64)?;
    Ok(match spans.as_slice() {
        [whole] => group(whole),
        all => Value::vector(all.iter().map(group).collect()),
    })
}

/// The match of the whole text. The linear engine prefers the leftmost alternative, which may end early: then the pattern
/// is asked again between anchors.
pub fn whole(h: &mut dyn Host, re: &Arc<Regex>, text: Str) -> Result<Option<Spans>> {
    let len = text.as_str().len();
    let mut f = Finder::new(h, re.clone(), text)?;
    if let (Some(machine), Some(program)) = (&mut f.machine, program(re)) {
        h.charge(6)?;
        let matches = machine.match_at(h, program, f.text.as_str(), (0, 0), Until::End)?;
        return Ok(matches.then(|| machine.groups().collect()));
    }
    let Some(spans) = f.next(h)? else { return Ok(None) };
    match spans.first().copied().flatten() {
        Some((0, to)) if to == len => return Ok(Some(spans)),
        Some((0, _)) => {}
        // What starts later had no match at the start at all.
        _ => return Ok(None),
    }
    h.charge(2 + len as u64 / 8)?;
    if re.whole.get().is_none() {
        h.charge(COMPILE)?;
        let limits = h.limits().clone();
        h.reserve(limits.regex_bytes.saturating_mul(3))?;
        let translated = translate(&re.source, re.flags).unwrap_or_default();
        // The anchors are no part of what the limit is about.
        let roomy = Limits { regex_bytes: limits.regex_bytes.saturating_add(1024), ..limits };
        let _ = re.whole.set(automaton(&re.source, &format!("\\A(?:{translated})\\z"), &roomy)?);
    }
    let Some(anchored) = re.whole.get() else { return Ok(None) };
    prepare(h, re, anchored)?;
    Ok(search(anchored, Input::new(f.text())))
}
