//! The page of a session in Debian's Chromium: all of it is there, prompts are exact, a hostile trace does nothing.
//! `scripts/browser` fetches what this needs.

use ptc_lisp::error::{Error, ErrorKind};
use ptc_tests::cli::{Folder, ptc, task};
use ptc_turns::trace::record::{Call, Defined, ErrorRecord, Kind, ParamWords, ToolWords};
use ptc_turns::{Act, ActWords, Header, Json, Mode, Policy, Status, Trace, TurnRecord};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// What a person would find on the page.
fn look(page: &str) -> Value {
    browse("page.mjs", &[page])
}

/// What a script of this folder prints.
fn browse(script: &str, args: &[&str]) -> Value {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let playwright = top.join("target/tools/browser/package");
    assert!(playwright.is_dir() && Path::new("/usr/bin/chromium").exists(), "no browser: run scripts/browser");
    let path = top.join("tests/external/report").join(script);
    let run = Command::new("node").arg(path).arg(playwright.canonicalize().unwrap()).args(args).output();
    let out = run.unwrap_or_else(|e| panic!("node did not start ({e}): install Node.js 20, then run scripts/browser"));
    assert!(out.status.success(), "tests/external/report/{script}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

fn list<'a>(facts: &'a Value, key: &str) -> Vec<&'a str> {
    facts[key].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

/// What must hold of every page whose texts have words.
fn whole_words(facts: &Value) {
    assert_eq!(facts["broken"], serde_json::json!([]), "words over two lines, columns narrower than their names");
}

/// What must hold of every page.
fn sound(facts: &Value, trace: &str) {
    assert_eq!(facts["trouble"], serde_json::json!([]));
    assert_eq!(facts["foreign"], serde_json::json!([]));
    assert_eq!(facts["dead"], serde_json::json!([]), "links that lead nowhere");
    assert!(list(facts, "requests").iter().all(|r| r.starts_with("file:") || r.starts_with("data:")));
    assert_eq!(facts["scripts"], 2);
    assert_eq!(list(facts, "sections"), ["top", "turns", "tools", "tokens", "names", "given"]);
    assert!(facts["wide"].as_i64().unwrap() <= 0, "{}", facts["wider"]);
    assert_eq!(facts["folded"], 0);
    assert_eq!(facts["wider"], serde_json::json!([]));
    assert_ne!(facts["light"], facts["dark"]);
    assert!(facts["shift"].as_f64().unwrap() < 0.01, "{}", facts["shift"]);
    let prompts = facts["prompts"].as_object().unwrap();
    for (turn, text) in prompts {
        let expected = ptc(&["messages", trace, "--turn", turn]);
        assert_eq!(expected.code, 0, "{}", expected.err);
        assert_eq!(text.as_str().unwrap(), expected.out, "the prompt of turn {turn}");
        assert!(facts["reasons"][turn].as_array().unwrap().iter().all(|r| !r.as_str().unwrap().is_empty()));
    }
    assert!(prompts.len() >= facts["turns"].as_array().unwrap().len());
}

/// A table of many columns, long words and long texts, as the answer and as a result on the way.
#[test]
fn words_of_wide_tables_are_whole() {
    let folder = Folder::new("report-wide").unwrap();
    let (trace, page) = (folder.path("t.jsonl"), folder.path("t.html"));
    let table = "(for [i (range 12)] {:identification (str \"identifier-\" i \"-abcdefghijklmnop\") :department \"Wirtschaftsinformatik und Verwaltung\" :n i :description (apply str (repeat 40 \"word \")) :amount-in-cents (* 1000 i) :responsible-person \"Annemarie Mustermann\" :created-at \"2024-01-31T10:00:00Z\" :last-modified-at \"2024-01-31T10:00:00Z\" :nested {:key-of-a-map [\"one\" \"Donaudampfschifffahrt\"]}})";
    let replies = format!(
        "## Turn 1\nI read it first, and since the report is long, I print only\nwhat I need.\n\n```clojure\n(def rows {table})\n(inc nil)\n```\n## Turn 2\n```clojure\n(return {table})\n```\n"
    );
    let file = folder.path("replies.md");
    std::fs::write(&file, &replies).unwrap();
    let model = format!("replay:{file}");
    let did = ptc(&["ask", "Make a table", "--model", &model, "--trace", &trace, "--report", &page, "-q"]);
    assert_eq!(did.code, 0, "{}", did.err);
    let facts = look(&page);
    sound(&facts, &trace);
    whole_words(&facts);
    assert_eq!(list(&facts, "columns").len(), 9);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("answers replayed from replies.md") && text.contains("I print only what I need."));
}

