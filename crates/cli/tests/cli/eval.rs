//! `ptc eval` from outside: values, lines of JSON, batches, inputs, limits, exit codes.

use crate::common::{Folder, ptc, ptc_with};

fn without_usage(line: &str) -> String {
    match line.split_once(",\"usage\":{") {
        Some((head, tail)) => format!("{head}{}", tail.split_once('}').unwrap().1),
        None => line.to_owned(),
    }
}

#[test]
fn values_on_stdout_and_all_else_on_stderr() {
    let did = ptc(&["eval", "-e", "(def x [1 2 3]) (map inc x)"]);
    assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "(2 3 4)\n", ""));
    let did = ptc(&["eval", "-e", "(def x 20)", "-e", "(println \"hi\") (inc x)"]);
    assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "#'user/x\nhi\n21\n", ""));
    let did = ptc_with(&["eval", "-"], "(return :done)");
    assert_eq!((did.code, did.out.as_str()), (0, ":done\n"));
    let did = ptc(&["eval", "-e", "(foo 1)"]);
    assert_eq!((did.code, did.out.as_str()), (1, ""));
    assert!(did.err.starts_with("Error: name: unknown name foo\n  1 | (foo 1)\n    |  ^^^"), "{}", did.err);
}

/// As `clojure -e` and `bb -e` write: what is printed as it appears, then the value unless it is nil.
#[test]
fn what_is_printed_comes_before_the_value_on_stdout() {
    for (program, out) in [
        ("(println 1) (print \"a\") 5", "1\na5\n"),
        ("(println \"hi\")", "hi\n"),
        ("nil", ""),
        ("(return nil)", ""),
        ("false", "false\n"),
        ("(def x 1)", "#'user/x\n"),
        ("(prn \"q\") (print \"\\u001b[2J\") \"v\\u001b[2J\"", "\"q\"\n\u{1b}[2J\"v\u{1b}[2J\"\n"),
    ] {
        let did = ptc(&["eval", "-e", program]);
        assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, out, ""), "{program}");
    }
    // What was printed before it failed is there, and so is what comes of the next program.
    let did = ptc(&["eval", "-e", "(println 1) (print 2) (+ :a 1)", "-e", "(println 3)"]);
    assert_eq!((did.code, did.out.as_str()), (0, "1\n23\n"));
    assert!(did.err.starts_with("Error: type: "), "{}", did.err);
    let did = ptc(&["eval", "--set", "limits.fuel=5_000", "-e", "(println \"begun\") (loop [] (recur))"]);
    assert_eq!((did.code, did.out.as_str()), (1, "begun\n"), "{}", did.err);
    assert!(did.err.ends_with("\n  a higher fuel: --set limits.fuel=N\n"), "{}", did.err);
}

#[test]
fn a_raw_string_has_no_quotes() {
    for (program, out) in [
        ("\"a\\n\\\"b\\\" \\u00e9\"", "a\n\"b\" é\n"),
        ("(return \"x\")", "x\n"),
        ("[\"a\"]", "[\"a\"]\n"),
        (":k", ":k\n"),
        ("nil", ""),
    ] {
        assert_eq!(ptc(&["eval", "--raw", "-e", program]).out, out, "{program}");
    }
    assert_eq!(ptc(&["eval", "--raw", "--json", "-e", "1"]).code, 2);
}

/// What options mean in other commands they mean here.
#[test]
fn inputs_and_limits_are_given_as_to_other_commands() {
    let f = Folder::new("eval-given");
    let csv = f.file("rows.csv", "a,b\n1,2\n");
    assert_eq!(ptc(&["eval", "--ctx", &csv, "-e", "(count ctx/rows)"]).out, "1\n");
    let did = ptc_with(&["eval", "--ctx", "-.csv", "-e", "(count ctx/stdin)"], "a,b\n1,2\n3,4\n");
    assert_eq!(did.out, "2\n", "{}", did.err);
    let limits = f.file("limits.toml", "fuel = 1_000_000\n");
    let spends = "(reduce + (range 1000))";
    assert_eq!(ptc(&["eval", "--limits", &limits, "-e", spends]).code, 0);
    let did = ptc(&["eval", "--limits", &limits, "--set", "limits.fuel=100", "-e", spends]);
    assert!(did.code == 1 && did.err.contains("fuel = 100"), "{}", did.err);
}

