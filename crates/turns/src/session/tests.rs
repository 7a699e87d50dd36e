//! Sessions from outside: transactions, endings, feedback, replay, forks.

use super::*;
use crate::session::config::Input;
use crate::trace::json::Json;
use crate::trace::record::Kind;
use crate::{Status, TurnText};
use ptc_lisp::error::ErrorKind;
use ptc_lisp::interface::Param;

/// Answers `customer` with a map, fails on `boom`.
struct Shop(Vec<String>);

impl Tools for Shop {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let args = ptc_lisp::json::to_text(args).unwrap();
        self.0.push(format!("{id} {name} {args}"));
        match name {
            "customer" => Ok(Value::map([(Value::plain_keyword("name"), Value::str("Ann"))])),
            _ => Err("no such thing\nTurn 9 of 9".into()),
        }
    }
}

fn tool(name: &str) -> ToolSpec {
    let params = Some(vec![Param::new("id", Type::String)]);
    ToolSpec { name: name.into(), description: "About".into(), params, returns: None }
}

fn config() -> Config {
    let products = Value::vector(vec![Value::map([(Value::plain_keyword("name"), Value::str("Laptop"))])]);
    let input = Input {
        name: "products".into(),
        value: products,
        sha256: "0".into(),
        file: None,
        json: Json::new("[{\"name\":\"Laptop\"}]".into()),
        note: None,
    };
    Config {
        prompt: "Task".into(),
        max_turns: 5,
        tools: vec![tool("customer"), tool("boom")],
        inputs: vec![input],
        policy: Policy::compressed(),
        ..Config::default()
    }
}

fn session() -> Session {
    Session::new(config())
}

fn run(s: &mut Session, program: &str) -> TurnRecord {
    let mut shop = Shop(Vec::new());
    s.run(program, TurnContext { now_ms: 5, seed: 7, ..TurnContext::with_tools(&mut shop) }).unwrap().clone()
}

/// P-16, P-17: the answer of a tool is shown as the sample of what it was bound to, printed text moves to the summary.
#[test]
fn a_turn_is_recorded_whole() {
    let mut s = session();
    let t =
        run(&mut s, "(def c \"A customer\" (tool/customer \"c1\"))\n(defn f \"Doc\" [x] (inc x))\n(println \"hello\")");
    assert_eq!((t.turn, t.status, t.time, t.seed), (1, Status::Ok, 5, 7));
    assert_eq!(t.printed, ["hello\n"]);
    assert_eq!(t.feedback, "hello\nTurn 2 of 5");
    let [c, f] = t.definitions.as_slice() else { panic!("{:?}", t.definitions) };
    assert_eq!(
        (c.kind, c.type_word.as_deref(), c.sample.as_deref()),
        (Kind::Data, Some("map[1]"), Some("%{name: \"Ann\"}"))
    );
    assert_eq!((f.kind, f.params.as_deref(), f.doc.as_deref()), (Kind::Function, Some("[x]"), Some("Doc")));
    let call = &t.tool_calls[0];
    assert_eq!(
        (call.id, call.args.text(), call.result.as_ref().unwrap().text()),
        (1, "{\"id\":\"c1\"}", "{\"name\":\"Ann\"}")
    );
    let view = s.messages(&Policy::compressed()).into_owned();
    assert_eq!(view[2].text(), "; Function: f [x] - \"Doc\"\n; Defined: c - \"A customer\"\n; Output:\nhello");
    assert_eq!(view[3].text(), "Turn 2 of 5");
}

