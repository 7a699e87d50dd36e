//! The prompt of every turn with the reason of every line, each distinct message kept once; and what it counts.

use crate::reasons::Place;
use ptc_agent::Summaries;
use ptc_history::tokens::MessageCounter;
use ptc_history::view::summarizer::Summarizer;
use ptc_history::view::{TokenCounter, View, ViewMessage};
use ptc_history::{Message, Role, ViewContext, why};
use ptc_turns::reasons::TurnReason;
use ptc_turns::trace::Step;
use ptc_turns::{Policy, Trace, request};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// All prompts, under the policy of the run and under another one, as the page's script reads them.
#[derive(Default, Serialize)]
pub struct Prompts {
    /// Texts of messages as `ptc messages` prints them, heading and blank line included.
    texts: Vec<Text>,
    /// Reasons in words.
    reasons: Vec<String>,
    /// Distinct messages.
    messages: Vec<Kept>,
    /// What is sent under each policy, the run's first.
    views: Vec<Prompted>,
    /// Every text as it is.
    #[serde(skip)]
    whole: Vec<Arc<str>>,
    /// Every message: its text, then by turns a number of lines and their reason.
    #[serde(skip)]
    whole_messages: Vec<(usize, Vec<(usize, usize)>)>,
    /// Lines that were looked at: the work that was done.
    #[serde(skip)]
    looked: usize,
    #[serde(skip)]
    known_texts: HashMap<Arc<str>, usize>,
    #[serde(skip)]
    known_reasons: HashMap<String, usize>,
    #[serde(skip)]
    known_messages: HashMap<(usize, Vec<(usize, usize)>), usize>,
}

/// A text: as it is, or as lines of an earlier one and others between them.
#[derive(Serialize)]
#[serde(untagged)]
enum Text {
    Whole(Arc<str>),
    /// The number of the other text, and the pieces in their order.
    Like(usize, Vec<Piece>),
}

/// A piece of a text.
#[derive(Serialize)]
#[serde(untagged)]
enum Piece {
    /// Lines of the other text: from which on, and how many.
    Of(usize, usize),
    /// Lines of its own.
    Own(String),
}

/// A message: its text, then by turns a number of lines and their reason; or those as of an earlier one, with others in one
/// place: its number, how many of its runs come first and how many last, and the runs between.
#[derive(Serialize)]
#[serde(untagged)]
enum Kept {
    Whole(usize, Vec<(usize, usize)>),
    Like(usize, usize, usize, usize, Vec<(usize, usize)>),
}

/// The prompts under one policy.
#[derive(Default, Serialize)]
struct Prompted {
    /// What the policy is called on the page.
    name: String,
    /// The prompt of each turn: how many messages it has in common with the one before, and those behind them.
    prompts: Vec<(usize, Vec<usize>)>,
    /// Tokens of each.
    tokens: Vec<Option<u64>>,
    #[serde(skip)]
    before: Vec<usize>,
    /// The messages of the prompt before, and their turns' reasons.
    #[serde(skip)]
    shown: Vec<(ViewMessage, Option<TurnReason>)>,
}

/// A prompt in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its messages.
    pub messages: usize,
    /// Its tokens, by the page's counter.
    pub tokens: u64,
}

/// Makes prompts of a trace.
pub struct Maker<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Whose tokens are counted.
    pub counter: &'a MessageCounter,
    /// What a model wrote for it.
    pub summaries: Option<&'a Summaries>,
    /// Counts of texts that were counted already, by role.
    pub counted: HashMap<Role, HashMap<String, u64>>,
}

