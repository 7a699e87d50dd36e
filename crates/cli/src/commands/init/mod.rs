//! `ptc init`: a task to start from.

use crate::args::InitArgs;
use crate::embedded;
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io, word};
use ptc_agent::error_text;
use ptc_agent::{Error, ErrorKind};
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;
use std::path::Path;

/// The files of the task that `ptc init DIR` writes.
const TEMPLATE: [(&str, &str); 3] = [
    ("task.toml", include_str!("template/task.toml")),
    ("orders.csv", include_str!("template/orders.csv")),
    ("replies.md", include_str!("template/replies.md")),
];

/// Runs the command.
pub fn init(a: &InitArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let examples = embedded::examples();
    let Some(dir) = a.dir.as_ref().filter(|_| !a.list) else {
        for (name, about) in names(&examples) {
            writeln!(io.out, "{name:10} {about}")?;
        }
        return Ok(DONE);
    };
    let files: Vec<(&str, &[u8])> = match &a.example {
        None => TEMPLATE.iter().map(|(name, text)| (*name, text.as_bytes())).collect(),
        Some(example) => {
            let prefix = format!("{example}/");
            let own = examples.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(&prefix)?, bytes.as_slice())));
            own.collect()
        }
    };
    if let (true, Some(example)) = (files.is_empty(), &a.example) {
        let names = names(&examples);
        let hint = match did_you_mean(example, names.iter().map(|n| n.0.as_str())) {
            Some(near) => format!("did you mean {near}?"),
            None => "ptc init --list shows all".to_owned(),
        };
        let words = error_text!("there is no example {}", escape::quoted(example); "{hint}");
        return Err(Error::new(ErrorKind::Usage, words).into());
    }
    empty(dir)?;
    std::fs::create_dir_all(dir).map_err(|e| Error::io(dir, "make", &e))?;
    for (name, bytes) in files {
        let path = dir.join(name);
        write(&path, bytes).map_err(|e| Error::io(&path, "write", &e))?;
        io.info(&format!("wrote {}", word(&path)));
    }
    io.info(&format!("now: ptc run {}", word(dir)));
    io.info("more: ptc doc tasks");
    Ok(DONE)
}

/// The examples with what each is about.
fn names(examples: &[(String, Vec<u8>)]) -> Vec<(String, String)> {
    let of = |(path, bytes): &(String, Vec<u8>)| {
        let name = path.strip_suffix("/task.toml")?;
        let text = String::from_utf8_lossy(bytes).into_owned();
        let about = text.lines().find_map(|l| l.strip_prefix("# ")).unwrap_or_default().to_owned();
        Some((name.to_owned(), about))
    };
    examples.iter().filter_map(of).collect()
}

/// Whether nothing is there that could be lost.
fn empty(dir: &Path) -> Result<(), Error> {
    let wrong = |t| Err(Error::new(ErrorKind::Usage, t).at(&dir.display().to_string()));
    match std::fs::read_dir(dir) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => wrong(error_text!("the folder is not empty"; "name a new one")),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound && !dir.is_symlink() => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => {
            wrong(error_text!("there is a file of that name"; "name a new folder"))
        }
        Err(e) => Err(Error::io(dir, "read", &e)),
    }
}

/// A new file: nothing is written over, also where somebody made it just now.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    std::fs::File::create_new(path)?.write_all(bytes)
}
