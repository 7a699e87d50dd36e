//! Bytes as the file of a task: a task with inputs, acts and places, which is begun and run where that starts no
//! process; or words.

use super::outside::{folder, words, write};
use ptc_agent::{Environment, RunContext, Task};
use std::path::PathBuf;
use std::sync::LazyLock;

/// The files that tasks speak of.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder("task");
    write(&folder, "items.json", "[{\"name\": \"pen\", \"n\": 3}]");
    write(&folder, "rows.csv", "a,b\n1,x\n2,y\n");
    write(&folder, "words.md", "Some *words*.");
    write(&folder, "schema.json", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}");
    write(&folder, "stock.jsonl", "{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n");
    write(
        &folder,
        "replies.md",
        "## Turn 1\n\n```clojure\n(return [(tool/stock \"pen\")])\n```\n\n## Turn 2\n\nThree of it.\n",
    );
    folder
});

/// What starts processes, asks servers, or reads what is elsewhere: of such a task only the file is read.
const LEAVES: [&str; 9] = ["command", "mcp", "url", "agents", "narrative", "/", "\\", "model", ".."];

/// Reads the input as a `task.toml`.
pub fn task(data: &[u8]) {
    let text = super::text(data);
    let mut task = match Task::parse(&FOLDER, "task.toml", &text) {
        Ok(task) => task,
        Err(e) => return words(&e.to_string()),
    };
    let own = text.replacen("model = \"replay:replies.md\"", "", 1);
    if LEAVES.iter().any(|word| own.contains(word)) {
        return;
    }
    task.use_model("replay:replies.md".to_owned());
    let config = match task.config() {
        Ok(config) => config,
        Err(e) => return words(&e.to_string()),
    };
    // However large its limits are, it ends.
    let mut limits = config.limits.clone();
    (limits.fuel, limits.memory_bytes) = (limits.fuel.min(100_000), limits.memory_bytes.min(2 << 20));
    let session = ptc_turns::Session::new(ptc_turns::Config { limits, ..config });
    let mut agent = match task.agent(session, &RunContext::default()) {
        Ok(agent) => agent,
        Err(e) => return words(&e.to_string()),
    };
    let model = task.model(agent.session().trace(), &Environment::default());
    match model {
        Ok(mut model) => {
            let finished = agent.run(&mut *model, &mut ());
            if let Some(problem) = finished.error.map(|e| e.text()) {
                words(&problem);
            }
        }
        Err(e) => words(&e.to_string()),
    }
}
