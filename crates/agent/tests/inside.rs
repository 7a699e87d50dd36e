//! Subtasks: narratives and sub-agents, their traces, and how they are continued.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::folder::Folder;
use crate::ran::{go_on, run};
use ptc_agent::{FnModel, Observer, Reply, Request, RunContext, SubtaskEvent, SubtaskStep, Task, TraceFile};
use ptc_turns::{Act, Session, Trace, TurnRecord};

#[test]
fn tasks_that_run_each_other_are_refused() {
    let task =
        |other: &str| format!("[task]\n[acts.a]\n[[acts.a.input]]\ntype = \"narrative\"\ntask = \"../{other}\"\n");
    let f = Folder::new("circle", &[("task.toml", &task("b")), ("../b/task.toml", &task("task"))]);
    let error = Task::load(&f.0.join("task")).unwrap_err().to_string();
    assert!(error.contains("tasks run each other in a circle: task -> b -> task; take one out"), "{error}");
    assert!(!error.contains('\n'));
    let chain: Vec<(String, String)> = (0..12)
        .map(|i| {
            (format!("../n{i}/task.toml"), format!("[task]\nprompt = \"p\"\n[agents.next]\ntask = \"../n{}\"\n", i + 1))
        })
        .collect();
    let files: Vec<(&str, &str)> = chain.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let f = Folder::new("deep", &files);
    let error = Task::load(&f.0.join("n0")).unwrap_err().to_string();
    assert!(error.contains("more than 8 tasks inside each other: n0 -> n1"), "{error}");
}

const BOSS: &str = r#"
[task]
prompt = "Ask around."
[history]
compress_history = true
println_history_limit = 3
[limits]
fuel = 7_000_000
[agents.helper]
task = "../helper"
[agents.adder]
task = "../adder"
description = "Adds"
params = [{ name = "a", type = "integer" }, { name = "b", type = "integer" }]
"#;

/// P-03: options are taken over field by field.
#[test]
fn agents_are_tools_with_traces_of_their_own() {
    let f = Folder::new(
        "agents",
        &[
            ("task.toml", BOSS),
            (
                "../helper/task.toml",
                "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n[history]\nprintln_history_limit = 9\n[limits]\ncall_depth = 50\n",
            ),
            ("../helper/r.md", "## Turn 1\n(def x {:said \"hm\"})\n## Turn 2\n(return x)\n"),
            (
                "../adder/task.toml",
                "[task]\nprompt = \"Add.\"\nmodel = \"replay:r.md\"\nexpect = \"integer\"\n[context.b]\nvalue = 1\n",
            ),
            ("../adder/r.md", "## Turn 1\n(return (+ ctx/a ctx/b))\n"),
        ],
    );
    let (end, trace, _, seen) = run(
        &f,
        &[
            "(def h (tool/helper \"what now?\"))",
            "(tool/adder 1 \"x\")",
            "(return [h (tool/adder 20 22) (try (tool/helper \"\") (catch Exception e :no))])",
        ],
    );
    assert_eq!(end.value.as_deref(), Some("[{:said \"hm\"} 42 {:said \"hm\"}]"), "{:?}", end.error);
    assert!(
        seen[0].contains("- `(tool/helper request)`: An agent: Help.")
            && seen[0].contains("- `(tool/adder a b)` returns integer: Adds")
    );
    assert!(trace.turns()[1].error.is_some(), "arguments are checked before anyone is asked");
    let kept = traces(&f, "t.agent-helper-");
    let [silent, helper] = kept.as_slice() else { panic!("{}", kept.len()) };
    assert_eq!((helper.header.prompt.as_str(), helper.turns().len()), ("Help.\n\nwhat now?", 2));
    // Field by field: its own where it says so, the caller's else.
    let p = &helper.header.policy;
    assert_eq!((p.compress_history, p.println_history_limit), (true, Some(9)));
    assert_eq!((helper.header.limits.fuel, helper.header.limits.call_depth), (7_000_000, 50));
    let adder = traces(&f, "t.agent-adder-");
    assert_eq!((adder.len(), adder[0].header.inputs.len()), (1, 2));
    assert_eq!(silent.header.prompt, "Help.");
}

