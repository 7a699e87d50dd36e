//! Weights fitted to reported usage.

use ptc_history::tokens::regression::{fit, spread};
use ptc_history::tokens::{Feature, Features};

#[test]
fn k_16_weights_are_found_again() {
    let truth = Features::default().with(Feature::Request, 30.0).with(Feature::Prose, 1.2).with(Feature::Message, 5.0);
    let prior = Features::default().with(Feature::Prose, 1.0).with(Feature::Message, 4.0);
    let rows: Vec<_> = (0..40)
        .map(|i| {
            let f = Features::default()
                .with(Feature::Request, 1.0)
                .with(Feature::Message, f64::from(i % 7 + 1))
                .with(Feature::Prose, f64::from(i * i % 97 * 5));
            let n = f.dot(&truth);
            (f, if i == 11 { n * 9.0 } else { n })
        })
        .collect();
    let found = fit(&prior, spread, &rows);
    assert!((found.get(Feature::Prose) - 1.2).abs() < 0.05, "{found:?}");
    assert!((found.get(Feature::Request) - 30.0).abs() < 8.0, "one outlier does not carry it away: {found:?}");
    assert_eq!(fit(&prior, spread, &[]), prior, "without evidence the prior stands");
    assert_eq!(found.get(Feature::Cjk), 0.0, "what was not seen stays");
}
