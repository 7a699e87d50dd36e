//! The summary of a successful turn: what it defined, noted and printed, in a few lines (P-05 to P-16).

use crate::policy::{Policy, SampleSyntax};
use crate::render::feedback;
use crate::render::shortened_output;
use crate::render::tool_call_lines;
use crate::render::visibility::Output;
use crate::text::line_prefixes::{DEFINED, FUNCTION, NOTE, NOTHING, OUTPUT, TOOL_CALLS, TURN_HEADER, TYPES};
use crate::text::printed_text::{self, without_end};
use crate::text::sample;
use crate::text::token_estimate;
use crate::trace::full_turn;
use crate::trace::record::{Defined, Kind, Note, TurnRecord};
use ptc_lisp::escape;
use std::collections::{HashMap, HashSet};

/// Longest docstring that is shown, in characters; where printed entries are counted, half of it.
pub const MAX_DOC_CHARS: usize = 800;
/// Longest entry of printed text that `auto` still shows once it was seen, in bytes.
const MAX_SEEN_ENTRY_BYTES: u64 = 400;
/// Longest sample that is shown beside a docstring and cut output, in characters.
const MAX_SAMPLE_BESIDE_DOC_CHARS: usize = 24;
/// From this many items on, the number is shown beside a docstring.
const MIN_ITEMS_BESIDE_DOC: u64 = 10;
/// Longest message of a recovered error, in characters.
const MAX_ERROR_MESSAGE_CHARS: usize = 400;
/// The most bytes of the parameters of a function that stand in its line.
const MAX_PARAMETERS_BYTES: usize = 80;
/// The same of the fields of a record or type, and of the functions of a protocol.
const MAX_TYPE_BYTES: usize = 400;

/// The lines of a turn, made once. Later turns decide which of them are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnSummary {
    lines: Vec<Line>,
    /// Printed entries as prompts show them, each cut, none escaped: an entry can begin in the middle of a line.
    /// None of a turn that printed nothing which can be seen.
    entries: Vec<String>,
    /// How many of them end with the last that can be seen.
    last_visible_end: usize,
    /// The lines of tool calls.
    calls: Vec<String>,
    /// For views sized in tokens.
    token_sizes: Option<TokenSizes>,
}

/// What a view sized in tokens needs of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TokenSizes {
    turn: u64,
    /// What was printed, as prompts show it; empty where nothing of it can be seen.
    output: String,
    /// Lines and bytes of what was printed.
    line_and_byte_count: (u64, u64),
    /// Tokens of the turn as it was.
    whole_tokens: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Function or data; nothing of a note.
    kind: Option<Kind>,
    /// The name under which a later line replaces it.
    name: String,
    /// Empty of a note that was taken back.
    text: String,
    /// The type of data.
    type_word: Option<String>,
    /// The sample, for turns that show samples.
    sample: Option<String>,
    /// Whether a docstring says what it is.
    doc: bool,
    /// Whether a type that the docstring makes needless is left out.
    brief: bool,
}

/// Which lines of data show their samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Samples {
    /// None of them.
    None,
    /// Those without a docstring, and those that are as short as a number: it says what the data is, and they which.
    Telling,
    /// All of them.
    All,
}

