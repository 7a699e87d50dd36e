//! `ptc doc`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct DocArgs {
    /// A function or form: assoc, str/join, let, ->
    #[arg(allow_hyphen_values = true)]
    pub name: Option<String>,
    /// A task: what its libraries define is listed, and found by NAME, as stats/mean
    #[arg(long, value_name = "TASK", conflicts_with = "markdown")]
    pub task: Option<PathBuf>,
    /// Print the list of functions as a page
    #[arg(long, hide = true, conflicts_with = "name")]
    pub markdown: bool,
}
