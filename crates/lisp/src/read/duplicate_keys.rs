//! Duplicate keys: hashes of forms, made as the forms are finished, so that no literal is walked twice.

use crate::form::Kind;
use num_traits::ToPrimitive;
use std::hash::{BuildHasher, Hash, RandomState};

/// Hashes forms so that forms that are `=` in Clojure hash alike: `[1]` and `(1)`, `1` and `1N`, `'x` and `(quote x)`.
///
/// Equal hashes are taken for equal forms. They are 64 bits of a function whose key no program can see, so two
/// different keys of one literal do not meet in practice, and nobody can make them.
#[derive(Default)]
pub(super) struct Keys {
    state: RandomState,
    unique: u64,
}

/// What a hash is of, so that `()` and `#{}` and `nil` differ.
#[derive(Hash)]
enum Of {
    Nil,
    Bool,
    Int,
    Big,
    Ratio,
    Decimal,
    Float,
    Char,
    Str,
    Keyword,
    Symbol,
    Uuid,
    Time,
    Sequence,
    Map,
    Set,
    Unique,
}

impl Keys {
    fn of(&self, kind: Of, value: impl Hash) -> u64 {
        self.state.hash_one((kind, value))
    }

    /// The hash of a form without parts. Two equal regexes are two things, as in Clojure.
    pub(super) fn atom(&mut self, kind: &Kind) -> u64 {
        match kind {
            Kind::Nil => self.of(Of::Nil, ()),
            Kind::Bool(b) => self.of(Of::Bool, b),
            Kind::Int(n) => self.of(Of::Int, n),
            Kind::Big(n) => match n.to_i64() {
                Some(n) => self.of(Of::Int, n),
                None => self.of(Of::Big, n),
            },
            Kind::Ratio(n) => self.of(Of::Ratio, (n.numer(), n.denom())),
            Kind::Decimal(d) => {
                let d = d.stripped();
                self.of(Of::Decimal, (d.unscaled, d.scale))
            }
            // Adding 0.0 makes -0.0 positive: they are =.
            Kind::Float(n) => self.of(Of::Float, (n + 0.0).to_bits()),
            Kind::Char(c) => self.of(Of::Char, c),
            Kind::Str(s) => self.of(Of::Str, s),
            Kind::Keyword(name) => self.of(Of::Keyword, name),
            Kind::Symbol(name) => self.of(Of::Symbol, name),
            Kind::Uuid(id) => self.of(Of::Uuid, id),
            Kind::Time(t) => self.of(Of::Time, (t.tag(), t.literal())),
            _ => self.unique(),
        }
    }

    /// The hash of a list or vector, from those of its items.
    pub(super) fn sequence(&self, items: &[u64]) -> u64 {
        self.of(Of::Sequence, items)
    }

    /// The hash of a set: the order of its members does not matter.
    pub(super) fn set(&self, members: &[u64]) -> u64 {
        self.of(Of::Set, members.iter().fold(0u64, |sum, hash| sum.wrapping_add(*hash)))
    }

    /// The hash of a map, from those of its keys and values in turn.
    pub(super) fn map(&self, forms: &[u64]) -> u64 {
        let entries = forms.chunks(2).fold(0u64, |sum, entry| sum.wrapping_add(self.state.hash_one(entry)));
        self.of(Of::Map, entries)
    }

    /// The hash of `'x`, `@x`, `#'x`: that of the list which Clojure reads them as.
    pub(super) fn wrapped(&self, ns: Option<&str>, symbol: &str, form: u64) -> u64 {
        let name = crate::form::Name { ns: ns.map(Into::into), name: symbol.into() };
        self.sequence(&[self.of(Of::Symbol, &name), form])
    }

    /// The hash of something that is equal to nothing else.
    pub(super) fn unique(&mut self) -> u64 {
        self.unique = self.unique.wrapping_add(1);
        self.of(Of::Unique, self.unique)
    }
}

/// The first key, in the order of the source, that was there before, and where: positions among the keys.
pub(super) fn duplicate(keys: impl Iterator<Item = u64> + Clone) -> Option<(usize, usize)> {
    if keys.clone().nth(8).is_none() {
        let earlier = |index, key| keys.clone().take(index).position(|other| other == key);
        return keys.clone().enumerate().find_map(|(index, key)| Some((earlier(index, key)?, index)));
    }
    let mut sorted: Vec<(u64, usize)> = keys.enumerate().map(|(index, key)| (key, index)).collect();
    sorted.sort_unstable();
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    pairs.filter(|(a, b)| a.0 == b.0).map(|(a, b)| (a.1, b.1)).min_by_key(|pair| pair.1)
}
