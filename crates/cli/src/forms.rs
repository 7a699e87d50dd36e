//! The forms of the language, a line each: what is no function and so has no row in the table.

/// A form.
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it does.
    pub doc: &'static str,
}

const fn form(name: &'static str, usage: &'static str, doc: &'static str) -> Form {
    Form { name, usage, doc }
}

/// The form of a name.
pub fn find(name: &str) -> Option<&'static Form> {
    let name = name.strip_prefix("clojure.core/").unwrap_or(name);
    FORMS.iter().find(|f| f.name == name)
}

/// All forms.
pub const FORMS: &[Form] = &[
    form("..", "(.. value (method args...) ...)", "Calls methods one after another, each on what the one before gave."),
    form("def", "(def name \"doc\" value)", "Binds a name for this turn and all later ones."),
    form(
        "defn",
        "(defn name \"doc\" [params] body...)",
        "Defines a function; several ([params] body...) give several arities.",
    ),
    form("defn-", "(defn- name [params] body...)", "As defn."),
    form("defonce", "(defonce name value)", "Binds a name unless it is bound already."),
    form(
        "declare",
        "(declare name...)",
        "Makes names known before they are defined; a definition later in the turn does so too.",
    ),
    form("fn", "(fn name? [params] body...)", "A function; #(+ % 1) is short for one."),
    form(
        "let",
        "(let [name value ...] body...)",
        "Names values for the body; destructuring works in every binding place.",
    ),
    form("letfn", "(letfn [(name [params] body...) ...] body...)", "Names functions that may call each other."),
    form("loop", "(loop [name value ...] body...)", "As let, and a place for recur."),
    form("recur", "(recur value...)", "Goes back to the nearest loop or function with new values; only at its end."),
    form("if", "(if test then else?)", "One of two; everything but nil and false is true."),
    form("if-not", "(if-not test then else?)", "As if, the other way round."),
    form("if-let", "(if-let [name value] then else?)", "Names the value where it is true."),
    form("if-some", "(if-some [name value] then else?)", "Names the value where it is not nil."),
    form("when", "(when test body...)", "The body where the test is true, else nil."),
    form("when-not", "(when-not test body...)", "The body where the test is false, else nil."),
    form("when-let", "(when-let [name value] body...)", "The body with the name where the value is true."),
    form("when-some", "(when-some [name value] body...)", "The body with the name where the value is not nil."),
    form("when-first", "(when-first [name coll] body...)", "The body with the first item where there is one."),
    form("cond", "(cond test value ... :else value)", "The value of the first test that is true."),
    form(
        "condp",
        "(condp pred expr test value ... default?)",
        "The value of the first test with (pred test expr); `test :>> f` calls f with the result.",
    ),
    form(
        "case",
        "(case expr constant value ... default?)",
        "The value beside an equal constant; (a b c) stands for several.",
    ),
    form("do", "(do body...)", "The value of the last form."),
    form("and", "(and form...)", "The first value that is false, or the last."),
    form("or", "(or form...)", "The first value that is true, or the last."),
    form("->", "(-> x form...)", "Puts x into each form as its first argument, in turn."),
    form("->>", "(->> x form...)", "Puts x into each form as its last argument, in turn."),
    form("as->", "(as-> x name form...)", "Names the value of each form for the next."),
    form("cond->", "(cond-> x test form ...)", "As ->, for the forms whose test is true."),
    form("cond->>", "(cond->> x test form ...)", "As ->>, for the forms whose test is true."),
    form("some->", "(some-> x form...)", "As ->, until something is nil."),
    form("some->>", "(some->> x form...)", "As ->>, until something is nil."),
    form("doto", "(doto x form...)", "Calls each form with x first, and gives x."),
    form(
        "for",
        "(for [name coll :let [...] :when test :while test ...] value)",
        "A list of a value for each item, nested to the right.",
    ),
    form("doseq", "(doseq [name coll ...] body...)", "As for, for what the body does; nil."),
    form("dotimes", "(dotimes [name n] body...)", "The body n times, from 0."),
    form("while", "(while test body...)", "The body as long as the test is true."),
    form("comment", "(comment form...)", "Nothing."),
    form("quote", "(quote form)", "The form as data; 'form is short for it."),
    form("var", "(var name)", "The name itself; #'name is short for it."),
    form(
        "try",
        "(try body... (catch Exception e handler...) (finally cleanup...))",
        "Catches errors of the program; limits cannot be caught.",
    ),
    form("throw", "(throw (ex-info \"message\" {...}))", "Throws an exception."),
    form("lazy-seq", "(lazy-seq body...)", "A sequence that is made when something takes from it."),
    form("lazy-cat", "(lazy-cat coll...)", "The items of all, each made when something takes from it."),
    form("delay", "(delay body...)", "A value that is made once, by force or deref."),
    form(
        "time",
        "(time form)",
        "The value of the form; prints that it took no time, for the clock stands still while a turn runs.",
    ),
    form("assert", "(assert test \"message\"?)", "An error where the test is false."),
    form("with-out-str", "(with-out-str body...)", "What the body printed, as text."),
    form("new", "(new Class argument...)", "As (Class. argument...), for the classes of exceptions."),
    form(".", "(. value method argument...)", "As (.method value argument...)."),
    form("memfn", "(memfn method argument...)", "A method as a function."),
    form("doc", "(doc name)", "Prints what a function does."),
    form(
        "ns",
        "(ns name (:require [namespace :as alias :refer [name ...]]))",
        "Takes in namespaces as require does; the program's own names stay in user.",
    ),
    form(
        "require",
        "(require '[namespace :as alias :refer [name ...]])",
        "Gives a namespace of the language an alias and takes names in; :refer :all takes all of them.",
    ),
    form("use", "(use 'namespace)", "Takes in all names of a namespace of the language."),
];
