//! `ptc check`: all that is wrong with a task.

use crate::args::CheckArgs;
use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, GREEN, Io, RED};
use ptc_agent::{Error, ErrorKind, Task, TaskCheck};
use ptc_lisp::escape;
use serde::Serialize;

#[derive(Serialize)]
struct Line<'a> {
    ok: bool,
    task: Option<&'a str>,
    problems: Vec<Told>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Told>,
}

/// A problem, apart from its place.
#[derive(Serialize)]
struct Told {
    file: Option<String>,
    line: Option<u64>,
    message: String,
}

/// Runs the command.
pub fn check(a: &CheckArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    if !a.task.exists() {
        let words = "there is no such task; name a folder with a task.toml, or write one with ptc init";
        return Err(Error::new(ErrorKind::Usage, words).at(&a.task.display().to_string()).into());
    }
    crate::configuration::take(io)?;
    let TaskCheck { task, problems, warnings, .. } = Task::check(&a.task, &io.context.environment);
    let problems = in_order(problems);
    if a.json {
        let name = task.as_deref().and_then(|t| t.split_once(": ")).map(|t| t.0);
        let (ok, warnings) = (problems.is_empty(), warnings.iter().map(told).collect());
        let line = Line { ok, task: name, problems: problems.iter().map(told).collect(), warnings };
        serde_json::to_writer(&mut *io.out, &line).map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    } else {
        for p in &problems {
            writeln!(io.out, "{}", escape::line(&p.text()))?;
        }
        warnings.iter().for_each(|w| io.warn(&w.text()));
        match (problems.len(), task) {
            (0, Some(task)) => writeln!(io.out, "ok: {task}")?,
            (0, None) => {}
            (1, _) => io.info(&format!("{RED}1 problem{RED:#}")),
            (n, _) => io.info(&format!("{RED}{n} problems{RED:#}")),
        }
        if problems.is_empty() {
            io.info(&format!("{GREEN}nothing is wrong{GREEN:#} that can be seen before it runs"));
        }
    }
    Ok(if problems.is_empty() { DONE } else { FAILED })
}

/// Problems of one file behind each other, from its top to its end.
fn in_order(problems: Vec<Error>) -> Vec<Error> {
    let mut files: Vec<Option<String>> = Vec::new();
    let mut placed: Vec<((usize, Option<u64>), Error)> = Vec::new();
    for p in problems {
        let Told { file, line, .. } = told(&p);
        let at = files.iter().position(|f| *f == file).unwrap_or_else(|| {
            let at = files.len();
            files.push(file);
            at
        });
        placed.push(((at, line), p));
    }
    placed.sort_by_key(|p| p.0);
    placed.into_iter().map(|p| p.1).collect()
}

/// A problem of `task.toml:7` as file, line and words; and one of `data.json` as file and words.
fn told(p: &Error) -> Told {
    let whole = || Told { file: None, line: None, message: p.text() };
    let Some((place, inner)) = p.places().split_first() else { return whole() };
    let behind = || {
        let hint = p.hint().map(|h| format!("; {h}")).unwrap_or_default();
        inner.iter().map(|place| format!("{place}: ")).collect::<String>() + p.message() + &hint
    };
    // A file may itself end in a colon and digits.
    if std::path::Path::new(place).exists() {
        return Told { file: Some(place.clone()), line: None, message: behind() };
    }
    match place.rsplit_once(':').map(|(file, line)| (file, line.parse())) {
        Some((file, Ok(line))) => Told { file: Some(file.to_owned()), line: Some(line), message: behind() },
        _ => whole(),
    }
}
