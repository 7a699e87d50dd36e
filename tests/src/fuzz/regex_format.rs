//! Regexes and format strings: translated or refused; what is found, what is between and what replaces it fit together.

use super::dice::Dice;
use super::values::nasty;
use ptc_lisp::error::ErrorKind;
use ptc_lisp::interface::{Outcome, RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;

/// A pattern, a text and a format string: lines of the input; and once more, built of it.
pub fn regex_format(data: &[u8]) {
    let text = super::text(data);
    let mut lines = text.splitn(3, '\n');
    let mut line = || lines.next().unwrap_or_default();
    let (pattern, subject, format) = (line(), line(), line());
    laws(pattern, subject, format);
    let mut d = Dice::new(data, 60);
    let (pattern, subject, format) = (pattern_of(&mut d, 4), subject_of(&mut d), format_of(&mut d));
    laws(&pattern, &subject, &format);
}

/// Each program is a law: it gives true, or an error that is the input's own.
const LAWS: &[&str] = &[
    // Splitting and finding share the text between them; a pattern that matches nothing cuts nothing out.
    r#"(let [re (re-pattern ctx/p) s ctx/s
             found (map #(if (vector? %) (first %) %) (re-seq re s))
             parts (clojure.string/split s re -1)]
         (or (some empty? found) (empty? s)
             (and (= (count parts) (inc (count found)))
                  (= s (apply str (concat (interleave parts found) [(last parts)]))))))"#,
    r#"(let [re (re-pattern ctx/p) s ctx/s
             found (map #(if (vector? %) (first %) %) (re-seq re s))
             parts (clojure.string/split s re -1)
             quoted (clojure.string/re-quote-replacement ctx/f)]
         (or (some empty? found) (empty? s)
             (= (clojure.string/replace s re quoted) (clojure.string/join ctx/f parts)
                (clojure.string/replace s re (fn [_] ctx/f)))))"#,
    r#"(let [re (re-pattern ctx/p) s ctx/s]
         (and (= (re-find re s) (first (re-seq re s)))
              (or (nil? (re-matches re s)) (some? (re-find re s)))
              (= (some? (re-find re s)) (some? (seq (re-seq re s))))))"#,
    // Whatever the replacement and the format string say.
    r#"(do (clojure.string/replace ctx/s (re-pattern ctx/p) ctx/f) (clojure.string/replace-first ctx/s (re-pattern ctx/p) ctx/f) true)"#,
    r#"(do (clojure.string/split ctx/s (re-pattern ctx/p)) (clojure.string/split ctx/s (re-pattern ctx/p) 3) true)"#,
    r#"(string? (format ctx/f 42 -1.5 ctx/s :k nil))"#,
    r#"(string? (format ctx/f ctx/s 12345678901234567890N 2/3 \x true))"#,
    r#"(string? (format ctx/f))"#,
    r#"(= ctx/f (format (clojure.string/replace ctx/f "%" "%%")))"#,
    r#"(= (str ctx/s ctx/f) (format "%s%s" ctx/s ctx/f))"#,
    r#"(= ctx/s (clojure.string/replace ctx/s ctx/p ctx/p))"#,
];

fn laws(pattern: &str, subject: &str, format: &str) {
    let context: Vec<(String, Value)> =
        [("p", pattern), ("s", subject), ("f", format)].iter().map(|(n, v)| ((*n).to_owned(), Value::str(v))).collect();
    let limits = Limits {
        fuel: 300_000,
        memory_bytes: 8 << 20,
        cpu_ms: 0,
        wall_ms: 0,
        output_bytes: 1 << 16,
        ..Limits::default()
    };
    for law in LAWS {
        let once = turn(law, &context, &limits);
        let words = || format!("{law}\npattern {pattern:?}\nsubject {subject:?}\nformat {format:?}");
        match &once.ending {
            RunResult::Value(Value::Bool(true)) => {}
            RunResult::Error(e) => {
                let own = !matches!(e.kind, ErrorKind::Internal | ErrorKind::Name | ErrorKind::Arity);
                assert!(own, "{e}\n{}", words());
            }
            other => panic!("{other:?}\n{}", words()),
        }
        let again = turn(law, &context, &limits);
        assert_eq!(once.usage.fuel, again.usage.fuel, "{}", words());
    }
}

fn turn(source: &str, context: &[(String, Value)], limits: &Limits) -> Outcome {
    ptc_lisp::run(source, &mut Memory::new(), RunInput { context, ..RunInput::new(limits, &[], &mut ()) })
}

const ATOMS: &[&str] = &[
    "a",
    "b",
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "[ab]",
    "[^a]",
    "[a-c&&[^b]]",
    "[\\d_-]",
    "\\b",
    "\\B",
    "^",
    "$",
    "\\A",
    "\\z",
    "\\Z",
    "\\Qa.b\\E",
    "\\p{Alpha}",
    "\\p{L}",
    "\\P{Lu}",
    "\\x41",
    "\\u00e9",
    "\\t",
    "\\n",
    "\\R",
    "\\h",
    "é",
    "😀",
    "(?i)",
    "(?s)",
    "(?m)",
    "(?x) ",
    "(?-i)",
    "\\1",
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    "(?>a)",
    "\\k<n>",
    "\\.",
    "\\G",
    "[[:alpha:]]",
    "[]a]",
    "[^]]",
    "\\",
    "[",
    "(",
    ")",
    "{2}",
    "\\0101",
    "\\cA",
    "\\X",
];

const TIMES: &[&str] = &["", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,3}", "{2,}", "{1,2}?", "*+", "{1000}", "{0}"];

fn pattern_of(d: &mut Dice<'_>, depth: u32) -> String {
    let mut out = String::new();
    for _ in 0..1 + d.below(5) {
        if !d.part() {
            break;
        }
        let atom = match d.below(9) {
            0 if depth > 0 => format!("({})", pattern_of(d, depth - 1)),
            1 if depth > 0 => format!("(?:{}|{})", pattern_of(d, depth - 1), pattern_of(d, depth - 1)),
            2 if depth > 0 => format!("(?<n{}>{})", d.below(3), pattern_of(d, depth - 1)),
            3 => nasty(d),
            _ => d.pick(ATOMS).to_owned(),
        };
        out.push_str(&atom);
        if d.once_in(3) {
            out.push_str(d.pick(TIMES));
        }
    }
    out
}

fn subject_of(d: &mut Dice<'_>) -> String {
    (0..d.below(12))
        .map(|_| if d.once_in(3) { nasty(d) } else { d.pick(&["a", "b", "ab", "1", " ", "é"]).to_owned() })
        .collect()
}

fn format_of(d: &mut Dice<'_>) -> String {
    let mut out = String::new();
    for _ in 0..d.below(5) {
        out.push('%');
        out.push_str(d.pick(&["", "", "", "1$", "2$", "9$", "0$", "<"]));
        out.push_str(d.pick(&["", "", "-", "0", "+", " ", ",", "(", "#", "-0", "+ "]));
        out.push_str(d.pick(&["", "", "5", "12", "999999999", "0"]));
        out.push_str(d.pick(&["", "", ".2", ".0", ".20", ".65536", "."]));
        out.push_str(
            d.pick(&["s", "d", "f", "x", "o", "e", "g", "b", "c", "%", "n", "S", "X", "E", "h", "a", "tY", "q", ""]),
        );
        out.push_str(&if d.once_in(3) { nasty(d) } else { String::new() });
    }
    out
}
