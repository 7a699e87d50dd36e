//! The order of dates and times: Java's `compareTo`, a total order of all, and Java's hash codes.

use super::civil::{Clock, Date, DateTime};
use super::kind::Time;
use super::moment::{OffsetTime, Zoned};
use super::zone::Zone;
use std::cmp::Ordering;

/// Years, months, then days apart.
fn dates(a: Date, b: Date) -> i64 {
    let parts = [
        i64::from(a.year) - i64::from(b.year),
        i64::from(a.month) - i64::from(b.month),
        i64::from(a.day) - i64::from(b.day),
    ];
    parts.into_iter().find(|n| *n != 0).unwrap_or(0)
}

fn locals(a: DateTime, b: DateTime) -> i64 {
    match dates(a.date, b.date) {
        0 => a.time.cmp(&b.time) as i64,
        n => n,
    }
}

/// By points in time: seconds, then nanoseconds apart.
fn moments(a: (i64, i64), b: (i64, i64)) -> i64 {
    match a.0.cmp(&b.0) {
        Ordering::Equal => a.1 - b.1,
        order => order as i64,
    }
}

fn first(parts: impl IntoIterator<Item = i64>) -> i64 {
    parts.into_iter().find(|n| *n != 0).unwrap_or(0)
}

fn at(o: OffsetTime) -> (i64, i64) {
    (o.second(), o.local.time.nano())
}

/// Names of zones have one byte a letter.
fn names(a: &str, b: &str) -> i64 {
    let differs = a.bytes().zip(b.bytes()).find(|(x, y)| x != y);
    differs.map_or(a.len() as i64 - b.len() as i64, |(x, y)| i64::from(x) - i64::from(y))
}

fn zoned(a: &Zoned, b: &Zoned) -> i64 {
    let instants = moments(at(a.offset_time()), at(b.offset_time()));
    first([instants, locals(a.local, b.local), names(&a.zone.id(), &b.zone.id())])
}

/// What Java's `compareTo` gives; `None` where both cannot be compared.
pub fn compare(a: &Time, b: &Time) -> Option<i64> {
    let small = |x: u8, y: u8| i64::from(x) - i64::from(y);
    Some(match (a, b) {
        (Time::Inst(x), Time::Inst(y)) => x.cmp(y) as i64,
        (Time::Instant(x), Time::Instant(y)) => moments((x.second, i64::from(x.nano)), (y.second, i64::from(y.nano))),
        (Time::Date(x), Time::Date(y)) => dates(*x, *y),
        (Time::Clock(x), Time::Clock(y)) => x.cmp(y) as i64,
        (Time::DateTime(x), Time::DateTime(y)) => locals(*x, *y),
        (Time::Offset(x), Time::Offset(y)) if x.offset == y.offset => locals(x.local, y.local),
        (Time::Offset(x), Time::Offset(y)) => first([moments(at(*x), at(*y)), locals(x.local, y.local)]),
        (Time::Zoned(x), Time::Zoned(y)) => zoned(x, y),
        (Time::Duration(x), Time::Duration(y)) => moments((x.second, i64::from(x.nano)), (y.second, i64::from(y.nano))),
        (Time::Weekday(x), Time::Weekday(y)) | (Time::Month(x), Time::Month(y)) => small(*x, *y),
        (Time::Year(x), Time::Year(y)) => i64::from(*x) - i64::from(*y),
        (Time::YearMonth(x, m), Time::YearMonth(y, n)) => first([i64::from(*x) - i64::from(*y), small(*m, *n)]),
        (Time::MonthDay(m, x), Time::MonthDay(n, y)) => first([small(*m, *n), small(*x, *y)]),
        // The other way round, as Java has it.
        (Time::Zone(Zone::Offset(x)), Time::Zone(Zone::Offset(y))) => i64::from(*y) - i64::from(*x),
        (Time::Unit(x), Time::Unit(y)) if !x.is_iso() && !y.is_iso() => *x as i64 - *y as i64,
        (Time::Field(x), Time::Field(y)) if !x.is_iso() && !y.is_iso() => *x as i64 - *y as i64,
        _ => return None,
    })
}

