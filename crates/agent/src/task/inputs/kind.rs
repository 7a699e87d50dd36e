//! What a file holds, as its name says.

use std::path::Path;

/// What a file holds, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.json`
    Json,
    /// `.jsonl`, `.ndjson`: a value a line.
    JsonLines,
    /// `.csv`
    Csv,
    /// `.tsv`: a table whose fields are separated by tabs.
    Tsv,
    /// Anything else: a string.
    Text,
}

impl Kind {
    /// Of a file of this name, which may have `.gz` behind it.
    pub fn of(path: &Path) -> Self {
        let gzip = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
        let path = if gzip { Path::new(path.file_stem().unwrap_or_default()) } else { path };
        match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
            Some("json") => Kind::Json,
            Some("jsonl" | "ndjson") => Kind::JsonLines,
            Some("csv") => Kind::Csv,
            Some("tsv") => Kind::Tsv,
            _ => Kind::Text,
        }
    }

    /// What stands between fields, of a table.
    pub fn separator(self) -> Option<char> {
        match self {
            Kind::Csv => Some(','),
            Kind::Tsv => Some('\t'),
            _ => None,
        }
    }
}
