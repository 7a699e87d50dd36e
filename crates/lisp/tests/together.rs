//! `pmap` and `pcalls` over tools: what is asked together, in which order, and what an error leaves.

use ptc_lisp::interface::{CallDeadline, Outcome, Param, RunInput, RunResult, ToolRequest, ToolSpec, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::print::brief;
use ptc_lisp::run;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;

/// Gives x back ten times as large, or an error for a text; notes which calls came together.
#[derive(Default)]
struct Groups(Vec<Vec<(u64, String)>>);

impl Tools for Groups {
    fn call(&mut self, _: u64, _: &str, args: &Value) -> Result<Value, String> {
        match args {
            Value::Map(m) => match m.get(&Value::plain_keyword("x")) {
                Some(Value::Int(n)) => Ok(Value::int(n.get() * 10)),
                _ => Err(format!("no number: {}", brief(args))),
            },
            _ => Err("no map".into()),
        }
    }

    fn call_many(&mut self, calls: &[ToolRequest<'_>], _: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        self.0.push(calls.iter().map(|c| (c.id, brief(c.args))).collect());
        calls.iter().map(|c| self.call(c.id, c.name, c.args)).collect()
    }
}

fn turn(program: &str, limits: &Limits) -> (Outcome, Vec<usize>) {
    let spec = |name: &str| ToolSpec {
        name: name.into(),
        description: String::new(),
        params: Some(vec![Param::new("x", Type::Any), Param::new("n", Type::Optional(Box::new(Type::Integer)))]),
        returns: None,
    };
    let mut groups = Groups::default();
    let outcome = run(program, &mut Memory::new(), RunInput::new(limits, &[spec("t"), spec("u")], &mut groups));
    let ids: Vec<u64> = groups.0.iter().flatten().map(|c| c.0).collect();
    assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>(), "{program}");
    let made: Vec<u64> = outcome.tool_calls.iter().map(|c| c.id).collect();
    assert_eq!(made, ids, "{program}: what is made is recorded, in order");
    (outcome, groups.0.iter().map(Vec::len).collect())
}

fn value(program: &str) -> (String, Vec<usize>) {
    let (outcome, groups) = turn(program, &Limits::default());
    match outcome.ending {
        RunResult::Value(v) => (brief(&v), groups),
        RunResult::Error(e) => (format!("{}: {}", e.kind.as_str(), e.message), groups),
        other => (format!("{other:?}"), groups),
    }
}

#[test]
fn calls_that_do_not_depend_on_each_other_come_together() {
    for (program, expected, groups) in [
        ("(pmap tool/t [1 2 3])", "(10 20 30)", vec![3]),
        ("(pmap (partial tool/t 5) [1 nil])", "(50 50)", vec![2]),
        ("(pmap #(tool/t (inc %)) [1 2])", "(20 30)", vec![2]),
        ("(pmap (fn [{:keys [a]}] (tool/t {:x a})) [{:a 1} {:a 2}])", "(10 20)", vec![2]),
        ("(defn f [a] (let [b (* 2 a)] (tool/t b))) (pmap f [1 2])", "(20 40)", vec![2]),
        ("(pmap #(if (odd? %) (tool/t %) :even) [1 2 3])", "(10 :even 30)", vec![2]),
        ("(pmap #(tool/t (tool/u %)) [1 2])", "(100 200)", vec![1, 1, 2]),
        // What is done with an answer afterwards, and what may catch its error, waits for it.
        ("(pmap #(inc (tool/t %)) [1 2])", "(11 21)", vec![1, 1]),
        ("(pmap #(try (tool/t %) (catch Exception e :no)) [1 \"a\"])", "(10 :no)", vec![1, 1]),
        ("(pmap #(do (tool/t %) (tool/u %)) [1 2])", "(10 20)", vec![1, 1, 2]),
        // Calls inside of calls are made where they are.
        ("(pmap #(tool/t (first (map tool/u [%]))) [1 2])", "(100 200)", vec![1, 1, 2]),
        ("(pmap #(tool/t (first (pmap tool/u [% 7]))) [1 2])", "(100 200)", vec![2, 2, 2]),
        ("(defn g [a] (tool/t a)) (pmap #(first [(g %)]) [1 2])", "(10 20)", vec![1, 1]),
        ("(pcalls #(tool/t 1) (partial tool/u 2) (constantly 3))", "(10 20 3)", vec![2]),
        ("(pmap tool/t [1 2 3] [4 5])", "(10 20)", vec![2]),
        ("(pmap tool/t [])", "()", vec![]),
        ("(pmap + [1 2] [3 4])", "(4 6)", vec![]),
        ("(count (pmap tool/t (range 20)))", "20", vec![8, 8, 4]),
        ("(tool/t 1)", "10", vec![1]),
    ] {
        assert_eq!(value(program), (expected.to_owned(), groups), "{program}");
    }
}

#[test]
fn the_first_error_in_order_is_the_error_of_all() {
    let (words, groups) = value("(pmap tool/t [1 \"a\" 3 \"b\"])");
    assert_eq!(words, "tool: tool/t: no number: {:x \"a\"}");
    assert_eq!(groups, [4]);
    // No further group is begun, and errors before the call is made come after the calls before it.
    let (words, groups) = value("(pmap tool/t (cons \"a\" (range 20)))");
    assert_eq!((words.as_str(), groups), ("tool: tool/t: no number: {:x \"a\"}", vec![8]));
    let (words, groups) = value("(pmap (partial tool/t 1) [1 \"n\" 2])");
    assert_eq!((words.as_str(), groups), ("type: tool/t: n must be an integer or nil, got \"n\"", vec![1]));
    let (words, groups) = value("(try (pmap tool/t [1 \"a\"]) (catch Exception e (str (ex-message e) (count [1]))))");
    assert_eq!((words.as_str(), groups), ("\"no number: {:x \\\"a\\\"}1\"", vec![2]));
}

#[test]
fn calls_that_wait_count_against_the_limit() {
    let limits = Limits { tool_calls: 5, ..Limits::default() };
    for (program, groups) in [
        ("(pmap tool/t (range 9))", vec![5]),
        ("(pmap tool/t (range))", vec![5]),
        ("(pmap #(tool/t (tool/u %)) (range 9))", vec![1, 1, 1, 2]),
    ] {
        let (outcome, made) = turn(program, &limits);
        let RunResult::Error(e) = outcome.ending else { panic!("{program}") };
        assert_eq!((e.kind.as_str(), made), ("limit/tool-calls", groups), "{program}: {e}");
    }
}

#[test]
fn doc_tells_of_tools() {
    let printed = |program: &str| turn(program, &Limits::default()).0;
    let about = "`(tool/t x n)` [x any, n integer?]\n";
    assert_eq!(printed("(doc tool/t)").printed.concat().trim_end(), about.trim_end());
    let RunResult::Error(e) = printed("(doc tool/tt)").ending else { panic!("there is no such tool") };
    assert_eq!((e.message.as_str(), e.hint.as_deref()), ("there is no tool tt", Some("did you mean tool/t?")));
}

/// What is in the arguments of a call may call tools itself: it is worked out first, so that the limit counts it.
#[test]
fn calls_inside_arguments_are_counted() {
    let limits = Limits { tool_calls: 1, ..Limits::default() };
    for program in [
        "(tool/t {:x (map #(tool/t {:x %}) (range 1))})",
        "(pmap tool/t [(map #(tool/t {:x %}) (range 1))])",
        "(tool/t {:x [(map (fn [a] (tool/t {:x (map (fn [b] (tool/t {:x b})) [a])})) [1])]})",
    ] {
        let (outcome, _) = turn(program, &limits);
        assert_eq!(outcome.tool_calls.len(), 1, "{program}");
        assert!(matches!(&outcome.ending, RunResult::Error(e) if e.kind.as_str() == "limit/tool-calls"), "{program}");
    }
}
