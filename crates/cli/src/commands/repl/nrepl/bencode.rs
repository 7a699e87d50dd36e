//! Bencode: what nREPL speaks. Every byte that is read may be hostile: depth, length and number of items are bounded.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _};

/// Most bytes of a message; each item counts for [`ITEM`] more.
pub const MESSAGE: u64 = 4 << 20;
/// What an item takes besides its bytes.
const ITEM: u64 = 64;
/// Deepest nesting of a message.
const DEPTH: u32 = 16;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bencode {
    /// A whole number.
    Int(i64),
    /// Text, or any bytes.
    Bytes(Vec<u8>),
    /// Items in order.
    List(Vec<Bencode>),
    /// Entries by key.
    Dict(Dict),
}

/// Entries by key.
pub type Dict = BTreeMap<Vec<u8>, Bencode>;

impl From<&str> for Bencode {
    fn from(text: &str) -> Self {
        Bencode::Bytes(text.as_bytes().to_vec())
    }
}

impl From<String> for Bencode {
    fn from(text: String) -> Self {
        Bencode::Bytes(text.into_bytes())
    }
}

impl<T: Into<Bencode>> From<Vec<T>> for Bencode {
    fn from(items: Vec<T>) -> Self {
        Bencode::List(items.into_iter().map(Into::into).collect())
    }
}

impl From<Dict> for Bencode {
    fn from(entries: Dict) -> Self {
        Bencode::Dict(entries)
    }
}

/// A dictionary of these entries.
pub fn dict<const N: usize>(entries: [(&str, Bencode); N]) -> Dict {
    entries.into_iter().map(|(k, v)| (k.as_bytes().to_vec(), v)).collect()
}

impl Bencode {
    /// Adds its bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Bencode::Int(n) => out.extend(format!("i{n}e").into_bytes()),
            Bencode::Bytes(bytes) => text(bytes, out),
            Bencode::List(items) => {
                out.push(b'l');
                items.iter().for_each(|i| i.write(out));
                out.push(b'e');
            }
            Bencode::Dict(entries) => {
                out.push(b'd');
                for (key, value) in entries {
                    text(key, out);
                    value.write(out);
                }
                out.push(b'e');
            }
        }
    }
}

fn text(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend(format!("{}:", bytes.len()).into_bytes());
    out.extend(bytes);
}

/// Reads the next message, a dictionary; nothing at the end of the stream.
///
/// # Errors
/// When it is none, is cut off, is larger or deeper than what is taken, or cannot be read.
pub fn read_message(from: &mut dyn BufRead) -> io::Result<Option<Dict>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut reader = Reader { from, left: MESSAGE };
    // The first byte tells whether it is one: what speaks another protocol is not listened to.
    match reader.byte()? {
        b'd' => reader.dict(DEPTH).map(Some),
        _ => Err(wrong("a message is a dictionary")),
    }
}

fn wrong(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words.to_owned())
}

struct Reader<'a> {
    from: &'a mut dyn BufRead,
    /// Bytes that may still be read.
    left: u64,
}

impl Reader<'_> {
    fn take(&mut self, bytes: u64) -> io::Result<()> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| wrong("the message is too long"))?;
        Ok(())
    }

    fn byte(&mut self) -> io::Result<u8> {
        self.take(1)?;
        let mut one = [0];
        self.from.read_exact(&mut one)?;
        let [byte] = one;
        Ok(byte)
    }

    /// A number up to `end`, of which this is the first byte.
    fn number(&mut self, first: u8, end: u8) -> io::Result<i64> {
        let mut digits = String::new();
        let mut byte = first;
        while byte != end {
            if !(byte.is_ascii_digit() || (byte == b'-' && digits.is_empty() && end == b'e')) || digits.len() > 19 {
                return Err(wrong("no number"));
            }
            digits.push(char::from(byte));
            byte = self.byte()?;
        }
        digits.parse().map_err(|_| wrong("no number"))
    }

    fn bytes(&mut self, first: u8) -> io::Result<Vec<u8>> {
        let length = u64::try_from(self.number(first, b':')?).map_err(|_| wrong("no length"))?;
        self.take(length)?;
        let mut out = Vec::new();
        // What is announced is not taken before it has come.
        let read = self.from.take(length).read_to_end(&mut out)?;
        if read as u64 == length { Ok(out) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn dict(&mut self, depth: u32) -> io::Result<Dict> {
        let mut out = Dict::new();
        loop {
            match self.byte()? {
                b'e' => return Ok(out),
                first => {
                    self.take(ITEM)?;
                    let key = self.bytes(first)?;
                    let first = self.byte()?;
                    let value = self.value(first, depth)?;
                    out.insert(key, value);
                }
            }
        }
    }

    fn value(&mut self, first: u8, depth: u32) -> io::Result<Bencode> {
        let inner = depth.checked_sub(1).ok_or_else(|| wrong("the message is nested too deep"));
        self.take(ITEM)?;
        match first {
            b'i' => {
                let first = self.byte()?;
                Ok(Bencode::Int(self.number(first, b'e')?))
            }
            b'l' => {
                let (inner, mut out) = (inner?, Vec::new());
                loop {
                    match self.byte()? {
                        b'e' => return Ok(Bencode::List(out)),
                        first => out.push(self.value(first, inner)?),
                    }
                }
            }
            b'd' => Ok(Bencode::Dict(self.dict(inner?)?)),
            first => Ok(Bencode::Bytes(self.bytes(first)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> io::Result<Option<Dict>> {
        read_message(&mut &bytes[..])
    }

    #[test]
    fn messages_are_read_as_they_are_written() {
        let message = dict([
            ("op", "eval".into()),
            ("code", "(str \"é\")".into()),
            ("n", Bencode::Int(-5)),
            ("list", vec!["a", ""].into()),
            ("inner", dict([("k", Bencode::Int(i64::MAX))]).into()),
        ]);
        let mut bytes = Vec::new();
        Bencode::from(message.clone()).write(&mut bytes);
        assert_eq!(read(&bytes).unwrap(), Some(message));
        // Several stand behind each other, and the end of the stream is no error.
        let two = [bytes.as_slice(), b"d2:op4:donee"].concat();
        let mut stream = two.as_slice();
        assert!(read_message(&mut stream).unwrap().is_some());
        assert_eq!(read_message(&mut stream).unwrap(), Some(dict([("op", "done".into())])));
        assert_eq!(read_message(&mut stream).unwrap(), None);
    }

    #[test]
    fn hostile_bytes_are_refused() {
        let deep = [b"d1:a".as_slice(), &b"l".repeat(1_000_000)].concat();
        let wide = [b"d1:a".as_slice(), b"l", &b"le".repeat(1_000_000)].concat();
        for bytes in [
            &b"GET / HTTP/1.1\r\n\r\n"[..],
            b"le",
            b"d",
            b"d1:a",
            b"d1:ai5",
            b"d1:aiee",
            b"d1:ai-e",
            b"d1:ai99999999999999999999999e",
            b"d-1:ai1ee",
            b"d99999999999:a",
            b"d4194305:a",
            b"d3:abi1ee",
            b"d1:a5:abe",
            b"di1ei2ee",
            &deep,
            &wide,
            b"\xff\xfe",
        ] {
            assert!(read(bytes).is_err(), "{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(40)]));
        }
    }
}
