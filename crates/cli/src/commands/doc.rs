//! `ptc doc`: what a function does; all functions by group.

use crate::args::DocArgs;
use crate::builtin_names::{alias, find};
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io};
use ptc_agent::Task;
use ptc_lisp::analyze::{forms, unsupported_hint};
use ptc_lisp::arity::short;
use ptc_lisp::builtins;
use ptc_lisp::escape;
use ptc_lisp::interface::Definition;
use ptc_lisp::library;
use ptc_lisp::suggest::did_you_mean;
use ptc_lisp::value::Builtin;
use ptc_turns::Libraries;
use std::fmt::Write as _;

/// Runs the command.
pub fn doc(a: &DocArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let libraries = match &a.task {
        Some(task) => Task::load(task)?.libraries()?,
        None => Libraries::default(),
    };
    if let Some(task) = &a.task
        && a.name.is_none()
    {
        if libraries.definitions().is_empty() {
            io.info(&format!("{} has no libraries; add [libraries] NAME = \"FILE\"", task.display()));
        }
        for (i, d) in libraries.definitions().iter().enumerate() {
            let gap = if i == 0 { "" } else { "\n" };
            write!(io.out, "{gap}{}", of_library(d))?;
        }
        return Ok(DONE);
    }
    let Some(name) = &a.name else {
        let text = if a.markdown { markdown() } else { list() };
        io.out.write_all(text.as_bytes())?;
        return Ok(DONE);
    };
    if let Some(d) = libraries.definitions().iter().find(|d| d.name == *name) {
        io.out.write_all(of_library(d).as_bytes())?;
        return Ok(DONE);
    }
    if let Some(b) = find(name) {
        io.out.write_all(b.doc_text().as_bytes())?;
        return Ok(DONE);
    }
    if let Some(f) = forms::find(name) {
        io.out.write_all(f.doc_text().as_bytes())?;
        return Ok(DONE);
    }
    if let Some(instead) = unsupported_hint(name.strip_prefix("clojure.core/").unwrap_or(name)) {
        io.error(&format!("{name} is not part of PTC-Lisp; {instead}"));
        return Ok(FAILED);
    }
    let all = shown().map(|b| b.name()).chain(shown_forms().map(|f| f.name));
    let aliased: Vec<String> = shown().map(|b| alias(b.name())).collect();
    let of_libraries = libraries.definitions().iter().map(|d| d.name.as_str());
    let hint = match did_you_mean(name, all.chain(aliased.iter().map(String::as_str)).chain(of_libraries)) {
        Some(near) => format!("did you mean {near}?"),
        None => "ptc doc lists all".to_owned(),
    };
    io.error(&format!("there is no function {name}; {hint}"));
    Ok(FAILED)
}

/// What `(doc NAME)` prints of it; a docstring is from outside.
fn of_library(d: &Definition) -> String {
    library::doc_text(d).lines().map(|l| format!("{}\n", escape::line(l))).collect()
}

/// Every function that programs can write; those that only forms turn into end in `*`.
pub fn shown() -> impl Iterator<Item = &'static Builtin> {
    builtins::all().filter(|b| !b.name().ends_with('*') || matches!(b.name(), "*" | "list*"))
}

/// Every form that programs write.
pub fn shown_forms() -> impl Iterator<Item = &'static forms::FormRow> {
    forms::FORMS.iter().filter(|f| f.is_public())
}

/// A title, and which functions stand under it.
type Group = (&'static str, fn(&Builtin) -> bool);

/// The first group that fits counts.
const GROUPS: &[Group] = &[
    ("Strings: clojure.string, str/", |b| b.name().starts_with("clojure.string/")),
    ("Sets: clojure.set, set/", |b| b.name().starts_with("clojure.set/")),
    ("Walking data: clojure.walk, walk/", |b| b.name().starts_with("clojure.walk/")),
    ("Zippers: clojure.zip, zip/", |b| b.name().starts_with("clojure.zip/")),
    ("EDN: clojure.edn, edn/", |b| b.name().starts_with("clojure.edn/")),
    ("JSON: json/", |b| b.name().starts_with("json/")),
    ("Earlier turns: turn/", |b| b.name().starts_with("turn/")),
    ("Other libraries of Clojure", |b| b.name().starts_with("clojure.")),
    ("Methods", |b| b.name().starts_with('.')),
    ("By habit from Java", |b| b.name().len() > 1 && b.name().contains('/')),
    ("Core", |_| true),
];

/// The groups in the order in which they are shown: core first.
fn groups() -> Vec<(&'static str, Vec<&'static Builtin>)> {
    let mut all: Vec<(&str, Vec<&Builtin>)> = GROUPS.iter().map(|g| (g.0, Vec::new())).collect();
    for b in shown() {
        let place = GROUPS.iter().position(|g| g.1(b));
        if let Some((_, list)) = place.and_then(|i| all.get_mut(i)) {
            list.push(b);
        }
    }
    all.rotate_right(1);
    all.iter_mut().for_each(|g| g.1.sort_by_key(|b| b.name()));
    all.retain(|g| !g.1.is_empty());
    all
}

fn first_line(doc: &str) -> &str {
    doc.lines().next().unwrap_or_default()
}

fn list() -> String {
    let mut out = String::from("Forms\n");
    for f in shown_forms() {
        let _ = writeln!(out, "  {:<22} {}", f.name, first_line(f.doc));
    }
    for (title, list) in groups() {
        let _ = writeln!(out, "\n{title}");
        for b in list {
            let _ = writeln!(out, "  {:<22} {}", short(b.name()), first_line(b.doc()));
        }
    }
    out
}

pub fn markdown() -> String {
    let mut out = String::from(
        "# Functions\n\nGenerated from the tables of forms and functions by `ptc doc --markdown`; not to be edited by hand. Every example is a test.\n\n## Forms\n",
    );
    for f in shown_forms() {
        let _ = writeln!(out, "\n### `{}`\n\n`{}`\n\n{}", f.name, f.usage, f.doc);
        examples(&mut out, f.examples);
    }
    for (title, list) in groups() {
        let _ = writeln!(out, "\n## {title}");
        for b in list {
            let lists: Vec<String> = b
                .params()
                .split('|')
                .map(|p| format!("({} {})", short(b.name()), p.trim()).replace(" )", ")"))
                .collect();
            let _ = writeln!(out, "\n### `{}`\n\n`{}`\n\n{}", b.name(), lists.join("` `"), b.doc());
            examples(&mut out, &b.examples());
        }
    }
    out
}

/// Examples as a block of code.
fn examples(out: &mut String, examples: &[(&str, &str)]) {
    if examples.is_empty() {
        return;
    }
    out.push_str("\n```clojure\n");
    for (program, value) in examples {
        let _ = match value.strip_prefix('!') {
            Some(words) => writeln!(out, "{program}\n;!! {words}"),
            None => writeln!(out, "{program}\n;=> {value}"),
        };
    }
    out.push_str("```\n");
}