impl TurnSummary {
    /// The lines of `record`. Of a failed turn only the calls it made.
    pub fn new(record: &TurnRecord, policy: &Policy, println_bytes: u64) -> Self {
        let automatic = policy.uses_strategy_auto();
        let calls = match policy.tool_calls_limit {
            _ if !(policy.show_tool_calls || automatic) => Vec::new(),
            Some(_) => tool_call_lines::each(&record.tool_calls),
            None => tool_call_lines::together(&record.tool_calls),
        };
        let mut token_sizes = policy.is_token_sized().then(|| TokenSizes {
            turn: record.turn,
            output: String::new(),
            line_and_byte_count: (0, 0),
            whole_tokens: token_estimate::of_turn(&full_turn::assistant(record), &feedback::whole(record)),
        });
        if !record.status.committed() {
            return TurnSummary { lines: Vec::new(), entries: Vec::new(), last_visible_end: 0, calls, token_sizes };
        }
        let standing = || record.definitions.iter().filter(|d| !d.rolled_back);
        // Several definitions of a name: the last, in the place of the first (P-33, P-35).
        let mut last: HashMap<&str, &Defined> = standing().map(|d| (d.name.as_str(), d)).collect();
        let told: HashSet<String> = last.values().flat_map(|d| told_by(d)).collect();
        let once = standing().filter_map(|d| last.remove(d.name.as_str()));
        let once = once.filter(|d| told.is_empty() || !as_told(d).is_some_and(|f| told.contains(&f)));
        let (functions, data): (Vec<&Defined>, Vec<&Defined>) = once.partition(|d| d.kind == Kind::Function);
        let lines = functions.into_iter().chain(data).map(|d| line(d, policy)).chain(note_lines(record)).collect();
        let counted = policy.println_history_limit.is_some();
        let println_bytes = if automatic && counted { println_bytes.min(MAX_SEEN_ENTRY_BYTES) } else { println_bytes };
        let mut entries: Vec<String> =
            record.printed.iter().map(|e| printed_text::cut_entry(e, println_bytes).into_owned()).collect();
        let last_visible_end =
            entries.iter().rposition(|e| printed_text::is_seen(e)).map_or(0, |last| last.saturating_add(1));
        if last_visible_end == 0 {
            entries.clear();
        }
        if let Some(m) = token_sizes.as_mut().filter(|_| last_visible_end > 0) {
            let all = record.printed.concat();
            let lines = without_end(&all).split('\n').count();
            m.line_and_byte_count = (lines as u64, all.len() as u64);
            m.output = printed_text::printed(without_end(&entries.concat()));
        }
        TurnSummary { lines, entries, last_visible_end, calls, token_sizes }
    }

    /// The names defined, and those of notes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|l| l.name.as_str())
    }

    /// How many entries were printed; 0 when none of them can be seen.
    pub fn printed_entry_count(&self) -> usize {
        self.entries.len()
    }

    /// How many lines of tool calls there are.
    pub fn tool_call_line_count(&self) -> usize {
        self.calls.len()
    }

    /// The summary: lines of names for which `live` holds, the newest `calls` lines of tool calls, then the newest
    /// `outputs` entries.
    pub fn text(&self, live: impl Fn(&str) -> bool, outputs: usize, calls: usize) -> String {
        self.text_with_output(live, Output::Entries(outputs), calls)
    }

    /// The same with this much of the output.
    pub(crate) fn text_with_output(&self, live: impl Fn(&str) -> bool, output: Output, calls: usize) -> String {
        let text = self.lines_with_output(&live, output, calls);
        if !matches!(output, Output::Cut(_)) {
            return text;
        }
        // Samples come back beside a cut; they may weigh more than what was cut away.
        let whole = self.lines_with_output(&live, Output::All, calls);
        if token_estimate::tokens(&text) < token_estimate::tokens(&whole) { text } else { whole }
    }

    fn lines_with_output(&self, live: impl Fn(&str) -> bool, output: Output, calls: usize) -> String {
        let mut out = String::new();
        let samples = self.samples(output);
        self.lines.iter().filter(|l| live(&l.name)).for_each(|l| l.push(&mut out, samples));
        self.push_tool_calls(&mut out, calls);
        let printed = self.output_text(output);
        if output == Output::Pointer && !printed.is_empty() {
            out.push_str(&printed);
        } else if !printed.is_empty() {
            out.push_str(OUTPUT);
            out.push('\n');
            out.push_str(&printed);
        }
        let text = without_end(&out);
        if text.is_empty() { NOTHING.to_owned() } else { text.to_owned() }
    }

    /// Its lines of functions, of data or of notes, without their visibility decided.
    pub(crate) fn lines(&self, kind: Option<Kind>) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |l| l.kind == kind)
    }

    /// Whether it holds a note for which `live` holds.
    pub(crate) fn has_notes(&self, live: impl Fn(&str) -> bool) -> bool {
        self.lines(None).any(|l| !l.text.is_empty() && live(&l.name))
    }

    /// Which samples are shown beside so much of what was printed: samples or println, not both; where nothing that
    /// can be seen was printed, the samples are there (P-10), and where it is not shown whole, those that say most.
    pub(crate) fn samples(&self, output: Output) -> Samples {
        match output {
            Output::Entries(n) if self.last_visible_end <= self.entries.len().saturating_sub(n) => Samples::All,
            Output::All if self.last_visible_end == 0 => Samples::All,
            Output::Entries(_) | Output::All => Samples::None,
            Output::Cut(_) | Output::Pointer => Samples::Telling,
        }
    }

    /// The newest `outputs` entries as they are; nothing when none of them can be seen.
    fn newest_entries(&self, outputs: usize) -> String {
        if self.samples(Output::Entries(outputs)) == Samples::All {
            return String::new();
        }
        let hidden = self.entries.len().saturating_sub(outputs);
        self.entries.iter().skip(hidden).map(String::as_str).collect()
    }

    /// What is shown of what was printed, escaped; or the line that says where it is. Nothing when nothing can be seen.
    pub(crate) fn output_text(&self, output: Output) -> String {
        match (output, &self.token_sizes) {
            (Output::Entries(n), _) => printed_text::printed(without_end(&self.newest_entries(n))),
            (_, None) => printed_text::printed(without_end(&self.entries.concat())),
            (_, Some(m)) if m.output.is_empty() => String::new(),
            (Output::All, Some(m)) => m.output.clone(),
            (Output::Cut(most), Some(m)) => {
                let whole = self.entries.concat();
                let cut = shortened_output::middle(without_end(&whole), most, m.turn);
                let shorter = cut.filter(|cut| token_estimate::tokens(cut) < token_estimate::tokens(&m.output));
                shorter.unwrap_or_else(|| m.output.clone())
            }
            (Output::Pointer, Some(m)) => {
                shortened_output::pointer(m.line_and_byte_count.0, m.line_and_byte_count.1, m.turn)
            }
        }
    }

    /// The same with the line ends behind the newest entries.
    pub(crate) fn output_with_line_ends(&self, output: Output) -> String {
        match output {
            Output::Entries(n) => printed_text::printed(&self.newest_entries(n)),
            other => self.output_text(other),
        }
    }

    /// The whole output, as prompts show it, in a view sized in tokens.
    pub(crate) fn printed_text(&self) -> &str {
        self.token_sizes.as_ref().map_or("", |m| &m.output)
    }

    /// Tokens of the whole turn, in a view sized in tokens: it is never shown with more.
    pub(crate) fn whole_tokens(&self) -> Option<u64> {
        self.token_sizes.as_ref().map(|m| m.whole_tokens)
    }

    /// The newest `calls` lines of tool calls, under their header.
    pub(crate) fn push_tool_calls(&self, out: &mut String, calls: usize) {
        let shown = self.newest_tool_calls(calls);
        if !shown.is_empty() {
            out.push_str(TOOL_CALLS);
            out.push('\n');
            shown.iter().for_each(|c| {
                out.push_str(c);
                out.push('\n');
            });
        }
    }

    /// The newest `calls` lines of tool calls.
    pub(crate) fn newest_tool_calls(&self, calls: usize) -> &[String] {
        self.calls.get(self.calls.len().saturating_sub(calls)..).unwrap_or_default()
    }
}

