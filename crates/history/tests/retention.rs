//! Seed 003: what becomes of inputs once the model has answered them.

// Tests unwrap and panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_history::policy::RetentionSummary;
use ptc_history::retention::{guidance, large_input, original};
use ptc_history::view;
use ptc_history::view::{Level, TokenCounter, ViewContext};
use ptc_history::{Block, Conversation, Message, Part, PartKind, Policy, Retention, Role, View};
use serde_json::json;

fn part(kind: PartKind, name: &str, retention: Option<Retention>) -> Part {
    let name = (!name.is_empty()).then(|| name.to_owned());
    Part { kind, name, history_retention: retention, count: None, offset: None }
}

fn input(text: impl Into<String>, part: Part) -> Block {
    Block::Text { text: text.into(), part: Some(Box::new(part)) }
}

fn posts(rows: usize) -> String {
    let mut table = "| id | text_content | rating |\n|----|--------------|--------|\n".to_owned();
    for i in 0..rows {
        table.push_str(&format!("| {i} | {} | {}.5 |\n", "Hey community, this is a long post. ".repeat(48), i % 5));
    }
    table
}

/// One act: these blocks, answered.
fn act(blocks: Vec<Block>) -> Conversation {
    Conversation::recorded([Message::system("s"), Message::of(Role::User, blocks), Message::assistant("posts 3, 7, 9")])
}

fn shown(talk: &Conversation, policy: &Policy) -> View {
    view(talk, policy, &ViewContext::default()).unwrap()
}

fn texts(view: &View) -> Vec<String> {
    view.shown.iter().map(|s| s.message.text().into_owned()).collect()
}

struct Bytes;

impl TokenCounter for Bytes {
    fn id(&self) -> u64 {
        1
    }
    fn message(&self, message: &Message) -> u64 {
        4 + message.content.iter().map(|b| b.bytes() as u64).sum::<u64>() / 4
    }
    fn overhead(&self) -> u64 {
        3
    }
}

