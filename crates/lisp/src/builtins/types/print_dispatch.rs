//! What programs may give `print-method` and `print-dup` methods for: the types of their own, keywords of the metadata `:type`, and
//! classes of which no part is a class of its own in Clojure and not here.

use crate::builtins::java::class_tree::{OBJECT, above, is_array, is_interface, is_known};
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use crate::value::boxed::CellId;

/// Where the methods are that programs have given a function, if it is one of the two.
pub fn table(v: &Value) -> Option<CellId> {
    match v {
        Value::Builtin(b) if b.name() == "print-method" => Some(CellId::PRINTERS),
        Value::Builtin(b) if b.name() == "print-dup" => Some(CellId::DUPLICATORS),
        _ => None,
    }
}

const MAPS: [&str; 4] =
    ["clojure.lang.IPersistentMap", "clojure.lang.APersistentMap", "clojure.lang.PersistentArrayMap", "java.util.Map"];

/// Refuses methods for what many values are that have methods of their own in Clojure.
///
/// # Errors
/// For such a dispatch value.
pub fn check(table: CellId, dispatch: &Value) -> Result<()> {
    let name = if table == CellId::PRINTERS { "print-method" } else { "print-dup" };
    let taken = match dispatch.class_text() {
        None => matches!(dispatch, Value::Keyword(k) if k.text() != "default"),
        Some("clojure.lang.IRecord" | "clojure.lang.PersistentQueue") => true,
        Some(OBJECT | "java.lang.Number" | "clojure.lang.AFn" | "clojure.lang.MultiFn") => false,
        Some(class) => {
            let collection = |a: &str| matches!(a, "java.lang.Iterable" | "java.util.Map" | "clojure.lang.Seqable");
            !is_known(class)
                || !is_array(class) && !is_interface(class) && !above(class).is_some_and(|a| a.all().any(collection))
        }
    };
    if taken {
        return Ok(());
    }
    let words = format!(
        "{name} has methods of types of the program and of single classes, not of {}",
        crate::print::brief(dispatch)
    );
    Err(Interrupt::error(ErrorKind::Denied, words).hint(format!(
        "(defmethod {name} Point [p w] (.write w (str ...))) of a defrecord or deftype; or a function that gives the text"
    )))
}

/// Refuses to take away what Clojure has a method of its own for.
///
/// # Errors
/// For such a dispatch value.
pub fn check_removed(dispatch: &Value) -> Result<()> {
    match dispatch.class_text() {
        Some(class) if is_known(class) => {
            let words = format!("no method of the language can be taken away: {class}");
            Err(Interrupt::error(ErrorKind::Denied, words).hint("give it another one with defmethod"))
        }
        _ => Ok(()),
    }
}

/// The function that prints as Clojure's own method of a dispatch value does.
///
/// # Errors
/// Where that is one for what is printed otherwise here.
pub fn own(h: &mut dyn Host, dispatch: &Value) -> Result {
    let name = match dispatch.class_text() {
        Some(class) if MAPS.contains(&class) => "print-as-map*",
        Some(OBJECT) | None => {
            let words = format!("there is no method that prints {}", crate::print::brief(dispatch));
            return Err(Interrupt::error(ErrorKind::Denied, words)
                .hint("(get-method print-method clojure.lang.IRecord) prints a record, that of clojure.lang.IPersistentMap its map"));
        }
        Some(_) => "print-as-is*",
    };
    Ok(h.builtin(name).map(Value::Builtin).unwrap_or_default())
}
