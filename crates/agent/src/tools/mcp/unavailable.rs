//! MCP servers in a build without the feature `mcp`: a task may name one, and cannot use it.

use super::Connection;
use crate::error::{Error, ErrorKind};
use crate::tools::toolbox::{Rules, Tool};
use ptc_lisp::interface::ToolSpec;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A server that a task names.
#[derive(Debug)]
pub struct Server {
    name: String,
    connection: Connection,
    rules: Rules,
}

/// A tool that a server has; without the feature `mcp` there is none.
#[derive(Clone)]
#[non_exhaustive]
pub struct ListedTool {
    /// As programs see it.
    pub spec: ToolSpec,
    never: Infallible,
}

impl Server {
    /// A server of this name.
    pub fn new(name: impl Into<String>, connection: Connection, _: PathBuf) -> Self {
        Server { name: name.into(), connection, rules: Rules::default() }
    }

    /// Most time of a call.
    #[must_use]
    pub fn with_timeout(self, _: Duration) -> Self {
        self
    }

    /// Grants only these of its tools; `None` for all.
    #[must_use]
    pub fn with_only(self, _: Option<Vec<String>>) -> Self {
        self
    }

    /// Takes a text that is one JSON object or list for what it says.
    #[must_use]
    pub fn parse_json(self, _: bool) -> Self {
        self
    }

    pub(crate) fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    pub(crate) fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn words(&self) -> Vec<String> {
        self.connection.words()
    }

    pub(crate) fn needs_approval(&self) -> bool {
        self.rules.approval
    }

    /// Its name in the task.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn fault(&self) -> Option<(&'static str, Error)> {
        let key = match self.connection {
            Connection::Command { .. } => "command",
            Connection::Url { .. } => "url",
        };
        Some((key, self.missing()))
    }

    /// What it has.
    ///
    /// # Errors
    /// Always: this build has no client of MCP servers.
    pub fn list_tools(self: &Arc<Self>, _: &mut Vec<String>) -> Result<Vec<ListedTool>, Error> {
        Err(self.missing())
    }

    /// One of its tools.
    pub fn tool(self: &Arc<Self>, listed: ListedTool) -> Tool {
        match listed.never {}
    }

    fn missing(&self) -> Error {
        Error::without_feature(ErrorKind::Tool, &format!("[mcp.{}] cannot be used", self.name), "mcp")
    }
}
