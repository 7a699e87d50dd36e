//! `ptc init`.

use clap::Args;
use std::path::PathBuf;

/// What `ptc init` says below its options.
pub const INIT_HELP: &str = "\
The task runs at once and without a key: its model is a file with recorded replies. Its task.toml has every section, with\n\
comments; what is not needed is commented out.\n\
\n\
Examples:\n\
\x20 ptc init report && ptc run report\n\
\x20 ptc init --example reviews shop\n\
\n\
Exit codes: 0, 2 usage, or a file cannot be written.";

#[derive(Args)]
pub struct InitArgs {
    /// The folder, which is made; it must be empty where it is there
    #[arg(required_unless_present = "list")]
    pub dir: Option<PathBuf>,
    /// Copy this example instead
    #[arg(long, value_name = "NAME")]
    pub example: Option<String>,
    /// Only list the examples
    #[arg(long, conflicts_with_all = ["dir", "example"])]
    pub list: bool,
}
