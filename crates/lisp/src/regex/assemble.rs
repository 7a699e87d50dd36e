//! The program of a pattern's tree. Each kind of repetition is done as Java does it, since they differ in what groups
//! hold afterwards: of a body that can match in one way only the first way counts, and its inner groups are not set
//! back when rounds are given up.

use super::char_set::char_set;
use super::syntax::Res;
use super::token::Kind;
use super::tree::{Node, Tree};
use crate::value::node::Bytes;
use crate::value::program::{CharSet, Look, Loop, One, Op, Program};

/// Whether the program is larger than it may be.
pub struct TooLarge;

/// The program; what it takes is at most `bytes`, in nearly all cases much less.
pub fn assemble(tree: Tree, bytes: usize) -> Res<Result<Program, TooLarge>> {
    let mut a = Assembler {
        program: Program {
            ops: Vec::new(),
            sets: Vec::new(),
            loops: Vec::new(),
            looks: Vec::new(),
            names: tree.names,
            locals: 0,
            memos: 0,
            held: Bytes::default(),
        },
        spelled: Vec::new(),
        set_bytes: 0,
        memos: !tree.refers_back,
        bytes,
    };
    a.node(&tree.root)?;
    a.put(Op::Accept);
    let too_large = a.is_too_large();
    a.program.ops.shrink_to_fit();
    Ok(if too_large { Err(TooLarge) } else { Ok(a.program.metered()) })
}

struct Assembler {
    program: Program,
    /// How the sets are spelled, so that each is there once.
    spelled: Vec<Box<str>>,
    set_bytes: usize,
    /// Whether loops may remember where they failed: not where what follows depends on groups.
    memos: bool,
    bytes: usize,
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl Assembler {
    fn is_too_large(&self) -> bool {
        let p = &self.program;
        let parts =
            p.ops.len() * size_of::<Op>() + p.loops.len() * size_of::<Loop>() + p.looks.len() * size_of::<Look>();
        parts + p.names.len() * size_of::<Option<Box<str>>>() + self.set_bytes > self.bytes
    }

    fn here(&self) -> u32 {
        number(self.program.ops.len())
    }

    fn put(&mut self, op: Op) -> u32 {
        let at = self.here();
        self.program.ops.push(op);
        at
    }

    fn set(&mut self, at: u32, op: Op) {
        if let Some(place) = self.program.ops.get_mut(at as usize) {
            *place = op;
        }
    }

    fn local(&mut self) -> u32 {
        let local = self.program.locals;
        self.program.locals = local.saturating_add(1);
        local
    }

    fn class(&mut self, spelled: &str) -> Res<One> {
        if let Some(at) = self.spelled.iter().position(|s| **s == *spelled) {
            return Ok(One::Set(number(at)));
        }
        let set = char_set(spelled)?;
        self.set_bytes += size_of::<CharSet>() + size_of_val(&*set.ranges);
        self.program.sets.push(set);
        self.spelled.push(spelled.into());
        Ok(One::Set(number(self.spelled.len()).saturating_sub(1)))
    }

    fn one(&mut self, node: &Node) -> Res<Option<One>> {
        Ok(match node {
            Node::Char(c) => Some(One::Char(*c)),
            Node::Class(class) => Some(self.class(class)?),
            _ => None,
        })
    }

    fn node(&mut self, node: &Node) -> Res {
        // A program that is too large already is not finished.
        if self.is_too_large() {
            return Ok(());
        }
        match node {
            Node::Char(c) => drop(self.put(Op::One(One::Char(*c)))),
            Node::Class(class) => {
                let one = self.class(class)?;
                self.put(Op::One(one));
            }
            Node::Assert(at) => drop(self.put(Op::Assert(*at))),
            Node::LineBreak => drop(self.put(Op::LineBreak)),
            Node::Back(group, fold) => drop(self.put(Op::Back { group: *group, fold: *fold })),
            Node::Sequence(nodes) => nodes.iter().try_for_each(|n| self.node(n))?,
            Node::Either(nodes) => self.either(nodes)?,
            Node::Group(None, body) => self.node(body)?,
            Node::Group(Some(group), body) => {
                let local = self.local();
                self.put(Op::Begin { local });
                self.node(body)?;
                self.put(Op::End { local, group: *group });
            }
            Node::Look(behind, negative, body) => {
                let look = number(self.program.looks.len());
                let at = self.put(Op::Look(look));
                self.program.looks.push(Look {
                    behind: *behind,
                    negative: *negative,
                    body: at.saturating_add(1),
                    next: 0,
                });
                self.node(body)?;
                self.put(Op::LookEnd(look));
                let next = self.here();
                if let Some(look) = self.program.looks.get_mut(look as usize) {
                    look.next = next;
                }
            }
            Node::Atomic(body) => {
                self.put(Op::Atomic);
                self.node(body)?;
                self.put(Op::AtomicEnd);
            }
            Node::Repeat { body, fixed, outermost, min, max, kind } => {
                self.repeat(body, (*fixed, *outermost), (*min, *max), *kind)?;
            }
        }
        Ok(())
    }

    fn either(&mut self, nodes: &[Node]) -> Res {
        let mut jumps = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            let last = i + 1 == nodes.len();
            let choice = if last { None } else { Some(self.put(Op::Choice(0))) };
            self.node(node)?;
            if let Some(choice) = choice {
                jumps.push(self.put(Op::Jump(0)));
                let here = self.here();
                self.set(choice, Op::Choice(here));
            }
        }
        let here = self.here();
        jumps.into_iter().for_each(|at| self.set(at, Op::Jump(here)));
        Ok(())
    }

