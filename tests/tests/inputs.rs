//! Inputs as models see them: every column of a table with what a program writes for it; and what the feedback says of a
//! key that seems misspelt, and of a value beside printed text.

use ptc_tests::cli::{Did, Folder, ptc};
use serde_json::Value;

/// A folder with a task: its inputs, files in it, and the programs of its recorded replies.
fn task(name: &str, inputs: &str, files: &[(&str, &str)], programs: &[&str]) -> Folder {
    let f = Folder::new(name).unwrap();
    std::fs::write(
        f.path("task.toml"),
        format!("[task]\nname = \"{name}\"\nprompt = \"Which region sells most?\"\nmodel = \"replay:replies.md\"\nmax_turns = 6\n\n{inputs}"),
    )
    .unwrap();
    for (file, text) in files {
        std::fs::write(f.path(file), text).unwrap();
    }
    let replies: String =
        programs.iter().enumerate().map(|(i, p)| format!("## Turn {}\n\n```clojure\n{p}\n```\n\n", i + 1)).collect();
    std::fs::write(f.path("replies.md"), replies).unwrap();
    f
}

fn run(f: &Folder) -> Did {
    let did = ptc(&["run", &f.path("."), "--trace", &f.path("t.jsonl")]);
    assert_eq!(did.code, 0, "{}{}", did.out, did.err);
    did
}

/// The lines of the inputs in the system message.
fn told(f: &Folder) -> Vec<String> {
    let shown = ptc(&["messages", &f.path("t.jsonl"), "--turn", "1"]).out;
    let (_, inputs) = shown.split_once("# Inputs\n\n").unwrap();
    inputs.lines().take_while(|l| !l.is_empty()).map(str::to_owned).collect()
}

const SALES: &str = "Order ID,unit price,Qty,Région,net/gross,ship-to,paid?,Remark (internal)\n\
                     A-1,12.5,3,Nord,net,Oslo,yes,\n\
                     A-2,,1,Sud,gross,Rom,no,\"late, twice\"\n\
                     A-3,7.25,10,Nord,net,Kiel,yes,\n";

#[test]
fn every_column_of_a_table_is_named_as_programs_write_it() {
    let f = task(
        "inputs-csv",
        "[context.sales]\nfile = \"sales.csv\"\n[context.people]\nfile = \"people.jsonl\"\n[context.shop]\nfile = \"shop.json\"\n\
         [context.columns]\nvalue = { id = [1, 2, 3], name = [\"a\", \"b\", \"c\"] }\n[context.codes]\nvalue = [\"x\", \"y\"]\n",
        &[
            ("sales.csv", SALES),
            (
                "people.jsonl",
                "{\"id\": 1, \"home\": {\"city\": \"Oslo\", \"post code\": \"0150\"}, \"tags\": [\"a\", \"b\"]}\n{\"id\": 2, \"home\": {\"city\": \"Rom\"}, \"mail\": \"x@y\"}\n",
            ),
            (
                "shop.json",
                "{\"name\": \"Corner\", \"opening hours\": {\"mon\": [9, 17]}, \"stock\": [{\"sku\": \"s1\", \"n\": 4}]}",
            ),
        ],
        &[
            // What stands in the message works as it is written there.
            "(return (->> ctx/sales (group-by :Région) (map (fn [[r rows]] [r (sum-by #(* (or (get % \"unit price\") 0) (:Qty %)) rows)])) (sort-by second) last first))",
        ],
    );
    let did = run(&f);
    assert!(did.out.contains("Nord"), "{}", did.out);
    assert_eq!(
        told(&f),
        [
            "- `ctx/sales` = list[3] of {\"Order ID\" \"A-1\", \"unit price\" 12.5 or nil, :Qty 3, :Région \"Nord\", \"net/gross\" \"net\", \
             :ship-to \"Oslo\", :paid? \"yes\", \"Remark (internal)\" \"late, twice\"}; a string key is read as (get row \"Order ID\")",
            "- `ctx/people` = list[2] of {:id 1, :home {:city \"post code\"}, :tags [\"a\" \"b\"] or nil, :mail \"x@y\" or nil}",
            "- `ctx/shop` = map[3] {:name \"Corner\", \"opening hours\" {:mon [9 17]}, :stock list[1] of {:sku \"s1\", :n 4}}",
            "- `ctx/columns` = map[2] {:id list[3] [1 2 3], :name list[3] [\"a\" \"b\" \"c\"]}",
            "- `ctx/codes` = list[2], sample: \"x\"",
        ]
    );
}

