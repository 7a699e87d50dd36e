//! Programs and values as trees of brackets, without any meaning: for shrinking and for comparing.

/// A form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tree {
    /// A name, number, text or keyword.
    Atom(String),
    /// A bracket with what is inside: `(`, `[`, `{`, `#{`, `#(`.
    Group(&'static str, Vec<Tree>),
    /// A mark and the form it precedes: `@`, `'`, `#'`, `` ` ``, `~`, `~@`.
    Marked(&'static str, Box<Tree>),
}

const OPEN: &[(&str, char)] = &[("#{", '}'), ("#(", ')'), ("(", ')'), ("[", ']'), ("{", '}')];
const MARKS: &[&str] = &["#'", "@", "'", "`", "~@", "~"];

/// All forms of a text. What is not closed ends with the text.
pub fn parse(text: &str) -> Vec<Tree> {
    let mut rest = text;
    forms(&mut rest, None)
}

fn forms(rest: &mut &str, close: Option<char>) -> Vec<Tree> {
    let mut out = Vec::new();
    loop {
        *rest = rest.trim_start_matches([' ', '\n', '\r', ',']);
        let Some(c) = rest.chars().next() else { return out };
        if matches!(c, ')' | ']' | '}') {
            if close.is_some() {
                *rest = &rest[1..];
                return out;
            }
            *rest = &rest[1..];
            continue;
        }
        out.push(form(rest));
    }
}

fn form(rest: &mut &str) -> Tree {
    for mark in MARKS {
        if let Some(r) = rest.strip_prefix(mark) {
            *rest = r;
            return Tree::Marked(mark, Box::new(form(rest)));
        }
    }
    for (open, close) in OPEN {
        if let Some(r) = rest.strip_prefix(open) {
            *rest = r;
            return Tree::Group(open, forms(rest, Some(*close)));
        }
    }
    let end = match rest.strip_prefix("#\"") {
        Some(_) => 1 + text_end(&rest[1..]),
        None if rest.starts_with('"') => text_end(rest),
        None => atom_end(rest),
    };
    let (atom, r) = rest.split_at(end);
    *rest = r;
    Tree::Atom(atom.to_string())
}

fn text_end(s: &str) -> usize {
    let mut escaped = false;
    for (i, c) in s.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    s.len()
}

fn atom_end(s: &str) -> usize {
    let mut end = s.find(|c: char| c.is_whitespace() || "()[]{},\"".contains(c)).unwrap_or(s.len());
    // A character literal may be a bracket.
    if s.starts_with('\\') && end <= 1 {
        end = s.chars().take(2).map(char::len_utf8).sum();
    }
    end.max(s.chars().next().map_or(0, char::len_utf8))
}

/// The text of a form.
pub fn text(t: &Tree) -> String {
    match t {
        Tree::Atom(a) => a.clone(),
        Tree::Marked(m, t) => format!("{m}{}", text(t)),
        Tree::Group(open, items) => {
            let close = OPEN.iter().find(|(o, _)| o == open).map_or(')', |(_, c)| *c);
            format!("{open}{}{close}", items.iter().map(text).collect::<Vec<_>>().join(" "))
        }
    }
}

/// A value's text with the entries of maps and the items of sets in an order of their own.
pub fn canonical(value: &str) -> Vec<Tree> {
    parse(value).into_iter().map(ordered).collect()
}

fn ordered(t: Tree) -> Tree {
    match t {
        Tree::Group(open, items) => {
            let mut items: Vec<Tree> = items.into_iter().map(ordered).collect();
            match open {
                "{" => {
                    let mut pairs: Vec<Vec<Tree>> = items.chunks(2).map(<[Tree]>::to_vec).collect();
                    pairs.sort();
                    items = pairs.into_iter().flatten().collect();
                }
                "#{" => items.sort(),
                _ => {}
            }
            Tree::Group(open, items)
        }
        Tree::Atom(a) if a.contains('.') => Tree::Atom(shortest(a)),
        other => other,
    }
}

/// A double by its value: Java up to 18 writes some with a digit more than it takes.
fn shortest(atom: String) -> String {
    let number = atom.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    if number && let Ok(d) = atom.parse::<f64>() { format!("{d:e}") } else { atom }
}
