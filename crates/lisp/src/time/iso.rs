//! The forms that Java has as constants.

use super::names::Width;
use super::part::{Names, Number, Part, Sign};
use super::pattern::{Builder, fixed};
use super::unit::Field;

/// Their names.
pub(super) const NAMES: &[&str] = &[
    "BASIC_ISO_DATE",
    "ISO_DATE",
    "ISO_DATE_TIME",
    "ISO_INSTANT",
    "ISO_LOCAL_DATE",
    "ISO_LOCAL_DATE_TIME",
    "ISO_LOCAL_TIME",
    "ISO_OFFSET_DATE",
    "ISO_OFFSET_DATE_TIME",
    "ISO_OFFSET_TIME",
    "ISO_ORDINAL_DATE",
    "ISO_TIME",
    "ISO_WEEK_DATE",
    "ISO_ZONED_DATE_TIME",
    "RFC_1123_DATE_TIME",
];

fn literal(text: &str) -> Part {
    Part::Literal(text.into())
}

/// A year of four to ten digits.
fn iso_year(f: Field) -> Part {
    Part::Value { number: Number::Field(f), min: 4, max: 10, sign: Sign::ExceedsPad, next: 0 }
}

fn date() -> Vec<Part> {
    vec![iso_year(Field::Year), literal("-"), fixed(Field::MonthOfYear, 2), literal("-"), fixed(Field::DayOfMonth, 2)]
}

fn time() -> Vec<Part> {
    let seconds = vec![
        literal(":"),
        fixed(Field::SecondOfMinute, 2),
        Part::Optional(vec![Part::Fraction { min: 0, max: 9, point: true, next: 0 }]),
    ];
    vec![fixed(Field::HourOfDay, 2), literal(":"), fixed(Field::MinuteOfHour, 2), Part::Optional(seconds)]
}

fn date_time() -> Vec<Part> {
    [date(), vec![literal("T")], time()].concat()
}

/// What an `Instant` is read by.
pub(super) fn instant_parts() -> Vec<Part> {
    let mut parts = date();
    parts.push(literal("T"));
    parts.extend([fixed(Field::HourOfDay, 2), literal(":"), fixed(Field::MinuteOfHour, 2), literal(":")]);
    parts.extend([
        fixed(Field::SecondOfMinute, 2),
        Part::Fraction { min: 0, max: 9, point: true, next: 0 },
        offset(false),
    ]);
    parts
}

fn offset(lenient: bool) -> Part {
    Part::Offset { form: 6, zero: "Z", lenient }
}

fn region() -> Part {
    Part::Optional(vec![literal("["), Part::Zone { region: true }, literal("]")])
}

fn rfc() -> Vec<Part> {
    let text = |names| Part::Text { names, width: Width::Short };
    let seconds = vec![literal(":"), fixed(Field::SecondOfMinute, 2)];
    let day = Part::Value { number: Number::Field(Field::DayOfMonth), min: 1, max: 2, sign: Sign::None, next: 0 };
    vec![
        Part::Optional(vec![text(Names::Days), literal(", ")]),
        day,
        literal(" "),
        text(Names::Months),
        literal(" "),
        fixed(Field::Year, 4),
        literal(" "),
        fixed(Field::HourOfDay, 2),
        literal(":"),
        fixed(Field::MinuteOfHour, 2),
        Part::Optional(seconds),
        literal(" "),
        Part::Offset { form: 3, zero: "GMT", lenient: true },
    ]
}

/// The pieces of a constant, and whether it is strict about days.
pub(super) fn parts(name: &str) -> Option<(Vec<Part>, bool)> {
    let with = |mut parts: Vec<Part>, more: Part| {
        parts.push(more);
        parts
    };
    Some((
        match name {
            "ISO_LOCAL_DATE" => date(),
            "ISO_LOCAL_TIME" => time(),
            "ISO_LOCAL_DATE_TIME" => date_time(),
            "ISO_DATE" => with(date(), Part::Optional(vec![offset(false)])),
            "ISO_TIME" => with(time(), Part::Optional(vec![offset(false)])),
            "ISO_OFFSET_DATE" => with(date(), offset(false)),
            "ISO_OFFSET_TIME" => with(time(), offset(false)),
            "ISO_OFFSET_DATE_TIME" => with(date_time(), offset(true)),
            "ISO_ZONED_DATE_TIME" => with(with(date_time(), offset(true)), region()),
            "ISO_DATE_TIME" => with(date_time(), Part::Optional(vec![offset(false), region()])),
            "ISO_INSTANT" => vec![Part::Instant],
            "ISO_ORDINAL_DATE" => vec![
                iso_year(Field::Year),
                literal("-"),
                fixed(Field::DayOfYear, 3),
                Part::Optional(vec![offset(false)]),
            ],
            "ISO_WEEK_DATE" => vec![
                iso_year(Field::WeekBasedYear),
                literal("-W"),
                fixed(Field::WeekOfWeekBasedYear, 2),
                literal("-"),
                fixed(Field::DayOfWeek, 1),
                Part::Optional(vec![offset(false)]),
            ],
            "BASIC_ISO_DATE" => {
                let mut all = Builder::new();
                all.number(fixed(Field::Year, 4));
                all.number(fixed(Field::MonthOfYear, 2));
                all.number(fixed(Field::DayOfMonth, 2));
                all.add(Part::Optional(vec![Part::Offset { form: 5, zero: "Z", lenient: true }]));
                all.finish()
            }
            "RFC_1123_DATE_TIME" => return Some((rfc(), false)),
            // What `parse` of these classes reads.
            "YearMonth" => vec![iso_year(Field::Year), literal("-"), fixed(Field::MonthOfYear, 2)],
            "Year" => vec![iso_year(Field::Year)],
            "MonthDay" => {
                vec![literal("--"), fixed(Field::MonthOfYear, 2), literal("-"), fixed(Field::DayOfMonth, 2)]
            }
            _ => return None,
        },
        true,
    ))
}
