//! Summaries that a model writes, from the command line: asked, shown, kept, recorded, replayed, and what happens when
//! the model does not write them.

use crate::common::{Did, Folder, Server, ptc, ptc_in, said};
use serde_json::{Value, json};

const POLICY: &str =
    "strategy = \"last_n_messages\"\nlast_messages = 4\nmin_messages = 4\nmodel_summaries = true\nsummary_tokens = 16";

/// A task of eight turns; its path.
fn task(f: &Folder, history: &str, more: &str) -> String {
    let text = format!(
        "[task]\nname = \"t\"\nprompt = \"Count the sheep of all fields.\"\nmodel = \"openai/m\"\nmax_turns = 12\n[history]\n{history}\n{more}\n"
    );
    f.file("task/task.toml", &text)
}

/// Whether a request asks for a summary: it has the summariser's own system prompt.
fn asks_for_a_summary(body: &Value) -> bool {
    said(&body["messages"]).iter().any(|(_, text)| text.starts_with("The conversation to summarise:"))
}

/// Writes programs, and summaries as told.
fn server(summary: Result<&'static str, &'static str>) -> Server {
    Server::new(move |_, body| {
        if asks_for_a_summary(body) {
            return summary.map(|s| s.to_owned()).map_err(str::to_owned);
        }
        let turn = said(&body["messages"]).iter().rev().find_map(|(_, t)| {
            let line = t.lines().rev().find_map(|l| l.strip_prefix("Turn "))?;
            line.split(' ').next()?.parse::<u64>().ok()
        });
        Ok(match turn.unwrap_or(1) {
            8 => "(return :done)".to_owned(),
            n => format!("(def field{n} \"Sheep of field {n}\" (vec (range {n} 20)))\n(println \"counted field\" {n})"),
        })
    })
}

fn requests(server: &Server) -> (Vec<Value>, Vec<Value>) {
    server.asked().into_iter().partition(asks_for_a_summary)
}

fn line(did: &Did) -> Value {
    serde_json::from_str(&did.out).unwrap()
}

/// What `ptc messages` says was sent before each turn.
fn shown(trace: &str, turns: usize) -> Vec<Vec<(String, String)>> {
    let one = |k: usize| {
        let did = ptc(&["messages", trace, "--turn", &k.to_string(), "--json"]);
        assert_eq!(did.code, 0, "{}", did.err);
        said(&serde_json::from_str(&did.out).unwrap())
    };
    (1..=turns).map(one).collect()
}

fn sent(turns: &[Value]) -> Vec<Vec<(String, String)>> {
    turns.iter().map(|r| said(&r["messages"])).collect()
}

