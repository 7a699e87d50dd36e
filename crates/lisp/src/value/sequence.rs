//! Sequences that are not vectors: slices of vectors, cells in front of them, and sequences still to be realised.

use super::node::{Bytes, DEEP, Item, NodeHeader, drop_items};
use super::text::OVERHEAD;
use super::turn_id;
use super::vector::Vector;
use std::any::Any;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a sequence over an array is to `list?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeqKind {
    /// A list: `'(1 2)`, `(list 1 2)`.
    List,
    /// Any other sequence: what `map`, `rest`, `seq` give.
    Seq,
    /// One with metadata of its own, which the vector under it has for it.
    Noted,
    /// What `rseq` gives of a vector: it knows the index that its first item has there.
    Reversed,
    /// A `PersistentQueue`: grows at its end, `peek` and `pop` take from its front; what is left by `rest` is a
    /// sequence.
    Queue,
}

/// A sequence that is a vector from some index on. 16 bytes with the tag of a value, so `rest` allocates nothing.
#[derive(Clone)]
pub struct Slice<V: Item> {
    base: Vector<V>,
    from: u32,
    /// Whether it is a list.
    pub kind: SeqKind,
}

impl<V: Item> Slice<V> {
    /// The items of `base` from index `from`.
    pub fn new(base: Vector<V>, from: usize, kind: SeqKind) -> Self {
        let from = u32::try_from(from.min(base.len())).unwrap_or(u32::MAX);
        Slice { base, from, kind }
    }

    /// A realised sequence of these items.
    pub fn seq(items: Vec<V>) -> Self {
        Self::new(Vector::from_vec(items), 0, SeqKind::Seq)
    }

    /// A realised sequence of this vector.
    pub fn all(items: Vector<V>) -> Self {
        Self::new(items, 0, SeqKind::Seq)
    }

    /// A list of these items.
    pub fn list(items: Vec<V>) -> Self {
        Self::new(Vector::from_vec(items), 0, SeqKind::List)
    }

    /// How many items.
    pub fn len(&self) -> usize {
        self.base.len().saturating_sub(self.from as usize)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at `i`.
    pub fn get(&self, i: usize) -> Option<&V> {
        self.base.get(i.checked_add(self.from as usize)?)
    }

    /// The first item.
    pub fn first(&self) -> Option<&V> {
        self.get(0)
    }

    /// All but the first item.
    #[must_use]
    pub fn rest(self) -> Self {
        let mut rest = self.unqueued();
        rest.advance();
        rest
    }

    /// Moves to the next item, in place.
    #[inline]
    pub fn advance(&mut self) {
        if (self.from as usize) < self.base.len() {
            self.from += 1;
        }
    }

    /// All but the first `n` items.
    #[must_use]
    pub fn skip(self, n: usize) -> Self {
        let mut rest = self.unqueued();
        let from = (rest.from as usize).saturating_add(n).min(rest.base.len());
        rest.from = u32::try_from(from).unwrap_or(u32::MAX);
        rest
    }

    /// The same items; those of a queue as a sequence, which grows at its front.
    #[must_use]
    pub fn unqueued(mut self) -> Self {
        if self.kind == SeqKind::Queue {
            self.kind = SeqKind::Seq;
        }
        self
    }

    /// The vector it is part of, moved out.
    pub fn into_base(self) -> Vector<V> {
        self.base
    }

    /// The empty queue.
    pub fn empty_queue() -> Self {
        Self::new(Vector::new(), 0, SeqKind::Queue)
    }

    /// Whether nobody else holds the items, so that they can be moved out.
    pub fn is_unique(&mut self) -> bool {
        self.base.is_unique()
    }

    /// The items.
    pub fn iter(&self) -> super::vector::Iter<'_, V> {
        self.base.iter_from(self.from as usize)
    }

    /// All items as one slice, if they are stored so.
    pub fn as_slice(&self) -> Option<&[V]> {
        self.base.as_slice().and_then(|s| s.get(self.from as usize..))
    }

    /// The vector it is part of, and from where.
    pub fn base(&self) -> (&Vector<V>, usize) {
        (&self.base, self.from as usize)
    }

    /// The items as a `Vec`, moved out when nobody else holds them.
    pub fn into_vec(self) -> Vec<V> {
        let mut v = self.base.into_vec();
        if self.from > 0 {
            v.drain(..(self.from as usize).min(v.len()));
        }
        v
    }

