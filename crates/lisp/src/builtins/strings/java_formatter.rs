//! `format`: Java's Formatter for the conversions that programs use (trap 9).

use crate::builtins::io::printing::str_of;
use crate::error::{ErrorKind, cut};
use crate::host::{Host, Interrupt, Result};
use crate::print::brief;
use crate::value::number_format::{java_text, shortest};
use crate::value::{Int, Value, Width};
use num_traits::{Signed, Zero};

/// Widest field and longest precision (SECURITY attack 14).
const MAX_WIDTH_CHARS: usize = 1000;

/// The text that `fmt` makes of `args`.
pub fn format(h: &mut dyn Host, fmt: &str, args: &[Value]) -> Result<String> {
    let mut out = String::new();
    let mut room = 1024;
    let (mut next, mut last) = (0, None);
    let mut rest = fmt;
    while let Some((text, spec)) = rest.split_once('%') {
        out.push_str(text);
        let (spec, after) = Spec::parse(spec)?;
        rest = after;
        let piece = match spec.conversion {
            'n' => spec.line_end()?,
            '%' => spec.percent()?,
            _ => {
                let at = match spec.index {
                    Index::Next => {
                        next += 1;
                        Some(next - 1)
                    }
                    Index::Same => last,
                    Index::At(i) => Some(i),
                };
                last = at;
                let arg = at.and_then(|i| args.get(i)).ok_or_else(|| {
                    wrong("MissingFormatArgumentException", format!("there is no argument for {}", spec.text()))
                })?;
                spec.print(h, arg)?
            }
        };
        h.charge(6 + (text.len() + piece.len()) as u64 / 64)?;
        if out.len() + piece.len() > room {
            room = (out.len() + piece.len()) * 2;
            h.reserve(room as u64)?;
        }
        out.push_str(&piece);
    }
    h.charge(rest.len() as u64 / 64)?;
    h.reserve((out.len() + rest.len()) as u64)?;
    out.push_str(rest);
    Ok(out)
}

/// Which argument.
#[derive(Clone, Copy)]
enum Index {
    /// The one after the last of this kind.
    Next,
    /// `<`: the one just printed.
    Same,
    /// `2$`
    At(usize),
}

/// Everything between `%` and the conversion.
struct Spec<'a> {
    source: &'a str,
    index: Index,
    flags: Vec<char>,
    width: Option<usize>,
    precision: Option<usize>,
    conversion: char,
    upper: bool,
}

/// Classes of errors.
const FORMAT: &str = "IllegalFormatException";
const UNKNOWN: &str = "UnknownFormatConversionException";
const PRECISION: &str = "IllegalFormatPrecisionException";

/// An error of the class that Java has for it.
#[cold]
fn wrong(class: &'static str, message: String) -> Interrupt {
    Interrupt::throw(class, ErrorKind::Value, format!("format: {message}"))
}

#[cold]
fn unknown(spec: &str) -> Interrupt {
    let shown: String = spec.chars().take(8).collect();
    wrong(UNKNOWN, format!("unknown conversion in \"%{shown}\""))
        .hint("use %d %s %f %x %o %e %g %c %b %n, and %% for a percent sign")
}

/// Leading digits as a number, if there are any, and what follows.
fn number(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    // What is too long to be read is too large as well.
    (if digits.is_empty() { None } else { Some(digits.parse().unwrap_or(usize::MAX)) }, rest)
}

