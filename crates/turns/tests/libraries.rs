//! Libraries: what programs see of them, what the system message and the trace have, and what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use ptc_lisp::error::ErrorKind;
use ptc_lisp::limits::Limits;
use ptc_turns::{Config, Header, Libraries, LibraryError, LibraryWords, Session, Trace, TurnContext};

fn words(name: &str, text: &str) -> LibraryWords {
    LibraryWords { name: name.into(), file: format!("lib/{name}.lisp"), sha256: String::new(), text: text.into() }
}

fn load(list: &[(&str, &str)]) -> Result<Libraries, LibraryError> {
    Libraries::load(list.iter().map(|(name, text)| words(name, text)).collect(), &Limits::default())
}

const STATS: &str = "(ns stats (:require [clojure.string :as st]))\n\
    (def rates \"Rates by country. Of 2026.\" {:be 21 :fr 20})\n\
    (defn- square [x] (* x x))\n\
    (defn mean \"Arithmetic mean of numbers.\nOf none nil.\" [xs] (when (seq xs) (/ (sum xs) (count xs))))\n\
    (defn spread [xs] (sqrt-of (mean (map square xs))))\n\
    (defn sqrt-of ([x] (Math/sqrt x)) ([x & more] (map sqrt-of (cons x more))))\n\
    (defn now \"\" [] (st/upper-case \"now\"))";

/// `spread` uses what is defined behind it.
fn stats() -> String {
    STATS.replace("(defn- square", "(declare sqrt-of)\n(defn- square")
}

fn session(libraries: Libraries) -> Session {
    Session::new(Config { libraries, prompt: "Go".into(), max_turns: 100, ..Config::default() })
}

fn say(s: &mut Session, program: &str) -> String {
    let turn = s.run(program, TurnContext::without_host()).unwrap();
    let error =
        turn.error.as_ref().map(|e| format!("{}: {}; {}", e.kind, e.message, e.hint.clone().unwrap_or_default()));
    error.or(turn.value.clone()).unwrap()
}

#[test]
fn programs_use_them_and_cannot_change_them() {
    let stats = stats();
    let twice = "(defn twice \"Twice the mean.\" [xs] (* 2 (stats/mean xs)))\n(require '[stats :refer [spread]])\n(defn wide [xs] (spread xs))";
    let mut s = session(load(&[("stats", &stats), ("more", twice)]).unwrap());
    for (program, value) in [
        ("(stats/mean [1 2 3])", "2"),
        ("(map stats/mean [[1] [2 4]])", "(1 3)"),
        ("[(stats/spread [3 3]) (more/wide [2 2]) (more/twice [4])]", "[3.0 2.0 8]"),
        ("(:be stats/rates)", "21"),
        ("(stats/now)", "\"NOW\""),
        // A plain name is the program's own, and nobody else's.
        ("(defn mean [xs] :mine)", "#'user/mean"),
        ("[(mean [1]) (stats/mean [1]) (stats/spread [1])]", "[:mine 1 1.0]"),
        (
            "[#'stats/mean (:doc (meta #'stats/rates)) (@#'stats/mean [5])]",
            "[#'stats/mean \"Rates by country. Of 2026.\" 5]",
        ),
        ("(require '[stats :as t :refer [now]]) [(t/mean [7]) (now)]", "[7 \"NOW\"]"),
        ("(apropos \"stats/\")", "(stats/mean stats/now stats/rates stats/spread stats/sqrt-of)"),
    ] {
        assert_eq!(say(&mut s, program), value, "{program}");
    }
    for (program, words) in [
        (
            "(def stats/mean 1)",
            "denied: stats/mean is of the library stats; what a library has stays as it is; define a name of your own, as mean",
        ),
        (
            "(defn stats/new [] 1)",
            "denied: stats/new is of the library stats; what a library has stays as it is; define a name of your own, as new",
        ),
        ("(stats/square 2)", "name: stats/square is private to its library; stats has rates sqrt-of mean spread now"),
        (
            "(stats/maen [2])",
            "name: unknown name stats/maen: the library stats does not define it; did you mean stats/mean?",
        ),
        (
            "(stats/zzzzz [2])",
            "name: unknown name stats/zzzzz: the library stats does not define it; stats has rates sqrt-of mean spread now",
        ),
        ("(twice [2])", "name: unknown name twice; did you mean more/twice?"),
        ("(stats/mean)", "arity: stats/mean takes 1 argument, got 0; its parameters are [xs]"),
        (
            "(require '[clojure.string :as stats])",
            "name: stats is a library and cannot be another name of clojure.string; take another alias",
        ),
        // Aliases of a library are its own.
        (
            "(st/upper-case \"a\")",
            "name: unknown namespace st in st/upper-case; there are clojure.core, clojure.string, clojure.set, clojure.walk, clojure.zip, clojure.data, clojure.data.csv, clojure.java.io, clojure.edn, clojure.math, json, ctx, data, tool, turn, input",
        ),
    ] {
        assert_eq!(say(&mut s, program), words, "{program}");
    }
    let turn = s.run("(doc stats/mean)", TurnContext::without_host()).unwrap();
    assert_eq!(turn.printed, ["stats/mean\n([xs])\n  Arithmetic mean of numbers.\nOf none nil.\n"]);
    assert_eq!(s.trace().turns()[0].definitions, [], "they are no definitions of a turn");
}