    /// The items as a vector; shares them when it can.
    pub fn into_vector(self) -> Vector<V> {
        if self.from == 0 && self.base.is_plain() { self.base } else { Vector::from_vec(self.into_vec()) }
    }

    /// The same items with this metadata.
    #[must_use]
    pub fn with_meta(self, meta: Option<V>) -> Self {
        let kind = if matches!(self.kind, SeqKind::Seq | SeqKind::Reversed) { SeqKind::Noted } else { self.kind };
        Slice::new(self.into_vector().with_meta(meta), 0, kind)
    }

    /// For [`Item::drain_nested`].
    pub fn drain_nested(&mut self, out: &mut Vec<V>) {
        self.base.drain_nested(out);
    }
}

struct Cell<V: Item> {
    head: NodeHeader<V>,
    first: V,
    rest: V,
    /// How many items, when that is known without realising anything.
    len: Option<usize>,
    kind: SeqKind,
    _bytes: Bytes,
}

/// A cell: an item in front of a sequence.
pub struct Cons<V: Item>(Arc<Cell<V>>);

impl<V: Item> Clone for Cons<V> {
    fn clone(&self) -> Self {
        Cons(self.0.clone())
    }
}

impl<V: Item> Cons<V> {
    /// `first` in front of `rest`, a sequence (or nil) of `rest_len` items if that is known.
    pub fn new(first: V, rest: V, rest_len: Option<usize>, kind: SeqKind) -> Self {
        let mut head = NodeHeader::default();
        head.add(&first);
        // The rest continues at the same level: only items nest.
        head.depth = head.depth.max(rest.depth());
        head.lazy |= rest.lazy();
        let bytes = Bytes::new(size_of::<Cell<V>>() + OVERHEAD);
        let len = rest_len.and_then(|n| n.checked_add(1));
        Cons(Arc::new(Cell { head, first, rest, len, kind, _bytes: bytes }))
    }

    /// The first item.
    pub fn first(&self) -> &V {
        &self.0.first
    }

    /// What follows: any sequence, or nil.
    pub fn rest(&self) -> &V {
        &self.0.rest
    }

    /// How many items, if known.
    pub fn len(&self) -> Option<usize> {
        self.0.len
    }

    /// Never: a cell has an item.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether it is a list to `list?`.
    pub fn kind(&self) -> SeqKind {
        self.0.kind
    }

    /// Nesting, itself included.
    pub fn depth(&self) -> u32 {
        self.0.head.depth
    }

    /// Whether an unrealised sequence is inside.
    pub fn lazy(&self) -> bool {
        self.0.head.lazy
    }

    /// Its bytes on the meter, without those of its items.
    pub fn own_bytes(&self) -> usize {
        self.0._bytes.get()
    }

    /// A number that identifies the allocation while it lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }

    /// The metadata.
    pub fn meta(&self) -> Option<&V> {
        self.0.head.meta()
    }

    /// The same items with this metadata.
    #[must_use]
    pub fn with_meta(&self, meta: Option<V>) -> Self {
        let mut c = Cons::new(self.0.first.clone(), self.0.rest.clone(), self.0.len.map(|n| n - 1), self.0.kind);
        if let Some(cell) = Arc::get_mut(&mut c.0) {
            cell.head.set_meta(meta);
        }
        c
    }

    /// Whether both are the same allocation.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// For [`Item::drain_nested`]: chains of any length and depth come apart on the work list.
    pub fn drain_nested(&mut self, out: &mut Vec<V>) {
        if let Some(c) = Arc::get_mut(&mut self.0) {
            c.take(out);
        }
    }
}

impl<V: Item> Cell<V> {
    fn take(&mut self, out: &mut Vec<V>) {
        // A chain is freed cell by cell whatever its depth; a shallow first item drops by itself.
        out.push(std::mem::take(&mut self.rest));
        if self.head.depth > DEEP {
            out.push(std::mem::take(&mut self.first));
            out.extend(self.head.take_meta());
        }
        out.extend(self.head.take_meta());
    }
}

impl<V: Item> Drop for Cell<V> {
    fn drop(&mut self) {
        let mut list = Vec::new();
        self.take(&mut list);
        drop_items(list);
    }
}

