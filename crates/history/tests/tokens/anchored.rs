//! Estimates that stand on the last reported usage, and ledgers that learn.

use super::pairs::{Pair, pairs};
use ptc_history::tokens::{
    Api, CachedCounter, Calibration, Counter, Feature, Features, Learned, MessageCounter, Profiles, Schema, Source,
};
use ptc_history::wire::usage::{Usage, UsageError};
use ptc_history::{Block, Message, Role};
use serde_json::json;
use std::sync::Arc;

fn usage(input: u64) -> Usage {
    Usage { input, ..Usage::default() }
}

fn profile(pair: &Pair) -> Arc<ptc_history::tokens::Profile> {
    Profiles::built_in().find(&pair.request.provider, pair.request.api, &pair.request.model)
}

/// Recorded requests of which one extends the other.
#[test]
fn k_16_recorded_requests_that_extend_the_last_are_within_ten_percent() {
    let (mut seen, mut near, mut inside) = (0, 0, 0);
    for before in pairs() {
        for after in pairs() {
            let (a, b) = (&before.request, &after.request);
            let same = (&a.provider, a.api, &a.model, &a.tools, &a.schema)
                == (&b.provider, b.api, &b.model, &b.tools, &b.schema);
            let extends = b.messages.len() > a.messages.len() && b.messages.starts_with(&a.messages);
            if !same || !extends || !after.is_clear(&profile(after)) {
                continue;
            }
            let counter = before.counter(&profile(before));
            let mut ledger = Calibration::new(&counter);
            ledger.report(&counter, &a.messages, before.opaque, usage(before.reported));
            let e = ledger.estimate(&counter, &b.messages, after.opaque);
            assert!(matches!(e.source, Source::Anchored(_)));
            seen += 1;
            near += u32::from((e.tokens as f64 / after.reported as f64 - 1.0).abs() <= 0.1);
            inside += u32::from((e.low..=e.high).contains(&after.reported));
        }
    }
    assert!(seen >= 4, "{seen}");
    assert!(near == seen && inside == seen, "{near} and {inside} of {seen}");
}

/// A vocabulary that the profile does not have: another one, with a factor for each kind of text, and hidden framing.
struct Hidden {
    ruler: CachedCounter,
    weights: Features,
}

impl Hidden {
    fn of(seed: u64) -> Self {
        let part =
            |n: u64| f64::from((seed.wrapping_mul(2_654_435_761).wrapping_add(n * 40_503) >> 7) as u32 % 100) / 100.0;
        let mut weights = Features::default()
            .with(Feature::Request, 900.0 * part(1))
            .with(Feature::Message, 3.0 + 5.0 * part(2))
            .with(Feature::System, 3.0 + 5.0 * part(2))
            .with(Feature::Call, 10.0 * part(3))
            .with(Feature::Result, 10.0 * part(4));
        for (i, f) in [Feature::Prose, Feature::Code, Feature::Json, Feature::Digits, Feature::Cjk, Feature::Other]
            .iter()
            .enumerate()
        {
            weights = weights.with(*f, 1.0 + 0.5 * part(5 + i as u64));
        }
        Hidden { ruler: CachedCounter::named("cl100k").unwrap(), weights }
    }

    fn count(&self, messages: &[Message]) -> u64 {
        let mut f = Features::default().with(Feature::Request, 1.0);
        messages.iter().for_each(|m| f.sum(&Features::of_message(m, false, &self.ruler)));
        f.dot(&self.weights).round() as u64
    }
}