impl Maker<'_> {
    /// Hands over what is sent before each turn under `policy`, or why nothing can be; also before the one that is to
    /// come.
    pub fn each(&mut self, policy: &Policy, mut f: impl FnMut(&mut Self, u64, Result<View, String>)) {
        walk(self.trace, policy, |turn, messages| {
            let sent = self.sent(policy, messages.to_vec());
            f(self, turn, sent);
        });
    }

    /// Tokens of what is sent before each turn, and before the one that is to come; none where nothing can be.
    pub fn sizes(&mut self, policy: &Policy) -> Vec<Option<u64>> {
        let mut out = Vec::new();
        let retention = policy.history.retention;
        let plain = policy.history == ptc_history::Policy { retention, ..ptc_history::Policy::default() };
        if !plain || !self.trace.acts().is_empty() {
            self.each(policy, |maker, _, view| out.push(view.ok().map(|v| maker.size(&v).tokens)));
            return out;
        }
        // Nothing is done to the messages of turns: only what is new among them is counted.
        let mut before: Vec<(Message, u64)> = Vec::new();
        walk(self.trace, policy, |_, messages| {
            before.truncate(messages.len());
            for (i, m) in messages.iter().enumerate() {
                match before.get_mut(i) {
                    Some(old) if old.0 == *m => {}
                    Some(old) => *old = (m.clone(), self.counter.message(m)),
                    None => before.push((m.clone(), self.counter.message(m))),
                }
            }
            out.push(Some(before.iter().fold(self.counter.frame(), |sum, m| sum.saturating_add(m.1))));
        });
        out
    }

    fn sent(&self, policy: &Policy, messages: Vec<Message>) -> Result<View, String> {
        let measure = policy.history.max_tokens.map(|_| self.counter as &dyn TokenCounter);
        let (summarizer, memo) = match self.summaries {
            Some(s) => (Some(s as &dyn Summarizer), Some(s.memo())),
            None => (None, None),
        };
        let with = ViewContext { counter: measure, summarizer, summary_cache: memo, ..ViewContext::default() };
        request::apply_history_policy(messages, policy, &with).map_err(|e| e.to_string())
    }

    /// Its size.
    pub fn size(&mut self, view: &View) -> Size {
        let mut tokens = self.counter.frame();
        for shown in &view.shown {
            tokens = tokens.saturating_add(self.message(&shown.message));
        }
        Size { messages: view.shown.len(), tokens }
    }

    /// The tokens of a message; of a text that was counted before without counting it again.
    pub fn message(&mut self, m: &Message) -> u64 {
        if !m.is_plain() {
            return self.counter.message(m);
        }
        let (text, counted) = (m.text(), self.counted.entry(m.role).or_default());
        if let Some(n) = counted.get(text.as_ref()) {
            return *n;
        }
        let n = self.counter.message(m);
        counted.insert(text.into_owned(), n);
        n
    }
}

/// Hands over the messages of turns before each turn, and before the one that is to come. What is new in them is what
/// they cost: one view is continued, as a session does.
fn walk(trace: &Trace, policy: &Policy, mut f: impl FnMut(u64, &[Message])) {
    let mut view = ptc_turns::IncrementalView::new(trace.header.clone(), policy);
    // Whether the view is that of an ended session or act, which has no next prompt.
    let mut over = false;
    for step in trace.steps() {
        match step {
            Step::Act(act) => {
                view.open(act.clone());
                over = false;
            }
            Step::Turn(turn) => {
                // A session that was continued past its end.
                match over {
                    true => f(turn.turn, &ptc_turns::messages(trace, policy, Some(turn.turn))),
                    false => f(turn.turn, view.messages()),
                }
                view.push(turn.clone());
                over = turn.status.ends();
            }
        }
    }
    if !trace.ended() {
        f((trace.turns().len() as u64).saturating_add(1), view.messages());
    }
}

impl Prompts {
    /// Begins with the prompts under another policy.
    pub fn begin(&mut self, name: &str) {
        self.views.push(Prompted { name: name.to_owned(), ..Prompted::default() });
    }

