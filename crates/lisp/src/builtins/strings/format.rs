//! `format` and `printf`.

use super::java_formatter;
use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::seq::{Iter, realise};
use crate::value::{Builtin, Value};

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "format",
        "fmt & args",
        "A string made by Java's format: %s any value, %d integers, %f %.2f %e %g doubles, %x %o %c %b, %n line end, %% percent; width and the flags - 0 + , ( go before.",
        &[
            ("(format \"%s is %d\" \"x\" 5)", "\"x is 5\""),
            ("(format \"%.2f\" 3.14159)", "\"3.14\""),
            ("(format \"%5d|%-5d|%05d\" 42 42 42)", "\"   42|42   |00042\""),
            ("(format \"%,d\" 1234567)", "\"1,234,567\""),
            ("(format \"%d\" 1.0)", "!takes an integer"),
        ],
        &Body(format_row),
    ),
    Builtin::new(
        "printf",
        "fmt & args",
        "Prints what format makes.",
        &[("(with-out-str (printf \"%d!\" 5))", "\"5!\"")],
        &Body(printf),
    ),
    Builtin::new(
        "String/format",
        "fmt & args",
        "The same as format; a single vector or list stands for the arguments in it.",
        &[("(String/format \"%d %d\" [1 2])", "\"1 2\"")],
        &Body(string_format),
    ),
];

fn made(h: &mut dyn Host, a: &mut [Value]) -> Result<String> {
    let fmt = args::take(a, 0);
    let Value::Str(text) = &fmt else { return Err(crate::host::Interrupt::argument(0, "a string", &fmt)) };
    for v in a.iter() {
        realise(h, v)?;
    }
    java_formatter::format(h, text.as_str(), a.get(1..).unwrap_or_default())
}

fn format_row(h: &mut dyn Host, a: &mut [Value]) -> Result {
    made(h, a).map(Value::from)
}

fn printf(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let text = made(h, a)?;
    h.print(text)?;
    Ok(Value::Nil)
}

fn string_format(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() != 2 || !args::get(a, 1).is_sequential() {
        return format_row(h, a);
    }
    let fmt = args::take(a, 0);
    let mut all = vec![fmt];
    all.extend(Iter::arg(a, 1)?.collect(h)?);
    format_row(h, &mut all)
}
