//! `ptc check`.

use clap::Args;
use std::path::PathBuf;

pub const CHECK_HELP: &str = "\
Looked at: the task file, inputs and files of acts, recorded models and tools, commands, addresses and variables of\n\
servers, keys of models, expected shapes and schemas, options of history, places {{act}} in texts, and the same of all\n\
tasks inside. No model is asked, no tool is called, no server is started: what only they know is found when they run.\n\
Each problem is a line, with file and line where they are known. With --json it is one line\n\
{\"ok\":false,\"task\":\"...\",\"problems\":[{\"file\":\"...\",\"line\":7,\"message\":\"...\"}]}.\n\
Exit codes: 0 nothing is wrong, 1 something is, 2 usage.";

#[derive(Args)]
pub struct CheckArgs {
    /// A folder with a task.toml, or the task.toml
    pub task: PathBuf,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}
