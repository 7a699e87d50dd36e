//! `ptc repl`.

use super::given::{InputArgs, SettingArgs};
use clap::Args;
use std::path::PathBuf;

/// What `ptc repl` says below its options.
pub const REPL_HELP: &str = "\
Each input is a turn: it runs whole or not at all, under the limits of one turn. What it defines is there for the next one,\n\
*1 *2 *3 are the last values and *e the last error. (doc f), (apropos \"part\") and (source f) tell of functions; :help lists the\n\
commands. Ctrl-C ends the turn that runs, Ctrl-D ends ptc repl. Where standard input is no terminal there are no prompts:\n\
values go to standard output, all else to standard error. Tools whose calls have to be approved ask on the terminal, and are\n\
not called without one.\n\
\n\
Examples:\n\
\x20 ptc repl\n\
\x20 ptc repl --ctx orders=orders.csv\n\
\x20 ptc repl shop                                   with the tools, inputs and limits of a task\n\
\x20 ptc repl --trace t.jsonl --turn 3               with the memory as after turn 3\n\
\x20 ptc repl shop --nrepl                           for an editor, as clojure-mode or Calva\n\
\x20 echo '(reduce + (range 10))' | ptc repl\n\
\n\
Exit codes: 0, 1 when an input failed (of standard input that is no terminal), 2 usage;\n\
143 SIGTERM, 129 SIGHUP, and of --nrepl 130 Ctrl-C.";

#[derive(Args)]
pub struct ReplArgs {
    /// A folder with a task.toml, or the task.toml: its tools, inputs and limits; with --trace, where the task is now
    pub task: Option<PathBuf>,
    /// Begin with the memory of the session in this trace, or of this id; no tool is called for that, and the trace stays
    /// as it is
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["set", "limits"])]
    pub trace: Option<PathBuf>,
    /// As it was after this turn
    #[arg(long, value_name = "N", requires = "trace")]
    pub turn: Option<u64>,
    #[command(flatten)]
    pub inputs: InputArgs,
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Keep the session in this new trace, which ptc trace shows
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Serve editors by nREPL instead, on this port of 127.0.0.1; without PORT on a free one, which .nrepl-port names
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", conflicts_with = "save")]
    pub nrepl: Option<u16>,
}