#[test]
fn a_failed_turn_leaves_memory_and_keeps_its_calls() {
    let mut s = session();
    run(&mut s, "(def a (atom 1)) (def x 1)");
    let t = run(&mut s, "(def x 2)\n(reset! a 5)\n(tool/boom \"q\")");
    assert_eq!(t.status, Status::Error);
    assert!(t.definitions.iter().all(|d| d.rolled_back));
    assert_eq!(
        t.feedback,
        "Error: tool: tool/boom: no such thing\\u{a}Turn 9 of 9\n  3 | (tool/boom \"q\")\n    | ^^^^^^^^^^^^^^^\ncalls made before the error: boom(\"q\")\nTurn 3 of 5"
    );
    let t = run(&mut s, "[x @a]");
    assert_eq!((t.value.as_deref(), t.feedback.as_str()), (Some("[1 1]"), "=> [1 1]\nTurn 4 of 5"));
    let t = run(&mut s, "[*1 (ex-message *e) (:kind (ex-data *e))]");
    assert_eq!(t.value.as_deref(), Some("[[1 1] \"tool/boom: no such thing\\nTurn 9 of 9\" \"tool\"]"));
}

/// P-31.
#[test]
fn replies_without_one_program_are_error_turns() {
    let mut s = session();
    let mut none = ();
    let t = s.reply("I am not sure.", TurnContext::with_tools(&mut none)).unwrap().clone();
    assert_eq!((t.status, t.program.as_str(), t.reasoning.as_deref()), (Status::Error, "", Some("I am not sure.")));
    assert_eq!(
        t.feedback,
        "Error: parse: the reply has no program\nhint: write one program in one ```clojure block\nTurn 2 of 5"
    );
    let t = s.reply("So:\n```clojure\n(+ 1 2)\n```", TurnContext::with_tools(&mut none)).unwrap();
    assert_eq!((t.value.as_deref(), t.reasoning.as_deref()), (Some("3"), Some("So:")));
}

/// A draft in a thought is neither run nor lost.
#[test]
fn a_thought_is_kept_and_not_run() {
    let mut s = session();
    let reply = "<think>\n```clojure\n(def x 0)\n(tool/boom {})\n```\n</think>\n```clj\n(def x 1)\n```";
    let t = s.reply(reply, TurnContext::without_host()).unwrap().clone();
    assert_eq!((t.status, t.program.as_str(), t.tool_calls.len()), (Status::Ok, "(def x 1)", 0));
    assert_eq!(t.said(), reply);
    let t = s.turn(TurnText::of_field("```bash\nls\n```"), TurnContext::without_host()).unwrap();
    assert_eq!(
        t.feedback,
        "Error: parse: the reply has no program: its block is tagged bash\nhint: write one program in one ```clojure block\nTurn 3 of 5"
    );
    let back = Session::from_trace(Trace::parse(s.trace().to_text().as_bytes()).unwrap().trace, Vec::new()).unwrap();
    assert_eq!(back.view().messages(), s.view().messages());
    let x = back.memory().get("x").map(|x| ptc_lisp::print::readable(x, 10));
    assert_eq!(x.as_deref(), Some("1"), "the draft defined 0");
}

#[test]
fn endings() {
    let mut s = session();
    let t = run(&mut s, "(def x 1) (return {:a x})");
    assert_eq!(
        (t.status, t.value.as_deref(), t.value_json.as_ref().map(Json::text)),
        (Status::Returned, Some("{:a 1}"), Some("{\"a\":1}"))
    );
    assert_eq!(
        s.run("1", TurnContext::without_host()).unwrap_err(),
        TurnRefused::Finished { turn: 1, how: "returned" }
    );
    assert_eq!(s.messages(&Policy::compressed()).len(), 3);

    let mut s = session();
    let t = run(&mut s, "(def x 1) (fail \"no data\")");
    assert_eq!(
        (t.status, t.value.as_deref(), s.memory().get("x").is_none()),
        (Status::Failed, Some("\"no data\""), true)
    );

    let mut s = Session::new(Config { max_turns: 2, ..config() });
    assert_eq!(run(&mut s, "1").feedback, "=> 1\nTurn 2 of 2: the last one, it must (return ...) now");
    assert_eq!(run(&mut s, "2").feedback, "=> 2\nOut of turns: max_turns is 2");
    assert_eq!(
        s.run("3", TurnContext::without_host()).unwrap_err(),
        TurnRefused::OutOfTurns { max_turns: 2, act: None }
    );
}

