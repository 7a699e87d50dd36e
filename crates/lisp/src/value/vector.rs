//! Vectors: a flat array while it has one owner or is small, a persistent tree once large versions share.

use super::node::{Bytes, DEEP, Item, Lineage, NodeHeader, drop_items};
use super::text::OVERHEAD;
use smallvec::SmallVec;
use std::sync::Arc;
use triomphe::Arc as Counted;

/// Up to this length a shared vector is copied whole when changed.
const COPY_MAX: usize = 64;
/// What a change to a shared tree copies: a path of nodes.
const PATH_BYTES: usize = 2200;

type Flat<V> = SmallVec<[V; 2]>;

enum Rep<V: Item> {
    Flat(Flat<V>, Bytes),
    Tree(Box<im::Vector<V>>, Arc<Lineage>),
}

/// What a vector is besides a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Plain,
    /// An entry of a map: a vector of two to all but `key` and `val` (trap 14).
    Entry,
}

struct Node<V: Item> {
    head: NodeHeader<V>,
    sort: Sort,
    rep: Rep<V>,
}

/// A persistent vector: O(1) to clone, changed in place while it has one owner.
pub struct Vector<V: Item>(Counted<Node<V>>);

impl<V: Item> Clone for Vector<V> {
    #[inline]
    fn clone(&self) -> Self {
        Vector(self.0.clone())
    }
}

fn flat_bytes<V: Item>(flat: &Flat<V>) -> usize {
    let heap = if flat.spilled() { flat.capacity() * size_of::<V>() } else { 0 };
    size_of::<Node<V>>() + OVERHEAD + heap
}

fn tree_bytes<V: Item>(len: usize) -> usize {
    size_of::<Node<V>>() + OVERHEAD + 64 + len * (size_of::<V>() + 4)
}

fn flat_rep<V: Item>(flat: Flat<V>) -> Rep<V> {
    let bytes = Bytes::new(flat_bytes(&flat));
    Rep::Flat(flat, bytes)
}

impl<V: Item> Vector<V> {
    /// The empty vector.
    pub fn new() -> Self {
        Self::from_flat(SmallVec::new(), NodeHeader::default(), Sort::Plain)
    }

    fn from_flat(flat: Flat<V>, head: NodeHeader<V>, sort: Sort) -> Self {
        Vector(Counted::new(Node { head, sort, rep: flat_rep(flat) }))
    }

    /// A vector of these items; the buffer is kept.
    pub fn from_vec(items: Vec<V>) -> Self {
        let head = NodeHeader::of(&items);
        // An inline array saves an allocation for pairs; a larger buffer is taken over.
        let flat = if items.len() <= 2 { items.into_iter().collect() } else { SmallVec::from_vec(items) };
        Self::from_flat(flat, head, Sort::Plain)
    }

    /// A vector of these items, of which `head` has taken note, or of more and deeper ones.
    pub fn with_head(items: Vec<V>, head: NodeHeader<V>) -> Self {
        if items.len() <= 2 {
            Self::from_vec(items)
        } else {
            Self::from_flat(SmallVec::from_vec(items), head, Sort::Plain)
        }
    }

    /// A vector of two.
    pub fn pair(a: V, b: V) -> Self {
        Self::pair_of(a, b, Sort::Plain)
    }

    /// An entry of a map.
    pub fn entry(key: V, val: V) -> Self {
        Self::pair_of(key, val, Sort::Entry)
    }

    fn pair_of(a: V, b: V, sort: Sort) -> Self {
        let mut head = NodeHeader::default();
        head.add(&a);
        head.add(&b);
        Self::from_flat(SmallVec::from_buf([a, b]), head, sort)
    }

    /// Whether this is an entry of a map.
    pub fn is_entry(&self) -> bool {
        self.0.sort == Sort::Entry
    }