/// The traces whose files begin so, by their prompts.
fn traces(f: &Folder, begin: &str) -> Vec<Trace> {
    let files = std::fs::read_dir(&f.0).unwrap().map(|e| e.unwrap().path());
    let ours = files.filter(|p| p.file_name().unwrap().to_string_lossy().starts_with(begin));
    let mut all: Vec<Trace> = ours.map(|p| Trace::parse(&std::fs::read(p).unwrap()).unwrap().trace).collect();
    all.sort_by(|a, b| a.header.prompt.cmp(&b.header.prompt));
    all
}

/// What an agent did is found again by what it was asked: calls that are made together begin in any order, and a turn
/// that was lost may make others when it is run again.
#[test]
fn agents_go_on_with_their_own_call() {
    let task = "[task]\nprompt = \"Ask.\"\n[agents.helper]\ntask = \"../helper\"\n";
    let helper = "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n";
    let replies = "## Turn 1\n(def x 1)\n## Turn 2\n(return (count (turn/list)))\n";
    let files = [("task.toml", task), ("../helper/task.toml", helper), ("../helper/r.md", replies)];
    let f = Folder::new("labels", &files);
    let (end, ..) = run(&f, &["(return (pmap tool/helper [\"a\" \"b\" \"c\" \"c\"]))"]);
    assert_eq!(end.value.as_deref(), Some("(1 1 1 1)"), "{:?}", end.error);
    let first = traces(&f, "t.agent-helper-");
    assert_eq!(first.len(), 4);
    // As after a crash in the middle of the turn: of one call half is kept, of another nothing.
    std::fs::remove_file(f.0.join("t.jsonl")).unwrap();
    for file in std::fs::read_dir(&f.0).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        if text.contains("Help.\\n\\na") {
            let first = lines.iter().position(|l| l.starts_with("{\"turn\":1,")).unwrap();
            std::fs::write(&file, format!("{}\n", lines[..=first].join("\n"))).unwrap();
        } else if text.contains("Help.\\n\\nb") {
            std::fs::remove_file(&file).unwrap();
        }
    }
    let (end, ..) = run(&f, &["(return (pmap tool/helper [\"c\" \"d\" \"a\" \"c\"]))"]);
    assert_eq!(end.value.as_deref(), Some("(1 1 1 1)"), "{:?}", end.error);
    let second = traces(&f, "t.agent-helper-");
    assert_eq!(second.iter().map(|t| t.header.prompt.chars().last().unwrap()).collect::<String>(), "accd");
    // None was set aside, and what was kept is what it was.
    assert_eq!((&second[1], &second[2]), (&first[2], &first[3]));
    assert_eq!((second[0].turns()[0].clone(), second[0].turns().len()), (first[0].turns()[0].clone(), 2));
}

/// Of two calls that ask the same each continues with its own trace, whichever of them had been answered.
#[test]
fn calls_that_ask_the_same_have_traces_of_their_own() {
    let helper = "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n";
    let replies = "## Turn 1\n(def x 1)\n## Turn 2\n(return (count (turn/list)))\n";
    let task = "[task]\nprompt = \"Ask.\"\n[agents.helper]\ntask = \"../helper\"\n";
    for answered in [1, 2] {
        let files = [("task.toml", task), ("../helper/task.toml", helper), ("../helper/r.md", replies)];
        let f = Folder::new(&format!("duplicates-{answered}"), &files);
        let program = "(return (pmap tool/helper [\"c\" \"c\"]))";
        let (end, ..) = run(&f, &[program]);
        assert_eq!(end.value.as_deref(), Some("(1 1)"), "{:?}", end.error);
        // As after a crash between the two answers; the other call was half done.
        let text = std::fs::read_to_string(f.0.join("t.jsonl")).unwrap();
        let keeps = |l: &&str| {
            let line: serde_json::Value = serde_json::from_str(l).unwrap();
            line.get("turn").is_none() && line.get("answered").is_none_or(|a| a["id"] == answered)
        };
        let kept: Vec<&str> = text.lines().filter(keeps).collect();
        assert_eq!(kept.len(), 4, "{text}");
        std::fs::write(f.0.join("t.jsonl"), format!("{}\n", kept.join("\n"))).unwrap();
        let digest = std::fs::read_dir(&f.0).unwrap().map(|e| e.unwrap().path());
        let mut own: Vec<_> = digest.filter(|p| p.display().to_string().contains("t.agent-helper-")).collect();
        own.sort();
        // The one without a number behind its digest is that of the first call.
        own.sort_by_key(|p| p.display().to_string().len());
        let half = &own[2 - answered];
        let text = std::fs::read_to_string(half).unwrap();
        let end = text.find("{\"turn\":1,").map(|at| at + text[at..].find('\n').unwrap() + 1).unwrap();
        std::fs::write(half, &text[..end]).unwrap();
        let whole = std::fs::read_to_string(&own[answered - 1]).unwrap();
        let end = go_on(&f, program);
        assert_eq!(end.value.as_deref(), Some("(1 1)"), "{:?}", end.error);
        assert_eq!(Trace::parse(&std::fs::read(half).unwrap()).unwrap().trace.turns().len(), 2, "it was gone on with");
        assert_eq!(std::fs::read_to_string(&own[answered - 1]).unwrap(), whole, "the other one was not touched");
        assert_eq!(traces(&f, "t.agent-helper-").len(), 2);
    }
}

