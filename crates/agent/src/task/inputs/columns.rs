//! Columns of a CSV file: their names, and whether their fields are numbers or text.

use super::options::{Decimal, InputOptions};
use super::rows::Cell;
use ptc_lisp::escape;
use std::collections::{HashMap, HashSet};

/// The most columns that a note names, and the most bytes of a name there.
const NAMED: (usize, usize) = (8, 60);

/// The names of columns, each of which is there once.
pub(super) struct Names {
    taken: HashSet<String>,
    /// The number that the next column of a name gets.
    next: HashMap<String, u64>,
    /// Those that got a number: what they are called in the file, and here.
    numbered: Vec<(String, String)>,
}

impl Names {
    /// Those that the header names: what has a name of its own keeps it.
    pub(super) fn of(columns: &[String]) -> Self {
        let taken = columns.iter().filter(|c| !c.is_empty()).cloned().collect();
        Names { taken, next: HashMap::new(), numbered: Vec::new() }
    }

    /// Gives each column that is called as one before it the number that it has among them: `x` again is `x-2`.
    pub(super) fn tell_apart(&mut self, columns: &mut [String]) {
        let mut seen: HashSet<String> = HashSet::new();
        for column in columns.iter_mut().filter(|c| !c.is_empty()) {
            if !seen.insert(column.clone()) {
                let name = self.numbered(column);
                self.numbered.push((std::mem::replace(column, name.clone()), name));
            }
        }
    }

    /// This name, or where it is taken the same with a number.
    pub(super) fn free(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) { name } else { self.numbered(&name) }
    }

    fn numbered(&mut self, name: &str) -> String {
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{name}-{next}");
            *next = next.saturating_add(1);
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }

    /// Which columns got a number, in words.
    pub(super) fn note(&self) -> Option<String> {
        let pairs = self.numbered.iter().map(|(was, is)| format!("{} again is {}", shown(was), shown(is)));
        listed(pairs).map(|all| format!("columns of the same name are numbered: {all}"))
    }
}

/// A text of a file, cut and in quotes.
pub(super) fn shown(text: &str) -> String {
    escape::quoted(&ptc_lisp::error::cut(text.to_owned(), NAMED.1))
}

/// The first of these, and how many more there are.
fn listed(mut all: impl Iterator<Item = String>) -> Option<String> {
    let first: Vec<String> = all.by_ref().take(NAMED.0).collect();
    let more = match all.count() {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    (!first.is_empty()).then(|| format!("{}{more}", first.join(", ")))
}

/// How a text is written that is a number in one notation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Form {
    /// It has a decimal sign or an exponent.
    fraction: bool,
    /// It has separators of thousands.
    grouped: bool,
}

/// Separators of thousands besides `,` and `.`: spaces, and the apostrophe of Switzerland.
const GROUPS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];

/// How a text is a number with this decimal sign, and `other` between thousands. A name with leading zeros is none, nor what no
/// double can hold.
fn form(text: &str, decimal: char, other: char) -> Option<Form> {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix(['-', '\u{2212}']).unwrap_or(text);
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == decimal) {
        return None;
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, e)) => (mantissa, Some(e.strip_prefix(['+', '-']).unwrap_or(e))),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let separator = whole.chars().find(|c| *c == other || GROUPS.contains(c));
    let is_whole = match separator {
        Some(c) => {
            let mut groups = whole.split(c);
            let first = groups.next().unwrap_or_default();
            digits(first) && first.len() <= 3 && groups.all(|g| digits(g) && g.len() == 3)
        }
        None => digits(whole) || (whole.is_empty() && fraction.is_some()),
    };
    let leading = whole.len() > 1 && whole.starts_with('0');
    let fits = is_whole && !leading && fraction.is_none_or(digits) && exponent.is_none_or(digits);
    let form = Form { fraction: fraction.is_some() || exponent.is_some(), grouped: separator.is_some() };
    let long = exponent.is_some() || mantissa.len() > 300;
    let finite = || !form.fraction || !long || number(text, decimal).parse::<f64>().is_ok_and(f64::is_finite);
    (fits && finite()).then_some(form)
}

/// A number of such a notation as JSON writes it.
fn number(text: &str, decimal: char) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    for c in text.chars() {
        match c {
            c if c == decimal => {
                if !out.ends_with(|c: char| c.is_ascii_digit()) {
                    out.push('0');
                }
                out.push('.');
            }
            '\u{2212}' => out.push('-'),
            '0'..='9' | '-' | '+' | 'e' | 'E' => out.push(c),
            _ => {}
        }
    }
    out
}

/// What stands for nothing in columns of numbers where nobody says.
fn is_null(text: &str) -> bool {
    ["na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", "\u{2013}", "\u{2014}", "?", "."]
        .iter()
        .any(|null| text.eq_ignore_ascii_case(null))
}

