//! `ptc ask`, and what arguments say over a task.

use crate::common::{Did, Folder, ptc, ptc_in, ptc_with};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;

/// A recorded model with these programs; as `--model` takes it.
fn model(f: &Folder, programs: &[&str]) -> String {
    let turns = programs.iter().enumerate().map(|(i, p)| format!("## Turn {}\n```clojure\n{p}\n```\n\n", i + 1));
    format!("replay:{}", f.file("replies.md", &turns.collect::<String>()))
}

/// Whether it was refused with one line that ends so.
fn refused(did: &Did, words: &str) {
    assert!(did.code == 2 && did.out.is_empty() && did.err.lines().count() == 1 && did.err.contains(words), "{did:?}");
}

fn script(f: &Folder, name: &str, text: &str) -> String {
    let path = f.file(name, text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_question_about_files_of_each_kind_is_answered() {
    let f = Folder::new("ask");
    let model = model(
        &f,
        &[
            "(return {:rows (map :id ctx/orders) :notes ctx/notes :deep (:a ctx/tree) :lines ctx/log :tab ctx/parts :in ctx/piped})",
        ],
    );
    let orders = f.file("orders.csv", "id,name\n1,pen\n2,ink\n");
    let notes = format!("notes={}", f.file("n.txt", "late"));
    let tree = f.file("tree.json", "{\"a\": [true]}");
    let log = f.file("log.jsonl", "1\n2\n");
    let parts = f.file("parts.tsv", "id\tn\n7\t8\n");
    let ctx =
        ["--ctx", &orders, "--ctx", &notes, "--ctx", &tree, "--ctx", &log, "--ctx", &parts, "--ctx", "piped=-.csv"];
    let trace = f.path("t.jsonl");
    let mut args = vec!["ask", "What is there?", "--model", &model, "--trace", &trace];
    args.extend(ctx);
    let did = ptc_with(&args, "x,y\n3,4\n");
    let expected =
        "{:rows (1 2), :notes \"late\", :deep [true], :lines [1 2], :tab [{:id 7, :n 8}], :in [{:x 3, :y 4}]}\n";
    assert_eq!((did.code, did.out.as_str()), (0, expected), "{}", did.err);
    let messages = ptc(&["messages", &trace, "--turn", "1"]).out;
    assert!(messages.contains("What is there?") && messages.contains("orders"), "{messages}");
    // As `ptc run`: one line of JSON, and of what keeps it from beginning too.
    let did = ptc(&["ask", "q", "--model", &model, "--ctx", &orders, "--json"]);
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert!(did.code == 1 && line["status"] == "error" && line["error"]["kind"] == "model", "{did:?}");
    let did = ptc(&["ask", "q", "--model", &model, "--ctx", "gone.csv", "--json"]);
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert!(did.code == 2 && line["error"]["kind"] == "usage", "{did:?}");
}

#[test]
fn standard_input_without_a_name_is_an_input() {
    let f = Folder::new("ask-stdin");
    let model = model(&f, &["(return ctx/stdin)"]);
    for (from, expected) in [("-.csv", "[{:x 3}]"), ("-", "\"x\\n3\\n\"")] {
        let did = ptc_with(&["ask", "q", "--model", &model, "--ctx", from, "--json"], "x\n3\n");
        let line: Value = serde_json::from_str(&did.out).unwrap();
        assert_eq!((did.code, &line["value"]), (0, &Value::from(expected)), "{did:?}");
    }
}

#[test]
fn a_file_behind_the_question_is_told_to_be_an_input() {
    let f = Folder::new("ask-behind");
    let model = model(&f, &["(return 1)"]);
    let orders = f.file("my orders.csv", "id\n1\n");
    let words = format!("stands behind the question; a file is an input: write --ctx '{orders}'");
    refused(&ptc(&["ask", "q", &orders, "--model", &model]), &words);
    let words = "\"orders?\" stands behind the question; write the question in quotes, and each file as --ctx FILE";
    refused(&ptc(&["ask", "which", "orders?", "--model", &model]), words);
}

#[test]
fn a_command_is_a_tool() {
    let f = Folder::new("ask-tool");
    let search = script(&f, "search.sh", "#!/bin/sh\nread q\nprintf '[%s, \"%s\"]' \"$q\" \"$1\"\n");
    let model = model(&f, &["(return [(tool/search {:query \"pen\"}) (tool/find {:query \"ink\"})])"]);
    let find = format!("find={search} 'two words'");
    let trace = f.path("t.jsonl");
    let did = ptc(&["ask", "q", "--tool", &search, "--tool", &find, "--model", &model, "--trace", &trace]);
    assert_eq!(
        (did.code, did.out.as_str()),
        (0, "[[{:query \"pen\"} \"\"] [{:query \"ink\"} \"two words\"]]\n"),
        "{}",
        did.err
    );
    // What it is for is told with --set.
    let model = self::model(&f, &["(return (tool/search \"pen\"))"]);
    let set = [
        "--set",
        "tools.search.description=Finds pens",
        "--set",
        "tools.search.params=[{name = \"query\", type = \"string\"}]",
    ];
    let trace = f.path("u.jsonl");
    let mut args = vec!["ask", "q", "--tool", &search, "--model", &model, "--trace", &trace];
    args.extend(set);
    let did = ptc(&args);
    assert_eq!((did.code, did.out.as_str()), (0, "[{:query \"pen\"} \"\"]\n"), "{}", did.err);
    let messages = ptc(&["messages", &trace, "--turn", "1"]).out;
    assert!(messages.contains("Finds pens") && messages.contains("query"), "{messages}");
    // What cannot be a tool says so.
    let plain = f.file("plain.sh", "#!/bin/sh\n");
    for (tool, words) in [
        ("./gone.sh", "the command \"./gone.sh\": there is no such file; check the name"),
        (plain.as_str(), "is not executable; chmod +x it, or name its interpreter first"),
        ("'open", "no command, or a quote that is not closed; write --tool NAME=./search.py"),
        ("", "no command, or a quote that is not closed; write --tool NAME=./search.py"),
        ("a.b/c d.sh e", "there is no such file"),
        ("/bin/[", "\"[\" is no name that programs can write; write --tool NAME=/bin/["),
    ] {
        refused(&ptc(&["ask", "q", "--tool", tool, "--model", &model]), words);
    }
    let twice = ptc(&["ask", "q", "--tool", &search, "--tool", &search, "--model", &model]);
    refused(&twice, "two tools are called search; give each its own name, as search-2=COMMAND");
}

#[test]
fn without_a_model_it_says_what_to_type() {
    let with = |keys: &[&str]| {
        let environment = keys.iter().map(|k| (*k, "k")).chain([("OPENAI_BASE_URL", "no address")]).collect();
        ptc_in(&["ask", "q"], "", ptc_cli::CliContext { environment, ..Default::default() })
    };
    refused(
        &with(&[]),
        "no model is named, and no key is set (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY); set one of them, or name a model that needs none: --model ollama/NAME, --model replay:FILE",
    );
    refused(
        &with(&["OPENAI_API_KEY", "GEMINI_API_KEY"]),
        "keys of several providers are set (OPENAI_API_KEY, GEMINI_API_KEY); add --model openai/gpt-5.1 or --model gemini/gemini-2.5-pro",
    );
    // With one key it is clear who is asked.
    let did = with(&["OPENAI_API_KEY"]);
    let line = "asking openai/gpt-5.1, since OPENAI_API_KEY is set; --model NAME asks another\n";
    assert!(did.code == 2 && did.err.starts_with(line) && did.err.contains("OPENAI_BASE_URL is no address"), "{did:?}");
    refused(
        &ptc(&["ask", " ", "--model", "replay:x.md"]),
        "the question is empty; write what is to be answered, in quotes",
    );
}

#[test]
fn wrong_inputs_say_what_to_write() {
    let f = Folder::new("ask-wrong");
    let model = model(&f, &["(return 1)"]);
    let orders = f.file("orders.csv", "id\n1\n");
    let two = ["--ctx", &orders, "--ctx", &orders];
    let stdin = ["--ctx", "a=-", "--ctx", "b=-.csv"];
    let folder = f.0.display().to_string();
    for (ctx, words) in [
        (&two[..], "two inputs are called orders; give each its own name, as orders-2=FILE"),
        (&stdin, "standard input can be read once, and a has it; write one of them into a file"),
        (&["--ctx", &folder], "is a folder, and an input is a file; name each file, as --ctx "),
        (&["--ctx", "a=gone.csv"], "gone.csv: there is no such file"),
        (&["--set", "fuel=5"], "fuel stands in a table of task.toml; write --set limits.fuel=VALUE"),
        (&["--set", "limits.fule=5"], "--set limits.fule: unknown key fule in [limits]; did you mean fuel?"),
        (&["--set", "limts.fuel=5"], "--set limts.fuel: unknown key limts in the file; did you mean limits?"),
        (&["--set", "limits.fuel=lots"], "--set limits.fuel: fuel must be a whole number from 0, got text"),
        (&["--set", "history.strategy=atuo"], "--set history.strategy: strategy must be one of"),
        (&["--set", "limits"], "\"limits\" sets nothing; write KEY=VALUE"),
        (&["--ctx", "x=\u{202e}a"], "\\u{202e}a: there is no such file"),
    ] {
        let mut args = vec!["ask", "q", "--model", &model];
        args.extend(ctx);
        refused(&ptc(&args), words);
    }
}

#[test]
fn arguments_have_precedence_over_the_task() {
    let f = Folder::new("over");
    let task = f.task();
    let other = f.file("other.json", "[{\"name\": \"ink\"}, {\"name\": \"pen\"}]");
    let items = format!("items={other}");
    let model = model(&f, &["(return [(map :name ctx/items) ctx/more])"]);
    let more = format!("more={}", f.file("more.txt", "m"));
    let trace = f.path("t.jsonl");
    let over = [
        "--ctx",
        &items,
        "--ctx",
        &more,
        "--prompt",
        "What else?",
        "--set",
        "limits.fuel=123456",
        "--set",
        "history.compress_history=false",
    ];
    let mut args = vec!["run", &task, "--model", &model, "--trace", &trace];
    args.extend(over);
    let did = ptc(&args);
    assert_eq!((did.code, did.out.as_str()), (0, "[(\"ink\" \"pen\") \"m\"]\n"), "{}", did.err);
    // The trace says it as if the task had.
    let header: Value = serde_json::from_str(std::fs::read_to_string(&trace).unwrap().lines().next().unwrap()).unwrap();
    let text = header.to_string();
    assert!(text.contains("\"fuel\":123456") && text.contains("What else?"), "{text}");
    assert!(text.contains("\"compress_history\":false") && text.contains("other.json"), "{text}");
}

#[test]
fn what_is_left_goes_on_with_the_same_arguments() {
    let f = Folder::new("over-resume");
    let task = f.task();
    let trace = f.path("t.jsonl");
    let did = ptc(&["run", &task, "--prompt", "It's \"new\"", "--max-turns", "1", "--trace", &trace, "--json"]);
    let line: Value = serde_json::from_str(&did.out).unwrap();
    let hint = line["error"]["hint"].as_str().unwrap();
    let command = format!("go on with ptc run {task} --prompt 'It'\\''s \"new\"' --resume {trace} --max-turns 2");
    assert_eq!((did.code, hint), (3, command.as_str()));
    // The task with its own prompt is another task.
    let did = ptc(&["run", &task, "--resume", &trace]);
    refused(&did, "is the trace of another task");
    let did = ptc(&["run", &task, "--prompt", "It's \"new\"", "--max-turns", "4", "--resume", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "{:pen [3 2], :by :shop}\n"), "{}", did.err);
    // And so of a question.
    let model = model(&f, &["(def a 1)", "(return (inc a))"]);
    let trace = f.path("u.jsonl");
    let did = ptc(&["ask", "a b", "--model", &model, "--set", "task.max_turns=1", "--trace", &trace, "--json"]);
    let line: Value = serde_json::from_str(&did.out).unwrap();
    let command =
        format!("go on with ptc ask 'a b' --set task.max_turns=1 --model {model} --resume {trace} --max-turns 2");
    assert_eq!((did.code, line["error"]["hint"].as_str()), (3, Some(command.as_str())));
    let did = ptc(&["ask", "a b", "--model", &model, "--resume", &trace, "--max-turns", "2"]);
    assert_eq!((did.code, did.out.as_str()), (0, "2\n"), "{}", did.err);
}

#[test]
fn a_tool_is_called_as_its_script_and_what_is_wrong_with_it_is_told() {
    let f = Folder::new("ask-scripts");
    let twice = f.file("double.py", "import json,sys\nprint(json.load(sys.stdin)['n'] * 2)\n");
    let model_of = |program: &str| model(&f, &[program]);
    let tool = format!("python3 {twice}");
    let did = ptc(&["ask", "q", "--tool", &tool, "--model", &model_of("(return (tool/double {:n 4}))")]);
    assert_eq!((did.code, did.out.as_str()), (0, "8\n"), "{}", did.err);
    // What is no map says what to give.
    let did = ptc(&["ask", "q", "--tool", &tool, "--max-turns", "1", "--model", &model_of("(tool/double \"pen\")")]);
    assert!(did.err.contains("tool/double takes one map, or nothing, got \"pen\""), "{}", did.err);
    let model = model_of("(return 1)");
    let spaced = format!("my tool={twice}");
    let words =
        "\"my tool\" is no name that programs can write; a name has letters, digits, - and _, as in --tool my-tool=";
    refused(&ptc(&["ask", "q", "--tool", &spaced, "--model", &model]), words);
    for (name, text, words) in [
        ("windows.sh", "#!/bin/sh\r\necho 1\r\n", "its first line ends as in Windows"),
        ("gone.py", "#!/no/such/python\n", "its first line names /no/such/python, and there is no such file"),
        ("plain.py", "print(1)\n", "is a text without an interpreter; begin it with #!"),
    ] {
        refused(&ptc(&["ask", "q", "--tool", &script(&f, name, text), "--model", &model]), words);
        let task = format!("[task]\nprompt = \"p\"\n[tools.t]\ncommand = [\"./{name}\"]\n");
        let did = ptc(&["check", &f.file("task.toml", &task)]);
        assert!(did.code == 1 && did.out.contains(words), "{did:?}");
    }
}

#[test]
fn what_a_question_has_not_is_not_offered() {
    let help = ptc(&["ask", "--help"]).out;
    assert!(help.contains("--resume") && !help.contains("of this task"), "{help}");
    assert!(ptc(&["run", "--help"]).out.contains("--continue"));
    assert_eq!(ptc(&["man", "history report"]).out, ptc(&["man", "history", "report"]).out);
    assert_eq!(ptc(&["man", "history report"]).code, 0);
    let f = Folder::new("ask-no-task");
    let orders = f.file("orders.csv", "id\n1\n");
    let did = ptc(&["check", &orders]);
    let words = "the file is no task: its name ends in .csv; name a folder with a task.toml";
    assert!(did.out.lines().count() == 1 && did.out.contains(words), "{did:?}");
}

/// A tool without a folder is the command that is installed, and a file of this folder only where there is none.
#[test]
fn an_installed_command_goes_before_a_file_of_its_name() {
    let f = Folder::new("ask-path");
    for (name, says) in [("bin/find.sh", "installed"), ("here/find.sh", "here"), ("here/own.sh", "own")] {
        script(&f, name, &format!("#!/bin/sh\ncat >/dev/null\necho '\"{says}\"'\n"));
    }
    // A folder of PATH that is none counts for nothing, and neither does one that is named from here.
    let path = format!("{}:.:{}", f.path("gone"), std::env::var("PATH").unwrap());
    let with_bin = format!("{}:{path}", f.path("bin"));
    let model = model(&f, &["(return [(tool/find {}) (tool/own {})])"]);
    for (path, says) in [(&with_bin, "[\"installed\" \"own\"]\n"), (&path, "[\"here\" \"own\"]\n")] {
        let did = std::process::Command::new(env!("CARGO_BIN_EXE_ptc"))
            .args(["ask", "q", "--tool", "find.sh", "--tool", "own.sh", "--no-session", "--model", &model])
            .current_dir(f.path("here"))
            .env("PATH", path)
            .env("PTC_CONFIG", "")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&did.stderr).into_owned();
        assert_eq!(String::from_utf8_lossy(&did.stdout), *says, "{said}");
    }
}

/// Of an error of several lines the last ones say why it failed.
#[test]
fn the_end_of_a_long_error_of_a_tool_is_shown() {
    let f = Folder::new("ask-long-error");
    let line = "  File \"somewhere/in/a/folder/of/long/names/tool.py\", line 5, in <module>";
    let text =
        format!("#!/bin/sh\ncat >/dev/null\nprintf 'Traceback:\\n{line}\\n{line}\\nKeyError: price\\n' >&2\nexit 1\n");
    let broken = script(&f, "broken.sh", &text);
    let (model, trace) = (model(&f, &["(tool/broken {})"]), f.path("t.jsonl"));
    let did = ptc(&["ask", "q", "--tool", &broken, "--max-turns", "1", "--model", &model, "--trace", &trace]);
    let told = did.err.lines().find(|l| l.contains("error tool: ")).unwrap();
    assert!(told.contains("tool/broken: Traceback:") && told.ends_with("KeyError: price (exit code 1)"), "{told}");
    assert!(told.contains('…') && told.chars().count() < 140, "{told}");
    // A tool without a description is its name.
    let shown = ptc(&["trace", &trace]).out;
    assert!(shown.contains("\nTool: broken\n"), "{shown}");
}

/// A command that prints more than its answer has no data as its answer, and says so where somebody looks.
#[test]
fn text_before_the_json_of_a_tool_is_told() {
    let f = Folder::new("ask-mixed");
    let tool =
        |name: &str, printed: &str| script(&f, name, &format!("#!/bin/sh\ncat >/dev/null\nprintf '{printed}'\n"));
    let debug = tool("debug.sh", "debug: starting\\n{\"rate\": 2}\\n");
    let (lines, text) = (tool("lines.sh", "{\"a\": 1}\\n{\"a\": 2}\\n"), tool("text.sh", "one\\ntwo\\n"));
    let model = model(&f, &["(println (tool/debug {}) (tool/debug {}) (tool/lines {}) (tool/text {}))"]);
    let mut args = vec!["ask", "q", "--max-turns", "1", "--model", &model];
    for tool in [&debug, &lines, &text] {
        args.extend(["--tool", tool]);
    }
    let words = "note: tool/debug answered one text: other text stands before its JSON; print the answer alone on standard output";
    let did = ptc(&args);
    assert_eq!(did.err.matches("note: tool/").count(), 1, "{}", did.err);
    assert!(did.err.contains(words), "{}", did.err);
    let task =
        f.file("task.toml", "[task]\nprompt = \"p\"\n[tools.debug]\ndescription = \"d\"\ncommand = [\"./debug.sh\"]\n");
    let did = ptc_with(&["repl", &task], "(:rate (tool/debug {}))\n");
    assert!(did.out == "nil\n" && did.err.contains(words), "{did:?}");
}

#[test]
fn a_question_without_its_command_is_told_how_it_is_asked() {
    let words = "\"who's late?\" is no command; a question is asked by ptc ask 'who'\\''s late?'";
    refused(&ptc(&["who's late?"]), words);
    // One word is a command that is misspelt.
    refused(&ptc(&["traec"]), "a similar subcommand exists: 'trace'");
}