#[test]
fn the_system_message_lists_them_and_no_other_session_changes() {
    let stats = stats();
    let with = session(load(&[("stats", &stats)]).unwrap()).trace().header.system.clone();
    let section = "\n# Libraries\n\nThese are defined already, `(doc NAME)` prints all about one:\n\n\
        - `stats/rates` = map[2]: Rates by country\n\
        - `(stats/mean xs)`: Arithmetic mean of numbers\n\
        - `(stats/spread xs)`\n\
        - `(stats/sqrt-of [x] [x & more])`\n\
        - `(stats/now)`\n";
    assert!(with.contains(section), "{with}");
    assert_eq!(with.replacen(section, "", 1), session(Libraries::default()).trace().header.system);
    // However many there are, the message stays short.
    let text: String = (0..600).map(|i| format!("(defn f{i} \"Does the thing of number {i}.\" [a b] a)\n")).collect();
    let long = session(load(&[("many", &text)]).unwrap()).trace().header.system.clone();
    assert!(long.len() < with.len() + (8 << 10) && long.contains("more: `(apropos \"many/\")`\n"), "{}", long.len());
}

#[test]
fn a_trace_stands_alone_and_forks_are_apart() {
    let text = "(def seen (atom 0))\n(defn note! \"Counts.\" [] (swap! seen inc))";
    let mut s = session(load(&[("n", text)]).unwrap());
    assert_eq!(say(&mut s, "(n/note!)"), "1");
    let mut fork = s.fork();
    assert_eq!(say(&mut fork, "(n/note!) (n/note!)"), "3");
    assert_eq!(say(&mut s, "(do (n/note!) (n/note!) (oops))").split(';').next(), Some("name: unknown name oops"));
    assert_eq!(say(&mut s, "@n/seen"), "1");
    let kept = s.trace().to_text();
    assert!(
        kept.starts_with("{\"ptc_trace\":1,")
            && kept.contains(
                "\"libraries\":[{\"name\":\"n\",\"file\":\"lib/n.lisp\",\"sha256\":\"\",\"text\":\"(def seen"
            )
    );
    let trace = Trace::parse(kept.as_bytes()).unwrap().trace;
    let mut again = Session::from_trace(trace.clone(), Vec::new()).unwrap();
    assert_eq!(again.view().messages(), s.view().messages());
    assert_eq!(say(&mut again, "(n/note!)"), "2");
    // A text that is not what it was does not replay, and says where.
    let mut other = trace;
    let mut header = Header::clone(&other.header);
    header.libraries[0].text = "(def seen".into();
    other.header = header.into();
    let e = Session::from_trace(other, Vec::new()).err().unwrap();
    assert_eq!((e.kind, e.message.starts_with("trace header: lib/n.lisp:1: ")), (ErrorKind::Corrupt, true), "{e}");
}

