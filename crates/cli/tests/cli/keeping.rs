//! What is kept stays kept: files of their own, calls that are not made twice, replies that are not run blind.

use crate::common::{Folder, ptc, ptc_in, ptc_with, without_journal};
use ptc_cli::CliContext;

#[test]
fn no_file_is_written_by_two_options() {
    let f = Folder::new("one-file");
    let (task, file) = (f.task(), f.path("x"));
    assert_eq!(ptc(&["run", &task, "--trace", &file, "--max-turns", "2"]).code, 3);
    let before = std::fs::read_to_string(&file).unwrap();
    let dotted = f.path("./shop/../x");
    let new = f.path("new");
    let mut ways = vec![
        ("--trace", file.clone(), "--record", file.clone()),
        ("--trace", file.clone(), "--record", dotted.clone()),
        ("--resume", file.clone(), "--report", dotted),
        ("--record", new.clone(), "--report", f.path("./new")),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&file, f.path("link")).unwrap();
        std::os::unix::fs::symlink("new", f.path("to-new")).unwrap();
        std::fs::hard_link(&file, f.path("hard")).unwrap();
        ways.push(("--resume", file.clone(), "--record", f.path("link")));
        ways.push(("--resume", file.clone(), "--report", f.path("hard")));
        ways.push(("--trace", new.clone(), "--record", f.path("to-new")));
    }
    for (one, a, two, b) in ways {
        let did = ptc(&["run", &task, one, &a, two, &b]);
        let words = format!("error: {one} and {two} name one file, {b}; give each a file of its own\n");
        assert_eq!((did.code, did.err), (2, words));
    }
    assert!(std::fs::read_to_string(&file).unwrap() == before && !std::path::Path::new(&new).exists());
    let did =
        ptc(&["run", &task, "--resume", &file, "--record", &new, "--report", &f.path("page"), "--max-turns", "4"]);
    assert_eq!(did.code, 0, "{}", did.err);
}

/// A text act that two tools are called for, one of them once `open.txt` is there, between these further inputs.
fn edited(f: &Folder, first: &str, last: &str) -> String {
    let input = |more: &str| format!("[[acts.look.input]]\n{more}\n");
    let count = |name: &str, then: &str| {
        format!("[tools.{name}]\ncommand = [\"sh\", \"-c\", \"echo x >> {name}.txt; {then}; wc -l < {name}.txt\"]\n")
    };
    let text = format!(
        "[task]\nname = \"acts\"\nmodel = \"replay:r.md\"\n[acts.look]\nmode = \"text\"\n{first}{}{}{last}{}{}",
        input("type = \"tool\"\ntool = \"tick\"\nargs = { a = 1, b = 2 }"),
        input("type = \"tool\"\ntool = \"door\""),
        count("tick", "true"),
        count("door", "test -f open.txt || exit 1"),
    );
    f.file("acts/r.md", "## Turn 1\nThree.\n");
    f.file("acts/task.toml", &text)
}

/// Inputs have moved since: a call is known by what it asked.
#[cfg(unix)]
#[test]
fn a_call_for_an_input_is_not_made_again_when_the_task_was_edited() {
    let f = Folder::new("edited");
    let (task, trace) = (edited(&f, "", ""), f.path("t.jsonl"));
    assert_eq!(ptc(&["run", &task, "--trace", &trace]).code, 1);
    let words = "[[acts.look.input]]\ntype = \"text\"\ncontent = \"What is there?\"\n";
    let tick = "[[acts.look.input]]\ntype = \"tool\"\ntool = \"tick\"\nargs = { b = 2, a = 1 }\n";
    edited(&f, words, "");
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert!(did.code == 1 && did.err.contains("act look, input 3: the tool door failed"), "{}", did.err);
    // Failed twice, it is one call that is made again. A second call of the same is one more.
    edited(&f, words, tick);
    f.file("acts/open.txt", "");
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "Three.\n"), "{}", did.err);
    for line in [
        "1 tool call of the trace is not repeated: tick (1)\n",
        "1 tool call for inputs failed and is made again: door (1)\n",
    ] {
        assert!(did.err.contains(line), "{line}\n{}", did.err);
    }
    let asked = ptc(&["messages", &trace, "--turn", "1"]).out;
    assert!(asked.ends_with("[USER]\nWhat is there?\n1\n3\n2\n\n"), "{asked}");
    assert_eq!(std::fs::read_to_string(f.path("acts/tick.txt")).unwrap(), "x\nx\n");
}

/// A call that the task does not ask for any more is neither kept nor made.
#[cfg(unix)]
#[test]
fn calls_that_nobody_asks_for_any_more_are_not_counted() {
    let f = Folder::new("unasked");
    let (task, trace) = (edited(&f, "", ""), f.path("t.jsonl"));
    assert_eq!(ptc(&["run", &task, "--trace", &trace]).code, 1);
    let text = std::fs::read_to_string(&task).unwrap();
    f.file("acts/open.txt", "");
    f.file("acts/task.toml", &text.replace("a = 1", "a = 3"));
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert!(did.code == 0 && !did.err.contains("not repeated"), "{}", did.err);
    assert!(did.err.contains("1 tool call for inputs failed and is made again: door (1)\n"), "{}", did.err);
}

