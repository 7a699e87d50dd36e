//! What every node of a value carries: its depth, its bytes on the meter, its metadata; and how deep data is freed.

use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    /// Live bytes of values on this thread. A turn runs on one thread, so the difference between
    /// its start and now is what it holds; one `Cell` costs less than a counter in every node.
    static LIVE: Cell<i64> = const { Cell::new(0) };
    /// All bytes ever put on the meter of this thread: what a turn allocated, kept or not, is charged in fuel.
    static MADE: Cell<u64> = const { Cell::new(0) };
}

/// Bytes of values made on this thread so far, dropped ones too.
pub fn allocated_bytes() -> u64 {
    MADE.with(Cell::get)
}

/// Live bytes of values made on this thread, less those dropped on it.
pub fn live_bytes() -> i64 {
    LIVE.with(Cell::get)
}

/// Sets the meter back to an earlier reading; for work inside a turn that is another session's.
pub fn set_live_bytes(bytes: i64) {
    LIVE.with(|l| l.set(bytes));
}

fn add_live(bytes: i64) {
    // A thread that is ending has no meter left, and nobody to read it.
    let _ = LIVE.try_with(|l| l.set(l.get().wrapping_add(bytes)));
    if bytes > 0 {
        let _ = MADE.try_with(|m| m.set(m.get().wrapping_add(bytes as u64)));
    }
}

/// Changes what is live, as [`Bytes::hold`].
#[inline]
pub fn hold_bytes(n: i64) {
    let _ = LIVE.try_with(|l| l.set(l.get().wrapping_add(n)));
}

/// Puts bytes on the meter that [`free_bytes`] takes off: of what knows its size without keeping it.
#[inline]
pub fn make_bytes(n: usize) {
    add_live(n as i64);
}

/// Takes bytes off the meter.
#[inline]
pub fn free_bytes(n: usize) {
    add_live(-(n as i64));
}

/// Bytes of an allocation besides those asked for.
pub const UPKEEP: usize = 16;

/// Bytes on the meter for as long as this lives.
#[derive(Debug, Default)]
pub struct Bytes(usize);

/// A copy is as large.
impl Clone for Bytes {
    fn clone(&self) -> Self {
        Bytes::new(self.0)
    }
}

impl Bytes {
    /// Puts `n` bytes on the meter.
    pub fn new(n: usize) -> Self {
        add_live(n as i64);
        Bytes(n)
    }

    /// Puts `n` bytes on the meter that are not to be charged: they were allocated before and are only held here,
    /// or the work that fills them is charged by itself.
    pub fn held(n: usize) -> Self {
        let mut bytes = Bytes(0);
        bytes.hold(n);
        bytes
    }

    /// Makes it `n` bytes from now on, as [`Bytes::held`].
    pub fn hold(&mut self, n: usize) {
        if n != self.0 {
            hold_bytes(n as i64 - self.0 as i64);
            self.0 = n;
        }
    }

    /// Makes it `n` bytes from now on.
    pub fn set(&mut self, n: usize) {
        if n != self.0 {
            add_live(n as i64 - self.0 as i64);
            self.0 = n;
        }
    }

    /// How many.
    pub fn get(&self) -> usize {
        self.0
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        add_live(-(self.0 as i64));
    }
}

/// As [`Bytes`], in two bytes: of what is never larger than 64 KB.
#[derive(Debug, Default)]
pub struct FewBytes(u16);

impl FewBytes {
    /// Makes it `n` bytes from now on, as [`Bytes::set`].
    #[inline]
    pub fn set(&mut self, n: usize) {
        add_live(n as i64 - i64::from(self.0));
        self.0 = u16::try_from(n).unwrap_or(u16::MAX);
    }

    /// `n` bytes, as [`Bytes::held`].
    pub fn held(n: usize) -> Self {
        hold_bytes(n as i64);
        FewBytes(u16::try_from(n).unwrap_or(u16::MAX))
    }

    /// How many.
    #[inline]
    pub fn get(&self) -> usize {
        usize::from(self.0)
    }
}