#[test]
fn a_returned_value_of_the_wrong_shape_is_an_error() {
    let mut s = Session::new(Config { expect: Some(Type::String), ..config() });
    let t = run(&mut s, "(def x 1) (return x)");
    assert_eq!((t.status, t.error.as_ref().map(|e| e.kind)), (Status::Error, Some(ErrorKind::Type)));
    assert!(t.feedback.contains("hint: return a value of the shape string\nTurn 2 of 5"), "{}", t.feedback);
    assert!(s.memory().get("x").is_none());
    assert_eq!(run(&mut s, "(return \"ok\")").status, Status::Returned);
}

#[test]
fn earlier_turns_are_data() {
    let mut s = session();
    run(&mut s, "(def x 5) (println \"hi\") {:k x}");
    run(&mut s, "(nope)");
    let t = run(
        &mut s,
        "[(count (turn/list)) (:k (:value (turn/get 1))) (:output (turn/get 1)) (:status (turn/get 2)) (:kind (:error (turn/get 2)))]",
    );
    assert_eq!(t.value.as_deref(), Some("[2 5 \"hi\\n\" :error \"name\"]"));
}

#[test]
fn what_a_turn_printed_is_had_again_as_one_string() {
    let mut s = Session::new(Config { max_turns: 20, ..config() });
    run(&mut s, "(println \"a\") (print \"b\" 1)");
    run(&mut s, "(println \"lost?\") (nope)");
    run(&mut s, "(def x 1)");
    let t = run(&mut s, "[(turn/output 1) (turn/output 2) (turn/output 3) (turn/output 9)]");
    assert_eq!(t.value.as_deref(), Some("[\"a\\nb 1\" \"\" \"\" nil]"), "names are checked before anything runs");
    assert_eq!(run(&mut s, "(println (turn/output 1))").feedback, "a\nb 1\nTurn 6 of 20");
    assert_eq!(run(&mut s, "(= (turn/output 1) (:output (turn/get 1)))").value.as_deref(), Some("true"));
    for bad in ["0", "-1", "\"1\"", "1.5", "nil", "(turn/get 1)"] {
        let told = run(&mut s, &format!("(turn/output {bad})")).feedback;
        assert!(told.starts_with("Error: type: turn/output: n must be the number of a turn, got "), "{told}");
        assert!(told.contains("hint: turns are numbered from 1: (turn/output 2)"), "{told}");
    }
    let found = run(&mut s, "(println (apropos \"turn/\") (apropos #\"^(x|tool/.*)$\"))").feedback;
    assert!(found.starts_with("(turn/get turn/list turn/output) (tool/boom tool/customer x)\n"), "{found}");
    let all = run(&mut s, "(let [all (apropos \"\")] [(count all) (last all)])");
    assert_eq!(all.value.as_deref(), Some("[101 ...]"), "bounded");
}

#[test]
fn a_trace_gives_prompts_and_memory_back() {
    let mut s = session();
    run(&mut s, "(def c (tool/customer \"c1\")) (def r (rand-int 1000000)) (def a (atom 1))");
    run(&mut s, "(tool/customer \"c2\") (tool/boom \"c2\")");
    run(&mut s, "(swap! a inc) (def n (:name c)) (def old (count (turn/list)))");
    let loaded = Trace::parse(s.trace().to_text().as_bytes()).unwrap().trace;
    let mut back = Session::from_trace(loaded.clone(), Vec::new()).unwrap();
    assert_eq!(back.trace(), s.trace());
    assert_eq!(back.view().messages(), s.view().messages());
    let program = "[c r @a n old *1 (ex-message *e) (tool/customer \"c3\")]";
    let (now, then) = (run(&mut back, program), run(&mut s, program));
    assert_eq!((now.value.clone(), now.tool_calls[0].id), (then.value.clone(), 4));

    for (from, to, words) in [
        ("(def c (tool", "(def d (tool", "turn 1 does not replay: c is not defined as it was"),
        ("\\\"c1\\\"", "\\\"c9\\\"", "turn 1 does not replay: tool call 1 is not the one recorded"),
        ("(:name c)", "(:nam c)", "turn 3 does not replay: n is not what it was"),
    ] {
        let text = s.trace().to_text().replacen(from, to, 1);
        assert_ne!(text, s.trace().to_text(), "{from}");
        let error = Session::from_trace(Trace::parse(text.as_bytes()).unwrap().trace, Vec::new()).err().unwrap();
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Corrupt, words));
    }
}