fn rank(t: &Time) -> u8 {
    match t {
        Time::Inst(_) => 0,
        Time::Instant(_) => 1,
        Time::Date(_) => 2,
        Time::Clock(_) => 3,
        Time::DateTime(_) => 4,
        Time::Offset(_) => 5,
        Time::Zoned(_) => 6,
        Time::Duration(_) => 7,
        Time::Period(_) => 8,
        Time::Weekday(_) => 9,
        Time::Month(_) => 10,
        Time::Year(_) => 11,
        Time::YearMonth(..) => 12,
        Time::MonthDay(..) => 13,
        Time::Zone(Zone::Offset(_)) => 14,
        Time::Zone(Zone::Region(_)) => 15,
        Time::Unit(_) => 16,
        Time::Field(_) => 17,
        Time::Adjuster(_) => 18,
        Time::Formatter(_) => 19,
        Time::TextStyle(..) => 20,
        Time::Locale(_) => 21,
        Time::Weeks(_) => 22,
        Time::WeekField(..) => 23,
        Time::Resolver(_) => 24,
    }
}

/// A total order, in which only what is equal is the same.
pub fn order(a: &Time, b: &Time) -> Ordering {
    let kinds = rank(a).cmp(&rank(b));
    if kinds.is_ne() {
        return kinds;
    }
    match (a, b) {
        (Time::Period(x), Time::Period(y)) => x.cmp(y),
        (Time::Zone(Zone::Region(x)), Time::Zone(Zone::Region(y))) => x.id.cmp(&y.id),
        (Time::Unit(x), Time::Unit(y)) => x.cmp(y),
        (Time::Field(x), Time::Field(y)) => x.cmp(y),
        (Time::Adjuster(x), Time::Adjuster(y)) => x.cmp(y),
        (Time::Formatter(x), Time::Formatter(y)) => x.key().cmp(&y.key()),
        (Time::TextStyle(x, alone), Time::TextStyle(y, other)) => (x, alone).cmp(&(y, other)),
        (Time::Locale(x), Time::Locale(y)) | (Time::Resolver(x), Time::Resolver(y)) => x.cmp(y),
        (Time::Weeks(x), Time::Weeks(y)) => x.cmp(y),
        (Time::WeekField(x, a), Time::WeekField(y, b)) => (x, a).cmp(&(y, b)),
        _ => compare(a, b).unwrap_or(0).cmp(&0),
    }
}

fn folded(n: i64) -> i32 {
    (n as u64 ^ (n as u64 >> 32)) as i32
}

fn of_text(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |code, unit| code.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

fn of_date(d: Date) -> i32 {
    let year = d.year;
    let low = year.wrapping_shl(11).wrapping_add(i32::from(d.month) << 6).wrapping_add(i32::from(d.day));
    (year & 0xFFFF_F800_u32.cast_signed()) ^ low
}

fn of_clock(c: Clock) -> i32 {
    folded(c.nanos)
}

fn of_local(l: DateTime) -> i32 {
    of_date(l.date) ^ of_clock(l.time)
}

fn of_zone(z: &Zone) -> i32 {
    match z {
        Zone::Offset(seconds) => *seconds,
        Zone::Region(r) => of_text(&r.id),
    }
}

/// Java's `hashCode`; of constants, where Java has an address, a number of our own.
pub fn hash(t: &Time) -> i32 {
    let spaced = |second: i64, nano: u32| folded(second).wrapping_add(51i32.wrapping_mul(nano.cast_signed()));
    match t {
        Time::Inst(ms) => folded(*ms),
        Time::Instant(i) => spaced(i.second, i.nano),
        Time::Date(d) => of_date(*d),
        Time::Clock(c) => of_clock(*c),
        Time::DateTime(l) => of_local(*l),
        Time::Offset(o) => of_local(o.local) ^ o.offset,
        Time::Zoned(z) => of_local(z.local) ^ z.offset ^ of_zone(&z.zone).rotate_left(3),
        Time::Duration(d) => spaced(d.second, d.nano),
        Time::Period(p) => p.years.wrapping_add(p.months.rotate_left(8)).wrapping_add(p.days.rotate_left(16)),
        Time::Year(y) => *y,
        Time::YearMonth(y, m) => y ^ (i32::from(*m) << 27),
        Time::MonthDay(m, d) => (i32::from(*m) << 6) + i32::from(*d),
        Time::Zone(z) => of_zone(z),
        other => of_text(&other.literal()),
    }
}