impl<'a> Spec<'a> {
    /// From the text after `%`; also gives what follows it.
    fn parse(text: &'a str) -> Result<(Self, &'a str)> {
        let mut rest = text;
        let mut index = Index::Next;
        if let (Some(n), after) = number(rest)
            && let Some(after) = after.strip_prefix('$')
        {
            index = Index::At(
                n.checked_sub(1).ok_or_else(|| wrong(FORMAT, "arguments are counted from 1, not from 0".into()))?,
            );
            rest = after;
        }
        let mut flags = Vec::new();
        while let Some(flag) = rest.chars().next().filter(|c| "-#+ 0,(<".contains(*c)) {
            if flags.contains(&flag) {
                return Err(wrong("DuplicateFormatFlagsException", format!("flag {flag:?} twice")));
            }
            flags.push(flag);
            rest = rest.get(1..).unwrap_or_default();
        }
        if flags.contains(&'<') {
            index = Index::Same;
        }
        let (width, after) = number(rest);
        rest = after;
        let mut precision = None;
        if let Some(after) = rest.strip_prefix('.') {
            let (digits, after) = number(after);
            precision = Some(digits.ok_or_else(|| unknown(text))?);
            rest = after;
        }
        let letter = rest.chars().next().ok_or_else(|| unknown(text))?;
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        let upper = matches!(letter, 'S' | 'B' | 'C' | 'X' | 'E' | 'G' | 'H' | 'A');
        let conversion = if upper { letter.to_ascii_lowercase() } else { letter };
        match conversion {
            's' | 'b' | 'c' | 'd' | 'o' | 'x' | 'e' | 'f' | 'g' | 'a' | 'n' | '%' => {}
            't' | 'T' => {
                let instead = "write (.format d (DateTimeFormatter/ofPattern \"yyyy-MM-dd\")), and %s for its text";
                return Err(wrong(UNKNOWN, format!("%{letter} is not there")).hint(instead));
            }
            _ => return Err(unknown(text)),
        }
        if width.unwrap_or(0).max(precision.unwrap_or(0)) > MAX_WIDTH_CHARS {
            return Err(wrong(FORMAT, format!("a width or precision is more than {MAX_WIDTH_CHARS}")));
        }
        let source = text.get(..text.len() - after.len()).unwrap_or_default();
        let spec = Spec { source, index, flags, width, precision, conversion, upper };
        spec.check()?;
        Ok((spec, after))
    }

    fn text(&self) -> String {
        cut(format!("%{}", self.source), 100)
    }

    fn has(&self, flag: char) -> bool {
        self.flags.contains(&flag)
    }

    /// Refuses the combinations that Java refuses.
    fn check(&self) -> Result<()> {
        let allowed = match self.conversion {
            'd' => "-+ 0,(<",
            'o' | 'x' => "-#0<",
            'e' => "-#+ 0(<",
            'f' => "-#+ 0,(<",
            'g' => "-+ 0,(<",
            'a' => "-#+ 0<",
            _ => "-<",
        };
        if let Some(flag) = self.flags.iter().find(|f| !allowed.contains(**f)) {
            return Err(wrong(
                "FormatFlagsConversionMismatchException",
                format!("flag {flag:?} does not go with %{}", self.conversion),
            ));
        }
        if self.precision.is_some() && self.conversion == 'a' {
            return Err(wrong(PRECISION, "%a takes no precision here".into()).hint("%e has one"));
        }
        if self.precision.is_some() && matches!(self.conversion, 'c' | 'd' | 'o' | 'x' | 'n' | '%') {
            return Err(wrong(PRECISION, format!("%{} takes no precision", self.conversion)));
        }
        if (self.has('-') || self.has('0')) && self.width.is_none() {
            return Err(wrong("MissingFormatWidthException", format!("{} has no width", self.text())));
        }
        if (self.has('-') && self.has('0')) || (self.has('+') && self.has(' ')) {
            return Err(wrong(FORMAT, format!("flags of {} exclude each other", self.text())));
        }
        Ok(())
    }

    fn line_end(&self) -> Result<String> {
        if self.width.is_some() || !self.flags.is_empty() {
            return Err(wrong(FORMAT, "%n takes no width and no flags".into()));
        }
        Ok("\n".into())
    }

    fn percent(&self) -> Result<String> {
        Ok(self.justified("%".into()))
    }

    /// Filled up with blanks to the width.
    fn justified(&self, text: String) -> String {
        let missing = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        if missing == 0 {
            text
        } else if self.has('-') {
            text + &" ".repeat(missing)
        } else {
            " ".repeat(missing) + &text
        }
    }

    /// Text cut at the precision, in capitals if asked for.
    fn plain(&self, text: &str) -> String {
        let text = match self.precision {
            Some(n) => text.chars().take(n).collect(),
            None => text.to_string(),
        };
        self.justified(if self.upper { text.to_uppercase() } else { text })
    }

