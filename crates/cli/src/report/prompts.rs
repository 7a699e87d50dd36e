//! The prompt of every turn with the reason of every line, each distinct message kept once; and what it counts.

use ptc_history::tokens::MessageCounter;
use ptc_history::view::{View, Why};
use ptc_history::{Role, With, why};
use ptc_turns::reason::{self, Reason};
use ptc_turns::{Policy, Trace, request};
use serde::Serialize;
use std::collections::HashMap;

/// All prompts, as the page's script reads them.
#[derive(Default, Serialize)]
pub struct Prompts {
    /// Texts of messages as `ptc messages` prints them, heading and blank line included.
    texts: Vec<String>,
    /// Reasons in words.
    reasons: Vec<String>,
    /// Distinct messages: the text, then by turns a number of lines and their reason.
    messages: Vec<(usize, Vec<(usize, usize)>)>,
    /// The prompt of each turn: how many messages it has in common with the one before, and those behind them.
    prompts: Vec<(usize, Vec<usize>)>,
    #[serde(skip)]
    before: Vec<usize>,
    #[serde(skip)]
    known_texts: HashMap<String, usize>,
    #[serde(skip)]
    known_reasons: HashMap<String, usize>,
    #[serde(skip)]
    known_messages: HashMap<(usize, Vec<(usize, usize)>), usize>,
}

/// A prompt in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its messages.
    pub messages: usize,
    /// Its tokens, by the page's counter.
    pub tokens: u64,
}

/// Makes prompts of a trace under a policy.
pub struct Maker<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Whose tokens are counted.
    pub counter: &'a MessageCounter,
    /// Counts of texts that were counted already, by role.
    pub counted: HashMap<(Role, String), u64>,
}

impl Maker<'_> {
    /// What is sent before `turn` under `policy`, or why nothing can be.
    pub fn view(&self, policy: &Policy, turn: u64) -> Result<View, String> {
        let with = match policy.history.max_tokens {
            Some(_) => With { measure: Some(self.counter), ..With::default() },
            None => With::default(),
        };
        request(self.trace, policy, Some(turn), &with).map_err(|e| e.to_string())
    }

    /// Its size.
    pub fn size(&mut self, view: &View) -> Size {
        let mut tokens = self.counter.frame();
        for shown in &view.shown {
            let m = &shown.message;
            let n = if m.is_plain() {
                let key = (m.role, m.text().into_owned());
                *self.counted.entry(key).or_insert_with(|| self.counter.message(m))
            } else {
                self.counter.message(m)
            };
            tokens = tokens.saturating_add(n);
        }
        Size { messages: view.shown.len(), tokens }
    }
}

impl Prompts {
    /// Adds the prompt of the next turn.
    pub fn push(&mut self, trace: &Trace, policy: &Policy, turn: u64, view: &View) {
        let of_turns = reason::reasons(trace, policy, Some(turn));
        let mut here: Vec<usize> = Vec::new();
        let lines = why::lines(view);
        for group in lines.chunk_by(|a, b| a.message == b.message) {
            let Some(shown) = group.first().and_then(|l| view.shown.get(l.message)) else { continue };
            let of_turn = shown.place().and_then(|at| of_turns.get(at));
            let mut place = Place::default();
            let mut text = String::new();
            let mut runs: Vec<(usize, usize)> = Vec::new();
            for (i, line) in group.iter().enumerate() {
                text.push_str(&line.text);
                text.push('\n');
                // The blank line that ends a message belongs to the line before it.
                if let (true, Some(run)) = (i + 1 == group.len(), runs.last_mut()) {
                    run.0 += 1;
                    break;
                }
                let words = match (&line.why, of_turn) {
                    // The history floor left it as the turns made it: they know why.
                    (Why::Everything | Why::System | Why::Task | Why::Recent | Why::Small, Some(r)) => {
                        place.words(trace, policy, r, &line.text)
                    }
                    (why, _) => why.to_string(),
                };
                let reason = number(&mut self.known_reasons, &mut self.reasons, words);
                match runs.last_mut() {
                    Some(run) if run.1 == reason => run.0 += 1,
                    _ => runs.push((1, reason)),
                }
            }
            let message = (number(&mut self.known_texts, &mut self.texts, text), runs);
            here.push(number(&mut self.known_messages, &mut self.messages, message));
        }
        let common = self.before.iter().zip(&here).take_while(|(a, b)| a == b).count();
        self.prompts.push((common, here.get(common..).unwrap_or_default().to_vec()));
        self.before = here;
    }

    /// Adds a prompt that cannot be made.
    pub fn push_none(&mut self) {
        self.prompts.push((0, Vec::new()));
        self.before.clear();
    }
}

/// The number of a thing: that of the same thing before, or the next.
fn number<T: Clone + Eq + std::hash::Hash>(known: &mut HashMap<T, usize>, all: &mut Vec<T>, thing: T) -> usize {
    *known.entry(thing).or_insert_with_key(|t| {
        all.push(t.clone());
        all.len() - 1
    })
}

