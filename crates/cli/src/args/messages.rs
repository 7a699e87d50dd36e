//! `ptc messages` and `ptc trace`.

use super::bounds::MOST_COUNT;
use super::view::Compression;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct MessagesArgs {
    /// The trace file
    pub trace: PathBuf,
    /// A file with the keys of [history], instead of the recorded policy
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    #[command(flatten)]
    pub compression: Compression,
    /// Before this turn; before the next one if absent
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=MOST_COUNT))]
    pub turn: Option<u64>,
    /// Print the array of messages
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print the reason before each line, then what was decided about the output of older turns
    #[arg(long, conflicts_with_all = ["json", "format"])]
    pub why: bool,
    /// Print them as a provider wants them: openai, openai-responses, anthropic, gemini, bedrock
    #[arg(long)]
    pub format: Option<String>,
    /// Whose tokens a budget counts; those of the model that the trace names, or of openai/gpt-4o, if absent
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub model: Option<String>,
    /// Say what history made of it, and how long it is of the full history
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Args)]
pub struct TraceArgs {
    /// The trace file
    pub trace: PathBuf,
    /// The whole text of the input with this handle, as prompts name it: 1.0
    #[arg(long, value_name = "HANDLE", conflicts_with_all = ["turn", "json", "report"])]
    pub input: Option<String>,
    /// This turn only
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=MOST_COUNT))]
    pub turn: Option<u64>,
    /// Print the array of turns
    #[arg(long)]
    pub json: bool,
    /// Write a page for people into this file: turns, definitions, tool calls, tokens, every prompt line by line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "turn"])]
    pub report: Option<PathBuf>,
    /// The task of the trace, by whose price the page says costs; of a session that was kept it is known
    #[arg(long, value_name = "TASK", requires = "report")]
    pub task: Option<PathBuf>,
}
