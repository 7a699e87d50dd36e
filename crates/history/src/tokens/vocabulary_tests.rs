//! The packed vocabularies beside those of `tiktoken-rs`: the same tokens, the same counts.

#![allow(clippy::unwrap_used, reason = "a test may")]

use super::*;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;
use std::io::Write as _;
use std::path::Path;
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

/// The tokens of a published vocabulary by rank.
fn tokens(published: &CoreBPE) -> Vec<Vec<u8>> {
    (0_u32..).map_while(|rank| published.decode_bytes(&[rank]).ok()).collect()
}

/// As `Vocabulary::unpack` takes them, before they are compressed.
fn unpacked(tokens: &[Vec<u8>]) -> Vec<u8> {
    let mut all = u32::try_from(tokens.len()).unwrap().to_le_bytes().to_vec();
    all.extend(tokens.iter().map(|t| u8::try_from(t.len()).unwrap()));
    all.extend(tokens.iter().flatten());
    all
}

/// With UPDATE_VOCABULARIES=1 the files are written: `vocabularies/README.md`.
#[test]
fn packed_files_are_the_published_vocabularies() {
    for (name, published, least) in
        [("o200k", o200k_base_singleton(), 199_998), ("cl100k", cl100k_base_singleton(), 100_256)]
    {
        let tokens = tokens(published);
        assert_eq!(tokens.len(), least, "{name}");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("vocabularies").join(format!("{name}.z"));
        let wanted = unpacked(&tokens);
        if std::env::var_os("UPDATE_VOCABULARIES").is_some() {
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
            packed.write_all(&wanted).unwrap();
            std::fs::write(&file, packed.finish().unwrap()).unwrap();
        }
        let mut all = Vec::new();
        ZlibDecoder::new(std::fs::File::open(&file).unwrap()).read_to_end(&mut all).unwrap();
        assert!(all == wanted, "{name}: UPDATE_VOCABULARIES=1 writes the file anew");
    }
}

#[test]
fn every_token_has_its_rank() {
    for (ours, published) in [(&*O200K, o200k_base_singleton()), (&*CL100K, cl100k_base_singleton())] {
        let tokens = tokens(published);
        assert_eq!(ours.places.len(), tokens.len());
        assert!((0_u32..).zip(&tokens).all(|(rank, token)| ours.rank(token) == Some(rank)));
        assert_eq!(ours.rank(b"\xff\xff\xff\xff no token"), None);
    }
}

/// The two ways to count.
fn same(text: &str) {
    assert_eq!(O200K.count(text), o200k_base_singleton().count_ordinary(text) as u64, "o200k {text:?}");
    assert_eq!(CL100K.count(text), cl100k_base_singleton().count_ordinary(text) as u64, "cl100k {text:?}");
}

#[test]
fn recorded_texts_have_the_counts_of_the_library() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut lines = 0;
    for file in ["conversations.jsonl", "stitched.jsonl", "usage-pairs.jsonl"] {
        for line in std::fs::read_to_string(data.join(file)).unwrap().lines() {
            texts(&serde_json::from_str(line).unwrap(), &mut same);
            lines += 1;
        }
    }
    assert!(lines > 300, "{lines}");
}

/// Each text in a value.
fn texts(value: &serde_json::Value, see: &mut impl FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => see(text),
        serde_json::Value::Array(all) => all.iter().for_each(|v| texts(v, see)),
        serde_json::Value::Object(all) => all.values().for_each(|v| texts(v, see)),
        _ => {}
    }
}

#[test]
fn what_is_damaged_counts_as_bytes() {
    let mut whole = include_bytes!("../../vocabularies/cl100k.z").to_vec();
    whole.truncate(300_000);
    let part = Vocabulary::unpack(&whole, CL100K_PIECES);
    assert!(part.places.len() < CL100K.places.len());
    let text = "Counting what is left of it";
    for damaged in [part, Vocabulary::unpack(b"no zlib", CL100K_PIECES), Vocabulary::unpack(&[], "(")] {
        let n = damaged.count(text);
        assert!((CL100K.count(text)..=text.len() as u64).contains(&n), "{n}");
    }
}

/// Texts of pieces that meet in merges: short words of few letters, blanks, signs, several scripts, long runs.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[abcdest]{1,12}",
        "[ \n\r\t]{1,6}",
        "[A-Z][a-z]{0,8}",
        "[0-9]{1,9}",
        "[-=/*'\"{}:,.]{1,9}",
        "\\PC{1,8}",
        "[\u{e4}\u{f6}\u{430}-\u{44f}\u{3041}-\u{3096}\u{4e00}-\u{4e40}]{1,10}",
        "['’](s|S|ll|RE|d|m)",
        (".", 1_usize..900).prop_map(|(c, n)| c.repeat(n)),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_has_the_count_of_the_library(text in any_text()) {
        same(&text);
    }
}
