//! `ptc run`, `step`, `messages` and `trace` from outside.

use crate::common::{Folder, ptc, ptc_with, timeless, without_journal};

#[test]
fn run_ends_with_the_returned_value() {
    let f = Folder::new("run");
    let task = f.task();
    let did = ptc(&["run", &task]);
    assert_eq!((did.code, did.out.as_str()), (0, "{:pen [3 2], :by :shop}\n"), "{}", did.err);
    for line in [
        "Turn 1 of 4\n",
        "  called stock\n",
        "  defined n\n",
        "  printed 3\n",
        "  called stock (failed)\n",
        "  error tool: tool/stock: sold out\n",
        "returned after 3 turns\n",
    ] {
        assert!(did.err.contains(line), "{line}\n{}", did.err);
    }
    let did = ptc(&["run", &task, "--json"]);
    let head = "{\"status\":\"returned\",\"value\":\"{:pen [3 2], :by :shop}\",\"json\":{\"pen\":[3,2],\"by\":\"shop\"},\"turns\":3,\"usage\":{\"fuel\":";
    assert!(did.out.starts_with(head) && did.out.ends_with("}}\n") && did.out.lines().count() == 1, "{}", did.out);
    let did = ptc(&["run", &task, "--json", "--max-turns", "1"]);
    assert!(
        did.code == 3 && did.out.starts_with("{\"status\":\"out_of_turns\",\"value\":null,\"json\":null,\"turns\":1,"),
        "{}",
        did.out
    );
    f.file("shop/replies.md", "## Turn 1\n(fail \"no\")\n");
    let did = ptc(&["run", &task]);
    assert!(did.code == 1 && did.out.is_empty() && did.err.contains("failed after 1 turn: no\n"), "{did:?}");
    f.file("shop/replies.md", "## Turn 1\n(def x 1)\n");
    let did = ptc(&["run", &task]);
    assert!(
        did.code == 1 && did.err.contains("error after 1 turn: ") && did.err.contains("has no reply for turn 2"),
        "{did:?}"
    );
}

#[test]
fn steps_in_processes_of_their_own_give_the_trace_of_a_run() {
    let f = Folder::new("step");
    let task = f.task();
    let (ran, stepped) = (f.path("ran.jsonl"), f.path("stepped.jsonl"));
    assert_eq!(ptc(&["run", &task, "--trace", &ran]).code, 0);
    let did = ptc(&["step", &stepped, "--task", &task]);
    assert_eq!((did.code, did.out.as_str()), (0, ""));
    assert!(ptc(&["messages", &stepped]).out.contains("[USER]\nWhat is in stock?\n\n"));
    let replies = std::fs::read_to_string(f.path("shop/replies.md")).unwrap();
    for (i, reply) in replies.split("## Turn ").skip(1).enumerate() {
        let did = ptc_with(&["step", &stepped, "--json", "-"], reply.split_once('\n').unwrap().1);
        assert_eq!(did.code, 0, "{}", did.err);
        let head = [
            "{\"turn\":1,\"status\":\"ok\",\"feedback\":\"3\\nTurn 2 of 4\",\"ended\":false}",
            "{\"turn\":2,\"status\":\"error\",",
            "{\"turn\":3,\"status\":\"returned\",",
        ];
        assert!(did.out.starts_with(head[i]), "{}", did.out);
    }
    assert_eq!(timeless(&ran), timeless(&stepped));
    for k in ["1", "2", "3", "4"] {
        for c in ["--compress", "--no-compress"] {
            assert_eq!(ptc(&["messages", &ran, "--turn", k, c]).out, ptc(&["messages", &stepped, "--turn", k, c]).out);
        }
    }
    let did = ptc_with(&["step", &stepped], "(return 1)");
    assert!(
        did.code == 4 && did.out.is_empty() && did.err.contains("the session has ended: turn 3 returned"),
        "{did:?}"
    );
    let did = ptc(&["run", &task, "--trace", &ran]);
    assert!(did.code == 2 && did.err.contains("holds a session already"), "{did:?}");
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let f = Folder::new("on");
    let task = f.task();
    let trace = f.path("t.jsonl");
    assert_eq!(ptc(&["run", &task, "--trace", &trace, "--max-turns", "2"]).code, 3);
    let did = ptc_with(&["step", &trace], "1");
    assert!(did.code == 3 && did.err.contains("out of turns: max_turns is 2"), "{did:?}");
    let did = ptc(&["run", &task, "--trace", &trace, "--max-turns", "4"]);
    assert_eq!((did.code, did.out.as_str()), (0, "{:pen [3 2], :by :shop}\n"), "{}", did.err);
    f.file("shop/items.json", "[]");
    let other = f.path("o.jsonl");
    std::fs::copy(&trace, &other).unwrap();
    let did = ptc_with(&["step", &other], "1");
    assert!(did.code == 2 && did.err.contains("the input items has changed since the session began"), "{did:?}");
}

