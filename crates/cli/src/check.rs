//! `ptc check`: all that is wrong with a task.

use crate::args::CheckArgs;
use crate::exit_code::{DONE, FAILED};
use crate::io::{GREEN, Io, RED, Stop};
use ptc_agent::{Checked, Problem, Task};
use ptc_lisp::escape;
use serde::Serialize;

#[derive(Serialize)]
struct Line<'a> {
    ok: bool,
    task: Option<&'a str>,
    problems: Vec<Told<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Told<'a>>,
}

/// A problem, apart from its place.
#[derive(Serialize)]
struct Told<'a> {
    file: Option<&'a str>,
    line: Option<u64>,
    message: &'a str,
}

/// Runs the command.
pub fn check(a: &CheckArgs, io: &mut Io<'_>) -> Result<i32, Stop> {
    if !a.task.exists() {
        let words = format!("{}: there is no such task; name a folder with a task.toml", a.task.display());
        return Err(Problem::new(words).into());
    }
    let Checked { task, problems, warnings } = Task::check(&a.task, &io.around.environment);
    let problems = in_order(problems);
    if a.json {
        let name = task.as_deref().and_then(|t| t.split_once(": ")).map(|t| t.0);
        let (ok, warnings) = (problems.is_empty(), warnings.iter().map(told).collect());
        let line = Line { ok, task: name, problems: problems.iter().map(told).collect(), warnings };
        serde_json::to_writer(&mut *io.out, &line).map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    } else {
        for p in &problems {
            writeln!(io.out, "{}", escape::line(&p.0))?;
        }
        warnings.iter().for_each(|w| io.warn(&w.0));
        match (problems.len(), task) {
            (0, Some(task)) => writeln!(io.out, "ok: {task}")?,
            (0, None) => {}
            (1, _) => io.say(&format!("{RED}1 problem{RED:#}")),
            (n, _) => io.say(&format!("{RED}{n} problems{RED:#}")),
        }
        if problems.is_empty() {
            io.say(&format!("{GREEN}nothing is wrong{GREEN:#} that can be seen before it runs"));
        }
    }
    Ok(if problems.is_empty() { DONE } else { FAILED })
}

/// Problems of one file behind each other, from its top to its end.
fn in_order(problems: Vec<Problem>) -> Vec<Problem> {
    let mut files: Vec<Option<String>> = Vec::new();
    let mut placed: Vec<((usize, Option<u64>), Problem)> = Vec::new();
    for p in problems {
        let Told { file, line, .. } = told(&p);
        let file = file.map(str::to_owned);
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

/// `task.toml:7: words` as file, line and words; and `data.json: words` as file and words.
fn told(p: &Problem) -> Told<'_> {
    let Some((place, message)) = p.0.split_once(": ") else { return Told { file: None, line: None, message: &p.0 } };
    if let Some((file, line)) = place.rsplit_once(':')
        && let Ok(line) = line.parse()
    {
        return Told { file: Some(file), line: Some(line), message };
    }
    match std::path::Path::new(place).exists() {
        true => Told { file: Some(place), line: None, message },
        false => Told { file: None, line: None, message: &p.0 },
    }
}
