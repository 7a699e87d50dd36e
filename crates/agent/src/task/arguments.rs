//! Arguments of an act's tool input, held against what the tool declares before the call is made.

use crate::error::ErrorText;
use crate::error_text;
use ptc_lisp::interface::ToolSpec;
use ptc_lisp::limits::Limits;
use ptc_lisp::suggest::did_you_mean;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_lisp::{escape, json};
use serde_json::Value as Data;

/// Whether a tool takes these arguments, an object; a tool that declares no parameters takes any.
///
/// # Errors
/// Names the tool and the parameter, in one line: the first that is wrong.
pub(crate) fn check(spec: &ToolSpec, args: &Data) -> Result<(), ErrorText> {
    faults(spec, args).into_iter().next().map_or(Ok(()), Err)
}

/// All that is wrong with arguments, a line each.
pub(super) fn faults(spec: &ToolSpec, args: &Data) -> Vec<ErrorText> {
    let (Some(params), Some(args)) = (&spec.params, args.as_object()) else { return Vec::new() };
    let tool = escape::line(&spec.name);
    let names: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
    let mut out = Vec::new();
    for odd in args.keys().filter(|k| !names.contains(&k.as_str())) {
        let hint = match (did_you_mean(odd, names.iter().copied()), names.as_slice()) {
            (Some(near), _) => format!("did you mean {}?", escape::line(near)),
            (None, []) => "it takes none".to_owned(),
            (None, _) => format!("its parameters are {}", escape::line(&names.join(", "))),
        };
        out.push(error_text!("the tool {tool} has no parameter {}", escape::quoted(odd); "{hint}"));
    }
    for p in params {
        let name = escape::line(&p.name);
        let fault = match args.get(&p.name) {
            None if matches!(p.shape, Type::Optional(_)) => None,
            None => Some(error_text!("the tool {tool} needs the parameter {name}"; "add it to args")),
            Some(data) => match value(data) {
                Err(e) => Some(format!("the tool {tool}: {name}: {e}").into()),
                Ok(value) => {
                    let wrong = p.shape.check_as(&name, &value).err();
                    wrong.map(|e| format!("the tool {tool}: {}", escape::line(&e)).into())
                }
            },
        };
        out.extend(fault);
    }
    out
}

/// Data as programs see it.
fn value(data: &Data) -> Result<Value, String> {
    json::parse_text(&data.to_string(), &Limits::default()).map_err(|e| e.message)
}
