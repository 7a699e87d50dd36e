//! A pattern as a tree, and what Java knows of its parts: how long what they match can be, and whether they can match in
//! one way only. Both decide what is matched, so they are computed as Java computes them.

use super::syntax::{Problem, Res, wrong};
use super::token::{Assertion, Fold, Group, Kind, Token};

/// A part of a pattern. Trees are as deep as groups are nested, which is bounded.
pub enum Node {
    /// A character.
    Char(char),
    /// One of several, in the spelling of the linear engine.
    Class(Box<str>),
    /// Something that takes no characters.
    Assert(Assertion),
    /// `\R`
    LineBreak,
    /// What a group has matched.
    Back(u32, Fold),
    /// One after the other.
    Sequence(Vec<Node>),
    /// One of these, those before tried first.
    Either(Vec<Node>),
    /// A group with its number, or one that only groups.
    Group(Option<u32>, Box<Node>),
    /// A look around; one that looks back says from how many characters before to how many.
    Look(Option<(u32, u32)>, bool, Box<Node>),
    /// A group of which only the first way counts.
    Atomic(Box<Node>),
    /// A repetition.
    Repeat {
        /// What is repeated.
        body: Box<Node>,
        /// Whether the body can match in one way only.
        fixed: bool,
        /// Whether it is inside no other repetition and no look behind.
        outermost: bool,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: u32,
        /// What is tried first.
        kind: Kind,
    },
}

/// A tree, and what is known of it.
pub struct Tree {
    /// All of it.
    pub root: Node,
    /// The names of its groups, that of the whole match (none) first.
    pub names: Vec<Option<Box<str>>>,
    /// Whether it refers back to a group.
    pub refers_back: bool,
    /// Whether Java can give something else than the linear engine: in groups that are repeated and whose rounds can be
    /// empty, in groups inside a body that is not set back when a round is given up, and for `\R` in such a body.
    pub java_differs: bool,
}

/// How often something without a bound is repeated.
pub const ENDLESS: u32 = i32::MAX as u32;

/// What is known of the lengths of a part.
#[derive(Clone, Copy)]
struct Known {
    min: u32,
    max: u32,
    bounded: bool,
    fixed: bool,
}

impl Known {
    const NOTHING: Known = Known { min: 0, max: 0, bounded: true, fixed: true };

    fn of_length(min: u32, max: u32) -> Known {
        Known { min, max, bounded: true, fixed: true }
    }

    fn then(self, other: Known) -> Known {
        Known {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
            bounded: self.bounded && other.bounded,
            fixed: self.fixed && other.fixed,
        }
    }

    fn or(self, other: Known) -> Known {
        Known {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            bounded: self.bounded && other.bounded,
            fixed: false,
        }
    }

    fn repeated(self, min: u32, max: u32) -> Known {
        Known {
            min: self.min.saturating_mul(min),
            max: self.max.saturating_mul(max),
            // As in Java, of what is repeated without end only a single character has a greatest length.
            bounded: self.bounded && self.max.saturating_mul(max) <= ENDLESS,
            fixed: self.fixed && min == max,
        }
    }
}

/// A group that is being read.
struct Open {
    group: Option<Group>,
    number: Option<u32>,
    alternatives: Vec<(Node, Known)>,
    items: Vec<(Node, Known)>,
}

impl Open {
    fn new(group: Option<Group>, number: Option<u32>) -> Self {
        Open { group, number, alternatives: Vec::new(), items: Vec::new() }
    }

    fn end_alternative(&mut self) {
        let items = std::mem::take(&mut self.items);
        let known = items.iter().fold(Known::NOTHING, |all, (_, k)| all.then(*k));
        let mut nodes: Vec<Node> = items.into_iter().map(|(n, _)| n).collect();
        let node = if nodes.len() == 1 { nodes.pop() } else { None };
        self.alternatives.push((node.unwrap_or(Node::Sequence(nodes)), known));
    }

    fn close(mut self) -> (Option<Group>, Option<u32>, Node, Known) {
        self.end_alternative();
        let mut known = self.alternatives.first().map_or(Known::NOTHING, |a| a.1);
        for (_, other) in self.alternatives.iter().skip(1) {
            known = known.or(*other);
        }
        let mut nodes: Vec<Node> = self.alternatives.into_iter().map(|(n, _)| n).collect();
        let node = if nodes.len() == 1 { nodes.pop() } else { None };
        (self.group, self.number, node.unwrap_or(Node::Either(nodes)), known)
    }
}