/// A sub-agent answers no deeper than its caller may hold.
#[test]
fn a_deep_answer_of_a_sub_agent() {
    let helper = "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n[limits]\ndata_depth = 10_000\n";
    let replies = "## Turn 1\n(return (reduce (fn [x _] [x]) 7 (range 9000)))\n";
    for (limits, value) in
        [("", "[7]"), ("[limits]\ndata_depth = 100\n", "a value is nested deeper than data_depth = 100")]
    {
        let task = format!("[task]\nprompt = \"Ask.\"\nmax_turns = 1\n{limits}[agents.helper]\ntask = \"../helper\"\n");
        let files = [("task.toml", task.as_str()), ("../helper/task.toml", helper), ("../helper/r.md", replies)];
        let f = Folder::new(&format!("deep-{}", limits.len()), &files);
        let (end, trace, ..) = run(&f, &["(return (vec (flatten (tool/helper \"?\"))))"]);
        let error = trace.turns()[0].error.as_ref().map(|e| e.message.clone());
        assert_eq!(end.value.or(error).as_deref(), Some(value), "{:?}", end.error);
    }
}

/// A subtask that failed is asked anew when its act is tried again; its old trace is kept aside.
#[test]
fn what_a_task_inside_did_in_vain_is_tried_again() {
    let task = "[task]\n[acts.a]\nmode = \"text\"\n[[acts.a.input]]\ntype = \"narrative\"\ntask = \"../inner\"\n";
    for in_vain in ["## Turn 1\n(fail \"no way\")\n", "## Turn 1\n1\n## Turn 2\n2\n"] {
        let inner = "[task]\nname = \"inner\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\nmax_turns = 2\n";
        let files = [("task.toml", task), ("../inner/task.toml", inner), ("../inner/r.md", in_vain)];
        let f = Folder::new("vain", &files);
        let (end, ..) = run(&f, &[]);
        assert!(end.error.unwrap().text().starts_with("act a, input 1: the task inner: "));
        std::fs::write(f.0.join("inner/r.md"), "## Turn 1\n(return \"a way\")\n").unwrap();
        std::fs::remove_file(f.0.join("t.jsonl")).unwrap();
        let (end, .., seen) = run(&f, &["Good."]);
        assert_eq!(end.text.as_deref(), Some("Good."), "{:?}", end.error);
        assert!(seen[0].contains("a way") && f.0.join("t.act-a-1.before-1.jsonl").exists(), "{}", seen[0]);
        // What had an answer is not asked again.
        std::fs::write(f.0.join("inner/r.md"), "## Turn 1\n(return \"another\")\n").unwrap();
        std::fs::remove_file(f.0.join("t.jsonl")).unwrap();
        let (.., seen) = run(&f, &["Good."]);
        assert!(seen[0].contains("a way"), "{}", seen[0]);
    }
}

