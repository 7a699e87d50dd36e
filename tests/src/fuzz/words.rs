//! The words that programs are built of: leaves for each kind of place, names of the prelude, ways to end.

/// The first turn of every session: something of each kind to work with.
pub const PRELUDE: &str =
    "(def a [3 1 2]) (def b {:x 1 :y {:z [1 2]} \"s\" nil}) (def c \"text, more text\") (def e #{1 2 3})
(def p (atom 1)) (def q (volatile! [])) (def l (delay (swap! p + 1))) (def s (map inc (range)))
(defn f \"Adds one or joins\" ([x] (if (number? x) (inc x) [x])) ([x y] [x y]) ([x y & more] (count more)))
(defn g [& {:keys [x y] :or {y 2} :as all}] [x y all])";

/// What a place wants.
#[derive(Clone, Copy, PartialEq)]
pub enum Want {
    /// Anything.
    Any,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A collection or sequence.
    Items,
    /// A map.
    Map,
    /// A set.
    Set,
    /// A key or path.
    Key,
    /// A function.
    Function,
    /// A predicate.
    Predicate,
    /// A regex, or what is taken for one.
    Regex,
    /// An atom, volatile or delay.
    Cell,
    /// A transducer.
    Transducer,
}

/// What a parameter of this name wants.
pub fn wanted(param: &str) -> Want {
    match param {
        "f" | "g" | "h" | "fs" | "keyfn" | "cmp" | "comp" | "comparator" | "fn" | "outer" | "inner" => Want::Function,
        "pred" | "p" | "preds" | "ps" => Want::Predicate,
        "coll" | "colls" | "c1" | "c2" | "xs" | "c" | "coll2" | "from" | "items" | "keyvals" | "kvs" | "stack" => {
            Want::Items
        }
        "n" | "i" | "start" | "end" | "step" | "num" | "div" | "idx" | "index" | "nums" | "radix" | "exponent"
        | "low" | "high" | "m1" => Want::Number,
        "s" | "string" | "cs" | "substr" | "value" | "text" | "fmt" | "sep" | "separator" | "prefix" | "suffix" => {
            Want::Text
        }
        "m" | "map" | "maps" | "kmap" | "smap" | "opts" | "record" | "options" => Want::Map,
        "s1" | "s2" | "sets" | "set" | "xset" | "xrel" => Want::Set,
        "k" | "ks" | "key" | "keys" => Want::Key,
        "re" | "pattern" | "match" => Want::Regex,
        "atom" | "ref" | "vol" | "cell" | "d" => Want::Cell,
        "xform" | "xf" => Want::Transducer,
        _ => Want::Any,
    }
}

/// What is at the end of an expression.
pub fn leaves(want: Want) -> &'static [&'static str] {
    match want {
        Want::Any => ODD,
        Want::Number => &[
            "0",
            "1",
            "2",
            "3",
            "-1",
            "10",
            "100",
            "5N",
            "2/3",
            "1.5",
            "##NaN",
            "##Inf",
            "9223372036854775807",
            "-9223372036854775808",
            "1e300",
            "64",
            "nil",
            "100000000000000000000",
        ],
        Want::Text => &[
            "\"\"",
            "\"abc\"",
            "c",
            "\"a,b,c\"",
            "\"日本\"",
            "\"%d %s\"",
            "\"12\"",
            "\" x \"",
            "\"\\n\"",
            "nil",
            "\\a",
        ],
        Want::Items => &[
            "a",
            "[]",
            "nil",
            "(range 5)",
            "(range)",
            "'(1 2 3)",
            "b",
            "e",
            "c",
            "s",
            "[[1 2] [3 4]]",
            "(repeat 2 :x)",
            "[{:id 1 :n 2} {:id 2 :n nil}]",
            "(sorted-map 1 2 3 4)",
            "(sorted-set 3 1 2)",
            "(cycle [1 2])",
            "(iterate inc 0)",
            "(lazy-seq [1 2])",
            "(take 3 s)",
            "(map vector a a)",
        ],
        Want::Map => {
            &["b", "{}", "{:a 1}", "nil", "(zipmap (range 40) (range))", "(sorted-map :a 1 :b 2)", "{\"k\" 1 nil 2}"]
        }
        Want::Set => &["e", "#{}", "nil", "#{:a nil}", "(set (range 40))", "(sorted-set 1 2)", "#{{:a 1} {:a 2}}"],
        Want::Key => &[":a", ":x", "0", "\"s\"", "nil", "[:y :z]", "[:y]", "[]", "'sym", "1.0", "[0 0]"],
        Want::Function => &[
            "inc",
            "f",
            "g",
            "identity",
            "+",
            "vector",
            ":x",
            "b",
            "e",
            "str",
            "compare",
            "<",
            "conj",
            "assoc",
            "#(do % 1)",
            "(fn [& xs] xs)",
            "(comp inc inc)",
            "(partial + 1)",
            "(constantly 3)",
            "first",
            "count",
            "reduced",
            "nil",
            "(complement nil?)",
            "(juxt inc dec)",
            "(memoize f)",
            "(fnil inc 0)",
            "tool/echo",
            "merge",
            "max",
        ],
        Want::Predicate => &[
            "odd?",
            "nil?",
            "some?",
            "string?",
            "#{1 2}",
            "identity",
            "(constantly true)",
            "(constantly nil)",
            "neg?",
            ":x",
        ],
        Want::Regex => {
            &["#\"a+\"", "#\"(\\w)(\\w)?\"", "#\"\"", "#\"\\s*,\\s*\"", "\",\"", "#\"(?<k>a|b)*\"", "\\,", "\"\""]
        }
        Want::Cell => &["p", "q", "l", "(atom nil)", "(volatile! 1)", "(delay 1)", "(atom [p])"],
        Want::Transducer => &[
            "(map inc)",
            "(filter odd?)",
            "(take 2)",
            "(comp (map inc) (partition-all 2))",
            "cat",
            "(dedupe)",
            "(mapcat vector)",
            "(halt-when nil?)",
            "(drop-while neg?)",
            "(partition-by odd?)",
            "(random-sample 0.5)",
            "(take-nth 2)",
        ],
    }
}

