//! Runs as figures: for each policy the sums over tasks, how sure they are, and what part they are of the first policy's.
//! What the numbers mean stands in docs/compare.md.

use super::measure::{CachedSource, Run, Source, Tokens};
use super::plan::Plan;
use serde::Serialize;

/// All that `ptc compare` tells: its `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Names of the tasks, in order.
    pub tasks: Vec<String>,
    /// Runs of each task under each policy.
    pub runs: u64,
    /// A row for each policy, or for each policy and model.
    pub policies: Vec<PolicyRow>,
    /// Whether a task runs others, whose figures are not among these.
    #[serde(skip)]
    pub inside: bool,
}

/// A policy, with its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyRow {
    /// Its name; with several models that of the model behind it.
    pub name: String,
    /// The model of `--model`; `null` for those of the tasks.
    pub model: Option<String>,
    /// Runs with the right answer.
    pub right: u64,
    /// Runs that have ended and whose answer is known.
    pub judged: u64,
    /// Runs that have ended.
    pub ended: u64,
    /// Runs that have not, and are not in the figures.
    pub not_ended: u64,
    /// Where tokens come from; `null` where no run has any.
    pub source: Option<Source>,
    /// Where cached tokens come from.
    pub cached_source: Option<CachedSource>,
    /// Whose vocabularies counted.
    pub counted_as: Vec<String>,
    /// The figures, by name; those that no run has are left out.
    pub figures: Figures,
    /// Its tasks, in order.
    pub tasks: Vec<TaskRow>,
}

/// What is told of a policy.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Turns.
    pub turns: Option<Figure>,
    /// Tokens of all requests.
    pub prompt_tokens: Option<Figure>,
    /// Tokens of the last request.
    pub last_prompt_tokens: Option<Figure>,
    /// Tokens of requests that a cache had.
    pub cached_tokens: Option<Figure>,
    /// Tokens of replies.
    pub output_tokens: Option<Figure>,
    /// Turns that ended in an error.
    pub errors: Option<Figure>,
    /// Cost, in the currency of the prices.
    pub cost: Option<Figure>,
    /// Time, in seconds.
    pub seconds: Option<Figure>,
}

/// A number for a policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The sum over tasks of the mean over a task's runs.
    pub total: f64,
    /// The standard error of that sum; `null` where a task has one run only.
    pub error: Option<f64>,
    /// Over how many tasks.
    pub tasks: u64,
    /// The mean over runs, and the smallest and the largest run.
    pub run: Spread,
    /// The part of the first policy's, over the tasks that both have; `null` of the first, and of none.
    pub ratio: Option<f64>,
    /// The standard error of the ratio.
    pub ratio_error: Option<f64>,
}

/// Several runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many.
    pub runs: u64,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Their standard deviation; `null` of one.
    pub deviation: Option<f64>,
}

/// A task under a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskRow {
    /// Its name.
    pub task: String,
    /// Its runs.
    pub runs: Vec<Run>,
}

/// A measure of a run, where it has one.
type Measure = fn(&Run) -> Option<f64>;

fn of_tokens(run: &Run, f: fn(&Tokens) -> u64) -> Option<f64> {
    run.tokens.as_ref().map(|t| f(t) as f64)
}

impl Figures {
    /// Each measure, in order, with what takes it from a run and where its figure stands.
    fn each(&mut self) -> [(Measure, &mut Option<Figure>); 8] {
        [
            (|r| Some(r.turns as f64), &mut self.turns),
            (|r| of_tokens(r, |t| t.prompt), &mut self.prompt_tokens),
            (|r| of_tokens(r, |t| t.last_prompt), &mut self.last_prompt_tokens),
            (|r| of_tokens(r, |t| t.cached), &mut self.cached_tokens),
            (|r| of_tokens(r, |t| t.output), &mut self.output_tokens),
            (|r| Some(r.errors as f64), &mut self.errors),
            (|r| r.cost, &mut self.cost),
            (|r| r.seconds, &mut self.seconds),
        ]
    }
}

impl TaskRow {
    /// A measure of its runs that have ended.
    pub fn spread(&self, measure: impl Fn(&Run) -> Option<f64>) -> Option<Spread> {
        spread(&self.runs.iter().filter(|r| r.status.ended()).filter_map(measure).collect::<Vec<f64>>())
    }

