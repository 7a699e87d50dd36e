//! A question behind an answer: `ptc ask --continue`, and what says how to go on with a question.

use crate::common::{Did, Folder, ptc_in};
use ptc_cli::CliContext;
use serde_json::Value;

fn at(f: &Folder, args: &[&str]) -> Did {
    ptc_in(args, "", CliContext { home: Some(f.0.join("home")), ..CliContext::default() })
}

fn replies(f: &Folder, programs: &[&str]) -> String {
    let turns = programs.iter().enumerate().map(|(i, p)| format!("## Turn {}\n```clojure\n{p}\n```\n\n", i + 1));
    format!("replay:{}", f.file("replies.md", &turns.collect::<String>()))
}

fn newest(f: &Folder) -> String {
    let did = at(f, &["sessions", "--json"]);
    let line: Value = serde_json::from_str(did.out.lines().next().unwrap()).unwrap();
    line["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_question_is_followed_by_another_with_its_memory_inputs_and_tools() {
    let f = Folder::new("follow-up");
    let orders = f.file("orders.csv", "id,qty\n1,2\n2,5\n");
    let tool = f.file("twice.sh", "read -r line\necho 42\n");
    let model = replies(
        &f,
        &[
            "(def rows ctx/orders) (return (count rows))",
            "(return [(count rows) (count ctx/orders) (tool/twice {})])",
            "(return (apply + (map :qty rows)))",
        ],
    );
    let tool = format!("sh {tool}");
    let first = at(&f, &["ask", "How many?", "--ctx", &orders, "--tool", &tool, "--model", &model]);
    assert_eq!((first.code, first.out.as_str()), (0, "2\n"), "{}", first.err);
    let id = newest(&f);
    assert!(first.err.contains(&format!("ptc ask --resume {id} QUESTION")), "{}", first.err);
    // Nothing but the question is given again.
    let second = at(&f, &["ask", "--resume", &id, "And with the tool?"]);
    assert_eq!((second.code, second.out.as_str()), (0, "[2 2 42]\n"), "{}", second.err);
    let messages = at(&f, &["messages", &id, "--turn", "2"]).out;
    assert!(messages.contains("=> 2") && messages.contains("And with the tool?"), "{messages}");
    assert!(messages.contains("Turn 2 of "), "{messages}");
    // The newest one of this folder; it is the same session, append-only, and replays.
    let third = at(&f, &["ask", "--continue", "And the sum?"]);
    assert_eq!((third.code, third.out.as_str()), (0, "7\n"), "{}", third.err);
    assert_eq!(newest(&f), id);
    let shown = at(&f, &["trace", &id]).out;
    assert!(shown.contains("== Question 2 ==") && shown.contains("And the sum?"), "{shown}");
    let page = f.path("page.html");
    assert_eq!(at(&f, &["trace", &id, "--report", &page]).code, 0);
    assert!(std::fs::read_to_string(&page).unwrap().contains("Question 3: And the sum?"));
    // Its memory is in the REPL, with its inputs and its tools.
    let did = ptc_in(
        &["repl", "--trace", &id],
        "[(count rows) (count ctx/orders) (tool/twice {})]\n",
        CliContext { home: Some(f.0.join("home")), ..CliContext::default() },
    );
    assert!(did.code == 0 && did.out.contains("[2 2 42]"), "{did:?}");
    // An input that is not what it was is told, and so is one that is gone.
    f.file("orders.csv", "id,qty\n1,3\n");
    let changed = at(&f, &["ask", "--continue", "Once more?"]);
    assert!(changed.code == 2 && changed.err.contains("the input orders has changed"), "{changed:?}");
    std::fs::remove_file(f.path("orders.csv")).unwrap();
    let gone = at(&f, &["ask", "--continue", "Once more?"]);
    assert!(gone.code == 2 && gone.err.contains("orders.csv: there is no such file"), "{gone:?}");
}

#[test]
fn a_trace_that_is_kept_in_a_file_is_asked_with_its_inputs_given_again() {
    let f = Folder::new("follow-up-file");
    let orders = f.file("orders.csv", "id\n1\n2\n");
    let model = replies(&f, &["(def n (count ctx/orders)) (return n)", "(return (inc n))"]);
    let trace = f.path("t.jsonl");
    let did = at(&f, &["ask", "How many?", "--ctx", &orders, "--model", &model, "--trace", &trace]);
    assert_eq!(did.out, "2\n", "{}", did.err);
    let did = at(&f, &["ask", "And one more?", "--resume", &trace, "--model", &model]);
    let words = "the session reads the input orders, which was not given; give it again: --ctx orders=FILE";
    assert!(did.code == 2 && did.err.contains(words), "{did:?}");
    let did = at(&f, &["ask", "And one more?", "--resume", &trace, "--model", &model, "--ctx", &orders]);
    assert_eq!(did.out, "3\n", "{}", did.err);
    // Its memory is in the REPL too: the trace names the file.
    let did = ptc_in(&["repl", "--trace", &trace], "(inc n)\n", CliContext::default());
    assert!(did.code == 0 && did.out.contains('3'), "{did:?}");
}

/// The prompt that is kept offers its tools, so they have to be there; what the session was asked with stays as it is.
#[test]
fn a_further_question_needs_the_tools_that_the_prompt_offers() {
    let f = Folder::new("follow-up-tools");
    let twice = format!("sh {}", f.file("twice.sh", "read -r line\necho 42\n"));
    let other = format!("sh {}", f.file("other.sh", "read -r line\necho 1\n"));
    let model = replies(&f, &["(return 1)", "(return (tool/twice {}))", "(return 3)"]);
    let first = at(&f, &["ask", "One?", "--tool", &twice, "--model", &model]);
    assert_eq!(first.out, "1\n", "{}", first.err);
    let did = at(&f, &["ask", "--continue", "Two?", "--tool", &other]);
    let words =
        "the session's prompt offers tool/twice, which is not there now; give them again (ptc ask --tool twice=COMMAND";
    assert!(did.code == 2 && did.err.contains(words), "{}", did.err);
    let did = at(&f, &["ask", "--continue", "Two?", "--output", "jsonl"]);
    let lines: Vec<Value> = did.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let types: Vec<&str> = lines.iter().map(|l| l["type"].as_str().unwrap()).collect();
    assert_eq!(types[..3], ["run_started", "question_asked", "turn_started"], "{did:?}");
    assert_eq!((&lines[1]["text"], &lines[1]["turn"]), (&"Two?".into(), &2.into()), "{}", lines[1]);
    assert_eq!(lines.last().unwrap()["value"], "42", "{did:?}");
    assert_eq!(at(&f, &["ask", "--continue", "Three?"]).out, "3\n");
}

/// Two tasks may be alike but for who answers their tools: a session is not gone on with by the other one.
#[test]
fn a_session_does_not_go_on_with_tools_of_another_folder() {
    let f = Folder::new("other-tools");
    let replies = "## Turn 1\n(def a (tool/pay {}))\n## Turn 2\n(return a)\n";
    for (folder, script) in [("a/x", "echo 1"), ("b/x", "echo 2"), ("c/x", "echo 1")] {
        let task = "[task]\nname = \"x\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[tools.pay]\ncommand = [\"sh\", \"pay.sh\"]\n";
        f.file(&format!("{folder}/task.toml"), task);
        f.file(&format!("{folder}/r.md"), replies);
        f.file(&format!("{folder}/pay.sh"), &format!("read -r line\n{script}\n"));
    }
    let (a, b, c) = (f.path("a/x"), f.path("b/x"), f.path("c/x"));
    assert_eq!(at(&f, &["run", &a, "--max-turns", "1"]).code, 3);
    let id = newest(&f);
    let did = at(&f, &["run", &b, "--resume", &id, "--max-turns", "5"]);
    let words = format!(
        "tool/pay of this task is not what the session was begun with, in {a}; name the task that it was begun"
    );
    assert!(did.code == 2 && did.err.contains(&words), "{}", did.err);
    // A copy has the same tools, and a task may mend its own.
    let fork = at(&f, &["sessions", "fork", &id, "--turn", "1"]).out;
    assert_eq!(at(&f, &["run", &c, "--resume", fork.trim(), "--max-turns", "5"]).out, "1\n");
    f.file("a/x/pay.sh", "read -r line\necho 3\n");
    let did = at(&f, &["run", &a, "--resume", &id, "--max-turns", "5"]);
    assert_eq!(did.out, "1\n", "{}", did.err);
}

#[test]
fn a_question_is_answered_before_the_next_and_goes_on_without_being_repeated() {
    let f = Folder::new("follow-up-open");
    let model = replies(&f, &["(def n 1)", "(return n)", "(def m 2)", "(return [n m])"]);
    let did =
        at(&f, &["ask", "First?", "--model", &model, "--max-turns", "2", "--set", "limits.max_tool_calls_total=9"]);
    assert_eq!(did.out, "1\n", "{}", did.err);
    let id = newest(&f);
    // The next has turns of its own.
    let did = at(&f, &["ask", "--continue", "Second?", "--max-turns", "1"]);
    assert_eq!(did.code, 3, "{}", did.err);
    let more = at(&f, &["ask", "--resume", &id, "--max-turns", "2"]);
    assert_eq!(more.out, "[1 2]\n", "{}", more.err);
    let again = at(&f, &["ask", "--resume", &id]);
    assert!(again.code == 2 && again.err.contains("ask it another question"), "{}", again.err);
    // One that is not answered yet goes first.
    let broken = replies(&f, &["(def n 1)"]);
    let did = at(&f, &["ask", "Third?", "--model", &broken]);
    assert_eq!(did.code, 1, "{}", did.err);
    let id = newest(&f);
    let did = at(&f, &["ask", "--continue", "Fourth?"]);
    let words = format!("that is not answered yet; go on with its own question first: ptc ask --resume {id}\n");
    assert!(did.code == 2 && did.err.ends_with(&words), "{}", did.err);
    let model = replies(&f, &["(def n 1)", "(return 5)"]);
    let did = at(&f, &["ask", "--resume", &id, "--model", &model]);
    assert_eq!(did.out, "5\n", "{}", did.err);
    // A fork says the command that is right for it.
    let fork = at(&f, &["sessions", "fork", &id, "--turn", "1"]);
    let new = fork.out.trim();
    assert!(fork.err.contains(&format!("go on with ptc ask --resume {new}")), "{}", fork.err);
    assert_eq!(at(&f, &["ask", "--resume", new, "--model", &model]).out, "5\n");
    let none = Folder::new("follow-up-none");
    let did = at(&none, &["ask", "--continue", "Any?"]);
    assert!(did.code == 2 && did.err.contains("no session of a question asked in this folder is kept"), "{}", did.err);
}

#[test]
fn one_message_for_all_turns_has_no_place_for_a_second_question() {
    let f = Folder::new("follow-up-coalesced");
    let model = replies(&f, &["(def n 1)", "(return n)", "(return (inc n))"]);
    let set = ["--set", "history.layout=coalesced", "--set", "history.compress_history=true"];
    let mut args = vec!["ask", "First?", "--model", &model];
    args.extend(set);
    assert_eq!(at(&f, &args).out, "1\n");
    let id = newest(&f);
    let before = at(&f, &["messages", &id, "--turn", "2"]).out;
    assert_eq!(at(&f, &["ask", "--continue", "Second?"]).out, "2\n");
    assert_eq!(at(&f, &["messages", &id, "--turn", "2"]).out, before);
    let after = at(&f, &["messages", &id, "--turn", "3"]).out;
    assert!(after.contains("First?") && after.contains("Second?"), "{after}");
}

#[test]
fn a_task_is_asked_more_with_a_prompt() {
    let f = Folder::new("follow-up-task");
    let model = replies(&f, &["(def n 1) (return n)", "(return (inc n))"]);
    let task = f.path("one");
    std::fs::create_dir(&task).unwrap();
    f.file("one/task.toml", "[task]\nprompt = \"Count\"\n");
    assert_eq!(at(&f, &["run", &task, "--model", &model]).out, "1\n");
    let did = at(&f, &["run", &task, "--model", &model, "--continue"]);
    assert!(did.code == 2 && did.err.contains("has ended: it returned"), "{}", did.err);
    let did = at(&f, &["run", &task, "--model", &model, "--continue", "--prompt", "And one more?"]);
    assert_eq!(did.out, "2\n", "{}", did.err);
}

#[test]
fn a_decision_about_a_call_of_a_question_says_the_command_that_goes_on() {
    let f = Folder::new("follow-up-approve");
    let tool = f.file("pay.sh", "read -r line\necho 1\n");
    let tool = format!("sh {tool}");
    let model = replies(&f, &["(def a (tool/pay {:to \"acme\"})) (return a)"]);
    let args = ["ask", "Pay", "--tool", &tool, "--set", "tools.pay.approval=\"always\"", "--model", &model];
    let did = at(&f, &args);
    assert_eq!(did.code, 6, "{}", did.err);
    let id = newest(&f);
    let wrong = at(&f, &["approve", &id, "7"]);
    assert!(wrong.err.contains("call 7 does not wait for a decision; call 1 waits"), "{}", wrong.err);
    let did = at(&f, &["approve", &id, "1"]);
    assert!(did.err.contains(&format!("go on with ptc ask --resume {id}\n")), "{}", did.err);
    assert_eq!(at(&f, &["ask", "--resume", &id]).out, "1\n");
}

#[test]
fn a_call_that_was_denied_is_shown_as_one_that_was_not_made() {
    let f = Folder::new("follow-up-denied");
    let tool = format!("sh {}", f.file("pay.sh", "read -r line\necho 1\n"));
    let model = replies(&f, &["(tool/pay {:to \"acme\"})", "(return 2)"]);
    let args = ["ask", "Pay", "--tool", &tool, "--set", "tools.pay.approval=\"always\"", "--model", &model];
    assert_eq!(at(&f, &args).code, 6);
    let id = newest(&f);
    assert_eq!(at(&f, &["approve", &id, "1", "--deny", "too dear"]).code, 0);
    assert_eq!(at(&f, &["ask", "--resume", &id]).out, "2\n");
    let trace = at(&f, &["trace", &id]).out;
    assert!(trace.contains("denied, not made: too dear"), "{trace}");
    let prompt = at(&f, &["messages", &id, "--turn", "2"]).out;
    assert!(prompt.contains("calls denied, and not made: pay") && !prompt.contains("calls made before"), "{prompt}");
    let page = f.path("page.html");
    assert_eq!(at(&f, &["trace", &id, "--report", &page]).code, 0);
    assert!(std::fs::read_to_string(&page).unwrap().contains("denied, not made: too dear"));
}

/// Who decided and when is in the trace, and wherever calls are shown.
#[test]
fn who_decided_about_a_call_is_kept_and_shown() {
    let f = Folder::new("follow-up-decided");
    let tool = format!("sh {}", f.file("pay.sh", "read -r line\necho 1\n"));
    let program = "(return [(tool/pay {:n 1}) (try (tool/pay {:n 2}) (catch Exception _ 0)) (tool/pay {:n 3})])";
    let model = replies(&f, &[program]);
    let args = ["ask", "Pay", "--tool", &tool, "--set", "tools.pay.approval=\"always\"", "--model", &model];
    assert_eq!(at(&f, &args).code, 6);
    let id = newest(&f);
    assert_eq!(at(&f, &["approve", &id, "1", "--by", "Ann <b>"]).code, 0);
    let waits = at(&f, &["trace", &id]).out;
    assert!(waits.contains("may be made now (decided by Ann <b>, 20"), "{waits}");
    assert_eq!(at(&f, &["ask", "--resume", &id]).code, 6);
    assert_eq!(at(&f, &["approve", &id, "2", "--deny", "too dear", "--by", "Bob"]).code, 0);
    assert_eq!(at(&f, &["ask", "--resume", &id]).code, 6);
    // Nobody is named: who sits here.
    assert_eq!(at(&f, &["approve", &id, "3"]).code, 0);
    assert_eq!(at(&f, &["ask", "--resume", &id]).out, "[1 0 1]\n");
    let trace = at(&f, &["trace", &id]).out;
    assert!(trace.contains(", decided by Ann <b>, 20") && trace.contains(", denied by Bob, 20"), "{trace}");
    let shown = at(&f, &["sessions", "show", &id]).out;
    let decisions: Vec<&str> = shown.lines().filter(|l| l.starts_with("decision: ")).collect();
    assert!(
        decisions.len() == 3 && decisions[1].starts_with("decision: call 2, tool/pay, denied by Bob, 20"),
        "{shown}"
    );
    let page = f.path("page.html");
    assert_eq!(at(&f, &["trace", &id, "--report", &page]).code, 0);
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("decided by Ann &lt;b&gt;, 20") && page.contains("was denied by Bob, 20"), "{page}");
}

#[test]
fn a_script_that_is_not_there_is_no_tool_of_its_interpreter() {
    let f = Folder::new("follow-up-script");
    let model = replies(&f, &["(return 1)"]);
    for tool in ["python3 gone.py", "pay=sh gone/pay.sh --fast"] {
        let did = at(&f, &["ask", "q", "--tool", tool, "--model", &model]);
        assert!(did.code == 2 && did.err.contains("there is no script \"gone"), "{did:?}");
    }
}
