//! When it pays to move a boundary: the figures of a decision.

use proptest::prelude::*;
use ptc_history::policy::Prices;
use ptc_history::policy::decision::{Decision, needed, remaining};

#[test]
fn the_gain_is_at_the_cached_price_and_the_cost_at_the_difference() {
    let d = Decision::of(100, 40, 3, Prices { input: 2.0, cached: 0.5 });
    assert_eq!((d.gain, d.cost, d.pays), (75.0, 30.0, true));
    // Where a cached token costs what any costs, a break costs nothing: whatever saves pays.
    let flat = Prices { input: 1.0, cached: 1.0 };
    assert!(Decision::of(1, 1_000_000, 1, flat).pays);
    assert!(!Decision::of(0, 0, 1_000_000, flat).pays, "nothing saved");
    assert!(!Decision::of(1_000_000, 0, 0, flat).pays, "nothing to come");
    // What is read again is paid in full, whatever is cached.
    let again = Decision::of(100, 40, 3, Prices { input: 2.0, cached: 0.5 }).reading_again(45);
    assert_eq!((again.gain, again.cost, again.pays), (75.0, 75.0, false));
    assert!(Decision::of(100, 40, 3, flat).reading_again(299).pays);
    // Prices that cannot be are no reason to panic or to promise.
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let d = Decision::of(10, 10, 10, Prices { input: bad, cached: bad });
        assert!(d.gain.is_finite() && d.cost.is_finite(), "{d:?}");
    }
}

#[test]
fn it_is_told_in_words() {
    assert_eq!(
        Decision::of(1, 1, 1, Prices { input: 1.0, cached: 0.9 }).to_string(),
        "saves 1 token in each of about 1 request, 1 at the cached price; 1 token behind it is sent anew, 0 more: pays"
    );
    assert_eq!(
        Decision::of(1_000, 50, 20, Prices::default()).reading_again(1_200).to_string(),
        "saves 1,000 tokens in each of about 20 requests, 2,000 at the cached price; 50 tokens behind it are sent anew and about 1,200 of the hidden ones read again, 1,245 more: pays"
    );
    for (number, text) in [
        (0, "0"),
        (12, "12"),
        (999, "999"),
        (1_000, "1,000"),
        (12_345, "12,345"),
        (999_999, "999,999"),
        (1_000_000, "1,000,000"),
        (u64::MAX, "18,446,744,073,709,551,615"),
    ] {
        let decision = Decision::of(number, 0, 1, Prices::default()).to_string();
        assert!(decision.starts_with(&format!("saves {text} tokens in each")), "{decision}");
    }
}

fn price() -> impl Strategy<Value = Prices> {
    (0.01..10.0_f64, 0.01..10.0_f64).prop_map(|(input, cached)| Prices { input, cached })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Each argument speaks for it or against it, never both: what pays still pays when one changes for the better.
    #[test]
    fn it_is_monotone(
        saved in 0..100_000_u64, behind in 0..1_000_000_u64, left in 0..200_u64, prices in price(),
        more in 0..100_000_u64, dearer in 0.0..5.0_f64,
    ) {
        let d = Decision::of(saved, behind, left, prices);
        let dearer_cache = Prices { cached: prices.cached + dearer, ..prices };
        let dearer_input = Prices { input: prices.input + dearer, ..prices };
        for better in [
            Decision::of(saved + more, behind, left, prices),
            Decision::of(saved, behind.saturating_sub(more), left, prices),
            Decision::of(saved, behind, left + more, prices),
            Decision::of(saved, behind, left, dearer_cache),
        ] {
            prop_assert!(better.pays || !d.pays, "{d} but {better}");
            prop_assert!(better.gain >= d.gain && better.cost <= d.cost);
        }
        prop_assert!(d.pays || !d.reading_again(more).pays, "{d}");
        let worse = Decision::of(saved, behind, left, dearer_input);
        prop_assert!(d.pays || !worse.pays, "{d} but {worse}");
        prop_assert_eq!(d.pays, d.gain > d.cost);
    }

    /// The older, the less; the longer, the more.
    #[test]
    fn what_is_old_is_needed_less(age in 0..500_u64, left in 0..100_u64) {
        prop_assert!(needed(age + 1, left) <= needed(age, left));
        prop_assert!(needed(age, left + 1) > needed(age, left));
    }

    /// What is expected is never more than the limit leaves, and grows with the age until the limit is near.
    #[test]
    fn what_remains_is_bounded(sent in 0..1_000_u64, most in 0..1_000_u64) {
        prop_assert_eq!(remaining(sent, None), sent);
        let left = remaining(sent, Some(most));
        prop_assert!(left <= sent && (sent >= most || sent + left <= most));
        prop_assert!(sent * 2 > most || left == sent);
    }

    /// Numbers of any size are reckoned with.
    #[test]
    fn no_number_is_too_large(saved in any::<u64>(), behind in any::<u64>(), left in any::<u64>()) {
        let d = Decision::of(saved, behind, left, Prices::default());
        prop_assert!(d.gain.is_finite() && !d.to_string().is_empty());
    }
}
