//! What is compared: tasks, policies and models, and the file of each run.

use super::run_log::RunLog;
use crate::args::{CompareArgs, MOST_RUNS};
use crate::commands::settings;
use crate::terminal::io::Io;
use ptc_agent::error_text;
use ptc_agent::model::Price;
use ptc_agent::task::Overrides;
use ptc_agent::task::options;
use ptc_agent::{Environment, Error, ErrorKind, KnownAnswer, Task, files, trace_file};
use ptc_history::policy::Strategy;
use ptc_lisp::escape;
use ptc_turns::policy::Layout;
use ptc_turns::{Card, Header, Policy, Trace};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// Most characters of a name that becomes a folder.
const NAME: usize = 60;

/// A task that is compared.
pub struct Compared {
    /// The task as it stands in its file.
    pub task: Task,
    /// Its known answer.
    pub answer: Option<KnownAnswer>,
    folder: String,
}

/// A policy with the model that is asked under it: a row of the table.
pub struct Row {
    /// What it is called.
    pub name: String,
    /// The policy; `None` for the task's own.
    policy: Option<Policy>,
    /// The card of the language; `None` for the task's own.
    card: Option<Card>,
    /// The model of `--model`; `None` for the task's own.
    pub model: Option<String>,
    folder: String,
}

/// One run of a task under a row.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The task, by its place.
    pub task: usize,
    /// The row, by its place.
    pub row: usize,
    /// Its number, from 1.
    pub run: u64,
    /// Its trace.
    pub file: PathBuf,
}

/// A trace that is there already.
pub struct Found {
    /// The trace.
    pub trace: Trace,
    /// Whether its system message is the one that the task would have now.
    pub same_system: bool,
}

/// All of it.
pub struct Plan {
    /// Keys that arguments set in all tasks.
    given: Overrides,
    /// The tasks, in the order given.
    pub tasks: Vec<Compared>,
    /// The rows, in the order given.
    pub rows: Vec<Row>,
    /// The runs; all tasks under all rows come before the next number.
    pub cells: Vec<Cell>,
    /// Runs of each task under each row.
    pub runs: u64,
    /// Prices of `--prices`.
    pub prices: Option<Price>,
}

impl Plan {
    /// What the options ask for. Nothing is written, and no model is asked.
    ///
    /// # Errors
    /// When a task, its answer or a policy is not what it should be, or two of them have one name.
    pub fn new(a: &CompareArgs, io: &mut Io<'_>) -> Result<Self, Error> {
        let given = settings::overrides(&a.settings)?;
        let tasks = tasks(&a.tasks, &given, io)?;
        let rows = rows(&a.policy, &a.model)?;
        let prices = a.prices.as_deref().map(prices).transpose()?;
        if prices.is_some() && a.model.len() > 1 {
            let words = "--prices are those of one model, and several are named; take it out, and write price into [model] of the tasks";
            return Err(Error::new(ErrorKind::Usage, words));
        }
        let together = |r: &&Row| r.policy.as_ref().is_some_and(|p| p.layout == Layout::Coalesced);
        if let (Some(row), Some(t)) = (rows.iter().find(together), tasks.iter().find(|t| t.task.has_acts())) {
            let words = error_text!("--policy {}: layout = \"coalesced\" puts all turns into one message, and each act of the task {} is asked in its own", row.name, t.task.name; "take one of them out");
            return Err(Error::new(ErrorKind::Usage, words));
        }
        let folders = || tasks.iter().flat_map(|t| rows.iter().map(|r| a.out.join(&t.folder).join(&r.folder)));
        let runs = match a.runs {
            Some(n) => n,
            None => folders().map(|f| most_runs(&f)).max().unwrap_or(0).max(1),
        };
        let mut cells = Vec::new();
        for run in 1..=runs {
            for (task, t) in tasks.iter().enumerate() {
                for (row, r) in rows.iter().enumerate() {
                    let file = a.out.join(&t.folder).join(&r.folder).join(format!("{run}.jsonl"));
                    cells.push(Cell { task, row, run, file });
                }
            }
        }
        Ok(Plan { tasks, rows, cells, runs, prices, given })
    }

    /// The task of a run, with the policy and the model of its row.
    pub fn task(&self, cell: &Cell) -> Option<(&Compared, &Row, Task)> {
        let (compared, row) = (self.tasks.get(cell.task)?, self.rows.get(cell.row)?);
        let mut task = compared.task.clone();
        if let Some(policy) = &row.policy {
            task.policy = policy.clone();
        }
        if let Some(card) = row.card {
            task.card = card;
        }
        if let Some(model) = &row.model {
            task.use_model(model.clone());
        }
        Some((compared, row, task))
    }