/// The longest recorded messages, dealt into sessions of 40 turns.
fn session(seed: u64) -> Vec<Message> {
    let mut stock: Vec<&Message> = pairs().iter().flat_map(|p| &p.request.messages).collect();
    stock.sort_by_key(|m| std::cmp::Reverse(m.text().len()));
    let mut out = vec![Message::system("You are an agent. Answer with one program at a time.")];
    for turn in 0..40u64 {
        let pick = |n: u64| stock[(seed.wrapping_mul(31).wrapping_add(turn * 7919 + n * 104_729) % 150) as usize];
        let numbers: Vec<String> = (0..40).map(|i| format!("{}", (seed + turn) * 7_919 + i * 104_729)).collect();
        out.push(Message::of(
            Role::User,
            pick(1).content.iter().filter(|b| matches!(b, Block::Text { .. })).cloned().collect(),
        ));
        let id = format!("c{turn}");
        out.push(Message::of(
            Role::Assistant,
            vec![Block::text(pick(2).text()), Block::tool_use(&id, "run", json!({"q": turn}))],
        ));
        let result = if turn % 3 == 0 { numbers.join(" ") } else { pick(3).text().into_owned() };
        out.push(Message::of(Role::Tool, vec![Block::tool_result(&id, result)]));
    }
    out
}

/// Part C, ledger: 10 sessions of 40 requests under vocabularies and framing that are hidden.
#[test]
fn k_16_anchored_on_the_last_usage_ninety_nine_percent_are_within_ten_percent() {
    let (mut anchored, mut near, mut inside) = (0u32, 0u32, 0u32);
    let (mut folded, mut folded_near, mut folded_inside) = (0u32, 0u32, 0u32);
    for seed in 0..10 {
        let hidden = Hidden::of(seed);
        let counter =
            MessageCounter::new(Profiles::built_in().find("somebody", Api::Chat, "some-model"), &[], &Schema::None)
                .unwrap();
        let mut ledger = Calibration::new(&counter);
        let all = session(seed);
        let mut sent = vec![all[0].clone()];
        for turn in 0..40usize {
            // Two folds: all but the last four messages of the conversation go.
            let fold = turn == 15 || turn == 30;
            if fold {
                let tail = sent.split_off(sent.len() - 4);
                sent = vec![all[0].clone(), Message::assistant("Before this: several programs ran.")];
                sent.extend(tail);
            }
            sent.push(all[1 + 3 * turn].clone());
            let truth = hidden.count(&sent);
            let e = ledger.estimate(&counter, &sent, false);
            let close = (e.tokens as f64 / truth as f64 - 1.0).abs() <= 0.1;
            if matches!(e.source, Source::Anchored(_)) {
                anchored += 1;
                near += u32::from(close);
                inside += u32::from((e.low..=e.high).contains(&truth));
            }
            if fold {
                folded += 1;
                folded_near += u32::from(close);
                folded_inside += u32::from((e.low..=e.high).contains(&truth));
            }
            ledger.report(&counter, &sent, false, usage(truth));
            sent.push(all[2 + 3 * turn].clone());
            sent.push(all[3 + 3 * turn].clone());
        }
        assert!(ledger.error(0.5).unwrap() < 0.05, "seed {seed}");
        let again = Calibration::from_json(&serde_json::to_string(&ledger).unwrap()).unwrap();
        assert_eq!(again, ledger, "persisted");
    }
    let share = |n: u32, of: u32| f64::from(n) / f64::from(of);
    assert!(anchored > 350 && share(near, anchored) >= 0.99, "{near} of {anchored}");
    assert!(share(inside, anchored) >= 0.95, "{inside} of {anchored}");
    assert!(share(folded_near, folded) >= 0.9, "after a fold {folded_near} of {folded}");
    assert!(share(folded_inside, folded) >= 0.95, "after a fold {folded_inside} of {folded}");
}

#[test]
fn outliers_are_not_learned_from_unless_they_stay() {
    let counter =
        MessageCounter::new(Profiles::built_in().find("openai", Api::Chat, "gpt-4o"), &[], &Schema::None).unwrap();
    let mut ledger = Calibration::new(&counter);
    let mut sent = Vec::new();
    for i in 0..6 {
        sent.push(Message::user(format!(
            "Question {i}: what is to be done about the rain in the mountains, and when?"
        )));
        let truth = counter.estimate(&sent, false).tokens;
        assert_eq!(ledger.report(&counter, &sent, false, usage(truth)), Learned::Yes);
    }
    let before = ledger.counter(&counter).message(&sent[0]);
    sent.push(Message::user("Look at this picture."));
    assert_eq!(ledger.report(&counter, &sent, false, usage(5000)), Learned::Outlier);
    assert_eq!(ledger.counter(&counter).message(&sent[0]), before);
    let next = [sent.clone(), vec![Message::user("And now?")]].concat();
    let e = ledger.estimate(&counter, &next, false);
    assert!(e.tokens > 5000 && e.tokens < 5020, "anchored on what was reported all the same: {e:?}");
    assert_eq!(ledger.seen(), (6, 1));
    assert_eq!(ledger.report(&counter, &next, true, usage(9000)), Learned::Nothing, "parts that are not shown");
    assert_eq!(ledger.report(&counter, &next, false, usage(0)), Learned::Nothing);
}

