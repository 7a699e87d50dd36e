//! Limits of a whole run: told before they end it, ended by with a kind of its own, gone on with when they are higher.

use crate::common::{Folder, Server, ptc_in, said};
use serde_json::Value;

/// A task with these limits; its path.
fn task(f: &Folder, limits: &str, more: &str) -> String {
    f.file("t/tool.sh", "cat >> calls; echo >> calls; echo 1\n");
    f.file(
        "t/task.toml",
        &format!(
            "[task]\nprompt = \"p\"\nmodel = \"openai/m\"\nmax_turns = 20\n[limits]\n{limits}\n{more}\n\
             [tools.t]\ndescription = \"d\"\nread_only = true\ncommand = [\"sh\", \"tool.sh\"]\n"
        ),
    );
    f.path("t")
}

/// Each request takes 100 tokens, each reply 10.
#[test]
fn tokens_of_the_run_end_it_and_a_higher_limit_goes_on() {
    let f = Folder::new("limit-tokens");
    let server = Server::new(|n, _| Ok(if n < 3 { format!("(def x{n} {n})") } else { "(return x2)".to_owned() }));
    let dir = task(&f, "max_tokens_total = 330", "");
    let trace = f.path("t.jsonl");
    let did = ptc_in(&["run", &dir, "--trace", &trace, "--json"], "", server.around());
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!(
        (did.code, &line["status"], &line["error"]["kind"]),
        (3, &"limit".into(), &"limit".into()),
        "{}",
        did.err
    );
    assert_eq!(line["error"]["message"], "the run has used 330 tokens, and max_tokens_total is 330");
    assert!(line["error"]["hint"].as_str().unwrap().contains("go on with a higher max_tokens_total"));
    assert_eq!((&line["turns"], &line["usage"]["total"]["input_tokens"]), (&3.into(), &300.into()));
    // It was told: 220 tokens are less than three quarters, 330 are more.
    let asked = server.asked();
    let last = |n: usize| said(&asked[n]["messages"]).last().unwrap().1.clone();
    assert_eq!(asked.len(), 3);
    assert!(last(2).ends_with("Turn 3 of 20"), "{}", last(2));
    let did = ptc_in(&["run", &dir, "--resume", &trace], "", server.around());
    assert_eq!((did.code, server.asked().len()), (3, 3), "what was used counts: {}", did.err);
    task(&f, "max_tokens_total = 1000", "");
    let did = ptc_in(&["run", &dir, "--resume", &trace], "", server.around());
    assert_eq!((did.code, did.out.as_str()), (0, "2\n"), "{}", did.err);
    let asked = server.asked();
    let told = said(&asked[3]["messages"]).last().unwrap().1.clone();
    assert!(told.ends_with("Turn 4 of 20; used so far: 330/330 tokens, the run ends when none is left"), "{told}");
}

/// What a subtask used counts that ended in vain and is begun anew with each run.
#[test]
fn what_was_done_in_vain_counts_over_all_runs() {
    let f = Folder::new("limit-vain");
    f.file("t/task.toml", "[task]\nmodel = \"replay:r.md\"\n[limits]\nmax_tool_calls_total = 3\n[acts.a]\nmode = \"text\"\n[[acts.a.input]]\ntype = \"narrative\"\ntask = \"../inner\"\n");
    f.file("t/r.md", "## Turn 1\nDone.\n");
    f.file("inner/tool.sh", "cat >> calls; echo >> calls; echo 1\n");
    f.file("inner/r.md", "## Turn 1\n(def x (tool/t {:n 1}))\n(fail \"no\")\n");
    f.file("inner/task.toml", "[task]\nname = \"inner\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[tools.t]\ndescription = \"d\"\nread_only = true\ncommand = [\"sh\", \"tool.sh\"]\n");
    let (dir, trace) = (f.path("t"), f.path("t.jsonl"));
    let mut last = ptc_in(&["run", &dir, "--trace", &trace, "--json"], "", Default::default());
    for _ in 0..5 {
        last = ptc_in(&["run", &dir, "--resume", &trace, "--json"], "", Default::default());
    }
    let calls = std::fs::read_to_string(f.path("inner/calls")).expect(&last.err).matches("\"n\"").count();
    assert_eq!((calls, last.out.contains("max_tool_calls_total is 3")), (3, true), "{} {}", last.out, last.err);
}

