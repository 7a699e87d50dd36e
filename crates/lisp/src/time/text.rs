//! The text of dates and times, as Java's `toString` gives it.

use super::iso_text::{clock, date, date_time, instant, year_month};
use super::kind::{STYLES, Time};
use super::moment::Instant;
use super::names::{DAYS, MONTHS, Width, named};
use super::weeks::WeekRule;
use super::zone::{Zone, offset_text};

fn week_rule(rule: WeekRule) -> String {
    format!("{},{}", named(&DAYS, i64::from(rule.first), Width::Full).to_uppercase(), rule.least)
}

impl Time {
    /// What `str` gives of it.
    pub fn text(&self) -> String {
        match self {
            Time::Inst(ms) => super::inst::java_text(*ms),
            Time::Instant(i) => instant(*i),
            Time::Date(d) => date(*d),
            Time::Clock(c) => clock(*c),
            Time::DateTime(l) => date_time(*l),
            Time::Offset(o) => format!("{}{}", date_time(o.local), offset_text(o.offset)),
            Time::Zoned(z) => {
                let start = format!("{}{}", date_time(z.local), offset_text(z.offset));
                match &z.zone {
                    Zone::Offset(_) => start,
                    Zone::Region(r) => format!("{start}[{}]", r.id),
                }
            }
            Time::Duration(d) => d.text(),
            Time::Period(p) => p.text(),
            Time::Weekday(n) => named(&DAYS, i64::from(*n), Width::Full).to_uppercase(),
            Time::Month(n) => named(&MONTHS, i64::from(*n), Width::Full).to_uppercase(),
            Time::Year(y) => y.to_string(),
            Time::YearMonth(y, m) => year_month(*y, *m),
            Time::MonthDay(m, d) => format!("--{m:02}-{d:02}"),
            Time::Zone(z) => z.id(),
            Time::Unit(u) => u.text().to_owned(),
            Time::Field(f) => f.text().to_owned(),
            Time::Adjuster(a) => a.text(),
            Time::Formatter(f) => f.source().to_owned(),
            Time::TextStyle(width, alone) => {
                let row = STYLES.iter().find(|s| s.1 == *width && s.2 == *alone);
                row.map_or_else(String::new, |s| s.0.to_owned())
            }
            Time::Weeks(rule) => format!("WeekFields[{}]", week_rule(*rule)),
            Time::WeekField(rule, part) => format!("{}[WeekFields[{}]]", part.text(), week_rule(*rule)),
            Time::Resolver(strict) => if *strict { "STRICT" } else { "SMART" }.to_owned(),
            Time::Locale(us) => if *us { "en_US" } else { "en" }.to_owned(),
        }
    }

    /// The text inside of what it is printed as to be read again.
    pub fn literal(&self) -> String {
        match self {
            Time::Inst(ms) => super::inst::literal(*ms),
            Time::Unit(u) => u.constant().to_owned(),
            Time::Field(f) => f.constant().to_owned(),
            Time::Formatter(f) => f.literal(),
            Time::Weeks(rule) => week_rule(*rule),
            Time::WeekField(rule, part) => format!("{} {}", part.method(), week_rule(*rule)),
            other => other.text(),
        }
    }

    /// Its text in data that knows no dates: as ISO 8601 has it.
    pub fn data_text(&self) -> String {
        match self {
            Time::Inst(ms) => instant(Instant::of_millis(*ms)),
            other => other.text(),
        }
    }
}