/// How a task inside ends without an answer is data for the program that called it, and words for who reads its error; the
/// same before and after a restart.
#[test]
fn a_task_inside_that_fails_says_how() {
    let inside = |replies: &str| {
        let task = "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\nmax_turns = 2\n";
        vec![
            ("task.toml".to_owned(), "[task]\nprompt = \"Ask.\"\n[agents.helper]\ntask = \"../helper\"\n".to_owned()),
            ("../helper/task.toml".to_owned(), task.to_owned()),
            ("../helper/r.md".to_owned(), replies.to_owned()),
        ]
    };
    for (name, replies, kind, reason, turns, words) in [
        (
            "gives-up",
            "## Turn 1\n1\n## Turn 2\n(fail \"no data\")\n",
            ":failed",
            "no data",
            2,
            "gave up after 2 turns: no data",
        ),
        (
            "out-of-turns",
            "## Turn 1\n1\n## Turn 2\n2\n",
            ":out_of_turns",
            "out of turns: max_turns is 2",
            2,
            "had no turn left after 2 turns: out of turns: max_turns is 2",
        ),
        ("no-reply", "## Turn 1\n1\n", ":model", "", 1, "had no answer of its model after 1 turn: "),
    ] {
        let files = inside(replies);
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let f = Folder::new(name, &files);
        let caught = "(def got (try (tool/helper \"x\") (catch Exception e [(ex-message e) (ex-data e)])))";
        let ask = "(let [d (last got)] (return [(:kind d) (:turns d) (:tool d) (:trace d) (:message d) (first got)]))";
        let (end, trace, _, seen) = run(&f, &[caught, "(tool/helper \"y\")", ask]);
        let value = end.value.unwrap();
        assert!(value.starts_with(&format!("[{kind} {turns} \"helper\" \"t.agent-helper-")), "{value}");
        assert!(value.contains(&format!(".jsonl\" {:?}", reason).trim_end_matches('"').to_owned()), "{value}");
        assert!(value.contains(&format!("the task helper {words}")), "{value}");
        // What nobody caught is told the model: which task, why, and where its trace is.
        let told = format!("Error: tool: tool/helper: the task helper {words}");
        assert!(seen[2].contains(&told) && seen[2].contains("; its trace is t.agent-helper-"), "{}", seen[2]);
        let call = &trace.turns()[0].tool_calls[0];
        assert!(call.failure.as_ref().unwrap().text().contains(&format!("\"turns\":{turns}")), "{:?}", call.failure);
        // Made again from its record, the program sees the same data.
        let again = ptc_turns::Session::from_trace(trace.clone(), Vec::new()).unwrap();
        let kept = std::fs::read(f.0.join("t.jsonl")).unwrap();
        let text = String::from_utf8(kept).unwrap();
        assert_eq!(text.matches("\"failure\":{").count(), 4, "twice in journals, twice in turns");
        assert_eq!(ptc_lisp::print::readable(again.value(), 9999), value);
        // As after a crash behind the answer: the call is not made again, and what is known of it is read.
        let cut = text.find("\n{\"turn\":1,").unwrap() + 1;
        std::fs::write(f.0.join("t.jsonl"), &text[..cut]).unwrap();
        let end = go_on(&f, ask);
        assert_eq!(end.value.as_deref(), Some(value.as_str()), "{:?}", end.error);
    }
}

/// Limits of a whole run that a task inside sets are its own: their end is an error of its call, and its caller goes on.
#[test]
fn a_task_inside_has_run_limits_of_its_own() {
    let helper = "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n[limits]\ncall_depth = 50\nmax_tool_calls_total = 1\n[tools.stock]\nparams = [{ name = \"n\", type = \"integer\" }]\nreplay = \"s.jsonl\"\n";
    let calls: String = (1..=2).map(|n| format!("{{\"args\": {{\"n\": {n}}}, \"result\": {n}}}\n")).collect();
    let f = Folder::new(
        "own-run-limits",
        &[
            (
                "task.toml",
                "[task]\nprompt = \"Ask.\"\n[limits]\nmax_seconds = 600\n[agents.helper]\ntask = \"../helper\"\n",
            ),
            ("../helper/task.toml", helper),
            ("../helper/s.jsonl", &calls),
            (
                "../helper/r.md",
                "## Turn 1\n(def a (tool/stock {:n 1}))\n## Turn 2\n(return (+ a (tool/stock {:n 2})))\n",
            ),
        ],
    );
    let ask = "(return (try (tool/helper \"x\") (catch Exception e [(:kind (ex-data e)) (ex-message e)])))";
    let (end, ..) = run(&f, &[ask]);
    let value = end.value.unwrap_or_else(|| panic!("{:?}", end.error));
    assert!(value.contains("the subtask has used 1 tool calls, and max_tool_calls_total is 1"), "{value}");
    let [helper] = traces(&f, "t.agent-helper-").try_into().unwrap();
    assert_eq!((helper.header.limits.call_depth, helper.calls().count()), (50, 1));
}

