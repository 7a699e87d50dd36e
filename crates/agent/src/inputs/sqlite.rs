//! Tables of SQLite databases, which are opened to be read and never written.

use super::table::{Cell, Rows};
use crate::problem::Problem;
use ptc_lisp::visible;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

/// Reads a table or view: at most `limit` rows behind the first `offset`, in the order in which the database has them.
///
/// # Errors
/// When the file is no database, or has no such table: then those that it has are named.
pub fn read(path: &Path, table: &str, limit: Option<u64>, offset: u64) -> Result<Rows, Problem> {
    let shown = path.display();
    if !path.is_file() {
        // SQLite would only say that it cannot be opened.
        crate::problem::read_bytes(path)?;
    }
    let wrong = |e: rusqlite::Error| Problem::new(format!("{shown}: {}", words(&e)));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(wrong)?;
    let tables = tables(&db).map_err(wrong)?;
    // SQLite finds tables whatever their case.
    if !tables.iter().any(|t| t.eq_ignore_ascii_case(table)) {
        let list = if tables.is_empty() {
            "it has none".to_owned()
        } else {
            format!("its tables are {}", visible::line(&tables.join(", ")))
        };
        return Err(Problem::new(format!("{shown}: there is no table {}; {list}", visible::quoted(table))));
    }
    // The name stands in quotes and is one that the database has: nothing in it is ever run.
    let sql = format!("SELECT * FROM \"{}\" LIMIT ?1 OFFSET ?2", table.replace('"', "\"\""));
    let mut statement = db.prepare(&sql).map_err(wrong)?;
    // The library takes it for granted that names are text.
    let mut names = db.prepare("SELECT CAST(name AS BLOB) FROM pragma_table_info(?1)").map_err(wrong)?;
    let text =
        names.query_map([table], |row| Ok(row.get_ref(0)?.as_bytes().is_ok_and(|b| std::str::from_utf8(b).is_ok())));
    if text.map_err(wrong)?.any(|t| !t.unwrap_or(false)) {
        let words =
            format!("{shown}: table {}: the name of a column is not UTF-8 text; rename it", visible::line(table));
        return Err(Problem::new(words));
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let mut found = statement.query((limit.map_or(-1, count), count(offset))).map_err(wrong)?;
    let mut rows = Vec::new();
    while let Some(row) = found.next().map_err(wrong)? {
        let mut cells = Vec::with_capacity(columns.len());
        for (i, column) in columns.iter().enumerate() {
            let bad = || {
                let place = format!(
                    "table {table}, row {}, column {column}",
                    offset.saturating_add(rows.len() as u64).saturating_add(1)
                );
                Problem::new(format!("{shown}: {}: not UTF-8 text; convert it", visible::line(&place)))
            };
            cells.push(cell(row.get_ref(i).map_err(wrong)?).ok_or_else(bad)?);
        }
        rows.push(cells);
    }
    Ok(Rows { columns, rows })
}

fn tables(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = db.prepare(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY name",
    )?;
    statement.query_map((), |row| row.get(0))?.collect()
}

/// `None` for text that is none.
fn cell(v: ValueRef<'_>) -> Option<Cell> {
    Some(match v {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(i) => Cell::Number(i.to_string()),
        // JSON has no word for infinity.
        ValueRef::Real(f) => {
            serde_json::Number::from_f64(f).map_or_else(|| Cell::Text(f.to_string()), |n| Cell::Number(n.to_string()))
        }
        ValueRef::Text(bytes) => Cell::Text(std::str::from_utf8(bytes).ok()?.to_owned()),
        ValueRef::Blob(bytes) => Cell::Blob(bytes.len()),
    })
}

fn words(e: &rusqlite::Error) -> String {
    match e.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => "that is no SQLite database; check the name".to_owned(),
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
            "the database is locked by another process; try again when it is done".to_owned()
        }
        _ => format!("cannot read the database: {}", visible::line(&e.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Db(std::path::PathBuf);

    impl Db {
        fn new(name: &str, sql: &str) -> Self {
            let path = std::env::temp_dir().join(format!("ptc-sqlite-{}-{name}.db", std::process::id()));
            let _ = std::fs::remove_file(&path);
            Connection::open(&path).unwrap().execute_batch(sql).unwrap();
            Db(path)
        }

        fn read(&self, table: &str, limit: Option<u64>, offset: u64) -> String {
            read(&self.0, table, limit, offset).map_or_else(|e| e.0, |r| r.json())
        }
    }

    impl Drop for Db {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    const SQL: &str = "CREATE TABLE posts(id INTEGER, text TEXT, score REAL, raw BLOB);
        INSERT INTO posts VALUES (1, 'a', 4.5, x'0102'), (2, NULL, 3, NULL), (3, 'c', 9e999, x'');
        CREATE VIEW best AS SELECT id FROM posts WHERE score > 4;
        CREATE TABLE \"a\"\"; DROP TABLE posts; --\" (x); INSERT INTO \"a\"\"; DROP TABLE posts; --\" VALUES (7);";

    #[test]
    fn tables_views_limits_and_offsets() {
        let db = Db::new("whole", SQL);
        assert_eq!(
            db.read("posts", None, 0),
            r#"[{"id":1,"text":"a","score":4.5,"raw":"<2 bytes>"},{"id":2,"text":null,"score":3.0,"raw":null},{"id":3,"text":"c","score":"inf","raw":"<0 bytes>"}]"#
        );
        assert_eq!(db.read("best", Some(1), 1), r#"[{"id":3}]"#);
        assert_eq!(db.read("POSTS", Some(0), 0), "[]");
    }

    #[test]
    fn names_are_never_run_and_the_file_never_changes() {
        let db = Db::new("quoted", SQL);
        let before = std::fs::read(&db.0).unwrap();
        assert_eq!(db.read("a\"; DROP TABLE posts; --", None, 0), r#"[{"x":7}]"#);
        for name in ["posts; DROP TABLE posts", "posts\"", "", "sqlite_master", "post"] {
            let error = db.read(name, None, 0);
            assert!(
                error.contains(": there is no table \"") && error.ends_with("DROP TABLE posts; --, best, posts"),
                "{error}"
            );
        }
        assert_eq!(std::fs::read(&db.0).unwrap(), before);
    }

    #[test]
    fn what_is_no_database_is_told() {
        let db = Db::new("odd", "CREATE TABLE t(x); INSERT INTO t VALUES (CAST(x'ff' AS TEXT))");
        assert!(db.read("t", None, 0).ends_with("table t, row 1, column x: not UTF-8 text; convert it"));
        std::fs::write(&db.0, "hello, this is a text and no database at all").unwrap();
        assert!(db.read("t", None, 0).ends_with(": that is no SQLite database; check the name"));
        std::fs::write(&db.0, "").unwrap();
        assert!(db.read("t", None, 0).ends_with("there is no table \"t\"; it has none"));
        let gone = read(Path::new("/no/x.db"), "t", None, 0).unwrap_err();
        assert_eq!(gone.0, "/no/x.db: there is no such file; check the name");
    }
}
