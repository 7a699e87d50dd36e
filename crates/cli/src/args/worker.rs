//! `ptc __worker`.

use clap::Args;

/// A flag that no other program takes for one of its own: a host that is not ptc must not run something else.
#[derive(Args)]
pub struct WorkerArgs {
    #[arg(long, required = true)]
    pub serve_ptc_turns: bool,
}
