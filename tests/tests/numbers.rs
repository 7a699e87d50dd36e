//! Numbers that are stored or handed in: traces, recordings, policies, tasks and arguments with every number replaced
//! by extremes, one and two at a time. Every reader and every renderer takes them without a panic; debug builds check
//! overflow.

use ptc_tests::cli::{Did, Folder, ptc, ptc_with, task};
use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a number is replaced by, as it is in JSON and mostly in TOML.
const EXTREMES: &[&str] = &[
    "0",
    "1",
    "-1",
    "18446744073709551615",
    "18446744073709551614",
    "-9223372036854775808",
    "9223372036854775807",
    "18446744073709551616",
    "9007199254740992",
    "4294967296",
    "2147483647",
    "1e308",
    "-1e308",
    "0.5",
    "\"x\"",
    "\"18446744073709551615\"",
    "\"-1\"",
    "null",
];

/// Numbers that look random and are the same everywhere (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as usize % n.max(1)
    }
}

/// How many times as many to try: `NUMBERS=20`.
fn times() -> usize {
    std::env::var("NUMBERS").ok().and_then(|t| t.parse().ok()).unwrap_or(1)
}

/// The numbers of a text of JSON or TOML, outside strings and comments, and strings that are whole numbers; each with
/// the name before it.
fn numbers(text: &str) -> Vec<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'+');
    let (mut out, mut name, mut at) = (Vec::new(), String::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            // A recording has headings, and no comments.
            b'#' if !text.starts_with("## Turn") => {
                at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at)
            }
            b'"' => {
                let start = at;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                let inner = text.get(start + 1..at - 1).unwrap_or_default();
                if !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()) {
                    out.push((start..at, name.clone()));
                } else if text[at..].starts_with(':') {
                    name = inner.to_owned();
                }
            }
            b if word(b) => {
                let start = at;
                while at < bytes.len() && word(bytes[at]) {
                    at += 1;
                }
                let token = &text[start..at];
                let digit = token.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
                match digit && !text[at..].trim_start_matches(' ').starts_with('=') {
                    true => out.push((start..at, name.clone())),
                    false => name = token.to_owned(),
                }
            }
            _ => at += 1,
        }
    }
    out
}

/// Of each line's form and name, the first, the second and the last place: equal turns need no more.
fn places(text: &str) -> Vec<Range<usize>> {
    let mut of: HashMap<(String, String), Vec<Range<usize>>> = HashMap::new();
    for (range, name) in numbers(text) {
        let line = text[..range.start].rfind('\n').map_or(0, |n| n + 1);
        let form: String = text[line..].chars().take(8).filter(|c| !c.is_ascii_digit()).collect();
        let all = of.entry((form, name)).or_default();
        if all.len() > 2 {
            all.pop();
        }
        all.push(range);
    }
    let mut out: Vec<_> = of.into_values().flatten().collect();
    out.sort_by_key(|r| r.start);
    out
}

/// The text with these places replaced, counted from the left.
fn replaced(text: &str, with: &[(Range<usize>, &str)]) -> String {
    let mut out = text.to_owned();
    let mut with = with.to_vec();
    with.sort_by_key(|w| std::cmp::Reverse(w.0.start));
    with.dedup_by_key(|w| w.0.start);
    for (range, new) in with {
        out.replace_range(range, new);
    }
    out
}

/// Texts with one number replaced, and as many with two; `most` of them, always the same.
fn mutants(text: &str, most: usize, random: &mut Random) -> Vec<String> {
    let places = places(text);
    assert!(!places.is_empty(), "{text}");
    let mut ones: Vec<_> = places.iter().flat_map(|p| EXTREMES.iter().map(|e| (p.clone(), *e))).collect();
    let most = most * times();
    let mut out = Vec::new();
    while out.len() < most && !ones.is_empty() {
        let one = ones.swap_remove(random.below(ones.len()));
        out.push(replaced(text, &[one]));
        let mut any = || (places[random.below(places.len())].clone(), EXTREMES[random.below(EXTREMES.len())]);
        out.push(replaced(text, &[any(), any()]));
    }
    out
}

