//! Digests of what answers tools: two tools of one name are told apart by them.

use crate::clock::sha256;
use std::path::Path;

/// Longest file whose content is a part of a digest, in bytes; of a longer one its length is.
const MAX_HASHED_BYTES: u64 = 1 << 20;

/// Digits of a digest.
const DIGITS: usize = 16;

/// A digest of what answers a tool: the kind, words that the task says, and the files of its folder that these name.
pub(super) fn digest(folder: &Path, kind: &str, words: impl IntoIterator<Item = String>) -> String {
    let mut all = vec![kind.to_owned()];
    for word in words {
        let file = folder.join(&word);
        let there = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|m| m.len());
        let content = there.map(|len| match len <= MAX_HASHED_BYTES {
            true => std::fs::read(&file).map_or_else(|_| len.to_string(), |bytes| sha256(&bytes)),
            false => len.to_string(),
        });
        // Where the file stands is not what it is: a folder may be moved.
        let name = Path::new(&word).file_name().map_or(word.clone(), |n| n.to_string_lossy().into_owned());
        all.push(if content.is_some() { name } else { word });
        all.extend(content);
    }
    of_parts(&all)
}

/// A digest of these.
pub(super) fn of_parts(parts: &[String]) -> String {
    sha256(parts.join("\0").as_bytes()).chars().take(DIGITS).collect()
}
