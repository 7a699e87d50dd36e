//! `ptc eval`.

use clap::Args;
use ptc_agent::task::options::limit_list;
use ptc_lisp::limits::Limits;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Args)]
pub struct EvalArgs {
    /// Programs, each a turn of one session; - is standard input
    #[arg(conflicts_with = "expr")]
    pub files: Vec<PathBuf>,
    /// A program given here; several are turns of one session
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true)]
    pub expr: Vec<String>,
    /// Print one line of JSON a turn
    #[arg(long)]
    pub json: bool,
    /// Read lines {"id","source"} or {"id","turns":[...]}, each a session of its own, and answer each with a line of JSON
    #[arg(long, conflicts_with = "expr")]
    pub batch: bool,
    /// An input, as of ptc run
    #[arg(long, value_name = "NAME=FILE", allow_hyphen_values = true)]
    pub ctx: Vec<String>,
    /// A limit and its value, over those of --limits: limits.memory_bytes=1000000000
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// A file with other limits, as the [limits] of a task
    #[arg(long, value_name = "FILE")]
    pub limits: Option<PathBuf>,
    /// Grant tool/echo, fail, panic, slow {:ms}, big {:bytes}, deep {:depth}, wide {:n}
    #[arg(long)]
    pub test_tools: bool,
    /// Run each session in a process of its own, which can die without harm
    #[arg(long)]
    pub isolate: bool,
}

/// Every limit with its default.
pub fn eval_help() -> String {
    let mut out = String::from(
        "Limits of a turn and their defaults, changed by --set limits.fuel=5000000, or in a --limits FILE as `fuel = 5_000_000`:\n",
    );
    for (name, value, words) in limit_list(&Limits::default()) {
        let _ = writeln!(out, "  {name:<15}{value:>12}  {words}");
    }
    out.push_str(
        "\nThe same program with the same limits prints the same: randomness is seeded by the number of the turn.\n\
         Exit codes: 0, 1 when the last turn failed, 2 usage; with --batch 0 when every line was answered.",
    );
    out
}
