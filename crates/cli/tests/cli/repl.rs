//! `ptc repl` with programs on standard input: values, errors, commands, tasks, traces, what is kept.

use crate::common::{Did, Folder, ptc, ptc_with};

fn repl(args: &[&str], stdin: &str) -> Did {
    ptc_with(&[&["repl"], args].concat(), stdin)
}

#[test]
fn values_alone_go_to_stdout() {
    let did = repl(&[], "(+ 1 2)\n");
    assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "3\n", ""));
    // An input is as long as its brackets and strings are open; a turn each, with the memory of those before.
    let did = repl(&[], "(def x\n  [1 2]) ; (\n\n\"a\nb\"\n(println \"printed\") (map inc x)\n*1");
    assert_eq!(did.out, "#'user/x\n\"a\\nb\"\n(2 3)\n(2 3)\n");
    assert_eq!((did.code, did.err.as_str()), (0, "printed\n"));
    let did = repl(&[], "");
    assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "", ""));
    // Several forms on one line are one turn, and its value is the last one's.
    assert_eq!(repl(&[], "1 2 3\n").out, "3\n");
    // `return` and `fail` end their turns only.
    let did = repl(&[], "(return 1)\n(fail \"no\")\n2\n");
    assert_eq!((did.code, did.out.as_str()), (1, "1\n2\n"));
    assert!(did.err.contains("no"), "{}", did.err);
}

#[test]
fn an_input_that_fails_is_told_taken_back_and_makes_the_exit_code_1() {
    let did = repl(&[], "(def x 1)\n(do (def x 2) (foo))\nx\n(ex-message *e)\n");
    assert_eq!((did.code, did.out.as_str()), (1, "#'user/x\n1\n\"unknown name foo\"\n"));
    assert!(did.err.starts_with("Error: name: unknown name foo\n  1 | (do (def x 2) (foo))\n"), "{}", did.err);
    let did = repl(&[], "(+ 1\n");
    assert_eq!((did.code, did.out.as_str()), (1, ""));
    assert!(did.err.starts_with("Error: parse: "), "{}", did.err);
    // What is printed without a line end does not run into what follows.
    let did = repl(&[], "(print \"a\") (foo)\n");
    let did2 = repl(&[], "(do (print \"a\") (/ 1 0))\n");
    assert!(did.err.starts_with("Error: name"), "{}", did.err);
    assert!(did2.err.starts_with("a\nError: arithmetic: "), "{}", did2.err);
}

#[test]
fn hostile_input_is_one_error_and_loses_nothing() {
    let f = Folder::new("repl-hostile");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut input: &[u8] = b"1\n(str \"\xff\")\n2\n";
    let code = ptc_cli::run(["ptc", "repl"], &mut input, &mut out, &mut err);
    let err = String::from_utf8(err).unwrap();
    assert_eq!((code, out.as_slice()), (1, &b"1\n"[..]));
    assert!(err.contains("standard input: line 2 is not UTF-8 text; nothing from line 2 on was run"), "{err}");

    let long = format!("1\n\"{}\n(def stolen 1)\n", "x".repeat(300_000));
    let did = repl(&[], &long);
    assert_eq!((did.code, did.out.as_str(), did.err.lines().count()), (1, "1\n", 1), "{}", did.err);
    assert!(did.err.contains("begins on line 2 is longer than source_bytes = 262144"), "{}", did.err);

    let did = repl(&[], "(println \"\\u001b[2J\")\n");
    assert_eq!(did.err, "\\u{1b}[2J\n");

    let n = f.file("n.json", "1");
    for (args, words) in [
        (vec!["--turn", "1"], "the following required arguments were not provided: --trace <TRACE>; see --help"),
        (vec!["/no/task"], "/no/task: there is no such task; name a folder with a task.toml"),
        (vec!["--trace", "/no/t.jsonl"], "there is no such file"),
        (vec!["--ctx", "x=-"], "--ctx: standard input has the programs; write the input into a file, and name that"),
        (vec!["--ctx", "x=/no/file"], "--ctx: /no/file: there is no such file"),
        (vec!["--set", "fuel=1"], "fuel stands in a table of task.toml; write --set limits.fuel=VALUE"),
        (vec!["--save", n.as_str()], "n.json: it is there already; name a new file for --save"),
    ] {
        let did = repl(&args, "1\n");
        assert_eq!((did.code, did.out.as_str(), did.err.lines().count()), (2, "", 1), "{args:?}: {}", did.err);
        assert!(did.err.contains(words), "{args:?}: {}", did.err);
    }
}

