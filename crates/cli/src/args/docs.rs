//! `ptc docs`.

use clap::Args;

/// What `ptc docs` says below its options.
pub const DOCS_HELP: &str = "\
Examples:\n\
\x20 ptc docs                          all pages\n\
\x20 ptc docs tasks                    one of them\n\
\x20 ptc docs tasks#inputs-of-programs a part of it\n\
\x20 ptc docs search fuel limit        parts that have these words\n\
\n\
Exit codes: 0, 1 there is no such page, or nothing is found, 2 usage.";

#[derive(Args)]
pub struct DocsArgs {
    /// A page, a part of one (PAGE#PART), or search and words; nothing for a list
    #[arg(value_name = "PAGE | search WORDS")]
    pub words: Vec<String>,
}
