//! Records, types, protocols, multimethods and hierarchies over turns: what a turn defined is there in the next and in what
//! is replayed from the trace, what a failed turn changed is taken back, a fork has its own; and what summaries say of them.

use ptc_lisp::limits::Limits;
use ptc_turns::policy::Layout;
use ptc_turns::render::summary_parser;
use ptc_turns::{Config, Policy, Session, Status, Trace, TurnContext, messages};

/// What the first turn defines.
const DEFINED: &str = "(defrecord Point [x y] Object (toString [_] (str x \"/\" y)))
(deftype Box [v])
(defprotocol Shape (area [s]) (grow [s k]))
(extend-type Long Shape (area [n] n))
(defmulti kind :is)
(defmethod kind ::dog [_] :dog)
(defmethod kind ::cat [_] :cat)
(derive ::puppy ::dog)
(def h (atom (derive (make-hierarchy) :a :b)))
(defmulti of identity :hierarchy h)
(defmethod of :b [_] :b)
(def p (->Point 1 2))
(def made (reify Shape (area [_] 7)))
(defmacro of-kind [k] `(~'or-not (fn [] (kind {:is ~k}))))
nil";

/// What is asked of all that.
const ASKED: &str = "(letfn [(or-not [f] (try (f) (catch Exception e (ex-message e))))]
  [(str p) (str (->Point 3 4)) (= p (map->Point {:x 1 :y 2})) (instance? Point p) (.x p) (keys p) (or-not #(.-v (Box. 5))) (area made)
   (or-not #(area 3)) (or-not #(area \"s\")) (satisfies? Shape p) (extenders Shape)
   (of-kind ::puppy) (or-not #(kind {:is ::kitten})) (prefers kind) (sort (keys (methods kind)))
   (or-not #(of :a)) (or-not #(of :c)) (parents Point) (ancestors ::puppy)])";

/// Each changes what is asked.
const CHANGES: &[&str] = &[
    "(defrecord Point [x y])",
    "(defrecord Point [y x] Object (toString [_] \"other\"))",
    "(extend-type Point Shape (area [p] (:x p)))",
    "(defrecord Point [x y] Shape (area [_] 5))",
    "(extend-protocol Shape Long (area [n] (* n n)) String (area [s] (count s)))",
    "(extend Object Shape {:area (fn [_] :object)})",
    "(derive ::kitten ::cat)",
    "(derive Point ::dog)",
    "(underive ::puppy ::dog)",
    "(defmethod kind ::puppy [_] :puppy)",
    "(defmethod kind :default [_] :other)",
    "(remove-method kind ::dog)",
    "(remove-all-methods kind)",
    "(prefer-method kind ::dog ::cat)",
    "(swap! h derive :c :b)",
    "(deftype Box [w])",
    "(defmacro of-kind [k] `[~k])",
    "(defn of-kind [k] k)",
];

fn session() -> Session {
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    Session::new(Config { prompt: "p".into(), limits, max_turns: u64::MAX, ..Config::programs() })
}

fn run(s: &mut Session, program: &str) -> (Status, String) {
    let turn = s.run(program, TurnContext::without_host()).unwrap_or_else(|e| panic!("{program}: {e}"));
    (turn.status, turn.value.clone().unwrap_or_default())
}

fn value(s: &mut Session, program: &str) -> String {
    let (status, value) = run(s, program);
    assert_eq!(status, Status::Ok, "{program}: {:?}", s.trace().turns().last().map(|t| &t.error));
    value
}

