//! Words of a text that is split, and short texts that are put together.

use crate::dynamic_vars::said;
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;
use std::collections::HashSet;

/// How many words of `(str/split text pattern)` are there, and how many of them are strings of their own.
fn split(text: &str, pattern: &str) -> (usize, usize) {
    let program = format!("(str/split {text:?} {pattern})");
    let limits = Limits::default();
    let ending = ptc_lisp::run(&program, &mut Memory::new(), RunInput::new(&limits, &[], &mut ())).ending;
    let RunResult::Value(Value::Vector(words)) = ending else { return (0, 0) };
    let all: Vec<String> = words.iter().filter_map(|w| Some(w.as_str()?.to_owned())).collect();
    assert_eq!(all.join(" "), text);
    let own: HashSet<usize> =
        words.iter().filter_map(|w| if let Value::Str(s) = w { Some(s.address()) } else { None }).collect();
    (words.len(), own.len())
}

#[test]
fn words_that_come_again_are_one_string() {
    let text = |word: &dyn Fn(usize) -> String| (0..3000).map(word).collect::<Vec<_>>().join(" ");
    for pattern in ["#\" \"", "#\"[ ]\""] {
        let (all, own) = split(&text(&|i| format!("w{}", i % 100)), pattern);
        // The first ones are made before it is known that there are many, and some give way to others of their place.
        assert!(all == 3000 && own < 1200, "{own} of {all}");
        assert_eq!(split(&text(&|i| format!("w{i}")), pattern), (3000, 3000));
        assert_eq!(split(&text(&|i| format!("{}{}", "long".repeat(6), i % 2)), pattern), (3000, 3000));
    }
}

#[test]
fn short_texts_are_put_together_as_long_ones() {
    let mut memory = Memory::new();
    for n in ["0", "-1", "7", "-10", "9223372036854775807", "-9223372036854775808", "nil", "\"é\"", "1.5", ":k"] {
        for room in 38..64 {
            let head = "é".repeat(room / 2) + &"x".repeat(room % 2);
            let program = format!(
                "(= (str {head:?} {n} \"é\") (str/join [{head:?} {n} \"é\"]) (apply str (concat {head:?} [(str {n})] \"é\")))"
            );
            assert_eq!(said(&mut memory, &program), "true", "{program}");
        }
    }
}

#[test]
fn as_many_words_as_there_are_places_are_counted() {
    // More than are remembered by their addresses at first, and than afterwards.
    for n in [8, 9, 511, 512, 513, 5000] {
        let program = format!(
            "(let [ws (mapv #(str \"w\" (mod % {n})) (range {})) f (frequencies ws)] [(count f) (frequencies (vals f))])",
            n * 3
        );
        let ending =
            ptc_lisp::run(&program, &mut Memory::new(), RunInput::new(&Limits::default(), &[], &mut ())).ending;
        let RunResult::Value(v) = ending else { return assert_eq!(n, 0, "no value") };
        assert_eq!(ptc_lisp::print::brief(&v), format!("[{n} {{3 {n}}}]"));
    }
}
