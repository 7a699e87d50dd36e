//! When the boundary of `auto` moves, by the sizes of turns.

use ptc_history::auto::{Step, plan};
use ptc_history::policy::{BatchTurns, Policy, Prices, Strategy};
use ptc_history::{Block, Conversation, Message, Role, ViewContext, view};
use std::ops::Range;

/// Found by random conversations: a word of the user made the newest turn longer, and a boundary that had moved
/// went back.
#[test]
fn the_plan_does_not_hang_on_how_long_the_newest_turn_gets() {
    let policy = Policy::default();
    let mut heavy = 0;
    for long in 1..20 {
        let mut sizes = [200; 24];
        sizes[long] = 40_000;
        for len in 1..sizes.len() {
            let plan_with = |newest| plan(&policy, &[&sizes[..len], &[newest]].concat(), |_| None);
            assert_eq!(plan_with(200), plan_with(6_000), "turn {long} is long, turn {len} the newest");
            heavy += usize::from(plan_with(200).steps.iter().any(|s| s.turns.contains(&long)));
        }
    }
    assert!(heavy > 0, "no long turn was folded");
}

fn auto() -> Policy {
    Policy::with(Strategy::Auto)
}

/// The turns after which the boundary moved.
fn moved(policy: &Policy, sizes: &[usize]) -> Vec<usize> {
    plan(policy, sizes, |_| None).steps.iter().map(|s| s.after).collect()
}

/// Neither at turn 2 without need nor at a turn by rule: when it moves depends on what the turns weigh and on the
/// prices, and each move has the figures that say so.
#[test]
fn the_boundary_moves_when_that_saves_more_than_it_costs() {
    let even = moved(&auto(), &[1_000; 40]);
    assert!(even[0] > 4 && even.len() > 1, "{even:?}");
    // A result of hundreds of kilobytes is not carried on because others are light.
    let mut heavy = [1_000; 40];
    heavy[2] = 400_000;
    assert!(moved(&auto(), &heavy)[0] < even[0], "{:?} and {even:?}", moved(&auto(), &heavy));
    // What is carried costs less where cached tokens do, and more where none are cached.
    let priced = |cached| moved(&Policy { prices: Prices { input: 1.0, cached }, ..auto() }, &[1_000; 40]);
    let (cheap, dear) = (priced(0.05), priced(1.0));
    assert!(cheap.first().is_none_or(|first| *first > even[0]) && dear[0] < even[0], "{cheap:?} {dear:?}");
    // Turns so short that a fold is hardly shorter are worth no break for long.
    assert!(moved(&auto(), &[8; 40]).first().is_none_or(|first| *first > even[0]));
    for sizes in [[1_000; 40], heavy, [8; 40]] {
        let plan = plan(&auto(), &sizes, |_| None);
        assert!(plan.steps.iter().all(|s| s.made && s.decision.is_some_and(|d| d.pays)));
        assert!(plan.next.is_none_or(|s| !s.made && s.decision.is_some_and(|d| !d.pays)));
    }
}

/// `batch_turns = N` moves as it always did.
#[test]
fn a_set_number_of_turns_is_moved_at_once() {
    let policy = Policy { keep_turns: 2, batch_turns: BatchTurns::Turns(3), ..auto() };
    let plan = plan(&policy, &[500; 12], |_| None);
    let turns: Vec<Range<usize>> = plan.steps.iter().map(|s| s.turns.clone()).collect();
    assert_eq!(turns, [0..3, 3..6, 6..9]);
    assert_eq!(plan.steps[0].to_string(), "after turn 5, turns 1 to 3 were folded: as batch_turns says");
    assert_eq!(plan.next.unwrap().to_string(), "after turn 12, turn 10 stays whole: as batch_turns says");
}

#[test]
fn what_was_decided_stays_decided() {
    let sizes: Vec<usize> = (0..90_usize).map(|i| i * 7_919 % 3_000 + 20).collect();
    for policy in [auto(), Policy { keep_turns: 3, ..auto() }] {
        let all = plan(&policy, &sizes, |_| None);
        assert!(all.steps.len() > 3);
        for len in 0..sizes.len() {
            let before = plan(&policy, &sizes[..len], |_| None);
            assert_eq!(before.steps, all.steps[..before.steps.len()], "{len}");
            assert!(before.folded() + policy.keep_turns <= len.max(policy.keep_turns));
        }
    }
}

/// A limit of turns bounds what is expected: a move that a long session makes is not made shortly before the last
/// turn. What is known after one turn says nothing of the decisions before it, so that a session that was given more
/// turns later shows what it showed.
#[test]
fn a_limit_of_turns_bounds_what_is_expected() {
    let sizes = [1_000; 60];
    let free = moved(&auto(), &sizes);
    let limited = |most: u64| {
        let steps = plan(&auto(), &sizes[..most as usize], |_| Some(most)).steps;
        steps.iter().map(|s| s.after).collect::<Vec<_>>()
    };
    let first = free[0] as u64;
    assert!((first..first + 3).all(|most| limited(most).is_empty()), "{:?}", limited(first + 2));
    assert_eq!(limited(60)[0], free[0], "where enough turns are left nothing changes");
    let next = plan(&auto(), &sizes[..free[0]], |_| Some(first)).next.unwrap();
    assert!(!next.made && next.decision.unwrap().remaining == 0, "{next}");
    // The limit was raised after the turn at which it would have paid without one.
    let raised = |i: usize| Some(if i < free[0] { first } else { 60 });
    let plan = plan(&auto(), &sizes, raised);
    assert_eq!(plan.steps[0].after, free[0] + 1);
}

/// What is remembered of a plan at cuts of a long conversation is the plan, the move that is not made yet included.
#[test]
fn the_steps_of_a_view_are_those_of_the_plan_at_every_length() {
    let policy = Policy::with(Strategy::Auto);
    let mut talk = Conversation::recorded([Message::system("s"), Message::user("task")]);
    let mut sizes = Vec::new();
    for i in 0..160_usize {
        let said = [format!("{i} {}", "word ".repeat(i * 37 % 190)), format!("and {i}?")];
        sizes.push(said.iter().map(String::len).sum());
        talk = Conversation::recorded(talk.messages().map(|m| (**m).clone()).chain([
            Message::assistant(said[0].as_str()),
            Message::of(Role::User, vec![Block::text(said[1].as_str())]),
        ]));
        let plan = plan(&policy, &sizes, |_| None);
        let steps: Vec<Step> = plan.steps.into_iter().chain(plan.next).collect();
        assert_eq!(view(&talk, &policy, &ViewContext::default()).unwrap().steps, steps, "{i}");
        assert!(i == 0 || !steps.is_empty());
    }
}