#[test]
fn a_reply_to_an_act_that_could_not_begin_is_not_run() {
    let f = Folder::new("blind");
    f.file(
        "acts/task.toml",
        "[task]\nname = \"acts\"\nmodel = \"replay:r.md\"\n[toc]\norder = [\"look\", \"count\"]\n\
         [acts.look]\nmode = \"text\"\n[[acts.look.input]]\ntype = \"text\"\ncontent = \"Look.\"\n\
         [acts.count]\n[[acts.count.input]]\ntype = \"file\"\nfile = \"late.md\"\n",
    );
    let (task, trace) = (f.path("acts"), f.path("t.jsonl"));
    assert_eq!(ptc(&["step", &trace, "--task", &task]).code, 0);
    let did = ptc_with(&["step", &trace, "--json", "-"], "Seen.");
    assert!(did.code == 0 && did.out.ends_with(",\"ended\":false,\"act_due\":true}\n"), "{did:?}");
    assert!(did.err.contains("the next act cannot begin yet: act count, input 1: "), "{}", did.err);
    let blind = "(return \"blind\")";
    let did = ptc_with(&["step", &trace, "-"], blind);
    assert!(did.code == 2 && did.out.is_empty(), "{did:?}");
    let before = f.path("before.jsonl");
    std::fs::copy(&trace, &before).unwrap();
    f.file("acts/late.md", "Count them.");
    let did = ptc_with(&["step", &trace, "-"], blind);
    assert_eq!((did.code, did.out.lines().next()), (5, Some("Count them.")), "{did:?}");
    assert!(did.err.contains("the act count has begun only now; the reply was not run"), "{}", did.err);
    let did = ptc_with(&["step", &before, "--json", "-"], blind);
    let head = "{\"turn\":2,\"status\":\"asked\",\"feedback\":\"Count them.";
    assert!(did.code == 5 && did.out.starts_with(head) && did.out.ends_with("\"ended\":false}\n"), "{did:?}");
    let did = ptc_with(&["step", &trace, "--json", "-"], "(return 3)");
    assert!(did.code == 0 && did.out.starts_with("{\"turn\":2,\"status\":\"returned\""), "{did:?}");
}

/// A session goes on without the keys of models that nobody asks any more, the task's own among them.
#[test]
fn keys_of_acts_that_are_over_are_not_needed() {
    let f = Folder::new("keys");
    let task = |look: &str, own: &str| {
        let act = |name: &str, more: &str| {
            format!("[acts.{name}]\nmode = \"text\"\n{more}[[acts.{name}.input]]\ntype = \"text\"\ncontent = \"Go.\"\n")
        };
        let text = format!(
            "[task]\nname = \"acts\"\n{own}[toc]\norder = [\"look\", \"tell\"]\n{}{}",
            act("look", look),
            act("tell", "model = \"replay:tell.md\"\n")
        );
        f.file("acts/task.toml", &text)
    };
    f.file("acts/look.md", "## Turn 1\nSeen.\n");
    f.file("acts/tell.md", "## Turn 1\nTold.\n");
    let trace = f.path("t.jsonl");
    let needs = "anthropic/claude-x needs a key; set ANTHROPIC_API_KEY";
    let bare = || CliContext::default();
    for (here, gone) in [
        (("model = \"replay:look.md\"\n", ""), ("model = \"anthropic/claude-x\"\n", "")),
        (("", "model = \"replay:look.md\"\n"), ("", "model = \"anthropic/claude-x\"\n")),
    ] {
        let _ = std::fs::remove_file(&trace);
        let did = ptc_in(&["run", &task(here.0, here.1), "--trace", &trace], "", bare());
        assert_eq!(did.code, 0, "{}", did.err);
        // As a crash leaves it behind the first act.
        let text = without_journal(&trace);
        f.file("t.jsonl", &text.lines().take(3).map(|l| format!("{l}\n")).collect::<String>());
        let place = task(gone.0, gone.1);
        let did = ptc_in(&["run", &place, "--trace", &f.path("new.jsonl")], "", bare());
        assert!(did.code == 2 && did.err.contains(needs), "{}", did.err);
        let did = ptc_in(&["run", &place, "--resume", &trace], "", bare());
        assert_eq!((did.code, did.out.as_str()), (0, "Told.\n"), "{}", did.err);
    }
}

#[test]
fn help_is_a_command() {
    let did = ptc(&["help"]);
    assert!(did.code == 0 && did.out.contains("ptc") && did.out.contains("step"), "{did:?}");
    assert_eq!(ptc(&["help", "step"]).out, ptc(&["step", "--help"]).out);
}