#[test]
fn forks_do_not_see_each_other() {
    let mut s = session();
    run(&mut s, "(def a (atom 1)) (def x 1)");
    let mut fork = s.fork();
    run(&mut fork, "(reset! a 9) (def x 9)");
    assert_eq!(run(&mut s, "[@a x]").value.as_deref(), Some("[1 1]"));
    assert_eq!(run(&mut fork, "[@a x]").value.as_deref(), Some("[9 9]"));
    assert_eq!((s.trace().turns().len(), fork.trace().turns().len()), (2, 3));
}

/// B-24: compaction is turned on and off in the middle of a session: each prompt is that of the policy then, the trace
/// knows nothing of it, and what was hidden comes back whole.
#[test]
fn history_is_compacted_and_whole_again_in_one_session() {
    let compact = Policy::compressed();
    let mut batch = Policy::full();
    batch.history.strategy = ptc_history::policy::Strategy::Batch;
    let (mut toggled, mut steady) = (session(), session());
    [&mut toggled, &mut steady].into_iter().for_each(|s| s.set_max_turns(99));
    for (i, policy) in [Policy::full(), compact.clone(), Policy::full(), batch, compact].into_iter().enumerate() {
        for s in [&mut toggled, &mut steady] {
            run(s, &format!("(def x{i} {i}) ; recap - x{i}\n(println x{i})"));
        }
        toggled.set_policy(&policy);
        let with = ptc_history::ViewContext::default();
        let expected = crate::request(steady.trace(), &policy, None, &with).unwrap().messages();
        assert_eq!(toggled.request(&with).unwrap().into_owned(), expected, "turn {i}");
        let whole = toggled.messages(&Policy::full()).into_owned();
        assert_eq!(whole.len(), 2 + 2 * (i + 1));
        assert!((0..=i).all(|k| whole[2 + 2 * k].text().contains(&format!("(def x{k} {k})"))));
        let records = |s: &Session| -> Vec<String> { s.trace().turns().iter().map(|t| t.feedback.clone()).collect() };
        assert_eq!((records(&toggled), &toggled.trace().header), (records(&steady), &steady.trace().header));
    }
}

/// Counts what it is asked to count.
struct Counted(std::sync::atomic::AtomicU64);

impl ptc_history::view::TokenCounter for Counted {
    fn id(&self) -> u64 {
        7
    }
    fn message(&self, message: &Message) -> u64 {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        message.text().len() as u64
    }
    fn overhead(&self) -> u64 {
        0
    }
}