/// What makes the rest of a sequence when it is asked for. Opaque here: the evaluator's own files know what is in it.
pub trait Source: Any + Send {
    /// For the evaluator to find its own type again.
    fn as_any(&mut self) -> &mut dyn Any;
    /// The same as an owned box.
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
    /// Nesting of the values it holds (SECURITY attack 8: filters on filters).
    fn depth(&self) -> u32;
    /// Bytes that it takes, without those of the values it holds.
    fn bytes(&self) -> usize;
    /// Whether it is known to go on for ever.
    fn endless(&self) -> bool {
        false
    }
    /// Whether it is known to come to an end.
    fn finite(&self) -> bool {
        false
    }
    /// Whether it is the body of a `lazy-seq`.
    fn body(&self) -> bool {
        false
    }
    /// Whether it is stages of a pipeline that wait for whoever takes what they make.
    fn staged(&self) -> bool {
        false
    }
    /// A copy, if making the items again runs no code of programs (`range`, `repeat`).
    fn fork(&self) -> Option<Box<dyn Source>> {
        None
    }
}

enum State<V: Item> {
    /// Not asked for yet; what is to make it is on the meter while it is here.
    Pending(Box<dyn Source>, Bytes),
    /// Being made right now. Whoever asks inside sees an empty sequence, as in Clojure, or, while a body of the program
    /// runs, which would run again for ever, gets an error.
    Running {
        /// Which of the two.
        empty: bool,
    },
    /// Made: nil, or a sequence.
    Done(V),
}

fn pending<V: Item>(source: Box<dyn Source>) -> State<V> {
    let bytes = Bytes::held(source.bytes());
    State::Pending(source, bytes)
}

struct LazyNode<V: Item> {
    state: Mutex<State<V>>,
    depth: u32,
    /// The turn it was made in, or first asked for in.
    born: AtomicU32,
    _bytes: Bytes,
}

/// A sequence that is made when it is first asked for, once.
pub struct Lazy<V: Item>(Arc<LazyNode<V>>);

impl<V: Item> Clone for Lazy<V> {
    fn clone(&self) -> Self {
        Lazy(self.0.clone())
    }
}

/// What [`Lazy::begin`] found.
pub enum Begin<V: Item> {
    /// It is made already.
    Done(V),
    /// It is to be made from this; say [`Lazy::finish`] or [`Lazy::put_back`] afterwards.
    Make(Box<dyn Source>),
    /// It is being made further up the call chain.
    Running {
        /// Whether it counts as empty there.
        empty: bool,
    },
}

impl<V: Item> Lazy<V> {
    /// A sequence that `source` will make.
    pub fn new(source: Box<dyn Source>) -> Self {
        let bytes = Bytes::new(size_of::<LazyNode<V>>() + OVERHEAD + 64);
        let depth = source.depth().saturating_add(1);
        Lazy(Arc::new(LazyNode {
            state: Mutex::new(pending(source)),
            depth,
            born: AtomicU32::new(turn_id::now()),
            _bytes: bytes,
        }))
    }

    /// Whether it is older than the running turn and has not been asked for in it: what it is made from must be kept,
    /// for the turn may fail.
    #[inline]
    pub fn is_older(&self) -> bool {
        turn_id::is_older(self.0.born.load(Ordering::Relaxed))
    }

    /// What it is made from has been kept for the running turn.
    pub fn kept(&self) {
        self.0.born.store(turn_id::now(), Ordering::Relaxed);
    }

