//! `[toc]` and `[acts.NAME]`: the acts of a task, in order, and what each is asked.

use super::arguments;
use super::chain::Chain;
use super::folder::Folder;
use super::model_section::parse as parse_model;
use super::names::plainly_named;
use super::source::{self, Table};
use super::spec::{ActSpec, InputFrom, InputSpec, Task};
use super::template::{self, Piece};
use crate::error::{Error, ErrorText};
use crate::error_text;
use crate::toml_section::Section;
use ptc_history::Retention;
use ptc_lisp::escape;
use ptc_lisp::interface::ToolSpec;
use ptc_lisp::suggest::did_you_mean;
use ptc_turns::{ActWords, Mode};

/// What is known of the task when its acts are read.
pub(super) struct Setting<'a> {
    pub folder: &'a Folder,
    pub chain: &'a Chain,
    /// Turns of an act that does not say.
    pub max_turns: u64,
    /// The tools that acts may call for their inputs, as far as the task says them.
    pub tools: &'a [ToolSpec],
    /// Whether there are more: of a server they are known only when it has answered, of a table that cannot be read
    /// never.
    pub servers: bool,
}

/// Reads the acts.
pub(super) fn parse(root: &Section<'_>, setting: &Setting<'_>) -> Result<Vec<ActSpec>, Error> {
    let mut all = plainly_named(root, "acts", |s| act(s, setting))?;
    // Those that cannot be read as well.
    let names = root.section("acts")?.map(|s| s.keys()).unwrap_or_default();
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let order: Vec<String> = match root.section("toc")? {
        None if names.len() > 1 => {
            let list = names.iter().map(|n| escape::quoted(n)).collect::<Vec<_>>().join(", ");
            return Err(root.problem_at("acts", error_text!("several acts and no order"; "add [toc] order = [{list}]")));
        }
        None => names.clone(),
        Some(toc) => {
            toc.only(&["order"], &[])?;
            let list = toc.texts("order")?.unwrap_or_default();
            if list.is_empty() {
                return Err(toc.problem("order is missing; add order = [\"first\", \"second\"]"));
            }
            for (i, name) in list.iter().enumerate() {
                let shown = escape::quoted(name);
                if !names.contains(name) {
                    let hint = match did_you_mean(name, names.iter().map(String::as_str)) {
                        Some(near) => format!("did you mean {near}?"),
                        None => format!("write [acts.{}]", escape::line(name)),
                    };
                    return Err(toc.problem_at("order", error_text!("there is no act {shown}"; "{hint}")));
                }
                if list.iter().take(i).any(|n| n == name) {
                    return Err(toc.problem_at(
                        "order",
                        error_text!("the act {shown} is listed twice"; "an act runs once: take one of them out"),
                    ));
                }
            }
            if let Some(idle) = names.iter().find(|n| !list.contains(n)) {
                let words =
                    error_text!("the act {} is not in the order", escape::quoted(idle); "add it, or take it out");
                return Err(toc.problem_at("order", words));
            }
            list
        }
    };
    let mut out: Vec<ActSpec> = Vec::new();
    for name in &order {
        if let Some(at) = all.iter().position(|a| a.0 == *name) {
            let (name, mut spec) = all.swap_remove(at);
            spec.words.name = name;
            out.push(spec);
        }
    }
    let names: Vec<&str> = order.iter().map(String::as_str).collect();
    // What refers to an act that cannot be read cannot be held to anything.
    let readable = |piece: &&Piece| match piece {
        Piece::Input(act, _) => {
            !names.contains(&act.as_str())
                || out.iter().any(|a| a.words.name == *act && a.inputs.iter().all(InputSpec::is_read))
        }
        Piece::Text(_) | Piece::Answer(_) => true,
    };
    for spec in &out {
        let place = names.iter().position(|n| *n == spec.words.name);
        let before = names.get(..place.unwrap_or_default()).unwrap_or_default();
        let inputs = |act: &str| {
            let found = out.iter().find(|a| a.words.name == act);
            found.map(|a| a.inputs.iter().map(InputSpec::name).collect()).unwrap_or_default()
        };
        let all = root.section("acts")?;
        let place = all.map(|s| s.section(&spec.words.name)).transpose()?.flatten();
        let Some(place) = place else { continue };
        let places = place.sections("input", EXAMPLE)?.unwrap_or_default();
        for ((input, at), number) in spec.inputs.iter().zip(places).zip(1..) {
            match &input.from {
                InputFrom::Text(pieces) => {
                    for piece in pieces.iter().filter(readable) {
                        let checked = template::check(std::slice::from_ref(piece), before, &names, inputs);
                        at.noted(checked.map_err(|e| place.problem(e)))?;
                    }
                }
                InputFrom::Tool { name, args } => {
                    let Some(tool) = setting.tools.iter().find(|t| t.name == *name) else { continue };
                    for fault in arguments::faults(tool, args) {
                        let key = if at.has("args") { "args" } else { "tool" };
                        let words = format!("act {}, input {number}: {fault}", spec.words.name);
                        at.noted::<()>(Err(at.problem_at(key, words)))?;
                    }
                }
                InputFrom::Table(_) | InputFrom::File(_) | InputFrom::Narrative(_) => {}
            }
        }
    }
    Ok(out)
}

