//! Work that nobody paid for: every builtin, and every form that looks at a value, given values that are large.
//!
//! Each example of each builtin is run again with one of its arguments, or two, replaced by a large value of each kind.
//! What takes long for its fuel is printed, dearest unit first; a unit is to take 20 ns at most (docs/performance.md).
//!
//! `cargo run --release -p ptc-lisp --example unpaid` tries all; `-- get assoc` only the calls with one of these words.

// A measurement reads the clock and prints.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use std::collections::BTreeSet;

#[path = "fuel/turn.rs"]
mod turn;
use turn::{Spent, turn};

/// How long a call may take: one that never ends shall not hold up the others.
const MOST_MS: u64 = 300;

/// A name, what makes the value, and what makes one that differs from it at the very end.
const VALUES: &[(&str, &str, &str)] = &[
    ("ints", "(vec (range 20000))", "(conj (vec (range 19999)) -1)"),
    ("list", "(apply list (range 20000))", "(apply list (conj (vec (range 19999)) -1))"),
    ("lazy", "(doall (map inc (range 20000)))", "(doall (concat (map inc (range 19999)) [-1]))"),
    ("pairs", "(mapv (fn [i] [i (str i)]) (range 20000))", "(mapv (fn [i] [i (str i)]) (range 20001))"),
    ("set", "(set (range 20000))", "(set (range 1 20001))"),
    ("map", "(zipmap (range 20000) (range))", "(assoc (zipmap (range 20000) (range)) 19999 -1)"),
    (
        "sorted",
        "(into (sorted-map) (map (fn [i] [i i]) (range 20000)))",
        "(into (sorted-map) (map (fn [i] [i i]) (range 20001)))",
    ),
    ("sset", "(into (sorted-set) (range 20000))", "(into (sorted-set) (range 1 20001))"),
    ("text", "(apply str (repeat 20000 \"ab c \"))", "(str (apply str (repeat 20000 \"ab c \")) 1)"),
    ("wide", "(apply str (repeat 20000 \"é ü\"))", "(str (apply str (repeat 20000 \"é ü\")) 1)"),
    ("big", "(reduce *' (repeat 20000 7))", "(inc' (reduce *' (repeat 20000 7)))"),
    (
        "ratio",
        "(/ (reduce *' (repeat 5000 7)) (reduce *' (repeat 5000 3)))",
        "(/ (reduce *' (repeat 5000 7)) (reduce *' (repeat 5001 3)))",
    ),
    (
        "deep",
        "(loop [i 0 v []] (if (< i 5000) (recur (inc i) [v]) v))",
        "(loop [i 0 v [1]] (if (< i 5000) (recur (inc i) [v]) v))",
    ),
    (
        "shared",
        "(loop [i 0 v [1]] (if (< i 14) (recur (inc i) [v v]) v))",
        "(loop [i 0 v [2]] (if (< i 14) (recur (inc i) [v v]) v))",
    ),
    (
        "strings",
        "(mapv (fn [i] (str \"a-long-key-number-\" i)) (range 20000))",
        "(mapv (fn [i] (str \"a-long-key-number-\" i)) (range 20001))",
    ),
    (
        "keyed",
        "(into {} (map (fn [i] [[:key i] i]) (range 20000)))",
        "(into {} (map (fn [i] [[:key i] i]) (range 20001)))",
    ),
    (
        "rows",
        "(mapv (fn [i] {:id i :name (str \"n\" i) :kind (mod i 50)}) (range 20000))",
        "(mapv (fn [i] {:id i :name (str \"n\" i)}) (range 20001))",
    ),
    ("held", "(list (vec (range 20000)))", "(list (conj (vec (range 19999)) -1))"),
    ("key", "{(vec (range 20000)) 1}", "{(conj (vec (range 19999)) -1) 1}"),
    (
        "large",
        "(let [v (vec (range 1000))] (into {} (map (fn [i] [(conj v i) i]) (range 40))))",
        "(let [v (vec (range 1000))] (into {} (map (fn [i] [(conj v i) i]) (range 41))))",
    ),
    (
        "full",
        "(let [v (vec (range 1000))] (into {} (map (fn [i] [(conj v i) i]) (range 32))))",
        "(let [v (vec (range 1000))] (into #{} (map (fn [i] (conj v i)) (range 32))))",
    ),
    ("keyword", "(keyword (apply str (repeat 20000 \"abc\")))", "(keyword (str (apply str (repeat 20000 \"abc\")) 1))"),
    ("symbol", "(symbol (apply str (repeat 20000 \"abc\")))", "(symbol (str (apply str (repeat 20000 \"abc\")) 1))"),
    ("error", "(ex-info (apply str (repeat 20000 \"abc\")) {:v (vec (range 20000))})", "(ex-info \"a\" {})"),
    ("many", "1000000", "1000001"),
    ("tiny", "1e-300", "1e300"),
];