#[test]
fn a_model_writes_summaries_that_are_kept_recorded_and_replayed() {
    let f = Folder::new("summaries");
    let task_file = task(&f, POLICY, "");
    let (trace, record) = (f.path("t.jsonl"), f.path("task/r.md"));
    let server = server(Ok("Sheep were counted."));
    let did = ptc_in(&["run", &task_file, "--trace", &trace, "--record", &record, "--json"], "", server.around());
    assert_eq!(did.code, 0, "{}", did.err);
    let (summaries, turns) = requests(&server);
    assert_eq!(turns.len(), 8);
    let asked = summaries.len();
    assert!(asked > 2, "{asked}");
    assert_eq!(
        line(&did)["summaries"],
        json!({"asked": asked, "input_tokens": 100 * asked, "output_tokens": 10 * asked})
    );
    let words = format!("summaries: {asked} asked for, {} tokens in, {} out", 100 * asked, 10 * asked);
    assert!(did.err.contains(&words), "{}", did.err);
    for request in &summaries {
        assert_eq!(request["model"], "m", "the task's own where no other is named");
        assert!(request.get("tools").is_none() && said(&request["messages"]).len() == 2);
    }
    let last = said(&turns[7]["messages"]);
    assert!(
        last.iter().any(|(role, text)| role == "assistant"
            && text.contains("TL;DR of")
            && text.contains("Sheep were counted.")),
        "{last:?}"
    );
    // Who looks at the trace sees what was sent, and asks nobody.
    assert_eq!(shown(&trace, 8), sent(&turns));
    // Recorded, it runs again without a server: the same requests, no summary asked for.
    let again = f.path("again.jsonl");
    let did = ptc(&["run", &task_file, "--model", &format!("replay:{record}"), "--trace", &again, "--json"]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(!did.err.contains("warning"), "{}", did.err);
    assert_eq!(line(&did)["summaries"]["asked"], 0);
    assert_eq!(shown(&again, 8), sent(&turns));
    // A session that goes on does not ask again for what is kept.
    let text = std::fs::read_to_string(&trace).unwrap();
    let fifth = text.lines().position(|l| l.starts_with("{\"turn\":5,")).unwrap();
    let part = f.file("part.jsonl", &text.lines().take(fifth + 1).map(|l| format!("{l}\n")).collect::<String>());
    let kept = std::fs::read_to_string(f.path("t.jsonl.summaries.jsonl")).unwrap();
    // The last line was torn when the machine stopped: that one is asked for again.
    f.file("part.jsonl.summaries.jsonl", kept.trim_end().strip_suffix('}').unwrap());
    let rest = self::server(Ok("Sheep were counted."));
    let did = ptc_in(&["run", &task_file, "--resume", &part], "", rest.around());
    assert_eq!(did.code, 0, "{}", did.err);
    let (summaries, went_on) = requests(&rest);
    assert_eq!((sent(&went_on), summaries.len()), (sent(&turns[5..]), 1));
    assert_eq!(std::fs::read_to_string(f.path("part.jsonl.summaries.jsonl")).unwrap(), kept);
    // A page of it shows them too.
    let page = f.path("t.html");
    assert_eq!(ptc(&["trace", &trace, "--report", &page]).code, 0);
    assert!(std::fs::read_to_string(page).unwrap().contains("Sheep were counted."));
}

#[test]
fn the_summarizer_may_be_another_model_and_is_checked_before_the_first_turn() {
    let f = Folder::new("summarizer");
    let server = server(Ok("Sheep."));
    let named = |model: &str| task(&f, POLICY, &format!("[summarizer]\nmodel = \"{model}\"\n"));
    let did = ptc_in(&["run", &named("openai/small")], "", server.around());
    assert_eq!(did.code, 0, "{}", did.err);
    let (summaries, turns) = requests(&server);
    assert!(!summaries.is_empty() && summaries.iter().all(|r| r["model"] == "small"));
    assert!(turns.iter().all(|r| r["model"] == "m"));
    // --model answers everything.
    let did = ptc_in(&["run", &named("openai/small"), "--model", "openai/one"], "", server.around());
    assert_eq!(did.code, 0, "{}", did.err);
    let after = server.asked().split_off(summaries.len() + turns.len());
    assert!(after.iter().all(|r| r["model"] == "one") && after.iter().any(asks_for_a_summary));
    let asked = server.asked().len();
    for (text, words) in [
        ("model = \"anthropic/claude\"", "summaries: anthropic/claude needs a key; set ANTHROPIC_API_KEY"),
        ("model = \"opneai/m\"", "task.toml:13: opneai/m: no such model"),
        ("model = \"replay:none.md\"", "none.md.summaries.jsonl: no summaries are recorded there"),
        ("modle = \"openai/m\"", "unknown key modle in [summarizer]; did you mean model?"),
        ("", "model is missing"),
    ] {
        let text = format!("[summarizer]\n{text}\n");
        let trace = f.path("t.jsonl");
        let did = ptc_in(&["run", &task(&f, POLICY, &text), "--trace", &trace], "", server.around());
        assert_eq!(did.code, 2, "{}", did.err);
        assert!(did.err.contains(words), "{}", did.err);
        assert!(!std::path::Path::new(&trace).exists());
    }
    assert_eq!(server.asked().len(), asked, "nobody was asked");
    // Where the policy wants none, none is opened.
    let did =
        ptc_in(&["run", &task(&f, "", "[summarizer]\nmodel = \"anthropic/claude\"\n"), "--json"], "", server.around());
    assert_eq!((did.code, line(&did).get("summaries")), (0, None), "{}", did.err);
}

#[test]
fn without_a_summary_the_request_is_whole_and_it_is_told() {
    let f = Folder::new("no-summary");
    for (answer, words) in [
        (Err("overloaded"), "summarising failed: openai/m: "),
        (Ok(" \n"), "summarising failed: openai/m: the answer is empty"),
    ] {
        let server = server(answer);
        let trace = f.path("t.jsonl");
        let _ = std::fs::remove_file(&trace);
        let _ = std::fs::remove_file(f.path("t.jsonl.summaries.jsonl"));
        let did = ptc_in(&["run", &task(&f, POLICY, ""), "--trace", &trace], "", server.around());
        assert_eq!(did.code, 0, "{}", did.err);
        let warning = did.err.lines().find(|l| l.starts_with("warning: ")).unwrap();
        assert!(warning.contains(words) && warning.contains("nothing was compressed"), "{warning}");
        let (_, turns) = requests(&server);
        assert_eq!(said(&turns[7]["messages"]).len(), 2 + 2 * 7, "all of it");
        assert_eq!(shown(&trace, 8), sent(&turns));
    }
    // One no shorter than what it stands for is none either, and said again when it is replayed.
    let server = server(Ok(Box::leak("long ".repeat(4000).into_boxed_str())));
    let did = ptc_in(&["run", &task(&f, POLICY, "")], "", server.around());
    assert!(did.code == 0 && did.err.contains("the summariser made no progress"), "{}", did.err);
}

/// inputs summed up by a model, from a task.
#[test]
fn inputs_are_summed_up_by_a_model_where_the_task_says_so() {
    let f = Folder::new("semantic");
    f.file("task/rules.txt", &"A rule that is long and said once.\n".repeat(80));
    let file = f.file(
        "task/task.toml",
        "[task]\nmodel = \"openai/m\"\n[history]\nretention_summary = \"semantic\"\n[toc]\norder = [\"read\", \"use\"]\n\
         [acts.read]\nmode = \"text\"\n[[acts.read.input]]\ntype = \"file\"\nfile = \"rules.txt\"\nhistory_retention = \"summary\"\n\
         [acts.use]\nmode = \"text\"\n[[acts.use.input]]\ntype = \"text\"\ncontent = \"Use them.\"\n",
    );
    let answers = |summary: Result<&'static str, &'static str>| {
        Server::new(move |_, body| match asks_for_a_summary(body) {
            true => summary.map(str::to_owned).map_err(str::to_owned),
            false => Ok("Fine.".to_owned()),
        })
    };
    let server = answers(Ok("Rules about rules."));
    let trace = f.path("t.jsonl");
    let did = ptc_in(&["run", &file, "--trace", &trace, "--json"], "", server.around());
    assert_eq!((did.code, line(&did)["summaries"]["asked"].as_u64()), (0, Some(1)), "{}", did.err);
    let (_, turns) = requests(&server);
    let second = said(&turns[1]["messages"]);
    assert!(second[1].1.contains("Rules about rules.") && !second[1].1.contains("said once"), "{second:?}");
    assert_eq!(shown(&trace, 2), sent(&turns));
    // Where it does not answer, the rule does, with a warning.
    let server = answers(Err("no"));
    let did = ptc_in(&["run", &file], "", server.around());
    assert!(
        did.code == 0 && did.err.contains("warning: retention_summary \"semantic\": summarising failed"),
        "{}",
        did.err
    );
    assert!(said(&requests(&server).1[1]["messages"])[1].1.contains("rules.txt"));
}

/// A `[summarizer]` that nothing asks is told, by a run and by a check; one that a subtask asks is not.
#[test]
fn a_summarizer_that_is_never_asked_is_warned_of() {
    let f = Folder::new("summaries-idle");
    f.file("t/r.md", "## Turn 1\n(return 1)\n");
    let own = "[summarizer]\nmodel = \"replay:r.md\"\n";
    let task = |more: &str| f.file("t/task.toml", &format!("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n{more}"));
    let words = "[summarizer] names a model that is never asked; write model_summaries = true";
    for (more, warned) in [
        (own.to_owned(), true),
        (format!("[history]\nmodel_summaries = true\n{own}"), true),
        (format!("[history]\nstrategy = \"last_n_messages\"\n{own}"), true),
        (format!("[history]\nstrategy = \"last_n_messages\"\nmodel_summaries = true\n{own}"), false),
        (String::new(), false),
    ] {
        let task = task(&more);
        for args in [["run", &task], ["check", &task]] {
            let did = ptc(&args);
            assert_eq!(did.err.contains(words), warned, "{more}: {}", did.err);
            assert!(did.code == 0 || !warned, "{more}: {}", did.err);
        }
        let line: Value = serde_json::from_str(&ptc(&["check", &task, "--json"]).out).unwrap();
        assert_eq!(line["warnings"].as_array().map(Vec::len), warned.then_some(1), "{line}");
        assert!(!warned || line["warnings"][0]["line"].as_u64().is_some_and(|l| l > 4), "{line}");
    }
    // A subtask has the [summarizer] of the one that it runs for.
    f.file("inner/r.md", "## Turn 1\n(return 1)\n");
    let history = "[history]\nstrategy = \"last_n_messages\"\nmodel_summaries = true\n";
    f.file("inner/task.toml", &format!("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n{history}"));
    let agent = "[summarizer]\nmodel = \"openai/m\"\n[agents.helper]\ntask = \"../inner\"\n";
    let task = task(agent);
    let did = ptc(&["check", &task]);
    assert!(!did.err.contains(words), "{}", did.err);
}
