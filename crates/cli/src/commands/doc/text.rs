//! Pages as a terminal shows them: Markdown as it is, links as what can be typed.

use ptc_lisp::analyze::documentation::function;

/// A part of a page: a heading and what stands below it, up to the next heading.
pub struct Section<'t> {
    /// How many `#` its heading has; 0 of what stands before all headings.
    pub level: usize,
    /// The words of its heading.
    pub heading: String,
    /// Its heading as links name it.
    pub anchor: String,
    /// Its heading and what stands below it.
    pub text: &'t str,
}

/// The parts of a page, in order.
pub fn sections(page: &str) -> Vec<Section<'_>> {
    let mut starts: Vec<(usize, usize, &str)> = vec![(0, 0, "")];
    let (mut at, mut fenced) = (0_usize, false);
    for line in page.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let level = line.bytes().take_while(|b| *b == b'#').count();
        if !fenced && level > 0 && line.get(level..).is_some_and(|rest| rest.starts_with(' ')) {
            starts.push((at, level, line.get(level..).unwrap_or_default().trim()));
        }
        at = at.saturating_add(line.len());
    }
    let ends = starts.iter().skip(1).map(|s| s.0).chain([page.len()]);
    let parts = starts.iter().zip(ends).filter(|(s, end)| s.0 < *end);
    parts
        .map(|((start, level, heading), end)| Section {
            level: *level,
            heading: heading.replace('`', ""),
            anchor: anchor(heading),
            text: page.get(*start..end).unwrap_or_default(),
        })
        .collect()
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let plain = heading.to_lowercase().replace(' ', "-");
    plain.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

/// A page for a terminal; `name` is its own, `pages` are all that there are.
pub fn plain(page: &str, name: &str, pages: &[&str]) -> String {
    let mut out = String::with_capacity(page.len());
    let (mut prose, mut fenced) = (String::new(), false);
    for line in page.split_inclusive('\n') {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```");
        if fence || fenced {
            links(&std::mem::take(&mut prose), name, pages, &mut out);
            out.push_str(line);
            fenced ^= fence;
        } else if !(trimmed.starts_with("<!--") && trimmed.ends_with("-->")) {
            prose.push_str(line);
        }
    }
    links(&prose, name, pages, &mut out);
    out
}

/// Text outside fences, `[words](target)` as words and what can be typed.
fn links(text: &str, name: &str, pages: &[&str], out: &mut String) {
    let mut rest = text;
    let mut code = false;
    while let Some(at) = rest.find(['`', '[']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        rest = from;
        if let (false, Some((words, target, after))) = (code, link(rest)) {
            out.push_str(&typed(words, target, name, pages));
            rest = after;
        } else {
            let first = rest.chars().next();
            code ^= first == Some('`');
            out.extend(first);
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    out.push_str(rest);
}

/// The link with which a text begins: its words, its target, and what follows.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (target, rest) = rest.split_once(')')?;
    // Of the next link, or a line of a list.
    let own = !words.contains('[') && !words.contains("\n\n") && !target.contains(char::is_whitespace);
    own.then_some((words, target, rest))
}

/// How a page is named in the command that shows it: a function of the same name goes first.
pub fn page_word(name: &str) -> String {
    if function(name).is_some() { format!("{name}.md") } else { name.to_owned() }
}

fn typed(words: &str, target: &str, name: &str, pages: &[&str]) -> String {
    if target.contains("://") || target.starts_with("mailto:") {
        return if words == target { target.to_owned() } else { format!("{words} ({target})") };
    }
    let (file, part) = target.split_once('#').unwrap_or((target, ""));
    let path = file.trim_start_matches("../").trim_start_matches("./");
    let stem = path.strip_prefix("docs/").unwrap_or(path);
    let stem = stem.strip_suffix(".md").map(str::to_lowercase);
    let page = match stem {
        None if file.is_empty() => Some(name.to_owned()),
        stem => stem.filter(|s| pages.contains(&s.as_str())),
    };
    match page {
        Some(page) => {
            let place = if part.is_empty() { page_word(&page) } else { format!("{page}#{part}") };
            // A page that is named by its file is named by the command instead.
            if words.ends_with(".md") { format!("`ptc doc {place}`") } else { format!("{words} (`ptc doc {place}`)") }
        }
        None if words.contains(path) || path.contains(words) => format!("{words} (in the repository)"),
        None => format!("{words} ({path} in the repository)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_can_be_typed() {
        let pages = ["tasks", "tools", "security"];
        let shown = |text: &str| plain(text, "tasks", &pages);
        for (text, expected) in [
            ("see [tools.md](tools.md), \"Limits\"", "see `ptc doc tools`, \"Limits\""),
            ("[words\nof two lines](tools.md#a-b).", "words\nof two lines (`ptc doc tools#a-b`)."),
            ("[Acts](#acts)", "Acts (`ptc doc tasks#acts`)"),
            ("[SECURITY.md](../SECURITY.md)", "`ptc doc security`"),
            ("[`ptc compare`](docs/tools.md)", "`ptc compare` (`ptc doc tools`)"),
            ("[site](https://a.b/c)", "site (https://a.b/c)"),
            ("[logs](../examples/tasks/logs)", "logs (in the repository)"),
            ("[why](decisions.md)", "why (decisions.md in the repository)"),
            ("`[a](tools.md)` and [b] (c) [d", "`[a](tools.md)` and [b] (c) [d"),
            ("```\n[a](tools.md)\n```\n[a](tools.md)\n", "```\n[a](tools.md)\n```\na (`ptc doc tools`)\n"),
            ("<!-- options: task -->\n| a |\n", "| a |\n"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn parts_begin_with_headings_outside_code() {
        let page = "# A\none\n```\n# no\n```\n## B `c`, d\ntwo\n";
        let all = sections(page);
        let names: Vec<(usize, &str)> = all.iter().map(|s| (s.level, s.anchor.as_str())).collect();
        assert_eq!(names, [(1, "a"), (2, "b-c-d")]);
        assert_eq!(all.iter().map(|s| s.text).collect::<String>(), page);
        assert!(sections("").is_empty());
    }
}