/// What no turn survives, and names that read the session.
pub const ENDS: &[&str] = &[
    "*1",
    "*e",
    "(turn/list)",
    "(turn/get 1)",
    "ctx/data",
    "(rand-int 10)",
    "(System/currentTimeMillis)",
    "(loop [] (recur))",
    "((fn f [] (+ 1 (f))))",
    "(vec (range))",
    "(return [p 1])",
    "(fail \"no\")",
    "(tool/fail)",
    "(dotimes [i 999] (println \"a long line to fill the output\"))",
    "(loop [s \"aaaaaaaa\"] (recur (str s s)))",
    "(loop [v []] (recur [v v]))",
    "(reset! p [p])",
    "(/ 1 0)",
    "(random-uuid)",
    "(shuffle [1 2 3])",
];

/// Values that are neither here nor there.
const ODD: &[&str] = &[
    "a",
    "b",
    "c",
    "e",
    "p",
    "q",
    "l",
    "s",
    "f",
    "g",
    "nil",
    "true",
    "1",
    "-1",
    "0",
    "\"\"",
    ":k",
    "[]",
    "{}",
    "()",
    "'sym",
    "\\newline",
    "##NaN",
    "-0.0",
    "9223372036854775807",
    "1N",
    "1/2",
    "#\"x\"",
    "(range)",
    "(reduced 1)",
    "(ex-info \"m\" {:a 1})",
    "p",
    "inc",
    "#'a",
    "tool/echo",
    "#uuid \"00000000-0000-0000-0000-000000000001\"",
    "^{:m 1} [1]",
    "(fn [x] x)",
    "(delay 1)",
    "(eduction (map inc) [1 2])",
];