/// Whether a text is a date or a time of day, with digits alone: 2024-01-31, 31.1.2024, 1/31/24 10:15.
fn is_date(text: &str) -> bool {
    let (mut numbers, mut signs, mut last) = (0_u32, 0_u32, ' ');
    for c in text.chars() {
        match c {
            '0'..='9' => numbers = numbers.saturating_add(u32::from(!last.is_ascii_digit())),
            '-' | '/' | '.' | ':' if last.is_ascii_digit() => signs = signs.saturating_add(1),
            ' ' | 'T' | 'Z' | '+' if last.is_ascii_digit() || last == 'Z' => {}
            _ => return false,
        }
        last = c;
    }
    numbers >= 3 && signs >= 2 || (numbers == 2 && text.contains(':'))
}

/// Whether a cell looks like data and not like the name of a column.
pub(super) fn is_data(cell: &str) -> bool {
    let cell = cell.trim();
    form(cell, '.', ',').is_some() || form(cell, ',', '.').is_some() || is_date(cell)
}

/// What the fields of a column are that were looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// Fields that are not empty and stand for something.
    filled: u64,
    /// Those among them that are numbers with a decimal point, with a decimal comma, as JSON writes them, and with either.
    point: u64,
    comma: u64,
    plain: u64,
    either: u64,
    dates: u64,
    /// Whether one has a decimal sign or an exponent, read with a point or a comma.
    fraction: (bool, bool),
    /// Fields that may stand for nothing, and the first.
    nulls: u64,
    null: Option<String>,
    /// The first that is no number in any notation, and its line.
    other: Option<(String, usize)>,
    /// The first that has a meaning beyond JSON.
    localised: Option<String>,
}

impl Column {
    /// Looks at a field.
    pub(super) fn add(&mut self, field: &str, line: usize, options: &InputOptions) {
        let text = field.trim();
        match &options.null {
            _ if text.is_empty() => return,
            Some(nulls) if nulls.iter().any(|n| n == text) => return,
            None if is_null(text) => {
                self.nulls = self.nulls.saturating_add(1);
                self.null.get_or_insert_with(|| field.to_owned());
                return;
            }
            _ => {}
        }
        let one = |is: bool| u64::from(is);
        let (point, comma) = (form(text, '.', ','), form(text, ',', '.'));
        let plain = point.is_some_and(|p| !p.grouped);
        self.filled = self.filled.saturating_add(1);
        self.point = self.point.saturating_add(one(point.is_some()));
        self.comma = self.comma.saturating_add(one(comma.is_some()));
        self.plain = self.plain.saturating_add(one(plain));
        self.either = self.either.saturating_add(one(point.is_some() || comma.is_some()));
        self.fraction.0 |= point.is_some_and(|p| p.fraction);
        self.fraction.1 |= comma.is_some_and(|c| c.fraction);
        if point.is_none() && comma.is_none() {
            self.dates = self.dates.saturating_add(one(is_date(text)));
            self.other.get_or_insert_with(|| (field.to_owned(), line));
        } else if text.contains([',', '.']) || !plain {
            let told = self.localised.as_ref().is_none_or(|l| comma.is_none() || l.len() < field.len());
            if told {
                self.localised = Some(field.to_owned());
            }
        }
    }

    /// Whether nothing is in any field.
    pub(super) fn is_empty(&self) -> bool {
        self.filled == 0 && self.nulls == 0
    }

    /// Whether all are numbers or all are dates, as a first row of data would be.
    pub(super) fn is_data(&self) -> bool {
        self.filled == 0 || self.either == self.filled || self.dates == self.filled
    }

    fn all(&self, some: u64) -> bool {
        self.filled > 0 && some == self.filled
    }
}

/// How the fields of a column become cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Numbers with this decimal sign, all with a fraction or none.
    Numbers { decimal: char, fraction: bool },
    /// Texts.
    Text,
}

impl Kind {
    /// The cell of a field.
    pub(super) fn cell(self, field: &str, options: &InputOptions) -> Cell {
        let text = field.trim();
        let is_said = |t: &str| options.null.as_ref().is_some_and(|nulls| nulls.iter().any(|n| n == t));
        match self {
            Kind::Text if is_said(text) => Cell::Null,
            Kind::Text => Cell::Text(field.to_owned()),
            Kind::Numbers { .. } if text.is_empty() || is_said(text) => Cell::Null,
            Kind::Numbers { .. } if options.null.is_none() && is_null(text) => Cell::Null,
            Kind::Numbers { decimal, fraction } => {
                let mut number = number(text, decimal);
                if fraction && !number.contains(['.', 'e', 'E']) {
                    number.push_str(".0");
                }
                Cell::Number(number)
            }
        }
    }
}

