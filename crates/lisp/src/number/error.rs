//! The errors of arithmetic, and of texts that are no numbers.

use crate::error::ErrorKind;
use crate::host::{Interrupt, InterruptKind};
use crate::value::Value;
use std::sync::Arc;

/// The error of a result past 64 bits; `instead` is what to write.
#[cold]
pub fn overflow(instead: &str) -> Interrupt {
    Interrupt::error(ErrorKind::Arithmetic, "long overflow")
        .hint(format!("use {instead}, or begin with a big integer such as 1N"))
}

/// The error of a division by zero.
#[cold]
pub fn by_zero() -> Interrupt {
    Interrupt::error(ErrorKind::Arithmetic, "Divide by zero")
}

/// Java's `NumberFormatException`, so that programs can catch it by that name.
#[cold]
pub fn number_format(message: impl Into<String>) -> Interrupt {
    Interrupt::throw("NumberFormatException", ErrorKind::Value, message)
}

/// The error of a text that is no number.
#[cold]
pub fn not_a_number(text: &str) -> Interrupt {
    let mut stop = number_format(format!("For input string: {:?}", crate::error::cut(text.to_string(), 100)));
    if let InterruptKind::Throw(Value::Exception(e)) = stop.kind_mut()
        && let Some(error) = Arc::get_mut(e).and_then(|e| e.error.as_mut())
    {
        error.hint = Some("the whole text must be a number; parse-long and parse-double give nil for any other".into());
    }
    stop
}