#[test]
fn commands_tell_what_is_there() {
    let f = Folder::new("repl-commands");
    let task = f.task();
    let did = repl(&[&task], ":help\n");
    for word in [":help", ":tools", ":inputs", ":limits", ":all", ":reset", ":quit", "(doc f)", "(source f)", "*e"] {
        assert!(did.out.lines().any(|l| l.contains(word)), "{word}: {}", did.out);
    }
    assert_eq!(repl(&[&task], ":tools\n").out, "`(tool/stock item)`: Units [item string]\n");
    assert_eq!(repl(&[&task], ":inputs\n").out, "ctx/items list[2]\n");
    assert_eq!((repl(&[], ":tools\n").out, repl(&[], ":inputs\n").code), ("no tools\n".to_owned(), 0));
    let limits = repl(&["--set", "limits.fuel=1234"], ":limits\n(loop [] (recur))\n");
    assert!(limits.out.contains("fuel                   1234  "), "{}", limits.out);
    assert!(limits.code == 1 && limits.err.starts_with("Error: limit/fuel"), "{}", limits.err);
    // A keyword is a value, and what follows :quit is not run.
    let did = repl(&[], ":x\n(def a 1)\n:reset\na\n:quit\n5\n");
    assert_eq!((did.code, did.out.as_str()), (1, ":x\n#'user/a\n"));
    assert!(did.err.contains("all that was done here is forgotten\nError: name: unknown name a"), "{}", did.err);
    assert_eq!(repl(&[], "(range 3)\n:all\n").out, "(0 1 2)\n(0 1 2)\n");
}

#[test]
fn commands_of_other_shells_are_told_as_they_are_here() {
    for (typed, hint) in [
        ("help", ":help lists what there is"),
        ("?", ":help lists what there is"),
        ("(help)", ":help lists what there is"),
    ] {
        let did = repl(&[], &format!("{typed}\n"));
        assert!(did.code == 1 && did.err.ends_with('\n') && did.err.contains(&format!("\nhint: {hint}")), "{did:?}");
    }
    for way in ["exit", " (quit) ", ":q"] {
        let did = repl(&[], &format!("1\n{way}\n2\n"));
        assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "1\n", ""), "{way}");
    }
    // A name of one's own is one.
    let did = repl(&[], "(def quit 1)\nquit\n(+ help 1)\n");
    assert!(did.out.ends_with("\n1\n") && !did.err.contains(":help"), "{did:?}");
}

#[test]
fn a_name_whose_definition_was_taken_back_says_so() {
    let did = repl(&[], "(do (def rows [1 2]) (/ 1 0))\nrows\nother\n");
    let hint = "hint: rows was defined by an input that failed, which kept nothing: define it again\n";
    assert_eq!(
        (did.code, did.err.matches(hint).count(), did.err.matches("hint: other").count()),
        (1, 1, 0),
        "{}",
        did.err
    );
    assert!(did.err.contains(&format!("  1 | rows\n    | ^^^^\n{hint}")), "{}", did.err);
}

