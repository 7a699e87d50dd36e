//! Cases in Markdown: a heading names a test, a clojure block is a fresh session, comments in it are expectations.

use ptc_hostile::Session;
use std::path::{Path, PathBuf};

/// What is expected of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// `;=> value`: its readable text.
    Value(String),
    /// `;!! words`: an error with these words.
    Error(String),
}

/// A program and what is expected of it.
#[derive(Debug, Clone)]
pub struct Step {
    /// The program, with what is before it in the block and has no expectation of its own.
    pub source: String,
    /// What it gives.
    pub expected: Option<Expected>,
    /// The line of the expectation in the file.
    pub line: usize,
}

/// A clojure block.
#[derive(Debug, Clone)]
pub struct Block {
    /// The heading it is under.
    pub heading: String,
    /// What follows `clojure` on the line of the fence.
    pub info: String,
    /// Its programs.
    pub steps: Vec<Step>,
}

/// The folder of this crate's cases.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Markdown files of a folder, in order of their names.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|d| d.filter_map(|e| e.ok().map(|e| e.path())).collect()).unwrap_or_default();
    all.retain(|p| p.extension().is_some_and(|e| e == "md"));
    all.sort();
    all
}

/// The clojure blocks of a text.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut heading = String::new();
    let mut open: Option<Block> = None;
    let mut source = String::new();
    for (i, line) in text.lines().enumerate() {
        match &mut open {
            None => {
                if let Some(h) = line.strip_prefix('#') {
                    heading = h.trim_start_matches('#').trim().to_string();
                } else if let Some(info) = line.strip_prefix("```clojure") {
                    open = Some(Block { heading: heading.clone(), info: info.trim().to_string(), steps: Vec::new() });
                    source.clear();
                }
            }
            Some(block) => {
                let trimmed = line.trim_start();
                let expected = if line.starts_with("```") {
                    if !source.trim().is_empty() {
                        block.steps.push(Step { source: std::mem::take(&mut source), expected: None, line: i + 1 });
                    }
                    out.extend(open.take());
                    continue;
                } else if let Some(v) = trimmed.strip_prefix(";=>") {
                    Expected::Value(v.trim().to_string())
                } else if let Some(w) = trimmed.strip_prefix(";!!") {
                    Expected::Error(w.trim().to_string())
                } else {
                    source.push_str(line);
                    source.push('\n');
                    continue;
                };
                block.steps.push(Step { source: std::mem::take(&mut source), expected: Some(expected), line: i + 1 });
            }
        }
    }
    out
}

/// Runs the blocks of a text, each as a fresh session: how many expectations there were, and what failed, with the
/// place.
pub fn failures(text: &str, name: &str) -> (usize, Vec<String>) {
    let (mut count, mut failed) = (0, Vec::new());
    for block in blocks(text) {
        let mut session = Session::default();
        for step in &block.steps {
            // What is before a form that fails must stay: it is a turn of its own.
            if let Some(Expected::Error(_)) = &step.expected
                && let Ok(forms) = ptc_lisp::read::read(&step.source, &session.limits)
                && let [_, .., last] = forms.as_slice()
            {
                session.run(&step.source[..last.span.start as usize]);
            }
            let got = session.text(&step.source);
            let place = format!("{name}:{} [{}]", step.line, block.heading);
            match (&step.expected, got) {
                (None, Ok(_)) => {}
                (None, Err(e)) => failed.push(format!("{place}\n    {}\n    set-up failed: {e}", step.source.trim())),
                (Some(expected), got) => {
                    count += 1;
                    let fine = match (expected, &got) {
                        (Expected::Value(v), Ok(g)) => v == g,
                        (Expected::Error(words), Err(e)) => e.to_lowercase().contains(&words.to_lowercase()),
                        _ => false,
                    };
                    if !fine {
                        failed.push(format!(
                            "{place}\n    {}\n    expected {expected:?}\n    got      {got:?}",
                            step.source.trim()
                        ));
                    }
                }
            }
        }
    }
    (count, failed)
}
