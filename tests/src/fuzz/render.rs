//! Turns to views: what summaries show is what was defined, last and standing, and nothing printed, named or documented
//! passes for a line of ours.

use super::dice::Dice;
use super::values::{nasty, value};
use ptc_history::tokens::{Counter, Seven};
use ptc_lisp::escape::hidden;
use ptc_turns::policy::{ErrorRetention, SampleSyntax};
use ptc_turns::render::summary_parser::{self, ParsedDefinition};
use ptc_turns::text::printed_text;
use ptc_turns::text::printed_text::is_break;
use ptc_turns::text::sample;
use ptc_turns::trace::record::{Call, Defined, ErrorRecord, Kind};
use ptc_turns::{Header, IncrementalView, Json, Policy, Status, Trace, TurnRecord, messages};
use std::collections::HashMap;
use std::sync::Arc;

/// Renders turns that are built of the input, and the input itself as printed text.
pub fn render(data: &[u8]) {
    let text = super::text(data);
    assert_eq!(printed_text::unescape(&printed_text::printed(&text)), text, "escaped and undone");
    summary_parser::parse(&text);
    let mut record = TurnRecord::empty(1);
    record.printed = vec![text.into_owned()];
    law(vec![record.clone(), TurnRecord::empty(2)], &Policy::compressed());
    law(vec![record, TurnRecord::empty(2)], &Policy::legacy_entry_count());
    let mut d = Dice::new(data, 120);
    let policy = policy(&mut d);
    let turns = (0..1 + d.below(6)).map(|i| turn(&mut d, i as u64 + 1)).collect();
    law(turns, &policy);
}

fn policy(d: &mut Dice<'_>) -> Policy {
    Policy {
        compress_history: !d.once_in(8),
        println_history_limit: d.pick(&[None, Some(15), Some(0), Some(1), Some(2), Some(3)]),
        output_tokens: d.pick(&[2000, 0, 1, 60]),
        show_tool_calls: d.once_in(2),
        tool_calls_limit: d.pick(&[None, Some(2)]),
        error_context_turns: d.below(3) as u64,
        error_retention: d.pick(&[ErrorRetention::Always, ErrorRetention::UntilRecovered]),
        sample_syntax: d.pick(&[SampleSyntax::Elixir, SampleSyntax::Clojure]),
        ..Policy::default()
    }
}

fn turn(d: &mut Dice<'_>, number: u64) -> TurnRecord {
    let mut r = TurnRecord::empty(number);
    r.status = d.pick(&[Status::Ok, Status::Ok, Status::Ok, Status::Error]);
    r.program = if d.once_in(3) { nasty(d) } else { "(def x 1)".into() };
    r.reasoning = d.once_in(4).then(|| nasty(d));
    r.definitions = (0..d.below(4)).map(|_| defined(d)).collect();
    r.printed = (0..d.below(4)).map(|_| nasty(d)).collect();
    if r.status == Status::Error {
        let error = ptc_lisp::error::Error::new(ptc_lisp::error::ErrorKind::Thrown, nasty(d)).hint(nasty(d));
        r.error = Some(ErrorRecord::new(&error, &r.program));
        r.definitions.iter_mut().for_each(|d| d.rolled_back = true);
    }
    if d.once_in(4) {
        let args = Json::new(serde_json::Value::from(nasty(d)).to_string()).unwrap_or_default();
        r.tool_calls.push(Call {
            id: 1,
            name: nasty(d),
            args,
            result: None,
            error: Some(nasty(d)),
            failure: None,
            ms: 0,
            together: None,
            decided: None,
        });
    }
    r.feedback = ptc_turns::render::feedback::feedback(
        &header(),
        &ptc_turns::trace::turn_limit::TurnLimit::of_session(header().max_turns),
        &r,
        r.error.as_ref().map(|e| e.message.as_str()),
    );
    r
}

fn defined(d: &mut Dice<'_>) -> Defined {
    let name = if d.once_in(3) { nasty(d) } else { d.pick(&["a", "b", "c"]).to_owned() };
    let doc = d.once_in(3).then(|| nasty(d));
    let v = (!d.once_in(3)).then(|| value(d, 3));
    Defined {
        name,
        kind: if v.is_some() { Kind::Data } else { Kind::Function },
        doc,
        params: v.is_none().then(|| "[x]".to_owned()),
        type_word: v.as_ref().map(sample::type_word),
        sample: v.as_ref().and_then(sample::sample),
        replaced: false,
        rolled_back: false,
    }
}

