//! Short functions run without a frame, on arguments that are only lent: what they give, say and cost is what it was.

#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_lisp::interface::{Outcome, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;
use ptc_lisp::{print, run, run_plain};

pub fn outcome(turns: &[&str], limits: &Limits, plain: bool) -> Outcome {
    let mut memory = Memory::new();
    let run = if plain { run_plain } else { run };
    let mut last = None;
    for turn in turns {
        last = Some(run(turn, &mut memory, RunInput::new(limits, &[], &mut ())));
    }
    last.unwrap()
}

/// The value, or all that is said of an error: its words, its hint, where it is and through which functions it came.
pub fn told(outcome: &Outcome) -> String {
    match &outcome.ending {
        RunResult::Value(v) => print::readable(v, 10_000),
        RunResult::Error(e) => {
            format!("{}: {} | {:?} | {:?} | {:?}", e.kind.as_str(), e.message, e.hint, e.span, e.calls)
        }
        other => format!("{other:?}"),
    }
}

/// A body costs the same whether its function has a frame, as one with `& more` has, or none.
#[test]
fn they_cost_what_functions_with_a_frame_do() {
    let bodies =
        ["(* 2 (inc x))", "(- (* x x) 3)", "(if (> x 2) (+ x x) (dec x))", "(quot x 2)", "[x x]", "{:v x}", "(= x 1)"];
    for items in ["(vec (repeat 10000 3))", "(vec (repeat 10000 1.5))"] {
        for body in bodies {
            let fuel = |params: &str| {
                let program = format!("(count (mapv (fn {params} {body}) {items}))");
                outcome(&[&program], &Limits::default(), false).usage.fuel
            };
            let (short, framed) = (fuel("[x]"), fuel("[x & more]"));
            assert_eq!(short, framed, "{body} of {items}");
        }
    }
}

/// A part that goes into its source and is taken out again is as deep as it is.
#[test]
fn parts_are_as_deep_as_they_are() {
    for program in [
        "(loop [s [0 1 2] i 0] (if (< i 20000) (recur (filterv number? (conj s (filterv number? s))) (inc i)) s))",
        "(loop [s [0 1 2] i 0] (if (< i 20000) (recur (vec (remove coll? (conj s (vec (sort s))))) (inc i)) s))",
        "(loop [s [0 1 2] i 0] (if (< i 20000) (recur (get (group-by number? (conj s (sort s))) true) (inc i)) s))",
    ] {
        assert_eq!(told(&outcome(&[program], &Limits::default(), false)), "[0 1 2]", "{program}");
    }
}

