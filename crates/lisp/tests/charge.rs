//! What is charged for a value against what it takes: every kind of value is made in large number and kept in a
//! session's memory, and what the allocator has given out for it is compared with what the session is charged for it.
//!
//! One test alone lives here: the allocator counts for the whole process.

use ptc_lisp::interface::{Param, RunInput, RunResult, ToolSpec, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_lisp::value::node::live_bytes;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::collections::BTreeSet;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes that an allocation takes besides those that were asked for.
const UPKEEP: usize = 16;
/// Bytes that a session may take without being charged, however little it holds: tables of names, room to grow.
const SLACK: f64 = 64.0 * 1024.0;
/// Most bytes taken for one that is charged.
const MOST_TAKEN: f64 = 1.25;
/// Most bytes charged for one that is taken.
const MOST_CHARGED: f64 = 3.0;

/// Bytes of the process that are allocated now, with their upkeep.
fn taken() -> f64 {
    let s = ALLOCATOR.stats();
    let blocks = s.allocations.wrapping_sub(s.deallocations);
    (s.bytes_allocated.wrapping_sub(s.bytes_deallocated) + blocks * UPKEEP) as f64
}

macro_rules! kinds {
    ($($kind:ident)*) => {
        /// The name of a value's kind. A new kind does not compile until it is listed.
        fn kind(v: &Value) -> &'static str {
            match v {
                $(Value::$kind { .. } => stringify!($kind),)*
            }
        }
        /// All kinds.
        const KINDS: &[&str] = &[$(stringify!($kind)),*];
    };
}

kinds! {
    Nil Bool Int Float Char Str Keyword Symbol Big Ratio Decimal Vector Slice Cons Lazy Map Set Function Builtin Tool Regex Atom
    Volatile Builder Delay Place Var Uuid Time Reduced Exception Object
}

