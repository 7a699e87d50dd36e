//! What tells the tools of a task from others of the same names, and whether a session has all that its prompt offers.

use super::spec::Task;
use super::tool_digest;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use ptc_turns::Header;
use std::path::Path;

impl Task {
    /// Digests of what answers its tools, by their names: those of the task, of servers, and sub-agents.
    pub(crate) fn tool_sources(&self, names: &[String]) -> Vec<(String, String)> {
        let own = |name: &String| {
            let agent = self.agents.iter().find(|a| a.spec.name == *name).map(|a| a.task.identity());
            Some((name.clone(), agent.or_else(|| self.tools.source_of(name, &self.folder))?))
        };
        names.iter().filter_map(own).collect()
    }

    /// A digest of what it is as a sub-agent: what it asks, and what answers its tools.
    fn identity(&self) -> String {
        let asks = [Some(self.prompt.clone()), self.system.clone()].into_iter().flatten();
        let own = self.tools.own().map(|t| t.name.clone());
        let tools = self.tool_sources(&own.chain(self.agents.iter().map(|a| a.spec.name.clone())).collect::<Vec<_>>());
        let words = asks.chain(tools.into_iter().map(|(name, digest)| format!("{name}={digest}")));
        tool_digest::of_parts(&["agent".to_owned()].into_iter().chain(words).collect::<Vec<_>>())
    }

    /// Whether a session with this header can go on with the tools of this task: all that its prompt offers are there, and
    /// none is another one of the same name. `begun_in` is the folder of the task that the session was begun with, where that
    /// is known: a task may change its own tools.
    ///
    /// # Errors
    /// With the names of those that are not.
    pub fn check_tools(&self, header: &Header, begun_in: Option<&Path>) -> Result<(), Error> {
        if header.tools.is_empty() {
            return Ok(());
        }
        let specs = self.tools.specs()?;
        let agent = |name: &str| self.agents.iter().any(|a| a.spec.name == name);
        let missing = header.tools.iter().map(|t| t.name.as_str());
        let missing: Vec<&str> = missing.filter(|n| !agent(n) && !specs.iter().any(|s| s.name == *n)).collect();
        if !missing.is_empty() {
            return Err(not_there(&missing));
        }
        let begun_in = begun_in.map(Path::to_owned).or_else(|| header.folder.as_ref().map(Into::into));
        let real = |folder: &Path| {
            std::fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()
        };
        let same_folder = begun_in.as_deref().and_then(real).is_some_and(|begun| real(&self.folder) == Some(begun));
        let names: Vec<String> = header.tools.iter().map(|t| t.name.clone()).collect();
        let now = self.tool_sources(&names);
        let other = |t: &&ptc_turns::trace::record::ToolWords| {
            let now = now.iter().find(|(name, _)| *name == t.name).map(|(_, digest)| digest);
            t.source.as_ref().zip(now).is_some_and(|(then, now)| then != now)
        };
        let others: Vec<&str> = header.tools.iter().filter(other).map(|t| t.name.as_str()).collect();
        if same_folder || others.is_empty() {
            return Ok(());
        }
        let (tools, are) = (listed(&others), if others.len() == 1 { "is" } else { "are" });
        let from = begun_in.map_or_else(String::new, |f| format!(", in {}", f.display()));
        Err(Error::new(
            ErrorKind::Usage,
            error_text!("{tools} of this task {are} not what the session was begun with{from}"; "name the task that it was begun with, or begin a new session"),
        ))
    }
}

/// That these tools, which the prompt of a session offers, are not there.
pub(crate) fn not_there(names: &[&str]) -> Error {
    let (tools, are) = (listed(names), if names.len() == 1 { "which is" } else { "which are" });
    let first = ptc_lisp::escape::line(names.first().copied().unwrap_or_default());
    let words = error_text!("the session's prompt offers {tools}, {are} not there now"; "give them again (ptc ask --tool {first}=COMMAND, or in the task), or begin a new session");
    Error::new(ErrorKind::Usage, words)
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|n| format!("tool/{}", ptc_lisp::escape::line(n))).collect::<Vec<_>>().join(", ")
}