    /// Whether it is a vector and nothing else.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.0.sort == Sort::Plain
    }

    /// How many items.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0.rep {
            Rep::Flat(f, _) => f.len(),
            Rep::Tree(t, _) => t.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at `i`.
    #[inline]
    pub fn get(&self, i: usize) -> Option<&V> {
        match &self.0.rep {
            Rep::Flat(f, _) => f.get(i),
            Rep::Tree(t, _) => t.get(i),
        }
    }

    /// All items as one slice, if they are stored so.
    #[inline]
    pub fn as_slice(&self) -> Option<&[V]> {
        match &self.0.rep {
            Rep::Flat(f, _) => Some(f),
            Rep::Tree(..) => None,
        }
    }

    /// The items in order.
    pub fn iter(&self) -> Iter<'_, V> {
        self.iter_from(0)
    }

    /// The items from index `from` on.
    pub fn iter_from(&self, from: usize) -> Iter<'_, V> {
        match &self.0.rep {
            Rep::Flat(f, _) => Iter::Flat(f.get(from..).unwrap_or_default().iter()),
            Rep::Tree(t, _) => {
                let end = t.len();
                Iter::Tree(t.focus().narrow(from.min(end)..end).into_iter())
            }
        }
    }

    /// Nesting, itself included.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.0.head.depth
    }

    /// Whether an unrealised sequence is inside.
    #[inline]
    pub fn lazy(&self) -> bool {
        self.0.head.lazy
    }

    /// The metadata.
    pub fn meta(&self) -> Option<&V> {
        self.0.head.meta()
    }

    /// The same items with this metadata.
    #[must_use]
    pub fn with_meta(mut self, meta: Option<V>) -> Self {
        self.owned().head.set_meta(meta);
        self
    }

    /// Its bytes on the meter, without those of its items and of what it shares: [`Vector::shared`].
    pub fn own_bytes(&self) -> usize {
        match &self.0.rep {
            Rep::Flat(_, b) => b.get(),
            Rep::Tree(..) => 0,
        }
    }

    /// The versions of a large one, which share nodes: where each is, and its bytes on the meter.
    pub fn shared(&self) -> impl Iterator<Item = (usize, usize)> {
        let lineage = match &self.0.rep {
            Rep::Flat(..) => None,
            Rep::Tree(_, lineage) => Some(lineage),
        };
        lineage.into_iter().flat_map(Lineage::links)
    }

    /// A number that identifies the allocation while it lives.
    pub fn address(&self) -> usize {
        Counted::as_ptr(&self.0).cast::<()>() as usize
    }

    /// Whether both are the same allocation.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Counted::ptr_eq(&self.0, &other.0)
    }

    /// Whether a change would be made in place.
    pub fn is_unique(&self) -> bool {
        Counted::is_unique(&self.0)
    }

    /// The node for changing: itself when nobody else holds it, else a copy that shares what is large.
    fn owned(&mut self) -> &mut Node<V> {
        Counted::make_mut(&mut self.0)
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: V) {
        let n = self.owned();
        n.head.add(&item);
        n.sort = Sort::Plain;
        match &mut n.rep {
            Rep::Flat(f, b) => {
                f.push(item);
                b.set(flat_bytes(f));
            }
            Rep::Tree(t, l) => {
                t.push_back(item);
                Lineage::grow(l, size_of::<V>() + 4, tree_bytes::<V>(t.len()), true);
            }
        }
    }

    /// Puts `item` at `i`; at the length it is added. `false`, and no change, past that.
    pub fn set(&mut self, i: usize, item: V) -> bool {
        let len = self.len();
        if i == len {
            self.push(item);
            return true;
        }
        if i > len {
            return false;
        }
        let n = self.owned();
        n.head.add(&item);
        n.sort = Sort::Plain;
        match &mut n.rep {
            Rep::Flat(f, _) => {
                if let Some(slot) = f.get_mut(i) {
                    *slot = item;
                }
            }
            Rep::Tree(t, _) => {
                t.set(i, item);
            }
        }
        self.refresh();
        true
    }

    /// Takes the last item away.
    pub fn pop(&mut self) -> Option<V> {
        if self.is_empty() {
            return None;
        }
        let n = self.owned();
        if n.sort == Sort::Entry {
            n.sort = Sort::Plain;
        }
        let last = match &mut n.rep {
            Rep::Flat(f, _) => f.pop(),
            Rep::Tree(t, l) => {
                let last = t.pop_back();
                Lineage::grow(l, 0, tree_bytes::<V>(t.len()), true);
                last
            }
        };
        self.refresh();
        last
    }

    /// Takes the item at `i` out for a change, leaving a default; put it back with [`Vector::set`].
    pub fn take(&mut self, i: usize) -> Option<V> {
        if i >= self.len() {
            return None;
        }
        match &mut self.owned().rep {
            Rep::Flat(f, _) => f.get_mut(i).map(std::mem::take),
            Rep::Tree(t, _) => t.get_mut(i).map(std::mem::take),
        }
    }

    /// Small vectors forget the depth of what has left them; large ones keep the deepest ever.
    fn refresh(&mut self) {
        if let Some(n) = Counted::get_mut(&mut self.0)
            && let Rep::Flat(f, _) = &n.rep
            && f.len() <= 8
        {
            n.head.renew(f.iter());
        }
    }

    /// The items as a `Vec`, moved out when nobody else holds them.
    pub fn into_vec(mut self) -> Vec<V> {
        if let Some(n) = Counted::get_mut(&mut self.0)
            && let Rep::Flat(f, b) = &mut n.rep
        {
            b.set(0);
            return std::mem::take(f).into_vec();
        }
        self.iter().cloned().collect()
    }

    /// The items from `from` up to `to` as a vector of their own.
    pub fn slice(&self, from: usize, to: usize) -> Self {
        Self::from_vec(self.iter_from(from).take(to.saturating_sub(from)).cloned().collect())
    }

    /// For [`Item::drain_nested`]: what it holds, if it is deep and uniquely held.
    pub fn drain_nested(&mut self, out: &mut Vec<V>) {
        if let Some(n) = Counted::get_mut(&mut self.0)
            && n.head.depth > DEEP
        {
            n.take(out);
        }
    }
}