    fn repeat(&mut self, body: &Node, (fixed, outermost): (bool, bool), (min, max): (u32, u32), kind: Kind) -> Res {
        if let Some(one) = self.one(body)? {
            self.put(Op::Run { one, min, max, kind });
            return Ok(());
        }
        match body {
            Node::Group(..) if kind != Kind::Possessive && (min, max) == (0, 1) => self.perhaps(body, kind),
            Node::Group(group, inner) if kind != Kind::Possessive && fixed => {
                self.curly(inner, (min, max), kind, *group)
            }
            Node::Group(group, inner) if kind != Kind::Possessive => {
                self.rounds(inner, (min, max), kind, *group, outermost)
            }
            _ => self.curly(body, (min, max), kind, None),
        }
    }

    fn perhaps(&mut self, body: &Node, kind: Kind) -> Res {
        let choice = self.put(Op::Choice(0));
        if kind == Kind::Greedy {
            self.node(body)?;
            let here = self.here();
            self.set(choice, Op::Choice(here));
            return Ok(());
        }
        let jump = self.put(Op::Jump(0));
        let begin = self.here();
        self.set(choice, Op::Choice(begin));
        self.node(body)?;
        let here = self.here();
        self.set(jump, Op::Jump(here));
        Ok(())
    }

    fn new_loop(&mut self, (min, max): (u32, u32), kind: Kind, group: Option<u32>) -> u32 {
        let (count, begin) = (self.local(), self.local());
        let new = Loop { min, max, kind, body: 0, more: 0, next: 0, count, begin, group, memo: None };
        self.program.loops.push(new);
        number(self.program.loops.len()).saturating_sub(1)
    }

    fn finish_loop(&mut self, at: u32, body: u32, more: u32, memo: Option<u32>) {
        let next = self.here();
        if let Some(l) = self.program.loops.get_mut(at as usize) {
            (l.body, l.more, l.next, l.memo) = (body, more, next, memo);
        }
    }

    /// A loop of whose body only the first way counts.
    fn curly(&mut self, body: &Node, times: (u32, u32), kind: Kind, group: Option<u32>) -> Res {
        let at = self.new_loop(times, kind, group);
        self.put(Op::Curly(at));
        let begin = self.here();
        self.node(body)?;
        self.put(Op::CurlyEnd(at));
        let more = if kind == Kind::Lazy { self.put(Op::CurlyMore(at)) } else { 0 };
        self.finish_loop(at, begin, more, None);
        Ok(())
    }

    /// A loop whose body can be matched in several ways.
    fn rounds(&mut self, body: &Node, times: (u32, u32), kind: Kind, group: Option<u32>, outermost: bool) -> Res {
        let at = self.new_loop(times, kind, group);
        let memo = if self.memos && outermost && kind == Kind::Greedy && times.1 == super::tree::ENDLESS {
            let memo = self.program.memos;
            self.program.memos = memo.saturating_add(1);
            Some(memo)
        } else {
            None
        };
        let local = self.program.loops.get(at as usize).map_or(0, |l| l.begin);
        self.put(Op::Loop(at));
        let begin = self.put(Op::Begin { local });
        self.node(body)?;
        if let Some(group) = group {
            self.put(Op::End { local, group });
        }
        self.put(Op::LoopEnd(at));
        let more = if kind == Kind::Lazy { self.put(Op::LoopMore(at)) } else { 0 };
        self.finish_loop(at, begin, more, memo);
        Ok(())
    }
}
