//! Parses summaries: the proof that no printed text and no name can look like a definition. For tests, and public for
//! them.

use crate::text::line_prefixes::{
    DEFINED, ERRORS, FUNCTION, HIDDEN, MEMORY, MISSED_KEY, NOTE, NOTHING, OUT_OF_TURNS, OUTPUT, TOOL_CALL, TOOL_CALLS,
    TOOLS, TURN, TURN_HEADER, TYPES, VALUE_LINE,
};
use crate::text::printed_text;
use crate::trace::record::Kind;
use ptc_history::{Message, Role};

/// A definition as a summary shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedDefinition {
    /// The name.
    pub name: String,
    /// Function or data.
    pub kind: Kind,
    /// Parameters of a function, where they are shown: `[a b]`; fields of a record or type, functions of a protocol.
    pub params: Option<String>,
    /// The docstring.
    pub doc: Option<String>,
    /// The type word of data.
    pub type_word: Option<String>,
    /// The sample, as it is written.
    pub sample: Option<String>,
}

/// A parsed summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Definitions in order.
    pub definitions: Vec<ParsedDefinition>,
    /// Notes in order: the name, where it has one, and the text as it is shown.
    pub notes: Vec<(Option<String>, String)>,
    /// The lines of tool calls.
    pub calls: Vec<String>,
    /// The output, as it was printed, without omitted parts.
    pub output: Option<String>,
    /// The line about the omitted part of the output.
    pub hidden: Option<String>,
    /// The number of a turn that failed and was recovered, and its error.
    pub recovered: Option<(u64, String)>,
}

/// All definitions that the summaries among `messages` show, in order.
pub fn definitions(messages: &[Message]) -> Vec<ParsedDefinition> {
    let said = messages.iter().filter(|m| m.role == Role::Assistant);
    said.filter_map(|m| parse(&m.text())).flat_map(|s| s.definitions).collect()
}

/// Parses a summary; `None` when the text is not one, such as a turn shown whole.
pub fn parse(text: &str) -> Option<Summary> {
    let mut summary = Summary::default();
    if text == NOTHING {
        return Some(summary);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if line == OUTPUT {
            let (shown, hidden) = without_hidden(after);
            (summary.output, summary.hidden) = (Some(printed_text::unescape(&shown)), hidden);
            return Some(summary);
        }
        if is_pointer(line) {
            summary.hidden = Some(line.to_owned());
            return after.is_empty().then_some(summary);
        }
        if line == TOOL_CALLS {
            let calls = after.lines().map_while(|l| l.strip_prefix(TOOL_CALL));
            summary.calls = calls.clone().map(str::to_owned).collect();
            let used: usize = calls.map(|l| TOOL_CALL.len().saturating_add(l.len()).saturating_add(1)).sum();
            rest = after.get(used..).unwrap_or_default();
            continue;
        }
        if let Some(failed) = line.strip_prefix(TURN_HEADER) {
            let (turn, error) = failed.split_once(" failed: ")?;
            summary.recovered = Some((turn.parse().ok()?, error.to_owned()));
        } else if line.starts_with(NOTE) {
            summary.notes.push(note(line)?);
        } else {
            summary.definitions.push(definition(line)?);
        }
        rest = after;
    }
    let defined = !summary.definitions.is_empty() || !summary.notes.is_empty();
    let any = summary.recovered.is_some() || defined || !summary.calls.is_empty();
    any.then_some(summary)
}

/// Parses the user message of the coalesced layout, given the task it begins with: definitions, tool calls, output.
/// `None` when it does not begin so.
pub fn coalesced(text: &str, task: &str) -> Option<Summary> {
    let mut rest = text.strip_prefix(task)?.strip_prefix("\n\n")?;
    let mut summary = Summary::default();
    let mut block = "";
    let mut output = String::new();
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        match line {
            TOOLS | MEMORY | TOOL_CALLS | OUTPUT | ERRORS => block = line,
            // Whole programs and reports follow.
            _ if block == ERRORS => break,
            _ if line.starts_with(TURN) || line.starts_with(OUT_OF_TURNS) => break,
            // The value of the last turn, and what is said of its keys: printed text has no lines of these forms.
            _ if line.starts_with(VALUE_LINE) || line.starts_with(MISSED_KEY) => break,
            _ if block == MEMORY && line.starts_with(NOTE) => summary.notes.push(note(line)?),
            _ if block == MEMORY => summary.definitions.push(definition(line)?),
            _ if block == TOOL_CALLS => summary.calls.push(line.strip_prefix(TOOL_CALL)?.to_owned()),
            _ if block == OUTPUT && (is_pointer(line) || line.starts_with(HIDDEN)) => {
                summary.hidden = Some(line.to_owned());
            }
            _ if block == OUTPUT => {
                output.push_str(line);
                output.push('\n');
            }
            _ => {}
        }
    }
    let output = output.trim_end_matches('\n');
    summary.output = (!output.is_empty()).then(|| printed_text::unescape(output));
    Some(summary)
}

