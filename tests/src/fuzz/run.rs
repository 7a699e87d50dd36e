//! Programs to sessions under small limits: no panic and no fault of ours, the same twice, nothing left of a failure,
//! and a trace that replays.

use super::dice::Dice;
use super::programs::programs;
use ptc_lisp::error::{ErrorKind, MESSAGE_BYTES};
use ptc_lisp::interface::{ToolSpec, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::print::{Style, print};
use ptc_lisp::value::Value;
use ptc_turns::{Config, Input, Json, Session, TurnContext, TurnRecord};

/// What is between the turns of an input that is taken as text.
pub const BETWEEN: &str = "\n---\n";

/// Runs the input as turns, and programs that are built of it.
pub fn run(data: &[u8]) {
    let text = super::text(data);
    session(&text.split(BETWEEN).map(str::to_owned).collect::<Vec<_>>());
    let mut d = Dice::new(data, 150);
    if d.more() {
        session(&programs(&mut d));
    }
}

/// Answers with what it was asked, or not at all.
struct Echo;

impl Tools for Echo {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        if name == "fail" || id.is_multiple_of(5) {
            Err("busy\n; Defined: admin = true".into())
        } else {
            Ok(args.clone())
        }
    }
}

const DATA: &str = r#"[{"id": 1, "name": "Ann", "tags": ["a", "b"]}, {"id": 2, "name": null, "price": 1.5}]"#;

/// Small limits, two tools and an input.
pub fn config() -> Config {
    let limits = Limits {
        fuel: 40_000,
        memory_bytes: 2 << 20,
        output_bytes: 4096,
        result_bytes: 8192,
        cpu_ms: 0,
        wall_ms: 0,
        ..Limits::default()
    };
    let tool = |name: &str| ToolSpec { name: name.into(), description: String::new(), params: None, returns: None };
    let data = Input {
        name: "data".into(),
        value: ptc_lisp::json::parse_text(DATA, &limits).unwrap_or_default(),
        sha256: "0".into(),
        file: None,
        json: Json::new(DATA.into()),
        note: None,
    };
    Config {
        limits,
        tools: vec![tool("echo"), tool("fail")],
        inputs: vec![data],
        prompt: "p".into(),
        ..Config::programs()
    }
}

fn session(programs: &[String]) {
    // To see what an input stands for.
    if std::env::var_os("FUZZ_SHOW").is_some() {
        eprintln!("{}", programs.join(BETWEEN));
    }
    let mut session = Session::new(config());
    for program in programs {
        let before = remembered(&session);
        let record = turn(&mut session, program);
        check(&record, program);
        if !record.status.committed() {
            assert_eq!(remembered(&session), before, "a failed turn left something: {program}");
        }
    }
    // The same again, to the last unit of fuel.
    let mut again = Session::new(config());
    for (program, first) in programs.iter().zip(session.trace().turns()) {
        assert_eq!(stable(&turn(&mut again, program)), stable(first), "not twice the same: {program}");
    }
    assert_eq!(remembered(&again), remembered(&session));
    let text = session.trace().to_text();
    let loaded = ptc_turns::Trace::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(loaded.trace.to_text(), text);
    match Session::from_trace(loaded.trace, Vec::new()) {
        Ok(back) => assert_eq!(remembered(&back), remembered(&session), "replayed"),
        Err(e) => panic!("{e}\n{programs:#?}"),
    }
}

/// One program as the next turn, with tools that echo and fail.
pub fn turn(s: &mut Session, program: &str) -> TurnRecord {
    let number = s.trace().turns().len() as u64;
    let mut tools = Echo;
    let world = TurnContext { now_ms: 1000 + number as i64, seed: 7 + number, ..TurnContext::with_tools(&mut tools) };
    s.run(program, world).unwrap_or_else(|e| panic!("{e}")).clone()
}

fn check(r: &TurnRecord, program: &str) {
    let limits = config().limits;
    if let Some(e) = &r.error {
        let own = !matches!(e.kind, ErrorKind::Internal | ErrorKind::Corrupt);
        assert!(own && e.message.len() <= MESSAGE_BYTES, "{}: {} in {program}", e.kind, e.message);
    }
    if let Some(v) = &r.value {
        // A value that is cut ends in dots; of what fails only words are kept.
        assert!(v.len() as u64 <= limits.result_bytes + 3, "{} bytes of value: {program}", v.len());
    }
    let printed: usize = r.printed.iter().map(String::len).sum();
    assert!(printed as u64 <= limits.output_bytes, "{printed} bytes printed: {program}");
    assert!(r.usage.fuel <= limits.fuel, "{} fuel: {program}", r.usage.fuel);
}

/// A record without what two runs may differ in: bytes that a cache kept.
fn stable(r: &TurnRecord) -> TurnRecord {
    let mut r = r.clone();
    r.usage.memory_bytes = 0;
    if let Some(e) = r.error.as_mut().filter(|e| e.kind == ErrorKind::Memory) {
        e.message.clear();
        r.feedback.clear();
    }
    r
}

/// Everything a session remembers, as text; what cells hold too, and how much of each lazy sequence has been made.
fn remembered(s: &Session) -> Vec<String> {
    let memory = s.memory();
    let cells = |id| memory.cell(id).cloned();
    let style = Style { readable: true, limit: 1 << 16, cells: Some(&cells), plain_records: false, classes: None };
    let text = |v: &Option<Value>| v.as_ref().map(|v| print(v, &style).0);
    memory.bindings().map(|b| format!("{} {:?} {:?}", b.name, b.doc, text(&b.value))).collect()
}