#[test]
fn functions_tell_what_they_are() {
    let program = "(defn f\n  \"Adds one\"\n  [x]\n  (inc x))\n(do (def g (fn [a] a)) (def g (comp f f)))\n";
    let ask = |what: &str| repl(&[], &format!("{program}{what}\n"));
    let out = |what: &str| ask(what).out.split_once("#'user/g\n").unwrap().1.to_owned();
    assert_eq!(out("(source f)"), "(defn f\n  \"Adds one\"\n  [x]\n  (inc x))\n");
    assert_eq!(out("(source g)"), "(def g (comp f f))\n");
    assert_eq!(out("(apropos \"split-l\")"), "(str/split-lines)\n");
    assert_eq!(ask("(doc f)").err, "f\n([x])\n  Adds one\n");
    for (what, words) in [
        ("(source map)", "error: map is part of the language and has no program; (doc map) tells what it does\n"),
        ("(source let)", "error: let is part of the language and has no program; (doc let) tells what it does\n"),
        ("(source ff)", "error: there is no definition of ff here; did you mean f?\n"),
        ("(source tool/x)", "error: there is no definition of tool/x here\n"),
    ] {
        let did = ask(what);
        assert_eq!((did.code, did.err.as_str()), (1, words));
    }
    // The newest definition counts, and one that was rolled back does not.
    let did = repl(&[], "(def f 1)\n(def f 2)\n(do (def f 3) (oops))\n(source f)\n");
    assert!(did.out.ends_with("(def f 2)\n"), "{}", did.out);
    // A definition of one's own has precedence.
    assert_eq!(
        repl(&[], "(defn source [x] (str x))\n(source 1)\n(def f 2)\n(source f)\n").out.lines().last(),
        Some("\"2\"")
    );
}

#[test]
fn a_task_gives_tools_inputs_and_limits_and_options_more() {
    let f = Folder::new("repl-task");
    let task = f.task();
    let more = f.file("more.csv", "id,price\n1,2.5\n");
    let program = "(tool/stock \"pen\")\n(map :name ctx/items)\n(:price (first ctx/extra))\n";
    let did = repl(&[&task, "--ctx", &format!("extra={more}")], program);
    assert_eq!((did.code, did.out.as_str()), (0, "3\n(\"pen\" \"ink\")\n2.5\n"), "{}", did.err);
    // Without a task there are inputs too, and it may be any kind of file.
    assert_eq!(repl(&["--ctx", &more], "(count ctx/more)\n").out, "1\n");
}

#[test]
fn calls_that_have_to_be_approved_are_not_made_where_nobody_can_be_asked() {
    let f = Folder::new("repl-approval");
    f.file("t/answers.jsonl", "{\"args\":{\"id\":1},\"result\":true}\n");
    let task = f.file(
        "t/task.toml",
        "[task]\nprompt=\"p\"\n[tools.refund]\ndescription=\"d\"\nparams=[{name=\"id\",type=\"integer\"}]\nreplay=\"answers.jsonl\"\napproval=\"always\"\n",
    );
    let did = repl(&[&task], "(tool/refund 1)\n(try (tool/refund 1) (catch Exception e :caught))\n");
    assert_eq!((did.code, did.out.as_str()), (1, ":caught\n"));
    let words = "each call of refund has to be approved, and nobody can be asked here: start ptc repl on a terminal";
    assert!(did.err.contains(words), "{}", did.err);
}

