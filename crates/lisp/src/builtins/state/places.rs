//! The options of atoms (metadata, a validator, watches), and how a value is put in.

use crate::builtins::args::take;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::{Item, Map, Value};

/// The options of a place.
#[derive(Default)]
pub struct Options {
    /// `:meta`
    pub meta: Value,
    /// `:validator`
    pub validator: Value,
    /// Functions by their keys, in the order in which they were added.
    pub watches: Value,
}

impl Options {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        [&self.meta, &self.validator, &self.watches].into_iter().all(Value::is_nil)
    }

    /// Those of a place.
    pub fn of(h: &mut dyn Host, id: CellId) -> Options {
        let Value::Vector(v) = h.cell_options(id) else { return Options::default() };
        let at = |i: usize| v.get(i).cloned().unwrap_or_default();
        Options { meta: at(0), validator: at(1), watches: at(2) }
    }

    /// Makes them those of a place.
    ///
    /// # Errors
    /// When fuel or memory ends.
    pub fn give(self, h: &mut dyn Host, id: CellId) -> Result<()> {
        h.charge(8)?;
        h.reserve(256)?;
        h.set_cell_options(id, Value::vector(vec![self.meta, self.validator, self.watches]));
        Ok(())
    }
}

/// The value and the options that `atom` was called with.
///
/// # Errors
/// When an option has no value, or `:meta` is no map.
pub fn given(a: &mut [Value], name: &str) -> Result<(Value, Options)> {
    let mut found = Options::default();
    let mut options = a.get_mut(1..).unwrap_or_default().chunks_exact_mut(2);
    for option in &mut options {
        if let [Value::Keyword(k), v] = option {
            match k.text() {
                "meta" => found.meta = std::mem::take(v),
                "validator" => found.validator = std::mem::take(v),
                _ => {}
            }
        }
    }
    if let [key] = options.into_remainder() {
        let key = crate::print::brief(key);
        return Err(Interrupt::error(ErrorKind::Value, format!("{name}: no value is given for the option {key}"))
            .hint(format!("({name} x :validator f) or ({name} x :meta {{...}})")));
    }
    if !matches!(found.meta, Value::Nil | Value::Map(_)) {
        return Err(Interrupt::error(
            ErrorKind::Type,
            format!("{name}: :meta must be a map, got {}", crate::print::brief(&found.meta)),
        ));
    }
    Ok((take(a, 0), found))
}

/// A place of this sort.
///
/// # Errors
/// When the validator refuses the value.
pub fn new(h: &mut dyn Host, sort: CellSort, value: Value, options: Options) -> Result {
    approve(h, &options.validator, &value)?;
    let id = h.cell_of(sort, true, value)?;
    options.give(h, id)?;
    Ok(Value::Atom(id))
}

/// The metadata of a place, nil when it has none.
pub fn meta(h: &mut dyn Host, id: CellId) -> Value {
    Options::of(h, id).meta
}

/// Asks a validator, which may be nil, about a value.
///
/// # Errors
/// When it says no.
pub fn approve(h: &mut dyn Host, validator: &Value, v: &Value) -> Result<()> {
    if validator.is_nil() || h.call1(validator, v.clone())?.truthy() {
        return Ok(());
    }
    let stop = Interrupt::throw("IllegalStateException", ErrorKind::Value, "Invalid reference state");
    Err(stop.hint("the :validator refuses this value"))
}

/// An error where a value is nested deeper than values may be.
///
/// # Errors
/// That one.
pub fn within_depth(h: &mut dyn Host, v: &Value) -> Result<()> {
    if v.depth() > h.limits().data_depth { Err(crate::host::too_deep(h.limits())) } else { Ok(()) }
}

/// Puts a value into a place whose validator, if it has one, lets it in, and calls its watches; what was there.
///
/// # Errors
/// When the validator refuses, or a watch throws: then the new value stays, as in Clojure.
pub fn put(h: &mut dyn Host, id: CellId, v: Value) -> Result {
    if !h.may_have_options(id) {
        return Ok(h.cell_set(id, v));
    }
    let Options { validator, watches, .. } = Options::of(h, id);
    approve(h, &validator, &v)?;
    let old = h.cell_set(id, v.clone());
    notify(h, id, &watches, &old, &v)?;
    Ok(old)
}

/// Calls the watches of a place: key, place, old and new value.
///
/// # Errors
/// The first that one of them ends with.
pub fn notify(h: &mut dyn Host, id: CellId, watches: &Value, old: &Value, new: &Value) -> Result<()> {
    let Value::Map(watches) = watches else { return Ok(()) };
    for (key, f) in watches.iter() {
        h.charge(1)?;
        h.call(f, &mut [key.clone(), Value::Atom(id), old.clone(), new.clone()])?;
    }
    Ok(())
}

/// The watches with another one, or the same key's function replaced.
pub fn watching(watches: Value, key: Value, f: Value) -> Value {
    let mut all = if let Value::Map(m) = watches { m } else { Map::new() };
    all.insert(key, f);
    Value::Map(all)
}