#[test]
fn a_database_is_told_as_a_table_is() {
    let f = Folder::new("inputs-db").unwrap();
    let db = rusqlite::Connection::open(f.path("d.sqlite")).unwrap();
    db.execute_batch("create table posts (id integer, \"posted at\" text, score real); insert into posts values (1, '2024', 0.5), (2, null, 1.5)")
        .unwrap();
    drop(db);
    std::fs::write(f.path("task.toml"), "[task]\nname = \"db\"\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[context.posts]\ndatabase = \"d.sqlite\"\ntable_name = \"posts\"\n").unwrap();
    std::fs::write(
        f.path("replies.md"),
        "## Turn 1\n\n```clojure\n(return (get (first ctx/posts) \"posted at\"))\n```\n",
    )
    .unwrap();
    run(&f);
    assert_eq!(
        told(&f),
        [
            "- `ctx/posts` = list[2] of {:id 1, \"posted at\" \"2024\" or nil, :score 0.5}; a string key is read as (get row \"posted at\")"
        ]
    );
}

#[test]
fn many_columns_end_in_the_call_that_shows_the_rest() {
    let names: Vec<String> = (0..90).map(|i| format!("measure number {i}")).collect();
    let values: Vec<String> = (0..90).map(|i| format!("some text {i}")).collect();
    let csv = format!("{}\n{}\n", names.join(","), values.join(","));
    let f = task(
        "inputs-wide",
        "[context.wide]\nfile = \"wide.csv\"\n",
        &[("wide.csv", &csv)],
        &["(return (every? #(str/includes? (describe ctx/wide) (pr-str %)) (keys (first ctx/wide))))"],
    );
    assert!(run(&f).out.contains("true"), "describe names all of them");
    let line = told(&f).concat();
    assert!(line.chars().count() < 1150 && line.contains("\"measure number 0\" \"some text 0\""), "{line}");
    let (_, rest) = line.split_once(", ... and ").unwrap();
    assert!(
        rest.contains(" more columns: (describe ctx/wide)}; a string key is read as (get row \"measure number 0\")"),
        "{rest}"
    );
}

#[test]
fn a_misspelt_key_and_the_value_beside_printed_text_are_told_and_recorded() {
    let f = task(
        "inputs-keys",
        "[context.sales]\nfile = \"sales.csv\"\n",
        &[("sales.csv", SALES)],
        &[
            "(println \"rows:\" (count ctx/sales))\n(map :unit_price ctx/sales)",
            "(println \"hint: no key :a in maps with :b; did you mean :b?\")\n(map :qty ctx/sales)",
            "(+ 1 (:Region (first ctx/sales)) (:Ship-To (first ctx/sales)))",
            "(println (map :Qty ctx/sales))\n(map :Qty ctx/sales)",
            "(return (map :Qty ctx/sales))",
        ],
    );
    run(&f);
    let unit = "hint: no key :unit_price in maps with \"unit price\"; did you mean (get m \"unit price\")?";
    let lines: Vec<Value> =
        std::fs::read_to_string(f.path("t.jsonl")).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let turn = |n: u64| lines.iter().find(|l| l["turn"] == n && l["program"].is_string()).unwrap();
    let feedback = |n: u64| turn(n)["feedback"].as_str().unwrap().to_owned();
    assert_eq!(feedback(1), format!("rows: 3\n=> (nil nil nil)\n{unit}\nTurn 2 of 6"));
    assert_eq!(
        feedback(2),
        "\\hint: no key :a in maps with :b; did you mean :b?\n=> (nil nil nil)\nhint: no key :qty in maps with :Qty; did you mean :Qty?\nTurn 3 of 6"
    );
    // An error that a misspelt key is the cause of.
    assert!(feedback(3).contains("hint: no key :Region in maps with :Région; did you mean :Région?\nhint: no key :Ship-To in maps with :ship-to;"), "{}", feedback(3));
    assert_eq!(feedback(4), "(3 1 10)\nTurn 5 of 6", "what was printed last is not told twice");
    assert_eq!(turn(1)["missed_keys"], serde_json::json!([{"key": ":unit_price", "near": "\"unit price\""}]));
    assert!(turn(4).get("missed_keys").is_none());
    // Older turns keep both lines in their feedback, in views with summaries as in the full history; summaries have none.
    for policy in [&["--compress"][..], &["--no-compress"][..]] {
        let shown = ptc(&[&["messages", &f.path("t.jsonl"), "--turn", "5"], policy].concat()).out;
        assert_eq!(shown.matches(unit).count(), 1, "{shown}");
        let told = format!("=> (nil nil nil)\n{unit}\nTurn 2 of 6");
        assert!(
            shown.contains(&format!("[USER]\n{told}")) || shown.contains(&format!("[USER]\nrows: 3\n{told}")),
            "{shown}"
        );
    }
    let trace = ptc(&["trace", &f.path("t.jsonl")]).out;
    assert!(trace.contains("Missed key: :unit_price (a map has \"unit price\")"), "{trace}");
    ptc(&["trace", &f.path("t.jsonl"), "--report", &f.path("t.html")]);
    let page = std::fs::read_to_string(f.path("t.html")).unwrap();
    assert!(page.contains("<code>:unit_price</code> is in no map"), "the report has them");
}
