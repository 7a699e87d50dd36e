//! `[tools.NAME]`: what a task's programs may call, and who answers.

use super::names::{named, shape};
use crate::problem::Problem;
use crate::replay_tools::Recording;
use crate::section::Section;
use crate::toolbox::Toolbox;
use ptc_lisp::limits::Limits;
use ptc_lisp::outside::{Param, ToolSpec};
use ptc_lisp::shape::Shape;
use ptc_turns::record::TurnRecord;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The tools of a task, in the order in which they stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    tools: Vec<(ToolSpec, PathBuf)>,
}

/// Reads all that grants tools.
pub(super) fn parse(root: &Section<'_>) -> Result<Tools, Problem> {
    let sections = named(root, "tools", |s| Ok(s.clone()))?;
    let tools = sections.into_iter().map(|(name, s)| tool(name, &s)).collect::<Result<_, _>>()?;
    Ok(Tools { tools })
}

impl Tools {
    /// What programs see of them.
    pub(super) fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|t| t.0.clone()).collect()
    }

    /// Who answers them, going on behind the calls of `turns`; files are relative to `folder`.
    pub(super) fn toolbox(
        &self,
        folder: &Path,
        turns: &[Arc<TurnRecord>],
        limits: &Limits,
    ) -> Result<Toolbox, Problem> {
        let mut tools = Toolbox::new();
        for (spec, path) in &self.tools {
            let mut recording = Recording::load(&folder.join(path), limits)?;
            let calls: Vec<_> = turns.iter().flat_map(|t| &t.tool_calls).filter(|c| c.name == spec.name).collect();
            recording.skip(&calls, limits);
            tools.add(recording.tool(spec.clone(), limits.clone()));
        }
        Ok(tools)
    }
}

fn tool(name: String, s: &Section<'_>) -> Result<(ToolSpec, PathBuf), Problem> {
    s.only(
        &["description", "params", "returns", "replay"],
        &["command", "timeout", "timeout_ms", "from", "url", "mcp", "task"],
    )?;
    let params = params(s)?;
    let spec = ToolSpec {
        name,
        description: s.text("description")?.unwrap_or_default().to_owned(),
        params,
        returns: shape(s, "returns")?,
    };
    let replay = s.needed("replay", "\"answers.jsonl\"")?;
    Ok((spec, PathBuf::from(replay)))
}

/// The parameters that a table declares, if it does.
pub(super) fn params(s: &Section<'_>) -> Result<Option<Vec<Param>>, Problem> {
    let example = "a list of tables, as in params = [{ name = \"category\", type = \"string\" }]";
    match s.sections("params", example)? {
        None => Ok(None),
        Some(list) => {
            let mut params: Vec<Param> = Vec::new();
            for p in list {
                p.only(&["name", "type"], &["description", "default"])?;
                let name = p.needed("name", "\"category\"")?.to_owned();
                if params.iter().any(|q| q.name == name) {
                    return Err(p.problem_at("name", format!("two parameters {name}; give each its own name")));
                }
                params.push(Param::new(name, shape(&p, "type")?.unwrap_or(Shape::Any)));
            }
            Ok(Some(params))
        }
    }
}
