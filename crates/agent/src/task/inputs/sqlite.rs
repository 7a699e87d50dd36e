//! Tables of SQLite databases, which are opened to be read and never written.
//!
//! A database is bytes from outside: its views are programs, and its pages may say anything. So SQLite reads within
//! limits of its own (memory, lengths, nesting), nothing in the file may reach beyond reading it, and all of it happens on
//! a thread that is not waited for longer than the task says.

use super::read_limits::{Budget, ReadLimits};
use super::rows::{Cell, Rows, Table, cell_bytes, row_bytes};
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::files::check_file;
use ptc_lisp::error::cut;
use ptc_lisp::escape;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Memory that SQLite may have in this process, in bytes. SQLite knows one such limit for all connections of a process.
pub(crate) const MAX_HEAP_BYTES: i64 = 64 << 20;
/// Longest text or blob that SQLite makes, in bytes.
pub(crate) const MAX_VALUE_BYTES: i32 = 16 << 20;
/// Steps of SQLite's machine between two looks whether it was told to end.
const STEPS: i32 = 1000;
/// How often is looked whether anybody still waits.
const PULSE: Duration = Duration::from_millis(20);
/// Time for a read that was told to end.
const GRACE: Duration = Duration::from_secs(1);
/// Most reads that may be left behind inside one function of SQLite, which looks at nothing else.
const LEFT: usize = 8;
/// Stack of a read: SQLite's parser is recursive, up to the limits below.
const STACK: usize = 8 << 20;
/// Bytes of the names of tables that an error shows.
const NAMES: usize = 1000;

/// Reads that were left behind.
static BEHIND: AtomicUsize = AtomicUsize::new(0);

