//! `DateTimeFormatter`: how one is made, and what it prints.

use super::arguments::{RULES, WORK, made, of, text, thrown, time, wrong};
use super::dates::formatter;
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::time::Time;
use crate::time::formatter::Formatter;
use crate::value::{Builtin, Value};
use std::sync::Arc;

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("DateTimeFormatter/ofPattern", "pattern | pattern locale", "The form of dates and times that a pattern of letters says, with English names.",
        &[("(.format (LocalDate/of 2024 1 31) (DateTimeFormatter/ofPattern \"dd MMM yyyy\"))", "\"31 Jan 2024\""), ("(DateTimeFormatter/ofPattern \"foo\")", "!Unknown pattern letter: f")],
        &Body(of_pattern)),
    Builtin::new(".format", "time formatter | formatter time", "A date or time in the form of a DateTimeFormatter.",
        &[("(.format (LocalTime/of 15 5) (DateTimeFormatter/ofPattern \"h:mm a\"))", "\"3:05 PM\"")],
        &Body(format)),
    Builtin::new(".withLocale", "formatter locale", "The DateTimeFormatter itself: names are in English.", &[("(.format (.withLocale (DateTimeFormatter/ofPattern \"MMM\") Locale/US) (LocalDate/of 2024 1 31))", "\"Jan\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            english(a, 1)?;
            Ok(Value::time(Time::Formatter(formatter(a, 0)?)))
        })),
    Builtin::new(".withResolverStyle", "formatter style", "The DateTimeFormatter with ResolverStyle/STRICT, which refuses days that are not there, or ResolverStyle/SMART.",
        &[("(LocalDate/parse \"2023-02-29\" (.withResolverStyle (DateTimeFormatter/ofPattern \"uuuu-MM-dd\") ResolverStyle/STRICT))", "!is not a leap year")],
        &Body(|h, a| {
            let form = formatter(a, 0)?;
            h.charge(WORK + form.size())?;
            let strict = of(a, 1, "ResolverStyle/STRICT or ResolverStyle/SMART", |t| if let Time::Resolver(s) = t { Some(*s) } else { None })?;
            Ok(Value::time(Time::Formatter(Arc::new(form.with_strict(strict)))))
        })),
];

fn english(a: &[Value], i: usize) -> Result<()> {
    of(
        a,
        i,
        "Locale/ENGLISH or Locale/US: names are in English",
        |t| if let Time::Locale(_) = t { Some(()) } else { None },
    )
}

fn of_pattern(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() > 1 {
        english(a, 1)?;
    }
    let pattern = text(h, a, 0)?;
    h.charge(pattern.len() as u64 * 4)?;
    h.reserve(pattern.len().min(1024) as u64 * 64)?;
    made(Formatter::of_pattern(pattern).map(|f| Time::Formatter(Arc::new(f))))
}

fn format(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let turned = matches!(get(a, 0), Value::Time(t) if matches!(***t, Time::Formatter(_)));
    let (at, form) = if turned { (1, 0) } else { (0, 1) };
    let form = formatter(a, form)?;
    h.charge(WORK * 3 + form.size() * 2 + RULES)?;
    h.reserve(form.size() * 20)?;
    match time(a, at)? {
        Time::Instant(_) if !turned => {
            Err(wrong(a, at, "a date or time with a method .format; of an Instant (.format formatter instant) is one"))
        }
        Time::Inst(_) => Err(wrong(a, at, "a date or time of java.time: (.toInstant inst) is one")),
        t => form.format(t).map(Value::from).map_err(thrown),
    }
}
