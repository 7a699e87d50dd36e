//! Names from turn to turn: what a program defines or declares means that from then on.

use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::brief;

/// Runs the programs as turns of one session: what the last one gives.
fn last(programs: &[&str]) -> String {
    let (limits, mut memory) = (Limits::default(), Memory::new());
    let mut said = String::new();
    for program in programs {
        let outcome = ptc_lisp::run(program, &mut memory, RunInput::new(&limits, &[], &mut ()));
        said = match outcome.ending {
            RunResult::Value(v) => brief(&v),
            RunResult::Error(e) => format!("{}: {}", e.kind.as_str(), e.message),
            other => format!("{other:?}"),
        };
    }
    said
}

#[test]
fn what_was_declared_is_known_in_later_turns() {
    assert_eq!(last(&["(declare g)"]), "#'user/g");
    assert_eq!(last(&["(declare g)", "(defn f [x] (g x))", "(defn g [x] (inc x))", "(f 1)"]), "2");
    assert_eq!(last(&["(declare g)", "(g 1)"]), "name: g is used before its definition has run");
    // A turn that failed declared nothing.
    assert_eq!(last(&["(declare g) (throw (ex-info \"no\" {}))", "(g 1)"]), "name: unknown name g");
}

#[test]
fn a_definition_stands_before_what_the_language_means_by_its_name() {
    for (programs, expected) in [
        (["(def doc \"text\")", "(str doc \"!\")"], "\"text!\""),
        (["(defn time [x] (* 2 x))", "(time 4)"], "8"),
        (["(defn send [x] [:sent x]) (send 1)", "(send 2)"], "[:sent 2]"),
        (
            ["(defn eval [env x] (if (vector? x) (mapv (fn [y] (eval env y)) x) (env x)))", "(eval {:a 1} [:a [:a]])"],
            "[1 [1]]",
        ),
        (["(defn resolve [x] x)", "(map resolve [1 2])"], "(1 2)"),
        (["(def delay 5)", "(let [x (inc delay)] x)"], "6"),
        (["1", "(def if 1)"], "parse: if is a special form and cannot be defined"),
        (["1", "(gen-class 1)"], "denied: gen-class is not part of PTC-Lisp"),
    ] {
        assert_eq!(last(&programs), expected, "{programs:?}");
    }
}

#[test]
fn a_namespace_lasts_for_the_session_and_goes_with_a_failed_turn() {
    let begin = "(ns my.report) (def x 1) (defn f [] [x ::k])";
    assert_eq!(
        last(&[begin, "[(f) (str *ns*) ::k #'x]"]),
        "[[1 :my.report/k] \"my.report\" :my.report/k #'my.report/x]"
    );
    let failed = "(ns other (:require [clojure.set :as cs])) (def y 2) (throw (ex-info \"no\" {}))";
    assert_eq!(last(&[begin, failed, "[(str *ns*) (find-ns 'other) x]"]), "[\"my.report\" nil 1]");
    assert_eq!(last(&[begin, failed, "other/y"]), "name: unknown namespace other in other/y");
    // A program that ends early never comes to what is behind.
    assert_eq!(last(&["(do (ns a) 1)", "(return 5) (ns b)", "(str *ns*)"]), "\"a\"");
    // What was defined elsewhere is found where there is one of it, and none where there are two.
    assert_eq!(last(&["(def rows [1 2])", "(ns report)", "(count rows)"]), "2");
    assert_eq!(last(&["(def rows [1 2])", "(ns a) (def rows [])", "(ns b) rows"]), "name: unknown name rows");
    // Code that a program made is analysed in the namespace that the program has come to.
    assert_eq!(last(&[begin, "(eval '(def z 3))", "[my.report/z #'z]"]), "[3 #'my.report/z]");
    assert_eq!(last(&["(ns a) (def count 5)", "count", "(ns a) (count [1])"]), "1");
}