    /// Adds the prompt of the next turn, which has so many tokens. Lines are looked at where they, or the reasons of their message, are not those of
    /// the prompt before.
    pub fn push(&mut self, trace: &Trace, policy: &Policy, of_turns: &[TurnReason], mut view: View, tokens: u64) {
        let Some(mut here_before) = self.views.pop() else { return };
        let old = &here_before;
        let all = std::mem::take(&mut view.shown);
        let reason = |shown: &ViewMessage| shown.place().and_then(|at| of_turns.get(at)).copied();
        let same = |(i, shown): (usize, &ViewMessage)| {
            let before = old.shown.get(i).filter(|(old, r)| {
                let (a, b) = (&old.message, &shown.message);
                *r == reason(shown)
                    && (old.reason, &old.from, &*old.blocks) == (shown.reason, &shown.from, &*shown.blocks)
                    && (Arc::ptr_eq(a, b) || a == b)
            });
            before.and_then(|_| old.before.get(i).copied())
        };
        let mut here: Vec<Option<usize>> = all.iter().enumerate().map(same).collect();
        view.shown = all.iter().zip(&here).filter(|(_, known)| known.is_none()).map(|(s, _)| s.clone()).collect();
        let lines = why::lines(&view);
        self.looked = self.looked.saturating_add(lines.len());
        let mut made = Vec::new();
        let mut places = here.iter().enumerate().filter(|(_, known)| known.is_none()).map(|(i, _)| i);
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
                if let (true, Some(run)) = (i.saturating_add(1) == group.len(), runs.last_mut()) {
                    run.0 = run.0.saturating_add(1);
                    break;
                }
                let words = place.reason(trace, policy, of_turn, line);
                let reason = number(&mut self.known_reasons, &mut self.reasons, words);
                match runs.last_mut() {
                    Some(run) if run.1 == reason => run.0 = run.0.saturating_add(1),
                    _ => runs.push((1, reason)),
                }
            }
            let like = places.next().and_then(|i| old.before.get(i)).copied();
            let message = (self.text(text, like.and_then(|m| self.whole_messages.get(m)).map(|m| m.0)), runs);
            made.push(self.message(message, like));
        }
        let mut made = made.into_iter();
        here.iter_mut().filter(|h| h.is_none()).for_each(|h| *h = made.next());
        let here: Vec<usize> = here.into_iter().flatten().collect();
        let common = old.before.iter().zip(&here).take_while(|(a, b)| a == b).count();
        here_before.prompts.push((common, here.get(common..).unwrap_or_default().to_vec()));
        here_before.tokens.push(Some(tokens));
        here_before.before = here;
        here_before.shown = all.into_iter().map(|s| (s.clone(), reason(&s))).collect();
        self.views.push(here_before);
    }

    /// The number of a text. A new one is kept as what differs from the text that was in its place, if that is most of it.
    fn text(&mut self, text: String, like: Option<usize>) -> usize {
        let text: Arc<str> = text.into();
        if let Some(n) = self.known_texts.get(&text) {
            return *n;
        }
        let old = like.and_then(|l| Some((l, self.whole.get(l)?.clone())));
        let changed = old.and_then(|(l, old)| difference(l, &old, &text));
        self.texts.push(changed.unwrap_or_else(|| Text::Whole(text.clone())));
        let n = self.whole.len();
        self.whole.push(text.clone());
        self.known_texts.insert(text, n);
        n
    }

    /// The number of a message, kept as what differs from the one in its place, if that is most of it.
    fn message(&mut self, message: (usize, Vec<(usize, usize)>), like: Option<usize>) -> usize {
        let n = number(&mut self.known_messages, &mut self.whole_messages, message.clone());
        if n == self.messages.len() {
            let (text, runs) = message;
            let old = like.and_then(|l| Some((l, &self.whole_messages.get(l)?.1)));
            let changed = old.and_then(|(l, old)| {
                let first = old.iter().zip(&runs).take_while(|(x, y)| x == y).count();
                let least = old.len().min(runs.len()).saturating_sub(first);
                let last = old.iter().rev().zip(runs.iter().rev()).take(least).take_while(|(x, y)| x == y).count();
                let between = runs.get(first..runs.len().saturating_sub(last))?;
                (between.len().saturating_add(2) < runs.len())
                    .then(|| Kept::Like(text, l, first, last, between.to_vec()))
            });
            self.messages.push(changed.unwrap_or(Kept::Whole(text, runs)));
        }
        n
    }

    /// Adds a prompt that cannot be made.
    pub fn push_none(&mut self) {
        if let Some(view) = self.views.last_mut() {
            view.prompts.push((0, Vec::new()));
            view.tokens.push(None);
            view.before.clear();
            view.shown.clear();
        }
    }
}

