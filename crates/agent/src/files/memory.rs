//! How much memory a file takes once it is read: counted in its bytes, before anything is made of them.

/// Most memory that a file takes which is read whole, with all that is made of it: 2 GiB.
pub const MAX_MEMORY: u64 = 2 << 30;

/// What a command makes of a text, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEstimate {
    /// Bytes for each byte of the text: itself, its strings, and what is shown of them.
    byte: u64,
    /// Bytes for each value and each line, besides its characters.
    value: u64,
    /// Values that are nested deeper stay text.
    depth: u32,
}

impl MemoryEstimate {
    /// Of conversations, recorded replies, programs and other texts: each value may become part of a message, and that of
    /// a request.
    pub const DATA: MemoryEstimate = MemoryEstimate { byte: 16, value: 640, depth: u32::MAX };
    /// Of a trace: arguments and answers of its calls stay text.
    pub const TRACE: MemoryEstimate = MemoryEstimate { byte: 5, value: 64, depth: 3 };
    /// Of recorded calls: arguments are read, answers stay text.
    pub const CALLS: MemoryEstimate = MemoryEstimate { byte: 5, value: 64, depth: u32::MAX };

    /// Memory that this text takes at most, in bytes.
    pub fn memory(self, text: &[u8]) -> u64 {
        let (mut values, mut open, mut quoted, mut escaped) = (0_u64, 0_u32, false, false);
        for b in text {
            let counts = match b {
                // Lines hold something, whatever the quotes before them say.
                b'\n' => true,
                _ if escaped => {
                    escaped = false;
                    false
                }
                b'\\' if quoted => {
                    escaped = true;
                    false
                }
                b'"' => {
                    quoted = !quoted;
                    false
                }
                _ if quoted => false,
                b'[' | b'{' => {
                    open = open.saturating_add(1);
                    true
                }
                b']' | b'}' => {
                    open = open.saturating_sub(1);
                    false
                }
                b',' | b':' => true,
                _ => false,
            };
            if *b == b'\n' && self.depth < u32::MAX {
                // A line is a value of its own; one that is torn does not hide the next.
                (open, quoted, escaped) = (0, false, false);
            }
            values = values.saturating_add(u64::from(counts && open <= self.depth));
        }
        (text.len() as u64).saturating_mul(self.byte).saturating_add(values.saturating_mul(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_lines_count_and_brackets_in_texts_do_not() {
        let values = |made: MemoryEstimate, text: &str| {
            (made.memory(text.as_bytes()) - made.byte * text.len() as u64) / made.value
        };
        for (text, n) in [("", 0), ("[1,2]", 2), (r#"{"a": "[,:\",", "b": {}}"#, 5), ("a\nb\n", 2), ("\"[\n[\n", 2)] {
            assert_eq!(values(MemoryEstimate::DATA, text), n, "{text}");
        }
        let line = r#"{"turn":1,"tool_calls":[{"id":1,"result":[1,2,{"a":3}]}]}"#;
        assert_eq!(values(MemoryEstimate::TRACE, line), 9);
        assert_eq!(values(MemoryEstimate::TRACE, &format!("{line}\n{line}")), 19);
        // A line that is torn in a text hides nothing of the next.
        assert_eq!(values(MemoryEstimate::TRACE, "{\"a\":\"[[[\n{\"b\":[1]}"), 6);
    }
}
