//! `ptc doc`.

use clap::Args;
use std::path::PathBuf;

/// What `ptc doc` says below its options.
pub const DOC_HELP: &str = "\
Examples:\n\
\x20 ptc doc                          list the pages of the documentation\n\
\x20 ptc doc assoc                    show a function or form\n\
\x20 ptc doc functions                list all functions and forms\n\
\x20 ptc doc tasks                    show a page\n\
\x20 ptc doc tasks#inputs-of-programs show a part of a page\n\
\x20 ptc doc fuel limit               find the parts that have these words\n\
\n\
A name that is both is the function; PAGE.md is the page. `ptc docs` is the same command.\n\
Exit codes: 0, 1 when nothing is found, 2 usage.";

#[derive(Args)]
pub struct DocArgs {
    /// A function, a page, a part of one (PAGE#PART), or words to find
    #[arg(allow_hyphen_values = true, value_name = "NAME | PAGE | WORDS")]
    pub word: Option<String>,
    /// More words to find
    #[arg(hide = true)]
    pub more: Vec<String>,
    /// Include what the libraries of this task define, as stats/mean
    #[arg(long, value_name = "TASK", conflicts_with = "markdown")]
    pub task: Option<PathBuf>,
    /// Print the list of functions as a page
    #[arg(long, hide = true, conflicts_with = "word")]
    pub markdown: bool,
}
