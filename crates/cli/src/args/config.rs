//! `ptc config`.

use clap::{Args, Subcommand};

/// What `ptc config` says below its options.
pub const CONFIG_HELP: &str = "\
The configuration is a file, whose path is the first line: PTC_CONFIG names another (empty: none), --no-config leaves it out.\n\
Arguments have precedence over a task, a task over the configuration, and that over what is built in. It never holds a key,\n\
only the name of the variable that does.\n\
\n\
Examples:\n\
\x20 ptc config init      writes one to start from, with comments\n\
\x20 ptc config           what counts now, and where it comes from\n\
\x20 ptc run shop --no-config\n\
\n\
Exit codes: 0, 2 the file is not what it should be, or cannot be written.";

#[derive(Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub command: Option<ConfigCommand>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// What can be done with the configuration.
#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Write a configuration with comments to start from
    Init,
}