impl Line {
    /// The name it defines.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it says something: a note that was taken back does not.
    pub(crate) fn is_shown(&self) -> bool {
        !self.text.is_empty()
    }

    /// The line, with its sample if that is to be shown, and its end.
    pub(crate) fn push(&self, out: &mut String, samples: Samples) {
        if self.text.is_empty() {
            return;
        }
        out.push_str(&self.text);
        let shown = |s: &String| match samples {
            Samples::None => false,
            Samples::Telling => !self.doc || s.chars().count() <= MAX_SAMPLE_BESIDE_DOC_CHARS,
            Samples::All => true,
        };
        let sample = self.sample.as_ref().filter(|s| shown(s));
        if let Some(word) = self.type_word.as_ref().filter(|w| sample.is_some() || self.says_type(w)) {
            out.push_str(" = ");
            out.push_str(word);
        }
        if let Some(s) = sample {
            out.push_str(", sample: ");
            out.push_str(s);
        }
        out.push('\n');
    }

    /// Whether the type tells something: where no docstring says what the data is, or how many items there are, if
    /// they are many.
    fn says_type(&self, word: &str) -> bool {
        let count = || word.split_once('[').and_then(|(_, n)| n.strip_suffix(']')?.parse::<u64>().ok());
        !self.brief || !self.doc || count().is_some_and(|n| n >= MIN_ITEMS_BESIDE_DOC)
    }
}

