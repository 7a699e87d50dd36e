//! `ptc run`.

use super::bounds::MOST_COUNT;
use super::given::{InputArgs, SettingArgs};
use super::otel::OtelArgs;
use super::view::Compression;
use clap::Args;
use std::path::PathBuf;

/// What `ptc run` says below its options.
pub const RUN_HELP: &str = "\
Keys and addresses of models come from the environment: OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY\n\
ANTHROPIC_BASE_URL GEMINI_API_KEY GEMINI_BASE_URL OLLAMA_HOST OLLAMA_API_KEY OPENAI_COMPATIBLE_API_KEY OPENAI_COMPATIBLE_BASE_URL.\n\
\n\
Examples:\n\
\x20 ptc run shop --trace t.jsonl\n\
\x20 ptc run shop --ctx orders=today.csv --prompt \"Which orders are late?\" --model anthropic/claude-sonnet-4-5\n\
\x20 ptc run shop --set limits.fuel=5000000 --set history.strategy=auto\n\
\n\
Exit codes: 0 returned, 1 failed or error, 2 usage, 3 out of turns or of a limit of the whole run, 6 tool calls wait (ptc approve), 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.\n\
The first of these signals ends the run: what is kept goes on with --resume; the second exits at once.";

#[derive(Args)]
pub struct RunArgs {
    /// A folder with a task.toml, or the task.toml
    pub task: PathBuf,
    /// What is to be done, over what the task says
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    #[command(flatten)]
    pub options: RunOptions,
}

/// How a task is run, whatever it comes from.
#[derive(Args, Clone, Default)]
pub struct RunOptions {
    #[command(flatten)]
    pub inputs: InputArgs,
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Keep the trace in this file; a session in it that has not ended is continued
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Go on with the session in this file, which a crash, Ctrl-C or the end of turns left; it keeps its trace there
    #[arg(long, value_name = "TRACE", conflicts_with = "trace", group = "goes_on")]
    pub resume: Option<PathBuf>,
    /// Go on with the newest session of this task that was kept
    #[arg(long = "continue", conflicts_with = "trace", group = "goes_on")]
    pub go_on: bool,
    /// Keep no session; otherwise a run without --trace keeps one in the user's data folder (ptc sessions)
    #[arg(long, conflicts_with = "goes_on")]
    pub no_session: bool,
    #[command(flatten)]
    pub compression: Compression,
    /// Most turns, over what the task says; of a task with acts, of the act that is continued
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_COUNT))]
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
    /// Show the page while the session runs: at an address of this machine that is printed, in the browser where stderr is a
    /// terminal. It is kept beside the trace as .html, or where --report says
    #[arg(long)]
    pub open: bool,
    /// Print the result as one line of JSON: --output json
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
    /// What is printed; without it text, on a terminal laid out to its width
    #[arg(long, value_name = "FORM")]
    pub output: Option<Output>,
    /// Show no progress: the result, warnings and errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Run the programs in a process of their own
    #[arg(long)]
    pub isolate: bool,
    #[command(flatten)]
    pub otel: OtelArgs,
    /// Leave it to the system when lines of the trace reach the disk: faster, and a power cut may lose the last ones
    #[arg(long)]
    pub no_sync: bool,
    /// Say of each request what history made of it, and how long it is of the full history
    #[arg(short, long)]
    pub verbose: bool,
    /// Do not run the turn again that a crash left: record it as failed, with the calls that it made, and go on
    #[arg(long, requires = "goes_on")]
    pub fail_turn: bool,
    /// `--no-config`, which every command takes.
    #[arg(skip)]
    pub no_config: bool,
}

impl RunOptions {
    /// What is printed, where it was said.
    pub fn form(&self) -> Option<Output> {
        if self.json { Some(Output::Json) } else { self.output }
    }

    /// Whether a program reads the result: then an error of usage is a line of JSON too.
    pub fn is_json(&self) -> bool {
        matches!(self.form(), Some(Output::Json | Output::Jsonl))
    }
}

/// What is printed of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Output {
    /// The value, whole and on one line, on a terminal too
    Text,
    /// The result as one line of JSON
    Json,
    /// A line of JSON for each event, as it happens; the last one is the result
    Jsonl,
}

/// What becomes of a recorded reply that was given to another prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Replay {
    /// It is run, with a warning (the default)
    Warn,
    /// The run ends with an error before the reply is run
    Strict,
}
