//! Rows of builtins as they are written, and what the compiler makes of all of them: one text, and a table by name.

use crate::host::{Body, Host, Native, Result};
use crate::value::{Builtin, Value};

/// A builtin as it is declared. Rows are there while the crate is compiled, and are no part of a program.
pub struct BuiltinRow {
    /// Full name: `map`, `clojure.string/join`.
    pub name: &'static str,
    params: &'static str,
    doc: &'static str,
    examples: &'static [(&'static str, &'static str)],
    body: &'static Body,
}

impl Builtin {
    /// A row: full name, parameter lists as Clojure prints them (`f coll | f c1 c2 & colls`), what it does in a sentence or
    /// two, programs and the readable texts of their values (`!words` for an error with those words), and the body.
    #[allow(clippy::new_ret_no_self, reason = "what is written is a row; the table makes builtins of rows")]
    pub const fn new(
        name: &'static str,
        params: &'static str,
        doc: &'static str,
        examples: &'static [(&'static str, &'static str)],
        body: &'static Body,
    ) -> BuiltinRow {
        BuiltinRow { name, params, doc, examples, body }
    }
}

impl BuiltinRow {
    /// Bytes of its texts with a NUL after each.
    const fn bytes(&self) -> usize {
        let mut bytes = self.name.len() + self.params.len() + self.doc.len() + 3;
        let mut rest = self.examples;
        while let [(program, value), more @ ..] = rest {
            bytes += program.len() + value.len() + 2;
            rest = more;
        }
        bytes
    }
}

/// How many rows there are, and the bytes of all their texts.
pub(super) const fn size(mut tables: &[&[BuiltinRow]]) -> (usize, usize) {
    let (mut count, mut bytes) = (0, 0);
    while let [rows, more @ ..] = tables {
        let mut rest = *rows;
        while let [row, more @ ..] = rest {
            count += 1;
            bytes += row.bytes();
            rest = more;
        }
        tables = more;
    }
    (count, bytes)
}

/// Bytes that are being filled.
struct Filling<const BYTES: usize> {
    bytes: [u8; BYTES],
    end: usize,
}

impl<const BYTES: usize> Filling<BYTES> {
    const fn put(&mut self, text: &str) {
        let (_, free) = self.bytes.split_at_mut(self.end);
        let (place, _) = free.split_at_mut(text.len());
        place.copy_from_slice(text.as_bytes());
        self.end += text.len() + 1;
    }
}

/// The texts of all rows, a NUL after each.
pub(super) const fn texts<const BYTES: usize>(mut tables: &[&[BuiltinRow]]) -> [u8; BYTES] {
    let mut texts = Filling { bytes: [0; BYTES], end: 0 };
    while let [rows, more @ ..] = tables {
        let mut rest = *rows;
        while let [row, more @ ..] = rest {
            texts.put(row.name);
            texts.put(row.params);
            texts.put(row.doc);
            let mut examples = row.examples;
            while let [(program, value), more @ ..] = examples {
                texts.put(program);
                texts.put(value);
                examples = more;
            }
            rest = more;
        }
        tables = more;
    }
    texts.bytes
}

/// The builtins of all rows, whose texts are `texts`, and their bodies.
pub(super) const fn table<const COUNT: usize>(
    mut tables: &[&[BuiltinRow]],
    mut texts: &'static str,
) -> ([Builtin; COUNT], [Native; COUNT]) {
    const fn none(_: &mut dyn Host, _: &mut [Value]) -> Result {
        Ok(Value::Nil)
    }
    let mut builtins = [const { Builtin::at(0, "", 0, "") }; COUNT];
    let mut bodies = [none as Native; COUNT];
    let mut place = 0;
    while let [rows, more @ ..] = tables {
        let mut rest = *rows;
        while let [row, more @ ..] = rest {
            let (own, others) = texts.split_at(row.bytes());
            // Without the last NUL: it ends a text and begins none.
            let (own, _) = own.split_at(own.len() - 1);
            assert!(row.name.len() <= u8::MAX as usize && place < u16::MAX as usize);
            builtins[place] = Builtin::at(place as u16, own, row.name.len() as u8, row.params);
            bodies[place] = row.body.0;
            (texts, rest) = (others, more);
            place += 1;
        }
        tables = more;
    }
    (builtins, bodies)
}

/// A number for a name, to look for it from there on.
const fn hash(name: &str) -> u64 {
    const fn mixed(h: u64) -> u64 {
        let h = h.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^ (h >> 32)
    }
    let mut h = name.len() as u64;
    let mut rest = name.as_bytes();
    while let Some((eight, more)) = rest.split_first_chunk() {
        h = mixed(h ^ u64::from_le_bytes(*eight));
        rest = more;
    }
    let mut last = 0;
    while let [byte, more @ ..] = rest {
        last = last << 8 | *byte as u64;
        rest = more;
    }
    mixed(h ^ last)
}

/// Places of builtins by their names: at the hash of a name or after it. It never changes, so nobody can flood it, and
/// three quarters of it are free.
pub(super) struct Index<const SLOTS: usize>([u16; SLOTS]);

impl<const SLOTS: usize> Index<SLOTS> {
    const FREE: u16 = u16::MAX;

    pub(super) const fn new(builtins: &[Builtin]) -> Self {
        assert!(SLOTS.is_power_of_two() && SLOTS > builtins.len());
        let mut slots = [Self::FREE; SLOTS];
        let mut rest = builtins;
        while let [builtin, more @ ..] = rest {
            let mut at = hash(builtin.name()) as usize % SLOTS;
            while slots[at] != Self::FREE {
                at = (at + 1) % SLOTS;
            }
            slots[at] = builtin.place();
            rest = more;
        }
        Index(slots)
    }

    /// The builtin of this name.
    #[inline]
    pub(super) fn find<'a>(&self, builtins: &'a [Builtin], name: &str) -> Option<&'a Builtin> {
        let mut at = hash(name) as usize % SLOTS;
        // A free place, which there is, has no builtin: the search ends there.
        loop {
            let builtin = builtins.get(usize::from(*self.0.get(at)?))?;
            if builtin.name() == name {
                return Some(builtin);
            }
            at = (at + 1) % SLOTS;
        }
    }
}
