//! `ptc serve`.

use super::otel::OtelArgs;
use clap::Args;
use ptc_server::ServerOptions;
use ptc_server::http::HttpOptions;
use std::net::SocketAddr;
use std::path::PathBuf;

/// What `ptc serve` says below its options.
pub fn serve_help() -> String {
    format!(
        "GET /openapi.json describes what is served; `ptc doc http-server` says how it is used.\n\
        Options of --set:\n  {}\n  {}\n\
        Exit codes: 2 usage, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP: turns that run have stop_seconds to end, what has not goes on later;\n\
        the second signal exits at once.",
        HttpOptions::names().join(" "),
        ServerOptions::markdown().lines().skip(2).filter_map(|row| row.split('`').nth(1)).collect::<Vec<_>>().join(" ")
    )
}

#[derive(Args)]
pub struct ServeArgs {
    /// A task that clients may use: a folder with a task.toml, or the task.toml. May be given several times
    #[arg(long = "task", value_name = "TASK")]
    pub tasks: Vec<PathBuf>,
    /// Where to listen. Beyond this machine tokens are needed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    pub listen: SocketAddr,
    /// Who may use it: a token a line, or NAME TOKEN. PTC_SERVER_TOKEN in the environment is one too, of the client local
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// A name under which it is reached, besides those of this machine. May be given several times
    #[arg(long = "allow-host", value_name = "HOST")]
    pub hosts: Vec<String>,
    /// Pages of browsers of other sites that may use it, as https://app.example.org. May be given several times
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub origins: Vec<String>,
    /// Clients decide nothing about calls that wait: ptc approve does
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
    /// Say nothing when it begins to listen and when it stops
    #[arg(short, long)]
    pub quiet: bool,
}
