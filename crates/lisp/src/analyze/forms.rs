//! The forms of the language, special forms and macros: one row each, which the analyzer, `(doc let)`, `ptc doc`,
//! docs/functions.md and the tests of examples read.

use super::desugar::{self as macros, Rule};
use super::type_bodies as bodies;
use super::type_forms as types;
use crate::error::{Error, ErrorKind};
use crate::span::Span;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A form: what is no function, because it decides what is evaluated, when, and under which names.
pub struct FormRow {
    /// Its name.
    pub name: &'static str,
    /// How it is written, as errors say it; `x...` stands for any number. What may be left out, the docstring says.
    pub usage: &'static str,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// Programs and their values as text, or `!` and words of the error. Each is run by a test.
    pub examples: &'static [(&'static str, &'static str)],
    pub(super) kind: FormKind,
}

/// How a form is analyzed.
#[derive(Clone, Copy)]
pub(super) enum FormKind {
    /// By the analyzer itself.
    Special(Special),
    /// By rewriting it into other forms.
    Macro(Rule),
}

/// The special forms, those that the analyzer treats alike as one.
#[derive(Clone, Copy)]
pub(super) enum Special {
    Def,
    Defonce,
    Defn,
    Defmacro,
    Declare,
    Fn,
    Let,
    Letfn,
    Loop,
    Recur,
    If,
    Cond,
    Case,
    Do,
    And,
    Or,
    Quote,
    Var,
    Try,
    Throw,
    /// `catch` and `finally`, which are inside `try`.
    Clause,
    /// `ns`, `require` and the like.
    Namespace,
    WithOutStr,
    Defmethod,
}

impl FormRow {
    /// Whether programs write it: names that end in `*` are Clojure's own way to write another form.
    pub fn is_public(&self) -> bool {
        !self.name.ends_with('*')
    }

    /// Whether it is a special form, whose name a program cannot define.
    pub(super) fn is_special(&self) -> bool {
        matches!(self.kind, FormKind::Special(_))
    }

    /// What `(doc let)` prints and `ptc doc let` shows.
    pub fn doc_text(&self) -> String {
        let mut out = format!("{}\n{}\n  {}\n", self.name, self.usage, self.doc);
        out.push_str(&crate::value::builtin::examples_text(self.examples));
        out
    }
}

/// The form of a name, with or without `clojure.core/`.
pub fn find(name: &str) -> Option<&'static FormRow> {
    let name = name.strip_prefix("clojure.core/").unwrap_or(name);
    let index = &*INDEX;
    // Most names are none of these: few have both their length and their first letter.
    let first = usize::from(*name.as_bytes().first()?);
    if index.lengths.get(first).is_none_or(|lengths| lengths & length_bit(name) == 0) {
        return None;
    }
    index.rows.get(name).copied()
}

struct Index {
    rows: HashMap<&'static str, &'static FormRow, FixedState>,
    /// Which lengths names have, by their first letter.
    lengths: [u32; 128],
}

fn length_bit(name: &str) -> u32 {
    1 << name.len().min(31)
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut rows = HashMap::with_capacity_and_hasher(FORMS.len(), FixedState::default());
    rows.extend(FORMS.iter().map(|f| (f.name, f)));
    let mut lengths = [0; 128];
    for f in FORMS {
        let first = f.name.as_bytes().first().map_or(0, |b| usize::from(*b));
        if let Some(all) = lengths.get_mut(first) {
            *all |= length_bit(f.name);
        }
    }
    Index { rows, lengths }
});

/// The error of a form that is not written as its row says.
#[cold]
pub(super) fn misuse(span: Span, name: &str) -> Error {
    let usage = find(name).map_or(name, |f| f.usage);
    let name = usage.split([' ', ')']).next().unwrap_or_default().trim_start_matches('(');
    Error::new(ErrorKind::Parse, format!("{name} is written {usage}")).at(span)
}

type Examples = &'static [(&'static str, &'static str)];

const fn special(
    name: &'static str,
    kind: Special,
    usage: &'static str,
    doc: &'static str,
    examples: Examples,
) -> FormRow {
    FormRow { name, usage, doc, examples, kind: FormKind::Special(kind) }
}

