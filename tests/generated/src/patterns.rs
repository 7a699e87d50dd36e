//! Random patterns and texts: what every function that takes a regex makes of them.

use crate::Session;
use crate::random::Random;

/// Characters of texts; patterns have most of them.
const LETTERS: &[&str] =
    &["a", "a", "a", "b", "b", "c", "A", "B", "1", "2", " ", "-", "\\n", "\\r", "\\n", "\\r\\n", "é", "É", "\\u2028"];

struct Writer {
    random: Random,
    /// Whether it may have what only the engine that backtracks can match.
    looks: bool,
    groups: usize,
    named: usize,
    /// Whether inside a look behind, where lengths must have a bound.
    bounded: bool,
}

/// The session of a seed: of odd ones the patterns neither look around nor refer back.
pub fn session(seed: u64) -> Session {
    let random = Random::new(seed.wrapping_add(0x7E57));
    let mut w = Writer { random, looks: seed.is_multiple_of(2), groups: 0, named: 0, bounded: false };
    let flags = if w.random.percent(25) {
        *w.random.of(&["(?i)", "(?s)", "(?m)", "(?m)", "(?m)", "(?x)", "(?im)", "(?d)"])
    } else {
        ""
    };
    let pattern = format!("{flags}{}", w.either(3));
    let replacement = if w.groups > 0 && w.random.percent(50) { "[$1]" } else { "<$0>" };
    let text = w.text();
    let limit = w.random.between(-1, 3);
    vec![format!(
        "(let [r (re-pattern \"{pattern}\") s \"{text}\"] [(re-find r s) (re-seq r s) (re-matches r s) (clojure.string/replace s r \"{replacement}\") \
         (clojure.string/replace-first s r (fn [m] (str \"<\" m \">\"))) (clojure.string/split s r {limit})])"
    )]
}

impl Writer {
    fn text(&mut self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for _ in 0..self.random.below(9) {
            let part: String = (0..=self.random.below(3)).map(|_| *self.random.of(LETTERS)).collect();
            // What comes again gives back-references something to find.
            let again = if parts.is_empty() { 0 } else { self.random.below(parts.len()) };
            parts.push(if self.random.percent(35) { parts.get(again).cloned().unwrap_or(part) } else { part });
        }
        parts.concat()
    }

    fn either(&mut self, depth: usize) -> String {
        let ways = if self.random.percent(25) { 2 + self.random.below(2) } else { 1 };
        (0..ways).map(|_| self.sequence(depth)).collect::<Vec<_>>().join("|")
    }

    fn sequence(&mut self, depth: usize) -> String {
        (0..self.random.below(4) + usize::from(self.random.percent(90))).map(|_| self.quantified(depth)).collect()
    }

    fn quantified(&mut self, depth: usize) -> String {
        let atom = self.atom(depth);
        if !self.random.percent(35) {
            return atom;
        }
        let all: &[&str] = &["?", "*", "+", "{2}", "{0,2}", "{1,3}", "{2,}", "{0}", "{0,1}"];
        let few: &[&str] = &["?", "{2}", "{0,2}", "{1,3}"];
        let times = *self.random.of(if self.bounded { few } else { all });
        let kind = match self.random.below(10) {
            0 | 1 => "?",
            2 if self.looks => "+",
            _ => "",
        };
        format!("{atom}{times}{kind}")
    }

    fn atom(&mut self, depth: usize) -> String {
        let kinds = if depth == 0 { 60 } else { 100 };
        match self.random.below(kinds) {
            0..30 => (*self.random.of(&["a", "a", "b", "b", "c", "A", "1", "-", "é", "ab", "aa"])).to_string(),
            30..37 => (*self.random.of(&[".", ".", "\\\\w", "\\\\d", "\\\\s", "\\\\W", "\\\\D", "\\\\S", "\\\\h"]))
                .to_string(),
            37..45 => {
                (*self.random.of(&["[ab]", "[^a]", "[a-c]", "[a-c&&[^b]]", "[\\\\w&&[^1]]", "[^\\\\s-]", "[b-]"]))
                    .to_string()
            }
            45..48 => {
                (*self.random.of(&["\\\\p{L}", "\\\\p{Lu}", "\\\\p{Alpha}", "\\\\P{L}", "\\\\p{Punct}"])).to_string()
            }
            48..52 => (*self.random.of(&["^", "$", "^", "$", "\\\\A", "\\\\z", "\\\\Z", "\\\\R"])).to_string(),
            52..54 => {
                if self.looks {
                    (*self.random.of(&["(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "\\\\G"])).to_string()
                } else {
                    "a".to_string()
                }
            }
            54..60 => self.back(),
            60..72 => {
                self.groups += 1;
                format!("({})", self.either(depth - 1))
            }
            72..75 => {
                self.groups += 1;
                self.named += 1;
                let name = self.named;
                format!("(?<n{name}>{})", self.either(depth - 1))
            }
            75..83 => format!("(?:{})", self.either(depth - 1)),
            83..85 => format!("(?i:{})", self.either(depth - 1)),
            85..87 => format!("(?s:{})", self.either(depth - 1)),
            87..89 => format!("(?m:{})", self.either(depth - 1)),
            89..99 if self.looks => {
                let open = *self.random.of(&["(?=", "(?!", "(?>", "(?<=", "(?<!"]);
                let outer = self.bounded;
                self.bounded |= open.starts_with("(?<");
                let body = self.either(depth - 1);
                self.bounded = outer;
                format!("{open}{body})")
            }
            _ => "b".to_string(),
        }
    }

    fn back(&mut self) -> String {
        if !self.looks || self.groups == 0 || self.bounded {
            return "b".to_string();
        }
        if self.named > 0 && self.random.percent(30) {
            return format!("\\\\k<n{}>", 1 + self.random.below(self.named));
        }
        format!("\\\\{}", 1 + self.random.below(self.groups))
    }
}