/// The tree of a pattern.
pub fn tree(tokens: Vec<Token>) -> Res<Tree> {
    let mut open = vec![Open::new(None, None)];
    let mut names = vec![None];
    let (mut refers_back, mut java_differs) = (false, false);
    for token in tokens {
        let Some(inner) = open.last_mut() else { break };
        match token {
            Token::Char(c) => inner.items.push((Node::Char(c), Known::of_length(1, 1))),
            Token::Class(class) => inner.items.push((Node::Class(class), Known::of_length(1, 1))),
            Token::Assert(at) => inner.items.push((Node::Assert(at), Known::NOTHING)),
            Token::LineBreak => inner.items.push((Node::LineBreak, Known::of_length(1, 2))),
            Token::Back { group, fold } => {
                refers_back = true;
                let known = Known { bounded: false, ..Known::NOTHING };
                inner.items.push((Node::Back(group, fold), known));
            }
            Token::Alternate => inner.end_alternative(),
            Token::Open(group) => {
                let mut number = None;
                if let Group::Capture(name) = &group {
                    number = u32::try_from(names.len()).ok();
                    names.push(name.clone());
                }
                open.push(Open::new(Some(group), number));
            }
            Token::Close => {
                let Some(closed) = open.pop() else { break };
                let (group, number, node, known) = closed.close();
                let item = grouped(group, number, node, known)?;
                if let Some(outer) = open.last_mut() {
                    outer.items.push(item);
                }
            }
            Token::Repeat { min, max, kind } => {
                let Some((mut body, known)) = inner.items.pop() else {
                    return wrong("there is nothing that a quantifier could repeat");
                };
                let max = max.unwrap_or(ENDLESS);
                java_differs |= match &body {
                    Node::Group(..) if (min, max) == (0, 1) => false,
                    Node::Group(number, inner) => {
                        let inside = holds(inner, is_numbered);
                        inside && known.fixed
                            || (inside || number.is_some()) && known.min == 0
                            || known.fixed && holds(inner, is_line_break)
                    }
                    body => is_line_break(body),
                };
                let (known, fixed) = repeated(&body, known, min, max, kind);
                inside(&mut body);
                inner
                    .items
                    .push((Node::Repeat { body: Box::new(body), fixed, outermost: true, min, max, kind }, known));
            }
        }
    }
    let Some(all) = open.pop() else { return wrong("Unmatched closing ')'") };
    let (_, _, root, _) = all.close();
    Ok(Tree { root, names, refers_back, java_differs })
}

/// What is known of a repetition, and whether its body can match in one way only.
fn repeated(body: &Node, known: Known, min: u32, max: u32, kind: Kind) -> (Known, bool) {
    let whole = matches!(body, Node::Group(..)) && kind != Kind::Possessive;
    let single = matches!(body, Node::Char(_) | Node::Class(_));
    let of = if whole && (min, max) == (0, 1) {
        known.or(Known::NOTHING)
    } else if whole && !known.fixed {
        Known { bounded: false, fixed: false, ..known.repeated(min, max) }
    } else if (min, max) == (0, 1) {
        Known { min: 0, fixed: false, ..known }
    } else if single && kind == Kind::Greedy && max == ENDLESS {
        Known { min, max: ENDLESS, bounded: true, fixed: false }
    } else {
        known.repeated(min, max)
    };
    (of, known.fixed)
}

fn grouped(group: Option<Group>, number: Option<u32>, mut node: Node, known: Known) -> Res<(Node, Known)> {
    Ok(match group {
        Some(Group::Look { behind: false, negative }) => (Node::Look(None, negative, Box::new(node)), Known::NOTHING),
        Some(Group::Look { behind: true, negative }) => {
            if !known.bounded {
                return Err(Problem {
                    message: "Look-behind group does not have an obvious maximum length".to_string(),
                    hint: Some("say how often at most: (?<=(?:ab){0,20})"),
                });
            }
            inside(&mut node);
            (Node::Look(Some((known.min, known.max)), negative, Box::new(node)), Known::NOTHING)
        }
        Some(Group::Atomic) => (Node::Atomic(Box::new(node)), known),
        _ => (Node::Group(number, Box::new(node)), known),
    })
}

fn is_numbered(node: &Node) -> bool {
    matches!(node, Node::Group(Some(_), _))
}

fn is_line_break(node: &Node) -> bool {
    matches!(node, Node::LineBreak)
}

/// Whether the tree has such a node.
fn holds(node: &Node, such: fn(&Node) -> bool) -> bool {
    such(node)
        || match node {
            Node::Sequence(nodes) | Node::Either(nodes) => nodes.iter().any(|n| holds(n, such)),
            Node::Group(_, node) | Node::Look(_, _, node) | Node::Atomic(node) => holds(node, such),
            Node::Repeat { body, .. } => holds(body, such),
            Node::Char(_) | Node::Class(_) | Node::Assert(_) | Node::LineBreak | Node::Back(..) => false,
        }
}

/// Notes of all repetitions in `node` that they are not outermost.
fn inside(node: &mut Node) {
    match node {
        Node::Sequence(nodes) | Node::Either(nodes) => nodes.iter_mut().for_each(inside),
        Node::Group(_, node) | Node::Look(_, _, node) | Node::Atomic(node) => inside(node),
        // What is in its body is known to be inside.
        Node::Repeat { outermost, .. } => *outermost = false,
        Node::Char(_) | Node::Class(_) | Node::Assert(_) | Node::LineBreak | Node::Back(..) => {}
    }
}
