//! The workloads of docs/performance.md on this runtime, with all limits on: `ptc-bench W2 W3` prints `R ours METRIC VALUE
//! UNIT`. `REPS` is the number of rounds, `program.clj` a workload of a file; with `COUNT` no clock is looked at, to count instructions under valgrind.

// A benchmark reads the clock, prints, and stops at the first fault.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros, clippy::expect_used, clippy::panic)]

use cpu_time::{ProcessTime, ThreadTime};
use ptc_lisp::interface::{Clock, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;
use std::cell::Cell;
use std::sync::LazyLock;
use std::time::Instant;

const FIB: &str = "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 27)";
const LOOP: &str = "(loop [i 1 s 0] (if (< i 3000000) (recur (inc i) (+ s (mod (* i i) 7))) s))";
const PIPE: &str = r#"
(defn weigh [xs] (reduce + (map-indexed (fn [i x] (* (inc i) x)) xs)))
(->> ctx/data
     (filter (fn [r] (> (:price r) 50)))
     (group-by :category)
     (map (fn [[k rs]] [k (reduce + (map (fn [r] (* (:price r) (:qty r))) rs))]))
     (sort-by (fn [kv] (- (second kv))))
     (take 10) (map second) weigh)"#;
const WORDS: &str = r#"
(defn weigh [xs] (reduce + (map-indexed (fn [i x] (* (inc i) x)) xs)))
(defn words []
  (loop [i 0 x 7 acc []]
    (if (= i 200000) acc
      (let [x (mod (* x 16807) 2147483647) k (mod x 2000)]
        (recur (inc i) x (conj acc (str "w" (quot (* k k) 2000))))))))
(let [text (str/join " " (words))
      f (frequencies (str/split text #" "))]
  (->> f (sort-by (fn [[k v]] [(- v) k])) (take 20) (map second) weigh))"#;
const INTS: &str = "(defn sum-map [m] (+ (count m) (reduce + (vals m))))
(sum-map (loop [i 0 m {}] (if (= i 200000) m (recur (inc i) (update m (mod (* i 7919) 100003) (fnil + 0) i)))))";
const STRINGS: &str = "(defn sum-map [m] (+ (count m) (reduce + (vals m))))
(sum-map (loop [i 0 m {}] (if (= i 200000) m (recur (inc i) (update m (str \"k\" (mod (* i 7919) 100003)) (fnil + 0) i)))))";

/// A real clock: time limits are on, as everywhere.
struct Real(Cell<Option<ThreadTime>>, Instant);
impl Clock for Real {
    fn cpu_ms(&self) -> u64 {
        self.0.get().map_or(0, |t| t.elapsed().as_millis() as u64)
    }
    fn wall_ms(&self) -> u64 {
        self.1.elapsed().as_millis() as u64
    }
    fn begin_cpu(&self) {
        if self.0.get().is_none() {
            self.0.set(Some(ThreadTime::now()));
        }
    }
}

/// Whether instructions are counted.
static COUNT: LazyLock<bool> = LazyLock::new(|| std::env::var_os("COUNT").is_some());

fn eval(source: &str, memory: &mut Memory, context: &[(String, Value)]) -> (f64, usize) {
    // Inputs do not count against memory, what the program makes of them does: W4 needs no more than the default.
    let mut limits = Limits::default();
    if *COUNT {
        // Under valgrind instructions are counted, and the clock says nothing.
        (limits.cpu_ms, limits.wall_ms) = (0, 0);
    }
    let clock = Real(Cell::new(None), Instant::now());
    let mut nobody = ();
    let turn = RunInput { context, clock: &clock, ..RunInput::new(&limits, &[], &mut nobody) };
    let outcome = ptc_lisp::run(source, memory, turn);
    let n = match outcome.ending {
        RunResult::Value(Value::Int(i)) => i.get() as f64,
        RunResult::Value(Value::Float(f)) => f.get(),
        RunResult::Value(_) => f64::NAN,
        RunResult::Error(e) | RunResult::Failed(_, e) => panic!("{e}"),
        RunResult::Returned(_) => f64::NAN,
    };
    (n, outcome.printed.len())
}

fn emit(metric: &str, value: f64, unit: &str) {
    println!("R ours {metric} {value:.6} {unit}");
}

fn ms<R>(f: impl FnOnce() -> R) -> (f64, R) {
    let t = ProcessTime::now();
    let r = f();
    (t.elapsed().as_secs_f64() * 1e3, r)
}

fn status_kb(key: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with(key)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0)
}

/// The random numbers of the shared workloads: every product stays below 2^53.
struct Lcg(u64);
impl Lcg {
    fn next(&mut self) -> u64 {
        self.0 = self.0 * 16807 % 2_147_483_647;
        self.0
    }
}

fn json() -> String {
    let mut g = Lcg(42);
    let mut s = String::from("[");
    for i in 0..100_000 {
        if i > 0 {
            s.push(',');
        }
        let (cat, price, frac) = (g.next() % 50, g.next() % 100, ["25", "5", "75"][(g.next() % 3) as usize]);
        let qty = 1 + g.next() % 9;
        s.push_str(&format!(
            "{{\"id\":{i},\"name\":\"Product {i:06}\",\"category\":\"category-{cat:02}\",\"price\":{price}.{frac},\"qty\":{qty}}}"
        ));
    }
    s.push(']');
    s
}

fn data(text: &str) -> Vec<(String, Value)> {
    let value = ptc_lisp::json::parse_text(text, &Limits::default()).expect("the data is JSON");
    vec![("data".to_string(), value)]
}

/// The answer of W4.
fn expect_pipe() -> f64 {
    let mut g = Lcg(42);
    let mut total = [0f64; 50];
    for _ in 0..100_000 {
        let c = (g.next() % 50) as usize;
        let p = (g.next() % 100) as f64 + [0.25, 0.5, 0.75][(g.next() % 3) as usize];
        let q = (1 + g.next() % 9) as f64;
        if p > 50.0 {
            total[c] += p * q;
        }
    }
    total.sort_by(|a, b| b.total_cmp(a));
    (0..10).map(|i| (i + 1) as f64 * total[i]).sum()
}

/// The answer of W5.
fn expect_words() -> f64 {
    let mut g = Lcg(7);
    let mut seen = [0u64; 2000];
    for _ in 0..200_000 {
        let x = g.next() % 2000;
        seen[(x * x / 2000) as usize] += 1;
    }
    seen.sort_by(|a, b| b.cmp(a));
    (0..20).map(|i| (i as u64 + 1) * seen[i]).sum::<u64>() as f64
}

/// The answer of W6.
fn expect_updates() -> f64 {
    let mut seen = vec![false; 100_003];
    (0..200_000).for_each(|i: usize| seen[i * 7919 % 100_003] = true);
    (200_000.0 * 199_999.0 / 2.0) + seen.iter().filter(|s| **s).count() as f64
}

/// Works out what a workload gives.
type Answer = fn() -> f64;

fn main() {
    let want: Vec<String> = std::env::args().skip(1).collect();
    if want.first().is_some_and(|w| w == "W1") {
        assert_eq!(eval("(+ 1 2)", &mut Memory::new(), &[]).0, 3.0);
        println!("3");
        return;
    }
    let reps = std::env::var("REPS").ok().and_then(|s| s.parse().ok()).unwrap_or(5usize);
    let on = |w: &str| want.is_empty() || want.iter().any(|x| x == w);
    let named = |w: &str| want.iter().any(|x| x == w);
    if on("W1s") {
        for _ in 0..reps + 3 {
            let (t, _) = ms(|| {
                for _ in 0..200 {
                    assert_eq!(eval("(+ 1 2)", &mut Memory::new(), &[]).0, 3.0);
                }
            });
            emit("W1s", t * 1e3 / 200.0, "us");
        }
    }
    // What they answer is worked out where it is asked for: instructions of one workload are not those of others.
    let simple: [(&str, &str, Answer); 5] = [
        ("W2", FIB, || 196_418.0),
        ("W3", LOOP, || 5_999_999.0),
        ("W5", WORDS, expect_words),
        ("W6i", INTS, expect_updates),
        ("W6s", STRINGS, expect_updates),
    ];
    for (name, source, answer) in simple {
        if on(name) {
            let answer = answer();
            for _ in 0..reps {
                let (t, (r, _)) = ms(|| eval(source, &mut Memory::new(), &[]));
                assert_eq!(r, answer, "{name}");
                emit(name, t, "ms");
            }
        }
    }
    if on("W4") {
        let (text, answer) = (json(), expect_pipe());
        for _ in 0..reps {
            let (t1, context) = ms(|| data(&text));
            let (t2, (r, _)) = ms(|| eval(PIPE, &mut Memory::new(), &context));
            assert_eq!(r, answer, "W4");
            emit("W4json", t1, "ms");
            emit("W4pipe", t2, "ms");
            emit("W4", t1 + t2, "ms");
        }
    }
    // The pipeline alone, again and again over the same data: for profilers.
    if named("W4pipe") {
        let (context, answer) = (data(&json()), expect_pipe());
        for _ in 0..reps {
            let (t, (r, _)) = ms(|| eval(PIPE, &mut Memory::new(), &context));
            assert_eq!(r, answer, "W4pipe");
            emit("W4pipe", t, "ms");
        }
    }
    if named("W4mem") {
        let text = json();
        let base = status_kb("VmRSS:");
        let context = data(&text);
        emit("W4live", (status_kb("VmRSS:") - base) / 1024.0, "MB");
        assert_eq!(eval(PIPE, &mut Memory::new(), &context).0, expect_pipe());
        emit("W4rss", status_kb("VmHWM:") / 1024.0, "MB");
    }
    if on("W7") {
        for _ in 0..reps {
            let mut memory = Memory::new();
            eval("(def v0 0)", &mut memory, &[]);
            let turns: Vec<String> =
                (1..=1000).map(|i| format!("(def v{i} (+ v{} {i})) (println \"turn {i}\" v{i})", i - 1)).collect();
            let (t, lines) = ms(|| turns.iter().map(|t| eval(t, &mut memory, &[]).1).sum::<usize>());
            assert_eq!(lines, 1000);
            assert_eq!(eval("v1000", &mut memory, &[]).0, 500_500.0);
            emit("W7", t, "us/turn");
        }
    }
    // A program of a file: to count what something takes that no workload does.
    for path in want.iter().filter(|w| w.ends_with(".clj")) {
        let source = std::fs::read_to_string(path).expect("the program can be read");
        for _ in 0..reps {
            let (t, _) = ms(|| eval(&source, &mut Memory::new(), &[]));
            emit(path, t, "ms");
        }
    }
    if named("SESS") {
        let one = || {
            let mut m = Memory::new();
            eval("(+ 1 2)", &mut m, &[]);
            m
        };
        let mut keep = vec![one()];
        let base = status_kb("VmRSS:");
        keep.extend((0..1000).map(|_| one()));
        emit("SESS", (status_kb("VmRSS:") - base) / 1000.0, "KiB");
    }
}
