//! What is said where a `case` has no clause for a value.

use crate::error::ErrorKind;
use crate::host::Interrupt;
use crate::number;
use crate::value::Value;

/// The error of a `case` that nothing meets, in Clojure's words: the value as `str` writes it.
#[cold]
pub(super) fn no_clause(v: &Value) -> Interrupt {
    let text = match v {
        Value::Nil => String::new(),
        Value::Str(s) => crate::error::cut(s.as_str().to_owned(), 104),
        Value::Char(c) => c.to_string(),
        Value::Big(b) => number::big_text(b, 100),
        Value::Decimal(_) => crate::print::brief(v).trim_end_matches('M').to_owned(),
        v => crate::print::brief(v),
    };
    Interrupt::error(ErrorKind::Value, format!("No matching clause: {text}"))
        .hint("a last form without a constant is the default")
}