#[test]
fn r_01_r_03_r_34_retention_is_read_with_full_as_default() {
    let block: Block = serde_json::from_value(json!({"type": "text", "text": "t", "part": {"kind": "table"}})).unwrap();
    let Block::Text { part: Some(part), .. } = &block else { panic!() };
    assert_eq!(part.history_retention.unwrap_or_default(), Retention::Full);
    for word in ["full", "summary", "drop"] {
        let block = json!({"type": "text", "text": "t", "part": {"kind": "file", "name": "n", "history_retention": word, "offset": 3}});
        let read: Block = serde_json::from_value(block.clone()).unwrap();
        assert_eq!(json!(read), block);
    }
    let bad = json!({"type": "text", "text": "t", "part": {"kind": "file", "history_retention": "sumary"}});
    let error = serde_json::from_value::<Block>(bad).unwrap_err().to_string();
    assert!(error.contains(r#"must be "full", "summary" or "drop", got "sumary""#), "{error}");
}

#[test]
fn r_02_r_05_r_06_r_07_r_08_every_kind_has_its_line_once_answered() {
    let summary = Some(Retention::Summary);
    let big = "x".repeat(5 * 1024);
    let table = posts(10);
    let size = (table.len() + 512) / 1024;
    let carousel = Part { count: Some(5), ..part(PartKind::Narrative, "carousel", summary) };
    let page = Part { offset: Some(20), ..part(PartKind::Table, "posts", summary) };
    for (block, line) in [
        (input(table.clone(), part(PartKind::Table, "posts", summary)), format!("[Table: posts, 10 rows, ~{size}KB]")),
        (input(table.clone(), page), format!("[Table: posts, 10 rows, ~{size}KB, offset 20]")),
        (input(big.clone(), part(PartKind::File, "CONTEXT.md", summary)), "[File: CONTEXT.md, ~5KB]".to_owned()),
        (input(big.clone(), part(PartKind::Text, "", summary)), "[Text: ~5KB]".to_owned()),
        (input(big.clone(), carousel), "[Narrative: carousel, 5 acts executed]".to_owned()),
        (input(big.clone(), part(PartKind::Tool, "server.stats", summary)), "[Tool: server.stats, ~5KB]".to_owned()),
    ] {
        let Block::Text { text, .. } = &block else { panic!() };
        let full = text.clone();
        let talk = act(vec![block, Block::text("Analyze these")]);
        assert_eq!(texts(&shown(&talk, &Policy::default()))[1], format!("{line}\nAnalyze these"));
        // Before it is answered, and when the request failed and is made again, all of it is there (R-04, R-05, R-16).
        let asked = talk.up_to(2);
        for _ in 0..2 {
            assert_eq!(texts(&shown(&asked, &Policy::default()))[1], format!("{full}\nAnalyze these"));
        }
        assert_eq!(talk.get(1).unwrap().text(), format!("{full}\nAnalyze these"), "the conversation is never touched");
    }
}

#[test]
fn r_09_sizes_are_rounded_half_up() {
    for (bytes, size) in [(1001, "~1KB"), (1535, "~1KB"), (1536, "~2KB"), (18_589, "~18KB")] {
        let talk = act(vec![input("x".repeat(bytes), part(PartKind::Text, "", Some(Retention::Summary)))]);
        assert_eq!(texts(&shown(&talk, &Policy::default()))[1], format!("[Text: {size}]"));
    }
}

#[test]
fn r_10_small_inputs_stay_as_they_are() {
    for (bytes, stays) in [(1, true), (1000, true), (1001, false)] {
        let talk = act(vec![input("x".repeat(bytes), part(PartKind::File, "f", Some(Retention::Summary)))]);
        let view = shown(&talk, &Policy::default());
        assert_eq!(texts(&view)[1].len() == bytes, stays, "{bytes}");
    }
}

#[test]
fn r_11_r_12_r_13_r_14_dropped_inputs_leave_the_rest_in_order() {
    let drop = |t: &str| input(t, part(PartKind::Text, t, Some(Retention::Drop)));
    let talk = act(vec![drop("a"), Block::text("one"), drop("b"), Block::text("two"), drop("c")]);
    assert_eq!(texts(&shown(&talk, &Policy::default()))[1], "one\ntwo");
    let blank = act(vec![input(" ", part(PartKind::File, "f", Some(Retention::Drop)))]);
    assert_eq!(shown(&blank, &Policy::default()).shown.len(), 2, "where nothing was, nothing is omitted (B-26)");
    let talk = act(vec![drop("a"), drop("b")]);
    let view = shown(&talk, &Policy::default());
    assert_eq!(texts(&view)[1], "[input omitted]");
    assert_eq!(view.shown[1].block_reason(0).to_string(), "placeholder: messages are never empty");
}

#[test]
fn r_15_the_message_is_found_behind_any_number_of_others() {
    // A loop of tools between input and answer: the input stays whole until the loop is over (R-05, R-35, D11).
    let table = posts(10);
    let mut talk = Conversation::new();
    let ask = vec![input(table, part(PartKind::Table, "posts", Some(Retention::Summary))), Block::text("go")];
    talk.push(Message::of(Role::User, ask)).unwrap();
    let whole = |talk: &Conversation| texts(&shown(talk, &Policy::default()))[0].len() > 1000;
    for id in ["a", "b"] {
        talk.add_assistant_response(None, None, vec![Block::tool_use(id, "f", json!({}))], vec![]).unwrap();
        assert!(whole(&talk));
        talk.push(Message::of(Role::Tool, vec![Block::tool_result(id, "1")])).unwrap();
        assert!(whole(&talk));
    }
    talk.add_assistant_response(None, Some("done"), vec![], vec![]).unwrap();
    assert!(!whole(&talk));
    // Rewritten once: what comes later changes it no more.
    let now = shown(&talk, &Policy::default());
    talk.add_user_message("next").unwrap();
    let next = shown(&talk, &Policy::default());
    assert_eq!((next.common(&now), next.boundary_moves), (now.shown.len(), now.boundary_moves));
}

#[test]
fn r_17_retentions_of_one_message_are_independent() {
    let kinds = [Retention::Full, Retention::Summary, Retention::Drop];
    let block = |i: usize, r: Retention| {
        input(format!("{i}{}", "x".repeat(2000)), part(PartKind::File, &format!("f{i}"), Some(r)))
    };
    let alone = |i, r| {
        let view = shown(&act(vec![block(i, r), Block::text("end")]), &Policy::default());
        let message = &view.shown[1].message;
        message.content[..message.content.len() - 1].to_vec()
    };
    for a in kinds {
        for b in kinds {
            let both = shown(&act(vec![block(0, a), block(1, b), Block::text("end")]), &Policy::default());
            let expected: Vec<Block> = alone(0, a).into_iter().chain(alone(1, b)).chain([Block::text("end")]).collect();
            assert_eq!(both.shown[1].message.content, expected);
        }
    }
}

#[test]
fn r_18_r_19_r_20_r_21_large_inputs_are_summarised_with_a_warning() {
    let sized = |n: usize, r| act(vec![input("x".repeat(n), part(PartKind::File, "f", r)), Block::text("end")]);
    let summarised = |talk: &Conversation, policy: &Policy| {
        let view = shown(talk, policy);
        let warned = view.events.iter().any(|e| e.level == Level::Warn && e.text.contains("10001 bytes"));
        (texts(&view)[1].len() < 1000, warned)
    };
    let default = Policy::default();
    assert_eq!(summarised(&sized(10_000, None), &default), (false, false), "strictly greater");
    assert_eq!(summarised(&sized(10_001, None), &default), (true, true));
    assert_eq!(summarised(&sized(10_001, Some(Retention::Full)), &default), (true, true), "seed-literal");
    let honest = Policy { honour_explicit_full: true, ..Policy::default() };
    assert_eq!(summarised(&sized(10_001, Some(Retention::Full)), &honest), (false, false));
    assert_eq!(summarised(&sized(10_001, None), &honest), (true, true));
    for threshold in [0, 20_000] {
        let other = Policy { auto_summary_threshold: threshold, ..Policy::default() };
        assert_eq!(summarised(&sized(10_001, None), &other), (false, false));
    }
    // Measured on what is sent, however little the reference to it says.
    let table = Part { count: Some(10), ..part(PartKind::Table, "posts", None) };
    assert_eq!(summarised(&act(vec![input("x".repeat(10_001), table), Block::text("end")]), &default), (true, true));
}

#[test]
fn r_24_what_has_no_shorter_summary_stays_and_says_so() {
    // 251 characters of four bytes: the name and the beginning, which is all of it, are longer.
    let (name, text) = ("🦀".repeat(200), "🦀".repeat(251));
    let talk = act(vec![input(text.clone(), part(PartKind::File, &name, Some(Retention::Summary)))]);
    let smart = Policy { retention_summary: RetentionSummary::Smart, ..Policy::default() };
    let view = shown(&talk, &smart);
    assert_eq!(texts(&view)[1], text);
    assert!(view.events.iter().any(|e| e.level == Level::Warn && e.text.contains("kept in full")));
}

#[test]
fn r_27_an_event_lists_what_was_applied() {
    let talk = act(vec![
        input("x".repeat(2000), part(PartKind::File, "f", Some(Retention::Summary))),
        input("y", part(PartKind::Tool, "g", Some(Retention::Drop))),
        Block::text("end"),
    ]);
    let view = shown(&talk, &Policy::default());
    assert_eq!(view.events.len(), 1);
    assert_eq!(view.events[0].level, Level::Debug);
    let expected =
        "history_retention applied to input 1.0 (file f, 2000 bytes) summarised, 1.1 (tool g, 1 bytes) dropped";
    assert_eq!(&*view.events[0].text, expected);
}

#[test]
fn r_28_r_38_three_acts_over_a_table_of_18_kb() {
    let mut table = posts(10);
    table.truncate(18_000);
    let run = |retention| {
        let policy = Policy { auto_summary_threshold: 0, ..Policy::default() };
        let ask = vec![input(table.clone(), part(PartKind::Table, "posts", Some(retention))), Block::text("Analyze")];
        let talk = Conversation::recorded([
            Message::of(Role::User, ask),
            Message::assistant("a".repeat(600)),
            Message::user("Now create variations"),
            Message::assistant("b".repeat(800)),
            Message::user("Review"),
        ]);
        let with = ViewContext { counter: Some(&Bytes), ..ViewContext::default() };
        [1, 3, 5].map(|k| view(&talk.up_to(k), &policy, &with).unwrap())
    };
    let (full, summary) = (run(Retention::Full), run(Retention::Summary));
    let after = |v: &View| v.tokens.unwrap().after;
    assert!(texts(&full[0]) == texts(&summary[0]), "act 1 holds the full table");
    assert!(texts(&summary[1])[0].starts_with("[Table: posts, "));
    assert!(!texts(&summary[1])[0].contains("community"));
    assert!(after(&summary[1]) < after(&summary[0]), "act 2 is shorter than act 1");
    assert_eq!(summary[1].tokens.unwrap().before, after(&full[1]));
    let saved = |k: usize| 100.0 - 100.0 * after(&summary[k]) as f64 / after(&full[k]) as f64;
    assert!(saved(2) >= 80.0, "act 3 saves {}", saved(2));
    // The seed's own figures: 18 KB of table, 6 KB and 8 KB answered, 2 KB asked: 26 to 8 and 34 to 16 KB.
    let kb = |n: usize| "x".repeat(n * 1024);
    let ask = |r| vec![input(kb(18), part(PartKind::Table, "posts", Some(r)))];
    let sizes = |r, k: usize| {
        let acts = [Message::of(Role::User, ask(r)), Message::assistant(kb(6)), Message::user(kb(2))];
        let talk = Conversation::recorded(acts.into_iter().chain([Message::assistant(kb(8))]));
        let policy = Policy { honour_explicit_full: true, ..Policy::default() };
        let bytes: usize = shown(&talk.up_to(k), &policy).shown.iter().map(|s| s.message.text().len()).sum();
        (bytes + 512) / 1024
    };
    assert_eq!((sizes(Retention::Full, 3), sizes(Retention::Summary, 3)), (26, 8));
    assert_eq!((sizes(Retention::Full, 4), sizes(Retention::Summary, 4)), (34, 16));
}

#[test]
fn r_29_one_switch_restores_everything() {
    let talk = act(vec![
        input("x".repeat(20_000), part(PartKind::File, "f", Some(Retention::Drop))),
        input("y".repeat(20_000), part(PartKind::File, "g", None)),
    ]);
    let off = Policy { retention: false, ..Policy::default() };
    let all: Vec<Message> = talk.messages().map(|m| (**m).clone()).collect();
    assert_eq!(shown(&talk, &off).messages(), all);
    assert_ne!(shown(&talk, &Policy::default()).messages(), all);
}

#[test]
fn r_30_smart_summaries_keep_schema_and_two_rows() {
    let smart = Policy { retention_summary: RetentionSummary::Smart, ..Policy::default() };
    let table = posts(10);
    let size = (table.len() + 512) / 1024;
    let talk = act(vec![input(table, part(PartKind::Table, "posts", Some(Retention::Summary)))]);
    let view = shown(&talk, &smart);
    let expected = format!(
        "[Table: posts, 10 rows, ~{size}KB, input 1.0]\nSchema: 3 columns (id, text_content, rating)\n| 0 | Hey community, this is a long post. Hey… | 0.5 |\n| 1 | Hey community, this is a long post. Hey… | 1.5 |"
    );
    assert_eq!(texts(&view)[1], expected);
    assert_eq!(
        view.shown[1].block_reason(0).to_string(),
        format!("input of {} bytes, as its history_retention says", posts(10).len())
    );
    // No rows: the schema alone. Hundreds of columns: the first of them. Always about 500 characters.
    let empty = format!("| {} |\n|---|\n", "c".repeat(1200));
    let view = shown(&act(vec![input(empty, part(PartKind::Table, "t", Some(Retention::Summary)))]), &smart);
    assert!(
        texts(&view)[1].contains("[Table: t, 0 rows, ~1KB, input 1.0]\nSchema: 1 column (ccc"),
        "{}",
        texts(&view)[1]
    );
    let names: Vec<String> = (0..300).map(|i| format!("column_{i}")).collect();
    let row: Vec<String> = (0..300).map(|i| format!("cell {i}")).collect();
    let wide = format!("| {} |\n|---|---|\n| {} |\n", names.join(" | "), row.join(" | "));
    let view = shown(&act(vec![input(wide, part(PartKind::Table, "t", Some(Retention::Summary)))]), &smart);
    assert!(texts(&view)[1].contains("Schema: 300 columns (column…, column…,"), "{}", texts(&view)[1]);
    assert!(texts(&view)[1].chars().count() <= 500);
    // What is no table keeps its beginning.
    let view =
        shown(&act(vec![input("word ".repeat(900), part(PartKind::File, "f", Some(Retention::Summary)))]), &smart);
    assert!(texts(&view)[1].starts_with("[File: f, ~4KB, input 1.0]\nword word"));
    assert!(texts(&view)[1].chars().count() <= 502);
}

#[test]
fn r_32_differential_summaries_say_what_changed() {
    let differential = Policy { retention_summary: RetentionSummary::Differential, ..Policy::default() };
    let ask = |text: String| {
        Message::of(Role::User, vec![input(text, part(PartKind::Table, "posts", Some(Retention::Summary)))])
    };
    let second = posts(10).replace("| 3 | Hey", "| 3 | Ho") + "| 10 | new | 1.0 |\n";
    let talk = Conversation::recorded([
        ask(posts(10)),
        Message::assistant("a"),
        ask(second.clone()),
        Message::assistant("b"),
        ask(second),
        Message::assistant("c"),
    ]);
    let at = |k: usize| texts(&shown(&talk.up_to(k), &differential));
    assert_eq!(at(1)[0], posts(10), "the first is seen whole");
    let act_2 = at(3);
    assert!(act_2[0].starts_with("[Table: posts, 10 rows, ~17KB, input 0.0]\nSchema: "), "{}", act_2[0]);
    assert!(
        act_2[2].starts_with(
            "[Table: posts, 11 rows, ~17KB, input 2.0: since input 0.0 1 added, 0 removed, 1 changed]\n- | 3 | Hey"
        ),
        "{}",
        act_2[2]
    );
    assert!(act_2[2].ends_with("\n+ | 10 | new | 1.0 |"));
    let act_3 = at(5);
    assert_eq!(act_3[..3], act_2[..], "nothing is rewritten twice");
    assert_eq!(act_3[4], "[Table: posts, 11 rows, ~17KB, input 4.0: unchanged since input 2.0]");
    // Text by lines, with their places.
    let lines = |n: usize| {
        (0..200).map(|i| format!("line number {i}{}\n", if i == n { " changed" } else { "" })).collect::<String>()
    };
    let ask =
        |text: String| Message::of(Role::User, vec![input(text, part(PartKind::File, "f", Some(Retention::Summary)))]);
    let talk = Conversation::recorded([ask(lines(999)), Message::assistant("a"), ask(lines(7))]);
    let view = texts(&shown(&talk, &differential));
    let expected = "since input 0.0 1 lines added, 1 removed]\nline 8:\n- line number 7\n+ line number 7 changed";
    assert!(view[2].ends_with(expected), "{}", view[2]);
    // All is other: no delta, and the model sees it whole.
    let talk = Conversation::recorded([ask(lines(1)), Message::assistant("a"), ask("z\n".repeat(2000))]);
    assert_eq!(texts(&shown(&talk, &differential))[2], "z\n".repeat(2000));
}

#[test]
fn r_33_summaries_are_expanded_by_their_handle() {
    let smart = Policy { retention_summary: RetentionSummary::Smart, ..Policy::default() };
    let talk =
        act(vec![Block::text("before"), input(posts(9), part(PartKind::Table, "posts", Some(Retention::Summary)))]);
    let text = texts(&shown(&talk, &smart))[1].clone();
    let handle = text.split("input ").nth(1).unwrap().split(']').next().unwrap();
    assert_eq!(original(&talk, handle), Some(posts(9).as_str()));
    for none in ["", "1", "9.9", "1.7", "x.y", "-1.0"] {
        assert_eq!(original(&talk, none), None);
    }
}

#[test]
fn r_35_one_rewrite_then_never_again() {
    let ask = |n: usize| {
        Message::of(Role::User, vec![input("x".repeat(2000 + n), part(PartKind::File, "f", Some(Retention::Summary)))])
    };
    let mut talk = Conversation::new();
    let mut before: Option<View> = None;
    for n in 0..6 {
        talk.push(ask(n)).unwrap();
        talk.push(Message::assistant("ok")).unwrap();
        let now = shown(&talk, &Policy::default());
        assert_eq!(now.boundary_moves, n as u64 + 1, "each answered input is one move");
        if let Some(b) = before {
            assert_eq!(b.common(&now), b.shown.len(), "what was rewritten stays");
        }
        before = Some(now);
    }
    // What will yet be rewritten is not marked as stable (B-22).
    talk.push(ask(9)).unwrap();
    let live = shown(&talk, &Policy::default());
    assert_eq!(live.stable_prefix, live.shown.len() - 1);
}

#[test]
fn r_22_r_23_r_26_r_37_words_for_whoever_set_the_retention() {
    let posts = part(PartKind::Table, "posts", None);
    let error = guidance("refine", "analyze", &posts, Retention::Summary);
    for words in
        ["'refine'", "{{analyze}}", "table posts", "only a summary", "history_retention = \"full\"", "act 'analyze'"]
    {
        assert!(error.contains(words), "{error}");
    }
    assert!(large_input(&posts, &"x".repeat(18 * 1024), 3).unwrap().contains("~18KB"));
    assert_eq!(large_input(&posts, &"x".repeat(18 * 1024), 1), None);
    assert_eq!(large_input(&posts, "small", 3), None);
    assert_eq!(large_input(&part(PartKind::Table, "p", Some(Retention::Drop)), &"x".repeat(18 * 1024), 3), None);
}

#[test]
fn r_27_r_32_what_waits_for_its_answer_is_not_said_to_be_gone() {
    let differential = Policy { retention_summary: RetentionSummary::Differential, ..Policy::default() };
    let table = |rows| input(posts(rows), part(PartKind::Table, "posts", Some(Retention::Summary)));
    let note = input("n".repeat(2000), part(PartKind::Text, "note", Some(Retention::Drop)));
    let other = input(posts(5), part(PartKind::Table, "others", Some(Retention::Summary)));
    let mut talk = act(vec![table(3)]);
    talk.push(Message::of(Role::User, vec![table(4), note, other])).unwrap();
    let said = |talk: &Conversation| -> Vec<String> {
        shown(talk, &differential)
            .events
            .iter()
            .map(|e| e.text.to_string())
            .filter(|t| t.contains(" 3.") || t.contains("input 3."))
            .collect()
    };
    let waiting = said(&talk);
    assert!(waiting.iter().all(|t| !t.contains("dropped") && !t.contains("kept in full")), "{waiting:?}");
    talk.push(Message::assistant("done")).unwrap();
    assert!(said(&talk).iter().any(|t| t.contains("3.1") && t.contains("dropped")), "{:?}", said(&talk));
}

#[test]
fn r_12_b_26_a_thought_that_says_nothing_does_not_make_a_message() {
    let dropped = input("n".repeat(2000), part(PartKind::Text, "note", Some(Retention::Drop)));
    let talk = act(vec![dropped, Block::Reasoning { text: " ".into(), signature: None }]);
    assert_eq!(texts(&shown(&talk, &Policy::default()))[1], "[input omitted]");
}
