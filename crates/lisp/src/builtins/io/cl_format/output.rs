//! What `cl-format` has written so far, in the case that `~( ~)` asks for.

use crate::cost;
use crate::host::{Host, Result};

/// How a `~( ~)` changes what is written inside it.
#[derive(Clone, Copy)]
pub enum Case {
    /// `~(`
    Small,
    /// `~:@(`
    Capital,
    /// `~:(`: each word begins with a capital; whether the last character was white space.
    Words(bool),
    /// `~@(`: the first word does; whether it has been there.
    First(bool),
}

impl Case {
    fn apply(&mut self, text: &str) -> String {
        match self {
            Case::Small => text.to_lowercase(),
            Case::Capital => text.to_uppercase(),
            Case::Words(after_space) => {
                let mut out = String::with_capacity(text.len());
                let (mut first, mut after_other) = (true, false);
                for c in text.to_lowercase().chars() {
                    let word = c.is_ascii_alphanumeric() || c == '_';
                    if (first && *after_space && c.is_alphabetic()) || (!first && after_other && word) {
                        out.extend(c.to_uppercase());
                        // The search for the next word begins after it.
                        after_other = false;
                    } else {
                        out.push(c);
                        after_other = !word;
                    }
                    first = false;
                }
                if let Some(last) = text.chars().next_back() {
                    *after_space = last.is_whitespace();
                }
                out
            }
            Case::First(done) => {
                let small = text.to_lowercase();
                if *done {
                    return small;
                }
                match small.char_indices().find(|(_, c)| !matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')) {
                    Some((at, c)) => {
                        *done = true;
                        let (head, tail) = small.split_at(at);
                        let rest = tail.get(c.len_utf8()..).unwrap_or_default();
                        format!("{head}{}{rest}", c.to_uppercase())
                    }
                    None => small,
                }
            }
        }
    }
}

/// What has been written.
#[derive(Default)]
pub struct Output {
    /// The text.
    pub text: String,
    /// The cases around what is written next, the innermost last.
    pub cases: Vec<Case>,
    /// How many blanks what was written last ends with: Clojure counts columns before them.
    pending: usize,
}

impl Output {
    /// Writes a text.
    pub fn put(&mut self, h: &mut dyn Host, text: &str) -> Result<()> {
        h.charge(1)?;
        cost::text(h, text.len())?;
        if self.text.len() + text.len() > self.text.capacity() {
            h.reserve((self.text.len() + text.len()) as u64 * 2)?;
        }
        let line = text.rsplit('\n').next().unwrap_or_default();
        self.pending = line.bytes().rev().take_while(|b| matches!(b, b' ' | b'\t' | 0xb | 0xc | b'\r')).count();
        if self.cases.is_empty() {
            self.text.push_str(text);
            return Ok(());
        }
        h.charge((text.len() * self.cases.len()) as u64 / 4)?;
        let mut text = text.to_string();
        for case in self.cases.iter_mut().rev() {
            text = case.apply(&text);
        }
        self.text.push_str(&text);
        Ok(())
    }

    /// The column that `~T` begins at.
    pub fn column(&self, h: &mut dyn Host) -> Result<usize> {
        let line = self.text.rsplit('\n').next().unwrap_or_default();
        cost::text(h, line.len())?;
        Ok(line.chars().count().saturating_sub(self.pending))
    }
}
