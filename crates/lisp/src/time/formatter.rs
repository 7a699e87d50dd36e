//! `DateTimeFormatter`: patterns and the ISO forms, and what was set besides.

use super::error::Res;
use super::iso;
use super::part::{Part, heap, zones};
use super::pattern;
use super::zone::{ALLOCATED, Zone};

/// A form of dates and times.
#[derive(Clone, Debug)]
pub struct Formatter {
    /// The pattern, or the name of Java's constant.
    source: String,
    pub(super) parts: Vec<Part>,
    /// Whether letters match in any case.
    pub(super) any_case: bool,
    /// Whether a day that is not there is refused instead of taken for the last of the month.
    pub(super) strict: bool,
    /// The zone that instants are printed in, and that parsed texts have without one of their own.
    pub(super) zone: Option<Zone>,
}

impl PartialEq for Formatter {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Formatter {}

impl Formatter {
    /// The form that a pattern says.
    pub fn of_pattern(source: &str) -> Res<Formatter> {
        let parts = pattern::parts(source)?;
        Ok(Formatter { source: source.to_owned(), parts, any_case: false, strict: false, zone: None })
    }

    /// One of Java's constants.
    pub fn constant(name: &str) -> Option<Formatter> {
        let (parts, strict) = iso::parts(name)?;
        Some(Formatter { source: name.to_owned(), parts, any_case: true, strict, zone: None })
    }

    /// Names of the constants.
    pub fn constants() -> &'static [&'static str] {
        iso::NAMES
    }

    /// A form by what is between the quotes where it is printed: the name of a constant or a pattern, and behind a line end
    /// each the zone and how strict it is, where these were set.
    pub fn of_literal(text: &str) -> Res<Formatter> {
        let mut lines = text.split('\n');
        let source = lines.next().unwrap_or_default();
        let mut form = Formatter::constant(source).map_or_else(|| Formatter::of_pattern(source), Ok)?;
        for line in lines {
            match line {
                "STRICT" => form.strict = true,
                "SMART" => form.strict = false,
                zone => form.zone = Some(Zone::of(zone)?),
            }
        }
        Ok(form)
    }

    /// What [`Formatter::of_literal`] reads.
    pub fn literal(&self) -> String {
        let mut out = self.source.clone();
        if let Some(zone) = &self.zone {
            out.push('\n');
            out.push_str(&zone.id());
        }
        let usual = Formatter::constant(&self.source).is_some_and(|f| f.strict);
        if usual != self.strict {
            out.push_str(if self.strict { "\nSTRICT" } else { "\nSMART" });
        }
        out
    }

    /// The same in a zone.
    #[must_use]
    pub fn with_zone(&self, zone: Zone) -> Formatter {
        Formatter { zone: Some(zone), ..self.clone() }
    }

    /// The same, strict or not.
    #[must_use]
    pub fn with_strict(&self, strict: bool) -> Formatter {
        Formatter { strict, ..self.clone() }
    }

    /// The pattern, or the name of the constant.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The zone that was set.
    pub fn zone(&self) -> Option<&Zone> {
        self.zone.as_ref()
    }

    /// Whether days that are not there are refused.
    pub fn strict(&self) -> bool {
        self.strict
    }

    /// What makes two forms equal.
    pub fn key(&self) -> (&str, bool, Option<String>) {
        (&self.source, self.strict, self.zone.as_ref().map(Zone::id))
    }

    /// How many pieces it has: what its work is charged by.
    pub fn size(&self) -> u64 {
        self.source.len() as u64
    }

    /// What reading a text by it costs.
    pub fn reading(&self) -> u64 {
        self.size() / 2 + zones(&self.parts) * 400
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        let zone = self.zone.as_ref().map_or(0, Zone::heap);
        size_of::<Self>() + self.source.capacity() + 2 * ALLOCATED + heap(&self.parts) + zone
    }
}