fn replayed(s: &Session) -> Session {
    let trace = Trace::parse(s.trace().to_text().as_bytes()).unwrap_or_else(|e| panic!("{e}")).trace;
    Session::from_trace(trace, Vec::new()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn what_a_turn_defines_is_there_later_and_after_a_replay() {
    let mut s = session();
    value(&mut s, DEFINED);
    let before = value(&mut s, ASKED);
    assert!(before.contains("\"1/2\" \"3/4\" true true 1 (:x :y) 5 7 3 \"No implementation"), "{before}");
    assert!(before.contains(" :dog \"No method"), "{before}");
    assert_eq!(value(&mut replayed(&s), ASKED), before);
    for change in CHANGES {
        value(&mut s, change);
        let now = value(&mut s, ASKED);
        assert_eq!(value(&mut replayed(&s), ASKED), now, "{change}");
    }
}

#[test]
fn a_failed_turn_takes_its_changes_back() {
    for change in CHANGES {
        for end in ["(/ 1 0)", "(throw (ex-info \"no\" {}))", "(loop [] (recur))"] {
            let mut s = session();
            value(&mut s, DEFINED);
            let before = value(&mut s, ASKED);
            let (status, _) = run(&mut s, &format!("{change} {ASKED} {end}"));
            assert_eq!(status, Status::Error, "{change}");
            assert_eq!(value(&mut s, ASKED), before, "{change} {end}");
            assert_eq!(value(&mut replayed(&s), ASKED), before, "{change} {end}");
        }
    }
}

#[test]
fn forks_do_not_see_each_others_changes() {
    for change in CHANGES {
        let mut s = session();
        value(&mut s, DEFINED);
        let mut fork = s.fork();
        let before = value(&mut fork, ASKED);
        value(&mut s, change);
        let changed = value(&mut s, ASKED);
        assert_ne!(changed, before, "{change} changes nothing that is asked");
        assert_eq!(value(&mut fork, ASKED), before, "{change}");
        value(&mut fork, change);
        assert_eq!(value(&mut fork, ASKED), changed, "{change}");
    }
}

/// What is shown of a turn once it is older.
fn summary(policy: &Policy, program: &str) -> String {
    let mut s = session();
    value(&mut s, program);
    value(&mut s, "(println 1)");
    messages(s.trace(), policy, Some(2)).get(2).map(|m| m.text().into_owned()).unwrap_or_default()
}

#[test]
fn summaries_say_what_was_defined() {
    let long = "(defrecord Point [x y]
  Object (toString [_] (str \"a point with a text that takes some tokens, more than its summary: \" x \" and \" y)))
(deftype Box [v])
(defprotocol Shape \"What has an area\" (area [s]) (grow [s] [s k]) (note [s] \"Says something\"))
(defmulti kind \"What it is\" :is)
(defmethod kind :default [x] (str \"nothing that anyone has told anything about so far, or will: \" x))
(defn half \"Half of it\" [x] (/ x 2))
(defmacro unless \"The other way round\" [test & body] `(if ~test nil (do ~@body)))
(def where (->Point 1 2))";
    let lines = "; Function: note [s] - \"Says something\"
; Multimethod: kind - \"What it is\"
; Function: half [x] - \"Half of it\"
; Macro: unless [test & body] - \"The other way round\"
; Record: Point [x y]
; Type: Box [v]
; Protocol: Shape (area [s]) (grow [s] [s k]) (note [s]) - \"What has an area\"
; Defined: where = map[2], sample: %{x: 1, y: 2}";
    assert_eq!(summary(&Policy::compressed(), long), lines);
    let read = summary_parser::parse(lines).unwrap_or_else(|| panic!("it is a summary"));
    let of = |name: &str| read.definitions.iter().find(|d| d.name == name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!((of("Point").type_word.as_deref(), of("Point").params.as_deref()), (Some("record"), Some("[x y]")));
    assert_eq!(of("Shape").params.as_deref(), Some("(area [s]) (grow [s] [s k]) (note [s])"));
    assert_eq!((of("kind").type_word.as_deref(), of("kind").params.as_deref()), (Some("multimethod"), None));
    let unless = of("unless");
    assert_eq!((unless.type_word.as_deref(), unless.params.as_deref()), (Some("macro"), Some("[test & body]")));
    // What a program defines itself has its line, be its name that of a constructor.
    let own = format!("{long} (defn ->Box \"A box\" [v] (Box. [v])) (defn map->Point [a b] (->Point a b))");
    let own = summary(&Policy::compressed(), &own);
    assert!(own.contains("; Function: ->Box [v] - \"A box\"\n"), "{own}");
    assert!(own.contains("; Function: map->Point [a b]\n") && !own.contains("->Point [x y]"), "{own}");
    // The other layout, and what is redefined later.
    let mut s = session();
    value(&mut s, long);
    value(&mut s, "(defmulti other :a) (def Box 1) (println 1)");
    value(&mut s, "(println 1)");
    let coalesced = Policy { layout: Layout::Coalesced, ..Policy::compressed() };
    let text = messages(s.trace(), &coalesced, Some(3)).get(1).map(|m| m.text().into_owned()).unwrap_or_default();
    assert!(text.contains("\n; Multimethod: other\n; Record: Point [x y]\n; Protocol: Shape (area [s])"), "{text}");
    assert!(!text.contains("; Type: Box") && text.contains("; Defined: Box = integer"), "{text}");
}

#[test]
fn a_program_that_ends_in_a_definition_shows_no_value() {
    let mut s = session();
    for (program, shown) in [
        ("(defrecord Point [x y])", false),
        ("(deftype Box [x])", false),
        ("(defprotocol Shape (area [s]))", false),
        ("(defmulti kind :is)", false),
        ("(defmethod kind :a [_] 1)", false),
        ("Point", true),
        ("'Shape", true),
    ] {
        let turn = s.run(program, TurnContext::without_host()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(turn.feedback.contains("=> "), shown, "{program}: {}", turn.feedback);
    }
}
