//! Where data comes from: `[context.NAME]`, which programs read as `ctx/NAME`, and the tables and files of acts.

use super::folder::Folder;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::task::inputs::read_limits::ReadLimits;
use crate::task::inputs::rows::{Rows, Table as DatabaseTable};
use crate::task::inputs::{self, InputOptions, Kind};
use crate::toml_section::Section;
use ptc_lisp::limits::Limits;
use ptc_turns::Input;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where an input comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    File(String, InputOptions),
    Value(serde_json::Value),
    Table(Table),
    /// A file that the user named beside the task: by its own path, not one in the task's folder.
    Given(PathBuf, InputOptions),
    /// A table of a database that the user named.
    GivenTable(PathBuf, String),
    /// What was given as bytes, and a file's name that says what they are.
    Bytes(Arc<[u8]>, String, InputOptions),
}

/// A table, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    place: Place,
    limit: Option<u64>,
    /// `None` where the task does not say: then it is no part of a summary.
    pub offset: Option<u64>,
}

/// Where a table stands.
#[derive(Clone, Debug)]
enum Place {
    Database { database: String, table: String },
    File { file: String, name: Option<String>, options: InputOptions },
}

/// The keys that say which table.
pub(crate) fn table_keys() -> Vec<&'static str> {
    ["database", "table_name", "file"].into_iter().chain(inputs::options::keys()).collect()
}

/// What stands in a task's folder where its inputs are made and not kept.
const MAKER: &str = "make.py";

impl Source {
    /// Reads the input; its files are those of `folder`.
    pub(crate) fn load(
        &self,
        name: &str,
        folder: &Folder,
        limits: &Limits,
        reading: &ReadLimits,
    ) -> Result<Input, Error> {
        match self {
            Source::File(file, options) => {
                let (path, maker) = (folder.file(file)?, folder.path().join(MAKER));
                if !path.exists() && maker.is_file() {
                    let words = error_text!("there is no such file"; "make it: python3 {}", maker.display());
                    return Err(Error::new(ErrorKind::Task, words).at(&path.display().to_string()));
                }
                inputs::from_file(name, &path, file, options, limits, reading)
            }
            Source::Given(path, options) => {
                inputs::from_file(name, path, &path.display().to_string(), options, limits, reading)
            }
            Source::GivenTable(path, table) => {
                let of = DatabaseTable { name: table.clone(), limit: None, offset: 0 };
                let rows = inputs::read_table(path, &of, reading)?;
                inputs::from_rows(name, rows, format!("{}#{table}", path.display()), limits, reading)
            }
            Source::Bytes(bytes, file, options) => inputs::from_bytes(name, bytes, file, options, limits, reading),
            Source::Value(data) => inputs::from_data(name, data, limits),
            Source::Table(table) => {
                inputs::from_rows(name, table.rows(folder, reading)?, table.file(), limits, reading)
            }
        }
    }
}

impl Table {
    /// The table that these keys name, in a file of `folder`.
    pub(crate) fn parse(s: &Section<'_>, folder: &Folder) -> Result<Self, Error> {
        for key in ["database", "file"] {
            within(s, key, folder)?;
        }
        let place = match (s.name("database")?, s.name("file")?) {
            (Some(_), Some(_)) => return Err(s.problem_at("file", "database and file; keep one of them")),
            (Some(database), None) => {
                let of_files = |k: &&str| !["limit", "offset"].contains(k) && s.has(k);
                if let Some(key) = inputs::options::keys().into_iter().find(of_files) {
                    return Err(s.problem_at(key, error_text!("{key} is for files, not for databases"; "take it out")));
                }
                let table = s.needed_name("table_name", "\"posts\"")?.to_owned();
                Place::Database { database: database.to_owned(), table }
            }
            (None, Some(file)) if Kind::of(Path::new(file)).separator().is_some() => {
                let options = InputOptions::of_section(s)?;
                Place::File { file: file.to_owned(), name: s.name("table_name")?.map(str::to_owned), options }
            }
            (None, Some(_)) => {
                return Err(s.problem_at("file", "a table is a .csv or .tsv file, or a database; name one"));
            }
            (None, None) => {
                let words = "no table; add database = \"data.sqlite\" and table_name, or file = \"data.csv\"";
                return Err(s.problem(words));
            }
        };
        Ok(Table { place, limit: s.count("limit")?, offset: s.whole("offset")? })
    }

    /// Its name, for people and models.
    pub(crate) fn name(&self) -> &str {
        match &self.place {
            Place::Database { table, .. } => table,
            Place::File { file, name, .. } => name.as_deref().unwrap_or(file),
        }
    }

    /// Where it was read from, as the task names it.
    fn file(&self) -> String {
        match &self.place {
            Place::Database { database, table } => format!("{database}#{table}"),
            Place::File { file, .. } => file.clone(),
        }
    }

    /// Its rows; files are those of `folder`.
    pub(crate) fn rows(&self, folder: &Folder, reading: &ReadLimits) -> Result<Rows, Error> {
        let (limit, offset) = (self.limit, self.offset.unwrap_or(0));
        match &self.place {
            Place::Database { database, table } => {
                let table = DatabaseTable { name: table.clone(), limit, offset };
                inputs::read_table(&folder.file(database)?, &table, reading)
            }
            Place::File { file, options, .. } => inputs::rows_of(&folder.file(file)?, options, reading),
        }
    }
}

/// Whether the file that a key names is one that the task may read.
pub(crate) fn within(s: &Section<'_>, key: &str, folder: &Folder) -> Result<(), Error> {
    match s.name(key)? {
        Some(file) => folder.file(file).map(drop).map_err(|p| s.problem_at(key, p)),
        None => Ok(()),
    }
}

/// The source that a table of `[context]` names, in a file of `folder`.
pub(crate) fn parse(s: &Section<'_>, folder: &Folder) -> Result<Source, Error> {
    let known: Vec<&str> = ["value"].into_iter().chain(table_keys()).collect();
    s.only(&known, &[])?;
    let part = known.iter().skip(1).find(|k| **k != "file" && s.has(k));
    match (s.name("file")?, s.data("value")?, part) {
        (None, Some(value), None) => Ok(Source::Value(value)),
        (_, Some(_), Some(other)) => Err(s.problem_at("value", error_text!("{other} and value"; "keep one of them"))),
        (Some(_), Some(_), None) => Err(s.problem_at("value", "file and value; keep one of them")),
        (None, None, None) => Err(s.problem("nothing to read; add file = \"data.json\" or value = ...")),
        (Some(_), None, _) if s.has("table_name") && !s.has("database") => {
            let words = "table_name names a table of a database; an input from a file has the name of its [context] table, take this one out";
            Err(s.problem_at("table_name", words))
        }
        (Some(file), None, _) if !s.has("database") => {
            within(s, "file", folder)?;
            let options = InputOptions::of_section(s)?;
            if let Some((key, words)) = options.unfit(Kind::of(Path::new(file))) {
                return Err(s.problem_at(key, words));
            }
            Ok(Source::File(file.to_owned(), options))
        }
        (_, None, _) => Table::parse(s, folder).map(Source::Table),
    }
}
