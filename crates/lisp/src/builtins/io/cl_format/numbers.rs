//! Numbers as `cl-format` writes them: in words, in Roman numerals, with a decimal point.

const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ORDINALS: [&str; 20] = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: [&str; 22] = [
    "",
    "thousand",
    "million",
    "billion",
    "trillion",
    "quadrillion",
    "quintillion",
    "sextillion",
    "septillion",
    "octillion",
    "nonillion",
    "decillion",
    "undecillion",
    "duodecillion",
    "tredecillion",
    "quattuordecillion",
    "quindecillion",
    "sexdecillion",
    "septendecillion",
    "octodecillion",
    "novemdecillion",
    "vigintillion",
];

/// The most digits of a number that is written in words.
pub const MOST_DIGITS: usize = 3 * SCALES.len();

/// Groups of three digits, the highest first, of decimal digits.
fn thousands(digits: &str) -> Vec<usize> {
    let first = digits.len() % 3;
    let mut out = Vec::new();
    if let Some(head) = digits.get(..first).filter(|h| !h.is_empty()) {
        out.push(head.parse().unwrap_or_default());
    }
    let mut at = first;
    while let Some(group) = digits.get(at..at + 3) {
        out.push(group.parse().unwrap_or_default());
        at += 3;
    }
    out
}

