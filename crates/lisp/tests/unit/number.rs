//! What Clojure answers, in `agrees.txt`: `form => readable value`, or `!` for an error. Only constants and calls.

use ptc_lisp::form::{Form, Kind, Name};
use ptc_lisp::host::{Host, Interrupt, Result};
use ptc_lisp::limits::Limits;
use ptc_lisp::number;
use ptc_lisp::value::Builtin;
use ptc_lisp::value::boxed::CellId;
use ptc_lisp::value::{Keyword, Symbol, Value};

/// A host with nothing but limits and fuel.
struct Bare {
    pub limits: Limits,
    pub used: u64,
}

impl Host for Bare {
    fn call_spread(&mut self, f: &Value, mut args: Vec<Value>, _: Value) -> Result {
        self.call(f, &mut args)
    }
    fn call(&mut self, _: &Value, _: &mut [Value]) -> Result {
        Err(Interrupt::error(ptc_lisp::error::ErrorKind::Internal, "no calls here"))
    }
    fn charge(&mut self, units: u64) -> Result<()> {
        self.used += units;
        if self.used > self.limits.fuel {
            Err(Interrupt::error(ptc_lisp::error::ErrorKind::Fuel, "out of fuel"))
        } else {
            Ok(())
        }
    }
    fn reserve(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
    fn print(&mut self, _: String) -> Result<()> {
        Ok(())
    }
    fn limits(&self) -> &Limits {
        &self.limits
    }
    fn tool(&mut self, _: &str, _: &mut [Value]) -> Result {
        Ok(Value::Nil)
    }
    fn cell(&mut self, _: Value) -> Result<CellId> {
        Ok(CellId(0))
    }
    fn cell_get(&mut self, _: CellId) -> Value {
        Value::Nil
    }
    fn cell_set(&mut self, _: CellId, v: Value) -> Value {
        v
    }
    fn random(&mut self) -> u64 {
        7
    }
    fn now_ms(&self) -> i64 {
        0
    }
    fn builtin(&self, _: &str) -> Option<&'static Builtin> {
        None
    }
    fn builtins(&self) -> std::slice::Iter<'static, Builtin> {
        [].iter()
    }
    fn past(&self) -> &[Value] {
        &[]
    }
}

fn bare() -> Bare {
    Bare { limits: Limits::default(), used: 0 }
}

fn name(n: &Name) -> Result {
    let text = n.text();
    let builtin = ptc_lisp::builtins::find(&text).map(Value::Builtin);
    builtin
        .or_else(|| ptc_lisp::builtins::numbers::math::constant(&text))
        .ok_or_else(|| Interrupt::error(ptc_lisp::error::ErrorKind::Name, text))
}

fn call(h: &mut dyn Host, f: &Builtin, a: &mut [Value]) -> Result {
    let n = a.len();
    if n < usize::from(f.min) || f.max.is_some_and(|m| n > usize::from(m)) {
        return Err(Interrupt::error(ptc_lisp::error::ErrorKind::Arity, f.name()));
    }
    let body = ptc_lisp::builtins::body(f).unwrap();
    body(h, a)
}

fn value(h: &mut dyn Host, f: &Form) -> Result {
    Ok(match &f.kind {
        Kind::Nil => Value::Nil,
        Kind::Bool(b) => Value::Bool(*b),
        Kind::Int(n) => Value::int(*n),
        Kind::Big(n) => Value::big(n.clone()),
        Kind::Ratio(r) => Value::ratio(r.clone()),
        Kind::Decimal(d) => Value::decimal(d.clone()),
        Kind::Float(f) => Value::float(*f),
        Kind::Char(c) => Value::Char(*c),
        Kind::Str(s) => Value::from(&**s),
        Kind::Keyword(k) => Value::Keyword(Keyword::new(k.ns.as_deref(), &k.name)),
        Kind::Symbol(n) => name(n)?,
        Kind::Vector(items) => Value::vector(items.iter().map(|f| value(h, f)).collect::<Result<_>>()?),
        Kind::Set(items) => Value::set(items.iter().map(|f| value(h, f)).collect::<Result<Vec<_>>>()?),
        Kind::Map(items) => {
            let pairs: Result<Vec<_>> = items.iter().map(|(k, v)| Ok((value(h, k)?, value(h, v)?))).collect();
            Value::map(pairs?)
        }
        Kind::Quote(f) => quoted(f),
        Kind::List(items) if items[0].as_plain() == Some("quote") => quoted(&items[1]),
        Kind::List(items) => {
            let (head, rest) = items.split_first().unwrap();
            let mut args = rest.iter().map(|f| value(h, f)).collect::<Result<Vec<_>>>()?;
            if head.as_plain() == Some("apply") {
                let Value::Vector(v) = args.pop().unwrap() else { panic!("apply") };
                let Value::Builtin(f) = args[0] else { panic!("apply") };
                return call(h, f, &mut v.into_vec());
            }
            // Written out, with a double in it: the VM divides as IEEE does (trap 4).
            if head.as_plain() == Some("/") && args.len() == 2 {
                return number::div_written(h, &args[0], &args[1]);
            }
            let Value::Builtin(f) = value(h, head)? else { panic!("no function: {head:?}") };
            call(h, f, &mut args)?
        }
        other => panic!("{other:?}"),
    })
}

fn quoted(f: &Form) -> Value {
    match &f.kind {
        Kind::Symbol(n) => Value::Symbol(Symbol::new(n.ns.as_deref(), &n.name)),
        Kind::List(items) => Value::list(items.iter().map(quoted).collect()),
        _ => value(&mut bare(), f).unwrap(),
    }
}

