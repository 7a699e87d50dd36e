//! How deep JSON text is nested, counted byte by byte: before anything is made of it that deep nesting makes costly.

use ptc_lisp::value::Value;
use serde::Serialize;
use std::io;

/// Counts open brackets of a text that comes piece by piece. What is no JSON is counted somehow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nesting {
    open: u32,
    values: u64,
    text: bool,
    escaped: bool,
}

impl Nesting {
    /// Continues with these bytes; `false` when they lead deeper than `most`.
    #[must_use]
    pub(crate) fn within(&mut self, bytes: &[u8], most: u32) -> bool {
        for b in bytes {
            match (self.text, b) {
                (true, _) if self.escaped => self.escaped = false,
                (true, b'\\') => self.escaped = true,
                (true, b'"') => self.text = false,
                (true, _) => {}
                (false, b'"') => self.text = true,
                (false, b'[' | b'{') if self.open >= most => return false,
                (false, b'[' | b'{') => {
                    self.open = self.open.saturating_add(1);
                    self.values = self.values.saturating_add(1);
                }
                (false, b',' | b':') => self.values = self.values.saturating_add(1),
                (false, b']' | b'}') => self.open = self.open.saturating_sub(1),
                (false, _) => {}
            }
        }
        true
    }

    /// How many values there have been, about: brackets, commas and colons.
    pub(crate) fn values(&self) -> u64 {
        self.values
    }
}

/// A value that stands for one that is nested deeper than `most`: what refuses that refuses this, and it costs little.
pub(crate) fn too_deep(most: u32) -> Value {
    (0..=most).fold(Value::Nil, |inner, _| Value::vector(vec![inner]))
}

/// The same as JSON text.
pub(crate) fn too_deep_text(most: u32) -> String {
    let depth = (most as usize).saturating_add(1);
    ["[".repeat(depth), "]".repeat(depth)].concat()
}

/// The JSON text of an answer, made no further than it may be long and deep; of one that is deeper the text of another
/// that is.
///
/// # Errors
/// When it is longer than `bytes`, or has no JSON text.
pub(crate) fn to_text<T: Serialize + ?Sized>(answer: &T, bytes: usize, depth: u32) -> Result<String, String> {
    let mut to = Bounded { out: Vec::new(), bytes, depth, nesting: Nesting::default(), full: None };
    let written = serde_json::to_writer(&mut to, answer);
    let wrong = |e: &dyn std::fmt::Display| format!("its answer cannot be JSON: {e}");
    match (to.full, written) {
        (Some(Full::Deep), _) => Ok(too_deep_text(depth)),
        (Some(Full::Long), _) => Err(format!("its answer is longer than {} MB", bytes >> 20)),
        (None, Err(e)) => Err(wrong(&e)),
        (None, Ok(())) => String::from_utf8(to.out).map_err(|e| wrong(&e)),
    }
}

/// Why no more is written.
enum Full {
    Long,
    Deep,
}

struct Bounded {
    out: Vec<u8>,
    bytes: usize,
    depth: u32,
    nesting: Nesting,
    full: Option<Full>,
}

impl io::Write for Bounded {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.out.len().saturating_add(piece.len()) > self.bytes {
            self.full = Some(Full::Long);
        } else if !self.nesting.within(piece, self.depth) {
            self.full = Some(Full::Deep);
        }
        if self.full.is_some() {
            return Err(io::Error::other("full"));
        }
        self.out.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_lisp::value::Item as _;

    #[test]
    fn brackets_in_texts_do_not_count() {
        for (text, depth) in
            [("", 0), ("1", 0), ("[]", 1), ("[[],{\"a\":[]}]", 3), (r#"["[[[", "\"[{", "\\"]"#, 1), ("{}{}[]", 1)]
        {
            assert!(Nesting::default().within(text.as_bytes(), depth), "{text}");
            assert!(depth == 0 || !Nesting::default().within(text.as_bytes(), depth - 1), "{text}");
            let mut pieces = Nesting::default();
            assert!(text.bytes().all(|b| pieces.within(&[b], depth)), "{text}");
        }
        assert!(!Nesting::default().within("[".repeat(1_000_000).as_bytes(), 10_000));
        let mut all = Nesting::default();
        assert!(all.within(br#"{"a": [1, 2, {}], ",": 1}"#, 9) && all.values() == 8, "{all:?}");
    }

    #[test]
    fn an_answer_is_written_no_further_than_it_may_be() {
        struct Deep(u32);
        impl Serialize for Deep {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                // Without end but for who writes it.
                s.collect_seq([Deep(self.0 + 1)])
            }
        }
        assert_eq!(to_text(&Deep(0), 1000, 50).unwrap(), format!("{}{}", "[".repeat(51), "]".repeat(51)));
        assert_eq!(too_deep(50).depth(), 51);
        assert_eq!(to_text(&"x".repeat(100), 50, 5).unwrap_err(), "its answer is longer than 0 MB");
        assert_eq!(to_text(&vec![vec![1]], 50, 2).unwrap(), "[[1]]");
        let odd = std::collections::BTreeMap::from([(vec![1], 1)]);
        assert!(to_text(&odd, 50, 5).unwrap_err().starts_with("its answer cannot be JSON: "));
    }
}
