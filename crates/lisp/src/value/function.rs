//! Functions as values: a signature and a body that only the evaluator understands.

use super::node::{Bytes, DEEP, Item, NodeHeader, on_deep_stack};
use std::any::Any;
use std::sync::Arc;

/// What functions of protocols are called where they are made.
pub const PROTOCOL_METHOD: &str = "protocol method";

/// The word for functions that choose among their methods.
pub const MULTIMETHOD: &str = "multimethod";

/// What is behind a function value.
pub trait Body<V>: Any + Send + Sync {
    /// Its name, if it has one.
    fn name(&self) -> Option<&str>;
    /// What it is to those who see it printed.
    fn word(&self) -> &'static str {
        "function"
    }
    /// Its docstring.
    fn doc(&self) -> Option<&str>;
    /// Its parameter lists as written: `[a b]`, `([a] [a & more])`.
    fn params(&self) -> String;
    /// Fewest and most arguments, where a call can be refused before anything runs.
    fn takes(&self) -> Option<(usize, Option<usize>)> {
        None
    }
    /// Nesting of the values it captured.
    fn depth(&self) -> u32;
    /// Whether it captured an unrealised sequence. Only arguments of combinators count: nothing looks into a closure.
    fn lazy(&self) -> bool {
        false
    }
    /// The values it captured.
    fn held(&self) -> &[V];
    /// For the evaluator to find its own type again.
    fn as_any(&self) -> &dyn Any;
}

struct Node<V: Item> {
    head: NodeHeader<V>,
    body: Option<Arc<dyn Body<V>>>,
    /// With those of the body: other functions with other metadata may be all that is left to hold it.
    bytes: Bytes,
}

/// A function made by a program.
pub struct Function<V: Item>(Arc<Node<V>>);

impl<V: Item> Clone for Function<V> {
    #[inline]
    fn clone(&self) -> Self {
        Function(self.0.clone())
    }
}

impl<V: Item> Function<V> {
    /// A function with this body, which takes `bytes` with what it owns and the upkeep of both.
    pub fn new(body: Arc<dyn Body<V>>, bytes: usize) -> Self {
        let mut head = NodeHeader::default();
        head.depth = body.depth().saturating_add(1);
        let bytes = Bytes::new(size_of::<Node<V>>() + bytes);
        Function(Arc::new(Node { head, body: Some(body), bytes }))
    }

    /// As [`Function::new`], of a constant of a program: what it takes is held, and not charged as made.
    pub fn constant(body: Arc<dyn Body<V>>, bytes: usize) -> Self {
        let mut head = NodeHeader::default();
        head.depth = body.depth().saturating_add(1);
        let bytes = Bytes::held(size_of::<Node<V>>() + bytes);
        Function(Arc::new(Node { head, body: Some(body), bytes }))
    }

    /// The body.
    #[inline]
    pub fn body(&self) -> Option<&dyn Body<V>> {
        self.0.body.as_deref()
    }

    /// The body as the evaluator's own type.
    #[inline]
    pub fn downcast<T: 'static>(&self) -> Option<&T> {
        self.0.body.as_deref().and_then(|b| b.as_any().downcast_ref())
    }

    /// The metadata.
    pub fn meta(&self) -> Option<&V> {
        self.0.head.meta()
    }

    /// Another function that does the same, with this metadata.
    #[must_use]
    pub fn with_meta(&self, meta: Option<V>) -> Self {
        let mut head = NodeHeader::default();
        head.depth = self.0.head.depth;
        head.set_meta(meta);
        Function(Arc::new(Node { head, body: self.0.body.clone(), bytes: Bytes::held(self.0.bytes.get()) }))
    }

    /// Its name.
    pub fn name(&self) -> Option<&str> {
        self.body().and_then(Body::name)
    }

    /// What it is to those who see it printed: a function, or a multimethod.
    pub fn word(&self) -> &'static str {
        self.body().map_or("function", Body::word)
    }

    /// Whether it is a multimethod.
    pub fn is_multimethod(&self) -> bool {
        self.word() == MULTIMETHOD
    }

    /// Nesting of what it captured.
    pub fn depth(&self) -> u32 {
        self.0.head.depth
    }

    /// Whether both are the same function.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Its bytes on the meter, without those of what it captured.
    pub fn own_bytes(&self) -> usize {
        self.0.bytes.get()
    }

    /// A number that orders functions; the same for one function while it lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }
}

impl<V: Item> Drop for Node<V> {
    fn drop(&mut self) {
        if self.head.depth > DEEP {
            let (body, meta) = (self.body.take(), self.head.take_meta());
            on_deep_stack(|| drop((body, meta)));
        }
    }
}
