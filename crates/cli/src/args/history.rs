//! `ptc history`.

use super::deferred::Deferred;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
pub struct HistoryArgs {
    #[command(subcommand)]
    pub command: HistoryCommand,
}

/// What can be done with recorded conversations.
#[derive(Subcommand)]
pub enum HistoryCommand {
    /// What each policy would have cost, side by side
    #[command(
        after_help = "FILE has a conversation a line: {\"id\",\"messages\":[...]} with text, thought, tool_use and tool_result\n\
        blocks, the request body of OpenAI (chat, Responses), Anthropic, Gemini or Bedrock, or the array of its messages\n\
        alone. It may also be one of these over several lines, a message a line, or a trace, which counts in full."
    )]
    Report(Deferred<ReportArgs>),
    /// What the model would see of one conversation
    View(Deferred<ViewArgs>),
}

#[derive(Args)]
pub struct ReportArgs {
    /// Conversations, one a line of JSON
    pub file: PathBuf,
    /// A file with the keys of [history]: one more policy beside the strategies with their defaults
    #[arg(long, value_name = "FILE")]
    pub policy: Vec<PathBuf>,
    /// Count as this model does; by default the one that a conversation names, or openai/gpt-4o
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub model: Option<String>,
    /// Price of an input token that was not cached
    #[arg(long, value_name = "PRICE", default_value_t = 1.0)]
    pub price_input: f64,
    /// Price of an input token that was cached
    #[arg(long, value_name = "PRICE", default_value_t = 0.1)]
    pub price_cached: f64,
    /// Leave out conversations with fewer messages
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_messages: usize,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ViewArgs {
    /// Conversations, one a line of JSON
    pub file: PathBuf,
    /// Which conversation; the first if absent
    #[arg(long)]
    pub id: Option<String>,
    /// A file with the keys of [history]; the strategy auto if absent
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Of the first K messages; of all if absent
    #[arg(long, value_name = "K")]
    pub at: Option<usize>,
    /// Print it as a provider wants it: openai, openai-responses, anthropic, gemini, bedrock
    #[arg(long, conflicts_with_all = ["json", "why", "diff"])]
    pub format: Option<String>,
    /// Print each line with the reason why it is there, and what was decided about the boundary of auto with its figures
    #[arg(long, conflicts_with_all = ["json", "diff"])]
    pub why: bool,
    /// Print the array of messages
    #[arg(long, conflicts_with = "diff")]
    pub json: bool,
    /// Print what changes under this other policy
    #[arg(long, value_name = "FILE", requires = "policy")]
    pub diff: Option<PathBuf>,
    /// Count as this model does; by default the one that a conversation names, or openai/gpt-4o
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub model: Option<String>,
}
