//! `ptc mcp install`: what to write into the configuration of a client. Nothing is edited: the files are the user's, some have
//! comments, and most clients have a command for it.

use crate::args::{McpClient, McpInstallArgs};
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use clap::ValueEnum as _;
use ptc_agent::files::shell_word;
use ptc_agent::{Error, ErrorKind};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Runs the command.
pub fn install(a: &McpInstallArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let program =
        std::env::current_exe().map_err(|e| Error::new(ErrorKind::Usage, format!("cannot find this program: {e}")))?;
    let mut words = vec!["mcp".to_owned()];
    for task in &a.tasks {
        words.extend(["--task".to_owned(), whole(task)?]);
    }
    let server = Server { name: &a.name, program: program.display().to_string(), words };
    let clients: Vec<McpClient> = a.client.map_or_else(|| McpClient::value_variants().to_vec(), |one| vec![one]);
    for (i, client) in clients.iter().enumerate() {
        let blank = if i == 0 { "" } else { "\n" };
        writeln!(io.out, "{blank}{}", server.words_for(*client))?;
    }
    Ok(DONE)
}

struct Server<'a> {
    name: &'a str,
    program: String,
    words: Vec<String>,
}

impl Server<'_> {
    fn words_for(&self, client: McpClient) -> String {
        let file = |of: &str, path: &str, text: String| format!("{of}: add to {path}\n\n{text}");
        let command = |of: &str, words: String| format!("{of}: run\n\n{words}");
        match client {
            McpClient::ClaudeDesktop => file(
                "Claude Desktop",
                "claude_desktop_config.json (Settings, Developer, Edit Config)",
                self.json("mcpServers", None),
            ),
            McpClient::ClaudeCode => {
                command("Claude Code", format!("claude mcp add {} -- {}", self.shell_name(), self.shell()))
            }
            McpClient::Cursor => {
                file("Cursor", "~/.cursor/mcp.json, or .cursor/mcp.json of a project", self.json("mcpServers", None))
            }
            McpClient::Vscode => file(
                "VS Code",
                ".vscode/mcp.json of a project, or by MCP: Open User Configuration",
                self.json("servers", Some("stdio")),
            ),
            McpClient::Codex => command("Codex", format!("codex mcp add {} -- {}", self.shell_name(), self.shell())),
            McpClient::Zed => file("Zed", "settings.json (zed: open settings)", self.json("context_servers", None)),
        }
    }

    /// The part of a configuration in JSON, under the key that the client has for servers.
    fn json(&self, key: &str, kind: Option<&str>) -> String {
        let mut server = Map::new();
        if let Some(kind) = kind {
            server.insert("type".into(), json!(kind));
        }
        server.insert("command".into(), json!(self.program));
        server.insert("args".into(), json!(self.words));
        let whole = json!({ key: { self.name: Value::Object(server) } });
        serde_json::to_string_pretty(&whole).unwrap_or_default()
    }

    fn shell_name(&self) -> String {
        shell_word(self.name)
    }

    fn shell(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.words);
        words.map(|w| shell_word(w)).collect::<Vec<_>>().join(" ")
    }
}

/// The path of a task as another folder would name it.
fn whole(path: &Path) -> Result<String, Error> {
    let path = path.canonicalize().map_err(|e| Error::io(path, "read", &e))?;
    Ok(path.display().to_string())
}
