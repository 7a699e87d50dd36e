//! `ptc step` and `ptc approve`.

use super::bounds::MOST_COUNT;
use super::given::SettingArgs;
use super::view::Compression;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct StepArgs {
    /// The trace file
    pub trace: PathBuf,
    /// A file with the reply, or - for standard input (the default)
    pub reply: Option<PathBuf>,
    /// Begin the session of this task; on a session that has begun, the place where its files are now
    #[arg(long, value_name = "TASK")]
    pub task: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingArgs,
    #[command(flatten)]
    pub compression: Compression,
    /// Most turns, over what the task or trace says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_COUNT))]
    pub max_turns: Option<u64>,
    /// Print one line of JSON: --output json
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
    /// What is printed: text (the default), one line of JSON, or a line of JSON for each event
    #[arg(long, value_name = "FORM")]
    pub output: Option<StepOutput>,
    /// Leave it to the system when lines of the trace reach the disk: faster, and a power cut may lose the last ones
    #[arg(long)]
    pub no_sync: bool,
}

impl StepArgs {
    /// Whether the result is a line of JSON.
    pub fn is_json(&self) -> bool {
        self.json || matches!(self.output, Some(StepOutput::Json | StepOutput::Jsonl))
    }

    /// Whether events are lines of JSON before it.
    pub fn is_jsonl(&self) -> bool {
        self.output == Some(StepOutput::Jsonl)
    }
}

/// What is printed of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StepOutput {
    /// The feedback
    Text,
    /// One line of JSON
    Json,
    /// A line of JSON for each event, as it happens; the last one is the result
    Jsonl,
}

#[derive(Args)]
pub struct ApproveArgs {
    /// The trace file
    pub trace: PathBuf,
    /// The number of the call
    pub call: Option<u64>,
    /// Do not make it: the program gets an error in these words
    #[arg(long, value_name = "WORDS", conflicts_with = "answer")]
    pub deny: Option<String>,
    /// Do not make it: its answer is the JSON in this file
    #[arg(long, value_name = "FILE", requires = "call")]
    pub answer: Option<PathBuf>,
    /// Who decides, as the trace keeps it; by default the user and the machine
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Only show what waits
    #[arg(long, conflicts_with_all = ["call", "deny", "answer", "by"])]
    pub list: bool,
    /// Print what waits, after this, as one line of JSON
    #[arg(long)]
    pub json: bool,
}