impl<V: Item> Node<V> {
    fn take(&mut self, out: &mut Vec<V>) {
        match &mut self.rep {
            Rep::Flat(f, _) => out.extend(f.drain(..)),
            Rep::Tree(t, _) => out.extend(std::mem::take(&mut **t)),
        }
        out.extend(self.head.take_meta());
    }
}

/// The copy that is made before a change to a vector with several owners.
impl<V: Item> Clone for Node<V> {
    fn clone(&self) -> Self {
        let rep = match &self.rep {
            Rep::Flat(f, _) if f.len() <= COPY_MAX => flat_rep(f.clone()),
            Rep::Flat(f, _) => {
                let tree: im::Vector<V> = f.iter().cloned().collect();
                let lineage = Lineage::root(tree_bytes::<V>(tree.len()));
                Rep::Tree(Box::new(tree), lineage)
            }
            Rep::Tree(t, l) => {
                let mut l = l.clone();
                Lineage::grow(&mut l, PATH_BYTES, tree_bytes::<V>(t.len()), false);
                Rep::Tree(t.clone(), l)
            }
        };
        Node { head: self.head.clone(), sort: if self.sort == Sort::Entry { Sort::Plain } else { self.sort }, rep }
    }
}

impl<V: Item> Drop for Node<V> {
    fn drop(&mut self) {
        if self.head.depth > DEEP {
            let mut list = Vec::new();
            self.take(&mut list);
            drop_items(list);
        } else if let Rep::Flat(items, _) = &mut self.rep
            && items.len() > FEW
            && items.first().is_some_and(V::needs_no_drop)
        {
            // Most likely numbers: dropping each is a call that does nothing.
            items.drain(..).filter(V::needs_no_drop).for_each(std::mem::forget);
        }
    }
}

/// Items of a vector whose kind is not asked for when it is dropped.
const FEW: usize = 8;

impl<V: Item> Default for Vector<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Item> FromIterator<V> for Vector<V> {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        Self::from_vec(items.into_iter().collect())
    }
}

/// The items of a vector in order.
pub enum Iter<'a, V: Item> {
    /// Over an array.
    Flat(std::slice::Iter<'a, V>),
    /// Over a tree.
    Tree(<im::vector::Focus<'a, V, im::shared_ptr::DefaultSharedPtr> as IntoIterator>::IntoIter),
}

impl<'a, V: Item> Iterator for Iter<'a, V> {
    type Item = &'a V;
    #[inline]
    fn next(&mut self) -> Option<&'a V> {
        match self {
            Iter::Flat(i) => i.next(),
            Iter::Tree(i) => i.next(),
        }
    }
}
