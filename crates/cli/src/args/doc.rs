//! `ptc doc`.

use clap::Args;

#[derive(Args)]
pub struct DocArgs {
    /// A function or form: assoc, str/join, let, ->
    #[arg(allow_hyphen_values = true)]
    pub name: Option<String>,
    /// Print docs/functions.md
    #[arg(long, hide = true, conflicts_with = "name")]
    pub markdown: bool,
}