/// A request costs what is new, under budgets and strategies too: messages that have not changed are not counted again.
/// It is always the one that is made of the whole trace.
#[test]
fn a_request_counts_what_is_new() {
    use ptc_history::policy::Strategy;
    let budget = |strategy| ptc_history::Policy { max_tokens: Some(9_000), ..ptc_history::Policy::with(strategy) };
    for (mine, strategy) in [
        (Policy::compressed(), Strategy::None),
        (Policy::full(), Strategy::SlidingWindow),
        (Policy::full(), Strategy::Batch),
    ] {
        let policy = Policy { history: budget(strategy), ..mine };
        let mut s = Session::new(Config { policy: policy.clone(), max_turns: 200, ..config() });
        let counter = Counted(Default::default());
        let with = ptc_history::ViewContext { counter: Some(&counter), ..Default::default() };
        let counted = || counter.0.swap(0, std::sync::atomic::Ordering::Relaxed);
        let mut fork = None;
        for i in 0..80 {
            let program = match i % 8 {
                5 => "(boom)".to_owned(),
                _ => format!("(def x{} {i}) ; recap - x\n(println {i} \"words words words words\")", i % 30),
            };
            run(&mut s, &program);
            counted();
            let made = s.request(&with).unwrap().into_owned();
            let mine = counted();
            assert_eq!(made, crate::request(s.trace(), &policy, None, &with).unwrap().messages(), "{strategy:?} {i}");
            let anew = counted();
            // A name that is defined again changes an older summary, which does not happen in the first 30 turns.
            if (8..30).contains(&i) {
                assert!(mine <= 8, "{strategy:?}: {mine} messages were counted before turn {}", i + 2);
                assert!(anew as usize >= made.len().min(i), "{strategy:?}: all are counted where nothing is kept");
            }
            if i == 40 {
                fork = Some(s.fork());
            }
        }
        let mut fork = fork.unwrap();
        run(&mut fork, "(def other 1)");
        assert_eq!(
            fork.request(&with).unwrap().into_owned(),
            crate::request(fork.trace(), &policy, None, &with).unwrap().messages()
        );
    }
}

/// P-36: ever so short a program becomes its summary.
#[test]
fn more_turns_than_the_trace_says() {
    let mut s = Session::new(Config { max_turns: 1, ..config() });
    run(&mut s, "(def x 1)");
    let mut s = Session::from_trace(s.trace().clone(), Vec::new()).unwrap();
    s.set_max_turns(3);
    assert_eq!(run(&mut s, "(def y x)").feedback, "Turn 3 of 3: the last one, it must (return ...) now");
    let view = s.messages(&Policy::legacy_entry_count()).into_owned();
    assert_eq!((view.len(), view[4].text().as_ref()), (6, "; Defined: y = integer, sample: 1"));
    assert_eq!(view, crate::messages(s.trace(), &Policy::legacy_entry_count(), None));
}

#[test]
fn values_without_json_or_end() {
    let mut s = session();
    for (program, value, json) in [
        ("(range)", "(...)", None),
        ("inc", "#<function inc>", None),
        ("#{1}", "#{1}", Some("[1]")),
        ("(/ 1 3)", "1/3", Some("0.3333333333333333")),
    ] {
        let t = run(&mut s, program);
        assert_eq!((t.value.as_deref(), t.value_json.as_ref().map(Json::text)), (Some(value), json), "{program}");
    }
}

#[test]
fn open_ended_sessions_go_on() {
    let mut s = Session::new(Config::programs());
    assert_eq!(run(&mut s, "(def x 1) (return x)").status, Status::Returned);
    assert_eq!(run(&mut s, "(inc x)").feedback, "=> 2\nTurn 3");
}

/// A session of programs that may hold this much.
fn holding(session_bytes: u64) -> Session {
    let limits = Limits { session_bytes, cpu_ms: 0, wall_ms: 0, ..Limits::default() };
    Session::new(Config { limits, ..Config::programs() })
}