fn line(d: &Defined, policy: &Policy) -> Line {
    let typed = of_type(d);
    let word = match (typed, d.kind) {
        (Some(begin), _) => begin,
        (None, Kind::Function) => FUNCTION,
        (None, Kind::Data) => DEFINED,
    };
    let mut text = format!("{word}{}", name(&d.name));
    let shown = |p: &&str| (policy.is_token_sized() || typed.is_some()) && says_parameters(d, p);
    if let Some(params) = d.params.as_deref().filter(shown) {
        text.push(' ');
        text.push_str(params);
    }
    if let Some(doc) = &d.doc {
        text.push_str(" - ");
        text.push_str(&doc_text(
            doc,
            if policy.println_history_limit.is_some() { MAX_DOC_CHARS / 2 } else { MAX_DOC_CHARS },
        ));
    }
    let (mut sample, mut type_word) = (None, None);
    if d.kind == Kind::Data && typed.is_none() {
        type_word = Some(escape::line(d.type_word.as_deref().unwrap_or("value")));
        sample = d.sample.as_ref().map(|s| match policy.sample_syntax {
            SampleSyntax::Elixir => escape::line(s),
            SampleSyntax::Clojure => escape::line(&sample::to_clojure(s)),
        });
    }
    Line {
        kind: Some(d.kind),
        name: d.name.clone(),
        text: escape::line(&text),
        type_word,
        sample,
        doc: d.doc.is_some(),
        brief: policy.is_token_sized(),
    }
}

/// How the line of a record, a type, a protocol, a multimethod or a macro begins.
fn of_type(d: &Defined) -> Option<&'static str> {
    TYPES.iter().find(|(word, _)| d.type_word.as_deref() == Some(word)).map(|(_, begin)| *begin)
}

/// The functions that the line of a record, a type or a protocol tells of as well, each with its parameters: what makes its
/// values, or its functions.
fn told_by(of: &Defined) -> Vec<String> {
    let (name, Some(params)) = (&of.name, of.params.as_deref().filter(|p| says_parameters(of, p))) else {
        return Vec::new();
    };
    match of.type_word.as_deref() {
        Some("record") => vec![format!("->{name} {params}"), format!("map->{name} [m]")],
        Some("type") => vec![format!("->{name} {params}")],
        Some("protocol") => params.split(") (").map(|f| f.trim_matches(['(', ')']).to_owned()).collect(),
        _ => Vec::new(),
    }
}

/// A function without a docstring as such a line tells of it.
fn as_told(d: &Defined) -> Option<String> {
    let params = d.params.as_deref().filter(|_| d.kind == Kind::Function && d.doc.is_none())?;
    Some(format!("{} {}", d.name, params.trim_matches(['(', ')'])))
}

/// Whether the parameters of a function stand in its line: not where its docstring begins with a call of it, nor where
/// they are long or hold a string.
fn says_parameters(d: &Defined, params: &str) -> bool {
    let call = |doc: &str| {
        let after = doc.strip_prefix('(').and_then(|doc| doc.strip_prefix(d.name.as_str()));
        after.is_some_and(|rest| rest.starts_with([' ', ')']))
    };
    let most = if of_type(d).is_some() { MAX_TYPE_BYTES } else { MAX_PARAMETERS_BYTES };
    let list = params.starts_with(['[', '(']) && params.len() <= most && !params.contains('"');
    list && !d.doc.as_deref().is_some_and(call)
}

/// Notes of a turn in their order, of each name the last. No name of a definition begins as theirs do.
fn note_lines(record: &TurnRecord) -> impl Iterator<Item = Line> {
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (i, n) in record.notes.iter().enumerate() {
        last.extend(n.name.as_deref().map(|name| (name, i)));
    }
    let stands = move |(i, n): &(usize, &Note)| n.name.as_deref().is_none_or(|name| last.get(name) == Some(i));
    let line = |(i, n): (usize, &Note)| {
        let (key, word) = match &n.name {
            Some(name) => (format!("\0note {name}"), format!(" {}", note_name(name))),
            None => (format!("\0note {} {i}", record.turn), String::new()),
        };
        let text = n.text.as_ref().map_or_else(String::new, |t| escape::line(&format!("{NOTE}{word}: {t}")));
        Line { kind: None, name: key, text, type_word: None, sample: None, doc: false, brief: false }
    };
    let lines: Vec<Line> = record.notes.iter().enumerate().filter(stands).map(line).collect();
    lines.into_iter()
}

