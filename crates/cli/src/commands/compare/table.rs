//! The comparison as text: a table of policies, and with `-v` one of each task.

use super::measure::{CachedSource, Run, Source, State};
use super::stats::{Figure, PolicyRow, Report, Spread};
use crate::report::number;
use ptc_lisp::escape;
use std::fmt::Write as _;

/// Characters of a policy's name that are shown.
const NAME: usize = 40;

/// All of it.
pub fn text(report: &Report, verbose: bool) -> String {
    let mut out = format!("{}\n\n", title(report));
    out.push_str(&lines(&policies(report)));
    out.push('\n');
    for words in remarks(report) {
        let _ = writeln!(out, "{}", escape::line(&words));
    }
    if verbose {
        for (at, task) in report.tasks.iter().enumerate() {
            let _ = write!(out, "\n{}\n{}", escape::line(task), lines(&of_task(report, at)));
            for words in wrong(report, at) {
                let _ = writeln!(out, "  {}", escape::line(&words));
            }
        }
    }
    out
}

/// `14 tasks, 2 runs of each under each policy`
pub fn title(report: &Report) -> String {
    let tasks = match report.tasks.len() {
        1 => "1 task".to_owned(),
        n => format!("{n} tasks"),
    };
    let runs = if report.runs == 1 { "1 run".to_owned() } else { format!("{} runs", report.runs) };
    format!("{tasks}, {runs} of each under each policy")
}

/// The heads of the figures, in the order of [`figures`].
pub const HEADS: [&str; 8] =
    ["turns", "prompt tokens", "last prompt", "cached", "output tokens", "errors", "cost", "seconds"];

/// The figures of a policy, in order, each with the digits behind its point.
pub fn figures(row: &PolicyRow) -> [(Option<Figure>, usize); 8] {
    let f = &row.figures;
    let cost = f.cost.map_or(2, |c| if c.total < 1.0 { 4 } else { 2 });
    [
        (f.turns, 0),
        (f.prompt_tokens, 0),
        (f.last_prompt_tokens, 0),
        (f.cached_tokens, 0),
        (f.output_tokens, 0),
        (f.errors, 0),
        (f.cost, cost),
        (f.seconds, 1),
    ]
}

fn policies(report: &Report) -> Vec<Vec<String>> {
    let mut rows = vec![["policy", "right"].into_iter().chain(HEADS).map(str::to_owned).collect::<Vec<_>>()];
    for p in &report.policies {
        let mut row = vec![short(&p.name), right(p.right, p.judged)];
        row.extend(figures(p).into_iter().map(|(f, digits)| f.map_or_else(|| "-".to_owned(), |f| figure(&f, digits))));
        rows.push(row);
    }
    without_empty(rows)
}

/// `27 of 28`
pub fn right(right: u64, judged: u64) -> String {
    if judged == 0 { "-".to_owned() } else { format!("{right} of {judged}") }
}

/// `812,340 ±9,120 (0.47)`
fn figure(f: &Figure, digits: usize) -> String {
    let mut out = amount(f.total, digits);
    if let Some(e) = f.error {
        let _ = write!(out, " ±{}", plus_minus(e, digits));
    }
    if let Some(r) = f.ratio {
        let _ = write!(out, " ({r:.2})");
    }
    out
}

/// A standard error: small ones with a digit behind the point.
pub fn plus_minus(e: f64, digits: usize) -> String {
    if e == 0.0 { "0".to_owned() } else { amount(e, digits.max(usize::from(e < 10.0))) }
}

/// A number with its thousands apart.
pub fn amount(n: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", n.max(0.0));
    match text.split_once('.') {
        Some((whole, rest)) => format!("{}.{rest}", number(whole.parse().unwrap_or(u64::MAX))),
        None => number(text.parse().unwrap_or(u64::MAX)),
    }
}

/// Several runs: their mean, and the smallest and the largest where they differ.
pub fn range(s: &Spread, digits: usize) -> String {
    let mean = amount(s.mean, if s.runs > 1 && digits == 0 && s.mean < 100.0 { 1 } else { digits });
    match s.runs > 1 && s.min < s.max {
        true => format!("{mean} ({}-{})", amount(s.min, digits), amount(s.max, digits)),
        false => amount(s.mean, digits),
    }
}