impl Drop for FewBytes {
    #[inline]
    fn drop(&mut self) {
        add_live(-i64::from(self.0));
    }
}

/// Bytes of a tree whose versions share their nodes. Each version is charged for what it added and keeps
/// alive what its ancestors were charged for, so no order of dropping versions makes held memory look free.
#[derive(Debug)]
pub struct Lineage {
    own: Bytes,
    total: usize,
    parent: Option<Arc<Lineage>>,
}

impl Lineage {
    /// The first version: a tree of `bytes`.
    pub fn root(bytes: usize) -> Arc<Self> {
        Arc::new(Lineage { own: Bytes::new(bytes), total: bytes, parent: None })
    }

    /// As [`Lineage::root`], of a tree whose work is paid for: [`Bytes::held`].
    pub fn held(bytes: usize) -> Arc<Self> {
        Arc::new(Lineage { own: Bytes::held(bytes), total: bytes, parent: None })
    }

    /// The versions that keep nodes of it alive, this one first: where each is, and its bytes on the meter.
    pub fn links(this: &Arc<Self>) -> impl Iterator<Item = (usize, usize)> {
        let links = std::iter::successors(Some(this), |l| l.parent.as_ref());
        links.map(|l| (Arc::as_ptr(l).cast::<()>() as usize, l.own.get()))
    }

    /// Accounts for a change that added `added` bytes to a tree which is now `full` bytes large by itself.
    /// `alone` says that the change was made in place, no other version seeing the nodes.
    pub fn grow(this: &mut Arc<Self>, added: usize, full: usize, alone: bool) {
        if alone && let Some(l) = Arc::get_mut(this) {
            // In place and nobody else counts on this link. A tree that shrank gives bytes back.
            let own = if l.parent.is_none() { full } else { l.own.get().saturating_add(added) };
            l.total = l.total.saturating_sub(l.own.get()).saturating_add(own);
            l.own.set(own);
        } else {
            let total = this.total.saturating_add(added);
            *this = Arc::new(Lineage { own: Bytes::new(added), total, parent: Some(this.clone()) });
        }
        // Changes have cost more than a fresh copy would: count as a fresh copy.
        if this.total > full.saturating_mul(2).saturating_add(8192) {
            *this = Lineage::root(full);
        }
    }
}

impl Drop for Lineage {
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(l) = next {
            next = Arc::into_inner(l).and_then(|mut l| l.parent.take());
        }
    }
}

/// Keys of small maps, where their type is not known.
pub type Shape = Arc<dyn std::any::Any + Send + Sync>;

/// What a collection has to know of the things it holds.
pub trait Item: Clone + Default + Send + Sync + 'static {
    /// Nesting: 0 for what holds nothing.
    fn depth(&self) -> u32;
    /// Whether a sequence that is not realised yet is somewhere inside.
    fn lazy(&self) -> bool;
    /// Equality as a key of a map or member of a set.
    fn same_key(&self, other: &Self) -> bool;
    /// Whether nothing can tell it from an equal one: neither a kind of number nor metadata.
    fn plain(&self) -> bool {
        false
    }
    /// Whether dropping it does nothing.
    fn needs_no_drop(&self) -> bool {
        false
    }
    /// A total order that agrees with [`Item::same_key`].
    fn key_order(&self, other: &Self) -> std::cmp::Ordering;
    /// A number that is the same for the same key, which tells nobody anything; `None` for keys that have none, and then
    /// for all that are the same.
    fn key_hash(&self) -> Option<u32> {
        None
    }
    /// A number of a kind, and bits: keys compare as they do, as long as these differ. `None` for keys of which this
    /// cannot be said.
    fn order_bits(&self) -> Option<(u8, u64)> {
        None
    }
    /// A number of a name or text, which others may have later: a hint where to look for it.
    fn name_address(&self) -> Option<usize> {
        None
    }
    /// A number of a keyword, the same for the same name.
    fn name_number(&self) -> Option<u64> {
        None
    }
    /// What [`Item::keep_shape`] was given last under this number in the running turn.
    fn next_shape(_number: u64) -> Option<Option<Shape>> {
        None
    }
    /// Remembers keys of small maps under a number, or that there was no need yet to remember them.
    fn keep_shape(_number: u64, _keys: Option<Shape>) {}
    /// If this is uniquely held and deep, moves what it holds to `out`, so that dropping it is shallow.
    fn drain_nested(&mut self, out: &mut Vec<Self>);
}

