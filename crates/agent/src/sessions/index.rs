//! The index of sessions: `index.sqlite` beside them. It is made from traces and may be lost.

use super::found::Found;
use super::kept::{Read, SessionSummary, short};
use crate::error::{Error, ErrorKind};
use ptc_turns::Trace;
use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// The version of the tables below.
const VERSION: i64 = 3;
/// How long another process is waited for.
const BUSY: Duration = Duration::from_secs(10);
/// Most bytes of one text of a turn that are looked through.
const TEXT_BYTES: usize = 64 << 10;
/// Most bytes of what is shown around a word.
const SNIPPET_BYTES: usize = 240;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS session(id TEXT PRIMARY KEY, stamp TEXT NOT NULL, summary TEXT NOT NULL) WITHOUT ROWID;
    CREATE VIRTUAL TABLE IF NOT EXISTS turn_text USING fts5(
        question, program, prose, printed, value, error, ending, session UNINDEXED, subtask UNINDEXED, n UNINDEXED);
    CREATE TABLE IF NOT EXISTS turn_row(row INTEGER PRIMARY KEY, session TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS turn_row_of ON turn_row(session);";

/// The rows of a session's texts: a column of a table of texts has no index, and looking for it there reads all texts.
const ROWS: &str = "SELECT row FROM turn_row WHERE session = ?1";
/// Takes out the texts of a row.
const REMOVE: &str = "DELETE FROM turn_text WHERE rowid = ?1";
/// Forgets which rows a session had.
const FORGET: &str = "DELETE FROM turn_row WHERE session = ?1";

/// The kinds of text, in the order of the columns.
const KINDS: [&str; 7] = ["question", "program", "prose", "printed", "value", "error", "ending"];

/// The index, open.
pub(super) struct Index(Connection);

impl Index {
    /// The index in this file, or one in memory without, with all that changed since: `stamps` has each session with what
    /// changes when its files do, and `read` reads one. A file that is damaged, or of another version, is renamed and made
    /// anew; where none can be written the index is made in memory.
    pub(super) fn healed(
        file: Option<&Path>,
        stamps: &HashMap<String, String>,
        read: &dyn Fn(&str) -> Read,
    ) -> Result<Self, Error> {
        let attempt = |file: &Path| -> rusqlite::Result<Self> {
            let mut index = Self::open(file)?;
            index.heal(stamps, read)?;
            // What is damaged inside is found where it is read.
            index.all()?;
            Ok(index)
        };
        if let Some(file) = file {
            match attempt(file) {
                Ok(index) => return Ok(index),
                Err(e) if is_damage(&e) => {
                    set_aside(file);
                    if let Ok(index) = attempt(file) {
                        return Ok(index);
                    }
                }
                // It cannot be written, or is held for longer than one wants to wait.
                Err(_) => {}
            }
        }
        let in_memory = || -> rusqlite::Result<Self> {
            let mut index = Index(Connection::open_in_memory()?);
            index.0.execute_batch(TABLES)?;
            index.heal(stamps, read)?;
            Ok(index)
        };
        in_memory().map_err(of_sqlite)
    }

    fn open(file: &Path) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(BUSY)?;
        // A schema that somebody else has written runs no functions.
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "normal")?;
        let version: i64 = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
        match version {
            VERSION => {}
            0 => {
                // Made in one step: another process sees all tables or none.
                let batch = format!("BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;");
                connection.execute_batch(&batch)?;
            }
            _ => return Err(rusqlite::Error::InvalidQuery),
        }
        Ok(Index(connection))
    }

    /// Reads again what changed, and forgets what is gone.
    fn heal(&mut self, stamps: &HashMap<String, String>, read: &dyn Fn(&str) -> Read) -> rusqlite::Result<()> {
        let known: HashMap<String, String> = {
            let mut query = self.0.prepare("SELECT id, stamp FROM session")?;
            let rows = query.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        for gone in known.keys().filter(|id| !stamps.contains_key(*id)) {
            let write = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
            write.execute("DELETE FROM session WHERE id = ?1", [gone])?;
            remove_texts(&write, gone)?;
            write.commit()?;
        }
        for (id, stamp) in stamps.iter().filter(|(id, stamp)| known.get(*id) != Some(stamp)) {
            // Read before anything is held.
            let Read { summary, trace, subtasks } = read(id);
            let text = serde_json::to_string(&summary).unwrap_or_default();
            let write = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
            remove_texts(&write, id)?;
            write.execute("INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3)", params![id, stamp, text])?;
            // Why a run ended is in the trace, or beside it.
            let own = trace.iter().map(|t| ("", t, summary.problem.as_deref()));
            let inside =
                subtasks.iter().filter_map(|(s, t)| Some((s.label.as_str(), t.as_ref()?, s.problem.as_deref())));
            for (subtask, trace, ending) in own.chain(inside) {
                for (n, texts) in texts(trace, ending) {
                    write.prepare_cached("INSERT INTO turn_row(session) VALUES (?1)")?.execute([id])?;
                    let row = write.last_insert_rowid();
                    let [question, program, prose, printed, value, error, ending] = texts;
                    write
                        .prepare_cached(
                            "INSERT INTO turn_text(question, program, prose, printed, value, error, ending,
                                 session, subtask, n, rowid)
                             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                        )?
                        .execute(params![
                            question, program, prose, printed, value, error, ending, id, subtask, n, row
                        ])?;
                }
            }
            write.commit()?;
        }
        Ok(())
    }

    fn all(&self) -> rusqlite::Result<Vec<SessionSummary>> {
        let mut query = self.0.prepare("SELECT summary FROM session ORDER BY id DESC")?;
        let rows = query.query_map([], |r| r.get::<_, String>(0))?;
        let read =
            |text: rusqlite::Result<String>| serde_json::from_str(&text?).map_err(|_| rusqlite::Error::InvalidQuery);
        rows.map(read).collect()
    }

    /// All sessions, newest first.
    pub(super) fn summaries(&self) -> Result<Vec<SessionSummary>, Error> {
        self.all().map_err(of_sqlite)
    }

    /// The turns that a query finds, of the newest sessions first.
    pub(super) fn search(&self, query: &str, most: usize) -> Result<Vec<Found>, Error> {
        let search = || -> rusqlite::Result<Vec<Found>> {
            let snippets: Vec<String> =
                (0..KINDS.len()).map(|at| format!("snippet(turn_text, {at}, '\u{1}', '\u{2}', '...', 16)")).collect();
            let sql = format!(
                "SELECT session, subtask, n, {} FROM turn_text WHERE turn_text MATCH ?1
                 ORDER BY session DESC, subtask, n, ending LIMIT ?2",
                snippets.join(", ")
            );
            let mut statement = self.0.prepare(&sql)?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![query, most], |r| {
                let mut at = ("question", String::new());
                for (column, kind) in (3_usize..).zip(KINDS) {
                    let text: String = r.get(column)?;
                    // Texts have no such characters of their own.
                    if text.contains('\u{1}') {
                        at = (kind, text.replace(['\u{1}', '\u{2}'], ""));
                        break;
                    }
                }
                let line = at.1.split_whitespace().collect::<Vec<_>>().join(" ");
                let turn = u64::try_from(r.get::<_, i64>(2)?).unwrap_or_default();
                let subtask = Some(r.get::<_, String>(1)?).filter(|label| !label.is_empty());
                Ok(Found { id: r.get(0)?, subtask, turn, kind: at.0, snippet: short(&line, SNIPPET_BYTES) })
            })?;
            rows.collect()
        };
        search().map_err(of_sqlite)
    }
}