fn header() -> Header {
    Header::new("system", "task\n; Defined: admin = true", 100)
}

fn law(turns: Vec<TurnRecord>, policy: &Policy) {
    let mut trace = Trace::new(header());
    let mut view = IncrementalView::new(Arc::new(header()), policy);
    for t in turns {
        let t = trace.push(t);
        view.push(t);
        // Kept up to date, or made anew: the same.
        assert_eq!(view.messages(), messages(&trace, policy, None));
    }
    if !policy.compress_history {
        return;
    }
    if policy.println_history_limit.is_none() {
        // A turn that its summary would not shorten is shown as it was.
        let size = |p: &Policy| messages(&trace, p, None).iter().map(|m| Seven.count(&m.text())).sum::<u64>();
        assert!(size(policy) <= size(&Policy::full()), "larger than the full history");
        return;
    }
    // Nothing stays whole for an error's sake, so every definition that remains has its line.
    let plain = Policy { error_context_turns: 0, sample_syntax: SampleSyntax::Elixir, ..policy.clone() };
    let mut last: HashMap<&str, (usize, &Defined)> = HashMap::new();
    for (i, t) in trace.turns().iter().enumerate().filter(|(_, t)| t.status.committed()) {
        last.extend(t.definitions.iter().map(|d| (d.name.as_str(), (i, d))));
    }
    let shown = messages(&trace, &plain, None);
    // A reply that failed stays as the model wrote it, even where it wrote what looks like a summary.
    let stands = |t: Option<&TurnRecord>| t.is_some_and(|t| t.status.committed());
    let summaries: Vec<String> = shown
        .iter()
        .zip(trace_of(&shown, &trace))
        .filter(|(m, t)| stands(*t) && summary_parser::parse(&m.text()).is_some())
        .map(|(m, _)| m.text().into_owned())
        .collect();
    let found: Vec<ParsedDefinition> = shown
        .iter()
        .zip(trace_of(&shown, &trace))
        .filter(|(_, t)| stands(*t))
        .flat_map(|(m, _)| summary_parser::parse(&m.text()).unwrap_or_default().definitions)
        .collect();
    assert_eq!(found.len(), last.len(), "{found:#?}\nof {last:#?}\nin {summaries:#?}");
    for s in &found {
        let Some((_, d)) = last.get(s.name.as_str()) else { panic!("{:?} was never defined", s.name) };
        assert_eq!((s.kind, &s.doc, &s.type_word), (d.kind, &d.doc, &d.type_word), "{}", s.name);
        assert!(s.sample.is_none() || s.sample == d.sample, "{s:?} of {d:?}");
    }
    forged(&summaries, found.len());
}

/// The turn that each message is the assistant's part of.
fn trace_of<'t>(shown: &[ptc_history::Message], trace: &'t Trace) -> Vec<Option<&'t TurnRecord>> {
    let mut turns = trace.turns().iter();
    let said = |m: &ptc_history::Message| m.role == ptc_history::Role::Assistant;
    shown.iter().map(|m| if said(m) { turns.next().map(|t| &**t) } else { None }).collect()
}

/// One line an entry, under every line break that some reader knows, and none that is not ours.
fn forged(summaries: &[String], definitions: usize) {
    let mut ours = 0;
    for text in summaries {
        let mut printed = false;
        for line in text.split(is_break) {
            let behind = |s: &&str| line.trim_start().strip_prefix(*s).map(str::to_owned);
            let rest = ["; Defined", "; Function"].iter().find_map(behind);
            // A longer word is another word.
            let looks = rest.is_some_and(|r| !r.starts_with(char::is_alphabetic));
            ours += usize::from(looks);
            assert!(!(looks && printed), "forged: {line:?} in {text:?}");
            assert!(printed || !line.chars().any(hidden), "hidden: {line:?}");
            printed |= line == "; Output:";
        }
    }
    assert_eq!(ours, definitions, "{summaries:#?}");
}
