//! `[tools.NAME]`: what a task's programs may call, and who answers.

use super::folder::Folder;
use super::names::{named, shape};
use super::tool_digest;
use crate::error::Error;
use crate::error_text;
use crate::secrets::{Secrets, fill};
use crate::toml_section::Section;
use crate::tools::command::{self, CommandTool};
use crate::tools::mcp::{self, Connection, ListedTool, Server};
use crate::tools::replay::Recording;
use crate::tools::toolbox::{OnCrash, Rules, Toolbox};
use ptc_lisp::interface::{Param, ToolSpec};
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_turns::trace::record::Call;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The tools of a task, in the order in which they stand: its own, then those of servers.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    own: Vec<(ToolSpec, Source, Rules)>,
    servers: Vec<Arc<Server>>,
    /// Names that are another's: those of sub-agents.
    reserved: Vec<String>,
}

/// A server and what it has.
type FromServer<'a> = (&'a Arc<Server>, Vec<ListedTool>);

/// Who answers a tool.
#[derive(Clone)]
enum Source {
    /// Recorded answers.
    Replay(String),
    /// A command, its further environment, and the time of a call.
    Command(CommandTool, Vec<(String, String)>, Duration),
}

/// Of the environment the names alone.
impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Replay(file) => f.debug_tuple("Replay").field(file).finish(),
            Source::Command(command, env, timeout) => {
                let names: Vec<&str> = env.iter().map(|p| p.0.as_str()).collect();
                f.debug_tuple("Command").field(command).field(&names).field(timeout).finish()
            }
        }
    }
}

/// Reads all that grants tools; files are those of `folder`.
pub(super) fn parse(root: &Section<'_>, folder: &Folder) -> Result<Tools, Error> {
    let own = named(root, "tools", |s| Ok(s.clone()))?;
    let own = own.into_iter().filter_map(|(name, s)| root.noted(tool(name, &s, folder)).transpose());
    let own = own.collect::<Result<_, _>>()?;
    let servers = named(root, "mcp", |s| Ok(s.clone()))?;
    let servers = servers.into_iter().filter_map(|(name, s)| root.noted(server(name, &s, folder.path())).transpose());
    let servers = servers.map(|s| s.map(Arc::new)).collect::<Result<_, _>>()?;
    Ok(Tools { own, servers, reserved: Vec::new() })
}

impl Tools {
    /// Keeps these names free of tools of servers.
    pub(super) fn reserve(&mut self, names: impl Iterator<Item = String>) {
        self.reserved.extend(names);
    }

    /// Those that stand in the task itself.
    pub(super) fn own(&self) -> impl Iterator<Item = &ToolSpec> {
        self.own.iter().map(|t| &t.0)
    }

    /// A tool whose calls have to be approved, or a server all of whose have.
    pub(super) fn with_approval(&self) -> Option<&str> {
        let own = self.own.iter().find(|t| t.2.approval).map(|t| t.0.name.as_str());
        own.or_else(|| self.servers.iter().find(|s| s.needs_approval()).map(|s| s.name()))
    }

    /// What is wrong with who answers, as far as that can be told without asking: each with the table and the key it
    /// stands at. Recordings are read, variables of the environment looked for.
    pub(super) fn faults(&self, folder: &Path, limits: &Limits) -> Vec<(&'static str, String, &'static str, Error)> {
        let own = self.own.iter().filter_map(|(spec, source, _)| {
            let (key, fault) = match source {
                Source::Replay(path) => ("replay", Recording::load(&folder.join(path), limits).err()),
                Source::Command(_, env, _) => ("env", fill(&mut Secrets::default(), env, "env").err()),
            };
            fault.map(|p| ("tools", spec.name.clone(), key, p))
        });
        let of_server = |s: &Arc<Server>| s.fault().map(|(key, p)| ("mcp", s.name().to_owned(), key, p));
        own.chain(self.servers.iter().filter_map(of_server)).collect()
    }

    /// A digest of what answers the tool of this name: its command or recording, or those of its server.
    pub(super) fn source_of(&self, name: &str, folder: &Path) -> Option<String> {
        let of = |kind: &str, words: Vec<String>| tool_digest::digest(folder, kind, words);
        if let Some((_, source, _)) = self.own.iter().find(|t| t.0.name == name) {
            return Some(match source {
                Source::Replay(file) => of("replay", vec![file.clone()]),
                Source::Command(command, ..) => of("command", command.words.clone()),
            });
        }
        let server = self.servers.iter().find(|s| name.strip_prefix(s.name()).is_some_and(|n| n.starts_with('.')))?;
        Some(of("server", server.words()))
    }

