//! Known answers of tasks: judged when a run ends, checked with the task, never shown to a model.

use crate::common::{Folder, Server, ptc, ptc_in};
use serde_json::Value;

/// A task that returns `{:by :shop :total 5.0}`, with these lines in `[task]`; its path.
fn task(f: &Folder, lines: &str) -> String {
    let text = format!(
        "[task]\nname = \"sum\"\nprompt = \"Add.\"\nmodel = \"replay:r.md\"\n{lines}\n[context.n]\nvalue = [2, 3]\n"
    );
    f.file("sum/task.toml", &text);
    f.file("sum/r.md", "## Turn 1\n(def x (reduce + ctx/n))\n## Turn 2\n(return {:by :shop :total (* 1.0 x)})\n");
    f.path("sum")
}

#[test]
fn a_run_says_whether_its_answer_is_right() {
    let f = Folder::new("answers");
    f.file("sum/a.json", "{\"total\": 5, \"by\": \"shop\"}");
    f.file("sum/b.edn", "{:by :other, :total 5}");
    f.file("sum/c.md", "## Turn 1\n(fail \"no idea\")\n");
    let wrong = "wrong: answer.by must be \"other\", got \"shop\"\n";
    for (lines, right, words) in [
        ("answer = \"a.json\"", Some(true), "right\n"),
        ("answer = \"b.edn\"", Some(false), wrong),
        ("answer = { total = 5, by = \"other\" }", Some(false), wrong),
        ("answer = { total = 5.004, by = \"shop\" }\nanswer_tolerance = 0.01", Some(true), "right\n"),
        ("answer_program = \"(fn [answer] (= (reduce + ctx/n) (long (:total answer))))\"", Some(true), "right\n"),
        ("answer_program = '(fn [a] (str \"by \" (:by a)))'", Some(false), "wrong: by shop\n"),
        ("", None, ""),
    ] {
        let task = task(&f, lines);
        let did = ptc(&["run", &task, "--json"]);
        let line: Value = serde_json::from_str(&did.out).unwrap();
        assert_eq!((did.code, line.get("right").and_then(Value::as_bool)), (0, right), "{lines}: {did:?}");
        assert!(did.err.ends_with(&format!("returned after 2 turns\n{words}")), "{lines}: {}", did.err);
    }
    // What gave up, or had no turn left, is wrong; what did not end is neither.
    let task = task(&f, "answer = 5");
    let ends = |more: &[&str]| {
        let did = ptc(&[&["run", &task, "--json"], more].concat());
        let line: Value = serde_json::from_str(&did.out).unwrap();
        (did.code, line.get("right").cloned(), did.err)
    };
    let (code, right, err) = ends(&["--model", &format!("replay:{}", f.path("sum/c.md"))]);
    assert_eq!((code, right), (1, Some(Value::Bool(false))));
    assert!(err.ends_with("wrong: it gave up: \"no idea\"\n"), "{err}");
    let (code, right, err) = ends(&["--max-turns", "1"]);
    assert_eq!((code, right), (3, Some(Value::Bool(false))));
    assert!(err.ends_with("wrong: no turn was left\n"), "{err}");
    f.file("sum/r.md", "## Turn 1\n1\n");
    let (code, right, err) = ends(&[]);
    assert_eq!((code, right), (1, None));
    assert!(!err.contains("wrong"), "{err}");
}

