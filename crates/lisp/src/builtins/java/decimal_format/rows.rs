//! The rows of `DecimalFormat` and `NumberFormat`.

use super::digits::Digits;
use super::form::Form;
use super::{pattern, scan};
use crate::builtins::args::{get, int, str, take};
use crate::builtins::arrays::items::place_of;
use crate::builtins::numbers::decimals::rounding;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::core;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::number;
use crate::time::Time;
use crate::value::boxed::{CellId, Place};
use crate::value::decimal::Rounding;
use crate::value::{Builtin, Symbol, Value};

/// Most digits of a double before and behind the point.
const OF_DOUBLE: (i64, i64) = (309, 340);

const NUMBER: &str = "#,##0.###";

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "DecimalFormat.",
        "| pattern | pattern symbols",
        "How numbers are written, by a pattern: # and 0 are digits, as in #,##0.00, %, a part for negative numbers behind a semicolon, quotes.",
        &[
            ("(.format (java.text.DecimalFormat. \"#,##0.00\") 1234.5)", "\"1,234.50\""),
            ("(.format (java.text.DecimalFormat. \"0.#%;(0.#%)\") -0.125)", "\"(12.5%)\""),
            ("(java.text.DecimalFormat. \"0#0\")", "!Unexpected '0' in pattern"),
        ],
        &Body(|h, a| {
            if a.len() > 1 {
                locale(a, 1)?;
            }
            let pattern = if a.is_empty() { NUMBER } else { str(a, 0)?.as_str() };
            h.charge(pattern.len() as u64 * 2 + 20)?;
            h.reserve(pattern.len() as u64 * 4 + 1024)?;
            let form = pattern::read(pattern).map_err(wrong)?;
            place_of(h, Place::DecimalFormat, form.to_value())
        }),
    ),
    Builtin::new(
        "DecimalFormatSymbols.",
        "| locale",
        "The signs of English, which stand for themselves as their locale does.",
        &[("(.format (java.text.DecimalFormat. \"0.0\" (java.text.DecimalFormatSymbols. Locale/US)) 1)", "\"1.0\"")],
        &Body(symbols),
    ),
    Builtin::new(
        "DecimalFormatSymbols/getInstance",
        "| locale",
        "The signs of English, which stand for themselves as their locale does.",
        &[("(.format (DecimalFormat. \"0.0\" (DecimalFormatSymbols/getInstance Locale/US)) 1)", "\"1.0\"")],
        &Body(symbols),
    ),
    Builtin::new(
        "NumberFormat/getInstance",
        "| locale",
        "How numbers are written: with separators and up to three digits behind the point.",
        &[("(.format (java.text.NumberFormat/getInstance) 1234.5678)", "\"1,234.568\"")],
        &Body(|h, a| usual(h, a, NUMBER)),
    ),
    Builtin::new(
        "NumberFormat/getNumberInstance",
        "| locale",
        "As NumberFormat/getInstance.",
        &[("(.format (java.text.NumberFormat/getNumberInstance Locale/US) 1234)", "\"1,234\"")],
        &Body(|h, a| usual(h, a, NUMBER)),
    ),
    Builtin::new(
        "NumberFormat/getIntegerInstance",
        "| locale",
        "How numbers are written as integers, rounded half to even.",
        &[("(.format (java.text.NumberFormat/getIntegerInstance) 1234.5)", "\"1,234\"")],
        &Body(|h, a| usual(h, a, "#,##0")),
    ),
    Builtin::new(
        "NumberFormat/getPercentInstance",
        "| locale",
        "How numbers are written in percent.",
        &[("(.format (java.text.NumberFormat/getPercentInstance) 0.25)", "\"25%\"")],
        &Body(|h, a| usual(h, a, "#,##0%")),
    ),
    Builtin::new(
        "NumberFormat/getCurrencyInstance",
        "locale",
        "How amounts are written in dollars, of Locale/US.",
        &[("(.format (java.text.NumberFormat/getCurrencyInstance Locale/US) -1234.5)", "\"-$1,234.50\"")],
        &Body(|h, a| match get(a, 0) {
            Value::Time(t) if matches!(***t, Time::Locale(true)) => usual(h, a, "\u{a4}#,##0.00"),
            other => Err(Interrupt::argument(0, "Locale/US", other)),
        }),
    ),
    Builtin::new(
        ".setRoundingMode",
        "format mode",
        "Sets how a DecimalFormat rounds; nil.",
        &[(
            "(let [f (java.text.DecimalFormat. \"0.0\")] (.setRoundingMode f RoundingMode/HALF_UP) (.format f 0.25))",
            "\"0.3\"",
        )],
        &Body(|h, a| {
            let mode = rounding(get(a, 1))?;
            set(h, a, |form| form.rounding = mode)
        }),
    ),
    Builtin::new(
        ".setMaximumFractionDigits",
        "format n",
        "Sets the most digits behind the point; nil.",
        &[(
            "(let [f (java.text.DecimalFormat. \"0.00\")] (.setMaximumFractionDigits f 1) (.format f 1.25))",
            "\"1.2\"",
        )],
        &Body(|h, a| {
            let n = small(a)?;
            set(h, a, |form| Form::at_most(&mut form.fraction, n))
        }),
    ),
    Builtin::new(
        ".setMinimumFractionDigits",
        "format n",
        "Sets the fewest digits behind the point; nil.",
        &[("(let [f (java.text.DecimalFormat. \"0\")] (.setMinimumFractionDigits f 2) (.format f 1))", "\"1.00\"")],
        &Body(|h, a| {
            let n = small(a)?;
            set(h, a, |form| Form::at_least(&mut form.fraction, n))
        }),
    ),
    Builtin::new(
        ".setMaximumIntegerDigits",
        "format n",
        "Sets the most digits before the point; nil.",
        &[("(let [f (java.text.DecimalFormat. \"0\")] (.setMaximumIntegerDigits f 2) (.format f 1234))", "\"34\"")],
        &Body(|h, a| {
            let n = small(a)?;
            set(h, a, |form| Form::at_most(&mut form.integer, n))
        }),
    ),
    Builtin::new(
        ".setMinimumIntegerDigits",
        "format n",
        "Sets the fewest digits before the point; nil.",
        &[("(let [f (java.text.DecimalFormat. \"0\")] (.setMinimumIntegerDigits f 3) (.format f 7))", "\"007\"")],
        &Body(|h, a| {
            let n = small(a)?;
            set(h, a, |form| Form::at_least(&mut form.integer, n))
        }),
    ),
    Builtin::new(
        ".setGroupingUsed",
        "format x",
        "Sets whether separators are written; nil.",
        &[("(let [f (java.text.NumberFormat/getInstance)] (.setGroupingUsed f false) (.format f 1234))", "\"1234\"")],
        &Body(|h, a| {
            let on = get(a, 1).truthy();
            set(h, a, |form| form.group.1 = on)
        }),
    ),
    Builtin::new(
        ".setGroupingSize",
        "format n",
        "Sets how many digits there are between separators; nil.",
        &[("(let [f (java.text.DecimalFormat. \"#,##0\")] (.setGroupingSize f 2) (.format f 1234))", "\"12,34\"")],
        &Body(|h, a| {
            let n = small(a)?;
            if !(0..=127).contains(&n) {
                let words = "groupingSize must be from 0 to 127";
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
            }
            set(h, a, |form| form.group.0 = n)
        }),
    ),
    Builtin::new(
        ".setDecimalSeparatorAlwaysShown",
        "format x",
        "Sets whether the point is written where no digit is behind it; nil.",
        &[(
            "(let [f (java.text.DecimalFormat. \"0\")] (.setDecimalSeparatorAlwaysShown f true) (.format f 1))",
            "\"1.\"",
        )],
        &Body(|h, a| {
            let on = get(a, 1).truthy();
            set(h, a, |form| form.point = on)
        }),
    ),
    Builtin::new(
        ".applyPattern",
        "format pattern",
        "Has a DecimalFormat write by another pattern; nil.",
        &[("(let [f (java.text.DecimalFormat.)] (.applyPattern f \"0.0\") (.format f 1))", "\"1.0\"")],
        &Body(|h, a| {
            let pattern = str(a, 1)?.as_str();
            h.charge(pattern.len() as u64 * 2 + 20)?;
            let new = pattern::read(pattern).map_err(wrong)?;
            set(h, a, |form| *form = Form { rounding: form.rounding, integers: form.integers, ..new })
        }),
    ),
    Builtin::new(
        ".parse",
        "format text",
        "The number that a text begins with, as a DecimalFormat writes it: an integer where it is one, else a double.",
        &[
            ("(.parse (java.text.NumberFormat/getInstance) \"1,234.5 apples\")", "1234.5"),
            ("(.parse (java.text.DecimalFormat. \"0%\") \"50%\")", "0.5"),
            ("(.parse (java.text.DecimalFormat.) \"x\")", "!Unparseable number"),
        ],
        &Body(|h, a| {
            let (_, form) = of(h, a)?;
            let text = str(a, 1)?.as_str();
            h.charge(text.len() as u64 / 2 + 10)?;
            h.reserve(text.len() as u64 * 2)?;
            match scan::read(&form, text) {
                Some(scan::Read::Whole(n)) => Ok(Value::int(n)),
                Some(scan::Read::Double(f)) => Ok(Value::float(f)),
                None => {
                    let words = format!("Unparseable number: \"{}\"", crate::error::cut(text.to_owned(), 200));
                    Err(Interrupt::throw("ParseException", ErrorKind::Value, words))
                }
            }
        }),
    ),
];

