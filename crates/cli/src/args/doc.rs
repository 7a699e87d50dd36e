//! `ptc doc`.

use clap::Args;

#[derive(Args)]
pub struct DocArgs {
    /// A function or form: assoc, str/join, let, ->
    #[arg(allow_hyphen_values = true)]
    pub name: Option<String>,
    /// Print the list of functions as a page
    #[arg(long, hide = true, conflicts_with = "name")]
    pub markdown: bool,
}
