//! What `--set` and `--limits` say, for every command that has them.

use crate::args::SettingArgs;
use ptc_agent::task::{GivenInput, Overrides, options};
use ptc_agent::{Error, ErrorKind, Task, error_text};
use ptc_lisp::escape;
use ptc_turns::{Config, Header, Session};

/// The keys of a task's file that arguments give.
///
/// # Errors
/// What is no key, and what is wrong with the file of limits.
pub fn overrides(a: &SettingArgs) -> Result<Overrides, Error> {
    let mut given = Overrides::default();
    if let Some(file) = &a.limits {
        given.extend(options::limits_file(file)?);
    }
    for text in &a.set {
        check_key(text)?;
        given.set(text)?;
    }
    Ok(given)
}

/// The limits of a turn, for a command that has nothing else of a task.
///
/// # Errors
/// As [`overrides`]; a key that is none of these limits is named.
pub fn limits_alone(a: &SettingArgs, command: &str) -> Result<Overrides, Error> {
    let given = overrides(a)?;
    let known = options::limit_list(&Default::default());
    let other = given.keys().find(|key| !known.iter().any(|(name, ..)| key == &format!("limits.{name}")));
    match other {
        None => Ok(given),
        Some(key) => {
            let key = escape::line(&key).to_string();
            let near = ptc_lisp::suggest::did_you_mean(key.trim_start_matches("limits."), known.iter().map(|l| l.0));
            let hint = near.map_or_else(
                || format!("ptc {command} --help lists them; ptc run and ptc repl have the other keys"),
                |near| format!("did you mean limits.{near}?"),
            );
            Err(Error::new(ErrorKind::Usage, error_text!("{key} is no limit of a turn"; "{hint}")).at("--set"))
        }
    }
}

/// Gives a session that continues what arguments say of it: the history is a view and follows them, so do more turns. What
/// the session was begun with cannot change: its earlier turns ran with it.
///
/// `ctx` and `tools` are the inputs and the names of tools that arguments give.
///
/// # Errors
/// With the option that would change such a thing.
pub fn resume(
    session: &mut Session,
    task: &Task,
    given: &Overrides,
    (ctx, tools): (&[String], &[String]),
) -> Result<(), Error> {
    let header = session.trace().header.clone();
    let fixed = |key: &str, then: &str, out: &str| {
        let words = error_text!("{key} cannot be changed on resume: the session began with {then}"; "leave {out} out, or begin a new session");
        Err(Error::new(ErrorKind::Usage, words))
    };
    for text in ctx {
        let name = GivenInput::parse(text)?.name().to_owned();
        if !header.inputs.iter().any(|(n, _)| *n == name) {
            let names: Vec<&str> = header.inputs.iter().map(|(n, _)| n.as_str()).collect();
            let then = if names.is_empty() { "no inputs".to_owned() } else { format!("ctx/{}", names.join(", ctx/")) };
            return fixed(&format!("ctx/{}", escape::line(&name)), &escape::line(&then), "--ctx");
        }
    }
    if let Some(name) = tools.iter().find(|name| !header.tools.iter().any(|t| t.name == **name)) {
        let names: Vec<&str> = header.tools.iter().map(|t| t.name.as_str()).collect();
        let then = if names.is_empty() { "no tools".to_owned() } else { format!("the tools {}", names.join(", ")) };
        return fixed(&format!("tool/{}", escape::line(name)), &escape::line(&then), "--tool");
    }
    let (then, now) = (options::limit_list(&header.limits), options::limit_list(&task.limits));
    let mut begun = None;
    for key in given.keys() {
        let shown = escape::line(&key).to_string();
        let out = format!("--set {shown}");
        let (table, rest) = key.split_once('.').unwrap_or((&key, ""));
        match (table, rest) {
            ("history", _) => session.set_policy(&task.policy),
            ("task", "max_turns") => session.set_max_turns(task.max_turns),
            ("limits", name) => {
                let of = |list: &[(&str, String, &str)]| list.iter().find(|l| l.0 == name).map(|l| l.1.clone());
                if let (Some(then), Some(now)) = (of(&then), of(&now))
                    && then != now
                {
                    return fixed(&shown, &then, &out);
                }
            }
            ("task", "name" | "system" | "card" | "expect" | "expect_schema" | "input_tokens")
            | ("libraries" | "context" | "tools" | "mcp" | "agents", _) => {
                let fresh = match begun.take() {
                    Some(fresh) => fresh,
                    // All else as the session has it: what still differs is what was given.
                    None => Config {
                        max_turns: header.max_turns,
                        policy: header.policy.clone(),
                        limits: header.limits.clone(),
                        ..task.config()?
                    }
                    .header(),
                };
                let names = |h: &Header| h.tools.iter().map(|t| t.name.clone()).collect::<Vec<_>>();
                let inputs = |h: &Header| h.inputs.iter().map(|i| i.0.clone()).collect::<Vec<_>>();
                let same = (&fresh.task, &fresh.system, &fresh.expect, &fresh.expect_schema)
                    == (&header.task, &header.system, &header.expect, &header.expect_schema)
                    && (names(&fresh), inputs(&fresh)) == (names(&header), inputs(&header))
                    && (rest != "input_tokens" || fresh.prompt == header.prompt);
                if !same {
                    return fixed(&shown, "another", &out);
                }
                begun = Some(fresh);
            }
            // The rest is read anew by each run: the model and how it is asked, limits of the whole run, the known answer.
            _ => {}
        }
    }
    Ok(())
}

/// Whether a key names its table too, where an option of that name is in one.
fn check_key(text: &str) -> Result<(), Error> {
    let key = text.split_once('=').map_or(text, |(key, _)| key).trim();
    match options::full_key(key) {
        Some(full) => {
            let words = error_text!("{key} stands in a table of task.toml"; "write --set {full}=VALUE");
            Err(Error::new(ErrorKind::Usage, words))
        }
        None => Ok(()),
    }
}
