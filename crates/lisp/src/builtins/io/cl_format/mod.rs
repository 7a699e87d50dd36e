//! `clojure.pprint/cl-format`: the directives that programs write texts with. Others are refused by name.

mod directive;
mod numbers;
mod output;
mod run;

use crate::builtins::args::{get, str, take};
use crate::builtins::java::string_builder::add;
use crate::builtins::java::writers::writer_at;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::java_values::plain;
use crate::value::{Builtin, Value};
use output::Output;

const EXAMPLES: &[(&str, &str)] = &[
    ("(cl-format nil \"~d item~:p, ~5,2f\" 3 3.14159)", "\"3 items,  3.14\""),
    ("(cl-format nil \"~{~a~^, ~}\" [1 2 3])", "\"1, 2, 3\""),
    ("(cl-format nil \"~r ~:r ~@r ~:d\" 42 3 2024 1234567)", "\"forty-two third MMXXIV 1,234,567\""),
    ("(cl-format nil \"~[no~;one~:;~d~] ~(ABC~)\" 1)", "\"one abc\""),
    ("(cl-format nil \"~e\" 1.5)", "!~E"),
];

const DOC: &str = "Writes by a format string of Common Lisp: a string if writer is nil, printed if it is true, else written to it. Directives: ~A ~S ~D ~B ~O ~X ~R ~C ~F ~$ ~P ~% ~& ~~ ~T ~* ~? ~( ~[ ~{ ~^.";

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("cl-format", "writer format & args", DOC, EXAMPLES, &Body(cl_format)),
    Builtin::new("clojure.pprint/cl-format", "writer format & args", DOC, EXAMPLES, &Body(cl_format)),
];

fn cl_format(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let format = str(a, 1)?.clone();
    let printed = match get(a, 0) {
        Value::Nil | Value::Bool(false) => false,
        Value::Bool(true) => true,
        Value::Builder(_) => true,
        other => return Err(Interrupt::argument(0, "a writer, true, or nil for a string", other)),
    };
    let to = if let Value::Builder(_) = get(a, 0) { Some(writer_at(a, 0)?) } else { None };
    let args = (2..a.len()).map(|i| plain(h, take(a, i))).collect::<Result<Vec<Value>>>()?;
    let mut out = Output::default();
    run::run(h, &mut out, format.as_str(), args)?;
    if let Some(to) = to {
        add(h, to, out.text)?;
        return Ok(Value::Nil);
    }
    if printed {
        h.print(out.text)?;
        return Ok(Value::Nil);
    }
    Ok(Value::from(out.text))
}
