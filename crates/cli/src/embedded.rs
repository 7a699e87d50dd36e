//! What is packed into the binary: pages of the documentation, examples.

use flate2::read::ZlibDecoder;
use std::io::Read as _;

static PAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pages.z"));
static EXAMPLES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/examples.z"));

/// The pages, by name: Markdown.
pub fn pages() -> Vec<(String, String)> {
    unpack(PAGES).into_iter().filter_map(|(name, bytes)| Some((name, String::from_utf8(bytes).ok()?))).collect()
}

/// The files of examples, by `EXAMPLE/FILE`.
pub fn examples() -> Vec<(String, Vec<u8>)> {
    unpack(EXAMPLES)
}

/// What `build.rs` packed: of each file its name and its length on a line, then its bytes.
fn unpack(packed: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    // It was written by this build: what cannot be read is not there.
    let _ = ZlibDecoder::new(packed).read_to_end(&mut all);
    let (mut rest, mut out) = (all.as_slice(), Vec::new());
    while let Some((name, after)) = line(rest)
        && let Some((length, after)) = line(after)
        && let Some((bytes, after)) = length.parse().ok().and_then(|n| after.split_at_checked(n))
    {
        out.push((name.to_owned(), bytes.to_vec()));
        rest = after;
    }
    out
}

fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|b| *b == b'\n')?;
    let (line, rest) = bytes.split_at_checked(end)?;
    Some((std::str::from_utf8(line).ok()?, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_was_packed_is_there_byte_for_byte() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let pages = super::pages();
        assert!(pages.len() > 12);
        for (name, text) in pages {
            let file = match name.as_str() {
                "security" => "SECURITY.md".to_owned(),
                "api" => "docs/api/ptc.txt".to_owned(),
                name => format!("docs/{name}.md"),
            };
            assert_eq!(std::fs::read_to_string(root.join(file)).unwrap(), text, "{name}");
        }
        let examples = super::examples();
        assert!(examples.len() > 12);
        for (name, bytes) in examples {
            assert!(std::fs::read(root.join("examples/tasks").join(&name)).unwrap() == bytes, "{name}");
        }
    }
}