const fn sugar(name: &'static str, rule: Rule, usage: &'static str, doc: &'static str, examples: Examples) -> FormRow {
    FormRow { name, usage, doc, examples, kind: FormKind::Macro(rule) }
}

/// All forms. Where two are as near to a misspelt name, the first is suggested.
#[rustfmt::skip]
pub static FORMS: &[FormRow] = &[
    special("def", Special::Def, "(def name \"doc\" value)",
        "Binds a name for this turn and all later ones; the docstring may be left out.",
        &[("(do (def answer 42) answer)", "42")]),
    special("defn", Special::Defn, "(defn name \"doc\" [params] body...)",
        "Defines a function; several ([params] body...) give several arities.",
        &[("(do (defn twice [x] (* 2 x)) (twice 4))", "8"),
          ("(do (defn area ([a] (area a a)) ([a b] (* a b))) [(area 3) (area 3 4)])", "[9 12]")]),
    special("defn-", Special::Defn, "(defn- name \"doc\" [params] body...)", "As defn.",
        &[("(do (defn- half [x] (/ x 2)) (half 8))", "4")]),
    special("defmacro", Special::Defmacro, "(defmacro name \"doc\" [params] body...)",
        "Defines a macro: a function from forms to a form, which stands for the call. `x is a template, ~x and ~@xs fill it in, name# is a new name.",
        &[("(do (defmacro unless [test & body] `(if ~test nil (do ~@body))) (unless false 1 2))", "2"),
          ("(do (defmacro twice [x] `(let [x# ~x] (+ x# x#))) (twice 4))", "8")]),
    special("defonce", Special::Defonce, "(defonce name value)", "Binds a name unless it is bound already.",
        &[("(do (defonce start 1) (defonce start 2) start)", "1")]),
    sugar("defmulti", types::defmulti, "(defmulti name \"doc\" dispatch-fn)",
        "Defines a function that calls the method for what dispatch-fn gives for its arguments; :default and :hierarchy may follow. One that is there stays as it is: (def name nil) before makes it anew.",
        &[("(do (defmulti area :kind) (defmethod area :square [{:keys [a]}] (* a a)) (area {:kind :square :a 3}))", "9"),
          ("(do (defmulti area :kind) (area {:kind :dot}))", "!No method in multimethod 'area' for dispatch value: :dot")]),
    special("defmethod", Special::Defmethod, "(defmethod name dispatch-value [params] body...)",
        "Adds a method to a multimethod, for a dispatch value and all that is derived from it; :default is for all others.",
        &[("(do (defmulti size class) (defmethod size Number [n] n) (defmethod size String [s] (count s)) (map size [5 \"ab\"]))", "(5 2)")]),
    sugar("defrecord", bodies::defrecord, "(defrecord Name [field...] Protocol (method [this] body...)...)",
        "Defines a type of maps with these fields; ->Name makes one of values, map->Name of a map. Methods see the fields as names.",
        &[("(do (defrecord Point [x y]) (assoc (->Point 1 2) :x 5))", "#user.Point{:x 5, :y 2}"),
          ("(do (defprotocol Shape (area [s])) (defrecord Square [a] Shape (area [_] (* a a))) (area (->Square 3)))", "9")]),
    sugar("deftype", bodies::deftype, "(deftype Name [field...] Protocol (method [this] body...)...)",
        "As defrecord, for values that are no maps and equal to themselves alone.",
        &[("(do (deftype Box [x]) (.-x (->Box 5)))", "5")]),
    sugar("defprotocol", bodies::defprotocol, "(defprotocol Name \"doc\" (method [this x] \"doc\")...)",
        "Defines functions that choose by the type of their first argument.",
        &[("(do (defprotocol Shape (area [s])) (extend-protocol Shape Long (area [n] (* n n)) nil (area [_] 0)) (map area [3 nil]))", "(9 0)"),
          ("(do (defprotocol Shape (area [s])) (area :dot))", "!No implementation of method: :area of protocol: #'user/Shape found for class: clojure.lang.Keyword")]),
    sugar("extend-type", bodies::extend_type, "(extend-type Class Protocol (method [this] body...)...)",
        "Implements protocols for a class, a record or nil.",
        &[("(do (defprotocol Shape (area [s])) (extend-type String Shape (area [s] (count s))) (area \"abc\"))", "3")]),
    sugar("extend-protocol", bodies::extend_protocol, "(extend-protocol Protocol Class (method [this] body...)...)",
        "Implements a protocol for several classes.",
        &[("(do (defprotocol Shape (area [s])) (extend-protocol Shape Number (area [n] n) Object (area [_] :none)) (map area [2.5 :a]))", "(2.5 :none)")]),
    sugar("reify", bodies::reify, "(reify Protocol (method [this] body...)...)",
        "A value that implements protocols, with what is around it at hand.",
        &[("(do (defprotocol Shape (area [s])) (let [a 4] (area (reify Shape (area [_] (* a a))))))", "16")]),
    special("declare", Special::Declare, "(declare name...)",
        "Makes names known before they are defined; a definition later in the turn does so too.",
        &[("(do (declare later) (defn now [] (later)) (defn later [] :late) (now))", ":late")]),
    special("fn", Special::Fn, "(fn name [params] body...)", "A function; its name may be left out, and #(+ % 1) is short for one.",
        &[("((fn [x] (* x x)) 5)", "25"), ("(map #(+ % 1) [1 2])", "(2 3)")]),
    special("fn*", Special::Fn, "(fn* name [params] body...)", "As fn.", &[("((fn* [x] x) 1)", "1")]),
    special("let", Special::Let, "(let [name value ...] body...)",
        "Names values for the body; destructuring works in every binding place.",
        &[("(let [x 2 y (* x 3)] (+ x y))", "8"), ("(let [[a b] [1 2] {:keys [c]} {:c 3}] [a b c])", "[1 2 3]")]),
    special("let*", Special::Let, "(let* [name value ...] body...)", "As let.", &[("(let* [x 2] x)", "2")]),
    special("letfn", Special::Letfn, "(letfn [(name [params] body...) ...] body...)",
        "Names functions that may call each other.",
        &[("(letfn [(down [n] (if (pos? n) (up (dec n)) :down)) (up [n] (if (pos? n) (down (dec n)) :up))] (down 3))",
           ":up")]),
    special("loop", Special::Loop, "(loop [name value ...] body...)", "As let, and a place for recur.",
        &[("(loop [n 5 product 1] (if (zero? n) product (recur (dec n) (* product n))))", "120")]),
    special("recur", Special::Recur, "(recur value...)",
        "Goes back to the nearest loop or function with new values; only at its end.",
        &[("(loop [xs [1 2 3] sum 0] (if (seq xs) (recur (rest xs) (+ sum (first xs))) sum))", "6")]),
    special("if", Special::If, "(if test then else)", "One of two, nil without else; everything but nil and false is true.",
        &[("(if (pos? 1) :yes :no)", ":yes"), ("(if nil :yes)", "nil")]),
    special("cond", Special::Cond, "(cond test value ... :else value)", "The value of the first test that is true.",
        &[("(let [n 7] (cond (neg? n) :negative (< n 10) :small :else :large))", ":small")]),
    special("case", Special::Case, "(case x constant result ... default)",
        "The result beside an equal constant; (a b c) stands for several; without a default it is an error when none is equal.",
        &[("(case \"b\" \"a\" 1 (\"b\" \"c\") 2 3)", "2"), ("(case 5 1 :one)", "!No matching clause: 5")]),
    special("do", Special::Do, "(do body...)", "The value of the last form.", &[("(do 1 2 3)", "3")]),
    special("and", Special::And, "(and form...)", "The first value that is false, or the last.",
        &[("(and 1 2)", "2"), ("(and nil 2)", "nil")]),
    special("or", Special::Or, "(or form...)", "The first value that is true, or the last.",
        &[("(or nil 2)", "2"), ("(or nil false)", "false")]),
    special("quote", Special::Quote, "(quote x)", "The form as data; 'form is short for it.",
        &[("(quote (+ 1 2))", "(+ 1 2)"), ("'x", "x")]),
    special("var", Special::Var, "(var name)", "The name itself; #'name is short for it.",
        &[("((var inc) 1)", "2"), ("#'inc", "#'clojure.core/inc")]),
    special("try", Special::Try, "(try body... (catch Exception e handler...) (finally cleanup...))",
        "Catches errors of the program; limits cannot be caught.",
        &[("(try (/ 1 0) (catch Exception e (ex-message e)))", "\"Divide by zero\"")]),
    special("throw", Special::Throw, "(throw exception)",
        "Throws an exception, as (ex-info \"message\" {...}) makes one.",
        &[("(throw (ex-info \"out of stock\" {:id 5}))", "!out of stock")]),
    special("catch", Special::Clause, "(catch ExceptionClass name body...)",
        "Inside try: handles what was thrown when it is of the class.",
        &[("(try (throw (ex-info \"no\" {:a 1})) (catch Exception e (ex-data e)))", "{:a 1}")]),
    special("finally", Special::Clause, "(finally cleanup...)",
        "Inside try: runs in the end, whatever happened; its value is not used.",
        &[("(let [log (atom [])] (try (swap! log conj 1) (finally (swap! log conj 2))) @log)", "[1 2]")]),
    special("ns", Special::Namespace, "(ns name (:require [namespace :as alias :refer [name ...]]))",
        "Has definitions go to a namespace, for this turn and those after it, and takes in others as require does.",
        &[("(do (ns app (:require [clojure.string :as s])) (s/upper-case \"a\"))", "\"A\""),
          ("(do (ns app) (def x 1) (in-ns 'user) [app/x #'app/x])", "[1 #'app/x]")]),
    special("require", Special::Namespace, "(require '[namespace :as alias :refer [name ...]])",
        "Gives a namespace an alias and takes names in; :refer :all takes all of them.",
        &[("(do (require '[clojure.set :as cs]) (cs/union #{1} #{1}))", "#{1}")]),
    special("use", Special::Namespace, "(use 'namespace)", "Takes in all names of a namespace, or those after :only.",
        &[("(do (use 'clojure.set) (union #{1} #{1}))", "#{1}")]),
    special("refer", Special::Namespace, "(refer 'namespace :only '[name ...])",
        "Takes in all names of a namespace, or those after :only.",
        &[("(do (refer 'clojure.set :only '[union]) (union #{1} #{1}))", "#{1}")]),
    special("alias", Special::Namespace, "(alias 'alias 'namespace)", "Gives a namespace another name.",
        &[("(do (alias 'cs 'clojure.set) (cs/union #{1} #{1}))", "#{1}")]),
    special("refer-clojure", Special::Namespace, "(refer-clojure :exclude [name ...] :rename {name own-name})",
        "Gives functions of clojure.core other names; all of them are there in every namespace.",
        &[("(do (refer-clojure :rename '{inc plus-one}) (plus-one 1))", "2")]),
    special("import", Special::Namespace, "(import Class...)", "Nothing: the classes that are there need no import.",
        &[("(import 'java.util.UUID)", "nil")]),
    special("in-ns", Special::Namespace, "(in-ns 'name)",
        "Has definitions go to a namespace, for this turn and those after it.",
        &[("(do (in-ns 'app) (def x 1) #'x)", "#'app/x")]),
    special("with-out-str", Special::WithOutStr, "(with-out-str body...)", "What the body printed, as text.",
        &[("(with-out-str (print \"a\") (print 1))", "\"a1\"")]),
    sugar("when", macros::when, "(when test body...)", "The body where the test is true, else nil.",
        &[("(when (pos? 1) :a :b)", ":b"), ("(when nil :a)", "nil")]),
    sugar("when-not", macros::when_not, "(when-not test body...)", "The body where the test is false, else nil.",
        &[("(when-not nil :a)", ":a")]),
    sugar("if-not", macros::if_not, "(if-not test then else)", "As if, the other way round.",
        &[("(if-not false 1 2)", "1")]),
    sugar("->", macros::thread_first, "(-> x step...)", "Puts x into each step as its first argument, in turn.",
        &[("(-> {:a 1} (assoc :b 2) count)", "2")]),
    sugar("->>", macros::thread_last, "(->> x step...)", "Puts x into each step as its last argument, in turn.",
        &[("(->> [1 2 3] (map inc) (reduce +))", "9")]),
    sugar("as->", macros::as_thread, "(as-> x name step...)", "Names the value of each step for the next.",
        &[("(as-> 5 n (+ n 1) (* 2 n))", "12")]),
    sugar("cond->", macros::cond_first, "(cond-> x test step ...)", "As ->, for the steps whose test is true.",
        &[("(cond-> 1 true inc false (* 10))", "2")]),
    sugar("cond->>", macros::cond_last, "(cond->> x test step ...)", "As ->>, for the steps whose test is true.",
        &[("(cond->> [1 2] true (map inc))", "(2 3)")]),
    sugar("some->", macros::some_first, "(some-> x step...)", "As ->, until something is nil.",
        &[("(some-> {:a {:b 1}} :a :b inc)", "2"), ("(some-> {} :a inc)", "nil")]),
    sugar("some->>", macros::some_last, "(some->> x step...)", "As ->>, until something is nil.",
        &[("(some->> [1 2] (map inc) first)", "2")]),
    sugar("doto", macros::doto, "(doto x step...)", "Calls each step with x first, and gives x.",
        &[("@(doto (atom 1) (swap! inc))", "2")]),
    sugar("if-let", macros::if_let, "(if-let [name value] then else)", "Names the value where it is true.",
        &[("(if-let [x (:a {:a 5})] (inc x) :none)", "6")]),
    sugar("if-some", macros::if_some, "(if-some [name value] then else)", "Names the value where it is not nil.",
        &[("(if-some [x false] [x] :none)", "[false]")]),
    sugar("when-let", macros::when_let, "(when-let [name value] body...)",
        "The body with the name where the value is true.", &[("(when-let [x 1] (inc x))", "2")]),
    sugar("when-some", macros::when_some, "(when-some [name value] body...)",
        "The body with the name where the value is not nil.", &[("(when-some [x nil] x)", "nil")]),
    sugar("when-first", macros::when_first, "(when-first [name coll] body...)",
        "The body with the first item where there is one.", &[("(when-first [x [7 8]] x)", "7")]),
    sugar("dotimes", macros::dotimes, "(dotimes [i n] body...)", "The body n times, from 0.",
        &[("(with-out-str (dotimes [i 3] (print i)))", "\"012\"")]),
    sugar("doseq", macros::doseq, "(doseq [x coll :when test ...] body...)",
        "As for, for what the body does; nil.", &[("(with-out-str (doseq [x [1 2]] (print x)))", "\"12\"")]),
    sugar("for", macros::for_, "(for [x coll :when test ...] body)",
        "A list of the value of the body for each item; several collections nest to the right, with :let, :when and :while between.",
        &[("(for [x [1 2 3] :when (odd? x) y [:a :b]] [x y])", "([1 :a] [1 :b] [3 :a] [3 :b])")]),
    sugar("while", macros::while_, "(while test body...)", "The body as long as the test is true.",
        &[("(let [n (atom 0)] (while (< @n 3) (swap! n inc)) @n)", "3")]),
    sugar("condp", macros::condp, "(condp pred expr test result ... default)",
        "The result of the first test with (pred test expr); `test :>> f` calls f with the result.",
        &[("(condp = 2 1 :one 2 :two)", ":two"), ("(condp < 5 7 :more :less)", ":less")]),
    sugar("assert", macros::assert, "(assert test message)", "An error where the test is false, with the message if there is one.",
        &[("(assert (pos? 1))", "nil"), ("(assert (pos? 0))", "!Assert failed: (pos? 0)")]),
    sugar("lazy-seq", macros::lazy_seq, "(lazy-seq body...)", "A sequence that is made when something takes from it.",
        &[("(letfn [(from [n] (lazy-seq (cons n (from (inc n)))))] (take 3 (from 5)))", "(5 6 7)")]),
    sugar("lazy-cat", macros::lazy_cat, "(lazy-cat coll...)",
        "The items of all, each made when something takes from it.", &[("(lazy-cat [1] [2 3])", "(1 2 3)")]),
    sugar("with-bindings", macros::with_bindings, "(with-bindings {#'*v* value} body...)",
        "The body while dynamic vars have the values of a map.", &[("(do (def ^:dynamic *n* 1) (with-bindings {#'*n* 2} *n*))", "2")]),
    sugar("delay", macros::delay, "(delay body...)", "A value that is made once, by force or deref.",
        &[("@(delay (+ 1 2))", "3")]),
    sugar("binding", macros::binding, "(binding [*name* value ...] body...)",
        "The body while dynamic vars, as (def ^:dynamic *name* ...) makes them, have these values.",
        &[("(do (def ^:dynamic *n* 1) (defn n [] *n*) [(binding [*n* 2] (n)) (n)])", "[2 1]"),
          ("(do (def n 1) (binding [n 2] n))", "!Can't dynamically bind non-dynamic var: user/n")]),
    sugar("with-redefs", macros::with_redefs, "(with-redefs [name value ...] body...)",
        "The body while definitions of the program have these values.",
        &[("(do (defn f [] 1) [(with-redefs [f (fn [] 2)] (f)) (f)])", "[2 1]")]),
    sugar("set!", macros::set, "(set! *name* value)", "Gives a dynamic var another value inside binding.",
        &[("(do (def ^:dynamic *n* 1) (binding [*n* 2] (set! *n* 3) *n*))", "3")]),
    sugar("future", macros::future, "(future body...)",
        "The body's value for deref, computed at once: there are no threads; pmap and pcalls make tool calls at the same time.",
        &[("@(future (+ 1 2))", "3")]),
    sugar("locking", macros::locking, "(locking x body...)", "The body: there is one thread.",
        &[("(locking :x 1)", "1")]),
    sugar("with-precision", macros::with_precision, "(with-precision digits body...)",
        "The value of the body, in which results of decimals are rounded to so many digits; (with-precision 5 :rounding DOWN body...) says how.",
        &[("(with-precision 4 (/ 2M 3))", "0.6667M"), ("(with-precision 4 :rounding DOWN (/ 2M 3))", "0.6666M")]),
    sugar("time", macros::time, "(time expr)",
        "The value of the expression; prints that it took no time, because the clock does not advance while a turn runs.",
        &[("(time 5)", "5")]),
    sugar("with-open", super::scoped_forms::with_open, "(with-open [name value ...] body...)",
        "As let, and calls (.close name) in the end, the last first: of readers of texts, and of values of the program's own types.",
        &[("(with-open [r (java.io.StringReader. \"a\")] (slurp r))", "\"a\"")]),
    sugar("with-in-str", super::scoped_forms::with_in_str, "(with-in-str s body...)",
        "The body, in which read-line reads the lines of a text.",
        &[("(with-in-str \"a\\nb\" [(read-line) (read-line)])", "[\"a\" \"b\"]")]),
    sugar("with-local-vars", super::scoped_forms::with_local_vars, "(with-local-vars [name value ...] body...)",
        "Places of the body's own, read with var-get or @ and changed with var-set.",
        &[("(with-local-vars [x 1] (var-set x 2) @x)", "2")]),
    sugar("bound-fn", super::scoped_forms::bound_fn, "(bound-fn [params] body...)",
        "A function that sees dynamic vars as they are where it is made.",
        &[("(do (def ^:dynamic *n* 1) ((binding [*n* 2] (bound-fn [] *n*))))", "2")]),
    sugar("comment", macros::comment, "(comment form...)", "Nothing.", &[("(comment (/ 1 0))", "nil")]),
    sugar("new", macros::new, "(new Class argument...)", "As (Class. argument...), for the classes that are there.",
        &[("(ex-message (new Exception \"no\"))", "\"no\"")]),
    sugar(".", macros::dot, "(.method target argument...)", "(. target method argument...) calls a method, as (.method target argument...) does.",
        &[("(. \"abc\" toUpperCase)", "\"ABC\"")]),
    sugar("..", macros::dots, "(.. target method (method argument...) ...)",
        "Calls methods one after another, each on what the one before gave.",
        &[("(.. \" ab \" trim (substring 1))", "\"b\"")]),
    sugar("memfn", macros::memfn, "(memfn method argument...)", "A method as a function.",
        &[("(map (memfn toUpperCase) [\"a\" \"b\"])", "(\"A\" \"B\")")]),
    sugar("doc", macros::doc, "(doc name)", "Prints what a function or a form does.",
        &[("(with-out-str (doc do))", "\"do\\n(do body...)\\n  The value of the last form.\\n  (do 1 2 3)\\n  ;=> 3\\n\"")]),
];
