//! The text of a file: unpacked if it is compressed, and decoded.

use super::kind::Kind;
use super::options::InputOptions;
use super::read_limits::ReadLimits;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::{read_to_end_within, utf8};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use ptc_lisp::escape;
use ptc_text::cut;

/// The bytes with which files begin that are no text, and what they are.
const NO_TEXT: [(&[u8], &str, &str); 9] = [
    (b"PK\x03\x04", "a spreadsheet (as .xlsx) or another zip archive", SAVE),
    (b"PK\x05\x06", "an empty zip archive", SAVE),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet (as .xls) or another Office file", SAVE),
    (b"%PDF-", "a PDF", "save its text"),
    (b"PAR1", "a Parquet file", SAVE),
    (b"SQLite format 3\0", "a SQLite database", "name a table of it"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it with unzstd"),
    (b"\xfd7zXZ\0", "compressed with xz", "unpack it with unxz"),
    (b"BZh91AY", "compressed with bzip2", "unpack it with bunzip2"),
];
const SAVE: &str = "save a table as CSV, and unpack an archive";
const GZIP: &[u8] = b"\x1f\x8b";
/// Where an archive of tar says what it is.
const TAR: (usize, &[u8]) = (257, b"ustar");
/// Bytes of a file that are looked at for zeros.
const SAMPLE: usize = 64 << 10;
/// Most characters of a line that a warning shows.
const SHOWN: usize = 40;

/// The text that bytes are, and what was guessed of it; `shown` names the file in errors.
///
/// # Errors
/// When they are a file of another kind, are no text in the encoding that is said or seen, or take more than an input may.
pub(super) fn text(
    bytes: Vec<u8>,
    shown: &str,
    kind: Kind,
    options: &InputOptions,
    reading: &ReadLimits,
) -> Result<(String, Option<String>), Error> {
    let wrong = |t| Error::new(ErrorKind::Input, t).at(shown);
    if let Some((_, words)) = options.unfit(kind) {
        return Err(wrong(words));
    }
    let bytes = if bytes.starts_with(GZIP) { unpacked(&bytes, shown, reading)? } else { bytes };
    if let Some((_, what, hint)) = NO_TEXT.into_iter().find(|(begin, ..)| bytes.starts_with(begin)) {
        return Err(wrong(error_text!("the file is {what}, not text"; "{hint}")));
    }
    if bytes.get(TAR.0..).is_some_and(|b| b.starts_with(TAR.1)) {
        return Err(wrong(error_text!("the file is a tar archive, not text"; "{SAVE}")));
    }
    // A byte order mark is not there by accident.
    let marked = Encoding::for_bom(&bytes).map(|(encoding, _)| encoding);
    match (marked, options.encoding) {
        (Some(marked), said) => {
            let both = |said: &&Encoding| [UTF_16LE, UTF_16BE].contains(said) && [UTF_16LE, UTF_16BE].contains(&marked);
            let note = said.filter(|said| *said != marked && !both(said)).map(|said| {
                let (marked, said) = (marked.name(), said.name());
                format!("the file begins with the mark of {marked} and is read as that, not as encoding = {said}")
            });
            Ok((decoded(bytes, marked, shown, reading)?, note))
        }
        (None, Some(said)) => Ok((decoded(bytes, said, shown, reading)?, None)),
        (None, None) => guessed(bytes, shown, kind, reading),
    }
}

/// The text of bytes whose encoding nobody said: UTF-8, or what it looks like.
fn guessed(bytes: Vec<u8>, shown: &str, kind: Kind, reading: &ReadLimits) -> Result<(String, Option<String>), Error> {
    if let Some(wide) = utf16(&bytes) {
        let text = decoded(bytes, wide, shown, reading)?;
        let name = wide.name();
        return Ok((text, Some(format!("the file looks like {name} and is read as that (encoding changes it)"))));
    }
    let Err(e) = std::str::from_utf8(&bytes) else { return Ok((utf8(bytes, shown)?, None)) };
    // JSON is UTF-8 by its definition. Letters that are UTF-8 before the first that is not are a damaged text, and
    // zeros are none.
    let before = bytes.get(..e.valid_up_to()).unwrap_or_default();
    let control = |b: &u8| *b < b'\t' || (0xe..0x1b).contains(b);
    let is_legacy = !matches!(kind, Kind::Json | Kind::JsonLines)
        && before.is_ascii()
        && !bytes.iter().any(control)
        && !WINDOWS_1252.decode_without_bom_handling(&bytes).0.contains(|c: char| ('\u{80}'..'\u{a0}').contains(&c));
    if !is_legacy {
        let line = before.iter().filter(|b| **b == b'\n').count().saturating_add(1);
        let words = error_text!("not UTF-8 text (line {line}, byte {})", before.len().saturating_add(1); "save it as UTF-8, or name its encoding, as encoding = \"latin1\"");
        return Err(Error::new(ErrorKind::Input, words).at(shown).with_source(e));
    }
    let text = decoded(bytes, WINDOWS_1252, shown, reading)?;
    // The first line that depends on the guess lets the reader judge it.
    let line = text.lines().enumerate().find(|(_, l)| !l.is_ascii());
    let example = line.map_or_else(String::new, |(i, l)| {
        let from = l.find(|c: char| !c.is_ascii()).unwrap_or_default();
        let start = l.char_indices().map(|(at, _)| at).take_while(|at| *at <= from).collect::<Vec<_>>();
        let start = start.iter().rev().nth(SHOWN / 2).copied().unwrap_or_default();
        let part = cut::one_line(l.get(start..).unwrap_or_default(), SHOWN);
        format!(" (line {}: {})", i.saturating_add(1), escape::quoted(&part))
    });
    Ok((text, Some(format!("the file is not UTF-8 and is read as windows-1252{example}, encoding changes it"))))
}

/// The UTF-16 that text without a mark looks like: half of the bytes of plain letters are zeros.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..bytes.len().min(SAMPLE))?;
    let zeros = |odd: usize| sample.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    let many = sample.len() / 6;
    // Two bytes of which one is a zero are a letter, or the file is no text.
    if sample.chunks_exact(2).any(|pair| pair.contains(&0) && pair.iter().all(|b| *b < b'\t')) {
        return None;
    }
    match (zeros(0), zeros(1)) {
        (0, n) if n > many && bytes.len().is_multiple_of(2) => Some(UTF_16LE),
        (n, 0) if n > many && bytes.len().is_multiple_of(2) => Some(UTF_16BE),
        _ => None,
    }
}