/// Runs a command; a panic is reported with its input.
fn tried(args: &[&str], stdin: &str, read: &str) -> Did {
    let ran = catch_unwind(AssertUnwindSafe(|| ptc_with(args, stdin)));
    let did = ran.unwrap_or_else(|_| panic!("`ptc {}` panicked on\n{read}", args.join(" ")));
    assert!(!did.err.contains("a fault of ours"), "`ptc {}`: {}\n{read}", args.join(" "), did.err);
    did
}

/// A session of a task of two acts with a tool, an input and a definition: the text of its trace.
fn acts(folder: &Folder) -> String {
    let task = folder.path("acts");
    std::fs::create_dir_all(&task).unwrap();
    let write = |name: &str, text: &str| std::fs::write(format!("{task}/{name}"), text).unwrap();
    write(
        "task.toml",
        "[task]\nname = \"t\"\nmodel = \"replay:replies.md\"\n[limits]\nfuel = 3_000_000\n[toc]\norder = [\"find\", \"tell\"]\n\
         [context.items]\nfile = \"items.json\"\n[history]\nstrategy = \"auto\"\nmax_tokens = 9_000\n\
         [acts.find]\nmax_turns = 3\n[[acts.find.input]]\ntype = \"text\"\ncontent = \"Which?\"\nhistory_retention = \"summary\"\n\
         [acts.tell]\nmode = \"text\"\nmax_tokens = 100\n[[acts.tell.input]]\ntype = \"text\"\ncontent = \"Tell of {{find}}\"\n\
         [tools.stock]\ndescription = \"Units\"\nparams = [{ name = \"item\", type = \"string\" }]\nreplay = \"stock.jsonl\"\n",
    );
    write("items.json", "[{\"name\": \"pen\", \"n\": 3}, {\"name\": \"ink\", \"n\": 2.5}]");
    write(
        "stock.jsonl",
        "{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n{\"args\": {\"item\": \"ink\"}, \"result\": 2}\n",
    );
    write(
        "replies.md",
        "## Turn 1\n\n```clojure\n(def pens \"Pens\" (tool/stock \"pen\"))\n(println pens)\n```\n\n\
         ## Turn 2\n\n```clojure\n(def n (+ pens (tool/stock \"ink\")))\n(oops)\n```\n\n\
         ## Turn 3\n\n```clojure\n(return [pens (count ctx/items)])\n```\n\n## Turn 4\n\nThree.\n",
    );
    let ran = ptc(&["run", &task, "--trace", &folder.path("acts.jsonl")]);
    assert_eq!((ran.code, ran.out.trim()), (0, "Three."), "{}", ran.err);
    let text = std::fs::read_to_string(folder.path("acts.jsonl")).unwrap();
    reported(&text)
}

/// The text of a trace, each turn with what a provider would have reported.
fn reported(text: &str) -> String {
    let usage = "\"usage\":{\"provider\":\"openai\",\"model\":\"gpt-4o\",\"input_tokens\":900,\"output_tokens\":30,\"cached_tokens\":100,\"cache_write_tokens\":20,\"fuel\"";
    text.replace("\"usage\":{\"fuel\"", usage)
}

