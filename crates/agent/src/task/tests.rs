//! Tasks from text: what is read, and what each mistake is called.

use super::*;

const TASK: &str = r#"
[task]
name = "well-reviewed"
prompt = "Find"
system = "You buy."
model = "replay:replies.md"
max_turns = 5
expect = "[string]"
[history]
compress_history = true
[limits]
fuel = 1_000
[context.b]
value = { z = 1, a = [1.0, "x"] }
[context.a]
file = "a.json"
[tools.search]
description = "Looks"
params = [{ name = "category", type = "string" }, { name = "n", type = "integer?" }]
returns = "string"
replay = "search.jsonl"
"#;

/// The trace of a session of it, without a turn.
fn begun(task: &Task) -> Trace {
    Trace::new(ptc_turns::Header::new("", &task.prompt, task.max_turns))
}

fn problem(text: &str) -> String {
    Task::parse(Path::new("shop"), "shop/task.toml", text).map_or_else(|e| e.to_string(), |t| format!("{t:?}"))
}

#[test]
fn the_card_is_the_one_that_the_task_asks_for() {
    let system = |card: &str| {
        let text = format!("[task]\nprompt = \"p\"\n{card}");
        Task::parse(Path::new("shop"), "task.toml", &text).unwrap().config().unwrap().header().system
    };
    let (short, long) = (system(""), system("card = \"long\""));
    assert_eq!(short, system("card = \"short\""));
    assert!(long.len() > 3 * short.len() && long.contains("group-by") && !short.contains("group-by"));
}

/// A short text among the inputs stands whole with the task, as `input_tokens` says; with none it is a sample.
#[test]
fn a_text_stands_with_the_task_within_its_tokens() {
    let header = |more: &str| {
        let text = format!(
            "[task]\nprompt = \"p\"\n{more}[context.note]\nvalue = \"Polls close at eight, and not at seven as of old.\"\n"
        );
        Task::parse(Path::new("shop"), "task.toml", &text).unwrap().config().unwrap().header()
    };
    let whole = header("");
    assert_eq!(whole.prompt, "p\n\n`ctx/note`:\n\n```text\nPolls close at eight, and not at seven as of old.\n```");
    assert!(whole.system.contains("- `ctx/note` = string, whole below the task\n"), "{}", whole.system);
    for few in ["input_tokens = 0\n", "input_tokens = 3\n"] {
        let sample = header(few);
        assert_eq!(sample.prompt, "p");
        assert!(sample.system.contains("- `ctx/note` = string, sample: \"Polls close at eight"), "{}", sample.system);
    }
    // It is the same task however much of its texts is shown, and no other one.
    let task = |prompt: &str| Task::parse(Path::new("shop"), "task.toml", &format!("[task]\nprompt = \"{prompt}\"\n"));
    for began in [&whole, &header("input_tokens = 0\n")] {
        assert!(task("p").unwrap().began(began) && !task("q").unwrap().began(began));
        assert!(!task("p\\n\\n`ctx/").unwrap().began(began));
    }
    let wrong = "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\ninput_tokens = -1";
    assert_eq!(problem(wrong), "shop/task.toml:4: input_tokens must be a whole number from 0, got -1");
}

