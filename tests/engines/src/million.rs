//! What a million sessions need, from what one takes.

use crate::bench;
use ptc_agent::Error;
use ptc_agent::journal_store::{FileStore, JournalStore as _};
use std::path::Path;

/// A million people, each with so many turns a day, most of them in a third of the day.
const SESSIONS: f64 = 1e6;
const TURNS_A_DAY: f64 = 20.0;
const PEAK: f64 = 3.0;

/// What clouds sell, in dollars a month.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// A gigabyte of a network disk.
    pub disk: f64,
    /// A gigabyte of an object store.
    pub objects: f64,
    /// A machine of 8 cores and 32 GB.
    pub machine: f64,
}

/// List prices, rounded.
impl Default for Prices {
    fn default() -> Self {
        Prices { disk: 0.10, objects: 0.023, machine: 250.0 }
    }
}

impl Prices {
    /// Takes the value of `NAME=DOLLARS`; whether there is such a price.
    pub fn set(&mut self, name: &str, dollars: f64) -> bool {
        match name {
            "disk" => self.disk = dollars,
            "objects" => self.objects = dollars,
            "machine" => self.machine = dollars,
            _ => return false,
        }
        true
    }
}

/// Prints the arithmetic with these prices: `per_second` are the turns a second that one server was measured at.
///
/// # Errors
/// When a session cannot be kept in the folder.
pub fn print(folder: &Path, prices: Prices, per_second: &[(String, f64)]) -> Result<(), Error> {
    let store = FileStore::new(folder);
    let turns = 200;
    bench::turns(Some(&store), "million", turns)?;
    let bytes: usize = store.read("million")?.iter().map(|l| l.len() + 1).sum();
    store.remove("million")?;
    let a_turn = bytes as f64 / turns as f64;
    let (average, peak) = (SESSIONS * TURNS_A_DAY / 86400.0, SESSIONS * TURNS_A_DAY / 86400.0 * PEAK);
    let month = SESSIONS * TURNS_A_DAY * 30.0 * a_turn / 1e9;
    let Prices { disk, objects, machine } = prices;
    println!("a turn with one call and 4 kB printed: {a_turn:.0} bytes in 4 lines");
    println!(
        "{SESSIONS:.0} sessions, {TURNS_A_DAY} turns a day each: {average:.0} turns/s on average, {peak:.0} at the peak"
    );
    println!(
        "written in a month: {month:.0} GB, ${:.0} a month on a disk, ${:.0} in an object store",
        month * disk,
        month * objects
    );
    for (name, rate) in per_second {
        let servers = (peak / rate).ceil();
        println!(
            "{name}: {rate:.0} turns/s a server, {servers:.0} servers at the peak, ${:.0} a month",
            servers * machine
        );
    }
    Ok(())
}