/// A session of an example task: the text of its trace.
fn example(name: &str, folder: &Folder) -> String {
    let trace = folder.path(&format!("{name}.jsonl"));
    let ran = ptc(&["run", &task(name).display().to_string(), "--trace", &trace]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    reported(&std::fs::read_to_string(trace).unwrap())
}

/// Every command that reads a trace.
fn read_trace(text: &str, folder: &Folder, task: &str) {
    let (path, page) = (folder.path("t.jsonl"), folder.path("t.html"));
    std::fs::write(&path, text).unwrap();
    let run = |args: &[&str], stdin: &str| tried(args, stdin, text);
    let shown = run(&["trace", &path], "");
    run(&["trace", &path, "--report", &page], "");
    run(&["messages", &path], "");
    run(&["messages", &path, "--compress", "--json"], "");
    run(&["history", "view", &path, "--why"], "");
    if shown.code != 0 {
        // What is before a line that cannot be read is shown, and the line named.
        let told = shown.out.is_empty() || shown.err.contains("trace line ");
        assert!(!shown.err.is_empty() && told, "{text}: {shown:?}");
        return;
    }
    run(&["trace", &path, "--json"], "");
    run(&["history", "report", &path], "");
    run(&["run", task, "--resume", &path, "--json"], "");
    std::fs::write(&path, text).unwrap();
    run(&["step", &path, "--json"], "```clojure\n(+ 1 2)\n```");
}

#[test]
fn traces_with_any_numbers() {
    let folder = Folder::new("numbers-traces").unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let session = acts(&folder);
    let acts = folder.path("acts");
    read_trace(&session, &folder, &acts);
    // Cut off before its end, it is one that continues.
    let last = session.trim_end().rfind('\n').unwrap() + 1;
    for text in mutants(&session, 120, &mut random).into_iter().chain(mutants(&session[..last], 60, &mut random)) {
        read_trace(&text, &folder, &acts);
    }
    for name in ["reviews", "curate"] {
        let text = example(name, &folder);
        let last = text.trim_end().rfind('\n').unwrap() + 1;
        for text in mutants(&text[..last], 15, &mut random) {
            read_trace(&text, &folder, &task(name).display().to_string());
        }
    }
}

/// Each found by hand before there was a test.
#[test]
fn the_largest_number_of_an_act_is_a_corrupt_trace() {
    let folder = Folder::new("numbers-act").unwrap();
    let text = acts(&folder);
    assert!(text.contains("\n{\"act\":2,"), "{text}");
    let path = folder.path("t.jsonl");
    std::fs::write(&path, text.replace("\n{\"act\":2,", "\n{\"act\":18446744073709551615,")).unwrap();
    for args in [["trace", &path], ["messages", &path]] {
        let did = ptc(&args);
        assert_eq!(did.code, 2, "{did:?}");
        assert!(did.err.contains("act 18446744073709551615 of turn 4 does not belong here"), "{}", did.err);
    }
}

#[test]
fn the_largest_number_of_turns() {
    let folder = Folder::new("numbers-turns").unwrap();
    let (most, trace) = ("1000000000", folder.path("t.jsonl"));
    let reviews = task("reviews").display().to_string();
    let did = ptc(&["run", &reviews, "--max-turns", most, "--trace", &trace]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(
        did.err.contains(&format!("Turn 1 of {most}")) && did.err.contains(&format!("Turn 3 of {most}")),
        "{}",
        did.err
    );
    let did = ptc(&["run", &reviews, "--max-turns", "1000000001"]);
    assert!(did.code == 2 && did.err.contains("is not in 1..=1000000000"), "{did:?}");
    // And of an act that does not begin with the first turn.
    acts(&folder);
    let (task, trace) = (folder.path("acts"), folder.path("acts.jsonl"));
    let text = std::fs::read_to_string(&trace).unwrap();
    std::fs::write(&trace, &text[..text.trim_end().rfind('\n').unwrap() + 1]).unwrap();
    let did = ptc(&["run", &task, "--max-turns", most, "--resume", &trace]);
    assert_eq!((did.code, did.out.trim()), (0, "Three."), "{}", did.err);
}

#[test]
fn tasks_and_recordings_with_any_numbers() {
    let folder = Folder::new("numbers-tasks").unwrap();
    acts(&folder);
    let dir = folder.path("acts");
    let read = |name: &str| std::fs::read_to_string(format!("{dir}/{name}")).unwrap();
    let more = "[model]\nmax_tokens = 100\ntemperature = 0.5\nconnect_timeout = 3\nfirst_timeout = 30\nidle_timeout = 3.5\n\
                timeout = 90\ntries = 2\nlongest_pause = 4\nprice = { input = 1.0, output = 2.0 }\n";
    let limits: String = ptc_agent::task::options::limit_list(&ptc_lisp::limits::Limits::default())
        .iter()
        .map(|(name, value, _)| format!("{name} = {value}\n"))
        .collect();
    let whole = read("task.toml")
        .replace("model = \"replay", "max_turns = 4\nauto_summary_threshold = 1000\nmodel = \"replay")
        .replace("fuel = 3_000_000\n", &limits)
        .replace(
            "[context.items]\n",
            &format!("{more}[context.rows]\nfile = \"rows.csv\"\nlimit = 2\noffset = 1\n[context.items]\n"),
        );
    std::fs::write(format!("{dir}/rows.csv"), "a,b\n1,2\n3,4\n5,6\n").unwrap();
    std::fs::write(format!("{dir}/task.toml"), &whole).unwrap();
    let ran = ptc(&["run", &dir]);
    assert_eq!((ran.code, ran.out.trim()), (0, "Three."), "{}", ran.err);
    let mut random = Random(0x1234_5678_9abc_def1);
    for (name, most) in
        [("task.toml", 150), ("stock.jsonl", 10), ("items.json", 10), ("rows.csv", 10), ("replies.md", 15)]
    {
        let text = read(name);
        for changed in mutants(&text, most, &mut random) {
            std::fs::write(format!("{dir}/{name}"), &changed).unwrap();
            tried(&["run", &dir, "--json"], "", &changed);
        }
        std::fs::write(format!("{dir}/{name}"), text).unwrap();
    }
}

#[test]
fn policies_with_any_numbers() {
    let folder = Folder::new("numbers-policies").unwrap();
    let (acts, airline) = (acts(&folder), task("airline").join("tau-bench-airline.jsonl"));
    let trace = folder.path("acts.jsonl");
    std::fs::write(&trace, acts).unwrap();
    // A few conversations are enough.
    let talk = folder.path("talk.jsonl");
    let lines = std::fs::read_to_string(airline).unwrap();
    std::fs::write(&talk, lines.lines().take(2).map(|l| format!("{l}\n")).collect::<String>()).unwrap();
    let mut random = Random(0xfeed_beef_cafe_0001);
    let of_all = "min_messages = 2\nsummary_tokens = 400\nmin_preserved_assistant_messages = 3\nbatch_size = 4\nlast_messages = 10\n\
                  sticky_messages = 12\nchunk_size = 10\nmax_messages = 40\nkeep_tool_results = 3\nkeep_turns = 1\nbatch_turns = 2\n\
                  fold_prose = 40\nfold_call = 30\nfold_result = 60\nfold_request = 120\nshrink_after = 2\nmax_tokens = 3000\n\
                  max_history_size = 30\nauto_summary_threshold = 100\nladder = true\nprices = { input = 1.0, cached = 0.1 }\n";
    for strategy in ptc_history::policy::Strategy::ALL {
        let more = if strategy == ptc_history::policy::Strategy::FromTimestamp { "from_timestamp = 100\n" } else { "" };
        let history = format!("strategy = \"{}\"\n{of_all}{more}", strategy.name());
        let turns = format!("{history}println_history_limit = 15\nerror_context_turns = 1\ncompress_history = true\n");
        let file = folder.path("p.toml");
        std::fs::write(&file, &history).unwrap();
        let whole = ptc(&["history", "view", &talk, "--policy", &file]);
        assert_eq!(whole.code, 0, "{history}: {}", whole.err);
        for text in mutants(&history, 14, &mut random) {
            std::fs::write(&file, &text).unwrap();
            tried(&["history", "view", &talk, "--policy", &file, "--why"], "", &text);
        }
        for text in mutants(&turns, 10, &mut random) {
            std::fs::write(&file, &text).unwrap();
            tried(&["messages", &trace, "--policy", &file], "", &text);
        }
    }
}

#[test]
fn arguments_with_any_numbers() {
    let folder = Folder::new("numbers-arguments").unwrap();
    let trace = folder.path("t.jsonl");
    std::fs::write(&trace, acts(&folder)).unwrap();
    let dir = folder.path("acts");
    let all: &[&[&str]] = &[
        &["trace", &trace, "--turn"],
        &["messages", &trace, "--turn"],
        &["history", "view", &trace, "--at"],
        &["history", "report", &trace, "--min-messages"],
        &["history", "report", &trace, "--price-input"],
        &["history", "report", &trace, "--price-cached"],
        &["run", &dir, "--max-turns"],
    ];
    for args in all {
        for number in EXTREMES.iter().map(|e| e.trim_matches('"')).chain(["inf", "nan", "-0.0"]) {
            let last = format!("{}={number}", args[args.len() - 1]);
            tried(&[&args[..args.len() - 1], &[&last]].concat(), "", number);
        }
    }
}