    /// How many servers there are.
    pub(super) fn servers(&self) -> usize {
        self.servers.len()
    }

    /// Whether servers have more.
    pub(super) fn has_servers(&self) -> bool {
        !self.servers.is_empty()
    }

    /// What programs see of them. Servers are started, and say what they have.
    pub(super) fn specs(&self) -> Result<Vec<ToolSpec>, Error> {
        let mut specs: Vec<ToolSpec> = self.own().cloned().collect();
        for (_, offered) in self.list_tools()? {
            specs.extend(offered.iter().map(|o| o.spec.clone()));
        }
        Ok(specs)
    }

    /// What each server has, under names that nothing else has.
    fn list_tools(&self) -> Result<Vec<FromServer<'_>>, Error> {
        let mut taken: Vec<String> = self.own().map(|t| t.name.clone()).chain(self.reserved.iter().cloned()).collect();
        self.servers.iter().map(|s| Ok((s, s.list_tools(&mut taken)?))).collect()
    }

    /// Who answers them, continuing after the calls that were made; files are those of `folder`.
    pub(super) fn toolbox(&self, folder: &Folder, made: &[&Call], limits: &Limits) -> Result<Toolbox, Error> {
        let mut tools = Toolbox::new();
        for (spec, source, rules) in &self.own {
            let tool = match source {
                Source::Replay(file) => {
                    let mut recording = Recording::load(&folder.file(file)?, limits)?;
                    let calls: Vec<&Call> = made.iter().filter(|c| c.name == spec.name).copied().collect();
                    recording.skip(&calls, limits);
                    // What was recorded changes nothing.
                    recording.tool(spec.clone(), limits.clone()).read_only()
                }
                Source::Command(command, env, timeout) => {
                    let mut secrets = Secrets::default();
                    let mut command = command.clone();
                    command.env = fill(&mut secrets, env, &format!("[tools.{}] env", spec.name))?;
                    command.secrets = secrets;
                    command.tool(spec.name.clone()).with_spec(spec.clone()).timeout(*timeout)
                }
            };
            tools.add(tool.with_rules(rules));
        }
        for (server, offered) in self.list_tools()? {
            offered.into_iter().for_each(|o| tools.add(server.tool(o)));
            tools.warnings.extend(server.warnings());
        }
        Ok(tools)
    }
}

const TIMEOUT: &str = "timeout_ms";

/// `read_only`, `on_crash` and `approval`.
pub(super) const RULES: [&str; 3] = ["read_only", "on_crash", "approval"];

/// How a tool, or all of a server, may be called.
pub(super) fn rules(s: &Section<'_>) -> Result<Rules, Error> {
    let on_crash = match s.text("on_crash")? {
        None => None,
        Some("repeat") => Some(OnCrash::Repeat),
        Some("ask") => Some(OnCrash::Ask),
        Some("fail") => Some(OnCrash::Fail),
        Some(_) => return Err(s.problem_at("on_crash", "on_crash is \"repeat\", \"ask\" or \"fail\"")),
    };
    let approval = match s.text("approval")? {
        None | Some("never") => false,
        Some("always") => true,
        Some(_) => return Err(s.problem_at("approval", "approval is \"always\" or \"never\"")),
    };
    Ok(Rules { read_only: s.flag("read_only")?, on_crash, approval })
}

fn tool(name: String, s: &Section<'_>, folder: &Folder) -> Result<(ToolSpec, Source, Rules), Error> {
    let [read_only, on_crash, approval] = RULES;
    s.only(
        &["description", "params", "returns", "replay", "command", TIMEOUT, "env", read_only, on_crash, approval],
        &["from", "url", "mcp", "task"],
    )?;
    let params = s.noted(params(s))?.flatten();
    let spec = ToolSpec {
        name,
        description: s.text("description")?.unwrap_or_default().to_owned(),
        params,
        returns: returns(s)?,
    };
    let source = match (s.has("replay"), s.has("command")) {
        (true, true) => return Err(s.problem_at("command", "replay and command; keep one of them")),
        (false, true) => {
            // A value of another kind is told where it was found, and not called empty besides.
            let Some(words) = s.texts("command")? else { return Err(Error::told()) };
            let mut command = CommandTool::find(folder.path(), &words).map_err(|p| s.problem_at("command", p))?;
            command.text = spec.returns == Some(Type::String);
            let timeout = s.count(TIMEOUT)?.map_or(command::DEFAULT_TIMEOUT, Duration::from_millis);
            Source::Command(command, pairs(s, "env")?, timeout)
        }
        _ => {
            if let Some(key) = [TIMEOUT, "env"].into_iter().find(|k| s.has(k)) {
                return Err(
                    s.problem_at(key, error_text!("{key} is for commands"; "take it out, or add command = [...]"))
                );
            }
            if !s.has("replay") {
                let words = "nobody answers; add command = [\"./tool.py\"], or replay = \"answers.jsonl\"";
                return Err(s.problem(words));
            }
            let file = s.needed("replay", "\"answers.jsonl\"")?;
            folder.file(file).map_err(|p| s.problem_at("replay", p))?;
            Source::Replay(file.to_owned())
        }
    };
    Ok((spec, source, rules(s)?))
}

