//! A build without a feature: what needs it ends in one error that names it, before anything runs.
#![allow(clippy::unwrap_used)]

use ptc_agent::{Environment, Error, RunContext, Task};
use std::sync::atomic::{AtomicU32, Ordering};

/// The error of a task with this text, wherever it comes from.
fn error(text: &str) -> Error {
    let text = format!("[task]\nname = \"t\"\nprompt = \"p\"\n{text}");
    let run = || -> Result<(), Error> {
        // Tests run side by side, each in a folder of its own.
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let n = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("ptc-builds-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (file, text) in [("schema.json", "{}"), ("data.sqlite", "")] {
            std::fs::write(folder.join(file), text).unwrap();
        }
        let task = Task::parse(&folder, "task.toml", &text)?;
        let session = ptc_turns::Session::new(task.config()?);
        task.model(session.trace(), &Environment::default().with("OPENAI_API_KEY", "k"))?;
        task.agent(session, &RunContext::default()).map(drop)
    };
    run().unwrap_err()
}

#[cfg(not(all(feature = "http", feature = "mcp", feature = "sqlite", feature = "schemas")))]
fn is_refused(text: &str, feature: &str) {
    let e = error(text);
    let hint = format!("build ptc-agent, or ptc, with the feature {feature}");
    assert!(e.message().ends_with(&format!("built without the feature {feature}")), "{e}");
    assert_eq!(e.hint(), Some(hint.as_str()), "{e}");
}

#[test]
#[cfg(not(feature = "http"))]
fn a_model_of_a_provider_needs_http() {
    is_refused("model = \"openai/gpt-5.1\"", "http");
}

#[test]
#[cfg(not(feature = "mcp"))]
fn a_server_needs_mcp() {
    is_refused("model = \"replay:r.md\"\n[mcp.s]\nurl = \"http://127.0.0.1:1/mcp\"", "mcp");
}

#[test]
#[cfg(not(feature = "sqlite"))]
fn a_table_of_a_database_needs_sqlite() {
    let table = "model = \"replay:r.md\"\n[context.rows]\ndatabase = \"data.sqlite\"\ntable_name = \"t\"";
    is_refused(table, "sqlite");
}

#[test]
#[cfg(not(feature = "schemas"))]
fn a_schema_needs_schemas() {
    is_refused("model = \"replay:r.md\"\nexpect_schema = \"schema.json\"", "schemas");
}

/// With all features the same tasks are read: what is refused above is the feature's.
#[test]
#[cfg(all(feature = "schemas", feature = "http"))]
fn with_the_features_they_are_taken() {
    let words = error("model = \"replay:r.md\"\nexpect_schema = \"schema.json\"").to_string();
    assert!(words.contains("r.md") && !words.contains("feature"), "{words}");
}
