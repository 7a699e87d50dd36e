//! Short hashes: ids that come out the same every time.

use sha2::{Digest, Sha256};

/// The first hexadecimal digits of a hash over parts, each with its length before it.
pub(crate) fn hash(parts: &[&[u8]], digits: usize) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    let mut out: String = hasher.finalize().iter().map(|b| format!("{b:02x}")).collect();
    out.truncate(digits);
    out
}
