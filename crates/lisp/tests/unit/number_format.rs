//! Numbers as text, as Java prints them.

use num_bigint::BigInt;
use ptc_lisp::number::{big_text, float_text};

#[test]
fn doubles_print_as_java_prints_them() {
    for (f, text) in [
        (1e7, "1.0E7"),
        (9_999_999.0, "9999999.0"),
        (0.001, "0.001"),
        (1e-4, "1.0E-4"),
        (100.0, "100.0"),
        (-0.0, "-0.0"),
        (1.234_567_89e8, "1.23456789E8"),
        (0.0, "0.0"),
        (f64::MAX, "1.7976931348623157E308"),
        (5e-324, "4.9E-324"),
        (1e-323, "9.9E-324"),
        (1.5e300, "1.5E300"),
        (1e21, "1.0E21"),
        (-2.5e-10, "-2.5E-10"),
        (f64::NAN, "##NaN"),
        (f64::NEG_INFINITY, "##-Inf"),
        (2.225_073_858_507_201_4e-308, "2.2250738585072014E-308"),
        (123_456.789, "123456.789"),
        (2e23, "2.0E23"),
    ] {
        assert_eq!(float_text(f), text);
    }
}

#[test]
fn long_integers_show_their_first_digits() {
    let ten = BigInt::from(10u8);
    for n in [ten.pow(50_000), -(BigInt::from(7u8).pow(100_000)), BigInt::from(1u8) << 900_000u32, ten.pow(300) - 1] {
        let whole = n.to_string();
        for limit in [0, 1, 100, 1000] {
            let text = big_text(&n, limit);
            let end = text.len().min(limit + 1);
            assert!(whole.starts_with(&text[..end]), "{limit}");
            assert!(text.len() > limit || text == whole);
        }
    }
}
