//! Bytes as the database of an input: rows, or words.

use super::outside::{folder, words, write};
use ptc_agent::Task;
use std::sync::LazyLock;

/// Reads tables of the database that the bytes are.
pub fn sqlite(data: &[u8]) {
    static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| {
        let task = |table: &str, rows: &str| {
            let input = format!("[context.rows]\ndatabase = \"t.sqlite\"\ntable_name = \"{table}\"\n{rows}");
            let text = format!(
                "[task]\nname = \"t\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[limits]\nwall_ms = 2000\n{input}"
            );
            Task::parse(&folder("sqlite"), "task.toml", &text).unwrap_or_else(|e| panic!("{e}"))
        };
        vec![task("t", ""), task("v", "limit = 3\noffset = 1\n")]
    });
    write(&folder("sqlite"), "t.sqlite", data);
    for task in TASKS.iter() {
        match task.inputs() {
            Ok(inputs) => assert!(inputs.len() == 1 && inputs[0].name == "rows"),
            Err(e) => words(&e.to_string()),
        }
    }
}
