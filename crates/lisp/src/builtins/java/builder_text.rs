//! What a StringBuilder holds, as text.

use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::CellId;
use crate::value::{Str, Value, Vector};

/// Bytes of a part besides its text.
pub const UPKEEP: u64 = 128;

/// The text of a builder; it is written together once and kept so.
pub fn text(h: &mut dyn Host, id: CellId) -> Result<Str> {
    if id.is_of_turn() {
        let words = "the turn's own output is written, not read";
        return Err(Interrupt::error(ErrorKind::Denied, words)
            .hint("(with-out-str ...) gives what is printed inside it; (java.io.StringWriter.) makes a writer"));
    }
    let Value::Vector(parts) = h.cell_get(id) else { return Ok(Str::new("")) };
    if let (1, Some(Value::Str(all))) = (parts.len(), parts.get(0)) {
        return Ok(all.clone());
    }
    h.charge(parts.len() as u64)?;
    let bytes = parts.iter().filter_map(Value::as_str).map(str::len).sum::<usize>();
    cost::text(h, bytes)?;
    h.reserve(bytes as u64 * 2 + UPKEEP)?;
    let mut all = String::with_capacity(bytes);
    parts.iter().filter_map(Value::as_str).for_each(|part| all.push_str(part));
    let all = Str::new(all);
    put(h, id, all.clone());
    Ok(all)
}

/// Builders among the arguments become their texts, for what takes any sequence of characters.
pub fn read_all(h: &mut dyn Host, a: &mut [Value]) -> Result<()> {
    for slot in a {
        if let Value::Builder(id) = *slot {
            *slot = Value::Str(text(h, id)?);
        }
    }
    Ok(())
}

/// Makes `text` what it holds.
pub fn put(h: &mut dyn Host, id: CellId, text: Str) {
    h.cell_set(id, Value::Vector(Vector::from_vec(vec![Value::Str(text)])));
}