/// Reads a table or view: at most `limit` rows behind the first `offset`, in the order in which the database has them.
///
/// The first read of a process limits the memory of SQLite in it to [`MAX_HEAP_BYTES`], for all connections.
///
/// # Errors
/// When the file is no database, has no such table (then those that it has are named), or reading takes more than it may.
pub(crate) fn read(path: &Path, table: &Table, reading: &ReadLimits) -> Result<Rows, Error> {
    // SQLite would only say that it cannot be opened, and wait for a pipe.
    check_file(path)?;
    let shown = path.display().to_string();
    if BEHIND.load(Ordering::Relaxed) >= LEFT {
        let text = error_text!("{LEFT} reads that took too long still hang"; "start the process again");
        return Err(Error::new(ErrorKind::Input, text).at(&shown));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let work = Work { path: path.to_owned(), table: table.clone(), reading: reading.clone(), stop: stop.clone() };
    let (done, over) = sync_channel(1);
    let thread = std::thread::Builder::new().name("ptc-sqlite".into()).stack_size(STACK);
    let spawned = thread.spawn(move || {
        let _here = Here::new();
        let _ = done.send(work.rows());
    });
    spawned
        .map_err(|e| Error::new(ErrorKind::Input, format!("a thread to read it cannot be started: {e}")).at(&shown))?;
    wait(&over, &stop, &shown, table, reading)
}

/// Waits for the rows, as long as the task says; a read that does not end then is left behind.
fn wait(
    over: &Receiver<Result<Rows, Error>>,
    stop: &AtomicBool,
    shown: &str,
    table: &Table,
    reading: &ReadLimits,
) -> Result<Rows, Error> {
    let until = Instant::now().checked_add(reading.timeout);
    let why = loop {
        match over.recv_timeout(PULSE) {
            Ok(rows) => return rows,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(
                    Error::new(ErrorKind::Input, error_text!("the read was lost"; "please report it")).at(shown)
                );
            }
            Err(RecvTimeoutError::Timeout) if reading.cancel.cancelled() => {
                break Error::new(ErrorKind::Input, "reading it was cancelled").at(shown);
            }
            Err(RecvTimeoutError::Timeout) if until.is_some_and(|u| Instant::now() >= u) => {
                let (name, ms) = (escape::line(&table.name), reading.timeout.as_millis());
                break Error::new(
                    ErrorKind::Input,
                    error_text!("table {name}: not read within input_timeout_ms = {ms}"; "read fewer rows with limit = N, or raise input_timeout_ms in [task]"),
                ).at(shown);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    stop.store(true, Ordering::Relaxed);
    // It ends at its next look, and its memory goes with it.
    let _ = over.recv_timeout(GRACE);
    Err(why)
}

/// Counts a read for as long as it runs.
struct Here;

impl Here {
    fn new() -> Self {
        BEHIND.fetch_add(1, Ordering::Relaxed);
        Here
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        BEHIND.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One read, on its own thread.
struct Work {
    path: PathBuf,
    table: Table,
    reading: ReadLimits,
    stop: Arc<AtomicBool>,
}

impl Work {
    fn rows(&self) -> Result<Rows, Error> {
        let (shown, table) = (self.path.display().to_string(), &self.table);
        let place = || format!("{shown}: table {}", escape::line(&table.name));
        let wrong = |e: rusqlite::Error| of_sqlite(&e, &shown, &place());
        let db = self.open().map_err(wrong)?;
        let mut budget = Budget::new(self.reading.bytes);
        let full = |rows: u64| {
            let what = format!("what its first {rows} rows hold");
            self.reading.too_large(&place(), &what, "read fewer with limit = N")
        };
        let tables = tables(&db, &mut budget).map_err(wrong)?.ok_or_else(|| full(0))?;
        // SQLite finds tables whatever their case.
        if !tables.iter().any(|t| t.eq_ignore_ascii_case(&table.name)) {
            let list = if tables.is_empty() {
                "it has none".to_owned()
            } else {
                format!("its tables are {}", cut(escape::line(&tables.join(", ")), NAMES))
            };
            return Err(Error::new(
                ErrorKind::Input,
                error_text!("there is no table {}", escape::quoted(&table.name); "{list}"),
            )
            .at(&shown));
        }
        drop(tables);
        // The name stands in quotes and is one that the database has: nothing in it is ever run.
        let sql = format!("SELECT * FROM \"{}\" LIMIT ?1 OFFSET ?2", table.name.replace('"', "\"\""));
        let mut statement = db.prepare(&sql).map_err(wrong)?;
        // The library takes it for granted that names are text. All columns: `table_info` leaves generated ones out.
        let mut names = db.prepare("SELECT CAST(name AS BLOB) FROM pragma_table_xinfo(?1)").map_err(wrong)?;
        let text = names.query_map([&table.name], |row| {
            Ok(row.get_ref(0)?.as_bytes().is_ok_and(|b| std::str::from_utf8(b).is_ok()))
        });
        if text.map_err(wrong)?.any(|t| !t.unwrap_or(false)) {
            return Err(Error::new(
                ErrorKind::Input,
                error_text!("the name of a column is not UTF-8 text"; "rename it"),
            )
            .at(&place()));
        }
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let mut found = statement.query((table.limit.map_or(-1, count), count(table.offset))).map_err(wrong)?;
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        while let Some(row) = found.next().map_err(wrong)? {
            if !budget.take(row_bytes()) {
                return Err(full(rows.len() as u64));
            }
            let mut cells = Vec::with_capacity(columns.len());
            for (i, column) in columns.iter().enumerate() {
                let value = row.get_ref(i).map_err(wrong)?;
                // Counted where SQLite has it, before it is copied.
                let text = if let ValueRef::Text(bytes) = value { bytes } else { &[] };
                if !budget.take(cell_bytes(column, text)) {
                    return Err(full(rows.len() as u64));
                }
                let bad = || {
                    let row = table.offset.saturating_add(rows.len() as u64).saturating_add(1);
                    let place = format!("table {}, row {row}, column {column}", table.name);
                    Error::new(ErrorKind::Input, error_text!("{}: not UTF-8 text", escape::line(&place); "convert it"))
                        .at(&shown)
                };
                cells.push(cell(value).ok_or_else(bad)?);
            }
            rows.push(cells);
        }
        Ok(Rows { columns, rows, note: None })
    }

    /// The database, which may do nothing but be read.
    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(&self.path, flags)?;
        let stop = self.stop.clone();
        db.progress_handler(STEPS, Some(move || stop.load(Ordering::Relaxed)))?;
        // What stands in the file calls no function and no virtual table that could do more than compute, and no
        // structure of it is taken for right.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        db.pragma_update(None, "cell_size_check", true)?;
        // Values are of a length that can be held, and what SQLite sorts is in memory: a view cannot fill the disk.
        db.pragma_update(None, "temp_store", "MEMORY")?;
        db.pragma_update_and_check(None, "hard_heap_limit", MAX_HEAP_BYTES, |_| Ok(()))?;
        for (limit, most) in [
            (Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES),
            (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
            (Limit::SQLITE_LIMIT_EXPR_DEPTH, 500),
            (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
            (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
            (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
            (Limit::SQLITE_LIMIT_ATTACHED, 0),
            (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
            (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            db.set_limit(limit, most)?;
        }
        Ok(db)
    }
}

/// The names of the tables and views; `None` when they take more than is left.
fn tables(db: &Connection, budget: &mut Budget) -> rusqlite::Result<Option<Vec<String>>> {
    let mut statement = db.prepare(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY name",
    )?;
    let mut rows = statement.query(())?;
    let mut names = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?.as_str()?;
        if !budget.take(cell_bytes("", name.as_bytes())) {
            return Ok(None);
        }
        names.push(name.to_owned());
    }
    Ok(Some(names))
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

/// An error of the database `file`, or of its table `place`.
fn of_sqlite(e: &rusqlite::Error, file: &str, place: &str) -> Error {
    let (at, text) = match e.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => (file, "that is no SQLite database; check the name".into()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            (file, "the database is locked by another process; try again when it is done".into())
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            let why = escape::line(&e.to_string());
            (file, error_text!("the database is damaged ({why})"; "recover it, or put back a copy"))
        }
        Some(ErrorCode::TooBig) => {
            let text = error_text!("a value or a text of SQL has more than {MAX_VALUE_BYTES} bytes"; "name a view without that column");
            (place, text)
        }
        Some(ErrorCode::OutOfMemory) => {
            let text = error_text!("SQLite needs more than {MAX_HEAP_BYTES} bytes of memory to read it"; "save what the view gives as a table");
            (place, text)
        }
        // Whoever waits says why.
        Some(ErrorCode::OperationInterrupted) => (place, "reading it was ended".into()),
        _ => (file, ErrorText::from(format!("cannot read the database: {}", escape::line(&e.to_string())))),
    };
    Error::new(ErrorKind::Input, text).at(at)
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
            self.within(table, limit, offset, &ReadLimits::default())
        }

        fn within(&self, table: &str, limit: Option<u64>, offset: u64, reading: &ReadLimits) -> String {
            let table = Table { name: table.to_owned(), limit, offset };
            read(&self.0, &table, reading).map_or_else(|e| e.to_string(), |r| r.json())
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

    /// Found by random databases: a generated column is no column of `table_info`, and the library panics at its name.
    #[test]
    fn names_of_columns_that_are_no_text_are_told() {
        for sql in [
            "CREATE TABLE t(a integer, zqxj)",
            "CREATE TABLE t(a integer, zqxj as (a * 4))",
            "CREATE TABLE t(a integer, zqxj as (a * 4) stored)",
            "CREATE TABLE u(a); CREATE VIEW t AS SELECT a, 1 AS zqxj FROM u",
            "CREATE TABLE u(a); CREATE VIEW t AS SELECT a, 'zqxj' FROM u",
        ] {
            let db = Db::new("names", sql);
            let mut bytes = std::fs::read(&db.0).unwrap();
            let at: Vec<usize> = bytes.windows(4).enumerate().filter(|(_, w)| w == b"zqxj").map(|(i, _)| i).collect();
            at.into_iter().for_each(|i| bytes[i] = 0xff);
            std::fs::write(&db.0, &bytes).unwrap();
            let error = db.read("t", None, 0);
            assert!(error.ends_with("table t: the name of a column is not UTF-8 text; rename it"), "{sql}: {error}");
        }
    }

    #[test]
    fn what_is_no_database_is_told() {
        let db = Db::new("odd", "CREATE TABLE t(x); INSERT INTO t VALUES (CAST(x'ff' AS TEXT))");
        assert!(db.read("t", None, 0).ends_with("table t, row 1, column x: not UTF-8 text; convert it"));
        std::fs::write(&db.0, "hello, this is a text and no database at all").unwrap();
        assert!(db.read("t", None, 0).ends_with(": that is no SQLite database; check the name"));
        std::fs::write(&db.0, "").unwrap();
        assert!(db.read("t", None, 0).ends_with("there is no table \"t\"; it has none"));
        let table = Table { name: "t".to_owned(), limit: None, offset: 0 };
        let gone = read(Path::new("/no/x.db"), &table, &ReadLimits::default()).unwrap_err();
        assert_eq!(gone.to_string(), "/no/x.db: there is no such file; check the name");
    }

    /// Views are programs: each of these never ended, or took gigabytes.
    const HOSTILE: &str = "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
        CREATE VIEW silent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0;
        CREATE VIEW sorted AS SELECT hex(randomblob(500)) AS h FROM endless ORDER BY h;
        CREATE VIEW blob AS SELECT zeroblob(900000000) AS b;
        CREATE VIEW blobs AS SELECT zeroblob(16000000) AS b FROM endless;
        CREATE VIEW texts AS SELECT printf('%.*c', 1000000, 'x') AS t FROM endless;
        CREATE VIEW wide AS SELECT hex(zeroblob(4000000)) a, hex(zeroblob(4000000)) b, hex(zeroblob(4000000)) c,
            hex(zeroblob(4000000)) d, hex(zeroblob(4000000)) e, hex(zeroblob(4000000)) f, hex(zeroblob(4000000)) g,
            hex(zeroblob(4000000)) h, hex(zeroblob(4000000)) i, hex(zeroblob(4000000)) j, hex(zeroblob(4000000)) k;
        CREATE VIEW busy AS SELECT instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1') AS n;
        CREATE TABLE small(x); INSERT INTO small VALUES (1);";

    #[test]
    fn views_that_never_end_or_hold_too_much_are_told_what_limit_they_meet() {
        let db = Db::new("hostile", HOSTILE);
        let short = ReadLimits { timeout: Duration::from_millis(200), ..ReadLimits::default() };
        let small = ReadLimits { bytes: 1 << 20, ..ReadLimits::default() };
        let late = |t: &str| {
            format!(
                "table {t}: not read within input_timeout_ms = 200; read fewer rows with limit = N, or raise input_timeout_ms in [task]"
            )
        };
        let heap = |t: &str| {
            format!(
                "table {t}: SQLite needs more than 67108864 bytes of memory to read it; save what the view gives as a table"
            )
        };
        for (table, reading, words) in [
            ("endless", &small, "takes more than input_bytes = 1048576; read fewer with limit = N, or raise input_bytes in [task]".to_owned()),
            ("texts", &small, "table texts: what its first 1 rows hold takes more than input_bytes = 1048576; read fewer with limit = N, or raise input_bytes in [task]".to_owned()),
            ("silent", &short, late("silent")),
            ("busy", &short, late("busy")),
            ("blob", &small, "table blob: a value or a text of SQL has more than 16777216 bytes; name a view without that column".to_owned()),
            ("sorted", &ReadLimits::default(), heap("sorted")),
            ("wide", &ReadLimits::default(), heap("wide")),
        ] {
            let got = db.within(table, None, 0, reading);
            assert!(got.ends_with(&words), "{table}: {}", &got[..got.len().min(500)]);
        }
        // A part of what has no end can be read, and what stands beside it.
        assert_eq!(db.read("endless", Some(2), 3), r#"[{"i":4},{"i":5}]"#);
        assert_eq!(db.read("blobs", Some(1), 0), r#"[{"b":"<16000000 bytes>"}]"#);
        assert_eq!(db.read("small", None, 0), r#"[{"x":1}]"#);
    }

    #[test]
    fn whoever_cancels_is_not_kept_waiting() {
        let db = Db::new("cancelled", HOSTILE);
        let reading = ReadLimits::default();
        reading.cancel.cancel();
        assert!(db.within("silent", None, 0, &reading).ends_with(": reading it was cancelled"));
    }

    /// Whatever stands in the file: rows, or one line that says what is wrong.
    #[test]
    fn a_database_that_is_damaged_is_told() {
        let many = "CREATE TABLE t(x); INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT hex(i) FROM n;";
        let db = Db::new("damaged", many);
        let whole = std::fs::read(&db.0).unwrap();
        let reading = ReadLimits { timeout: Duration::from_secs(5), bytes: 16 << 20, ..ReadLimits::default() };
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        let mut refused = 0;
        for round in 0..200_usize {
            let mut bytes = whole.clone();
            for _ in 0..=round % 8 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let at = (random >> 33) as usize % bytes.len();
                bytes[at] = (random >> 17) as u8;
            }
            bytes.truncate(if round % 5 == 0 { bytes.len() / 2 } else { bytes.len() });
            // Every page of the tree points at the root.
            if round % 7 == 0 {
                bytes[4096 + 8..4096 + 12].copy_from_slice(&[0, 0, 0, 2]);
            }
            std::fs::write(&db.0, &bytes).unwrap();
            let got = db.within("t", None, 0, &reading);
            if !got.starts_with('[') {
                refused += 1;
                assert!(!got.contains('\n') && got.contains(": "), "{got}");
            }
        }
        assert!(refused > 20, "{refused}");
    }
}
