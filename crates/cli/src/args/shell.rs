//! `ptc completions` and `ptc man`.

use clap::Args;
use std::path::PathBuf;

/// What `ptc completions` says below its options.
pub const COMPLETIONS_HELP: &str = "\
Examples:\n\
\x20 ptc completions bash > ~/.local/share/bash-completion/completions/ptc\n\
\x20 ptc completions zsh > ~/.zfunc/_ptc            (with fpath+=~/.zfunc before compinit in .zshrc)\n\
\x20 ptc completions fish > ~/.config/fish/completions/ptc.fish\n\
\x20 ptc completions powershell >> $PROFILE\n\
\n\
Exit codes: 0, 2 usage.";

/// What `ptc man` says below its options.
pub const MAN_HELP: &str = "\
Examples:\n\
\x20 ptc man run | man -l -\n\
\x20 ptc man --out ~/.local/share/man/man1\n\
\n\
Exit codes: 0, 2 there is no such command, or a page cannot be written.";

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArgs {
    /// The command, as in `run` or `history report`; ptc itself if absent
    pub command: Vec<String>,
    /// Write the pages of all commands into this folder, which is made
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub out: Option<PathBuf>,
}
