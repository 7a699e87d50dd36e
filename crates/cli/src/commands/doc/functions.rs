//! Functions and forms of the language: what each does, and all of them by group.

use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use ptc_lisp::analyze::{documentation, forms, unsupported_hint};
use ptc_lisp::arity::short;
use ptc_lisp::builtins;
use ptc_lisp::escape;
use ptc_lisp::interface::Definition;
use ptc_lisp::library;
use ptc_lisp::value::Builtin;
use ptc_turns::Libraries;
use std::fmt::Write as _;
use std::path::Path;

/// Lists what the libraries of a task define.
pub fn of_task(task: &Path, libraries: &Libraries, io: &mut Io<'_>) -> Result<i32, CliError> {
    if libraries.definitions().is_empty() {
        io.info(&format!("{} has no libraries; add [libraries] NAME = \"FILE\"", task.display()));
    }
    for (i, d) in libraries.definitions().iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n" };
        write!(io.out, "{gap}{}", of_library(d))?;
    }
    Ok(DONE)
}

/// The text of a function or form.
pub fn text_of(name: &str, libraries: &Libraries) -> Option<String> {
    let defined = libraries.definitions().iter().find(|d| d.name == name).map(of_library);
    defined.or_else(|| documentation::text(name))
}

/// Why a name of Clojure is not part of the language, and what to write instead.
pub fn not_part_of_the_language(name: &str) -> Option<String> {
    let instead = unsupported_hint(name.strip_prefix("clojure.core/").unwrap_or(name))?;
    Some(format!("{name} is not part of PTC-Lisp; {instead}"))
}

/// What `(doc NAME)` prints of it; a docstring is from outside.
fn of_library(d: &Definition) -> String {
    library::doc_text(d).lines().map(|l| format!("{}\n", escape::line(l))).collect()
}

/// Every function that programs can write; those that only forms turn into end in `*`.
pub fn shown() -> impl Iterator<Item = &'static Builtin> {
    builtins::all().filter(|b| b.is_public())
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

/// All forms and functions, a line each.
pub fn list() -> String {
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