#[test]
fn usage_of_every_provider_adds_the_cache() {
    for (api, json, input, cached) in [
        (
            Api::Chat,
            json!({"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 60}, "completion_tokens": 5}),
            100,
            60,
        ),
        (
            Api::Responses,
            json!({"input_tokens": 100, "input_tokens_details": {"cached_tokens": 60}, "output_tokens": 5}),
            100,
            60,
        ),
        (
            Api::Anthropic,
            json!({"input_tokens": 10, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 60, "output_tokens": 5}),
            100,
            60,
        ),
        (
            Api::Converse,
            json!({"inputTokens": 10, "cacheReadInputTokens": 60, "cacheWriteInputTokens": 30, "outputTokens": 5}),
            100,
            60,
        ),
        (
            Api::Google,
            json!({"promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": 3, "thoughtsTokenCount": 2}),
            100,
            60,
        ),
    ] {
        let read = Usage::read(api.into(), &json).unwrap();
        assert_eq!((read.input, read.cached, read.output), (input, cached, 5), "{api:?}");
        assert!(matches!(Usage::read(api.into(), &json!({})), Err(UsageError::Missing { .. })));
    }
}

#[test]
fn k_14_nothing_has_more_tokens_than_the_bound() {
    let shown = |p: &&Pair| p.request.provider == "openai" && p.request.schema == Schema::None && !p.opaque;
    // Responses adds what is not shown: prompts of compaction, tools that were loaded.
    for pair in pairs().iter().filter(shown).filter(|p| p.request.api == Api::Chat) {
        let counter = pair.counter(&profile(pair));
        let bound = counter.bound(&pair.request.messages);
        assert!(bound.source == Source::Bytes && bound.high >= pair.reported, "{bound:?} {}", pair.reported);
        let request = pair.request.count();
        assert!(bound.high >= request.tokens);
    }
}

#[test]
fn k_14_k_16_a_view_within_budget_under_the_margin_is_within_it_at_high() {
    for pair in pairs() {
        let counter = pair.counter(&profile(pair));
        let careful = counter.with_margin();
        let sum = careful.frame() + pair.request.messages.iter().map(|m| careful.message(m)).sum::<u64>();
        let high = counter.estimate(&pair.request.messages, false).high;
        let hidden = pair.request.messages.iter().any(|m| counter.is_opaque(m) || m.role == Role::Assistant);
        assert!(hidden || sum + pair.request.messages.len() as u64 + 2 >= high, "{sum} {high}");
    }
}

struct Words;
impl Counter for Words {
    fn id(&self) -> &str {
        "words"
    }
    fn count(&self, text: &str) -> u64 {
        text.split_whitespace().count() as u64
    }
}

#[test]
fn k_38_k_32_a_host_brings_its_own_counter() {
    let profile = Profiles::built_in().find("openai", Api::Chat, "gpt-4o");
    let own = MessageCounter::with_ruler(profile.clone(), CachedCounter::new(Words), &[], &Schema::None);
    let usual = MessageCounter::new(profile, &[], &Schema::None).unwrap();
    let m = Message::user("one two three");
    assert_eq!(own.message(&m), 3 + 4);
    assert_ne!(own.id(), usual.id(), "counts of two counters are not mixed");
    let conversation = ptc_history::Conversation::recorded([m]);
    let entry = &conversation.entries()[0];
    assert_eq!(entry.tokens(own.id(), |m| own.message(m)), 7);
    assert_eq!(entry.tokens(usual.id(), |m| usual.message(m)), usual.message(entry.message()));
}