    /// The traces that are there already.
    ///
    /// # Errors
    /// When one is of another task, of another policy or of other inputs, or is no trace: nothing is run then.
    pub fn traces(&self) -> Result<Vec<Option<Found>>, Error> {
        let mut headers: Vec<((usize, usize), Header)> = Vec::new();
        let mut out = Vec::with_capacity(self.cells.len());
        for cell in &self.cells {
            // A file that was begun and has no header yet, as a crash leaves it, is as good as none.
            let there = std::fs::metadata(&cell.file).is_ok_and(|m| m.len() > 0);
            let (Some((_, row, task)), true) = (self.task(cell), there) else {
                out.push(None);
                continue;
            };
            let trace = trace_file::read(&cell.file)?.trace;
            let place = (cell.task, cell.row);
            let wanted = match headers.iter().find(|h| h.0 == place) {
                Some((_, header)) => header,
                None => {
                    headers.push((place, task.config()?.header()));
                    // It has just been added.
                    &headers.last().ok_or_else(|| Error::new(ErrorKind::Usage, "no header"))?.1
                }
            };
            let at = |p: Error| p.at(&cell.file.display().to_string());
            same(&trace.header, wanted, &task, row).map_err(at)?;
            // Defaults may have changed since; what is given now must be what that run had.
            if self.given.has(&["limits"]) && trace.header.limits != wanted.limits {
                let words = error_text!("that run had other limits than these options say"; "name another --out, or leave them out");
                return Err(at(Error::new(ErrorKind::Usage, words)));
            }
            if let (Some(asked), Some(model)) = (RunLog::read(&cell.file)?.and_then(|k| k.model), &row.model)
                && asked != *model
            {
                let words = error_text!("that run asked {}, and --model is {} now", escape::line(&asked), escape::line(model); "name another --out, or both models with that one first");
                return Err(at(Error::new(ErrorKind::Usage, words)));
            }
            let same_system = trace.header.system == wanted.system;
            let other = |card: &&Card| **card != task.card && !same_system;
            for card in Card::ALL.iter().filter(other) {
                let mut with = task.clone();
                with.card = *card;
                if with.config()?.header().system == trace.header.system {
                    let words = error_text!("that run had the {} card, and under {} it has the {} one now", card.as_str(), escape::quoted(&row.name), task.card.as_str(); "name another --out, or move the file away");
                    return Err(at(Error::new(ErrorKind::Usage, words)));
                }
            }
            out.push(Some(Found { trace, same_system }));
        }
        Ok(out)
    }
}

/// Whether a trace is a run of this task under this row.
fn same(held: &Header, wanted: &Header, task: &Task, row: &Row) -> Result<(), Error> {
    let hint = "name another --out, or move the file away";
    if !task.began(held) {
        let name = held.task.as_deref().map(escape::quoted).unwrap_or_else(|| "without a name".to_owned());
        let words = error_text!("that is the trace of another task ({name}), and here those of {} are kept", escape::quoted(&task.name); "{hint}");
        return Err(Error::new(ErrorKind::Usage, words));
    }
    let other = |(name, input): &&(String, ptc_turns::trace::record::InputWords)| {
        !wanted.inputs.iter().any(|(n, i)| n == name && i.sha256 == input.sha256)
    };
    if let Some((name, _)) = held.inputs.iter().find(other) {
        let words = error_text!("the input {} has changed since that run", escape::line(name); "put the old file back, or {hint}");
        return Err(Error::new(ErrorKind::Usage, words));
    }
    // Of turns that are shown whole the options for summaries say nothing.
    let whole = |p: &Policy| !p.compress_history && p.history.strategy != Strategy::Auto;
    // Inputs with a retention stand in acts.
    let history = |p: &Policy| {
        let retention = p.history.retention && !held.acts.is_empty();
        ptc_history::Policy { retention, ..p.history.clone() }
    };
    let (was, now) = (&held.policy, &wanted.policy);
    if was != now && !(whole(was) && whole(now) && history(was) == history(now)) {
        let words =
            error_text!("that run was made under another policy than {} is now", escape::quoted(&row.name); "{hint}");
        return Err(Error::new(ErrorKind::Usage, words));
    }
    Ok(())
}

/// The highest number of a run in a folder.
fn most_runs(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let number = |name: &str| name.strip_suffix(".jsonl")?.parse::<u64>().ok().filter(|n| name == format!("{n}.jsonl"));
    let numbers = entries.filter_map(Result::ok).filter_map(|e| number(e.file_name().to_str()?));
    // Nobody has made so many; a number of that size is a mistake.
    numbers.filter(|n| *n <= MOST_RUNS).max().unwrap_or(0)
}