/// What was called for an act that could not begin is in the trace, is told, and is not called again.
#[test]
fn calls_for_an_act_that_cannot_begin_are_kept_and_told() {
    let f = Folder::new("ahead");
    let input = |more: &str| format!("[[acts.look.input]]\n{more}\n");
    let tool = |name: &str, more: &str| input(&format!("type = \"tool\"\ntool = \"{name}\"\n{more}"));
    let text = format!(
        "[task]\nname = \"acts\"\nmodel = \"replay:r.md\"\n[acts.look]\nmode = \"text\"\n{}{}{}[tools.stock]\nparams = [{{ name = \"item\", type = \"string\" }}]\nreplay = \"stock.jsonl\"\n[tools.door]\ncommand = [\"sh\", \"-c\", \"test -f open.txt || exit 1; echo 5\"]\n",
        tool("stock", "args = { item = \"pen\" }"),
        tool("door", ""),
        input("type = \"text\"\ncontent = \"What is there?\""),
    );
    let task = f.file("acts/task.toml", &text);
    f.file("acts/stock.jsonl", "{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n");
    f.file("acts/r.md", "## Turn 1\nThree.\n");
    let (trace, page) = (f.path("t.jsonl"), f.path("t.html"));
    let did = ptc(&["run", &task, "--trace", &trace, "--report", &page]);
    assert!(did.code == 1 && did.err.contains("act look, input 2: the tool door failed: exit code 1"), "{}", did.err);
    let hint = format!("; correct it, then --resume {trace}\n");
    assert!(did.err.contains(&hint) && !ptc(&["run", &task]).err.contains("--resume"), "{}", did.err);
    let shown = ptc(&["trace", &trace]).out;
    assert!(shown.contains("== Before act 1: look ==\nTool calls:\n  1. stock {\"item\":\"pen\"} -> 3 ("), "{shown}");
    assert!(shown.contains("  2. door {} failed: exit code 1, without a word ("), "{shown}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("The act to come: look") && page.contains("href=\"#nc2\"") && page.contains("id=\"nc2\""));
    f.file("acts/open.txt", "");
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "Three.\n"), "{}", did.err);
    for line in [
        "1 tool call of the trace is not repeated: stock (1)\n",
        "1 tool call for inputs failed and is made again: door (1)\n",
    ] {
        assert!(did.err.contains(line), "{line}\n{}", did.err);
    }
    let asked = ptc(&["messages", &trace, "--turn", "1"]).out;
    assert!(asked.ends_with("[USER]\n3\n5\nWhat is there?\n\n"), "{asked}");
    let shown = ptc(&["trace", &trace]).out;
    assert!(!shown.contains("== Before act") && shown.contains("  3. door {} -> 5 ("), "{shown}");
}