/// A limit of the cost needs a price of whoever may be asked: of agents and narratives with a model of their own too.
#[test]
fn a_limit_of_the_cost_needs_a_price_of_each_task_inside() {
    let outer = "[task]\nprompt = \"Ask.\"\nmodel = \"openai/m\"\n[model]\nprice = { input = 1, output = 2 }\n[limits]\nmax_cost = 1\n";
    let agent = "[agents.helper]\ntask = \"../helper\"\n";
    let narrative = "[acts.a]\n[[acts.a.input]]\ntype = \"narrative\"\ntask = \"../helper\"\n";
    let inner = "[task]\nprompt = \"Help.\"\n";
    let middle = "[task]\nprompt = \"Help.\"\n[agents.last]\ntask = \"../last\"\n";
    let (own, price) = ("model = \"openai/other\"\n", "[model]\nprice = { input = 9, output = 9 }\n");
    for (what, helper, last, unpriced) in [
        (agent, inner.to_owned(), "", None),
        // The same model, asked in another way.
        (agent, format!("{inner}[model]\ntemperature = 0.5\n"), "", None),
        (narrative, format!("{inner}[model]\ntemperature = 0.5\n"), "", None),
        (agent, format!("{inner}{own}"), "", Some("helper, which the task task runs,")),
        (narrative, format!("{inner}{own}"), "", Some("helper, which the task task runs,")),
        (agent, format!("{inner}{own}{price}"), "", None),
        (agent, middle.to_owned(), own, Some("last, which the task helper runs,")),
        (agent, middle.to_owned(), "", None),
    ] {
        let files = [
            ("task.toml", format!("{outer}{what}")),
            ("../helper/task.toml", helper.clone()),
            ("../last/task.toml", format!("{inner}{last}")),
        ];
        let f = Folder::new("prices", &files.each_ref().map(|(a, b)| (*a, b.as_str())));
        let task = Task::load(&f.0.join("task")).unwrap();
        let agent = task.agent(Session::new(task.config().unwrap()), &RunContext::default());
        match (agent, unpriced) {
            (Ok(_), None) => {}
            (Err(e), Some(who)) => {
                let words = format!(
                    "[limits] has max_cost, and the task {who} has no price for all its models; give it one in "
                );
                // With the line that has the limit.
                assert!(e.message().starts_with("[limits]") && e.to_string().contains(&words), "{e}");
                assert!(e.place().is_some_and(|p| p.ends_with("task.toml:7")), "{e}");
            }
            (agent, _) => panic!("{what}{helper}{last}: {:?}", agent.err()),
        }
    }
}

/// A limit that a task inside has itself is refused before anything is asked, where it stands and with what helps there.
#[test]
fn a_limit_of_the_cost_of_a_sub_agent_is_named_where_it_stands() {
    let outer = "[task]\nprompt = \"Ask.\"\nmodel = \"replay:r.md\"\n[agents.helper]\ntask = \"../helper\"\n";
    let helper = "[task]\nprompt = \"Help.\"\nmodel = \"openai/m\"\n[limits]\nmax_cost = 1\n";
    for (limited, place, ways) in [
        ("", "helper/task.toml:5", "helper/task.toml: [model] price"),
        ("[limits]\nmax_cost = 5\n", "helper/task.toml:5", "or take out its max_cost"),
    ] {
        let outer = format!("{outer}{limited}");
        let f = Folder::new("own-cost", &[("task.toml", outer.as_str()), ("../helper/task.toml", helper)]);
        let task = Task::load(&f.0.join("task")).unwrap();
        let refused = task.agent(Session::new(task.config().unwrap()), &RunContext::default()).err().unwrap();
        assert!(refused.place().is_some_and(|p| p.ends_with(place)), "{refused}");
        let words = refused.to_string();
        assert!(words.contains(ways) && !words.contains("--set"), "{words}");
    }
}