#[test]
fn they_give_and_say_what_functions_with_a_frame_do() {
    let records = "(def rs (mapv (fn [i] {:id i :price (* i 1.5) :qty (- 7 i) :tag (str \"t\" (mod i 3)) :k (if (odd? i) :odd :even)}) (range 30)))";
    let cases = [
        "(mapv (fn [r] (* (:price r) (:qty r))) rs)",
        "(mapv (fn [r] (+ (:qty r) (:price r) 2)) rs)",
        "(mapv (fn [r] (- (:price r) 4 (:id r))) rs)",
        "(map :id (filter (fn [r] (> (:price r) 20)) rs))",
        "(map :id (filter (fn [r] (and (<= 3 (:id r)) (not= (:tag r) \"t1\"))) rs))",
        "(map :id (remove (fn [r] (or (= (:k r) :odd) (nil? (:gone r)))) rs))",
        "(group-by (fn [{:keys [k tag]}] [k tag]) rs)",
        "(frequencies (map (fn [r] (if (< (:id r) 4) :low (quot (:id r) 10))) rs))",
        "(sort-by (fn [r] [(:tag r) (- (:id r))]) rs)",
        "(sort (fn [a b] (> (:id a) (:id b))) rs)",
        "(sort-by :id (fn [a b] (compare b a)) rs)",
        "(mapv (fn [[a b & more]] [a b more]) [[1 2 3] '(4 5) nil \"xyz\" [6]])",
        "(mapv (fn [x] (case x 1 :one \"b\" :b :else)) [1 \"b\" nil 1.0 'x])",
        "(mapv (fn [x] {:v x :w [x x]}) [1 nil \"s\"])",
        "(mapv (fn [x] x) [{:a 1} [2]])",
        "(mapv (fn [x] (inc x)) [1 2.5 3N 1/2])",
        "(mapv (fn [x] [(mod x 3) (rem x 3) (quot x 3) (mod x -3) (* x 2) (- x 1)]) [7 -7 2.5 10N 7/2])",
        "(mapv (fn [x] (= x 1)) [1 1.0 1N nil \"1\" [1]])",
        "(mapv (fn [x] [(< x 1) (>= x 1) (= x 1.5)]) [1 1.5 0N 1/3 ##NaN ##Inf -0.0])",
        "(map (fn [x y] (+ x y)) [1 2 3] [10 20.5 30N])",
        "(map-indexed (fn [i x] (* i x)) [5 6 7])",
        "(reduce (fn [acc r] (+ acc (:price r))) 0 rs)",
        "(reduce (fn [acc r] (if (> (:id r) 9) (reduced acc) (conj acc (:id r)))) [] rs)",
        "(reduce (fn [acc r] (assoc acc (:tag r) r)) {} rs)",
        "(reduce + [1 2.5 3 4N])",
        "(reduce + [1 2 3 9223372036854775807])",
        "(reduce + 0.5 [1 2 3])",
        "(reduce + (reduced 1) [])",
        "(update {:n 1} :n (fn [n] (+ n 41)))",
        "(let [a (atom {:n 0})] (dotimes [i 5] (swap! a (fn [m] (assoc m :n (+ i (:n m)))))) @a)",
        "(let [k 3 f (fn [x] (* k x))] (mapv f [1 2 3]))",
        "(let [m (sorted-map-by (fn [a b] (compare b a)) 1 :a 2 :b)] (mapv (fn [k] (get m k)) [1 2 3]))",
        "(take 3 (map (fn [x] (* x x)) (iterate inc 1)))",
        "(into [] (comp (map (fn [x] (* 2 x))) (filter (fn [x] (> x 3)))) [1 2 3])",
        "(some (fn [r] (when (= 5 (:id r)) (:tag r))) rs)",
        "(mapv (fn [r] (first (map (fn [x] (+ x (:id r))) [1]))) (take 3 rs))",
        "(max-by (fn [r] (:qty r)) rs)",
        "(partition-by (fn [x] (> x 2)) [1 2 3 4 1])",
        // Functions made of constants are made once.
        "(reduce (fn [m r] (update m (:tag r) (fnil + 0) (:id r))) {} rs)",
        "(loop [i 0 m {}] (if (= i 50) m (recur (inc i) (update m (mod i 7) (fnil + 0) i))))",
        "(loop [i 0 m {}] (if (= i 50) m (recur (inc i) (update m (mod i 7) (fnil conj []) i))))",
        "(let [a (atom {})] (dotimes [i 9] (swap! a (partial merge-with +) {(mod i 2) i})) @a)",
        "(let [a (atom nil)] (dotimes [i 9] (swap! a (fnil - 100 7) i)) @a)",
        "[(update {} :a (fnil + 0.5) 1) (update {} :a (fnil + 0.5) 1.5) (update {:a 9223372036854775807N} :a (fnil * 1) 2)]",
        "(map (fn [f] (map (partial f 3) [1 2.5 4N])) [+ - * max min])",
        "[(map (partial max 2) [1 2.0 3]) (reduce - 1 [2 3.5]) (reduce * [1.5 2.5]) (reduce min [3 1 2])]",
        "(map (juxt :id :tag) rs)",
        "(sort-by (juxt :tag :id) rs)",
        "(group-by (constantly 1) [1 2])",
        "(remove (complement odd?) (range 9))",
        "(map (comp inc :id) rs)",
        "(map (partial - 10) [1 nil])",
        // Large maps with whole numbers as keys, where a key is looked for once.
        "(loop [i 0 m {}] (if (= i 300) m (recur (inc i) (update m (mod (* i 7) 100) (fnil + 0) i))))",
        "(loop [i 0 m {} s 0] (if (= i 120) [m s] (recur (inc i) (update m (mod (* i 7) 100) (fnil + 0) i) (+ s (count m)))))",
        "(loop [i 0 m {}] (if (= i 120) m (recur (inc i) (update (do (first m) m) (* i 3) (fn [v] (or v i))))))",
        "(let [m (zipmap (range 50) (range 50))] [(try (update m 60 (fn [x] (inc x))) (catch Exception e (count m))) (count (update m 60 (fnil inc 0))) (m 60)])",
        "(update (zipmap (range 50) (range 50)) 60 (fn [x] (inc x)))",
        "(try (loop [i 0 m (zipmap (range 50) (range 50))] (recur (inc i) (update m i (fn [v] (if (= v 40) (throw (ex-info \"at\" {:i i})) 0))))) (catch Exception e (ex-data e)))",
        "(update (assoc (zipmap (range 50) (range 50)) 7N :big 3.0 :float) 7 (fn [v] [v]))",
        "(update {:a \"x\"} :a (fnil + 0) 1)",
        "(update {:a 9223372036854775807} :a (fnil + 0) 1)",
        "(update {} :a (fnil + nil) 1)",
        "(update {} :a (fnil 5 0) 1)",
        "(update {} :a (fnil inc 0) 1)",
        // Errors: their words, places, hints and functions.
        "(mapv (fn [r] (* (:price r) (:count r))) rs)",
        "(filter (fn [r] (> (:tag r) 20)) rs)",
        "(map (fn adder [r] (+ (:tag r) 1)) rs)",
        "(map (fn [x] (inc x)) [1 nil])",
        "(map (fn [x] (+ x 9223372036854775807)) [0 1])",
        "(map (fn [x] (quot 1 x)) [1 0])",
        "(mapv (fn [x] (nth [1 2] x)) [0 5])",
        "(map (fn [[a]] a) [5])",
        "(map (fn [x] (case x 1 2)) [1 3])",
        "(map (fn [x y] x) [1 2])",
        "(sort-by (fn [x] (:a x)) [{:a 1} {:a \"b\"}])",
        "(try (mapv (fn [x] (/ 1 x)) [1 0]) (catch ArithmeticException e (ex-message e)))",
        "(let [f (fn f [x] (first (map f [x])))] (f 1))",
        "(def f (fn [x] (first (map f [x])))) (f 1)",
        "(letfn [(f [x] (reduce g 0 [x])) (g [a x] (first (map f [x])))] (f 1))",
        "(let [c (fn [a b] (compare (get m b) a)) m {}] (sort c [2 1]))",
    ];
    for case in cases {
        let turns = [records, case];
        let (ours, plain) = (outcome(&turns, &Limits::default(), false), outcome(&turns, &Limits::default(), true));
        assert_eq!(told(&ours), told(&plain), "{case}");
        let keys = |o: &Outcome| o.missed_keys.iter().map(|m| format!("{m:?}")).collect::<Vec<_>>();
        assert_eq!(keys(&ours), keys(&plain), "{case}");
        assert!(ours.usage.fuel <= plain.usage.fuel, "{case}: {} {}", ours.usage.fuel, plain.usage.fuel);
    }
}