/// Each line that stands for output says so, and the decision is told with its figures.
#[test]
fn why_output_of_older_turns_is_shortened() {
    let f = Folder::new("messages-why");
    let trace = f.path("t.jsonl");
    let mut s = ptc_turns::Session::new(ptc_turns::Config { prompt: "p".into(), ..ptc_turns::Config::default() });
    for name in ["a", "b", "c"] {
        let program = format!(
            "(def {name} (range 9)) (note :{name} \"seen\")\n(doseq [i (range 60)] (println \"row\" i (* i i) \"of {name}\"))"
        );
        s.run(&program, ptc_turns::TurnContext::without_host()).unwrap();
    }
    std::fs::write(&trace, s.trace().to_text()).unwrap();
    let policy = f.file("p.toml", "compress_history = true\noutput_tokens = 100\noutput_turns = 1\n");
    let why = ptc(&["messages", &trace, "--policy", &policy, "--why"]).out;
    for line in [
        "printed by turn 1, shortened  | ; Output: 60 lines, ",
        "noted by turn 1               | ; Note a: seen\n",
        "printed by turn 3             | row 59 3481 of c\n",
    ] {
        assert!(why.contains(line), "{line}\n{why}");
    }
    let last = why.lines().last().unwrap();
    assert!(last.starts_with("after turn 3, ") && last.contains(" at the cached price; "), "{last}");
    assert!(last.contains(" tokens of output: shortened. It saves ") && last.ends_with(": pays"), "{last}");
    let full = ptc(&["messages", &trace, "--no-compress", "--why"]).out;
    assert!(full.contains("turn 3, full history | ```clojure") && !full.contains("after turn"), "{full}");
}

#[test]
fn messages_under_this_policy_and_that() {
    let f = Folder::new("messages");
    let (task, trace) = (f.task(), f.path("t.jsonl"));
    ptc(&["run", &task, "--trace", &trace]);
    let compressed = ptc(&["messages", &trace, "--compress", "--turn", "2"]).out;
    assert!(
        compressed.ends_with("[ASSISTANT]\n; Defined: n - \"Pens\"\n; Output:\n3\n\n[USER]\nTurn 2 of 4\n\n"),
        "{compressed}"
    );
    let full = ptc(&["messages", &trace, "--no-compress", "--turn", "2"]).out;
    assert!(full.ends_with("[ASSISTANT]\nI look.\n```clojure\n(def n \"Pens\" (tool/stock \"pen\"))\n(println n)\n```\n\n[USER]\n3\nTurn 2 of 4\n\n"), "{full}");
    let policy = f.file("p.toml", "compress_history = true\nprintln_history_limit = 0\n");
    let limited = ptc(&["messages", &trace, "--policy", &policy, "--turn", "2"]).out;
    assert!(limited.contains("; Defined: n - \"Pens\" = integer, sample: 3\n"), "{limited}");
    let why = ptc(&["messages", &trace, "--compress", "--turn", "2", "--why"]).out;
    for line in [
        "turn 1, summary               | [ASSISTANT]\n",
        "last defined by turn 1        | ; Defined: n - ",
        "feedback to turn 1, shortened | Turn 2 of 4\n",
    ] {
        assert!(why.contains(line), "{line}\n{why}");
    }
    assert_eq!(ptc(&["messages", &trace, "--why", "--json"]).code, 2);
    let json: serde_json::Value = serde_json::from_str(&ptc(&["messages", &trace, "--json"]).out).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 7);
    // All turns in one message: not where each act is asked in its own.
    let together = f.file("together.toml", "layout = \"coalesced\"\ncompress_history = true\n");
    assert_eq!(ptc(&["messages", &trace, "--policy", &together]).code, 0);
    let acts = f.path("acts.jsonl");
    let mut header = ptc_turns::Header::new("s", "p", 5);
    header.acts =
        vec![ptc_turns::ActWords { name: "a".into(), mode: ptc_turns::Mode::Text, max_turns: 1, tools: None }];
    std::fs::write(&acts, ptc_turns::Trace::new(header).to_text()).unwrap();
    let did = ptc(&["messages", &acts, "--policy", &together]);
    assert_eq!((did.code, did.out.as_str()), (2, ""));
    assert!(did.err.contains("together.toml: layout = \"coalesced\" puts all turns into one message"), "{}", did.err);
    assert!(ptc(&["messages", &trace, "--format", "anthropic"]).out.starts_with("{\"system\":"));
    for (args, words) in [
        (
            vec!["messages", trace.as_str(), "--turn", "9"],
            "error: there is no turn 9: the trace has 3; give --turn 1 to 4\n",
        ),
        (
            vec!["messages", trace.as_str(), "--format", "x"],
            "error: there is no format x; formats are openai, openai-responses, anthropic, gemini, bedrock\n",
        ),
        (vec!["messages", "/no/t"], "error: /no/t: there is no such file; check the name\n"),
        (
            vec!["run", "/no/task"],
            "error: /no/task: there is no such task; name a folder with a task.toml, or write one with ptc init\n",
        ),
        (vec!["step", "/no/t"], "error: /no/t: there is no such trace; begin one with --task TASK\n"),
    ] {
        let did = ptc(&args);
        assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (2, "", words));
    }
}

