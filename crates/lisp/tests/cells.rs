//! What is changed again and again is kept in hand: failed turns, forks and other cells must see it as it is.

use crate::dynamic_vars::said;
use ptc_lisp::memory::Memory;

const THREE: &str =
    "(def a (transient [])) (def b (transient {})) (def c (atom [])) (conj! a 0) (assoc! b 0 0) (swap! c conj 0)";
const SEEN: &str = "[(vec (for [i (range (count a))] (nth a i))) (count b) (get b 0) @c]";

#[test]
fn a_failed_turn_takes_back_what_is_in_hand() {
    for last in ["(conj! a 9)", "(assoc! b 0 9)", "(swap! c conj 9)", "(pop! a)", "(dissoc! b 0)"] {
        for failing in ["(/ 1 0)", "(loop [] (recur))", "(fail :no)"] {
            let mut memory = Memory::new();
            said(&mut memory, THREE);
            said(&mut memory, &format!("(conj! a 5) (assoc! b 5 5) (swap! c conj 5) {last} {failing}"));
            assert_eq!(said(&mut memory, SEEN), "[[0] 1 0 [0]]", "{last} {failing}");
            said(&mut memory, last);
            said(&mut memory, "(persistent! a) (persistent! b) (/ 1 0)");
            said(&mut memory, "(conj! a 1) (assoc! b 1 1) (swap! c conj 1)");
            let want = match last {
                "(conj! a 9)" => "[[0 9 1] 2 0 [0 1]]",
                "(assoc! b 0 9)" => "[[0 1] 2 9 [0 1]]",
                "(swap! c conj 9)" => "[[0 1] 2 0 [0 9 1]]",
                "(pop! a)" => "[[1] 2 0 [0 1]]",
                _ => "[[0 1] 1 nil [0 1]]",
            };
            assert_eq!(said(&mut memory, SEEN), want, "{last} {failing}");
        }
    }
}

#[test]
fn forks_have_what_is_in_hand_of_their_own() {
    for last in ["(conj! a 1)", "(assoc! b 0 1)", "(swap! c conj 1)"] {
        let mut memory = Memory::new();
        said(&mut memory, THREE);
        said(&mut memory, last);
        let before = said(&mut memory.clone(), SEEN);
        let mut fork = memory.clone();
        said(&mut fork, "(conj! a 7) (assoc! b 0 7) (swap! c conj 7)");
        assert_eq!(said(&mut memory, SEEN), before, "{last}");
        said(&mut memory, "(swap! c conj 8) (conj! a 8)");
        said(&mut fork, "(persistent! a)");
        assert!(said(&mut memory, SEEN).contains("8]"), "{last}");
        assert_eq!(said(&mut fork, "(conj! a 1)"), "value", "{last}");
    }
}

#[test]
fn what_comes_out_is_what_the_same_steps_make_of_plain_collections() {
    let steps = "(def steps (take 150 (map (fn [x] [(mod x 3) (mod (quot x 3) 7) (mod x 41)]) (iterate (fn [x] (mod (* x 16807) 2147483647)) 7))))";
    let plain = "(reduce (fn [[a b c] [which what n]]
          (case which
            0 [(case what 0 (if (seq a) (pop a) a) (1 2) (if (seq a) (assoc a (mod n (count a)) n) a) (conj a n)) b c]
            1 [a (case what 0 (dissoc b n) (assoc b n what)) c]
            [a b (case what 0 (disj c n) (conj c n))]))
        [[] {} #{}] steps)";
    let changed = "(let [a (transient []) b (transient {}) c (transient #{})]
        (doseq [[which what n] steps]
          (case which
            0 (case what 0 (when (pos? (count a)) (pop! a)) (1 2) (when (pos? (count a)) (assoc! a (mod n (count a)) n)) (conj! a n))
            1 (case what 0 (dissoc! b n) (assoc! b n what))
            (case what 0 (disj! c n) (conj! c n))))
        [(persistent! a) (persistent! b) (persistent! c)])";
    let mut memory = Memory::new();
    said(&mut memory, steps);
    assert_eq!(said(&mut memory, &format!("(= {plain} {changed})")), "true");
    assert_eq!(
        said(&mut memory, &format!("(map count {changed})")),
        said(&mut memory, &format!("(map count {plain})"))
    );
}

/// What Java has that changes in place, how it is changed, and how it is seen.
const OF_JAVA: [(&str, &str, &str, &str, &str); 2] = [
    ("(StringBuilder. \"a\")", "(.append x \"b\")", "(str x)", "\"a\"", "\"ab\""),
    ("(java.io.StringWriter.)", "(binding [*out* x] (pr 1))", "(str x)", "\"\"", "\"1\""),
];

#[test]
fn what_java_has_is_taken_back_with_a_failed_turn_and_forks_have_their_own() {
    for (made, change, seen, before, after) in OF_JAVA {
        let mut memory = Memory::new();
        said(&mut memory, &format!("(def x {made}) nil"));
        said(&mut memory, &format!("{change} (/ 1 0)"));
        assert_eq!(said(&mut memory.clone(), seen), before, "{made}");
        let mut fork = memory.clone();
        said(&mut fork, &format!("{change} nil"));
        assert_eq!(said(&mut fork, seen), after, "{made}");
        assert_eq!(said(&mut memory, seen), before, "{made}");
    }
}
