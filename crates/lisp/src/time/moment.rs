//! Points in time: instants, and local times with an offset or a zone.

use super::civil::{DateTime, SECOND};
use super::error::{Res, TimeError};
use super::zone::{Local, Zone};

/// The first and the last second of an instant.
pub const INSTANT_SECONDS: (i64, i64) = (-31_557_014_167_219_200, 31_556_889_864_403_199);

/// A point in time, to the nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// Seconds since 1970-01-01T00:00Z.
    pub second: i64,
    /// Nanoseconds of that second.
    pub nano: u32,
}

/// A local time with its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetTime {
    /// What clocks show.
    pub local: DateTime,
    /// How far they are ahead, in seconds.
    pub offset: i32,
}

/// A local time in a zone, and the offset that holds there at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zoned {
    /// What clocks show.
    pub local: DateTime,
    /// How far they are ahead, in seconds.
    pub offset: i32,
    /// The zone.
    pub zone: Zone,
}

impl Instant {
    /// The instant so many seconds, and then nanoseconds of any number, after 1970.
    pub fn of(second: i64, nanos: i64) -> Res<Instant> {
        let second = second.checked_add(nanos.div_euclid(SECOND)).ok_or_else(TimeError::overflow)?;
        let nano = nanos.rem_euclid(SECOND) as u32;
        let (least, most) = INSTANT_SECONDS;
        if !(least..=most).contains(&second) {
            return Err(TimeError::date_time("Instant exceeds minimum or maximum instant"));
        }
        Ok(Instant { second, nano })
    }

    /// So many milliseconds after 1970.
    pub fn of_millis(ms: i64) -> Instant {
        Instant { second: ms.div_euclid(1000), nano: (ms.rem_euclid(1000) * 1_000_000) as u32 }
    }

    /// Milliseconds since 1970.
    pub fn millis(self) -> Res<i64> {
        let all = i128::from(self.second) * 1000 + i128::from(self.nano / 1_000_000);
        i64::try_from(all).map_err(|_| TimeError::overflow())
    }

    /// Nanoseconds since 1970.
    pub fn nanos(self) -> i128 {
        i128::from(self.second) * i128::from(SECOND) + i128::from(self.nano)
    }

    /// So many nanoseconds later.
    pub fn plus(self, nanos: i128) -> Res<Instant> {
        let all = self.nanos().checked_add(nanos).ok_or_else(TimeError::overflow)?;
        let second = i64::try_from(all.div_euclid(i128::from(SECOND))).map_err(|_| TimeError::overflow())?;
        Instant::of(second, all.rem_euclid(i128::from(SECOND)) as i64)
    }

    /// What clocks show that are so many seconds ahead.
    pub fn local(self, offset: i32) -> Res<DateTime> {
        DateTime::of_epoch_second(self.second + i64::from(offset), i64::from(self.nano))
    }
}

impl OffsetTime {
    /// The point in time.
    pub fn second(self) -> i64 {
        self.local.epoch_second() - i64::from(self.offset)
    }

    /// The point in time.
    pub fn instant(self) -> Instant {
        Instant { second: self.second(), nano: self.local.time.nano() as u32 }
    }

    /// The same point in time by other clocks.
    pub fn at_offset(self, offset: i32) -> Res<OffsetTime> {
        Ok(OffsetTime { local: self.instant().local(offset)?, offset })
    }
}

impl Zoned {
    /// The local time in a zone: later by the gap where clocks leave it out; where they show it twice, with this offset if
    /// it is one of both, else the earlier.
    pub fn of_local(local: DateTime, zone: Zone, wanted: Option<i32>) -> Res<Zoned> {
        let (local, offset) = match zone.local(local)? {
            Local::Once(offset) => (local, offset),
            Local::Gap(before, after) => (local.plus(i128::from(after - before) * i128::from(SECOND))?, after),
            Local::Twice(before, after) => (local, wanted.filter(|w| *w == after).unwrap_or(before)),
        };
        Ok(Zoned { local, offset, zone })
    }

    /// A point in time in a zone.
    pub fn of_instant(at: Instant, zone: Zone) -> Res<Zoned> {
        let offset = zone.offset_at(at.second)?;
        Ok(Zoned { local: at.local(offset)?, offset, zone })
    }

    /// Without its zone.
    pub fn offset_time(&self) -> OffsetTime {
        OffsetTime { local: self.local, offset: self.offset }
    }

    /// The point in time.
    pub fn instant(&self) -> Instant {
        self.offset_time().instant()
    }

    /// With another local time, in the same zone.
    pub fn with_local(&self, local: DateTime) -> Res<Zoned> {
        Zoned::of_local(local, self.zone.clone(), Some(self.offset))
    }

    /// So many nanoseconds later on the line of time.
    pub fn plus(&self, nanos: i128) -> Res<Zoned> {
        let moved = OffsetTime { local: self.local.plus(nanos)?, offset: self.offset };
        Zoned::of_instant(moved.instant(), self.zone.clone())
    }
}
