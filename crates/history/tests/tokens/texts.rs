//! Classes of text and the counters of it.

use ptc_history::tokens::cached_counter::MAX_CACHED_TEXTS;
use ptc_history::tokens::{CachedCounter, Cl100k, Class, Counter, O200k, Seven};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn kinds_are_told_apart() {
    for (text, class) in [
        ("", Class::Prose),
        ("What is the weather in Paris? Use the tool.", Class::Prose),
        ("(defn f [x] (map inc (:rows x))) ; all of them", Class::Code),
        ("{\"city\": \"Paris\", \"n\": [1, 2]}", Class::Json),
        ("2024-01-01 12:00:01 | 1234 | 99.5\n2024-01-02 12:00:02 | 4321 | 98.5", Class::Digits),
        ("会議は三時に始まります。資料を確認してください。", Class::Cjk),
        ("Погода в Москве сегодня хорошая", Class::Other),
    ] {
        assert_eq!(Class::of(text), class, "{text}");
    }
}

#[test]
fn k_38_vocabularies_count_as_published() {
    // OpenAI's cookbook, "How to count tokens with tiktoken".
    assert_eq!(Cl100k.count("antidisestablishmentarianism"), 6);
    assert_eq!(O200k.count("antidisestablishmentarianism"), 6);
    assert_eq!(Cl100k.count("お誕生日おめでとう"), 9);
    assert_eq!(O200k.count("お誕生日おめでとう"), 8);
    assert_eq!(O200k.count("2 + 2 = 4"), 7);
    assert_eq!(O200k.count(""), 0);
}

#[test]
fn seven_weights_are_near_the_vocabulary() {
    for text in [
        "The quick brown fox jumps over the lazy dog, and then it sits down to read a book about counting.",
        "fn main() { let x = vec![1, 2, 3]; println!(\"{:?}\", x.iter().map(|n| n * 2).collect::<Vec<_>>()); }",
        "12345 67890 11121 31415 92653 58979",
    ] {
        let (a, b) = (Seven.count(text) as f64, O200k.count(text) as f64);
        assert!((a / b - 1.0).abs() < 0.25, "{text}: {a} for {b}");
    }
}

struct Silent;
impl Counter for Silent {
    fn id(&self) -> &str {
        "silent"
    }
    fn count(&self, _: &str) -> u64 {
        0
    }
}

#[derive(Default)]
struct Asked(Arc<AtomicU64>);
impl Counter for Asked {
    fn id(&self) -> &str {
        "asked"
    }
    fn count(&self, text: &str) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed);
        text.len() as u64
    }
}

#[test]
fn k_38_a_counter_that_says_nothing_is_not_believed() {
    let ruler = CachedCounter::new(Silent);
    assert_eq!(ruler.count(""), 0);
    let text = "some words, and some more of them";
    assert_eq!(ruler.count(text), Seven.count(text));
    assert!(ruler.count(" ") >= 1);
}

#[test]
fn k_32_what_is_cached_is_what_was_counted() {
    let asked = Arc::new(AtomicU64::new(0));
    let on = CachedCounter::new(Asked(asked.clone()));
    for i in 0..3 * MAX_CACHED_TEXTS {
        let text = format!("text {}", i % 5);
        assert_eq!(on.count(&text), text.len() as u64);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 5, "each text once");
}

#[test]
fn k_08_a_count_is_a_function_of_the_text() {
    let a = CachedCounter::named("o200k").unwrap();
    let b = CachedCounter::new(O200k);
    for text in ["", "a", "{\"k\": [1, 2, 3]}", "日本語", "\u{0}\u{fffd}"] {
        assert_eq!(a.count(text), b.count(text));
        assert_eq!(a.count(text), a.count(text));
    }
}