#[test]
fn no_model_sees_an_answer() {
    let f = Folder::new("answers-hidden");
    for lines in [
        "answer = \"secret.json\"",
        "answer = { code = \"s3cr3t\" }",
        "answer_program = '(fn [answer] (= (:code answer) \"s3cr3t\"))'",
    ] {
        f.file("task/secret.json", "{\"code\": \"s3cr3t\"}");
        f.file(
            "task/task.toml",
            &format!(
                "[task]\nname = \"t\"\nprompt = \"Guess.\"\nmodel = \"openai/m\"\n{lines}\n[context.n]\nvalue = 1\n"
            ),
        );
        let server = Server::new(|n, _| {
            Ok(["(println (doc ctx/n)) (println ctx/n)", "(println (turn/list))", "(return {:code \"s3cr3t\"})"][n]
                .to_owned())
        });
        let trace = f.path("t.jsonl");
        let _ = std::fs::remove_file(&trace);
        let did = ptc_in(&["run", &f.path("task"), "--trace", &trace], "", server.around());
        assert!(did.code == 0 && did.err.contains("\nright\n"), "{did:?}");
        let asked = server.asked();
        assert_eq!(asked.len(), 3);
        for body in &asked {
            let text = body.to_string();
            assert!(
                !text.contains("s3cr3t") && !text.contains("answer_program") && !text.contains("secret.json"),
                "{text}"
            );
        }
        let kept = std::fs::read_to_string(&trace).unwrap();
        let head = kept.lines().next().unwrap();
        assert!(
            !head.contains("s3cr3t")
                && !head.contains("\"answer")
                && !head.contains("answer_program")
                && !head.contains("secret.json"),
            "{head}"
        );
        // The program asks for what is there, and there is nothing of that name.
        assert_eq!(ptc(&["messages", &trace, "--turn", "3"]).out.matches("s3cr3t").count(), 0);
    }
    f.file("task/r.md", "## Turn 1\n(return ctx/answer)\n## Turn 2\n(return 1)\n");
    f.file("task/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\nanswer = 1\n");
    let did = ptc(&["run", &f.path("task"), "--json"]);
    assert!(did.out.contains("\"turns\":2") && did.err.contains("right"), "{did:?}");
}

#[test]
fn a_check_says_what_is_wrong_with_an_answer_and_a_run_says_it_before_it_begins() {
    let f = Folder::new("answers-checked");
    f.file("sum/deep.json", &("[".repeat(50_000) + &"]".repeat(50_000)));
    f.file("sum/bad.json", "{\"total\": 5");
    f.file("sum/text.json", "{\"total\": \"five\"}");
    f.file("sum/answer.txt", "5");
    f.file("secret.json", "5");
    // As long as a file of people may be, and longer.
    std::fs::File::create(f.path("sum/long.json")).unwrap().set_len((16 << 20) + 1).unwrap();
    for (lines, words) in [
        ("answer = \"gone.json\"", "gone.json: there is no such file; check the name"),
        ("answer = \"bad.json\"", "bad.json: "),
        ("answer = \"deep.json\"", "deep.json: "),
        ("answer = \"long.json\"", "long.json: it has more than 524288 bytes, the most that is read"),
        ("answer = \"../secret.json\"", "\"../secret.json\" is outside the task's folder; write allow_outside = true"),
        ("answer = \"answer.txt\"", "a file with the answer is one of JSON or EDN; let its name end in .json or .edn"),
        ("answer_program = \"(fn [a] (oops a))\"", "answer_program: line 1: "),
        ("answer_program = \"(fn [a\"", "answer_program: line 1: "),
        ("answer_program = \"5\"", "answer_program: its value is 5, not a function; end it with (fn [answer] ...)"),
        ("answer_program = 5", "answer_program must be text in quotes, got a number"),
        ("answer_program = \"first\"\nanswer = 1", "answer and answer_program; keep one of them"),
        ("answer_tolerance = 0.1", "answer_tolerance belongs to an answer; add answer = \"answer.json\""),
        ("answer_tolerance = -1\nanswer = 1", "answer_tolerance must be a number from 0"),
        ("answers = 1", "unknown key answers in [task]; did you mean answer?"),
        (
            "answer = \"text.json\"\nexpect = \"{total: number}\"",
            "the answer does not fit what is expected: answer.total must be a number, got \"five\"; correct one of them",
        ),
        (
            "answer = { total = 5 }\nexpect = { type = \"object\", required = [\"sum\"] }",
            "the answer does not fit what is expected: at the top: \"sum\" is a required property; correct one of them",
        ),
    ] {
        let task = task(&f, lines);
        let did = ptc(&["check", &task]);
        assert!(did.code == 1 && did.out.contains(words), "{lines}: {did:?}");
        assert!(did.out.lines().count() == 1 && did.out.contains("sum/task.toml:"), "{lines}: {did:?}");
        let did = ptc(&["run", &task]);
        assert!(did.code == 2 && did.err.contains(words) && did.err.len() < 800, "{lines}: {did:?}");
    }
    let task = task(&f, "answer = { total = 5.0 }\nexpect = \"{total: integer}\"");
    assert_eq!(ptc(&["check", &task]).code, 0);
}