/// Forms that look at a value, `X`, or at two, `X` and `Y`.
const FORMS: &[&str] = &[
    "(case X 1 2 [1 2] 3 \"a\" 4 5)",
    "(get {1 2 [3] 4} X)",
    "(#{1 [2] \"a\"} X)",
    "({1 2 [3] 4} X)",
    "(:a X)",
    "(\"a\" X)",
    "(X 1)",
    "(X X)",
    "(X Y)",
    "(let [[a b & c] X] c)",
    "(let [{:keys [a] :or {a 1} :as m} X] m)",
    "(let [{[a] X} X] a)",
    "(let [{a Y} {X 1}] a)",
    "[X X]",
    "#{X 1}",
    "#{X Y}",
    "{X 1}",
    "{X 1 Y 2}",
    "(= X Y)",
    "(= Y X)",
    "(= X (identity X))",
    "(not= X Y)",
    "(== X Y)",
    "(compare X Y)",
    "(< X Y)",
    "(+ X Y)",
    "(- X Y)",
    "(* X Y)",
    "(/ X Y)",
    "(quot X Y)",
    "(str X Y)",
    "(throw X)",
    "(throw (ex-info \"a\" {:x X}))",
    "(inc X)",
    "(nth X X)",
    "(nth X 5)",
    "((fn [& r] r) X)",
    "(apply vector X)",
    "(apply (fn [& {:as m}] m) X)",
    "(get {X 1} Y)",
    "(contains? #{X} Y)",
    "(condp = X Y 1 2)",
    "(assert (= X Y))",
    "(assert X)",
    "(for [a X] a)",
    "(doseq [a X] a)",
    "(doall (for [a X] a))",
    "(sort [X Y])",
    "(sort-by identity [Y X])",
    "(hash X)",
    "(hash-map X 1 Y 2)",
    "(sorted-map X 1 Y 2)",
    "(sorted-set X Y)",
    "(identical? X Y)",
    "(some #{X} [Y])",
    "(distinct? X Y)",
    "(loop [[a & r] X] (if r (recur r) a))",
    "(with-meta X {:a 1})",
    "(meta X)",
    "(pr-str X)",
    "(prn X)",
    "(str X)",
    "(format \"%s\" X)",
    "(format \"%d\" X)",
    "(format \"%10.3f\" X)",
    "(format X 1)",
    "(swap! (atom X) conj 1)",
    "(assoc {} X 1)",
    "(assoc-in {} X 1)",
    "(update-in {X {Y 1}} [X Y] inc)",
    "(get-in {X {Y 1}} [X Y])",
    "(dissoc {X 1} Y)",
    "(disj #{X} Y)",
    "(conj #{X} Y)",
    "(into #{} X)",
    "(into {} X)",
    "(into [] X)",
    "(into (list) X)",
    "(into (sorted-set) X)",
    "(merge X Y)",
    "(merge {} X)",
    "(merge-with + X Y)",
    "(reduce + X)",
    "(reduce conj X Y)",
    "(concat X Y)",
    "(doall (concat X Y))",
    "(vec (list* X Y))",
    "(group-by identity X)",
    "(frequencies [X Y X])",
    "(distinct [X Y X])",
    "(dedupe [X Y X])",
    "(zipmap X Y)",
    "(interleave X Y)",
    "(json/generate-string X)",
    "(json/parse-string X)",
    "(read-string X)",
    "(read-string (pr-str X))",
    "(re-find #\"a+b\" X)",
    "(re-seq #\"b\" X)",
    "(str/split X #\"b\")",
    "(str/replace X \"b\" \"c\")",
    "(str/replace X #\"b\" \"c\")",
    "(str/join X Y)",
    "(str/join \",\" X)",
    "(str/includes? X Y)",
    "(str/index-of X Y)",
    "(str/starts-with? X Y)",
    "(subs X 100)",
    "(parse-long X)",
    "(parse-double X)",
    "(keyword X)",
    "(symbol X)",
    "(name X)",
    "(re-pattern X)",
    "(instance? String X)",
    "(coll? X)",
    "(empty? X)",
    "(count X)",
    "(first X)",
    "(last X)",
    "(rest X)",
    "(seq X)",
    "(vec X)",
    "(set X)",
    "(empty X)",
    "(not-empty X)",
    "(peek X)",
    "(pop X)",
    "(rseq X)",
    "(reverse X)",
    "(conj X 1)",
    "(cons 1 X)",
    "(assoc X 0 1)",
    "(assoc X :a 1)",
    "(dissoc X 5)",
    "(update X 0 identity)",
    "(select-keys X [1 2])",
    "(select-keys {1 2} X)",
    "(keys X)",
    "(vals X)",
    "(get X 19999)",
    "(get X -1)",
    "(fn [] X)",
    "((fn [a] a) X)",
    "(volatile! X)",
    "(delay X)",
    "(deref (delay X))",
    "(meta (with-meta X Y))",
    "(partial X Y)",
    "((comp X Y) 1)",
    "((juxt X Y) 1)",
    "(ex-data (ex-info \"a\" {:x X}))",
    "(ex-message X)",
    "(throw (Exception. X))",
    "(Exception. X)",
    "(tree-seq coll? seq X)",
    "(count (tree-seq coll? seq X))",
    "(flatten X)",
    "(doall (flatten X))",
    "(clojure.walk/keywordize-keys X)",
    "(clojure.set/union X Y)",
    "(clojure.set/difference X Y)",
    "(clojure.set/intersection X Y)",
    "(clojure.set/subset? X Y)",
];