    fn state<R>(&self, f: impl FnOnce(&mut State<V>) -> R) -> R {
        // No code of programs runs under the lock, so a poisoned state is still whole.
        f(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What it is, if it has been made.
    pub fn made(&self) -> Option<V> {
        self.state(|s| if let State::Done(v) = s { Some(v.clone()) } else { None })
    }

    /// Whether its source says that it continues for ever.
    pub fn endless(&self) -> bool {
        self.state(|s| if let State::Pending(p, _) = s { p.endless() } else { false })
    }

    /// Whether its source says that it comes to an end; `false` when that cannot be known.
    pub fn finite(&self) -> bool {
        self.state(|s| if let State::Pending(p, _) = s { p.finite() } else { false })
    }

    /// Whether it is stages of a pipeline that have not been carried out.
    pub fn staged(&self) -> bool {
        self.state(|s| if let State::Pending(p, _) = s { p.staged() } else { false })
    }

    /// A copy of its source, if it has one that can be copied and has not been made: walking that keeps no items.
    pub fn fork(&self) -> Option<Box<dyn Source>> {
        self.state(|s| if let State::Pending(p, _) = s { p.fork() } else { None })
    }

    /// Starts to make it.
    pub fn begin(&self) -> Begin<V> {
        self.state(|s| match s {
            State::Done(v) => Begin::Done(v.clone()),
            State::Running { empty } => Begin::Running { empty: *empty },
            State::Pending(p, _) => {
                let empty = !p.body();
                match std::mem::replace(s, State::Running { empty }) {
                    State::Pending(p, _) => Begin::Make(p),
                    _ => Begin::Running { empty },
                }
            }
        })
    }

    /// Its body has given another sequence, which is now made in its place: it counts as empty meanwhile.
    pub fn passed_on(&self) {
        self.state(|s| {
            if let State::Running { empty } = s {
                *empty = true;
            }
        });
    }

    /// It is made.
    pub fn finish(&self, value: V) {
        let old = self.state(|s| std::mem::replace(s, State::Done(value)));
        drop(old);
    }

    /// It could not be made: the next asking tries again, as in Clojure.
    pub fn put_back(&self, source: Box<dyn Source>) {
        self.state(|s| *s = pending(source));
    }

    /// It is what the other, which nobody knows, stands for: as it was before it was asked for.
    pub fn go_back(&self, to: Self) {
        if let Ok(source) = to.into_source() {
            let old = self.state(|s| std::mem::replace(s, pending(source)));
            match old {
                State::Done(v) => drop_items(vec![v]),
                other => super::node::on_deep_stack(|| drop(other)),
            }
        }
    }

    /// The source, if nobody else can ever ask for this sequence and it has not been made.
    pub fn into_source(self) -> Result<Box<dyn Source>, Self> {
        let mut this = self;
        let Some(node) = Arc::get_mut(&mut this.0) else { return Err(this) };
        let state = node.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !matches!(state, State::Pending(..)) {
            return Err(this);
        }
        match std::mem::replace(state, State::Running { empty: false }) {
            State::Pending(p, _) => Ok(p),
            other => {
                *state = other;
                Err(this)
            }
        }
    }

    /// Its bytes on the meter, with those of what is to make it and without those of its items.
    pub fn own_bytes(&self) -> usize {
        self.0._bytes.get() + self.state(|s| if let State::Pending(_, b) = s { b.get() } else { 0 })
    }

    /// A number that identifies the allocation while it lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }

    /// Nesting: that of what it is made from.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Whether both are the same allocation.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A reference that keeps nothing alive.
    pub fn downgrade(&self) -> WeakLazy<V> {
        WeakLazy(Arc::downgrade(&self.0))
    }

    /// Lets go of what it holds: from now on it looks like one that is not realised and cannot be.
    pub fn cut(&self) {
        let old = self.state(|s| std::mem::replace(s, State::Running { empty: false }));
        match old {
            State::Done(v) => drop_items(vec![v]),
            other => super::node::on_deep_stack(|| drop(other)),
        }
    }

    /// For [`Item::drain_nested`]: chains come apart on the work list.
    pub fn drain_nested(&mut self, out: &mut Vec<V>) {
        // `Arc::get_mut` would fail for what is noted weakly, and the chain would come apart on the native stack.
        if Arc::strong_count(&self.0) == 1 {
            self.state(|s| {
                if let State::Done(v) = s {
                    out.push(std::mem::take(v));
                }
            });
        }
    }
}

/// A lazy sequence that this does not keep alive.
pub struct WeakLazy<V: Item>(Weak<LazyNode<V>>);

impl<V: Item> Clone for WeakLazy<V> {
    fn clone(&self) -> Self {
        WeakLazy(self.0.clone())
    }
}

impl<V: Item> WeakLazy<V> {
    /// The sequence, while somebody else holds it.
    pub fn upgrade(&self) -> Option<Lazy<V>> {
        self.0.upgrade().map(Lazy)
    }

    /// Whether somebody holds it.
    pub fn alive(&self) -> bool {
        self.0.strong_count() > 0
    }
}

impl<V: Item> LazyNode<V> {
    fn take(&mut self, out: &mut Vec<V>) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        // What is still to be made stays: its source is freed where the stack has room for it.
        if let State::Done(v) = state {
            out.push(std::mem::take(v));
        }
    }
}

impl<V: Item> Drop for LazyNode<V> {
    fn drop(&mut self) {
        let mut list = Vec::new();
        self.take(&mut list);
        // What it holds may have been shallow when it was put together, and have grown deep since: each level of it comes by here.
        if !list.is_empty() {
            super::node::on_deep_stack(|| drop_items(list));
        }
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let State::Pending(..) = state {
            // A source is opaque, so sources on sources unwind on a stack that grows; depth is bounded when built.
            let source = std::mem::replace(state, State::Running { empty: false });
            super::node::on_deep_stack(|| drop(source));
        }
    }
}
