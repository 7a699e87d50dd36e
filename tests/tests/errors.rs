//! Errors as the model reads them: each broken program of `tests/errors` with its report, as one snapshot that reads as
//! prose.
//!
//! A file begins with a line `;; what is wrong`; `;;;; next turn` parts it into turns, of which the last one fails.

use ptc_lisp::interface::{Param, ToolSpec, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_tests::markdown::folder;
use ptc_turns::{Config, Input, Session, TurnContext};

/// A shop: it knows one customer and refunds nothing.
struct Shop;

impl Tools for Shop {
    fn call(&mut self, _: u64, name: &str, _: &Value) -> Result<Value, String> {
        match name {
            "refund" => Err("refunds over 20 need approval".into()),
            _ => Ok(Value::map([(Value::plain_keyword("id"), Value::str("c1"))])),
        }
    }
}

fn tool(name: &str, params: &[(&str, &str)]) -> ToolSpec {
    let params = params.iter().map(|(n, s)| Param::new(*n, s.parse().unwrap())).collect();
    ToolSpec { name: name.into(), description: String::new(), params: Some(params), returns: None }
}

fn session() -> Session {
    // Small limits, so that debug builds reach them soon.
    let limits = Limits {
        fuel: 1_000_000,
        memory_bytes: 4 << 20,
        output_bytes: 150,
        cpu_ms: 0,
        wall_ms: 0,
        ..Limits::default()
    };
    let text = r#"[{"id":1,"total":120},{"id":2,"total":80}]"#;
    let value = ptc_lisp::json::parse_text(text, &limits).unwrap();
    let orders = Input { name: "orders".into(), value, sha256: String::new(), file: None, json: None, note: None };
    let tools = vec![
        tool("search-reviews", &[("category", "string"), ("limit", "integer?")]),
        tool("customer", &[("id", "string")]),
        tool("refund", &[("id", "string"), ("amount", "number")]),
    ];
    Session::new(Config { limits, tools, inputs: vec![orders], ..Config::programs() })
}

/// The feedback on the last turn, less the line that says which turn is next.
fn told(source: &str) -> String {
    let mut session = session();
    let turns: Vec<&str> = source.split(";;;; next turn\n").collect();
    let (last, before) = turns.split_last().unwrap();
    for t in before {
        let record = session.run(t, TurnContext::with_tools(&mut Shop)).unwrap();
        assert!(record.status.committed(), "{}", record.feedback);
    }
    let record = session.run(last, TurnContext::with_tools(&mut Shop)).unwrap();
    assert!(!record.status.committed(), "it should fail: {source}\n{}", record.feedback);
    let feedback = record.feedback.as_str();
    feedback.rsplit_once("\nTurn ").map_or(feedback, |f| f.0).to_string()
}

#[test]
fn reports_say_what_to_write_next() {
    let mut files: Vec<_> = std::fs::read_dir(folder("errors")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 40);
    let mut prose = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let (title, source) = text.split_once('\n').unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        let title = title.strip_prefix(";; ").unwrap_or_else(|| panic!("{name} does not say what is wrong"));
        prose.push_str(&format!("## {name}: {title}\n\n{source}\n{}\n\n", told(source)));
    }
    insta::assert_snapshot!(prose);
}
