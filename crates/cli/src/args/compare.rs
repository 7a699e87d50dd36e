//! `ptc compare`.

use super::given::SettingArgs;
use clap::Args;
use std::path::PathBuf;

/// Most runs of a task under a policy.
pub const MOST_RUNS: u64 = 1000;

pub const COMPARE_HELP: &str = "\
A policy is NAME=FILE.toml, a file with the keys of [history] and perhaps card = \"long\", or NAME=WORD with one of these\n\
words. It takes the place of the task's [history]; without NAME= it is called as its file or word is.\n\
\x20 none     the full history\n\
\x20 default  what a task without [history] has\n\
\x20 auto     strategy = \"auto\" and nothing else\n\
\x20 task     the task's own [history]\n\
Each run is kept as DIR/TASK/POLICY/RUN.jsonl. The same command again runs what is not there, goes on with what was begun, and\n\
tries again what ended by an error; where all is there it only reports, and needs no model. Traces that `ptc step` made are\n\
compared as well. Figures are sums over tasks of the mean over a task's runs, ± the standard error, and in brackets the part\n\
of the first policy's. `ptc doc compare.md` says how to read them.\n\
Exit codes: 0 all runs have ended, 1 some have not, 2 usage, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.";

#[derive(Args)]
pub struct CompareArgs {
    /// Folders with a task.toml, or such files; each with `answer` or `answer_program` in [task]
    #[arg(required = true, value_name = "TASK")]
    pub tasks: Vec<PathBuf>,
    /// A policy to compare; the first is what the others are parts of
    #[arg(long, required = true, value_name = "NAME=FILE|WORD")]
    pub policy: Vec<String>,
    /// Ask this model, over what the tasks say; of several each is asked under each policy
    #[arg(long, value_name = "NAME")]
    pub model: Vec<String>,
    #[command(flatten)]
    pub settings: SettingArgs,
    /// How often each task is run under each policy; as often as DIR holds if absent, at least once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    pub runs: Option<u64>,
    /// The folder that keeps the traces
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// How many runs at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
    /// Prices of a million tokens: of the request, of those that a cache had, of the reply; over what the tasks say
    #[arg(long, value_name = "INPUT,CACHED,OUTPUT")]
    pub prices: Option<String>,
    /// Write the comparison as a page into this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Leave it to the system when lines of traces reach the disk: faster, and a power cut may lose the last ones
    #[arg(long)]
    pub no_sync: bool,
    /// Show each task too
    #[arg(short, long)]
    pub verbose: bool,
}
