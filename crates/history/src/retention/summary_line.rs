//! The line that stands in an input's place, and messages to whoever set its retention.

use crate::conversation::line_prefixes;
use crate::conversation::message::{Part, PartKind, Retention};
use ptc_text::cut::one_line;

/// Characters of a name that are shown.
const MAX_NAME_CHARS: usize = 200;

/// The line in an input's place: `[Table: posts, 10 rows, ~18KB]`, `[File: notes.md, ~5KB]`,
/// `[Narrative: carousel, 5 acts executed]`, `[Text: ~2KB]` (R-06 to R-08). With a handle it ends in `, input 3.0`.
pub(super) fn line(part: &Part, text: &str, handle: Option<&str>) -> String {
    let mut facts: Vec<String> = Vec::new();
    facts.extend(part.name.as_deref().map(|n| one_line(n, MAX_NAME_CHARS)).filter(|n| !n.is_empty()));
    let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    match (part.kind, part.count) {
        (PartKind::Table, _) => {
            // Rows that exist, not the limit that was asked for (R-06).
            let rows = part.count.or_else(|| super::table::Table::read(text).map(|t| t.rows.len() as u64));
            facts.extend(rows.map(|n| counted(n, "row")));
            facts.push(size(text.len()));
            facts.extend(part.offset.map(|n| format!("offset {n}")));
        }
        (PartKind::Narrative, Some(acts)) => facts.push(format!("{} executed", counted(acts, "act"))),
        _ => facts.push(size(text.len())),
    }
    facts.extend(handle.map(|h| format!("input {h}")));
    format!("{}{}]", start(part.kind), facts.join(", "))
}

/// `~18KB`: 1024 bytes each, rounded half up; `<1KB` where that would be none (R-09).
pub(super) fn size(bytes: usize) -> String {
    match bytes.saturating_add(512) / 1024 {
        0 => "<1KB".to_owned(),
        kb => format!("~{kb}KB"),
    }
}

/// What an input is, in a sentence: `table posts`.
pub(super) fn title(part: &Part) -> String {
    let kind = kind(part.kind).to_lowercase();
    part.name.as_deref().map_or(kind.clone(), |name| format!("{kind} {}", one_line(name, MAX_NAME_CHARS)))
}

fn start(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Table => line_prefixes::TABLE,
        PartKind::File => line_prefixes::FILE,
        PartKind::Text => line_prefixes::TEXT,
        PartKind::Narrative => line_prefixes::NARRATIVE,
        PartKind::Tool => line_prefixes::TOOL,
    }
}

fn kind(kind: PartKind) -> &'static str {
    start(kind).trim_matches(['[', ':', ' '])
}

/// The error for an act that refers to another one whose input is no longer there in full (R-23, R-37).
///
/// ```
/// use ptc_history::{Part, PartKind, Retention, retention::guidance};
///
/// let part = Part { kind: PartKind::Table, name: Some("posts".into()), history_retention: None, count: None, offset: None };
/// assert_eq!(
///     guidance("refine", "analyze", &part, Retention::Drop),
///     "act 'refine' refers to {{analyze}}, but of its input (table posts) conversation history contains nothing \
///      (history_retention = \"drop\"). Use history_retention = \"full\" for that input in act 'analyze'"
/// );
/// ```
pub fn guidance(act: &str, refers_to: &str, part: &Part, retention: Retention) -> String {
    let (left, word) = match retention {
        Retention::Full => ("all", "full"),
        Retention::Summary => ("only a summary", "summary"),
        Retention::Drop => ("nothing", "drop"),
    };
    format!(
        "act '{act}' refers to {{{{{refers_to}}}}}, but of its input ({}) conversation history contains {left} \
         (history_retention = \"{word}\"). Use history_retention = \"full\" for that input in act '{refers_to}'",
        title(part)
    )
}

/// The warning for a large input that is sent again with every act (R-26), where hosts ask for it: for inputs of more
/// than 10 KB that are kept in full, in narratives of more than one act.
pub fn large_input(part: &Part, text: &str, acts: usize) -> Option<String> {
    let full = part.history_retention.unwrap_or_default() == Retention::Full;
    (full && acts > 1 && text.len() > 10 * 1024).then(|| {
        format!(
            "large input ({}, {}) with history_retention = \"full\" in a narrative of {acts} acts is sent again with each; consider history_retention = \"summary\" (ptc doc tasks, \"Retention\")",
            title(part),
            size(text.len())
        )
    })
}