/// `text` as lines of `old` and those that are not in it; none where that does not make it much shorter.
fn difference(number: usize, old: &str, text: &str) -> Option<Text> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), text.split('\n').collect());
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, line) in a.iter().enumerate() {
        places.entry(line).or_default().push(i);
    }
    let mut pieces = Vec::new();
    let mut own: Vec<&str> = Vec::new();
    let (mut at, mut next, mut size) = (0_usize, 0_usize, 0_usize);
    while let Some(line) = b.get(at) {
        // Where the old text goes on, else the first such line behind it, else any.
        let found = places.get(line).and_then(|all| all.get(all.partition_point(|p| *p < next)).or(all.first()));
        let Some(from) = found.copied() else {
            own.push(line);
            at = at.saturating_add(1);
            continue;
        };
        let rest = a.get(from..).unwrap_or_default().iter().zip(b.get(at..).unwrap_or_default());
        let same = rest.take_while(|(x, y)| x == y).count();
        if !own.is_empty() {
            let lines = std::mem::take(&mut own).join("\n");
            size = size.saturating_add(lines.len());
            pieces.push(Piece::Own(lines));
        }
        pieces.push(Piece::Of(from, same));
        at = at.saturating_add(same);
        next = from.saturating_add(same);
    }
    if !own.is_empty() {
        let lines = own.join("\n");
        size = size.saturating_add(lines.len());
        pieces.push(Piece::Own(lines));
    }
    // A piece of the other text takes about ten bytes.
    let size = size.saturating_add(pieces.len().saturating_mul(10));
    (size.saturating_mul(2) < text.len()).then_some(Text::Like(number, pieces))
}

