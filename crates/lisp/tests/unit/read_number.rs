//! Numbers as the reader takes them.

use ptc_lisp::form::Kind;
use ptc_lisp::testing::number;

#[test]
#[rustfmt::skip] // a table
fn numbers() {
    let show = |word: &str| match number(word) {
        Ok(Kind::Int(n)) => n.to_string(),
        Ok(Kind::Big(n)) => format!("{n}N"),
        Ok(Kind::Ratio(n)) => n.to_string(),
        Ok(Kind::Decimal(d)) => format!("{d}M"),
        Ok(Kind::Float(n)) => format!("{n:?}"),
        Ok(other) => format!("{other:?}"),
        Err(error) => error.message,
    };
    // Each checked against Clojure 1.11, but for `M` and the words of the radix errors.
    for (word, expected) in [
        ("0", "0"), ("-0", "0"), ("+7", "7"), ("-7", "-7"), ("017", "15"), ("-017", "-15"), ("0xfF", "255"), ("-0X10", "-16"),
        ("2r101", "5"), ("36rZz", "1295"), ("-2R11", "-3"), ("0N", "0N"), ("12N", "12N"), ("0x10N", "16N"), ("017N", "15N"),
        ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "9223372036854775808N"),
        ("-9223372036854775808", "-9223372036854775808"), ("-9223372036854775809", "-9223372036854775809N"),
        ("0x8000000000000000", "9223372036854775808N"), ("-0x8000000000000000", "-9223372036854775808"),
        ("2/3", "2/3"), ("4/2", "2"), ("-4/6", "-2/3"), ("+1/2", "1/2"), ("0/5", "0"), ("010/3", "10/3"),
        ("36893488147419103232/36893488147419103232", "1N"), ("36893488147419103232/2", "18446744073709551616N"),
        ("1.", "1.0"), ("1.5", "1.5"), ("1e3", "1000.0"), ("1.e3", "1000.0"), ("1.5e-3", "0.0015"), ("-1E+2", "-100.0"),
        ("00.5", "0.5"), ("1e400", "inf"), ("-0.0", "-0.0"), ("1/0", "Divide by zero: 1/0"),
        ("1M", "1M"), ("1.50M", "1.50M"), ("-2.5e-3M", "-0.0025M"), ("1E3M", "1E+3M"), ("1e99999M", "Invalid number: 1e99999M"),
        ("08", "Invalid number: 08"), ("1abc", "Invalid number: 1abc"), ("-1a", "Invalid number: -1a"), ("0x", "Invalid number: 0x"),
        ("0xg", "Invalid number: 0xg"), ("1N2", "Invalid number: 1N2"), ("1.5N", "Invalid number: 1.5N"), ("1/2N", "Invalid number: 1/2N"),
        ("1/2/3", "Invalid number: 1/2/3"), ("1/-2", "Invalid number: 1/-2"), ("1r0", "Invalid number: 1r0"), ("2r2", "Invalid number: 2r2"),
        ("37r1", "Invalid number: 37r1"), ("2r101N", "Invalid number: 2r101N"), ("02r1", "Invalid number: 02r1"), ("1_000", "Invalid number: 1_000"),
        ("99999999999999999999r1", "Invalid number: 99999999999999999999r1"), ("1e", "Invalid number: 1e"), ("1.2.3", "Invalid number: 1.2.3"),
    ] {
        assert_eq!(show(word), expected, "{word}");
    }
    assert_eq!(show(&"9".repeat(10_000)).len(), 10_001);
    assert_eq!(show(&"9".repeat(10_001)), "Invalid number: 10001 digits, the longest is 10000");
    assert_eq!(number("1_000").unwrap_err().hint.unwrap(), "write 1000");
    assert_eq!(number("008").unwrap_err().hint.unwrap(), "a leading 0 makes it octal; write 8");
    assert_eq!(number("1e-20000M").unwrap_err().hint.unwrap(), "an exponent goes to 10000");
}