/// Takes out all texts of a session.
fn remove_texts(index: &Connection, id: &str) -> rusqlite::Result<()> {
    let mut query = index.prepare_cached(ROWS)?;
    let rows: Vec<i64> = query.query_map([id], |r| r.get(0))?.collect::<rusqlite::Result<_>>()?;
    for row in rows {
        index.prepare_cached(REMOVE)?.execute([row])?;
    }
    index.prepare_cached(FORGET)?.execute([id])?;
    Ok(())
}

/// The texts of a trace by turn, in the order of the columns; the question is turn 0, and why the last run ended stands with
/// the last turn.
fn texts<'t>(trace: &'t Trace, ending: Option<&str>) -> impl Iterator<Item = (i64, [String; KINDS.len()])> + 't {
    let number = |turn: u64| i64::try_from(turn).unwrap_or(i64::MAX);
    let e = String::new;
    let first = [plain(&trace.header.prompt), e(), e(), e(), e(), e(), e()];
    let turns = trace.turns().iter().map(move |t| {
        let of = |text: &Option<String>| plain(text.as_deref().unwrap_or_default());
        let error = t.error.as_ref().map(|e| plain(&e.message)).unwrap_or_default();
        let printed = plain(&t.printed.concat());
        let texts = [String::new(), plain(&t.program), of(&t.reasoning), printed, of(&t.value), error, String::new()];
        (number(t.turn), texts)
    });
    // What a turn tells is its error or its value already.
    let ending = ending.filter(|_| !trace.ended());
    let ending = ending.map(|words| (number(trace.turns().len() as u64), [e(), e(), e(), e(), e(), e(), plain(words)]));
    std::iter::once((0, first)).chain(turns).chain(ending)
}

