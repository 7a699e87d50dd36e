//! `ptc chat`.

use super::given::{InputArgs, SettingArgs};
use super::run::RunOptions;
use clap::Args;
use std::path::PathBuf;

/// What `ptc chat` says below its options.
pub const CHAT_HELP: &str = "\
The model answers as it writes, and calls tools natively: those of the task, of its MCP servers, and of --tool. Each request is a\n\
view of the whole conversation by the policy. At the prompt /help lists the commands; a line that ends in \\ goes on in the next.\n\
Ctrl-C ends an answer; twice, or Ctrl-D, ends ptc chat. From a pipe each line is a message, and answers go to standard output.\n\
\n\
Examples:\n\
\x20 ptc chat --model ollama/qwen3\n\
\x20 ptc chat --ctx notes.txt --policy auto\n\
\x20 ptc chat shop --file talk.json                  with the tools and inputs of a task; talk.json continues\n\
\x20 printf 'Hello\\nAnd in French?\\n' | ptc chat\n\
\n\
Without --model it is the model of the task, of the configuration, or of the only provider whose key is set, as with ptc ask.\n\
Exit codes: 0, 1 when a message of standard input got no answer, 2 usage; 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.";

#[derive(Args)]
pub struct ChatArgs {
    /// A folder with a task.toml, or the task.toml: its model, tools, inputs, history, and its prompt as the system message
    pub task: Option<PathBuf>,
    /// What the model is told first, over the task's prompt
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
    /// How history is shortened: a strategy (auto, sliding_window, sticky_summary ...), or a file with the keys of [history]
    #[arg(long, value_name = "NAME | FILE")]
    pub policy: Option<String>,
    /// Keep the conversation in this file, and go on with what it has; ptc history view and report read it
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// A command that the model may call as a tool, as of ptc ask
    #[arg(long, value_name = "[NAME=]COMMAND", conflicts_with = "task")]
    pub tool: Vec<String>,
    #[command(flatten)]
    pub inputs: InputArgs,
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Ask this model, over what the task says
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
}

impl ChatArgs {
    /// The same as options of a run.
    pub fn run_options(&self) -> RunOptions {
        let (inputs, settings, model) = (self.inputs.clone(), self.settings.clone(), self.model.clone());
        RunOptions { inputs, settings, model, ..RunOptions::default() }
    }
}