#[test]
fn eight_hundred_turns_of_big_definitions_hold_no_more_than_session_bytes() {
    let mut s = holding(8 << 20);
    let before = live_bytes();
    let mut refused = 0u64;
    for i in 0..800 {
        let program = format!("(def x{i} (vec (range 10000)))");
        let record = run(&mut s, &program);
        if let Some(e) = &record.error {
            assert!(e.message.starts_with("session_bytes = 8388608 would be passed: the session would hold "), "{e:?}");
            assert!(e.message.contains(" more names ") && e.message.contains("the record of its turns "), "{e:?}");
            refused += 1;
        }
    }
    assert!(refused > 700, "{refused}");
    assert!(live_bytes().wrapping_sub(before) < 9 << 20, "{} bytes", live_bytes().wrapping_sub(before));
    // Letting go is never refused, room comes back, and the same definition stands.
    for i in 0..20 {
        assert_eq!(run(&mut s, &format!("(def x{i} nil)")).status, Status::Ok);
    }
    assert_eq!(run(&mut s, "(def y (vec (range 10000)))").status, Status::Ok);
    // One that is defined again and again holds what it holds.
    let mut s = holding(4 << 20);
    for i in 0..200 {
        let record = run(&mut s, &format!("(def x (vec (range {i} 20000)))"));
        assert_eq!(record.status, Status::Ok, "turn {i}: {:?}", record.error);
    }
    // The trace gives the same memory, whatever was refused on the way.
    let again = Session::from_trace(s.trace().clone(), Vec::new()).unwrap();
    assert_eq!(again.memory().bindings().count(), s.memory().bindings().count());
}

#[test]
fn a_session_whose_record_is_full_takes_no_more_turns() {
    let mut s = holding(2 << 20);
    let mut turns = 0;
    let ended = loop {
        let mut shop = Shop(Vec::new());
        match s.run("(println (apply str (repeat 100000 \"x\")))", TurnContext::with_tools(&mut shop)) {
            Ok(_) => turns += 1,
            Err(e) => break e,
        }
        assert!(turns < 100);
    };
    assert_eq!(ended, TurnRefused::Full { session_bytes: 2 << 20 });
    assert!(turns > 4, "{turns}");
    assert!(ended.to_string().contains("go on in a new session"), "{ended}");
    // Just before that, a definition does not fit beside the record.
    let mut s = holding(4 << 20);
    run(&mut s, "(println (apply str (repeat 250000 \"x\")))");
    run(&mut s, "(println (apply str (repeat 250000 \"x\")))");
    run(&mut s, "(println (apply str (repeat 250000 \"x\")))");
    run(&mut s, "(println (apply str (repeat 250000 \"x\")))");
    let error = run(&mut s, "(def x (vec (range 150000)))").error.unwrap();
    assert!(error.message.contains("the record of its turns 1 MB") && error.message.contains("x 4 MB"), "{error:?}");
}

#[test]
fn a_name_that_a_failed_turn_defined_is_told_to_be_gone() {
    let mut s = Session::new(Config { prompt: "p".into(), ..Config::default() });
    s.run("(def n 3)\n(/ n 0)", TurnContext::without_host()).unwrap();
    s.run("(def m 3)\n(/ m 0)", TurnContext::without_host()).unwrap();
    let told = s.run("(inc n)", TurnContext::without_host()).unwrap();
    let hint = "hint: n was defined in turn 1, which failed, so it is gone: define it again";
    assert!(told.feedback.contains(hint), "{}", told.feedback);
    // What no turn defined, or a later one did, has no such hint.
    let other = s.run("(inc nowhere)", TurnContext::without_host()).unwrap();
    assert!(!other.feedback.contains("define it again"), "{}", other.feedback);
    s.run("(def n 4)", TurnContext::without_host()).unwrap();
    assert_eq!(s.run("(inc n)", TurnContext::without_host()).unwrap().value.as_deref(), Some("5"));
}

#[test]
fn printed_entries_count_for_more_than_their_text() {
    let mut s = holding(1 << 20);
    let mut turn = |_| s.run("(dotimes [_ 1000] (print 1))", TurnContext::without_host()).err();
    let ended = (0..100).find_map(&mut turn);
    assert_eq!(ended, Some(TurnRefused::Full { session_bytes: 1 << 20 }));
    assert!(s.trace().turns().len() < 20);
    let back = Session::from_trace(s.trace().clone(), Vec::new()).unwrap();
    assert_eq!(back.trace(), s.trace());
}
