//! `ptc mcp`.

use super::otel::OtelArgs;
use clap::{Args, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

pub const MCP_HELP: &str = "Without --http it speaks over standard input and output, as clients start it; ptc mcp install prints what to write where.\n\
    Sessions are kept where those of ptc run are: ptc sessions, ptc trace and ptc approve work on them.\n\
    More: ptc doc mcp-server. Exit codes: 0 the client has closed, 2 usage, 130 Ctrl-C, 143 SIGTERM.";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct McpArgs {
    #[command(subcommand)]
    pub command: Option<McpCommand>,
    #[command(flatten)]
    pub serve: McpServeArgs,
}

#[derive(Args)]
pub struct McpServeArgs {
    /// A task whose tools and inputs sessions can have, and that can be run if it has a model; again for more
    #[arg(long = "task", value_name = "TASK")]
    pub tasks: Vec<PathBuf>,
    /// Serve over HTTP at this address, at the path /mcp; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub http: Option<SocketAddr>,
    /// Who may use it: a token a line, or NAME TOKEN. PTC_SERVER_TOKEN in the environment is one too, of the client local
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
    /// A name under which it is reached, besides those of this machine; again for more
    #[arg(long = "allow-host", value_name = "HOST", requires = "http")]
    pub hosts: Vec<String>,
    /// Pages of browsers that may use it, as https://app.example.org; again for more
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "http")]
    pub origins: Vec<String>,
    /// Users of clients decide nothing about calls that wait: ptc approve does
    #[arg(long)]
    pub no_approvals: bool,
    /// Set a limit of the server, as client_turns=2, or a key of every task and session, as limits.fuel=5000000
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Read limits of tasks and sessions from a file with the keys of [limits]; --set goes over it
    #[arg(long, value_name = "FILE")]
    pub limits: Option<PathBuf>,
    #[command(flatten)]
    pub otel: OtelArgs,
}

#[derive(Subcommand)]
pub enum McpCommand {
    /// Print what to write into the configuration of a client, or of all that are known
    Install(McpInstallArgs),
}

#[derive(Args)]
pub struct McpInstallArgs {
    /// The client
    pub client: Option<McpClient>,
    /// A task, as for ptc mcp; again for more
    #[arg(long = "task", value_name = "TASK")]
    pub tasks: Vec<PathBuf>,
    /// What the server is called in the client
    #[arg(long, value_name = "NAME", default_value = "ptc")]
    pub name: String,
}

/// Clients whose configuration is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum McpClient {
    /// Claude Desktop
    ClaudeDesktop,
    /// Claude Code
    ClaudeCode,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Codex
    Codex,
    /// Zed
    Zed,
}
