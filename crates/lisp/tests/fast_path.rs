//! Loops over numbers and calls of the running function have a loop of their own in the machine: what they give, say and
//! cost is what it is where every function of the language is called.

#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_lisp::error::ErrorKind;
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::{print, run, run_plain};

/// The value, or the kind and the words of the error.
fn told(program: &str, plain: bool) -> String {
    let limits = Limits::default();
    let run = if plain { run_plain } else { run };
    match run(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut ())).ending {
        RunResult::Value(v) => print::readable(&v, 10_000),
        RunResult::Error(e) => format!("{}: {}", e.kind.as_str(), e.message),
        other => format!("{other:?}"),
    }
}

const EDGES: [i64; 15] = [
    i64::MIN,
    i64::MIN + 1,
    -4_294_967_297,
    -4_294_967_296,
    -8,
    -7,
    -1,
    0,
    1,
    6,
    7,
    4_294_967_295,
    4_294_967_296,
    i64::MAX - 1,
    i64::MAX,
];

#[test]
fn division_by_a_constant_is_division() {
    for k in [1, 2, 7, 1000, i64::from(i32::MAX)] {
        for x in EDGES {
            let program = format!("(let [x {x}] [(quot x {k}) (rem x {k}) (mod x {k})])");
            assert_eq!(told(&program, false), format!("[{} {} {}]", x / k, x % k, x.rem_euclid(k)), "{x} {k}");
        }
    }
}

#[test]
fn comparisons_are_those_of_numbers() {
    let numbers =
        EDGES.iter().map(i64::to_string).chain(["0.0", "-0.0", "1.5", "##NaN", "##Inf", "7N"].map(str::to_owned));
    let numbers: Vec<String> = numbers.collect();
    for x in &numbers {
        let pairs = numbers.iter().map(|y| {
            format!(
                "(let [x {x} y {y}] [(< x y) (<= x y) (> x y) (>= x y) (= x y) (not= x y)
                    (if (< x y) 1 2) (if (<= x y) 1 2) (if (> x y) 1 2) (if (>= x y) 1 2) (if (= x y) 1 2) (if (not= x y) 1 2)
                    (if (< x 7) 1 2) (if (= 7 x) 1 2) (if (>= 2147483647 x) 1 2) (if (> x 2147483648) 1 2)])"
            )
        });
        let program = format!("[{}]", pairs.collect::<Vec<_>>().join(" "));
        assert_eq!(told(&program, false), told(&program, true), "{x}");
    }
}

#[test]
fn loops_and_recursion_are_as_they_are_where_every_function_is_called() {
    for program in [
        "(loop [i 0 s 0] (if (< i 5) (recur (inc i) (+ s (* i i))) [i s]))",
        "(loop [a 0 b 1 n 0] (if (< n 10) (recur b (+ a b) (inc n)) [a b n]))",
        "(loop [i 0 j 0] (if (< i 5) (recur (inc i) i) [i j]))",
        "(loop [i 0 j 9] (if (< i 5) (recur (inc i) (- j i)) [i j]))",
        "(loop [i 5 j 1] (if (pos? i) (recur (dec i) (* j i)) [i j]))",
        "(loop [i 0 j 0 k 0] (if (< i 9) (recur (+ i 2) (+ i j) (- k (* i j))) [i j k]))",
        "(loop [i 0.5 s 0] (if (< i 5) (recur (inc i) (+ s (mod i 2))) [i s]))",
        "(loop [i 9223372036854775800 s 0] (if (> i 0) (recur (inc i) (+ s 1)) s))",
        "(loop [i 9223372036854775800N s 0] (if (< s 20) (recur (inc i) (+ s 1)) i))",
        "(loop [i nil s 0] (if (nil? i) (recur (inc i) (conj s i)) s))",
        "(loop [i 0 s []] (if (< i 5) (recur (inc i) (conj s (* i i))) s))",
        "(loop [i 0 s \"\"] (if (< i 5) (recur (inc i) (str s i)) s))",
        "(loop [x :a n 0] (cond (= n 4) x (keyword? x) (recur \"b\" (inc n)) :else (recur :a (inc n))))",
        "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 15)",
        "(defn f [n s] (if (= n 0) s (f (dec n) (conj s n)))) (f 50 [])",
        "(defn f [n] (when (> n 0) (if (even? n) :even (f (dec n))))) [(f 7) (f 0)]",
        "(defn f [n] (if (> n 0) (+ 1.5 (f (dec n))) 0)) (f 20)",
        "(defn f [n] (if (> n 0) (str n (f (dec n))) \"\")) (f 20)",
        "(defn f [n] (inc (f (inc n)))) (f 0)",
        "(defn f [n & more] (if (> n 0) (apply f (dec n) n more) (count more))) (f 9)",
        "(defn f [n] (if (> n 0) (* n (f (dec n))) 1)) (f 30)",
        "(def g (fn [n] (if (> n 0) (+ n (g (dec n))) 0))) (def h g) (def g (fn [n] 100)) (h 5)",
        "(letfn [(a [n] (if (> n 0) (b (dec n)) :a)) (b [n] (if (> n 0) (a (dec n)) :b))] [(a 5) (a 6)])",
        "(let [v [1 2 3]] (loop [i 0 s 0] (if (< i (count v)) (recur (inc i) (+ s (v i))) [s v])))",
        "(let [x {:k 1}] (loop [i 0 y x] (if (< i 3) (recur (inc i) (assoc y i x)) [x y])))",
    ] {
        assert_eq!(told(program, false), told(program, true), "{program}");
    }
}

/// Fuel ends a loop and a recursion at any place.
#[test]
fn a_limit_of_fuel_ends_them() {
    for program in ["(loop [i 0] (recur (inc i)))", "(defn f [n] (if (< n 0) n (do (f (- n)) (f (- 0 n))))) (f 0)"] {
        for fuel in [1, 100, 4_095, 4_096, 10_000, 100_001] {
            let limits = Limits { fuel, ..Limits::default() };
            let ending = run(program, &mut Memory::new(), RunInput::new(&limits, &[], &mut ())).ending;
            let RunResult::Error(e) = ending else { panic!("{program} ended") };
            assert!(matches!(e.kind, ErrorKind::Fuel | ErrorKind::Depth), "{program}: {}", e.message);
        }
    }
}

/// Functions of few, of many and of more registers than the loop has arrays for.
#[test]
fn as_many_registers_as_it_takes() {
    for n in [1, 20, 29, 30, 31, 32, 60, 250, 254, 255, 256, 257, 400] {
        let bound: String = (0..n).map(|i| format!("a{i} {i} ")).collect();
        let sum: String = (0..n).map(|i| format!("a{i} ")).collect();
        for program in [
            format!("(let [{bound}] (loop [i 0 s 0] (if (< i 50) (recur (inc i) (+ s {sum})) s)))"),
            format!("(defn f [i] (let [{bound}] (if (< i 1) 0 (+ (f (dec i)) {sum})))) (f 30)"),
            format!("(defn f [i] (let [{bound} m {{:k i}}] (if (< i 1) [m] (conj (f (dec i)) m {sum})))) (f 3)"),
        ] {
            assert_eq!(told(&program, false), told(&program, true), "{program}");
        }
    }
}