/// What a tool declares to answer: a type, which its answers are held to. Words are no type.
fn returns(s: &Section<'_>) -> Result<Option<Type>, Error> {
    let words = "what a tool answers in words stands in its description";
    let Some(text) = s.text("returns")? else { return Ok(None) };
    s.noted(
        text.parse::<Type>()
            .map_err(|e| s.problem_at("returns", error_text!("returns: {}", e.message(); "{}; {words}", e.hint()))),
    )
}

/// The parameters that a table declares, if it does.
pub(super) fn params(s: &Section<'_>) -> Result<Option<Vec<Param>>, Error> {
    let example = "a list of tables, as in params = [{ name = \"category\", type = \"string\" }]";
    let Some(list) = s.sections("params", example)? else { return Ok(None) };
    let mut params: Vec<Param> = Vec::new();
    for p in list {
        p.only(&["name", "type", "description"], &["default"])?;
        let name = p.needed_name("name", "\"category\"")?.to_owned();
        if params.iter().any(|q| q.name == name) {
            return Err(p.problem_at("name", error_text!("two parameters {name}"; "give each its own name")));
        }
        let doc = p.text("description")?.unwrap_or_default().to_owned();
        params.push(Param { name, shape: shape(&p, "type")?.unwrap_or(Type::Any), doc });
    }
    Ok(Some(params))
}

/// `[mcp.NAME]`: a server whose tools are called as `tool/NAME.tool`.
fn server(name: String, s: &Section<'_>, folder: &Path) -> Result<Server, Error> {
    let [read_only, on_crash, approval] = RULES;
    let known = ["command", "url", "env", "headers", TIMEOUT, "tools", "parse_json", read_only, on_crash, approval];
    s.only(&known, &[])?;
    let link = match (s.has("command"), s.text("url")?) {
        (true, None) => {
            if s.has("headers") {
                return Err(s.problem_at("headers", "headers are for servers with a url; a command takes env = {...}"));
            }
            let Some(words) = s.texts("command")? else { return Err(Error::told()) };
            let [program, args @ ..] = words.as_slice() else {
                return Err(s.problem_at("command", "command is empty; write command = [\"npx\", \"some-server\"]"));
            };
            let program = command::find(folder, program).map_err(|p| s.problem_at("command", p))?;
            Connection::Command { program, args: args.to_vec(), env: pairs(s, "env")? }
        }
        (false, Some(url)) => {
            if s.has("env") {
                return Err(s.problem_at("env", "env is for servers with a command; a url takes headers = {...}"));
            }
            if !(url.starts_with("http://") || url.starts_with("https://")) {
                return Err(s.problem_at("url", "url must begin with http:// or https://"));
            }
            Connection::Url { url: url.to_owned(), headers: pairs(s, "headers")? }
        }
        (true, Some(_)) => return Err(s.problem_at("url", "command and url; keep one of them")),
        (false, None) => {
            return Err(s.problem("no server; add command = [\"npx\", \"some-server\"], or url = \"https://...\""));
        }
    };
    let parse_json = s.flag("parse_json")?.unwrap_or(false);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let only = s.texts("tools")?;
    let timeout = s.count(TIMEOUT)?.map_or(mcp::DEFAULT_TIMEOUT, Duration::from_millis);
    let server = Server::new(name, link, folder.to_owned()).with_timeout(timeout).with_only(only);
    Ok(server.parse_json(parse_json).with_rules(rules(s)?))
}

/// A table of texts.
fn pairs(s: &Section<'_>, key: &str) -> Result<Vec<(String, String)>, Error> {
    let Some(data) = s.data(key)? else { return Ok(Vec::new()) };
    let pair = |(k, v): (&String, &serde_json::Value)| Some((k.clone(), v.as_str()?.to_owned()));
    let pairs = data.as_object().and_then(|m| m.iter().map(pair).collect());
    pairs.ok_or_else(|| {
        s.problem_at(key, format!("{key} must be a table of texts, as in {key} = {{ NAME = \"value\" }}"))
    })
}