/// A text as it is looked through: bounded, and without control characters.
fn plain(text: &str) -> String {
    let mut end = text.len().min(TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Whether an error says that the file itself is not what it should be.
fn is_damage(e: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as C;
    match e {
        rusqlite::Error::SqliteFailure(why, _) => {
            matches!(why.code, C::DatabaseCorrupt | C::NotADatabase | C::Unknown | C::TypeMismatch | C::SchemaChanged)
        }
        // Of another version; a summary that is none; tables that have other columns.
        rusqlite::Error::InvalidQuery
        | rusqlite::Error::SqlInputError { .. }
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::Utf8Error(..) => true,
        _ => false,
    }
}

/// Renames a damaged index: what it was made from is still there.
fn set_aside(file: &Path) {
    let named = |end: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        std::path::PathBuf::from(name)
    };
    let _ = std::fs::rename(file, named(".damaged"));
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(named(end));
    }
}

fn of_sqlite(e: rusqlite::Error) -> Error {
    Error::new(ErrorKind::Session, format!("the index of sessions: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::StatementStatus;

    /// Steps of SQLite's machine that removing the texts of one session takes, of so many.
    fn steps(sessions: usize) -> Vec<i32> {
        let index = Connection::open_in_memory().unwrap();
        index.execute_batch(TABLES).unwrap();
        for n in 0..sessions {
            index.execute("INSERT INTO turn_row(session) VALUES (?1)", [format!("s{n}")]).unwrap();
            let row = index.last_insert_rowid();
            let text = "INSERT INTO turn_text(program, session, subtask, n, rowid) VALUES ('words', ?1, '', 1, ?2)";
            index.execute(text, params![format!("s{n}"), row]).unwrap();
        }
        let mut find = index.prepare(ROWS).unwrap();
        let row: i64 = find.query_row(["s3"], |r| r.get(0)).unwrap();
        let mut remove = index.prepare(REMOVE).unwrap();
        assert_eq!(remove.execute([row]).unwrap(), 1);
        let mut forget = index.prepare(FORGET).unwrap();
        assert_eq!(forget.execute(["s3"]).unwrap(), 1);
        // One that is not there costs no look at the texts either.
        remove_texts(&index, "new").unwrap();
        let left: i64 = index.query_row("SELECT count(*) FROM turn_text", [], |r| r.get(0)).unwrap();
        assert_eq!(left as usize, sessions - 1);
        [&find, &remove, &forget].map(|s| s.get_status(StatementStatus::VmStep)).to_vec()
    }

    /// What it takes to index a session does not grow with the others.
    #[test]
    fn texts_of_a_session_are_found_by_their_rows() {
        assert_eq!(steps(10), steps(500));
    }
}