fn act(s: &Section<'_>, setting: &Setting<'_>) -> Result<ActSpec, Error> {
    s.noted(refuse_default(s))?;
    s.only(&["mode", "max_tokens", "max_turns", "model", "tools", "input"], &[])?;
    let mode = match s.text("mode")? {
        None | Some("program") => Mode::Program,
        Some("text") => Mode::Text,
        Some(other) => {
            let words = format!("mode must be \"text\" or \"program\", got {}", escape::quoted(other));
            return Err(s.problem_at("mode", words));
        }
    };
    let turns = s.count("max_turns")?;
    if mode == Mode::Text && turns.is_some_and(|n| n != 1) {
        return Err(s.problem_at("max_turns", "a text act is one reply; take max_turns out, or say mode = \"program\""));
    }
    let max_turns = if mode == Mode::Text { 1 } else { turns.unwrap_or(setting.max_turns) };
    let tools = s.noted(tools(s, mode, setting))?.flatten();
    let inputs = s.sections("input", EXAMPLE)?.unwrap_or_default();
    if inputs.is_empty() {
        return Err(
            s.problem("the act asks nothing; add an [[acts.NAME.input]] with type = \"text\" and content = \"...\"")
        );
    }
    Ok(ActSpec {
        words: ActWords { name: String::new(), mode, max_turns, tools },
        max_tokens: s.count("max_tokens")?,
        model: parse_model(s, setting.folder)?,
        inputs: inputs
            .iter()
            .map(|i| {
                let unread = InputSpec { from: InputFrom::Text(Vec::new()), retention: None };
                Ok(i.noted(input(i, setting))?.unwrap_or(unread))
            })
            .collect::<Result<_, Error>>()?,
    })
}

/// `tools = ["search"]`: those of the task's tools that programs of the act may call.
fn tools(s: &Section<'_>, mode: Mode, setting: &Setting<'_>) -> Result<Option<Vec<String>>, Error> {
    let Some(list) = s.texts("tools")? else { return Ok(None) };
    if mode == Mode::Text {
        let words = "a text act runs no program, so it calls no tools; take tools out, or say mode = \"program\"";
        return Err(s.problem_at("tools", words));
    }
    for (i, name) in list.iter().enumerate() {
        if !setting.servers && !setting.tools.iter().any(|t| t.name == *name) {
            return Err(s.problem_at("tools", unknown_tool(name, setting.tools)));
        }
        if list.iter().take(i).any(|n| n == name) {
            let words = error_text!("the tool {} is listed twice", escape::quoted(name); "take one of them out");
            return Err(s.problem_at("tools", words));
        }
    }
    Ok(Some(list))
}