    /// How many of its runs are right, and of how many that is known.
    pub fn right(&self) -> (u64, u64) {
        let judged = self.runs.iter().filter_map(|r| r.right);
        judged.fold((0, 0), |(right, all), r| (right.saturating_add(u64::from(r)), all.saturating_add(1)))
    }
}

fn spread(values: &[f64]) -> Option<Spread> {
    let first = *values.first()?;
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    Some(Spread {
        runs: values.len() as u64,
        mean,
        min: values.iter().copied().fold(first, f64::min),
        max: values.iter().copied().fold(first, f64::max),
        deviation: (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
    })
}

/// The sum over tasks and the square of its standard error.
fn sum(tasks: &[Spread]) -> (f64, Option<f64>) {
    let total = tasks.iter().map(|s| s.mean).sum();
    let square = |s: &Spread| s.deviation.map(|d| d * d / s.runs as f64);
    (total, tasks.iter().map(square).sum::<Option<f64>>())
}

impl Report {
    /// The figures of these runs, which stand beside the cells of the plan.
    pub fn new(plan: &Plan, runs: Vec<Run>) -> Self {
        let mut policies: Vec<PolicyRow> = plan
            .rows
            .iter()
            .map(|row| PolicyRow {
                name: row.name.clone(),
                model: row.model.clone(),
                right: 0,
                judged: 0,
                ended: 0,
                not_ended: 0,
                source: None,
                cached_source: None,
                counted_as: Vec::new(),
                figures: Figures::default(),
                tasks: plan.tasks.iter().map(|t| TaskRow { task: t.task.name.clone(), runs: Vec::new() }).collect(),
            })
            .collect();
        for (cell, run) in plan.cells.iter().zip(runs) {
            let row = policies.get_mut(cell.row);
            if let Some(task) = row.and_then(|r| r.tasks.get_mut(cell.task)) {
                task.runs.push(run);
            }
        }
        let first = policies.first().map(|p| p.tasks.clone()).unwrap_or_default();
        for (at, row) in policies.iter_mut().enumerate() {
            row.gather();
            for (measure, figure) in row.figures.each() {
                *figure = figure_of(&row.tasks, (at > 0).then_some(first.as_slice()), measure);
            }
        }
        let tasks = plan.tasks.iter().map(|t| t.task.name.clone()).collect();
        let inside = plan.tasks.iter().any(|t| t.task.has_subtasks());
        Report { tasks, runs: plan.runs, policies, inside }
    }

    /// Whether all runs have ended.
    pub fn whole(&self) -> bool {
        self.policies.iter().all(|p| p.not_ended == 0)
    }
}

impl PolicyRow {
    fn gather(&mut self) {
        for run in self.tasks.iter().flat_map(|t| &t.runs) {
            if !run.status.ended() {
                self.not_ended = self.not_ended.saturating_add(1);
                continue;
            }
            self.ended = self.ended.saturating_add(1);
            self.judged = self.judged.saturating_add(u64::from(run.right.is_some()));
            self.right = self.right.saturating_add(u64::from(run.right == Some(true)));
            if run.tokens.is_none() {
                continue;
            }
            self.source = Some(match self.source {
                None => run.source,
                Some(s) if s == run.source => s,
                Some(_) => Source::Mixed,
            });
            self.cached_source = Some(match self.cached_source {
                None => run.cached_source,
                Some(s) if s == run.cached_source => s,
                Some(_) => CachedSource::Mixed,
            });
            if let Some(model) = run.counted_as.as_ref().filter(|m| !self.counted_as.contains(m)) {
                self.counted_as.push(model.clone());
            }
        }
    }
}

fn figure_of(tasks: &[TaskRow], first: Option<&[TaskRow]>, measure: Measure) -> Option<Figure> {
    let spreads: Vec<Option<Spread>> = tasks.iter().map(|t| t.spread(measure)).collect();
    let known: Vec<Spread> = spreads.iter().copied().flatten().collect();
    let ended = tasks.iter().flat_map(|t| &t.runs).filter(|r| r.status.ended());
    let run = spread(&ended.filter_map(measure).collect::<Vec<f64>>())?;
    let (total, square) = sum(&known);
    let mut figure =
        Figure { total, error: square.map(f64::sqrt), tasks: known.len() as u64, run, ratio: None, ratio_error: None };
    let Some(first) = first else { return Some(figure) };
    // Only what both have can be compared.
    let both: Vec<(Spread, Spread)> =
        spreads.iter().zip(first).filter_map(|(own, first)| Some(((*own)?, first.spread(measure)?))).collect();
    let (own, of): (Vec<Spread>, Vec<Spread>) = both.into_iter().unzip();
    let ((own, own_square), (of, of_square)) = (sum(&own), sum(&of));
    if of > 0.0 {
        let ratio = own / of;
        figure.ratio = Some(ratio);
        // Of a quotient of two means that do not depend on each other.
        figure.ratio_error =
            own_square.zip(of_square).map(|(a, b)| (a / (of * of) + ratio * ratio * b / (of * of)).sqrt());
    }
    Some(figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compare::measure::State;

    fn run(turns: u64, right: Option<bool>, status: State) -> Run {
        Run {
            run: 1,
            trace: String::new(),
            status,
            right,
            why: None,
            model: None,
            same_system: true,
            turns,
            errors: 0,
            tokens: None,
            source: Source::Counted,
            cached_source: CachedSource::Prefix,
            counted_as: None,
            cost: None,
            replayed: false,
            seconds: None,
        }
    }

    fn task(name: &str, turns: &[u64]) -> TaskRow {
        let runs = turns.iter().map(|n| run(*n, Some(true), State::Returned)).collect();
        TaskRow { task: name.to_owned(), runs }
    }

    #[test]
    fn sums_errors_and_ratios_are_those_of_the_docs() {
        let first = [task("a", &[4, 6]), task("b", &[10, 10]), task("c", &[])];
        let other = [task("a", &[3, 3]), task("b", &[9, 7]), task("c", &[100])];
        let turns: Measure = |r| Some(r.turns as f64);
        let f = figure_of(&first, None, turns).unwrap();
        assert_eq!((f.total, f.error, f.tasks, f.ratio), (15.0, Some(1.0), 2, None));
        assert_eq!((f.run.mean, f.run.min, f.run.max), (7.5, 4.0, 10.0));
        let f = figure_of(&other, Some(&first), turns).unwrap();
        // The task that the first has not is in the sum and not in the ratio; one run alone has no deviation.
        assert_eq!((f.total, f.error, f.tasks), (111.0, None, 3));
        assert_eq!(f.ratio, Some(11.0 / 15.0));
        let expected = (1.0 / 225.0 + (11.0 / 15.0f64).powi(2) / 225.0).sqrt();
        assert!((f.ratio_error.unwrap() - expected).abs() < 1e-12);
        assert_eq!(figure_of(&[task("a", &[])], None, turns), None);
        assert_eq!(figure_of(&first, None, |r| r.cost), None);
        let none: Measure = |_| Some(0.0);
        assert_eq!(figure_of(&other, Some(&first), none).unwrap().ratio, None, "nothing is no part of nothing");
    }

    #[test]
    fn runs_that_have_not_ended_are_counted_apart() {
        let mut row = PolicyRow {
            name: "p".into(),
            model: None,
            right: 0,
            judged: 0,
            ended: 0,
            not_ended: 0,
            source: None,
            cached_source: None,
            counted_as: Vec::new(),
            figures: Figures::default(),
            tasks: vec![TaskRow {
                task: "a".into(),
                runs: vec![
                    run(3, Some(true), State::Returned),
                    run(4, Some(false), State::OutOfTurns),
                    run(5, None, State::Failed),
                    run(100, None, State::NotEnded),
                    run(0, None, State::NotBegun),
                ],
            }],
        };
        row.gather();
        assert_eq!((row.right, row.judged, row.ended, row.not_ended), (1, 2, 3, 2));
        assert_eq!(row.tasks[0].spread(|r| Some(r.turns as f64)).unwrap().mean, 4.0);
        assert_eq!(row.tasks[0].right(), (1, 2));
    }
}
