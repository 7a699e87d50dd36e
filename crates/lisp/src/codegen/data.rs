//! Literals of vectors, sets and maps, of any length.

use super::{Emitted, Emitter};
use crate::analyze::ir::PIECE;
use crate::analyze::ir::{Expr, Node};
use crate::bytecode::{Op, Reg};
use crate::value::{Value, map};

impl Emitter<'_> {
    /// A collection of any number of values, a piece at a time.
    pub(super) fn pieces(
        &mut self,
        items: &[&Expr],
        chunk: usize,
        d: Reg,
        first: fn(Reg, Reg, u16) -> Op,
        more: fn(Reg, Reg, u16) -> Op,
    ) -> Emitted {
        if items.len() <= chunk {
            let a = self.side_by_side(items)?;
            self.op(first(d, a, items.len() as u16));
            return Ok(());
        }
        // Later items may read what `d` holds now, so it is written last.
        let out = self.alloc()?;
        for (i, piece) in items.chunks(chunk).enumerate() {
            let free = self.free;
            // Across pieces nothing is moved early: each item is computed in its turn.
            let a = self.side_by_side(piece)?;
            self.op(if i == 0 { first(out, a, piece.len() as u16) } else { more(out, a, piece.len() as u16) });
            self.free = free;
        }
        self.op(Op::Take { d, s: out });
        Ok(())
    }

    pub(super) fn set(&mut self, items: &[Expr], d: Reg) -> Emitted {
        let out = self.alloc()?;
        let k = self.constant(Value::Set(crate::value::Set::new()));
        self.op(Op::Const { d: out, k });
        for piece in items.chunks(PIECE) {
            let free = self.free;
            let refs: Vec<&Expr> = piece.iter().collect();
            let a = self.side_by_side(&refs)?;
            self.op(Op::Include { d: out, a, n: piece.len() as u16 });
            self.free = free;
        }
        self.op(Op::Take { d, s: out });
        Ok(())
    }

    pub(super) fn map(&mut self, entries: &[(Expr, Expr)], d: Reg) -> Emitted {
        let keys: Option<Vec<Value>> =
            entries.iter().map(|(k, _)| if let Node::Const(v) = &k.node { Some(v.clone()) } else { None }).collect();
        if let Some(keys) = keys
            && keys.len() <= map::SMALL_MAX
        {
            let vals: Vec<&Expr> = entries.iter().map(|(_, v)| v).collect();
            let a = self.side_by_side(&vals)?;
            self.p.shapes.push(map::Keys::new(keys));
            let shape = self.p.shapes.len() as u32 - 1;
            self.op(Op::Record { d, a, shape });
            return Ok(());
        }
        let flat: Vec<&Expr> = entries.iter().flat_map(|(k, v)| [k, v]).collect();
        self.pieces(&flat, PIECE, d, |d, a, n| Op::Map { d, a, n: n / 2 }, |d, a, n| Op::Assoc { d, a, n: n / 2 })
    }
}
