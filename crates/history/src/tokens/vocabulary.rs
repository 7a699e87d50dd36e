//! OpenAI's two vocabularies: packed in the binary, unpacked when something is counted first, and byte pair encoding with
//! them.
//!
//! The tests compare tokens and counts with those of `tiktoken-rs`, which has the same tables as text (5.3 MB, three tables
//! of 200,000 allocations each in memory).

use fancy_regex::Regex;
use flate2::read::ZlibDecoder;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher as _;
use std::io::Read as _;
use std::sync::LazyLock;

/// What cuts a text into pieces before they are encoded, as OpenAI published it.
const O200K_PIECES: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// The same of GPT-4.
const CL100K_PIECES: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|",
    r"\s++$|\s*[\r\n]|\s+(?!\S)|\s",
);

/// The vocabulary since GPT-4o.
pub(super) static O200K: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::unpack(include_bytes!("../../vocabularies/o200k.z"), O200K_PIECES));

/// The vocabulary of GPT-4 and GPT-3.5.
pub(super) static CL100K: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::unpack(include_bytes!("../../vocabularies/cl100k.z"), CL100K_PIECES));

/// Tokens by rank, and ranks by token.
pub(super) struct Vocabulary {
    /// The bytes of all tokens by rank, one after another.
    bytes: Vec<u8>,
    /// Where in `bytes` a token starts and ends, by rank.
    places: Vec<(u32, u32)>,
    /// Ranks by the bytes of their tokens.
    ranks: HashTable<u32>,
    /// Cuts a text into pieces.
    pieces: Option<Regex>,
}

impl Vocabulary {
    /// What `packed` holds: how many tokens there are (4 bytes, least first), the length of each (a byte), their bytes; all of
    /// it compressed by zlib. A token that is not there counts as its bytes: damaged data make counts too high, no error.
    fn unpack(packed: &[u8], pieces: &str) -> Self {
        let mut all = Vec::with_capacity(packed.len().saturating_mul(2));
        let _ = ZlibDecoder::new(packed).read_to_end(&mut all);
        let (count, rest) =
            all.split_first_chunk::<4>().map_or((0, &[][..]), |(n, rest)| (u32::from_le_bytes(*n), rest));
        let (lengths, bytes) = rest.split_at_checked(count as usize).unwrap_or_default();
        let hasher = FixedState::default();
        let mut places = Vec::with_capacity(lengths.len());
        let mut ranks = HashTable::with_capacity(lengths.len());
        let mut start = 0_u32;
        for (rank, length) in (0_u32..).zip(lengths) {
            let end = start.saturating_add(u32::from(*length));
            let Some(token) = bytes.get(start as usize..end as usize) else { break };
            places.push((start, end));
            // No token is there twice.
            ranks.insert_unique(hasher.hash_one(token), rank, |r| hasher.hash_one(token_at(bytes, &places, *r)));
            start = end;
        }
        let bytes = bytes.to_vec();
        Vocabulary { bytes, places, ranks, pieces: Regex::new(pieces).ok() }
    }

    /// How many tokens a text has, none of them special.
    pub(super) fn count(&self, text: &str) -> u64 {
        let Some(pieces) = &self.pieces else { return text.len() as u64 };
        let mut merges = Merges::default();
        let (mut count, mut end) = (0_u64, 0);
        for found in pieces.find_iter(text) {
            // Only a search that backtracked too often fails; the rest is a piece then.
            let Ok(piece) = found else {
                let rest = text.get(end..).unwrap_or_default();
                return count.saturating_add(self.count_piece(rest.as_bytes(), &mut merges));
            };
            end = piece.end();
            count = count.saturating_add(self.count_piece(piece.as_str().as_bytes(), &mut merges));
        }
        count
    }

    /// The rank of the token of these bytes.
    fn rank(&self, token: &[u8]) -> Option<u32> {
        let hash = FixedState::default().hash_one(token);
        self.ranks.find(hash, |rank| token_at(&self.bytes, &self.places, *rank) == token).copied()
    }

    /// The tokens of a piece: of all neighbours the pair of the least rank becomes one, the first of equals, until no pair is
    /// a token.
    fn count_piece(&self, piece: &[u8], merges: &mut Merges) -> u64 {
        if piece.len() < 2 || self.rank(piece).is_some() {
            return piece.len().min(1) as u64;
        }
        let Merges { parts, pairs } = merges;
        pairs.clear();
        parts.clear();
        parts.extend((0..piece.len()).map(|at| PiecePart {
            before: at.wrapping_sub(1),
            end: at.saturating_add(1),
            pair: None,
        }));
        let mut left = parts.len() as u64;
        // What a part and the one behind it would be as a token.
        let pair = |parts: &[PiecePart], at: usize| {
            let behind = parts.get(parts.get(at)?.end)?;
            self.rank(piece.get(at..behind.end)?)
        };
        for at in 0..parts.len() {
            let rank = pair(parts, at);
            if let (Some(part), Some(rank)) = (parts.get_mut(at), rank) {
                part.pair = Some(rank);
                pairs.push(Reverse((rank, at)));
            }
        }
        while let Some(Reverse((rank, at))) = pairs.pop() {
            let Some(part) = parts.get(at).filter(|p| p.pair == Some(rank)).copied() else { continue };
            let Some(second) = parts.get_mut(part.end) else { continue };
            let end = second.end;
            second.pair = None;
            left = left.saturating_sub(1);
            if let Some(first) = parts.get_mut(at) {
                first.end = end;
            }
            if let Some(next) = parts.get_mut(end) {
                next.before = at;
            }
            for at in [at, part.before] {
                let rank = pair(parts, at);
                if let Some(part) = parts.get_mut(at) {
                    part.pair = rank;
                    pairs.extend(rank.map(|rank| Reverse((rank, at))));
                }
            }
        }
        left
    }
}

/// The token of a rank.
fn token_at<'a>(bytes: &'a [u8], places: &[(u32, u32)], rank: u32) -> &'a [u8] {
    let place = places.get(rank as usize);
    place.and_then(|(start, end)| bytes.get(*start as usize..*end as usize)).unwrap_or_default()
}

/// What [`Vocabulary::count_piece`] works with, kept from piece to piece.
#[derive(Default)]
struct Merges {
    /// By their first byte in the piece; those at other bytes are parts no more.
    parts: Vec<PiecePart>,
    /// Ranks of pairs and where they start, the least first. Some are out of date: their part has another pair.
    pairs: BinaryHeap<Reverse<(u32, usize)>>,
}

/// Bytes of a piece that are one token.
#[derive(Clone, Copy)]
struct PiecePart {
    /// Where the part before it starts; `usize::MAX` of the first.
    before: usize,
    /// Where it ends, and the next one starts.
    end: usize,
    /// The rank of what it would be together with the next one.
    pair: Option<u32>,
}

/// The packed vocabularies beside those of `tiktoken-rs`: the same tokens, the same counts.
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the tests read fixtures and write the packed files")]
mod tests {
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
}
