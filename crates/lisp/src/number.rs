//! The number tower.
/// x
pub fn float_text(f: f64) -> String { format!("{f:?}") }
/// x
pub fn big_text(b: &num_bigint::BigInt, _limit: usize) -> String { b.to_string() }
