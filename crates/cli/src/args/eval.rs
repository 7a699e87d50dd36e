//! `ptc eval`.

use super::given::{InputArgs, SettingArgs};
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
    /// Print a string value without quotes, as jq -r does
    #[arg(short, long, conflicts_with_all = ["json", "batch"])]
    pub raw: bool,
    #[command(flatten)]
    pub inputs: InputArgs,
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Grant tool/echo, fail, panic, slow {:ms}, big {:bytes}, deep {:depth}, wide {:n}
    #[arg(long, hide = true)]
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