/// The number of a thing: that of the same thing before, or the next.
fn number<T: Clone + Eq + std::hash::Hash>(known: &mut HashMap<T, usize>, all: &mut Vec<T>, thing: T) -> usize {
    *known.entry(thing).or_insert_with_key(|t| {
        all.push(t.clone());
        all.len().saturating_sub(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traces::counter;
    use ptc_history::render;
    use ptc_turns::reasons::Reasons;
    use ptc_turns::{Config, Session, TurnContext};

    fn trace() -> Trace {
        let mut s = Session::new(Config { prompt: "p\nq".into(), max_turns: 9, ..Config::default() });
        for p in ["(def a 1)", "(println \"; Output:\") (println a)", "(oops)", "(def a 2)", "(return a)"] {
            s.reply(&format!("```clojure\n{p}\n```"), TurnContext::without_host()).unwrap();
        }
        s.trace().clone()
    }

    /// A text put together again as the script does.
    fn text(p: &Prompts, n: usize) -> String {
        match &p.texts[n] {
            Text::Whole(text) => text.to_string(),
            Text::Like(of, pieces) => {
                let old = text(p, *of);
                let lines: Vec<&str> = old.split('\n').collect();
                let piece = |piece: &Piece| match piece {
                    Piece::Of(from, count) => lines[*from..from + count].join("\n"),
                    Piece::Own(own) => own.clone(),
                };
                pieces.iter().map(piece).collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// A message put together again as the script does.
    fn message(p: &Prompts, n: usize) -> (usize, Vec<(usize, usize)>) {
        match &p.messages[n] {
            Kept::Whole(text, runs) => (*text, runs.clone()),
            Kept::Like(text, of, first, last, between) => {
                let old = message(p, *of).1;
                (*text, [&old[..*first], between, &old[old.len() - last..]].concat())
            }
        }
    }

    /// The prompts put together again as the script does.
    fn texts(p: &Prompts) -> Vec<String> {
        let mut here: Vec<usize> = Vec::new();
        let view = p.views.last().unwrap();
        view.prompts
            .iter()
            .map(|(common, more)| {
                here.truncate(*common);
                here.extend(more);
                here.iter().map(|m| text(p, message(p, *m).0)).collect()
            })
            .collect()
    }

    #[test]
    fn every_prompt_is_what_is_sent_and_every_line_has_a_reason() {
        let trace = trace();
        let counter = counter("openai/gpt-4o").unwrap();
        let together = Policy { layout: ptc_turns::policy::Layout::Coalesced, ..Policy::compressed() };
        for policy in [Policy::full(), Policy::compressed(), Policy::legacy_entry_count(), together] {
            let mut maker = Maker { trace: &trace, counter: &counter, summaries: None, counted: HashMap::new() };
            let mut prompts = Prompts::default();
            prompts.begin("this run");
            let mut expected = Vec::new();
            let reasons = Reasons::new(&trace, &policy);
            maker.each(&policy, |maker, k, view| {
                let view = view.unwrap();
                assert_eq!(
                    view,
                    request(&trace, &policy, Some(k), &ViewContext::default()).unwrap(),
                    "before turn {k}"
                );
                expected.push(render::text(&view.messages()));
                let size = maker.size(&view);
                assert_eq!(size.messages, view.shown.len());
                let whole: u64 = view.shown.iter().map(|s| counter.message(&s.message)).sum();
                assert_eq!(size.tokens, whole + counter.frame());
                prompts.push(&trace, &policy, &reasons.before(Some(k)), view, size.tokens);
            });
            assert_eq!(expected.len(), 5);
            let mut tokens = Vec::new();
            maker.each(&policy, |maker, _, view| tokens.push(Some(maker.size(&view.unwrap()).tokens)));
            assert_eq!(maker.sizes(&policy), tokens);
            assert_eq!(texts(&prompts), expected);
            for n in 0..prompts.messages.len() {
                let (text, runs) = message(&prompts, n);
                assert_eq!(prompts.whole_messages[n], (text, runs.clone()));
                let lines = self::text(&prompts, text).matches('\n').count();
                assert_eq!(lines, runs.iter().map(|r| r.0).sum::<usize>());
            }
            let distinct: std::collections::HashSet<String> =
                (0..prompts.texts.len()).map(|n| self::text(&prompts, n)).collect();
            assert_eq!(distinct.len(), prompts.texts.len(), "a text is kept once");
        }
    }

    /// Twice as many turns are twice the work, not four times.
    #[test]
    fn a_prompt_costs_what_is_new_in_it() {
        let counter = counter("openai/gpt-4o").unwrap();
        let looked = |turns: usize, policy: &Policy| {
            let mut s = Session::new(Config { prompt: "p".into(), max_turns: 99, ..Config::default() });
            for i in 0..turns {
                s.reply(&format!("(def x{i} {i})"), TurnContext::without_host()).unwrap();
            }
            let (trace, mut prompts) = (s.trace(), Prompts::default());
            let reasons = Reasons::new(trace, policy);
            let mut maker = Maker { trace, counter: &counter, summaries: None, counted: HashMap::new() };
            prompts.begin("");
            maker.each(policy, |_, k, view| prompts.push(trace, policy, &reasons.before(Some(k)), view.unwrap(), 0));
            prompts.looked
        };
        for policy in [Policy::full(), Policy::compressed()] {
            let [a, b, c] = [20, 40, 60].map(|n| looked(n, &policy));
            assert_eq!(b - a, c - b, "{a} {b} {c}");
        }
    }

    #[test]
    fn lines_of_summaries_say_which_turn_and_rule() {
        let trace = trace();
        let counter = counter("openai/gpt-4o").unwrap();
        let mut maker = Maker { trace: &trace, counter: &counter, summaries: None, counted: HashMap::new() };
        let policy = Policy { error_context_turns: 0, ..Policy::legacy_entry_count() };
        let mut prompts = Prompts::default();
        let reasons = Reasons::new(&trace, &policy);
        prompts.begin("");
        maker.each(&policy, |_, k, view| prompts.push(&trace, &policy, &reasons.before(Some(k)), view.unwrap(), 0));
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