    fn print(&self, h: &mut dyn Host, arg: &Value) -> Result<String> {
        match (self.conversion, arg) {
            ('b', v) => Ok(self.plain(if v.truthy() { "true" } else { "false" })),
            (_, Value::Nil) => Ok(self.plain("null")),
            ('s', v) => {
                let text = str_of(h, v)?;
                h.charge(text.len() as u64 / 16)?;
                h.reserve(text.len() as u64 * 2)?;
                Ok(self.plain(&text))
            }
            ('a', Value::Float(f)) => Ok(self.hexadecimal(f.get())),
            ('c', Value::Char(c)) => Ok(self.plain(c.encode_utf8(&mut [0; 4]))),
            ('c', Value::Int(n)) => match u32::try_from(n.get()).ok().and_then(char::from_u32) {
                Some(c) => Ok(self.plain(c.encode_utf8(&mut [0; 4]))),
                None => Err(self.mismatch(arg)),
            },
            ('d', Value::Int(n)) => Ok(self.signed(n.get() < 0, &n.get().unsigned_abs().to_string(), "")),
            ('x', Value::Int(n)) => Ok(self.bits(
                if self.upper { format!("{:X}", bits(*n)) } else { format!("{:x}", bits(*n)) },
                if self.upper { "0X" } else { "0x" },
            )),
            ('o', Value::Int(n)) => Ok(self.bits(format!("{:o}", bits(*n)), "0")),
            ('e' | 'f' | 'g', Value::Float(f)) => {
                h.charge(64)?;
                Ok(self.float(f.get()))
            }
            ('e' | 'f' | 'g', Value::Decimal(d)) => {
                h.charge(crate::number::digits_price(d.bits()))?;
                h.reserve(d.bits())?;
                let digits = d.unscaled.magnitude().to_string().into_bytes();
                // Java shows the scale of a zero in its exponent.
                let zero = d.unscaled.is_zero() && self.conversion == 'f';
                let power = if zero { 0 } else { digits.len() as i32 - 1 - d.scale };
                Ok(self.digits(d.unscaled.is_negative(), Decimal { digits, power }))
            }
            _ => Err(self.mismatch(arg)),
        }
    }

    #[cold]
    fn mismatch(&self, arg: &Value) -> Interrupt {
        let (takes, hint) = match (self.conversion, arg) {
            ('d' | 'x' | 'o', Value::Float(_)) => ("an integer", "use %.0f or %s, or (long x)"),
            ('d' | 'x' | 'o', Value::Ratio(_) | Value::Decimal(_)) => ("an integer", "use %s, or (long x)"),
            ('d' | 'x' | 'o', Value::Big(_)) => ("a 64-bit integer", "use %s, or (long x) if it fits"),
            ('d' | 'x' | 'o', _) => ("an integer", "use %s"),
            ('c', _) => ("a character", "use %s"),
            (_, Value::Int(_)) => ("a double", "use %d, or (double x)"),
            (_, Value::Ratio(_) | Value::Big(_)) => ("a double", "use %s, or (double x)"),
            _ => ("a double", "use %s"),
        };
        wrong("IllegalFormatConversionException", format!("{} takes {takes}, got {}", self.text(), brief(arg)))
            .hint(hint)
    }

    /// The bits of an integer; zeros come between prefix and digits.
    fn bits(&self, digits: String, prefix: &str) -> String {
        let prefix = if self.has('#') { prefix } else { "" };
        let zeros = if self.has('0') { self.width.unwrap_or(0).saturating_sub(prefix.len() + digits.len()) } else { 0 };
        self.justified(format!("{prefix}{}{digits}", "0".repeat(zeros)))
    }

    /// A number with its sign, its whole part in groups if asked for, and zeros in front; `tail` is its exponent.
    fn signed(&self, negative: bool, digits: &str, tail: &str) -> String {
        let digits = if self.has(',') { grouped(digits) } else { digits.to_string() };
        let (before, after) = self.signs(negative);
        let length = before.len() + digits.len() + tail.len() + after.len();
        let zeros = if self.has('0') { self.width.unwrap_or(0).saturating_sub(length) } else { 0 };
        self.justified(format!("{before}{}{digits}{tail}{after}", "0".repeat(zeros)))
    }

    fn signs(&self, negative: bool) -> (&'static str, &'static str) {
        match negative {
            true if self.has('(') => ("(", ")"),
            true => ("-", ""),
            false if self.has('+') => ("+", ""),
            false if self.has(' ') => (" ", ""),
            false => ("", ""),
        }
    }

    fn float(&self, f: f64) -> String {
        if !f.is_finite() {
            let (before, after) = if f.is_nan() { ("", "") } else { self.signs(f < 0.0) };
            let text = format!("{before}{}{after}", java_text(f.abs()));
            return self.justified(if self.upper { text.to_uppercase() } else { text });
        }
        let (negative, digits, power) = shortest(f.into());
        self.digits(negative, Decimal { digits: digits.into_bytes(), power })
    }