#[test]
fn json_is_one_line_a_turn() {
    let did = ptc(&["eval", "--json", "-e", "(def x 1) (println \"a\" x) (print \"b\") {:k :v}"]);
    assert_eq!(
        without_usage(&did.out),
        "{\"status\":\"ok\",\"value\":\"{:k :v}\",\"json\":{\"k\":\"v\"},\"output\":\"a 1\\nb\",\"defined\":[\"x\"]}\n"
    );
    assert!(did.out.contains("\"usage\":{\"fuel\":"), "{}", did.out);
    let did = ptc(&["eval", "--json", "-e", "(println 1)\n(foo 1)"]);
    assert_eq!(did.code, 1);
    assert!(did.out.starts_with("{\"status\":\"error\",\"error\":{\"kind\":\"name\",\"message\":\"unknown name foo\",\"line\":2,\"column\":2,\"hint\":"), "{}", did.out);
    assert!(did.out.ends_with(",\"output\":\"\"}\n"), "{}", did.out);
    let did = ptc(&["eval", "--json", "-e", "(fail \"no\")", "-e", "(return 1)", "-e", "2"]);
    let lines: Vec<&str> = did.out.lines().collect();
    assert_eq!((did.code, lines.len()), (0, 3));
    assert!(
        lines[0].contains("\"kind\":\"failed\"") && lines[1].starts_with("{\"status\":\"ok\",\"value\":\"1\""),
        "{}",
        did.out
    );
}

#[test]
fn files_are_turns_of_one_session() {
    let f = Folder::new("files");
    let (a, b) = (f.file("a.clj", "\u{feff}(def x 1)"), f.file("b.clj", "(+ x ctx/n)"));
    let n = f.file("n.json", "41");
    let did = ptc(&["eval", &a, &b, "--ctx", &format!("n={n}")]);
    assert_eq!((did.code, did.out.as_str()), (0, "#'user/x\n42\n"));
    let limits = f.file("limits.toml", "fuel = 1_000\n");
    let did = ptc(&["eval", "--json", "--limits", &limits, "-e", "(loop [] (recur))"]);
    assert!(did.code == 1 && did.out.contains("\"kind\":\"limit/fuel\""), "{}", did.out);
}

#[test]
fn what_cannot_be_run_is_one_line_and_exit_2() {
    let f = Folder::new("wrong");
    let bad = f.path("bad.clj");
    std::fs::write(&bad, b"(str \"\xff\")").unwrap();
    let limits = f.file("l.toml", "fule = 1");
    for (args, words) in [
        (vec!["eval", "/no/such.clj"], "error: /no/such.clj: there is no such file; check the name\n"),
        (
            vec!["eval", "(+ 1 '2)"],
            "error: (+ 1 '2): there is no such file; a program is given as ptc eval -e '(+ 1 '\\''2)'\n",
        ),
        (vec!["eval", "/"], "error: /: that is a folder; name a file in it\n"),
        (vec!["eval"], "error: nothing to run; give a FILE, -e EXPR, or - for standard input\n"),
        (vec!["eval", bad.as_str()], "not UTF-8 text (line 1, byte 7); save it as UTF-8\n"),
        (
            vec!["eval", "--limits", limits.as_str(), "-e", "1"],
            "l.toml:1: unknown key fule in the file; did you mean fuel?\n",
        ),
        (
            vec!["eval", "--ctx", "no-such.csv", "-e", "1"],
            "error: --ctx: no-such.csv: there is no such file; check its name; it is looked for where ptc was started\n",
        ),
        (
            vec!["eval", "--set", "limits.fule=1", "-e", "1"],
            "error: --set: limits.fule is no limit of a turn; did you mean limits.fuel?\n",
        ),
        (
            vec!["eval", "--set", "task.model=x", "-e", "1"],
            "error: --set: task.model is no limit of a turn; ptc eval --help lists them; ptc run and ptc repl have the other keys\n",
        ),
        (
            vec!["eval", "--ctx", "x=-", "-"],
            "error: --ctx: standard input has the programs; write the input into a file, and name that\n",
        ),
        (
            vec!["eval", "--jsn", "-e", "1"],
            "error: unexpected argument '--jsn' found; tip: a similar argument exists: '--json'; see --help\n",
        ),
        (vec!["aks"], "error: unrecognized subcommand 'aks'; tip: a similar subcommand exists: 'ask'; see --help\n"),
        (vec!["evil"], "error: unrecognized subcommand 'evil'; tip: a similar subcommand exists: 'eval'; see --help\n"),
    ] {
        let did = ptc(&args);
        assert_eq!((did.code, did.out.as_str(), did.err.lines().count()), (2, "", 1), "{args:?}: {}", did.err);
        assert!(did.err.ends_with(words), "{}", did.err);
    }
    let did = ptc(&["eval", "--json", &bad]);
    assert!(did.code == 1 && did.out.contains("\"kind\":\"parse\""), "{}", did.out);
}

