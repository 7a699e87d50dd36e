//! Metadata of symbols.

use super::{Item, Symbol, Value};
use std::any::Any;
use std::sync::Arc;

impl Symbol {
    /// The metadata.
    pub fn meta(&self) -> Option<&Value> {
        self.any_meta()?.downcast_ref()
    }

    /// The same symbol with this metadata, or without.
    #[must_use]
    pub fn with_meta(&self, meta: Option<Value>) -> Self {
        self.with_any_meta(meta.map(|m| {
            let depth = m.depth();
            (Arc::new(m) as Arc<dyn Any + Send + Sync>, depth)
        }))
    }

    /// The metadata, taken out of what nobody else holds.
    pub(super) fn take_meta(&mut self) -> Option<Value> {
        let meta = self.take_any_meta()?.downcast::<Value>().ok()?;
        Arc::try_unwrap(meta).ok()
    }
}
