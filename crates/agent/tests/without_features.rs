//! A build without a feature: what needs it ends in one error that names it, before anything runs.
#![allow(clippy::unwrap_used)]

use ptc_agent::{Environment, Error, RunContext, Task};
use std::sync::atomic::{AtomicU32, Ordering};

/// What comes of a task with this text, wherever an error comes from.
fn outcome(text: &str) -> Result<(), Error> {
    // Tests run side by side, each in a folder of its own.
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    let n = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("ptc-builds-{}-{n}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in [("schema.json", "{}"), ("data.sqlite", ""), ("r.md", "## Turn 1\n\n(return 1)\n")] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let run = || {
        let task = Task::parse(&folder, "task.toml", &format!("[task]\nname = \"t\"\nprompt = \"p\"\n{text}"))?;
        let session = ptc_turns::Session::new(task.config()?);
        task.model(session.trace(), &Environment::default().with("OPENAI_API_KEY", "k"))?;
        task.agent(session, &RunContext::default()).map(drop)
    };
    let outcome = run();
    std::fs::remove_dir_all(&folder).unwrap();
    outcome
}

/// A model of a provider, a server, a table of a database and a schema.
const HTTP: &str = "model = \"openai/gpt-5.1\"";
const MCP: &str = "model = \"replay:r.md\"\n[mcp.s]\nurl = \"http://127.0.0.1:1/mcp\"";
const SQLITE: &str = "model = \"replay:r.md\"\n[context.rows]\ndatabase = \"data.sqlite\"\ntable_name = \"t\"";
const SCHEMAS: &str = "model = \"replay:r.md\"\nexpect_schema = \"schema.json\"";

#[cfg(not(all(feature = "http", feature = "mcp", feature = "sqlite", feature = "schemas")))]
fn is_refused(text: &str, feature: &str) {
    let e = outcome(text).unwrap_err();
    let hint = format!("build ptc-agent, or ptc, with the feature {feature}");
    assert!(e.message().ends_with(&format!("built without the feature {feature}")), "{e}");
    assert_eq!(e.hint(), Some(hint.as_str()), "{e}");
}

#[test]
#[cfg(not(feature = "http"))]
fn a_model_of_a_provider_needs_http() {
    is_refused(HTTP, "http");
}

#[test]
#[cfg(not(feature = "mcp"))]
fn a_server_needs_mcp() {
    is_refused(MCP, "mcp");
}

#[test]
#[cfg(not(feature = "sqlite"))]
fn a_table_of_a_database_needs_sqlite() {
    is_refused(SQLITE, "sqlite");
}

#[test]
#[cfg(not(feature = "schemas"))]
fn a_schema_needs_schemas() {
    is_refused(SCHEMAS, "schemas");
}

// With a feature the same task is read: what is refused above is the feature's. All features are on in plain `cargo test`;
// .github/workflows/ci.yml compiles each alone.

#[test]
#[cfg(feature = "http")]
fn with_http_a_model_of_a_provider_is_taken() {
    outcome(HTTP).unwrap();
}

#[test]
#[cfg(feature = "mcp")]
fn with_mcp_a_server_is_asked() {
    let e = outcome(MCP).unwrap_err();
    assert!(e.to_string().starts_with("[mcp.s]: the server cannot be used"), "{e}");
}

#[test]
#[cfg(feature = "sqlite")]
fn with_sqlite_a_table_is_looked_for() {
    let e = outcome(SQLITE).unwrap_err();
    assert!(e.message().contains("there is no table"), "{e}");
}

#[test]
#[cfg(feature = "schemas")]
fn with_schemas_a_schema_is_taken() {
    outcome(SCHEMAS).unwrap();
}