/// Where in a message the lines have come to. The headings cannot be forged by programs: printed lines that begin like
/// one are escaped.
#[derive(Default)]
struct Place {
    lines: usize,
    heading: Option<&'static str>,
}

impl Place {
    fn words(&mut self, trace: &Trace, policy: &Policy, reason: &Reason, line: &str) -> String {
        self.lines += 1;
        let whole = reason.to_string();
        let turn = match reason {
            Reason::Summary(n) | Reason::Recovered(n) => Some(*n),
            Reason::Together => None,
            _ => return whole,
        };
        // The line of the role; and of all turns in one message first the task.
        let task = if turn.is_none() { trace.header.prompt.split('\n').count() + 1 } else { 0 };
        if self.lines == 1 {
            return whole;
        }
        if self.lines <= task {
            return "the task".to_owned();
        }
        let headings = ["; Tools:", "; Memory:", "; Tool calls:", "; Output:", "; Errors:"];
        if self.heading != Some("; Output:") || turn.is_none() {
            self.heading = headings.into_iter().find(|h| line == *h).or(self.heading);
        }
        let by = turn.map_or_else(String::new, |n| format!(" by turn {n}"));
        match self.heading {
            _ if line.is_empty() => whole,
            Some("; Tools:") => "tools that are granted".to_owned(),
            Some("; Tool calls:") => format!("calls{by}, of the newest {}", policy.tool_calls_limit),
            Some("; Output:") => format!("printed{by}, of the newest {}", policy.println_history_limit),
            Some("; Errors:") => "turns that failed, whole".to_owned(),
            _ if line.starts_with("; Function: ") || line.starts_with("; Defined: ") => {
                format!("last defined{}", if by.is_empty() { " so" } else { by.as_str() })
            }
            Some("; Memory:") => "what is bound".to_owned(),
            _ => whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::counter;
    use ptc_history::render;
    use ptc_turns::{Config, Session, World};

    fn trace() -> Trace {
        let mut s = Session::new(Config { prompt: "p\nq".into(), max_turns: 9, ..Config::default() });
        for p in ["(def a 1)", "(println \"; Output:\") (println a)", "(oops)", "(def a 2)", "(return a)"] {
            s.reply(&format!("```clojure\n{p}\n```"), World::still(&mut ())).unwrap();
        }
        s.trace().clone()
    }

    /// The prompts put together again as the script does.
    fn texts(p: &Prompts) -> Vec<String> {
        let mut here: Vec<usize> = Vec::new();
        p.prompts
            .iter()
            .map(|(common, more)| {
                here.truncate(*common);
                here.extend(more);
                here.iter().map(|m| p.texts[p.messages[*m].0].as_str()).collect()
            })
            .collect()
    }

    #[test]
    fn every_prompt_is_what_is_sent_and_every_line_has_a_reason() {
        let trace = trace();
        let counter = counter("openai/gpt-4o").unwrap();
        let together = Policy { layout: ptc_turns::policy::Layout::Coalesced, ..Policy::compressed() };
        for policy in [Policy::default(), Policy::compressed(), together] {
            let mut maker = Maker { trace: &trace, counter: &counter, counted: HashMap::new() };
            let mut prompts = Prompts::default();
            let mut expected = Vec::new();
            for k in 1..=5 {
                let view = maker.view(&policy, k).unwrap();
                prompts.push(&trace, &policy, k, &view);
                expected.push(render::text(&view.messages()));
                let size = maker.size(&view);
                assert_eq!(size.messages, view.shown.len());
                let whole: u64 = view.shown.iter().map(|s| counter.message(&s.message)).sum();
                assert_eq!(size.tokens, whole + counter.frame());
            }
            assert_eq!(texts(&prompts), expected);
            for (text, runs) in &prompts.messages {
                let lines = prompts.texts[*text].matches('\n').count();
                assert_eq!(lines, runs.iter().map(|r| r.0).sum::<usize>());
            }
            let distinct: std::collections::HashSet<&String> = prompts.texts.iter().collect();
            assert_eq!(distinct.len(), prompts.texts.len(), "a text is kept once");
        }
    }

    #[test]
    fn lines_of_summaries_say_which_turn_and_rule() {
        let trace = trace();
        let counter = counter("openai/gpt-4o").unwrap();
        let maker = Maker { trace: &trace, counter: &counter, counted: HashMap::new() };
        let policy = Policy { error_context_turns: 0, ..Policy::compressed() };
        let mut prompts = Prompts::default();
        prompts.push(&trace, &policy, 5, &maker.view(&policy, 5).unwrap());
        for words in [
            "turn 1, summary",
            "printed by turn 2, of the newest 15",
            "turn 3, whole: it failed",
            "last defined by turn 4",
            "feedback to turn 4, shortened",
        ] {
            assert!(prompts.reasons.iter().any(|r| r == words), "{words}: {:?}", prompts.reasons);
        }
    }
}
