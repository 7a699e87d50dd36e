//! `apropos`: which functions there are, by a part of their names.

use crate::builtins::args::get;
use crate::builtins::java::{classes, statics};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::namespaces::written;
use crate::regex::finder::Finder;
use crate::value::{Builtin, Str, Symbol, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[Builtin::new(
    "apropos",
    "str | re",
    "The names of functions, classes, tools and definitions of yours that have this string in them in any case, or in which the regex is found; sorted, at most 100. (doc f) tells of one.",
    &[
        ("(apropos \"split-\")", "(split-at split-with str/split-lines)"),
        (
            "(apropos \"localdate/\")",
            "(LocalDate/EPOCH LocalDate/MAX LocalDate/MIN LocalDate/from LocalDate/now LocalDate/of LocalDate/ofEpochDay LocalDate/ofInstant LocalDate/ofYearDay LocalDate/parse)",
        ),
        ("(apropos #\"^sum\")", "(sum sum-by)"),
        ("(apropos \"no such\")", "()"),
        ("(apropos 5)", "!apropos: str must be a string or a regex"),
    ],
    &Body(apropos),
)];

/// Most names of an answer; what is left out is one symbol more.
const MAX_NAMES: usize = 100;

/// Java's classes without their packages; those inside others have no name that a program could write so.
pub fn class_names() -> impl Iterator<Item = String> {
    let short = |full: String| full.rsplit('.').next().filter(|n| !n.contains('$')).map(str::to_owned);
    classes::full_names().filter_map(short)
}

/// The constants of these classes.
pub fn constants() -> impl Iterator<Item = String> {
    statics::CONSTANTS.iter().map(|n| (*n).to_owned()).chain(crate::builtins::time::constants::names())
}

fn apropos(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut names: Vec<Str> = h.builtins().filter(|b| b.is_public()).map(|b| Str::new(&*written(b.name()))).collect();
    names.extend(class_names().chain(constants()).map(Str::new));
    h.charge(names.len() as u64 + h.tools().len() as u64)?;
    names.extend(h.tools().iter().map(|t| Str::new(format!("tool/{}", t.name))));
    names.extend(h.definitions().iter().map(|n| Str::new(&**n)));
    let bytes = names.iter().map(|n| n.as_str().len() as u64).sum::<u64>();
    h.charge(names.len() as u64 + bytes / 16)?;
    h.reserve(bytes + names.len() as u64 * 32)?;
    let mut found = Vec::new();
    match get(a, 0) {
        Value::Str(part) => {
            let part = part.as_str().to_lowercase();
            found.extend(names.into_iter().filter(|n| n.as_str().to_lowercase().contains(&part)));
        }
        Value::Regex(re) => {
            let re = re.clone();
            for name in names {
                if Finder::new(h, re.clone(), name.clone())?.next(h)?.is_some() {
                    found.push(name);
                }
            }
        }
        other => return Err(Interrupt::argument(0, "a string or a regex", other)),
    }
    found.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    found.dedup_by(|a, b| a.as_str() == b.as_str());
    let more = found.len() > MAX_NAMES;
    found.truncate(MAX_NAMES);
    let mut out: Vec<Value> = found.iter().map(|n| Value::Symbol(Symbol::parse(n.as_str()))).collect();
    if more {
        out.push(Value::Symbol(Symbol::new(None, "...")));
    }
    Ok(Value::seq(out))
}
