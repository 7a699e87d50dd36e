//! Extracts the program from a model's reply: one fenced block, or text that starts with a bracket; never a guess.

use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::escape;

/// Tags of fences that hold programs; none at all is one too.
const TAGS: [&str; 5] = ["clojure", "lisp", "ptc-lisp", "edn", ""];

/// A parsed reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The program, without characters that editors and models slip in.
    pub program: String,
    /// The prose around it.
    pub reasoning: Option<String>,
}

/// Extracts the program from a reply.
///
/// # Errors
/// Of kind `parse`, when there is no program, or more than one (P-31).
pub fn extract(reply: &str) -> Result<Reply, Error> {
    let (program, count, prose) = fences(reply);
    match (program, count) {
        (Some(program), 1) => Ok(Reply { program: mend(&program), reasoning: prose }),
        (Some(_), count) => {
            Err(Error::new(ErrorKind::Parse, format!("the reply has {count} programs, and a turn runs one"))
                .hint("put the whole program into one ```clojure block; other examples into prose or a ```text block"))
        }
        (None, _) => {
            let bare = reply.trim_matches(|c: char| c.is_whitespace() || escape::hidden(c));
            if bare.starts_with('(') {
                return Ok(Reply { program: mend(bare), reasoning: None });
            }
            let words = if bare.is_empty() { "the reply is empty" } else { "the reply has no program" };
            Err(Error::new(ErrorKind::Parse, words).hint("write one program in one ```clojure block"))
        }
    }
}

/// The first program block, how many there are, and all other text.
fn fences(reply: &str) -> (Option<String>, usize, Option<String>) {
    let (mut first, mut count) = (None, 0_usize);
    let mut found = |program: String| {
        count = count.saturating_add(1);
        first.get_or_insert(program);
    };
    let mut prose = String::new();
    let mut open: Option<(Fence, Option<String>)> = None;
    for line in reply.split_inclusive('\n') {
        let seen = fence(line);
        open = match (open, seen) {
            (None, Some(f)) if f.opens() => {
                let is_program = TAGS.contains(&f.tag.to_ascii_lowercase().as_str());
                if !is_program {
                    prose.push_str(line);
                }
                Some((f, is_program.then(String::new)))
            }
            (None, _) => {
                prose.push_str(line);
                None
            }
            (Some((opened, program)), Some(f)) if f.closes(&opened) => {
                match program {
                    Some(p) => found(p),
                    None => prose.push_str(line),
                }
                None
            }
            (Some((opened, Some(mut program))), _) => {
                program.push_str(line);
                Some((opened, Some(program)))
            }
            (Some((opened, None)), _) => {
                prose.push_str(line);
                Some((opened, None))
            }
        };
    }
    // A truncated reply still shows what it was about to run: its missing brackets give the error.
    if let Some((_, Some(program))) = open {
        found(program);
    }
    let first = first.map(|p| p.trim_end_matches(['\n', '\r']).to_owned());
    let prose = prose.trim().to_owned();
    (first, count, (!prose.is_empty()).then_some(prose))
}

struct Fence {
    mark: char,
    length: usize,
    /// The first word after the marks.
    tag: String,
    /// Everything after the marks.
    info: String,
}

impl Fence {
    fn opens(&self) -> bool {
        // "```x```" on one line is code in prose.
        self.mark != '`' || !self.info.contains('`')
    }

    fn closes(&self, opened: &Fence) -> bool {
        self.mark == opened.mark && self.length >= opened.length && self.info.is_empty()
    }
}

fn fence(line: &str) -> Option<Fence> {
    let text = line.trim_matches(|c: char| c.is_whitespace() || escape::hidden(c));
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let length = text.len().saturating_sub(info.len());
    let info = info.trim();
    let tag = info.split([' ', '\t', '{', ',']).next().unwrap_or_default();
    (length >= 3).then(|| Fence { mark, length, tag: tag.to_owned(), info: info.to_owned() })
}