#[test]
fn a_trace_gives_its_memory_after_a_turn_and_calls_no_tool() {
    let f = Folder::new("repl-trace");
    let (task, trace, save) = (f.task(), f.path("t.jsonl"), f.path("saved.jsonl"));
    assert_eq!(ptc(&["run", &task, "--trace", &trace]).code, 0);
    let before = std::fs::read(&trace).unwrap();
    let at = |turn: &str, program: &str| repl(&["--trace", &trace, "--turn", turn], program);
    assert_eq!(at("1", "n\n").out, "3\n");
    let did = at("0", "n\n");
    assert!(did.code == 1 && did.err.starts_with("Error: name: unknown name n"), "{}", did.err);
    // It goes on after the trace has ended, and its recorded tools where they were: the first answer was 3.
    let did = repl(&["--trace", &trace], "n *1\n(tool/stock \"pen\")\n");
    assert_eq!(did.out, "{:pen [3 2], :by :shop}\n2\n");
    let did = at("9", "");
    assert_eq!(
        (did.code, did.err.as_str()),
        (2, format!("error: {trace}: there is no turn 9: the trace has 3; give --turn 0 to 3\n").as_str())
    );

    // Inputs beside the recorded ones, under names of their own.
    let extra = f.file("extra.json", "[7]");
    let did = repl(&["--trace", &trace, "--ctx", &extra], "[(first ctx/extra) (count ctx/items)]\n");
    assert_eq!(did.out, "[7 2]\n");
    let did = repl(&["--trace", &trace, "--ctx", &format!("items={extra}")], "");
    assert!(did.code == 2 && did.err.contains("the trace has an input items already"), "{}", did.err);

    // Kept in another trace: what was, and what is new.
    let did = repl(&["--trace", &trace, "--turn", "1", "--save", &save], "(def m (inc n))\n(oops)\n");
    assert_eq!(did.code, 1);
    assert_eq!(std::fs::read(&trace).unwrap(), before, "the trace itself stays as it is");
    let shown = ptc(&["trace", &save]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("== Turn 2: ok ==") && shown.out.contains("(def m (inc n))"), "{}", shown.out);
    assert!(shown.out.contains("== Turn 3: error =="), "{}", shown.out);
    assert_eq!(repl(&["--trace", &save], "[n m]\n").out, "[3 4]\n");
    assert_eq!(repl(&[&task, "--trace", &save, "--turn", "1"], "n\n").out, "3\n");
    // What was kept cannot be taken back.
    let other = f.path("other.jsonl");
    let did = repl(&["--save", &other], "(def x 1)\n:reset\nx\n");
    assert!(did.code == 1 && did.out.ends_with("1\n") && did.err.contains("--save"), "{did:?}");
    assert!(ptc(&["trace", &other]).out.contains("Turns: 2"), "{}", ptc(&["trace", &other]).out);
}

#[test]
fn help_has_examples_and_exit_codes() {
    let did = ptc(&["repl", "--help"]);
    assert_eq!((did.code, did.err.as_str()), (0, ""));
    for words in ["ptc repl --trace t.jsonl --turn 3", "| ptc repl", "Exit codes: 0, 1", "Ctrl-C", "--save <FILE>"] {
        assert!(did.out.contains(words), "{words}\n{}", did.out);
    }
}

#[test]
fn a_port_that_cannot_be_had_is_told() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let did = repl(&["--nrepl", &port], "");
    assert_eq!((did.code, did.out.as_str(), did.err.lines().count()), (2, "", 1));
    assert!(did.err.contains(&format!("--nrepl: port {port} of 127.0.0.1 cannot be had")), "{}", did.err);
    let did = repl(&["--nrepl", "--save", "x.jsonl"], "");
    assert!(did.code == 2 && did.err.contains("cannot be used with"), "{}", did.err);
    assert_eq!(repl(&["--nrepl", "70000"], "").code, 2);
}

#[test]
fn programs_are_told_how_a_task_inside_failed() {
    let f = Folder::new("repl-failure");
    let boss = f.file(
        "boss/task.toml",
        "[task]\nprompt = \"Ask.\"\nmodel = \"replay:r.md\"\n[agents.helper]\ntask = \"../helper\"\n",
    );
    f.file("helper/task.toml", "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n");
    f.file("helper/r.md", "## Turn 1\n(fail \"no data\")\n");
    let program =
        "(try (tool/helper \"x\") (catch Exception e (let [d (ex-data e)] [(:kind d) (:turns d) (:message d)])))";
    let did = repl(&[&boss], &format!("{program}\n"));
    assert_eq!((did.code, did.out.as_str()), (0, "[:failed 1 \"no data\"]\n"), "{}", did.err);
}