#[cold]
fn wrong(words: String) -> Interrupt {
    Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words)
}

/// A locale or the signs of one: there is only English.
fn locale(a: &[Value], i: usize) -> Result<()> {
    match get(a, i) {
        Value::Time(t) if matches!(***t, Time::Locale(_)) => Ok(()),
        other => Err(Interrupt::argument(i, "Locale/US or (DecimalFormatSymbols. Locale/US)", other)),
    }
}

fn symbols(_: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() {
        return Ok(Value::time(Time::Locale(false)));
    }
    locale(a, 0)?;
    Ok(take(a, 0))
}

fn usual(h: &mut dyn Host, a: &mut [Value], pattern: &str) -> Result {
    if !a.is_empty() {
        locale(a, 0)?;
    }
    h.charge(40)?;
    h.reserve(1024)?;
    let mut form = pattern::read(pattern).map_err(wrong)?;
    form.integers = pattern == "#,##0";
    place_of(h, Place::DecimalFormat, form.to_value())
}

fn of(h: &mut dyn Host, a: &[Value]) -> Result<(CellId, Form)> {
    if let Value::Place(id) = get(a, 0)
        && id.place() == Place::DecimalFormat
        && let Some(form) = Form::of_value(&h.cell_get(*id))
    {
        h.charge(20)?;
        h.reserve(512)?;
        return Ok((*id, form));
    }
    Err(Interrupt::argument(0, "a DecimalFormat", get(a, 0)).hint(
        "(java.text.DecimalFormat. \"#,##0.00\") makes one; dates are read by (LocalDate/parse text formatter) and its kin",
    ))
}

