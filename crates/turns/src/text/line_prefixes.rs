//! The first words of lines that the runtime writes into prompts: one table, used to write them and to escape printed
//! text, so that a line that reads as the runtime's is the runtime's.

use ptc_history::conversation::line_prefixes as history;
use ptc_lisp::escape;
use ptc_lisp::report;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// A function that a turn defined.
pub const FUNCTION: &str = "; Function: ";
/// Data that a turn defined.
pub const DEFINED: &str = "; Defined: ";
/// What a turn defined that is neither: the type word of the definition, and how its line begins.
pub const TYPES: &[(&str, &str)] = &[
    ("record", "; Record: "),
    ("type", "; Type: "),
    ("protocol", "; Protocol: "),
    ("multimethod", "; Multimethod: "),
    ("macro", "; Macro: "),
];
/// The header of printed text.
pub const OUTPUT: &str = "; Output:";
/// The header of the list of tool calls.
pub const TOOL_CALLS: &str = "; Tool calls:";
/// A note of a turn; its name may stand before the colon.
pub const NOTE: &str = "; Note";
/// The beginning of a line of that list; the name of a tool and a bracket follow.
pub const TOOL_CALL: &str = ";   ";
/// The text in such a line between the name of a tool and the number of its calls; a colon follows.
pub const CALL_COUNT: &str = " × ";
/// In the middle of printed text, before how much of it is not shown.
pub const HIDDEN: &str = "; ... ";
/// A summary with no line left.
pub const NOTHING: &str = "; (nothing to show)";
/// A turn that failed, or one that stays whole; its number follows.
pub const TURN_HEADER: &str = "; Turn ";
/// The header of the tools that are granted.
pub const TOOLS: &str = "; Tools:";
/// The header of what is bound.
pub const MEMORY: &str = "; Memory:";
/// The header of turns that stay whole: those that failed, and those around them.
pub const ERRORS: &str = "; Errors:";
/// The value of a turn.
pub const VALUE_LINE: &str = "=> ";
/// A key that seems misspelt; the key follows.
pub const MISSED_KEY: &str = "hint: no key ";
/// The turn that is to be written; its number follows.
pub const TURN: &str = "Turn ";
/// A text among the inputs that is shown whole with the task; its name follows.
pub const INPUT: &str = "`ctx/";
/// No turn is left.
pub const OUT_OF_TURNS: &str = "Out of turns: ";
/// In place of a blank task.
pub const NO_TASK: &str = "(no task)";
/// In place of blank instructions.
pub const NO_INSTRUCTIONS: &str = "(no instructions)";