/// The text of bytes in this encoding, without a mark.
fn decoded(bytes: Vec<u8>, encoding: &'static Encoding, shown: &str, reading: &ReadLimits) -> Result<String, Error> {
    if encoding == UTF_8 {
        return utf8(bytes, shown);
    }
    let mut decoder = encoding.new_decoder_with_bom_removal();
    let most = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
    let most = most.filter(|n| n.saturating_add(bytes.len()) as u64 <= reading.bytes);
    let mut text = String::with_capacity(most.ok_or_else(|| reading.too_large(shown, "decoded, it", "shorten it"))?);
    let (result, read) = decoder.decode_to_string_without_replacement(&bytes, &mut text, true);
    if result != encoding_rs::DecoderResult::InputEmpty {
        let line = text.matches('\n').count().saturating_add(1);
        let words = error_text!("not {} text (line {line}, byte {read})", encoding.name(); "name another encoding, or correct the file");
        return Err(Error::new(ErrorKind::Input, words).at(shown));
    }
    text.shrink_to_fit();
    Ok(text)
}

/// What gzip packed, as much as an input may be.
fn unpacked(bytes: &[u8], shown: &str, reading: &ReadLimits) -> Result<Vec<u8>, Error> {
    let (mut out, mut unpacker) = (Vec::new(), flate2::bufread::MultiGzDecoder::new(bytes));
    match read_to_end_within(&mut unpacker, &mut out, reading.bytes.saturating_sub(bytes.len() as u64)) {
        Ok(true) => Ok(out),
        Ok(false) => Err(reading.too_large(shown, "unpacked, it", "shorten it")),
        Err(e) => {
            let words =
                error_text!("what gzip packed cannot be unpacked: {e}"; "the file is damaged or cut off, get it again");
            Err(Error::new(ErrorKind::Input, words).at(shown).with_source(e))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn read(bytes: &[u8], said: &str, kind: Kind) -> String {
        let options = InputOptions::behind(&format!("x{said}")).unwrap().1;
        match text(bytes.to_vec(), "x.csv", kind, &options, &ReadLimits::default()) {
            Ok((text, None)) => text,
            Ok((text, Some(note))) => format!("{text} [{note}]"),
            Err(e) => e.to_string(),
        }
    }

    type Bytes = fn(u16) -> [u8; 2];

    fn wide(text: &str, bytes: Bytes) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn encodings_are_said_marked_or_guessed() {
        let guess =
            "[the file is not UTF-8 and is read as windows-1252 (line 2: \"caf\u{e9} \u{20ac}\"), encoding changes it]";
        let (le, be): (Bytes, Bytes) = (u16::to_le_bytes, u16::to_be_bytes);
        let looks = |name| format!("a;b\u{e9} [the file looks like {name} and is read as that (encoding changes it)]");
        for (bytes, said, expected) in [
            ("caf\u{e9}".as_bytes().to_vec(), "", "caf\u{e9}".to_owned()),
            ("\u{feff}a".into(), "", "a".to_owned()),
            ("\u{feff}\u{e9}".into(), ",encoding=latin1", "\u{e9} [the file begins with the mark of UTF-8 and is read as that, not as encoding = windows-1252]".to_owned()),
            (b"a\ncaf\xe9 \x80".to_vec(), "", format!("a\ncaf\u{e9} \u{20ac} {guess}")),
            (b"caf\xe9".to_vec(), ",encoding=latin-1", "caf\u{e9}".to_owned()),
            (b"\xcf\xf0\xe8".to_vec(), ",encoding=cp1251", "\u{41f}\u{440}\u{438}".to_owned()),
            (wide("\u{feff}a;b\u{e9}", le), "", "a;b\u{e9}".to_owned()),
            (wide("\u{feff}a;b\u{e9}", be), "", "a;b\u{e9}".to_owned()),
            (wide("a;b\u{e9}", le), "", looks("UTF-16LE")),
            (wide("a;b\u{e9}", be), "", looks("UTF-16BE")),
            (wide("a;b\u{e9}", be), ",encoding=utf-16be", "a;b\u{e9}".to_owned()),
            // Damaged UTF-8, and what is no text.
            ("\u{e9}\n".bytes().chain(*b"x\xff").collect(), "", "x.csv: not UTF-8 text (line 2, byte 5); save it as UTF-8, or name its encoding, as encoding = \"latin1\"".to_owned()),
            (b"x\xff\x00\x01".to_vec(), "", "x.csv: not UTF-8 text (line 1, byte 2); save it as UTF-8, or name its encoding, as encoding = \"latin1\"".to_owned()),
            (b"\n\x81".to_vec(), ",encoding=shift_jis", "x.csv: not Shift_JIS text (line 2, byte 2); name another encoding, or correct the file".to_owned()),
        ] {
            assert_eq!(read(&bytes, said, Kind::Csv), expected, "{bytes:?} {said}");
        }
        assert!(read(b"\"caf\xe9\"", "", Kind::Json).starts_with("x.csv: not UTF-8 text (line 1, byte 5)"));
        let table = "x.csv: header is for tables, and the file's name does not end in .csv or .tsv";
        assert!(read(b"", ",header=true", Kind::Text).starts_with(table));
    }

    #[test]
    fn gzip_is_unpacked_as_far_as_an_input_may_be() {
        let gzip = |bytes: &[u8]| {
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            packer.write_all(bytes).unwrap();
            packer.finish().unwrap()
        };
        let two = [gzip(b"a\n"), gzip(b"caf\xe9")].concat();
        assert!(read(&two, ",encoding=latin1", Kind::Csv).starts_with("a\ncaf\u{e9}"));
        let cut = read(two.get(..two.len() - 4).unwrap(), "", Kind::Csv);
        assert!(cut.starts_with("x.csv: what gzip packed cannot be unpacked: "), "{cut}");
        assert_eq!(read(&gzip(b"%PDF-1.7"), "", Kind::Text), "x.csv: the file is a PDF, not text; save its text");
        let small = ReadLimits { bytes: 1 << 20, ..ReadLimits::default() };
        let bomb = gzip(&vec![b'x'; 4 << 20]);
        let e = text(bomb, "x.gz", Kind::Text, &InputOptions::default(), &small).unwrap_err().to_string();
        assert!(e.starts_with("x.gz: unpacked, it takes more than input_bytes = 1048576;"), "{e}");
    }
}
