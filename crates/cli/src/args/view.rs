//! How history is shown, over what a task or trace says.

use clap::Args;

/// How history is shown, over what the task or trace says.
#[derive(Args, Clone, Default)]
pub struct Compression {
    /// Show earlier turns as summaries
    #[arg(long, conflicts_with = "no_compress")]
    pub compress: bool,
    /// Show the full history: no summaries, no strategy, no budgets, every input whole
    #[arg(long)]
    pub no_compress: bool,
}

impl Compression {
    /// What was asked, if anything was.
    pub fn asked(&self) -> Option<bool> {
        (self.compress || self.no_compress).then_some(self.compress)
    }
}