fn tasks(paths: &[PathBuf], given: &Overrides, io: &mut Io<'_>) -> Result<Vec<Compared>, Error> {
    let mut out: Vec<Compared> = Vec::new();
    let mut real: Vec<PathBuf> = Vec::new();
    for path in paths {
        let task = Task::load_with(path, given)?;
        let place = std::fs::canonicalize(&task.folder).unwrap_or_else(|_| task.folder.clone());
        if real.contains(&place) {
            return Err(Error::new(
                ErrorKind::Usage,
                error_text!("the task {} is named twice", path.display(); "name it once"),
            ));
        }
        real.push(place);
        let answer = task.answer()?;
        if answer.is_none() {
            io.warn(&format!(
                "the task {} has no known answer: right is not told of it; write answer into [task]",
                task.name
            ));
        }
        let folder = safe(&task.name);
        if let Some(other) = out.iter().find(|o| o.folder.to_lowercase() == folder.to_lowercase()) {
            let words = error_text!("{} and {} would keep their runs in one folder, {folder}", other.task.folder.display(), path.display(); "give one of them another name in [task]");
            return Err(Error::new(ErrorKind::Usage, words));
        }
        out.push(Compared { task, answer, folder });
    }
    Ok(out)
}

/// `NAME=FILE`, `NAME=WORD`, or either without a name: what it is called, and what takes the place of the task's own.
fn policy(text: &str) -> Result<(String, Option<Policy>, Option<Card>), Error> {
    let (name, what) = match text.split_once('=') {
        Some((name, what)) => (name.to_owned(), what),
        None => {
            let file = Path::new(text).file_stem().filter(|_| Path::new(text).extension().is_some());
            (file.map_or_else(|| text.to_owned(), |s| s.to_string_lossy().into_owned()), text)
        }
    };
    let words = "write --policy NAME=FILE.toml, or one of none, default, auto, task";
    if name.trim().is_empty() || what.is_empty() {
        return Err(Error::new(ErrorKind::Usage, format!("--policy {text}: {words}")));
    }
    let policy = match what {
        "none" => Some(Policy::default().uncompressed()),
        "default" => Some(Policy::default()),
        "auto" => Some(Policy { history: ptc_history::Policy::with(Strategy::Auto), ..Policy::default() }),
        "task" => None,
        file if Path::new(file).extension().is_none() && !Path::new(file).exists() => {
            return Err(Error::new(
                ErrorKind::Usage,
                error_text!("--policy {text}: there is no such policy or file"; "{words}"),
            ));
        }
        file => {
            files::check_file(Path::new(file))?;
            let (policy, card) = options::policy_and_card(Path::new(file))?;
            return Ok((name, Some(policy), card));
        }
    };
    Ok((name, policy, None))
}

fn rows(policies: &[String], models: &[String]) -> Result<Vec<Row>, Error> {
    let mut out: Vec<Row> = Vec::new();
    let models: Vec<Option<String>> = match models {
        [] => vec![None],
        all => all.iter().map(|m| crate::commands::run::from_here(m).map(Some)).collect::<Result<_, _>>()?,
    };
    for (at, model) in models.iter().enumerate() {
        for text in policies {
            let (policy_name, policy, card) = policy(text)?;
            // The first model's runs lie where those of one model alone do.
            let (name, folder) = match model.as_deref().filter(|_| models.len() > 1) {
                None => (policy_name.clone(), safe(&policy_name)),
                Some(m) if at == 0 => (format!("{policy_name} @ {m}"), safe(&policy_name)),
                Some(m) => (format!("{policy_name} @ {m}"), safe(&format!("{policy_name}@{m}"))),
            };
            if out.iter().any(|r| r.name == name || r.folder.to_lowercase() == folder.to_lowercase()) {
                let words = error_text!("two rows would be called {}", escape::quoted(&name); "give each policy a name of its own, --policy NAME={text}, and name each model once");
                return Err(Error::new(ErrorKind::Usage, words));
            }
            out.push(Row { name, policy, card, model: model.clone(), folder });
        }
    }
    Ok(out)
}