/// How much of something is made, and how.
enum Case {
    /// A vector of this many values of an expression with `i`.
    Each(usize, &'static str),
    /// The same, where what a sequence still to be made holds cannot be looked into.
    LazyUndo(usize, &'static str),
    /// This many turns of a program with `{i}`.
    Turns(usize, &'static str),
}
use Case::{Each, LazyUndo, Turns};

const CASES: &[Case] = &[
    // What is in the value itself.
    Each(20_000, "nil"),
    Each(20_000, "(odd? i)"),
    Each(20_000, "i"),
    Each(20_000, "(* i 0.5)"),
    Each(20_000, "(char (+ 32 (mod i 90)))"),
    Each(20_000, "+"),
    // Text.
    Each(5_000, "(str i)"),
    Each(5_000, "(str \"a text that is longer than what lies in its node: \" i)"),
    Each(50, "(apply str (repeat 10000 \"é\"))"),
    Each(5_000, "(subs (str \"0123456789012345678901234567890123456789\" i) 1 30)"),
    Each(2_000, "(str/join \",\" (range (mod i 50)))"),
    Each(5_000, "(keyword (str \"k\" i))"),
    Each(5_000, "(keyword \"name.space\" (str \"a-long-name-of-a-keyword-\" i))"),
    Each(5_000, "(symbol (str \"s\" i))"),
    Each(5_000, "(symbol \"name.space\" (str \"a-long-name-of-a-symbol-\" i))"),
    // Numbers.
    Each(5_000, "(+ 100000000000000000000N i)"),
    Each(200, "(reduce * (range 1N (+ 300 i)))"),
    Each(5_000, "(/ (inc (* 7 i)) 1000003)"),
    Each(5_000, "(+ 1.50M i)"),
    Each(200, "(reduce * (range 1M (+ 300 i)))"),
    Each(
        1_000,
        "(/ (inc (* 100000000000000000000000000000000000000000N i)) 1000000000000000000000000000000000000000007N)",
    ),
    // Dates and times.
    Each(5_000, "(LocalDate/ofEpochDay i)"),
    Each(5_000, "(Instant/ofEpochMilli i)"),
    Each(5_000, "(.atZone (Instant/ofEpochMilli i) (ZoneId/of \"Europe/Berlin\"))"),
    Each(5_000, "(ZoneId/of \"Asia/Tokyo\")"),
    Each(2_000, "(ZoneId/of \"GMT+2\")"),
    Each(2_000, "(.atZone (Instant/ofEpochMilli i) (ZoneId/of \"GMT+2\"))"),
    Each(500, "(DateTimeFormatter/ofPattern \"EEE, d MMM yyyy [HH:mm[:ss]] 'at' ppH\")"),
    Each(500, "(.withZone DateTimeFormatter/ISO_DATE_TIME (ZoneId/of \"UTC\"))"),
    // Vectors.
    Each(5_000, "[]"),
    Each(5_000, "[i]"),
    Each(5_000, "[i i]"),
    Each(5_000, "[i i i]"),
    Each(2_000, "(vec (range (mod i 40)))"),
    Each(10, "(vec (range 20000))"),
    Each(10, "(into [] (range 20000))"),
    Each(2_000, "(first {i i})"),
    Each(500, "(assoc (vec (range 500)) 3 i)"),
    Each(20, "(let [v (vec (range 5000))] [v (assoc v 3 i) (conj v i) (pop v)])"),
    Each(2_000, "(subvec [i i i i i i] 2)"),
    Each(500, "(reduce (fn [v j] (conj (if (zero? (mod j 10)) (with-meta v nil) v) j)) [] (range 100))"),
    // Values of types.
    Each(2_000, "(reify Object (toString [_] (str i)))"),
    // Lists and sequences.
    Each(5_000, "()"),
    Each(5_000, "(list i)"),
    Each(2_000, "(list i i i i i i i i i i)"),
    Each(2_000, "(seq [i i i])"),
    Each(2_000, "(rest [i i i i])"),
    Each(5_000, "(cons i nil)"),
    Each(2_000, "(cons i (cons i (cons i nil)))"),
    Each(2_000, "(doall (map inc (range 20)))"),
    Each(2_000, "(doall (map + (filter odd? (iterate inc i)) [1 2 3]))"),
    LazyUndo(1_000, "(let [s (map inc (iterate inc i))] (first s) s)"),
    LazyUndo(5_000, "(map inc (iterate inc i))"),
    LazyUndo(5_000, "(lazy-seq [i])"),
    LazyUndo(5_000, "(iterate inc i)"),
    LazyUndo(5_000, "(range)"),
    Each(5_000, "(range i (+ i 9))"),
    LazyUndo(5_000, "(repeat i)"),
    LazyUndo(5_000, "(cycle [i i i])"),
    LazyUndo(2_000, "(map vector (range) (range) (iterate inc i) (repeat i))"),
    LazyUndo(5, "(for [a (iterate inc i) b [1 2]] [a b])"),
    LazyUndo(2_000, "(partition 3 1 (iterate inc i))"),
    LazyUndo(2_000, "(partition-by odd? (iterate inc i))"),
    LazyUndo(2_000, "(mapcat range (iterate inc i))"),
    LazyUndo(2_000, "(interleave (iterate inc i) (range))"),
    LazyUndo(2_000, "(reductions + (iterate inc i))"),
    LazyUndo(2_000, "(take-nth 3 (iterate inc i))"),
    LazyUndo(2_000, "(distinct (iterate inc i))"),
    LazyUndo(2_000, "(dedupe (iterate inc i))"),
    LazyUndo(500, "(let [s (distinct (iterate inc i))] (nth s 50) s)"),
    Each(2_000, "(tree-seq vector? seq [i [i [i]]])"),
    LazyUndo(2_000, "(eduction (map inc) (iterate inc i))"),
    LazyUndo(500, "(let [s (sequence (comp (map inc) (partition-all 5) (dedupe)) (iterate inc i))] (nth s 9) s)"),
    Each(500, "(re-seq #\"\\d\" (str i i i i))"),
    Each(300, "(let [s (map inc (map-indexed + (vec (range 200))))] (nth s 100) s)"),
    Each(500, "(let [s (keys (zipmap (range 200) (range)))] (nth s 100) s)"),
    Each(2_000, "(reduce conj clojure.lang.PersistentQueue/EMPTY (range (mod i 20)))"),
    Each(200, "(nth (iterate (fn [q] (pop (conj q 1))) (into clojure.lang.PersistentQueue/EMPTY (range 20))) i)"),
    // Maps and sets.
    Each(5_000, "{}"),
    Each(5_000, "{:a i}"),
    Each(5_000, "{i i}"),
    Each(2_000, "{:a i :b i :c i :d i :e i}"),
    Each(1_000, "(zipmap (range (mod i 32)) (range))"),
    Each(500, "(zipmap (range 33) (range))"),
    Each(200, "(zipmap (range 65) (range))"),
    Each(100, "(zipmap (range 500) (range))"),
    Each(10, "(zipmap (range 10000) (range))"),
    Each(10, "(into {} (map (fn [j] [(* 7919 (mod (* j 7) 10007)) j])) (range 10000))"),
    Each(20, "(let [m (zipmap (range 5000) (range))] [m (assoc m 3 i) (assoc m -1 i) (dissoc m 7)])"),
    Each(500, "(reduce (fn [m j] (assoc m j j)) {:i i} (range 20))"),
    Each(2_000, "(dissoc {:a i :b i :c i} :b)"),
    Each(500, "(update-vals {:a i :b i} inc)"),
    Each(2_000, "(sorted-map i i)"),
    Each(100, "(into (sorted-map) (zipmap (range 100) (range)))"),
    Each(100, "(into (sorted-map-by >) (zipmap (range 100) (range)))"),
    Each(5_000, "#{}"),
    Each(5_000, "#{i}"),
    Each(1_000, "(set (range (mod i 40)))"),
    Each(10, "(set (range 10000))"),
    Each(2_000, "(sorted-set i (inc i))"),
    Each(100, "(into (sorted-set-by >) (range 100))"),
    Each(100, "(into (sorted-set) (range 100))"),
    Each(500, "(disj (set (range 40)) 3)"),
    Each(500, "(group-by odd? (range 20))"),
    Each(500, "(frequencies (range 20))"),
    // What was built up in place.
    Each(500, "(reduce conj [] (range 20))"),
    Each(500, "(into {} (map (fn [j] [j j])) (range 20))"),
    Each(500, "(let [sb (StringBuilder.)] (dotimes [j 30] (.append sb j)) sb)"),
    Each(5, "(let [sb (StringBuilder.)] (dotimes [j 30000] (.append sb j)) sb)"),
    // Metadata.
    Each(3_000, "(with-meta [i] {:i i})"),
    Each(3_000, "(with-meta {:i i} {:i i})"),
    Each(3_000, "(with-meta (list i) {:i i})"),
    Each(3_000, "(with-meta #{i} {:i i})"),
    Each(3_000, "(with-meta (cons i nil) {:i i})"),
    Each(3_000, "(with-meta (fn [] i) {:i i})"),
    // Functions.
    Each(5_000, "(fn [] i)"),
    Each(5_000, "(fn [] 1)"),
    Each(2_000, "(let [a i b i c i d i] (fn [x] (+ a b c d x)))"),
    Each(2_000, "(letfn [(f [n] (g n)) (g [n] (if (zero? n) i (f (dec n))))] f)"),
    Each(3_000, "(partial + i)"),
    Each(3_000, "(partial + i i i i i i)"),
    Each(2_000, "(comp inc (partial + i))"),
    Each(2_000, "(juxt inc dec (partial + i))"),
    Each(2_000, "(fnil inc i)"),
    Each(2_000, "(constantly i)"),
    Each(2_000, "(complement (constantly i))"),
    Each(2_000, "(every-pred odd? (constantly i))"),
    Each(2_000, "(map (partial + i))"),
    Each(2_000, "(comp (map inc) (filter odd?))"),
    Each(1_000, "(let [f (memoize (fn [x] (* 2 x)))] (run! f (range 10)) f)"),
    Each(3, "(let [f (memoize (fn [x] [x x x]))] (run! f (range 3000)) f)"),
    Turns(
        300,
        "(defn f{i} \"What it does, in a few words that are as long as such words are.\" [x y] (let [z (+ x y)] (if (> z 10) (* z z) (map (fn [a] (+ a z)) (range z)))))",
    ),
    Turns(
        300,
        "(defn f{i} ([x] (case x 1 :a 2 :b (3 4) :c \"text\" :d nil)) ([x & more] (for [m more :when (odd? m)] {:m m :x x})))",
    ),
    Turns(20, "(defn f{i} [x] (cond {BIG:(= x :key-NUM) (str \"text \" x NUM) }:else nil))"),
    Turns(20, "(defn f{i} [x] [{BIG:(fn [y] (+ x y NUM)) }])"),
    Turns(20, "(defn f{i} [x] (do {BIG:(inc x) }))"),
    Turns(20, "(def d{i} '[{BIG:NUM a {:k \"s\"} }])"),
    Turns(20, "(def d{i} [{BIG:{:id NUM :name \"name-NUM\"} }])"),
    // Names.
    Turns(1_000, "(def n{i} {i})"),
    Turns(300, "(def a-name-that-is-rather-long-as-such-names-can-be-{i} \"A docstring, which is kept with it.\" {i})"),
    Turns(300, "(declare later{i})"),
    Turns(300, "(require '[clojure.string :as s{i}])"),
    Each(3_000, "(do (def v i) #'v)"),
    // What is held in places.
    Each(3_000, "(atom i)"),
    Each(3_000, "(atom [i])"),
    Each(3_000, "(volatile! i)"),
    Each(3_000, "(delay i)"),
    Each(3_000, "(transient [i])"),
    Each(5, "(let [t (transient {})] (dotimes [j 3000] (assoc! t j (str j))) t)"),
    Each(3_000, "(let [d (delay [i i i])] @d d)"),
    LazyUndo(1_000, "(re-matcher #\"\\d\" (str i i))"),
    Turns(500, "(def a{i} (atom [{i}]))"),
    // Regexes.
    Each(300, "(re-pattern (str \"a{900}\" i))"),
    Each(300, "(re-pattern (str \"[a-z]+\" i))"),
    Each(300, "(re-pattern (str i))"),
    Each(300, "(re-pattern (str \"\\\\d+-(\\\\w+)|x\" i))"),
    Each(100, "(re-pattern (str \"(?i)[äöü\\\\p{L}]+\" i))"),
    Each(
        100,
        "(let [r (re-pattern (str \"(a|b)*c(\\\\w+)\" i))] (re-find r \"ababababcxyz\") (re-matches r \"abababcdef\") (re-seq r \"abcd abcd\") r)",
    ),
    Each(
        100,
        "(let [r (re-pattern (str \"[a-q][^u-z]{13}x\" i))] (re-find r (apply str (map (fn [j] (char (+ 97 (mod (* j j 7) 26)))) (range 3000)))) r)",
    ),
    Each(100, "(let [r (re-pattern (str \"a.*?z|a\" i))] (count (re-seq r (apply str (repeat 400 \"abc\")))) r)"),
    Each(30, "(let [s (re-seq (re-pattern (str \"a.*?z|a|\" i)) (apply str (repeat 800 \"abc\")))] (nth s 100) s)"),
    Each(300, "#\"a{900}(b)\""),
    Each(
        100,
        "(let [r (re-pattern (str \"(a)(b)?(c)?(d)?(e)?(f)?(g)?\" i))] (re-matches r \"abc\") (re-find r \"abcdefg\") r)",
    ),
    // The rest.
    Each(3_000, "(random-uuid)"),
    Each(3_000, "(reduced i)"),
    Each(3_000, "(reduced [i])"),
    Each(2_000, "(ex-info (str \"what is wrong with \" i) {:i i})"),
    Each(2_000, "(try (nth [] i) (catch Exception e e))"),
    Each(2_000, "(try (throw (ex-info \"inner\" {:i i})) (catch Exception e (ex-info \"outer\" {} e)))"),
    Each(1_000, "(try (+ 1 (str i)) (catch Exception e e))"),
    Each(3_000, "tool/echo"),
    // Data from outside.
    Each(
        500,
        "(json/parse-string \"{\\\"id\\\":1,\\\"name\\\":\\\"a name\\\",\\\"tags\\\":[1,2,3],\\\"nested\\\":{\\\"a\\\":null}}\")",
    ),
    Each(50, "(json/parse-string (json/generate-string (mapv (fn [j] {:id j :name (str \"n\" j)}) (range 50))))"),
    Each(500, "(tool/echo {:x i})"),
    Each(500, "(str/split \"a,b,c,d,e,f\" #\",\")"),
    Each(500, "(format \"%05d %s\" i i)"),
    Each(500, "(with-out-str (print i i))"),
    Each(500, "(pr-str {:a i})"),
];

/// A tool that answers a record.
struct Records;

impl Tools for Records {
    fn call(&mut self, id: u64, _: &str, _: &Value) -> Result<Value, String> {
        let field = |k: &str, v: Value| (Value::plain_keyword(k), v);
        let id = i64::try_from(id).unwrap_or(0);
        Ok(Value::map([field("id", Value::int(id)), field("text", Value::str(format!("answer number {id}")))]))
    }
}

fn run(source: &str, memory: &mut Memory, limits: &Limits, tools: &[ToolSpec]) -> Result<(), String> {
    let outcome = ptc_lisp::run(source, memory, RunInput::new(limits, tools, &mut Records));
    match outcome.ending {
        RunResult::Value(_) | RunResult::Returned(_) => Ok(()),
        RunResult::Failed(_, e) | RunResult::Error(e) => Err(e.to_string()),
    }
}

/// `{i}` is the number, `{BIG:text}` the text two thousand times, `NUM` in it a number that differs.
fn filled(program: &str, i: usize) -> String {
    let program = program.replace("{i}", &i.to_string());
    let Some((before, rest)) = program.split_once("{BIG:") else { return program };
    let (text, after) = rest.split_once("}]").map_or_else(
        || rest.rsplit_once("}").map(|(t, a)| (t, a.to_owned())).unwrap_or_default(),
        |(t, a)| (t, format!("]{a}")),
    );
    let many: String = (0..1000).map(|n| text.replace("NUM", &(i * 1000 + n).to_string())).collect();
    format!("{before}{many}{after}")
}

/// Everything a value holds, by kind.
fn seen(v: &Value, kinds: &mut BTreeSet<&'static str>) {
    kinds.insert(kind(v));
    if let Value::Vector(items) = v {
        items.iter().for_each(|i| seen(i, kinds));
    }
}

#[test]
fn what_is_charged_is_what_is_taken() {
    let limits = Limits {
        memory_bytes: 4 << 30,
        fuel: u64::MAX,
        cpu_ms: 0,
        wall_ms: 0,
        tool_calls: u64::MAX,
        ..Limits::default()
    };
    let tools = [ToolSpec {
        name: "echo".into(),
        description: String::new(),
        params: Some(vec![Param::new("x", Type::Any)]),
        returns: None,
    }];
    // Tables that are made once for the process are there before anything is measured.
    let mut warm = Memory::new();
    for case in CASES {
        let program = match case {
            Each(_, expr) | LazyUndo(_, expr) => format!("(mapv (fn [i] {expr}) [1])"),
            Turns(_, program) => filled(program, 1),
        };
        let _ = run(&program, &mut warm, &limits, &tools);
    }
    drop(warm);
    let mut kinds = BTreeSet::new();
    let mut wrong = Vec::new();
    for case in CASES {
        let (Each(_, text) | LazyUndo(_, text) | Turns(_, text)) = case;
        let (start, start_charged) = (taken(), live_bytes());
        let mut memory = Memory::new();
        let done = match case {
            Each(n, expr) | LazyUndo(n, expr) => {
                run(&format!("(def kept (mapv (fn [i] {expr}) (range {n})))"), &mut memory, &limits, &tools)
            }
            Turns(n, program) => (0..*n).try_for_each(|i| run(&filled(program, i), &mut memory, &limits, &tools)),
        };
        if let Err(e) = done {
            wrong.push(format!("{text}: {e}"));
            continue;
        }
        for b in memory.bindings() {
            b.value.iter().for_each(|v| seen(v, &mut kinds));
        }
        let (really, meter) = (taken() - start, (live_bytes() - start_charged) as f64);
        let walked = ptc_lisp::held_bytes(&memory) as f64;
        for (by, charged) in [("the meter", meter), ("counting", walked)] {
            if by == "counting" && matches!(case, LazyUndo(..)) {
                continue;
            }
            if really > charged * MOST_TAKEN + SLACK || charged > really * MOST_CHARGED + SLACK {
                wrong.push(format!("{text}: {really:.0} bytes are taken, {charged:.0} charged by {by}"));
            }
        }
        drop(memory);
        let left = taken() - start;
        if left > SLACK {
            wrong.push(format!("{text}: {left:.0} bytes are left when the session is gone"));
        }
        if live_bytes() != start_charged {
            wrong.push(format!("{text}: {} bytes stay charged", live_bytes() - start_charged));
        }
    }
    let missing: Vec<&&str> = KINDS.iter().filter(|k| !kinds.contains(**k)).collect();
    assert!(missing.is_empty(), "no case makes {missing:?}");
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
}