fn answer(form: &str) -> String {
    let mut h = bare();
    let f = ptc_lisp::read::read_one(form, &h.limits).unwrap().unwrap();
    match value(&mut h, &f) {
        Ok(v) => ptc_lisp::print::readable(&v, 10_000),
        Err(_) => "!".into(),
    }
}

fn check(table: &str) {
    let mut wrong = Vec::new();
    for line in table.lines() {
        let (form, expected) = line.split_once(" => ").unwrap();
        let got = answer(form);
        if got != expected {
            wrong.push(format!("{line}   but here {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.lines().count(), wrong.join("\n"));
}

#[test]
fn answers_as_clojure() {
    check(include_str!("agrees.txt"));
}

fn ends(form: &str) -> String {
    let mut h = bare();
    let f = ptc_lisp::read::read_one(form, &h.limits).unwrap().unwrap();
    match value(&mut h, &f) {
        Ok(_) => format!("value, {}", h.used),
        Err(stop) => match stop.into_kind() {
            ptc_lisp::host::InterruptKind::Fault(e) | ptc_lisp::host::InterruptKind::Limit(e) => e.to_string(),
            ptc_lisp::host::InterruptKind::Throw(v) => ptc_lisp::print::readable(&v, 1000),
            other => format!("{other:?}"),
        },
    }
}

#[test]
fn big_numbers_end_at_their_limits() {
    let mut h = bare();
    let mut square = Value::big(3.into());
    let mut stop = None;
    for _ in 0..64 {
        match number::mul(&mut h, &square, &square) {
            Ok(v) => square = v,
            Err(s) => {
                stop = Some(s);
                break;
            }
        }
    }
    let text = format!("{:?}", stop.unwrap());
    assert!(text.contains("limit/memory") && text.contains("integer_bits = 1000000"), "{text}");
    let mut h = bare();
    let mut half = Value::ratio(num_rational::BigRational::new(1.into(), 3.into()));
    let stop = loop {
        match number::mul(&mut h, &half, &half) {
            Ok(v) => half = v,
            Err(s) => break format!("{s:?}"),
        }
    };
    assert!(stop.contains("ratio_bits = 65536"), "{stop}");
    let long = number::parse::big(&mut bare(), &"9".repeat(400_000));
    assert!(format!("{long:?}").contains("integer_bits = 1000000"));
    assert!(ends("(format \"%1001d\" 1)").contains("more than 1000"));
    assert!(ends("(format \"%999999999999999999999d\" 1)").contains("more than 1000"));
    assert!(ends("(format \"%.65536f\" 1.0)").contains("more than 1000"));
    assert!(ends("(+ 9223372036854775807 1)").contains("overflow"));
}

/// A sum of many ratios is no more than its terms deserve: the greatest common divisors are of short numbers.
#[test]
fn harmonic_sums_are_cheap() {
    let mut h = bare();
    let mut sum = Value::int(0);
    for i in 1..=2000 {
        let term = number::div(&mut h, &Value::int(1), &Value::int(i)).unwrap();
        sum = number::add(&mut h, &sum, &term).unwrap();
    }
    assert!(
        ptc_lisp::print::readable(&sum, 30).starts_with("41196565117120397148589944"),
        "{}",
        ptc_lisp::print::readable(&sum, 30)
    );
    assert!(h.used < 1_000_000, "{}", h.used);
}

#[test]
fn order_is_exact_across_kinds() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let n =
        |text: &str| value(&mut bare(), &ptc_lisp::read::read_one(text, &Limits::default()).unwrap().unwrap()).unwrap();
    for (a, b, expected) in [
        ("1/3", "0.3333333333333333", Greater),
        ("1/2", "0.5", Equal),
        ("-1/3", "-1/2", Greater),
        ("1/3", "2/3", Less),
        ("22/7", "3", Greater),
        ("100000000000000000000", "1e20", Equal),
        ("100000000000000000001", "1e20", Greater),
        ("5N", "5", Equal),
        ("-7/3", "0.0", Less),
        ("1/3", "##Inf", Less),
        ("##-Inf", "5N", Less),
        ("##NaN", "5N", Greater),
        ("5N", "##NaN", Less),
        ("1/3", "1/1000000000000000000000000", Greater),
        ("-5N", "1/2", Less),
    ] {
        assert_eq!(ptc_lisp::value::compare::number_order(&n(a), &n(b)), expected, "{a} {b}");
        assert_eq!(ptc_lisp::value::compare::number_order(&n(b), &n(a)), expected.reverse(), "{b} {a}");
    }
}

/// No text makes `format` panic.
#[test]
fn format_takes_any_text() {
    let mut seed = 1u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let parts = [
        "%", "%", "d", "s", "f", "e", "g", "x", "o", "c", "b", "n", "-", "+", "0", ",", "(", "#", " ", "<", "1$", "2$",
        "9", "12", ".", ".0", ".3", "é", "S", "E", "😀", "%%",
    ];
    let args = [
        Value::int(-5),
        Value::float(1234.5),
        Value::from("hé"),
        Value::Nil,
        Value::Char('x'),
        Value::float(f64::NAN),
        Value::float(1e-320),
        Value::int(i64::MIN),
    ];
    for _ in 0..50_000 {
        let text: String = (0..next(9) + 1).map(|_| parts[next(parts.len())]).collect();
        let first = next(args.len());
        let _ = ptc_lisp::builtins::strings::java_formatter::format(&mut bare(), &text, &args[first..]);
    }
}