#[test]
fn a_run_writes_its_page() {
    let folder = Folder::new("report-run").unwrap();
    let (trace, page) = (folder.path("t.jsonl"), folder.path("t.html"));
    let example = task("recovery").display().to_string();
    let did = ptc(&["run", &example, "--trace", &trace, "--report", &page, "--compress"]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(did.err.contains("wrote "), "{}", did.err);
    let facts = look(&page);
    sound(&facts, &trace);
    whole_words(&facts);
    assert_eq!(list(&facts, "turns"), ["t1", "t2", "t3", "t4", "t5", "t6"]);
    assert_eq!(list(&facts, "paths"), ["full", "short"]);
    // Question, answer as a table, and of the errors a list that is folded, since there is an answer.
    assert_eq!(list(&facts, "head"), ["Question", "Answer from turn 6", "2 errors on the way"]);
    assert_eq!(list(&facts, "columns"), ["name", "email", "overdue", "average"]);
    // Both failed turns have their place in the program marked, as the errors have.
    assert_eq!(list(&facts, "marks"), ["(quot", "coutn"]);
    // The search finds what is folded and unfolds it, over the borders of coloured pieces.
    assert_eq!(
        facts["search"],
        serde_json::json!({"count": "2 places in 2 turns", "first": "1 of 2, turn 4",
        "next": "2 of 2, turn 5", "around": "1 of 2, turn 4", "back": "2 of 2, turn 5", "open": ["t4", "t5"],
        "map": ["#t4", "#t5"], "none": "Not found", "cleared": "", "painted": 2,
        "last": "2 of 2, turn 5", "lastByKey": "2 of 2, turn 5"})
    );
    // The prompt of turn 5: what is new, what was sent before is folded, and beside it the full history.
    assert!(facts["prompt"]["folded"].as_str().unwrap().ends_with("messages as before turn 4"), "{}", facts["prompt"]);
    assert!(facts["prompt"]["fresh"].as_str().unwrap().contains("hint: did you mean count?"), "{}", facts["prompt"]);
    assert_eq!(facts["prompt"]["sides"], serde_json::json!(2));
    assert!(facts["prompt"]["only"].as_str().unwrap().contains("; Turn 2 failed: arithmetic"), "{}", facts["prompt"]);
    assert_eq!(facts["focused"], "solid");
    assert!(facts["bars"].as_u64().unwrap() > 2 && facts["tinted"].as_u64().unwrap() > 5);
    let reasons = facts["reasons"].to_string();
    assert!(reasons.contains("last defined by turn 1") && reasons.contains("whole: it failed"), "{reasons}");
    // Programs are coloured, and still what they were.
    let programs: Value = serde_json::from_str(&ptc(&["trace", &trace, "--json"]).out).unwrap();
    let programs: Vec<&str> = programs.as_array().unwrap().iter().map(|t| t["program"].as_str().unwrap()).collect();
    assert_eq!(list(&facts, "programs"), programs);
}

/// Calls at the same time stand below each other, a sub-agent has its own page and leads back, a failure its reason.
#[test]
fn a_failed_run_says_why_and_leads_to_its_sub_agents() {
    let folder = Folder::new("report-failed").unwrap();
    let (trace, page) = (folder.path("t.jsonl"), folder.path("t.html"));
    std::fs::create_dir(folder.path("helper")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path(name), text).unwrap();
    write(
        "task.toml",
        "[task]\nname = \"stock\"\nprompt = \"What must be ordered?\"\nmodel = \"replay:replies.md\"\nmax_turns = 3\n\
         [agents.helper]\ntask = \"helper\"\n",
    );
    write(
        "replies.md",
        "## Turn 1\n(doall (pmap #(tool/helper %) [\"a\" \"b\" \"c\"]))\n## Turn 2\n(tool/helper \"a\")\n(def x (/ 1 0))\n\
         ## Turn 3\n(fail {:reason \"no stock\"})\n",
    );
    write("helper/task.toml", "[task]\nprompt = \"Who sells it?\"\nmodel = \"replay:replies.md\"\nmax_turns = 2\n");
    write("helper/replies.md", "## Turn 1\n(return {:supplier \"Northlight\"})\n");
    let did = ptc(&["run", &folder.path("task.toml"), "--trace", &trace, "--report", &page]);
    assert_eq!(did.code, 1, "{}", did.err);
    assert!(did.err.contains("t.html and 4 pages of sub-agents beside it"), "{}", did.err);
    let facts = look(&page);
    sound(&facts, &trace);
    whole_words(&facts);
    assert_eq!(list(&facts, "head"), ["Question", "No answer", "1 error on the way"]);
    assert!(facts["why"].as_str().unwrap().contains("The program gave up in turn 3"), "{}", facts["why"]);
    // Three bars one below the other, the fourth behind them.
    let rows: Vec<&Value> = facts["rows"].as_array().unwrap().iter().collect();
    assert!(
        rows.len() == 4 && rows[0][0] == rows[1][0] && rows[0][1] != rows[1][1] && rows[3][0] != rows[0][0],
        "{rows:?}"
    );
    // Each call leads to a page of its own, and that one back.
    let leads = list(&facts, "pages");
    assert_eq!(leads.len(), 4);
    let inner = folder.path(leads[3].strip_prefix("./").unwrap());
    let back = look(&inner);
    assert_eq!(list(&back, "pages"), ["./t.html"]);
    assert_eq!(list(&back, "head"), ["Question", "Answer from turn 1"]);
    // With a file in the way there is a warning, and no link.
    std::fs::write(&inner, "mine").unwrap();
    let did = ptc(&["trace", &trace, "--report", &page]);
    assert!(did.code == 0 && did.err.contains("is there and is no report"), "{}", did.err);
    assert_eq!(std::fs::read_to_string(&inner).unwrap(), "mine");
    assert_eq!(std::fs::read_to_string(&page).unwrap().matches("report of this sub-agent").count(), 3);
}

/// Standard error that is read while it is written.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// A page that is open follows the run, keeps what its reader did, and is kept when the run is over.
#[test]
fn an_open_page_follows_the_run() {
    let folder = Folder::new("report-live").unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path(name), text).unwrap();
    write(
        "task.toml",
        "[task]\nprompt = \"Wait.\"\nmodel = \"replay:replies.md\"\nmax_turns = 3\n[tools.gate]\ndescription = \"Waits\"\n\
         command = [\"sh\", \"gate.sh\"]\n",
    );
    write("gate.sh", "until [ -e go ]; do sleep 0.05; done; echo 7\n");
    write(
        "replies.md",
        "## Turn 1\n(println \"first\")\n## Turn 2\n(println \"second\")\n## Turn 3\n(return {:gate (tool/gate)})\n",
    );
    let (task, trace, go) = (folder.path("task.toml"), folder.path("t.jsonl"), folder.path("go"));
    let err = Shared::default();
    let facts = std::thread::scope(|s| {
        let run = s.spawn(|| {
            let args = ["ptc", "run", &task, "--trace", &trace, "--open"];
            let around = ptc_cli::CliContext::default();
            ptc_cli::run_in(args, &mut "".as_bytes(), &mut Vec::new(), &mut err.clone(), around)
        });
        let address = loop {
            let text = err.text();
            if let Some((_, rest)) = text.split_once("the page of this run: ")
                && let Some((address, _)) = rest.split_once('\n')
            {
                break address.to_owned();
            }
            assert!(!run.is_finished(), "{text}");
            std::thread::yield_now();
        };
        let facts = std::panic::catch_unwind(|| browse("live.mjs", &[&address, &go]));
        // Whatever happened, the run must end.
        write("go", "");
        assert_eq!(run.join().unwrap(), 0, "{}", err.text());
        facts.unwrap()
    });
    assert_eq!(facts["trouble"], serde_json::json!([]));
    assert_eq!(facts["hosts"].as_array().unwrap().len(), 1, "{}", facts["hosts"]);
    let (before, after) = (&facts["before"], &facts["after"]);
    assert_eq!((&before["answer"], &before["turns"]), (&"No answer yet".into(), &serde_json::json!(["t1", "t2"])));
    assert_eq!(before["doing"], "Turn 3: its program runs");
    assert_eq!(
        (&after["answer"], &after["turns"]),
        (&"Answer from turn 3".into(), &serde_json::json!(["t1", "t2", "t3"]))
    );
    assert_eq!((&after["open"], &after["prompt"]), (&serde_json::json!(["t2", "t3"]), &true.into()));
    assert_eq!((&after["moved"], &after["closed"]), (&0.into(), &0.into()), "{after}");
    // The place that was gone to is the same one among those of the new page.
    let turn = |found: &Value| found.as_str().unwrap().split_once(", turn ").map(|(_, turn)| turn.to_owned());
    assert!(turn(&before["found"]).is_some() && turn(&after["found"]) == turn(&before["found"]), "{before} {after}");
    let page = folder.path("t.html");
    assert_eq!(after["doing"], format!("The run has ended; this page is kept in {page}"));
    // The file is the page without a server: it asks nobody.
    sound(&look(&page), &trace);
    assert!(!std::fs::read_to_string(&page).unwrap().contains("connect-src"));
}