/// The kinds of columns, and what was guessed of them. `names` are those of the columns, `delimiter` separates fields.
pub(super) fn kinds(
    columns: &[Column],
    names: &[String],
    delimiter: char,
    options: &InputOptions,
) -> (Vec<Kind>, Vec<String>) {
    let only = |c: &Column, one: u64, other: u64| c.all(one) && !c.all(other);
    // What a column says that has one reading holds for those that have two.
    let sure =
        |comma: bool| columns.iter().any(|c| if comma { only(c, c.comma, c.point) } else { only(c, c.point, c.comma) });
    let (commas, points) = (sure(true), sure(false));
    let seen = match (options.decimal, commas, points) {
        (Some(Decimal::Comma), ..) | (None, true, false) => Some(','),
        (Some(_), ..) | (None, false, true) => Some('.'),
        _ => None,
    };
    let local = if delimiter == ';' { ',' } else { '.' };
    let (mut kinds, mut localised, mut nulls, mut texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (column, name) in columns.iter().zip(names) {
        let (point, comma, plain) = (column.all(column.point), column.all(column.comma), column.all(column.plain));
        let decimal = match options.decimal {
            Some(Decimal::Plain) => plain.then_some('.'),
            Some(Decimal::Comma) => comma.then_some(','),
            Some(Decimal::Point) => point.then_some('.'),
            None => match (point, comma) {
                (true, true) if plain => Some(seen.unwrap_or('.')),
                (true, true) => Some(seen.unwrap_or(local)),
                (true, false) => Some('.'),
                (false, true) => Some(','),
                (false, false) => None,
            },
        };
        let Some(decimal) = decimal else {
            kinds.push(Kind::Text);
            // Of a column of numbers with a few other fields, these are most likely words for nothing.
            let few = column.filled.saturating_sub(column.either);
            let zeros = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
            if let Some((text, line)) = column.other.as_ref().filter(|(t, _)| !zeros(t.trim()))
                && few.saturating_mul(9) <= column.either
                && options.decimal.is_none()
            {
                texts.push(format!("{} (line {line}: {})", shown(name), shown(text)));
            }
            continue;
        };
        kinds.push(Kind::Numbers {
            decimal,
            fraction: if decimal == ',' { column.fraction.1 } else { column.fraction.0 },
        });
        if let Some(null) = &column.null {
            nulls.push(format!("{} ({})", shown(name), shown(null)));
        }
        // A point that may separate thousands is told in a file that may be of a place that writes so.
        let ambiguous = comma && local == ',' && seen.is_none();
        if let Some(text) =
            column.localised.as_ref().filter(|_| options.decimal.is_none() && (!plain || decimal == ',' || ambiguous))
        {
            localised.push(format!("{} ({} as {})", shown(name), shown(text), number(text.trim(), decimal)));
        }
    }
    let notes = [
        listed(localised.into_iter())
            .map(|all| format!("numbers were read by a guess of their decimal sign in {all}, decimal changes it")),
        listed(nulls.into_iter()).map(|all| format!("fields were read as nothing in {all}, null changes it")),
        listed(texts.into_iter())
            .map(|all| format!("a few fields make columns of numbers text: {all}, null reads such fields as nothing")),
    ];
    (kinds, notes.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_both_notations() {
        let told = |text: &str| {
            let of = |decimal, other| form(text, decimal, other).map_or("-".to_owned(), |_| number(text, decimal));
            format!("{} {}", of('.', ','), of(',', '.'))
        };
        for (text, expected) in [
            ("0", "0 0"),
            ("-12.50", "-12.50 -"),
            ("1,5", "- 1.5"),
            ("1,234", "1234 1.234"),
            ("1.234", "1.234 1234"),
            ("1.234,56", "- 1234.56"),
            ("1,234.56", "1234.56 -"),
            ("1.234.567", "- 1234567"),
            ("-1 234,5", "- -1234.5"),
            ("1\u{202f}234\u{a0}567", "- -"),
            ("\u{2212}1'234.50", "-1234.50 -"),
            (".5", "0.5 -"),
            ("-,5", "- -0.5"),
            ("1e5", "1e5 1e5"),
            ("1,5E+03", "- 1.5E+03"),
            ("1e999", "- -"),
            ("007", "- -"),
            ("0.5", "0.5 -"),
            ("5.", "- -"),
            ("+5", "- -"),
            ("12,34", "- 12.34"),
            ("12,34,567", "- -"),
            ("1_000", "- -"),
            ("", "- -"),
            ("-", "- -"),
            (".", "- -"),
            ("e5", "- -"),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
        for (text, date) in [
            ("2024-01-31", true),
            ("31.1.24", true),
            ("1/31/2024 10:15", true),
            ("2024-01-31T10:15:00Z", true),
            ("10:15", true),
            ("2024", false),
            ("a-b-c", false),
            ("1.5", false),
            ("--", false),
            ("12-", false),
        ] {
            assert_eq!(is_date(text), date, "{text}");
        }
    }
}
