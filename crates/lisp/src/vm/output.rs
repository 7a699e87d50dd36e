//! Where printed text goes: to the turn, to a text that `with-out-str` collects, or to the writer that `*out*` is bound to.

use super::state::{Collected, Vm};
use crate::builtins::java::{builder_text, string_builder};
use crate::error::ErrorKind;
use crate::fuel::Cost;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::node::{Bytes, UPKEEP};
use crate::value::{Value, Vector};

/// What an entry counts for in `output_bytes` besides its text.
const ENTRY: u64 = 8;

/// What an entry takes in memory besides its text: its place in a list that grows, and its allocation.
const ENTRY_BYTES: usize = 2 * size_of::<String>() + UPKEEP;

impl Vm<'_, '_> {
    /// How many bytes the turn will have printed with this text, if it may be.
    pub(super) fn room_for(&mut self, text: &str) -> Result<u64> {
        self.charge_cost(Cost(18 + text.len() as u64 / 64))?;
        let limit = self.turn.limits.output_bytes;
        let bytes = self.output_bytes.saturating_add(text.len() as u64 + ENTRY);
        if bytes > limit {
            return Err(Interrupt::error(
                ErrorKind::Output,
                format!("printing more than output_bytes = {limit}: {bytes} bytes"),
            )
            .hint("print a part: (take 10 xs), (select-keys m [...]), (count xs)"));
        }
        Ok(bytes)
    }

    /// Prints by the turn, which has printed so many bytes then.
    pub(super) fn print_here(&mut self, text: String, bytes: u64) -> Result<()> {
        // Nobody can see it.
        if text.is_empty() {
            return Ok(());
        }
        self.output_bytes = bytes;
        self.printed_bytes.hold(self.printed_bytes.get() + ENTRY_BYTES + text.capacity());
        (self.turn.on_print)(&text);
        if self.printed.capacity() == 0 {
            self.printed = Vec::with_capacity(4);
        }
        self.printed.push(text);
        Ok(())
    }

    /// What `*out*` is. The text of `with-out-str` becomes that of a writer where a program asks for it.
    pub(super) fn writer_now(&mut self) -> Result<CellId> {
        let text = match self.collecting.last_mut() {
            None => return Ok(CellId::OUT),
            Some(Collected::Writer(id)) => return Ok(*id),
            Some(Collected::Text(text, bytes)) => {
                bytes.hold(0);
                std::mem::take(text)
            }
        };
        let id = self.cell_of(CellSort::Writer, false, Value::Vector(Vector::new()))?;
        if let Some(last) = self.collecting.last_mut() {
            *last = Collected::Writer(id);
        }
        string_builder::add(self, id, text)?;
        Ok(id)
    }

    /// Calls `f` and gives what it printed (`with-out-str`).
    pub fn out_str(&mut self, f: &Value) -> Result {
        self.collecting.push(Collected::Text(String::new(), Bytes::default()));
        let r = self.call(f, &mut []);
        let collected = self.collecting.pop();
        r?;
        match collected {
            Some(Collected::Writer(id)) => Ok(Value::Str(builder_text::text(self, id)?)),
            Some(Collected::Text(text, _)) => Ok(Value::str(text)),
            None => Ok(Value::str("")),
        }
    }

    /// Does this while `*out*` is a writer.
    pub(super) fn with_out(&mut self, writer: &Value, body: impl FnOnce(&mut Self) -> Result) -> Result {
        self.collecting.push(Collected::Writer(writer_of(writer)?));
        let r = body(self);
        self.collecting.pop();
        r
    }

    /// Has `*out*` be another writer, inside a `binding` of it or `with-out-str`; whether it was in one.
    pub(super) fn set_out(&mut self, writer: &Value) -> Result<bool> {
        let id = writer_of(writer)?;
        // What has been collected so far stays the text of `with-out-str`.
        if self.collecting.iter().any(|c| matches!(c, Collected::Text(..))) {
            self.writer_now()?;
        }
        Ok(match self.collecting.last_mut() {
            Some(last @ Collected::Writer(_)) => {
                *last = Collected::Writer(id);
                true
            }
            _ => false,
        })
    }
}

/// The writer that a value is.
pub(super) fn writer_of(v: &Value) -> Result<CellId> {
    match v {
        Value::Builder(id) if id.sort() == CellSort::Writer => Ok(*id),
        v => {
            let words = format!("*out* is a writer, got {}", crate::print::brief(v));
            Err(Interrupt::throw("ClassCastException", ErrorKind::Type, words)
                .hint("(java.io.StringWriter.) makes one"))
        }
    }
}