/// Metadata in a box of its own.
#[derive(Clone, Debug)]
struct Meta<V> {
    value: V,
    _bytes: Bytes,
}

/// The head of a node that holds items.
#[derive(Debug)]
pub struct NodeHeader<V> {
    /// One more than the deepest item, saturating.
    pub depth: u32,
    /// Whether a sequence that is not realised yet is inside.
    pub lazy: bool,
    meta: Option<Box<Meta<V>>>,
}

// Not derived: a node without items needs no `V: Default`.
impl<V> Default for NodeHeader<V> {
    fn default() -> Self {
        NodeHeader { depth: 1, lazy: false, meta: None }
    }
}

impl<V: Item> Clone for NodeHeader<V> {
    fn clone(&self) -> Self {
        NodeHeader { depth: self.depth, lazy: self.lazy, meta: self.meta.clone() }
    }
}

impl<V: Item> NodeHeader<V> {
    /// The head of a node that is at most so deep.
    pub fn bounded(depth: u32, lazy: bool) -> Self {
        NodeHeader { depth, lazy, meta: None }
    }

    /// The head of a node that holds these.
    pub fn of<'a>(items: impl IntoIterator<Item = &'a V>) -> Self {
        let mut h = NodeHeader::default();
        for v in items {
            h.add(v);
        }
        h
    }

    /// The metadata.
    #[inline]
    pub fn meta(&self) -> Option<&V> {
        self.meta.as_ref().map(|m| &m.value)
    }

    /// The metadata, moved out.
    pub fn take_meta(&mut self) -> Option<V> {
        self.meta.take().map(|m| m.value)
    }

    /// Puts other metadata here. It nests as an item does: deep metadata is freed with them.
    pub fn set_meta(&mut self, meta: Option<V>) {
        if let Some(m) = &meta {
            self.depth = self.depth.max(m.depth().saturating_add(1));
        }
        self.meta = meta.map(|value| {
            let bytes = Bytes::held(size_of::<Meta<V>>() + UPKEEP);
            Box::new(Meta { value, _bytes: bytes })
        });
    }

    /// Makes it the head of a node that holds these instead; the metadata stays.
    pub fn renew<'a>(&mut self, items: impl IntoIterator<Item = &'a V>) {
        let meta = self.take_meta();
        *self = NodeHeader::of(items);
        self.set_meta(meta);
    }

    /// Takes note of one more item.
    #[inline]
    pub fn add(&mut self, item: &V) {
        self.depth = self.depth.max(item.depth().saturating_add(1));
        self.lazy |= item.lazy();
    }
}

/// Depth from which a node's items are freed by a work list instead of by the native stack.
pub const DEEP: u32 = 64;

/// Drops items one by one, moving what deep ones hold onto the list first (SECURITY R1, SECURITY attack 18).
pub fn drop_items<V: Item>(mut list: Vec<V>) {
    while let Some(mut v) = list.pop() {
        v.drain_nested(&mut list);
    }
}

/// Runs `f` where the native stack has room for one more level of a bounded recursion, growing it if need be.
pub fn on_deep_stack<R>(f: impl FnOnce() -> R) -> R {
    // What is done without asking, as to copy a form that nests as deep as one may, takes up to 140 KB.
    stacker::maybe_grow(256 << 10, 4 << 20, f)
}

/// Runs a turn where the native stack has room for what it does at usual depths. Where little is left, or the system does not
/// tell (musl does not of a main thread), every call of [`on_deep_stack`] would take a stack of its own.
pub fn on_roomy_stack<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(512 << 10, 8 << 20, f)
}

/// Runs `f`, which recurses without looking, on a stack of its own that is large enough for what analysis lets pass.
pub fn on_large_stack<R>(f: impl FnOnce() -> R) -> R {
    stacker::grow(32 << 20, f)
}