/// Those that only compute are run for a block of items at once: as if each was called.
#[test]
fn blocks_of_items_give_and_say_what_single_calls_do() {
    let data = "(def ns (vec (range 40)))
        (def rs (mapv (fn [i] {:id i :price (* i 1.5) :tag (str \"t\" (mod i 3)) :on (odd? i)}) ns))
        (def wide (mapv (fn [i] (assoc (zipmap [:a :b :c :d :e :f :g :h :i] (range 9)) :id i)) ns))
        (def limit 12)";
    let cases = [
        "(mapv (fn [x] (* x 2)) (assoc ns 20 5N 21 2.5 22 1/2))",
        "(mapv (fn [x] (+ x 1)) (assoc ns 20 nil))",
        "(mapv (fn [x] (+ x 9223372036854775797)) ns)",
        "(mapv (fn [x] [(- x 3)]) ns)",
        "(mapv (fn [x] (mod x 7)) (assoc ns 20 -5 21 2.5))",
        "(mapv (fn [x] (quot 100 x)) ns)",
        "(mapv (fn [x] (rem x (:id (first rs)))) ns)",
        "(mapv (fn [r] (:id r)) (assoc rs 17 {} 18 nil 19 [] 20 {\"id\" 3} 21 (sorted-map :id 9)))",
        "(mapv (fn [r] (* (:price r) (:id r))) (assoc rs 17 {:price 1}))",
        "(mapv (fn [r] (* (:pric r) (:id r))) rs)",
        "(mapv (fn [r] (+ 1 (:nope r) (:id r))) rs)",
        "(mapv (fn [r] (+ (:id r) (:prise r))) (assoc rs 0 {:id 3}))",
        "(mapv (fn [r] (+ (:i r) (:id r))) wide)",
        "(mapv (fn [r] (:tag r)) rs)",
        "(mapv (fn [{:keys [id price]}] (- price id)) (assoc rs 33 [:id 1 :price 2]))",
        "(mapv (fn [[a b]] (+ a b)) (assoc (mapv vector ns ns) 20 '(1 2)))",
        "(mapv (fn [[a b]] b) (assoc (mapv vector ns ns) 20 [1] 21 nil 22 \"xy\"))",
        "(map (fn [[k v]] v) (zipmap ns ns))",
        "(let [k 3] (mapv (fn [x] (* k x)) ns))",
        "(mapv (fn [x] x) rs)",
        "(mapv (fn [x] 7) rs)",
        "(mapv (fn [x] nil) rs)",
        "(mapv (fn [r] (not (:on r))) rs)",
        "(filter (fn [x] (> x limit)) ns)",
        "(filter (fn [x] (> x limit)) (assoc ns 30 :x))",
        "(filterv (fn [r] (= (:tag r) \"t1\")) rs)",
        "(remove (fn [r] (:on r)) rs)",
        "(filter :on rs)",
        "(filter (fn [r] (and (:on r) (> (:price r) 20) (not= (:tag r) \"t2\"))) rs)",
        "(filter (fn [x] (= x 3)) (assoc ns 4 3.0 5 3N 6 \"3\" 7 nil 8 [3]))",
        "(filter (fn [x] (not= x nil)) (assoc ns 4 nil))",
        "(filter (fn [x] (< x 3.5)) (assoc ns 4 ##NaN))",
        "(filter (fn [r] (if (:on r) (< (:id r) 9) (nil? (:tag r)))) rs)",
        "(reduce + ns)",
        "(reduce + (assoc ns 20 2.5 21 3N 22 1/2))",
        "(reduce + 0.5 (assoc ns 30 9223372036854775807))",
        "(reduce + (assoc ns 20 9223372036854775807))",
        "(reduce + (assoc ns 20 \"x\"))",
        "(reduce (fn [a x] (+ a x)) ns)",
        "(reduce (fn [a r] (+ a (:price r))) 0 (assoc rs 30 {:price 2N}))",
        "(reduce (fn [a r] (if (> (:price r) (:price a)) r a)) rs)",
        "(reduce (fn [a x] x) 0 (assoc ns 20 (reduced 7)))",
        "(reduce (fn [a x] (if (< x 20) (+ a x) (conj a x))) 0 ns)",
        "(reduce (fn [a x] a) (reduced 1) ns)",
        "(group-by (fn [r] (:tag r)) rs)",
        "(group-by :tag (assoc rs 5 {} 6 nil 7 {\"tag\" 1}))",
        "(group-by (fn [x] (mod x 19)) ns)",
        "(update-vals (group-by (fn [r] [(:tag r) (:on r)]) rs) count)",
        "(group-by :tag (map identity rs))",
        "(count-by :tag rs)",
        "(sum-by :price rs)",
        "(sort-by (fn [r] (- (:price r))) rs)",
        "(sort-by :tag rs)",
        "(let [seen (atom [])] (mapv (fn [x] (if (= x 20) (inc nil) (do (swap! seen conj x) x))) ns))",
        "(let [seen (atom 0)] [(try (group-by (fn [x] (swap! seen inc) (quot 1 (- 20 x))) ns) (catch Exception e (ex-message e))) @seen])",
    ];
    for case in cases {
        let turns = [data, case];
        let (ours, plain) = (outcome(&turns, &Limits::default(), false), outcome(&turns, &Limits::default(), true));
        assert_eq!(told(&ours), told(&plain), "{case}");
        let keys = |o: &Outcome| o.missed_keys.iter().map(|m| format!("{m:?}")).collect::<Vec<_>>();
        assert_eq!(keys(&ours), keys(&plain), "{case}");
        assert!(ours.usage.fuel <= plain.usage.fuel, "{case}: {} {}", ours.usage.fuel, plain.usage.fuel);
    }
}

/// What they cost does not depend on whether a whole block is plain: each item is, one now and then is not, or none is.
#[test]
fn blocks_of_items_cost_what_single_calls_do() {
    let wide = "(zipmap (map (fn [i] (keyword (str \"k\" i))) (range 20)) (range 20))";
    // Items that are plain, others that give as much, and the programs that are run over both.
    let cases = [
        ("[i 2]", "(list i 2)", "(count (mapv (fn [[a b]] (+ a b)) xs))"),
        ("[i 2]", "(list i 2)", "(count (filterv (fn [[a b]] (if (< a b) (= a 1) (> b 2))) xs))"),
        ("{:a i :b 2}", "(meant {:a i :b 2})", "(count (mapv (fn [r] (+ (:a r) (:b r))) xs))"),
        ("{:a i :b 2}", "(meant {:a i :b 2})", "(count (filterv (fn [r] (> (:a r) (* 3 (:b r)))) xs))"),
        ("{:a i :b {:c 2}}", "{:a i :b (meant {:c 2})}", "(count (mapv (fn [{a :a {c :c} :b}] (- a c)) xs))"),
        ("(assoc wide :k15 i)", "(meant (assoc wide :k15 i))", "(count (mapv (fn [r] (+ (:k15 r) (:k3 r) 1)) xs))"),
        ("(assoc wide :k15 i)", "(meant (assoc wide :k15 i))", "(count (filterv (fn [r] (< (:k15 r) 100)) xs))"),
        ("i", "(bigint i)", "(let [a 300 b 4] (count (mapv (fn [x] (if (> x a) b a)) xs)))"),
        ("{:a i}", "(meant {:a i})", "(let [least 9 k 2] (count (filterv (fn [r] (> (* k (:a r)) least)) xs)))"),
        ("i", "(bigint i)", "(reduce (fn [acc x] (if (> x 7) (+ acc 1) (+ acc 2))) 0 xs)"),
        ("{:a i}", "(meant {:a i})", "(reduce (fn [acc r] (if (> (:a r) 7) (+ acc (:a r)) (- acc 2))) 0 xs)"),
        ("{:a i}", "(meant {:a i})", "(count (group-by (fn [r] (> (:a r) 100)) xs))"),
        ("{:a i}", "(meant {:a i})", "(count (sort-by (fn [r] (if (> (:a r) 100) 1 2)) xs))"),
    ];
    for (plain, other, program) in cases {
        let fuel = |items: &str| {
            let meant = "(defn meant [m] (with-meta m {:m 1}))";
            let data = format!("{meant} (def wide {wide}) (def xs (mapv (fn [i] {items}) (range 4000)))");
            outcome(&[&data, program], &Limits::default(), false).usage.fuel
        };
        let (all, none) = (fuel(plain), fuel(other));
        let some = fuel(&format!("(if (= 5 (mod i 21)) {other} {plain})"));
        assert_eq!((all, all), (some, none), "{program}");
    }
}

#[test]
fn functions_of_constants_cost_nothing_where_they_stand() {
    let fuel = |f: &str, before: &str| {
        let program = format!(
            "(let [{before}] (loop [i 0 m {{}}] (if (= i 10000) (count m) (recur (inc i) (update m (mod i 9) {f} i)))))"
        );
        outcome(&[&program], &Limits::default(), false).usage.fuel as f64
    };
    for made in ["(fnil + 0)", "(fnil max 3)", "(constantly 1)"] {
        let (inside, before) = (fuel(made, ""), fuel("f", &format!("f {made}")));
        assert!(inside <= before * 1.01, "{made}: {inside} and {before}");
    }
}

#[test]
fn an_error_in_one_of_an_earlier_turn_says_so() {
    let turns = ["(defn price [r] (+ (:price r) 1))", "(map price [{:price 1} {:price \"x\"}])"];
    let said = told(&outcome(&turns, &Limits::default(), false));
    assert!(said.contains("it happened in price, which an earlier turn defined"), "{said}");
    assert_eq!(said, told(&outcome(&turns, &Limits::default(), true)));
}

#[test]
fn what_they_are_given_to_keep_is_changed_in_place() {
    // Copies of the vector so far would take some 200 million units.
    let limits = Limits { fuel: 3_000_000, ..Limits::default() };
    let program = "(count (reduce (fn [acc x] (conj acc (* 2 x))) [] (range 20000)))";
    let RunResult::Value(Value::Int(n)) = outcome(&[program], &limits, false).ending else { panic!("it is too dear") };
    assert_eq!(n, 20_000);
}

#[test]
fn what_is_lent_to_them_stays_with_its_owner() {
    let program =
        "(let [xs [[1] [2]] ys (mapv (fn [x] (conj x 9)) xs) zs (reduce (fn [a x] (conj x a)) [0] xs)] [xs ys zs])";
    assert_eq!(told(&outcome(&[program], &Limits::default(), false)), "[[[1] [2]] [[1 9] [2 9]] [2 [1 [0]]]]");
}

#[test]
fn the_limits_hold_in_them() {
    let program = "(count (mapv (fn [x] [(* x 2) (* x 3)]) (range 100000)))";
    let said = |limits: Limits| told(&outcome(&[program], &limits, false));
    assert!(said(Limits { fuel: 100_000, ..Limits::default() }).starts_with("limit/fuel"));
    assert!(said(Limits { memory_bytes: 1 << 20, ..Limits::default() }).starts_with("limit/memory"));
    let nested = "(loop [i 0 v []] (if (< i 2000) (recur (inc i) (first (mapv (fn [x] [x]) [v]))) (count v)))";
    let said = told(&outcome(&[nested], &Limits::default(), false));
    assert_eq!(said, told(&outcome(&[nested], &Limits::default(), true)));
}

#[test]
fn a_split_by_a_text_is_the_split_by_a_regex_of_it() {
    let texts = ["a,b,,c,,", ",a", "", ",", ",,", "abc", "a, b", "é,ü,", "a,,b,,,,c"];
    for (literal, regex) in [("#\",\"", "#\"[,]\""), ("#\",,\"", "#\"[,]{2}\""), ("#\"\\,\"", "#\"(?:,)\"")] {
        for text in texts {
            for limit in ["", " 0", " 1", " 2", " 3", " -1"] {
                let of = |re: &str| {
                    told(&outcome(&[&format!("(str/split \"{text}\" {re}{limit})")], &Limits::default(), false))
                };
                assert_eq!(of(literal), of(regex), "{text} {literal}{limit}");
            }
        }
    }
}

#[test]
fn many_definitions_are_all_known() {
    let names: Vec<String> = (0..30).map(|i| format!("(defn f{i} [x] (+ x {i}))")).collect();
    let calls: Vec<String> = (0..30).map(|i| format!("(f{i} 1)")).collect();
    let sum = format!("{} (+ {})", names.join(" "), calls.join(" "));
    assert_eq!(told(&outcome(&[&sum], &Limits::default(), false)), "465");
    let wrong = format!("{} (f29 1 2)", names.join(" "));
    assert!(told(&outcome(&[&wrong], &Limits::default(), false)).starts_with("arity"), "it is refused beforehand");
    let twice = format!("(declare g) {} (defn f29 [x y] (* x y)) (f29 6 7)", names.join(" "));
    assert_eq!(told(&outcome(&[&twice], &Limits::default(), false)), "42");
}