/// The name of a note as it stands before its colon.
fn note_name(n: &str) -> String {
    if n.contains(':') { escape::quoted(n) } else { name(n) }
}

/// A name as it stands, or in quotes when something in it would not be seen or would end it.
fn name(n: &str) -> String {
    let odd = |c: char| escape::hidden(c) || c.is_whitespace() || matches!(c, '"' | '\\');
    if n.is_empty() || n.contains(odd) { escape::quoted(n) } else { n.to_owned() }
}

fn doc_text(doc: &str, most: usize) -> String {
    let mut out = "\"".to_owned();
    for (i, c) in doc.chars().enumerate() {
        if i >= most {
            out.push_str("...");
            break;
        }
        escape::push_quoted(&mut out, c);
    }
    out.push('"');
    out
}

/// What a recovered error leaves: its line, and the calls it made.
pub(crate) fn recovered_with(record: &TurnRecord, summary: &TurnSummary, calls: usize) -> String {
    let mut out = recovered(record);
    out.push('\n');
    summary.push_tool_calls(&mut out, calls);
    without_end(&out).to_owned()
}

/// The line that a recovered error leaves: `; Turn 3 failed: name: unknown name coutn` (D6).
pub fn recovered(record: &TurnRecord) -> String {
    let what = match &record.error {
        Some(e) => format!("{}: {}", e.kind, e.message),
        None => "no error recorded".to_owned(),
    };
    let mut short: String = what.chars().take(MAX_ERROR_MESSAGE_CHARS).collect();
    if short.len() < what.len() {
        short.push_str("...");
    }
    format!("{TURN_HEADER}{} failed: {}", record.turn, escape::line(&short))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::record::Status;

    pub fn data(name: &str, doc: Option<&str>, type_word: &str, sample: Option<&str>) -> Defined {
        Defined {
            name: name.into(),
            kind: Kind::Data,
            doc: doc.map(str::to_owned),
            params: None,
            type_word: Some(type_word.into()),
            sample: sample.map(str::to_owned),
            replaced: false,
            rolled_back: false,
        }
    }

    fn function(name: &str, doc: Option<&str>) -> Defined {
        Defined { kind: Kind::Function, type_word: None, params: Some("[x]".into()), ..data(name, doc, "", None) }
    }

    fn turn(definitions: Vec<Defined>, printed: &[&str]) -> TurnRecord {
        TurnRecord { definitions, printed: printed.iter().map(|s| s.to_string()).collect(), ..TurnRecord::empty(1) }
    }

    fn text(record: &TurnRecord, outputs: usize) -> String {
        TurnSummary::new(record, &Policy::legacy_entry_count(), 8192).text(|_| true, outputs, 0)
    }

    /// P-06, P-07, P-08, P-09, P-10, P-12, P-33, P-38.
    #[test]
    fn the_seeds_block_less_the_sample_of_a_turn_that_printed() {
        let users = data("users", Some("Active users from API"), "list[5]", Some("%{name: \"Alice\", email: \"...\"}"));
        let fetch = function("fetch-users", Some("Fetches users by category, returns list of user maps"));
        let record = turn(vec![users, fetch], &["Found 5 users\n", "Processing complete\n"]);
        assert_eq!(
            text(&record, 2),
            "; Function: fetch-users - \"Fetches users by category, returns list of user maps\"\n\
             ; Defined: users - \"Active users from API\" = list[5]\n\
             ; Output:\nFound 5 users\nProcessing complete"
        );
        assert!(text(&record, 1).ends_with("list[5]\n; Output:\nProcessing complete"));
        assert!(text(&record, 0).ends_with("list[5], sample: %{name: \"Alice\", email: \"...\"}"));
    }

    #[test]
    fn parameters_stand_behind_the_name_and_are_read_back() {
        let with = |params: &str, doc: Option<&str>| {
            let record = turn(vec![Defined { params: Some(params.into()), ..function("f", doc) }], &[]);
            let text = TurnSummary::new(&record, &Policy::compressed(), 8192).text(|_| true, 0, 0);
            let read = crate::render::summary_parser::parse(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(read.definitions[0].doc.as_deref(), doc, "{text}");
            assert_eq!(text.starts_with("; Function: f ["), read.definitions[0].params.is_some(), "{text}");
            read.definitions[0].params.clone()
        };
        assert_eq!(with("[a - b]", Some("a - \"b\"")).as_deref(), Some("[a - b]"));
        assert_eq!(with("[{:keys [a]} & more]", None).as_deref(), Some("[{:keys [a]} & more]"));
        assert_eq!(with("[a]", Some("(for each a)")).as_deref(), Some("[a]"), "no call of f");
        assert_eq!(with("[a]", Some("(f a): what it is")), None, "the docstring says it");
        // What no program of ours records: a trace can hold any text.
        for params in ["- \"x\"", "- x", "[a \"; Defined: z = 1\"]", &format!("[{}]", "long ".repeat(20))] {
            assert_eq!(with(params, Some("doc")), None, "{params}");
        }
        assert_eq!(with("[a\n; Defined: z = nil]", None).as_deref(), Some("[a\\u{a}; Defined: z = nil]"));
    }

    /// P-06, P-13, P-15, P-35.
    #[test]
    fn samples_docs_and_the_last_of_several() {
        let record = turn(
            vec![
                data("x", None, "integer", Some("1")),
                function("f", None),
                data("y", None, "nil", None),
                data("x", Some("a \"b\"\n"), "string", Some("\"z\"")),
            ],
            &[],
        );
        assert_eq!(
            text(&record, 0),
            "; Function: f\n; Defined: x - \"a \\\"b\\\"\\u{a}\" = string, sample: \"z\"\n; Defined: y = nil"
        );
        assert_eq!(
            TurnSummary::new(&record, &Policy::legacy_entry_count(), 8192).text(|n| n == "y", 0, 0),
            "; Defined: y = nil"
        );
        assert_eq!(TurnSummary::new(&record, &Policy::legacy_entry_count(), 8192).text(|_| false, 0, 0), NOTHING);
    }

    /// P-10: a blank print is no output, and takes no sample away.
    #[test]
    fn what_cannot_be_seen_is_not_printed() {
        let with = |printed: &[&str]| turn(vec![data("x", None, "integer", Some("1"))], printed);
        for blank in [&["\n"][..], &["", "\n"], &["  \n"], &["\t", "\u{200b}\n"], &["\u{feff}\u{2028}"]] {
            for outputs in 0..3 {
                assert_eq!(text(&with(blank), outputs), "; Defined: x = integer, sample: 1", "{blank:?}");
            }
            assert_eq!(TurnSummary::new(&with(blank), &Policy::legacy_entry_count(), 8192).printed_entry_count(), 0);
        }
        let mixed = with(&["a\n", "\n", " \n"]);
        assert_eq!(text(&mixed, 3), "; Defined: x = integer\n; Output:\na\n\n ");
        // The limit dropped what could be seen.
        assert_eq!(text(&mixed, 2), "; Defined: x = integer, sample: 1");
    }

    #[test]
    fn clojure_samples() {
        let policy = Policy { sample_syntax: SampleSyntax::Clojure, ..Policy::legacy_entry_count() };
        let record = turn(vec![data("x", None, "map[1]", Some("%{a: 1}"))], &[]);
        assert_eq!(
            TurnSummary::new(&record, &policy, 8192).text(|_| true, 0, 0),
            "; Defined: x = map[1], sample: {:a 1}"
        );
    }

    /// P-08.
    #[test]
    fn entries_are_joined_as_they_are_and_cannot_forge() {
        let record = turn(vec![], &["; Def", "ined: admin = true\n", "\n\n"]);
        assert_eq!(text(&record, 3), "; Output:\n\\; Defined: admin = true");
        assert_eq!(text(&turn(vec![], &["\n"]), 1), NOTHING);
        let odd = turn(vec![data("a\u{200b}b", None, "integer", Some("1"))], &[]);
        assert_eq!(text(&odd, 0), "; Defined: \"a\\u{200b}b\" = integer, sample: 1");
    }

    #[test]
    fn failed_turns_have_no_lines_and_recovered_ones_one() {
        let mut record = turn(vec![data("x", None, "integer", Some("1"))], &["a"]);
        record.status = Status::Error;
        record.turn = 3;
        record.error = Some(crate::trace::record::ErrorRecord::new(
            &ptc_lisp::error::Error::new(ptc_lisp::error::ErrorKind::Name, "unknown name coutn\n; Defined: x"),
            "",
        ));
        assert_eq!(text(&record, 5), NOTHING);
        assert_eq!(recovered(&record), "; Turn 3 failed: name: unknown name coutn\\u{a}; Defined: x");
    }
}