    /// As Java's `Double.toHexString`.
    fn hexadecimal(&self, f: f64) -> String {
        const FRACTION: u32 = 52;
        if !f.is_finite() {
            return self.float(f);
        }
        let bits = f.to_bits();
        let (power, fraction) = ((bits >> FRACTION & 0x7ff) as i32, bits & ((1 << FRACTION) - 1));
        let (whole, power) = match (power, fraction) {
            (0, 0) => (0, 0),
            (0, _) => (0, -1022),
            _ => (1, power - 1023),
        };
        let digits = format!("{fraction:013x}");
        let digits = match digits.trim_end_matches('0') {
            "" => "0",
            digits => digits,
        };
        let (before, after) = self.signs(f.is_sign_negative());
        let number = format!("{whole}.{digits}p{power}");
        let length = before.len() + 2 + number.len() + after.len();
        let zeros = if self.has('0') { self.width.unwrap_or(0).saturating_sub(length) } else { 0 };
        let text = format!("{before}0x{}{number}{after}", "0".repeat(zeros));
        self.justified(if self.upper { text.to_uppercase() } else { text })
    }

    fn digits(&self, negative: bool, number: Decimal) -> String {
        match self.conversion {
            'f' => self.fixed(negative, &number, self.precision.unwrap_or(6)),
            'e' => self.scientific(negative, number, self.precision.unwrap_or(6)),
            _ => {
                let places = self.precision.unwrap_or(6).max(1);
                let rounded = number.rounded(places as i64);
                if rounded.power < -4 || rounded.power >= places as i32 {
                    self.scientific(negative, number, places - 1)
                } else {
                    let after = places as i64 - 1 - i64::from(rounded.power);
                    self.fixed(negative, &number, usize::try_from(after).unwrap_or(0))
                }
            }
        }
    }

    fn fixed(&self, negative: bool, number: &Decimal, places: usize) -> String {
        let mut text = number.rounded(i64::from(number.power) + 1 + places as i64).fixed(places);
        if places == 0 && self.has('#') {
            text.push('.');
        }
        self.signed(negative, &text, "")
    }

    fn scientific(&self, negative: bool, number: Decimal, places: usize) -> String {
        let number = number.rounded(places as i64 + 1);
        let power = number.power;
        let mut text = Decimal { power: 0, ..number }.fixed(places);
        if places == 0 && self.has('#') {
            text.push('.');
        }
        let letter = if self.upper { 'E' } else { 'e' };
        let sign = if power < 0 { '-' } else { '+' };
        self.signed(negative, &text, &format!("{letter}{sign}{:02}", power.abs()))
    }
}

/// A number in decimal digits; `power` is the power of ten of the first.
struct Decimal {
    digits: Vec<u8>,
    power: i32,
}

impl Decimal {
    /// Rounded half up, on these digits, to the first `keep` of them.
    fn rounded(&self, keep: i64) -> Decimal {
        let Ok(keep) = usize::try_from(keep) else {
            return Decimal { digits: vec![b'0'], power: self.power };
        };
        let mut digits = self.digits.clone();
        let up = digits.get(keep).is_some_and(|d| *d >= b'5');
        digits.truncate(keep);
        if !up {
            if digits.is_empty() {
                digits.push(b'0');
            }
            return Decimal { digits, power: self.power };
        }
        for digit in digits.iter_mut().rev() {
            if *digit < b'9' {
                *digit += 1;
                return Decimal { digits, power: self.power };
            }
            *digit = b'0';
        }
        // All nines, or nothing kept: one more digit in front.
        digits.insert(0, b'1');
        Decimal { digits, power: self.power + 1 }
    }

    /// With `places` digits after the point. It has no more than that.
    fn fixed(&self, places: usize) -> String {
        let digit = |power: i32| {
            let at = usize::try_from(self.power - power).ok();
            at.and_then(|i| self.digits.get(i)).map_or('0', |d| char::from(*d))
        };
        let mut text: String = (0..=self.power.max(0)).rev().map(digit).collect();
        if places > 0 {
            text.push('.');
            text.extend((1..=places as i32).map(|i| digit(-i)));
        }
        text
    }
}

/// The digits before the point in groups of three.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut out = String::with_capacity(number.len() * 4 / 3 + 1);
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    out + rest
}

/// The bits of an integer of its width.
fn bits(n: Int) -> u64 {
    let low = match n.width() {
        Width::W64 => u64::MAX,
        Width::W32 => u32::MAX.into(),
        Width::W16 => u16::MAX.into(),
        Width::W8 => u8::MAX.into(),
    };
    n.get().cast_unsigned() & low
}