#[test]
fn traces_show_everything_and_tell_of_a_torn_end() {
    let f = Folder::new("trace");
    let (task, trace) = (f.task(), f.path("t.jsonl"));
    ptc(&["run", &task, "--trace", &trace]);
    let text = ptc(&["trace", &trace]).out;
    for part in [
        "Task: shop\nTurns: 3 of at most 4\nPrompt: What is in stock?\nInput: ctx/items from items.json, sha256 ",
        "== Turn 1: ok ==\nReasoning: I look.\nProgram:\n  (def n \"Pens\" (tool/stock \"pen\"))\n  (println n)\nTool calls:\n  1. stock {\"item\":\"pen\"} -> 3 (",
        "Definitions:\n  n - \"Pens\" = integer, sample: 3\n",
        "  2. stock {\"item\":\"ink\"} failed: sold out (",
        "== Turn 3: returned ==\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let one: serde_json::Value = serde_json::from_str(&ptc(&["trace", &trace, "--json", "--turn", "2"]).out).unwrap();
    assert_eq!((one.as_array().unwrap().len(), one[0]["turn"].as_u64()), (1, Some(2)));
    let mut bytes = std::fs::read(&trace).unwrap();
    bytes.truncate(bytes.len() - 40);
    std::fs::write(&trace, &bytes).unwrap();
    let did = ptc(&["trace", &trace, "--json"]);
    assert!(did.code == 0 && did.err.starts_with("warning: ") && did.err.contains("line 13 is torn"), "{}", did.err);
    // The reply of that turn is there: it is run, whatever is given now.
    let did = ptc_with(&["step", &trace], "(return n)");
    assert_eq!((did.code, did.out.as_str()), (5, "=> {:pen [3 2], :by :shop}\n"), "{}", did.err);
    assert!(did.err.contains("turn 3 had begun with another reply, which was run"), "{}", did.err);
    assert_eq!(ptc(&["trace", &trace, "--json"]).err, "");
}

#[test]
fn traces_and_reports_show_the_notes_of_a_turn() {
    let f = Folder::new("notes");
    let task = f.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\nmax_turns = 3\n");
    f.file(
        "t/replies.md",
        "## Turn 1\n```clojure\n(note \"Clause 7 <b>read</b>\\nand \\u202e more\")\n(note \"the rates\" \"3 of 5\")\n```\n\
         ## Turn 2\n```clojure\n(note \"the rates\" nil)\n```\n## Turn 3\n```clojure\n(return 1)\n```\n",
    );
    let (trace, page) = (f.path("t.jsonl"), f.path("t.html"));
    let did = ptc(&["run", &task, "--trace", &trace]);
    assert_eq!(did.code, 0, "{}", did.err);
    let shown = ptc(&["trace", &trace]).out;
    for part in [
        "\nNote:\n  Clause 7 <b>read</b>\n  and \\u{202e} more\nNote the rates: 3 of 5\n",
        "\nNote the rates (taken back)\n",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert_eq!(ptc(&["trace", &trace, "--report", &page]).code, 0);
    let page = std::fs::read_to_string(page).unwrap();
    for part in [
        "<h4>Notes</h4><ul class=\"defs\"><li><pre class=\"note\">Clause 7 &lt;b&gt;read&lt;/b&gt;\nand \\u{202e} more</pre></li>\
         <li><code>the rates</code> <pre class=\"note\">3 of 5</pre></li></ul>",
        "<li><code>the rates</code> <span class=\"tag\">taken back</span></li>",
        "<span class=\"gist\">2 notes</span>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<b>read"));
}

/// The strategy of a program that embeds the library is not here: prompts are shown without it, and nothing is sent.
#[test]
fn a_trace_of_a_strategy_of_its_own_program_is_read_with_a_warning_and_not_continued() {
    let f = Folder::new("custom-strategy");
    let task = f.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\nmax_turns = 3\n");
    f.file("t/replies.md", "## Turn 1\n(def x 1)\n");
    let (trace, page) = (f.path("t.jsonl"), f.path("t.html"));
    assert_eq!(ptc(&["run", &task, "--trace", &trace]).code, 1);
    f.file("t/replies.md", "## Turn 1\n(def x 1)\n## Turn 2\n(return x)\n");
    let text = std::fs::read_to_string(&trace).unwrap();
    let named = text.replacen("\"limits\":", "\"custom_strategy\":\"<b>new\\u202eest\",\"limits\":", 1);
    assert_ne!(named, text);
    std::fs::write(&trace, &named).unwrap();
    let warning = "warning: the requests of this run were made by the strategy <b>new\\u{202e}est of its own program";
    let shown = ptc(&["trace", &trace]);
    assert!(shown.out.contains("\nStrategy: <b>new\\u{202e}est, of the program that ran it\n"), "{}", shown.out);
    let shown = ptc(&["messages", &trace]);
    assert!(shown.code == 0 && shown.err.contains(warning), "{}", shown.err);
    let shown = ptc(&["trace", &trace, "--report", &page]);
    assert!(shown.code == 0 && shown.err.contains(warning), "{}", shown.err);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<li>strategy <code>&lt;b&gt;new\\u{202e}est</code> of the program that ran it"), "{page}");
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert!(did.code == 1 && did.err.contains("the session was begun with the strategy <b>new\\u{202e}est"), "{did:?}");
    // Nothing is added but why it did not go on.
    let now = std::fs::read_to_string(&trace).unwrap();
    let added = now.strip_prefix(&named).unwrap().trim_start();
    assert!(added.starts_with("{\"run_ended\":\"error\"") && added.lines().count() == 1, "{added}");
}

/// A task of three acts whose replies are recorded; its path.
fn acts(f: &Folder) -> String {
    f.file(
        "acts/task.toml",
        "[task]\nname = \"acts\"\nmodel = \"replay:replies.md\"\n[toc]\norder = [\"look\", \"count\", \"tell\"]\n\
         [acts.look]\nmode = \"text\"\n[[acts.look.input]]\ntype = \"table\"\nfile = \"posts.csv\"\nhistory_retention = \"drop\"\n\
         [[acts.look.input]]\ntype = \"tool\"\ntool = \"stock\"\nargs = { item = \"pen\" }\n\
         [acts.count]\nmax_turns = 3\n[[acts.count.input]]\ntype = \"text\"\ncontent = \"Count {{look}}\"\n\
         [acts.tell]\nmode = \"text\"\n[[acts.tell.input]]\ntype = \"text\"\ncontent = \"Tell {{count}}\"\n\
         [tools.stock]\nparams = [{ name = \"item\", type = \"string\" }]\nreplay = \"stock.jsonl\"\n",
    );
    f.file("acts/posts.csv", "id,text\n1,a\n2,b\n");
    f.file(
        "acts/stock.jsonl",
        "{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n{\"args\": {\"item\": \"pen\"}, \"result\": 4}\n",
    );
    f.file(
        "acts/replies.md",
        "## Turn 1\nBoth \"posts\".\n## Turn 2\n(def n (tool/stock \"pen\"))\n## Turn 3\n(return (* 2 n))\n## Turn 4\nIt is \"eight\".\n",
    );
    f.path("acts")
}

#[test]
fn acts_are_run_stepped_shown_and_gone_on_with() {
    let f = Folder::new("acts");
    let (task, trace) = (acts(&f), f.path("t.jsonl"));
    let did = ptc(&["run", &task, "--trace", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "It is \"eight\".\n"), "{}", did.err);
    assert!(did.err.contains("Act 2 of 3: count (program, 2 inputs, "), "{}", did.err);
    let json = ptc(&["run", &task, "--json"]).out;
    assert!(json.starts_with("{\"status\":\"returned\",\"value\":\"\\\"It is \\\\\\\"eight\\\\\\\".\\\"\",\"json\":\"It is \\\"eight\\\".\",\"turns\":4,"), "{json}");
    // Step by step, with replies from elsewhere, the trace is the same.
    let stepped = f.path("s.jsonl");
    let did = ptc(&["step", &stepped, "--task", &task]);
    assert!(did.code == 0 && did.err.contains("begun"), "{did:?}");
    let first = ptc(&["messages", &stepped]).out;
    assert!(first.contains("| 2 | b |\n") && first.contains("\n3\nAnswer this in plain text"), "{first}");
    for (reply, ended) in [
        ("Both \"posts\".", false),
        ("(def n (tool/stock \"pen\"))", false),
        ("(return (* 2 n))", false),
        ("It is \"eight\".", true),
    ] {
        let did = ptc_with(&["step", &stepped, "--json", "-"], reply);
        assert!(did.code == 0 && did.out.contains(&format!("\"ended\":{ended}}}")), "{did:?}");
    }
    assert_eq!(timeless(&trace), timeless(&stepped));
    let did = ptc_with(&["step", &stepped], "more");
    assert!(did.code == 4 && did.err.contains("the session has ended: turn 4 answered"), "{did:?}");
    let second = ptc(&["messages", &trace, "--turn", "2"]).out;
    assert!(second.contains("[USER]\n3\nAnswer this in plain text: no program is run.\n\n[ASSISTANT]\nBoth \"posts\".\n\n[USER]\nCount Both \"posts\".\nTurn 2 of 4\n"), "{second}");
    let shown = ptc(&["trace", &trace]).out;
    for part in [
        "Act: count (program, at most 3 turns)\n",
        "== Act 1: look (text) ==\nTool calls:\n  1. stock {\"item\":\"pen\"} -> 3 (",
        "Table posts.csv, kept: drop:\n  | id | text |\n",
        "== Turn 1: answered ==\nReasoning: Both \"posts\".\nValue: \"Both \\\"posts\\\".\"\n",
        "== Act 3: tell (text) ==\nText: Tell 8\n",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    // Any number of turns may be there already.
    let text = without_journal(&trace);
    for lines in 1..text.lines().count() {
        let part: String = text.lines().take(lines).map(|l| format!("{l}\n")).collect();
        let cut = f.file("cut.jsonl", &part);
        let did = ptc(&["run", &task, "--resume", &cut]);
        assert_eq!((did.code, did.out.as_str()), (0, "It is \"eight\".\n"), "{lines}: {}", did.err);
        assert_eq!(timeless(&cut), timeless(&trace));
        let place = [
            "behind turn 0, with act look",
            "behind turn 0, in act look",
            "behind turn 1, with act count",
            "behind turn 1, in act count",
            "behind turn 2, in act count",
            "behind turn 3, with act tell",
            "behind turn 3, in act tell",
        ];
        assert!(did.err.contains(&format!("continuing {cut} {}\n", place[lines - 1])), "{lines}: {}", did.err);
        let calls = [
            "",
            "1 tool call of the trace is not repeated: stock (1)",
            "2 tool calls of the trace are not repeated: stock (2)",
        ];
        let made = if lines < 2 {
            0
        } else if lines < 5 {
            1
        } else {
            2
        };
        assert!(
            did.err.contains(calls[made]) && did.err.contains("not repeated") == (made > 0),
            "{lines}: {}",
            did.err
        );
    }
    for (args, words) in [
        (
            vec!["run", &task, "--resume", "/no/t.jsonl"],
            "/no/t.jsonl: there is no such trace; begin one with --trace FILE",
        ),
        (vec!["run", &task, "--resume", &trace], "holds a session already, and the session has ended: turn 4 answered"),
        (vec!["run", &f.task(), "--resume", &trace], "is the trace of another task; name another file"),
    ] {
        let did = ptc(&args);
        assert!(did.code == 2 && did.err.contains(words) && did.err.lines().count() == 1, "{did:?}");
    }
}

#[test]
fn an_act_that_is_out_of_turns_goes_on_with_more() {
    let f = Folder::new("act-turns");
    let (task, trace) = (acts(&f), f.path("t.jsonl"));
    f.file(
        "acts/replies.md",
        "## Turn 1\nA.\n## Turn 2\n1\n## Turn 3\n2\n## Turn 4\n3\n## Turn 5\n(return 4)\n## Turn 6\nB.\n",
    );
    let did = ptc(&["run", &task, "--trace", &trace]);
    assert!(did.code == 3 && did.err.contains("out of turns after 4 turns: max_turns is 3 in act count"), "{did:?}");
    let did = ptc(&["run", &task, "--resume", &trace]);
    assert!(did.code == 2 && did.err.contains("out of turns: max_turns is 3 in act count"), "{did:?}");
    let did = ptc(&["run", &task, "--resume", &trace, "--max-turns", "5"]);
    assert_eq!((did.code, did.out.as_str()), (0, "B.\n"), "{}", did.err);
}

/// R-33: a handle that a prompt shows leads to the whole, from a program and at the terminal.
#[test]
fn handles_of_inputs_lead_to_the_whole() {
    let f = Folder::new("handles");
    f.file("acts/long.txt", &"a line of the file\n".repeat(100));
    let task = f.file(
        "acts/task.toml",
        "[task]\nmodel = \"replay:r.md\"\nprompt = \"Work.\"\n[history]\nretention_summary = \"smart\"\n[toc]\norder = [\"a\", \"b\"]\n\
         [[acts.a.input]]\ntype = \"text\"\ncontent = \"First.\"\n\
         [[acts.a.input]]\ntype = \"file\"\nfile = \"long.txt\"\nhistory_retention = \"summary\"\n\
         [[acts.b.input]]\ntype = \"text\"\ncontent = \"Second.\"\n",
    );
    f.file(
        "acts/r.md",
        "## Turn 1\n(return 1)\n## Turn 2\n(return [(count (input/get \"1.2\")) (input/get \"1.1\") (input/get \"3.1\") (input/get \"9.9\") (input/get \"1.0\")])\n",
    );
    let trace = f.path("t.jsonl");
    let did = ptc(&["run", &task, "--trace", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "[1900 \"First.\" \"Second.\" nil nil]\n"), "{}", did.err);
    // The worker has the same inputs.
    let worker =
        std::process::Command::new(env!("CARGO_BIN_EXE_ptc")).args(["run", &task, "--isolate"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&worker.stdout), did.out, "{worker:?}");
    let shown = ptc(&["messages", &trace, "--turn", "2"]).out;
    assert!(shown.contains(", input 1.2]") && !shown.contains(&"a line of the file\n".repeat(20)), "{shown}");
    assert!(shown.contains("`(input/get \"1.0\")` gives its whole text"), "{shown}");
    let did = ptc(&["trace", &trace, "--input", "1.2"]);
    assert_eq!((did.code, did.out), (0, "a line of the file\n".repeat(100)));
    let did = ptc(&["trace", &trace, "--input", "7.0"]);
    assert_eq!((did.code, did.err.as_str()), (2, "error: there is no input 7.0; give one of 1.1, 1.2, 3.1\n"));
    // A prompt that shows no handles says nothing of them.
    assert!(!ptc(&["messages", &trace, "--turn", "2", "--no-compress"]).out.contains("gives its whole text"));
}

/// Columns of one name are told apart, on the terminal and to the model.
#[test]
fn columns_of_one_name_get_a_number_and_are_told() {
    let f = Folder::new("tasks-columns");
    let task =
        f.file("t/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[context.sales]\nfile = \"s.csv\"\n");
    f.file("t/s.csv", "amount,day,amount\n1,mon,10\n2,tue,20\n");
    f.file("t/r.md", "## Turn 1\n(return (map (juxt :amount :amount-2) ctx/sales))\n");
    let trace = f.path("t.jsonl");
    let did = ptc(&["run", &task, "--trace", &trace]);
    let note = "columns of the same name are numbered: \"amount\" again is \"amount-2\"";
    assert_eq!((did.code, did.out.as_str()), (0, "([1 10] [2 20])\n"), "{}", did.err);
    assert_eq!(did.err.matches(&format!("ctx/sales: {note}")).count(), 1, "{}", did.err);
    let sent = ptc(&["messages", &trace]).out;
    let described = sent.lines().find(|l| l.contains("`ctx/sales`")).unwrap();
    assert!(described.contains(":amount-2") && described.ends_with(&format!("; {note}")), "{described}");
    let did = crate::common::ptc_with(&["step", &f.path("s.jsonl"), "--task", &task], "(return 1)");
    assert!(did.code == 0 && did.err.contains(note), "{}", did.err);
    let did = crate::common::ptc_with(&["repl", &task], "(:amount-2 (first ctx/sales))\n");
    assert!(did.out.contains("10") && did.err.contains(note), "{did:?}");
}
