//! The pages of the documentation that are in the binary: listed, shown, searched.

use super::functions;
use super::text::{self, Section, page_word, sections};
use crate::embedded;
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io};
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;

/// Most places that a search shows.
const MOST_FOUND: usize = 30;

/// A page: its name, and its Markdown.
type Page = (String, String);

/// All pages, in the order of their names.
pub struct Pages(Vec<Page>);

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

impl Pages {
    /// The pages of this binary.
    pub fn load() -> Self {
        let mut pages = embedded::pages();
        if !pages.is_empty() {
            pages.push(("functions".to_owned(), functions::markdown()));
        }
        if let Some((_, text)) = pages.iter_mut().find(|p| p.0 == API) {
            *text = api(text);
        }
        pages.sort();
        Pages(pages)
    }

    /// The names of all pages.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|p| p.0.as_str())
    }

    /// The page that `PAGE`, `PAGE.md`, `docs/PAGE.md` or one of these with `#PART` names.
    pub fn name_of(&self, asked: &str) -> Option<&str> {
        let name = asked.split_once('#').map_or(asked, |(name, _)| name);
        let name = name.strip_prefix("docs/").unwrap_or(name);
        let name = name.strip_suffix(".md").unwrap_or(name).to_lowercase();
        self.names().find(|n| *n == name)
    }

    /// Lists the pages with their titles.
    pub fn list(&self, io: &mut Io<'_>) -> Result<i32, CliError> {
        if self.0.is_empty() {
            io.error("this ptc was built without its documentation, from a package that had no docs folder; build it from the whole repository");
            return Ok(FAILED);
        }
        let width = self.names().map(str::len).max().unwrap_or(0);
        for (name, text) in &self.0 {
            let title = text.lines().find_map(|l| l.strip_prefix("# ")).unwrap_or_default();
            writeln!(io.out, "{name:width$}  {}", title.replace('`', ""))?;
        }
        let how = "ptc doc PAGE shows one, ptc doc PAGE#PART a part of it, ptc doc WORDS finds parts; ptc doc functions lists all functions.";
        writeln!(io.out, "\n{how}")?;
        Ok(DONE)
    }

    /// One page, or the part of it that a heading begins.
    pub fn show(&self, asked: &str, io: &mut Io<'_>) -> Result<i32, CliError> {
        let part = asked.split_once('#').map_or("", |(_, part)| part);
        let found = self.name_of(asked).and_then(|name| self.0.iter().find(|p| p.0 == name));
        let Some((name, text)) = found else {
            let hint = match did_you_mean(asked, self.names()) {
                Some(near) => format!("did you mean {near}?"),
                None => "ptc doc lists all".to_owned(),
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
        let names: Vec<&str> = self.names().collect();
        io.out.write_all(text::plain(&shown, name, &names).as_bytes())?;
        Ok(DONE)
    }

    /// The parts that have all words, those whose heading has them first.
    pub fn find(&self, words: &[String], io: &mut Io<'_>) -> Result<i32, CliError> {
        let words: Vec<String> = words.iter().flat_map(|w| w.split_whitespace()).map(str::to_lowercase).collect();
        let Some(first) = words.first() else {
            io.error("search for what? write words, as ptc doc fuel limit");
            return Ok(crate::exit_code::USAGE);
        };
        let names: Vec<&str> = self.names().collect();
        let has = |text: &str| {
            let text = text.to_lowercase();
            words.iter().all(|w| text.contains(w))
        };
        let mut found: Vec<(bool, &str, Section<'_>)> = Vec::new();
        // Signatures would come before the text that explains them.
        for (name, text) in self.0.iter().filter(|p| p.0 != API) {
            found.extend(
                sections(text).into_iter().filter(|s| has(s.text)).map(|s| (!has(&s.heading), name.as_str(), s)),
            );
        }
        found.sort_by_key(|f| f.0);
        for (_, name, section) in found.iter().take(MOST_FOUND) {
            let place = if section.anchor.is_empty() { page_word(name) } else { format!("{name}#{}", section.anchor) };
            writeln!(io.out, "ptc doc {place}")?;
            let plain = text::plain(section.text, name, &names);
            if let Some(line) = plain.lines().skip(1).find(|l| l.to_lowercase().contains(first)) {
                writeln!(io.out, "    {}", line.trim())?;
            }
        }
        match found.len() {
            0 => {
                io.error(&format!(
                "no part of the documentation has {}; try fewer words; ptc doc lists the pages, ptc doc functions the functions",
                escape::line(&words.join(" "))
            ));
                return Ok(FAILED);
            }
            n if n > MOST_FOUND => io.info(&format!("{} more; add a word", n.saturating_sub(MOST_FOUND))),
            _ => {}
        }
        Ok(DONE)
    }
}