/// Removes what editors and models slip into code: byte order marks, zero-width characters and typographic quotes.
/// Strings, comments, character literals and regexes are unchanged.
pub fn mend(program: &str) -> String {
    let mut out = String::with_capacity(program.len());
    let mut state = State::Code;
    let mut escaped = false;
    for c in program.chars() {
        match state {
            State::Code => {
                if escaped {
                    // A character literal: `\"`, `\;`, `\“`.
                    escaped = false;
                    out.push(c);
                    continue;
                }
                match c {
                    '\\' => {
                        escaped = true;
                        out.push(c);
                    }
                    '"' => {
                        state = State::Text;
                        out.push(c);
                    }
                    ';' => {
                        state = State::Comment;
                        out.push(c);
                    }
                    '\u{201c}' | '\u{201d}' | '\u{201e}' => {
                        state = State::Typographic;
                        out.push('"');
                    }
                    '\u{2018}' | '\u{2019}' => out.push('\''),
                    '\n' | '\r' | '\t' => out.push(c),
                    c if escape::hidden(c) && !c.is_ascii() => {}
                    c => out.push(c),
                }
            }
            State::Comment => {
                out.push(c);
                if c == '\n' {
                    state = State::Code;
                }
            }
            State::Text | State::Typographic if escaped => {
                escaped = false;
                out.push(c);
            }
            State::Text => {
                escaped = c == '\\';
                out.push(c);
                if c == '"' {
                    state = State::Code;
                }
            }
            State::Typographic => {
                escaped = c == '\\';
                if matches!(c, '"' | '\u{201c}' | '\u{201d}') {
                    state = State::Code;
                    out.push('"');
                } else {
                    out.push(c);
                }
            }
        }
    }
    out
}

#[derive(Clone, Copy)]
enum State {
    Code,
    Comment,
    /// Between plain quotes, of a string or a regex.
    Text,
    /// In a string that a typographic quote opened: such a quote ends it as well.
    Typographic,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(reply: &str) -> String {
        extract(reply).map(|r| r.program).unwrap_or_else(|e| format!("! {}", e.message))
    }

    #[test]
    fn one_fenced_block_is_the_program() {
        for (reply, expected) in [
            ("```clojure\n(+ 1 2)\n```", "(+ 1 2)"),
            ("Let me look.\n\n```lisp\n(def x 1)\n(inc x)\n```\nThat is all.", "(def x 1)\n(inc x)"),
            ("~~~ptc-lisp\n(a)\n~~~", "(a)"),
            ("```\n(a)\n```\n", "(a)"),
            ("```EDN {.x}\n(a)\n```", "(a)"),
            ("   ```clojure\r\n(a)\r\n   ```\r\n", "(a)"),
            ("````clojure\n(println \"\n```\n\")\n````", "(println \"\n```\n\")"),
            ("```json\n{\"a\": 1}\n```\n```clojure\n(a)\n```", "(a)"),
            ("```clojure\n(cut short", "(cut short"),
            ("```clojure\n```", ""),
            ("use ```x``` so\n```clojure\n(a)\n```", "(a)"),
            ("(+ 1 2)", "(+ 1 2)"),
            ("\u{feff}\n (+ 1 2)\n", "(+ 1 2)"),
            ("I think (inc 1) is right", "! the reply has no program"),
            ("```python\nprint(1)\n```", "! the reply has no program"),
            ("", "! the reply is empty"),
            ("```clojure\n(a)\n```\n```\n(b)\n```", "! the reply has 2 programs, and a turn runs one"),
        ] {
            assert_eq!(program(reply), expected, "{reply}");
        }
    }

    #[test]
    fn prose_is_the_reasoning() {
        let r = extract("Before.\n\n```clojure\n(a)\n```\n\nAfter.\n```json\n1\n```").unwrap();
        assert_eq!(r.reasoning.as_deref(), Some("Before.\n\n\nAfter.\n```json\n1\n```"));
        assert_eq!(extract("(a)").unwrap().reasoning, None);
    }

    #[test]
    fn mending_knows_strings_comments_characters_and_regexes() {
        for (text, expected) in [
            ("\u{feff}(a\u{200b} b)", "(a b)"),
            ("(println “hello”)", "(println \"hello\")"),
            ("(map ‘a ’b)", "(map 'a 'b)"),
            ("(str \"“x” \u{200b}\" “y”)", "(str \"“x” \u{200b}\" \"y\")"),
            ("(str \"a\\\"“\" ’x)", "(str \"a\\\"“\" 'x)"),
            ("[\\“ \\\" “b”]", "[\\“ \\\" \"b\"]"),
            ("; “note”\n(“a”)", "; “note”\n(\"a\")"),
            ("(re-find #\"“\\\"\" ’x)", "(re-find #\"“\\\"\" 'x)"),
            ("(f “a\" 1)", "(f \"a\" 1)"),
            ("(f\t1\r\n)", "(f\t1\r\n)"),
        ] {
            assert_eq!(mend(text), expected, "{text}");
        }
    }
}
