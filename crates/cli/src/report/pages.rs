//! Pages of sub-agents and of tasks inside a task: each has its own, beside that of the session that asked, because its
//! trace stands beside the other one.

use super::about::About;
use super::file::{self, SESSION};
use super::page::page;
use super::related::Related;
use ptc_agent::{Error, Summaries, Task, trace_file};
use ptc_turns::Trace;
use ptc_turns::trace::record::Call;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Default)]
pub struct Written {
    /// Pages of sub-agents, beside the one that was asked for.
    pub pages: Vec<PathBuf>,
    /// What a page could not be made of, in words.
    pub warnings: Vec<String>,
}

impl Written {
    /// ` and 2 pages of sub-agents beside it`, or nothing.
    pub fn others(&self) -> String {
        match self.pages.len() {
            0 => String::new(),
            n => format!(" and {} of sub-agents beside it", super::escape::count(n as u64, "page")),
        }
    }
}

/// Writes the page of a session, and beside it those of its sub-agents, theirs and so on. `kept` is the file of the trace;
/// without one there are no others.
///
/// # Errors
/// When the page itself cannot be made or written. Of the others that is a warning.
pub fn write_all(path: &Path, kept: Option<&Path>, trace: &Trace, about: &About<'_>) -> Result<Written, Error> {
    let mut written = Written::default();
    let mut related = kept.map(|k| children(path, k, trace, &mut written)).unwrap_or_default();
    related.inside = kept.map(|k| Task::subtask_totals(k, about.task)).unwrap_or_default();
    file::write(path, &SESSION, &page(trace, about, &related)?)?;
    Ok(written)
}

/// Writes the pages below a page, and says where they are.
fn children(path: &Path, kept: &Path, trace: &Trace, written: &mut Written) -> Related {
    let mut related = Related::default();
    let there = beside(kept);
    if there.is_empty() {
        return related;
    }
    let task = trace.header.task.clone().unwrap_or_default();
    let mut made: HashMap<String, Option<String>> = HashMap::new();
    let mut of = |label: String, written: &mut Written| -> Option<String> {
        let label = plain(&label);
        if !there.contains(&label) {
            return None;
        }
        let one = || match child(path, kept, &label, &task, written) {
            Ok(href) => Some(href),
            Err(p) => {
                written.warnings.push(format!("no page of a sub-agent: {}", p.text()));
                None
            }
        };
        made.entry(label.clone()).or_insert_with(one).clone()
    };
    // Those of a turn that has not ended too.
    let begun: Vec<Call> = trace.journal().calls().map(crate::begun::call).collect();
    for (id, label) in labels(trace.calls().chain(&begun)) {
        if let Some(href) = of(label, written) {
            related.calls.insert(id, href);
        }
    }
    for act in trace.acts() {
        for input in 1..=act.content.len().max(MOST_INPUTS) {
            if let Some(href) = of(format!("act-{}-{input}", act.name), written) {
                related.acts.entry(act.act).or_default().push((input.to_string(), href));
            }
        }
    }
    related
}

/// Inputs of an act that are looked for: its content can have fewer pieces than it has inputs.
const MOST_INPUTS: usize = 64;

/// The page of one trace beside `kept`.
fn child(path: &Path, kept: &Path, label: &str, task: &str, written: &mut Written) -> Result<String, Error> {
    let (page_path, trace_path) = (with_label(path, label), with_label(kept, label));
    file::check(&page_path, &SESSION)?;
    let loaded = trace_file::read(&trace_path)?;
    let mut related = children(&page_path, &trace_path, &loaded.trace, written);
    related.parent = Some((address(path), task.to_owned()));
    related.inside = Task::subtask_totals(&trace_path, None);
    let summaries = Summaries::kept(&trace_path)?;
    let about = About { summaries: Some(&summaries), ..About::default() };
    file::write(&page_path, &SESSION, &page(&loaded.trace, &about, &related)?)?;
    let href = address(&page_path);
    written.pages.push(page_path);
    Ok(href)
}

/// What distinguishes the names of traces that stand beside this one: `agent-helper-9f2c41d07ab3`, `act-analyze-3`.
fn beside(kept: &Path) -> HashSet<String> {
    let stem = kept.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = kept.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(all) = std::fs::read_dir(folder) else { return HashSet::new() };
    all.flatten()
        .map(|e| e.path())
        .filter(|p| p.extension() == kept.extension() && p.is_file())
        .filter_map(|p| {
            let name = p.file_stem()?.to_string_lossy().into_owned();
            let label = name.strip_prefix(&stem)?.strip_prefix('.')?;
            (label.starts_with("agent-") || label.starts_with("act-")).then(|| label.to_owned())
        })
        .collect()
}

/// What names the trace of each call, if it was a sub-agent's: its name, the digest of its arguments, and from the second
/// call with the same ones on which of them it is.
fn labels<'a>(calls: impl Iterator<Item = &'a Call>) -> Vec<(u64, String)> {
    let mut calls: Vec<&Call> = calls.collect();
    calls.sort_by_key(|c| c.id);
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    let mut out = Vec::new();
    for c in calls {
        let n = seen.entry((c.name.as_str(), c.args.text())).or_insert(0);
        *n = n.saturating_add(1);
        let which = if *n == 1 { String::new() } else { format!("-{n}") };
        out.push((c.id, format!("agent-{}-{}{which}", c.name, digest(c.args.text()))));
    }
    out
}

fn digest(args: &str) -> String {
    let mut out = String::new();
    for byte in Sha256::digest(args.as_bytes()).iter().take(6) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A label as a part of a file's name.
fn plain(label: &str) -> String {
    label.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' }).collect()
}

fn with_label(path: &Path, label: &str) -> PathBuf {
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let end = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}.{label}{end}"))
}

/// A file of the same folder as an address: `./` keeps a name with a colon from being a scheme.
fn address(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut out = String::from("./");
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::Json;

    #[test]
    fn calls_with_equal_arguments_are_told_apart_by_their_numbers() {
        let call = |id, name: &str, args: &str| Call {
            id,
            name: name.into(),
            args: Json::new(args.into()).unwrap(),
            result: None,
            error: None,
            failure: None,
            ms: 0,
            together: None,
            decided: None,
        };
        let calls = [call(1, "a", "{}"), call(3, "a", "{}"), call(2, "b", "{}")];
        let labels: Vec<(u64, String)> = labels(calls.iter());
        assert_eq!(
            labels,
            [
                (1, "agent-a-44136fa355b3".to_owned()),
                (2, "agent-b-44136fa355b3".to_owned()),
                (3, "agent-a-44136fa355b3-2".to_owned())
            ]
        );
    }

    #[test]
    fn names_are_no_paths_and_addresses_no_schemes() {
        assert_eq!(plain("agent-../../x-1"), "agent-______x-1");
        assert_eq!(address(Path::new("a/javascript:alert(1) ü.html")), "./javascript%3Aalert%281%29%20%C3%BC.html");
        assert_eq!(with_label(Path::new("d/t.jsonl"), "act-a-1"), Path::new("d/t.act-a-1.jsonl"));
    }
}
