//! Numbers read as a `DecimalFormat` writes them.

use super::form::Form;

/// What was read.
pub enum Read {
    /// A whole number that a long has room for.
    Whole(i64),
    /// Any other.
    Double(f64),
}

/// The number that a text begins with; `None` where it begins with none.
pub fn read(form: &Form, text: &str) -> Option<Read> {
    let fits = |affix: &str| text.starts_with(affix);
    let (mut plus, mut minus) = (fits(&form.positive.0), fits(&form.negative.0));
    (plus, minus) = longer((plus, &form.positive.0), (minus, &form.negative.0));
    let prefix = if plus {
        &form.positive.0
    } else if minus {
        &form.negative.0
    } else {
        return None;
    };
    let mut rest = text.get(prefix.len()..)?;
    let number = if let Some(behind) = rest.strip_prefix('\u{221e}') {
        rest = behind;
        f64::INFINITY.to_string()
    } else {
        let (number, behind) = digits(form, rest)?;
        rest = behind;
        number
    };
    if plus {
        plus = rest.starts_with(&form.positive.1);
    }
    if minus {
        minus = rest.starts_with(&form.negative.1);
    }
    (plus, minus) = longer((plus, &form.positive.1), (minus, &form.negative.1));
    if plus == minus {
        return None;
    }
    let factor = form.factor;
    if let Ok(whole) = number.parse::<i64>()
        && whole % factor == 0
        && !(whole == 0 && minus)
    {
        let whole = whole / factor;
        return Some(Read::Whole(if minus { -whole } else { whole }));
    }
    let double = number.parse::<f64>().ok()? / factor as f64;
    let double = if minus { -double } else { double };
    let whole = double as i64;
    if whole as f64 == double && !(double == 0.0 && double.is_sign_negative()) && double.abs() < i64::MAX as f64 {
        return Some(Read::Whole(whole));
    }
    Some(Read::Double(double))
}

/// Of two affixes that both fit only the longer one does; both where they are as long.
fn longer((plus, positive): (bool, &str), (minus, negative): (bool, &str)) -> (bool, bool) {
    let (p, n) = (positive.len(), negative.len());
    if plus && minus { (p >= n, n >= p) } else { (plus, minus) }
}

/// Digits with a point, separators left out, and an exponent; and what is behind them.
fn digits<'t>(form: &Form, text: &'t str) -> Option<(String, &'t str)> {
    let (mut out, mut seen, mut end, mut point) = (String::new(), false, 0, false);
    // Separators and the point count when a digit follows.
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(c) = bytes.get(at) {
        match c {
            b'0'..=b'9' => {
                out.push(char::from(*c));
                (seen, at) = (true, at + 1);
                end = at;
            }
            b'.' if !point && !form.integers => {
                out.push('.');
                (point, at) = (true, at + 1);
                end = at;
            }
            b',' if form.group.1 && !point => at += 1,
            b'E' if seen => {
                let sign = usize::from(bytes.get(at + 1) == Some(&b'-'));
                let from = at + 1 + sign;
                let n = bytes.get(from..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).count();
                if n > 0 {
                    out.push_str(text.get(at..from + n)?);
                    end = from + n;
                }
                break;
            }
            _ => break,
        }
    }
    if !seen {
        return None;
    }
    if out.ends_with('.') {
        out.pop();
    }
    if out.starts_with('.') {
        out.insert(0, '0');
    }
    Some((out.replace(".E", "E"), text.get(end..)?))
}