/// What a run costs again that goes on is read from the traces of its tasks, each with its own price.
#[test]
fn costs_of_tasks_inside_are_read_with_their_prices() {
    let inner = |price: u32, more: &str| {
        format!(
            "[task]\nprompt = \"Help.\"\nmodel = \"openai/other\"\n[model]\nprice = {{ input = {price}, output = 0 }}\n{more}"
        )
    };
    let outer = "[task]\nprompt = \"Ask.\"\nmodel = \"openai/m\"\n[model]\nprice = { input = 1, output = 2 }\n[acts.look]\n[[acts.look.input]]\ntype = \"text\"\ncontent = \"x\"\n[[acts.look.input]]\ntype = \"narrative\"\ntask = \"../story\"\n[agents.a]\ntask = \"../a\"\n[agents.a-b]\ntask = \"../b\"\n";
    let files = [
        ("task.toml", outer.to_owned()),
        ("../story/task.toml", inner(1000, "[agents.a]\ntask = \"../a\"\n")),
        ("../a/task.toml", inner(10, "")),
        ("../b/task.toml", inner(100, "")),
    ];
    for (label, cost) in [
        ("agent-a-0123456789ab", Some(0.01)),
        ("agent-a-0123456789ab-2", Some(0.01)),
        ("agent-a-b-0123456789ab", Some(0.1)),
        ("act-look-2", Some(1.0)),
        ("act-look-2.agent-a-0123456789ab", Some(0.01)),
        // Nobody knows what a task costs that is none of these.
        ("act-look-1", None),
        ("agent-c-0123456789ab", None),
    ] {
        let f = Folder::new("costs", &files.each_ref().map(|(a, b)| (*a, b.as_str())));
        let mut record = TurnRecord::empty(1);
        record.usage.model = Some("other".into());
        (record.usage.input_tokens, record.usage.output_tokens) = (Some(1000), Some(10));
        let mut store = TraceFile::open(&f.0.join(format!("t.{label}.jsonl")), || false).unwrap().store;
        store.begin(&ptc_turns::Header::new("s", "Help.", 9)).unwrap();
        store.append(&record).unwrap();
        drop(store);
        let task = Task::load(&f.0.join("task")).unwrap();
        let around = RunContext { trace: Some(f.0.join("t.jsonl")), ..RunContext::default() };
        let mut agent = task.agent(Session::new(task.config().unwrap()), &around).unwrap();
        let cancel = ptc_agent::Cancel::default();
        cancel.cancel();
        agent = agent.with_cancel(cancel);
        let end = agent.run(&mut FnModel(|_: Request<'_>| unreachable!()), &mut ());
        assert_eq!((end.totals.tokens(), end.totals.cost), (1010, cost), "{label}");
    }
}

/// What happens in a task that an act reads is told before the act begins, whether it has an answer or not.
#[test]
fn tasks_that_acts_read_are_observed() {
    #[derive(Default)]
    struct Heard(Vec<String>);
    impl Observer for Heard {
        fn subtask(&mut self, event: &SubtaskEvent) {
            let what = match &event.step {
                SubtaskStep::Asking => "asking".to_owned(),
                SubtaskStep::Replied => "replied".to_owned(),
                SubtaskStep::Ran(status) => status.as_str().to_owned(),
                SubtaskStep::Ended(status) => format!("ended {}", status.as_str()),
                other => format!("{other:?}"),
            };
            self.0.push(format!("{} {}: {what}", event.path.join("/"), event.label));
        }
        fn opened(&mut self, act: &Act, _: &Session) {
            self.0.push(format!("opened {}", act.name));
        }
    }
    for (reply, how, last) in
        [("(return 1)", "returned", "opened a"), ("(fail \"no\")", "failed", "inner act-a-1: ended failed")]
    {
        let task = "[task]\n[acts.a]\nmode = \"text\"\n[[acts.a.input]]\ntype = \"narrative\"\ntask = \"../inner\"\n";
        let inner = "[task]\nname = \"inner\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n";
        let replies = format!("## Turn 1\n{reply}\n");
        let files = [("task.toml", task), ("../inner/task.toml", inner), ("../inner/r.md", &replies)];
        let f = Folder::new("heard", &files);
        let task = Task::load(&f.0.join("task")).unwrap();
        let mut agent = task.agent(Session::new(task.config().unwrap()), &RunContext::default()).unwrap();
        let mut heard = Heard::default();
        agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text("Good."))), &mut heard);
        let inside = ["asking".to_owned(), "replied".to_owned(), how.to_owned(), format!("ended {how}")];
        assert_eq!(heard.0[..4], inside.map(|what| format!("inner act-a-1: {what}")));
        assert_eq!(heard.0.last().unwrap(), last);
    }
}