fn name(of: &[&'static str], at: usize) -> &'static str {
    of.get(at).copied().unwrap_or_default()
}

/// A number below 1000 in words; nothing for 0.
fn small(n: usize, ordinal: bool) -> String {
    let (hundreds, rest) = (n / 100, n % 100);
    let mut out = String::new();
    if hundreds > 0 {
        out.push_str(name(&UNITS, hundreds));
        out.push_str(" hundred");
        if rest > 0 {
            out.push(' ');
        }
    }
    let units: &[&'static str] = if ordinal { &ORDINALS } else { &UNITS };
    match (rest, rest / 10, rest % 10) {
        (0, ..) if ordinal && hundreds > 0 => out.push_str("th"),
        (0, ..) => {}
        (1..20, ..) => out.push_str(name(units, rest)),
        (_, tens, 0) if ordinal => {
            out.push_str(name(&TENS, tens).trim_end_matches('y'));
            out.push_str("ieth");
        }
        (_, tens, unit) => {
            out.push_str(name(&TENS, tens));
            if unit > 0 {
                out.push('-');
                out.push_str(name(units, unit));
            }
        }
    }
    out
}

fn scaled(groups: &[usize], offset: usize) -> String {
    let mut parts = Vec::new();
    for (i, n) in groups.iter().enumerate() {
        let words = small(*n, false);
        if !words.is_empty() {
            let scale = name(&SCALES, groups.len() - 1 - i + offset);
            parts.push(if scale.is_empty() { words } else { format!("{words} {scale}") });
        }
    }
    parts.join(", ")
}

/// `one thousand, two hundred three`
pub fn cardinal(digits: &str, negative: bool) -> String {
    let words = scaled(&thousands(digits), 0);
    match (words.is_empty(), negative) {
        (true, _) => "zero".to_string(),
        (_, true) => format!("minus {words}"),
        (_, false) => words,
    }
}

/// `one thousand, two hundred third`
pub fn ordinal(digits: &str, negative: bool) -> String {
    let groups = thousands(digits);
    if groups.iter().all(|n| *n == 0) {
        return "zeroth".to_string();
    }
    let (last, head) = groups.split_last().map_or((0, &[][..]), |(l, h)| (*l, h));
    let (head, tail) = (scaled(head, 1), small(last, true));
    let words = match (head.is_empty(), tail.is_empty()) {
        (false, false) => format!("{head}, {tail}"),
        (false, true) => format!("{head}th"),
        _ => tail,
    };
    if negative { format!("minus {words}") } else { words }
}

/// A number from 1 to 3999 in Roman numerals; the old ones write 4 as IIII.
pub fn roman(n: usize, old: bool) -> String {
    const LETTERS: [(&str, &str, &str); 4] = [("I", "V", "X"), ("X", "L", "C"), ("C", "D", "M"), ("M", "", "")];
    let mut out = String::new();
    for (power, (one, five, ten)) in [1000, 100, 10, 1].into_iter().zip(LETTERS.iter().rev()) {
        let digit = n / power % 10;
        match digit {
            4 if !old => out.extend([*one, *five]),
            9 if !old => out.extend([*one, *ten]),
            _ => {
                if digit >= 5 {
                    out.push_str(five);
                }
                out.push_str(&one.repeat(digit % 5));
            }
        }
    }
    out
}

/// Digits in groups: `1,234,567`.
pub fn grouped(digits: &str, every: usize, with: char) -> String {
    let every = every.max(1);
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(every) {
            out.push(with);
        }
        out.push(c);
    }
    out
}

/// Digits of a number without zeros at either end, and the power of ten of the first.
pub fn parts(text: &str) -> (String, i64) {
    let text = text.to_ascii_lowercase();
    let (mantissa, power) = match text.split_once('e') {
        Some((m, e)) => (m, e.trim_start_matches('+').parse::<i64>().unwrap_or_default()),
        None => (text.as_str(), 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let power = power + whole.len() as i64 - 1;
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    let cut = kept.trim_start_matches('0');
    if cut.is_empty() {
        return ("0".to_string(), 0);
    }
    (cut.to_string(), power - (kept.len() - cut.len()) as i64)
}

/// Decimal digits as a number one larger; whether it has a digit more.
fn plus_one(digits: &str) -> (String, bool) {
    let cut = digits.trim_end_matches('9');
    let zeros = "0".repeat(digits.len() - cut.len());
    match cut.chars().next_back().and_then(|c| c.to_digit(10)) {
        Some(d) => {
            let head = cut.get(..cut.len() - 1).unwrap_or_default();
            (format!("{head}{}{zeros}", d + 1), false)
        }
        None => (format!("1{zeros}"), true),
    }
}

/// Rounds digits with their power of ten to `d` places, or to what a width of `w` has room for: the digits, and whether the
/// power is one higher.
fn rounded(digits: &str, power: i64, d: Option<i64>, w: Option<i64>) -> (String, i64, bool) {
    let width = w.map(|w| w.max(2));
    let place = match (d, width) {
        (Some(d), _) => power + d + 1,
        (None, Some(w)) if power >= 0 => (power + 1).max(w - 1),
        (None, Some(w)) => w + power,
        (None, None) => return (digits.to_string(), power, false),
    };
    let (digits, power, place) =
        if place == 0 { (format!("0{digits}"), power + 1, 1) } else { (digits.to_string(), power, place) };
    let Ok(place) = usize::try_from(place) else { return ("0".to_string(), 0, false) };
    let Some(next) = digits.as_bytes().get(place) else { return (digits, power, false) };
    let kept = digits.get(..place).unwrap_or_default();
    if *next < b'5' {
        return (kept.to_string(), power, false);
    }
    let (mut up, longer) = plus_one(kept);
    if longer {
        up.pop();
    }
    (up, power, longer)
}

/// Digits with a decimal point, and zeros up to `d` places.
fn pointed(digits: &str, power: i64, d: Option<i64>) -> String {
    let size = |n: i64| usize::try_from(n).unwrap_or_default();
    let (mut digits, power) =
        if power < 0 { (format!("{}{digits}", "0".repeat(size(-power - 1))), -1) } else { (digits.to_string(), power) };
    let length = size(power + 1 + d.unwrap_or_default());
    digits.push_str(&"0".repeat(length.saturating_sub(digits.len())));
    let at = size(power + 1);
    format!("{}.{}", digits.get(..at).unwrap_or_default(), digits.get(at..).unwrap_or_default())
}

/// How `~F` and `~$` write a number.
pub struct Fixed {
    /// The width, if there is one.
    pub width: Option<i64>,
    /// Digits after the point, if so many are asked for.
    pub digits: Option<i64>,
    /// The power of ten that it is multiplied by.
    pub scale: i64,
    /// What is written in place of a number that does not fit.
    pub overflow: Option<char>,
    /// What is written before it.
    pub pad: char,
    /// Whether a sign is always there.
    pub sign: bool,
}

impl Fixed {
    /// A number from its text without a sign.
    pub fn text(&self, text: &str, negative: bool) -> String {
        let (digits, power) = parts(text);
        let power = power + self.scale;
        let signed = self.sign || negative;
        let room = self.width.map(|w| w - i64::from(signed));
        let more_zero = self.digits.is_none() && digits.len() as i64 - 1 <= power;
        let (rounded, power, longer) = rounded(&digits, power, self.digits, room);
        let mut number = pointed(&rounded, if longer { power + 1 } else { power }, self.digits);
        if let (Some(room), Some(1..)) = (room, self.digits)
            && number.starts_with("0.")
            && number.len() as i64 > room
        {
            number.remove(0);
        }
        let (mut zero_before, mut zero_after) = (number.starts_with('.'), more_zero);
        let length = number.len() as i64 + i64::from(signed);
        let mut pad = String::new();
        if let Some(width) = self.width {
            zero_before &= length < width;
            zero_after &= length < width;
            let full = length + i64::from(zero_before || zero_after);
            let width_of = usize::try_from(width).unwrap_or_default();
            if let Some(c) = self.overflow.filter(|_| full > width) {
                return c.to_string().repeat(width_of);
            }
            pad = self.pad.to_string().repeat(usize::try_from(width - full).unwrap_or_default());
        }
        let sign = match (signed, negative) {
            (false, _) => "",
            (true, true) => "-",
            (true, false) => "+",
        };
        let zero = |there: bool| if there { "0" } else { "" };
        format!("{pad}{sign}{}{number}{}", zero(zero_before), zero(zero_after))
    }
}

/// A number with `digits` after the point and at least `before` before it, as `~$` writes it.
pub fn money(text: &str, digits: i64, before: i64) -> String {
    let (mantissa, power) = parts(text);
    let (rounded, power, longer) = rounded(&mantissa, power, Some(digits), None);
    let number = pointed(&rounded, if longer { power + 1 } else { power }, Some(digits));
    let point = number.find('.').unwrap_or_default() as i64;
    format!("{}{number}", "0".repeat(usize::try_from(before - point).unwrap_or_default()))
}
