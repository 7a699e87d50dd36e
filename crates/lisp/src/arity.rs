//! How many arguments a callable takes, and the text of the error when it gets another number of them.

use crate::error::{Error, ErrorKind};
use crate::interface::ToolSpec;
use crate::types::Type;
use crate::value::{Builtin, Value};

/// What to do when the first item of a list cannot be called.
pub const CALLED: &str = "a list calls its first item, as in (+ 1 2); write a value without brackets, a vector as [...], a list of data as '(...)";

/// The error of a call with the wrong number of arguments.
pub fn arity_error(name: &str, min: usize, max: Option<usize>, got: usize) -> Error {
    let arguments = |n: usize| if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") };
    let wants = match max {
        Some(m) if m == min => arguments(m),
        Some(m) => format!("{min} to {}", arguments(m)),
        None => format!("at least {}", arguments(min)),
    };
    Error::new(ErrorKind::Arity, format!("{} takes {wants}, got {got}", short(name)))
}

/// The error of a tool call with too many arguments.
pub fn tool_arity(tool: &ToolSpec, got: usize) -> Error {
    match &tool.params {
        Some(p) => {
            let names: Vec<&str> = p.iter().map(|p| p.name.as_str()).collect();
            let needed = p.iter().filter(|p| !matches!(p.shape, Type::Optional(_))).count();
            arity_error(&format!("tool/{}", tool.name), needed, Some(p.len()), got)
                .hint(format!("(tool/{} {})", tool.name, names.join(" ")).replace(" )", ")"))
        }
        None => {
            let words = format!("tool/{} takes one map, or nothing, got {got} arguments", tool.name);
            Error::new(ErrorKind::Arity, words).hint(takes_map(tool))
        }
    }
}

/// The error of a call of a tool without declared parameters, with a value that is no map.
pub fn tool_wants_map(tool: &ToolSpec, got: &Value) -> Error {
    let words = format!("tool/{} takes one map, or nothing, got {}", tool.name, crate::print::brief(got));
    Error::new(ErrorKind::Type, words).hint(takes_map(tool))
}

fn takes_map(tool: &ToolSpec) -> String {
    format!("a tool without declared parameters is called as (tool/{} {{:name value}})", tool.name)
}

/// Fewest and most arguments of a function value, when that is known.
pub fn arity_of(f: &Value) -> Option<(usize, Option<usize>)> {
    match f {
        Value::Function(f) => f.body()?.takes(),
        Value::Builtin(b) => Some((usize::from(b.min), b.max.map(usize::from))),
        _ => None,
    }
}

/// The parameters of a function of a program, as they were written.
pub fn params_of(f: &Value) -> Option<String> {
    match f {
        Value::Function(f) => f.body().filter(|b| b.takes().is_some()).map(|b| b.params()),
        _ => None,
    }
}

/// How a function of the language is written: `(get map key) or (get map key not-found)`, at most three of its ways.
pub fn usage(b: &Builtin) -> String {
    let name = short(b.name());
    let ways: Vec<&str> = b.params().split('|').map(str::trim).collect();
    let way = |p: &&str| if p.is_empty() { format!("({name})") } else { format!("({name} {p})") };
    let shown: Vec<String> = match ways.as_slice() {
        [a, b, .., last] => [a, b, last].into_iter().map(way).collect(),
        ways => ways.iter().map(way).collect(),
    };
    shown.join(" or ")
}

/// A full name under its usual alias.
pub fn short(name: &str) -> String {
    match name.split_once('/') {
        Some(("clojure.string", n)) => format!("str/{n}"),
        Some(("clojure.set", n)) => format!("set/{n}"),
        Some(("clojure.walk", n)) => format!("walk/{n}"),
        Some(("clojure.edn", n)) => format!("edn/{n}"),
        Some(("clojure.data.csv", n)) => format!("csv/{n}"),
        _ => name.to_string(),
    }
}
