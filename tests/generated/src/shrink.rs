//! A session that differs, made small: parts are left out or put in place of what is around them, as long as it
//! still differs.

use crate::Session;
use crate::tree::{self, Tree};

/// The smallest session found that `differs` still holds for. Candidates are offered in lots, so that whoever answers
/// can be asked many questions at a time; `differs` gives the first of a lot that still does.
pub fn shrink(session: &Session, differs: &mut dyn FnMut(&[Session]) -> Option<usize>) -> Session {
    let mut best: Vec<Vec<Tree>> = session.iter().map(|p| tree::parse(p)).collect();
    let mut rounds = 0;
    'again: while rounds < 2000 {
        rounds += 1;
        let all = candidates(&best);
        for lot in all.chunks(64) {
            let texts: Vec<Session> = lot.iter().map(|c| write(c)).collect();
            if let Some(i) = differs(&texts) {
                best = lot[i].clone();
                continue 'again;
            }
        }
        break;
    }
    write(&best)
}

fn write(session: &[Vec<Tree>]) -> Session {
    session.iter().map(|p| p.iter().map(tree::text).collect::<Vec<_>>().join(" ")).collect()
}

/// Every session that is one step smaller, large steps first.
fn candidates(session: &[Vec<Tree>]) -> Vec<Vec<Vec<Tree>>> {
    let mut out = Vec::new();
    for i in 0..session.len() {
        if session.len() > 1 {
            out.push(without(session, i));
        }
    }
    for (i, program) in session.iter().enumerate() {
        for smaller in lists(program) {
            let mut s = session.to_vec();
            s[i] = smaller;
            if !s[i].is_empty() {
                out.push(s);
            }
        }
    }
    out.sort_by_key(|s: &Vec<Vec<Tree>>| s.iter().flatten().map(size).sum::<usize>());
    out
}

fn without<T: Clone>(items: &[T], i: usize) -> Vec<T> {
    items.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, t)| t.clone()).collect()
}

fn size(t: &Tree) -> usize {
    match t {
        Tree::Atom(a) => usize::from(!matches!(a.as_str(), "nil" | "0" | "1")) + 1,
        Tree::Marked(_, t) => 1 + size(t),
        Tree::Group(_, items) => 1 + items.iter().map(size).sum::<usize>(),
    }
}

/// Lists of forms one step smaller than `items`.
fn lists(items: &[Tree]) -> Vec<Vec<Tree>> {
    let mut out = Vec::new();
    for i in 0..items.len() {
        out.push(without(items, i));
        if i + 1 < items.len() {
            out.push(without(&without(items, i), i));
        }
    }
    for (i, t) in items.iter().enumerate() {
        for smaller in smaller(t) {
            let mut list = items.to_vec();
            list[i] = smaller;
            out.push(list);
        }
    }
    out
}

fn smaller(t: &Tree) -> Vec<Tree> {
    match t {
        Tree::Atom(a) => match a.as_str() {
            "nil" | "0" | "1" | "&" => Vec::new(),
            _ => vec![Tree::Atom("nil".into()), Tree::Atom("1".into())],
        },
        Tree::Marked(m, inner) => {
            let mut out = vec![(**inner).clone()];
            out.extend(smaller(inner).into_iter().map(|t| Tree::Marked(m, Box::new(t))));
            out
        }
        Tree::Group(open, items) => {
            let mut out = vec![Tree::Atom("nil".into()), Tree::Atom("1".into()), Tree::Group("[", Vec::new())];
            out.extend(items.iter().cloned());
            // What is inside brackets inside: the value of a binding, a body.
            out.extend(
                items
                    .iter()
                    .filter_map(|i| if let Tree::Group(_, inner) = i { Some(inner.clone()) } else { None })
                    .flatten(),
            );
            out.extend(lists(items).into_iter().map(|l| Tree::Group(open, l)));
            out
        }
    }
}