/// What a call takes, when that is too much for its fuel. The begin and the end of a turn are not its work: they go
/// away when a turn with many calls is compared with one with a single call.
fn dear(body: &str, ready: &Memory) -> Option<Spent> {
    let run = |times: u32| {
        let source = format!("(dotimes [_ {times}] (try (with-out-str {body}) (catch Throwable e nil))) nil");
        turn(&source, &mut ready.clone(), 100_000, MOST_MS)
    };
    let too_dear = |s: &Spent| s.seconds * 1e9 > 20.0 * s.units as f64 + 20_000.0;
    let mut least: Option<Spent> = None;
    for _ in 0..3 {
        let one = run(1);
        // What does not compile is paid for by the length of its source, and what ends its turn is not done twice.
        if !too_dear(&one) || one.ending == "parse" || one.ending == "failed" {
            return None;
        }
        let many = run(11);
        // What ends in a limit made as many calls as its fuel was for.
        let each = if many.ending == "value" {
            let (seconds, units) = (many.seconds - one.seconds, many.units.saturating_sub(one.units));
            Spent { seconds: seconds / 10.0, units: units / 10, ..many }
        } else {
            many
        };
        if !too_dear(&each) {
            return None;
        }
        if least.as_ref().is_none_or(|l| each.seconds < l.seconds) {
            least = Some(each);
        }
    }
    least
}

/// The calls of a builtin's examples with one argument replaced by `X`, or this and the next by `X` and `Y`.
fn calls(into: &mut BTreeSet<String>) {
    let limits = Limits::default();
    for b in ptc_lisp::builtins::all() {
        for (program, _) in b.examples() {
            let Ok(forms) = ptc_lisp::read::read(program, &limits) else { continue };
            let [form] = forms.as_slice() else { continue };
            let ptc_lisp::form::Kind::List(items) = &form.kind else { continue };
            let place = |i: usize| items.get(i).map(|f| (f.span.start as usize, f.span.end as usize));
            for i in 1..items.len() {
                let Some((from, to)) = place(i) else { continue };
                let (before, after) = (&program[..from], &program[to..]);
                into.insert(format!("{before}X{after}"));
                if let Some((next, end)) = place(i + 1) {
                    into.insert(format!("{before}X{}Y{}", &program[to..next], &program[end..]));
                }
            }
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut all: BTreeSet<String> = FORMS.iter().map(|f| (*f).to_string()).collect();
    calls(&mut all);
    all.retain(|c| words.is_empty() || words.iter().any(|w| c.contains(w.as_str())));
    let sessions: Vec<(&str, Memory)> = VALUES
        .iter()
        .map(|(name, x, y)| {
            let mut ready = Memory::new();
            let source = format!("(def {name}-x {x}) (def {name}-y {y}) nil");
            assert_eq!(turn(&source, &mut ready, u64::MAX, MOST_MS).ending, "value", "{name}");
            (*name, ready)
        })
        .collect();
    let mut found: Vec<(Spent, String)> = Vec::new();
    let mut tried = 0;
    for call in &all {
        eprint!("\r{:<70.70}", call.replace('\n', " "));
        for (name, ready) in &sessions {
            // Names of the examples are words; the two stand alone.
            let body = standing(call, &format!("{name}-x"), &format!("{name}-y"));
            tried += 1;
            found.extend(dear(&body, ready).map(|s| (s, body)));
        }
    }
    eprintln!();
    found.sort_by(|a, b| b.0.ns().total_cmp(&a.0.ns()));
    println!("{:>9}  {:>8}  {:>9}  {:<14} call", "ns a unit", "ms", "units", "ended in");
    for (s, body) in &found {
        println!("{:>9.1}  {:>8.2}  {:>9}  {:<14} {body}", s.ns(), s.seconds * 1e3, s.units, s.ending);
    }
    println!("{tried} calls, {} of them dearer than 20 ns a unit", found.len());
}

/// `X` and `Y`, where they stand alone, replaced.
fn standing(call: &str, x: &str, y: &str) -> String {
    let bytes = call.as_bytes();
    let mut out = String::new();
    let alone = |i: usize| {
        let edge = |b: Option<&u8>| b.is_none_or(|b| b"()[]{} #'".contains(b));
        edge(i.checked_sub(1).and_then(|i| bytes.get(i))) && edge(bytes.get(i + 1))
    };
    for (i, c) in call.char_indices() {
        match c {
            'X' if alone(i) => out.push_str(x),
            'Y' if alone(i) => out.push_str(y),
            _ => out.push(c),
        }
    }
    out
}
