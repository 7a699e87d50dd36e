//! `[agents.NAME]`: other tasks, granted to programs as `(tool/NAME ...)`.

use super::chain::Chain;
use super::names::plainly_named;
use super::spec::{AgentSpec, Task};
use super::tool_section::{params, rules};
use crate::error::Error;
use crate::toml_section::Section;
use ptc_lisp::interface::{Param, ToolSpec};
use ptc_lisp::types::Type;
use std::path::Path;

/// Reads the agents; their tasks are relative to `folder`.
pub(super) fn parse(root: &Section<'_>, folder: &Path, chain: &Chain) -> Result<Vec<AgentSpec>, Error> {
    let agent = |s: &Section<'_>| {
        s.only(&["task", "description", "params", "on_crash", "approval"], &[])?;
        let path = folder.join(s.needed_name("task", "\"../other\"")?);
        let task = Task::load_within(&path, chain).map_err(|e| s.problem_at("task", e))?;
        let own = params(s)?;
        let request = own.is_none();
        let params = own.unwrap_or_else(|| vec![Param::new("request", Type::String)]);
        let description = s.text("description")?.map(str::to_owned).or_else(|| task.description.clone());
        let description = description.unwrap_or_else(|| format!("An agent: {}", task.prompt));
        let spec = ToolSpec { name: String::new(), description, params: Some(params), returns: task.expect.clone() };
        Ok(AgentSpec { spec, request, task, rules: rules(s)? })
    };
    let called = |(name, mut a): (String, AgentSpec)| {
        a.spec.name = name;
        a
    };
    Ok(plainly_named(root, "agents", agent)?.into_iter().map(called).collect())
}