#[test]
fn acts_are_sections() {
    let folder = Folder::new("report-acts").unwrap();
    let (trace, page) = (folder.path("t.jsonl"), folder.path("t.html"));
    let example = task("curate").display().to_string();
    assert_eq!(ptc(&["run", &example, "--trace", &trace, "--report", &page]).code, 0);
    let facts = look(&page);
    sound(&facts, &trace);
    whole_words(&facts);
    let acts = list(&facts, "acts");
    assert!(acts.len() == 3 && acts[0].starts_with("Act 1: "), "{acts:?}");
}

const EVIL: &str = "</script></style></pre></textarea><script>window.hacked=1</script><img src=x onerror=\"window.hacked=1\">\
    <svg/onload=window.hacked=1>'\" {{script}} <!-- \u{202e}\u{2028}\0\r\n; Output:\n[SYSTEM]\n&lt;&#0;";

/// A trace in which every text that a model, a program, a tool or a task can choose is hostile.
fn hostile() -> Trace {
    let evil = || EVIL.to_owned();
    let json = || Json::new(serde_json::json!({ EVIL: EVIL }).to_string()).unwrap();
    let mut header = Header::new(EVIL, EVIL, 4);
    header.task = Some(evil());
    let params = Some(vec![ParamWords { name: evil(), shape: evil(), doc: evil() }]);
    header.tools =
        vec![ToolWords { name: evil(), description: evil(), params, returns: Some(evil()), source: Some(evil()) }];
    header.policy = Policy { show_tool_calls: true, ..Policy::compressed() };
    let words = ActWords { name: evil(), mode: Mode::Program, max_turns: 4, tools: None };
    header.acts = vec![words.clone()];
    let mut trace = Trace::new(header);
    trace.open(Act::new(&words, vec![ptc_history::Block::text(EVIL)]));
    for status in [Status::Ok, Status::Error, Status::Ok] {
        let mut t = TurnRecord::empty(0);
        (t.status, t.program, t.reasoning, t.reply) = (status, evil(), Some(evil()), Some(evil()));
        (t.value, t.printed, t.feedback) = (Some(evil()), vec![evil(), evil()], evil());
        (t.usage.provider, t.usage.model, t.usage.input_tokens) = (Some(evil()), Some(evil()), Some(u64::MAX));
        let rolled_back = status == Status::Error;
        t.definitions = [Kind::Data, Kind::Function]
            .map(|kind| Defined {
                name: format!("{EVIL}{kind:?}"),
                kind,
                doc: Some(evil()),
                params: Some(evil()),
                type_word: Some(evil()),
                sample: Some(evil()),
                replaced: true,
                rolled_back,
            })
            .to_vec();
        t.tool_calls = vec![
            Call {
                id: 1,
                name: evil(),
                args: json(),
                result: Some(json()),
                error: None,
                failure: None,
                ms: u64::MAX,
                together: None,
                decided: None,
            },
            Call {
                id: 2,
                name: evil(),
                args: json(),
                result: None,
                error: Some(evil()),
                failure: None,
                ms: 3,
                together: None,
                decided: None,
            },
        ];
        if rolled_back {
            let mut error = Error::new(ErrorKind::Type, EVIL).hint(EVIL);
            error.calls = vec![evil()];
            t.error = Some(ErrorRecord::new(&error, ""));
        }
        trace.push(t);
    }
    trace
}

#[test]
fn a_hostile_trace_does_nothing() {
    let folder = Folder::new("report-hostile").unwrap();
    let (trace, page) = (folder.path("t.jsonl"), folder.path("t.html"));
    std::fs::write(&trace, hostile().to_text()).unwrap();
    let did = ptc(&["trace", &trace, "--report", &page]);
    assert_eq!(did.code, 0, "{}", did.err);
    let facts = look(&page);
    sound(&facts, &trace);
    // Three turns, and the one that is to come.
    assert_eq!(facts["prompts"].as_object().unwrap().len(), 4);
    assert_eq!((&facts["bars"], &facts["bad"]), (&6.into(), &3.into()));
    assert!(list(&facts, "programs").iter().all(|p| p.contains("<script>window.hacked=1</script>")));
}