/// How a line begins.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// With these words.
    Words(&'static str),
    /// With words, a number, and words.
    Number(&'static str, &'static str),
    /// With words and a number, and nothing after it.
    Ends(&'static str),
    /// With words, a name, and an opening bracket.
    Call(&'static str),
    /// With words, a name, a multiplication sign or an x for one, a number, and a colon.
    Calls(&'static str),
}
use Start::{Call, Calls, Ends, Number, Words};

/// All beginnings of lines that a model reads as the runtime's. The excerpt of the program in an error's report (`3 |
/// (f x)`) is not among them: it says nothing without the line above it, and printed tables look like it.
pub const STARTS: &[Start] = &[
    Words(FUNCTION),
    Words(DEFINED),
    Words(OUTPUT),
    Words(HIDDEN),
    Words(NOTE),
    Words("; Tool"),
    Words(TOOL_CALLS),
    Words(TOOLS),
    Words(MEMORY),
    Words(ERRORS),
    Words(NOTHING),
    Words("; ("),
    Words(TURN_HEADER),
    Words("; Function"),
    Words("; Defined"),
    Words("; Record"),
    Words("; Type"),
    Words("; Protocol"),
    Words("; Multimethod"),
    Words("; Macro"),
    Words("; Output"),
    Call(TOOL_CALL),
    Calls(TOOL_CALL),
    Words(VALUE_LINE),
    Number(TURN, " of "),
    Ends(TURN),
    Words(INPUT),
    Words(OUT_OF_TURNS),
    Words(NO_TASK),
    Words(NO_INSTRUCTIONS),
    // As the turn line has it, and common variants.
    Words("it must (return"),
    Words("You must (return"),
    // Reports of errors.
    Words(report::ERROR),
    Words(report::HINT),
    Words(report::CALLS_MADE),
    Words(report::CALLS_DENIED),
    // Fences of programs.
    Words("```"),
    Words("~~~"),
    // Messages as text.
    Words("[SYSTEM]"),
    Words("[USER]"),
    Words("[ASSISTANT]"),
    Words("[TOOL]"),
    // Words in place of inputs, results and turns.
    Words(history::TABLE),
    Words(history::FILE),
    Words(history::TEXT),
    Words(history::NARRATIVE),
    Words(history::TOOL),
    Words(history::OMITTED),
    Words(history::RESULT_CLEARED),
    Words(history::ERROR_CLEARED),
    Words(history::NO_CONTENT),
    Number(history::TLDR, ""),
    Number(history::EARLIER, " earlier"),
    // Lines that are already escaped.
    Words("\\"),
];

/// How many visible characters of a line are compared.
const MAX_COMPARED_CHARS: usize = 64;

/// A beginning as it is compared: without blanks.
struct Pattern {
    first: Vec<char>,
    start: Start,
    then: Vec<char>,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let words = |w: &str| head(w).into_iter().map(|c| c.char).collect::<Vec<char>>();
    let pattern = |start: &Start| match *start {
        Words(w) | Ends(w) | Call(w) | Calls(w) => Pattern { first: words(w), start: *start, then: Vec::new() },
        Number(w, then) => Pattern { first: words(w), start: *start, then: words(then) },
    };
    STARTS.iter().map(pattern).collect()
});

/// Whether a line could be read as one that the runtime writes: as people and models see it, so without regard to case,
/// to the width of characters (NFKC), to blanks, to invisible characters, and to how many `;` it begins with.
pub fn reads_as_ours(line: &str) -> bool {
    let mut seen = line.chars().filter(|c| !blank(*c));
    // Most lines differ in their first visible character.
    match seen.next() {
        None => return false,
        Some(c) if c.is_ascii() => {
            let c = c.to_ascii_lowercase();
            if !PATTERNS.iter().any(|p| p.first.first() == Some(&c)) {
                return false;
            }
        }
        Some(_) => {}
    }
    let head = head(line);
    PATTERNS.iter().any(|p| p.fits(&head))
}

/// A character that counts, and whether blanks stand before it.
#[derive(Clone, Copy)]
struct Seen {
    char: char,
    apart: bool,
}

/// The characters of a line that count, folded.
fn head(line: &str) -> Vec<Seen> {
    let visible = line.chars().filter(|c| c.is_whitespace() || !blank(*c));
    let mut out: Vec<Seen> = Vec::new();
    let mut apart = false;
    for c in visible.nfkc().flat_map(char::to_lowercase) {
        if blank(c) {
            apart = true;
            continue;
        }
        let again = c == ';' && out.iter().all(|s| s.char == ';') && !out.is_empty();
        if !again {
            out.push(Seen { char: c, apart });
        }
        apart = false;
        if out.len() >= MAX_COMPARED_CHARS {
            break;
        }
    }
    out
}

impl Pattern {
    fn fits(&self, head: &[Seen]) -> bool {
        let Some(rest) = after(head, &self.first) else { return false };
        let digits = rest.iter().take_while(|s| s.char.is_numeric()).count();
        let behind = rest.get(digits..).unwrap_or_default();
        match self.start {
            Words(_) => true,
            Number(..) => digits > 0 && after(behind, &self.then).is_some(),
            Ends(_) => digits > 0 && behind.is_empty(),
            Calls(_) => {
                let sign = rest.iter().skip(1).position(|s| s.apart && matches!(s.char, '×' | 'x'));
                let count = sign.and_then(|at| rest.get(at.saturating_add(2)..)).unwrap_or_default();
                let digits = count.iter().take_while(|s| s.char.is_numeric()).count();
                digits > 0 && count.get(digits).is_some_and(|s| s.char == ':')
            }
            Call(_) => {
                let name = rest.iter().enumerate().take_while(|(i, s)| s.char != '(' && (*i == 0 || !s.apart)).count();
                name > 0 && rest.get(name).is_some_and(|s| s.char == '(' && !s.apart)
            }
        }
    }
}

/// The text after `words`; a word does not end inside another.
fn after<'a>(head: &'a [Seen], words: &[char]) -> Option<&'a [Seen]> {
    let (begin, rest) = head.split_at_checked(words.len())?;
    let same = begin.iter().zip(words).all(|(s, w)| s.char == *w);
    let inside = words.last().is_some_and(|w| w.is_alphabetic())
        && rest.first().is_some_and(|s| s.char.is_alphabetic() && !s.apart);
    (same && !inside).then_some(rest)
}

/// Whether a character is invisible.
pub fn blank(c: char) -> bool {
    c.is_whitespace() || escape::hidden(c) || matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{2800}')
}

#[cfg(test)]
mod tests;
