//! `ptc run`.

use super::view::Compression;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct RunArgs {
    /// A folder with a task.toml, or the task.toml
    pub task: PathBuf,
    /// Keep the trace in this file; a session in it that has not ended is continued
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Go on with the session in this file, which a crash, Ctrl-C or the end of turns left; it keeps its trace there
    #[arg(long, value_name = "TRACE", conflicts_with = "trace")]
    pub resume: Option<PathBuf>,
    #[command(flatten)]
    pub compression: Compression,
    /// Most turns, over what the task says; of a task with acts, of the act that is continued
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_turns: Option<u64>,
    /// Ask this model, over what the task says: openai/NAME, openai-responses/NAME, anthropic/NAME, gemini/NAME,
    /// ollama/NAME, openai-compatible/NAME, replay:FILE
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Write the model's replies into this file, which replay:FILE reads
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// When a recorded reply was given to another prompt than the one that is asked now: warn, or stop before it is run
    #[arg(long, value_name = "HOW")]
    pub replay: Option<Replay>,
    /// Write a page of the session into this file, however it ends
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print the result as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Run the programs in a process of their own
    #[arg(long)]
    pub isolate: bool,
    /// Leave it to the system when lines of the trace reach the disk: faster, and a power cut may lose the last ones
    #[arg(long)]
    pub no_sync: bool,
    /// Say of each request what history made of it, and how long it is of the full history
    #[arg(short, long)]
    pub verbose: bool,
    /// Do not run the turn again that a crash left: record it as failed, with the calls that it made, and go on
    #[arg(long, requires = "resume")]
    pub fail_turn: bool,
}

/// What becomes of a recorded reply that was given to another prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Replay {
    /// It is run, with a warning (the default)
    Warn,
    /// The run ends with an error before the reply is run
    Strict,
}
