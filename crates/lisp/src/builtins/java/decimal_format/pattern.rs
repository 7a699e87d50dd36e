//! The patterns of `DecimalFormat`: `#,##0.00;(#)`.

use super::form::{Form, MANY};
use crate::value::decimal::Rounding;

/// What a part of a pattern has said so far.
#[derive(Default)]
struct Part {
    left: i64,
    zeros: i64,
    right: i64,
    point: Option<i64>,
    /// Digits since the last comma.
    group: Option<i64>,
    exponent: i64,
    prefix: String,
    suffix: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Prefix,
    Number,
    Suffix,
}

/// Reads a pattern.
///
/// # Errors
/// What is wrong with it, as Java says it.
pub fn read(pattern: &str) -> Result<Form, String> {
    let quoted = |words: &str| format!("{words} \"{pattern}\"");
    let all: Vec<char> = pattern.chars().collect();
    let (mut parts, mut at, mut factor) = (Vec::new(), 0, 1);
    while parts.len() < 2 && at < all.len() {
        let (part, next, times) = read_part(&all, at, parts.is_empty(), &quoted)?;
        if parts.is_empty() {
            factor = times;
        }
        at = next;
        parts.push(part);
    }
    let mut parts = parts.into_iter();
    let Some(mut first) = parts.next() else {
        return Ok(Form {
            positive: Default::default(),
            negative: ("-".into(), String::new()),
            integer: (0, MANY),
            fraction: (0, MANY),
            group: (3, true),
            factor: 1,
            exponent: 0,
            point: false,
            rounding: Rounding::HalfEven,
            integers: false,
        });
    };
    if first.zeros == 0
        && first.left > 0
        && let Some(point) = first.point
    {
        // `#.##` and `.##`: one of the digits is written at least.
        let n = point.max(1);
        first.right = first.left - n;
        first.left = n - 1;
        first.zeros = 1;
    }
    let (left, zeros) = (first.left, first.zeros);
    let total = left + zeros + first.right;
    let wrong = match first.point {
        None => first.right > 0,
        Some(point) => point < left || point > left + zeros,
    };
    if wrong || first.group == Some(0) {
        return Err(quoted("Malformed pattern"));
    }
    let least = first.point.unwrap_or(total) - left;
    let mut fraction = (0, 0);
    if let Some(point) = first.point {
        fraction = ((left + zeros - point).max(0), total - point);
    }
    let positive = (first.prefix, first.suffix);
    let usual = (format!("-{}", positive.0), positive.1.clone());
    let negative = match parts.next() {
        Some(second) if (&second.prefix, &second.suffix) != (&positive.0, &positive.1) => {
            (second.prefix, second.suffix)
        }
        _ => usual,
    };
    Ok(Form {
        positive,
        negative,
        integer: (least, if first.exponent > 0 { left + least } else { MANY }),
        fraction,
        group: (first.group.unwrap_or(0), first.group.is_some_and(|n| n > 0)),
        factor,
        exponent: first.exponent,
        point: first.point == Some(0) || first.point == Some(total),
        rounding: Rounding::HalfEven,
        integers: false,
    })
}

/// Reads one of the two parts from a character on: the part, where it ends and what it multiplies by.
fn read_part(
    all: &[char],
    mut at: usize,
    first: bool,
    quoted: &dyn Fn(&str) -> String,
) -> Result<(Part, usize, i64), String> {
    let (mut part, mut phase, mut in_quote, mut factor) = (Part::default(), Phase::Prefix, false, 1);
    while let Some(&c) = all.get(at) {
        at += 1;
        if phase == Phase::Number {
            // Of the second part only what is around the number counts.
            if !first {
                if matches!(c, '#' | '0' | ',' | '.') {
                    continue;
                }
                (phase, at) = (Phase::Suffix, at - 1);
                continue;
            }
            match c {
                '#' if part.zeros > 0 => part.right += 1,
                '#' => part.left += 1,
                '0' if part.right > 0 => return Err(quoted("Unexpected '0' in pattern")),
                '0' => part.zeros += 1,
                ',' => part.group = Some(0),
                '.' if part.point.is_some() => return Err(quoted("Multiple decimal separators in pattern")),
                '.' => part.point = Some(part.left + part.zeros + part.right),
                'E' => {
                    while all.get(at) == Some(&'0') {
                        part.exponent += 1;
                        at += 1;
                    }
                    if part.left + part.zeros < 1 || part.exponent < 1 {
                        return Err(quoted("Malformed exponential pattern"));
                    }
                    phase = Phase::Suffix;
                }
                _ => (phase, at) = (Phase::Suffix, at - 1),
            }
            if matches!(c, '#' | '0') && part.point.is_none() {
                part.group = part.group.map(|n| n + 1);
            }
            continue;
        }
        let doubled = all.get(at) == Some(&c);
        let mut put =
            |text: &str| if phase == Phase::Prefix { part.prefix.push_str(text) } else { part.suffix.push_str(text) };
        match c {
            '\'' if doubled => {
                put("'");
                at += 1;
            }
            '\'' => in_quote = !in_quote,
            c if in_quote => put(c.encode_utf8(&mut [0; 4])),
            '#' | '0' | ',' | '.' => (phase, at) = (Phase::Number, at - 1),
            '\u{a4}' if doubled => {
                put("USD");
                at += 1;
            }
            '\u{a4}' => put("$"),
            '%' | '\u{2030}' if factor != 1 => return Err(quoted("Too many percent/per mille characters in pattern")),
            '%' | '\u{2030}' => {
                factor = if c == '%' { 100 } else { 1000 };
                put(c.encode_utf8(&mut [0; 4]));
            }
            ';' if phase == Phase::Prefix || !first => return Err(quoted("Unquoted special character ';' in pattern")),
            ';' => return Ok((part, at, factor)),
            c => put(c.encode_utf8(&mut [0; 4])),
        }
    }
    if in_quote {
        return Err(quoted("Malformed pattern"));
    }
    Ok((part, at, factor))
}
