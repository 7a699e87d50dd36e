//! Inputs that a user names beside a task: `orders=orders.csv`.

use super::inputs::{InputOptions, Kind};
use super::names::writable;
use super::source::Source;
use super::spec::Task;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::shell_word;
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;
use std::path::{Path, PathBuf};

/// An input that a user names, read in programs as `ctx/NAME`. It is the user's own word: the file may be anywhere.
///
/// `NAME=FILE`, or `FILE` alone, whose name up to its last point is then the input's. What the file holds is told by
/// the end of its name, as of `[context]` in a task: JSON, JSON lines, CSV, TSV, text. `FILE#TABLE` is a table of a SQLite
/// database. `-` is standard input as text, `-.csv` (or another such end) as a file of that kind; without a name it is
/// called `stdin`. Options follow the name of a file: `orders=orders.csv,encoding=latin1,header=false`.
#[derive(Clone, Debug)]
pub struct GivenInput {
    name: String,
    source: Source,
}

/// What every file of SQLite begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Most files of a folder that are looked at for an example.
const LOOKED_AT: usize = 1000;
/// What standard input is called where no name stands before it.
const STDIN: &str = "stdin";

/// A name that programs can write, as near to this one as can be: `Sales-Q3` for `Sales (Q3)`.
fn plain_name(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|part| !part.is_empty());
    let plain = parts.collect::<Vec<_>>().join("-");
    let plain = plain.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    if plain.is_empty() { "data".to_owned() } else { plain.to_owned() }
}