/// What is shown of a task, and how many digits behind the point.
type Shown = (&'static str, fn(&Run) -> Option<f64>, usize);

/// What is shown of each task.
pub const OF_TASK: [Shown; 6] = [
    ("turns", |r| Some(r.turns as f64), 0),
    ("prompt tokens", |r| r.tokens.map(|t| t.prompt as f64), 0),
    ("last prompt", |r| r.tokens.map(|t| t.last_prompt as f64), 0),
    ("cached", |r| r.tokens.map(|t| t.cached as f64), 0),
    ("output tokens", |r| r.tokens.map(|t| t.output as f64), 0),
    ("errors", |r| Some(r.errors as f64), 0),
];

fn of_task(report: &Report, at: usize) -> Vec<Vec<String>> {
    let heads = ["policy", "right"].into_iter().chain(OF_TASK.iter().map(|o| o.0));
    let mut rows = vec![heads.map(str::to_owned).collect::<Vec<_>>()];
    for p in &report.policies {
        let Some(task) = p.tasks.get(at) else { continue };
        let (is, of) = task.right();
        let mut row = vec![format!("  {}", short(&p.name)), right(is, of)];
        for (_, measure, digits) in OF_TASK {
            row.push(task.spread(measure).map_or_else(|| "-".to_owned(), |s| range(&s, digits)));
        }
        rows.push(row);
    }
    rows
}

/// Why answers of a task are wrong.
fn wrong(report: &Report, at: usize) -> Vec<String> {
    let mut out = Vec::new();
    for p in &report.policies {
        let runs = p.tasks.get(at).map(|t| t.runs.as_slice()).unwrap_or_default();
        for run in runs.iter().filter(|r| r.right == Some(false)) {
            out.push(format!("{}, run {}: wrong: {}", short(&p.name), run.run, run.why.as_deref().unwrap_or("")));
        }
    }
    out
}

/// What has to be known of the table: where its tokens come from, and what is not in it.
pub fn remarks(report: &Report) -> Vec<String> {
    let mut out = Vec::new();
    let sources: Vec<Source> = report.policies.iter().filter_map(|p| p.source).collect();
    let mut models: Vec<&str> = report.policies.iter().flat_map(|p| &p.counted_as).map(String::as_str).collect();
    models.sort_unstable();
    models.dedup();
    if let Some(first) = sources.first() {
        let counted = format!("counted as {}", models.join(", "));
        out.push(match (first, sources.iter().all(|s| s == first)) {
            (Source::Reported, true) => "tokens: reported by the provider".to_owned(),
            (Source::Counted, true) => format!("tokens: {counted}; none were reported"),
            _ => format!(
                "tokens: reported by the provider of some runs and {counted} of others; rows of both kinds are not comparable"
            ),
        });
    }
    let cached: Vec<CachedSource> = report.policies.iter().filter_map(|p| p.cached_source).collect();
    if let Some(first) = cached.first() {
        let prefix = "what a request has in common with the one before, from its beginning";
        out.push(match (first, cached.iter().all(|s| s == first)) {
            (CachedSource::Reported, true) => "cached: reported by the provider".to_owned(),
            (CachedSource::Prefix, true) => format!("cached: by prefix, {prefix}"),
            _ => format!("cached: reported by the provider of some runs, and by prefix of others, {prefix}"),
        });
    }
    if report.policies.iter().all(|p| p.figures.cost.is_none()) {
        out.push(
            "cost: no prices are known; add --prices INPUT,CACHED,OUTPUT, or price to [model] of the tasks".to_owned(),
        );
    }
    let runs = || report.policies.iter().flat_map(|p| &p.tasks).flat_map(|t| &t.runs);
    let replayed = runs().filter(|run| run.replayed && run.cost.is_some()).count();
    if replayed > 0 {
        let which = if replayed == runs().count() { "all runs" } else { "some runs" };
        out.push(format!(
            "cost: {which} had recorded replies, which nobody was paid for; it is what they would have cost"
        ));
    }
    if report.inside {
        out.push("tasks inside (sub-agents): their tokens, time and cost are not in the table; ptc trace --report tells them".to_owned());
    }
    let tasks = report.tasks.len() as u64;
    for p in &report.policies {
        let names = HEADS.iter().zip(figures(p));
        let fewer = names.filter_map(|(head, (f, _))| Some((head, f?.tasks))).filter(|f| f.1 < tasks);
        let mut by_count: Vec<(u64, Vec<&str>)> = Vec::new();
        for (head, n) in fewer {
            match by_count.iter_mut().find(|b| b.0 == n) {
                Some(b) => b.1.push(head),
                None => by_count.push((n, vec![head])),
            }
        }
        for (n, heads) in by_count {
            out.push(format!(
                "{}: {} over {n} of {tasks} tasks; parts are of the tasks that both have",
                short(&p.name),
                heads.join(", ")
            ));
        }
    }
    for p in &report.policies {
        let other = p.tasks.iter().flat_map(|t| &t.runs).filter(|r| !r.same_system).count();
        if other > 0 {
            let runs = if other == 1 { "1 run was".to_owned() } else { format!("{other} runs were") };
            let name = short(&p.name);
            out.push(format!(
                "{name}: {runs} made with another system message than the task has now, by an older version or an older task; compare runs of one version"
            ));
        }
    }
    for p in &report.policies {
        // What did not end for one reason is reported in one line.
        let mut missing: Vec<(State, u64, &str, Vec<String>)> = Vec::new();
        for (task, run) in p.tasks.iter().flat_map(|t| t.runs.iter().map(move |r| (t, r))) {
            let why = run.why.as_deref().unwrap_or("");
            let name = match report.runs {
                1 => short(&task.task),
                _ => format!("{} ({})", short(&task.task), run.run),
            };
            if run.status.ended() {
                if run.tokens.is_none() {
                    out.push(format!("{}: no tokens of {name}: {why}", short(&p.name)));
                }
                continue;
            }
            match missing.iter_mut().find(|m| (m.0, m.1, m.2) == (run.status, run.turns, why)) {
                Some(m) => m.3.push(name),
                None => missing.push((run.status, run.turns, why, vec![name])),
            }
        }
        for (status, turns, why, names) in missing {
            let after = match (status, turns) {
                (State::NotBegun, _) => String::new(),
                (_, 1) => " after 1 turn".to_owned(),
                (_, n) => format!(" after {n} turns"),
            };
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            out.push(format!("{}: {}{after}: {}{why}", short(&p.name), status.words(), names.join(", ")));
        }
    }
    out
}

/// A name, cut where it is long.
pub fn short(name: &str) -> String {
    let line = escape::line(name);
    match line.char_indices().nth(NAME) {
        Some((at, _)) => format!("{}...", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// Leaves out columns in which nothing is known.
fn without_empty(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let width = rows.first().map_or(0, Vec::len);
    let known: Vec<bool> =
        (0..width).map(|i| i < 2 || rows.iter().skip(1).any(|r| r.get(i).is_some_and(|c| c != "-"))).collect();
    let keep = |row: Vec<String>| row.into_iter().zip(&known).filter(|(_, k)| **k).map(|(c, _)| c).collect();
    rows.into_iter().map(keep).collect()
}

/// Columns, the first flush left, the others right.
fn lines(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = if i == 0 { write!(line, "{cell:width$}") } else { write!(line, "  {cell:>width$}") };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_columns_as_people_read_them() {
        assert_eq!(amount(1234567.4, 0), "1,234,567");
        assert_eq!((amount(0.05, 4), amount(1234.5, 2)), ("0.0500".to_owned(), "1,234.50".to_owned()));
        assert_eq!(amount(f64::NAN, 0), "0");
        let s = Spread { runs: 2, mean: 5.5, min: 4.0, max: 7.0, deviation: Some(2.1) };
        assert_eq!(range(&s, 0), "5.5 (4-7)");
        assert_eq!(range(&Spread { runs: 1, ..s }, 0), "6");
        let f = Figure { total: 812_340.0, error: Some(9.12), tasks: 2, run: s, ratio: Some(0.468), ratio_error: None };
        assert_eq!(figure(&f, 0), "812,340 ±9.1 (0.47)");
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        assert_eq!(lines(&[row(["policy", "a", "bb"]), row(["x", "100", "1"])]), "policy    a  bb\nx       100   1\n");
        assert_eq!(
            without_empty(vec![row(["policy", "right", "cost"]), row(["x", "-", "-"])]),
            [["policy", "right"], ["x", "-"]]
        );
    }
}