#[test]
fn functions_of_libraries_have_their_program() {
    let f = Folder::new("repl-libraries");
    let text = "(ns stats)\n\n(defn mean\n  \"Arithmetic mean.\" [xs]\n  (/ (sum xs) (count xs)))\n(def sizes [1 2])\n";
    f.file("t/lib/stats.lisp", text);
    let task = f.file("t/task.toml", "[task]\nprompt = \"p\"\n[libraries]\nstats = \"lib/stats.lisp\"\n");
    let did = repl(&[&task], "(source stats/mean)\n(source stats/sizes)\n(defn mean [x] x)\n(source mean)\n");
    let program = "(defn mean\n  \"Arithmetic mean.\" [xs]\n  (/ (sum xs) (count xs)))\n(def sizes [1 2])\n";
    assert_eq!((did.code, did.out), (0, format!("{program}#'user/mean\n(defn mean [x] x)\n")), "{}", did.err);
    let did = repl(&[&task], "(source stats/median)\n");
    assert_eq!(
        (did.code, did.err.as_str()),
        (1, "error: there is no definition of stats/median here; did you mean stats/mean?\n")
    );
}

#[test]
fn a_task_with_acts_is_a_session_beside_them() {
    let f = Folder::new("repl-acts");
    let text = "[task]\nname = \"phases\"\nprompt = \"Order.\"\nmodel = \"replay:r.md\"\n\
        [context.n]\nvalue = 7\n[tools.find]\ndescription = \"d\"\nreplay = \"find.jsonl\"\n\
        [toc]\norder = [\"read\", \"change\"]\n\
        [acts.read]\ntools = []\n[[acts.read.input]]\ntype = \"text\"\ncontent = \"Find it.\"\n\
        [acts.change]\n[[acts.change.input]]\ntype = \"tool\"\ntool = \"find\"\nargs = {}\n";
    let task = f.file("t/task.toml", text);
    f.file("t/find.jsonl", "{\"args\":{},\"result\":5}\n{\"args\":{},\"result\":6}\n");
    f.file("t/r.md", "## Turn 1\n(return 1)\n## Turn 2\n(return [ctx/n (tool/find {})])\n");
    let save = f.path("saved.jsonl");
    let did = repl(&[&task, "--save", &save], "(def found (tool/find {}))\n");
    let told = "The acts of this task are not opened: nothing of what they ask is here, and programs may call every tool. ptc repl --trace begins with what a run of it had.\n";
    assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "#'user/found\n", told));
    // It is the same task's when it goes on.
    for args in [vec!["--trace", &save], vec![&task, "--trace", &save, "--save", &f.path("more.jsonl")]] {
        let did = repl(&args, "[found ctx/n]\n");
        assert_eq!((did.code, did.out.as_str()), (0, "[5 7]\n"), "{}", did.err);
    }
    // A run has acts, and says that this one has none.
    let words = "saved.jsonl is a session of ptc repl, which opens none of the task's acts";
    let next = "go on with it by ptc repl --trace ";
    for did in [ptc(&["run", &task, "--resume", &save]), ptc_with(&["step", &save, "--task", &task, "-"], "(return 1)")]
    {
        assert!(did.code == 2 && did.err.contains(words) && did.err.contains(next), "{did:?}");
    }
    // What a run had is there with its trace, and every tool with it.
    let trace = f.path("run.jsonl");
    let did = ptc(&["run", &task, "--trace", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "[7 6]\n"), "{}", did.err);
    let did = repl(&["--trace", &trace], "*1\n");
    assert_eq!((did.code, did.out.as_str()), (0, "[7 6]\n"), "{}", did.err);
    // Another task's is refused.
    let other = f.file("other/task.toml", &text.replace("\"Order.\"", "\"Sell.\""));
    let did = repl(&[&other, "--trace", &save], "1\n");
    assert!(did.code == 2 && did.err.contains("is the trace of another task"), "{did:?}");
}