/// That there is no such tool, and what was meant.
pub(super) fn unknown_tool(name: &str, tools: &[ToolSpec]) -> ErrorText {
    let names: Vec<&str> = tools.iter().map(|t| t.name.as_str()).collect();
    let hint = match (did_you_mean(name, names.iter().copied()), names.as_slice()) {
        (Some(near), _) => format!("did you mean {near}?"),
        (None, []) => "the task grants none; add [tools.NAME]".to_owned(),
        (None, _) => format!("its tools are {}", names.join(", ")),
    };
    error_text!("there is no tool {}", escape::quoted(name); "{hint}")
}

/// What `[[phase]]` is called here.
pub(super) fn refuse_phases(root: &Section<'_>) -> Result<(), Error> {
    match ["phase", "phases"].into_iter().find(|k| root.has(k)) {
        None => Ok(()),
        Some(key) => {
            let words = error_text!("{key}: phases are acts"; "write [acts.NAME] with tools = [\"...\"] for each, and [toc] order = [...]");
            Err(root.problem_at(key, words))
        }
    }
}

/// there is no retention for all inputs at once, on purpose.
pub(super) fn refuse_default(s: &Section<'_>) -> Result<(), Error> {
    match ["default_history_retention", "history_retention"].into_iter().find(|k| s.has(k)) {
        None => Ok(()),
        Some(key) => {
            let words = error_text!("{key}: there is no retention for all inputs at once, a default would hide what becomes of each"; "write history_retention with each [[acts.NAME.input]]");
            Err(s.problem_at(key, words))
        }
    }
}

/// What the inputs of an act are.
const EXAMPLE: &str = "a list of tables, as in [[acts.NAME.input]]";

const TYPES: [&str; 5] = ["table", "file", "text", "narrative", "tool"];

fn input(s: &Section<'_>, setting: &Setting<'_>) -> Result<InputSpec, Error> {
    let kind = s.needed("type", "\"text\"")?;
    let only = |own: &[&str]| {
        let known: Vec<&str> = ["type", "history_retention"].iter().chain(own).copied().collect();
        s.only(&known, &[])
    };
    let from = match kind {
        "table" => {
            only(&source::table_keys())?;
            InputFrom::Table(Table::parse(s, setting.folder)?)
        }
        "file" => {
            only(&["file"])?;
            source::within(s, "file", setting.folder)?;
            InputFrom::File(s.needed_name("file", "\"notes.md\"")?.to_owned())
        }
        "text" => {
            only(&["content", "file"])?;
            source::within(s, "file", setting.folder)?;
            match (s.has("content"), s.has("file")) {
                (true, true) => return Err(s.problem_at("file", "content and file; keep one of them")),
                (false, true) => InputFrom::File(s.needed_name("file", "\"notes.md\"")?.to_owned()),
                _ => InputFrom::Text(template::pieces(s.needed("content", "\"What is to be done\"")?)),
            }
        }
        "narrative" => {
            only(&["task"])?;
            let path = setting.folder.path().join(s.needed_name("task", "\"../other\"")?);
            InputFrom::Narrative(Box::new(
                Task::load_within(&path, setting.chain).map_err(|e| s.problem_at("task", e))?,
            ))
        }
        "tool" => {
            only(&["tool", "args"])?;
            let name = s.needed_name("tool", "\"search\"")?.to_owned();
            if !setting.servers && !setting.tools.iter().any(|t| t.name == name) {
                return Err(s.problem_at("tool", unknown_tool(&name, setting.tools)));
            }
            let args = s.data("args")?.unwrap_or_else(|| serde_json::json!({}));
            if !args.is_object() {
                return Err(s.problem_at("args", "args must be a table, as in args = { name = \"value\" }"));
            }
            InputFrom::Tool { name, args }
        }
        other => {
            let hint = match did_you_mean(other, TYPES) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("types are {}", TYPES.join(", ")),
            };
            return Err(s.problem_at("type", error_text!("there is no type {}", escape::quoted(other); "{hint}")));
        }
    };
    let retention = s.text("history_retention")?;
    let retention = retention
        .map(|word| word.parse::<Retention>().map_err(|e| s.problem_at("history_retention", e)))
        .transpose()?;
    Ok(InputSpec { from, retention })
}
