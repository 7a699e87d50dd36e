//! Builtins as values: what a row of the table says, in one text.

/// A function of the language. A row (`Builtin::new` in `builtins/row.rs`) gives its name, parameters, words, examples and
/// body. From the row come arity and type errors, did-you-mean, `(doc f)`, `docs/functions.md`, the list in the model's
/// prompt and a test of every example.
///
/// It holds a single address. Those of a process are known where it starts and not before, and each page with one is written
/// then: with an address for each text, that was most of the start.
pub struct Builtin {
    /// Name, parameters, docstring, and each example and its value, with NUL between them.
    text: &'static str,
    /// Its place in the table, where its body is.
    place: u16,
    /// Bytes of the name.
    name_bytes: u8,
    /// Fewest arguments.
    pub min: u8,
    /// Most arguments; `None` for any number.
    pub max: Option<u8>,
}

impl Builtin {
    /// The builtin at this place of the table whose texts are `text`, with a name of `name_bytes` bytes; the arity is counted from
    /// the parameters.
    pub(crate) const fn at(place: u16, text: &'static str, name_bytes: u8, params: &str) -> Self {
        let (min, max) = arity(params);
        Builtin { text, place, name_bytes, min, max }
    }

    /// Its place in the table.
    #[inline]
    pub(crate) const fn place(&self) -> u16 {
        self.place
    }

    /// Full name: `map`, `clojure.string/join`.
    #[inline]
    pub const fn name(&self) -> &'static str {
        match self.text.split_at_checked(self.name_bytes as usize) {
            Some((name, _)) => name,
            None => "",
        }
    }

    /// Whether programs write it; names that end in `*` are what sugar is rewritten to.
    pub fn is_public(&self) -> bool {
        !self.name().ends_with('*') || matches!(self.name(), "*" | "list*")
    }

    fn part(&self, n: usize) -> &'static str {
        self.text.split('\0').nth(n).unwrap_or_default()
    }

    /// Parameter lists as Clojure prints them, without brackets, alternatives separated by ` | `:
    /// `f coll | f c1 c2 & colls`.
    pub fn params(&self) -> &'static str {
        self.part(1)
    }

    /// What it does, in a sentence or two.
    pub fn doc(&self) -> &'static str {
        self.part(2)
    }

    /// Program and the readable text of its value; `!words` as the value says that it is an error with those words.
    pub fn examples(&self) -> Vec<(&'static str, &'static str)> {
        let mut texts = self.text.split('\0').skip(3);
        std::iter::from_fn(|| Some((texts.next()?, texts.next()?))).collect()
    }

    /// What `(doc f)` prints and `ptc doc f` shows.
    pub fn doc_text(&self) -> String {
        let lists: Vec<String> = self.params().split('|').map(|p| format!("[{}]", p.trim())).collect();
        let mut out = format!("{}\n({})\n  {}\n", self.name(), lists.join(" "), self.doc());
        out.push_str(&examples_text(&self.examples()));
        out
    }

    /// The name of the parameter that takes argument `i` of `n`.
    pub fn param(&self, i: usize, n: usize) -> &'static str {
        let fits = |list: &&str| {
            let names: Vec<&str> = list.split(' ').filter(|p| !p.is_empty()).collect();
            names.contains(&"&") || names.len() == n
        };
        let params = self.params();
        let list = params.split('|').find(fits).unwrap_or(params);
        let mut last = "argument";
        for (at, name) in list.split(' ').filter(|p| !p.is_empty() && *p != "&").enumerate() {
            last = name;
            if at == i {
                break;
            }
        }
        last
    }
}

/// Examples as the end of a docstring: each program, and under it what it gives.
pub(crate) fn examples_text(examples: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (program, value) in examples {
        match value.strip_prefix('!') {
            Some(words) => out.push_str(&format!("  {program}\n  ;!! {words}\n")),
            None => out.push_str(&format!("  {program}\n  ;=> {value}\n")),
        }
    }
    out
}

/// Counts parameter lists: `a b | a b & more` is (2, None).
pub const fn arity(params: &str) -> (u8, Option<u8>) {
    let b = params.as_bytes();
    let (mut min, mut max, mut open) = (u8::MAX, 0u8, false);
    let (mut i, mut n, mut rest) = (0, 0u8, false);
    loop {
        let end = i >= b.len();
        if end || b[i] == b'|' {
            if n < min {
                min = n;
            }
            if n > max {
                max = n;
            }
            open |= rest;
            n = 0;
            rest = false;
            if end {
                return (min, if open { None } else { Some(max) });
            }
            i += 1;
        } else if b[i] == b' ' {
            i += 1;
        } else {
            if b[i] == b'&' && (i + 1 >= b.len() || b[i + 1] == b' ') {
                rest = true;
            } else if !rest {
                n += 1;
            }
            while i < b.len() && b[i] != b' ' && b[i] != b'|' {
                i += 1;
            }
        }
    }
}