/// A name as one that every file system takes as a folder: letters, digits, `-`, `_` and `.` stay. Where anything had to
/// be changed, a digest of the whole name follows, so that two names do not become one.
pub fn safe(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let kept: String = name.chars().take(NAME).map(|c| if plain(c) { c } else { '_' }).collect();
    let odd = kept.starts_with(['.', '-']) || kept.ends_with('.');
    if kept == name && !kept.is_empty() && !odd {
        return kept;
    }
    let digest: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let hex: String = digest.iter().take(4).map(|b| format!("{b:02x}")).collect();
    match kept.trim_matches(['.', '-']) {
        "" => format!("_-{hex}"),
        kept => format!("{kept}-{hex}"),
    }
}

/// `--prices INPUT,CACHED,OUTPUT`
fn prices(text: &str) -> Result<Price, Error> {
    let numbers: Vec<f64> = text.split(',').filter_map(|n| n.trim().parse().ok()).collect();
    match (numbers.as_slice(), text.split(',').count()) {
        ([input, cached, output], 3) if numbers.iter().all(|n| n.is_finite() && *n >= 0.0) => {
            Ok(Price { input: *input, output: *output, cached: Some(*cached), cache_write: None })
        }
        _ => Err(Error::new(
            ErrorKind::Usage,
            format!(
                "--prices {text}: write three numbers from 0, INPUT,CACHED,OUTPUT, prices of a million tokens, as in 1.25,0.125,10"
            ),
        )),
    }
}

/// Whether the models of the runs that are still to be made can be opened: a wrong name or a missing key is reported before
/// anything is run. Runs of tasks that name none are left out, and told in the report.
///
/// # Errors
/// When one cannot.
pub fn check_models(plan: &Plan, found: &[Option<Found>], environment: &Environment) -> Result<(), Error> {
    let mut opened: Vec<(usize, usize)> = Vec::new();
    for (cell, found) in plan.cells.iter().zip(found) {
        let trace = found.as_ref().map(|f| &f.trace);
        let place = (cell.task, cell.row);
        let Some((_, _, task)) = plan.task(cell).filter(|_| !opened.contains(&place)) else { continue };
        if trace.is_some_and(Trace::ended) || task.lacks_model() {
            continue;
        }
        opened.push(place);
        let begun = trace.cloned().unwrap_or_else(|| Trace::new(Header::new("", task.prompt.as_str(), task.max_turns)));
        task.model(&begun, environment)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_folders_and_stay_apart() {
        assert_eq!(safe("well-reviewed_2.b"), "well-reviewed_2.b");
        for name in ["a/b", "../x", "..", ".", "", "-rf", "a b", "é", "a\0", &"x".repeat(61), "con.", "/etc/passwd"] {
            let folder = safe(name);
            assert!(!folder.contains(['/', '\\', '\0']) && !folder.starts_with(['.', '-']), "{folder}");
            assert!(folder.len() <= NAME + 10 && Path::new(&folder).components().count() == 1, "{folder}");
        }
        assert_ne!(safe("a/b"), safe("a b"));
    }

    #[test]
    fn policies_and_prices_are_read() {
        assert_eq!(policy("none").unwrap(), ("none".to_owned(), Some(Policy::default().uncompressed()), None));
        assert_eq!(policy("mine=task").unwrap(), ("mine".to_owned(), None, None));
        for (text, words) in [
            (
                "nune",
                "--policy nune: there is no such policy or file; write --policy NAME=FILE.toml, or one of none, default, auto, task",
            ),
            ("=none", "--policy =none: write --policy NAME=FILE.toml"),
            ("a=", "--policy a=: write --policy NAME=FILE.toml"),
            ("a=gone.toml", "gone.toml: there is no such file; check the name"),
        ] {
            assert!(
                policy(text).unwrap_err().to_string().starts_with(words),
                "{}",
                policy(text).unwrap_err().to_string()
            );
        }
        let p = prices("1.25, 0.125,10").unwrap();
        assert_eq!((p.input, p.cached, p.output), (1.25, Some(0.125), 10.0));
        for text in ["1,2", "1,2,3,4", "1,x,3", "-1,0,1", "inf,0,1", ""] {
            assert!(prices(text).unwrap_err().to_string().contains("write three numbers"), "{text}");
        }
        let twice = rows(&["none".to_owned(), "none".to_owned()], &[]).err().unwrap().to_string();
        assert!(twice.starts_with("two rows would be called \"none\"; give each policy a name of its own"), "{twice}");
        let models = ["openai/a".to_owned(), "openai/b".to_owned()];
        let all = rows(&["none".to_owned(), "auto".to_owned()], &models).unwrap();
        let names: Vec<&str> = all.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(names, ["none @ openai/a", "auto @ openai/a", "none @ openai/b", "auto @ openai/b"]);
        assert_eq!(all[0].folder, "none");
    }
}