#[test]
fn a_whole_task() {
    let t = Task::parse(Path::new("shop"), "shop/task.toml", TASK).unwrap();
    assert_eq!((t.name.as_str(), t.prompt.as_str(), t.max_turns, t.limits.fuel), ("well-reviewed", "Find", 5, 1000));
    assert!(t.policy.compress_history && t.policy.println_history_limit.is_none());
    assert_eq!(t.context.iter().map(|c| c.0.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    let specs = t.tools.specs().unwrap();
    let params = specs[0].params.as_ref().unwrap();
    assert_eq!(params[1].shape.to_string(), "integer?");
    assert_eq!(
        t.model(&begun(&t), &Environment::default()).err().unwrap().to_string(),
        "shop/replies.md: there is no such file; check the name"
    );
    assert_eq!(t.inputs().err().unwrap().to_string(), "shop/a.json: there is no such file; check the name");
    let small = Task::parse(Path::new("shop"), "task.toml", "[task]\nprompt = \"p\"").unwrap();
    assert_eq!((small.name.as_str(), small.max_turns), ("shop", 8));
    assert!(
        small
            .model(&begun(&small), &Environment::default())
            .err()
            .unwrap()
            .to_string()
            .starts_with("the task shop names no model")
    );
}

/// A task is printed without what it gives to its tools.
#[test]
fn debug_shows_no_values_of_environments() {
    let text = "[task]\nprompt = \"p\"\n[tools.t]\ncommand = [\"sh\"]\nenv = { TOKEN = \"s3cr3t\" }\n[mcp.m]\nurl = \"http://127.0.0.1:1/?k=s3cr3t\"\nheaders = { Key = \"s3cr3t\" }\n";
    let shown = problem(text);
    assert!(shown.contains("TOKEN") && !shown.contains("s3cr3t"), "{shown}");
}

#[test]
fn mistakes_have_their_place_and_their_mend() {
    for (from, to, words) in [
        (
            "prompt = \"Find\"",
            "promt = \"Find\"",
            "shop/task.toml:4: unknown key promt in [task]; did you mean prompt?",
        ),
        ("prompt = \"Find\"", "", "shop/task.toml:2: [task]: prompt is missing; add prompt = \"What is to be done\""),
        ("prompt = \"Find\"", "prompt = 5", "shop/task.toml:4: prompt must be text in quotes, got a number"),
        ("max_turns = 5", "card = \"small\"", "shop/task.toml:7: card must be \"short\" or \"long\", got \"small\""),
        ("max_turns = 5", "card = 5", "shop/task.toml:7: card must be text in quotes, got a number"),
        ("max_turns = 5", "max_turns = 0", "shop/task.toml:7: max_turns must be a whole number from 1, got 0"),
        ("[string]", "[strin]", "shop/task.toml:8: expect: "),
        (
            "replay:replies.md",
            "gpt-5.1",
            "shop/task.toml:6: gpt-5.1: no such model: a model is PROVIDER/NAME, as openai/gpt-5.1 or ollama/qwen3",
        ),
        ("compress_history = true", "compress_history = 1", "shop/task.toml:10: "),
        (
            "compress_history = true",
            "layout = \"user\"",
            "shop/task.toml:10: layout must be \"assistant\" or \"coalesced\", got \"user\"",
        ),
        ("[limits]", "[limit]", "shop/task.toml:11: unknown key limit in the file; did you mean limits?"),
        ("fuel = 1_000", "fuels = 1", "shop/task.toml:12: unknown key fuels in [limits]; did you mean fuel?"),
        (
            "file = \"a.json\"",
            "file = \"a.json\"\nlimit = 5",
            "shop/task.toml:17: limit is for tables, and the file's name does not end in .csv or .tsv; take it out, or rename the file",
        ),
        (
            "file = \"a.json\"",
            "database = \"a.db\"",
            "shop/task.toml:15: [context.a]: table_name is missing; add table_name = \"posts\"",
        ),
        (
            "file = \"a.json\"",
            "file = \"a.csv\"\noffset = -1",
            "shop/task.toml:17: offset must be a whole number from 0, got -1",
        ),
        (
            "file = \"a.json\"",
            "type = \"table\"",
            "shop/task.toml:16: unknown key type in [context.a]; its keys are value, database, table_name, file, encoding, skip_lines, header, delimiter, decimal, null, limit, offset",
        ),
        (
            "file = \"a.json\"",
            "",
            "shop/task.toml:15: [context.a]: nothing to read; add file = \"data.json\" or value = ...",
        ),
        (
            "replay = \"search.jsonl\"",
            "command = [\"./x\"]",
            "shop/task.toml:21: the command \"./x\": there is no such file; check the name",
        ),
        (
            "replay = \"search.jsonl\"",
            "",
            "shop/task.toml:17: [tools.search]: nobody answers; add command = [\"./tool.py\"], or replay = ",
        ),
        ("\"integer?\"", "\"int\"", "shop/task.toml:19: type: "),
        ("[tools.search]", "[acts.one]", "shop/task.toml:18: unknown key description in [acts.one]; its keys are mode"),
        (
            "name = \"well-reviewed\"",
            "name = \"a\\u200Bb\"",
            "shop/task.toml:3: name has letters that cannot be seen; take out what stands as \\u in \"a\\u{200b}b\"",
        ),
        ("name = \"category\"", "name = \"a\\u202Eb\"", "shop/task.toml:19: name has letters that cannot be seen"),
        (
            "[tools.search]",
            "[tools.\"s\\u200B\"]",
            "shop/task.toml:17: \"s\\u{200b}\" is no name that programs can write",
        ),
        (
            "file = \"a.json\"",
            "file = \"a.csv\"\ntable_name = \"a\"",
            "shop/task.toml:17: table_name names a table of a database; ",
        ),
        ("[tools.search]", "[tools.\"a b\"]", "shop/task.toml:17: \"a b\" is no name that programs can write"),
        ("[task]", "[tsk]", "shop/task.toml:2: unknown key tsk in the file; did you mean task?"),
        ("[task]", "[task", "shop/task.toml:2: "),
        ("[task]\n", "[task]\nname = \"x\"\n", "shop/task.toml:4: duplicate key"),
    ] {
        let got = problem(&TASK.replacen(from, to, 1));
        assert!(got.starts_with(words), "{to}: {got}");
        assert!(!got.contains('\n'), "{got}");
    }
    assert_eq!(problem(""), "shop/task.toml: [task] is missing; write [task] with a prompt and a model");
}

#[test]
fn folders_and_files_that_are_none() {
    let error = |p: &str| Task::load(Path::new(p)).unwrap_err().to_string();
    assert_eq!(
        error("/no/such"),
        "/no/such: there is no such task; name a folder with a task.toml, or write one with ptc init"
    );
    let empty = std::env::temp_dir().join(format!("ptc-task-{}", std::process::id()));
    std::fs::create_dir_all(&empty).unwrap();
    assert!(
        error(&empty.display().to_string())
            .ends_with(": the folder has no task.toml; write one, or name another folder")
    );
    std::fs::remove_dir(&empty).unwrap();
}

const ACTS: &str = r#"
[narrative]
name = "curate"
description = "Pick posts"
model = "replay:r.md"
auto_summary_threshold = 20_000
warn_large_history = true
[toc]
order = ["look", "pick"]
[acts.pick]
max_turns = 3
[[acts.pick.input]]
type = "text"
content = "Of {{look}} and {{look.1}}"
[acts.look]
mode = "text"
max_tokens = 500
model = "replay:other.md"
[[acts.look.input]]
type = "table"
database = "posts.sqlite"
table_name = "posts"
limit = 10
offset = 0
history_retention = "summary"
[[acts.look.input]]
type = "tool"
tool = "search"
args = { q = "x" }
[[acts.look.input]]
type = "file"
file = "notes.md"
[tools.search]
replay = "search.jsonl"
"#;

#[test]
fn acts_in_their_order() {
    let t = Task::parse(Path::new("shop"), "shop/task.toml", ACTS).unwrap();
    let acts: Vec<_> =
        t.acts.iter().map(|a| (a.words.name.as_str(), a.words.mode.as_str(), a.words.max_turns)).collect();
    assert_eq!(acts, [("look", "text", 1), ("pick", "program", 3)]);
    assert_eq!((t.acts[0].max_tokens, t.acts[0].model.as_deref()), (Some(500), Some("replay:other.md")));
    let inputs: Vec<_> = t.acts[0].inputs.iter().map(|i| (i.name().unwrap(), i.retention)).collect();
    let summary = Some(ptc_history::Retention::Summary);
    assert_eq!(inputs, [("posts".to_owned(), summary), ("search".to_owned(), None), ("notes.md".to_owned(), None)]);
    assert_eq!((t.policy.history.auto_summary_threshold, t.warn_large_history), (20_000, true));
    assert_eq!((t.prompt.as_str(), t.description.as_deref()), ("", Some("Pick posts")));
    let header = t.config().unwrap().header();
    assert_eq!((header.acts.len(), header.max_turns), (2, 4));
    // One act needs no table of contents.
    let one = "[task]\n[acts.only]\n[[acts.only.input]]\ntype = \"text\"\ncontent = \"Go\"";
    let t = Task::parse(Path::new("shop"), "task.toml", one).unwrap();
    assert_eq!((t.acts.len(), t.acts[0].words.max_turns), (1, 8));
}

#[test]
fn mistakes_in_acts_have_their_place_and_their_mend() {
    for (from, to, words) in [
        ("max_turns = 3", "tools = [\"serch\"]", "shop/task.toml:11: there is no tool \"serch\"; did you mean search?"),
        (
            "max_turns = 3",
            "tools = [\"search\", \"search\"]",
            "shop/task.toml:11: the tool \"search\" is listed twice; take one of them out",
        ),
        ("max_turns = 3", "tools = \"search\"", "shop/task.toml:11: tools must be a list of texts"),
        (
            "max_tokens = 500",
            "tools = [\"search\"]",
            "shop/task.toml:17: a text act runs no program, so it calls no tools; take tools out, or say mode",
        ),
        (
            "[tools.search]",
            "[[phase]]\n[tools.search]",
            "shop/task.toml:33: phase: phases are acts; write [acts.NAME] with tools = [\"...\"] for each, and [toc]",
        ),
        ("\"pick\"]", "\"pikc\"]", "shop/task.toml:9: there is no act \"pikc\"; did you mean pick?"),
        (", \"pick\"]", "]", "shop/task.toml:9: the act \"pick\" is not in the order; add it, or take it out"),
        (
            "\"pick\"]",
            "\"look\", \"pick\"]",
            "shop/task.toml:9: the act \"look\" is listed twice; an act runs once: take one of them out",
        ),
        ("order = [\"look\", \"pick\"]", "", "shop/task.toml:8: [toc]: order is missing"),
        ("order = [\"look\", \"pick\"]", "order = 5", "shop/task.toml:9: order must be a list of texts"),
        (
            "[toc]\norder = [\"look\", \"pick\"]",
            "",
            "shop/task.toml:9: several acts and no order; add [toc] order = [\"pick\", \"look\"]",
        ),
        (
            "{{look}}",
            "{{lok}}",
            "shop/task.toml:10: [acts.pick]: {{lok}}: there is no such act; did you mean {{look}}?",
        ),
        ("{{look.1}}", "{{look.9}}", "shop/task.toml:10: [acts.pick]: {{look.9}}: the act look has 3 inputs"),
        (
            "\"look\", \"pick\"",
            "\"pick\", \"look\"",
            "shop/task.toml:10: [acts.pick]: {{look}}: that act comes no earlier",
        ),
        (
            "mode = \"text\"",
            "mode = \"texts\"",
            "shop/task.toml:16: mode must be \"text\" or \"program\", got \"texts\"",
        ),
        (
            "[acts.look]",
            "[acts.\"look.1\"]",
            "shop/task.toml:15: \"look.1\" cannot be the name of an act or an agent; use letters, digits, - and _",
        ),
        (
            "[tools.search]",
            "[agents.\"a.b\"]\ntask = \"gone\"\n[tools.search]",
            "shop/task.toml:33: \"a.b\" cannot be the name of an act or an agent; use letters, digits, - and _",
        ),
        (
            "file = \"notes.md\"",
            "file = \"notes\\u2066.md\"",
            "shop/task.toml:32: file has letters that cannot be seen",
        ),
        ("max_tokens = 500", "max_turns = 2", "shop/task.toml:17: a text act is one reply; take max_turns out"),
        (
            "max_tokens = 500",
            "max_token = 500",
            "shop/task.toml:17: unknown key max_token in [acts.look]; did you mean max_tokens?",
        ),
        (
            "type = \"table\"",
            "type = \"tabel\"",
            "shop/task.toml:20: there is no type \"tabel\"; did you mean \"table\"?",
        ),
        ("type = \"table\"", "", "shop/task.toml:19: [acts.look.input]: type is missing; add type = \"text\""),
        ("limit = 10", "limit = 0", "shop/task.toml:23: limit must be a whole number from 1, got 0"),
        (
            "limit = 10",
            "limits = 10",
            "shop/task.toml:23: unknown key limits in [acts.look.input]; did you mean limit?",
        ),
        (
            "history_retention = \"summary\"",
            "history_retention = \"sumary\"",
            "shop/task.toml:25: history_retention must be \"full\", \"summary\" or \"drop\", got \"sumary\"",
        ),
        (
            "warn_large_history = true",
            "default_history_retention = \"drop\"",
            "shop/task.toml:7: default_history_retention: there is no retention for all inputs at once, a default would hide",
        ),
        (
            "mode = \"text\"",
            "history_retention = \"drop\"",
            "shop/task.toml:16: history_retention: there is no retention for all",
        ),
        (
            "tool = \"search\"",
            "tool = \"serch\"",
            "shop/task.toml:28: there is no tool \"serch\"; did you mean search?",
        ),
        ("args = { q = \"x\" }", "args = [1]", "shop/task.toml:29: args must be a table"),
        ("content = \"Of {{look}} and {{look.1}}\"", "", "shop/task.toml:12: [acts.pick.input]: content is missing"),
        (
            "warn_large_history = true",
            "warn_large_history = 1",
            "shop/task.toml:7: warn_large_history must be true or false, got a number",
        ),
        (
            "auto_summary_threshold = 20_000",
            "auto_summary_threshold = -1",
            "shop/task.toml:6: auto_summary_threshold must be a whole number from 0",
        ),
        (
            "[toc]",
            "[history]\nauto_summary_threshold = 5\n[toc]",
            "shop/task.toml:6: auto_summary_threshold stands in [history] too; keep one",
        ),
        (
            "[toc]",
            "[history]\nlayout = \"coalesced\"\n[toc]",
            "shop/task.toml:9: layout = \"coalesced\" puts all turns into one message",
        ),
        ("[toc]", "[task]\n[toc]", "shop/task.toml:2: [task] and [narrative] are one and the same; keep one of them"),
        (
            "file = \"notes.md\"",
            "files = \"notes.md\"",
            "shop/task.toml:32: unknown key files in [acts.look.input]; did you mean file?",
        ),
        (
            "type = \"file\"\nfile = \"notes.md\"",
            "type = \"narrative\"\ntask = \"no-such\"",
            "shop/task.toml:32: shop/no-such: there is no such task",
        ),
        (
            "[tools.search]",
            "[agents.search]\ntask = \"gone\"\n[tools.search]",
            "shop/task.toml:34: shop/gone: there is no such task",
        ),
        (
            "[tools.search]",
            "[agents.search]\ntaks = \"gone\"\n[tools.search]",
            "shop/task.toml:34: unknown key taks in [agents.search]; did you mean task?",
        ),
    ] {
        assert!(ACTS.contains(from), "{from}");
        let got = problem(&ACTS.replacen(from, to, 1));
        assert!(got.starts_with(words), "{to}: {got}");
        assert!(!got.contains('\n'), "{got}");
    }
    let last = ACTS
        .replace("order = [\"look\", \"pick\"]", "order = [\"look\"]")
        .replace("model = \"replay:r.md\"", "expect = \"string\"");
    let told = problem(&last);
    assert!(told.starts_with("shop/task.toml:") && told.contains("\"pick\" is not in the order"), "{told}");
    let text =
        "[task]\nexpect = \"string\"\n[acts.a]\nmode = \"text\"\n[[acts.a.input]]\ntype = \"text\"\ncontent = \"Go\"";
    assert!(problem(text).starts_with("shop/task.toml:2: the last act answers in text, which has no shape"));
    assert!(problem("[task]\n[acts.a]").contains("[acts.a]: the act asks nothing; add an [[acts.NAME.input]]"));
    assert!(problem("[task]\n[toc]\norder = [\"a\"]").contains("there is no act \"a\"; write [acts.a]"));
}

/// An input that is made and not kept says who makes it.
#[test]
fn a_file_that_is_made_says_how() {
    let folder = std::env::temp_dir().join(format!("ptc-made-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = "[task]\nprompt = \"p\"\n[context.log]\nfile = \"server.log\"\n";
    let task = Task::parse(&folder, "task.toml", text).unwrap();
    let shown = folder.display();
    let error = || task.inputs().err().unwrap().to_string();
    assert_eq!(error(), format!("{shown}/server.log: there is no such file; check the name"));
    std::fs::write(folder.join("make.py"), "").unwrap();
    assert_eq!(error(), format!("{shown}/server.log: there is no such file; make it: python3 {shown}/make.py"));
    std::fs::write(folder.join("server.log"), "x").unwrap();
    assert_eq!(task.inputs().unwrap().len(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_task_in_the_current_folder_is_called_as_the_folder() {
    // A file that is there stands for the task's; a text that is in no file has no folder.
    for (folder, file, name) in [(".", "task.toml", "agent"), ("", "Cargo.toml", "agent"), ("", "no file", "task")] {
        let task = Task::parse(Path::new(folder), file, "[task]\nprompt = \"p\"\n").unwrap();
        assert_eq!(task.name, name, "{folder} {file}");
    }
}

#[test]
fn turns_with_sub_agents_have_time_for_their_models() {
    let folder = std::env::temp_dir().join(format!("ptc-wall-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("helper")).unwrap();
    std::fs::write(folder.join("helper/task.toml"), "[task]\nprompt = \"p\"\n").unwrap();
    let agents = "[task]\nprompt = \"p\"\n[agents.helper]\ntask = \"helper\"\n";
    let read = |more: &str| Task::parse(&folder, "task.toml", &format!("{agents}{more}")).unwrap();
    let wall = |task: &Task| task.limits.wall_ms;
    let (plain, given) = (read(""), read("[limits]\nwall_ms = 45000\n"));
    assert_eq!((wall(&plain), wall(&given)), (super::WALL_MS_OF_AGENTS, 45_000));
    // The longer time is for waiting, and not for the helper's own turns; what was given holds there too.
    for (task, expected) in [(&plain, ptc_lisp::limits::Limits::default().wall_ms), (&given, 45_000)] {
        let mut helper = task.agents[0].task.clone();
        helper.inherit(task).unwrap();
        assert_eq!(wall(&helper), expected);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