#[test]
fn what_cannot_be_loaded_says_where_and_what_to_do() {
    for (name, text, words) in [
        ("stats", "(def a 1)\n\n(defn f [x] (foo x))", "lib/stats.lisp:3: unknown name foo"),
        ("stats", "(def a 1)\n(def b (/ 1 0))", "lib/stats.lisp:2: Divide by zero"),
        ("stats", "(def a", "lib/stats.lisp:1: "),
        (
            "stats",
            "(def a 1)\n(println a)",
            "lib/stats.lisp:2: a library has definitions at its top, and nothing else; put it into a function: (defn name \"What it does.\" [] ...)",
        ),
        ("stats", "5", "lib/stats.lisp:1: a library has definitions at its top"),
        (
            "stats",
            "(def a (println 1))",
            "lib/stats.lisp: a library prints nothing and makes no notes while it is loaded; do that in a function",
        ),
        (
            "stats",
            "(def a (note \"x\"))",
            "lib/stats.lisp: a library prints nothing and makes no notes while it is loaded",
        ),
        ("stats", "(def a (return 1))", "lib/stats.lisp: a library does not (return ...) while it is loaded"),
        ("stats", "(def a (fail \"no\"))", "lib/stats.lisp: no"),
        (
            "stats",
            "(def a 1)\n(defn f [] (tool/search 1))",
            "lib/stats.lisp:2: tool/search: a library sees no inputs and no tools; have the function take it as an argument",
        ),
        ("stats", "(def a ctx/orders)", "lib/stats.lisp:1: ctx/orders: a library sees no inputs and no tools"),
        ("stats", "(def other/a 1)", "lib/stats.lisp:1: cannot define the qualified name other/a"),
        ("stats", "(def n (count (range 100000000000)))", "lib/stats.lisp"),
        (
            "stats",
            "(def n (loop [] (recur)))",
            "lib/stats.lisp:1: loading the libraries takes more than 10000000 units of fuel; compute in a function",
        ),
        ("str", "(def a 1)", "lib/str.lisp: \"str\" is a namespace of the language; take another name"),
        ("json", "(def a 1)", "lib/json.lisp: \"json\" is a namespace of the language; take another name"),
        ("Math", "(def a 1)", "lib/Math.lisp: \"Math\" is a namespace of the language; take another name"),
        ("tool", "(def a 1)", "lib/tool.lisp: \"tool\" is a namespace of the language; take another name"),
        ("user", "(def a 1)", "lib/user.lisp: \"user\" is a namespace of the language; take another name"),
        ("a/b", "(def a 1)", "lib/a/b.lisp: \"a/b\" is no name of a namespace; begin with a letter"),
    ] {
        let got = load(&[("first", "(def x 1)"), (name, text)]).err().unwrap().to_string();
        assert!(got.starts_with(words), "{text}: {got}");
    }
    let twice = load(&[("a", "(def x 1)"), ("a", "(def y 1)")]).err().unwrap().to_string();
    assert_eq!(twice, "lib/a.lisp: \"a\" is loaded already");
    // One that uses a later one does not see it.
    let early = load(&[("a", "(defn f [] (b/g))"), ("b", "(defn g [] 1)")]).err().unwrap().to_string();
    assert!(early.starts_with("lib/a.lisp:1: unknown namespace b in b/g"), "{early}");
    // Together they have no more fuel than one has.
    let half = "(def n (count (vec (range 400000))))";
    let together: Vec<(String, &str)> = (0..40).map(|i| (format!("l{i}"), half)).collect();
    let together: Vec<(&str, &str)> = together.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    assert!(load(&together[..1]).is_ok());
    assert!(load(&together).err().unwrap().to_string().contains("takes more than 10000000 units of fuel"));
    // What failed leaves nothing behind.
    let mut some = load(&[("first", "(def x 1)")]).unwrap();
    assert!(some.add(words("bad", "(def y 1)\n(oops)"), &Limits::default()).is_err());
    some.add(words("bad", "(def y 2)"), &Limits::default()).unwrap();
    assert_eq!(say(&mut session(some), "[first/x bad/y]"), "[1 2]");
}