/// The command that goes on names a limit that is not used up already, whatever was used of it.
#[test]
fn a_limit_to_go_on_with_is_more_than_was_used() {
    let f = Folder::new("limit-more");
    f.file("t/tool.sh", "sleep 1; echo 1\n");
    f.file("t/r.md", "## Turn 1\n(def x (tool/t {}))\n## Turn 2\n(return x)\n");
    f.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[limits]\nmax_seconds = 0.1\n[tools.t]\ndescription = \"d\"\ncommand = [\"sh\", \"tool.sh\"]\n");
    let around = ptc_cli::CliContext { home: Some(f.0.join("home")), ..Default::default() };
    let did = ptc_in(&["run", &f.path("t")], "", around);
    let to = did
        .err
        .split("limits.max_seconds=")
        .nth(1)
        .and_then(|s| s.split(|c: char| c != '.' && !c.is_ascii_digit()).next());
    // The call was given up after a tenth of a second.
    assert!(did.code == 3 && to.and_then(|s| s.parse::<f64>().ok()).is_some_and(|s| s >= 0.2), "{}", did.err);
}

/// What a sub-agent was doing when the time was over is named, with the commands that open its trace and decide.
#[cfg(unix)]
#[test]
fn calls_inside_that_the_time_ended_are_named() {
    let f = Folder::new("limit-in-flight");
    f.file(
        "t/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[limits]\nmax_seconds = 1\n[agents.helper]\ntask = \"../inner\"\n",
    );
    f.file("t/r.md", "## Turn 1\n(return (tool/helper {:request \"x\"}))\n");
    f.file("inner/tool.sh", "cat > /dev/null; sleep 20; echo 1\n");
    f.file("inner/r.md", "## Turn 1\n(return (tool/slow {:n 1}))\n");
    f.file("inner/task.toml", "[task]\nname = \"inner\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[tools.slow]\ndescription = \"d\"\ncommand = [\"sh\", \"tool.sh\"]\n");
    let task = f.path("t");
    let at = |args: &[&str]| {
        let around = ptc_cli::CliContext { home: Some(f.0.join("home")), ..Default::default() };
        ptc_in(args, "", around)
    };
    let did = at(&["run", &task]);
    assert!(did.code == 3 && did.err.contains("max_seconds is 1: turn 1 was given up;"), "{}", did.err);
    let line = |begin: &str| {
        let found = did.err.lines().find_map(|l| l.trim().strip_prefix(begin).map(str::trim).map(str::to_owned));
        found.unwrap_or_else(|| panic!("{begin}: {}", did.err))
    };
    assert_eq!(line("call 1: tool/slow"), "{\"n\":1}");
    let words = |line: String| line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let show = words(line("of a subtask:"));
    let shown = at(&show.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(shown.code == 0 && show[1].contains("/agent-helper-"), "{show:?} {}", shown.err);
    assert!(shown.out.contains("slow {\"n\":1}"), "{}", shown.out);
    // `ptc approve ID/LABEL 1 --answer FILE.json` as it was printed.
    let mut answer = words(line("answer it:"));
    *answer.last_mut().unwrap() = f.file("answer.json", "42");
    let said = at(&answer.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.code, 0, "{}", said.err);
    let did = at(&["run", &task, "--continue", "--set", "limits.max_seconds=600"]);
    assert_eq!((did.code, did.out.as_str()), (0, "42\n"), "{}", did.err);
}

/// A limit of the cost that a configuration has is named with its file, and both ways out work.
#[test]
fn a_limit_of_the_cost_in_a_configuration_is_named_and_can_be_met_or_left_out() {
    let f = Folder::new("limit-config-cost");
    let server = Server::new(|_, _| Ok("(return 1)".to_owned()));
    let config = f.file("config.toml", "[limits]\nmax_cost = 0.05\n");
    let dir = f.file("t/task.toml", "[task]\nname = \"t\"\nprompt = \"p\"\nmodel = \"openai/m\"\n");
    let at = |args: &[&str]| {
        let named = ptc_cli::ConfigFile::Named((&config).into());
        ptc_in(args, "", ptc_cli::CliContext { config: named, ..server.around() })
    };
    let did = at(&["run", &dir]);
    let words =
        format!("{config}: [limits] has max_cost, and the task t has no price for all its models; give it one:");
    let (price, without) = ("--set \"model.price={ input = 1.25, output = 10 }\"", "--set limits.max_cost=none");
    assert!(
        did.code == 2 && did.err.contains(&words) && did.err.contains(price) && did.err.contains(without),
        "{}",
        did.err
    );
    assert_eq!(server.asked().len(), 0);
    for out in ["limits.max_cost=none", "model.price={ input = 1.25, output = 10 }"] {
        let did = at(&["run", &dir, "--set", out]);
        assert_eq!((did.code, did.out.as_str()), (0, "1\n"), "{out}: {}", did.err);
    }
    // A task that says it has none is asked.
    let free =
        f.file("free/task.toml", "[task]\nprompt = \"p\"\nmodel = \"openai/m\"\n[limits]\nmax_cost = \"none\"\n");
    let did = at(&["run", &free]);
    assert_eq!(did.code, 0, "{}", did.err);
    let own = f.file(
        "own/task.toml",
        "[task]\nname = \"own\"\nprompt = \"p\"\nmodel = \"openai/m\"\n[limits]\nmax_cost = 1\n",
    );
    let did = at(&["run", &own]);
    assert!(did.code == 2 && did.err.contains(&format!("{own}:6: [limits] has max_cost")), "{}", did.err);
}

/// A price that an argument gives is that of the model that an argument names.
#[test]
fn a_price_from_the_command_line_belongs_to_the_model_from_there() {
    let f = Folder::new("limit-price");
    let server = Server::new(|n, _| Ok(format!("(def x{n} {n})")));
    let priced = "[task]\nname = \"t\"\nprompt = \"p\"\nmodel = \"openai/other\"\n[limits]\nmax_cost = 0.15\n[model]\nprice = { input = 1, output = 0 }\n";
    let dir = f.file("t/task.toml", priced);
    // The task's price is of its own model.
    let did = ptc_in(&["run", &dir, "--model", "openai/m"], "", server.around());
    assert!(did.code == 2 && did.err.contains("has no price"), "{}", did.err);
    let price = "model.price={ input = 1000, output = 0 }";
    let did = ptc_in(&["run", &dir, "--model", "openai/m", "--set", price], "", server.around());
    assert!(did.code == 3 && did.err.contains("the run has used 0.200000 in cost"), "{}", did.err);
    assert_eq!(server.asked().len(), 2);
}

/// The call that would be one too many is not made, and the turn is not lost.
#[test]
fn calls_of_the_run_end_it_before_they_are_made() {
    let f = Folder::new("limit-calls");
    let program = "(def a (tool/t {:n 1}))\n(def b (tool/t {:n 2}))\n(def c (tool/t {:n 3}))\n(return [a b c])";
    let server = Server::new(move |_, _| Ok(program.to_owned()));
    let dir = task(&f, "max_tool_calls_total = 2", "");
    let trace = f.path("t.jsonl");
    let did = ptc_in(&["run", &dir, "--trace", &trace], "", server.around());
    assert_eq!(did.code, 3, "{}", did.err);
    assert!(
        did.err.contains("limit after 0 turns: the run has used 2 tool calls, and max_tool_calls_total is 2"),
        "{}",
        did.err
    );
    let calls = || std::fs::read_to_string(f.path("t/calls")).unwrap().matches("\"n\"").count();
    assert_eq!(calls(), 2);
    task(&f, "max_tool_calls_total = 3", "");
    let did = ptc_in(&["run", &dir, "--resume", &trace], "", server.around());
    assert_eq!((did.code, did.out.as_str(), calls(), server.asked().len()), (0, "[1 1 1]\n", 3, 1), "{}", did.err);
}

#[test]
fn cost_and_seconds_are_limits_too() {
    let f = Folder::new("limit-cost");
    let server = Server::new(|n, _| Ok(format!("(def x{n} {n})")));
    let price = "[model]\nprice = { input = 1000, output = 0 }";
    // 100 tokens cost 0.1.
    let did = ptc_in(&["run", &task(&f, "max_cost = 0.25", price)], "", server.around());
    assert_eq!((did.code, server.asked().len()), (3, 3), "{}", did.err);
    assert!(
        did.err.contains("the run has used 0.300000 in cost, and max_cost is 0.25; go on with a higher max_cost"),
        "{}",
        did.err
    );
    let asked = server.asked();
    let told = said(&asked[2]["messages"]).last().unwrap().1.clone();
    assert!(told.ends_with("Turn 3 of 20; used so far: 0.2000/0.25 cost, the run ends when none is left"), "{told}");
    let did = ptc_in(&["run", &task(&f, "max_cost = 0.25", "")], "", server.around());
    assert_eq!((did.code, server.asked().len()), (2, 3));
    assert!(
        did.err.contains("[limits] has max_cost, and the task t has no price for all its models; give it one"),
        "{}",
        did.err
    );
    let did = ptc_in(&["run", &task(&f, "max_seconds = 0.000001", "")], "", server.around());
    assert_eq!((did.code, server.asked().len()), (3, 3), "{}", did.err);
    for (limits, words) in [
        ("max_cost = -1", "task.toml:6: max_cost must be a number above 0, got -1"),
        ("max_seconds = 0", "task.toml:6: max_seconds must be a number above 0, got 0"),
        ("max_tokens_total = \"x\"", "max_tokens_total must be a whole number"),
        ("max_seconds = \"nil\"", "task.toml:6: max_seconds must be a number, got text"),
        ("max_token_total = 5", "did you mean max_tokens_total?"),
    ] {
        let did = ptc_in(&["run", &task(&f, limits, price)], "", server.around());
        assert_eq!(did.code, 2, "{limits}");
        assert!(did.err.contains(words), "{limits}: {}", did.err);
    }
}

/// What a task inside uses counts for the run, and ends it; in a worker it is told just so.
#[test]
fn subtasks_are_part_of_the_run() {
    let f = Folder::new("limit-inside");
    f.file("inner/task.toml", "[task]\nprompt = \"Add.\"\nmax_turns = 9\n");
    let outer = |limit: u64| {
        f.file(
            "outer/task.toml",
            &format!(
                "[task]\nprompt = \"p\"\nmodel = \"openai/m\"\n[limits]\nmax_tokens_total = {limit}\n[agents.helper]\ntask = \"../inner\"\n"
            ),
        )
    };
    let server = Server::new(|_, body| {
        let inside = said(&body["messages"]).iter().any(|(_, text)| text.starts_with("Add."));
        Ok(if inside { "(println 1)" } else { "(println (tool/helper {:request \"1\"}))" }.to_owned())
    });
    let trace = f.path("t.jsonl");
    let did = ptc_in(&["run", &outer(500), "--trace", &trace, "--json"], "", server.around());
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((did.code, &line["status"]), (3, &"limit".into()), "{}", did.err);
    // One request of its own, four of the helper: the fifth was the last that there was room for.
    assert_eq!((server.asked().len(), &line["usage"]["input_tokens"]), (5, &100.into()));
    assert_eq!(
        (&line["usage"]["total"]["input_tokens"], &line["usage"]["total"]["output_tokens"]),
        (&500.into(), &50.into())
    );
    let did = ptc_in(&["run", &outer(500), "--resume", &trace, "--json"], "", server.around());
    let again: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((did.code, server.asked().len()), (3, 5), "the helper's tokens are read from its trace: {}", did.err);
    assert_eq!(again["usage"]["total"]["input_tokens"], 500);
}