fn note(line: &str) -> Option<(Option<String>, String)> {
    let rest = line.strip_prefix(NOTE)?;
    if let Some(text) = rest.strip_prefix(": ") {
        return Some((None, text.to_owned()));
    }
    let rest = rest.strip_prefix(' ')?;
    let (name, rest) = match rest.starts_with('"') {
        true => quoted(rest)?,
        false => {
            let (name, rest) = rest.split_at(rest.find(':')?);
            (name.to_owned(), rest)
        }
    };
    Some((Some(name), rest.strip_prefix(": ")?.to_owned()))
}

/// Whether a line stands for omitted output.
fn is_pointer(line: &str) -> bool {
    line.strip_prefix(OUTPUT).is_some_and(|rest| rest.starts_with(' ') && rest.contains(": (turn/output "))
}

/// The output without the line in its middle, and that line.
fn without_hidden(text: &str) -> (String, Option<String>) {
    let (mut shown, mut hidden) = (Vec::new(), None);
    for line in text.split('\n') {
        // A printed line that begins so has a backslash in front.
        if line.starts_with(HIDDEN) {
            hidden = Some(line.to_owned());
        } else {
            shown.push(line);
        }
    }
    (shown.join("\n"), hidden)
}

fn definition(line: &str) -> Option<ParsedDefinition> {
    let typed = TYPES.iter().find_map(|(word, begin)| Some((*word, line.strip_prefix(begin)?)));
    let (kind, rest) = match (typed, line.strip_prefix(FUNCTION)) {
        (Some((word, rest)), _) => {
            (if matches!(word, "multimethod" | "macro") { Kind::Function } else { Kind::Data }, rest)
        }
        (None, Some(rest)) => (Kind::Function, rest),
        (None, None) => (Kind::Data, line.strip_prefix(DEFINED)?),
    };
    let type_word = typed.map(|(word, _)| word.to_owned());
    let (name, rest) = match rest.starts_with('"') {
        true => quoted(rest)?,
        false => {
            let end = rest.find(' ').unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            (name.to_owned(), rest)
        }
    };
    let (params, rest) =
        match (kind == Kind::Function || typed.is_some()) && rest.starts_with([' ']) && !rest.starts_with(" - ") {
            true => {
                // Parameters hold no string.
                let (params, rest) = rest.split_at(rest.find(" - \"").unwrap_or(rest.len()));
                (params.strip_prefix(' ').map(str::to_owned), rest)
            }
            false => (None, rest),
        };
    let (doc, rest) = match rest.strip_prefix(" - ") {
        Some(rest) => {
            let (doc, rest) = quoted(rest)?;
            (Some(doc), rest)
        }
        None => (None, rest),
    };
    if kind == Kind::Function || typed.is_some() {
        return rest.is_empty().then_some(ParsedDefinition { name, kind, params, doc, type_word, sample: None });
    }
    if rest.is_empty() && doc.is_some() {
        return Some(ParsedDefinition { name, kind, params, doc, type_word, sample: None });
    }
    let rest = rest.strip_prefix(" = ")?;
    let (type_word, sample) = match rest.split_once(", sample: ") {
        Some((t, s)) => (t, Some(s.to_owned())),
        None => (rest, None),
    };
    Some(ParsedDefinition { name, kind, params, doc, type_word: Some(type_word.to_owned()), sample })
}

