//! A value's readable text taken apart into its forms, without reading it: whatever brackets and words stand in it.

use crate::terminal::io::DIM;
use ptc_lisp::read::{HighlightKind, highlight};

/// What is nested deeper stands on one line.
const DEEPEST: usize = 64;

/// How a value is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether it is coloured.
    pub color: bool,
    /// Most lines; what is left out is told in a last one.
    pub lines: usize,
    /// How all of it can be seen, said where something was left out.
    pub whole: &'static str,
}

/// A form of the text.
#[derive(Debug)]
pub struct Node {
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it is; of what has brackets, or was put together of pieces, nothing.
    pub kind: Option<HighlightKind>,
    /// Its opening bracket, with what stands before it.
    open: &'static str,
    /// What is inside the brackets.
    pub children: Vec<Node>,
}

impl Node {
    /// Whether it has nothing inside.
    pub fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    /// Whether it is a list or a vector.
    pub fn is_list(&self) -> bool {
        matches!(self.open, "(" | "[")
    }

    /// Keys and values of a map.
    pub fn pairs(&self) -> Option<impl Iterator<Item = (&Node, &Node)>> {
        let pairs = self.children.chunks_exact(2);
        (self.open == "{" && pairs.remainder().is_empty()).then(|| pairs.filter_map(|p| Some((p.first()?, p.get(1)?))))
    }
}

/// A line that is not part of the value.
pub fn remark(words: &str, color: bool) -> String {
    if color { format!("{DIM}{words}{DIM:#}") } else { words.to_owned() }
}

/// The one form that a text is.
pub fn parse(text: &str) -> Option<Node> {
    let mut stack: Vec<Node> = vec![Node { start: 0, end: 0, kind: None, open: "", children: Vec::new() }];
    // How many brackets are open below what is taken apart, and where the first of them is.
    let (mut deep, mut from) = (0_usize, 0);
    // Where a prefix stands that belongs to what follows.
    let mut prefix: Option<usize> = None;
    for piece in highlight(text) {
        let (start, end) = (piece.span.start as usize, piece.span.end as usize);
        match piece.kind {
            HighlightKind::Comment => return None,
            HighlightKind::Bracket => {
                let word = piece.text(text);
                let open = ["#{", "#(", "{", "(", "["].into_iter().find(|o| word.ends_with(o));
                match open {
                    Some(_) if deep > 0 || stack.len() > DEEPEST => {
                        if deep == 0 {
                            from = prefix.take().unwrap_or(start);
                        }
                        deep = deep.saturating_add(1);
                    }
                    Some(open) => {
                        let start = prefix.take().unwrap_or(start);
                        stack.push(Node { start, end, kind: None, open, children: Vec::new() });
                    }
                    None if deep > 0 => {
                        deep = deep.saturating_sub(1);
                        if deep == 0 {
                            let node = Node { start: from, end, kind: None, open: "", children: Vec::new() };
                            stack.last_mut()?.children.push(node);
                        }
                    }
                    None => {
                        let mut node = stack.pop()?;
                        node.end = end;
                        stack.last_mut()?.children.push(node);
                    }
                }
            }
            _ if deep > 0 => {}
            HighlightKind::Prefix => {
                prefix.get_or_insert(start);
            }
            kind => {
                let siblings = &mut stack.last_mut()?.children;
                match siblings.last_mut() {
                    // `#<function>` is several pieces and one word.
                    Some(last) if last.end == start && last.is_leaf() && last.open.is_empty() => {
                        (last.end, last.kind) = (end, None);
                    }
                    _ => {
                        let (from, kind) = prefix.take().map_or((start, Some(kind)), |from| (from, None));
                        siblings.push(Node { start: from, end, kind, open: "", children: Vec::new() });
                    }
                }
            }
        }
    }
    let mut top = stack.pop().filter(|_| stack.is_empty())?.children;
    (deep == 0 && top.len() == 1).then(|| top.pop()).flatten()
}
