//! English names of months and days, as patterns and `getDisplayName` write them.

/// Months from January on.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Days from Monday on.
pub const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// How long a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// `Monday`
    Full,
    /// `Mon`
    Short,
    /// `M`
    Narrow,
}

/// A name from a table in this width; number 1 is the first.
pub fn named(table: &[&'static str], number: i64, width: Width) -> &'static str {
    let at = usize::try_from(number).unwrap_or(0).saturating_sub(1);
    let full = table.get(at).copied().unwrap_or_default();
    match width {
        Width::Full => full,
        Width::Short => full.get(..3).unwrap_or(full),
        Width::Narrow => full.get(..1).unwrap_or(full),
    }
}