/// A quoted text at the start, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let c = rest.chars().next()?;
        rest = rest.get(c.len_utf8()..)?;
        match c {
            '"' => return Some((out, rest)),
            '\\' => match rest.strip_prefix("u{") {
                Some(code) => {
                    let (hex, after) = code.split_once('}')?;
                    out.push(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?);
                    rest = after;
                }
                None => {
                    let c = rest.chars().next()?;
                    out.push(c);
                    rest = rest.get(c.len_utf8()..)?;
                }
            },
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;
    use crate::render::summary::TurnSummary;
    use crate::text::sample;
    use crate::trace::record::{Defined, TurnRecord};
    use proptest::prelude::*;
    use ptc_lisp::value::Value;

    /// Text that attackers would choose.
    fn text() -> impl Strategy<Value = String> {
        let piece = proptest::sample::select(vec![
            "a",
            " ",
            "\n",
            "\r",
            "\u{2028}",
            "\u{85}",
            "\"",
            "\\",
            "; Defined: x = nil",
            "; Output:",
            ", sample: ",
            " = ",
            " - ",
            "\u{202e}",
            "\u{200b}",
            "```",
            "\u{1b}[2J",
            "\u{e0041}",
            "日",
            "=> ",
            "%{",
            "}",
            "\\u{a}",
        ]);
        proptest::collection::vec(piece, 0..6).prop_map(|p| p.concat())
    }

    /// A value that proptest can show.
    #[derive(Clone)]
    struct Any(Value);

    impl std::fmt::Debug for Any {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&ptc_lisp::print::readable(&self.0, 1000))
        }
    }

    fn value() -> impl Strategy<Value = Any> {
        let leaf = prop_oneof![
            text().prop_map(|t| Any(Value::from(t))),
            text().prop_map(|t| Any(Value::plain_keyword(&t))),
            any::<i64>().prop_map(|i| Any(Value::int(i))),
            Just(Any(Value::Nil)),
            any::<char>().prop_map(|c| Any(Value::Char(c))),
        ];
        leaf.prop_recursive(3, 24, 5, |inner| {
            let many = || proptest::collection::vec(inner.clone(), 0..6);
            prop_oneof![
                many().prop_map(|l| Any(Value::vector(l.into_iter().map(|v| v.0).collect()))),
                many().prop_map(|l| Any(Value::map(l.chunks_exact(2).map(|kv| (kv[0].0.clone(), kv[1].0.clone()))))),
                many().prop_map(|l| Any(Value::set(l.into_iter().map(|v| v.0)))),
            ]
        })
    }

    fn defined() -> impl Strategy<Value = Defined> {
        (text(), proptest::option::of(text()), proptest::option::of(value())).prop_map(|(name, doc, v)| Defined {
            name,
            kind: if v.is_some() { Kind::Data } else { Kind::Function },
            doc,
            params: None,
            type_word: v.as_ref().map(|v| sample::type_word(&v.0)),
            sample: v.as_ref().and_then(|v| sample::sample(&v.0)),
            replaced: false,
            rolled_back: false,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn what_is_rendered_is_what_was_defined(mut defs in proptest::collection::vec(defined(), 0..4), printed in proptest::collection::vec(text(), 0..3)) {
            defs.sort_by_key(|d| (d.kind == Kind::Data, d.name.clone()));
            defs.dedup_by(|a, b| a.name == b.name);
            let record = TurnRecord { definitions: defs.clone(), printed: printed.clone(), ..TurnRecord::empty(1) };
            let block = TurnSummary::new(&record, &Policy::legacy_entry_count(), 8192);
            let names: std::collections::HashSet<_> = defs.iter().map(|d| &d.name).collect();
            prop_assume!(names.len() == defs.len());
            let text = block.text(|_| true, 9, 9);
            let Some(summary) = parse(&text) else { return Err(TestCaseError::fail(text)) };
            // Blanks are no output.
            let seen = printed.iter().any(|e| crate::text::printed_text::is_seen(e));
            let expected: Vec<ParsedDefinition> = defs.iter().map(|d| ParsedDefinition {
                name: d.name.clone(),
                kind: d.kind,
                params: None,
                doc: d.doc.clone(),
                type_word: d.type_word.clone(),
                sample: d.sample.clone().filter(|_| !seen),
            }).collect();
            prop_assert_eq!(summary.definitions, expected);
            let all = if seen { printed.concat() } else { String::new() };
            prop_assert_eq!(summary.output.unwrap_or_default(), crate::text::printed_text::without_end(&all));
        }

        #[test]
        fn samples_are_short_and_one_line(v in value()) {
            if let Some(s) = sample::sample(&v.0) {
                prop_assert!(s.chars().count() <= sample::SAMPLE, "{}", s);
                prop_assert!(!s.chars().any(ptc_lisp::escape::hidden), "{:?}", s);
                prop_assert!(!sample::to_clojure(&s).contains("%{") || s.contains('"') || s.contains('\\'), "{}", s);
            }
        }
    }
}
