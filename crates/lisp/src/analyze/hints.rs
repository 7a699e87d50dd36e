//! The hints `^long` and `^double` where they are written. Other hints, as `^String`, change nothing.

use super::fn_forms::strip_meta;
use super::ir::Hint;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};

/// Most parameters of a function of which one has such a hint, as in Clojure.
const MOST: usize = 4;

/// The tag of a form with metadata, the first where there are several.
fn tag(form: &Form) -> Option<&str> {
    let Kind::Meta(meta, inner) = &form.kind else { return None };
    let own = if let Kind::Map(m) = &meta.kind { m.iter().find(|(k, _)| k.is_keyword("tag")) } else { None };
    own.and_then(|(_, v)| v.as_plain()).or_else(|| tag(inner))
}

/// The hint of a form that is no parameter: other types say nothing.
pub(super) fn hint(form: &Form) -> Option<Hint> {
    match tag(form)? {
        "long" => Some(Hint::Long),
        "double" => Some(Hint::Double),
        _ => None,
    }
}

/// The hint of a parameter or of a function; other types of numbers have no place there.
fn primitive(form: &Form, what: &str) -> Result<Option<Hint>, Error> {
    match tag(form) {
        Some("int" | "float" | "short" | "byte" | "char" | "boolean") => {
            let words = format!("Only long and double primitive{what} are supported");
            Err(Error::new(ErrorKind::Parse, words).at(form.span).hint("write ^long or ^double, or no hint"))
        }
        _ => Ok(hint(form)),
    }
}

/// The hints of parameters in front of `&`, one for each.
pub(super) fn parameters(params: &[Form]) -> Result<Vec<Option<Hint>>, Error> {
    let rest = params.iter().position(|p| strip_meta(p).as_plain() == Some("&"));
    let fixed = params.get(..rest.unwrap_or(params.len())).unwrap_or_default();
    let hints = fixed.iter().map(|p| primitive(p, "s")).collect::<Result<Vec<_>, Error>>()?;
    let Some(first) = fixed.iter().zip(&hints).find(|(_, h)| h.is_some()).map(|(p, _)| p) else { return Ok(hints) };
    let refused = |words: &str| {
        Err(Error::new(ErrorKind::Parse, words).at(first.span).hint("convert in the body: (let [x (double x)] ...)"))
    };
    match rest {
        Some(_) => refused("fns taking primitives cannot be variadic"),
        None if fixed.len() > MOST => refused("fns taking primitives support only 4 or fewer args"),
        None => Ok(hints),
    }
}

/// The hint of what a function gives: before its parameters, or else before the name of `defn`.
pub(super) fn result(list: &Form, named: Option<Hint>) -> Result<Option<Hint>, Error> {
    Ok(primitive(list, " returns")?.or(named))
}