#[test]
fn batches_answer_in_order() {
    let lines = concat!(
        "{\"id\": 1, \"source\": \"(def x 1) x\"}\n",
        "{\"id\": \"b\", \"turns\": [\"(def y 2)\", \"(inc y)\"]}\n\n",
        "{\"id\": [3], \"source\": \"x\"}\n",
        "nonsense\n",
        "{\"id\": 5}\n",
        "{\"source\": \"\\\"no id\\\"\"}"
    );
    let did = ptc_with(&["eval", "--batch"], lines);
    assert_eq!((did.code, did.err.as_str()), (0, ""));
    let out: Vec<String> = did.out.lines().map(without_usage).collect();
    assert_eq!(out.len(), 6);
    assert_eq!(out[0], "{\"id\":1,\"status\":\"ok\",\"value\":\"1\",\"json\":1,\"output\":\"\",\"defined\":[\"x\"]}");
    assert!(
        out[1].starts_with("{\"id\":\"b\",\"turns\":[{\"status\":\"ok\",") && did.out.contains("\"value\":\"3\""),
        "{}",
        out[1]
    );
    assert!(out[2].starts_with("{\"id\":[3],\"status\":\"error\",\"error\":{\"kind\":\"name\""), "{}", out[2]);
    assert!(out[3].starts_with("{\"id\":null,\"status\":\"error\",\"error\":{\"kind\":\"parse\""), "{}", out[3]);
    assert!(out[4].starts_with("{\"id\":5,\"status\":\"error\""), "{}", out[4]);
    assert_eq!(
        out[5],
        "{\"id\":null,\"status\":\"ok\",\"value\":\"\\\"no id\\\"\",\"json\":\"no id\",\"output\":\"\",\"defined\":[]}"
    );
    for line in did.out.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

#[test]
fn test_tools_behave_and_misbehave() {
    let f = Folder::new("tools");
    // However long the machine takes: only what never ends is held to time.
    let roomy = f.file("roomy.toml", "wall_ms = 0\nmemory_bytes = 50_000_000\n");
    let short = f.file("short.toml", "wall_ms = 200\n");
    let run = |program: &str| {
        let limits = if program.contains("slow 1000000") { &short } else { &roomy };
        ptc(&["eval", "--test-tools", "--limits", limits, "-e", program])
    };
    for (program, out, err) in [
        ("(tool/echo {:a [1 \"x\"]})", "{:a [1 \"x\"]}\n", ""),
        ("(try (tool/fail) (catch Exception e (ex-message e)))", "\"failed, as asked\"\n", ""),
        ("(try (tool/panic) (catch Exception e (ex-message e)))", "\"the tool panicked: panicked, as asked\"\n", ""),
        ("(tool/slow 1)", "1\n", ""),
        ("(count (tool/big {:bytes 1000}))", "1000\n", ""),
        ("(tool/deep :depth 3)", "[[[nil]]]\n", ""),
        ("(tool/wide 3)", "[0 1 2]\n", ""),
        ("(tool/big 100000000)", "", "Error: limit/memory: "),
        ("(tool/big 1000000000000)", "", "Error: tool: tool/big: this tool makes "),
        ("(tool/deep 100000)", "", "Error: limit/depth: "),
        ("(tool/slow 1000000)", "", "Error: tool: tool/slow: no answer within the turn's time (wall_ms = 200)"),
        ("(try (tool/slow 1000000) (catch Exception e :caught))", ":caught\n", ""),
    ] {
        let did = run(program);
        assert_eq!(did.out, out, "{program}: {}", did.err);
        assert!(did.err.starts_with(err), "{program}: {}", did.err);
    }
}

#[test]
fn help_names_every_limit() {
    let did = ptc(&["eval", "--help"]);
    assert_eq!((did.code, did.err.as_str()), (0, ""));
    for (name, value, _) in ptc_agent::task::options::limit_list(&Default::default()) {
        assert!(
            did.out.lines().any(|l| l.trim().starts_with(name) && l.contains(&value.to_string())),
            "{name}\n{}",
            did.out
        );
    }
    assert_eq!(ptc(&["--version"]).out, format!("ptc {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(ptc(&[]).code, 2);
}

/// Notes are shown, to people and as data; a failed turn makes none.
#[test]
fn notes_of_a_turn_are_shown() {
    let program = "(note :rates \"3 of 5\") (note \"seen\") (note :old nil) 1";
    let did = ptc(&["eval", "-e", program]);
    assert_eq!((did.code, did.out.as_str()), (0, "1\n"));
    assert_eq!(did.err, "noted rates: 3 of 5\nnoted: seen\nnote old taken back\n");
    let did = ptc(&["eval", "--json", "-e", program]);
    let notes =
        "\"notes\":[{\"name\":\"rates\",\"text\":\"3 of 5\"},{\"text\":\"seen\"},{\"name\":\"old\",\"text\":null}]";
    assert!(did.out.contains(notes), "{}", did.out);
    let did = ptc(&["eval", "-e", "(note \"seen\") (fail \"no\")"]);
    assert!(did.code == 1 && !did.err.contains("noted"), "{}", did.err);
    assert!(!ptc(&["eval", "--json", "-e", "1"]).out.contains("notes"));

    let f = Folder::new("notes-shown");
    let task = f.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n");
    f.file("t/r.md", "## Turn 1\n(note :rates \"3 of 5\") (return 1)\n");
    let did = ptc(&["run", &task, "-v"]);
    assert!(did.err.contains("\n  noted rates: 3 of 5\n"), "{}", did.err);
}

/// The hint that a model gets, as a note: the value is what it was.
#[test]
fn a_misspelt_key_is_hinted_at() {
    let program = "(def rows [{:name \"Ann\"} {:name \"Ben\"}]) (map :naem rows)";
    let hint = "hint: no key :naem in maps with :name; did you mean :name?\n";
    let did = ptc(&["eval", "-e", program]);
    assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (0, "(nil nil)\n", hint));
    let did = ptc_with(&["repl"], &format!("{program}\n(map :name rows)\n(get {{\"unit price\" 1}} \"unit pric\")\n"));
    assert_eq!(did.out, "(nil nil)\n(\"Ann\" \"Ben\")\nnil\n");
    assert_eq!(did.err.matches("hint: no key ").count(), 2, "{}", did.err);
    assert!(did.err.contains(hint) && did.err.contains("did you mean (get m \"unit price\")?"), "{}", did.err);
    // Of a failed turn the report has it, once.
    let did = ptc(&["eval", "-e", "(inc (:naem {:name 1}))"]);
    assert_eq!((did.code, did.err.matches("did you mean :name?").count()), (1, 1), "{}", did.err);
    let did = ptc(&["eval", "--json", "-e", program]);
    assert!(did.out.contains(r#""missed_keys":[{"key":":naem","near":":name"}]"#), "{}", did.out);
    assert!(!ptc(&["eval", "--json", "-e", "1"]).out.contains("missed_keys"));
}
