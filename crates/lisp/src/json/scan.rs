//! The small parts of JSON text: strings, numbers, words.

use super::read::{FIELDS, Parser};
use crate::error::ErrorKind;
use crate::host::{Interrupt, Result};
use crate::value::Value;
use num_bigint::BigInt;

impl Parser<'_, '_> {
    /// Where the characters that stand for themselves end.
    #[inline]
    pub(super) fn plain(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let mut chunks = rest.chunks_exact(8);
        let mut n = 0;
        for chunk in &mut chunks {
            let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
            // Bit 7 of each byte that is a quote, a backslash or below a blank; higher bytes may be marked wrongly
            // after a right one, the lowest mark is always right.
            let zero = |w: u64| w.wrapping_sub(0x0101_0101_0101_0101) & !w & 0x8080_8080_8080_8080;
            let below = word.wrapping_sub(0x2020_2020_2020_2020) & !word & 0x8080_8080_8080_8080;
            let marks = zero(word ^ 0x2222_2222_2222_2222) | zero(word ^ 0x5c5c_5c5c_5c5c_5c5c) | below;
            if marks != 0 {
                return self.at + n + (marks.trailing_zeros() / 8) as usize;
            }
            n += 8;
        }
        let tail = chunks.remainder();
        self.at + n + tail.iter().position(|b| *b == b'"' || *b == b'\\' || *b < 0x20).unwrap_or(tail.len())
    }

    /// A string, whose opening quote has been read.
    #[inline]
    pub(super) fn string(&mut self) -> Result {
        let end = self.plain();
        if self.text.as_bytes().get(end) == Some(&b'"') {
            let text = self.text.get(self.at..end).unwrap_or_default();
            self.at = end + 1;
            let field = self.field();
            return Ok(match self.patience.get_mut(field % FIELDS) {
                Some(patience) => Value::Str(self.recent.text(text, patience)),
                None => Value::str(text),
            });
        }
        self.escaped().map(Value::from)
    }

    pub(super) fn escaped(&mut self) -> Result<String> {
        let mut out = String::new();
        loop {
            let end = self.plain();
            out.push_str(self.text.get(self.at..end).unwrap_or_default());
            self.at = end;
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    let c = self.escape()?;
                    out.push(c);
                }
                Some(_) => return self.fail("a control character in a string must be escaped"),
                None => return self.fail("expected \" at the end of the string"),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let c = match self.byte() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return self.fail("unknown escape in a string"),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char> {
        let high = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&high) && self.text.get(self.at..).is_some_and(|t| t.starts_with("\\u"))
        {
            self.at += 2;
            match self.hex()? {
                low @ 0xdc00..0xe000 => 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                _ => return self.fail("half of a character in \\u escapes"),
            }
        } else {
            high
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.fail("half of a character in \\u escapes"),
        }
    }

    fn hex(&mut self) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4).filter(|t| t.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|t| u32::from_str_radix(t, 16).ok()) {
            Some(n) => {
                self.at += 4;
                Ok(n)
            }
            None => self.fail("expected four hexadecimal digits"),
        }
    }

    pub(super) fn word(&mut self, word: &str, value: Value) -> Result {
        if self.text.get(self.at..).is_some_and(|t| t.starts_with(word)) {
            self.at += word.len();
            return Ok(value);
        }
        self.fail("expected a value")
    }

    fn digits(&mut self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let n = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += n;
        n
    }

    pub(super) fn number(&mut self) -> Result {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        let first = self.at;
        let count = self.digits();
        if count == 0 {
            return self.fail("expected a digit");
        }
        if count > 1 && self.text.as_bytes().get(first) == Some(&b'0') {
            self.at = first;
            return self.fail("a number does not begin with 0");
        }
        let mut whole = true;
        if self.byte() == Some(b'.') {
            whole = false;
            self.at += 1;
            if self.digits() == 0 {
                return self.fail("expected a digit after the point");
            }
        }
        if let Some(b'e' | b'E') = self.byte() {
            whole = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            if self.digits() == 0 {
                return self.fail("expected a digit of the exponent");
            }
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if whole {
            return match text.parse::<i64>() {
                Ok(n) => Ok(Value::int(n)),
                Err(_) => self.big(text),
            };
        }
        match text.parse::<f64>() {
            Ok(f) if f.is_finite() => Ok(Value::float(f)),
            _ => {
                self.at = start;
                self.fail("a number is out of the range of doubles")
            }
        }
    }

    fn big(&mut self, text: &str) -> Result {
        // A digit is worth more than 3.3 bits; the cost of reading grows with the square.
        let digits = text.len() as u64;
        if digits.saturating_mul(10) / 3 > self.limits.integer_bits.saturating_add(64) {
            let message =
                format!("an integer of {digits} digits is larger than integer_bits = {}", self.limits.integer_bits);
            return Err(Interrupt::error(ErrorKind::Memory, message));
        }
        self.payer.charge_reading(crate::number::cost::digits(digits.saturating_mul(4)))?;
        match text.parse::<BigInt>() {
            Ok(n) => Ok(Value::big(n)),
            Err(_) => self.fail("expected a number"),
        }
    }
}