impl GivenInput {
    /// Reads `NAME=FILE` or `FILE`. The file is looked for, and not read.
    ///
    /// # Errors
    /// When there is no such file, it is a folder, or the name is none that programs can write; with what to write.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |t| Error::new(ErrorKind::Usage, t).at("--ctx");
        let (text, options) = InputOptions::behind(text).map_err(wrong)?;
        let named = text.split_once('=').filter(|(name, _)| writable(name) || !Path::new(text).exists());
        let (name, file) = match named {
            Some((name, file)) => (name.trim().to_owned(), file.trim()),
            None => {
                let path = text
                    .split_once('#')
                    .map_or(text, |(before, _)| if Path::new(text).exists() { text } else { before });
                let path = Path::new(path.strip_suffix(".gz").unwrap_or(path));
                (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text)
            }
        };
        let shown = escape::line(file).to_string();
        if file.is_empty() {
            return Err(wrong(
                error_text!("{} names no file", escape::quoted(text); "write NAME=FILE, as orders=orders.csv"),
            ));
        }
        let stdin = file == "-" || file.starts_with("-.");
        let name = if stdin && named.is_none() { STDIN.to_owned() } else { name };
        // What is advised can be pasted into a shell.
        let said = options.text();
        let given_as = |name: &str, file: &str| shell_word(&format!("{name}={file}{said}"));
        if !writable(&name) {
            let plain = plain_name(&name);
            let words = error_text!("{} is no name that programs can write", escape::quoted(&name); "write --ctx {}", given_as(&plain, file));
            return Err(wrong(words));
        }
        let path = Path::new(file);
        if let Some((_, words)) =
            options.unfit(Kind::of(path)).filter(|_| stdin || path.is_file() && !is_database(path))
        {
            return Err(wrong(words));
        }
        if stdin {
            return Ok(GivenInput { name, source: Source::Bytes([].into(), file.to_owned(), options) });
        }
        if path.is_dir() {
            let example = example(path).unwrap_or_else(|| path.join("data.csv"));
            let example = given_as(&name, &example.display().to_string());
            let words =
                error_text!("{shown} is a folder, and an input is a file"; "name each file, as --ctx {example}");
            return Err(wrong(words));
        }
        if path.exists() {
            let database = is_database(path);
            if database {
                let example = given_as(&name, file);
                let words = error_text!("{shown} is a SQLite database"; "name a table of it, as --ctx {example}#TABLE");
                return Err(wrong(words));
            }
            return Ok(GivenInput { name, source: Source::Given(path.to_owned(), options) });
        }
        if let Some((database, table)) = file.rsplit_once('#').filter(|(f, t)| Path::new(f).is_file() && !t.is_empty())
        {
            if !is_database(Path::new(database)) {
                let (example, database) = (given_as(&name, database), escape::line(database));
                let words = error_text!("{database} is no SQLite database, and has no tables"; "write --ctx {example}");
                return Err(wrong(words));
            }
            if !said.is_empty() {
                let words = error_text!("options are for files, and {} is a table of a database", escape::line(file); "take them out");
                return Err(wrong(words));
            }
            return Ok(GivenInput { name, source: Source::GivenTable(PathBuf::from(database), table.to_owned()) });
        }
        Err(wrong(match beside(path) {
            Some(near) => {
                error_text!("{shown}: there is no such file"; "did you mean --ctx {}?", match named {
                    Some(_) => given_as(&name, &near),
                    None => shell_word(&format!("{near}{said}")),
                })
            }
            None => {
                error_text!("{shown}: there is no such file"; "check its name; it is looked for where ptc was started")
            }
        }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is standard input, whose bytes [`GivenInput::give`] takes.
    pub fn is_stdin(&self) -> bool {
        matches!(self.source, Source::Bytes(..))
    }

    /// It as [`GivenInput::parse`] takes it in any folder; nothing of standard input, which is not there again.
    pub fn anywhere(&self) -> Option<String> {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        match &self.source {
            Source::Given(path, options) => Some(format!("{}={}{}", self.name, whole(path), options.text())),
            Source::GivenTable(path, table) => Some(format!("{}={}#{table}", self.name, whole(path))),
            _ => None,
        }
    }

    /// The bytes of standard input.
    pub fn give(&mut self, stdin: Vec<u8>) {
        if let Source::Bytes(bytes, ..) = &mut self.source {
            *bytes = stdin.into();
        }
    }
}

impl Task {
    /// Gives it an input, in the place of its own of that name. It is loaded with the others.
    pub fn give_input(&mut self, input: GivenInput) {
        let GivenInput { name, source } = input;
        match self.context.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = source,
            None => self.context.push((name, source)),
        }
    }
}

fn is_database(path: &Path) -> bool {
    use std::io::Read as _;
    // A pipe gives what it holds once, and one that nobody writes to keeps who opens it waiting.
    if !path.is_file() {
        return false;
    }
    let mut begin = [0; SQLITE.len()];
    let read = std::fs::File::open(path).and_then(|mut f| f.read_exact(&mut begin));
    read.is_ok() && begin == SQLITE
}

/// The file in the same folder whose name is nearest.
fn beside(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = std::fs::read_dir(folder).ok()?.take(LOOKED_AT).filter_map(|e| Some(e.ok()?.path()));
    let mut names: Vec<String> =
        files.filter(|p| p.is_file()).filter_map(|p| Some(p.file_name()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    let near = did_you_mean(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}

/// A file of the folder that could be an input: the first by name.
fn example(folder: &Path) -> Option<PathBuf> {
    let data = |p: &PathBuf| {
        p.extension().is_some_and(|e| ["csv", "tsv", "json", "jsonl", "txt", "log"].iter().any(|known| e == *known))
    };
    std::fs::read_dir(folder).ok()?.take(LOOKED_AT).filter_map(|e| Some(e.ok()?.path())).filter(data).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_tables_and_standard_input_are_told_apart() {
        let folder = std::env::temp_dir().join(format!("ptc-given-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        std::fs::create_dir_all(folder.join("empty")).unwrap();
        for (file, bytes) in [
            ("orders.csv", &b"id\n1\n"[..]),
            ("my orders.csv", b"id\n1\n"),
            ("2024.csv", b"id\n1\n"),
            ("a=b.txt", b"x"),
            ("c#d.txt", b"x"),
            ("f,limit=1.csv", b"id\n1\n"),
            ("old.csv.gz", b"\x1f\x8b"),
            ("shop.db", b"SQLite format 3\0rest"),
            ("sub/z.txt", b"x"),
            ("sub/a.csv", b"x"),
        ] {
            std::fs::write(folder.join(file), bytes).unwrap();
        }
        let at = |text: &str| text.replace("@", &format!("{}/", folder.display()));
        for (text, name, source) in [
            ("@orders.csv", "orders", "Given(\"@orders.csv\", \"\")"),
            ("o=@orders.csv", "o", "Given(\"@orders.csv\", \"\")"),
            ("x=@a=b.txt", "x", "Given(\"@a=b.txt\", \"\")"),
            ("x=@c#d.txt", "x", "Given(\"@c#d.txt\", \"\")"),
            ("x=@shop.db#items", "x", "GivenTable(\"@shop.db\", \"items\")"),
            ("@shop.db#items", "shop", "GivenTable(\"@shop.db\", \"items\")"),
            ("x=-", "x", "Bytes([], \"-\", \"\")"),
            ("x=-.csv", "x", "Bytes([], \"-.csv\", \"\")"),
            ("o=@orders.csv,header=false", "o", "Given(\"@orders.csv\", \",header=false\")"),
            ("@orders.csv,null=NA,null=-", "orders", "Given(\"@orders.csv\", \",null=NA,null=-\")"),
            ("x=@f,limit=1.csv", "x", "Given(\"@f,limit=1.csv\", \"\")"),
            ("@old.csv.gz", "old", "Given(\"@old.csv.gz\", \"\")"),
            ("-.csv,delimiter=;", "stdin", "Bytes([], \"-.csv\", \",delimiter=;\")"),
            ("-", "stdin", "Bytes([], \"-\", \"\")"),
            ("-.csv", "stdin", "Bytes([], \"-.csv\", \"\")"),
        ] {
            let given = GivenInput::parse(&at(text)).unwrap();
            assert_eq!((given.name(), format!("{:?}", given.source)), (name, at(source)), "{text}");
            assert_eq!(given.is_stdin(), text.trim_start_matches("x=").starts_with('-'));
        }
        for (text, words) in [
            ("@gone.csv", "@gone.csv: there is no such file; check its name; it is looked for where ptc was started"),
            ("x=", "\"x=\" names no file; write NAME=FILE, as orders=orders.csv"),
            ("@order.csv", "@order.csv: there is no such file; did you mean --ctx @orders.csv?"),
            ("x=@My orders.csv", "@My orders.csv: there is no such file; did you mean --ctx 'x=@my orders.csv'?"),
            (
                "@my orders.csv",
                "\"my orders\" is no name that programs can write; write --ctx 'my-orders=@my orders.csv'",
            ),
            (
                "Sales (Q3)=@orders.csv",
                "\"Sales (Q3)\" is no name that programs can write; write --ctx Sales-Q3=@orders.csv",
            ),
            ("@2024.csv", "\"2024\" is no name that programs can write; write --ctx data=@2024.csv"),
            ("a b=@orders.csv", "\"a b\" is no name that programs can write; write --ctx a-b=@orders.csv"),
            ("@sub", "@sub is a folder, and an input is a file; name each file, as --ctx sub=@sub/a.csv"),
            ("@empty", "@empty is a folder, and an input is a file; name each file, as --ctx empty=@empty/data.csv"),
            (
                "o=@order.csv,header=false",
                "@order.csv: there is no such file; did you mean --ctx o=@orders.csv,header=false?",
            ),
            ("@orders.csv,heder=false", "there is no option \"heder\"; did you mean header?"),
            (
                "x=@a=b.txt,header=false",
                "header is for tables, and the file's name does not end in .csv or .tsv; take it out, or rename the file",
            ),
            (
                "x=@shop.db#items,header=false",
                "options are for files, and @shop.db#items is a table of a database; take them out",
            ),
            ("x=@shop.db", "@shop.db is a SQLite database; name a table of it, as --ctx x=@shop.db#TABLE"),
            ("x=@orders.csv#t", "@orders.csv is no SQLite database, and has no tables; write --ctx x=@orders.csv"),
        ] {
            assert_eq!(GivenInput::parse(&at(text)).unwrap_err().to_string(), at(&format!("--ctx: {words}")), "{text}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// What a pipe holds is still there when it is read as an input.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_looked_for_and_not_read() {
        use std::io::{Read as _, Write as _};
        let pipe = std::env::temp_dir().join(format!("ptc-given-{}.pipe", std::process::id()));
        let _ = std::fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // Linux opens one for both ends without waiting.
        let mut held = std::fs::File::options().read(true).write(true).open(&pipe).unwrap();
        held.write_all(b"SQLite format 3\0rest").unwrap();
        let given = GivenInput::parse(&format!("x={}", pipe.display())).unwrap();
        held.write_all(b"!").unwrap();
        let mut bytes = [0; 21];
        let read = held.read(&mut bytes).unwrap();
        std::fs::remove_file(&pipe).unwrap();
        assert_eq!((given.name(), &bytes[..read]), ("x", &b"SQLite format 3\0rest!"[..]));
    }
}