#[test]
fn forks_are_in_namespaces_of_their_own() {
    let (limits, mut memory) = (Limits::default(), Memory::new());
    let run = |program: &str, memory: &mut Memory| {
        ptc_lisp::run(program, memory, RunInput::new(&limits, &[], &mut ())).ending
    };
    run("(ns a) (def x 1)", &mut memory);
    let mut fork = memory.clone();
    run("(ns b) (def x 2)", &mut fork);
    for (memory, expected) in [(&mut memory, "[\"a\" 1]"), (&mut fork, "[\"b\" 2]")] {
        let RunResult::Value(v) = run("[(str *ns*) x]", memory) else { panic!("it has a value") };
        assert_eq!(brief(&v), expected);
    }
    assert!(memory.get("a/x").is_some() && memory.get("b/x").is_none() && fork.get("b/x").is_some());
}

#[test]
fn metadata_of_a_var_goes_with_a_failed_turn() {
    let begin = "(def ^{:a 1} x 1)";
    let failed = "(alter-meta! #'x assoc :b 2) (def ^:c x 2) (throw (ex-info \"no\" {}))";
    assert_eq!(last(&[begin, failed, "[x (select-keys (meta #'x) [:a :b :c])]"]), "[1 {:a 1}]");
    assert_eq!(last(&[begin, "(alter-meta! #'x assoc :b 2)", "(select-keys (meta #'x) [:a :b])"]), "{:a 1, :b 2}");
}

#[test]
fn a_namespace_can_be_taken_in_whole() {
    assert_eq!(last(&["(use 'clojure.set)", "(union #{1} #{1})"]), "#{1}");
    assert_eq!(last(&["(require '[clojure.string :refer :all])", "[(blank? \"\") (reverse \"ab\")]"]), "[true \"ba\"]");
}

#[test]
fn what_was_referred_stands_before_the_core_and_behind_the_program() {
    let refer = "(ns my.app (:require [clojure.string :refer [replace reverse]]))";
    assert_eq!(last(&[refer, "[(replace \"aba\" \"a\" \"x\") (reverse \"abc\")]"]), "[\"xbx\" \"cba\"]");
    assert_eq!(last(&[refer, "(clojure.core/reverse \"ab\")"]), "(\\b \\a)");
    assert_eq!(last(&[refer, "(defn reverse [x] [:own x])", "(reverse 1)"]), "[:own 1]");
}

#[test]
fn no_function_of_the_language_is_refused() {
    let refused = ptc_lisp::builtins::all().find(|b| ptc_lisp::analyze::unsupported_hint(b.name()).is_some());
    assert_eq!(refused.map(|b| b.name()), None);
}

#[test]
fn names_that_are_not_built_in_are_answered_with_what_to_write_instead() {
    let (limits, memory) = (Limits::default(), Memory::new());
    for (names, instead) in ptc_lisp::analyze::GONE {
        for name in *names {
            // A class is asked for as it is written to make one.
            let maker = name.starts_with(char::is_uppercase) && !name.contains(['/', '.']);
            let program = match maker {
                true => format!("({name}. 1)"),
                false => format!("({name} 1 2)"),
            };
            let ending = ptc_lisp::run(&program, &mut memory.clone(), RunInput::new(&limits, &[], &mut ())).ending;
            let RunResult::Error(e) = ending else { panic!("{program}: {ending:?}") };
            assert_eq!(e.hint.as_deref(), Some(*instead), "{program}: {}", e.message);
        }
    }
}

#[test]
fn a_type_of_the_program_may_have_a_method_whose_name_is_not_built_in() {
    let program =
        "(defprotocol Stack (push [s x])) (deftype Pile [xs] Stack (push [_ x] (conj xs x))) (.push (Pile. [1]) 2)";
    assert_eq!(last(&[program]), "[1 2]");
    assert_eq!(last(&["(defn struct [x] [x])", "(struct 1)"]), "[1]");
}
