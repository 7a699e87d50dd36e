//! Texts of one character, which byte pair encoding merges level by level.

use ptc_history::tokens::{Counter as _, O200k};

#[test]
fn k_31_runs_of_a_million_characters_are_counted() {
    // A million with `PTC_ALL=1`, as `.ci/run` has it. What took the square of its length would not end with fewer.
    let (length, part) = if std::env::var_os("PTC_ALL").is_some() { (1_000_000, 1) } else { (200_000, 5) };
    for (c, most) in [(" ", 20_000), ("a", 300_000), ("A", 600_000), ("\n", 300_000), ("-", 200_000), ("語", 1_100_000)]
    {
        let n = O200k.count(&c.repeat(length));
        assert!(n >= 1 && n <= most / part, "{c:?} {n}");
    }
    let words = "word ".repeat(10_000);
    assert_eq!(O200k.count(&words), 10_001, "ordinary text is not cut");
}
