//! What a form has read: fields, and the date and time that they make.

use super::civil::{Clock, Date};
use super::part::Number;
use super::unit::Field;
use super::zone::Zone;

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub(super) fields: Vec<(Number, i64)>,
    /// The zone that was read, or that the form has.
    pub zone: Option<Zone>,
    /// The day.
    pub date: Option<Date>,
    /// The time of day.
    pub time: Option<Clock>,
    /// The seconds since 1970, if an instant was read.
    pub second: Option<i64>,
    /// Nanoseconds more, where no time of day has them.
    pub(super) nano: i64,
}

impl Parsed {
    pub(super) fn get(&self, n: Number) -> Option<i64> {
        self.fields.iter().find(|f| f.0 == n).map(|f| f.1)
    }

    /// What was read of a field, if it is not part of the date or time by now.
    pub fn field(&self, f: Field) -> Option<i64> {
        self.get(Number::Field(f))
    }

    pub(super) fn take(&mut self, f: Field) -> Option<i64> {
        let at = self.fields.iter().position(|x| x.0 == Number::Field(f))?;
        Some(self.fields.remove(at).1)
    }

    /// The offset in seconds: one that was read, or that of a zone that is no region.
    pub fn offset(&self) -> Option<i32> {
        let read = self.field(Field::OffsetSeconds).and_then(|n| i32::try_from(n).ok());
        read.or(match self.zone {
            Some(Zone::Offset(seconds)) => Some(seconds),
            _ => None,
        })
    }

    /// As Java shows it in messages.
    pub fn shown(&self) -> String {
        let all: Vec<String> = self.fields.iter().map(|(n, v)| format!("{}={v}", super::part::name_of(*n))).collect();
        let mut out = format!("{{{}}},ISO", all.join(", "));
        if let Some(zone) = &self.zone {
            out.push_str(&format!(",{}", zone.id()));
        }
        if self.date.is_some() || self.time.is_some() {
            out.push_str(" resolved to ");
            match (self.date, self.time) {
                (Some(d), Some(t)) => {
                    out.push_str(&format!("{}T{}", super::iso_text::date(d), super::iso_text::clock(t)));
                }
                (Some(d), None) => out.push_str(&super::iso_text::date(d)),
                (None, Some(t)) => out.push_str(&super::iso_text::clock(t)),
                (None, None) => {}
            }
        }
        out
    }
}