fn small(a: &[Value]) -> Result<i64> {
    let n = int(a, 1)?;
    i32::try_from(n).map(i64::from).map_err(|_| {
        Interrupt::throw("IllegalArgumentException", ErrorKind::Value, format!("Value out of range for int: {n}"))
    })
}

fn set(h: &mut dyn Host, a: &[Value], f: impl FnOnce(&mut Form)) -> Result {
    let (id, mut form) = of(h, a)?;
    f(&mut form);
    h.cell_set(id, form.to_value());
    Ok(Value::Nil)
}

/// What a `DecimalFormat` that is the first argument writes for the second; `None` where it is none.
///
/// # Errors
/// Where the second is no number.
pub fn format(h: &mut dyn Host, a: &mut [Value]) -> Result<Option<Value>> {
    match get(a, 0) {
        Value::Place(id) if id.place() == Place::DecimalFormat => {}
        _ => return Ok(None),
    }
    let (_, mut form) = of(h, a)?;
    let places = match form.factor {
        100 => 2,
        1000 => 3,
        _ => 0,
    };
    let digits = match get(a, 1) {
        Value::Int(n) => {
            let n = i128::from(n.get()) * i128::from(form.factor);
            Digits::of_text(&n.to_string(), true)
        }
        v @ Value::Decimal(_) => plain(h, v, ".toPlainString", false)?.shifted(places),
        v if v.is_java_big() => plain(h, v, "str", true)?.shifted(places),
        v if number::is_number(v) => {
            let f = number::to_f64(h, v)? * form.factor as f64;
            if f.is_nan() {
                return Ok(Some(Value::str("NaN")));
            }
            if f.is_infinite() {
                let affixes = if f < 0.0 { &form.negative } else { &form.positive };
                return Ok(Some(Value::from(format!("{}\u{221e}{}", affixes.0, affixes.1))));
            }
            h.charge(100)?;
            form.integer = (form.integer.0.min(OF_DOUBLE.0), form.integer.1.min(OF_DOUBLE.0));
            form.fraction = (form.fraction.0.min(OF_DOUBLE.1), form.fraction.1.min(OF_DOUBLE.1));
            Digits::of_double(f)
        }
        other => {
            let words = format!("Cannot format given Object as a Number: {}", crate::print::brief(other));
            return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
        }
    };
    // Digits that are written though the number has none there.
    let least = form.integer.0.saturating_add(form.fraction.0).saturating_add(form.exponent);
    let length = u64::try_from(least).unwrap_or(u64::MAX).saturating_add(digits.len());
    h.charge(length.saturating_add(20))?;
    h.reserve(length.saturating_mul(2))?;
    match digits.written(&form) {
        Some(text) => Ok(Some(Value::from(text))),
        None => {
            let words = "Rounding needed with the rounding mode being set to RoundingMode.UNNECESSARY";
            Err(Interrupt::throw("ArithmeticException", ErrorKind::Arithmetic, words))
        }
    }
}

/// The digits that a function of the core writes for an exact number.
fn plain(h: &mut dyn Host, v: &Value, function: &str, integer: bool) -> Result<Digits> {
    let f = core(h, function)?;
    let text = h.call1(&f, v.clone())?;
    let text = text.as_str().unwrap_or_default();
    h.charge(text.len() as u64 / 2)?;
    h.reserve(text.len() as u64 * 2)?;
    Ok(Digits::of_text(text, integer))
}

/// How a `DecimalFormat` rounds, as a symbol; `None` where the argument is none.
///
/// # Errors
/// When fuel ends.
pub fn rounding_mode(h: &mut dyn Host, a: &[Value]) -> Result<Option<Value>> {
    match get(a, 0) {
        Value::Place(id) if id.place() == Place::DecimalFormat => {
            let (_, form) = of(h, a)?;
            let found = Rounding::ALL.into_iter().find(|(_, mode)| *mode == form.rounding);
            Ok(found.map(|(name, _)| Value::Symbol(Symbol::new(None, name))))
        }
        _ => Ok(None),
    }
}
