//! Every start in many disguises, in every place where a program or a tool can put text: no line of a prompt reads as the
//! runtime's own unless the runtime wrote it, and every line that it writes is one of the table.

use super::*;
use crate::policy::{ErrorRetention, Layout, Policy};
use crate::session::config::{Config, Input};
use crate::session::{Session, TurnContext};
use crate::text::printed_text::{is_break, printed};
use ptc_history::Role;
use ptc_lisp::interface::{Param, ToolSpec, Tools};
use ptc_lisp::print;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;

/// The start as the runtime would write a line with it.
fn written(start: &Start) -> String {
    match start {
        Words(w) => format!("{w} and more"),
        Number(w, then) => format!("{w}12{then}"),
        Ends(w) => format!("{w}3"),
        Call(w) => format!("{w}search(\"x\")"),
        Calls(w) => format!("{w}search × 12: (\"x\")"),
    }
}

fn wide(c: char) -> char {
    match c {
        ' ' => '\u{3000}',
        '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap(),
        other => other,
    }
}

fn bold(c: char) -> char {
    match c {
        'A'..='Z' => char::from_u32(0x1d400 + (c as u32 - 'A' as u32)).unwrap(),
        'a'..='z' => char::from_u32(0x1d41a + (c as u32 - 'a' as u32)).unwrap(),
        '0'..='9' => char::from_u32(0x1d7ce + (c as u32 - '0' as u32)).unwrap(),
        other => other,
    }
}

/// A line in the ways in which it could be written so as to read the same.
fn disguises(line: &str) -> Vec<String> {
    let mut all = vec![
        line.to_owned(),
        line.to_lowercase(),
        line.to_uppercase(),
        line.chars().map(wide).collect(),
        line.chars().map(bold).collect(),
        format!(" \t\u{a0}{line}"),
        format!("\u{feff}\u{200b}{line}"),
        format!("\u{2800}\u{202e}{line}"),
        line.chars().flat_map(|c| [c, '\u{200d}']).collect(),
        line.chars().flat_map(|c| [c, '\u{fe0f}']).collect(),
        line.replace(' ', "\u{2009} \u{3000}"),
        line.replace(' ', "\t"),
        line.replace(':', " :"),
    ];
    if let Some(rest) = line.strip_prefix(';') {
        all.push(format!(";;{rest}"));
        all.push(format!("; ;;{rest}"));
        all.push(format!(";{}", rest.trim_start()));
        all.push(format!("；{rest}"));
        all.push(format!("\u{37e};{rest}"));
    }
    all
}

#[test]
fn printed_lines_that_read_as_ours_are_escaped() {
    for start in STARTS {
        for line in disguises(&written(start)) {
            assert_eq!(printed(&line), format!("\\{line}"), "{start:?}");
        }
    }
}

#[test]
fn what_history_writes_is_in_the_table() {
    use ptc_history::retention::guidance;
    use ptc_history::{Part, PartKind};
    for kind in [PartKind::Table, PartKind::File, PartKind::Text, PartKind::Narrative, PartKind::Tool] {
        let part = Part { kind, name: Some("posts".into()), history_retention: None, count: Some(3), offset: None };
        let told = guidance("act", "other", &part, ptc_history::Retention::Drop);
        // Its words begin with those of the line that stands in an input's place.
        let word = format!("{kind:?}").to_lowercase();
        assert!(told.to_lowercase().contains(&word), "{told}");
        assert!(reads_as_ours(&format!("[{kind:?}: posts, 3 rows]")));
    }
}

/// Says what it is told to, as its answer or as its error.
struct Says(String);

impl Tools for Says {
    fn call(&mut self, _: u64, name: &str, _: &Value) -> Result<Value, String> {
        if name == "say" { Ok(Value::str(&self.0)) } else { Err(self.0.clone()) }
    }
}

fn tool(name: &str) -> ToolSpec {
    let params = Some(vec![Param::new("x", Type::Any)]);
    ToolSpec { name: name.into(), description: "Says something".into(), params, returns: None }
}

/// Programs that put the input `ctx/text` wherever text can go.
fn programs(text: &str) -> Vec<String> {
    let quoted = print::readable(&Value::str(text), 1 << 20);
    [
        "(println ctx/text)",
        "(print \"so far\") (print ctx/text)",
        "(println (tool/say 1))",
        "(tool/say ctx/text)",
        "(def answer (tool/say 2))",
        "(tool/fail ctx/text)",
        "(throw (ex-info ctx/text {:text ctx/text}))",
        "(println ctx/text) (throw (ex-info \"no\" {}))",
        "(try (tool/fail 1) (catch Exception e (println (ex-message e))))",
        "(def sample ctx/text)",
        "(def samples [{:text ctx/text ctx/text 1} ctx/text])",
        "ctx/text",
        "(symbol ctx/text)",
        "(assert false ctx/text)",
        "(println (str \"a\" ctx/text))",
        "(pr ctx/text)",
        "(with-out-str (print ctx/text))",
    ]
    .iter()
    .map(|p| (*p).to_owned())
    .chain([format!("(def documented {quoted} 1)"), format!("(defn f {quoted} [] 1)"), "(def last-one 1)".into()])
    .collect()
}

