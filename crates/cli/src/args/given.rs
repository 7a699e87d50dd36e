//! Options that mean the same in every command that has them.

use clap::Args;
use std::path::PathBuf;

/// What programs read besides what a task has.
#[derive(Args, Clone, Default)]
pub struct InputArgs {
    /// Give programs an input, read as ctx/NAME: JSON, JSON lines, CSV, TSV or text, by the end of the file's name.
    /// FILE alone is named as the file is; FILE#TABLE is a table of a SQLite database; - is standard input as text,
    /// -.csv as CSV, named stdin without NAME. Options of a file follow it: sales.csv,encoding=latin1,header=false,
    /// or skip_lines, delimiter, decimal, null, limit, offset
    #[arg(long, value_name = "[NAME=]FILE", allow_hyphen_values = true)]
    pub ctx: Vec<String>,
}

/// Keys of a task's file, over what it says.
#[derive(Args, Clone, Default)]
pub struct SettingArgs {
    /// Set a key of task.toml, over what the task says: limits.fuel=5000000, history.strategy=auto
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Read limits from a file with the keys of [limits]; --set goes over it
    #[arg(long, value_name = "FILE")]
    pub limits: Option<PathBuf>,
}
