//! Bytes as what a command tool writes: a value of the program that calls it, or words.

use super::outside::{folder, told, write};
use ptc_agent::tools::CommandTool;
use ptc_agent::{Toolbox, host};
use ptc_lisp::interface::ToolSpec;
use ptc_lisp::limits::Limits;
use ptc_turns::{Config, Policy, Session};

/// Calls a command that writes the input; one that begins with `!` ends with an exit code and the rest on standard error.
pub fn command(data: &[u8]) {
    let folder = folder("command");
    let (failed, data) = data.strip_prefix(b"!").map_or((false, data), |rest| (true, rest));
    write(&folder, "out", data);
    let line = if failed { vec!["/bin/sh", "-c", "cat out >&2; exit 3"] } else { vec!["/bin/cat", "out"] };
    let line: Vec<String> = line.into_iter().map(str::to_owned).collect();
    let mut tools = Toolbox::new();
    for (name, text) in [("data", false), ("text", true)] {
        let mut command = CommandTool::find(&folder, &line).unwrap_or_else(|e| panic!("{e}"));
        command.text = text;
        let spec = ToolSpec { name: name.into(), description: String::new(), params: None, returns: None };
        tools.add(command.tool(name).with_spec(spec));
    }
    let limits = Limits { fuel: 50_000, memory_bytes: 2 << 20, cpu_ms: 0, wall_ms: 10_000, ..Limits::default() };
    let mut session = Session::new(Config { tools: tools.specs(), limits, ..Config::programs() });
    for program in ["(def x (tool/data {}))", "(println (tool/text {}) (count (str x)))"] {
        let turn = session.trace().turns().len() as u64 + 1;
        let world = host::turn_context(&session, turn, &mut tools, &|| false);
        if let Ok(Some(e)) = session.run(program, world).map(|r| r.error.as_ref()) {
            told(&e.message);
        }
    }
    assert!(session.trace().turns().len() == 2);
    session.messages(&Policy::compressed());
}