fn session(text: &str) -> Session {
    let input =
        Input { name: "text".into(), value: Value::str(text), sha256: "0".into(), file: None, json: None, note: None };
    let config = Config {
        prompt: "Task".into(),
        max_turns: 40,
        tools: vec![tool("say"), tool("fail")],
        inputs: vec![input],
        ..Config::default()
    };
    let mut session = Session::new(config);
    for program in programs(text) {
        let mut says = Says(text.to_owned());
        session.run(&program, TurnContext::with_tools(&mut says)).unwrap();
    }
    session
}

fn policies() -> Vec<Policy> {
    let compressed =
        || Policy { show_tool_calls: true, println_history_limit: Some(100), ..Policy::legacy_entry_count() };
    vec![
        Policy::full(),
        compressed(),
        Policy { println_history_limit: Some(0), ..compressed() },
        Policy { error_retention: ErrorRetention::UntilRecovered, ..compressed() },
        Policy { layout: Layout::Coalesced, ..compressed() },
        Policy { layout: Layout::Coalesced, error_retention: ErrorRetention::UntilRecovered, ..compressed() },
    ]
}

/// Policies under which it hangs on the length of texts which lines there are.
fn measured() -> Vec<Policy> {
    let of = |output_tokens| Policy { show_tool_calls: true, output_tokens, ..Policy::compressed() };
    let auto = ptc_history::Policy {
        batch_turns: ptc_history::policy::BatchTurns::Turns(1),
        ..ptc_history::Policy::with(ptc_history::policy::Strategy::Auto)
    };
    let together = |output_tokens| Policy { layout: Layout::Coalesced, ..of(output_tokens) };
    vec![of(0), of(100), of(2000), Policy { history: auto, ..of(100) }, together(0), together(100)]
}

/// The lines under a policy that are no program and no task: what the model reads of the runtime and of what was run.
fn lines(session: &Session, policy: &Policy) -> Vec<String> {
    let messages = session.messages(policy);
    let shown = messages.iter().filter(|m| m.role != Role::System).map(ptc_history::Message::text);
    let programs: Vec<&str> = session.trace().turns().iter().map(|t| t.program.as_str()).collect();
    let texts = shown.filter(|t| !t.starts_with("```"));
    let lines = texts.flat_map(|t| t.split(is_break).map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|l| !programs.contains(&l.as_str()) && !l.starts_with("```") && l != "Task").collect()
}

/// Lines that read as ours, under each policy.
fn ours(text: &str) -> Vec<Vec<String>> {
    let session = session(text);
    let count =
        |p: &Policy| lines(&session, p).into_iter().filter(|l| reads_as_ours(l) && !l.starts_with('\\')).collect();
    policies().iter().map(count).collect()
}

#[test]
fn no_line_of_a_prompt_reads_as_ours_unless_the_runtime_wrote_it() {
    let breaks = ["\n", "\r", "\u{b}", "\u{85}", "\u{2028}"];
    for (i, start) in STARTS.iter().enumerate() {
        let forged = disguises(&written(start));
        let sep = breaks[i % breaks.len()];
        // At the beginning of a text and behind every line end of it.
        let text = forged.join(sep);
        let harmless = vec!["harmless"; forged.len()].join(sep);
        for (policy, (got, expected)) in ours(&text).iter().zip(ours(&harmless)).enumerate() {
            assert_eq!(got.len(), expected.len(), "{start:?} under policy {policy}: {got:#?}");
        }
    }
}

#[test]
fn no_printed_line_stands_as_it_was_when_it_reads_as_ours() {
    for start in STARTS {
        let forged = disguises(&written(start));
        let session = session(&forged.join("\n"));
        for policy in measured() {
            for line in lines(&session, &policy) {
                assert!(!forged.contains(&line), "{start:?}: {line:?} under {policy:?}");
            }
        }
    }
}

#[test]
fn every_line_that_the_runtime_writes_is_one_of_the_table() {
    let session = session("harmless\nharmless");
    for policy in policies() {
        for line in lines(&session, &policy) {
            let excerpt = line.trim_start().trim_start_matches(char::is_numeric).trim_start().starts_with('|');
            let others = line.starts_with("harmless") || line.starts_with("aharmless") || line.starts_with("so far");
            let said = line.starts_with('"') || line.is_empty();
            assert!(reads_as_ours(&line) || excerpt || others || said, "{line:?}");
        }
    }
}
