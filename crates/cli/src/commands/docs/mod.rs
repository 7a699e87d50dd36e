//! `ptc docs`: the documentation that is in the binary.

mod text;

use crate::args::DocsArgs;
use crate::commands::doc;
use crate::embedded;
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io};
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;
use text::{Section, sections};

/// Most places that a search shows.
const MOST_FOUND: usize = 30;

/// Runs the command.
pub fn docs(a: &DocsArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut pages = embedded::pages();
    if pages.is_empty() {
        io.error("this ptc was built without its documentation, from a package that had no docs folder; build it from the whole repository");
        return Ok(FAILED);
    }
    pages.push(("functions".to_owned(), doc::markdown()));
    if let Some((_, text)) = pages.iter_mut().find(|p| p.0 == API) {
        *text = api(text);
    }
    pages.sort();
    match a.words.split_first() {
        None => list(&pages, io),
        Some((search, words)) if search == "search" => {
            // Signatures would stand before the words that explain them.
            pages.retain(|p| p.0 != API);
            find(&pages, words, io)
        }
        Some((page, [])) => show(&pages, page, io),
        Some((page, _)) => {
            let words = a.words.join(" ");
            io.error(&format!(
                "{} and more; name one page, or search with `ptc docs search {}`",
                escape::line(page),
                escape::line(&words)
            ));
            Ok(crate::exit_code::USAGE)
        }
    }
}

type Page = (String, String);

/// The page of the library's public interface.
const API: &str = "api";

/// The public interface as a page: a part for each name, whose declarations are code.
fn api(text: &str) -> String {
    let mut parts = text.split("\n## ");
    let mut out = format!("# The library `ptc` for programs in Rust\n\n{}\n", parts.next().unwrap_or_default().trim());
    for part in parts {
        let (name, code) = part.split_once('\n').unwrap_or((part, ""));
        out.push_str(&format!("\n## {name}\n\n```rust\n{}\n```\n", code.trim()));
    }
    out
}

fn list(pages: &[Page], io: &mut Io<'_>) -> Result<i32, CliError> {
    let width = pages.iter().map(|p| p.0.len()).max().unwrap_or(0);
    for (name, text) in pages {
        let title = text.lines().find_map(|l| l.strip_prefix("# ")).unwrap_or_default();
        writeln!(io.out, "{name:width$}  {}", title.replace('`', ""))?;
    }
    writeln!(io.out, "\nptc docs PAGE shows one, ptc docs PAGE#PART a part of it, ptc docs search WORDS finds parts.")?;
    Ok(DONE)
}

/// One page, or the part of it that a heading begins.
fn show(pages: &[Page], asked: &str, io: &mut Io<'_>) -> Result<i32, CliError> {
    let (name, part) = asked.split_once('#').unwrap_or((asked, ""));
    let name = name.strip_prefix("docs/").unwrap_or(name);
    let name = name.strip_suffix(".md").unwrap_or(name).to_lowercase();
    let names: Vec<&str> = pages.iter().map(|p| p.0.as_str()).collect();
    let Some((name, text)) = pages.iter().find(|p| p.0 == name) else {
        let hint = match did_you_mean(&name, names.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => "ptc docs lists all".to_owned(),
        };
        io.error(&format!("there is no page {}; {hint}", escape::line(asked)));
        return Ok(FAILED);
    };
    let all = sections(text);
    let shown = match part {
        "" => text.clone(),
        part => {
            let Some(at) = all.iter().position(|s| s.anchor == part) else {
                let anchors: Vec<&str> = all.iter().map(|s| s.anchor.as_str()).filter(|a| !a.is_empty()).collect();
                let hint = match did_you_mean(part, anchors.iter().copied()) {
                    Some(near) => format!("did you mean {name}#{near}?"),
                    None => format!("its parts are {}", anchors.join(", ")),
                };
                io.error(&format!("{name} has no part {}; {hint}", escape::line(part)));
                return Ok(FAILED);
            };
            let mut own = all.iter().skip(at);
            let level = own.next().map_or(0, |s| s.level);
            let inside = all.iter().skip(at).enumerate().take_while(|(i, s)| *i == 0 || s.level > level);
            inside.map(|(_, s)| s.text).collect()
        }
    };
    io.out.write_all(text::plain(&shown, name, &names).as_bytes())?;
    Ok(DONE)
}

/// The parts that have all words, those whose heading has them first.
fn find(pages: &[Page], words: &[String], io: &mut Io<'_>) -> Result<i32, CliError> {
    let words: Vec<String> = words.iter().flat_map(|w| w.split_whitespace()).map(str::to_lowercase).collect();
    let Some(first) = words.first() else {
        io.error("search for what? write words, as ptc docs search fuel limit");
        return Ok(crate::exit_code::USAGE);
    };
    let names: Vec<&str> = pages.iter().map(|p| p.0.as_str()).collect();
    let has = |text: &str| {
        let text = text.to_lowercase();
        words.iter().all(|w| text.contains(w))
    };
    let mut found: Vec<(bool, &str, Section<'_>)> = Vec::new();
    for (name, text) in pages {
        found.extend(sections(text).into_iter().filter(|s| has(s.text)).map(|s| (!has(&s.heading), name.as_str(), s)));
    }
    found.sort_by_key(|f| f.0);
    for (_, name, section) in found.iter().take(MOST_FOUND) {
        let place = if section.anchor.is_empty() { (*name).to_owned() } else { format!("{name}#{}", section.anchor) };
        writeln!(io.out, "ptc docs {place}")?;
        let plain = text::plain(section.text, name, &names);
        if let Some(line) = plain.lines().skip(1).find(|l| l.to_lowercase().contains(first)) {
            writeln!(io.out, "    {}", line.trim())?;
        }
    }
    match found.len() {
        0 => {
            io.error(&format!(
                "no part of the documentation has {}; try fewer words, or ptc doc NAME for a function",
                escape::line(&words.join(" "))
            ));
            return Ok(FAILED);
        }
        n if n > MOST_FOUND => io.info(&format!("{} more; add a word", n.saturating_sub(MOST_FOUND))),
        _ => {}
    }
    Ok(DONE)
}
