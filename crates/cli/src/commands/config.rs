//! `ptc config`: what is configured, and where each value comes from.

use crate::args::{ConfigArgs, ConfigCommand};
use crate::configuration;
use crate::context::ConfigFile;
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use ptc_agent::error_text;
use ptc_agent::model::Provider;
use ptc_agent::task::options::limit_list;
use ptc_agent::{Error, ErrorKind};
use ptc_lisp::escape;
use ptc_lisp::limits::Limits;
use serde::Serialize;
use std::path::Path;

/// What `ptc config init` writes.
const TEMPLATE: &str = include_str!("config.toml");

#[derive(Serialize)]
struct Value {
    key: String,
    value: Option<String>,
    from: &'static str,
}

#[derive(Serialize)]
struct Line<'a> {
    path: Option<&'a str>,
    exists: bool,
    values: &'a [Value],
}

/// Runs the command.
pub fn config(a: &ConfigArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let path = match &io.context.config {
        ConfigFile::None => None,
        ConfigFile::Usual(path) | ConfigFile::Named(path) => Some(path.clone()),
    };
    if let Some(ConfigCommand::Init) = a.command {
        let Some(path) = path else {
            let words = "there is no place for a configuration; take out --no-config, or name a file in PTC_CONFIG";
            return Err(Error::new(ErrorKind::Usage, words).into());
        };
        write(&path)?;
        io.info(&format!("wrote {}", escape::line(&path.display().to_string())));
        return Ok(DONE);
    }
    let values = values(io)?;
    let exists = path.as_ref().is_some_and(|p| p.exists());
    let shown = path.as_ref().map(|p| escape::line(&p.display().to_string()).to_string());
    if a.json {
        serde_json::to_writer(&mut *io.out, &Line { path: shown.as_deref(), exists, values: &values })
            .map_err(std::io::Error::from)?;
        writeln!(io.out)?;
        return Ok(DONE);
    }
    match (&shown, exists) {
        (Some(path), true) => writeln!(io.out, "{path}")?,
        (Some(path), false) => writeln!(io.out, "{path} (not there; ptc config init writes it)")?,
        (None, _) => writeln!(io.out, "no configuration")?,
    }
    let width = |f: fn(&Value) -> &str| values.iter().map(|v| f(v).chars().count()).max().unwrap_or(0).min(60);
    let (keys, words) = (width(|v| &v.key), width(|v| v.value.as_deref().unwrap_or("-")));
    for v in &values {
        let value = v.value.as_deref().unwrap_or("-");
        writeln!(io.out, "{:keys$}  {value:words$}  {}", v.key, v.from)?;
    }
    Ok(DONE)
}

/// Every value that a configuration may set, in its order, on one line each.
fn values(io: &Io<'_>) -> Result<Vec<Value>, Error> {
    let config = configuration::read(&io.context.config)?;
    let set: Vec<(String, String)> = config.set().collect();
    let of = |key: &str| set.iter().find(|(k, _)| k == key).map(|(_, v)| escape::line(v).to_string());
    let one = |key: &str, built_in: Option<String>| match of(key) {
        Some(value) => Value { key: key.to_owned(), value: Some(value), from: "configuration" },
        None => Value { key: key.to_owned(), value: built_in, from: "built-in" },
    };
    let turns = ptc_agent::task::DEFAULT_MAX_TURNS.to_string();
    let mut out = vec![one("model", None), one("max_turns", Some(turns))];
    for provider in Provider::ALL.into_iter().filter(|p| *p != Provider::OpenAiResponses) {
        let key = format!("keys.{}", provider.name());
        let mut value = one(&key, Some(provider.key_variable().to_owned()));
        let there = value.value.as_deref().is_some_and(|v| io.context.environment.get(v).is_some());
        value.value = value.value.map(|v| if there { format!("{v} (set)") } else { format!("{v} (not set)") });
        out.push(value);
    }
    let history = set.iter().filter(|(k, _)| k.starts_with("history."));
    out.extend(history.map(|(k, _)| one(&escape::line(k), None)));
    out.extend(limit_list(&Limits::default()).into_iter().map(|(name, n, _)| one(&format!("limits.{name}"), Some(n))));
    Ok(out)
}

/// Writes the template, over nothing.
fn write(path: &Path) -> Result<(), Error> {
    use std::io::Write as _;
    let cannot = |e: &std::io::Error| Error::io(path, "write", e);
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| cannot(&e))?;
    }
    match std::fs::File::create_new(path) {
        Ok(mut file) => file.write_all(TEMPLATE.as_bytes()).map_err(|e| cannot(&e)),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            let words = error_text!("there is a configuration already"; "change it, or move it away first");
            Err(Error::new(ErrorKind::Usage, words).at(&path.display().to_string()))
        }
        Err(e) => Err(cannot(&e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_agent::UserConfig;

    #[test]
    fn the_template_is_a_configuration_with_and_without_its_comments() {
        let path = Path::new("config.toml");
        assert_eq!(UserConfig::parse(path, TEMPLATE).unwrap().set().count(), 0);
        // What is commented out with `#` directly before a key or a table is TOML too.
        let on: String = TEMPLATE
            .lines()
            .map(|l| l.strip_prefix('#').filter(|r| !r.starts_with(' ')).unwrap_or(l).to_owned() + "\n")
            .collect();
        let config = UserConfig::parse(path, &on).unwrap();
        let keys: Vec<String> = config.set().map(|(k, _)| k).collect();
        let narrative = ["narrative.auto_summary_threshold", "narrative.warn_large_history"];
        let before = ["model", "max_turns", "keys.openai", "history.strategy"];
        assert_eq!(keys, [&before[..], &narrative, &["limits.fuel"]].concat());
    }
}
